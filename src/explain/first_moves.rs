//! All first decisions that are as good as the best one.
//!
//! A box of decisions with a best one in it is cut into boxes around that one: in the first the first variable
//! is smaller, in the second it is larger, in the others it is as decided, and so on with the next variable.
//! Together they hold every other decision, each once. Those that hold a best one are cut again.
//!
//! **Invariant:** no two decisions that are listed agree in all whole variables.

use std::ops::RangeInclusive;

use num_bigint::BigInt;
use num_traits::One;

use super::ExplainOptions;
use super::alternatives::score;
use super::study::Study;
use crate::num::Rational;
use crate::outcome::{Move, Outcome, Status};
use crate::program::{Bounds, Id, Kind, Program, Quantifier, VarId};
use crate::solver::Options;

/// First decisions that are as good as the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMoves {
    /// What is decided, one after the other. They differ in whole variables; real ones are as in one best plan.
    pub decisions: Vec<Vec<Move>>,
    /// Whether these are all of them.
    pub is_complete: bool,
}

/// Lists the first decisions that are as good as that of an answer, at most as many as the options want
/// alternatives, beside it. There are none where the opponent moves first or we lose.
///
/// ```
/// use quip::explain::{ExplainOptions, first_moves};
/// use quip::format::parse_qip;
/// use quip::solver::Solver;
///
/// let program = parse_qip(
///     "minimize a + b subject to a + b >= y prefix exists binary a b c forall binary y end",
/// )?;
/// let outcome = Solver::default().solve(&program)?;
/// let found = first_moves(&program, &outcome, &ExplainOptions::default());
/// assert!(found.is_complete);
/// assert_eq!(found.decisions.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_moves(program: &Program, outcome: &Outcome, options: &ExplainOptions) -> FirstMoves {
    let mut found = FirstMoves {
        decisions: Vec::new(),
        is_complete: outcome.status != Status::Interrupted,
    };
    let begins = program.blocks().iter().next();
    let begins = begins.filter(|block| block.quantifier == Quantifier::Exists);
    let (Some(block), true) = (begins, score(program, outcome).is_some()) else {
        return found;
    };
    let order = program.playing_order();
    let whole = order[block.range()].iter().copied();
    let whole = whole.filter(|var| program.variables()[*var].kind == Kind::Integer);
    let Some(domains) = whole.map(|var| domain(program, var)).collect() else {
        return found;
    };
    let mut search = Search {
        program,
        answer: outcome,
        study: Study::new(options),
    };
    let mut open: Vec<(Room, Vec<Move>)> = vec![(domains, outcome.first_stage.clone())];
    if outcome.status == Status::Infeasible {
        open.clear();
    }
    while let Some((room, mut decision)) = open.pop() {
        complete(&room, &mut decision);
        let parts = match cut(&room, &decision) {
            Cut::Around(parts) => {
                found.decisions.push(decision);
                parts
            }
            Cut::Open(parts) => parts,
        };
        if found.decisions.len() > options.alternatives {
            found.is_complete &= parts.is_empty() && open.is_empty();
            return found;
        }
        // The last one is looked at first.
        for part in parts.into_iter().rev() {
            match search.as_good(&part) {
                Some(Some(decision)) => open.push((part, decision)),
                Some(None) => {}
                None => found.is_complete = false,
            }
        }
    }
    found
}

/// The whole variables of the first block, and what is left of their domains.
type Room = Vec<(VarId, RangeInclusive<BigInt>)>;

/// A whole variable and its values; `None` if it has none.
fn domain(program: &Program, var: VarId) -> Option<(VarId, RangeInclusive<BigInt>)> {
    let domain = program.variables()[var].domain();
    let (low, high) = (domain.lower?.to_integer(), domain.upper?.to_integer());
    (low <= high).then_some((var, low..=high))
}

/// Adds the moves that the room leaves no choice about, which answers need not name.
fn complete(room: &Room, decision: &mut Vec<Move>) {
    for (var, values) in room {
        let is_named = decision.iter().any(|(other, _)| other == var);
        if !is_named && values.start() == values.end() {
            decision.push((*var, Rational::from_integer(values.start().clone())));
        }
    }
}

enum Cut {
    /// All but the decision.
    Around(Vec<Room>),
    /// Everything, in parts, because the decision leaves something open.
    Open(Vec<Room>),
}

fn cut(room: &Room, decision: &[Move]) -> Cut {
    let mut parts = Vec::new();
    let mut kept = room.clone();
    for place in 0..room.len() {
        let (var, values) = room[place].clone();
        let (low, high) = values.into_inner();
        let mut part = |values: RangeInclusive<BigInt>| {
            if !values.is_empty() {
                let mut part = kept.clone();
                part[place].1 = values;
                parts.push(part);
            }
        };
        let Some((_, value)) = decision.iter().find(|(other, _)| *other == var) else {
            part(low.clone()..=low.clone());
            part(low + BigInt::one()..=high);
            return Cut::Open(parts);
        };
        let value = value.to_integer();
        part(low..=&value - BigInt::one());
        part(&value + BigInt::one()..=high);
        kept[place].1 = value.clone()..=value;
    }
    Cut::Around(parts)
}

struct Search<'a> {
    program: &'a Program,
    answer: &'a Outcome,
    study: Study<'a>,
}

impl Search<'_> {
    /// A decision inside the room that is as good, if there is one; `None` if that was not found out.
    fn as_good(&mut self, room: &Room) -> Option<Option<Vec<Move>>> {
        let mut data = self.program.clone().into_data();
        for (var, values) in room {
            let end = |end: &BigInt| Rational::from_integer(end.clone());
            data.variables[var.index()].bounds =
                Bounds::between(end(values.start()), end(values.end()));
        }
        let part = Program::new(data).expect("invariant: smaller domains keep it well formed");
        let options = Options {
            target: match self.answer.status {
                Status::Optimal => self.answer.objective.clone(),
                _ => None,
            },
            ..Options::default()
        };
        let outcome = self.study.solve_with(&part, options).ok()?;
        let as_good = match outcome.status {
            Status::Interrupted => return None,
            Status::TargetReached => true,
            _ => score(self.program, &outcome) <= score(self.program, self.answer),
        };
        Some(as_good.then_some(outcome.first_stage))
    }
}
