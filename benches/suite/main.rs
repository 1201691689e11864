//! Whole solves: the public instances against their peers' times, what each switch brings, and how
//! time grows with the number of stages.
//!
//! ```text
//! cargo bench --bench suite -- [--limit SECONDS] [--only PART]… [--ablation | --stages] [--plot FILE]
//! ```
//!
//! Instances are looked for in `$QUIP_SHARED/instances`, then in `../shared/instances`. Each solve
//! is a process of its own, so that its memory and its CPU time are its own.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is printed"
)]

mod ablation;
mod instances;
mod plot;
mod run;
mod stages;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use instances::Instance;

/// What was typed.
struct Wanted {
    /// Seconds per instance.
    limit: u64,
    /// Parts of paths; an instance is taken if its path contains one of them.
    only: Vec<String>,
    plot: PathBuf,
    study: Study,
}

enum Study {
    Families,
    Ablation,
    Stages,
}

fn main() -> ExitCode {
    let wanted = match wanted(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(fault) => {
            eprintln!("{fault}");
            return ExitCode::from(2);
        }
    };
    let Some(found) = instances::find() else {
        println!("no public instances here; set QUIP_SHARED to the folder that has `instances`");
        return ExitCode::SUCCESS;
    };
    let is_wanted = |instance: &Instance| {
        wanted.only.is_empty() || wanted.only.iter().any(|part| instance.path.contains(part))
    };
    let chosen: Vec<Instance> = found.into_iter().filter(is_wanted).collect();
    match wanted.study {
        Study::Families => tables::families(&chosen, wanted.limit),
        Study::Ablation => ablation::study(&chosen, wanted.limit),
        Study::Stages => stages::study(&chosen, wanted.limit, &wanted.plot),
    }
    ExitCode::SUCCESS
}

fn wanted(mut typed: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted {
        limit: 10,
        only: Vec::new(),
        plot: PathBuf::from("target/stages.svg"),
        study: Study::Families,
    };
    while let Some(word) = typed.next() {
        let mut value = || typed.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--limit" => {
                let seconds = value()?;
                wanted.limit = seconds.parse().map_err(|_| format!("{seconds} seconds?"))?;
            }
            "--only" => wanted.only.push(value()?),
            "--plot" => wanted.plot = PathBuf::from(value()?),
            "--ablation" => wanted.study = Study::Ablation,
            "--stages" => wanted.study = Study::Stages,
            // Cargo's own word.
            "--bench" => {}
            _ => {
                return Err(format!(
                    "{word} is not known; see the head of this benchmark"
                ));
            }
        }
    }
    Ok(wanted)
}
