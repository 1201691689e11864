//! How the program chooses a move within the time for a move.
//!
//! Half of the time is for the position: if that is solved, the answer has the move. Half of the rest is for the positions
//! after each move. What is still undecided then is chosen by the best bound and, among equals, by playouts. A move that
//! is proved to lose is made only if all are.

use std::time::Duration;

use quip::budget::{Budget, Limits};
use quip::games::play::{End, playouts};
use quip::num::Rational;
use quip::outcome::{Outcome, Score, Status, cost_of_objective};
use quip::program::{Program, Quantifier};

use super::Session;
use crate::cli::exit::Failure;

/// A position is not worth solving in less than this.
const WORTHWHILE: Duration = Duration::from_millis(50);

/// What came of thinking about a move.
pub(super) struct Thought {
    outcome: Outcome,
    word: String,
    /// Random plays that it took, where nothing better was known.
    plays: Option<usize>,
}

impl Thought {
    /// What is guaranteed, in words.
    pub(super) fn promise(&self, session: &Session) -> String {
        session.promised(&self.outcome)
    }

    /// The move, and a remark on where it comes from.
    pub(super) fn choice(&self) -> (&str, String) {
        let remark = match self.plays {
            Some(plays) => format!(", by {plays} playouts"),
            None => String::new(),
        };
        (&self.word, remark)
    }
}

/// What is known of a move: no better score than the first is possible for the existential player, and
/// the second is sure.
struct Known {
    word: String,
    best: Score,
    sure: Score,
    /// Whether it ends the game for the other side, or for nobody.
    is_over: bool,
}

impl Known {
    /// How it ranks for a player: what is sure, then what is possible, then whether the game goes on.
    fn rank(&self, player: Quantifier) -> (&Score, &Score, bool) {
        match player {
            Quantifier::Exists => (&self.sure, &self.best, self.is_over),
            Quantifier::Forall => (&self.best, &self.sure, self.is_over),
        }
    }

    fn is_better(&self, other: &Self, player: Quantifier) -> bool {
        let ((sure, possible, over), (sure2, possible2, over2)) =
            (self.rank(player), other.rank(player));
        sure.is_better(sure2, player)
            || sure == sure2
                && (possible.is_better(possible2, player)
                    || possible == possible2 && !over && over2)
    }

    fn is_decided(&self) -> bool {
        self.best == self.sure
    }
}

impl Session {
    /// The best move that could be found out in the time for a move.
    pub(super) fn thought(&self, player: Quantifier) -> Result<Thought, Failure> {
        let clock = self.clock(self.time);
        let program = self.table.program();
        let outcome = self.solved_within(&program, self.time / 2)?;
        let mut thought = Thought {
            word: String::new(),
            plays: None,
            outcome,
        };
        if let Some(word) = self.planned(&program, &thought.outcome, player) {
            thought.word = word;
            return Ok(thought);
        }
        let known = self.looked_at(player, &clock)?;
        let Some(best) = known
            .iter()
            .reduce(|best, it| match it.is_better(best, player) {
                true => it,
                false => best,
            })
        else {
            return Err(Failure::System("a player to move has a move".into()));
        };
        thought.word.clone_from(&best.word);
        let equals = known.iter().filter(|it| !best.is_better(it, player));
        let equals: Vec<String> = equals.map(|it| it.word.clone()).collect();
        if !best.is_decided() && equals.len() > 1 {
            let (rules, history) = (self.table.rules(), self.table.history());
            let mut goes_on = || clock.remaining().is_some_and(|left| !left.is_zero());
            let candidates = self.table.options_of(&equals);
            if let Some(advice) = playouts(rules, history, &candidates, &mut goes_on) {
                thought.word = rules.word(advice.option);
                thought.plays = Some(advice.plays);
            }
        }
        Ok(thought)
    }

    fn clock(&self, time: Duration) -> Budget {
        let limits = Limits {
            time: Some(time),
            ..Limits::default()
        };
        Budget::new(limits, std::sync::Arc::default(), None)
    }

    /// The positions after each move, each in its share of half the time that is left.
    fn looked_at(&self, player: Quantifier, clock: &Budget) -> Result<Vec<Known>, Failure> {
        let won = match player {
            Quantifier::Exists => End::First,
            Quantifier::Forall => End::Second,
        };
        let half = clock.remaining().unwrap_or_default() / 2;
        let mine = self.clock(half);
        let words = self.table.moves();
        let mut known = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let Some(program) = self.table.program_after(word) else {
                continue;
            };
            let left = (words.len() - place) as u32;
            let share = mine.remaining().unwrap_or_default() / left;
            let (best, sure) = match share < WORTHWHILE {
                true => (Score::Won, Score::Lost),
                false => scores(&program, &self.solved_within(&program, share)?),
            };
            known.push(Known {
                best,
                sure,
                is_over: self.table.end_after(word).is_some_and(|end| end != won),
                word: word.clone(),
            });
        }
        Ok(known)
    }

    /// Whether the strategy in hand wins.
    fn wins_by(&self, outcome: &Outcome) -> bool {
        let value = outcome.objective.as_ref();
        value.is_some_and(|value| self.table.rules().end_of_value(value) == End::First)
    }

    /// The move that a solved position's answer begins with.
    fn planned(&self, program: &Program, outcome: &Outcome, player: Quantifier) -> Option<String> {
        let moves = match (player, outcome.status) {
            // What is lost is held out: every move is looked at.
            (Quantifier::Exists, Status::Infeasible) => return None,
            // A strategy in hand that only loses, or ties, may be far from the best.
            (Quantifier::Exists, Status::Interrupted) if !self.wins_by(outcome) => return None,
            (Quantifier::Exists, _) => &outcome.first_stage,
            (Quantifier::Forall, Status::Optimal | Status::Infeasible) => {
                &outcome.principal_variation
            }
            (Quantifier::Forall, _) => return None,
        };
        let value = |name: &str| {
            let var = program.find(name)?;
            let (_, value) = moves.iter().find(|(moved, _)| *moved == var)?;
            i64::try_from(value.to_integer()).ok()
        };
        self.table.move_of(value)
    }
}

/// The best score that is possible for the existential player, and the one that it is sure of.
fn scores(program: &Program, outcome: &Outcome) -> (Score, Score) {
    let cost = |value: Rational| Score::Cost(cost_of_objective(program, value));
    let exactly = |score: Score| (score.clone(), score);
    match outcome.status {
        Status::UniversalStuck => exactly(Score::Won),
        Status::Unbounded => exactly(Score::Unbounded),
        Status::Infeasible => exactly(Score::Lost),
        Status::Optimal | Status::Feasible => {
            exactly(cost(outcome.objective.clone().unwrap_or_default()))
        }
        Status::Interrupted | Status::TargetReached | Status::GoodEnough => (
            outcome.bound.clone().map_or(Score::Won, cost),
            outcome.objective.clone().map_or(Score::Lost, cost),
        ),
    }
}
