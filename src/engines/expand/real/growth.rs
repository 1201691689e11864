//! Growing trees: the plays that matter, found round by round.
//!
//! A tree over a few plays is solved; what it decides is kept, and the rest of the plays is answered
//! in pieces: those that leave the tree at one node in one way make a program of their own, with all
//! decisions before it fixed, which is answered in the same manner. Where a piece cannot be answered
//! at the cost of the tree, the plays that show it join the tree (column-and-constraint generation
//! over stages; Zeng and Zhao 2013 for two of them). Few plays are enough: of 79 plays of three
//! products in four periods the value needs 15.
//!
//! **Invariant:** a tree over some plays costs no more than the program, whoever chose them; and
//! pieces that answer every play at the cost of the tree are a strategy worth as much.

mod piece;

use std::ops::Range;

use piece::Piece;

use crate::budget::{Budget, Progress};
use crate::equivalent::mixed::dominance;
use crate::equivalent::mixed::stages::Stages;
use crate::equivalent::mixed::tree::{Play, Tree};
use crate::mip::{self, End, MixedProgram, Point, Question};
use crate::num::Rational;
use crate::outcome::{Halt, Outcome, Score, Stop, cost_of_objective};
use crate::program::{IdVec, VarId};

/// Plays by their numbers.
type Plays = Vec<usize>;

/// Rounds of a piece, and nodes of its programs: what is not answered by then joins the tree.
const ROUNDS: usize = 6;
const NODES: u64 = 60;

/// The tree of the first round is solved with twice so many nodes, and so on: what is decided early is
/// not worth a proof.
const FIRST_NODES: u64 = 16;

/// Plays that refuted something lately and are tried first.
const MOST_KILLERS: usize = 64;

/// Plays that a piece begins with.
const FIRST: usize = 3;

/// Plays that join the tree in a round: this many, or a part of those that are in it.
const JOIN: usize = 3;
const JOIN_PART: usize = 4;

pub(super) struct Growth<'a> {
    stages: Stages<'a>,
    /// All plays in order, and which of the hardest answers each.
    all: Vec<Play>,
    answered: Vec<usize>,
    /// Those that no other one outdoes.
    plays: Vec<Play>,
    board: IdVec<VarId, Rational>,
    killers: Plays,
    bound: Option<Rational>,
    best: Option<Piece>,
    lps: u64,
}

/// What a piece must cost at most, and the effort that may be made.
#[derive(Clone)]
struct Task {
    target: Option<Rational>,
    rounds: usize,
    nodes: u64,
}

impl<'a> Growth<'a> {
    pub fn new(stages: Stages<'a>, all: Vec<Play>) -> Self {
        let answered = dominance::answered_by(&stages, &all);
        let hardest = (0..all.len()).filter(|&play| answered[play] == play);
        let hardest: Plays = hardest.collect();
        let place = |play: usize| hardest.binary_search(&answered[play]).unwrap_or(0);
        Self {
            board: IdVec::filled(stages.program.variables().len(), Rational::default()),
            plays: hardest.iter().map(|&play| all[play].clone()).collect(),
            answered: (0..all.len()).map(place).collect(),
            stages,
            all,
            killers: Vec::new(),
            bound: None,
            best: None,
            lps: 0,
        }
    }

    pub fn solve(mut self, budget: &mut Budget) -> Result<Outcome, Halt> {
        let mut known = self.first_plays(0..self.plays.len());
        match self.grow(&mut known, budget) {
            Ok(score) => {
                let proved = Outcome::proved(self.stages.program, &score);
                Ok(self.outcome(proved, &known, budget))
            }
            Err(Halt::Stop(stop)) => {
                let objective = |cost: &Rational| self.stages.objective(cost.clone());
                let interrupted = Outcome {
                    objective: self.best.as_ref().and_then(|best| objective(&best.cost)),
                    bound: self.bound.as_ref().and_then(objective),
                    ..Outcome::interrupted(stop)
                };
                Ok(self.outcome(interrupted, &known, budget))
            }
            Err(refused) => Err(refused),
        }
    }

    /// Rounds over all plays, until a strategy meets the bound.
    fn grow(&mut self, known: &mut Plays, budget: &mut Budget) -> Result<Score, Halt> {
        let all = 0..self.plays.len();
        let mut nodes = FIRST_NODES;
        for round in 1u64.. {
            budget.look()?;
            nodes = nodes.saturating_mul(2);
            let tree = self.tree_over(known, 0);
            if tree.is_dead {
                return Ok(Score::Lost);
            }
            let rival = budget.rival_cost().map(|cost| self.stages.cost(cost));
            let own = self.best.as_ref().map(|best| best.cost.clone());
            let question = Question {
                most: rival.into_iter().chain(own).min(),
                strict: true,
                enough: self.bound.clone(),
                nodes: Some(nodes),
            };

            let (point, end) = self.master(&tree, &question, budget);
            match end {
                End::Unbounded if known.len() < self.plays.len() => {
                    *known = all.clone().collect();
                    continue;
                }
                End::Unbounded => return Ok(Score::Unbounded),
                End::Stopped(Stop::Nodes) if budget.left().nodes != Some(0) => {}
                End::Stopped(stop) => return Err(stop.into()),
                End::Proved if point.is_none() => {
                    let Some(most) = question.most else {
                        return Ok(Score::Lost);
                    };
                    // Nothing is cheaper: that is the value, and the strategy is somebody's.
                    self.learn(&most, budget);
                    let best = self.best.as_ref();
                    return match best.filter(|best| best.cost == most) {
                        Some(best) => Ok(self.score(&best.cost)),
                        None => Err(Halt::Stop(Stop::Signal)),
                    };
                }
                End::Proved | End::Enough => {
                    if let Some(point) = &point {
                        self.learn(&point.cost, budget);
                    }
                }
            }
            let Some(point) = point else {
                // Not even a point: the same tree, with more effort.
                continue;
            };
            let target = point.cost.clone();
            let task = |target: Option<Rational>| Task {
                target,
                rounds: ROUNDS,
                nodes: NODES,
            };
            let piece = Piece::new(tree, point, known.clone());
            let most = JOIN.max(known.len() / JOIN_PART);
            let plays = match self.fill(piece, 0, all.clone(), &task(Some(target)), most, budget)? {
                (piece, plays) if plays.is_empty() => {
                    let score = self.score(&piece.cost);
                    let is_met = self
                        .bound
                        .as_ref()
                        .is_some_and(|bound| piece.cost <= *bound);
                    self.keep(piece, budget);
                    if is_met {
                        return Ok(score);
                    }
                    plays
                }
                (piece, plays) => {
                    if round.is_power_of_two() {
                        self.price(piece, &task(question.most), budget)?;
                    }
                    plays
                }
            };
            known.extend(plays);
            known.sort_unstable();
            known.dedup();
        }
        unreachable!("the rounds never end")
    }

    /// What a tree decides becomes a strategy at some cost.
    fn price(&mut self, piece: Piece, task: &Task, budget: &mut Budget) -> Result<(), Halt> {
        let all = 0..self.plays.len();
        let (piece, open) = self.fill(piece, 0, all, task, 1, budget)?;
        if open.is_empty() {
            self.keep(piece, budget);
        }
        Ok(())
    }

    /// A strategy was found.
    fn keep(&mut self, piece: Piece, budget: &mut Budget) {
        let known = self.best.as_ref().map(|best| &best.cost);
        if known.is_none_or(|known| piece.cost < *known) {
            budget.report(&Progress {
                nodes: budget.nodes(),
                objective: self.stages.objective(piece.cost.clone()),
                bound: self.objective(self.bound.as_ref()),
                lps: self.lps,
                new_strategy: true,
                ..Progress::default()
            });
            self.best = Some(piece);
        }
    }

    fn learn(&mut self, bound: &Rational, budget: &mut Budget) {
        if self.bound.as_ref().is_none_or(|known| known < bound) {
            self.bound = Some(bound.clone());
        }
        budget.report(&Progress {
            nodes: budget.nodes(),
            objective: self.objective(self.best.as_ref().map(|best| &best.cost)),
            bound: self.objective(self.bound.as_ref()),
            lps: self.lps,
            ..Progress::default()
        });
    }

    fn objective(&self, cost: Option<&Rational>) -> Option<Rational> {
        self.stages.objective(cost?.clone())
    }

    fn score(&self, cost: &Rational) -> Score {
        let program = self.stages.program;
        let value = self.stages.objective(cost.clone()).unwrap_or_default();
        Score::Cost(cost_of_objective(program, value))
    }

    fn tree_over(&self, known: &[usize], stage: usize) -> Tree {
        let plays: Vec<&[Rational]> = known.iter().map(|&it| self.plays[it].as_slice()).collect();
        Tree::new(&self.stages, &plays, stage, &self.board)
    }

    /// Solves the tree of a round; what it proves on the way counts.
    fn master(
        &mut self,
        tree: &Tree,
        question: &Question,
        budget: &mut Budget,
    ) -> (Option<Point>, End) {
        let (mut lps, before) = (0, self.lps);
        let stages = &self.stages;
        let own = self
            .best
            .as_ref()
            .and_then(|best| stages.objective(best.cost.clone()));
        let answer = mip::minimise(&tree.problem, question, budget, &mut |event, budget| {
            lps = event.lps;
            if event.best.is_none() {
                budget.report(&Progress {
                    nodes: budget.nodes(),
                    objective: own.clone(),
                    bound: event
                        .bound
                        .and_then(|bound| stages.objective(bound.clone())),
                    lps: before + lps,
                    ..Progress::default()
                });
            }
        });
        self.lps += lps;
        if let Some(bound) = answer.bound
            && self.bound.as_ref().is_none_or(|known| *known < bound)
        {
            self.bound = Some(bound);
        }
        (answer.best, answer.end)
    }

    /// The plays that a tree begins with: those that refuted something lately.
    fn first_plays(&self, range: Range<usize>) -> Plays {
        let killers = self.killers.iter().rev().copied();
        let mut first: Plays = killers
            .filter(|play| range.contains(play))
            .take(FIRST)
            .collect();
        if first.is_empty() {
            first.push(range.end - 1);
        }
        first.sort_unstable();
        first
    }

    /// Answers the plays of a range from a stage on, or says which stand, or may stand, in the way.
    fn answer(
        &mut self,
        stage: usize,
        range: &Range<usize>,
        task: &Task,
        budget: &mut Budget,
    ) -> Result<Result<Piece, Plays>, Halt> {
        let mut known = self.first_plays(range.clone());
        for _ in 0..task.rounds {
            budget.look()?;
            let tree = self.tree_over(&known, stage);
            if tree.is_dead {
                break;
            }
            let Some(point) = self.reply(&tree.problem, task, budget)? else {
                break;
            };
            let piece = Piece::new(tree, point, known.clone());
            match self.fill(piece, stage, range.clone(), task, JOIN, budget)? {
                (piece, plays) if plays.is_empty() => return Ok(Ok(piece)),
                (_, plays) => known.extend(plays),
            }
            known.sort_unstable();
            known.dedup();
        }
        for play in &known {
            self.killers.retain(|killer| killer != play);
        }
        self.killers.extend(known.iter().copied());
        let old = self.killers.len().saturating_sub(MOST_KILLERS);
        self.killers.drain(..old);
        Ok(Err(known))
    }

    /// A point that the task takes, if one is found with little effort.
    fn reply(
        &mut self,
        problem: &MixedProgram,
        task: &Task,
        budget: &mut Budget,
    ) -> Result<Option<Point>, Halt> {
        let question = Question {
            most: task.target.clone(),
            strict: false,
            enough: task.target.clone(),
            nodes: Some(task.nodes),
        };
        let mut lps = 0;
        let answer = budget.about_a_part(|budget| {
            mip::minimise(problem, &question, budget, &mut |event, _| lps = event.lps)
        });
        self.lps += lps;
        match answer.end {
            End::Stopped(Stop::Nodes) => {
                let is_over = budget.left().nodes == Some(0);
                if is_over {
                    Err(Stop::Nodes.into())
                } else {
                    Ok(answer.best)
                }
            }
            End::Stopped(stop) => Err(stop.into()),
            _ => Ok(answer.best),
        }
    }

    /// Answers the plays of the range that leave the tree, as far as the task allows: a piece for each,
    /// and plays that stand in the way.
    fn fill(
        &mut self,
        mut piece: Piece,
        stage: usize,
        range: Range<usize>,
        task: &Task,
        most: usize,
        budget: &mut Budget,
    ) -> Result<(Piece, Plays), Halt> {
        piece.below.clear();
        piece.cost = piece.point.cost.clone();
        let mut open = Plays::new();
        let mut groups = self.groups(&piece.known, range);
        // Who refuted lately comes first.
        groups.sort_by_key(|(_, group, _)| {
            let rank = self
                .killers
                .iter()
                .rposition(|killer| group.contains(killer));
            std::cmp::Reverse(rank)
        });
        for (end, group, (place, agreed)) in groups {
            for seen in stage..=agreed {
                for var in self.stages.of_stage(seen) {
                    let column = piece.tree.column(var, seen, place);
                    self.board[var] = piece.point.values[column].clone();
                }
            }
            match self.answer(end, &group, task, budget)? {
                Ok(below) => {
                    piece.cost = piece.cost.max(below.cost.clone());
                    piece.below.push((group, below));
                }
                Err(plays) => {
                    open.extend(plays);
                    if open.len() >= most {
                        break;
                    }
                }
            }
        }
        Ok((piece, open))
    }
}
