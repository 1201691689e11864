//! Random circuits, prenex and not, against trying everything.

use quip::format::{read_bytes, write_qcir, write_qdimacs};
use quip::program::Quantifier;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::brute::{Circuit, Gate, Literal};
use crate::{assert_answer, read};

fn quantifier(dice: &mut ChaCha8Rng) -> Quantifier {
    if dice.random() {
        Quantifier::Exists
    } else {
        Quantifier::Forall
    }
}

fn random_circuit(seed: u64, prenex: bool) -> Circuit {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let variables: usize = dice.random_range(0..6);
    let count = dice.random_range(0..9);
    let mut gates = Vec::new();
    for number in 0..count {
        let known = variables + number;
        let literal = |dice: &mut ChaCha8Rng| -> Literal {
            // The last gates are the likelier inputs, so that circuits are deep.
            let low = if dice.random() {
                known.saturating_sub(3)
            } else {
                0
            };
            (dice.random_range(low..known), dice.random())
        };
        let many = |dice: &mut ChaCha8Rng| -> Vec<Literal> {
            let count = if known == 0 {
                0
            } else {
                dice.random_range(0..4)
            };
            (0..count).map(|_| literal(dice)).collect()
        };
        let kinds = if known == 0 {
            2
        } else if prenex {
            4
        } else {
            7
        };
        gates.push(match dice.random_range(0..kinds) {
            0 => Gate::And(many(&mut dice)),
            1 => Gate::Or(many(&mut dice)),
            2 => Gate::Xor(literal(&mut dice), literal(&mut dice)),
            3 => Gate::Ite(literal(&mut dice), literal(&mut dice), literal(&mut dice)),
            _ => {
                let bound = (0..variables).filter(|_| dice.random_ratio(1, 3)).collect();
                Gate::Quantify(quantifier(&mut dice), bound, literal(&mut dice))
            }
        });
    }
    let mut free = Vec::new();
    let mut prefix: Vec<(Quantifier, Vec<usize>)> = Vec::new();
    for variable in 0..variables {
        if dice.random_ratio(1, 8) {
            free.push(variable);
        } else if prefix.is_empty() || dice.random_ratio(1, 2) {
            prefix.push((quantifier(&mut dice), vec![variable]));
        } else {
            prefix.last_mut().unwrap().1.push(variable);
        }
    }
    if variables + count == 0 {
        gates.push(Gate::And(Vec::new()));
    }
    let output = (variables + gates.len() - 1, dice.random_ratio(3, 4));
    Circuit {
        variables,
        free,
        prefix,
        gates,
        output,
    }
}

fn compare(seed: u64, prenex: bool) -> bool {
    let circuit = random_circuit(seed, prenex);
    let text = if seed.is_multiple_of(2) {
        circuit.text(|number| (number + 1).to_string())
    } else {
        circuit.text(|number| format!("g_{number}"))
    };
    let reading = read(&text);
    let expected = circuit.is_true();
    assert!(reading.program.class().clausal, "{text}");
    assert_answer(&reading.program, expected, &|| text.clone());

    let copy = write_qcir(&reading.program).unwrap();
    assert_eq!(
        read(&copy).program,
        reading.program,
        "{text}\nwritten as\n{copy}"
    );
    let clauses = write_qdimacs(&reading.program).unwrap();
    let as_clauses = read_bytes("copy", clauses.as_bytes()).unwrap();
    assert_eq!(as_clauses.warnings, [], "{clauses}");
    assert_answer(&as_clauses.program, expected, &|| clauses.clone());
    expected
}

#[test]
fn prenex_circuits_have_the_answer_of_trying_everything() {
    let won = (0..8_000).filter(|&seed| compare(seed, true)).count();
    assert!((1_000..7_000).contains(&won), "{won} are true");
}

#[test]
fn circuits_with_quantifiers_inside_have_the_answer_of_trying_everything() {
    let won = (0..12_000).filter(|&seed| compare(seed, false)).count();
    assert!((1_000..11_000).contains(&won), "{won} are true");
}

#[test]
fn a_chain_of_a_hundred_thousand_gates_is_read_without_recursion() {
    let mut text =
        String::from("#QCIR-G14\nforall(x)\nexists(y)\noutput(g100000)\ng0 = xor(x, y)\n");
    for number in 1..=100_000 {
        let before = number - 1;
        text.push_str(&match number % 3 {
            0 => format!(
                "g{number} = and(g{before}, -z{number})\nz{number} = exists(v{number}; v{number})\n"
            ),
            1 => format!("g{number} = or(x, -g{before})\n"),
            _ => format!("g{number} = exists(w{number}; g{before})\n"),
        });
    }
    let reading = read(&text);
    assert!(reading.program.variables().len() > 60_000);
}

#[test]
fn a_formula_that_explodes_when_prenexed_is_refused() {
    // Every level is copied by two quantifiers of the level above.
    let mut text = String::from("#QCIR-G14\noutput(t60)\nt0 = and(x0, y0)\n");
    for level in 1..=60 {
        let below = level - 1;
        text.push_str(&format!(
            "b{level} = xor(t{below}, x{level})\na{level} = exists(x{level}, x{below}, y{below}; b{level})\n\
             c{level} = forall(x{level}, x{below}, y{below}; b{level})\nt{level} = and(a{level}, c{level}, y{level})\n"
        ));
    }
    text = text.replace("output(t60)", "free(x60, y60)\noutput(t60)");
    let faults = read_bytes("explosion.qcir", text.as_bytes()).unwrap_err();
    assert_eq!(faults.errors()[0].code.as_str(), "E604", "{faults}");
}
