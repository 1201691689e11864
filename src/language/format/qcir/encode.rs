//! From a circuit to clauses.
//!
//! What must be true is taken apart as long as that needs no new variable: the output is true, so
//! every input of its `and` gates is, and an `or` gate is a clause. Every other gate becomes an
//! existential variable that equals it. It is quantified as early as it is determined: right
//! after the deepest variable below it.

use rustc_hash::FxHashSet;

use super::circuit::Operation;
use super::prenex::{Flat, Signal, Source, Wire};
use crate::format::formula::{Formula, FreshNames, Literal, binary, clause_row, program};
use crate::program::{Id, Program, Quantifier, VarId, Variable};

type Clause = Vec<Signal>;

/// The program of a circuit.
pub(super) fn encode(flat: &Flat) -> (Program, Formula) {
    let asserted = assertions(flat);
    let needed = needed_gates(flat, &asserted);
    let (variables, places) = variables(flat, &needed);
    let mut rows = Vec::new();
    let mut push = |clause: Clause| {
        let literal = |(wire, positive): Signal| -> Literal {
            let place = places[wire].expect("invariant: wires of clauses have variables");
            (place, positive)
        };
        rows.extend(clause_row(clause.into_iter().map(literal).collect()));
    };
    for (wire, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
        define(flat, wire, &mut push);
    }
    asserted.into_iter().for_each(&mut push);
    let program = program(variables, rows);
    let formula = Formula {
        variables: program.variables().len() as u64,
        clauses: program.rows().len() as u64,
        outermost: outermost(flat, &places),
        named: named(flat, &places, |_| true),
    };
    (program, formula)
}

fn negated((wire, positive): Signal) -> Signal {
    (wire, !positive)
}

/// The clauses that say that the output is true, in the order of the file.
fn assertions(flat: &Flat) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![flat.output];
    while let Some(signal) = open.pop() {
        let (wire, positive) = signal;
        let Source::Gate(operation, inputs) = &flat.wires[wire].source else {
            clauses.push(vec![signal]);
            continue;
        };
        if !seen.insert(signal) {
            continue;
        }
        let signed = |&input: &Signal| if positive { input } else { negated(input) };
        match (operation, inputs.as_slice()) {
            (Operation::And, _) if positive => open.extend(inputs.iter().rev()),
            (Operation::Or, _) if !positive => open.extend(inputs.iter().rev().map(signed)),
            (Operation::Xor, &[a, b]) => {
                let a = signed(&a);
                clauses.extend([vec![a, b], vec![negated(a), negated(b)]]);
            }
            (Operation::Choice, &[condition, then, other]) => {
                clauses.push(vec![negated(condition), signed(&then)]);
                clauses.push(vec![condition, signed(&other)]);
            }
            _ => clauses.push(inputs.iter().map(signed).collect()),
        }
    }
    clauses
}

/// The gates that clauses speak of, directly or through other gates.
fn needed_gates(flat: &Flat, clauses: &[Clause]) -> Vec<bool> {
    let mut needed = vec![false; flat.wires.len()];
    let mut open: Vec<usize> = clauses.iter().flatten().map(|&(wire, _)| wire).collect();
    while let Some(wire) = open.pop() {
        if let Source::Gate(_, inputs) = &flat.wires[wire].source
            && !std::mem::replace(&mut needed[wire], true)
        {
            open.extend(inputs.iter().map(|&(input, _)| input));
        }
    }
    needed
}

/// The prefix, and the place of every variable and needed gate in it.
fn variables(flat: &Flat, needed: &[bool]) -> (Vec<Variable>, Vec<Option<VarId>>) {
    let mut names = FreshNames::default();
    let mut given: Vec<Option<String>> = vec![None; flat.wires.len()];
    let is_variable = |wire: usize| flat.wires[wire].source == Source::Variable;
    // Variables choose their names before gates do.
    for round in [true, false] {
        for (wire, name) in given.iter_mut().enumerate() {
            if is_variable(wire) == round && (round || needed[wire]) {
                *name = Some(names.give(&flat.wires[wire].name));
            }
        }
    }
    let mut order: Vec<usize> = (0..flat.wires.len())
        .filter(|&wire| given[wire].is_some())
        .collect();
    let place = |&wire: &usize| {
        let level = flat.wires[wire].level;
        match is_variable(wire) {
            true => (level, 1),
            // Behind the variables of an existential level, before those of the next one.
            false if level.is_multiple_of(2) => (level, 2),
            false => (level + 1, 0),
        }
    };
    order.sort_by_key(place);
    let mut places = vec![None; flat.wires.len()];
    let mut variables = Vec::with_capacity(order.len());
    for wire in order {
        let universal = is_variable(wire) && flat.wires[wire].level % 2 == 1;
        let quantifier = if universal {
            Quantifier::Forall
        } else {
            Quantifier::Exists
        };
        let Some(name) = given[wire].take() else {
            continue;
        };
        places[wire] = Some(VarId::new(variables.len()));
        variables.push(binary(name, quantifier));
    }
    (variables, places)
}

/// The clauses by which a gate's variable equals the gate.
fn define(flat: &Flat, wire: usize, push: &mut impl FnMut(Clause)) {
    let Source::Gate(operation, inputs) = &flat.wires[wire].source else {
        return;
    };
    let (is, is_not) = ((wire, true), (wire, false));
    match (operation, inputs.as_slice()) {
        (Operation::Xor, &[a, b]) => {
            push(vec![is_not, a, b]);
            push(vec![is_not, negated(a), negated(b)]);
            push(vec![is, a, negated(b)]);
            push(vec![is, negated(a), b]);
        }
        (Operation::Choice, &[condition, then, other]) => {
            push(vec![is_not, negated(condition), then]);
            push(vec![is_not, condition, other]);
            push(vec![is, negated(condition), negated(then)]);
            push(vec![is, condition, negated(other)]);
            // Implied, but only these two conclude before the condition is known.
            push(vec![is_not, then, other]);
            push(vec![is, negated(then), negated(other)]);
        }
        (operation, _) => {
            // An `or` is the negation of the `and` of the negations.
            let plain = *operation == Operation::And;
            let signed = |signal: Signal| if plain { signal } else { negated(signal) };
            for &input in inputs {
                push(vec![signed(is_not), signed(input)]);
            }
            let others = inputs.iter().map(|&input| negated(signed(input)));
            push([signed(is)].into_iter().chain(others).collect());
        }
    }
}

/// The variables of the first level that has any, with their names in the file.
fn outermost(flat: &Flat, places: &[Option<VarId>]) -> Vec<(VarId, String)> {
    let variables = flat
        .wires
        .iter()
        .filter(|wire| wire.source == Source::Variable);
    let first = variables.map(|wire| wire.level).min();
    named(flat, places, |wire| Some(wire.level) == first)
}

fn named(
    flat: &Flat,
    places: &[Option<VarId>],
    is_wanted: impl Fn(&Wire) -> bool,
) -> Vec<(VarId, String)> {
    let wires = flat.wires.iter().enumerate();
    let wanted = wires.filter(|(_, wire)| wire.source == Source::Variable && is_wanted(wire));
    wanted
        .filter_map(|(place, wire)| Some((places[place]?, wire.name.clone())))
        .collect()
}
