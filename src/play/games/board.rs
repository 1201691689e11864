//! Boards with black and white stones, and their text: one line per row, `.` for a free
//! intersection, `b` or `x` for a black stone, `w` or `o` for a white one.

use std::fmt;

use super::GameError;
use super::text::{end_of_text, lines};

/// The largest board.
pub const LARGEST: usize = 19;

/// The largest board whose intersections fit a machine word.
pub const LARGEST_IN_A_WORD: usize = 8;

/// Who a stone belongs to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stone {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Stone {
    /// The other colour.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// A square board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: usize,
    cells: Vec<Option<Stone>>,
}

impl Board {
    /// A board without stones.
    ///
    /// ```
    /// use quip::games::board::Board;
    /// assert_eq!(Board::empty(3)?.stones(), 0);
    /// assert!(Board::empty(0).is_err());
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn empty(size: usize) -> Result<Self, GameError> {
        if !(1..=LARGEST).contains(&size) {
            let message = format!("a board has 1 to {LARGEST} rows, not {size}");
            return Err(GameError::parameter("size", message));
        }
        Ok(Self {
            size,
            cells: vec![None; size * size],
        })
    }

    /// Reads a board.
    ///
    /// ```
    /// use quip::games::board::Board;
    /// let board = Board::parse("b.w\n.b.\n..w\n")?;
    /// assert_eq!(board.to_string(), "b.w\n.b.\n..w\n");
    /// assert_eq!(Board::parse("b.\n?.").unwrap_err().to_string(), "line 2, column 1: `?` is none of . b w");
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, GameError> {
        let rows = lines(text);
        let mut board = match rows.len() {
            0 => return Err(end_of_text(text, "the board has no rows")),
            count if count > LARGEST => {
                let message = format!("a board has at most {LARGEST} rows");
                return Err(rows[LARGEST].head().error(message));
            }
            count => Self::empty(count)?,
        };
        for (number, row) in rows.iter().enumerate() {
            let [] = row.exactly([])?;
            let word = row.head();
            let width = word.text.chars().count();
            if width != board.size {
                let message = format!("{width} intersections in a row of {}", board.size);
                return Err(word.error(message));
            }
            for (place, character) in word.text.chars().enumerate() {
                board.cells[number * board.size + place] = match character {
                    '.' => None,
                    'b' | 'x' => Some(Stone::Black),
                    'w' | 'o' => Some(Stone::White),
                    other => {
                        let message = format!("`{other}` is none of . b w");
                        return Err(GameError::Text {
                            line: word.line,
                            column: word.column + place,
                            message,
                        });
                    }
                };
            }
        }
        Ok(board)
    }

    /// Rows of the board.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What stands on an intersection, row by row from 0.
    pub fn at(&self, cell: usize) -> Option<Stone> {
        self.cells[cell]
    }

    /// Places or takes away a stone.
    pub fn set(&mut self, cell: usize, stone: Option<Stone>) {
        self.cells[cell] = stone;
    }

    /// How many stones there are.
    pub fn stones(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    /// How many stones of one colour there are.
    pub fn count(&self, stone: Stone) -> usize {
        self.cells
            .iter()
            .filter(|&&cell| cell == Some(stone))
            .count()
    }

    /// Whose turn it is, if the stones were placed in turns from an empty board.
    pub fn to_move(&self) -> Option<Stone> {
        match self
            .count(Stone::Black)
            .checked_sub(self.count(Stone::White))
        {
            Some(0) => Some(Stone::Black),
            Some(1) => Some(Stone::White),
            _ => None,
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.size) {
            for cell in row {
                out.write_str(match cell {
                    None => ".",
                    Some(Stone::Black) => "b",
                    Some(Stone::White) => "w",
                })?;
            }
            out.write_str("\n")?;
        }
        Ok(())
    }
}
