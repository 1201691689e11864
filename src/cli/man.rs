//! `quip man`.

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::{Arguments, ManArgs};
use super::exit::{Exit, Failure};
use super::output::answer;

/// Prints the page of `quip` or of one of its commands.
pub fn run(wanted: &ManArgs) -> Result<Exit, Failure> {
    let mut command = Arguments::command();
    command.build();
    let command = match &wanted.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::Usage(format!("quip has no command `{name}`")))?,
    };
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|reason| Failure::Write {
            name: "the manual page".into(),
            reason,
        })?;
    answer(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Proved)
}
