//! Real variables that may as well be integers.
//!
//! **Claim:** let the reals of a block stand in rows that are, in coprime integers, `± r`, `r − s`
//! or (after the sign of some reals is flipped) `r + s` beside integer variables, let their bounds
//! be whole, and let no existential variable of a later block stand in those rows. Then the game
//! has the same value when these reals are integer.
//!
//! *Why:* once the integer variables of the block are chosen, the reals are in a polytope whose
//! matrix has at most two entries ±1 in a row, which the flips turn into one of each sign: it is
//! totally unimodular (Hoffman and Kruskal 1956), and the right-hand sides are whole, also in the worst case over later
//! universal integers. The rest of the game sees the reals only in the objective, which is linear,
//! so a whole vertex is best.
//!
//! This is how worst-case costs (`z >= Σ c·x`) and states (`a <= b + x`) are usually modelled.

use crate::num::Rational;
use crate::program::{Id, IdVec, Kind, Program, Quantifier, ScaledRow, VarId};

/// The same program with its real variables declared integer, if there are any and that changes
/// nothing.
///
/// ```
/// use quip::program::Kind;
/// let program = quip::format::parse_qip(
///     "minimize worst: z
///      subject to epigraph: z - 3 x - 2 y >= 0
///      prefix forall binary y  exists binary x  exists real z in [0, 9]
///      end",
/// )?;
/// let integral = quip::presolve::with_implied_integers(&program).unwrap();
/// assert!(integral.variables().iter().all(|variable| variable.kind == Kind::Integer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_implied_integers(program: &Program) -> Option<Program> {
    let variables = program.variables();
    let is_real = |var: VarId| variables[var].kind == Kind::Real;
    let reals: Vec<_> = variables.ids().filter(|&var| is_real(var)).collect();
    if reals.is_empty() {
        return None;
    }
    let mut groups = Groups::new(program);
    for row in program.scaled_system(Quantifier::Exists).ok()? {
        groups.look_at(program, &row);
    }
    let mut restricted = program.universal_rows().iter().flat_map(|row| &row.terms);
    if restricted.any(|(var, _)| is_real(*var)) || reals.iter().any(|&var| groups.is_spoilt(var)) {
        return None;
    }
    let mut data = program.clone().into_data();
    for var in reals {
        data.variables[var.index()].kind = Kind::Integer;
    }
    Program::new(data).ok()
}

/// Reals that share rows, with the sign each needs relative to the head of its group.
struct Groups {
    head: Vec<usize>,
    flipped: Vec<bool>,
    spoilt: Vec<bool>,
    block: IdVec<VarId, usize>,
    last_existential: usize,
}

impl Groups {
    fn new(program: &Program) -> Self {
        let count = program.variables().len();
        let mut block = IdVec::filled(count, 0);
        let mut last_existential = 0;
        for (id, entries) in program.blocks().pairs() {
            for var in entries.variables() {
                block[var] = id.index();
            }
            if entries.quantifier == Quantifier::Exists {
                last_existential = id.index();
            }
        }
        let spoilt = program.variables().iter().map(|variable| {
            let whole = |end: &Option<Rational>| end.as_ref().is_some_and(Rational::is_integer);
            let bounds = &variable.bounds;
            let universal = variable.quantifier == Quantifier::Forall;
            universal || !whole(&bounds.lower) || !whole(&bounds.upper)
        });
        Self {
            head: (0..count).collect(),
            flipped: vec![false; count],
            spoilt: spoilt.collect(),
            block,
            last_existential,
        }
    }

    /// The head of a group, and whether the variable is flipped relative to it.
    fn find(&self, var: usize) -> (usize, bool) {
        let (mut at, mut flip) = (var, false);
        while self.head[at] != at {
            flip ^= self.flipped[at];
            at = self.head[at];
        }
        (at, flip)
    }

    fn spoil(&mut self, var: VarId) {
        let (head, _) = self.find(var.index());
        self.spoilt[head] = true;
    }

    fn is_spoilt(&self, var: VarId) -> bool {
        self.spoilt[self.find(var.index()).0]
    }

    fn look_at(&mut self, program: &Program, row: &ScaledRow) {
        let is_real = |var: VarId| program.variables()[var].kind == Kind::Real;
        let reals: Vec<_> = row.terms.iter().filter(|(var, _)| is_real(*var)).collect();
        for (left, right) in reals.iter().zip(reals.iter().skip(1)) {
            let opposite = (left.1 > 0) != (right.1 > 0);
            self.join(left.0, right.0, !opposite);
        }
        let fine = reals.len() <= 2
            && reals
                .iter()
                .all(|(var, by)| by.abs() == 1 && self.closes(*var, row, program));
        if let (false, Some((var, _))) = (fine, reals.first()) {
            self.spoil(*var);
        }
    }

    /// Whether nothing later than the block of `var` decides about the row.
    fn closes(&self, var: VarId, row: &ScaledRow, program: &Program) -> bool {
        let own = self.block[var];
        row.terms.iter().all(|(other, _)| {
            let later = self.block[*other] > own;
            let existential = program.variables()[*other].quantifier == Quantifier::Exists;
            !later || (!existential && own == self.last_existential)
        })
    }

    fn join(&mut self, left: VarId, right: VarId, differ: bool) {
        let (left_head, left_flip) = self.find(left.index());
        let (right_head, right_flip) = self.find(right.index());
        let needed = left_flip ^ right_flip ^ differ;
        if left_head == right_head {
            self.spoilt[left_head] |= needed;
        } else {
            self.head[left_head] = right_head;
            self.flipped[left_head] = needed;
            self.spoilt[right_head] |= self.spoilt[left_head];
        }
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

    #[test]
    fn reals_of_an_earlier_block_may_be_integer_if_nothing_later_stands_in_their_rows() {
        let text = |row: &str| {
            format!(
                "minimize r + t\nsubject to\n r - 3 x >= 1\n {row}\nprefix\n\
                 exists integer x in [0, 3]\nexists real r in [0, 9]\nforall binary y\n\
                 exists real t in [0, 9]\nend\n"
            )
        };
        let integral = |row: &str| with_implied_integers(&parse_qip(&text(row)).unwrap()).is_some();
        assert!(integral("t - 2 y >= 0"));
        assert!(!integral("t - r >= 0"));
        assert!(!integral("r - 2 y >= 0"));
    }
}
