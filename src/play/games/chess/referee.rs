//! The rules of the game, played directly on a board of letters.

use rustc_hash::FxHashMap;

use super::position::{Colour, Kind, Piece, Position};

/// Squares row by row from the lower left.
type Squares = Vec<Option<(Kind, Colour)>>;

/// A move from one square to another, both counted from 1.
pub type Move = (usize, usize);

/// Whether White, to move, takes the black king within `steps` and keeps his own. If Black is
/// without a move, White has won. Black moves pieces of these kinds, or all if none is named.
///
/// ```
/// use quip::games::chess::{Position, referee};
/// let position = Position::parse("k..\n...\nK.R\n")?;
/// assert!(!referee::takes_king(&position, 1, &[]));
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn takes_king(position: &Position, steps: usize, black: &[Kind]) -> bool {
    let judge = Judge {
        size: (position.files as i64, position.ranks as i64),
        black,
    };
    judge.wins(
        &squares(position),
        Colour::White,
        steps,
        &mut FxHashMap::default(),
    )
}

/// The moves of one side, checks ignored.
pub fn moves(position: &Position, colour: Colour) -> Vec<Move> {
    let judge = Judge {
        size: (position.files as i64, position.ranks as i64),
        black: &[],
    };
    let mut moves = judge.moves(&squares(position), colour);
    moves.sort_unstable();
    moves
}

/// The position after a move.
#[must_use]
pub fn after(position: &Position, (from, to): Move) -> Position {
    let mut next = position.clone();
    for piece in &mut next.pieces {
        if piece.place == to {
            piece.place = 0;
        }
    }
    for piece in &mut next.pieces {
        if piece.place == from {
            piece.place = to;
        }
    }
    next
}

/// Whether the king of `colour` could be taken.
pub fn in_check(position: &Position, colour: Colour) -> bool {
    let enemy = opponent(colour);
    let is_king = |piece: &&Piece| piece.kind == Kind::King && piece.colour == colour;
    let king = position.pieces.iter().find(is_king);
    king.is_some_and(|king| {
        moves(position, enemy)
            .iter()
            .any(|&(_, to)| to == king.place)
    })
}

fn squares(position: &Position) -> Squares {
    let mut squares = vec![None; position.squares()];
    for piece in &position.pieces {
        if piece.place > 0 {
            squares[piece.place - 1] = Some((piece.kind, piece.colour));
        }
    }
    squares
}

fn opponent(colour: Colour) -> Colour {
    match colour {
        Colour::White => Colour::Black,
        Colour::Black => Colour::White,
    }
}

struct Judge<'b> {
    size: (i64, i64),
    /// The kinds that Black may move; none stands for all.
    black: &'b [Kind],
}

type Known = FxHashMap<(Squares, usize), bool>;

impl Judge<'_> {
    fn wins(&self, board: &Squares, mover: Colour, steps: usize, known: &mut Known) -> bool {
        if steps == 0 {
            let has = |colour| board.contains(&Some((Kind::King, colour)));
            return has(Colour::White) && !has(Colour::Black);
        }
        if let Some(&answer) = known.get(&(board.clone(), steps)) {
            return answer;
        }
        let mut results = self.moves(board, mover).into_iter().map(|(from, to)| {
            let mut next = board.clone();
            next[to - 1] = next[from - 1].take();
            next
        });
        let answer = match mover {
            Colour::White => results.any(|next| self.wins(&next, Colour::Black, steps - 1, known)),
            Colour::Black => results.all(|next| self.wins(&next, Colour::White, steps - 1, known)),
        };
        known.insert((board.clone(), steps), answer);
        answer
    }

    fn moves(&self, board: &Squares, mover: Colour) -> Vec<Move> {
        let mut moves = Vec::new();
        for (place, square) in board.iter().enumerate() {
            let Some((kind, colour)) = *square else {
                continue;
            };
            let barred =
                colour == Colour::Black && !self.black.is_empty() && !self.black.contains(&kind);
            if colour == mover && !barred {
                let targets = match kind {
                    Kind::Pawn => self.pawn(board, place, colour),
                    _ => self.officer(board, place, kind, colour),
                };
                moves.extend(targets.into_iter().map(|to| (place + 1, to + 1)));
            }
        }
        moves
    }

    fn officer(&self, board: &Squares, place: usize, kind: Kind, own: Colour) -> Vec<usize> {
        let mut targets = Vec::new();
        for right in -2..=2_i64 {
            for up in -2..=2_i64 {
                let (wide, high) = (right.abs(), up.abs());
                let leap = wide + high == 3 && wide * high == 2;
                let straight = wide + high == 1;
                let aslant = wide == 1 && high == 1;
                let (fits, far) = match kind {
                    Kind::King => (straight || aslant, false),
                    Kind::Queen => (straight || aslant, true),
                    Kind::Rook => (straight, true),
                    Kind::Bishop => (aslant, true),
                    Kind::Knight => (leap, false),
                    Kind::Pawn => (false, false),
                };
                if !fits {
                    continue;
                }
                let mut here = place;
                while let Some(next) = self.neighbour(here, right, up) {
                    if board[next].is_some_and(|(_, colour)| colour == own) {
                        break;
                    }
                    targets.push(next);
                    if !far || board[next].is_some() {
                        break;
                    }
                    here = next;
                }
            }
        }
        targets
    }

    fn pawn(&self, board: &Squares, place: usize, own: Colour) -> Vec<usize> {
        let (up, start) = match own {
            Colour::White => (1, 1),
            Colour::Black => (-1, self.size.1 - 2),
        };
        let mut targets = Vec::new();
        if let Some(ahead) = self
            .neighbour(place, 0, up)
            .filter(|&to| board[to].is_none())
        {
            targets.push(ahead);
            let is_home = place as i64 / self.size.0 == start;
            let further = self
                .neighbour(ahead, 0, up)
                .filter(|&to| board[to].is_none());
            targets.extend(further.filter(|_| is_home));
        }
        for side in [-1, 1] {
            let aslant = self.neighbour(place, side, up);
            targets.extend(aslant.filter(|&to| board[to].is_some_and(|(_, colour)| colour != own)));
        }
        targets
    }

    fn neighbour(&self, place: usize, right: i64, up: i64) -> Option<usize> {
        let (files, ranks) = self.size;
        let (file, rank) = (place as i64 % files + right, place as i64 / files + up);
        let inside = (0..files).contains(&file) && (0..ranks).contains(&rank);
        inside.then(|| (rank * files + file) as usize)
    }
}
