//! `quip options`.

use std::fmt::Write;

use quip::{benders, search};

use super::exit::{Exit, Failure};
use super::output::answer;

/// Lists every switch with its default.
pub fn run() -> Result<Exit, Failure> {
    let mut text = String::new();
    let mut list = |setting: String, help: &str| {
        writeln!(text, "{setting:<24} {help}").expect("invariant: a string can grow");
    };
    for switch in search::Settings::default().switches() {
        list(format!("{}={}", switch.key, switch.value), switch.help);
    }
    for (key, on, help) in benders::Settings::default().switches() {
        list(format!("{key}={}", if on { "on" } else { "off" }), help);
    }
    answer(&text)?;
    Ok(Exit::Proved)
}
