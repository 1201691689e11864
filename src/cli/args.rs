//! What was typed, and how it becomes what is meant.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use quip::format::Format;
use quip::num::{Rational, parse_rational};
use quip::solver::{Method, Options};

use super::advise::AdviseArgs;
use super::bounds::BoundsArgs;
use super::bug::BugArgs;
use super::diff::DiffArgs;
use super::doctor::DoctorArgs;
use super::experiment::ExperimentArgs;
use super::explain::ExplainArgs;
use super::fmt::FmtArgs;
use super::fuzz::FuzzArgs;
use super::generate::GenerateArgs;
use super::lsp::LspArgs;
use super::page::ReportArgs;
use super::play::PlayArgs;
use super::quantity;
use super::reading::ReadArgs;
use super::remarks::LintArgs;
use super::simulate::SimulateArgs;
use super::solve::SolveArgs;
use super::text::DigitsArgs;
use super::verify::ObjectArgs;

const EXAMPLES: &str = "\
Examples:
  quip models/or/lot-sizing.qip               solve a model
  quip solve -t 5m -o result.json lot.qip     at most five minutes, result as JSON
  zcat lot.qlp.gz | quip solve --json -       from standard input, answer as JSON
  quip check lot.qip lot.cert                 is the certificate valid?
  quip explain lot.qip                        why is the answer what it is?
  quip report lot.qip -o lot.html             all of it as a page for the browser
  quip info lot.qip                           what kind of model is it?
  quip convert lot.qlp lot.qip                from one file format to the other
  quip verify game.rules my.rules             what strategy rules are good for
  quip generate gomoku --size 3 --row 3       a game as a model
  quip play gomoku --size 3 --row 3           the same game against the program
  quip help E102                              what does this code mean?
  quip --version --verbose                    commit, HiGHS, features, target, compiler

Exit codes:
   0  proved: optimal, feasible,          1  certificate not valid; remarks
      or the target is in reach
                                          2  wrong usage
  10  proved: infeasible                 65  the model is wrong or not supported
  11  proved: opponent stuck, unbounded  66  cannot read a file
  20  stopped, with a strategy in hand   74  cannot write a file
  21  stopped, nothing found yet         73  answered, but a file was not made
                                         70  internal error
                                        130  stopped by a second Ctrl-C";

/// Exact solver for quantified integer linear programs.
///
/// A quantified program is a linear program whose variables are fixed in order by two players:
/// the one who wants the rows to hold and the objective to be good (`exists`), and an opponent
/// who wants the contrary (`forall`). `quip MODEL` is short for `quip solve MODEL`.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 900
    )]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(Box<SolveArgs>),
    Check(CheckArgs),
    Info(InfoArgs),
    Convert(ConvertArgs),
    Verify(VerifyArgs),
    Generate(GenerateArgs),
    Play(PlayArgs),
    Draw(DrawArgs),
    Explain(ExplainArgs),
    Report(ReportArgs),
    Advise(AdviseArgs),
    Simulate(SimulateArgs),
    Bounds(BoundsArgs),
    Diff(DiffArgs),
    Experiment(ExperimentArgs),
    Fmt(FmtArgs),
    Lint(LintArgs),
    Lsp(LspArgs),
    Options(OptionsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    Doctor(DoctorArgs),
    Bug(BugArgs),
    Fuzz(FuzzArgs),
}

/// Check a certificate against its model
///
/// Reads both in exact arithmetic, independently of everything that solves, and decides whether
/// the certificate proves what it claims: exit code 0 if it does, 1 if it does not.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip solve --certificate lot.cert lot.qip
  quip check lot.qip lot.cert")]
pub struct CheckArgs {
    /// Model file (.qip, .qlp, .mps, .lp, …, also .gz), or `-` for standard input
    pub model: PathBuf,
    /// Certificate, as `quip solve --certificate` writes it
    pub certificate: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Answer with JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub digits: DigitsArgs,
}

/// Describe a model without solving it
///
/// Blocks, domains, coefficients, the class of the program, and whatever looks like a mistake.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip info lot.qip
  quip info --json lot.qip | jq .class")]
pub struct InfoArgs {
    /// Model file (.qip, .qlp, .mps, .lp, .qdimacs, …, also .gz), or `-` for standard input
    pub model: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Answer with JSON
    #[arg(long)]
    pub json: bool,
}

/// Write a model in another file format
///
/// The format is taken from the name of the output file, or from --to. Numbers, names and order
/// are kept exactly; .qdimacs and .qcir hold quantified Boolean formulas only, .mps and .lp programs
/// without an opponent.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip convert lot.qlp lot.qip
  quip convert lot.qip --to qlp -       to standard output
  quip convert game.qcir game.qdimacs   a circuit as clauses
  quip convert --equivalent lot.qip lot.mps   every play at once, for other solvers")]
pub struct ConvertArgs {
    /// Model file (.qip, .qlp, .mps, .lp, .qdimacs, …, also .gz), or `-` for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File to write, or `-` for standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Format to write, whatever the file is called
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub to: Option<Format>,
    /// Write the deterministic equivalent, an integer program without quantifiers, as .lp or .mps
    #[arg(long, conflicts_with = "to")]
    pub equivalent: bool,
    /// Give up after this wall-clock time, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    pub time: Option<Duration>,
}

/// Check strategy rules of a game, and prove what they guarantee
///
/// The files describe a game and rules how to play it; later files may use what earlier ones
/// declare. With --game the game is one of those that `quip play` plays, and the files only have
/// rules: player 1 is the side that its program asks for. Without a question every rule is checked for every player: does it give any move
/// (valid), a move wherever the player has one (complete), never more than one (deterministic),
/// both (functional), and does the game leave him any other move (complied with)?
///
/// With --follow alone, the possible outcomes of the game are listed. With --goal the answer is
/// whether the goal holds at the end of every play; with --best, whether the player can force it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip verify crossdot.rules strategies.rules
  quip verify crossdot.rules strategies.rules --rule cautious --after 'a(1,1)'
  quip verify crossdot.rules strategies.rules --follow 1=fill_leftmost --follow 2=cautious
  quip verify crossdot.rules strategies.rules --follow 1=thoughtful --goal 'wins(1)'
  quip verify crossdot.rules strategies.rules --follow 2=cautious --best
  quip verify --game 'crossdot --boxes 5 --row 2' strategies.rules
  quip verify --game 'nim --heaps 1,2,3' --best --player 2

Exit codes: 0 yes, 10 no, 65 a file is wrong, 73 answered without a certificate, 21 stopped")]
pub struct VerifyArgs {
    /// Rule files, in order
    #[arg(required_unless_present = "game", value_name = "RULES")]
    pub files: Vec<PathBuf>,
    /// A game of the library, as it is typed behind `quip play`, such as 'tictactoe --size 3'
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Give a constant of the game another value, such as m=6
    #[arg(short, long, value_name = "NAME=N", value_parser = constant)]
    pub constant: Vec<(String, i64)>,
    /// Check this rule: a name, or a rule as in a file
    #[arg(long, value_name = "RULE", conflicts_with_all = ["follow", "goal", "best"])]
    pub rule: Vec<String>,
    /// Let a player follow a rule, such as 1=cautious
    #[arg(long, value_name = "PLAYER=RULE", value_parser = followed)]
    pub follow: Vec<(usize, String)>,
    /// The player that --goal and --best are about
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub player: usize,
    /// A formula that should hold whenever a play ends [default: the player wins]
    #[arg(long, value_name = "FORMULA")]
    pub goal: Option<String>,
    /// Find the player's best response to the rules of the others
    #[arg(long)]
    pub best: bool,
    /// Show the moves of the rules after these actions, such as 'a(1,2) a(2,1)'
    #[arg(long, value_name = "PLAY", conflicts_with_all = ["best", "goal", "follow"])]
    pub after: Option<String>,
    /// Let formulas hold on paths that break off, too, not only on complete plays
    #[arg(long)]
    pub segments: bool,
    /// Answer --goal or --best by a quantified program instead of a search through the states
    #[arg(long)]
    pub program: bool,
    /// Write the quantified program of --goal or --best to this file
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Prove the answer of the program, write the certificate to this file and check it
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Stop after this wall-clock time, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    pub time: Option<Duration>,
    /// Answer with JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub objects: ObjectArgs,
}

fn constant(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=N")?;
    let value = value.trim().parse();
    let value = value.map_err(|_| "the value must be a whole number".to_owned())?;
    Ok((name.trim().to_owned(), value))
}

fn followed(text: &str) -> Result<(usize, String), String> {
    let (player, rule) = text.split_once('=').ok_or("write it as PLAYER=RULE")?;
    let player = player.trim().parse();
    let player = player.map_err(|_| "players are called 1, 2, …".to_owned())?;
    Ok((player, rule.trim().to_owned()))
}

/// Draw a small model as SVG
///
/// The tree of its strategy, or of the refutation where there is no strategy; or, for three
/// variables, what its rows allow and where in it the strategy ends.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip draw models/seed/three-variables.qip -o tree.svg
  quip draw --picture space models/seed/three-variables-real.qip -o space.svg")]
pub struct DrawArgs {
    /// Model file (.qip, .qlp, .mps, .lp, …, also .gz), or `-` for standard input
    pub model: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
    /// File to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// What to draw
    #[arg(short, long, value_name = "WHAT", default_value = "tree")]
    pub picture: Picture,
    /// Give up solving after this wall-clock time, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    pub time: Option<Duration>,
}

/// What to draw.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// The tree of the strategy
    Tree,
    /// The solution space of three variables
    Space,
}

/// List the switches that `quip solve --set` takes
///
/// Every combination of switches gives the same answers; they are there to measure what each
/// technique brings.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  quip solve --set search.table=0 --set search.relax=off lot.qip")]
pub struct OptionsArgs {}

/// One `key=value`, already known to fit.
#[derive(Clone, Debug)]
pub struct Setting {
    pub key: String,
    pub value: String,
}

/// Reads a setting and tries it, so that a wrong one is a usage error.
pub fn setting(text: &str) -> Result<Setting, String> {
    let (key, value) = text.split_once('=').ok_or("write it as KEY=VALUE")?;
    Options::default()
        .set(key, value)
        .map_err(|error| error.to_string())?;
    Ok(Setting {
        key: key.to_owned(),
        value: value.to_owned(),
    })
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  quip completions bash > ~/.local/share/bash-completion/completions/quip")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Print a manual page
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip man | man -l -
  quip man solve > quip-solve.1")]
pub struct ManArgs {
    /// The command the page is about; `quip` itself if none is named
    pub command: Option<String>,
}

/// When to use colours.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Whether each stream is coloured.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Standard output.
    pub answer: bool,
    /// Standard error.
    pub log: bool,
}

impl Color {
    /// Decides from the streams and the environment.
    pub fn style(self) -> Style {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colored = |is_terminal: bool| match self {
            Self::Auto => is_terminal && !unwanted,
            Self::Always => true,
            Self::Never => false,
        };
        Style {
            answer: colored(std::io::stdout().is_terminal()),
            log: colored(std::io::stderr().is_terminal()),
        }
    }
}

/// A number as it is spelled.
pub fn exact(text: &str) -> Result<Rational, String> {
    parse_rational(text).map_err(|fault| fault.to_string())
}

/// The names of the engines.
pub fn methods() -> impl TypedValueParser<Value = Method> {
    let names = Method::ALL.map(|method| PossibleValue::new(method.name()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Method>())
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::WRITTEN.map(|format| PossibleValue::new(format.extension()));
    PossibleValuesParser::new(names).map(|name| {
        let named = Format::WRITTEN
            .into_iter()
            .find(|format| format.extension() == name);
        named.expect("invariant: only names of formats pass the parser")
    })
}
