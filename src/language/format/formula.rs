//! What the two formats of quantified Boolean formulas share: clauses as rows, and back.
//!
//! A clause is the row `Σ positive + Σ (1 − negative) >= 1`, written with its constants on the
//! right. Reading and writing use this one form, so that they are inverse to each other.

use rustc_hash::FxHashSet;

use super::qlp::WriteError;
use crate::num::int;
use crate::program::{
    Bounds, Kind, Program, ProgramData, Quantifier, Row, RowId, VarId, Variable, check_name,
};

/// What an answer repeats of a quantified Boolean formula's file.
///
/// ```
/// let reading = quip::format::read_bytes("f.qdimacs", b"p cnf 7 1\na 7 0\ne 2 0\n7 -2 0\n")?;
/// let formula = reading.formula.unwrap();
/// assert_eq!((formula.variables, formula.clauses), (7, 1));
/// assert_eq!(formula.outermost[0].1, "7");
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Variables: the header's number, or those of the program where the file has no such header.
    pub variables: u64,
    /// Clauses: the header's number, or those of the program.
    pub clauses: u64,
    /// The variables of the outermost block with their names in the file, without those that
    /// stand for gates.
    pub outermost: Vec<(VarId, String)>,
    /// All variables with their names in the file, without those that stand for gates.
    pub named: Vec<(VarId, String)>,
}

/// A variable, and whether it is meant as it is or negated.
pub(super) type Literal = (VarId, bool);

/// The row of a clause; none if the clause is always true. Repeated literals count once.
pub(super) fn clause_row(mut literals: Vec<Literal>) -> Option<Row> {
    literals.sort_unstable();
    literals.dedup();
    let is_tautology = literals.windows(2).any(|pair| pair[0].0 == pair[1].0);
    if is_tautology {
        return None;
    }
    let negative = literals.iter().filter(|(_, positive)| !positive).count();
    let term = |(var, positive): Literal| (var, int(if positive { 1 } else { -1 }));
    let terms = literals.into_iter().map(term).collect();
    Some(Row::at_least(terms, int(1 - negative as i64)))
}

/// A 0/1 variable.
pub(super) fn binary(name: String, quantifier: Quantifier) -> Variable {
    Variable {
        name,
        quantifier,
        kind: Kind::Integer,
        bounds: Bounds::unit(),
    }
}

/// The program of these variables and clauses, which the readers have made well formed.
pub(super) fn program(variables: Vec<Variable>, rows: Vec<Row>) -> Program {
    let data = ProgramData {
        variables,
        rows,
        ..ProgramData::default()
    };
    Program::new(data).expect("invariant: names of a formula are unique and well formed")
}

/// The literals of every row, or the reason why the program is no formula in clauses.
pub(super) fn clauses(program: &Program) -> Result<Vec<Vec<Literal>>, WriteError> {
    program.clauses().ok_or_else(|| WriteError::NotClausal {
        reason: obstacle(program),
    })
}

fn obstacle(program: &Program) -> String {
    if program.objective().is_some() {
        return "it has an objective; a formula only asks who wins".into();
    }
    if !program.universal_rows().is_empty() {
        return "it has rows for the universal player".into();
    }
    if let Some(variable) = program.variables().iter().find(|one| !one.is_binary()) {
        return format!("variable `{}` is not 0/1", variable.name);
    }
    let mut rows = program.rows().ids();
    let row = rows.find(|&row| !is_clause(program, row));
    let label = row.map_or_else(String::new, |row| {
        program.row_label(Quantifier::Exists, row)
    });
    format!("row {label} is not a clause, which is a sum of literals that is at least 1")
}

/// Whether the row alone would make a clausal program.
fn is_clause(program: &Program, row: RowId) -> bool {
    let data = ProgramData {
        variables: program.variables().iter().cloned().collect(),
        rows: vec![program.rows()[row].clone()],
        ..ProgramData::default()
    };
    Program::new(data).is_ok_and(|alone| alone.clauses().is_some())
}

/// Names that are given once each and that every format can carry.
#[derive(Default)]
pub(super) struct FreshNames {
    taken: FxHashSet<String>,
}

impl FreshNames {
    /// `wish`, or something like it that is allowed and not taken yet.
    pub fn give(&mut self, wish: &str) -> String {
        let mut name = if check_name(wish).is_ok() {
            wish.to_owned()
        } else {
            format!("x{wish}")
        };
        let stem = name.len();
        let mut number = 2_u64;
        while !self.taken.insert(name.clone()) {
            name.truncate(stem);
            name.push_str(&format!("_{number}"));
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Id;

    #[test]
    fn a_clause_is_a_row_that_counts_its_true_literals() {
        let [x, y] = [0, 1].map(VarId::new);
        let row = clause_row(vec![(y, false), (x, true), (y, false)]).unwrap();
        assert_eq!(row, Row::at_least(vec![(x, int(1)), (y, int(-1))], int(0)));
        assert_eq!(clause_row(vec![(x, true), (x, false)]), None);
        assert_eq!(
            clause_row(Vec::new()),
            Some(Row::at_least(Vec::new(), int(1)))
        );
    }

    #[test]
    fn names_are_allowed_and_unique() {
        let mut names = FreshNames::default();
        let given = ["12", "x12", "free", "a", "a", "a"].map(|wish| names.give(wish));
        assert_eq!(given, ["x12", "x12_2", "xfree", "a", "a_2", "a_3"]);
    }
}
