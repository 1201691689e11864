//! Random formulas in clauses, spelled in all the ways of the wild, against trying everything.

use std::fmt::Write;

use quip::format::{read_bytes, write_qcir, write_qdimacs};
use quip::program::{Program, Quantifier};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::brute::{Circuit, Gate};
use crate::{assert_answer, read};

pub fn random_formula(dice: &mut ChaCha8Rng) -> Circuit {
    let variables = dice.random_range(0..9);
    let mut free = Vec::new();
    let mut prefix: Vec<(Quantifier, Vec<usize>)> = Vec::new();
    for variable in 0..variables {
        if dice.random_ratio(1, 10) {
            free.push(variable);
        } else if prefix.is_empty() || dice.random_ratio(1, 2) {
            // Neighbours may be equal, and the last one may be universal.
            let universal = dice.random();
            let quantifier = if universal {
                Quantifier::Forall
            } else {
                Quantifier::Exists
            };
            prefix.push((quantifier, vec![variable]));
        } else {
            prefix.last_mut().unwrap().1.push(variable);
        }
    }
    let clauses: usize = dice.random_range(0..14);
    let mut gates: Vec<Gate> = (0..clauses)
        .map(|_| {
            let shortest = usize::from(variables > 0 && dice.random_ratio(49, 50));
            let length = if variables == 0 {
                0
            } else {
                dice.random_range(shortest..5)
            };
            let literal = |_| (dice.random_range(0..variables), dice.random());
            Gate::Or((0..length).map(literal).collect())
        })
        .collect();
    gates.push(Gate::And(
        (0..clauses)
            .map(|clause| (variables + clause, true))
            .collect(),
    ));
    Circuit {
        variables,
        free,
        prefix,
        output: (variables + clauses, true),
        gates,
    }
}

/// The formula with comments, breaks and counts as they come.
pub fn spelled(circuit: &Circuit, dice: &mut ChaCha8Rng) -> String {
    let mut text = String::from("c a formula\n");
    let clauses = circuit.gates.len() - 1;
    let _ = writeln!(text, "p cnf {} {}", circuit.variables, clauses);
    let gap = |dice: &mut ChaCha8Rng| {
        *["\n", " ", "\t", "\r\n", "\nc 1 0\n"]
            .get(dice.random_range(0..9))
            .unwrap_or(&" ")
    };
    for (quantifier, block) in &circuit.prefix {
        text.push(if *quantifier == Quantifier::Exists {
            'e'
        } else {
            'a'
        });
        for variable in block {
            let _ = write!(text, "{}{}", gap(dice), variable + 1);
        }
        text.push_str(" 0\n");
    }
    for gate in &circuit.gates[..clauses] {
        let Gate::Or(literals) = gate else { continue };
        for (variable, positive) in literals {
            let sign = if *positive { "" } else { "-" };
            let _ = write!(text, "{sign}{}{}", variable + 1, gap(dice));
        }
        let _ = write!(text, "0{}", gap(dice));
    }
    text.truncate(text.trim_end().len());
    text
}

fn ends_universal(program: &Program) -> bool {
    let last = program.variables().iter().last();
    last.is_some_and(|variable| variable.quantifier == Quantifier::Forall)
}

#[test]
fn formulas_in_clauses_have_the_answer_of_trying_everything() {
    let mut won = 0;
    for seed in 0..15_000 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let circuit = random_formula(&mut dice);
        let text = spelled(&circuit, &mut dice);
        let program = read(&text).program;
        let expected = circuit.is_true();
        won += u32::from(expected);
        assert_answer(&program, expected, &|| text.clone());

        let written = write_qdimacs(&program).unwrap();
        let again = read_bytes("copy", written.as_bytes()).unwrap();
        assert_eq!(again.warnings, [], "{written}");
        if !ends_universal(&program) {
            assert_eq!(again.program, program, "{text}\nwritten as\n{written}");
        } else {
            assert_answer(&again.program, expected, &|| written.clone());
        }
        assert_eq!(write_qdimacs(&again.program).unwrap(), written);
        let circuit = write_qcir(&program).unwrap();
        assert_eq!(
            read(&circuit).program,
            program,
            "{text}\nwritten as\n{circuit}"
        );
    }
    assert!((2_000..13_000).contains(&won), "{won} are true");
}

#[test]
fn the_definition_agrees_with_trying_everything() {
    for seed in 20_000..41_000 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let circuit = random_formula(&mut dice);
        let program = read(&spelled(&circuit, &mut dice)).program;
        let budget = &mut quip::budget::Budget::unlimited();
        let judged = quip::reference::solve(&program, budget).unwrap();
        assert_eq!(crate::is_true(&judged), circuit.is_true(), "seed {seed}");
    }
}
