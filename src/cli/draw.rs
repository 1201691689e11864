//! `quip draw`.

use num_traits::ToPrimitive;
use quip::budget::{Budget, Limits};
use quip::draw::{DrawError, solution_space, strategy_tree};
use quip::program::{Kind, Program};
use quip::reference;
use quip::solver::{Options, Solver};

use super::args::{DrawArgs, Picture, Style};
use super::exit::{Exit, Failure};
use super::files;
use super::output::{answer, complain};
use super::reading::{self, is_stream};
use super::signals;
use super::strategy::{drawn, winners};
use super::ticker::Ticker;

/// Trees of more positions are neither enumerated nor looked at.
const MOST_POSITIONS: f64 = 1e6;

/// What is drawn instead of a tree that is too large.
const TOP_INSTEAD: &str = "the whole tree is too large to look at: this is the top of the strategy, \
                           its shared parts drawn once";

/// Solves a small model and draws its plan or its solution space.
pub fn run(wanted: &DrawArgs, style: Style) -> Result<Exit, Failure> {
    let out = (!is_stream(&wanted.output)).then_some(("--output", &*wanted.output));
    let mut outputs = files::open(&[("MODEL", &wanted.model)], [out])?;
    let model = reading::read(&wanted.model, &wanted.read, style.log);
    let model = files::before_work(&mut outputs, model)?;
    let [out] = outputs;
    let warnings = model.rendered_warnings.iter();
    warnings.for_each(|text| complain(text));
    let limits = Limits {
        time: wanted.time,
        ..Limits::default()
    };
    let program = &model.program;
    let ticker = Ticker::new("solving");
    let picture = match wanted.picture {
        Picture::Tree if positions(program) > MOST_POSITIONS => top(program, limits, &ticker)?,
        Picture::Tree => tree(program, limits, &ticker)?,
        Picture::Space => space(program, limits, &ticker)?,
    };
    drop(ticker);
    let Some(picture) = picture else {
        complain("stopped before there was a strategy to draw");
        return Ok(Exit::StoppedEmptyHanded);
    };
    match out {
        None => answer(&picture)?,
        Some(out) => out.save(picture.as_bytes())?,
    }
    Ok(Exit::Proved)
}

/// The tree of everything; nothing if there was no time for it.
fn tree(program: &Program, limits: Limits, ticker: &Ticker) -> Result<Option<String>, Failure> {
    let mut budget = Budget::new(
        limits.clone(),
        signals::stop_flag()?,
        Some(ticker.observer("enumerating")),
    );
    let outcome = reference::solve(program, &mut budget)?;
    let Some(plan) = outcome.strategy.as_ref().or(outcome.refutation.as_ref()) else {
        return Ok(None);
    };
    match strategy_tree(program, plan) {
        Err(DrawError::TooLarge(_)) => top(program, limits, ticker),
        drawn => drawn.map(Some).map_err(Failure::Draw),
    }
}

/// The strategy as a graph, or its top.
fn top(program: &Program, limits: Limits, ticker: &Ticker) -> Result<Option<String>, Failure> {
    complain(TOP_INSTEAD);
    let options = Options {
        limits,
        certificate: true,
        ..Options::default()
    };
    let solver = Solver::new(options)
        .with_signal(signals::stop_flag()?)
        .with_observer(ticker.observer("solving"));
    let outcome = solver.solve(program)?;
    Ok(winners(program, &outcome).map(|strategy| drawn(program, &strategy).0))
}

fn space(program: &Program, limits: Limits, ticker: &Ticker) -> Result<Option<String>, Failure> {
    let mut budget = Budget::new(
        limits,
        signals::stop_flag()?,
        Some(ticker.observer("enumerating")),
    );
    let outcome = reference::solve(program, &mut budget)?;
    let picture = solution_space(program, outcome.strategy.as_ref());
    picture.map(Some).map_err(Failure::Draw)
}

/// How many positions a game tree has at most: real moves count as their two ends.
fn positions(program: &Program) -> f64 {
    let values = program.variables().iter().map(|variable| {
        let domain = variable.domain();
        match (variable.kind, domain.lower.zip(domain.upper)) {
            (Kind::Integer, Some((lower, upper))) => {
                (upper - lower).to_f64().unwrap_or(f64::INFINITY).max(0.0) + 1.0
            }
            _ => 2.0,
        }
    });
    values.product()
}
