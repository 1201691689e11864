//! Real variables that may as well be integer.
//!
//! **Claim:** let the reals of a block stand in rows that are, in coprime integers, `± r`, `r − s`
//! or (after the sign of some reals is flipped) `r + s` beside integer variables, let their bounds
//! be whole, and let no existential variable of a later block stand in those rows. Then the game
//! has the same value when these reals are integer.
//!
//! *Why:* once the integer variables of the block are chosen, the reals are in a polytope whose
//! matrix has at most two entries ±1 in a row, which the flips turn into one of each sign: it is
//! totally unimodular, and the right-hand sides are whole, also in the worst case over later
//! universal integers. The rest of the game sees the reals only in the objective, which is linear,
//! so a whole vertex is best.
//!
//! This is how worst-case costs (`z >= Σ c·x`) and states (`a <= b + x`) are usually modelled.

use crate::program::{Id, IdVec, Kind, Program, Quantifier, ScaledRow, ScalingError, VarId};

/// The program with such reals made integer, or `None` if there is none.
///
/// ```
/// use quip::program::Kind;
/// let program = quip::format::parse_qip(
///     "minimize worst: z
///      subject to epigraph: z - 3 x - 2 y >= 0
///      prefix forall binary y  exists binary x  exists real z in [0, 9]
///      end",
/// )?;
/// let integral = quip::equivalent::integral::with_integer_reals(&program)?.unwrap();
/// assert!(integral.variables().iter().all(|variable| variable.kind == Kind::Integer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_integer_reals(program: &Program) -> Result<Option<Program>, ScalingError> {
    let is_real = |var: VarId| program.variables()[var].kind == Kind::Real;
    if !program.variables().ids().any(is_real) {
        return Ok(None);
    }
    let mut groups = Groups::new(program);
    for row in program.scaled_system(Quantifier::Exists)? {
        groups.look_at(program, &row);
    }
    for row in program.universal_rows() {
        for (var, _) in row.terms.iter().filter(|(var, _)| is_real(*var)) {
            groups.spoil(*var);
        }
    }
    let mut data = program.clone().into_data();
    let mut changed = false;
    for var in program.variables().ids().filter(|&var| is_real(var)) {
        if !groups.is_spoilt(var) {
            data.variables[var.index()].kind = Kind::Integer;
            changed = true;
        }
    }
    let integral = changed.then(|| {
        Program::new(data).expect("invariant: a bounded real may be integer in a program")
    });
    Ok(integral)
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
            let whole = |end: &Option<crate::num::Rational>| {
                end.as_ref().is_some_and(crate::num::Rational::is_integer)
            };
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
