//! `quip options`.

use std::fmt::Write;

use quip::solver::Options;

use super::exit::{Exit, Failure};
use super::output::answer;

/// Lists every switch with its default.
pub fn run() -> Result<Exit, Failure> {
    let mut text = String::new();
    for switch in Options::default().switches() {
        let setting = format!("{}={}", switch.key, switch.value);
        writeln!(text, "{setting:<26} {}", switch.help).expect("invariant: a string can grow");
    }
    answer(&text)?;
    Ok(Exit::Proved)
}
