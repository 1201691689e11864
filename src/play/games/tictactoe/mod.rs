//! Tic-tac-toe on K × K boards as a question of quantifiers, and the one-move win.
//!
//! Source: Kfoury, *Formal modeling with QBF's*, section 2. `x[i,j,s]` and `y[i,j,s]` say that X or
//! O stands on a square after step `s`: `2K² + 2K⁴` variables. X moves at even steps. The board is
//! always filled. The rows are
//! - `start`: φ_start, the empty board (Exercise 7);
//! - `theta`: θ_s^X and θ_s^O, the legal moves (Exercise 8): nothing but one free square changes. They bind
//!   whoever moves at step `s`, so those of the universal player are universal rows;
//! - `win`: φ_X-win, or its denial for Φ_O-strat (Exercises 9 and 10), by the claims `win[…]`.
//!
//! # What was corrected
//! - The document's φ_X-win may be read in two ways. [`Reading::FirstLine`]: X completes the first line.
//!   [`Reading::FinalBoard`]: X owns a line on the full board, whatever O has; so read X wins on
//!   3 × 3, because O must go on filling squares.
//! - The prenex formula makes an illegal universal move true, that is, a win of the existential
//!   player. Universal rows say the same.
//! - [`Guard::Index`] is a third way with the same answers: the universal player names a square, and the
//!   state is the existential player's; a square that is taken is replaced by one of his choice.

mod formula;
mod one_move;
pub mod referee;

pub use one_move::{one_move_formula, one_move_win};

use crate::games::GameError;
use crate::games::choice::announced;
use crate::model::{Compare, Constraint, Model, Var, row, sum};
use crate::program::{Program, Quantifier};

/// Who asks for a strategy, and is the existential player.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Moves first and wants a line: Φ_X-strat.
    X,
    /// Wants X not to win: Φ_O-strat.
    O,
}

/// What a win of X is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// X completes a line before O does.
    FirstLine,
    /// X owns a line when the board is full.
    FinalBoard,
}

/// How the universal player is made to follow the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// His steps are his variables, and θ is in the universal system.
    Rows,
    /// He names a square by a number.
    Index,
}

/// What to ask.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    /// Rows of the board.
    pub size: usize,
    /// Whose strategy.
    pub player: Player,
    /// What a win is.
    pub reading: Reading,
    /// How the opponent is bound.
    pub guard: Guard,
}

/// The largest board.
pub const LARGEST: usize = 6;

impl TicTacToe {
    /// The program: feasible if and only if the player has a strategy.
    ///
    /// ```
    /// use quip::games::tictactoe::*;
    /// let game = TicTacToe {
    ///     size: 3,
    ///     player: Player::O,
    ///     reading: Reading::FinalBoard,
    ///     guard: Guard::Rows,
    /// };
    /// assert_eq!(game.program()?.variables().len(), 180);
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn program(&self) -> Result<Program, GameError> {
        self.check()?;
        let mut encoding = Encoding::new(*self);
        encoding.start();
        for step in 0..self.size.pow(2) {
            encoding.step(step);
            if self.reading == Reading::FirstLine {
                encoding.watch(step + 1);
            }
        }
        encoding.finish();
        Ok(encoding.model.build()?)
    }

    fn check(&self) -> Result<(), GameError> {
        if (1..=LARGEST).contains(&self.size) {
            return Ok(());
        }
        let message = format!("a board has 1 to {LARGEST} rows, not {}", self.size);
        Err(GameError::parameter("size", message))
    }

    fn existential(&self, mover: Player) -> bool {
        mover == self.player
    }
}

/// The squares of one step.
#[derive(Clone, Debug)]
struct State {
    x: Vec<Var>,
    y: Vec<Var>,
}

struct Encoding {
    game: TicTacToe,
    model: Model,
    lines: Vec<Vec<usize>>,
    states: Vec<State>,
    /// Claims of the existential player to have made a line in time.
    claims: Vec<Var>,
}

impl Encoding {
    fn new(game: TicTacToe) -> Self {
        Self {
            game,
            model: Model::new(),
            lines: lines(game.size),
            states: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// φ_start.
    fn start(&mut self) {
        let state = self.state(0, Quantifier::Exists);
        let mut rows = self.model.rows("start");
        for &square in state.x.iter().chain(&state.y) {
            rows.add(row!(square == 0));
        }
        self.states.push(state);
    }

    fn state(&mut self, step: usize, owner: Quantifier) -> State {
        let size = self.game.size;
        let mut stage = match owner {
            Quantifier::Exists => self.model.exists(),
            Quantifier::Forall => self.model.forall(),
        };
        let mut squares = |letter: char| {
            (0..size * size)
                .map(|cell| {
                    let (i, j) = (cell / size + 1, cell % size + 1);
                    stage.binary(format!("{letter}[{i},{j},{step}]"))
                })
                .collect()
        };
        State {
            x: squares('x'),
            y: squares('y'),
        }
    }

    /// From step `step` to the next, by its mover.
    fn step(&mut self, step: usize) {
        let mover = if step.is_multiple_of(2) {
            Player::X
        } else {
            Player::O
        };
        let before = self.states[step].clone();
        let after = if self.game.existential(mover) {
            let after = self.state(step + 1, Quantifier::Exists);
            let rows = theta(mover, &before, &after);
            self.model.rows(&format!("theta{step}")).add_all(rows);
            after
        } else if self.game.guard == Guard::Rows {
            let after = self.state(step + 1, Quantifier::Forall);
            let rows = theta(mover, &before, &after);
            self.model
                .uncertainty_rows(&format!("theta{step}"))
                .add_all(rows);
            after
        } else {
            self.named_square(step, mover, &before)
        };
        self.states.push(after);
    }

    /// The universal player names a square. A taken one gives the existential player the choice.
    fn named_square(&mut self, step: usize, mover: Player, before: &State) -> State {
        let squares = self.game.size.pow(2);
        let aims = announced(&mut self.model, format!("m[{step}]"), squares, |cell| {
            format!("aim[{step},{}]", cell + 1)
        });
        let mut stage = self.model.exists();
        let void: Vec<Var> = (1..=squares)
            .map(|cell| stage.binary(format!("taken[{step},{cell}]")))
            .collect();
        let after = self.state(step + 1, Quantifier::Exists);
        let rows = theta(mover, before, &after);
        self.model.rows(&format!("theta{step}")).add_all(rows);
        let placed = match mover {
            Player::X => &after.x,
            Player::O => &after.y,
        };
        let mut rows = self.model.rows("named");
        for cell in 0..squares {
            let (taken, aim) = (void[cell], aims[cell]);
            let there = before.x[cell] + before.y[cell];
            rows.add(row!(2 * taken <= aim + there));
            rows.add(row!(placed[cell] >= aim - taken));
        }
        after
    }

    /// First-line reading: claims and denials after a step.
    fn watch(&mut self, step: usize) {
        let x_moved = step % 2 == 1;
        match (self.game.player, x_moved) {
            (Player::X, true) => self.claim_first_line(step),
            (Player::O, false) => self.claim_line_of_o(step),
            (Player::O, true) => self.deny(step),
            (Player::X, false) => {}
        }
    }

    /// X claims a full line of his while O had none.
    fn claim_first_line(&mut self, step: usize) {
        for (number, line) in (1..).zip(self.lines.clone()) {
            let claim = self.model.exists().binary(format!("win[{step},{number}]"));
            let mut rows = self.model.rows("win");
            for &cell in &line {
                rows.add(row!(claim <= self.states[step].x[cell]));
            }
            for other in &self.lines {
                let all_of_o = sum(other.iter().map(|&cell| self.states[step - 1].y[cell]));
                rows.add((claim + all_of_o).leq(self.game.size));
            }
            self.claims.push(claim);
        }
    }

    /// O claims a full line of his own.
    fn claim_line_of_o(&mut self, step: usize) {
        for (number, line) in (1..).zip(self.lines.clone()) {
            let claim = self.model.exists().binary(format!("win[{step},{number}]"));
            let mut rows = self.model.rows("win");
            for &cell in &line {
                rows.add(row!(claim <= self.states[step].y[cell]));
            }
            self.claims.push(claim);
        }
    }

    /// X has no full line, unless O was first.
    fn deny(&mut self, step: usize) {
        let earlier = sum(&self.claims);
        let mut rows = self.model.rows("win");
        for line in &self.lines {
            let all_of_x = sum(line.iter().map(|&cell| self.states[step].x[cell]));
            rows.add(all_of_x.leq(&earlier + (self.game.size - 1)));
        }
    }

    fn finish(&mut self) {
        let last = self.game.size.pow(2);
        match (self.game.reading, self.game.player) {
            (Reading::FinalBoard, Player::O) => self.deny(last),
            (Reading::FinalBoard, Player::X) => {
                for (number, line) in (1..).zip(self.lines.clone()) {
                    let claim = self.model.exists().binary(format!("win[{last},{number}]"));
                    let mut rows = self.model.rows("win");
                    for &cell in &line {
                        rows.add(row!(claim <= self.states[last].x[cell]));
                    }
                    self.claims.push(claim);
                }
            }
            (Reading::FirstLine, _) => {}
        }
        if self.game.player == Player::X {
            let some = sum(&self.claims).geq(1);
            self.model.rows("win").add(some);
        }
    }
}

/// θ_s for one mover: exactly one free square becomes his, nothing else changes.
fn theta(mover: Player, before: &State, after: &State) -> Vec<Constraint> {
    let (own, other) = match mover {
        Player::X => ((&before.x, &after.x), (&before.y, &after.y)),
        Player::O => ((&before.y, &after.y), (&before.x, &after.x)),
    };
    let mut rows = vec![sum(own.1).equals(sum(own.0) + 1)];
    for cell in 0..before.x.len() {
        rows.push(row!(own.1[cell] >= own.0[cell]));
        rows.push(row!(own.1[cell] - own.0[cell] + other.0[cell] <= 1));
        rows.push(row!(other.1[cell] == other.0[cell]));
    }
    rows
}

/// Rows, columns and both diagonals.
fn lines(size: usize) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for fixed in 0..size {
        lines.push((0..size).map(|free| fixed * size + free).collect());
        lines.push((0..size).map(|free| free * size + fixed).collect());
    }
    lines.push((0..size).map(|step| step * size + step).collect());
    lines.push((0..size).map(|step| (step + 1) * size - step - 1).collect());
    lines
}
