//! Whether a system with real variables can still be completed, and the proof either way: linear
//! programs whose multipliers are mixtures of rows, and splits where a whole variable is between
//! two numbers.

use num_traits::{Signed, Zero};

use super::Completion;
use super::mixing::Mixing;
use crate::budget::Budget;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::Rational;
use crate::outcome::{Move, Stop};
use crate::program::{Bounds, IdVec, Kind, Program, Quantifier, Row, RowId, VarId, Variable};
use crate::strategy::{Item, Mixture, Proof, SideRef, Step};

/// One player's rows over all variables.
pub(super) struct Mixed<'a> {
    pub program: &'a Program,
    pub owner: Quantifier,
    pub order: &'a [VarId],
}

impl Mixed<'_> {
    /// Whether the system is alive after the first variables, all of them whole, took these values.
    pub fn completion(
        &self,
        mixing: &Mixing,
        fixed: &[i128],
        budget: &mut Budget,
    ) -> Result<Completion, Stop> {
        let variables = self.program.variables().iter();
        let mut linear = LinearProgram {
            objective: Vec::new(),
            bounds: IdVec::from_vec(variables.map(Variable::domain).collect()),
            rows: self.program.system(self.owner).clone(),
        };
        for (var, value) in self.order.iter().zip(fixed) {
            let value = mixing.value(*var, *value);
            linear.bounds[*var] = Bounds::between(value.clone(), value);
        }
        let later = &self.order[fixed.len()..];
        let mut steps = Vec::new();
        if let Some(point) = self.search(&mut linear, later, &mut steps, budget)? {
            return Ok(Completion::Alive(self.named(&point, later)));
        }
        let is_fixed = |var: &VarId| self.order[..fixed.len()].contains(var);
        let given = given(self.program, &steps, |var| {
            is_fixed(&var).then(|| &linear.bounds[var].lower)?.clone()
        });
        Ok(Completion::Dead(Proof { given, steps }))
    }

    /// A completion, or the steps that show that there is none.
    fn search(
        &self,
        linear: &mut LinearProgram,
        later: &[VarId],
        steps: &mut Vec<Step>,
        budget: &mut Budget,
    ) -> Result<Option<IdVec<VarId, Rational>>, Stop> {
        let point = match linear.solve(budget)? {
            Answer::Infeasible { multipliers } => {
                steps.push(Step::Mix(self.mixture(&linear.rows, &multipliers)));
                return Ok(None);
            }
            Answer::Optimal { point, .. } | Answer::Unbounded { point, .. } => point,
        };
        let is_broken = |var: &&VarId| {
            let variable = &self.program.variables()[**var];
            variable.kind == Kind::Integer && !point[**var].is_integer()
        };
        let Some(&var) = later.iter().find(is_broken) else {
            return Ok(Some(point));
        };
        let (whole, at) = (linear.bounds[var].clone(), point[var].floor());
        steps.push(Step::Split(var, at.clone()));
        linear.bounds[var].upper = Some(at.clone());
        let mut found = self.search(linear, later, steps, budget)?;
        linear.bounds[var] = whole.clone();
        if found.is_none() {
            linear.bounds[var].lower = Some(at + Rational::from_integer(1.into()));
            found = self.search(linear, later, steps, budget)?;
            linear.bounds[var] = whole;
        }
        Ok(found)
    }

    fn mixture(&self, rows: &IdVec<RowId, Row>, multipliers: &IdVec<RowId, Rational>) -> Mixture {
        let mixture = weighted(self.owner, multipliers.pairs());
        if !mixture.is_empty() {
            return mixture;
        }
        let crossed = rows
            .pairs()
            .find(|(_, row)| row.lower > row.upper && row.upper.is_some());
        let both = |(row, _): (RowId, &Row)| {
            let sides = [SideRef::Upper, SideRef::Lower];
            let one = Rational::from_integer(1.into());
            sides.map(|side| (Item::Side(side(self.owner.into(), row)), one.clone()))
        };
        crossed.map(both).into_iter().flatten().collect()
    }

    /// The values that are not where a variable is that nobody names.
    fn named(&self, point: &IdVec<VarId, Rational>, later: &[VarId]) -> Vec<Move> {
        let values = later.iter().map(|var| (*var, point[*var].clone()));
        let is_usual = |var: VarId, value: &Rational| {
            let domain = self.program.variables()[var].domain();
            domain.lower.or(domain.upper).as_ref() == Some(value)
        };
        let mut moves: Vec<Move> = values.collect();
        moves.retain(|(var, value)| !is_usual(*var, value));
        moves
    }
}

/// Sides with the weights that multipliers give them: positive ones count on the lower side.
pub(super) fn weighted<'m>(
    owner: Quantifier,
    multipliers: impl Iterator<Item = (RowId, &'m Rational)>,
) -> Mixture {
    let counted = multipliers.filter(|(_, by)| !by.is_zero());
    let side = |(row, by): (RowId, &Rational)| {
        let side = match by.is_positive() {
            true => SideRef::Lower(owner.into(), row),
            false => SideRef::Upper(owner.into(), row),
        };
        (Item::Side(side), by.abs())
    };
    counted.map(side).collect()
}

/// What the fixed variables add to each side that the steps mix.
pub(super) fn given(
    program: &Program,
    steps: &[Step],
    value: impl Fn(VarId) -> Option<Rational>,
) -> Vec<(SideRef, Rational)> {
    let mixtures = steps.iter().filter_map(|step| match step {
        Step::Mix(mixture) => Some(mixture),
        _ => None,
    });
    let sides = mixtures.flatten().filter_map(|(item, _)| match item {
        Item::Side(side) => Some(*side),
        Item::Sum(_) => None,
    });
    let mut sides: Vec<SideRef> = sides.collect();
    sides.sort_unstable();
    sides.dedup();
    let stated = |side: SideRef| Some((side, added(program, side, &value)?));
    sides.into_iter().filter_map(stated).collect()
}

/// What the fixed variables add to a side; `None` if it has none of them.
pub(super) fn added(
    program: &Program,
    side: SideRef,
    value: impl Fn(VarId) -> Option<Rational>,
) -> Option<Rational> {
    let (terms, negated) = match side {
        SideRef::Upper(owner, row) => (&program.system(owner.into())[row].terms, false),
        SideRef::Lower(owner, row) => (&program.system(owner.into())[row].terms, true),
        SideRef::Objective => {
            let objective = program.objective()?;
            let negated = objective.sense == crate::program::Sense::Maximize;
            (&objective.terms, negated)
        }
        SideRef::Derived(_) => unreachable!("invariant: mixtures have sides of the model"),
    };
    let fixed: Vec<Rational> = terms
        .iter()
        .filter_map(|(var, by)| Some(by * value(*var)?))
        .collect();
    let sum: Rational = fixed.iter().sum();
    (!fixed.is_empty()).then_some(if negated { -sum } else { sum })
}
