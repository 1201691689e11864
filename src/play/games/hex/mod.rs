//! Hex on n × n rhombi: player 1 connects left and right, player 2 top and bottom; somebody always
//! does.
//!
//! Moves are those of [positional games](crate::games::positional). When the board is full, player 1
//! shows his connection as a unit of flow from the left side to the right through his own cells:
//! `in[i]`, `go[i,j]`, `out[i]`. The program is feasible if and only if player 1 wins.

pub mod referee;

use crate::games::GameError;
use crate::games::positional::Moves;
use crate::model::{Compare, Expr, Var, row, sum};
use crate::program::Program;

/// The largest board.
pub const LARGEST: usize = 6;

/// The program on boards of `size`.
///
/// ```
/// use quip::games::hex;
/// assert_eq!(hex::program(2)?.blocks().len(), 5);
/// assert!(hex::program(9).is_err());
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn program(size: usize) -> Result<Program, GameError> {
    if !(1..=LARGEST).contains(&size) {
        let message = format!("a board has 1 to {LARGEST} rows, not {size}");
        return Err(GameError::parameter("size", message));
    }
    let cells = size * size;
    let mut moves = Moves::new(cells, (0..cells).map(|cell| vec![cell]).collect());
    for time in 1..=cells {
        moves.make(time, &Expr::new());
    }
    connect(&mut moves, size);
    Ok(moves.model.build()?)
}

/// The neighbours of a cell: along the row, along the column, and along one diagonal.
fn neighbours(cell: usize, size: usize) -> Vec<usize> {
    let (row, column) = ((cell / size) as i64, (cell % size) as i64);
    let steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)];
    let side = 0..size as i64;
    steps
        .iter()
        .map(|(down, right)| (row + down, column + right))
        .filter(|(row, column)| side.contains(row) && side.contains(column))
        .map(|(row, column)| row as usize * size + column as usize)
        .collect()
}

fn connect(moves: &mut Moves, size: usize) {
    let cells = size * size;
    let mut entering: Vec<Vec<Var>> = vec![Vec::new(); cells];
    let mut leaving: Vec<Vec<Var>> = vec![Vec::new(); cells];
    let mut starts = Vec::new();
    let mut stage = moves.model.exists();
    for cell in 0..cells {
        if cell % size == 0 {
            let start = stage.binary(format!("in[{}]", cell + 1));
            starts.push(start);
            entering[cell].push(start);
        }
        if cell % size == size - 1 {
            leaving[cell].push(stage.binary(format!("out[{}]", cell + 1)));
        }
        for other in neighbours(cell, size) {
            let arc = stage.binary(format!("go[{},{}]", cell + 1, other + 1));
            leaving[cell].push(arc);
            entering[other].push(arc);
        }
    }
    moves.model.rows("flow").add(sum(&starts).equals(1));
    for cell in 0..cells {
        let owned = moves.owned(cell, true);
        let (inward, outward) = (sum(&entering[cell]), sum(&leaving[cell]));
        moves
            .model
            .rows("flow")
            .add(row!(&inward == outward))
            .add(row!(inward <= owned));
    }
}
