//! Row sides: every row as one or two inequalities `Σ a·x <= b`, over places instead of variables.
//!
//! **Playing order:** the prefix, except that the real variables of a block come after its integer
//! ones. A *place* counts in that order.

use std::collections::BTreeMap;

use super::{Id, Program, Quantifier, Sense, VarId, cost_of_objective};
use crate::num::{Exact, Rational};

/// `Σ coefficient · variable <= rhs`, with places instead of variables, in increasing order.
#[derive(Clone, Debug)]
pub struct Side {
    /// What certificates call it: `r3+`, `u1-`, `z`.
    pub name: String,
    /// Whose system it belongs to.
    pub owner: Quantifier,
    /// Places and their coefficients.
    pub terms: Vec<(usize, Exact)>,
    /// What the sum must not exceed.
    pub rhs: Exact,
    /// Whether a proof may take for granted that the sum does not even reach it: so of the
    /// objective, in refutations, and of what leans on it.
    pub strict: bool,
}

impl Side {
    /// Whether some variable before `place` occurs in it.
    pub fn begins_before(&self, place: usize) -> bool {
        self.terms.first().is_some_and(|term| term.0 < place)
    }

    /// Some sides of the existential player together, each taken so many times.
    pub fn sum(name: String, parts: &[(&Self, Exact)]) -> Self {
        let mut terms: BTreeMap<usize, Exact> = BTreeMap::new();
        let mut rhs = Exact::ZERO;
        for (side, times) in parts {
            rhs = &rhs + &(&side.rhs * times);
            for (place, coefficient) in &side.terms {
                let sum = terms.entry(*place).or_insert(Exact::ZERO);
                *sum = &*sum + &(coefficient * times);
            }
        }
        terms.retain(|_, coefficient| !coefficient.is_zero());
        Self {
            name,
            owner: Quantifier::Exists,
            terms: terms.into_iter().collect(),
            rhs,
            strict: { parts.iter() }.any(|(side, times)| side.strict && !times.is_zero()),
        }
    }

    /// The terms from `place` on.
    pub fn rest(&self, place: usize) -> &[(usize, Exact)] {
        &self.terms[self.terms.partition_point(|term| term.0 < place)..]
    }
}

impl Program {
    /// The sides of all rows. If a cost is told, the last one says that the objective, as a cost, is
    /// at most that.
    pub fn sides(&self, cost: Option<&Rational>) -> Vec<Side> {
        let mut places = vec![0; self.variables().len()];
        for (place, var) in self.playing_order().into_iter().enumerate() {
            places[var.index()] = place;
        }
        let mut sides = Vec::new();
        for (owner, letter) in [(Quantifier::Exists, 'r'), (Quantifier::Forall, 'u')] {
            for (id, row) in self.system(owner).pairs() {
                for (end, sign, negated) in [(&row.upper, '+', false), (&row.lower, '-', true)] {
                    let Some(rhs) = end else { continue };
                    let name = format!("{letter}{}{sign}", id.index() + 1);
                    sides.push(side(name, owner, &row.terms, rhs, negated, &places));
                }
            }
        }
        if let Some(cost) = cost {
            let objective = self.objective();
            let terms = objective.map_or(&[][..], |it| &it.terms);
            let constant = objective.map_or_else(Rational::default, |it| it.constant.clone());
            let rhs = cost_of_objective(self, cost.clone()) - constant;
            let negated = objective.is_some_and(|it| it.sense == Sense::Maximize);
            let (name, owner) = ("z".to_owned(), Quantifier::Exists);
            let cost = side(name, owner, terms, &rhs, negated, &places);
            sides.push(Side {
                strict: true,
                ..cost
            });
        }
        sides
    }
}

fn side(
    name: String,
    owner: Quantifier,
    terms: &[(VarId, Rational)],
    rhs: &Rational,
    negated: bool,
    places: &[usize],
) -> Side {
    let signed = |it: &Rational| Exact::from(if negated { -it } else { it.clone() });
    let placed = terms
        .iter()
        .map(|(var, a)| (places[var.index()], signed(a)));
    let mut terms: Vec<(usize, Exact)> = placed.collect();
    terms.sort_by_key(|term| term.0);
    Side {
        name,
        owner,
        terms,
        rhs: signed(rhs),
        strict: false,
    }
}
