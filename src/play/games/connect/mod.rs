//! Connect-k with gravity: Connect Four on boards of any size, also on a cylinder.
//!
//! Players drop stones into columns; a stone falls onto the lowest free cell; the first `k` in a row,
//! column or diagonal win. On a cylinder the rows go around. It is a [positional
//! game](crate::games::positional) in which one names a column. The value is 1, 0 or -1.

pub mod referee;

use crate::games::GameError;
use crate::games::positional::Positional;

/// The board.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Connect {
    /// How many columns.
    pub columns: usize,
    /// How high they are.
    pub height: usize,
    /// How many stones in a row win.
    pub row: usize,
    /// Whether the last column is next to the first.
    pub cylinder: bool,
}

impl Connect {
    /// The game: cells are numbered column by column from below.
    ///
    /// ```
    /// use quip::games::connect::Connect;
    /// let board = Connect { columns: 3, height: 2, row: 2, cylinder: false };
    /// assert_eq!(board.game()?.cells(), 6);
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn game(&self) -> Result<Positional, GameError> {
        if self.columns == 0 || self.height == 0 || self.columns.saturating_mul(self.height) > 64 {
            let message = "a board has 1 to 64 cells";
            return Err(GameError::parameter("columns", message));
        }
        if !(1..=self.columns.max(self.height)).contains(&self.row) {
            let message = format!("{} in a row do not fit the board", self.row);
            return Err(GameError::parameter("row", message));
        }
        let mut game = Positional::new(self.columns * self.height, self.rows())?;
        game.options = (0..self.columns)
            .map(|column| {
                (0..self.height)
                    .map(|level| self.cell(column, level))
                    .collect()
            })
            .collect();
        Ok(game)
    }

    fn cell(&self, column: usize, level: usize) -> usize {
        column * self.height + level
    }

    fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows = Vec::new();
        for column in 0..self.columns {
            for level in 0..self.height {
                for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    rows.extend(self.row_from(column, level, right, up));
                }
            }
        }
        for row in &mut rows {
            row.sort_unstable();
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The row that starts at a cell; `None` if it leaves the board or bites its tail.
    fn row_from(&self, column: usize, level: usize, right: usize, up: i64) -> Option<Vec<usize>> {
        let around = self.cylinder && right > 0;
        if around && self.row > self.columns {
            return None;
        }
        let step = |number: usize| {
            let column = column + number * right;
            let column = if around {
                column % self.columns
            } else {
                column
            };
            let level = usize::try_from(level as i64 + number as i64 * up).ok()?;
            (column < self.columns && level < self.height).then(|| self.cell(column, level))
        };
        (0..self.row).map(step).collect()
    }
}
