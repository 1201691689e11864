//! Positional games at the table: CrossDot, Connect-k and hypergraphs.

use super::vocabulary::{SIDES, number};
use super::{Effect, End, Read, Role, Rules, Scene, Term, Vocabulary};
use crate::games::GameError;
use crate::games::connect::Connect;
use crate::games::positional::{Hypergraph, Positional, referee};
use crate::program::{Program, Quantifier};

/// Any positional game, with words for its options and a picture.
///
/// For strategy rules, `a(i,j)` is side `i` naming option `j`, and `p(i,j)` says that cell `j` is his.
pub struct PositionalRules {
    game: Positional,
    words: Vec<String>,
    /// Cells of the picture, line by line.
    picture: Vec<Vec<usize>>,
    what: &'static str,
    constants: Vec<(&'static str, usize)>,
}

impl PositionalRules {
    /// CrossDot: boxes in a line, with the constants `m` and `k` of the document.
    pub fn line(game: Positional, row: usize) -> Self {
        let boxes = game.cells();
        Self {
            words: (1..=boxes).map(|place| place.to_string()).collect(),
            picture: vec![(0..boxes).collect()],
            what: "box",
            constants: vec![("m", boxes), ("k", row)],
            game,
        }
    }

    /// Connect-k: columns with gravity. Cells are counted column by column from below.
    pub fn columns(board: &Connect) -> Result<Self, GameError> {
        let level = |level: usize| {
            let columns = 0..board.columns;
            columns
                .map(|column| column * board.height + level)
                .collect()
        };
        Ok(Self {
            words: (1..=board.columns)
                .map(|column| column.to_string())
                .collect(),
            picture: (0..board.height).rev().map(level).collect(),
            what: "column",
            constants: vec![
                ("columns", board.columns),
                ("height", board.height),
                ("k", board.row),
            ],
            game: board.game()?,
        })
    }

    /// Named cells and winning sets, until a number of moves.
    pub fn sets(sets: &Hypergraph, moves: usize) -> Self {
        let cells = sets.names().len();
        Self {
            words: sets.names().to_vec(),
            picture: vec![(0..cells).collect()],
            what: "cell",
            constants: vec![("cells", cells)],
            game: sets.game().clone().until(moves),
        }
    }

    fn board(&self, history: &[usize]) -> Vec<u8> {
        let mut board = vec![0; self.game.cells];
        for (place, &option) in history.iter().enumerate() {
            if let Some(cell) = self.cell(&board, option) {
                board[cell] = 1 + (place % 2) as u8;
            }
        }
        board
    }

    /// The cell that an option claims.
    fn cell(&self, board: &[u8], option: usize) -> Option<usize> {
        let mut cells = self.game.options[option].iter().copied();
        cells.find(|&cell| board[cell] == 0)
    }
}

impl Rules for PositionalRules {
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    fn how_to_move(&self) -> String {
        format!(
            "name a {} that is not full, one of {}",
            self.what,
            self.words.join(" ")
        )
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let board = self.board(history);
        (0..self.game.options.len())
            .filter(|&option| self.cell(&board, option).is_some())
            .collect()
    }

    fn word(&self, option: usize) -> String {
        self.words[option].clone()
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let board = self.board(history);
        if referee::owns_a_set(&self.game, &board, 1) {
            Some(End::First)
        } else if referee::owns_a_set(&self.game, &board, 2) {
            Some(End::Second)
        } else {
            (history.len() >= self.game.moves).then_some(End::Tie)
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let board = self.board(history);
        let mut text = String::new();
        for line in &self.picture {
            let marks = line
                .iter()
                .map(|&cell| ['.', 'x', 'o'][usize::from(board[cell])]);
            text += &marks.map(String::from).collect::<Vec<_>>().join(" ");
            text.push('\n');
        }
        text + &self.words.join(" ") + "\n"
    }

    fn scene(&self) -> Scene {
        let columns = self.picture.first().map_or(0, Vec::len);
        // Cells are numbered as the game does, wherever the picture has them.
        let mut places = vec![(0.0, 0.0, String::new()); self.game.cells];
        for (row, line) in self.picture.iter().enumerate() {
            for (column, &cell) in line.iter().enumerate() {
                let name = self.words.get(column).cloned().unwrap_or_default();
                places[cell] = (column as f64, row as f64, name);
            }
        }
        let mut scene = Scene::squares(columns, self.picture.len(), |_| String::new())
            .at_times(
                1..=self.game.moves.min(self.game.cells),
                |time| time % 2 == 1,
                |time| Read::chosen(&format!("c[{time},#]"), Effect::Put, "x", &[1, 0, -1]),
                |time| Read::chosen(&format!("c[{time},#]"), Effect::Put, "o", &[1, 0, -1]),
            )
            .reading(
                Read::named("m[#]", Effect::Put, "o", &[0, 1, -1])
                    .by(self.game.options.clone())
                    .in_role(Role::Announced),
            );
        scene.places = places;
        scene
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let time = history.len() + 1;
        vec![match self.mover(history) {
            Quantifier::Exists => {
                let cell = self.cell(&self.board(history), option).unwrap_or_default();
                (format!("c[{time},{}]", cell + 1), 1)
            }
            Quantifier::Forall => (format!("m[{time}]"), option as i64 + 1),
        }]
    }

    fn vocabulary(&self) -> Vocabulary {
        let mut words = Vocabulary::of(self.constants.iter().copied());
        for side in SIDES {
            for option in 0..self.game.options.len() {
                words.act("a", side, option, [option + 1]);
            }
            for cell in 1..=self.game.cells {
                words.may_hold("p", [number(side), cell]);
            }
        }
        words
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let board = self.board(history);
        let owned = (1..).zip(board).filter(|(_, owner)| *owner != 0);
        owned
            .map(|(cell, owner)| Term::new("p", [usize::from(owner), cell]))
            .collect()
    }
}
