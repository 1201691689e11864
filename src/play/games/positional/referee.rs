//! The rules of positional games, played directly.

use rustc_hash::FxHashMap;

use super::Positional;

/// 1 if player 1 wins under best play, 0 for a tie, -1 if player 2 wins.
///
/// ```
/// use quip::games::positional::{Positional, referee};
/// let game = Positional::new(3, vec![vec![0, 1], vec![1, 2]])?;
/// assert_eq!(referee::value(&game), 1);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn value(game: &Positional) -> i64 {
    best(game, &mut vec![0; game.cells], 0, &mut FxHashMap::default())
}

/// The cells that the player to move may claim; `board` has 0 for a free cell and else its owner.
pub fn moves(game: &Positional, board: &[u8]) -> Vec<usize> {
    let lowest = |option: &Vec<usize>| option.iter().copied().find(|&cell| board[cell] == 0);
    game.options.iter().filter_map(lowest).collect()
}

/// Whether a player owns a winning set.
pub fn owns_a_set(game: &Positional, board: &[u8], player: u8) -> bool {
    let owned = |set: &Vec<usize>| set.iter().all(|&cell| board[cell] == player);
    game.winning.iter().any(owned)
}

/// How many plays of `depth` moves there are when a win does not end the game.
pub fn plays(game: &Positional, depth: usize) -> u64 {
    count(game, &mut vec![0; game.cells], depth)
}

fn count(game: &Positional, board: &mut Vec<u8>, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 0;
    for cell in moves(game, board) {
        board[cell] = 1;
        total += count(game, board, depth - 1);
        board[cell] = 0;
    }
    total
}

fn best(
    game: &Positional,
    board: &mut Vec<u8>,
    made: usize,
    known: &mut FxHashMap<Vec<u8>, i64>,
) -> i64 {
    if made == game.moves {
        return 0;
    }
    if let Some(&value) = known.get(board) {
        return value;
    }
    let (player, sign) = if made.is_multiple_of(2) {
        (1, 1)
    } else {
        (2, -1)
    };
    let mut best_so_far = None;
    for cell in moves(game, board) {
        board[cell] = player;
        let value = if owns_a_set(game, board, player) {
            sign
        } else {
            best(game, board, made + 1, known)
        };
        board[cell] = 0;
        best_so_far = Some(best_so_far.map_or(value, |so_far: i64| match sign {
            1 => so_far.max(value),
            _ => so_far.min(value),
        }));
        if value == sign {
            break;
        }
    }
    let value = best_so_far.unwrap_or(0);
    known.insert(board.clone(), value);
    value
}
