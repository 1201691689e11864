//! Of two existential variables of a block, the one that is never worse goes first.
//!
//! **Definition:** `a` *dominates* `b` if moving one unit from `b` to `a` hurts the existential player nowhere: not the
//! objective, no side of an existential row, and no side of a universal row becomes easier to keep. Both have the same
//! domain.
//!
//! *Why the value stays.* The row `a >= b` takes plays from the existential player, so the value gets no better. For
//! the other direction take a strategy and exchange the two values wherever it would play `a < b` in the block. What completes
//! the existential system after the block as it was meant still does; what completes the universal system as it is completes
//! the one that was meant. So every legal answer of the universal player is one that the strategy knows, the
//! existential player keeps its rows at least as long, and the universal player its own at most as long. Exchanging
//! goes on until all rows hold: it sorts values along an order of the variables. This takes every program, whoever can
//! kill whose system.
//!
//! Dominated columns are classical in mixed-integer presolve (Gamrath, Koch, Martin, Miltenberger and Weninger 2015);
//! what is new is the second system. Where defences differ in nothing but what they take from one budget of the
//! attacker, `2^n` sets of them become `n + 1`.

use rustc_hash::FxHashSet;

use super::draft::{Draft, Line};
use crate::program::{Id, IdVec, Program, Quantifier, VarId};

/// So many candidates are compared with each variable, the nearest in the order first.
const CANDIDATES: usize = 32;

/// What one more unit of a variable is worth to the existential player, by side of a row.
type Merits = Vec<(usize, i64)>;

/// Adds rows `a >= b`; tells how many.
pub(super) fn order(draft: &mut Draft, program: &Program) -> usize {
    let merits = merits(draft);
    let known: FxHashSet<(VarId, VarId)> = draft.lines.iter().filter_map(ordered).collect();
    let mut rows = Vec::new();
    for block in program.blocks() {
        if block.quantifier == Quantifier::Exists {
            let vars = block
                .variables()
                .filter(|&var| !draft.domains[var].is_fixed());
            rows.extend(pairs(draft, &merits, vars.collect()));
        }
    }
    rows.retain(|pair| !known.contains(pair));
    let count = rows.len();
    let lines = rows
        .into_iter()
        .map(|(first, second)| Line::ordering(first, second));
    draft.lines.extend(lines);
    count
}

/// Pairs of a variable and one that it dominates, each variable behind one other at most.
fn pairs(
    draft: &Draft,
    merits: &IdVec<VarId, Merits>,
    mut vars: Vec<VarId>,
) -> Vec<(VarId, VarId)> {
    // Whoever dominates has the larger sum, or the same merits: an order in which it comes first.
    let sum = |var: &VarId| -> i128 { merits[*var].iter().map(|it| i128::from(it.1)).sum() };
    vars.sort_by_cached_key(|var| (-sum(var), var.index()));
    let behind = |place: usize| {
        let second = vars[place];
        let nearest = vars[place.saturating_sub(CANDIDATES)..place].iter().rev();
        let dominates = |first: &&VarId| {
            let (one, two) = (&draft.domains[**first], &draft.domains[second]);
            (one.lower, one.upper) == (two.lower, two.upper)
                && is_as_good(&merits[**first], &merits[second])
        };
        Some((*nearest.clone().find(dominates)?, second))
    };
    (1..vars.len()).filter_map(behind).collect()
}

/// Whether one has at least the merits of the other at every side.
fn is_as_good(one: &Merits, other: &Merits) -> bool {
    let (mut mine, mut theirs) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let is_worse = match (mine.peek(), theirs.peek()) {
            (None, None) => return true,
            (Some(mine), Some(theirs)) if mine.0 == theirs.0 => mine.1 < theirs.1,
            (Some(mine), theirs) if theirs.is_none_or(|theirs| mine.0 < theirs.0) => mine.1 < 0,
            (_, theirs) => theirs.is_some_and(|theirs| theirs.1 > 0),
        };
        if is_worse {
            return false;
        }
        let place = [mine.peek(), theirs.peek()]
            .into_iter()
            .flatten()
            .map(|it| it.0)
            .min();
        mine.next_if(|it| Some(it.0) == place);
        theirs.next_if(|it| Some(it.0) == place);
    }
}

fn merits(draft: &Draft) -> IdVec<VarId, Merits> {
    let mut merits: IdVec<VarId, Merits> = IdVec::filled(draft.domains.len(), Merits::new());
    for (var, &rank) in draft.cost_ranks.pairs() {
        if rank != 0 {
            merits[var].push((0, -rank));
        }
    }
    for (place, line) in draft.lines.iter().enumerate() {
        // Existential rows want to be kept, universal ones to be hard to keep.
        let sign = match line.owner {
            Quantifier::Exists => 1,
            Quantifier::Forall => -1,
        };
        for &(var, by) in &line.terms {
            if line.upper.is_some() {
                merits[var].push((2 * place + 1, -sign * by));
            }
            if line.lower.is_some() {
                merits[var].push((2 * place + 2, sign * by));
            }
        }
    }
    merits
}

/// The pair that a row `a >= b` is about.
fn ordered(line: &Line) -> Option<(VarId, VarId)> {
    match (line.owner, &line.terms[..], line.lower, line.upper) {
        (Quantifier::Exists, &[(one, 1), (other, -1)], Some(0), _) => Some((one, other)),
        (Quantifier::Exists, &[(one, 1), (other, -1)], _, Some(0)) => Some((other, one)),
        _ => None,
    }
}
