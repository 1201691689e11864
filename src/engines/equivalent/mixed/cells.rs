//! Integers decided after a real opponent: constant integers on cells, bounds from both sides.
//!
//! The range of a real universal variable is divided into *cells*. Where the existential player
//! decides its integers by the cell alone, everything else it decides is real, so that finitely many
//! values of each cell suffice (as in [`super::moves`]): the ends of the cell in a box, and in budgets
//! over consecutive variables the multiples of a common step inside the cell, which make every end
//! and every budget whole. The program over these plays, integers seeing cells and reals seeing
//! values, is an *upper bound*, with a policy: reply to a value by the mixture of the replies to its
//! neighbours. The plays themselves, each with integers of its own, are a *lower bound*.
//!
//! The cells that the worst play of the policy goes through are divided until both meet: where the
//! replies of two neighbours cost the same ([`crossing`]), or in the middle. A best
//! play need not exist: where integers answer a value, a value just above it may hurt more than either.
//! Such plays, *beside* a wall, bound from below as well.
//!
//! **Invariant:** both bounds are proved whatever the cells are; where they meet is the value.

mod crossing;
mod division;

use division::Divisions;

use super::moves::NoList;
use super::prove::{Named, named};
use super::stages::Stages;
use super::tree::{Cells, Play, Tree};
use super::{Whole, plays_are_answered, who_is_dead_first};
use crate::budget::{Budget, Limits, Progress};
use crate::equivalent::{ENGINE, Settings, unsupported};
use crate::mip::{self, Answer, End, MixedProgram, Question};
use crate::num::Rational;
use crate::outcome::{Effort, Halt, Outcome, Score, Stop, cost_of_objective};
use crate::program::{Kind, Quantifier, VarId};

/// Worst plays whose cells are divided.
const MOST_WORST: usize = 8;

/// Why cells do not help, if they do not.
pub(super) fn refusal(stages: &Stages<'_>) -> Option<String> {
    Divisions::new(stages).err()
}

/// Solves a program by cells, until both bounds meet or a limit is reached.
pub(super) fn solve(
    stages: Stages<'_>,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, Halt> {
    let program = stages.program;
    let divisions =
        Divisions::new(&stages).map_err(|why| Halt::Refused(unsupported(ENGINE, why)))?;
    let decided = program.variables().pairs();
    let whole =
        decided.filter(|(_, it)| it.quantifier == Quantifier::Exists && it.kind == Kind::Integer);
    let mut refinement = Refinement {
        last: whole.map(|(var, _)| stages.seen[var]).max().unwrap_or(0),
        stages,
        divisions,
        settings,
        best: None,
        bound: None,
        scenarios: Vec::new(),
        lps: 0,
    };
    let ended = refinement.refine(budget);
    match ended {
        Ok(Closed::Score(score)) => {
            Ok(refinement.outcome(Outcome::proved(program, &score), budget))
        }
        Ok(Closed::Stopped(stop)) | Err(Halt::Stop(stop)) => {
            let stages = &refinement.stages;
            let objective = |cost: &Rational| stages.objective(cost.clone());
            let interrupted = Outcome {
                objective: refinement
                    .best
                    .as_ref()
                    .and_then(|best| objective(&best.cost)),
                bound: refinement.bound.as_ref().and_then(objective),
                ..Outcome::interrupted(stop)
            };
            Ok(refinement.outcome(interrupted, budget))
        }
        Err(refused) => Err(refused),
    }
}

/// What a policy over cells is worth, and how it begins.
struct Policy {
    cost: Rational,
    first: Vec<(VarId, Rational)>,
    worst: Vec<(VarId, Rational)>,
    /// The cells of the worst plays, and where to divide them.
    cells: Vec<Cells>,
    crossings: Vec<(usize, Rational)>,
    /// Values of the worst play that are approached from above, or from below.
    approached: Vec<(VarId, bool)>,
}

enum Closed {
    Score(Score),
    Stopped(Stop),
}

struct Refinement<'a> {
    stages: Stages<'a>,
    divisions: Divisions,
    settings: &'a Settings,
    /// Cells matter for so many universal variables.
    last: usize,
    best: Option<Policy>,
    bound: Option<Rational>,
    /// Plays that prove the bound, or that all is lost.
    scenarios: Named,
    lps: u64,
}

impl Refinement<'_> {
    fn refine(&mut self, budget: &mut Budget) -> Result<Closed, Halt> {
        loop {
            // A policy first: whoever interrupts has one in hand.
            self.bound_from_above(budget)?;
            if let Some(closed) = self.bound_from_below(budget)? {
                return Ok(closed);
            }
            self.report(budget);
            if let Some(score) = self.met() {
                return Ok(Closed::Score(score));
            }
            self.bound_from_beside(budget)?;
            if let Some(score) = self.met() {
                return Ok(Closed::Score(score));
            }
            budget.spend_node()?;
            let (cells, crossings) = match &self.best {
                Some(best) => (best.cells.clone(), best.crossings.clone()),
                None => (vec![self.first_cells()], Vec::new()),
            };
            let (divisions, stages) = (&mut self.divisions, &self.stages);
            if !divisions.divide_at(&crossings) && !divisions.halve_along(stages, self.last, &cells)
            {
                return Ok(Closed::Stopped(Stop::Reach));
            }
        }
    }

    /// Without a policy the first cells are divided that can be.
    fn first_cells(&self) -> Cells {
        let widest = |division: &division::Division| {
            let cells = division.cells().into_iter().enumerate();
            let width = |cell: &(usize, std::ops::RangeInclusive<usize>)| {
                &division.values[*cell.1.end()] - &division.values[*cell.1.start()]
            };
            let widest = cells.max_by(|left, right| width(left).cmp(&width(right)));
            widest.map_or(0, |(cell, _)| cell as u32)
        };
        self.divisions.0.iter().map(widest).collect()
    }

    fn met(&self) -> Option<Score> {
        let (best, bound) = (self.best.as_ref()?, self.bound.as_ref()?);
        let program = self.stages.program;
        let value = self.stages.objective(best.cost.clone()).unwrap_or_default();
        (best.cost <= *bound).then(|| Score::Cost(cost_of_objective(program, value)))
    }

    /// The values as plays, with integers for each.
    fn bound_from_below(&mut self, budget: &mut Budget) -> Result<Option<Closed>, Halt> {
        let Some(plays) = self.listed(false, budget)? else {
            return Ok(Some(Closed::Stopped(Stop::Reach)));
        };
        if plays.is_empty() {
            let score = who_is_dead_first(self.stages.program, budget)?;
            return Ok(Some(Closed::Score(score)));
        }
        let plays = plays.into_iter().map(|(play, _)| play).collect();
        let hard = plays_are_answered(&self.stages, plays);
        let columns = super::size(&self.stages, &hard);
        if columns > self.settings.most_columns {
            return Ok(Some(Closed::Stopped(Stop::Reach)));
        }
        let tree = Whole::tree_over(&self.stages, &hard);
        let names = |play| named(&self.stages, play, &[]);
        let scenarios: Named = hard.into_iter().map(names).collect();
        if tree.is_dead {
            self.scenarios = scenarios;
            return Ok(Some(Closed::Score(Score::Lost)));
        }
        let most = self.best.as_ref().map(|best| best.cost.clone());
        let answer = self.asked(&tree.problem, most, budget, false);
        match (&answer.best, answer.end) {
            (_, End::Unbounded) => return Ok(Some(Closed::Score(Score::Unbounded))),
            // What the policy costs is not too little: so it is the value, or all is lost.
            (None, End::Proved) if self.best.is_none() => {
                self.scenarios = scenarios;
                return Ok(Some(Closed::Score(Score::Lost)));
            }
            _ => {}
        }
        if let Some(bound) = answer.bound
            && self.bound.as_ref().is_none_or(|known| *known < bound)
        {
            self.bound = Some(bound);
            self.scenarios = scenarios;
        }
        Ok(None)
    }

    /// The same with values beside the walls; what is met there is approached and not attained.
    fn bound_from_beside(&mut self, budget: &mut Budget) -> Result<(), Halt> {
        let Some(plays) = self.listed(false, budget)? else {
            return Ok(());
        };
        let Some(beside) = self.divisions.plays_beside(&self.stages, &plays) else {
            return Ok(());
        };
        let tree = Tree::beside(&self.stages, &beside.plays, &beside.signs);
        let most = self.best.as_ref().map(|best| best.cost.clone());
        if tree.is_dead || tree.problem.linear.bounds.len() > self.settings.most_columns {
            return Ok(());
        }
        let answer = self.asked(&tree.problem, most, budget, false);
        let Some(bound) = answer.bound else {
            return Ok(());
        };
        if self.bound.as_ref().is_some_and(|known| *known >= bound) {
            return Ok(());
        }
        self.bound = Some(bound);
        let signed = beside.plays.iter().zip(&beside.signs);
        let names = signed.map(|((play, _), signs)| named(&self.stages, play.clone(), signs));
        self.scenarios = names.collect();
        let is_met = self.met().is_some();
        if let (Some(point), Some(best), true) = (&answer.best, &mut self.best, is_met) {
            let stages = &self.stages;
            let value = |var: VarId, play: usize| {
                let seen = stages.seen[var];
                match stages.program.variables()[var].quantifier {
                    Quantifier::Forall => beside.plays[play].0[seen].clone(),
                    Quantifier::Exists => point.values[tree.column(var, seen, play)].clone(),
                }
            };
            let plays = 0..beside.plays.len();
            let worst = plays
                .max_by_key(|&play| cost(stages, play, &value))
                .unwrap_or(0);
            let variables = stages.program.variables().ids();
            best.worst = variables.map(|var| (var, value(var, worst))).collect();
            let signs = stages.universals.iter().zip(&beside.signs[worst]);
            let signs = signs.filter(|(_, sign)| **sign != 0);
            best.approached = signs.map(|(var, sign)| (*var, *sign > 0)).collect();
        }
        Ok(())
    }

    /// Integers by cells.
    fn bound_from_above(&mut self, budget: &mut Budget) -> Result<(), Halt> {
        let Some(plays) = self.listed(true, budget)? else {
            return Err(Halt::Stop(Stop::Reach));
        };
        let tree = Tree::by_cells(&self.stages, &plays);
        if plays.is_empty() || tree.is_dead {
            return Ok(());
        }
        if tree.problem.linear.bounds.len() > self.settings.most_columns {
            return Err(Halt::Stop(Stop::Reach));
        }
        let most = self.best.as_ref().map(|best| best.cost.clone());
        let answer = self.asked(&tree.problem, most, budget, true);
        let Some(point) = &answer.best else {
            return Ok(());
        };
        let stages = &self.stages;
        let value = |var: VarId, play: usize| {
            let seen = stages.seen[var];
            match stages.program.variables()[var].quantifier {
                Quantifier::Forall => plays[play].0[seen].clone(),
                Quantifier::Exists => point.values[tree.column(var, seen, play)].clone(),
            }
        };
        let costs: Vec<Rational> = (0..plays.len())
            .map(|play| cost(stages, play, &value))
            .collect();
        let dearest = costs.iter().max();
        let worst = (0..plays.len()).filter(|&play| Some(&costs[play]) == dearest);
        let worst: Vec<usize> = worst.take(MOST_WORST).collect();
        let first = stages.of_stage(0).map(|var| (var, value(var, 0)));
        let mut first: Vec<(VarId, Rational)> = first.collect();
        first.sort_by_key(|(var, _)| *var);
        let mut crossings = Vec::new();
        for &worst in &worst {
            crossings.extend(self.crossings(&plays, worst, &value, budget)?);
        }
        let variables = stages.program.variables().ids();
        self.best = Some(Policy {
            cost: point.cost.clone(),
            first,
            worst: variables.map(|var| (var, value(var, worst[0]))).collect(),
            cells: worst.iter().map(|&worst| plays[worst].1.clone()).collect(),
            crossings,
            approached: Vec::new(),
        });
        Ok(())
    }

    fn listed(
        &self,
        by_cells: bool,
        budget: &mut Budget,
    ) -> Result<Option<Vec<(Play, Cells)>>, Halt> {
        let most = self.settings.most_plays;
        match self.divisions.plays(&self.stages, by_cells, most, budget) {
            Ok(plays) => Ok(Some(plays)),
            Err(NoList::Stopped(stop)) => Err(stop.into()),
            Err(NoList::TooMany | NoList::Infinite(_)) => Ok(None),
        }
    }

    /// Half of the time that is left may be spent on a question.
    fn asked(
        &mut self,
        problem: &MixedProgram,
        most: Option<Rational>,
        budget: &mut Budget,
        is_policy: bool,
    ) -> Answer {
        let left = budget.left();
        let mut part = budget.part(Limits {
            time: left.time.map(|time| time / 2),
            ..left
        });
        let question = Question {
            most,
            ..Question::default()
        };
        let mut lps = 0;
        let answer = mip::minimise(problem, &question, &mut part, &mut |event, part| {
            lps = event.lps;
            if let (true, Some(best)) = (is_policy, event.best) {
                let progress = Progress {
                    nodes: budget.nodes() + part.nodes(),
                    objective: self.stages.objective(best.cost.clone()),
                    bound: self.objective(self.bound.as_ref()),
                    lps: self.lps + lps,
                    new_strategy: true,
                    ..Progress::default()
                };
                budget.report(&progress);
            }
        });
        self.lps += lps;
        budget.count_nodes(part.nodes());
        answer
    }

    fn objective(&self, cost: Option<&Rational>) -> Option<Rational> {
        self.stages.objective(cost?.clone())
    }

    fn report(&self, budget: &mut Budget) {
        budget.report(&Progress {
            nodes: budget.nodes(),
            depth: self.divisions.0.iter().map(|it| it.values.len()).sum(),
            objective: self.objective(self.best.as_ref().map(|best| &best.cost)),
            bound: self.objective(self.bound.as_ref()),
            lps: self.lps,
            new_strategy: false,
            ..Progress::default()
        });
    }

    fn outcome(self, outcome: Outcome, budget: &Budget) -> Outcome {
        let effort = Effort {
            nodes: budget.nodes(),
            lps: self.lps,
            learnt: 0,
        };
        match self.best {
            None => Outcome {
                effort,
                scenarios: self.scenarios,
                ..outcome
            },
            Some(best) => Outcome {
                first_stage: best.first,
                principal_variation: best.worst,
                approached: best.approached,
                scenarios: self.scenarios,
                effort,
                ..outcome
            },
        }
    }
}

/// What a play costs.
fn cost(stages: &Stages<'_>, play: usize, value: &impl Fn(VarId, usize) -> Rational) -> Rational {
    let terms = stages.costs.iter();
    terms.map(|(var, by)| by * value(*var, play)).sum()
}
