//! CrossDot and other positional games.

use quip::games::crossdot;
use quip::games::positional::{Hypergraph, Positional, referee};
use quip::num::int;
use quip::program::Program;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::perft;
use crate::solve::{fixed, solved};

#[test]
fn crossdot_has_the_values_of_the_document() {
    for row in 2..=4 {
        for boxes in row..=7 {
            let wanted = i64::from(row == 2 && boxes > 2);
            let program = crossdot::game(boxes, row).unwrap().program().unwrap();
            let outcome = solved(&program);
            assert_eq!(outcome.objective, Some(int(wanted)), "{boxes} {row}");
            assert_eq!(
                crossdot::referee::value(boxes, row),
                wanted,
                "{boxes} {row}"
            );
        }
    }
}

#[test]
fn crossdot_with_ten_boxes_has_the_values_of_the_document() {
    for row in 2..=4 {
        let wanted = i64::from(row == 2);
        assert_eq!(crossdot::referee::value(10, row), wanted);
        let program = crossdot::game(10, row).unwrap().program().unwrap();
        assert_eq!(solved(&program).objective, Some(int(wanted)));
    }
}

#[test]
fn random_hypergraphs_have_the_value_of_the_direct_game() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut seen = [0; 3];
    for round in 0..60 {
        let cells = random.random_range(1..=6);
        let set = |random: &mut ChaCha8Rng| {
            let size = random.random_range(1..=cells.min(3));
            rand::seq::index::sample(random, cells, size).into_vec()
        };
        let winning = (0..random.random_range(1..=6))
            .map(|_| set(&mut random))
            .collect();
        let game = Positional::new(cells, winning).unwrap();
        let game = game.until(random.random_range(1..=6));
        let wanted = referee::value(&game);
        seen[(wanted + 1) as usize] += 1;
        let outcome = solved(&game.program().unwrap());
        assert_eq!(
            outcome.objective,
            Some(int(wanted)),
            "round {round}: {game:?}"
        );
    }
    assert!(seen[1] > 5 && seen[2] > 5, "{seen:?}");
}

#[test]
fn the_program_has_as_many_plays_as_the_game() {
    let game = crossdot::game(5, 3).unwrap();
    for depth in 1..=3 {
        let early = |name: &str| {
            let time = name
                .strip_prefix("c[")
                .and_then(|rest| rest.split(',').next());
            time.is_some_and(|time| time.parse::<usize>().unwrap() <= depth)
        };
        let plays = perft::plays(
            &undecided(&game.clone().until(depth).program().unwrap()),
            early,
        );
        assert_eq!(plays, referee::plays(&game, depth));
    }
}

/// The program without plays in which somebody has won or given up.
pub fn undecided(program: &Program) -> Program {
    let names = program
        .variables()
        .iter()
        .map(|variable| variable.name.as_str());
    let ends = names.filter(|name| name.starts_with("won[") || name.starts_with("lost["));
    let ends: Vec<(&str, i64)> = ends.map(|name| (name, 0)).collect();
    fixed(program, &ends)
}

#[test]
fn the_triangle_is_won_by_the_first_player() {
    let triangle = Hypergraph::parse("a b\nb c\nc a\n").unwrap();
    let outcome = solved(&triangle.game().program().unwrap());
    assert_eq!(outcome.objective, Some(int(1)));
    let error = Hypergraph::parse("# nothing\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 1: no winning set is given"
    );
}
