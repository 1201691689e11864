//! Writing QCIR.

use std::fmt::Write;

use itertools::Itertools;
use rustc_hash::FxHashSet;

use crate::format::formula::{Literal, clauses};
use crate::format::qlp::WriteError;
use crate::program::{Id, Program};

/// The program in QCIR, if it is a quantified Boolean formula in clauses: one `or` gate for each
/// clause, below one `and` gate.
///
/// Names that QCIR does not allow have their other characters replaced by `_`. Reading what was
/// written gives the same program where names need no change and rows are unnamed sums `>=`.
///
/// ```
/// use quip::format::{parse_qip, write_qcir};
/// let program = parse_qip("subject to x + y >= 1 prefix forall binary y exists binary x end")?;
/// let text = write_qcir(&program)?;
/// assert_eq!(text, "#QCIR-G14\nforall(y)\nexists(x)\noutput(g)\ng1 = or(y, x)\ng = and(g1)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_qcir(program: &Program) -> Result<String, WriteError> {
    let clauses = clauses(program)?;
    let mut taken = FxHashSet::default();
    let variables = program.variables().iter();
    let names: Vec<String> = variables
        .map(|variable| fresh(&allowed(&variable.name), &mut taken))
        .collect();
    let mut text = String::from("#QCIR-G14\n");
    for block in program.blocks() {
        let listed = names[block.range()].join(", ");
        let _ = writeln!(text, "{}({listed})", block.quantifier);
    }
    let output = fresh("g", &mut taken);
    let _ = writeln!(text, "output({output})");
    let mut gates = Vec::with_capacity(clauses.len());
    for (number, clause) in clauses.iter().enumerate() {
        let gate = fresh(&format!("g{}", number + 1), &mut taken);
        let inputs = clause
            .iter()
            .map(|literal| spelled(literal, &names))
            .join(", ");
        let _ = writeln!(text, "{gate} = or({inputs})");
        gates.push(gate);
    }
    let _ = writeln!(text, "{output} = and({})", gates.join(", "));
    Ok(text)
}

fn spelled((var, positive): &Literal, names: &[String]) -> String {
    let sign = if *positive { "" } else { "-" };
    format!("{sign}{}", names[var.index()])
}

fn allowed(name: &str) -> String {
    let keep = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    name.chars().map(keep).collect()
}

fn fresh(wish: &str, taken: &mut FxHashSet<String>) -> String {
    let mut name = wish.to_owned();
    let mut number = 2_u64;
    while !taken.insert(name.clone()) {
        name = format!("{wish}_{number}");
        number += 1;
    }
    name
}
