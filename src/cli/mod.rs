//! The command line: one file per command. The only place that prints or knows exit codes.
//!
//! **Invariant:** answers go to standard output, everything else to standard error, and no file
//! is written that was not asked for. What was asked for and is not there is said, and by the exit
//! code.

mod about;
mod advise;
mod args;
mod bounds;
mod bug;
mod check;
mod codes;
mod completions;
mod convert;
mod count;
mod diff;
mod doctor;
mod draw;
mod exit;
mod experiment;
mod explain;
mod explain_json;
mod facts;
mod family;
mod files;
mod fmt;
mod formula;
mod fuzz;
mod generate;
mod info;
mod json;
mod lint;
mod log;
mod lsp;
mod man;
mod options;
mod output;
mod page;
mod panic;
mod patience;
mod play;
mod quantity;
mod reading;
mod remarks;
mod report;
mod results;
mod signals;
mod simulate;
mod solve;
mod speech;
mod strategy;
mod table;
mod text;
mod ticker;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::{CommandFactory, Parser};
use quip::format::nearest;

use args::{Arguments, Command};
use exit::{Exit, Failure};

/// Runs one command to its end.
pub fn run(typed: Vec<OsString>) -> Exit {
    panic::install(&typed);
    if about::is_asked(&typed) {
        return ended(output::answer(&about::details()).map(|()| Exit::Proved));
    }
    if let Some(code) = codes::asked(&typed) {
        return ended(codes::run(&code));
    }
    if let Some(message) = mistyped_command(&typed) {
        output::complain(&message);
        return Exit::Usage;
    }
    let arguments = match Arguments::try_parse_from(with_command(typed)) {
        Ok(arguments) => arguments,
        Err(message) => return say_why(&message),
    };
    let style = arguments.color.style();
    ended(match &arguments.command {
        Command::Solve(wanted) => solve::run(wanted, style),
        Command::Check(wanted) => check::run(wanted, style),
        Command::Info(wanted) => info::run(wanted, style),
        Command::Convert(wanted) => convert::run(wanted, style),
        Command::Verify(wanted) => verify::run(wanted, style),
        Command::Generate(wanted) => generate::run(wanted),
        Command::Play(wanted) => play::run(wanted),
        Command::Draw(wanted) => draw::run(wanted, style),
        Command::Bounds(wanted) => bounds::run(wanted, style),
        Command::Explain(wanted) => explain::run(wanted, style),
        Command::Report(wanted) => page::run(wanted, style),
        Command::Advise(wanted) => advise::run(wanted, style),
        Command::Simulate(wanted) => simulate::run(wanted, style),
        Command::Experiment(wanted) => experiment::run(wanted),
        Command::Fmt(wanted) => fmt::run(wanted, style),
        Command::Lint(wanted) => remarks::run(wanted, style),
        Command::Lsp(wanted) => lsp::run(wanted),
        Command::Options(_) => options::run(),
        Command::Completions(wanted) => completions::run(wanted),
        Command::Man(wanted) => man::run(wanted),
        Command::Diff(wanted) => diff::run(wanted, style),
        Command::Doctor(wanted) => doctor::run(wanted),
        Command::Bug(wanted) => bug::run(wanted, style),
        Command::Fuzz(wanted) => fuzz::run(wanted, style),
    })
}

/// Says why, where a command could not do its work.
fn ended(done: Result<Exit, Failure>) -> Exit {
    done.unwrap_or_else(|failure: Failure| {
        output::complain(&failure.to_string());
        failure.exit()
    })
}

/// `quip MODEL …` means `quip solve MODEL …`: puts the command where none was typed.
fn with_command(mut typed: Vec<OsString>) -> Vec<OsString> {
    const ABOUT_QUIP: [&str; 5] = ["help", "-h", "--help", "-V", "--version"];
    let Some(first) = typed.get(1).map(|first| first.to_string_lossy()) else {
        return typed;
    };
    let is_command = Arguments::command()
        .get_subcommands()
        .any(|command| command.get_name() == first);
    if !is_command && !ABOUT_QUIP.contains(&first.as_ref()) {
        typed.insert(1, "solve".into());
    }
    if typed.get(1).is_some_and(|first| first == "play") && typed.get(2).is_some_and(is_file) {
        typed.insert(2, "model".into());
    }
    typed
}

/// Whether a word behind `play` is a model file, and no game.
fn is_file(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    let is_path = text.contains(['.', '/']) || Path::new(word).is_file();
    is_path && !text.starts_with('-') && quip::games::family(&text).is_none()
}

/// What to say where the first word is neither a file nor a command, but nearly a command.
fn mistyped_command(typed: &[OsString]) -> Option<String> {
    let first = typed.get(1)?;
    let word = first.to_str()?;
    let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_word || Path::new(first).exists() {
        return None;
    }
    let commands = Arguments::command();
    let names = || commands.get_subcommands().map(clap::Command::get_name);
    if word == "help" || names().any(|name| name == word) {
        return None;
    }
    let meant = nearest(word, names())?;
    Some(format!(
        "error: there is no command and no file `{word}`; did you mean `quip {meant}`?"
    ))
}

/// Help and version are answers; anything else is a usage error.
fn say_why(message: &clap::Error) -> Exit {
    let printed = message.print().and_then(|()| io::stdout().flush());
    if message.use_stderr() {
        return Exit::Usage;
    }
    ended(output::told(printed).map(|()| Exit::Proved))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(typed: &[&str]) -> Vec<String> {
        let typed = typed.iter().map(OsString::from).collect();
        let completed = with_command(typed).into_iter();
        completed
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_model_without_a_command_is_solved() {
        assert_eq!(
            completed(&["quip", "lot.qip", "-q"]),
            ["quip", "solve", "lot.qip", "-q"]
        );
        assert_eq!(
            completed(&["quip", "play", "lot.qip", "-t", "5"]),
            ["quip", "play", "model", "lot.qip", "-t", "5"]
        );
        assert_eq!(
            completed(&["quip", "-t", "5", "-"]),
            ["quip", "solve", "-t", "5", "-"]
        );
    }

    #[test]
    fn commands_and_questions_about_quip_stay_as_they_are() {
        for typed in [
            vec!["quip"],
            vec!["quip", "info", "x.qip"],
            vec!["quip", "--help"],
            vec!["quip", "-V"],
            vec!["quip", "play", "nim", "--heaps", "1,2"],
            vec!["quip", "play", "dgr-random", "--seed", "2"],
            vec!["quip", "play", "--help"],
        ] {
            assert_eq!(completed(&typed), typed);
        }
    }

    #[test]
    fn a_mistyped_command_is_told_from_a_file() {
        let said = |word: &str| mistyped_command(&["quip".into(), word.into()]);
        assert!(said("slove").is_some_and(|said| said.contains("did you mean `quip solve`?")));
        for word in ["solve", "help", "-q", "lot.qip", "src", "zebra"] {
            assert_eq!(said(word), None, "{word}");
        }
    }

    #[test]
    fn the_argument_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }
}
