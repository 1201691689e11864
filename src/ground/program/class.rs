//! What kind of program this is: the facts that decide which engine fits.

use std::fmt;

use num_traits::{One, Signed};
use rustc_hash::FxHashMap;

use super::{Id, IdVec, Kind, Program, Quantifier, Row, RowId, VarId, Variable};
use crate::num::{Rational, int};

/// Kinds of variables and where they stand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// All variables are real (also: there are none).
    Qlp,
    /// All variables are integer.
    Qip,
    /// Integers, and reals in the last existential block only.
    Qmip,
    /// Reals in earlier blocks, or universal reals, beside integers.
    Mixed,
}

impl fmt::Display for Shape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Qlp => "QLP (all variables real)",
            Self::Qip => "QIP (all variables integer)",
            Self::Qmip => "QMIP (integer, with reals in the last existential block)",
            Self::Mixed => "mixed (reals outside the last existential block)",
        })
    }
}

/// The facts, each decided from the data alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Kinds of variables.
    pub shape: Shape,
    /// Every variable is 0/1, every row is a clause, nothing is optimised: a quantified Boolean
    /// formula in conjunctive form.
    pub clausal: bool,
    /// The quantifier of each block, outermost first.
    pub blocks: Vec<Quantifier>,
    /// Some universal row mentions an existential variable.
    pub decision_dependent: bool,
    /// Scanning the universal rows one by one decides whether the universal system is alive, in
    /// every position. Proved from the rows; see [`Program::class`].
    pub simply_restricted: bool,
}

impl Program {
    /// Decides the facts of [`Class`].
    ///
    /// *Simply restricted* is detected by a sufficient condition, per connected component of the
    /// universal rows: either no variable helps one row while hurting another, so that one
    /// assignment is the best for all rows at once, or the component is a single row whose
    /// coefficients are all ±1 over integers, so that it reaches every sum between its extremes.
    pub fn class(&self) -> Class {
        let mentions = |quantifier| {
            self.universal_rows()
                .iter()
                .flat_map(|row| &row.terms)
                .any(|(var, _)| self.variables()[*var].quantifier == quantifier)
        };
        Class {
            shape: self.shape(),
            clausal: self.is_clausal(),
            blocks: self.blocks().iter().map(|block| block.quantifier).collect(),
            decision_dependent: mentions(Quantifier::Exists),
            simply_restricted: simply_restricted(self.universal_rows(), self.variables()),
        }
    }

    fn shape(&self) -> Shape {
        let is_real = |variable: &Variable| variable.kind == Kind::Real;
        if self.variables().iter().all(is_real) {
            return Shape::Qlp;
        }
        if !self.variables().iter().any(is_real) {
            return Shape::Qip;
        }
        let last = self
            .blocks()
            .pairs()
            .rfind(|(_, block)| block.quantifier == Quantifier::Exists);
        let inside = |var: VarId| last.as_ref().is_some_and(|(_, block)| block.contains(var));
        let reals = self
            .variables()
            .pairs()
            .filter(|(_, variable)| is_real(variable));
        if reals.map(|(var, _)| var).all(inside) {
            Shape::Qmip
        } else {
            Shape::Mixed
        }
    }

    /// The clauses of a clausal program, as literals: a variable and the value that makes it true.
    /// Nothing if the program is not clausal.
    ///
    /// ```
    /// use quip::program::{Program, ProgramData};
    /// let empty = Program::new(ProgramData::default())?;
    /// assert_eq!(empty.clauses(), Some(Vec::new()));
    /// # Ok::<(), Vec<quip::program::ProgramError>>(())
    /// ```
    pub fn clauses(&self) -> Option<Vec<Vec<(VarId, bool)>>> {
        let literals = |row: &Row| {
            // `Σ <= rhs` is the clause of the opposite signs.
            let at_least = row.lower.is_some();
            let literal = |(var, coefficient): &(VarId, Rational)| {
                (*var, coefficient.is_positive() == at_least)
            };
            row.terms.iter().map(literal).collect()
        };
        self.is_clausal()
            .then(|| self.rows().iter().map(literals).collect())
    }

    fn is_clausal(&self) -> bool {
        self.objective().is_none()
            && self.universal_rows().is_empty()
            && self.variables().iter().all(Variable::is_binary)
            && self.rows().iter().all(is_clause)
    }
}

/// `Σ positive + Σ (1 − negative) >= 1`, on either side of the row.
fn is_clause(row: &Row) -> bool {
    let units = row
        .terms
        .iter()
        .all(|(_, coefficient)| coefficient.abs().is_one());
    let count = |positive: bool| {
        let side = row
            .terms
            .iter()
            .filter(|(_, coefficient)| coefficient.is_positive() == positive);
        int(side.count() as i64)
    };
    let is_at_least = |rhs: &Rational| *rhs == int(1) - count(false);
    let is_at_most = |rhs: &Rational| *rhs == count(true) - int(1);
    units
        && match (&row.lower, &row.upper) {
            (Some(rhs), None) => is_at_least(rhs),
            (None, Some(rhs)) => is_at_most(rhs),
            _ => false,
        }
}

fn simply_restricted(rows: &IdVec<RowId, Row>, variables: &IdVec<VarId, Variable>) -> bool {
    let mut components = Components::new(variables.len());
    for row in rows {
        for (var, _) in &row.terms {
            components.join(row.terms[0].0, *var);
        }
    }
    let mut rows_of = vec![Vec::new(); variables.len()];
    for row in rows.iter().filter(|row| !row.terms.is_empty()) {
        rows_of[components.root(row.terms[0].0)].push(row);
    }
    rows_of.iter().all(|rows| match rows.as_slice() {
        [] => true,
        [row] => no_conflict(rows) || reaches_every_sum(row, variables),
        _ => no_conflict(rows),
    })
}

/// Whether each variable pulls all of these rows' sides in one direction.
fn no_conflict(rows: &[&Row]) -> bool {
    let mut pulls: FxHashMap<VarId, bool> = FxHashMap::default();
    rows.iter().all(|row| {
        let one_sided = row.lower.is_none() || row.upper.is_none();
        one_sided
            && row.terms.iter().all(|(var, coefficient)| {
                let up_helps = coefficient.is_positive() == row.lower.is_some();
                *pulls.entry(*var).or_insert(up_helps) == up_helps
            })
    })
}

/// A sum of ±integers moves in unit steps between its extremes, so it meets any whole interval
/// that overlaps them. The sides must be whole numbers for the overlap to hold one.
fn reaches_every_sum(row: &Row, variables: &IdVec<VarId, Variable>) -> bool {
    let whole = |side: &Option<Rational>| side.as_ref().is_none_or(Rational::is_integer);
    let crossed = matches!((&row.lower, &row.upper), (Some(lower), Some(upper)) if lower > upper);
    !crossed
        && whole(&row.lower)
        && whole(&row.upper)
        && row.terms.iter().all(|(var, coefficient)| {
            coefficient.abs().is_one() && variables[*var].kind == Kind::Integer
        })
}

/// Disjoint sets of variables.
pub struct Components(Vec<usize>);

impl Components {
    /// Every variable is a set.
    pub fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// What all variables of a set have in common, and no other.
    pub fn root(&mut self, var: VarId) -> usize {
        let mut place = var.index();
        while self.0[place] != place {
            self.0[place] = self.0[self.0[place]];
            place = self.0[place];
        }
        place
    }

    /// Makes one set of two.
    pub fn join(&mut self, left: VarId, right: VarId) {
        let (left, right) = (self.root(left), self.root(right));
        self.0[left] = right;
    }
}
