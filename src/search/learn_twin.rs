//! The slow twin of the search's techniques: the program under the bounds of a reason or at a position,
//! solved without them. Reasons, the table with its mirror images, copies and combinations of rows are
//! compared with it.
//!
//! A reason speaks of every legal play that keeps its bounds. Where no universal row restricts the
//! plays, the passed variables are all given to the existential player, within the bounds and what
//! was concluded before the first move: even so
//! he must not do better. Where one does, only the play at hand is looked at. For reasons of wins it is
//! the other way round.

use super::legality;
use super::position::Position;
use super::table::Known;
use super::worth::{LOST, Worth, shifted};
use super::{Search, Settings};
use crate::budget::Budget;
use crate::num::int;
use crate::program::{Bounds, Id, Program, Quantifier, VarId};
use crate::propagate::{Because, End, Literal, Mark, Needs, Store};

/// Larger programs take too long for this.
const SMALL: usize = 9;

/// Panics unless every position after `passed` variables that the reason covers is worth `beta` or
/// more.
pub(super) fn assert_lost(
    program: &Program,
    store: &Store,
    facts: &Needs,
    because: &Because,
    passed: usize,
    beta: Worth,
) {
    let least = if because.leans_on_cost { beta } else { LOST };
    for literal in &because.literals {
        assert!(
            literal.var.index() < passed || store.owner(literal.var) == Quantifier::Exists,
            "invariant: a reason speaks of what is passed"
        );
    }
    if let Some(worth) = worth_under(program, store, facts, because, passed, Quantifier::Exists) {
        assert!(
            worth >= least,
            "invariant: what a reason covers is lost: {worth} below {least} under {because:?} in\n{program:?}",
        );
    }
}

/// Panics unless every position after `passed` variables that the reason covers is worth `most` or
/// less. Where no universal row restricts the plays, the passed variables are all given to the
/// universal player.
pub(super) fn assert_won(
    program: &Program,
    store: &Store,
    facts: &Needs,
    because: &Because,
    passed: usize,
    most: Worth,
) {
    assert!(
        because
            .literals
            .iter()
            .all(|literal| literal.var.index() < passed),
        "invariant: a reason of a win speaks of what is passed"
    );
    if let Some(worth) = worth_under(program, store, facts, because, passed, Quantifier::Forall) {
        assert!(
            worth <= most,
            "invariant: what a reason covers is won: {worth} above {most} under {because:?} in\n{program:?}",
        );
    }
}

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
        assert_lost_with(program, position, Some(Literal { var, end, value }), beta);
    }
}

fn assert_lost_with(program: &Program, position: &Position, more: Option<Literal>, beta: Worth) {
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
    let range = range.map(|(end, value)| Literal { var, end, value });
    if from <= to
        && let Some(worth) = worth_here(program, position, range)
    {
        assert!(worth <= most, "invariant: a copied reply answers");
    }
}

/// What the position is worth under further bounds.
fn worth_here(
    program: &Program,
    position: &Position,
    more: impl IntoIterator<Item = Literal>,
) -> Option<Worth> {
    let (store, passed) = (&position.store, position.passed());
    let ends = |var| {
        let value = store.lower(var);
        [End::Lower, End::Upper].map(|end| Literal { var, end, value })
    };
    let fixed = (0..passed).map(VarId::new).flat_map(ends);
    let because = Because {
        literals: fixed.chain(more).collect(),
        leans_on_cost: false,
    };
    let facts = Needs::new(store, program.variables().len());
    worth_under(program, store, &facts, &because, passed, Quantifier::Exists)
}

/// What the program is worth under the bounds of a reason, if it is small and they leave a value to
/// every variable.
fn worth_under(
    program: &Program,
    store: &Store,
    facts: &Needs,
    because: &Because,
    passed: usize,
    chooser: Quantifier,
) -> Option<Worth> {
    if program.variables().len() > SMALL {
        return None;
    }
    let mut data = program.clone().into_data();
    for place in 0..passed {
        let var = VarId::new(place);
        if program.universal_rows().is_empty() {
            let (lower, upper) = facts.domain(var);
            data.variables[place].quantifier = chooser;
            data.variables[place].bounds = Bounds::between(int(lower), int(upper));
        } else if store.is_fixed(var) {
            let value = int(store.lower(var));
            data.variables[place].bounds = Bounds::between(value.clone(), value);
        }
    }
    for literal in &because.literals {
        let bounds = &mut data.variables[literal.var.index()].bounds;
        let end = match literal.end {
            End::Lower => &mut bounds.lower,
            End::Upper => &mut bounds.upper,
        };
        let value = int(literal.value);
        let is_tighter = end.as_ref().is_none_or(|end| match literal.end {
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
        learn: false,
        cubes: false,
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
