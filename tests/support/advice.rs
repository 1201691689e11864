//! Advice can be followed: what an answer tells its reader to do, or to expect, is looked at move by
//! move, whoever gave the answer.
//!
//! A decision keeps the existential system alive and leads to the value that is claimed. Every move of
//! a play is legal for its mover and keeps that value, for both players. Plans keep what they
//! promise against everything.

use num_traits::ToPrimitive;
use quip::budget::Budget;
use quip::num::int;
use quip::outcome::{Move, Outcome, Score, Status, cost_of_objective};
use quip::program::{Block, Id, Kind, Program, Quantifier, VarId};
use quip::search::{self, Settings};
use quip::strategy::{End, Guarantee, NodeId, Strategy, StrategyNode};

use super::evidence::keeps_guarantee;
use super::naive::Plays;
use super::verify::keeps;
use super::{fixed, shown};

/// More plays are not written down; a search judges instead.
const MOST_PLAYS: usize = 1 << 14;

/// Panics unless everything in the answer that a reader may follow can be followed.
pub fn assert_followable(program: &Program, outcome: &Outcome) {
    if let Err(fault) = followable(program, outcome) {
        panic!("{fault}\n{outcome:?}\n{}", shown(program));
    }
}

/// What is wrong with the advice, if anything is.
pub fn followable(program: &Program, outcome: &Outcome) -> Result<(), String> {
    are_well_formed(program, outcome)?;
    if program.first_empty_domain().is_some() {
        return Ok(());
    }
    let all_integer = |program: &Program| {
        let mut variables = program.variables().iter();
        variables.all(|variable| variable.kind == Kind::Integer)
    };
    if !all_integer(program) {
        return holds_when_fixed(program, outcome);
    }
    match Plays::of(program, MOST_PLAYS) {
        Some(plays) => Judge::new(program, outcome, &plays).all(),
        None => holds_when_fixed(program, outcome),
    }
}

/// The variables before the first universal one.
fn first_stage(program: &Program) -> usize {
    let first = program.blocks().iter().next();
    let first = first.filter(|block| block.quantifier == Quantifier::Exists);
    first.map_or(0, |block: &Block| block.range().end)
}

fn are_well_formed(program: &Program, outcome: &Outcome) -> Result<(), String> {
    let decided = outcome.first_stage.iter().map(|(var, _)| var.index());
    let decided: Vec<usize> = decided.collect();
    if !decided.is_sorted_by(|left, right| left < right) {
        return Err(format!("decisions are out of order: {decided:?}"));
    }
    if decided
        .last()
        .is_some_and(|last| *last >= first_stage(program))
    {
        return Err("a decision is not of the first stage".into());
    }
    let whole = outcome.status == Status::Optimal || outcome.status == Status::Feasible;
    if whole && decided.len() != first_stage(program) {
        return Err("a decision of the first stage is missing".into());
    }
    if outcome.status == Status::Infeasible && !decided.is_empty() {
        return Err("a lost game has nothing to decide".into());
    }
    // Reals of a block are played after its integers.
    let mut variables = program.variables().iter();
    let all_integer = variables.all(|variable| variable.kind == Kind::Integer);
    let played = outcome.principal_variation.iter().map(|(var, _)| var);
    if all_integer && !played.is_sorted_by(|left, right| left < right) {
        return Err("the moves of a play are out of order".into());
    }
    for (var, value) in outcome
        .first_stage
        .iter()
        .chain(&outcome.principal_variation)
    {
        let variable = &program.variables()[*var];
        let domain = variable.domain();
        let inside = domain.lower.is_none_or(|lower| lower <= *value)
            && domain.upper.is_none_or(|upper| *value <= upper);
        if !inside || (variable.kind == Kind::Integer && !value.is_integer()) {
            return Err(format!("{value} is no value of {}", variable.name));
        }
    }
    Ok(())
}

/// Every position is known.
struct Judge<'a> {
    program: &'a Program,
    outcome: &'a Outcome,
    plays: &'a Plays,
    levels: Vec<Vec<Score>>,
    /// The score that the answer claims; of a run that was stopped, what its strategy guarantees.
    claim: Option<Score>,
}

impl<'a> Judge<'a> {
    fn new(program: &'a Program, outcome: &'a Outcome, plays: &'a Plays) -> Self {
        let cost = |value| Score::Cost(cost_of_objective(program, value));
        let claim = match outcome.status {
            Status::Infeasible => Some(Score::Lost),
            Status::UniversalStuck => Some(Score::Won),
            Status::Unbounded => Some(Score::Unbounded),
            Status::Feasible => Some(Score::Cost(Default::default())),
            // A strategy that only keeps the rows.
            Status::Interrupted if program.objective().is_none() => {
                Some(Score::Cost(Default::default()))
            }
            Status::Optimal | Status::TargetReached | Status::GoodEnough | Status::Interrupted => {
                outcome.objective.clone().map(cost)
            }
        };
        // Where nobody asked what it costs, all costs are the same.
        let levels = plays.levels().into_iter().map(|level| {
            let same = |score| match score {
                Score::Cost(_) if outcome.status == Status::Feasible => {
                    Score::Cost(Default::default())
                }
                other => other,
            };
            level.into_iter().map(same).collect()
        });
        Self {
            program,
            outcome,
            plays,
            levels: levels.collect(),
            claim,
        }
    }

    fn all(&self) -> Result<(), String> {
        self.decision()?;
        self.play()?;
        self.plans()
    }

    fn decision(&self) -> Result<(), String> {
        let moves = &self.outcome.first_stage;
        if moves.is_empty() {
            return Ok(());
        }
        let Some(claim) = &self.claim else {
            return Err("a decision without a claim".into());
        };
        let mut places = vec![0];
        let end = first_stage(self.program);
        for depth in 0..end {
            let (_, width) = self.plays.values(depth);
            let decided = moves.iter().find(|(var, _)| var.index() == depth);
            let offsets = match decided {
                Some(decided) => {
                    let offset = self.offset(depth, decided);
                    offset..offset + 1
                }
                None => 0..width,
            };
            let after = |place: usize| offsets.clone().map(move |offset| place * width + offset);
            places = places.into_iter().flat_map(after).collect();
        }
        let alive = |place: &usize| self.plays.is_alive(Quantifier::Exists, end, *place);
        places.retain(alive);
        let reached = places.iter().map(|place| &self.levels[end][*place]).min();
        match reached {
            None => Err("the decision breaks the rows of its own system".into()),
            Some(reached) if self.is_stopped() && reached <= claim => Ok(()),
            Some(reached) if reached == claim => Ok(()),
            Some(reached) => Err(format!(
                "the decision leads to {reached:?}, not to {claim:?}"
            )),
        }
    }

    fn is_stopped(&self) -> bool {
        self.outcome.status == Status::Interrupted
    }

    fn offset(&self, depth: usize, (_, value): &Move) -> usize {
        let (lower, _) = self.plays.values(depth);
        (value.to_integer().to_i64().unwrap() - lower) as usize
    }

    fn play(&self) -> Result<(), String> {
        let moves = &self.outcome.principal_variation;
        let Some(claim) = &self.claim else {
            return match moves.is_empty() {
                true => Ok(()),
                false => Err("a play without a claim".into()),
            };
        };
        if self.ends_as_claimed(claim) {
            return Ok(());
        }
        // What is left out of a play may be anything that somebody plays there: of all best plays,
        // one has these moves.
        let binding = match self.is_stopped() {
            true => first_stage(self.program),
            false => 0,
        };
        let end = moves.last().map_or(0, |(var, _)| var.index() + 1);
        let mut places = vec![0];
        for depth in 0..end {
            let (_, width) = self.plays.values(depth);
            let mover = self.plays.owner(depth);
            let played = moves.iter().find(|(var, _)| var.index() == depth);
            let offsets = played.map(|played| self.offset(depth, played));
            let offsets = offsets.map_or(0..width, |offset| offset..offset + 1);
            let after = |place: usize| offsets.clone().map(move |offset| place * width + offset);
            places = places.into_iter().flat_map(after).collect();
            let name = &self.program.variables()[VarId::new(depth)].name;
            places.retain(|place| self.plays.is_alive(mover, depth + 1, *place));
            if places.is_empty() {
                return Err(format!("the play's move of {name} is illegal"));
            }
            let agrees = |place: &usize| match (&self.levels[depth + 1][*place], self.is_stopped())
            {
                (reached, true) => depth + 1 < binding || reached <= claim,
                (reached, false) => reached == claim,
            };
            places.retain(agrees);
            if places.is_empty() {
                return Err(format!("the play's move of {name} gives away {claim:?}"));
            }
        }
        Ok(())
    }

    /// Whether the play is complete, legal and worth what is claimed. Then it shows the claim, also
    /// where somebody did not take what an error of the other gave away.
    fn ends_as_claimed(&self, claim: &Score) -> bool {
        let moves = &self.outcome.principal_variation;
        if moves.len() < self.plays.len() {
            return false;
        }
        let places = moves.iter().enumerate();
        let place = places.fold(0, |place, (depth, played)| {
            place * self.plays.values(depth).1 + self.offset(depth, played)
        });
        matches!(claim, Score::Cost(_)) && self.levels[moves.len()][place] == *claim
    }

    fn plans(&self) -> Result<(), String> {
        let whole = matches!(self.outcome.status, Status::Optimal | Status::Infeasible)
            || self.outcome.status == Status::UniversalStuck;
        if let (Some(claim), true) = (&self.claim, whole) {
            let plans = self.outcome.strategy.iter().chain(&self.outcome.refutation);
            for plan in plans {
                if !keeps(plan, self.plays, claim) {
                    return Err(format!("a plan does not keep {claim:?}: {plan:?}"));
                }
            }
        }
        for player in [Quantifier::Exists, Quantifier::Forall] {
            let held = self.outcome.held(self.program, player);
            if let Some(strategy) = held.filter(|_| !self.is_stopped()) {
                played_by(&strategy, self.plays).map_err(|play| {
                    format!(
                        "{:?} does not keep what it says: {play:?}, {strategy:?}",
                        player
                    )
                })?;
            }
        }
        if let Some(Ok(certificate)) = &self.outcome.certificate {
            let sides = certificate.strategy.iter().chain(&certificate.refutation);
            for side in sides {
                if keeps_guarantee(side, self.plays) == Some(false) {
                    return Err(format!("a certificate's plan fails: {side:?}"));
                }
            }
        }
        Ok(())
    }
}

/// The program in which the decision has been made is worth what is claimed.
fn holds_when_fixed(program: &Program, outcome: &Outcome) -> Result<(), String> {
    let is_judged = matches!(
        outcome.status,
        Status::Optimal | Status::Feasible | Status::UniversalStuck
    );
    if outcome.first_stage.is_empty() || !is_judged {
        return Ok(());
    }
    let moves = outcome.first_stage.iter();
    let moves: Vec<_> = moves
        .map(|(var, value)| (var.index(), value.clone()))
        .collect();
    let after = fixed(program, &moves);
    if !search::accepts(&after) {
        return Ok(());
    }
    let limits = quip::budget::Limits {
        nodes: Some(20_000),
        ..Default::default()
    };
    let mut budget = Budget::new(limits, std::sync::Arc::default(), None);
    let found = search::solve(&after, &Settings::default(), &mut budget);
    let found = found.map_err(|error| error.to_string())?;
    let agrees = match (outcome.status, found.status) {
        (_, Status::Interrupted) => true,
        (Status::Feasible, Status::Optimal | Status::Feasible) => true,
        (claimed, reached) => claimed == reached && found.objective == outcome.objective,
    };
    match agrees {
        true => Ok(()),
        false => Err(format!("the decision leads to {found:?}")),
    }
}

/// A position under a strategy: a node of it, how many moves were made, and which position that is.
type Position = (NodeId, usize, usize);

/// Plays a strategy as it is shown against everything the opponent may do, and with everything legal
/// where it says that anything does; a play that ends otherwise, if there is any.
pub fn played_by(strategy: &Strategy, plays: &Plays) -> Result<(), Vec<i64>> {
    let mut positions = vec![(strategy.root(), 0, 0)];
    while let Some((node, depth, place)) = positions.pop() {
        match strategy.node(node) {
            StrategyNode::Choose { value, next, .. } => {
                let (lower, width) = plays.values(depth);
                let offset = (value.to_integer().to_i64().unwrap() - lower) as usize;
                positions.push((*next, depth + 1, place * width + offset));
            }
            StrategyNode::Await { branches, .. } => {
                let (lower, width) = plays.values(depth);
                for offset in 0..width {
                    let value = int(lower + offset as i64);
                    let mut found = branches.iter();
                    let found = found.find(|it| it.from <= value && value <= it.to);
                    let next: Option<Position> =
                        found.map(|it| (it.next, depth + 1, place * width + offset));
                    positions.extend(next);
                }
            }
            StrategyNode::End(End::Open(_) | End::Cut) => {}
            StrategyNode::End(End::Settled(moves)) => {
                settles(strategy, plays, moves, depth, place)?;
            }
            StrategyNode::End(_) => settles(strategy, plays, &[], depth, place)?,
        }
    }
    Ok(())
}

fn settles(
    strategy: &Strategy,
    plays: &Plays,
    moves: &[Move],
    depth: usize,
    place: usize,
) -> Result<(), Vec<i64>> {
    let owner = strategy.owner();
    if depth == plays.len() {
        let score = &plays.scores[place];
        let keeps = match strategy.guarantee() {
            Guarantee::Won => *score == Score::Won,
            Guarantee::Unbounded => *score == Score::Unbounded,
            // Without an objective a play that is kept is neither won nor lost.
            Guarantee::Kept => *score != Score::worst_for(owner),
            Guarantee::Cost(cost) => !Score::Cost(cost.clone()).is_better(score, owner),
            Guarantee::Lost => *score == Score::Lost,
        };
        return if keeps {
            Ok(())
        } else {
            Err(plays.play(place))
        };
    }
    let (lower, width) = plays.values(depth);
    let named = moves.iter().find(|(var, _)| var.index() == depth);
    let named = named.map(|(_, value)| (value.to_integer().to_i64().unwrap() - lower) as usize);
    let offsets = named.map_or(0..width, |offset| offset..offset + 1);
    for offset in offsets {
        let after = place * width + offset;
        let own = plays.owner(depth) == owner;
        if named.is_some() || !own || plays.is_alive(owner, depth + 1, after) {
            settles(strategy, plays, moves, depth + 1, after)?;
        }
    }
    Ok(())
}
