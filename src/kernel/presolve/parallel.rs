//! Rows of one system with the same left-hand side, up to a factor, become one row with the
//! tightest sides. Duplicates and dominated rows are special cases.
//!
//! *The same plays*: a sum lies between two pairs of sides exactly if it lies between the greater
//! lower and the smaller upper one. The rows of a draft have no common divisor, so parallel rows are
//! equal up to their sign.

use rustc_hash::FxHashMap;

use super::draft::{Draft, Line};
use crate::program::{Quantifier, VarId};

/// Merges parallel rows; tells how many rows went.
pub(super) fn merge(draft: &mut Draft) -> usize {
    type LeftHandSide = (bool, Vec<(VarId, i64)>);
    let before = draft.lines.len();
    let mut kept: Vec<Line> = Vec::with_capacity(before);
    let mut places: FxHashMap<LeftHandSide, usize> = FxHashMap::default();
    for line in std::mem::take(&mut draft.lines) {
        let sign = line.terms.first().map_or(1, |(_, first)| first.signum());
        let terms = line.terms.iter().map(|&(var, a)| (var, sign * a));
        let key = (line.owner == Quantifier::Exists, terms.collect());
        match places.get(&key) {
            Some(&place) => tighten(&mut kept[place], &line),
            None => {
                places.insert(key, kept.len());
                kept.push(line);
            }
        }
    }
    draft.lines = kept;
    before - draft.lines.len()
}

/// Gives `line` the sides of `other`, which is parallel to it, where they are tighter.
fn tighten(line: &mut Line, other: &Line) {
    let same_sign = line.terms == other.terms;
    let (lower, upper) = if same_sign {
        (other.lower, other.upper)
    } else {
        (other.upper.map(|side| -side), other.lower.map(|side| -side))
    };
    let tightest = |own: Option<i64>, other: Option<i64>, pick: fn(i64, i64) -> i64| match own {
        Some(own) => Some(other.map_or(own, |other| pick(own, other))),
        None => other,
    };
    let sides = (
        tightest(line.lower, lower, i64::max),
        tightest(line.upper, upper, i64::min),
    );
    if sides != (line.lower, line.upper) {
        (line.lower, line.upper) = sides;
        line.changed = true;
    }
}
