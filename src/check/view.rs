//! The program as the checker sees it: places in playing order, and every row side as `Σ a·x <= b`.
//!
//! **Playing order:** the prefix, except that the real variables of a block come after its integer
//! ones. Inside a block the order does not change the value.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use rustc_hash::FxHashMap;

use super::number::Number;
use crate::num::Rational;
use crate::program::{Bounds, Id, Kind, Program, Quantifier, Row, RowId, Sense, VarId};

/// A row side, or the objective, by its place in [`View::sides`].
pub(super) type SideId = usize;

/// `Σ coefficient · variable <= rhs`, with places instead of variables, in increasing order.
pub(super) struct Side {
    /// Whose system it belongs to; the objective is the existential player's.
    pub owner: Quantifier,
    /// The left-hand side.
    pub terms: Vec<(usize, Rational)>,
    /// The right-hand side; of the objective: minus its constant.
    pub rhs: Rational,
    /// What the user's numbers were multiplied by to make the coefficients whole.
    pub scale: Rational,
}

impl Side {
    /// The first place that occurs in it.
    pub fn first(&self) -> Option<usize> {
        self.terms.first().map(|term| term.0)
    }

    /// Whether `place` is the last that occurs in it.
    pub fn ends_at(&self, place: usize) -> bool {
        self.terms.last().is_some_and(|term| term.0 == place)
    }

    /// Whether some variable before `place` occurs in it.
    pub fn begins_before(&self, place: usize) -> bool {
        self.first().is_some_and(|first| first < place)
    }

    /// The terms from `place` on.
    pub fn rest(&self, place: usize) -> &[(usize, Rational)] {
        &self.terms[self.terms.partition_point(|term| term.0 < place)..]
    }
}

/// The variable at a place.
pub(super) struct Place {
    pub var: VarId,
    pub owner: Quantifier,
    pub kind: Kind,
    pub domain: Bounds,
    /// The sides it occurs in, and with which coefficient.
    pub column: Vec<(SideId, Number)>,
    /// Whether a universal row contains it.
    pub restricted: bool,
}

/// See the module.
pub(super) struct View<'a> {
    pub program: &'a Program,
    pub places: Vec<Place>,
    pub place_of: Vec<usize>,
    pub sides: Vec<Side>,
    /// For both systems, where the sides of each row are: upper, lower.
    sides_of: [Vec<[Option<SideId>; 2]>; 2],
    pub names: FxHashMap<&'a str, VarId>,
    /// The first variable that has no value to take.
    pub first_empty: Option<VarId>,
    /// For each place the first free universal variable from there on.
    pub next_free: Vec<usize>,
}

impl<'a> View<'a> {
    pub fn new(program: &'a Program) -> Self {
        let mut view = Self {
            program,
            places: Vec::new(),
            place_of: vec![0; program.variables().len()],
            sides: Vec::new(),
            sides_of: [Vec::new(), Vec::new()],
            next_free: Vec::new(),
            first_empty: program.first_empty_domain(),
            names: program
                .variables()
                .pairs()
                .map(|(var, variable)| (variable.name.as_str(), var))
                .collect(),
        };
        view.read_places();
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            for row in program.system(owner) {
                let pair = view.read_row(owner, row);
                view.sides_of[usize::from(owner == Quantifier::Forall)].push(pair);
            }
        }
        view.read_objective();
        view.read_columns();
        view.find_free();
        view
    }

    /// The side that stands for the objective in the existential player's sense.
    pub fn objective(&self) -> SideId {
        self.sides.len() - 1
    }

    /// The side of a row.
    pub fn side(&self, owner: Quantifier, row: usize, upper: bool) -> Option<SideId> {
        let pairs = &self.sides_of[usize::from(owner == Quantifier::Forall)];
        pairs.get(row)?[usize::from(!upper)]
    }

    /// What to call a side when speaking to people.
    pub fn label(&self, id: SideId) -> String {
        if id == self.objective() {
            return "the objective".to_owned();
        }
        let owner = self.sides[id].owner;
        let pairs = &self.sides_of[usize::from(owner == Quantifier::Forall)];
        let row = pairs.iter().position(|pair| pair.contains(&Some(id)));
        row.map_or_else(String::new, |row| {
            format!("row {}", self.program.row_label(owner, RowId::new(row)))
        })
    }

    /// The name of the variable at a place.
    pub fn name(&self, place: usize) -> &str {
        &self.program.variables()[self.places[place].var].name
    }

    /// The user's objective value as a cost to be minimised; its own inverse.
    pub fn cost(&self, value: Rational) -> Rational {
        match self.program.objective().map(|objective| objective.sense) {
            Some(Sense::Maximize) => -value,
            _ => value,
        }
    }

    fn read_places(&mut self) {
        for block in self.program.blocks() {
            let mut order: Vec<VarId> = block.variables().collect();
            order.sort_by_key(|var| self.program.variables()[*var].kind == Kind::Real);
            for var in order {
                let variable = &self.program.variables()[var];
                self.place_of[var.index()] = self.places.len();
                self.places.push(Place {
                    var,
                    owner: variable.quantifier,
                    kind: variable.kind,
                    domain: variable.domain(),
                    column: Vec::new(),
                    restricted: false,
                });
            }
        }
    }

    fn read_row(&mut self, owner: Quantifier, row: &Row) -> [Option<SideId>; 2] {
        let upper = row.upper.as_ref().map(|rhs| (rhs.clone(), false));
        let lower = row.lower.as_ref().map(|rhs| (-rhs, true));
        [upper, lower]
            .map(|side| side.map(|(rhs, negated)| self.push_side(owner, &row.terms, rhs, negated)))
    }

    fn push_side(
        &mut self,
        owner: Quantifier,
        terms: &[(VarId, Rational)],
        rhs: Rational,
        negated: bool,
    ) -> SideId {
        let term = |(var, a): &(VarId, Rational)| {
            (
                self.place_of[var.index()],
                if negated { -a } else { a.clone() },
            )
        };
        let mut terms: Vec<_> = terms.iter().map(term).collect();
        terms.sort_by_key(|term| term.0);
        let scale = terms
            .iter()
            .fold(BigInt::one(), |lcm, (_, a)| lcm.lcm(a.denom()));
        let scale = Rational::from_integer(scale);
        for (_, coefficient) in &mut terms {
            *coefficient *= &scale;
        }
        self.sides.push(Side {
            owner,
            terms,
            rhs: rhs * &scale,
            scale,
        });
        self.sides.len() - 1
    }

    fn read_objective(&mut self) {
        let (terms, constant, negated) = match self.program.objective() {
            Some(objective) => (
                objective.terms.as_slice(),
                objective.constant.clone(),
                objective.sense == Sense::Maximize,
            ),
            None => ([].as_slice(), Rational::default(), false),
        };
        let rhs = if negated { constant } else { -constant };
        self.push_side(Quantifier::Exists, terms, rhs, negated);
    }

    fn find_free(&mut self) {
        let mut next = usize::MAX;
        self.next_free = vec![next; self.places.len() + 1];
        for (place, at) in self.places.iter().enumerate().rev() {
            if at.owner == Quantifier::Forall && !at.restricted {
                next = place;
            }
            self.next_free[place] = next;
        }
    }

    fn read_columns(&mut self) {
        let objective = self.objective();
        for (id, side) in self.sides.iter().enumerate() {
            for (place, coefficient) in &side.terms {
                let place = &mut self.places[*place];
                place.column.push((id, coefficient.clone().into()));
                place.restricted |= side.owner == Quantifier::Forall && id != objective;
            }
        }
    }
}
