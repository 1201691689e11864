//! Positional games: two players claim cells in turns, and the first to own all cells of a winning
//! set wins. Tic-tac-toe, CrossDot, Connect Four and any hypergraph are such games.
//!
//! Player 1 is existential, player 2 universal. The program is small: only the moves are variables,
//! `c[t,i]` for "move `t` claims cell `i`". Player 2 names an option by a number `m[t]`; if all its
//! cells are taken, player 1 moves for him, which is never worse for player 1. The rows are
//! - `pick`: one cell at each move while the game lasts; `free`: no cell twice; `support`: what lies below is
//!   taken;
//! - `claim`: player 1 may claim `win[t,e]` if he owns the set `e` after move `t`; `won[t]`: he has
//!   claimed one, and player 2 was not first;
//! - `loss`: `lost[t]` if player 2 owns a set by then and player 1 was not first.
//!
//! When somebody has won, no cell is claimed any more, so that nothing is left to search. The objective is
//! maximised: 1 if player 1 wins, 0 for a tie, -1 if player 2 wins. (Player 1 may also give the game up and set
//! `lost[t]` himself, which never serves him.)

mod hypergraph;
pub mod referee;

pub use hypergraph::Hypergraph;

use crate::games::GameError;
use crate::games::choice::announced;
use crate::model::{Compare, Expr, Model, Var, row, sum};
use crate::program::Program;

/// What is played on.
///
/// **Invariant:** all cells are below `cells`; options are disjoint and not empty; winning sets are
/// not empty; a cell's support, if any, is an earlier cell of its option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positional {
    /// How many cells there are.
    pub(crate) cells: usize,
    /// What a player may name: one cell, or a column whose lowest free cell is claimed.
    pub(crate) options: Vec<Vec<usize>>,
    /// The sets that win.
    pub(crate) winning: Vec<Vec<usize>>,
    /// How many moves are made at most.
    pub(crate) moves: usize,
}

impl Positional {
    /// A game in which every free cell may be claimed, until all are.
    ///
    /// ```
    /// use quip::games::positional::Positional;
    /// let game = Positional::new(3, vec![vec![0, 1], vec![1, 2]])?;
    /// assert_eq!(game.program()?.objective().map(|o| o.terms.is_empty()), Some(false));
    /// assert!(Positional::new(3, vec![vec![3]]).is_err());
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn new(cells: usize, winning: Vec<Vec<usize>>) -> Result<Self, GameError> {
        let is_set = |set: &Vec<usize>| !set.is_empty() && set.iter().all(|&cell| cell < cells);
        if !winning.iter().all(is_set) {
            let message = format!("a winning set has at least one of the cells 0 to {cells} - 1");
            return Err(GameError::parameter("winning sets", message));
        }
        Ok(Self {
            cells,
            options: (0..cells).map(|cell| vec![cell]).collect(),
            winning,
            moves: cells,
        })
    }

    /// Ends the game after so many moves.
    #[must_use]
    pub fn until(mut self, moves: usize) -> Self {
        self.moves = self.moves.min(moves);
        self
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The program; its value is 1, 0 or -1.
    pub fn program(&self) -> Result<Program, GameError> {
        let mut encoding = Encoding {
            moves: Moves::new(self.cells, self.options.clone()),
            winning: &self.winning,
            won: Expr::new(),
            lost: Expr::new(),
        };
        for time in 1..=self.moves {
            let over = &encoding.won + &encoding.lost;
            encoding.moves.make(time, &over);
            if time % 2 == 1 {
                encoding.claim(time);
            } else {
                encoding.note_losses(time);
            }
        }
        let result = encoding.won - encoding.lost;
        encoding.moves.model.maximize_as("result", result);
        Ok(encoding.moves.model.build()?)
    }
}

/// Moves that are being built, without what they are good for.
pub(super) struct Moves {
    pub(super) model: Model,
    cells: usize,
    options: Vec<Vec<usize>>,
    /// For each move built, one variable for each cell.
    made: Vec<Vec<Var>>,
}

impl Moves {
    pub(super) fn new(cells: usize, options: Vec<Vec<usize>>) -> Self {
        Self {
            model: Model::new(),
            cells,
            options,
            made: Vec::new(),
        }
    }

    /// Builds one move, which is not made if the game is over: odd ones are player 1's.
    pub(super) fn make(&mut self, time: usize, over: &Expr) {
        if time % 2 == 1 {
            self.pick(time, over);
        } else {
            let aims = announced(
                &mut self.model,
                format!("m[{time}]"),
                self.options.len(),
                |option| format!("aim[{time},{}]", option + 1),
            );
            let mut stage = self.model.exists();
            let void: Vec<Var> = (1..=aims.len())
                .map(|option| stage.binary(format!("void[{time},{option}]")))
                .collect();
            let taken: Vec<Expr> = (0..self.cells).map(|cell| self.taken(cell)).collect();
            let picked = self.pick(time, over);
            let mut rows = self.model.rows("obey");
            for ((option, &aim), &void) in self.options.iter().zip(&aims).zip(&void) {
                let cells = option.len();
                let full = sum(option.iter().map(|&cell| &taken[cell]));
                rows.add(row!(void <= aim));
                rows.add(row!(cells * void <= full));
                let inside = sum(option.iter().map(|&cell| picked[cell]));
                rows.add(row!(inside >= aim - void - over));
            }
        }
    }

    fn pick(&mut self, time: usize, over: &Expr) -> Vec<Var> {
        let mut stage = self.model.exists();
        let picked: Vec<Var> = (1..=self.cells)
            .map(|cell| stage.binary(format!("c[{time},{cell}]")))
            .collect();
        let taken: Vec<Expr> = (0..self.cells).map(|cell| self.taken(cell)).collect();
        self.model.rows("pick").add((sum(&picked) + over).equals(1));
        for (&here, taken) in picked.iter().zip(&taken) {
            self.model.rows("free").add(row!(here + taken <= 1));
        }
        for option in &self.options {
            for pair in option.windows(2) {
                let row = row!(picked[pair[1]] <= &taken[pair[0]]);
                self.model.rows("support").add(row);
            }
        }
        self.made.push(picked.clone());
        picked
    }

    /// 1 if somebody has the cell, by the moves built so far.
    fn taken(&self, cell: usize) -> Expr {
        sum(self.made.iter().map(|picked| picked[cell]))
    }

    /// 1 if the player of the odd (`first`) or even moves has the cell.
    pub(super) fn owned(&self, cell: usize, first: bool) -> Expr {
        let skip = usize::from(!first);
        sum(self
            .made
            .iter()
            .skip(skip)
            .step_by(2)
            .map(|picked| picked[cell]))
    }
}

struct Encoding<'g> {
    moves: Moves,
    winning: &'g [Vec<usize>],
    /// 1 if player 1 has won by the moves built so far.
    won: Expr,
    /// 1 if player 2 has.
    lost: Expr,
}

impl Encoding<'_> {
    fn claim(&mut self, time: usize) {
        let mut claims = Vec::new();
        for (number, set) in (1..).zip(self.winning) {
            if set.len() > time.div_ceil(2) {
                continue;
            }
            let name = format!("win[{time},{number}]");
            let claim = self.moves.model.exists().binary(name);
            for &cell in set {
                let owned = self.moves.owned(cell, true);
                self.moves.model.rows("claim").add(row!(claim <= owned));
            }
            claims.push(claim);
        }
        if claims.is_empty() {
            return;
        }
        let won = self.moves.model.exists().binary(format!("won[{time}]"));
        self.moves
            .model
            .rows("claim")
            .add(row!(won >= &self.won))
            .add(row!(won <= &self.won + sum(&claims)))
            .add(row!(won + &self.lost <= 1));
        self.won = Expr::from(won);
    }

    fn note_losses(&mut self, time: usize) {
        let possible = self.winning.iter().filter(|set| set.len() <= time / 2);
        let full: Vec<Expr> = possible
            .map(|set| {
                let owned = sum(set.iter().map(|&cell| self.moves.owned(cell, false)));
                owned - (set.len() - 1)
            })
            .collect();
        if full.is_empty() {
            return;
        }
        let lost = self.moves.model.exists().binary(format!("lost[{time}]"));
        let mut rows = self.moves.model.rows("loss");
        rows.add(row!(lost >= &self.lost));
        rows.add(row!(lost + &self.won <= 1));
        for full in full {
            rows.add(row!(lost + &self.won >= full));
        }
        self.lost = Expr::from(lost);
    }
}
