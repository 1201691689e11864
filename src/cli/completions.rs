//! `quip completions`.

use clap::CommandFactory;

use super::args::{Arguments, CompletionsArgs};
use super::exit::{Exit, Failure};
use super::output::answer;

/// Prints the script.
pub fn run(wanted: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(wanted.shell, &mut Arguments::command(), "quip", &mut script);
    answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Proved)
}
