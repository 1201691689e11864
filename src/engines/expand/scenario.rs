//! One refutation of the scan, with its own small program.
//!
//! A part of the first stage is closed when a refutation has no answer in it that is cheap enough.
//! The cheapest answer may take thousands of nodes to prove where the first one that will do takes
//! fifty: so the cheapest is asked for first, but only for a while ([`Settings::patience`]).
//!
//! On the critical node problem proving the cheapest answers, and asking every refutation in every
//! part, took nearly all the time. n60_3-3-1_008 was not solved in 30 s; now 172 candidates and 303
//! close looks of 20 nodes on average decide it.
//!
//! **Invariant:** an answer lies in every row of its plays; that there is none is proved.

use super::game::{Game, Plays};
use super::settings::Settings;
use crate::budget::Budget;
use crate::equivalent::{Branching, Point, Skeleton, Tree};
use crate::outcome::Stop;

/// How many answers a scenario remembers.
const KNOWN: usize = 64;

/// How many nodes a glance takes at most.
const GLANCE: u64 = 8;

/// The longest pause between two glances, in parts.
const LONGEST_PAUSE: u32 = 64;

/// How carefully a scenario is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Care {
    /// A few nodes, and not at all if that has been in vain lately.
    Glance,
    /// Until there is an answer or none; the cheapest one if that does not take long.
    Any,
    /// Until the cheapest answer is proved.
    Cheapest,
}

/// What a scenario says to a part of the first stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Nothing in the part is cheap enough.
    Closed,
    /// An answer.
    Found(Response),
    /// The glance was too short. Nothing in the part costs less than this.
    Unknown(Option<i64>),
}

/// An answer to a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// What it costs against the scenario.
    pub cost: i64,
    /// Its first stage.
    pub stage: Vec<i64>,
    /// Whether nothing in the part is cheaper.
    pub is_least: bool,
}

/// See the module.
pub struct Scenario {
    /// What refutes: a play, or a few when the adversary moves again later.
    pub plays: Plays,
    tree: Tree,
    program: Branching,
    /// Good answers of some part: cost and first stage, the latest first.
    known: Vec<(i64, Vec<i64>)>,
    /// How many parts the next pause takes, and how many are left of this one.
    pause: (u32, u32),
    /// See [`Settings::patience`].
    patience: u64,
    /// Whether the first stage is split first.
    by_stage: bool,
}

impl Scenario {
    /// For one refutation.
    pub fn new(skeleton: &Skeleton, game: &Game<'_>, plays: Plays, settings: &Settings) -> Self {
        let mut tree = Tree::new(skeleton);
        for &play in &plays {
            tree.add_play(skeleton, game.play(play));
        }
        let mut program = Branching::new(tree.problem());
        program.split_by_gains(settings.gains);
        let mut scenario = Self {
            plays,
            program,
            tree,
            known: Vec::new(),
            pause: (0, 0),
            patience: settings.patience,
            by_stage: !settings.gains,
        };
        scenario.rank(0);
        scenario
    }

    /// Splits at the value column last; where gains do not tell, at the first stage first.
    fn rank(&mut self, first: usize) {
        let value = self.tree.value_column();
        for column in first..self.tree.problem().columns.len() {
            if self.by_stage || value == Some(column) {
                self.program.set_rank(column, self.tree.rank(column));
            }
        }
    }

    /// Takes more plays. Answers that were good without them are forgotten.
    pub fn grow(&mut self, skeleton: &Skeleton, game: &Game<'_>, plays: &Plays) {
        let new: Plays = plays
            .iter()
            .copied()
            .filter(|play| !self.plays.contains(play))
            .collect();
        let before = self.tree.problem().columns.len();
        for &play in &new {
            self.tree.add_play(skeleton, game.play(play));
        }
        if !new.is_empty() {
            self.plays.extend(new);
            self.known.clear();
            self.program.grow(self.tree.problem());
            self.rank(before);
        }
    }

    /// Splits first where splits have brought much in another scenario: they are alike.
    pub fn expect_gains_of(&mut self, other: &Self) {
        self.program.expect_gains_of(&other.program);
    }

    /// Linear programs solved.
    pub fn lps(&self) -> u64 {
        self.program.lps()
    }

    /// How many of the known answers have that value at that place of the first stage.
    pub fn popularity(&self, place: usize, value: i64) -> usize {
        let known = self.known.iter();
        known.filter(|(_, stage)| stage[place] == value).count()
    }

    /// How many of the known answers are higher at that place of the first stage.
    pub fn higher(&self, place: usize, value: i64) -> usize {
        let known = self.known.iter();
        known.filter(|(_, stage)| stage[place] > value).count()
    }

    /// An answer inside the part that costs less than the limit.
    pub fn reply(
        &mut self,
        part: &[(i64, i64)],
        limit: Option<i64>,
        care: Care,
        budget: &mut Budget,
    ) -> Result<Reply, Stop> {
        if let Some(response) = self.known_response(part, limit) {
            return Ok(Reply::Found(response));
        }
        if care == Care::Glance && self.is_pausing() {
            return Ok(Reply::Unknown(None));
        }
        let first = self.tree.first_stage_column();
        for (place, &(lower, upper)) in part.iter().enumerate() {
            self.program.set_box(first + place, lower, upper);
        }
        let reply = self.solve(limit, care, budget)?;
        if care == Care::Glance {
            self.weigh(&reply);
        }
        if let Reply::Found(response) = &reply {
            self.known.truncate(KNOWN - 1);
            let known = (response.cost, response.stage.clone());
            self.known.insert(0, known);
        }
        Ok(reply)
    }

    /// Most parts hold an answer that was found elsewhere.
    fn known_response(&mut self, part: &[(i64, i64)], limit: Option<i64>) -> Option<Response> {
        let inside = |stage: &[i64]| {
            let mut ends = part.iter().zip(stage);
            ends.all(|((lower, upper), value)| lower <= value && value <= upper)
        };
        let place = self
            .known
            .iter()
            .position(|(cost, stage)| limit.is_none_or(|limit| *cost < limit) && inside(stage))?;
        self.known[..=place].rotate_right(1);
        let (cost, stage) = self.known[0].clone();
        Some(Response {
            cost,
            stage,
            is_least: false,
        })
    }

    fn solve(
        &mut self,
        limit: Option<i64>,
        care: Care,
        budget: &mut Budget,
    ) -> Result<Reply, Stop> {
        let nodes = match care {
            Care::Glance => Some(GLANCE.min(self.patience)),
            Care::Any => Some(self.patience),
            Care::Cheapest => None,
        };
        let answer = self.program.minimise_within(limit, nodes, budget);
        match (answer.stop, answer.best) {
            (None, best) => Ok(self.found(best, true)),
            (Some(Stop::Nodes), best) => {
                budget.look()?;
                match (best, care) {
                    (Some(best), _) => Ok(self.found(Some(best), false)),
                    (None, Care::Any) => {
                        let any = self.program.any_point_below(limit, budget)?;
                        Ok(self.found(any, false))
                    }
                    (None, _) => Ok(Reply::Unknown(answer.bound)),
                }
            }
            (Some(stop), _) => Err(stop),
        }
    }

    fn found(&self, point: Option<Point>, is_least: bool) -> Reply {
        point.map_or(Reply::Closed, |point| {
            let first = self.tree.first_stage_column();
            let end = self.tree.column_after_first_stage();
            Reply::Found(Response {
                cost: point.cost,
                stage: point.values[first..end].to_vec(),
                is_least,
            })
        })
    }

    fn is_pausing(&mut self) -> bool {
        let left = self.pause.1.checked_sub(1);
        self.pause.1 = left.unwrap_or(0);
        left.is_some()
    }

    /// A glance that does not close the part makes the next pause longer.
    fn weigh(&mut self, reply: &Reply) {
        let longer = match reply {
            Reply::Closed => 0,
            Reply::Found(_) | Reply::Unknown(_) => (2 * self.pause.0 + 1).min(LONGEST_PAUSE),
        };
        self.pause = (longer, longer);
    }
}
