//! What else could be decided first, and how that is answered.
//!
//! For each whole variable of the first block two programs are solved: one in which it must be
//! smaller than in the decision, one in which it must be larger, everything else free. Between
//! them they hold every other decision. A real variable is tried at the ends of its domain: next to
//! the decision there is always another that is nearly as good.

use itertools::Itertools;
use num_traits::Zero;

use super::study::Study;
use crate::num::{Rational, int};
use crate::outcome::{Move, Outcome, Score, Status, cost_of_objective};
use crate::program::{Id, Kind, Program, Quantifier, VarId};

/// How a decision is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The variable is at most this.
    AtMost(Rational),
    /// The variable is at least this.
    AtLeast(Rational),
    /// The variable is this; nothing else is left on that side.
    Exactly(Rational),
}

/// One other way to begin, and what becomes of it under best play.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// A variable of the first block.
    pub variable: VarId,
    /// What it is instead.
    pub change: Change,
    /// The best that can be done then, or that it was not found out.
    pub outcome: Outcome,
    /// Whether that is as good as the decision; `None` if it was not found out.
    pub as_good: Option<bool>,
    /// The moves of the opponent in best play against it.
    pub answer: Vec<Move>,
}

/// The first decision, and what else it could have been.
#[derive(Clone, Debug)]
pub struct Alternatives {
    /// The decision.
    pub decision: Vec<Move>,
    /// Other ones that were looked at.
    pub tried: Vec<Alternative>,
    /// How many more there were.
    pub left_out: usize,
}

/// `None` if the first block is not the existential player's, or nothing else is possible there.
pub(super) fn of(
    program: &Program,
    outcome: &Outcome,
    study: &mut Study<'_>,
) -> Option<Alternatives> {
    let block = program.blocks().iter().next()?;
    if block.quantifier != Quantifier::Exists || outcome.first_stage.is_empty() {
        return None;
    }
    // What was decided to be something is more telling than what was left at nothing.
    let mut decided: Vec<&Move> = outcome.first_stage.iter().collect();
    decided.sort_by_key(|(_, value)| value.is_zero());
    let changes = decided.into_iter();
    let changes = changes.flat_map(|(var, value)| changes_of(program, *var, value));
    let changes: Vec<(VarId, Change)> = changes.collect();
    if changes.is_empty() {
        return None;
    }
    let most = study.most_alternatives();
    let left_out = changes.len().saturating_sub(most);
    let best = score(program, outcome);
    let tried = changes.into_iter().take(most).map(|(variable, change)| {
        let changed = restricted(program, variable, &change);
        let solved = study.solve(&changed);
        let outcome = solved.unwrap_or_else(|_| Outcome::interrupted(None));
        let as_good = score(program, &outcome).map(|score| Some(score) <= best);
        let answer = outcome.principal_variation.iter();
        let is_theirs = |made: &&Move| program.variables()[made.0].quantifier == Quantifier::Forall;
        Alternative {
            variable,
            change,
            as_good,
            answer: answer.filter(is_theirs).cloned().collect(),
            outcome,
        }
    });
    Some(Alternatives {
        decision: outcome.first_stage.clone(),
        tried: tried.collect(),
        left_out,
    })
}

/// What is left below and above the value of a whole variable.
fn changes_of(program: &Program, var: VarId, value: &Rational) -> Vec<(VarId, Change)> {
    let variable = &program.variables()[var];
    let domain = variable.domain();
    if variable.kind == Kind::Real {
        let ends = domain.lower.into_iter().chain(domain.upper);
        let others = ends.dedup().filter(|end| end != value);
        return others.map(|end| (var, Change::Exactly(end))).collect();
    }
    let mut changes = Vec::new();
    let (below, above) = (value - int(1), value + int(1));
    if domain.lower.as_ref().is_some_and(|end| *end <= below) {
        changes.push(match domain.lower == Some(below.clone()) {
            true => Change::Exactly(below),
            false => Change::AtMost(below),
        });
    }
    if domain.upper.as_ref().is_some_and(|end| above <= *end) {
        changes.push(match domain.upper == Some(above.clone()) {
            true => Change::Exactly(above),
            false => Change::AtLeast(above),
        });
    }
    changes.into_iter().map(|change| (var, change)).collect()
}

fn restricted(program: &Program, var: VarId, change: &Change) -> Program {
    let mut data = program.clone().into_data();
    let bounds = &mut data.variables[var.index()].bounds;
    match change {
        Change::AtMost(most) => bounds.upper = Some(most.clone()),
        Change::AtLeast(least) => bounds.lower = Some(least.clone()),
        Change::Exactly(value) => {
            bounds.lower = Some(value.clone());
            bounds.upper = Some(value.clone());
        }
    }
    Program::new(data).expect("invariant: a smaller domain keeps a program well formed")
}

/// The score of an outcome that is proved.
pub(super) fn score(program: &Program, outcome: &Outcome) -> Option<Score> {
    Some(match outcome.status {
        Status::UniversalStuck => Score::Won,
        Status::Unbounded => Score::Unbounded,
        Status::Infeasible => Score::Lost,
        Status::Optimal | Status::Feasible => {
            let value = outcome.objective.clone().unwrap_or_default();
            Score::Cost(cost_of_objective(program, value))
        }
        Status::Interrupted | Status::TargetReached => return None,
    })
}
