//! What each switch brings: every switch turned over in turn, nodes and times as ratios.

use quip::solver::Options;
use quip::switch::Switch;

use crate::instances::Instance;
use crate::run::{Run, solve};

/// Solves every instance with the defaults, and once more for each switch.
///
/// Ratios are geometric means over the instances that both solve; above one, the default is better.
pub fn study(instances: &[Instance], limit: u64) {
    let usual: Vec<Run> = runs(instances, limit, &[]);
    let solved = usual.iter().filter(|run| run.solved).count();
    println!(
        "{solved} of {} instances are solved by the defaults in {limit} s\n",
        usual.len()
    );
    println!("| switch | solved | nodes | LPs | time |");
    println!("| --- | --: | --: | --: | --: |");
    for (name, settings) in turned_over() {
        let other = runs(instances, limit, &settings);
        let both: Vec<(&Run, &Run)> = usual
            .iter()
            .zip(&other)
            .filter(|(usual, other)| usual.solved && other.solved)
            .collect();
        let ratio = |measure: fn(&Run) -> f64| {
            let logs = both
                .iter()
                .map(|(usual, other)| (measure(other) / measure(usual)).ln());
            (logs.sum::<f64>() / both.len().max(1) as f64).exp()
        };
        println!(
            "| {name} | {} | {:.2}× | {:.2}× | {:.2}× |",
            other.iter().filter(|run| run.solved).count(),
            ratio(|run| run.nodes as f64 + 1.0),
            ratio(|run| run.lps as f64 + 1.0),
            // Less than the start of a process is noise.
            ratio(|run| run.seconds.max(0.01)),
        );
    }
}

fn runs(instances: &[Instance], limit: u64, switches: &[String]) -> Vec<Run> {
    let solve = |instance: &Instance| solve(&instance.file, limit, switches);
    instances.iter().map(solve).collect()
}

/// Every switch with the value that it does not have, and the whole presolve off.
fn turned_over() -> Vec<(String, Vec<String>)> {
    let other = |switch: &Switch| match switch.value.as_str() {
        "off" => "on",
        _ if Options::default().set(switch.key, "off").is_ok() => "off",
        _ => "0",
    };
    let settings: Vec<String> = Options::default()
        .switches()
        .iter()
        .map(|switch| format!("{}={}", switch.key, other(switch)))
        .collect();
    let presolve = settings
        .iter()
        .filter(|setting| setting.starts_with("presolve."));
    let no_presolve = ("no presolve".to_owned(), presolve.cloned().collect());
    let single = settings
        .iter()
        .map(|setting| (setting.clone(), vec![setting.clone()]));
    single.chain([no_presolve]).collect()
}
