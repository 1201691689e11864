//! Branch and bound against enumeration.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::Branching;
use crate::budget::{Budget, Limits};
use crate::lp::{Column, LpProblem, LpRow};
use crate::outcome::Stop;

fn random_problem(dice: &mut ChaCha8Rng) -> LpProblem {
    let is_binary = dice.random_range(0..3) == 0;
    let columns = (0..dice.random_range(0..=5)).map(|_| {
        let lower = if is_binary {
            0
        } else {
            dice.random_range(-3..=2)
        };
        let width = if is_binary {
            1
        } else {
            dice.random_range(0..=3)
        };
        Column {
            cost: dice.random_range(-4..=4),
            lower,
            upper: lower + width,
        }
    });
    let columns: Vec<_> = columns.collect();
    let row = |dice: &mut ChaCha8Rng| {
        let side = dice.random_range(-6..=6);
        let kind = dice.random_range(0..4);
        let terms = (0..columns.len()).map(|at| (at, dice.random_range(-4..=4i64)));
        LpRow {
            terms: terms.filter(|&(_, by)| by != 0).collect(),
            lower: (kind != 0).then_some(side - i64::from(kind == 1) * 3),
            upper: (kind != 2).then_some(side),
        }
    };
    let mut rows: Vec<LpRow> = (0..dice.random_range(0..=4)).map(|_| row(dice)).collect();
    if dice.random_range(0..4) > 0 {
        rows.extend(choice(&columns));
    }
    LpProblem { columns, rows }
}

/// Exactly one of the 0/1 columns, where there are several.
fn choice(columns: &[Column]) -> Option<LpRow> {
    let binary = |column: &Column| column.lower >= 0 && column.upper <= 1;
    let places = (0..columns.len()).filter(|&at| binary(&columns[at]));
    let terms: Vec<_> = places.map(|at| (at, 2)).collect();
    (terms.len() > 1).then_some(LpRow {
        terms,
        lower: Some(2),
        upper: Some(2),
    })
}

fn by_enumeration(problem: &LpProblem) -> Option<i128> {
    let mut points = vec![Vec::new()];
    for column in &problem.columns {
        let longer = points.iter().flat_map(|point: &Vec<i64>| {
            (column.lower..=column.upper).map(move |value| [point.as_slice(), &[value]].concat())
        });
        points = longer.collect();
    }
    let inside = points
        .iter()
        .filter(|point| problem.contains(point) == Some(true));
    inside.filter_map(|point| problem.objective_at(point)).min()
}

#[test]
fn the_optimum_is_that_of_enumeration() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    for number in 0..600 {
        let problem = random_problem(&mut dice);
        let mut branching = Branching::new(&problem);
        branching.split_by_gains(number % 2 == 0);
        for _ in 0..2 {
            let answer = branching.minimise(None, &mut Budget::unlimited());
            assert_eq!(answer.stop, None);
            let found = answer.best.map(|best| i128::from(best.cost));
            assert_eq!(found, by_enumeration(&problem), "{problem:?}");
        }
    }
}

#[test]
fn any_point_below_the_limit_is_found_where_there_is_one() {
    let mut dice = ChaCha8Rng::seed_from_u64(7);
    for number in 0..600 {
        let problem = random_problem(&mut dice);
        let mut branching = Branching::new(&problem);
        branching.split_by_gains(number % 2 == 0);
        let limit = dice.random_range(-12..=12);
        let limit = (number % 5 > 0).then_some(limit);
        let is_cheap = |cost: i128| limit.is_none_or(|limit| cost < i128::from(limit));
        let any = branching.any_point_below(limit, &mut Budget::unlimited());
        let any = any.expect("no limit of work");
        assert_eq!(
            any.is_some(),
            by_enumeration(&problem).is_some_and(is_cheap)
        );
        if let Some(point) = any {
            assert_eq!(problem.contains(&point.values), Some(true));
            assert!(is_cheap(i128::from(point.cost)));
        }
    }
}

#[test]
fn a_program_that_grows_is_the_program_it_has_become() {
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..300 {
        let mut problem = random_problem(&mut dice);
        let mut branching = Branching::new(&problem);
        branching.minimise(None, &mut Budget::unlimited());
        let before = problem.columns.len();
        problem.columns.push(Column {
            cost: dice.random_range(-4..=4),
            lower: -1,
            upper: 2,
        });
        let terms = (0..=before).map(|at| (at, dice.random_range(1..=3)));
        problem.rows.push(LpRow {
            terms: terms.collect(),
            lower: Some(-2),
            upper: Some(3),
        });
        branching.grow(&problem);
        let answer = branching.minimise(None, &mut Budget::unlimited());
        let found = answer.best.map(|best| i128::from(best.cost));
        assert_eq!(found, by_enumeration(&problem), "{problem:?}");
    }
}

#[test]
fn a_limit_that_nothing_undercuts_is_the_bound() {
    let problem = LpProblem {
        columns: vec![Column {
            cost: 1,
            lower: 3,
            upper: 9,
        }],
        rows: Vec::new(),
    };
    let answer = Branching::new(&problem).minimise(Some(3), &mut Budget::unlimited());
    assert_eq!((answer.best, answer.bound), (None, Some(3)));
}

#[test]
fn a_stopped_question_keeps_its_proved_bound() {
    // An odd sum of even numbers: propagation and the linear program see nothing.
    let column = Column {
        cost: 1,
        lower: 0,
        upper: 9,
    };
    let row = LpRow {
        terms: (0..12).map(|at| (at, 2)).collect(),
        lower: Some(101),
        upper: Some(101),
    };
    let problem = LpProblem {
        columns: vec![column; 12],
        rows: vec![row],
    };
    let limits = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, Default::default(), None);
    let answer = Branching::new(&problem).minimise(None, &mut budget);
    assert_eq!(answer.stop, Some(Stop::Nodes));
    assert_eq!(answer.best, None);
    assert_eq!(answer.bound, Some(51));
}

#[test]
fn a_row_of_one_column_is_a_box_that_stays() {
    let column = Column {
        cost: 1,
        lower: -9,
        upper: 9,
    };
    let row = |by: i64, lower: Option<i64>, upper: Option<i64>| LpRow {
        terms: vec![(0, by)],
        lower,
        upper,
    };
    let mut problem = LpProblem {
        columns: vec![column],
        rows: vec![row(-2, None, Some(7))],
    };
    let cost = |branching: &mut Branching| {
        let answer = branching.minimise(None, &mut Budget::unlimited());
        answer.best.map(|best| best.cost)
    };
    let mut branching = Branching::new(&problem);
    assert!(branching.problem().rows.is_empty());
    assert_eq!(cost(&mut branching), Some(-3));
    branching.set_box(0, -8, 8);
    assert_eq!(cost(&mut branching), Some(-3));
    problem.rows.push(row(3, Some(4), None));
    branching.grow(&problem);
    assert_eq!(cost(&mut branching), Some(2));
    branching.set_box(0, -9, 1);
    assert_eq!(cost(&mut branching), None);
    // Nothing is left between −2 x <= 7, 3 x >= 4 and 5 x <= 9.
    problem.rows.push(row(5, None, Some(9)));
    branching.set_box(0, -9, 9);
    branching.grow(&problem);
    assert_eq!(cost(&mut branching), None);
}
