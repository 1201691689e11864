//! Chess positions on boards of any size, and their text: one line per rank from the top, capital
//! letters for White, `.` for an empty square.

use std::fmt;

use crate::games::GameError;
use crate::games::text::{end_of_text, lines};

/// The largest side of a board.
pub const LARGEST: usize = 8;

/// What a piece is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One step in any direction.
    King,
    /// Any number of steps in any direction.
    Queen,
    /// Any number of steps along ranks and files.
    Rook,
    /// Any number of steps along diagonals.
    Bishop,
    /// Leaps.
    Knight,
    /// One or two steps ahead, captures aslant.
    Pawn,
}

impl Kind {
    /// The words for all kinds, and for each.
    pub const WORDS: &[&str] = &["all", "king", "queen", "rook", "bishop", "knight", "pawns"];

    /// The kinds that are named, with commas between; none for all of them.
    ///
    /// ```
    /// use quip::games::chess::Kind;
    /// assert_eq!(Kind::named("king,pawns"), [Kind::King, Kind::Pawn]);
    /// assert_eq!(Kind::named("rook,all"), []);
    /// ```
    pub fn named(words: &str) -> Vec<Self> {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let words: Vec<&str> = words.split(',').collect();
        let kinds = [King, Queen, Rook, Bishop, Knight, Pawn].into_iter();
        let named = kinds
            .zip(&Self::WORDS[1..])
            .filter(|(_, word)| words.contains(word) && !words.contains(&Self::WORDS[0]));
        named.map(|(kind, _)| kind).collect()
    }
}

/// Whose a piece is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Moves first, the existential player.
    White,
    /// The universal player.
    Black,
}

/// A piece. Its number is its place in [`Position::pieces`], from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub colour: Colour,
    /// Where it stands: squares count from 1 at the lower left, along the ranks; 0 is off the board.
    pub place: usize,
}

/// Pieces on a board: white ones first, each colour in the order of the squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Squares in a rank.
    pub(super) files: usize,
    /// Squares in a file.
    pub(super) ranks: usize,
    pub(super) pieces: Vec<Piece>,
}

impl Position {
    /// Reads a position.
    ///
    /// ```
    /// use quip::games::chess::Position;
    /// let position = Position::parse("k..\n...\nK.R\n")?;
    /// assert_eq!(position.pieces()[1].place, 3);
    /// assert_eq!(position.to_string(), "k..\n...\nK.R\n");
    /// let error = Position::parse("k..\n..\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 1: 2 squares in a rank of 3");
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, GameError> {
        let rows = lines(text);
        let Some(first) = rows.first() else {
            return Err(end_of_text(text, "the board has no ranks"));
        };
        let (files, ranks) = (first.head().text.chars().count(), rows.len());
        let mut pieces = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let [] = row.exactly([])?;
            let word = row.head();
            let width = word.text.chars().count();
            if width != files {
                return Err(word.error(format!("{width} squares in a rank of {files}")));
            }
            if files > LARGEST || ranks > LARGEST {
                let message = format!("a board has at most {LARGEST} ranks and files");
                return Err(word.error(message));
            }
            for (file, character) in word.text.chars().enumerate() {
                let place = (ranks - 1 - number) * files + file + 1;
                let stranger = || GameError::Text {
                    line: word.line,
                    column: word.column + file,
                    message: format!("`{character}` is none of . K Q R B N P k q r b n p"),
                };
                if character != '.' {
                    let (kind, colour) = piece_of(character).ok_or_else(stranger)?;
                    pieces.push(Piece {
                        kind,
                        colour,
                        place,
                    });
                }
            }
        }
        pieces.sort_by_key(|piece| (piece.colour == Colour::Black, piece.place));
        Ok(Self {
            files,
            ranks,
            pieces,
        })
    }

    /// The beginning of a game of chess: White's pieces are 1 to 16, on the squares 1 to 16, Black's 17 to
    /// 32 on 49 to 64.
    pub fn initial() -> Self {
        let text =
            "rnbqkbnr\npppppppp\n........\n........\n........\n........\nPPPPPPPP\nRNBQKBNR\n";
        Self::parse(text).expect("invariant: chess begins with a position")
    }

    /// The pieces by their numbers.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Files and ranks.
    pub fn size(&self) -> (usize, usize) {
        (self.files, self.ranks)
    }

    /// How many squares there are.
    pub fn squares(&self) -> usize {
        self.files * self.ranks
    }

    /// The number of a king, if there is exactly one of that colour.
    pub(super) fn king(&self, colour: Colour) -> Option<usize> {
        let is_king = |piece: &&Piece| piece.kind == Kind::King && piece.colour == colour;
        let count = self.pieces.iter().filter(is_king).count();
        let place = self.pieces.iter().position(|piece| is_king(&piece));
        place.filter(|_| count == 1)
    }
}

fn piece_of(character: char) -> Option<(Kind, Colour)> {
    let kind = match character.to_ascii_lowercase() {
        'k' => Kind::King,
        'q' => Kind::Queen,
        'r' => Kind::Rook,
        'b' => Kind::Bishop,
        'n' => Kind::Knight,
        'p' => Kind::Pawn,
        _ => return None,
    };
    let colour = if character.is_ascii_uppercase() {
        Colour::White
    } else {
        Colour::Black
    };
    Some((kind, colour))
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.ranks).rev() {
            for file in 0..self.files {
                let place = rank * self.files + file + 1;
                let here = self.pieces.iter().find(|piece| piece.place == place);
                let letter = here.map_or('.', |piece| letter(piece.kind, piece.colour));
                write!(out, "{letter}")?;
            }
            out.write_str("\n")?;
        }
        Ok(())
    }
}

fn letter(kind: Kind, colour: Colour) -> char {
    let letter = match kind {
        Kind::King => 'k',
        Kind::Queen => 'q',
        Kind::Rook => 'r',
        Kind::Bishop => 'b',
        Kind::Knight => 'n',
        Kind::Pawn => 'p',
    };
    match colour {
        Colour::White => letter.to_ascii_uppercase(),
        Colour::Black => letter,
    }
}
