//! Gomoku on n × n boards with rows of k stones.
//!
//! Source: Ederer, Lorenz, Opfer, Wolf, *Modelling games with the help of quantified integer linear
//! programs*, section 3.2. Black (existential) and white (universal) place stones in turns; the
//! first row of `k` wins. The rows are the paper's, by its numbers and names:
//!
//! | number | rows | says |
//! | --- | --- | --- |
//! | (1) | `initial` | the position before the first move |
//! | (2) | `occupation` | not two stones on one intersection |
//! | (3) | `causality` | stones stay |
//! | (4) | `alternation` | the mover places one stone, the other none |
//! | (5)–(8) | `horizontal`, `vertical`, `downward`, `upward` | an indicator is true exactly for a full row |
//! | (9) | `history` | `s` rises with the first row |
//! | (10) | `critical` | `p` peaks with it |
//! | (11) | `victory` | `e`: first row, and the opponent has none |
//! | (12) | `retaliation` | `r`: the player does not win at all |
//!
//! Variables: `xb[t,i,j]`, `xw[t,i,j]` stones after move `t`; `hb`, `vb`, `db`, `ub` and `hw`, …
//! rows; `sb[t]`, `pb[t]`, `eb[t]`, `rb`. Everything that follows from a move stands right behind it.
//!
//! # What was corrected
//! - `u` is missing from the paper's `A_t`; it is quantified with `h`, `v`, `d`.
//! - The paper quantifies all of `A_2, A_4, …` universally. White would then simply set his
//!   indicators wrong. Here only white's *moves* are universal; whatever follows from them is existential.
//! - White's moves are guarded, in one of three ways with the same values ([`Guard`]). As universal
//!   rows, (2) is stated with black's stones before the move, which are those after it.
//! - With (12) a black win at move `t` is worth `t - n²`, a draw `n² + 1`, a white win at `t`
//!   `2n² + 1 - t`; the text says `t` for the first. On boards of even size a loss on the very last
//!   move has the value of a draw. [`decode`] reads the value.

mod moves;
mod parts;
pub mod referee;
mod rows;

use crate::games::board::{Board, Stone};
pub use referee::Verdict;

use num_traits::ToPrimitive;

use crate::games::GameError;
use crate::model::{Expr, Model, Var};
use crate::num::Rational;
use crate::program::Program;
use rows::Windows;

/// How white is made to follow the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// His stones `xw[t,i,j]` are universal, and (2)–(4) are rows of the universal system.
    Rows,
    /// He announces any set of intersections `mw[t,i,j]`. Existential indicators tell a wrong
    /// announcement; black then places the stone for him, which is never worse for black.
    Indicator,
    /// Like [`Guard::Indicator`], but he announces one number `mw[t]`: n² choices, not `2^(n²)`.
    Index,
}

/// What happens when somebody has a row.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum AfterWin {
    /// The board is filled all the same, as (4) has it.
    PlayOn,
    /// No stone is placed any more: (4) places one only while nobody has won, told by `o[t]`. The
    /// values are the same, and there is nothing left to search behind a win.
    Freeze,
}

/// What to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    board: Board,
    row: usize,
    horizon: usize,
    guard: Guard,
    after_win: AfterWin,
}

impl Gomoku {
    /// The game from the empty board until it is full.
    ///
    /// ```
    /// use quip::games::gomoku::Gomoku;
    /// let program = Gomoku::new(3, 3)?.program()?;
    /// assert_eq!(program.blocks().len(), 9);
    /// assert!(Gomoku::new(3, 4).is_err());
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn new(size: usize, row: usize) -> Result<Self, GameError> {
        Self::from(Board::empty(size)?, row)
    }

    /// The game from a position, in which it must be somebody's turn and nobody has a row.
    pub fn from(board: Board, row: usize) -> Result<Self, GameError> {
        let size = board.size();
        if !(1..=size).contains(&row) {
            let message = format!("a row on this board has 1 to {size} stones, not {row}");
            return Err(GameError::parameter("row", message));
        }
        if board.to_move().is_none() {
            let message = "black must have as many stones as white, or one more";
            return Err(GameError::parameter("board", message));
        }
        let windows = Windows::new(size, row);
        if COLOURS.iter().any(|&stone| windows.is_full(&board, stone)) {
            return Err(GameError::parameter("board", "the game is won already"));
        }
        Ok(Self {
            horizon: size * size,
            board,
            row,
            guard: Guard::Rows,
            after_win: AfterWin::PlayOn,
        })
    }

    /// Ends the game after move `last`, counted from the empty board.
    pub fn until(mut self, last: usize) -> Result<Self, GameError> {
        let (first, full) = (self.board.stones(), self.board.size().pow(2));
        if !(first..=full).contains(&last) {
            let message = format!("the last move is between {first} and {full}, not {last}");
            return Err(GameError::parameter("horizon", message));
        }
        self.horizon = last;
        Ok(self)
    }

    /// Chooses how white's moves are guarded.
    #[must_use]
    pub fn guarded_by(mut self, guard: Guard) -> Self {
        self.guard = guard;
        self
    }

    /// Chooses what happens when somebody has a row.
    #[must_use]
    pub fn after_win(mut self, after_win: AfterWin) -> Self {
        self.after_win = after_win;
        self
    }

    /// The position at the beginning.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Stones in a row that win.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The last move, counted from the empty board.
    pub fn last_move(&self) -> usize {
        self.horizon
    }

    /// The program, constraints (1) to (12); [`Gomoku::parts`] writes what is too large to hold.
    pub fn program(&self) -> Result<Program, GameError> {
        /// Moves times intersections of a program that is held.
        const LARGEST: usize = 4096;
        let moves = self.horizon - self.board.stones();
        if moves * self.board.size().pow(2) > LARGEST {
            let message = format!(
                "{moves} moves on {0} × {0} intersections make a program that is only written, as \
                 .qip; with --horizon it ends after fewer",
                self.board.size()
            );
            return Err(GameError::parameter("horizon", message));
        }
        let mut encoding = Encoding::new(self);
        encoding.initial();
        for time in self.board.stones() + 1..=self.horizon {
            encoding.place(time);
            encoding.observe(time);
        }
        encoding.retaliation();
        Ok(encoding.model.build()?)
    }
}

/// What an objective value means on boards of `size`; `None` if no play has it.
///
/// ```
/// use quip::games::gomoku::{Verdict, decode};
/// use quip::num::int;
/// assert_eq!(decode(4, &int(-11)), Some(Verdict::BlackWins(5)));
/// assert_eq!(decode(3, &int(10)), Some(Verdict::Draw));
/// assert_eq!(decode(3, &int(13)), Some(Verdict::WhiteWins(6)));
/// assert_eq!(decode(3, &int(5)), None);
/// ```
pub fn decode(size: usize, value: &Rational) -> Option<Verdict> {
    let full = i64::try_from(size * size).ok()?;
    let value = value.is_integer().then(|| value.to_integer().to_i64())??;
    let at = |time: i64| usize::try_from(time).ok();
    if (1 - full..=0).contains(&value) {
        Some(Verdict::BlackWins(at(value + full)?))
    } else if value == full + 1 {
        Some(Verdict::Draw)
    } else if (full + 2..=2 * full).contains(&value) {
        Some(Verdict::WhiteWins(at(2 * full + 1 - value)?))
    } else {
        None
    }
}

/// The objective value of an end.
pub fn value(size: usize, verdict: Verdict) -> i64 {
    let full = (size * size) as i64;
    match verdict {
        Verdict::BlackWins(at) => at as i64 - full,
        Verdict::Draw => full + 1,
        Verdict::WhiteWins(at) => 2 * full + 1 - at as i64,
    }
}

/// The letter of a colour in names.
fn letter(stone: Stone) -> char {
    match stone {
        Stone::Black => 'b',
        Stone::White => 'w',
    }
}

const COLOURS: [Stone; 2] = [Stone::Black, Stone::White];

/// For each colour something.
#[derive(Clone, Debug, Default)]
struct Both<T> {
    black: T,
    white: T,
}

impl<T> Both<T> {
    fn of(&self, stone: Stone) -> &T {
        match stone {
            Stone::Black => &self.black,
            Stone::White => &self.white,
        }
    }

    fn of_mut(&mut self, stone: Stone) -> &mut T {
        match stone {
            Stone::Black => &mut self.black,
            Stone::White => &mut self.white,
        }
    }
}

/// A program that is being built, move by move.
struct Encoding<'g> {
    game: &'g Gomoku,
    model: Model,
    windows: Windows,
    /// The stones after the last move built.
    stones: Both<Vec<Var>>,
    /// Whether the player has had a row by then: `s`.
    risen: Both<Option<Var>>,
    /// 1 if somebody had a row by then and that stops the game: `o`.
    over: Expr,
    /// The victories so far, with their moves: `e`.
    victories: Both<Vec<(usize, Var)>>,
}

impl<'g> Encoding<'g> {
    fn new(game: &'g Gomoku) -> Self {
        Self {
            game,
            model: Model::new(),
            windows: Windows::new(game.board.size(), game.row),
            stones: Both::default(),
            risen: Both::default(),
            over: Expr::new(),
            victories: Both::default(),
        }
    }

    fn cells(&self) -> usize {
        self.game.board.size().pow(2)
    }

    /// `prefix[t,i,j]`, rows and columns from 1.
    fn label(&self, prefix: &str, time: usize, cell: usize) -> String {
        let size = self.game.board.size();
        format!("{prefix}[{time},{},{}]", cell / size + 1, cell % size + 1)
    }

    /// (12) and the objective.
    fn retaliation(&mut self) {
        let full = self.cells();
        let mut stage = self.model.exists();
        let black = stage.binary("rb");
        let white = stage.binary("rw");
        let mut cost = Expr::new();
        cost.add_term(2 * full + 1, black);
        cost -= weighted(full, white);
        for (time, victory) in &self.victories.black {
            cost.add_term(*time, *victory);
        }
        for (time, victory) in &self.victories.white {
            cost -= weighted(*time, *victory);
        }
        for (stone, retaliates) in [(Stone::Black, black), (Stone::White, white)] {
            let mut total = Expr::from(retaliates);
            for (_, victory) in self.victories.of(stone) {
                total += *victory;
            }
            let row = crate::model::Compare::equals(total, 1);
            self.model.rows("retaliation").add(row);
        }
        self.model.minimize_as("moves", cost);
    }
}

fn weighted(weight: usize, var: Var) -> Expr {
    let mut term = Expr::new();
    term.add_term(weight, var);
    term
}
