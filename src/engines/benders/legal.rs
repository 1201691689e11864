//! Universal rows in certificates: what is legal in a block, and why the rest is not.
//!
//! Rows keep to one block each, so that what is legal there does not depend on the play. Where they
//! mention whole variables only, a strategy answers every legal value of these and shows that the
//! others leave the universal player without a legal end of the block; a refutation names a legal
//! point wherever it leaves a block open. Rows on real variables have no finite list of answers,
//! and no certificate.

use num_traits::Signed;

use super::admission::Admitted;
use super::corners::Corners;
use crate::budget::Budget;
use crate::num::{Rational, int};
use crate::outcome::{CertificateError, Halt, Move, Stop};
use crate::program::{BlockId, IdVec, Kind, Program, Quantifier, Term, VarId};
use crate::strategy::{Proof, SideRef, Step};

/// One side of a universal row as `Σ a·x <= b`.
struct Side {
    name: SideRef,
    terms: Vec<Term>,
    rhs: Rational,
}

/// See the module.
pub(super) struct Legal {
    sides: Vec<Side>,
    restricted: IdVec<VarId, bool>,
    /// The legal corners of each block, also of one behind the last stage.
    corners: IdVec<BlockId, Corners>,
}

impl Legal {
    /// What is legal, if universal rows mention whole variables only.
    pub fn of(program: &Program, budget: &mut Budget) -> Result<Self, CertificateError> {
        let mut restricted = IdVec::filled(program.variables().len(), false);
        let mut sides = Vec::new();
        let player = Quantifier::Forall.into();
        for (id, row) in program.universal_rows().pairs() {
            for (var, _) in &row.terms {
                if program.variables()[*var].kind == Kind::Real {
                    return Err(CertificateError::Unsupported(
                        "universal rows restrict real moves".into(),
                    ));
                }
                restricted[*var] = true;
            }
            let negated = row.terms.iter().map(|(var, a)| (*var, -a)).collect();
            sides.extend(row.upper.clone().map(|rhs| Side {
                name: SideRef::Upper(player, id),
                terms: row.terms.clone(),
                rhs,
            }));
            sides.extend(row.lower.clone().map(|rhs| Side {
                name: SideRef::Lower(player, id),
                terms: negated,
                rhs: -rhs,
            }));
        }
        let admitted = Admitted::new(program).map(|it| it.corners(program, budget));
        let corners = match admitted {
            Ok(Ok(Ok(corners))) => corners,
            Ok(Err(Halt::Stop(stop))) => return Err(stop.into()),
            _ => {
                return Err(CertificateError::Unsupported(
                    "its corners are not listed".into(),
                ));
            }
        };
        Ok(Self {
            sides,
            restricted,
            corners,
        })
    }

    /// Whether a universal row contains the variable.
    pub fn is_restricted(&self, var: VarId) -> bool {
        self.restricted[var]
    }

    /// Legal values of the restricted variables among those that are left: those that make the
    /// terms largest.
    pub fn play(&self, left: &[VarId], terms: &[Term]) -> Vec<Move> {
        let factor = |var: &VarId| {
            let term = terms.iter().find(|(other, _)| other == var);
            term.map_or_else(Rational::default, |(_, a)| a.clone())
        };
        let mut play = Vec::new();
        for corners in &self.corners {
            let variables = corners.variables();
            if variables.iter().any(|var| self.restricted[*var]) {
                let factors: Vec<Rational> = variables.iter().map(factor).collect();
                let (point, _) = corners.worst(&factors);
                play.extend(variables.iter().copied().zip(point));
            }
        }
        play.retain(|(var, _)| self.restricted[*var] && left.contains(var));
        play
    }

    /// Why the rows cannot hold after these values of some variables of a block; nothing if they
    /// can.
    pub fn death(
        &self,
        program: &Program,
        block: &[VarId],
        fixed: &[Move],
        budget: &mut Budget,
    ) -> Result<Option<Proof>, Stop> {
        let own = block.iter().copied().filter(|var| self.restricted[*var]);
        let mut ranges: Vec<(VarId, Rational, Rational)> = own
            .map(|var| {
                let domain = program.variables()[var].domain();
                let ends = (domain.lower.unwrap_or_default(), domain.upper);
                match fixed.iter().find(|(other, _)| *other == var) {
                    Some((_, value)) => (var, value.clone(), value.clone()),
                    None => (var, ends.0, ends.1.unwrap_or_default()),
                }
            })
            .collect();
        let mut steps = Vec::new();
        let dead = self.is_dead(&mut ranges, &mut steps, budget)?;
        let given = Vec::new();
        Ok(dead.then_some(Proof { given, steps }))
    }

    /// Proves a box of values dead, split by split; tells whether it is.
    fn is_dead(
        &self,
        ranges: &mut [(VarId, Rational, Rational)],
        steps: &mut Vec<Step>,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        budget.look_sometimes()?;
        let least = |side: &&Side| {
            let mut sum = -side.rhs.clone();
            for (var, a) in &side.terms {
                // Rows keep to one block: either all variables are here or none.
                let range = ranges.iter().find(|(other, ..)| other == var)?;
                sum += a * if a.is_positive() { &range.1 } else { &range.2 };
            }
            Some(sum)
        };
        let broken = |side: &&Side| least(side).is_some_and(|sum| sum.is_positive());
        if let Some(side) = self.sides.iter().find(broken) {
            steps.push(Step::Row(side.name));
            return Ok(true);
        }
        let Some(open) = ranges.iter().position(|(_, lower, upper)| lower < upper) else {
            return Ok(false);
        };
        let (var, lower, upper) = ranges[open].clone();
        let at = ((&lower + &upper) / int(2)).floor();
        steps.push(Step::Split(var, at.clone()));
        ranges[open] = (var, lower.clone(), at.clone());
        let mut dead = self.is_dead(ranges, steps, budget)?;
        ranges[open] = (var, at + int(1), upper.clone());
        dead = dead && self.is_dead(ranges, steps, budget)?;
        ranges[open] = (var, lower, upper);
        Ok(dead)
    }
}
