//! The rules of Hex, played directly.

use rustc_hash::FxHashMap;

/// Whether player 1, who moves first and connects left and right, wins.
///
/// ```
/// use quip::games::hex::referee::first_wins;
/// assert!(first_wins(2));
/// ```
pub fn first_wins(size: usize) -> bool {
    wins(&vec![0; size * size], size, 1, &mut FxHashMap::default())
}

fn wins(board: &[u8], size: usize, mover: u8, known: &mut FxHashMap<Vec<u8>, bool>) -> bool {
    if !board.contains(&0) {
        return is_connected(board, size);
    }
    if let Some(&answer) = known.get(board) {
        return answer;
    }
    let mut after = (0..board.len())
        .filter(|&cell| board[cell] == 0)
        .map(|cell| {
            let mut after = board.to_vec();
            after[cell] = mover;
            after
        });
    let answer = match mover {
        1 => after.any(|after| wins(&after, size, 2, known)),
        _ => after.all(|after| wins(&after, size, 1, known)),
    };
    known.insert(board.to_vec(), answer);
    answer
}

/// Whether the cells of player 1 join the left side to the right, by flooding.
pub fn is_connected(board: &[u8], size: usize) -> bool {
    let own = |row: usize, column: usize| board[row * size + column] == 1;
    let mut wet: Vec<(usize, usize)> = (0..size).filter(|&r| own(r, 0)).map(|r| (r, 0)).collect();
    let mut next = 0;
    while let Some(&(row, column)) = wet.get(next) {
        next += 1;
        if column + 1 == size {
            return true;
        }
        for r in row.saturating_sub(1)..=(row + 1).min(size - 1) {
            for c in column.saturating_sub(1)..=(column + 1).min(size - 1) {
                let parallel = (r > row && c > column) || (r < row && c < column);
                if !parallel && own(r, c) && !wet.contains(&(r, c)) {
                    wet.push((r, c));
                }
            }
        }
    }
    false
}
