//! The rules of CrossDot, played directly on a line of boxes.

use rustc_hash::FxHashMap;

/// 1 if player 1 wins under best play, 0 for a tie, -1 if player 2 wins.
///
/// ```
/// use quip::games::crossdot::referee::value;
/// assert_eq!((value(2, 2), value(3, 2)), (0, 1));
/// ```
pub fn value(boxes: usize, row: usize) -> i64 {
    best(&vec![0; boxes], row, 1, &mut FxHashMap::default())
}

fn best(line: &[u8], row: usize, mover: u8, known: &mut FxHashMap<Vec<u8>, i64>) -> i64 {
    if let Some(&value) = known.get(line) {
        return value;
    }
    let mut values = Vec::new();
    for place in 0..line.len() {
        if line[place] == 0 {
            let mut after = line.to_vec();
            after[place] = mover;
            let won = after
                .windows(row)
                .any(|run| run.iter().all(|&mark| mark == mover));
            values.push(match (won, mover) {
                (true, 1) => 1,
                (true, _) => -1,
                (false, _) => best(&after, row, 3 - mover, known),
            });
        }
    }
    let value = match mover {
        1 => values.into_iter().max(),
        _ => values.into_iter().min(),
    };
    let value = value.unwrap_or(0);
    known.insert(line.to_vec(), value);
    value
}
