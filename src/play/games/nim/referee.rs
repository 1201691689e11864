//! The rules of Nim, played directly, and what is known about it.

use rustc_hash::FxHashMap;

/// Whether the player to move wins, by trying everything.
///
/// ```
/// use quip::games::nim::referee::mover_wins;
/// assert!(!mover_wins(&[1, 2, 3]));
/// ```
pub fn mover_wins(heaps: &[usize]) -> bool {
    wins(heaps, &mut FxHashMap::default())
}

fn wins(heaps: &[usize], known: &mut FxHashMap<Vec<usize>, bool>) -> bool {
    if let Some(&answer) = known.get(heaps) {
        return answer;
    }
    let answer = moves(heaps).iter().any(|after| !wins(after, known));
    known.insert(heaps.to_vec(), answer);
    answer
}

/// Every position after one move.
pub fn moves(heaps: &[usize]) -> Vec<Vec<usize>> {
    let mut positions = Vec::new();
    for (place, &size) in heaps.iter().enumerate() {
        for left in 0..size {
            let mut after = heaps.to_vec();
            after[place] = left;
            positions.push(after);
        }
    }
    positions
}

/// Bouton's theorem: the mover wins unless the exclusive or of the heaps is zero.
pub fn by_theorem(heaps: &[usize]) -> bool {
    heaps.iter().fold(0, |sum, heap| sum ^ heap) != 0
}
