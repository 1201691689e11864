//! The slow twin of the search's techniques: the program at a position, solved without them. The table
//! with its mirror images, copies and combinations of rows are compared with it.
//!
//! Where no universal row restricts the plays, the passed variables are given to the existential player:
//! they are fixed.

use super::tree::legality;
use super::tree::position::Position;
use super::tree::table::Known;
use super::worth::{Worth, shifted};
use super::{Search, Settings};
use crate::budget::Budget;
use crate::num::int;
use crate::program::{Bounds, Id, Program, Quantifier, VarId};
use crate::propagate::{End, Mark};

/// Larger programs take too long for this.
const SMALL: usize = 9;

/// A variable, and an end that a bound must not pass.
type Limit = (VarId, End, i64);

/// Panics unless the position is worth `beta` or more.
pub(super) fn assert_lost_here(program: &Program, position: &Position, beta: Worth) {
    assert_lost_with(program, position, None, beta);
}

/// Panics unless the values that were taken away since the mark are worth `beta` or more.
pub(super) fn assert_narrowed(program: &Program, position: &Position, mark: Mark, beta: Worth) {
    for change in position.store.changes_since(mark) {
        let (var, store) = (change.var, &position.store);
        let (end, value) = match change.end {
            End::Lower => (End::Upper, store.lower(var) - 1),
            End::Upper => (End::Lower, store.upper(var) + 1),
        };
        assert_lost_with(program, position, Some((var, end, value)), beta);
    }
}

fn assert_lost_with(program: &Program, position: &Position, more: Option<Limit>, beta: Worth) {
    if let Some(worth) = worth_here(program, position, more) {
        assert!(worth >= beta, "invariant: what rows exclude is lost");
    }
}

/// Panics unless what the table knows of the position is true.
///
/// Pre: the game is being proved. Where a lost one is played through to its end, positions come up that
/// a row has already decided.
pub(super) fn assert_known(program: &Program, position: &Position, known: Known) {
    if let Some(worth) = worth_here(program, position, []) {
        let to_go = shifted(worth, -position.spent());
        assert!(
            known.lower <= to_go && to_go <= known.upper,
            "invariant: what the table knows is true: {to_go} outside {known:?} in\n{program:?}"
        );
    }
}

/// Panics unless the values from one to another of a universal variable bring its owner no more than
/// `most`.
pub(super) fn assert_answered(
    program: &Program,
    position: &Position,
    var: VarId,
    (from, to): (i64, i64),
    most: Worth,
) {
    let range = [(End::Lower, from), (End::Upper, to)];
    let range = range.map(|(end, value)| (var, end, value));
    if from <= to
        && let Some(worth) = worth_here(program, position, range)
    {
        assert!(worth <= most, "invariant: a copied reply answers");
    }
}

/// What the position is worth under further bounds, if the program is small and they leave a value to
/// every variable.
fn worth_here(
    program: &Program,
    position: &Position,
    more: impl IntoIterator<Item = Limit>,
) -> Option<Worth> {
    if program.variables().len() > SMALL {
        return None;
    }
    let mut data = program.clone().into_data();
    for place in 0..position.passed() {
        let value = int(position.store.lower(VarId::new(place)));
        data.variables[place].bounds = Bounds::between(value.clone(), value);
        if program.universal_rows().is_empty() {
            data.variables[place].quantifier = Quantifier::Exists;
        }
    }
    for (var, side, value) in more {
        let bounds = &mut data.variables[var.index()].bounds;
        let end = match side {
            End::Lower => &mut bounds.lower,
            End::Upper => &mut bounds.upper,
        };
        let value = int(value);
        let is_tighter = end.as_ref().is_none_or(|end| match side {
            End::Lower => *end < value,
            End::Upper => *end > value,
        });
        if is_tighter {
            *end = Some(value);
        }
    }
    let under = Program::new(data).expect("invariant: bounds keep a program valid");
    if under.first_empty_domain().is_some() {
        return None;
    }
    let settings = Settings {
        combine: false,
        relax: false,
        copies: false,
        table_bytes: 0,
        ..Settings::default()
    };
    let mut budget = Budget::unlimited();
    let mut plain =
        Search::new(&under, &settings, &mut budget).expect("invariant: it was searched");
    // A value that is not legal is worth nothing to its owner, whatever becomes of the other system.
    let mut store = plain.position.store.clone();
    let is_legal = legality::completes(&mut store, Quantifier::Forall, plain.budget);
    if !is_legal.expect("nothing limits it") {
        return None;
    }
    Some(plain.root_worth().expect("nothing limits it"))
}
