//! Subgame-perfect play: what the opponent's errors give away is taken.
//!
//! After each move of the opponent that is followed by one of the owner, the program that is left
//! is solved. If more can be guaranteed now than before, the new strategy replaces the old one;
//! where a limit stops the solve, the old one goes on and keeps what it promised.
//!
//! **Invariant:** the guarantee never gets worse.

use super::{Options, Solver};
use crate::num::Rational;
use crate::outcome::{Move, SolveError};
use crate::program::{Bounds, Id, Program, Quantifier};
use crate::strategy::{Guarantee, Play, Refusal, Strategy, Turn};

/// A play in which one player always plays for the best that is still in reach.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::num::int;
/// use quip::program::Quantifier;
/// use quip::solver::{Options, PerfectPlay};
/// use quip::strategy::Guarantee;
///
/// let program = parse_qip(
///     "minimize x subject to x >= y
///      prefix forall integer y in [0, 9]  exists integer x in [0, 9]  end",
/// )?;
/// let mut play = PerfectPlay::new(&program, Quantifier::Exists, Options::default())?
///     .expect("the existential player wins");
/// assert_eq!(*play.guarantee(), Guarantee::Cost(int(9)));
/// play.observe(int(4))?;
/// assert_eq!(*play.guarantee(), Guarantee::Cost(int(4)));
/// assert_eq!(play.reply()[0].1, int(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PerfectPlay<'a> {
    program: &'a Program,
    options: Options,
    play: Play<'a>,
}

impl<'a> PerfectPlay<'a> {
    /// Solves the program and begins a play; `None` if nothing can be guaranteed, or not within
    /// the limits of the options, which hold for every solve on the way.
    pub fn new(
        program: &'a Program,
        owner: Quantifier,
        options: Options,
    ) -> Result<Option<Self>, SolveError> {
        let options = Options {
            certificate: true,
            target: None,
            ..options
        };
        let strategy = solved(program, owner, &options)?;
        Ok(strategy.map(|strategy| Self {
            program,
            options,
            play: strategy.into_play(program),
        }))
    }

    /// What is guaranteed from here, as a cost.
    pub fn guarantee(&self) -> &Guarantee {
        self.play.guarantee()
    }

    /// The play, with the strategy that is followed now.
    pub fn play(&self) -> &Play<'a> {
        &self.play
    }

    /// Whose move it is, and the owner's move if it is his.
    pub fn turn(&self) -> Turn<'_> {
        self.play.turn()
    }

    /// Makes the owner's moves until the opponent is to move or the play is over.
    pub fn reply(&mut self) -> Vec<Move> {
        self.play.reply()
    }

    /// Makes the opponent's move, if it is legal, and looks what it is worth.
    pub fn observe(&mut self, value: Rational) -> Result<(), Refusal> {
        self.play.observe(value)?;
        if matches!(self.play.turn(), Turn::Reply(_)) {
            self.reconsider();
        }
        Ok(())
    }

    /// Takes the strategy for what is left, if it guarantees more.
    fn reconsider(&mut self) {
        let owner = self.play.strategy().owner();
        let left = fixed(self.program, self.play.moves());
        // A program that was solved is solved again with less in it; if not, nothing is lost.
        let Ok(Some(strategy)) = solved(&left, owner, &self.options) else {
            return;
        };
        let better = match owner {
            Quantifier::Exists => strategy.guarantee() < self.guarantee(),
            Quantifier::Forall => strategy.guarantee() > self.guarantee(),
        };
        if better && let Some(play) = replayed(self.program, strategy, self.play.moves()) {
            self.play = play;
        }
    }
}

/// The program whose first moves are made already.
pub fn fixed(program: &Program, moves: &[Move]) -> Program {
    let mut data = program.clone().into_data();
    for (var, value) in moves {
        data.variables[var.index()].bounds = Bounds::between(value.clone(), value.clone());
    }
    Program::new(data).expect("invariant: fixing a variable keeps a program well formed")
}

fn solved(
    program: &Program,
    owner: Quantifier,
    options: &Options,
) -> Result<Option<Strategy>, SolveError> {
    let outcome = Solver::new(options.clone()).solve(program)?;
    Ok(outcome.held(program, owner))
}

/// The same moves under another strategy; `None` if it would have moved differently.
fn replayed<'a>(program: &'a Program, strategy: Strategy, moves: &[Move]) -> Option<Play<'a>> {
    let mut play = strategy.into_play(program);
    while play.moves().len() < moves.len() {
        match play.turn() {
            Turn::Observe(_) => {
                let (_, value) = &moves[play.moves().len()];
                play.observe(value.clone()).ok()?;
            }
            Turn::Reply(_) => drop(play.reply()),
            Turn::Over(_) => return None,
        }
    }
    (play.moves() == moves).then_some(play)
}
