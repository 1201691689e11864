//! Nested Benders decomposition with alpha and beta breaks.
//!
//! A *position* is a stage together with all values fixed before it. Its linear program with the
//! cuts so far proposes values for the block and a price for the rest of the play; the positions
//! behind it, one for each corner of the next universal block, tell the true price. Where that is
//! higher, the worst of them hands back a cut. When price and truth agree, the position is solved.
//!
//! The window of a position says what its value is wanted for. **Alpha:** at most this is as good
//! as any other value, because something at least as bad is known beside it. **Beta:** at least
//! this is as bad as any other, because something at least as good is known above it. A position
//! that is broken off at beta hands back a cut like any other, and the cut is worth beta or more
//! where the proposal was worth less: the stage before never proposes the same again.

use num_traits::Zero;

use super::Engine;
use super::stage::Cut;
use crate::budget::{Budget, Progress};
use crate::lp::simplex::Answer;
use crate::num::{Rational, Sum, difference};
use crate::outcome::{Stop, cost_of_objective};
use crate::program::{Id, IdVec, RowId, VarId};

/// What the value of a position is wanted for; see the module. An absent end does not bind.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub alpha: Option<Rational>,
    pub beta: Option<Rational>,
    /// What is known about the value without visiting: only a larger one needs a cut.
    pub known: Option<Rational>,
}

/// What became of a position.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// Its value, with a cut that is tight there if the value is above what was known.
    Exact(Rational, Option<Cut>),
    /// At most this, which is at most alpha.
    AtMost(Rational),
    /// At least beta or, with fast returns, above what was known, as the cut shows.
    AtLeast(Cut),
    /// The rows cannot hold; the cut says for which histories.
    Infeasible(Cut),
    /// A whole column of the first stage is proposed this fraction.
    Fractional(usize, Rational),
}

/// What the positions behind a proposal tell.
enum Price {
    /// No more than this, and exactly this if it is above the window.
    Worst(Rational, Option<Cut>),
    /// The proposal is no good.
    Refuted(Cut),
}

/// A point of a stage's linear program.
struct Proposal {
    /// What the linear program says: no value is smaller.
    bound: Rational,
    /// What the block costs.
    cost: Rational,
    multipliers: IdVec<RowId, Rational>,
}

impl Engine<'_> {
    /// The value of the position at `stage` after the values fixed so far, exact inside `window`.
    ///
    /// Post: after an exact value or one at most alpha, `best[stage]` has the moves that reach it.
    pub(super) fn visit(
        &mut self,
        stage: usize,
        window: &Window,
        budget: &mut Budget,
    ) -> Result<Verdict, Stop> {
        budget.spend_node()?;
        self.stages[stage].enter(&self.values);
        let mut reached: Option<Rational> = None;
        loop {
            // Step 1. What do the cuts so far promise?
            let proposal = match self.propose(stage, budget)? {
                Ok(proposal) => proposal,
                Err(cut) => return Ok(Verdict::Infeasible(cut)),
            };

            // Step 2. Not yet a move, solved, or broken off.
            if self.goes_back(stage, window, &proposal.bound) && !self.stages[stage].is_last() {
                let cut = self.stages[stage].cut(&proposal.multipliers, true);
                return Ok(Verdict::AtLeast(cut));
            }
            self.note_bound(stage, &proposal.bound, budget);
            if let Some((column, value)) = self.fraction(stage) {
                return Ok(Verdict::Fractional(column, value));
            }
            let last = self.stages[stage].is_last();
            if last {
                self.best[stage] = self.moves_of(stage);
            }
            if last || reached.as_ref() == Some(&proposal.bound) {
                return Ok(self.settled(stage, window, &proposal));
            }

            // Step 3. Ask the positions behind it.
            let cut = match self.price(stage, window, &proposal, reached.as_ref(), budget)? {
                Price::Refuted(cut) => Some(cut),
                Price::Worst(worst, cut) => {
                    let value = &proposal.cost + worst;
                    if reached.as_ref().is_none_or(|reached| value < *reached) {
                        self.best[stage] = self.moves_of(stage);
                        self.note_strategy(stage, &value, budget);
                        reached = Some(value);
                    }
                    if reached.as_ref() == Some(&proposal.bound) {
                        return Ok(self.settled(stage, window, &proposal));
                    }
                    if let (Some(alpha), Some(reached)) = (&window.alpha, &reached)
                        && reached <= alpha
                    {
                        return Ok(Verdict::AtMost(reached.clone()));
                    }
                    cut
                }
            };

            // Step 4. Learn from the worst of them.
            if let Some(cut) = cut {
                let new = self.stages[stage].add_cut(&cut, &self.values);
                debug_assert!(new, "invariant: a cut that is handed back is new");
            }
        }
    }

    /// Solves the linear program and makes its point the proposal; a cut if there is none.
    fn propose(
        &mut self,
        stage: usize,
        budget: &mut Budget,
    ) -> Result<Result<Proposal, Cut>, Stop> {
        let answer = self.stages[stage].solve(budget)?;
        let here = &self.stages[stage];
        match answer {
            Answer::Infeasible { multipliers } => Ok(Err(here.cut(&multipliers, false))),
            Answer::Optimal {
                point,
                value,
                multipliers,
            } => {
                let mut cost = Sum::default();
                for (place, var) in here.columns.iter().enumerate() {
                    let value = &point[VarId::new(place)];
                    cost.add_product(&here.costs[place], value);
                    self.values[*var] = value.clone();
                }
                let cost = cost.finish();
                Ok(Ok(Proposal {
                    bound: value,
                    cost,
                    multipliers,
                }))
            }
            Answer::Unbounded { .. } => {
                unreachable!("invariant: every stage has a first cut, and the last one a bound")
            }
        }
    }

    /// The proposal's bound is the value.
    fn settled(&self, stage: usize, window: &Window, proposal: &Proposal) -> Verdict {
        let bound = &proposal.bound;
        if window.alpha.as_ref().is_some_and(|alpha| bound <= alpha) {
            return Verdict::AtMost(bound.clone());
        }
        let cut = || self.stages[stage].cut(&proposal.multipliers, true);
        if window.beta.as_ref().is_some_and(|beta| bound >= beta) {
            return Verdict::AtLeast(cut());
        }
        let is_news = window.known.as_ref().is_none_or(|known| bound > known);
        Verdict::Exact(bound.clone(), (is_news && stage > 0).then(cut))
    }

    /// Whether the bound alone tells the stage before enough.
    fn goes_back(&self, stage: usize, window: &Window, bound: &Rational) -> bool {
        let beyond_beta = window.beta.as_ref().is_some_and(|beta| bound >= beta);
        let is_news = window.known.as_ref().is_some_and(|known| bound > known);
        beyond_beta || (self.settings.fast_back && stage > 0 && is_news)
    }

    /// Visits the positions behind the proposal, the last worst one first.
    fn price(
        &mut self,
        stage: usize,
        window: &Window,
        proposal: &Proposal,
        reached: Option<&Rational>,
        budget: &mut Budget,
    ) -> Result<Price, Stop> {
        let next = stage + 1;
        let promised = difference(&proposal.bound, &proposal.cost);
        let mut worst: Option<(Rational, Option<Cut>)> = None;
        for corner in self.corner_order(next) {
            let extra = self.take_corner(next, corner);
            let so_far = worst.as_ref().map(|(worst, _)| worst);
            let inner = self.inner_window(window, proposal, &promised, reached, so_far, &extra);
            let (value, cut) = match self.visit(next, &inner, budget)? {
                Verdict::Infeasible(cut) | Verdict::AtLeast(cut) => {
                    self.stages[next].last_worst = corner;
                    return Ok(Price::Refuted(cut));
                }
                Verdict::AtMost(value) => (value, None),
                Verdict::Exact(value, cut) => (value, cut),
                Verdict::Fractional(..) => {
                    unreachable!("invariant: only the first stage has whole columns")
                }
            };
            let value = value + extra;
            if so_far.is_none_or(|so_far| value > *so_far) {
                if cut.is_some() {
                    self.stages[next].last_worst = corner;
                }
                worst = Some((value, cut));
            }
        }
        let (worst, cut) = worst.expect("invariant: a universal block has a corner");
        Ok(Price::Worst(worst, cut))
    }

    /// The corners before a stage: the one that was worst last time, then the others in order.
    pub(super) fn corner_order(&self, stage: usize) -> impl Iterator<Item = u64> + use<> {
        let first = if self.settings.worst_first {
            self.stages[stage].last_worst
        } else {
            0
        };
        let others = (0..self.counts[stage]).filter(move |corner| *corner != first);
        std::iter::once(first).chain(others)
    }

    /// Fixes a universal block; what that costs.
    pub(super) fn take_corner(&mut self, stage: usize, corner: u64) -> Rational {
        let here = &self.stages[stage];
        let mut extra = Rational::zero();
        let moves = here.corners.variables().iter().zip(&here.corner_costs);
        for ((var, cost), value) in moves.zip(here.corners.values(corner)) {
            if !cost.is_zero() {
                extra += cost * &value;
            }
            self.values[*var] = value;
        }
        extra
    }

    /// What the value behind a corner that costs `extra` is wanted for.
    fn inner_window(
        &self,
        window: &Window,
        proposal: &Proposal,
        promised: &Rational,
        reached: Option<&Rational>,
        worst: Option<&Rational>,
        extra: &Rational,
    ) -> Window {
        let inward = |end: &Rational| difference(&difference(end, &proposal.cost), extra);
        let known = difference(worst.map_or(promised, |worst| worst.max(promised)), extra);
        if !self.settings.breaks {
            return Window {
                known: Some(known),
                ..Window::default()
            };
        }
        let alpha = window.alpha.as_ref().map(inward);
        let beta = [window.beta.as_ref(), reached].into_iter().flatten().min();
        Window {
            alpha: Some(alpha.map_or_else(|| known.clone(), |alpha| alpha.max(known.clone()))),
            beta: beta.map(inward),
            known: Some(known),
        }
    }

    fn moves_of(&self, stage: usize) -> Vec<(VarId, Rational)> {
        let columns = self.stages[stage].columns.iter();
        columns
            .map(|var| (*var, self.values[*var].clone()))
            .collect()
    }

    fn note_bound(&mut self, stage: usize, bound: &Rational, budget: &mut Budget) {
        if stage == 0 && self.watches_bound {
            self.bound = Some(bound.clone());
        }
        if budget.heartbeat_due() {
            let progress = self.progress(stage, false, budget);
            budget.report(&progress);
        }
    }

    fn note_strategy(&mut self, stage: usize, value: &Rational, budget: &mut Budget) {
        let better = |(reached, _): &(Rational, _)| value < reached;
        if stage == 0 && self.reached.as_ref().is_none_or(better) {
            self.reached = Some((value.clone(), self.best[0].clone()));
            let progress = self.progress(stage, true, budget);
            budget.report(&progress);
        }
    }

    fn progress(&self, stage: usize, new_strategy: bool, budget: &Budget) -> Progress {
        let objective = |cost: &Rational| {
            let has_objective = self.program.objective().is_some() && !self.endless;
            has_objective.then(|| cost_of_objective(self.program, cost + &self.constant))
        };
        Progress {
            nodes: budget.nodes(),
            depth: stage,
            objective: self
                .reached
                .as_ref()
                .and_then(|(value, _)| objective(value)),
            bound: self.bound.as_ref().and_then(objective),
            lps: self.lps(),
            learnt: self.learnt(),
            new_strategy,
            ..Progress::default()
        }
    }
}
