//! The strategies that `quip solve --strategy` writes.

use std::path::Path;

use quip::draw::strategy_graph;
use quip::num::Digits;
use quip::outcome::{Outcome, Status};
use quip::program::{Program, Quantifier, VarId};
use quip::strategy::Strategy;
use rustc_hash::FxHashMap;

use super::exit::Failure;
use super::files::Output;
use super::reading::Model;

/// How a strategy is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A decision tree in words.
    Text,
    /// Terms with if-then-else.
    Terms,
    /// Terms in lists, as GhostQ writes them.
    Lists,
    Json,
    Dot,
    Svg,
}

impl Shape {
    /// By the extension of the file.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path
            .extension()
            .map(|it| it.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("txt") => Ok(Self::Text),
            Some("ite") => Ok(Self::Terms),
            Some("ghostq") => Ok(Self::Lists),
            Some("json") => Ok(Self::Json),
            Some("dot" | "gv") => Ok(Self::Dot),
            Some("svg") => Ok(Self::Svg),
            _ => Err(Failure::Usage(format!(
                "`{}` does not tell how to write a strategy; \
                 call it .txt, .ite, .ghostq, .json, .dot or .svg",
                path.display()
            ))),
        }
    }
}

/// Writes the strategy of a player, or else the winner's; the answer says what was done.
pub fn write(
    model: &Model,
    outcome: &Outcome,
    whose: Option<Quantifier>,
    digits: Digits,
    output: Output,
) -> Result<String, Failure> {
    let program = &model.program;
    let held = match whose {
        Some(player) => outcome.held(program, player),
        None => winners(program, outcome),
    };
    let Some(strategy) = held else {
        return Err(output.forgo("strategy", &excuse(outcome)));
    };
    let name = output.name();
    let mut left_out = 0;
    let text = match Shape::of(Path::new(&name))? {
        Shape::Text => strategy.to_text_with(program, digits),
        Shape::Json => strategy.to_json(program),
        Shape::Dot => strategy.to_dot(program),
        Shape::Svg => {
            let (picture, rest) = drawn(program, &strategy);
            left_out = rest;
            picture
        }
        Shape::Terms => match strategy.to_terms(program) {
            Ok(text) => text,
            Err(reason) => return Err(output.forgo("strategy", &reason.to_string())),
        },
        Shape::Lists => match lists(model, &strategy) {
            Ok(text) => text,
            Err(reason) => return Err(output.forgo("strategy", &reason)),
        },
    };
    output.save(text.as_bytes())?;
    let kind = match strategy.owner() {
        Quantifier::Exists => "strategy",
        Quantifier::Forall => "refutation",
    };
    let nodes = super::text::counted(strategy.nodes().len(), "node");
    let cut = match left_out {
        0 => String::new(),
        rest => format!(
            "; the picture is its top, {} are left out: .txt, .dot and .json have all",
            super::text::counted(rest, "node")
        ),
    };
    Ok(format!("{kind}: {nodes}, written to {name}{cut}"))
}

/// A strategy of a Boolean program as GhostQ writes it: by the names of the file, without gates.
fn lists(model: &Model, strategy: &Strategy) -> Result<String, String> {
    let variables = &model.program.variables();
    if let Some(other) = variables.iter().find(|variable| !variable.is_binary()) {
        return Err(format!(
            "GhostQ knows Boolean variables only, and `{}` is none; write it as .ite",
            other.name
        ));
    }
    let names: Option<FxHashMap<VarId, &str>> = model.formula.as_ref().map(|formula| {
        let named = formula.named.iter();
        named.map(|(var, name)| (*var, name.as_str())).collect()
    });
    let name = |var: VarId| match &names {
        Some(names) => names.get(&var).map(|name| (*name).to_owned()),
        None => Some(variables[var].name.clone()),
    };
    let lists = strategy.to_lists(&model.program, name);
    lists.map_err(|reason| reason.to_string())
}

/// A strategy as SVG that can be looked at: its top, where the whole is too wide. Says how many nodes
/// were left out.
pub fn drawn(program: &Program, strategy: &Strategy) -> (String, usize) {
    /// Pixels that a screen and a printed page bear.
    const WIDEST: f64 = 6_000.0;
    /// More nodes are not drawn even to see how wide that is.
    const MOST: usize = 4_096;
    let mut most = strategy.nodes().len();
    if most <= MOST {
        let picture = strategy_graph(program, strategy);
        if width(&picture) <= WIDEST {
            return (picture, 0);
        }
    }
    most = most.min(MOST);
    loop {
        most = most.div_ceil(2);
        let (top, left_out) = strategy.top(most);
        let picture = strategy_graph(program, &top);
        if width(&picture) <= WIDEST || most == 1 {
            return (picture, left_out);
        }
    }
}

/// The width that a picture of ours names.
fn width(picture: &str) -> f64 {
    let named = picture.split("width=\"").nth(1);
    let number = named.and_then(|rest| rest.split('"').next()?.parse().ok());
    number.expect("invariant: a picture names its width")
}

/// The existential player's strategy; where he loses, the refutation.
pub fn winners(program: &Program, outcome: &Outcome) -> Option<Strategy> {
    let held = |player| outcome.held(program, player);
    held(Quantifier::Exists).or_else(|| held(Quantifier::Forall))
}

fn excuse(outcome: &Outcome) -> String {
    match (&outcome.certificate, outcome.status) {
        (_, Status::Interrupted) => "the solve was stopped before there was one".to_owned(),
        (Some(Err(reason)), _) => reason.to_string(),
        (Some(Ok(_)), Status::Feasible | Status::UniversalStuck | Status::Unbounded) => {
            "the opponent has none: the game is won".to_owned()
        }
        _ => "this engine makes none".to_owned(),
    }
}
