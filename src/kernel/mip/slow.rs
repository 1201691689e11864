//! Branch and bound over linear programs that are solved exactly, one by one.
//!
//! The slow twin of the kernel, and its stand-in where a column has no end: every node costs an exact
//! linear program.
//!
//! **Invariant:** a node is closed by an optimum, a bound or a Farkas row that was proved in
//! rationals ([`WarmLp`]); floats only advise.

use num_traits::Signed;

use super::{Answer, End, MixedProgram, Point, Question};

use crate::budget::Budget;
use crate::lp::WarmLp;
use crate::lp::simplex::{Answer as LpAnswer, LinearProgram};
use crate::num::{Rational, int};
use crate::outcome::Stop;
use crate::program::{Bounds, IdVec, VarId};

/// A point, what it costs, and multipliers of the rows that prove the cost, if no column had to be
/// split.
type Found = (Point, Option<Vec<Rational>>);

/// Why there is no answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// A limit was reached.
    Stopped(Stop),
    /// The objective falls below every number.
    Unbounded,
}

impl From<Stop> for Unanswered {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Like [`super::minimise`].
pub(super) fn minimise(program: &MixedProgram, question: &Question, budget: &mut Budget) -> Answer {
    let integers = program.integer.pairs().filter(|(_, integer)| **integer);
    let integers: Vec<VarId> = integers.map(|(column, _)| column).collect();
    let mut warm = WarmLp::new(&program.linear);
    let (best, end) = match cheapest(&mut warm, &integers, question.most.as_ref(), budget) {
        Ok(Ok((point, _))) => (Some(point), End::Proved),
        Ok(Err(_)) => (None, End::Proved),
        Err(Unanswered::Unbounded) => (None, End::Unbounded),
        Err(Unanswered::Stopped(stop)) => (None, End::Stopped(stop)),
    };
    Answer {
        bound: best.as_ref().map(|best| best.cost.clone()),
        best,
        end,
    }
}

/// A split column and the half that is left of it.
type Splits = Vec<(VarId, Bounds)>;

/// The cheapest point that costs no more than `most`, with these columns whole; or multipliers of
/// a row that proves that there is none at all, where one linear program sees it.
pub fn cheapest(
    warm: &mut WarmLp,
    integers: &[VarId],
    most: Option<&Rational>,
    budget: &mut Budget,
) -> Result<Result<Found, Option<Vec<Rational>>>, Unanswered> {
    let root = warm.program().bounds.clone();
    let mut best: Option<Found> = None;
    let mut farkas = None;
    let mut open: Vec<Splits> = vec![Splits::new()];
    let mut changed: Vec<VarId> = Vec::new();
    let result = loop {
        let Some(splits) = open.pop() else {
            break Ok(());
        };
        if let Err(stop) = budget.spend_node() {
            break Err(stop.into());
        }
        for var in changed.drain(..) {
            warm.set_bounds(var, root[var].clone());
        }
        for (var, half) in &splits {
            warm.set_bounds(*var, half.clone());
            changed.push(*var);
        }
        match warm.solve(budget) {
            Err(stop) => break Err(stop.into()),
            // The data are rational: then the program is unbounded, or it has no point at all.
            Ok(LpAnswer::Unbounded { .. }) => {
                break match has_point(warm.program(), &root, integers, budget) {
                    Ok(true) => Err(Unanswered::Unbounded),
                    Ok(false) => Ok(()),
                    Err(unanswered) => Err(unanswered),
                };
            }
            Ok(LpAnswer::Infeasible { multipliers }) if splits.is_empty() => {
                farkas = Some(multipliers.as_slice().to_vec());
            }
            Ok(LpAnswer::Infeasible { .. }) => {}
            Ok(LpAnswer::Optimal {
                point,
                value,
                multipliers,
            }) => {
                let beaten = best.as_ref().is_some_and(|best| value >= best.0.cost);
                if beaten || most.is_some_and(|most| &value > most) {
                    continue;
                }
                let fraction = integers.iter().find(|&&var| !point[var].is_integer());
                match fraction {
                    Some(&var) => open.extend(halves(&splits, var, &point[var], &root[var])),
                    None => {
                        let found = Point {
                            values: point,
                            cost: value,
                        };
                        let multipliers =
                            splits.is_empty().then(|| multipliers.as_slice().to_vec());
                        best = Some((found, multipliers));
                    }
                }
            }
        }
    };
    for var in changed {
        warm.set_bounds(var, root[var].clone());
    }
    result?;
    Ok(best.ok_or(farkas))
}

/// Whether anything satisfies the rows with these columns whole, inside the bounds of the root.
fn has_point(
    program: &LinearProgram,
    root: &IdVec<VarId, Bounds>,
    integers: &[VarId],
    budget: &mut Budget,
) -> Result<bool, Unanswered> {
    let mut without_costs = WarmLp::new(&LinearProgram {
        objective: Vec::new(),
        bounds: root.clone(),
        rows: program.rows.clone(),
    });
    Ok(cheapest(&mut without_costs, integers, None, budget)?.is_ok())
}

/// Both sides of a fraction, the nearer one last: it is looked at first.
fn halves(splits: &Splits, var: VarId, value: &Rational, root: &Bounds) -> [Splits; 2] {
    let earlier = splits.iter().rev().find(|(at, _)| *at == var);
    let bounds = earlier.map_or(root, |(_, bounds)| bounds);
    let below = Bounds {
        lower: bounds.lower.clone(),
        upper: Some(value.floor()),
    };
    let above = Bounds {
        lower: Some(value.ceil()),
        upper: bounds.upper.clone(),
    };
    let half = |bounds: Bounds| {
        let kept = splits.iter().filter(|(at, _)| *at != var).cloned();
        kept.chain([(var, bounds)]).collect()
    };
    let is_low = ((value - value.floor()) * int(2) - int(1)).is_negative();
    if is_low {
        [half(above), half(below)]
    } else {
        [half(below), half(above)]
    }
}
