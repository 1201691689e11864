//! Chess in K steps: can White, who moves first, take the black king within `K` steps, whatever
//! Black does?
//!
//! Source: Kfoury, *Formal modeling with QBF's*, section 1. `x[m,n,s]` says that piece `m` is at
//! place `n` after step `s`; place 0 is off the board: `32 · 65 · (K + 1)` variables on the full board.
//! White moves at even steps and owns the odd states, Black the even ones from 2 on. `go[s,m,a,b]` says that
//! step `s` moves piece `m` from `a` to `b`. The rows are
//! - `initial`: I₀;
//! - `place`: φ, each piece is at exactly one place (Exercise 1);
//! - `apart`: ψ, not two pieces on one square; any number off the board (Exercise 2);
//! - `move`: T^W and T^B, exactly one move, along a free way, a captured piece goes to place 0 (Exercise 4);
//! - `goal`: G_K, at the end the white king is on the board and the black one is off (Exercise 3).
//!
//! The program (Exercise 5) is feasible if and only if White can. Black's steps are guarded by
//! universal rows or by a number ([`Guard`]); if Black has no move at all, White has won.
//!
//! # What was corrected and what is left out
//! - As in the document, taking the king is the goal, and nobody is obliged to get out of check: mate in
//!   `n` is taking the king in `2n + 1` steps, unless Black is stalemated, which is a win here.
//! - No castling, no capture en passant, no promotion: a pawn on the last rank stays there.
//! - The document says `K` odd. The generator refuses an even number.
//! - [`Chess::black_moves`] is Exercise 6.

mod encode;
mod formula;
mod geometry;
mod position;
pub mod referee;

pub use position::{Colour, Kind, LARGEST, Piece, Position};

use crate::games::GameError;
use crate::program::Program;

/// How Black is made to follow the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// His states and moves are his variables, and T^B is in the universal system.
    Rows,
    /// He names a move by a number; a move against the rules is replaced by one of White's choice.
    Index,
}

/// What to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chess {
    position: Position,
    steps: usize,
    guard: Guard,
    /// The kinds that Black may move; none stands for all.
    black: Vec<Kind>,
}

impl Chess {
    /// Whether White takes the king from here within `steps`, an odd number.
    ///
    /// ```
    /// use quip::games::chess::{Chess, Position};
    /// let position = Position::parse("k..\n...\nK.R\n")?;
    /// assert!(Chess::new(position.clone(), 3)?.program().is_ok());
    /// assert_eq!(
    ///     Chess::new(position, 2).unwrap_err().to_string(),
    ///     "steps: White moves first and last, so the number is odd, not 2"
    /// );
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn new(position: Position, steps: usize) -> Result<Self, GameError> {
        if steps.is_multiple_of(2) {
            let message = format!("White moves first and last, so the number is odd, not {steps}");
            return Err(GameError::parameter("steps", message));
        }
        for (colour, name) in [(Colour::White, "white"), (Colour::Black, "black")] {
            if position.king(colour).is_none() {
                let message = format!("there must be exactly one {name} king");
                return Err(GameError::parameter("board", message));
            }
        }
        Ok(Self {
            position,
            steps,
            guard: Guard::Index,
            black: Vec::new(),
        })
    }

    /// Chooses how Black's moves are guarded.
    #[must_use]
    pub fn guarded_by(mut self, guard: Guard) -> Self {
        self.guard = guard;
        self
    }

    /// Lets Black move pieces of these kinds only; no kinds stand for all.
    #[must_use]
    pub fn black_moves(mut self, kinds: &[Kind]) -> Self {
        self.black = kinds.to_vec();
        self
    }

    /// The number by which Black names a move of the piece at a place of the list.
    pub(super) fn number_of_move(&self, piece: usize, from: usize, to: usize) -> Option<usize> {
        encode::number_of_move(self, piece, from, to)
    }

    /// Where Black's moves lead from and to, in the order in which they are numbered from 1.
    pub(super) fn moves_of_black(&self) -> Vec<(usize, usize)> {
        let candidates = encode::candidates(self, Colour::Black).into_iter();
        candidates.map(|it| (it.way.from, it.way.to)).collect()
    }

    /// The program Φ_K.
    pub fn program(&self) -> Result<Program, GameError> {
        encode::program(self)
    }

    /// Φ_K as a quantified Boolean formula in QCIR, on the document's variables alone.
    ///
    /// ```
    /// use quip::games::chess::{Chess, Position};
    /// let position = Position::parse("k..\n...\nK.R\n")?;
    /// let text = Chess::new(position, 1)?.formula();
    /// assert!(text.starts_with("#QCIR-G14\nexists(x_1_0_0, "));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn formula(&self) -> String {
        formula::formula(self)
    }

    /// One formula of the document by itself, on the states that it speaks of: `I0`, `phi` and `psi` of the
    /// state after `step`, `T` of the step that leads from there to the next state, `G`.
    ///
    /// ```
    /// use quip::games::chess::{Chess, Position};
    /// let chess = Chess::new(Position::parse("k..\n...\nK.R\n")?, 3)?;
    /// assert!(chess.part("G", 0)?.starts_with("#QCIR-G14\nexists(x_1_0_3, "));
    /// assert!(chess.part("T", 3).is_err());
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn part(&self, part: &str, step: usize) -> Result<String, GameError> {
        formula::part(self, part, step)
    }
}
