//! Random positions of every game: the value of the program in which the moves made are fixed is
//! that of the direct search by the referee's rules.

use quip::games::play::{End, direct};
use quip::games::{FAMILIES, family};
use quip::outcome::Status;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::solve::solved;

const ROOK: &str = "k..\n...\nK.R\n";
const PAWNS: &str = "k.p\n.p.\nP.K\n";
const SQUARE: &str = "2\n0 1\n1 2\n2 3\n3 0\n";
const SETS: &str = "a b c\nc d\nb e\nd e a\n";
const BOARD: &str = "b..\n.w.\n...\n";

/// A game and after how many moves at least its positions are taken.
type Game = (&'static str, &'static [(&'static str, &'static str)], usize);

const GAMES: &[Game] = &[
    ("gomoku", &[("row", "3"), ("board", BOARD)], 1),
    (
        "gomoku",
        &[("size", "3"), ("row", "2"), ("horizon", "6")],
        2,
    ),
    ("tictactoe", &[("size", "3")], 4),
    ("tictactoe", &[("size", "3"), ("player", "o")], 4),
    (
        "tictactoe",
        &[("size", "3"), ("player", "o"), ("reading", "final-board")],
        4,
    ),
    (
        "dgr-random",
        &[
            ("nodes", "5"),
            ("edges", "8"),
            ("failures", "6"),
            ("seed", "4"),
        ],
        0,
    ),
    (
        "dgr-random",
        &[
            ("nodes", "6"),
            ("edges", "10"),
            ("budget", "2"),
            ("guard", "indicator"),
            ("seed", "5"),
        ],
        0,
    ),
    (
        "geography-random",
        &[("nodes", "7"), ("rounds", "6"), ("seed", "2")],
        0,
    ),
    ("crossdot", &[("boxes", "6"), ("row", "2")], 0),
    ("chess", &[("board", ROOK), ("steps", "5")], 1),
    (
        "chess",
        &[("board", PAWNS), ("steps", "3"), ("black", "pawns")],
        0,
    ),
    (
        "connect",
        &[
            ("columns", "3"),
            ("height", "3"),
            ("row", "3"),
            ("cylinder", "yes"),
        ],
        2,
    ),
    ("positional", &[("sets", SETS)], 0),
    ("hex", &[("size", "3")], 2),
    ("nim", &[("heaps", "1,2,2")], 0),
    ("cops", &[("graph", SQUARE), ("cops", "1")], 0),
];

#[test]
fn random_positions_of_every_game_have_the_value_of_the_direct_search() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut seen = [0; 3];
    for (name, given, least) in GAMES {
        for _ in 0..8 {
            seen[compare(name, given, *least, &mut random) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 8), "{seen:?}");
}

#[test]
fn every_game_that_can_be_played_is_among_them() {
    for family in FAMILIES.iter().filter(|family| family.is_playable()) {
        let is_covered = |(name, ..): &Game| name.starts_with(family.name);
        assert!(GAMES.iter().any(is_covered), "{}", family.name);
    }
}

/// Plays at random for a while and compares.
fn compare(name: &str, given: &[(&str, &str)], least: usize, random: &mut ChaCha8Rng) -> End {
    let family = family(name).unwrap();
    let rules = family.rules(given).unwrap();
    let mut table = family.table(given).unwrap();
    let moves = random.random_range(least..least + 4);
    while table.made() < moves && table.mover().is_some() {
        let words = table.moves();
        table.play(words.choose(random).unwrap()).unwrap();
    }
    if table.mover().is_none() {
        table.take_back_one();
    }
    let wanted = direct(&*rules, table.history()).end;
    let outcome = solved(&table.program());
    let played: Vec<String> = table.words().collect();
    match (outcome.status, &outcome.objective) {
        (Status::Optimal, Some(value)) => {
            let end = rules.end_of_value(value);
            assert_eq!(end, wanted, "{name} {given:?} after {played:?}");
        }
        (status, _) => {
            // Whoever asks for O's strategy is content with a tie.
            let content = given.contains(&("player", "o")) && wanted == End::Tie;
            assert_eq!(
                status != Status::Infeasible,
                content || wanted == End::First,
                "{name} {given:?} after {played:?}"
            );
        }
    }
    wanted
}
