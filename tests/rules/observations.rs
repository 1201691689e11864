//! The examples and observations of the source, each by its number.

use quip::rules::{Guarantee, Reading, guarantee};

use crate::support::{Table, player};

const PLAYS: Reading = Reading::CompletePlays;

/// Whether `goal` holds in every terminal state when the players follow the rules.
fn guaranteed(table: &Table, rules: &[(usize, &str)], reading: Reading, goal: &str) -> Guarantee {
    let conduct = table.conduct(rules, reading);
    let goal = table.theory.formula(goal).unwrap();
    guarantee(&table.graph, &conduct, player(rules[0].0), &goal)
}

#[test]
fn example_2_fills_a_box_beside_an_own_one_but_neither_always_nor_in_one_way() {
    let table = Table::crossdot(4, 2);
    let strategy = table.strategy("fill_next", 1, PLAYS);
    assert!(strategy.is_valid());
    assert!(strategy.incomplete_at(&table.graph).is_some());
    assert!(strategy.ambiguous_at(&table.graph).is_some());
    let moves: Vec<(String, i64)> = table
        .graph
        .states()
        .flat_map(|state| {
            let line = table.line(state);
            let boxes = table.boxes(&strategy, state);
            boxes.into_iter().map(move |place| (line.clone(), place))
        })
        .collect();
    // One own box at j and one of the opponent elsewhere: 12 lines. Next to the own box there
    // are two boxes, less the end of the line, less the opponent's.
    assert_eq!(moves.len(), 12);
    assert!(moves.contains(&("x--o".to_owned(), 2)));
    assert!(moves.contains(&("ox--".to_owned(), 3)));
    assert!(
        !moves
            .iter()
            .any(|(line, place)| line == "xo--" && *place == 2)
    );
}

#[test]
fn example_3_formulas_under_a_move() {
    let table = Table::crossdot(4, 2);
    let state = table.after(&[1, 2]);
    let under = |text: &str| {
        let strategy = table.strategy(text, 1, PLAYS);
        table.boxes(&strategy, state).contains(&3)
    };
    assert!(under("legal(a(1,4))"));
    assert!(!under("does(a(2,3))"));
    // After x at 1 and 3 and o at 2 only box 4 is left, and then the line is full.
    assert!(under(
        "~(p(1,3) | p(2,3)) & next p(1,3) & next (legal(a(2,4)) & does(a(2,4)))"
    ));
    assert!(under("next next terminal"));
}

#[test]
fn one_formula_means_different_things_for_different_players() {
    let table = Table::crossdot(4, 2);
    let (mine, theirs) = (
        table.strategy("next p(1,1)", 1, PLAYS),
        table.strategy("next p(1,1)", 2, PLAYS),
    );
    assert_eq!(table.boxes(&mine, table.after(&[])), [1]);
    assert_eq!(table.boxes(&mine, table.after(&[1, 3])), [2, 4]);
    assert_eq!(table.boxes(&theirs, table.after(&[1])), [2, 3, 4]);
    assert!(table.boxes(&theirs, table.after(&[2])).is_empty());
}

#[test]
fn a_player_can_force_an_action_by_leaving_no_other() {
    let table = Table::crossdot(4, 2);
    let forcing = table.strategy("next does(a(2,1))", 1, PLAYS);
    // x at 4, o at 3: filling box 2 leaves only box 1, filling box 1 leaves box 2.
    assert_eq!(table.boxes(&forcing, table.after(&[4, 3])), [2]);
    assert!(table.boxes(&forcing, table.after(&[])).is_empty());
    // Where the play is over nothing is denied of the next action: a win "forces" it, too.
    assert_eq!(table.boxes(&forcing, table.after(&[2, 3])), [1, 4]);
}

#[test]
fn thinking_two_moves_ahead() {
    let table = Table::crossdot(4, 2);
    let ahead = table.strategy("next ~does(a(1,1)) -> next next does(a(2,1))", 2, PLAYS);
    let never = table.strategy("next next does(a(2,1))", 2, PLAYS);
    // With x at 3 the text does not list box 1; after it every reply of player 1 ends the play.
    for (boxes, expected) in [
        (&[4], vec![2, 3]),
        (&[3], vec![1, 2, 4]),
        (&[2], vec![3, 4]),
    ] {
        let state = table.after(boxes);
        assert_eq!(table.boxes(&ahead, state), expected, "{boxes:?}");
    }
    assert!(table.boxes(&never, table.after(&[4])).is_empty());
    // The text has no move for `never` at all; its own rule for the end of a path gives it those
    // that end the play.
    assert_eq!(table.boxes(&never, table.after(&[1, 2, 3])), [4]);
}

#[test]
fn winning_within_one_step() {
    let table = Table::crossdot(4, 2);
    let strategy = table.strategy("next wins(1)", 1, PLAYS);
    assert_eq!(table.boxes(&strategy, table.after(&[2, 4])), [1, 3]);
    assert_eq!(table.boxes(&strategy, table.after(&[1, 2])), [] as [i64; 0]);
    let soon = table.strategy("fill_next", 1, PLAYS);
    assert_eq!(strategy, soon, "with k = 2 one box beside an own one wins");
}

#[test]
fn observation_3_combined_is_complete() {
    for m in 2..=10 {
        let table = Table::crossdot(m, 2);
        for number in [1, 2] {
            let strategy = table.strategy("combined", number, PLAYS);
            assert_eq!(strategy.incomplete_at(&table.graph), None, "m = {m}");
        }
    }
}

#[test]
fn observation_4_thoughtful_is_functional() {
    for m in 2..=10 {
        let table = Table::crossdot(m, 2);
        for number in [1, 2] {
            let strategy = table.strategy("thoughtful", number, PLAYS);
            assert!(strategy.is_functional(&table.graph), "m = {m}");
        }
    }
}

#[test]
fn observation_5_thoughtful_wins_for_the_first_player() {
    for m in 3..=10 {
        let table = Table::crossdot(m, 2);
        let answer = guaranteed(&table, &[(1, "thoughtful")], PLAYS, "wins(1)");
        assert_eq!(answer, Guarantee::Holds, "m = {m}");
    }
}

/// The text claims it for all m > 2, but at m = 3 box 2 is isolated from nothing: thoughtful takes
/// the middle and the game is a tie.
#[test]
fn observation_6_leftmost_beats_thoughtful_from_four_boxes_on() {
    let rules = [(1, "fill_leftmost"), (2, "thoughtful")];
    let table = Table::crossdot(3, 2);
    let refuted = guaranteed(&table, &rules, PLAYS, "wins(1)");
    assert_eq!(refuted.refutation().unwrap().len(), 3);
    assert!(guaranteed(&table, &rules, PLAYS, "~wins(1) & ~wins(2)").holds());
    for m in 4..=10 {
        let table = Table::crossdot(m, 2);
        assert!(
            guaranteed(&table, &rules, PLAYS, "wins(1)").holds(),
            "m = {m}"
        );
    }
}

#[test]
fn observation_7_cautious_holds_leftmost_when_plays_are_complete() {
    let rules = [(1, "fill_leftmost"), (2, "cautious")];
    for m in 3..=10 {
        let table = Table::crossdot(m, 2);
        assert!(
            guaranteed(&table, &rules, PLAYS, "~wins(1)").holds(),
            "m = {m}"
        );
    }
}

/// A path that breaks off says yes to everything about what comes next, so that under the literal
/// reading `defence` forbids every move and `cautious` is no more than `thoughtful`.
#[test]
fn observation_7_fails_from_four_boxes_on_when_paths_may_break_off() {
    let rules = [(1, "fill_leftmost"), (2, "cautious")];
    for m in 4..=10 {
        let table = Table::crossdot(m, 2);
        let answer = guaranteed(&table, &rules, Reading::Segments, "~wins(1)");
        assert!(matches!(answer, Guarantee::Refuted(_)), "m = {m}");
        assert!(!table.strategy("defence", 2, Reading::Segments).is_valid());
    }
}

#[test]
fn observation_8_passive_defence_never_loses() {
    for (k, most) in [(3, 10), (4, 10)] {
        for m in k..=most {
            let table = Table::crossdot(m, k);
            for (me, goal) in [(1, "~wins(2)"), (2, "~wins(1)")] {
                let answer = guaranteed(&table, &[(me, "passive_defence")], PLAYS, goal);
                assert_eq!(answer, Guarantee::Holds, "m = {m}, k = {k}, player {me}");
            }
        }
    }
}

/// The note behind (20) says that `defence` is neither; (21) and (22) are functional.
#[test]
fn defence_is_neither_complete_nor_deterministic_but_what_is_built_on_it_is_functional() {
    let table = Table::crossdot(5, 2);
    let defence = table.strategy("defence", 1, PLAYS);
    assert!(defence.incomplete_at(&table.graph).is_some());
    assert!(defence.ambiguous_at(&table.graph).is_some());
    for rule in ["cautious", "passive_defence", "fill_leftmost"] {
        assert!(
            table.strategy(rule, 2, PLAYS).is_functional(&table.graph),
            "{rule}"
        );
    }
}
