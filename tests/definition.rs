//! Programs whose value is known: the corner cases of the definition, small published optima, the
//! rules of who loses first.

mod support;

use quip::budget::Budget;
use quip::num::{Rational, int, ratio};
use quip::outcome::{SolveError, Status};
use quip::program::{Bounds, Id, Kind, Program, Quantifier, Row, VarId};
use quip::reference;
use quip::strategy::PlanNode;

use support::certified::by_the_reference as solve;
use support::{Prefix, at_most, dense, equal, fixed, maximize, minimize, program, proof};

/// The status, after the plans have been checked against the value.
fn status(program: &Program) -> Status {
    let score = reference::value(program).expect("the reference takes this program");
    let outcome = solve(program);
    for plan in outcome.strategy.iter().chain(&outcome.refutation) {
        proof::check(program, plan, &score);
    }
    outcome.status
}

fn refusal(program: &Program) -> String {
    match reference::solve(program, &mut Budget::unlimited()) {
        Err(SolveError::Unsupported { reason, .. }) => reason,
        other => panic!("expected a refusal, not {other:?}"),
    }
}

// The four corner programs.

#[test]
fn an_interior_universal_value_can_be_the_worst() {
    let rows = || vec![equal(&[-1, 2], 0)];
    let whole = program(
        Prefix::new().forall(0, 2).exists(0, 1),
        rows(),
        vec![],
        None,
    );
    assert_eq!(status(&whole), Status::Infeasible);
    let PlanNode::Choose { value, .. } = ({
        let refutation = solve(&whole).refutation.unwrap();
        refutation.node(refutation.root()).clone()
    }) else {
        panic!("the universal player chooses first");
    };
    assert_eq!(value, int(1));
    let real = program(
        Prefix::new().forall(0, 2).exists_real(0, 1),
        rows(),
        vec![],
        None,
    );
    assert_eq!(status(&real), Status::Feasible);
}

#[test]
fn a_big_domain_is_enough_by_one() {
    let with = |most: i64| {
        program(
            Prefix::new().forall(0, 3000).exists(0, most).exists(0, 1),
            vec![
                at_most(&[2, -1, -10000], -1),
                at_most(&[-1, -1, 10000], 6998),
            ],
            vec![],
            None,
        )
    };
    assert_eq!(solve(&with(2001)).status, Status::Feasible);
    assert_eq!(solve(&with(2000)).status, Status::Infeasible);
}

#[test]
fn the_vertices_of_a_coupled_uncertainty_are_not_enough() {
    let prefix = |real: bool| {
        let prefix = Prefix::new().forall(0, 2);
        let prefix = if real {
            prefix.exists_real(0, 1)
        } else {
            prefix.exists(0, 1)
        };
        prefix.forall(0, 1)
    };
    let rows = || vec![equal(&[0, 1, -1], 0)];
    let triangle = || vec![at_most(&[-1, 0, 1], 0), at_most(&[1, 0, 1], 2)];
    for real in [false, true] {
        let coupled = program(prefix(real), rows(), triangle(), None);
        assert_eq!(status(&coupled), Status::Infeasible);
        // At the vertices the second move is known from the first.
        for (first, second) in [(0, 0), (1, 1), (2, 0)] {
            let vertex = fixed(&coupled, &[(0, int(first)), (2, int(second))]);
            assert_eq!(status(&vertex), Status::Feasible);
        }
    }
    let continuous = Prefix::new()
        .forall_real(0, 2)
        .exists_real(0, 1)
        .forall_real(0, 1);
    let reason = refusal(&program(continuous, rows(), triangle(), None));
    assert!(
        reason.contains("`x1`") && reason.contains("number 1"),
        "{reason}"
    );
}

// The three-variable example of Ederer, Lorenz, Opfer and Wolf.

fn three_variables(prefix: Prefix, order: [usize; 3]) -> Program {
    let rows: [([i64; 3], i64); 4] = [
        ([10, -4, 2], 0),
        ([10, 4, -2], 4),
        ([-10, 4, 1], 12),
        ([-10, -4, -1], 8),
    ];
    let row = |(factors, rhs): ([i64; 3], i64)| {
        let terms = (0..3).map(|place| (VarId::new(order[place]), int(factors[place])));
        Row::at_most(terms.collect(), int(rhs))
    };
    program(prefix, rows.map(row).to_vec(), vec![], None)
}

#[test]
fn the_three_variable_example_is_won_in_integers() {
    let won = three_variables(
        Prefix::new().forall(-1, 0).forall(0, 1).exists(-2, 2),
        [0, 1, 2],
    );
    assert_eq!(status(&won), Status::Feasible);
    for (first, second, replies) in [
        (-1, 0, vec![2]),
        (-1, 1, vec![-2]),
        (0, 0, vec![-2, -1, 0]),
        (0, 1, vec![0, 1, 2]),
    ] {
        for reply in -2..=2 {
            let played = fixed(&won, &[(0, int(first)), (1, int(second)), (2, int(reply))]);
            let wins = status(&played) == Status::Feasible;
            assert_eq!(wins, replies.contains(&reply), "{first} {second} {reply}");
        }
    }
}

#[test]
fn the_three_variable_example_is_won_in_reals() {
    let prefix = Prefix::new()
        .forall_real(-1, 0)
        .forall_real(0, 1)
        .exists_real(-2, 2);
    let won = three_variables(prefix, [0, 1, 2]);
    assert_eq!(status(&won), Status::Feasible);
    let reply = |first: i64, second: Rational, reply: Rational| {
        let values = [(0, int(first)), (1, second), (2, reply)];
        status(&fixed(&won, &values)) == Status::Feasible
    };
    for quarter in 0..=4 {
        let second = ratio(quarter, 4);
        // For x1 = -1 only the segment x3 = 2 - 4 x2.
        let on = int(2) - int(4) * &second;
        assert!(reply(-1, second.clone(), on.clone()));
        if on < int(2) {
            assert!(!reply(-1, second.clone(), &on + ratio(1, 100)));
        }
        if on > int(-2) {
            assert!(!reply(-1, second.clone(), on - ratio(1, 100)));
        }
    }
    for (second, from, to) in [(0, -2, 0), (1, 0, 2)] {
        for value in -8..=8 {
            let value = ratio(value, 4);
            let inside = int(from) <= value && value <= int(to);
            assert_eq!(reply(0, int(second), value), inside);
        }
    }
}

#[test]
fn the_three_variable_example_is_lost_when_the_reply_comes_too_early() {
    type Step = fn(Prefix, i64, i64) -> Prefix;
    let kinds: [(Step, Step); 2] = [
        (Prefix::forall, Prefix::exists),
        (Prefix::forall_real, Prefix::exists_real),
    ];
    for (forall, exists) in kinds {
        let first = forall(forall(exists(Prefix::new(), -2, 2), -1, 0), 0, 1);
        assert_eq!(
            status(&three_variables(first, [1, 2, 0])),
            Status::Infeasible
        );
        let between = forall(exists(forall(Prefix::new(), -1, 0), -2, 2), 0, 1);
        assert_eq!(
            status(&three_variables(between, [0, 2, 1])),
            Status::Infeasible
        );
    }
}

// Small published optima.

#[test]
fn a_binary_example_is_worth_minus_two() {
    let program = program(
        Prefix::new().exists(0, 1).forall(0, 1).exists(0, 2),
        vec![
            at_most(&[0, -1, -1], -1),
            at_most(&[-1, 1, 1], 1),
            at_most(&[2, 2], 3),
        ],
        vec![],
        minimize(&[-1, -2, -2]),
    );
    assert_eq!(status(&program), Status::Optimal);
    assert_eq!(solve(&program).objective, Some(int(-2)));
}

#[test]
fn an_example_with_a_universal_row_is_worth_minus_one() {
    let program = program(
        Prefix::new()
            .exists(0, 1)
            .exists(0, 1)
            .forall(0, 1)
            .exists(0, 1),
        vec![at_most(&[1, -2, 1, -1], 1), at_most(&[1, 1, 1, -1], 2)],
        vec![at_most(&[1, 1, 1], 2)],
        minimize(&[1, -2, 2, 1]),
    );
    assert_eq!(status(&program), Status::Optimal);
    let outcome = solve(&program);
    assert_eq!(outcome.objective, Some(int(-1)));
    assert_eq!(outcome.bound, Some(int(-1)));
    let play: Vec<Rational> = outcome
        .principal_variation
        .into_iter()
        .map(|it| it.1)
        .collect();
    assert_eq!(play, [1, 1, 0, 0].map(int));
    assert_eq!(outcome.first_stage.len(), 2);
}

#[test]
fn an_example_with_a_real_last_move_is_worth_three() {
    let program = program(
        Prefix::new().exists(0, 2).forall(0, 1).exists_real(0, 2),
        vec![
            at_most(&[0, -2, -1], -2),
            at_most(&[-1, 2, 1], 2),
            at_most(&[2, 4], 6),
        ],
        vec![],
        maximize(&[1, 1, 1]),
    );
    assert_eq!(status(&program), Status::Optimal);
    let outcome = solve(&program);
    assert_eq!(outcome.objective, Some(int(3)));
    assert_eq!(outcome.first_stage, vec![(VarId::new(0), int(1))]);
}

// Who loses first.

fn never() -> Row {
    at_most(&[], -1)
}

#[test]
fn when_both_systems_are_dead_the_owner_of_the_first_variable_loses() {
    let dead = |prefix| program(prefix, vec![never()], vec![never()], None);
    assert_eq!(
        status(&dead(Prefix::new().exists(0, 1))),
        Status::Infeasible
    );
    assert_eq!(
        status(&dead(Prefix::new().forall(0, 1))),
        Status::UniversalStuck
    );
    assert_eq!(status(&dead(Prefix::new())), Status::Infeasible);
}

#[test]
fn a_dead_system_loses_before_the_first_move() {
    let prefix = || Prefix::new().forall(0, 1).exists(0, 1);
    let existential = program(prefix(), vec![never()], vec![], None);
    assert_eq!(status(&existential), Status::Infeasible);
    let universal = program(prefix(), vec![], vec![never()], None);
    assert_eq!(status(&universal), Status::UniversalStuck);
}

#[test]
fn one_move_that_kills_both_systems_loses_for_the_mover() {
    // The value 1 kills both systems, the value 0 none.
    let rows = || vec![at_most(&[1], 0)];
    let both = program(Prefix::new().exists(0, 1), rows(), rows(), maximize(&[100]));
    assert_eq!(solve(&both).objective, Some(int(0)));
    let both = program(Prefix::new().forall(0, 1), rows(), rows(), minimize(&[100]));
    assert_eq!(solve(&both).objective, Some(int(0)));
}

#[test]
fn the_last_existential_move_may_win_by_killing_the_universal_system() {
    let program = program(
        Prefix::new().forall(0, 1).exists(0, 1),
        vec![],
        vec![at_most(&[1, 1], 1)],
        minimize(&[0, 5]),
    );
    // The universal player avoids 1, after which the reply 1 would be deadly for him.
    assert_eq!(status(&program), Status::Optimal);
    assert_eq!(
        status(&fixed(&program, &[(0, int(1))])),
        Status::UniversalStuck
    );
}

#[test]
fn an_empty_domain_is_a_row_of_its_owner_that_cannot_hold() {
    let empty = Bounds::between(ratio(1, 3), ratio(2, 3));
    let hole = |prefix: Prefix, owner| prefix.with(owner, Kind::Integer, empty.clone());
    // Both have one: the first mover has lost.
    let prefix = hole(Prefix::new().forall(0, 1), Quantifier::Exists);
    let both = program(hole(prefix, Quantifier::Forall), vec![], vec![], None);
    assert_eq!(solve(&both).status, Status::UniversalStuck);
    let early_real = hole(Prefix::new().exists_real(0, 1), Quantifier::Exists);
    let early_real = early_real.forall(0, 1).exists(0, 1);
    let lost = program(early_real, vec![], vec![], None);
    assert_eq!(solve(&lost).status, Status::Infeasible);
    // Only the second mover has one, and the first one's rows are lost as well.
    let late = || hole(Prefix::new().exists(0, 1), Quantifier::Forall);
    let lost = program(late(), vec![never()], vec![], None);
    assert_eq!(solve(&lost).status, Status::Infeasible);
    // For the rows of the other player the variable is free: 2 x + 3 y = 8 has whole solutions.
    let row = |side| vec![equal(&[2, 3], side)];
    let won = program(late(), row(8), vec![], None);
    assert_eq!(solve(&won).status, Status::UniversalStuck);
    let far = program(late(), row(3_000_002), vec![], None);
    assert_eq!(solve(&far).status, Status::UniversalStuck);
    // Half of it is not whole.
    let prefix = hole(Prefix::new().exists(0, 0), Quantifier::Forall);
    let lost = program(prefix, vec![equal(&[0, 2], 1)], vec![], None);
    assert_eq!(solve(&lost).status, Status::Infeasible);
}

#[test]
fn a_program_without_variables_is_worth_its_constant() {
    let mut objective = minimize(&[]);
    objective.as_mut().unwrap().constant = ratio(7, 3);
    let constant = program(Prefix::new(), vec![at_most(&[], 0)], vec![], objective);
    assert_eq!(status(&constant), Status::Optimal);
    assert_eq!(solve(&constant).objective, Some(ratio(7, 3)));
}

// Reals.

#[test]
fn an_unbounded_last_block_is_unbounded_only_if_no_row_holds_it() {
    let half_line = Bounds {
        lower: Some(int(0)),
        upper: None,
    };
    let with = |rows| {
        let prefix = Prefix::new().forall(0, 2);
        let prefix = prefix.with(Quantifier::Exists, Kind::Real, half_line.clone());
        program(prefix.forall(0, 1), rows, vec![], maximize(&[0, 1, -1]))
    };
    assert_eq!(status(&with(vec![])), Status::Unbounded);
    let held = with(vec![at_most(&[-1, 2], 3)]);
    assert_eq!(status(&held), Status::Optimal);
    assert_eq!(solve(&held).objective, Some(ratio(1, 2)));
}

#[test]
fn trailing_real_universals_must_be_survived_at_both_ends() {
    let with = |slack: i64| {
        let prefix = Prefix::new().exists(0, 3).forall_real(-1, 2);
        let row = Row {
            name: None,
            terms: dense(&[1, 1]),
            lower: Some(int(0)),
            upper: Some(int(slack)),
        };
        program(prefix, vec![row], vec![], minimize(&[1]))
    };
    assert_eq!(status(&with(3)), Status::Optimal);
    assert_eq!(solve(&with(3)).objective, Some(int(1)));
    assert_eq!(status(&with(2)), Status::Infeasible);
}

#[test]
fn integers_of_a_block_may_stand_after_its_reals() {
    let prefix = Prefix::new().forall(0, 3).exists_real(0, 1).exists(0, 3);
    let mixed = program(
        prefix,
        vec![equal(&[1, -2, -2], 1)],
        vec![],
        minimize(&[0, 1]),
    );
    // 2 x2 + 2 x3 = x1 - 1 has no solution for x1 = 0 and needs a half for even x1.
    assert_eq!(status(&mixed), Status::Infeasible);
    assert_eq!(
        solve(&fixed(&mixed, &[(0, int(2))])).objective,
        Some(ratio(1, 2))
    );
}
