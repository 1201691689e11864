//! Compared with the reference, on random programs of two blocks.

use super::*;
use crate::format::parse_qip;
use crate::program::{
    Bounds, Id, Kind, Objective, ProgramData, Quantifier, Row, Sense, Term, Variable,
};
use crate::reference;

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, low: i64, high: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (self.0 % (high - low + 1) as u64) as i64
    }

    fn terms(&mut self, vars: &[usize], chance: i64, low: i64, high: i64) -> Vec<Term> {
        let mut terms = Vec::new();
        for &var in vars {
            if self.roll(1, 100) <= chance {
                terms.push((VarId::new(var), int(self.roll(low, high))));
            }
        }
        terms
    }
}

/// Pairs of an existential and a universal variable; half of the programs are interdiction, the
/// others mix signs, players and sides.
fn random(seed: u64) -> Program {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let pairs = dice.roll(1, 4) as usize;
    let is_wild = dice.roll(0, 1) == 1;
    let variable = |dice: &mut Dice, place: usize, quantifier| Variable {
        name: format!("v{place}"),
        quantifier,
        kind: Kind::Integer,
        bounds: Bounds::between(
            int(if is_wild { dice.roll(-1, 0) } else { 0 }),
            int(if is_wild { dice.roll(0, 2) } else { 1 }),
        ),
    };
    let (own, theirs): (Vec<usize>, Vec<usize>) =
        ((0..pairs).collect(), (pairs..2 * pairs).collect());
    let all: Vec<usize> = (0..2 * pairs).collect();
    let mut variables: Vec<Variable> = Vec::new();
    for place in 0..2 * pairs {
        let owner = if place < pairs {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        };
        variables.push(variable(&mut dice, place, owner));
    }
    let low = if is_wild { -4 } else { 1 };
    let mut rows = vec![Row::at_most(
        dice.terms(&own, 90, low, 6),
        int(dice.roll(0, 9)),
    )];
    let mut universal_rows = vec![Row::at_most(
        dice.terms(&theirs, 90, low, 6),
        int(dice.roll(0, 9)),
    )];
    for pair in 0..pairs {
        if dice.roll(0, 3) > 0 {
            let by = if is_wild { dice.roll(-2, 2) } else { 1 };
            let terms = vec![
                (VarId::new(pair), int(by)),
                (VarId::new(pairs + pair), int(1)),
            ];
            universal_rows.push(Row::at_most(terms, int(1)));
        }
    }
    if is_wild {
        let across = dice.terms(&all, 70, -3, 5);
        let rhs = int(dice.roll(0, 9));
        match dice.roll(0, 4) {
            0 => rows.push(Row::at_most(across, rhs)),
            1 => rows.push(Row::at_least(across, -rhs)),
            2 => universal_rows.push(Row::at_most(across, rhs)),
            3 => rows.push(Row::equal(
                vec![(VarId::new(0), int(1)), (VarId::new(pairs), int(-1))],
                int(0),
            )),
            _ => {}
        }
    }
    let sense = if dice.roll(0, 1) == 0 {
        Sense::Minimize
    } else {
        Sense::Maximize
    };
    let (low, high) = match (is_wild, sense) {
        (true, _) => (-5, 9),
        (false, Sense::Minimize) => (1, 9),
        (false, Sense::Maximize) => (-9, -1),
    };
    let objective = Objective {
        name: None,
        sense,
        terms: dice.terms(if is_wild { &all } else { &theirs }, 90, low, high),
        constant: int(dice.roll(-3, 3)) / int(2),
    };
    let data = ProgramData {
        variables,
        rows,
        universal_rows,
        objective: Some(objective),
    };
    Program::new(data).expect("a program")
}

/// What came out, for comparison.
fn seen(outcome: &Outcome) -> (Status, Option<Rational>) {
    (outcome.status, outcome.objective.clone())
}

#[test]
fn values_are_those_of_the_reference_with_any_table() {
    let mut counts = [0; 3];
    for seed in 0..4000 {
        let program = random(seed);
        let truth = reference::solve(&program, &mut Budget::unlimited()).expect("a value");
        for cells in [1, 40, 1 << 16] {
            let settings = Settings {
                rounds: vec![(cells, u64::MAX)],
            };
            let outcome = attempt(&program, &settings, &mut Budget::unlimited());
            let Some(outcome) = outcome else {
                counts[0] += 1;
                continue;
            };
            counts[1 + usize::from(truth.status == Status::Optimal)] += 1;
            assert_eq!(seen(&outcome), seen(&truth), "seed {seed}, {cells} cells");
        }
    }
    // Refused, lost, with a value.
    assert!(
        counts[0] < 4000 && counts[1] > 100 && counts[2] > 5000,
        "{counts:?}"
    );
}

#[test]
fn the_first_bound_is_never_beyond_the_value() {
    let mut tight = [0; 2];
    for seed in 0..4000 {
        let program = random(seed);
        let truth = reference::solve(&program, &mut Budget::unlimited()).expect("a value");
        let cells = [1, 10, 100, 1 << 16][seed as usize % 4];
        let settings = Settings {
            rounds: vec![(cells, 0)],
        };
        let outcome = attempt(&program, &settings, &mut Budget::unlimited());
        let bound = outcome.and_then(|outcome| outcome.bound);
        let cost = |value: Rational| cost_of_objective(&program, value);
        if let (Some(bound), Some(value)) = (bound, truth.objective) {
            tight[usize::from(bound == value)] += 1;
            assert!(cost(bound) <= cost(value), "seed {seed}");
        }
    }
    assert!(tight[0] > 5 && tight[1] > 500, "{tight:?}");
}

#[test]
fn the_reply_that_is_told_is_legal_and_makes_the_cost() {
    let mut told = 0;
    for seed in 0..1000 {
        let program = random(seed);
        let outcome = attempt(&program, &Settings::default(), &mut Budget::unlimited());
        let Some(outcome) = outcome.filter(|it| it.status == Status::Optimal) else {
            continue;
        };
        let play = outcome
            .principal_variation
            .iter()
            .map(|(_, value)| value.clone());
        let play: crate::program::IdVec<VarId, Rational> = play.collect();
        assert_eq!(play.len(), program.variables().len());
        assert_eq!(Some(program.objective_value(&play)), outcome.objective);
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            let mut rows = program.system(owner).iter();
            assert!(rows.all(|row| row.admits(&row.activity(|var| &play[var]))));
        }
        told += 1;
    }
    assert!(told > 500, "{told}");
}

#[test]
fn other_programs_are_left_to_others() {
    for text in [
        "minimize x prefix forall binary y exists binary x end",
        "subject to x = 1 prefix exists binary x forall binary y end",
        "minimize x + y prefix exists real x in [0, 1] forall binary y end",
        // The existential player kills the universal system.
        "minimize y uncertainty x + y >= 1\n y <= 0\n prefix exists binary x forall binary y end",
    ] {
        let program = parse_qip(text).expect("a program");
        let outcome = attempt(&program, &Settings::default(), &mut Budget::unlimited());
        assert!(outcome.is_none(), "{text}");
    }
}
