//! Settles the tail: lists its scenarios, solves its linear program, tells it in plans.

use super::board::Board;
use super::game::Game;
use super::plans::{Plans, Settled, merged};
use super::scenarios::{self, universal_places};
use super::tail::Tail;
use super::{Halt, unsupported};
use crate::budget::Budget;
use crate::lp::simplex::Answer;
use crate::num::Rational;
use crate::outcome::Score;
use crate::program::{IdVec, Kind, Program, Quantifier, VarId};
use crate::strategy::{Branch, Ending, NodeId, PlanNode};

/// Numbers that the dense tableau of a tail, or the list of its scenarios, may hold: they take
/// about a hundred bytes each.
const MAX_NUMBERS: usize = 2_000_000;

impl Game<'_> {
    /// The value of a position from which on all existential variables are real.
    pub fn settle_tail(&mut self, budget: &mut Budget) -> Result<Settled, Halt> {
        let Self {
            program,
            board,
            universal,
            ..
        } = self;
        let admit = |paths: usize| small_enough(program, board, paths + 1);
        let paths = scenarios::paths(program, board, universal, budget, admit)?;
        let tail = Tail::new(program, board, &self.values, paths);
        self.tail_lps += 1;
        let answer = tail.linear.solve(budget)?;
        let telling = Telling {
            program,
            board,
            tail: &tail,
        };
        Ok(telling.settled(&mut self.plans, answer))
    }
}

fn small_enough(program: &Program, board: &Board, paths: usize) -> Result<(), Halt> {
    let rows = paths.saturating_mul(program.rows().len() + 1);
    // What is chosen before the first universal move of the tail is shared by all scenarios.
    let universal = universal_places(board);
    let first = universal.first().copied().unwrap_or(board.places.len());
    let later = board.places.len() - first - universal.len();
    let columns = paths
        .saturating_mul(later)
        .saturating_add(first - board.tail + 1);
    let listed = paths.saturating_mul(board.places.len());
    if rows.saturating_mul(columns).max(listed) <= MAX_NUMBERS {
        return Ok(());
    }
    let first = &program.variables()[board.places[board.tail].var].name;
    Err(Halt::Refused(unsupported(format!(
        "from the real variable `{first}` on there are {paths} scenarios or more, and their linear \
         program of {rows} rows and up to {columns} columns is too large to be solved exactly"
    ))))
}

/// From the answer of the linear program to plans.
struct Telling<'a> {
    program: &'a Program,
    board: &'a Board,
    tail: &'a Tail<'a>,
}

type Point = IdVec<VarId, Rational>;

impl Telling<'_> {
    fn settled(&self, plans: &mut Plans, answer: Answer) -> Settled {
        match answer {
            Answer::Optimal {
                point,
                value,
                multipliers,
            } => {
                let ending = |_| Ending::Complete;
                let weighing = Ending::Bounded(self.tail.weighing(&multipliers));
                Settled {
                    score: Score::Cost(value),
                    strategy: Some(self.strategy(plans, &point, ending)),
                    refutation: Some(plans.refutations.add(PlanNode::End(weighing))),
                    line: self.line(plans, &point),
                }
            }
            Answer::Unbounded { point, ray } => {
                let ending = |path| Ending::Ray(self.tail.direction(path, &ray));
                Settled {
                    score: Score::Unbounded,
                    strategy: Some(self.strategy(plans, &point, ending)),
                    refutation: None,
                    line: self.line(plans, &point),
                }
            }
            Answer::Infeasible { multipliers } => {
                let weighing = PlanNode::End(Ending::Bounded(self.tail.weighing(&multipliers)));
                Settled {
                    score: Score::Lost,
                    strategy: None,
                    line: plans.lines.add(weighing.clone()),
                    refutation: Some(plans.refutations.add(weighing)),
                }
            }
        }
    }

    /// Best play of both: the strategy against the scenario that hurts it most.
    fn line(&self, plans: &mut Plans, point: &Point) -> NodeId {
        let worst = self.tail.worst_path(point);
        let mut node = plans.lines.add(PlanNode::End(Ending::Complete));
        for place in self.board.places[self.board.tail..].iter().rev() {
            node = plans.lines.add(PlanNode::Choose {
                variable: place.var,
                value: self.tail.value(worst, place.var, point),
                next: node,
            });
        }
        node
    }

    /// The tree of scenarios, from its leaves to its root.
    fn strategy(
        &self,
        plans: &mut Plans,
        point: &Point,
        ending: impl Fn(usize) -> Ending,
    ) -> NodeId {
        // Paths that agree so far are one group, named by the first of them.
        let mut groups: Vec<(usize, NodeId)> = (0..self.tail.paths.len())
            .map(|path| (path, plans.strategies.add(PlanNode::End(ending(path)))))
            .collect();
        for place in (self.board.tail..self.board.places.len()).rev() {
            groups = match self.board.places[place].owner {
                Quantifier::Exists => self.chosen(plans, point, place, groups),
                Quantifier::Forall => self.awaited(plans, point, place, &groups),
            };
        }
        groups[0].1
    }

    fn chosen(
        &self,
        plans: &mut Plans,
        point: &Point,
        place: usize,
        groups: Vec<(usize, NodeId)>,
    ) -> Vec<(usize, NodeId)> {
        let variable = self.board.places[place].var;
        let choice = |(path, next)| {
            let value = self.tail.value(path, variable, point);
            let node = PlanNode::Choose {
                variable,
                value,
                next,
            };
            (path, plans.strategies.add(node))
        };
        groups.into_iter().map(choice).collect()
    }

    fn awaited(
        &self,
        plans: &mut Plans,
        point: &Point,
        place: usize,
        groups: &[(usize, NodeId)],
    ) -> Vec<(usize, NodeId)> {
        let variable = self.board.places[place].var;
        let parts_here = |path: usize| path > 0 && self.tail.paths[path].parting == place;
        let families = groups.chunk_by(|_, (path, _)| parts_here(*path));
        let await_one = |family: &[(usize, NodeId)]| {
            let reply =
                |&(path, next): &(usize, NodeId)| (self.tail.value(path, variable, point), next);
            let replies: Vec<(Rational, NodeId)> = family.iter().map(reply).collect();
            let branches = match self.program.variables()[variable].kind {
                Kind::Integer => merged(replies),
                Kind::Real => corner_branches(replies),
            };
            let node = PlanNode::Await { variable, branches };
            (family[0].0, plans.strategies.add(node))
        };
        families.map(await_one).collect()
    }
}

/// Corners with the same answer are one branch, which then answers everything between them.
fn corner_branches(replies: Vec<(Rational, NodeId)>) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    for (value, next) in replies {
        match branches.last_mut() {
            Some(last) if last.next == next => last.to = value,
            _ => branches.push(Branch {
                from: value.clone(),
                to: value,
                next,
            }),
        }
    }
    branches
}
