//! The rules of Connect-k, played directly on columns of stones.

use rustc_hash::FxHashMap;

use super::Connect;

type Columns = Vec<Vec<u8>>;

/// 1 if player 1 wins under best play, 0 for a tie, -1 if player 2 wins.
///
/// ```
/// use quip::games::connect::{Connect, referee};
/// let board = Connect { columns: 3, height: 2, row: 2, cylinder: false };
/// assert_eq!(referee::value(&board), 1);
/// ```
pub fn value(board: &Connect) -> i64 {
    let empty = vec![Vec::new(); board.columns];
    best(board, &empty, 1, &mut FxHashMap::default())
}

fn best(board: &Connect, columns: &Columns, mover: u8, known: &mut FxHashMap<Columns, i64>) -> i64 {
    if let Some(&value) = known.get(columns) {
        return value;
    }
    let win = if mover == 1 { 1 } else { -1 };
    let mut values = Vec::new();
    for place in 0..board.columns {
        if columns[place].len() < board.height {
            let mut after = columns.clone();
            after[place].push(mover);
            values.push(match ends_in_row(board, &after, place) {
                true => win,
                false => best(board, &after, 3 - mover, known),
            });
        }
    }
    let value = match mover {
        1 => values.into_iter().max(),
        _ => values.into_iter().min(),
    };
    let value = value.unwrap_or(0);
    known.insert(columns.clone(), value);
    value
}

/// Whether the top stone of a column is part of a row.
fn ends_in_row(board: &Connect, columns: &Columns, place: usize) -> bool {
    let level = columns[place].len() - 1;
    let mover = columns[place][level];
    let run = |right: i64, up: i64| {
        let mut length = 0;
        while length < board.row {
            let steps = length as i64 + 1;
            let mut column = place as i64 + right * steps;
            if board.cylinder {
                column = column.rem_euclid(board.columns as i64);
            }
            let level = level as i64 + up * steps;
            let stone = usize::try_from(column)
                .ok()
                .and_then(|column| columns.get(column)?.get(usize::try_from(level).ok()?));
            if stone != Some(&mover) {
                break;
            }
            length += 1;
        }
        length
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)]
        .iter()
        .any(|&(right, up)| {
            let around = board.cylinder && right != 0 && board.row > board.columns;
            !around && run(right, up) + run(-right, -up) + 1 >= board.row
        })
}
