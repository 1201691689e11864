//! Whole models through the builder, judged by enumeration.

#![allow(clippy::unwrap_used, reason = "in a test a failed unwrap is a finding")]

use itertools::Itertools;
use proptest::prelude::*;

use quip::model::*;
use quip::num::{Rational, int, ratio};
use quip::program::{Id, IdVec, Program, ProgramError, Quantifier, Row, VarId};

/// Every assignment of whole numbers inside the bounds.
fn plays(program: &Program) -> Vec<IdVec<VarId, Rational>> {
    let whole = |bound: &Option<Rational>| quip::num::to_i64(bound.as_ref().unwrap()).unwrap();
    program
        .variables()
        .iter()
        .map(|variable| whole(&variable.domain().lower)..=whole(&variable.domain().upper))
        .multi_cartesian_product()
        .map(|values| IdVec::from_vec(values.into_iter().map(int).collect()))
        .collect()
}

fn all_hold(rows: &IdVec<quip::program::RowId, Row>, play: &IdVec<VarId, Rational>) -> bool {
    rows.iter()
        .all(|row| row.admits(&row.activity(|id| &play[id])))
}

/// Asserts that the rows of the model hold exactly where `meaning` is true, and that there are
/// both kinds of plays.
fn assert_means(model: &Model, meaning: impl Fn(&dyn Fn(Var) -> i64) -> bool) {
    let program = model.build().unwrap();
    let mut seen = [false; 2];
    for play in plays(&program) {
        let value = |var: Var| quip::num::to_i64(&play[model.id(var).unwrap()]).unwrap();
        let expected = meaning(&value);
        seen[usize::from(expected)] = true;
        assert_eq!(all_hold(program.rows(), &play), expected, "{play:?}");
    }
    assert_eq!(seen, [true; 2], "the test should tell true from false");
}

fn names(program: &Program) -> Vec<&str> {
    program
        .variables()
        .iter()
        .map(|variable| variable.name.as_str())
        .collect()
}

#[test]
fn a_robust_knapsack_has_its_stages_rows_and_numbers() {
    let value = [4, 7, 2, 9];
    let weight = ["1.5", "2", "0.75", "3.25"];
    let mut model = Model::new();
    let take = model.decide().binaries("take", 0..4);
    let heavier = model.reveal().binaries("heavier", 0..4);
    let spare = model.decide().real("spare", 0..);
    // A taken item may turn out one unit heavier; at most two do.
    let extra = model.reveal().binaries("extra", 0..4);
    model.uncertainty(row!("budget": heavier.sum() <= 2));
    for i in 0..4 {
        model.uncertainty(row!("only_heavy[{i}]": extra[i] <= heavier[i]));
        model.uncertainty(row!("only_taken[{i}]": extra[i] <= take[i]));
    }
    let load = take.weighted(|&i: &usize| dec(weight[i])) + extra.sum();
    model
        .maximize_as("value", take.weighted(|&i: &usize| value[i]) - 2 * spare)
        .subject_to(row!("capacity": load <= 6 + spare));

    let program = model.build().unwrap();
    let prefix: String = program
        .blocks()
        .iter()
        .map(|block| block.quantifier.symbol())
        .collect();
    assert_eq!(prefix, "∃∀∃∀");
    assert_eq!(program.universal_rows().len(), 9);
    let capacity = &program.rows().as_slice()[0];
    assert_eq!(capacity.name.as_deref(), Some("capacity"));
    assert_eq!(capacity.upper, Some(int(6)));
    assert_eq!(capacity.terms.len(), 9);
    assert_eq!(capacity.terms[3].1, ratio(13, 4));
    assert_eq!(capacity.terms[8].0, program.find("extra[3]").unwrap());
    let objective = program.objective().unwrap();
    assert_eq!(
        objective.terms[1],
        (program.find("take[1]").unwrap(), int(7))
    );
    assert_eq!(
        objective.terms[4],
        (program.find("spare").unwrap(), int(-2))
    );
}

#[test]
fn a_two_player_game_is_given_by_its_quantifier_string() {
    // Nim-like: remove one or two of five in turns; the blocks are filled backwards.
    let mut model = Model::with_prefix("∃first ∀second ∃third").unwrap();
    let third = model.block("third").integer("c", 1..=2);
    let second = model.block("second").integer("b", 1..=2);
    let first = model.block("first").integer("a", 1..=2);
    model.rows("end").add(row!(first + second + third == 5));

    let program = model.build().unwrap();
    assert_eq!(names(&program), ["a", "b", "c"]);
    assert_eq!(program.rows().as_slice()[0].name.as_deref(), Some("end[1]"));
    let owners: Vec<_> = program
        .variables()
        .iter()
        .map(|variable| variable.quantifier)
        .collect();
    assert_eq!(
        owners,
        [Quantifier::Exists, Quantifier::Forall, Quantifier::Exists]
    );
    // a = 2 wins: whatever b is, c = 3 - b completes five.
    let wins = |a: i64| {
        (1..=2).all(|b| {
            (1..=2).any(|c| {
                let play = IdVec::from_vec(vec![int(a), int(b), int(c)]);
                all_hold(program.rows(), &play)
            })
        })
    };
    assert_eq!((wins(1), wins(2)), (false, true));
    assert_eq!(model.id(second), Some(VarId::new(1)));
}

#[test]
fn the_same_program_comes_from_stages_and_from_a_string() {
    let by_stages = {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        let y = model.forall().binary("y");
        model.subject_to(row!(x >= y));
        model.build().unwrap()
    };
    let by_string = {
        let mut model = Model::with_prefix("EA").unwrap();
        let y = model.block("2").binary("y");
        let x = model.block("1").binary("x");
        model.subject_to(row!(x >= y));
        model.build().unwrap()
    };
    assert_eq!(by_stages, by_string);
}

#[test]
fn an_indicator_holds_exactly_when_its_condition_does() {
    let mut model = Model::new();
    let mut stage = model.exists();
    let b = stage.binary("b");
    let x = stage.integer("x", -2..=3);
    let y = stage.integer("y", 0..=2);
    model.subject_to(row!("cap": 2 * x - 3 * y <= 1).when(b));
    assert_means(&model, |v| v(b) == 0 || 2 * v(x) - 3 * v(y) <= 1);
}

#[test]
fn an_equation_under_two_conditions_binds_only_when_both_hold() {
    let mut model = Model::new();
    let mut stage = model.exists();
    let (b, c) = (stage.binary("b"), stage.binary("c"));
    let x = stage.integer("x", -2..=3);
    let y = stage.integer("y", 0..=2);
    model.subject_to(row!("same": x + y == 1).when(b).when(!c));
    assert_means(&model, |v| !(v(b) == 1 && v(c) == 0) || v(x) + v(y) == 1);
    let program = model.build().unwrap();
    let row_names: Vec<_> = program
        .rows()
        .iter()
        .map(|row| row.name.as_deref())
        .collect();
    assert_eq!(row_names, [Some("same.lower"), Some("same.upper")]);
}

#[test]
fn the_relaxing_constant_is_the_smallest_that_the_bounds_allow() {
    let mut model = Model::new();
    let b = model.exists().binary("b");
    // Whole numbers in [-1/2, 5/2] are 0, 1, 2: the rounded ends count.
    let x = model.exists().integer("x", ratio(-1, 2)..=ratio(5, 2));
    model.subject_to(row!(dec("1.5") * x <= 1).when(b));
    let program = model.build().unwrap();
    let row = &program.rows().as_slice()[0];
    assert_eq!(
        row.terms,
        [(VarId::new(0), int(2)), (VarId::new(1), ratio(3, 2))]
    );
    assert_eq!(row.upper, Some(int(3)));
}

#[test]
fn a_condition_on_a_row_that_always_holds_changes_nothing() {
    let mut model = Model::new();
    let b = model.exists().binary("b");
    let x = model.exists().integer("x", 0..=3);
    model.subject_to(row!(x <= 9).when(b));
    let program = model.build().unwrap();
    assert_eq!(
        program.rows().as_slice()[0],
        Row::at_most(vec![(VarId::new(1), int(1))], int(9))
    );
}

#[test]
fn a_condition_may_stand_in_its_own_row() {
    let mut model = Model::new();
    let b = model.exists().binary("b");
    let x = model.exists().integer("x", 0..=3);
    model.subject_to(row!(x + 2 * b <= 3).when(b));
    assert_means(&model, |v| v(b) == 0 || v(x) + 2 <= 3);
}

#[test]
fn an_infinite_bound_under_a_condition_is_named() {
    let mut model = Model::new();
    let b = model.exists().binary("b");
    let x = model.exists().real("x", 0..);
    model.subject_to(row!("down": x >= 2).when(b));
    assert!(model.build().is_ok(), "only the lower end is needed");
    model.subject_to(row!("up": x <= 2).when(b));
    assert_eq!(
        model.build().unwrap_err().to_string(),
        "row `up` holds only under a condition, which needs a finite upper bound of `x`"
    );
}

#[test]
fn a_variable_that_cancels_needs_no_bound_under_a_condition() {
    let mut model = Model::new();
    let b = model.exists().binary("b");
    let y = model.exists().binary("y");
    let x = model.exists().real("x", ..);
    model.subject_to(row!(x + y <= x).when(b));
    assert!(model.build().is_ok());
}

#[test]
fn counting_sentences_have_their_truth_tables() {
    let check = |sentence: fn(Vec<Literal>) -> Constraint, meaning: fn(i64) -> bool| {
        let mut model = Model::new();
        let x = model.exists().binaries("x", 0..4);
        model.subject_to(sentence(vec![x[0].into(), !x[1], x[2].into(), !x[3]]));
        assert_means(&model, |v| {
            meaning(v(x[0]) + 1 - v(x[1]) + v(x[2]) + 1 - v(x[3]))
        });
    };
    check(exactly_one, |count| count == 1);
    check(at_most_one, |count| count <= 1);
    check(at_least_one, |count| count >= 1);
}

#[test]
fn an_implication_has_its_truth_table() {
    let mut model = Model::new();
    let (x, y) = (model.exists().binary("x"), model.exists().binary("y"));
    model.subject_to(implies(x, !y));
    assert_means(&model, |v| !(v(x) == 1 && v(y) == 1));
}

#[test]
fn conjunctions_and_disjunctions_have_their_truth_tables() {
    for size in 0..=3 {
        let mut model = Model::new();
        let x = model.exists().binaries("x", 0..size);
        let every = model.exists().conjunction("every", &x);
        let some = model.exists().disjunction("some", x.iter().map(|var| !var));
        assert_means(&model, |v| {
            let all_true = x.iter().all(|var| v(var) == 1);
            let any_false = x.iter().any(|var| v(var) == 0);
            v(every) == i64::from(all_true) && v(some) == i64::from(any_false)
        });
    }
}

#[test]
fn a_defined_variable_of_the_opponent_binds_the_opponent() {
    let mut model = Model::new();
    let x = model.forall().binaries("x", 0..2);
    model.forall().conjunction("both", &x);
    let program = model.build().unwrap();
    assert_eq!(
        (program.rows().len(), program.universal_rows().len()),
        (0, 3)
    );
}

#[test]
fn all_faults_come_at_once_with_their_names() {
    let mut stranger_model = Model::new();
    let stranger = stranger_model.exists().binary("stranger");
    let mut model = Model::new();
    let x = model.exists().integer("x", 0..=3);
    model.exists().binary("x");
    model.exists().integer("n", 0.0..=f64::INFINITY);
    model.forall().real("wild", ..);
    model
        .minimize(x + dec("many"))
        .maximize(x * f64::NAN)
        .subject_to(row!("mix": x + stranger <= 1))
        .subject_to(x.between(f64::NEG_INFINITY, 1))
        .subject_to(at_most_one([x]).named("logic"))
        .uncertainty(row!(x <= 2).when(stranger));
    model.block("nowhere").binary("lost");

    let error = model.build().unwrap_err();
    let lines = error.to_string();
    let lines: Vec<_> = lines.lines().collect();
    let number = "is not a number; write it like 3, 0.1, 1e-3 or 7/3";
    assert_eq!(
        lines,
        [
            format!("in the bounds of `n`: `inf` {number}; for an infinite bound leave the end of the range open, as in `0..`"),
            "the objective is given twice; a program has one".to_owned(),
            "there is no block `nowhere`; no block has a name".to_owned(),
            "row `mix` uses a variable of another model".to_owned(),
            format!("in row number 2: `-inf` {number}"),
            "row `logic` speaks of `x` as true or false, but it is not binary".to_owned(),
            "row number 1 of the uncertainty uses a variable of another model".to_owned(),
            format!("in the objective: `many` {number}"),
            format!("in the objective: `NaN` {number}"),
            "two variables are called `x`".to_owned(),
            "variable `wild` needs finite bounds: only a real variable of the last existential block may be unbounded".to_owned(),
        ]
    );
    let duplicate = ProgramError::DuplicateVariable {
        name: "x".to_owned(),
    };
    assert!(error.faults().contains(&ModelFault::Program(duplicate)));
}

#[test]
fn a_block_name_is_given_once() {
    let mut model = Model::with_prefix("∃a ∀b").unwrap();
    model.exists().called("a").binary("x");
    assert_eq!(
        model.build().unwrap_err().to_string(),
        "two blocks are called `a`"
    );
}

#[test]
fn a_name_that_no_file_can_carry_is_reported() {
    let mut model = Model::new();
    model.exists().binaries("x", ["crude oil"]);
    assert!(
        model
            .build()
            .unwrap_err()
            .to_string()
            .contains("`x[crude oil]` cannot be a name")
    );
}

#[test]
fn generated_names_count_the_variables() {
    let mut model = Model::new();
    let mut stage = model.exists();
    stage.binary("x");
    stage.binary(Auto);
    stage.binaries(Auto, 0..2);
    assert_eq!(
        names(&model.build().unwrap()),
        ["x", "_2", "_3[0]", "_3[1]"]
    );
}

#[test]
fn a_model_can_be_built_extended_and_built_again() {
    let mut model = Model::new();
    let x = model.exists().binary("x");
    let before = model.build().unwrap();
    model.subject_to(row!(x == 1));
    assert_eq!(before.rows().len(), 0);
    assert_eq!(model.build().unwrap().rows().len(), 1);
}

#[test]
fn a_hundred_thousand_variables_and_rows_are_built_in_a_blink() {
    let count = 100_000_usize;
    let mut model = Model::new();
    let x = model.exists().integers("x", 0..count, 0..=9);
    model.subject_to_all((1..count).map(|t| row!("step[{t}]": x[t] >= x[t - 1])));
    model.minimize(x.sum());
    let program = model.build().unwrap();
    assert_eq!(program.rows().len(), count - 1);
    assert_eq!(program.objective().unwrap().terms.len(), count);
}

/// A small exact number.
fn number() -> impl Strategy<Value = Rational> {
    (-50_i64..=50, 1_i64..=12).prop_map(|(numerator, denominator)| ratio(numerator, denominator))
}

/// `c0 + c1 x1 + c2 x2 + c3 x3` by its coefficients.
fn linear() -> impl Strategy<Value = [Rational; 4]> {
    [number(), number(), number(), number()]
}

fn expression(x: &Family<usize>, coefficients: &[Rational; 4]) -> Expr {
    x.weighted(|&i| &coefficients[i]) + &coefficients[0]
}

fn value(coefficients: &[Rational; 4], point: &[Rational; 4]) -> Rational {
    (1..4)
        .map(|i| &coefficients[i] * &point[i])
        .sum::<Rational>()
        + &coefficients[0]
}

proptest! {
    #[test]
    fn the_value_of_an_expression_is_the_expression_of_the_values(
        a in linear(), b in linear(), c in linear(), k in number(), point in linear(),
    ) {
        let mut model = Model::new();
        let x = model.exists().reals("x", 1..4_usize, ..);
        let at = |expression: Expr| {
            let of = |var| point[model.id(var).unwrap().index() + 1].clone();
            expression.value(of).unwrap()
        };
        let [ea, eb, ec] = [&a, &b, &c].map(|coefficients| expression(&x, coefficients));
        let [va, vb, vc] = [&a, &b, &c].map(|coefficients| value(coefficients, &point));

        prop_assert_eq!(at((&ea + &eb) * &k - &ec), (&va + &vb) * &k - &vc);
        prop_assert_eq!(at(&k * (ea.clone() - &eb)), &k * (&va - &vb));
        prop_assert_eq!(at(-(&ea - 2 * &eb) + 3), -(&va - int(2) * &vb) + int(3));
        prop_assert_eq!(at(sum([&ea, &eb, &ec, &ea])), int(2) * &va + &vb + &vc);
        prop_assert_eq!(at(&k - &ea), &k - &va);
        if k != int(0) {
            prop_assert_eq!(at(&ea / &k), &va / &k);
        }
        let mut changed = ea;
        changed += &eb;
        changed -= &ec;
        changed *= &k;
        prop_assert_eq!(at(changed), (va + vb - vc) * k);
    }

    #[test]
    fn a_row_holds_where_the_two_sides_compare(
        a in linear(), b in linear(), point in linear(), relation in 0..3,
    ) {
        let mut model = Model::new();
        let x = model.exists().reals("x", 1..4_usize, ..);
        let (left, right) = (expression(&x, &a), expression(&x, &b));
        let (va, vb) = (value(&a, &point), value(&b, &point));
        let expected = match relation {
            0 => { model.subject_to(row!(left <= right)); va <= vb }
            1 => { model.subject_to(row!(left >= right)); va >= vb }
            _ => { model.subject_to(row!(left == right)); va == vb }
        };
        let program = model.build().unwrap();
        let play = IdVec::from_vec(point[1..].to_vec());
        prop_assert_eq!(all_hold(program.rows(), &play), expected);
    }

    #[test]
    fn an_indicator_over_random_rows_is_exact(
        c in prop::array::uniform2(-4_i64..=4), rhs in -6_i64..=6, positive: bool, relation in 0..3,
    ) {
        let mut model = Model::new();
        let mut stage = model.exists();
        let b = stage.binary("b");
        let x = stage.integers("x", 0..2_usize, -2..=2);
        let left = x.weighted(|&i| c[i]);
        let row = match relation {
            0 => left.leq(rhs),
            1 => left.geq(rhs),
            _ => left.equals(rhs),
        };
        let condition = if positive { Literal::from(b) } else { !b };
        model.subject_to(row.when(condition));
        let program = model.build().unwrap();
        for play in plays(&program) {
            let of = |var| quip::num::to_i64(&play[model.id(var).unwrap()]).unwrap();
            let total = c[0] * of(x[0]) + c[1] * of(x[1]);
            let holds = [total <= rhs, total >= rhs, total == rhs][relation as usize];
            let bound = (of(b) == 1) == positive;
            prop_assert_eq!(all_hold(program.rows(), &play), !bound || holds);
        }
    }

    #[test]
    fn no_quantifier_string_panics(text in "[EA∃∀a-c ,.&é]{0,12}|(exists|forall| |,|x){0,8}") {
        if let Ok(model) = Model::with_prefix(&text) {
            prop_assert!(model.build().is_ok());
        }
    }

    #[test]
    fn a_float_coefficient_never_panics(bits: u64) {
        let float = f64::from_bits(bits);
        let mut model = Model::new();
        let x = model.exists().binary("x");
        model.subject_to((float * x).leq(float)).minimize(x / float);
        let usable = float.is_finite() && float != 0.0;
        prop_assert_eq!(model.build().is_ok(), usable);
    }
}
