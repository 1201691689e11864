//! Abstraction refinement where replies are real, or partly so.
//!
//! The same rounds of candidate and refutation, in rationals: a master over the plays collected so
//! far ([`Tree`]), solved by the exact kernel ([`crate::mip`]), and an adversary. With two stages
//! and real replies it looks for one play which refutes the first stage, and multipliers of one play
//! refute others ([`dual`]). Otherwise plays outside the tree are answered with what the tree
//! decides, in pieces, and those that are not join it ([`growth`]).
//!
//! **Invariant:** every cost that is compared is an exact rational.

mod cover;
mod dual;
mod growth;
mod recourse;
mod variation;

use cover::Cover;
use dual::Dual;
use growth::Growth;
use recourse::Recourse;

use super::{ENGINE, Settings};
use crate::budget::{Budget, Progress};
use crate::empty;
use crate::equivalent::counterpart::{Reduced, without_last_universals};
use crate::equivalent::mixed::stages::Stages;
use crate::equivalent::mixed::tree::{Play, Tree};
use crate::equivalent::mixed::{accepts as accepts_class, plays, refusal, who_is_dead_first};
use crate::equivalent::unsupported;
use crate::lp::simplex::dual_bound;
use crate::mip::{self, End, MixedProgram, Point, Question, Unanswered, cheapest};
use crate::num::{Rational, approximate};
use crate::outcome::{Effort, Halt, Move, Outcome, Score, SolveError, cost_of_objective};
use crate::program::{IdVec, Program, Term, VarId};

/// Whether the program has reals and is of the class.
pub fn accepts(program: &Program) -> bool {
    accepts_class(program)
}

/// Solves a program with real last replies.
pub fn solve(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    if let Some(reason) = refusal(program) {
        return Err(unsupported(ENGINE, reason));
    }
    match empty::decide(program, budget) {
        Ok(None) => {}
        Ok(Some(decided)) => return Ok(decided.outcome(program)),
        Err(stop) => return Ok(Outcome::interrupted(stop)),
    }
    match solve_open(program, settings, budget) {
        Ok(outcome) => Ok(outcome),
        Err(Halt::Stop(stop)) => Ok(Outcome::interrupted(stop)),
        Err(Halt::Refused(error)) => Err(error),
    }
}

fn solve_open(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, Halt> {
    if plays_of(program, settings, budget)?.is_empty() {
        return Ok(Outcome::proved(
            program,
            &who_is_dead_first(program, budget)?,
        ));
    }
    let reduced = match without_last_universals(program, budget)?? {
        Reduced::Program(reduced) => Some(reduced),
        Reduced::Unchanged => None,
    };
    let asked = program.variables().len();
    let program = reduced.as_deref().unwrap_or(program);
    let plays = plays_of(program, settings, budget)?;
    let stages = Stages::new(program);
    let mut outcome = match stages.has_real_replies() {
        true => Real::new(program, settings, plays).solve(budget)?,
        false => Growth::new(stages, plays).solve(budget)?,
    };
    if program.variables().len() < asked {
        // A play without its last universal moves is none.
        outcome.principal_variation.clear();
    }
    Ok(outcome)
}

/// The legal plays of the universal player.
fn plays_of(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Vec<Play>, Halt> {
    plays(&Stages::new(program), ENGINE, settings.most_plays, budget)
}

/// The point that answers a question, if there is one.
fn cheapest_point(
    program: &MixedProgram,
    question: &Question,
    budget: &mut Budget,
) -> Result<Option<Point>, Halt> {
    let answer = mip::minimise(program, question, budget, &mut |_, _| {});
    match answer.end {
        End::Proved | End::Enough => Ok(answer.best),
        End::Stopped(stop) => Err(stop.into()),
        End::Unbounded => Err(Halt::Refused(unbounded())),
    }
}

fn unbounded() -> SolveError {
    let reason = "its rows do not bound the cost of a play; `benders` or `reference` may";
    unsupported(ENGINE, reason.to_owned())
}

fn halted(unanswered: Unanswered) -> Halt {
    match unanswered {
        Unanswered::Stopped(stop) => Halt::Stop(stop),
        Unanswered::Unbounded => Halt::Refused(unbounded()),
    }
}

/// Plays by their numbers.
type Plays = Vec<usize>;

/// The values of a reply, and what it leaves of the cost.
type Answered = (IdVec<VarId, Rational>, Rational);

struct Real<'a> {
    stages: Stages<'a>,
    plays: Vec<Play>,
    /// The same in floats, for the dual adversary.
    floats: Vec<Vec<f64>>,
    board: IdVec<VarId, Rational>,
    recourse: Recourse,
    dual: Option<Dual>,
    cover: Option<Cover>,
    killers: Vec<usize>,
    /// The best first stage whose replies to all plays were looked at, and its cost.
    incumbent: Option<(Rational, Vec<Rational>)>,
    /// First stages that were found, and the number of the next one that is priced.
    candidates: u64,
    next_priced: u64,
    lps: u64,
}

impl<'a> Real<'a> {
    fn new(program: &'a Program, settings: &Settings, plays: Vec<Play>) -> Self {
        let stages = Stages::new(program);
        let recourse = Recourse::new(&stages);
        let with_dual = settings.dual;
        Self {
            board: IdVec::filled(program.variables().len(), Rational::default()),
            dual: with_dual.then(Dual::default),
            cover: match settings.cover {
                true => Cover::new(&stages, &recourse, &plays),
                false => None,
            },
            floats: match with_dual {
                true => plays
                    .iter()
                    .map(|play| play.iter().map(approximate).collect())
                    .collect(),
                false => Vec::new(),
            },
            plays,
            recourse,
            stages,
            killers: Vec::new(),
            incumbent: None,
            candidates: 0,
            next_priced: 1,
            lps: 0,
        }
    }

    fn solve(mut self, budget: &mut Budget) -> Result<Outcome, Halt> {
        let program = self.stages.program;
        let all = 0..self.plays.len();
        let mut bound = None;
        let found = match self.best(0, all, None, &mut bound, budget) {
            Err(Halt::Stop(stop)) => {
                let mut outcome = Outcome::interrupted(stop);
                outcome.bound = bound.and_then(|bound| self.objective(bound));
                if let Some((cost, stage)) = self.incumbent.take() {
                    outcome.objective = self.objective(cost);
                    outcome.first_stage = self.stages.of_stage(0).zip(stage).collect();
                }
                outcome.effort = self.effort(budget);
                return Ok(outcome);
            }
            other => other?,
        };
        let mut outcome = match found {
            Ok((cost, stage)) => {
                let first: Vec<Move> = self.stages.of_stage(0).zip(stage).collect();
                for (var, value) in &first {
                    self.board[*var] = value.clone();
                }
                // The value is proved, with a play or without.
                let variation = self.variation(&cost, budget).unwrap_or_default();
                let cost = self.objective(cost).unwrap_or_default();
                let score = Score::Cost(cost_of_objective(program, cost));
                Outcome {
                    first_stage: first,
                    principal_variation: variation,
                    ..Outcome::proved(program, &score)
                }
            }
            Err(_) => Outcome::proved(program, &Score::Lost),
        };
        outcome.effort = self.effort(budget);
        Ok(outcome)
    }

    fn effort(&self, budget: &Budget) -> Effort {
        Effort {
            nodes: budget.nodes(),
            lps: self.lps + self.recourse.warm.counts().solves,
            learnt: 0,
        }
    }

    fn objective(&self, cost: Rational) -> Option<Rational> {
        self.stages.objective(cost)
    }

    /// What the existential player, to move at `stage`, can guarantee against the plays of the
    /// range, and his values there, if that costs no more than `most`; otherwise plays against
    /// which he cannot. `bound` follows what is proved.
    fn best(
        &mut self,
        stage: usize,
        range: std::ops::Range<usize>,
        most: Option<&Rational>,
        bound: &mut Option<Rational>,
        budget: &mut Budget,
    ) -> Result<Result<(Rational, Vec<Rational>), Plays>, Halt> {
        let mut known = vec![range.start];
        loop {
            budget.look()?;
            let plays: Vec<&[Rational]> =
                known.iter().map(|&it| self.plays[it].as_slice()).collect();
            let tree = Tree::new(&self.stages, &plays, stage, &self.board);
            if tree.is_dead {
                return Ok(Err(known));
            }
            let question = Question {
                most: most.cloned(),
                ..Question::default()
            };
            let Some(point) = cheapest_point(&tree.problem, &question, budget)? else {
                return Ok(Err(known));
            };
            *bound = Some(point.cost.clone());
            if stage == 0 {
                self.report(&point, budget);
            }
            let own = self.stages.of_stage(stage);
            let own: Vec<VarId> = own.collect();
            let value = |var: &VarId| point.values[tree.column(*var, stage, 0)].clone();
            let values: Vec<Rational> = own.iter().map(value).collect();
            for (&var, value) in own.iter().zip(&values) {
                self.board[var] = value.clone();
            }
            if stage == self.stages.universals.len() {
                return Ok(Ok((point.cost, values)));
            }
            match self.attack(range.clone(), &point.cost, budget)? {
                None => return Ok(Ok((point.cost, values))),
                Some(plays) => {
                    if stage == 0 {
                        self.price(&values, budget)?;
                    }
                    let before = known.len();
                    known.extend(plays);
                    known.sort_unstable();
                    known.dedup();
                    assert!(known.len() > before, "invariant: a refutation is news");
                }
            }
        }
    }

    /// What a first stage costs against every play: a strategy in hand, although not the best one. The
    /// first ones are priced, and then ever fewer.
    fn price(&mut self, values: &[Rational], budget: &mut Budget) -> Result<(), Halt> {
        self.candidates += 1;
        if self.candidates < self.next_priced {
            return Ok(());
        }
        self.next_priced = 2 * self.candidates;
        let own: Vec<VarId> = self.stages.of_stage(0).collect();
        for (&var, value) in own.iter().zip(values) {
            self.board[var] = value.clone();
        }
        let mut worst: Option<Rational> = None;
        let mut open: Plays = (0..self.plays.len()).rev().collect();
        while let Some(play) = open.pop() {
            budget.look()?;
            self.place(play);
            if !self.recourse.follow(&self.stages, &self.board) {
                return Ok(());
            }
            let replied = self.recourse.own.clone();
            let paid = self
                .stages
                .costs
                .iter()
                .filter(|(var, _)| !replied.contains(var));
            let paid: Rational = paid.map(|(var, by)| by * &self.board[*var]).sum();
            let room = self.incumbent.as_ref().map(|(cost, _)| cost - &paid);
            let Ok((reply, _)) =
                cheapest(&mut self.recourse.warm, &[], room.as_ref(), budget).map_err(halted)?
            else {
                return Ok(());
            };
            let cost = reply.cost + paid;
            worst = worst.into_iter().chain([cost.clone()]).max();
            let left = worst.iter().map(|worst| worst - &cost).sum();
            self.leave_out(play, &reply.values, &left, &mut open);
        }
        let Some(worst) = worst else { return Ok(()) };
        if self
            .incumbent
            .as_ref()
            .is_none_or(|(cost, _)| worst < *cost)
        {
            budget.report(&Progress {
                nodes: budget.nodes(),
                objective: self.objective(worst.clone()),
                lps: self.lps,
                new_strategy: true,
                ..Progress::default()
            });
            self.incumbent = Some((worst, values.to_vec()));
        }
        Ok(())
    }

    fn report(&self, point: &Point, budget: &mut Budget) {
        if budget.heartbeat_due() {
            budget.report(&Progress {
                nodes: budget.nodes(),
                objective: self
                    .incumbent
                    .as_ref()
                    .and_then(|it| self.objective(it.0.clone())),
                bound: self.objective(point.cost.clone()),
                lps: self.lps,
                ..Progress::default()
            });
        }
    }

    /// A play against which the first stage costs more than the target.
    fn attack(
        &mut self,
        range: std::ops::Range<usize>,
        target: &Rational,
        budget: &mut Budget,
    ) -> Result<Option<Plays>, Halt> {
        if let Some(play) = self.refuted_by_duals(range.clone(), target) {
            return Ok(Some(vec![play]));
        }
        let killers = self.killers.iter().copied();
        let killers = killers.filter(|killer| range.contains(killer));
        let mut open: Plays = range.clone().rev().chain(killers).collect();
        while let Some(first) = open.pop() {
            self.place(first);
            let Some((reply, left)) = self.answer(target, budget)? else {
                self.killers.retain(|&killer| killer != first);
                self.killers.push(first);
                return Ok(Some(vec![first]));
            };
            self.leave_out(first, &reply, &left, &mut open);
        }
        Ok(None)
    }

    /// Puts the moves of a play on the board.
    fn place(&mut self, play: usize) {
        for (number, value) in self.plays[play].iter().enumerate() {
            self.board[self.stages.universals[number]] = value.clone();
        }
    }

    /// Takes the plays away that the reply to the play on the board answers as well, for so much more.
    fn leave_out(
        &self,
        play: usize,
        reply: &IdVec<VarId, Rational>,
        left: &Rational,
        open: &mut Plays,
    ) {
        if let Some(cover) = &self.cover {
            let answer = (play, reply);
            cover.answered(
                &self.stages,
                &self.recourse,
                &self.board,
                answer,
                left,
                open,
            );
        }
    }

    fn refuted_by_duals(
        &mut self,
        range: std::ops::Range<usize>,
        target: &Rational,
    ) -> Option<usize> {
        let Self {
            dual,
            stages,
            plays,
            floats,
            board,
            ..
        } = self;
        let found = dual.as_mut()?.refuting(
            &stages.universals,
            &plays[range.clone()],
            &floats[range.clone()],
            board,
            target,
        );
        found.map(|place| range.start + place)
    }

    /// The plays of the range that begin like `member`.
    fn group(
        &self,
        end: usize,
        member: usize,
        range: &std::ops::Range<usize>,
    ) -> std::ops::Range<usize> {
        let plays = &self.plays[range.clone()];
        let beginning = &self.plays[member][..end];
        let first = plays.partition_point(|play| &play[..end] < beginning);
        let behind = plays.partition_point(|play| &play[..end] <= beginning);
        range.start + first..range.start + behind
    }

    /// A reply of the last stage to the board that costs no more than the target, and what is left then.
    fn answer(&mut self, target: &Rational, budget: &mut Budget) -> Result<Option<Answered>, Halt> {
        let Self {
            recourse,
            stages,
            board,
            dual,
            ..
        } = self;
        if !recourse.follow(stages, board) {
            return Ok(None);
        }
        let own = recourse.own.clone();
        let is_own = |var: VarId| own.contains(&var);
        let paid = stages.costs.iter().filter(|(var, _)| !is_own(*var));
        let paid: Rational = paid.map(|(var, by)| by * &board[*var]).sum();
        let left = target - &paid;
        let reply = cheapest(&mut recourse.warm, &[], Some(&left), budget).map_err(halted)?;
        let answer = reply.as_ref().ok().map(|(point, _)| {
            let left = &left - &point.cost;
            (point.values.clone(), left)
        });
        if let Some(dual) = dual {
            let (multipliers, is_ray) = match reply {
                Ok((_, multipliers)) => (multipliers, false),
                Err(farkas) => {
                    let is_ray = farkas.is_some();
                    (farkas.or_else(|| recourse.multipliers(budget)), is_ray)
                }
            };
            let Some(multipliers) = multipliers else {
                return Ok(answer);
            };
            let rows = stages.program.rows();
            let rows = recourse.rows.iter().map(|&id| &rows[id]);
            let rows: Vec<_> = rows.zip(multipliers.iter().cloned()).collect();
            let problem = recourse.warm.program();
            let objective: &[Term] = if is_ray { &[] } else { &problem.objective };
            let costs: &[Term] = if is_ray { &[] } else { &stages.costs };
            let multipliers = IdVec::from_vec(multipliers);
            if let Some(bound) = dual_bound(problem, objective, &multipliers) {
                let bound = if is_ray { bound } else { bound + paid };
                dual.learn(&rows, costs, is_own, board, (bound, is_ray));
            }
        }
        Ok(answer)
    }
}
