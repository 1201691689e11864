//! Lemmas 1–3 and Theorems 1–3 of the source on random rules, and where Δ is not associative.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::Strategy;
use quip::budget::Budget;
use quip::rules::{ActionId, Formula, PropositionId, Reading, Rule};

use crate::support::{Table, player};

static TABLES: LazyLock<[Table; 2]> =
    LazyLock::new(|| [Table::crossdot(3, 2), Table::crossdot(4, 3)]);

const READINGS: [Reading; 2] = [Reading::CompletePlays, Reading::Segments];

/// Formulas over the symbols that three boxes and four have in common by number.
fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        4 => (0..6_usize).prop_map(|action| Formula::Does(ActionId::new(action))),
        2 => (0..6_usize).prop_map(|action| Formula::Legal(ActionId::new(action))),
        3 => (0..8_usize).prop_map(|id| Formula::Proposition(PropositionId::new(id))),
        1 => (1..=2_usize).prop_map(|number| Formula::Wins(player(number))),
        1 => Just(Formula::Init),
        1 => Just(Formula::Terminal),
        1 => Just(Formula::truth()),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Formula::negated),
            inner.clone().prop_map(Formula::next),
            prop::collection::vec(inner.clone(), 1..=3).prop_map(Formula::All),
            prop::collection::vec(inner.clone(), 1..=3).prop_map(Formula::Any),
            (inner.clone(), inner)
                .prop_map(|(left, right)| Formula::Same(Box::new(left), Box::new(right))),
        ]
    })
}

fn rules() -> impl Strategy<Value = Rule> {
    formulas()
        .prop_map(Rule::from)
        .prop_recursive(2, 6, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..=3).prop_map(Rule::Else),
                prop::collection::vec(inner, 1..=3).prop_map(Rule::Also),
            ]
        })
}

/// One game, player and reading.
#[derive(Clone, Copy)]
struct Seat {
    table: &'static Table,
    number: usize,
    reading: Reading,
}

impl Seat {
    fn all() -> impl Iterator<Item = Self> {
        let tables = TABLES.iter();
        tables.flat_map(|table| {
            [1, 2].into_iter().flat_map(move |number| {
                READINGS.into_iter().map(move |reading| Self {
                    table,
                    number,
                    reading,
                })
            })
        })
    }

    fn of(self, rule: &Rule) -> quip::rules::Strategy {
        let budget = &mut Budget::unlimited();
        quip::rules::Strategy::of(
            &self.table.graph,
            rule,
            player(self.number),
            self.reading,
            budget,
        )
        .unwrap()
    }

    fn is_complete(self, rule: &Rule) -> bool {
        self.of(rule).incomplete_at(&self.table.graph).is_none()
    }

    fn is_deterministic(self, rule: &Rule) -> bool {
        self.of(rule).ambiguous_at(&self.table.graph).is_none()
    }
}

fn either(rules: &[&Rule]) -> Rule {
    Rule::Else(rules.iter().map(|&rule| rule.clone()).collect())
}

fn both(rules: &[&Rule]) -> Rule {
    Rule::Also(rules.iter().map(|&rule| rule.clone()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn lemma_1_conjunction_meets_and_disjunction_at_least_joins(one in formulas(), two in formulas()) {
        for seat in Seat::all() {
            let (first, second) = (seat.of(&one.clone().into()), seat.of(&two.clone().into()));
            let conjunction = Formula::All(vec![one.clone(), two.clone()]);
            let disjunction = Formula::Any(vec![one.clone(), two.clone()]);
            prop_assert_eq!(seat.of(&conjunction.into()), first.meet(&second));
            prop_assert!(first.join(&second).is_part_of(&seat.of(&disjunction.into())));
        }
    }

    #[test]
    fn lemma_2_priorities_extend_and_narrow(
        r1 in rules(), r2 in rules(), f1 in formulas(), f2 in formulas(),
    ) {
        let and = Rule::from(Formula::All(vec![f1.clone(), f2.clone()]));
        let or = Rule::from(Formula::Any(vec![f1.clone(), f2.clone()]));
        let (f1, f2) = (Rule::from(f1), Rule::from(f2));
        for seat in Seat::all() {
            let (s1, s2) = (seat.of(&r1), seat.of(&r2));
            prop_assert!(s1.is_part_of(&seat.of(&either(&[&r1, &r2]))));
            prop_assert!(seat.of(&both(&[&r1, &r2])).is_part_of(&s1));
            if !s1.is_valid() {
                prop_assert_eq!(seat.of(&either(&[&r1, &r2])), s2.clone());
            }
            if !s2.is_valid() {
                prop_assert_eq!(seat.of(&both(&[&r1, &r2])), s1);
            }
            prop_assert_eq!(seat.of(&either(&[&f1, &and])), seat.of(&f1));
            prop_assert!(seat.of(&either(&[&and, &f2])).is_part_of(&seat.of(&f2)));
            prop_assert_eq!(seat.of(&both(&[&f1, &or])), seat.of(&f1));
            prop_assert!(seat.of(&f2).is_part_of(&seat.of(&both(&[&or, &f2]))));
        }
    }

    #[test]
    fn lemma_3_prioritised_disjunction_is_associative(r1 in rules(), r2 in rules(), r3 in rules()) {
        for seat in Seat::all() {
            let flat = seat.of(&either(&[&r1, &r2, &r3]));
            prop_assert_eq!(&flat, &seat.of(&either(&[&r1, &either(&[&r2, &r3])])));
            prop_assert_eq!(&flat, &seat.of(&either(&[&either(&[&r1, &r2]), &r3])));
        }
    }

    #[test]
    fn theorem_1_consistency(r1 in rules(), r2 in rules(), r3 in rules()) {
        for seat in Seat::all() {
            let valid = |rule: &Rule| seat.of(rule).is_valid();
            let some = valid(&r1) || valid(&r2) || valid(&r3);
            prop_assert_eq!(valid(&either(&[&r1, &r2, &r3])), some);
            prop_assert_eq!(valid(&both(&[&r1, &r2, &r3])), valid(&r1));
        }
    }

    #[test]
    fn theorems_2_and_3_complete_and_deterministic_rules(r1 in rules(), r2 in rules(), r3 in rules()) {
        // Rules that are complete or deterministic are rare; these two are made so.
        let complete = either(&[&r1, &Rule::from(Formula::truth())]);
        let does = |action| Rule::from(Formula::Does(ActionId::new(action)));
        let narrow: Vec<Rule> = (0..8).map(does).collect();
        let deterministic = Rule::Also(vec![r1.clone(), Rule::Else(narrow)]);
        for seat in Seat::all() {
            for r1 in [&r1, &complete, &deterministic] {
                let (disjunction, conjunction) = (either(&[r1, &r2]), both(&[r1, &r2, &r3]));
                if seat.is_complete(r1) {
                    prop_assert!(seat.is_complete(&disjunction));
                    prop_assert!(seat.is_complete(&either(&[&r2, r1])));
                    prop_assert!(seat.is_complete(&conjunction));
                    prop_assert_eq!(seat.of(&either(&[r1, &r2, &r3])), seat.of(r1));
                }
                if seat.is_deterministic(r1) {
                    prop_assert!(!seat.is_deterministic(&r2) || seat.is_deterministic(&disjunction));
                    prop_assert!(seat.is_deterministic(&conjunction));
                    prop_assert_eq!(seat.of(&conjunction), seat.of(r1));
                }
            }
        }
    }
}

/// The two counterexamples behind Lemma 3, at the beginning of CrossDot with boxes for actions.
#[test]
fn prioritised_conjunction_is_not_associative() {
    let table = Table::crossdot(4, 2);
    let start = table.graph.initial();
    let boxes = |text: &str| table.boxes(&table.strategy(text, 1, Reading::default()), start);
    let (r1, r3) = (
        "(does(a(1,1)) | does(a(1,2)))",
        "(does(a(1,1)) | does(a(1,3)))",
    );

    let r2 = "false";
    assert_eq!(boxes(&format!("{r1} also {r2} also {r3}")), [1, 2]);
    assert_eq!(boxes(&format!("({r1} also {r2}) also {r3}")), [1]);

    let r2 = "(does(a(1,2)) | does(a(1,3)))";
    assert_eq!(boxes(&format!("{r1} also {r2} also {r3}")), [2]);
    assert_eq!(boxes(&format!("{r1} also ({r2} also {r3})")), [1, 2]);
}

/// Both directions that Lemma 2 (6) and (8) leave open fail.
#[test]
fn the_inclusions_of_lemma_2_are_strict() {
    let table = Table::crossdot(4, 2);
    let start = table.graph.initial();
    let boxes = |text: &str| table.boxes(&table.strategy(text, 1, Reading::default()), start);
    let (f1, f2) = ("does(a(1,1))", "(does(a(1,1)) | does(a(1,2)))");
    assert_eq!(boxes(&format!("({f1} & {f2}) else {f2}")), [1]);
    assert_eq!(boxes(f2), [1, 2]);
    assert_eq!(boxes(&format!("({f1} | false) also false")), [1]);
}

/// `φ1 Δ̇ φ2 = (φ1 ∧ φ2) ∇ φ1` is Δ for two rules but not for three.
#[test]
fn the_derived_conjunction_agrees_for_two_rules_only() {
    let table = Table::crossdot(4, 2);
    let start = table.graph.initial();
    let boxes = |text: &str| table.boxes(&table.strategy(text, 1, Reading::default()), start);
    let (f1, f3) = (
        "(does(a(1,1)) | does(a(1,2)))",
        "(does(a(1,1)) | does(a(1,3)))",
    );
    assert_eq!(
        boxes(&format!("{f1} also {f3}")),
        boxes(&format!("({f1} & {f3}) else {f1}"))
    );
    let derived = format!("(({f1} & false) else {f1}) also {f3}");
    assert_ne!(
        boxes(&derived),
        boxes(&format!("{f1} also false also {f3}"))
    );
}
