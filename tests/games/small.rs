//! Connect-k, Hex, Nim, cops and robber.

use itertools::Itertools as _;
use quip::games::connect::{self, Connect};
use quip::games::geography::Graph;
use quip::games::{cops, hex, nim, positional};
use quip::num::int;

use crate::perft;
use crate::positional::undecided;
use crate::solve::{large, report, solved, wins};

#[test]
fn small_boards_with_gravity_have_the_value_of_the_direct_game() {
    for (columns, height, row) in [
        (1, 1, 1),
        (2, 2, 2),
        (3, 2, 2),
        (3, 3, 3),
        (2, 4, 3),
        (4, 2, 3),
    ] {
        for cylinder in [false, true] {
            let board = Connect {
                columns,
                height,
                row,
                cylinder,
            };
            let game = board.game().unwrap();
            let wanted = connect::referee::value(&board);
            assert_eq!(positional::referee::value(&game), wanted, "{board:?}");
            let outcome = solved(&game.program().unwrap());
            assert_eq!(outcome.objective, Some(int(wanted)), "{board:?}");
        }
    }
}

#[test]
fn large_boards_with_gravity_have_the_value_of_the_direct_game() {
    if !large() {
        return;
    }
    for (columns, height, row, cylinder) in [(4, 4, 3, false), (4, 3, 4, true), (4, 4, 4, false)] {
        let board = Connect {
            columns,
            height,
            row,
            cylinder,
        };
        let program = board.game().unwrap().program().unwrap();
        let outcome = report(&format!("{board:?}"), &program);
        assert_eq!(
            outcome.objective,
            Some(int(connect::referee::value(&board)))
        );
    }
}

#[test]
fn gravity_leaves_one_cell_of_each_column() {
    let board = Connect {
        columns: 3,
        height: 2,
        row: 3,
        cylinder: false,
    };
    let game = board.game().unwrap();
    for depth in 1..=4 {
        let program = undecided(&game.clone().until(depth).program().unwrap());
        let early = |name: &str| {
            let time = name
                .strip_prefix("c[")
                .and_then(|rest| rest.split(',').next());
            time.is_some_and(|time| time.parse::<usize>().unwrap() <= depth)
        };
        assert_eq!(
            perft::plays(&program, early),
            positional::referee::plays(&game, depth)
        );
    }
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let board = Connect {
        columns: 3,
        height: 2,
        row: 4,
        cylinder: false,
    };
    assert_eq!(
        board.game().unwrap_err().to_string(),
        "row: 4 in a row do not fit the board"
    );
    let board = Connect {
        columns: 0,
        ..board
    };
    assert_eq!(
        board.game().unwrap_err().to_string(),
        "columns: a board has 1 to 64 cells"
    );
}

#[test]
fn the_first_player_wins_small_hex() {
    for size in [1, 2, 3] {
        assert!(hex::referee::first_wins(size));
        assert!(wins(&hex::program(size).unwrap()), "{size}");
    }
}

#[test]
fn nim_is_won_as_bouton_says() {
    for heaps in [
        vec![0],
        vec![1],
        vec![2],
        vec![1, 1],
        vec![1, 2],
        vec![2, 2],
        vec![1, 2, 3],
        vec![1, 1, 2],
        vec![1, 1, 1],
        vec![4],
        vec![3, 3],
    ] {
        let wanted = nim::referee::mover_wins(&heaps);
        assert_eq!(nim::referee::by_theorem(&heaps), wanted, "{heaps:?}");
        assert_eq!(wins(&nim::program(&heaps).unwrap()), wanted, "{heaps:?}");
    }
}

#[test]
fn cops_catch_the_robber_as_the_direct_game_says() {
    let path = "0 1\n1 2\n2 3\n3\n";
    let cycle = "0 1\n1 2\n2 3\n3 0\n";
    let triangle = "0 1\n1 2\n2 0\n";
    for (graph, rounds, cops) in [
        (path, 1, 1),
        (path, 2, 1),
        (cycle, 1, 1),
        (cycle, 2, 1),
        (cycle, 1, 2),
        (triangle, 1, 1),
    ] {
        let graph = Graph::parse(&format!("{rounds}\n{graph}")).unwrap();
        let wanted = cops::referee::cops_win(&graph, cops);
        let program = cops::program(&graph, cops).unwrap();
        assert_eq!(
            wins(&program),
            wanted,
            "{rounds} rounds, {cops} cops\n{}",
            graph.to_text()
        );
    }
    for seed in 0..10 {
        let graph = Graph::random(4, 1 + seed as usize % 3, 1, seed);
        let wanted = cops::referee::cops_win(&graph, 1);
        let program = cops::program(&graph, 1).unwrap();
        assert_eq!(wins(&program), wanted, "seed {seed}");
    }
}

/// Whether a variable called `name[t,…]` belongs to one of the first moves.
fn is_early(variable: &str, name: &str, last: usize) -> bool {
    let rest = variable
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix('['));
    let time = rest.and_then(|rest| rest.split([',', ']']).next()?.parse::<usize>().ok());
    time.is_some_and(|time| time <= last)
}

/// Plays of some moves after which player 1 can be connected in the end.
fn hex_plays(size: usize, board: &mut Vec<u8>, depth: usize) -> u64 {
    let free: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] == 0).collect();
    let mover = if (board.len() - free.len()).is_multiple_of(2) {
        1
    } else {
        2
    };
    if free.is_empty() || depth == 0 {
        let own = free.len() / 2 + usize::from(mover == 1 && free.len() % 2 == 1);
        let connects = free.into_iter().combinations(own).any(|cells| {
            let mut full = board.clone();
            full.iter_mut()
                .filter(|owner| **owner == 0)
                .for_each(|owner| *owner = 2);
            cells.into_iter().for_each(|cell| full[cell] = 1);
            hex::referee::is_connected(&full, size)
        });
        return u64::from(connects);
    }
    let mut total = 0;
    for cell in free {
        board[cell] = mover;
        total += hex_plays(size, board, depth - 1);
        board[cell] = 0;
    }
    total
}

#[test]
fn hex_has_as_many_plays_as_the_game() {
    for (size, depths) in [(2, 1..=4), (3, 1..=2)] {
        let program = hex::program(size).unwrap();
        for depth in depths {
            let wanted = hex_plays(size, &mut vec![0; size * size], depth);
            let plays = perft::plays(&program, |name| is_early(name, "c", depth));
            assert_eq!(plays, wanted, "{size}, {depth} moves");
        }
    }
}

/// Plays of some moves, or fewer if player 2 is stuck before, that player 1 can still win.
fn nim_plays(heaps: &[usize], made: usize, depth: usize) -> u64 {
    if depth == 0 || heaps.iter().all(|&heap| heap == 0) {
        return u64::from(can_end_well(heaps, made));
    }
    let next = nim::referee::moves(heaps);
    next.iter()
        .map(|heaps| nim_plays(heaps, made + 1, depth - 1))
        .sum()
}

fn can_end_well(heaps: &[usize], made: usize) -> bool {
    let next = nim::referee::moves(heaps);
    match next.is_empty() {
        true => made % 2 == 1,
        false => next.iter().any(|heaps| can_end_well(heaps, made + 1)),
    }
}

#[test]
fn nim_has_as_many_plays_as_the_game() {
    for heaps in [vec![2], vec![1, 1], vec![1, 2], vec![2, 2], vec![1, 1, 2]] {
        let program = nim::program(&heaps).unwrap();
        for depth in 1..=heaps.iter().sum() {
            let wanted = nim_plays(&heaps, 0, depth);
            let plays = perft::plays(&program, |name| is_early(name, "take", depth));
            assert_eq!(plays, wanted, "{heaps:?}, {depth} moves");
        }
    }
}

/// Plays of one cop and the robber, who move in turns, after which the robber was or can be caught.
/// A catch does not end the play.
fn cop_plays(graph: &Graph, places: &mut Vec<usize>, moves: usize, depth: usize) -> u64 {
    if depth == 0 {
        return u64::from(can_catch(graph, places, moves));
    }
    let mut total = 0;
    for place in next_places(graph, places) {
        places.push(place);
        total += cop_plays(graph, places, moves, depth - 1);
        places.pop();
    }
    total
}

fn next_places(graph: &Graph, places: &[usize]) -> Vec<usize> {
    match places.len().checked_sub(2) {
        Some(before) => cops::referee::around(graph, places[before]),
        None => (0..graph.nodes()).collect(),
    }
}

fn can_catch(graph: &Graph, places: &mut Vec<usize>, moves: usize) -> bool {
    if places.windows(2).any(|pair| pair[0] == pair[1]) {
        return true;
    }
    if places.len() == moves {
        return false;
    }
    next_places(graph, places).into_iter().any(|place| {
        places.push(place);
        let caught = can_catch(graph, places, moves);
        places.pop();
        caught
    })
}

#[test]
fn cops_and_robber_have_as_many_plays_as_the_game() {
    let path = "0 1\n1 2\n2 3\n3 4\n4\n";
    let square = "0 1\n1 2\n2 3\n3 0\n";
    for (text, rounds) in [(path, 1), (square, 1), (square, 2)] {
        let graph = Graph::parse(&format!("{rounds}\n{text}")).unwrap();
        let program = cops::program(&graph, 1).unwrap();
        let moves = 2 * rounds + 1;
        for depth in 1..=moves {
            let wanted = cop_plays(&graph, &mut Vec::new(), moves, depth);
            let is_move = |name: &str| {
                let of_cop = is_early(name, "c", (depth - 1) / 2);
                of_cop || depth > 1 && is_early(name, "r", depth / 2 - 1)
            };
            let plays = perft::plays(&program, is_move);
            assert_eq!(plays, wanted, "{rounds} rounds, {depth} moves\n{text}");
        }
    }
}
