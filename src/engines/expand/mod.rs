//! Abstraction refinement: a handful of scenarios usually decides.
//!
//! The *master* is the deterministic equivalent over the few plays collected so far; its value is a
//! lower bound, and its first stage is a candidate. The *adversary* looks for plays that refute the
//! candidate; they enter the master, which only grows and stays warm. A candidate that nobody
//! refutes at the master's value is optimal. With more blocks the adversary's question is the same
//! one, a block deeper (`game`).
//!
//! A candidate whose cost no collected play tells, but which some play kills outright, is refuted
//! like any other: the play enters the master, and with it the rows that forbid the candidate.
//!
//! Plays that the candidate makes illegal do not refute it; if it leaves none, it has won.
//!
//! **Invariant:** bounds are proved by exact branch and bound over the master; HiGHS may only
//! suggest candidates.

mod adversary;
mod at_once;
mod confine;
mod fixed_plan;
mod game;
mod killers;
mod later;
mod neighbours;
mod pool;
mod real;
mod reorder;
mod ruin;
mod scan;
mod scenario;
mod settings;

pub use fixed_plan::fixed_plan;
pub use settings::Settings;

use adversary::{Adversary, on_a_network};
use at_once::floor;
use game::Game;
use scan::Scan;

use crate::budget::{Budget, Limits, Progress};
use crate::equivalent::plays::{Listing, hardest_plays, legal_plays};
use crate::equivalent::{
    Branching, Point, Prepared, Skeleton, Tree, claimed_point_within, concluded, objective_of,
    prepare, unsupported,
};
use crate::num::{Rational, int};
use crate::outcome::{Effort, Move, Outcome, Score, SolveError, Stop};
use crate::presolve::{Switches, simplify, with_implied_integers};
use crate::program::Program;

const ENGINE: &str = "expand";

/// Solves a program of integers, or of integers and real last replies, by abstraction refinement.
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
    let easier = simplify(program, &Switches::default());
    solve_with(&easier.program, &Settings::default(), budget)
}

/// Whether the program has real last replies that [`solve`] takes.
///
/// ```
/// let program = quip::format::parse_qip(
///     "minimize cost: x + z
///      subject to cover: x + 2 z >= y
///      prefix exists integer x in [0, 5]  forall integer y in [0, 3]  exists real z in [0, 1]
///      end",
/// )?;
/// assert!(quip::expand::takes_real_replies(&program));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn takes_real_replies(program: &Program) -> bool {
    real::accepts(program)
}

/// Like [`solve`], with other limits, and without a presolve.
pub fn solve_with(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    if with_implied_integers(program).is_none() && real::accepts(program) {
        if let Some(outcome) = solve_whole(program, settings, budget) {
            return Ok(outcome);
        }
        return real::solve(program, settings, budget);
    }
    match prepare(program, ENGINE, budget)? {
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
            match known_plays(&skeleton, settings, budget) {
                Err(stop) => Ok(Outcome::interrupted(stop)),
                Ok(None) => Err(too_many_plays(settings)),
                Ok(Some((plays, adversary))) => {
                    skeleton.find_safe_beginnings(&plays);
                    let count = plays.len();
                    let game = Game::new(&skeleton, plays, adversary, settings);
                    let mut expand = Expand::new(&program, &skeleton, game, settings);
                    if settings.at_once {
                        match floor(&program, &skeleton, count, settings, budget) {
                            Ok(floor) => expand.bound = floor,
                            Err(stop) => return Ok(Outcome::interrupted(stop)),
                        }
                    }
                    Ok(expand.solve(budget))
                }
            }
        }
    }
}

/// All plays that matter, or a first one and who finds the others.
type Known = (Vec<Vec<i64>>, Option<Adversary>);

fn known_plays(
    skeleton: &Skeleton,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Option<Known>, Stop> {
    let list = if settings.dominance {
        hardest_plays
    } else {
        legal_plays
    };
    let asked = match settings.program {
        true => Adversary::of(skeleton),
        false => None,
    };
    if let Some(mut adversary) = asked {
        if let Listing::Complete(plays) = list(skeleton, settings.most_listed, budget)? {
            return Ok(Some((plays, None)));
        }
        if let Some(play) = adversary.first_play(skeleton, budget)? {
            let mut plays = Vec::from_iter(adversary.steady_play(skeleton, budget)?);
            plays.push(play);
            plays.dedup();
            return Ok(Some((plays, Some(adversary))));
        }
    }
    Ok(match list(skeleton, settings.most_plays, budget)? {
        Listing::TooMany => None,
        Listing::Complete(plays) => Some((plays, None)),
    })
}

/// Solves a program whose replies may as well be integers, if it has more plays than are listed for real ones.
fn solve_whole(program: &Program, settings: &Settings, budget: &mut Budget) -> Option<Outcome> {
    let whole = settings.program.then(|| on_a_network(program))??;
    let Ok(Prepared::Open {
        program,
        mut skeleton,
    }) = prepare(&whole.program, ENGINE, budget)
    else {
        return None;
    };
    skeleton.fix_dominated();
    match known_plays(&skeleton, settings, budget) {
        Err(stop) => Some(Outcome::interrupted(stop)),
        Ok(Some((plays, Some(adversary)))) => {
            skeleton.find_safe_beginnings(&plays);
            let game = Game::new(&skeleton, plays, Some(adversary), settings);
            let mut outcome = Expand::new(&program, &skeleton, game, settings).solve(budget);
            for (var, value) in &mut outcome.principal_variation {
                if whole.replies.contains(var) {
                    *value = &*value / &whole.unit;
                }
            }
            Some(outcome)
        }
        Ok(_) => None,
    }
}

fn too_many_plays(settings: &Settings) -> SolveError {
    let reason = format!(
        "the universal player has more than {} legal plays",
        settings.most_plays
    );
    unsupported(ENGINE, reason)
}

/// While nothing is known that can be done, a master is not asked for the best after so many nodes.
const NODES_BEFORE_FIRST: u64 = 16;

/// The best strategy so far: what it guarantees and how it begins.
struct Incumbent {
    cost: i64,
    stage: Vec<i64>,
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
        game: Game<'a>,
        settings: &'a Settings,
    ) -> Self {
        let mut tree = Tree::new(skeleton);
        // The last play, not the first: large values are more often the bad ones.
        if let Some(last) = game.all_plays().next_back() {
            tree.add_play(skeleton, game.play(last));
        }
        let mut master = Branching::new(tree.problem());
        rank(&tree, &mut master, 0);
        Self {
            program,
            skeleton,
            settings,
            game,
            tree,
            master,
            incumbent: None,
            bound: None,
            rival: None,
            scan_lps: 0,
        }
    }

    fn solve(mut self, budget: &mut Budget) -> Outcome {
        // Against moves that are answered first stages hedge: one play alone says little about them. With 15 sites, 40
        // customers and 658,000 plays the scan stood at 710 and 558 when one master over few plays had proved 686.
        let scan = self.settings.scan
            && !self.game.is_dual()
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
        // Plays that decisions make illegal prove little until a good strategy is known: on ddro-shortest-path 10_14 guesses
        // take 4,035 nodes where 35,000 were not enough.
        let settings = Settings {
            guess: self.settings.guess || self.game.has_adversary(),
            ..self.settings.clone()
        };
        let mut scan = Scan::new(self.skeleton, &self.game, last, &settings);
        scan.begin_at(self.bound);
        let (program, skeleton) = (self.program, self.skeleton);
        let stop = scan.exhaust(skeleton, &mut self.game, budget, |scan, budget| {
            let cost = scan.incumbent.as_ref().map(|found| found.0);
            budget.report(&Progress {
                nodes: budget.nodes(),
                depth: scan.plays(),
                objective: cost.and_then(|cost| objective_of(program, skeleton, cost)),
                new_strategy: true,
                ..Progress::default()
            });
        });
        self.scan_lps = scan.lps();
        self.bound = scan.bound();
        self.rival = scan.rival;
        self.incumbent = scan
            .incumbent
            .map(|(cost, stage)| Incumbent { cost, stage });
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
            let stage = candidate.values[first..][..self.skeleton.stages[0].len()].to_vec();
            if self.game.has_adversary() {
                let Some((play, cost)) = self.game.dearest_play(candidate.cost, budget)? else {
                    self.found(candidate.cost, stage, budget);
                    continue;
                };
                if let Some(cost) = cost {
                    self.found(cost, stage, budget);
                }
                self.learn(&[play]);
                continue;
            }
            let all = self.game.all_plays();
            match self.game.attack(0, all, candidate.cost, budget)? {
                Some(plays) => self.learn(&plays),
                None => {
                    self.found(candidate.cost, stage, budget);
                    if proved {
                        return Ok(());
                    }
                }
            }
        }
        self.bound = self.incumbent.as_ref().map(|found| found.cost);
        Ok(())
    }

    /// Keeps a first stage that guarantees less than the best one.
    fn found(&mut self, cost: i64, stage: Vec<i64>, budget: &mut Budget) {
        if self.incumbent.as_ref().is_none_or(|best| cost < best.cost) {
            self.incumbent = Some(Incumbent { cost, stage });
            self.report(true, budget);
        }
    }

    /// A first stage that may be better than the incumbent, with its tree's cost, and whether that
    /// cost is proved to be the master's least. `None`: there is no better one.
    fn candidate(&mut self, budget: &mut Budget) -> Result<Option<(Point, bool)>, Stop> {
        budget.look()?;
        let limit = self.incumbent.as_ref().map(|found| found.cost);
        // The first one is to be had soon.
        let is_first = self.incumbent.is_none() && self.game.has_adversary();
        let nodes = match is_first {
            true => NODES_BEFORE_FIRST,
            false => self.settings.nodes_before_claim,
        };
        let quick = self.master.minimise_within(limit, Some(nodes), budget);
        if quick.stop.is_some() {
            self.bound = self.bound.max(quick.bound);
        }
        match quick.stop {
            None => return Ok(quick.best.map(|point| (point, true))),
            Some(Stop::Nodes) if is_first && quick.best.is_some() => {
                return Ok(quick.best.map(|point| (point, false)));
            }
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
        objective_of(self.program, self.skeleton, cost)
    }

    /// Best play of both sides, within a budget of its own: the answer is proved already.
    fn variation(&mut self, cost: i64, first_stage: &[i64], budget: &Budget) -> Vec<Move> {
        let limits = Limits {
            time: Some(self.settings.play_time),
            ..Limits::default()
        };
        let mut budget = budget.part(limits);
        match self.game.variation(first_stage, cost, &mut budget) {
            Ok(board) => board
                .pairs()
                .map(|(var, &value)| (var, int(value)))
                .collect(),
            Err(_) => Vec::new(),
        }
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

    fn outcome(mut self, stop: Option<Stop>, budget: &mut Budget) -> Outcome {
        let stop = self.leave_it_to_the_rival(stop);
        let play = match (&self.incumbent, stop) {
            (Some(found), None) if !self.skeleton.is_won(found.cost) => {
                let (cost, stage) = (found.cost, found.stage.clone());
                self.variation(cost, &stage, budget)
            }
            _ => Vec::new(),
        };
        let effort = Effort {
            nodes: budget.nodes(),
            lps: self.lps(),
            learnt: 0,
        };
        let variables = self.skeleton.stages[0].iter().copied();
        let found = self.incumbent.map(|found| {
            let moves = variables.zip(found.stage.into_iter().map(int));
            (found.cost, moves.collect())
        });
        Outcome {
            principal_variation: play,
            ..concluded(self.program, self.skeleton, found, self.bound, stop, effort)
        }
    }
}

fn rank(tree: &Tree, master: &mut Branching, first: usize) {
    for column in first..tree.problem().columns.len() {
        master.set_rank(column, tree.rank(column));
    }
}
