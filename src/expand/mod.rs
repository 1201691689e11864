//! Abstraction refinement: a handful of scenarios usually decides.
//!
//! The *master* is the deterministic equivalent over the few plays collected so far; its value is a
//! lower bound, and its first stage is a candidate. The *adversary* looks for plays that refute the
//! candidate; they enter the master, which only grows and stays warm. A candidate that nobody
//! refutes at the master's value is optimal. With more blocks the adversary's question is the same
//! one, a block deeper ([`game`]).
//!
//! A candidate whose cost no collected play tells, but which some play kills outright, is refuted
//! like any other: the play enters the master, and with it the rows that forbid the candidate.
//!
//! **Invariant:** bounds are proved by exact branch and bound over the master; HiGHS may only
//! suggest candidates.

mod confine;
mod game;
mod later;
mod pool;
mod ruin;
mod scan;
mod settings;

pub use settings::Settings;

use game::Game;
use scan::Scan;

use crate::budget::{Budget, Progress};
use crate::equivalent::plays::{Listing, hardest_plays, legal_plays};
use crate::equivalent::{
    Branching, Point, Prepared, Skeleton, Tree, claimed_point_within, first_stage, prepare,
    unsupported,
};
use crate::num::{Rational, int};
use crate::outcome::{Effort, Move, Outcome, Score, SolveError, Stop, cost_of_objective};
use crate::presolve::{Switches, simplify};
use crate::program::Program;

const ENGINE: &str = "expand";

/// Solves a program of integers by abstraction refinement.
///
/// ```
/// use quip::budget::Budget;
/// let program = quip::format::parse_qip(
///     "minimize cost: 2 x + 3 z
///      subject to cover: x + z >= y
///      prefix exists integer x in [0, 5]  forall integer y in [0, 2]  exists integer z in [0, 5]
///      end",
/// )?;
/// let outcome = quip::expand::solve(&program, &mut Budget::unlimited())?;
/// assert_eq!(outcome.objective.unwrap().to_string(), "4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(program: &Program, budget: &mut Budget) -> Result<Outcome, SolveError> {
    solve_with(program, &Settings::default(), budget)
}

/// Like [`solve`], with other limits.
pub fn solve_with(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    let easier = simplify(program, &Switches::default());
    match prepare(&easier.program, ENGINE, budget)? {
        Prepared::Decided(outcome) => Ok(*outcome),
        Prepared::Open {
            program,
            mut skeleton,
        } => {
            skeleton.fix_dominated();
            if settings.ruin {
                match ruin::breaks_a_row(&skeleton, budget) {
                    Err(stop) => return Ok(Outcome::interrupted(stop)),
                    Ok(true) => return Ok(Outcome::proved(&program, &Score::Lost)),
                    Ok(false) => {}
                }
            }
            let list = if settings.dominance {
                hardest_plays
            } else {
                legal_plays
            };
            match list(&skeleton, settings.most_plays, budget) {
                Err(stop) => Ok(Outcome::interrupted(stop)),
                Ok(Listing::TooMany) => {
                    let reason = format!(
                        "the universal player has more than {} legal plays",
                        settings.most_plays
                    );
                    Err(unsupported(ENGINE, reason))
                }
                Ok(Listing::Complete(plays)) => {
                    Ok(Expand::new(&program, &skeleton, plays, settings).solve(budget))
                }
            }
        }
    }
}

/// The best strategy so far: what it guarantees and how it begins.
struct Incumbent {
    cost: i64,
    first_stage: Vec<Move>,
}

struct Expand<'a> {
    program: &'a Program,
    skeleton: &'a Skeleton,
    settings: &'a Settings,
    game: Game<'a>,
    tree: Tree,
    master: Branching,
    incumbent: Option<Incumbent>,
    /// No strategy costs less than this.
    bound: Option<i64>,
    /// What somebody else's strategy costs, where only cheaper ones were looked for.
    rival: Option<i64>,
    scan_lps: u64,
}

impl<'a> Expand<'a> {
    fn new(
        program: &'a Program,
        skeleton: &'a Skeleton,
        plays: Vec<Vec<i64>>,
        settings: &'a Settings,
    ) -> Self {
        let mut tree = Tree::new(skeleton);
        // The last play, not the first: large values are more often the bad ones.
        if let Some(play) = plays.last() {
            tree.add_play(skeleton, play);
        }
        let mut master = Branching::new(tree.problem());
        rank(&tree, &mut master, 0);
        Self {
            program,
            skeleton,
            settings,
            game: Game::new(skeleton, plays, if settings.scan { 1 } else { 4 }),
            tree,
            master,
            incumbent: None,
            bound: None,
            rival: None,
            scan_lps: 0,
        }
    }

    fn solve(mut self, budget: &mut Budget) -> Outcome {
        let scan = self.settings.scan
            && !self.skeleton.stages[0].is_empty()
            && !self.skeleton.universals.is_empty();
        let stop = if scan {
            self.scan(budget).err()
        } else {
            self.refine(budget).err()
        };
        self.outcome(stop, budget)
    }

    fn scan(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let last = self.game.all_plays().end - 1;
        let mut scan = Scan::new(self.skeleton, &self.game, last);
        let (program, skeleton) = (self.program, self.skeleton);
        let stop = scan.exhaust(skeleton, &mut self.game, budget, |scan, budget| {
            let cost = scan.incumbent.as_ref().map(|found| found.0);
            let cost = cost.filter(|_| program.objective().is_some());
            budget.report(&Progress {
                nodes: budget.nodes(),
                depth: scan.plays(),
                objective: cost.map(|cost| cost_of_objective(program, skeleton.cost(cost))),
                new_strategy: true,
                ..Progress::default()
            });
        });
        self.scan_lps = scan.lps();
        self.bound = scan.bound();
        self.rival = scan.rival;
        self.incumbent = scan.incumbent.map(|(cost, stage)| {
            let moves = skeleton.stages[0].iter().zip(stage);
            Incumbent {
                cost,
                first_stage: moves.map(|(&var, value)| (var, int(value))).collect(),
            }
        });
        stop
    }

    /// Rounds of candidate and refutation, until the incumbent is proved or there is none.
    fn refine(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        while let Some((candidate, proved)) = self.candidate(budget)? {
            if proved {
                self.bound = self.bound.max(Some(candidate.cost));
            }
            self.report(false, budget);
            let first = self.tree.first_stage_column();
            self.game.place_stage(0, &candidate.values[first..]);
            let all = self.game.all_plays();
            match self.game.attack(0, all, candidate.cost, budget)? {
                Some(plays) => self.learn(&plays),
                None => {
                    self.incumbent = Some(Incumbent {
                        cost: candidate.cost,
                        first_stage: first_stage(self.skeleton, &self.tree, &candidate.values),
                    });
                    self.report(true, budget);
                    if proved {
                        return Ok(());
                    }
                }
            }
        }
        self.bound = self.incumbent.as_ref().map(|found| found.cost);
        Ok(())
    }

    /// A first stage that may be better than the incumbent, with its tree's cost, and whether that
    /// cost is proved to be the master's least. `None`: there is no better one.
    fn candidate(&mut self, budget: &mut Budget) -> Result<Option<(Point, bool)>, Stop> {
        budget.look()?;
        let limit = self.incumbent.as_ref().map(|found| found.cost);
        let nodes = Some(self.settings.nodes_before_claim);
        let quick = self.master.minimise_within(limit, nodes, budget);
        match quick.stop {
            None => return Ok(quick.best.map(|point| (point, true))),
            Some(Stop::Nodes) => budget.look()?,
            Some(stop) => return Err(stop),
        }
        let claimed = claimed_point_within(self.tree.problem(), self.settings.claim_time, budget)?;
        let better = claimed.filter(|point| limit.is_none_or(|limit| point.cost < limit));
        if let Some(point) = better {
            return Ok(Some((point, false)));
        }
        let answer = self.master.minimise(limit, budget);
        match answer.stop {
            None => Ok(answer.best.map(|point| (point, true))),
            Some(stop) => {
                self.bound = self.bound.max(answer.bound);
                Err(stop)
            }
        }
    }

    fn learn(&mut self, plays: &[usize]) {
        let before = self.tree.problem().columns.len();
        let mut new = false;
        for &number in plays {
            new |= self.tree.add_play(self.skeleton, self.game.play(number));
        }
        assert!(
            new,
            "invariant: a refutation holds a play that the master does not know"
        );
        self.master.grow(self.tree.problem());
        rank(&self.tree, &mut self.master, before);
    }

    fn objective(&self, cost: i64) -> Option<Rational> {
        self.program.objective()?;
        Some(cost_of_objective(self.program, self.skeleton.cost(cost)))
    }

    fn report(&self, new_strategy: bool, budget: &mut Budget) {
        if !new_strategy && !budget.heartbeat_due() {
            return;
        }
        let incumbent = self.incumbent.as_ref();
        let progress = Progress {
            nodes: budget.nodes(),
            depth: self.tree.plays(),
            objective: incumbent.and_then(|found| self.objective(found.cost)),
            bound: self.bound.and_then(|bound| self.objective(bound)),
            lps: self.lps(),
            new_strategy,
            ..Progress::default()
        };
        budget.report(&progress);
    }

    fn lps(&self) -> u64 {
        self.master.lps() + self.game.lps() + self.scan_lps
    }

    /// Nothing is cheaper than the strategy of somebody else, who is therefore right.
    fn leave_it_to_the_rival(&mut self, stop: Option<Stop>) -> Option<Stop> {
        let own = self.incumbent.as_ref().map(|found| found.cost);
        match (stop, self.rival) {
            (None, Some(rival)) if own.is_none_or(|own| rival < own) => {
                self.bound = Some(rival);
                Some(Stop::Signal)
            }
            _ => stop,
        }
    }

    fn outcome(mut self, stop: Option<Stop>, budget: &Budget) -> Outcome {
        let stop = self.leave_it_to_the_rival(stop);
        let effort = Effort {
            nodes: budget.nodes(),
            lps: self.lps(),
        };
        let mut outcome = match (&self.incumbent, stop) {
            (Some(found), None) => {
                let score = Score::Cost(self.skeleton.cost(found.cost));
                Outcome::proved(self.program, &score)
            }
            (None, None) => Outcome::proved(self.program, &Score::Lost),
            (found, Some(stop)) => {
                let mut outcome = Outcome::interrupted(stop);
                outcome.objective = found.as_ref().and_then(|found| self.objective(found.cost));
                outcome.bound = self.bound.and_then(|bound| self.objective(bound));
                outcome
            }
        };
        outcome.effort = effort;
        if let Some(found) = self.incumbent {
            outcome.first_stage = found.first_stage;
        }
        outcome
    }
}

fn rank(tree: &Tree, master: &mut Branching, first: usize) {
    for column in first..tree.problem().columns.len() {
        master.set_rank(column, tree.rank(column));
    }
}
