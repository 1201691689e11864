//! Writing QDIMACS.

use std::fmt::Write;

use crate::format::formula::{Literal, clauses};
use crate::format::qlp::WriteError;
use crate::program::{Block, Id, Program, Quantifier, VarId};

/// The program in QDIMACS, if it is a quantified Boolean formula in clauses.
///
/// Variables called `x1`, `x2`, … keep their numbers; otherwise they are numbered in the order of
/// the prefix, and comments tell their names. The standard wants the innermost block to be
/// existential, so universal variables at the end of the prefix are reduced away: they are left
/// out, and their literals too, which does not change who wins. Reading what was written gives the
/// same program where the variables are called so, no universal variable stands last, and rows
/// are unnamed sums `>=`.
///
/// ```
/// use quip::format::{parse_qip, write_qdimacs};
/// let program = parse_qip(
///     "subject to
///        x1 + x2 >= 1
///        x1 + x2 <= 1
///      prefix forall binary x1 exists binary x2 end",
/// )?;
/// let text = write_qdimacs(&program)?;
/// assert_eq!(text, "p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_qdimacs(program: &Program) -> Result<String, WriteError> {
    let clauses = clauses(program)?;
    let kept = kept_variables(program);
    let mut text = String::new();
    let numbers = kept_numbers(program).unwrap_or_else(|| {
        for (var, variable) in program.variables().pairs().take(kept) {
            let _ = writeln!(text, "c {} {}", var.index() + 1, variable.name);
        }
        (1..=program.variables().len() as u64).collect()
    });
    let largest = numbers[..kept].iter().max().copied().unwrap_or(0);
    let _ = writeln!(text, "p cnf {largest} {}", clauses.len());
    let blocks = program.blocks().iter();
    for block in blocks.take_while(|block| block.range().end <= kept) {
        push_block(&mut text, block, &numbers);
    }
    for clause in &clauses {
        push_clause(&mut text, clause, &numbers, kept);
    }
    Ok(text)
}

/// How many variables there are without the universal ones at the end.
fn kept_variables(program: &Program) -> usize {
    let variables = program.variables().as_slice();
    let last = variables
        .iter()
        .rposition(|variable| variable.quantifier == Quantifier::Exists);
    last.map_or(0, |place| place + 1)
}

/// The numbers in the names, if every name is `x` and a number.
fn kept_numbers(program: &Program) -> Option<Vec<u64>> {
    let names = program.variables().iter().map(|variable| &variable.name);
    names.map(|name| number_of(name)).collect()
}

fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('x')?;
    let number: i32 = digits.parse().ok()?;
    (number > 0 && number.to_string() == digits).then_some(u64::from(number.unsigned_abs()))
}

fn push_block(text: &mut String, block: &Block, numbers: &[u64]) {
    text.push(match block.quantifier {
        Quantifier::Exists => 'e',
        Quantifier::Forall => 'a',
    });
    for var in block.variables() {
        let _ = write!(text, " {}", numbers[var.index()]);
    }
    text.push_str(" 0\n");
}

fn push_clause(text: &mut String, clause: &[Literal], numbers: &[u64], kept: usize) {
    let is_kept = |var: VarId| var.index() < kept;
    for (var, positive) in clause.iter().filter(|(var, _)| is_kept(*var)) {
        let sign = if *positive { "" } else { "-" };
        let _ = write!(text, "{sign}{} ", numbers[var.index()]);
    }
    text.push_str("0\n");
}
