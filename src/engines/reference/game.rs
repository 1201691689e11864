//! Minimax over the legal moves, on an explicit stack.

use super::Halt;
use super::admission::admit;
use super::board::Board;
use super::incumbent::Incumbent;
use super::plans::{Plans, Settled};
use super::system::System;
use crate::budget::Budget;
use crate::empty;
use crate::num::Rational;
use crate::outcome::{Score, SolveError, cost_of_objective};
use crate::program::{IdVec, Program, Quantifier};
use crate::strategy::NodeId;

/// A game in progress.
pub(super) struct Game<'a> {
    pub program: &'a Program,
    pub board: Board,
    pub existential: System,
    pub universal: System,
    /// The values of the places fixed so far.
    pub values: Vec<i128>,
    pub plans: Plans,
    pub incumbent: Option<Incumbent>,
    /// Linear programs solved for tails.
    pub tail_lps: u64,
}

/// A position whose moves are being tried.
struct Frame {
    next: i128,
    last: i128,
    /// The values tried that were legal, with the opponent's plans against them.
    replies: Option<Vec<(Rational, NodeId)>>,
    best: Option<(Rational, Settled)>,
}

/// What became of a move.
enum Effect {
    Illegal,
    Wins,
    GoesOn,
}

impl<'a> Game<'a> {
    /// The game before its first move.
    pub fn new(program: &'a Program) -> Result<Self, SolveError> {
        let board = Board::new(program)?;
        // With an empty domain the game is over before any real variable matters.
        if program.first_empty_domain().is_none() {
            admit(program, &board)?;
        }
        Ok(Self {
            existential: System::new(program, &board, Quantifier::Exists),
            universal: System::new(program, &board, Quantifier::Forall),
            program,
            board,
            values: Vec::new(),
            plans: Plans::default(),
            incumbent: None,
            tail_lps: 0,
        })
    }

    /// The value of the whole game.
    pub fn settle(&mut self, budget: &mut Budget) -> Result<Settled, Halt> {
        if let Some(decided) = empty::decide(self.program, budget)? {
            return Ok(self.plans.decided(decided.loser.opponent()));
        }
        let existential = self.is_alive(Quantifier::Exists, budget)?;
        let universal = self.is_alive(Quantifier::Forall, budget)?;
        let first_owner = self.board.places.first().map(|place| place.owner);
        let loser = match (existential, universal) {
            (true, true) => return self.play_out(budget),
            (false, true) => Quantifier::Exists,
            (true, false) => Quantifier::Forall,
            (false, false) => first_owner.unwrap_or(Quantifier::Exists),
        };
        Ok(self.plans.decided(loser.opponent()))
    }

    /// The value of a position in which both systems are alive.
    ///
    /// Post: the position is the one on entry.
    fn play_out(&mut self, budget: &mut Budget) -> Result<Settled, Halt> {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            // Step 1. A position is reached for the first time.
            self.visit(budget)?;
            let mut settled = if self.values.len() == self.board.tail {
                Some(self.end(budget)?)
            } else {
                frames.push(self.frame());
                None
            };
            // Step 2. Values go up until some position has a move left to look into.
            loop {
                if let Some(settled) = settled.take() {
                    self.remember(&settled, budget);
                    let Some(frame) = frames.last_mut() else {
                        return Ok(settled);
                    };
                    let value = self.take_back();
                    self.record(frame, value, settled);
                }
                let frame = frames
                    .last_mut()
                    .expect("invariant: a move was just taken back");
                if self.advance(frame, budget)? {
                    break;
                }
                let frame = frames.pop().expect("invariant: it was there above");
                settled = Some(self.conclude(frame));
            }
        }
    }

    fn visit(&mut self, budget: &mut Budget) -> Result<(), Halt> {
        budget.spend_node()?;
        if budget.heartbeat_due() {
            self.report(budget, false);
        }
        Ok(())
    }

    fn end(&mut self, budget: &mut Budget) -> Result<Settled, Halt> {
        let mut settled = if self.board.tail == self.board.places.len() {
            self.leaf()
        } else {
            self.settle_tail(budget)?
        };
        if settled.score == self.best_for(Quantifier::Exists) {
            settled.refutation = None;
        }
        Ok(settled)
    }

    /// A score that nothing can beat for the player. Where no universal row can break and nothing
    /// is optimised, the existential player cannot do better than to satisfy his rows.
    fn best_for(&self, player: Quantifier) -> Score {
        let rules = !self.program.universal_rows().is_empty();
        match player {
            Quantifier::Exists if !rules && self.program.objective().is_none() => {
                Score::Cost(Rational::default())
            }
            _ => Score::worst_for(player.opponent()),
        }
    }

    /// A play that is over with both systems alive.
    fn leaf(&mut self) -> Settled {
        let mut play = IdVec::filled(self.values.len(), Rational::default());
        for (place, &value) in self.board.places.iter().zip(&self.values) {
            play[place.var] = Rational::from_integer(value.into());
        }
        let objective = self.program.objective_value(&play);
        self.plans
            .complete(cost_of_objective(self.program, objective))
    }

    fn frame(&self) -> Frame {
        let place = self.values.len();
        let range = self.board.places[place].range;
        let range = range.expect("invariant: reals are left to the tail");
        let own = match self.board.places[place].owner {
            Quantifier::Exists => &self.existential,
            Quantifier::Forall => &self.universal,
        };
        let (next, last) = own.window(place, range);
        Frame {
            next,
            last,
            replies: Some(Vec::new()),
            best: None,
        }
    }

    /// Makes the next legal move that does not decide the game; `false` when there is none left.
    fn advance(&mut self, frame: &mut Frame, budget: &mut Budget) -> Result<bool, Halt> {
        while frame.next <= frame.last {
            let value = frame.next;
            frame.next += 1;
            self.make(value);
            match self.effect(budget)? {
                Effect::GoesOn => return Ok(true),
                Effect::Illegal => {
                    self.take_back();
                }
                Effect::Wins => {
                    let value = self.take_back();
                    let won = self.plans.decided(self.mover());
                    self.record(frame, value, won);
                }
            }
        }
        Ok(false)
    }

    /// What the last move did to the two systems.
    fn effect(&mut self, budget: &mut Budget) -> Result<Effect, Halt> {
        let mover = self.board.places[self.values.len() - 1].owner;
        if !self.is_alive(mover, budget)? {
            return Ok(Effect::Illegal);
        }
        if !self.is_alive(mover.opponent(), budget)? {
            return Ok(Effect::Wins);
        }
        Ok(Effect::GoesOn)
    }

    /// Notes the value of a legal move.
    fn record(&self, frame: &mut Frame, value: i128, settled: Settled) {
        let mover = self.mover();
        let value = Rational::from_integer(value.into());
        match (&mut frame.replies, settled.plan_of(mover.opponent())) {
            (Some(replies), Some(plan)) => replies.push((value.clone(), plan)),
            (replies, _) => *replies = None,
        }
        if settled.score == self.best_for(mover) {
            // The other moves do not matter, and there is no plan against this one.
            frame.next = frame.last + 1;
        }
        let best = frame.best.as_ref().map(|(_, best)| &best.score);
        if best.is_none_or(|best| settled.score.is_better(best, mover)) {
            frame.best = Some((value, settled));
        }
    }

    /// The value of a position all of whose moves are known.
    fn conclude(&mut self, frame: Frame) -> Settled {
        let place = &self.board.places[self.values.len()];
        let (value, best) = frame
            .best
            .expect("invariant: a player whose system is alive has a legal move");
        self.plans
            .choose(place.owner, place.var, &value, &best, frame.replies)
    }

    /// Linear programs solved so far.
    pub fn lps(&self) -> u64 {
        self.tail_lps + self.existential.lps() + self.universal.lps()
    }

    fn mover(&self) -> Quantifier {
        self.board.places[self.values.len()].owner
    }

    fn make(&mut self, value: i128) {
        let place = self.values.len();
        self.existential.fix(place, value);
        self.universal.fix(place, value);
        self.values.push(value);
    }

    fn take_back(&mut self) -> i128 {
        let value = self.values.pop().expect("invariant: a move was made");
        let place = self.values.len();
        self.existential.unfix(place, value);
        self.universal.unfix(place, value);
        value
    }

    fn is_alive(&mut self, owner: Quantifier, budget: &mut Budget) -> Result<bool, Halt> {
        let system = match owner {
            Quantifier::Exists => &mut self.existential,
            Quantifier::Forall => &mut self.universal,
        };
        system.is_alive(&self.board, self.values.len(), budget)
    }
}
