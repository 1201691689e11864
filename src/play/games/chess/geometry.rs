//! Where a piece can go on an empty board, and what must be so for it to go there.

use super::position::{Colour, Kind, Position};

/// What must stand on the square a piece goes to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Nothing or an enemy.
    NotOwn,
    /// Nothing.
    Empty,
    /// An enemy.
    Enemy,
}

/// A way from one square to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The squares between, which must be empty.
    pub(super) between: Vec<usize>,
    pub(super) target: Target,
}

const STRAIGHT: [(i64, i64); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const ASLANT: [(i64, i64); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i64, i64); 8] = [
    (1, 2),
    (2, 1),
    (1, -2),
    (2, -1),
    (-1, 2),
    (-2, 1),
    (-1, -2),
    (-2, -1),
];

/// All ways of a kind of piece.
pub(super) fn ways(position: &Position, kind: Kind, colour: Colour) -> Vec<Way> {
    let board = Board {
        files: position.files as i64,
        ranks: position.ranks as i64,
    };
    let all = [STRAIGHT, ASLANT].concat();
    (1..=position.squares())
        .flat_map(|from| match kind {
            Kind::King => board.walks(from, &all, 1),
            Kind::Queen => board.walks(from, &all, i64::MAX),
            Kind::Rook => board.walks(from, &STRAIGHT, i64::MAX),
            Kind::Bishop => board.walks(from, &ASLANT, i64::MAX),
            Kind::Knight => board.walks(from, &LEAPS, 1),
            Kind::Pawn => board.pawn_walks(from, colour),
        })
        .collect()
}

struct Board {
    files: i64,
    ranks: i64,
}

impl Board {
    fn walks(&self, from: usize, directions: &[(i64, i64)], longest: i64) -> Vec<Way> {
        let mut ways = Vec::new();
        for &direction in directions {
            let mut between = Vec::new();
            let mut steps = 1;
            while let Some(to) = self
                .step(from, direction, steps)
                .filter(|_| steps <= longest)
            {
                ways.push(Way {
                    from,
                    to,
                    between: between.clone(),
                    target: Target::NotOwn,
                });
                between.push(to);
                steps += 1;
            }
        }
        ways
    }

    /// A pawn goes two steps from the second rank of its side. On the last rank it stays.
    fn pawn_walks(&self, from: usize, colour: Colour) -> Vec<Way> {
        let rank = (from as i64 - 1) / self.files;
        let (ahead, second) = match colour {
            Colour::White => (1, 1),
            Colour::Black => (-1, self.ranks - 2),
        };
        let longest = if rank == second { 2 } else { 1 };
        let mut ways = self.walks(from, &[(0, ahead)], longest);
        for way in &mut ways {
            way.target = Target::Empty;
        }
        let mut captures = self.walks(from, &[(1, ahead), (-1, ahead)], 1);
        for way in &mut captures {
            way.target = Target::Enemy;
        }
        ways.append(&mut captures);
        ways
    }

    fn step(&self, from: usize, (right, up): (i64, i64), steps: i64) -> Option<usize> {
        let (file, rank) = (
            (from as i64 - 1) % self.files,
            (from as i64 - 1) / self.files,
        );
        let (file, rank) = (file + right * steps, rank + up * steps);
        let inside = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        inside.then(|| (rank * self.files + file + 1) as usize)
    }
}
