//! Real variables that may as well be integers.
//!
//! Once every integer variable is fixed, the real variables of the last block face a linear
//! program. If each of its rows holds at most one `+1` and one `−1` (possibly after replacing some
//! variables by their negatives) its matrix is totally unimodular (Hoffman and Kruskal 1956), and
//! with whole right-hand sides and bounds an optimal vertex is whole. Then asking for whole numbers
//! changes neither the value nor who wins.

use num_traits::{One, Signed};

use crate::num::Rational;
use crate::program::{Id, Kind, Program, Quantifier, Row, VarId};

/// The same program with its real variables declared integer, if that changes nothing.
pub fn with_implied_integers(program: &Program) -> Option<Program> {
    let is_real = |var: VarId| program.variables()[var].kind == Kind::Real;
    let last = program.blocks().iter().last()?;
    let mut reals = program
        .variables()
        .ids()
        .filter(|&var| is_real(var))
        .peekable();
    reals.peek()?;
    let placed = last.quantifier == Quantifier::Exists
        && reals.all(|var| last.contains(var) && has_whole_bounds(program, var));
    let untouched = |row: &Row| !row.terms.iter().any(|(var, _)| is_real(*var));
    if !placed || !program.universal_rows().iter().all(untouched) {
        return None;
    }
    let mut signs = Signs::new(program.variables().len());
    let fits = |row: &Row| untouched(row) || fits_network(row, &is_real, &mut signs);
    if !program.rows().iter().all(fits) {
        return None;
    }
    let mut data = program.clone().into_data();
    for variable in &mut data.variables {
        variable.kind = Kind::Integer;
    }
    Program::new(data).ok()
}

fn has_whole_bounds(program: &Program, var: VarId) -> bool {
    let bounds = &program.variables()[var].bounds;
    let whole = |end: &Option<Rational>| end.as_ref().is_some_and(Rational::is_integer);
    whole(&bounds.lower) && whole(&bounds.upper)
}

/// Whether the row, divided so that its reals have coefficients ±1, is whole everywhere and has
/// at most two reals, of opposite sign once the variables are turned as `signs` says.
fn fits_network(row: &Row, is_real: &impl Fn(VarId) -> bool, signs: &mut Signs) -> bool {
    let reals: Vec<_> = row.terms.iter().filter(|(var, _)| is_real(*var)).collect();
    let unit = reals[0].1.abs();
    let whole = |number: &Rational| (number / &unit).is_integer();
    let all_whole = row
        .terms
        .iter()
        .map(|(_, coefficient)| coefficient)
        .all(whole)
        && row.lower.iter().chain(&row.upper).all(whole);
    let units = reals
        .iter()
        .all(|(_, coefficient)| (coefficient.abs() / &unit).is_one());
    all_whole
        && units
        && match reals.as_slice() {
            [_] => true,
            [(left, a), (right, b)] => {
                signs.relate(*left, *right, a.is_positive() == b.is_positive())
            }
            _ => false,
        }
}

/// Which variables must be replaced by their negatives: classes with a parity to their root.
struct Signs {
    parent: Vec<usize>,
    turned: Vec<bool>,
}

impl Signs {
    fn new(count: usize) -> Self {
        Self {
            parent: (0..count).collect(),
            turned: vec![false; count],
        }
    }

    fn root(&self, var: VarId) -> (usize, bool) {
        let (mut place, mut turned) = (var.index(), false);
        while self.parent[place] != place {
            turned ^= self.turned[place];
            place = self.parent[place];
        }
        (place, turned)
    }

    /// Demands that exactly one (`differ`) or none or both of two variables are turned; tells
    /// whether that is possible with what was demanded before.
    fn relate(&mut self, left: VarId, right: VarId, differ: bool) -> bool {
        let ((left, left_turned), (right, right_turned)) = (self.root(left), self.root(right));
        let needed = differ ^ left_turned ^ right_turned;
        if left == right {
            return !needed;
        }
        self.parent[left] = right;
        self.turned[left] = needed;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;

    fn becomes_integer(rows: &str, reals: &str) -> bool {
        let text = format!(
            "minimize x + r + s\nsubject to\n{rows}\nprefix\nexists integer x in [0, 3]\n\
             exists real r in {reals}\nexists real s in [0, 2]\nend\n"
        );
        with_implied_integers(&parse_qip(&text).unwrap()).is_some()
    }

    #[test]
    fn networks_are_recognised_also_when_turned_or_scaled() {
        assert!(!becomes_integer("r - s + 2 x <= 3\n r + s >= 1", "[0, 2]"));
        assert!(becomes_integer("r - s + 2 x <= 3\n r >= 1", "[0, 2]"));
        assert!(becomes_integer("r + s >= 1", "[0, 2]"));
        assert!(becomes_integer("1/2 r - 1/2 s + 3 x <= 3/2", "[0, 2]"));
    }

    #[test]
    fn fractions_that_a_vertex_could_have_are_not_overlooked() {
        assert!(!becomes_integer("2 r + x <= 3", "[0, 2]"));
        assert!(!becomes_integer("r + 1/2 x <= 3", "[0, 2]"));
        assert!(!becomes_integer("r - s <= 1/2", "[0, 2]"));
        assert!(!becomes_integer("r - s <= 1", "[0, 3/2]"));
        assert!(!becomes_integer("r - 2 s <= 1", "[0, 2]"));
    }
}
