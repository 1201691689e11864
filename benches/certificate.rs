//! What certificates cost: how much longer a solve takes that leaves one, and how long it takes to
//! check, both beside the solve that leaves none.
//!
//! ```text
//! cargo bench --bench certificate -- [--limit SECONDS] [--each COUNT] [--only PART]…
//! ```
//!
//! Shipped models are read from `models`, public instances from `$QUIP_SHARED/instances` or
//! `../shared/instances`, at most `COUNT` (four) of each family named in [`FAMILIES`]. Solves
//! below a millisecond are left out of the summary.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a report for people"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quip::budget::Limits;
use quip::check::check;
use quip::format::read_path;
use quip::outcome::Status;
use quip::program::Program;
use quip::solver::{Method, Options, Solver};

/// Folders of public instances, and what the names of those taken contain.
const FAMILIES: [(&str, &str); 5] = [
    ("knapsack", ""),
    ("lotsizing", ""),
    ("artificial", ""),
    ("interdiction-pu", "n20"),
    ("interdiction-ddu", "n20"),
];

const PER_FAMILY: usize = 4;

fn main() {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let after = |flag: &str| {
        let pairs = typed.windows(2).filter(move |pair| pair[0] == flag);
        pairs.map(|pair| pair[1].clone()).collect::<Vec<_>>()
    };
    let seconds = after("--limit").first().and_then(|text| text.parse().ok());
    let limit = Duration::from_secs(seconds.unwrap_or(10));
    let each = after("--each").first().and_then(|text| text.parse().ok());
    let only = after("--only");
    println!("milliseconds of processor time; `-` means not within {limit:?}");
    println!(
        "{:44} {:>9} {:>9} {:>7} {:>9} {:>7} {:>9}",
        "model", "solve", "recorded", "ratio", "check", "ratio", "bytes"
    );
    let mut families: BTreeMap<String, Vec<[f64; 3]>> = BTreeMap::new();
    for path in models(each.unwrap_or(PER_FAMILY)) {
        let name = path.display().to_string();
        if only.is_empty() || only.iter().any(|part| name.contains(part)) {
            let family = path.parent().and_then(Path::file_name).unwrap_or_default();
            let family = family.to_string_lossy().into_owned();
            families
                .entry(family)
                .or_default()
                .extend(line(&path, limit));
        }
    }
    for (family, times) in &families {
        summary(family, times);
    }
    let all: Vec<[f64; 3]> = families.into_values().flatten().collect();
    summary("all", &all);
}

/// How recording and checking compare with the solves of a family, each by the geometric mean of
/// the ratios and by the ratio of the sums.
fn summary(family: &str, times: &[[f64; 3]]) {
    let count = times.len();
    if count == 0 {
        return;
    }
    let mean = |place: usize| {
        let logarithms: f64 = times.iter().map(|time| (time[place] / time[0]).ln()).sum();
        (logarithms / count as f64).exp()
    };
    let sum = |place: usize| times.iter().map(|time| time[place]).sum::<f64>();
    println!(
        "{family}: {count} models, recorded {:.2} (sums {:.2}), check {:.2} (sums {:.2})",
        mean(1),
        sum(1) / sum(0),
        mean(2),
        sum(2) / sum(0),
    );
}

/// One model: what solving, recording and checking take, if it is solved, proved, and large enough
/// to be counted.
fn line(path: &Path, limit: Duration) -> Option<[f64; 3]> {
    let shown = path.display().to_string();
    let shown: String = shown.chars().skip(shown.len().saturating_sub(44)).collect();
    let program = read_path(path).ok()?.program;
    let solved = timed(|| solve(&program, limit, false));
    let proved = timed(|| solve(&program, limit, true));
    let (Some(_), Some(Some(text))) = (solved.0, proved.0) else {
        println!("{shown:44} {:>9}", "-");
        return None;
    };
    let checked = timed(|| check(&program, text.as_bytes()));
    checked.0.expect("a certificate is accepted");
    let ratios = [proved.1, checked.1].map(|time| time / solved.1);
    println!(
        "{shown:44} {:9.1} {:9.1} {:7.2} {:9.1} {:7.2} {:9}",
        solved.1,
        proved.1,
        ratios[0],
        checked.1,
        ratios[1],
        text.len()
    );
    (solved.1 >= 1.0).then_some([solved.1, proved.1, checked.1])
}

/// The text of the certificate, if one is wanted and there; nothing if the solve did not end.
fn solve(program: &Program, limit: Duration, certificate: bool) -> Option<Option<String>> {
    let options = Options {
        method: Method::Search,
        certificate,
        limits: Limits {
            time: Some(limit),
            ..Limits::default()
        },
        ..Options::default()
    };
    let outcome = Solver::new(options).solve(program).ok()?;
    let made = outcome.certificate.and_then(Result::ok);
    (outcome.status != Status::Interrupted).then(|| made.map(|made| made.to_text(program)))
}

/// What something gives, and the milliseconds it took of the processor: the mean of so many runs
/// that the clock, which some systems move every four milliseconds only, has something to count.
fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let before = cpu_time();
    let mut runs = 1;
    let mut result = work();
    while cpu_time() - before < Duration::from_millis(40) && runs < 1000 {
        result = work();
        runs += 1;
    }
    let taken = (cpu_time() - before).as_secs_f64() * 1e3;
    (result, taken / f64::from(runs))
}

/// What this thread has had of the processor, which a busy machine does not change.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = text.split(' ').next().unwrap().parse().unwrap();
    Duration::from_nanos(nanoseconds)
}

fn models(each: usize) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = folders(Path::new("models"))
        .iter()
        .flat_map(|folder| files(folder, "", usize::MAX))
        .collect();
    let shared = std::env::var_os("QUIP_SHARED").map_or("../shared".into(), PathBuf::from);
    for (family, part) in FAMILIES {
        found.extend(files(&shared.join("instances").join(family), part, each));
    }
    found
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let inside = files(path, "", usize::MAX);
    inside.into_iter().filter(|path| path.is_dir()).collect()
}

/// Some of the files whose names contain a part, spread over the folder.
fn files(folder: &Path, part: &str, most: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.to_string_lossy().contains(part))
        .collect();
    paths.sort();
    let step = paths.len().div_ceil(most).max(1);
    paths.into_iter().step_by(step).collect()
}
