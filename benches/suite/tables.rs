//! Family × solved × PAR2 × ratio to the peer.

use std::collections::BTreeMap;

use crate::instances::{Instance, Peer};
use crate::run::{Run, solve};

/// The peer ran 30 s; who does not solve an instance is counted with twice that.
const PENALTY: f64 = 60.0;

#[derive(Default)]
struct Family {
    count: usize,
    solved: usize,
    par2: f64,
    /// The instances that the peer was run on.
    compared: usize,
    compared_solved: usize,
    compared_par2: f64,
    peer_solved: usize,
    peer_par2: f64,
    peak_megabytes: u64,
}

/// Solves every instance, a line for each, and ends with the table.
pub fn families(instances: &[Instance], limit: u64) {
    let mut families: BTreeMap<&str, Family> = BTreeMap::new();
    let mut wrong = Vec::new();
    println!(
        "{:<60} {:>9} {:>9} {:>11} {:>9} {:>5}",
        "instance", "s", "peer s", "nodes", "LPs", "MB"
    );
    for instance in instances {
        let run = solve(&instance.file, limit, &[]);
        report(instance, &run);
        if let (true, Some(known), Some(found)) = (run.solved, &instance.value, &run.objective)
            && known != found
        {
            wrong.push(format!("{}: {found} instead of {known}", instance.path));
        }
        families
            .entry(instance.family())
            .or_default()
            .add(instance, &run);
    }
    print_table(&families, limit);
    if !wrong.is_empty() {
        println!("\nvalues that differ from the index:\n{}", wrong.join("\n"));
    }
}

fn report(instance: &Instance, run: &Run) {
    let ours = if run.solved {
        format!("{:.3}", run.seconds)
    } else {
        "-".to_owned()
    };
    let peer = match instance.peer {
        Peer::Solved(seconds) => format!("{seconds:.2}"),
        Peer::Unsolved => "-".to_owned(),
        Peer::NotRun => String::new(),
    };
    let path: String = instance.path.chars().take(60).collect();
    println!(
        "{path:<60} {ours:>9} {peer:>9} {:>11} {:>9} {:>5}",
        run.nodes, run.lps, run.megabytes
    );
}

impl Family {
    fn add(&mut self, instance: &Instance, run: &Run) {
        let seconds = if run.solved { run.seconds } else { PENALTY };
        self.count += 1;
        self.solved += usize::from(run.solved);
        self.par2 += seconds;
        self.peak_megabytes = self.peak_megabytes.max(run.megabytes);
        let peer = match instance.peer {
            Peer::Solved(seconds) => seconds,
            Peer::Unsolved => PENALTY,
            Peer::NotRun => return,
        };
        self.compared += 1;
        self.compared_solved += usize::from(run.solved);
        self.compared_par2 += seconds;
        self.peer_solved += usize::from(peer < PENALTY);
        self.peer_par2 += peer;
    }
}

fn print_table(families: &BTreeMap<&str, Family>, limit: u64) {
    println!(
        "\nlimit {limit} s; unsolved counts {PENALTY} s; the right half has the instances the peer was run on\n"
    );
    println!(
        "| family | solved | PAR2 s | MB | solved | peer solved | PAR2 s | peer PAR2 s | faster |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for (name, family) in families {
        let faster = if family.compared == 0 {
            "-".to_owned()
        } else {
            format!("{:.1}×", family.peer_par2 / family.compared_par2)
        };
        println!(
            "| {name} | {} of {} | {:.2} | {} | {} of {} | {} | {:.2} | {:.2} | {faster} |",
            family.solved,
            family.count,
            family.par2,
            family.peak_megabytes,
            family.compared_solved,
            family.compared,
            family.peer_solved,
            family.compared_par2,
            family.peer_par2,
        );
    }
}
