//! Universal rows that decisions can break: plays become illegal, and so may all of them.

use std::sync::Arc;

use quip::budget::{Budget, Limits};
use quip::equivalent::plays::{Listing, legal_plays};
use quip::equivalent::{self, Settings, Skeleton};
use quip::format::parse_qip;
use quip::games::random::{RandomShape, random_program};
use quip::outcome::{Outcome, SolveError, Status};
use quip::program::{Id, Program, Row, VarId};
use quip::reference;

use super::{
    Solve, answer, by_equivalent, by_expand, count, gated_program, support,
    taken_by_scenario_engines,
};

/// What random programs came to.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    /// Programs with conditions that both engines took.
    taken: u64,
    /// Those of them in which the best first stage makes a play illegal.
    illegal: u64,
    /// Those in which the universal player is stuck, but not from the beginning.
    stuck: u64,
}

impl Tally {
    fn compare(&mut self, program: &Program, seed: u64) {
        self.programs += 1;
        let Ok(skeleton) = Skeleton::new(program, "test") else {
            return;
        };
        if skeleton.conditions.is_empty() || program.first_empty_domain().is_some() {
            return;
        }
        if taken_by_scenario_engines(program, seed) < 2 {
            return;
        }
        self.taken += 1;
        let found = by_equivalent(program, seed, &mut Budget::unlimited()).expect("taken before");
        self.illegal += u64::from(makes_a_play_illegal(&skeleton, &found));
        let wins = found.status == Status::UniversalStuck && !found.first_stage.is_empty();
        self.stuck += u64::from(wins);
    }
}

fn makes_a_play_illegal(skeleton: &Skeleton, outcome: &Outcome) -> bool {
    let decides = |stage: &usize| !skeleton.stages[*stage].is_empty();
    let last = skeleton.stages.len() - 1;
    let end = (1..last).find(decides).unwrap_or(last);
    if skeleton.universals.is_empty() || outcome.first_stage.len() < skeleton.stages[0].len() {
        return false;
    }
    let decided = |var: VarId| {
        let value = &outcome.first_stage[var.index()].1;
        i64::try_from(value.to_integer()).expect("a small number")
    };
    match legal_plays(skeleton, 10_000, &mut Budget::unlimited()) {
        Ok(Listing::Complete(plays)) => plays
            .iter()
            .any(|play| !skeleton.admits(end, play, decided)),
        _ => false,
    }
}

/// General integers, few blocks, many rules of all forms.
fn few_blocks() -> RandomShape {
    RandomShape {
        variables: 3..=7,
        block: 1..=3,
        rows: 1..=4,
        universal_rows: 1..=3,
        terms: 1..=4,
        equations: 20,
        decision_dependent: 90,
        ..RandomShape::small()
    }
}

/// Single moves of either player, one after the other.
fn many_blocks() -> RandomShape {
    RandomShape {
        variables: 4..=7,
        equations: 15,
        decision_dependent: 90,
        ..RandomShape::game()
    }
}

#[test]
fn illegal_plays_bind_nobody_in_a_few_blocks() {
    let mut tally = Tally::default();
    for seed in 0..count(1200) {
        tally.compare(&random_program(seed, &few_blocks()), seed);
    }
    println!("{tally:?}");
    assert!(tally.taken * 2 > tally.programs, "{tally:?}");
    assert!(tally.illegal * 8 > tally.programs, "{tally:?}");
    assert!(tally.stuck * 20 > tally.programs, "{tally:?}");
}

#[test]
fn illegal_plays_bind_nobody_in_many_blocks() {
    let mut tally = Tally::default();
    for seed in 0..count(800) {
        tally.compare(&random_program(seed, &many_blocks()), seed);
    }
    println!("{tally:?}");
    assert!(tally.taken * 2 > tally.programs, "{tally:?}");
    assert!(tally.illegal * 10 > tally.programs, "{tally:?}");
}

/// Gates, and a row that makes some of them conditions.
fn gated_with_conditions(seed: u64) -> Option<Program> {
    let mut data = gated_program(seed).into_data();
    let shape = RandomShape {
        universal_rows: 1..=1,
        decision_dependent: 100,
        ..RandomShape::binary()
    };
    let other = random_program(seed, &shape).into_data();
    let others = other.universal_rows.into_iter();
    data.universal_rows
        .extend(others.map(|row| Row { name: None, ..row }));
    Program::new(data).ok()
}

#[test]
fn gates_and_conditions_go_together() {
    let (mut tally, mut gates) = (Tally::default(), 0);
    for seed in 0..count(600) {
        let Some(program) = gated_with_conditions(seed) else {
            continue;
        };
        tally.compare(&program, seed);
        let skeleton = Skeleton::new(&program, "test").expect("a program of integers");
        let has_gate = skeleton.gates.iter().any(Option::is_some);
        gates += u64::from(has_gate && !skeleton.conditions.is_empty());
    }
    println!("{tally:?}, {gates} with gates");
    assert!(tally.illegal * 10 > tally.programs, "{tally:?}");
    assert!(gates > tally.programs / 10, "only {gates} have both");
}

/// Whether a condition is broken follows from the decisions and is not branched on.
#[test]
fn broken_conditions_are_not_guessed() {
    let program = gated_with_conditions(6950).expect("a program");
    let limits = Limits {
        nodes: Some(10_000),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, Arc::default(), None);
    let settings = Settings {
        nodes_before_claim: 1_000_000,
        ..Settings::default()
    };
    let found = equivalent::solve_with(&program, &settings, &mut budget).expect("taken");
    let expected = reference::solve(&program, &mut Budget::unlimited()).expect("integers");
    assert_eq!(answer(&found), answer(&expected));
}

/// What the reference says; both engines say the same, with every switch.
fn agreed(text: &str) -> (Status, Option<String>) {
    let program = parse_qip(text).unwrap_or_else(|fault| panic!("{fault:?} in\n{text}"));
    let expected = reference::solve(&program, &mut Budget::unlimited()).expect("integers");
    let skeleton = Skeleton::new(&program, "test").expect("taken");
    assert!(!skeleton.conditions.is_empty(), "no conditions in\n{text}");
    for seed in 0..24 {
        for solve in [by_equivalent as Solve, by_expand] {
            let found = solve(&program, seed, &mut Budget::unlimited()).expect("taken");
            assert_eq!(answer(&found), answer(&expected), "seed {seed} of\n{text}");
        }
    }
    support::certified::proved(&program, &expected);
    let value = expected.objective.map(|value| value.to_string());
    (expected.status, value)
}

fn optimal(value: i64) -> (Status, Option<String>) {
    (Status::Optimal, Some(value.to_string()))
}

const STUCK: (Status, Option<String>) = (Status::UniversalStuck, None);

#[test]
fn who_leaves_the_opponent_no_legal_play_wins() {
    // With x = 0 no y is half of one.
    let text = |prefix: &str| {
        format!(
            "{prefix} subject to z >= y uncertainty 2 y = 1 + x
             prefix exists binary x forall binary y exists binary z end"
        )
    };
    assert_eq!(agreed(&text("minimize cost: z - 5 x")), STUCK);
    assert_eq!(agreed(&text("")), STUCK);
}

#[test]
fn who_kills_both_systems_loses() {
    // x = 0 leaves y nothing, but also 2 z = 1 + 2 w.
    let text = "minimize cost: 5 x + z
         subject to 2 z = 1 + x + 2 w
         uncertainty 2 y = 1 + x
         prefix exists binary x  forall binary y  exists integer z w in [0, 3]
         end";
    assert_eq!(agreed(text), optimal(6));
}

#[test]
fn who_wins_must_be_alive_and_not_more() {
    // y cannot follow x = 1. That w could be 1 is no matter then: it could be 0.
    let text = "minimize cost: z
         subject to x + w <= 1
                    z >= y
         uncertainty 2 y + x = 2
         prefix exists binary x  forall binary y w  exists binary z
         end";
    assert_eq!(agreed(text), STUCK);
    // Neither do the worst values of a last block count.
    let text = "minimize cost: 0 - x
         subject to x + y <= 1
         uncertainty x <= 0
         prefix exists binary x  forall binary y
         end";
    assert_eq!(agreed(text), STUCK);
}

#[test]
fn an_equation_lets_decisions_choose_how_much_is_attacked() {
    let text = |reward: i64| {
        format!(
            "minimize cost: 4 z1 + 3 z2 + 2 z3 - {reward} x
             subject to z1 >= y1
                        z2 >= y2
                        z3 >= y3
             uncertainty y1 + y2 + y3 = x
             prefix exists integer x in [0, 3]  forall binary y1 y2 y3  exists binary z1 z2 z3
             end"
        )
    };
    assert_eq!(agreed(&text(1)), optimal(0));
    assert_eq!(agreed(&text(3)), optimal(0));
    assert_eq!(agreed(&text(4)), optimal(-3));
}

#[test]
fn a_budget_shrinks_with_what_is_paid_for_it() {
    let text = |price: i64| {
        format!(
            "minimize cost: {price} x + 4 z1 + 2 z2 + z3
             subject to z1 >= y1
                        z2 >= y2
                        z3 >= y3
             uncertainty y1 + y2 + y3 <= 2 - x
             prefix exists integer x in [0, 2]  forall binary y1 y2 y3  exists binary z1 z2 z3
             end"
        )
    };
    assert_eq!(agreed(&text(1)), optimal(2));
    assert_eq!(agreed(&text(2)), optimal(4));
    assert_eq!(agreed(&text(4)), optimal(6));
}

#[test]
fn the_last_decision_may_win_outright() {
    let text = |rest: &str| {
        format!(
            "minimize cost: 3 z - 2 y
             subject to z <= 1 {rest}
             uncertainty y + z <= 1
             prefix exists binary x  forall binary y  exists integer z in [0, 2]
             end"
        )
    };
    // After y = 1 with z = 1, but after y = 0 there is nothing to break.
    assert_eq!(agreed(&text("")), optimal(0));
    // Where z must be 0 nothing is broken.
    assert_eq!(agreed(&text("\n z + x <= 1 \n x >= 1")), optimal(0));
    let text = "minimize cost: z uncertainty y + z <= 1
         prefix exists binary x  forall integer y in [1, 1]  exists integer z in [0, 2] end";
    assert_eq!(agreed(text), STUCK);
}

#[test]
fn a_later_decision_wins_after_legal_moves_only() {
    // After a = 1 the second decision may leave b nothing. After a = 0 it may not.
    let text = |row: &str| {
        format!(
            "minimize cost: 7 p + 2 q + b
             subject to q + r >= a {row}
             uncertainty 2 b <= 3 - 2 q
                         a + b + q >= 1
                         b <= 2 - p
             prefix exists binary p  forall binary a  exists binary q
                    forall integer b in [0, 2]  exists binary r
             end"
        )
    };
    agreed(&text(""));
    agreed(&text("\n q + b <= 1"));
    agreed(&text("\n q + p >= 1"));
}

#[test]
fn a_move_that_kills_at_once_is_not_outdone_by_one_that_kills_later() {
    // u = 2 costs more, but leaves time to break p + x >= 1 before v = 0.
    let text = "minimize cost: 4 u + 2 x
         subject to u + v >= 4
         uncertainty p + x >= 1
         prefix exists binary p  forall integer u in [0, 2]  exists integer x in [0, 2]
                forall integer v in [0, 2]  exists binary z
         end";
    assert_eq!(agreed(text), (Status::Infeasible, None));
}

#[test]
fn keepers_that_conditions_want_both_kill_their_opponent() {
    // The condition wants x, and x and w together leave v nothing: w wins before t can.
    for rule in ["w + x + v <= 1", "2 w + 2 x + v <= 3"] {
        let text = format!(
            "subject to w + x <= 1
                        t <= 0
             uncertainty u = 1
                         2 u - x <= 1
                         {rule}
             prefix exists binary w  forall binary t  exists binary x  forall binary u v  end"
        );
        assert_eq!(agreed(&text), STUCK);
    }
}

#[test]
fn a_quota_that_conditions_can_make_impossible_is_not_missed() {
    let text = "maximize gain: a1 + a2 + a3
         subject to a1 + y1 <= 1
                    a2 + y2 <= 1
                    a3 + y3 <= 1
         uncertainty y1 + y2 + y3 = 1
                     y1 + z <= 1
                     y2 + y3 + w <= 1
         prefix exists binary z w  forall binary y1 y2 y3  exists binary a1 a2 a3  end";
    assert_eq!(agreed(text), STUCK);
}

#[test]
fn decisions_to_come_complete_the_opponents_rules_too() {
    // y is legal if some z makes the equation true, though z is not his.
    let text = "minimize cost: 3 y + z
         subject to z <= 2
         uncertainty 3 y = z + x
         prefix exists integer x in [0, 2]  forall integer y in [0, 2]  exists integer z in [0, 4]
         end";
    agreed(text);
}

#[test]
fn too_many_values_to_come_are_refused_with_their_name() {
    let text = |largest: i64| {
        format!(
            "minimize cost: y uncertainty 3 y = z + x
             prefix exists integer x in [0, 2]  forall integer y in [0, 2]
                    exists integer zed in [0, 1]  exists integer z in [0, {largest}] end"
        )
    };
    let solve = |text: &str| {
        let program = parse_qip(text).expect("a program");
        by_expand(&program, 0, &mut Budget::unlimited())
    };
    assert!(solve(&text(255)).is_ok());
    let Err(SolveError::Unsupported { reason, .. }) = solve(&text(256)) else {
        panic!("too many values")
    };
    assert!(reason.contains("`z`"), "{reason}");
}

#[test]
fn rows_over_decisions_alone_are_conditions() {
    // Nobody has a universal variable, but rules that the last decision may break.
    let text = "maximize w: x uncertainty x <= 2
         prefix exists integer x in [0, 3] end";
    assert_eq!(agreed(text), STUCK);
    let text = "maximize w: x subject to x <= 2 uncertainty x <= 2
         prefix exists integer x in [0, 3] end";
    assert_eq!(agreed(text), optimal(2));
}
