//! The slow twin of presolve and of learning: trying everything.
//!
//! A technique keeps the winner. A constraint that was learnt keeps more: whatever the first blocks
//! are, as long as no clause is broken, who wins from there wins as well if it is the end of its owner
//! to break the constraint. (Inside a block, or behind a broken clause, gates may have wrong values, of
//! which cubes do not speak.)

use super::literal::{Literal, Prefix};
use crate::program::{Id, Quantifier, VarId};

/// Larger formulas take too long for this.
const SMALL: usize = 10;

/// Who wins the formula, if it is small.
pub(super) fn winner<'a>(
    prefix: &Prefix,
    clauses: impl Iterator<Item = &'a [Literal]>,
) -> Option<Quantifier> {
    let twin = Twin::new(prefix, prefix.len(), clauses)?;
    let (wins, _) = twin.wins(&mut vec![None; prefix.len()], 0, None);
    Some(if wins {
        Quantifier::Exists
    } else {
        Quantifier::Forall
    })
}

/// Panics if forbidding the owner to make all literals false changes a position of the formula, which
/// has the first `count` variables of the prefix.
pub(super) fn assert_follows<'a>(
    prefix: &Prefix,
    count: usize,
    clauses: impl Iterator<Item = &'a [Literal]>,
    owner: Quantifier,
    literals: &[Literal],
) {
    let is_given = |literal: &Literal| literal.var().index() < count;
    if let Some(twin) = Twin::new(prefix, count, clauses)
        && literals.iter().all(is_given)
    {
        let last = literals.iter().map(|&literal| prefix.block(literal)).max();
        let is_before = |&&(var, _): &&(VarId, _)| Some(prefix.block_of(var)) <= last;
        let learnt = Learnt {
            depth: twin.order.iter().filter(is_before).count(),
            owner,
            literals,
        };
        twin.wins(&mut vec![None; count], 0, Some(&learnt));
    }
}

type Values = Vec<Option<bool>>;

/// Something that its owner has learnt: he has lost where all literals are false.
#[derive(Debug)]
struct Learnt<'a> {
    /// Behind so many variables all literals have values; what was dropped from it may be badly played
    /// further down.
    depth: usize,
    owner: Quantifier,
    literals: &'a [Literal],
}

struct Twin {
    /// Variables, outermost first, and whose they are.
    order: Vec<(VarId, Quantifier)>,
    clauses: Vec<Vec<Literal>>,
}

impl Twin {
    fn new<'a>(
        prefix: &Prefix,
        count: usize,
        clauses: impl Iterator<Item = &'a [Literal]>,
    ) -> Option<Self> {
        if count > SMALL {
            return None;
        }
        let mut vars: Vec<VarId> = prefix.vars().take(count).collect();
        vars.sort_by_key(|&var| prefix.block_of(var));
        let owned = vars.into_iter().map(|var| (var, prefix.owner_of_var(var)));
        Some(Self {
            order: owned.collect(),
            clauses: clauses.map(<[Literal]>::to_vec).collect(),
        })
    }

    /// Whether the existential player wins from here, without the constraint and with it.
    fn wins(&self, values: &mut Values, depth: usize, learnt: Option<&Learnt<'_>>) -> (bool, bool) {
        let Some(&(var, owner)) = self.order.get(depth) else {
            let wins = self.is_alive(values);
            let broken = learnt.filter(|it| all_false(it.literals, values));
            return (
                wins,
                broken.map_or(wins, |it| it.owner == Quantifier::Forall),
            );
        };
        let [low, high] = [false, true].map(|value| {
            values[var.index()] = Some(value);
            self.wins(values, depth + 1, learnt)
        });
        values[var.index()] = None;
        let both = match owner {
            Quantifier::Exists => (low.0 || high.0, low.1 || high.1),
            Quantifier::Forall => (low.0 && high.0, low.1 && high.1),
        };
        if learnt.is_some_and(|it| depth <= it.depth)
            && self.is_block(depth)
            && self.is_alive(values)
        {
            let (without, with) = both;
            assert_eq!(without, with, "invariant: {learnt:?} follows at {values:?}");
        }
        both
    }

    /// Whether a block begins there.
    fn is_block(&self, depth: usize) -> bool {
        depth == 0 || self.order[depth - 1].1 != self.order[depth].1
    }

    fn is_alive(&self, values: &Values) -> bool {
        let is_broken = |clause: &Vec<Literal>| all_false(clause, values);
        !self.clauses.iter().any(is_broken)
    }
}

fn all_false(literals: &[Literal], values: &Values) -> bool {
    let is_false = |literal: &Literal| {
        let value = values[literal.var().index()];
        value == Some(!literal.is_positive())
    };
    literals.iter().all(is_false)
}
