//! Chess in K steps at the table.

use itertools::Itertools as _;

use super::vocabulary::{SIDES, number};
use super::{Effect, End, Promise, Read, Rules, Scene, Shape, Term, Vocabulary, loss_of};
use crate::games::GameError;
use crate::games::chess::{Chess, Colour, Kind, Piece, Position, referee};
use crate::program::{Program, Quantifier};

/// Taking the black king within some steps. Options are `100 from + to`.
///
/// For strategy rules, `go(i,s,t)` is side `i` moving from square `s` to `t`; `king(i,s)`, `queen(i,s)` and so on
/// say where pieces stand, and `step(n)` that `n` moves were made. Squares count from 1 at the lower left.
pub struct ChessRules {
    position: Position,
    steps: usize,
    game: Chess,
    black: Vec<Kind>,
}

impl ChessRules {
    /// From a position, in an odd number of steps.
    pub fn new(position: Position, steps: usize) -> Result<Self, GameError> {
        Ok(Self {
            game: Chess::new(position.clone(), steps)?,
            position,
            steps,
            black: Vec::new(),
        })
    }

    /// Lets Black move pieces of these kinds only; no kinds stand for all.
    #[must_use]
    pub fn black_moves(mut self, kinds: &[Kind]) -> Self {
        self.game = self.game.black_moves(kinds);
        self.black = kinds.to_vec();
        self
    }

    fn after(&self, history: &[usize]) -> Position {
        history
            .iter()
            .fold(self.position.clone(), |position, option| {
                referee::after(&position, (option / 100, option % 100))
            })
    }

    fn king_is_on(&self, position: &Position, colour: Colour) -> bool {
        standing(position).any(|piece| piece.kind == Kind::King && piece.colour == colour)
    }

    fn square(&self, place: usize) -> String {
        let files = self.position.size().0;
        let file = char::from(b'a' + ((place - 1) % files) as u8);
        format!("{file}{}", (place - 1) / files + 1)
    }
}

impl Rules for ChessRules {
    fn sides(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    fn how_to_move(&self) -> String {
        "a piece moves as in chess, from square to square such as a1b1; the king may be left in check and taken".to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let position = self.after(history);
        let colour = colour(self.mover(history));
        let mut moves = referee::moves(&position, colour);
        if !self.black.is_empty() && colour == Colour::Black {
            let free: Vec<usize> = standing(&position)
                .filter(|piece| self.black.contains(&piece.kind))
                .map(|piece| piece.place)
                .collect();
            moves.retain(|(from, _)| free.contains(from));
        }
        moves
            .into_iter()
            .map(|(from, to)| 100 * from + to)
            .collect()
    }

    fn word(&self, option: usize) -> String {
        self.square(option / 100) + &self.square(option % 100)
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let position = self.after(history);
        let stuck = self.options(history).is_empty();
        if history.len() == self.steps {
            let won = self.king_is_on(&position, Colour::White)
                && !self.king_is_on(&position, Colour::Black);
            Some(if won { End::First } else { End::Second })
        } else {
            stuck.then(|| loss_of(self.mover(history)))
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let text = self.after(history).to_string();
        let (files, ranks) = self.position.size();
        let mut drawn = String::new();
        for (number, rank) in text.lines().enumerate() {
            let squares: Vec<String> = rank.chars().map(String::from).collect();
            drawn += &format!("{:3} {}\n", ranks - number, squares.join(" "));
        }
        let letters: Vec<String> = (0..files)
            .map(|file| char::from(b'a' + file as u8).to_string())
            .collect();
        format!(
            "{drawn}    {}\n{} of {} steps\n",
            letters.join(" "),
            history.len(),
            self.steps
        )
    }

    fn scene(&self) -> Scene {
        let (files, ranks) = self.position.size();
        let squares = files * ranks;
        let places = (0..squares).map(|square| {
            let (file, rank) = (square % files, square / files);
            let row = ranks - 1 - rank;
            (file as f64, row as f64, self.square(square + 1))
        });
        let count = squares as i64;
        let own = Read::chosen(
            "go[#,#,#,#]",
            Effect::Carry,
            "",
            &[0, 0, count, 1, 0, -count - 1],
        );
        let theirs = Read::named("m[#]", Effect::Carry, "", &[0, 1, -1]);
        let moves = self.game.moves_of_black();
        let moves = moves.into_iter().map(|(from, to)| vec![from - 1, to - 1]);
        Scene {
            shape: Shape::Squares,
            places: places.collect(),
            arrows: Vec::new(),
            tokens: standing(&self.position)
                .map(|piece| (piece.place - 1, symbol(piece).to_owned()))
                .collect(),
            reads: vec![own, theirs.by(moves.collect())],
        }
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let step = history.len();
        let (from, to) = (option / 100, option % 100);
        let position = self.after(history);
        let piece = position
            .pieces()
            .iter()
            .position(|piece| piece.place == from);
        let piece = piece.unwrap_or_default();
        vec![match self.mover(history) {
            Quantifier::Exists => (format!("go[{step},{},{from},{to}]", piece + 1), 1),
            Quantifier::Forall => {
                let number = self.game.number_of_move(piece, from, to);
                (format!("m[{step}]"), number.unwrap_or_default() as i64)
            }
        }]
    }

    fn meaning(&self, promise: Promise<'_>) -> String {
        match promise {
            Promise::Loss => "White does not take the king in time",
            _ => "White takes the king",
        }
        .to_owned()
    }

    fn vocabulary(&self) -> Vocabulary {
        let (files, ranks) = self.position.size();
        let squares = 1..=files * ranks;
        let mut words = Vocabulary::of([("files", files), ("ranks", ranks), ("steps", self.steps)]);
        for side in SIDES {
            for (from, to) in squares.clone().cartesian_product(squares.clone()) {
                if from != to {
                    words.act("go", side, 100 * from + to, [from, to]);
                }
            }
            for (kind, place) in KINDS.into_iter().cartesian_product(squares.clone()) {
                words.may_hold(name(kind), [number(side), place]);
            }
        }
        (0..=self.steps).for_each(|step| words.may_hold("step", [step]));
        words
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let position = self.after(history);
        let pieces = standing(&position).map(|piece| {
            let side = match piece.colour {
                Colour::White => Quantifier::Exists,
                Colour::Black => Quantifier::Forall,
            };
            Term::new(name(piece.kind), [number(side), piece.place])
        });
        let step = Term::new("step", [history.len()]);
        pieces.chain([step]).collect()
    }
}

/// The pieces that are on the board.
fn standing(position: &Position) -> impl Iterator<Item = &Piece> {
    position.pieces().iter().filter(|piece| piece.place > 0)
}

fn colour(side: Quantifier) -> Colour {
    match side {
        Quantifier::Exists => Colour::White,
        Quantifier::Forall => Colour::Black,
    }
}

const KINDS: [Kind; 6] = [
    Kind::King,
    Kind::Queen,
    Kind::Rook,
    Kind::Bishop,
    Kind::Knight,
    Kind::Pawn,
];

/// A picture of a piece.
fn symbol(piece: &Piece) -> &'static str {
    match (piece.colour, piece.kind) {
        (Colour::White, Kind::King) => "♔",
        (Colour::White, Kind::Queen) => "♕",
        (Colour::White, Kind::Rook) => "♖",
        (Colour::White, Kind::Bishop) => "♗",
        (Colour::White, Kind::Knight) => "♘",
        (Colour::White, Kind::Pawn) => "♙",
        (Colour::Black, Kind::King) => "♚",
        (Colour::Black, Kind::Queen) => "♛",
        (Colour::Black, Kind::Rook) => "♜",
        (Colour::Black, Kind::Bishop) => "♝",
        (Colour::Black, Kind::Knight) => "♞",
        (Colour::Black, Kind::Pawn) => "♟",
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "king",
        Kind::Queen => "queen",
        Kind::Rook => "rook",
        Kind::Bishop => "bishop",
        Kind::Knight => "knight",
        Kind::Pawn => "pawn",
    }
}
