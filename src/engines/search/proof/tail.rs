//! The end of a refutation where only real existential variables are left: a linear program whose
//! multipliers are the proof.
//!
//! The search takes such variables for integers where that changes no value; the proof must not.
//! So it does without conclusions that round them: cuts by the objective.

use num_traits::{Signed, Zero};

use super::extract::{Built, Extraction};
use super::moves::wrong;
use super::past::{Rooms, tidied};
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::{Rational, int, to_i64};
use crate::outcome::{CertificateError, cost_of_objective};
use crate::program::{Id, IdVec, Quantifier, Row, RowId, Term, VarId};
use crate::search::worth::Worth;
use crate::strategy::{EvidenceNode, Item, Proof, SideRef, Step};

/// The sides of the rows that the tail can still break.
struct Residual {
    rows: Vec<Row>,
    /// Which row each is, and what the variables before the tail add to it.
    origin: Vec<(RowId, Rational)>,
}

impl Extraction<'_, '_> {
    /// Whether only real existential variables are left and the universal player is to prove it.
    pub(in crate::search) fn is_at_tail(&self) -> bool {
        self.owner == Quantifier::Forall && self.place == self.tail && self.has_tail()
    }

    /// Whether proofs must not round some variables.
    pub(in crate::search) fn has_tail(&self) -> bool {
        self.tail < self.search.program.variables().len()
    }

    /// The bound that the multipliers of the tail's linear program prove.
    pub(in crate::search) fn tail_leaf(&mut self) -> Result<Built, CertificateError> {
        let residual = self.residual();
        let program = LinearProgram {
            objective: self.tail_costs(),
            bounds: IdVec::from_vec(self.tail_vars().map(|var| self.domain_of(var)).collect()),
            rows: IdVec::from_vec(residual.rows.clone()),
        };
        let unit = self.leaves.unit(self.search.inequalities.objective());
        let (multipliers, cost) = match program.solve(self.search.budget)? {
            Answer::Optimal {
                multipliers, value, ..
            } => (multipliers, Some(value)),
            Answer::Infeasible { multipliers } => (multipliers, None),
            Answer::Unbounded { .. } => return Err(wrong("the tail is unbounded")),
        };
        let mut proof = Proof::default();
        let mut mix = Vec::new();
        let to_go: Worth = match cost {
            Some(value) => {
                let spent = int(self.target) * &unit - &value;
                if self.objective_begins_before() {
                    proof.given.push((SideRef::Objective, spent));
                }
                mix.push((Item::Side(SideRef::Objective), int(1)));
                let whole = (value / unit).floor();
                to_i64(&whole).ok_or_else(|| wrong("a cost does not fit"))?
            }
            None => self.owners_best(),
        };
        for (id, multiplier) in multipliers.pairs().filter(|(_, it)| !it.is_zero()) {
            let (row, before) = &residual.origin[id.index()];
            let (side, before) = if multiplier.is_positive() {
                (SideRef::Lower(Quantifier::Exists.into(), *row), -before)
            } else {
                (
                    SideRef::Upper(Quantifier::Exists.into(), *row),
                    before.clone(),
                )
            };
            let terms = &self.search.program.rows()[*row].terms;
            if terms
                .first()
                .is_some_and(|(var, _)| var.index() < self.place)
            {
                proof.given.push((side, before));
            }
            mix.push((Item::Side(side), multiplier.abs()));
        }
        proof.steps.push(Step::Mix(mix));
        let needs = self.tail_needs(&proof);
        let play = Vec::new();
        let node = self.builder.add(EvidenceNode::Bound {
            place: self.place,
            play,
            proof: Box::new(proof),
        });
        let needs = self.reuse.add(&needs);
        Ok(Built { node, to_go, needs })
    }

    /// The rows that are mixed as full as they are, and room for the tail in the universal ones.
    fn tail_needs(&self, proof: &Proof) -> Rooms {
        let mut needs = self.proof_needs(proof, None);
        needs.extend(self.own_needs(self.place, self.at_worst(&[])));
        tidied(needs)
    }

    fn residual(&self) -> Residual {
        let values = self.values();
        let mut residual = Residual {
            rows: Vec::new(),
            origin: Vec::new(),
        };
        for (id, row) in self.search.program.rows().pairs() {
            let (fixed, rest): (Vec<&Term>, Vec<&Term>) = row
                .terms
                .iter()
                .partition(|(var, _)| var.index() < self.place);
            let parts = fixed
                .into_iter()
                .map(|(var, a)| a * int(values[var.index()]));
            let before: Rational = parts.sum();
            let reach = |pick: fn(Rational, Rational) -> Rational| -> Rational {
                let ends = rest.iter().map(|(var, a)| {
                    let (lower, upper) = self.leaves.domain(*var);
                    pick(a * int(lower), a * int(upper))
                });
                ends.sum()
            };
            let (least, most) = (reach(Rational::min), reach(Rational::max));
            // A side that nothing can break takes no part: equal futures then have equal proofs.
            let lower = row
                .lower
                .as_ref()
                .map(|side| side - &before)
                .filter(|it| *it > least);
            let upper = row
                .upper
                .as_ref()
                .map(|side| side - &before)
                .filter(|it| *it < most);
            if lower.is_some() || upper.is_some() {
                let terms = rest.iter().map(|(var, a)| (self.column(*var), a.clone()));
                residual.rows.push(Row {
                    name: None,
                    terms: terms.collect(),
                    lower,
                    upper,
                });
                residual.origin.push((id, before));
            }
        }
        residual
    }

    fn tail_costs(&self) -> Vec<Term> {
        let program = self.search.program;
        let terms = program
            .objective()
            .map_or(&[][..], |objective| &objective.terms);
        let later = terms.iter().filter(|(var, _)| var.index() >= self.place);
        later
            .map(|(var, a)| (self.column(*var), cost_of_objective(program, a.clone())))
            .collect()
    }

    fn objective_begins_before(&self) -> bool {
        let objective = self.search.program.objective();
        let first = objective.and_then(|objective| objective.terms.first());
        first.is_some_and(|(var, _)| var.index() < self.place)
    }

    fn tail_vars(&self) -> impl Iterator<Item = VarId> + use<> {
        (self.place..self.search.program.variables().len()).map(VarId::new)
    }

    fn domain_of(&self, var: VarId) -> crate::program::Bounds {
        self.search.program.variables()[var].domain()
    }

    fn column(&self, var: VarId) -> VarId {
        VarId::new(var.index() - self.place)
    }
}
