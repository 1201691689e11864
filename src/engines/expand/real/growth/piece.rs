//! What answers the plays: a tree with what it decides, and pieces for the plays outside.

use std::ops::Range;

use super::{Growth, Plays};
use crate::budget::Budget;
use crate::equivalent::mixed::tree::Tree;
use crate::equivalent::mixed::{named, strategy};
use crate::mip::{MixedProgram, Point};
use crate::num::Rational;
use crate::outcome::{Effort, Outcome};
use crate::program::{Quantifier, VarId};

/// A tree over some plays with what it decides, and what answers the others.
pub(super) struct Piece {
    pub tree: Tree,
    pub point: Point,
    pub known: Plays,
    pub below: Vec<(Range<usize>, Piece)>,
    pub cost: Rational,
}

impl Piece {
    pub fn new(mut tree: Tree, point: Point, known: Plays) -> Self {
        // Only its columns are asked for from now on.
        tree.problem = MixedProgram::default();
        Self {
            tree,
            cost: point.cost.clone(),
            point,
            known,
            below: Vec::new(),
        }
    }
}

impl Growth<'_> {
    /// The plays of the range outside the tree, by where they leave it: the next stage with something
    /// to decide, the plays, and a play of the tree with how many moves it agrees.
    pub(super) fn groups(
        &self,
        known: &[usize],
        range: Range<usize>,
    ) -> Vec<(usize, Range<usize>, (usize, usize))> {
        let mut groups = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let place = known.partition_point(|&play| play < first);
            if known.get(place) == Some(&first) {
                first += 1;
                continue;
            }
            let place = self.nearest(known, first);
            let agreed = self.agreed(known[place], first);
            let end = self.stages.next_decision(agreed);
            let rest = &self.plays[first..range.end];
            let count = rest.partition_point(|play| play[..end] == self.plays[first][..end]);
            groups.push((end, first..first + count, (place, agreed)));
            first += count;
        }
        groups
    }

    /// What a strategy does: its value of a variable in a play.
    fn value(&self, piece: &Piece, var: VarId, play: usize) -> Rational {
        let stages = &self.stages;
        let seen = stages.seen[var];
        let mut piece = piece;
        loop {
            let inside = |(range, _): &&(Range<usize>, Piece)| range.contains(&play);
            let below = piece.below.iter().find(inside);
            let place = self.nearest(&piece.known, play);
            match below {
                Some((_, below)) if self.agreed(piece.known[place], play) < seen => piece = below,
                _ => return piece.point.values[piece.tree.column(var, seen, place)].clone(),
            }
        }
    }

    /// The play of a tree that agrees longest with another.
    fn nearest(&self, known: &[usize], play: usize) -> usize {
        let place = known.partition_point(|&other| other < play);
        let around = place.saturating_sub(1)..(place + 1).min(known.len());
        let longest = around.max_by_key(|&place| self.agreed(known[place], play));
        longest.unwrap_or(0)
    }

    /// How many moves two plays have in common at the beginning.
    fn agreed(&self, one: usize, two: usize) -> usize {
        let pairs = self.plays[one].iter().zip(&self.plays[two]);
        pairs.take_while(|(one, two)| one == two).count()
    }

    /// The outcome with the plays that matter, and with the strategy in hand.
    pub(super) fn outcome(&self, outcome: Outcome, known: &[usize], budget: &Budget) -> Outcome {
        let scenarios = known
            .iter()
            .map(|&play| named(&self.stages, self.plays[play].clone(), &[]));
        let mut outcome = Outcome {
            scenarios: scenarios.collect(),
            effort: Effort {
                nodes: budget.nodes(),
                lps: self.lps,
                learnt: 0,
            },
            ..outcome
        };
        let Some(best) = &self.best else {
            return outcome;
        };
        let stages = &self.stages;
        let variables = stages.program.variables();
        let value = |var: VarId, play: usize| match variables[var].quantifier {
            Quantifier::Forall => self.all[play][stages.seen[var]].clone(),
            Quantifier::Exists => self.value(best, var, self.answered[play]),
        };
        let first = stages.of_stage(0).map(|var| (var, value(var, 0)));
        outcome.first_stage = first.collect();
        outcome.first_stage.sort_by_key(|(var, _)| *var);
        let cost = |play: usize| -> Rational {
            let terms = stages.costs.iter();
            terms.map(|(var, by)| by * value(*var, play)).sum()
        };
        if let Some(worst) = (0..self.all.len()).max_by_key(|&play| cost(play)) {
            let ids = variables.ids();
            outcome.principal_variation = ids.map(|var| (var, value(var, worst))).collect();
        }
        outcome.strategy = strategy(stages, &self.all, &value);
        outcome
    }
}
