//! Mixed integer programs in rationals: branch and bound over exact linear programs.
//!
//! **Invariant:** a node is closed by an optimum, a bound or a Farkas row that was proved in
//! rationals ([`WarmLp`]); floats only advise.

use num_traits::Signed;

use crate::budget::Budget;
use crate::equivalent::unsupported;
use crate::lp::WarmLp;
use crate::lp::simplex::Answer;
use crate::num::{Rational, int};
use crate::outcome::{Halt, SolveError};
use crate::program::{Bounds, IdVec, VarId};

/// A point and what it costs.
pub struct Point {
    pub values: IdVec<VarId, Rational>,
    pub cost: Rational,
    /// Multipliers of the rows that prove the cost, if no column had to be split.
    pub multipliers: Option<Vec<Rational>>,
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
) -> Result<Result<Point, Option<Vec<Rational>>>, Halt> {
    let root = warm.program().bounds.clone();
    let mut best: Option<Point> = None;
    let mut farkas = None;
    let mut open: Vec<Splits> = vec![Splits::new()];
    let mut changed: Vec<VarId> = Vec::new();
    let result = loop {
        let Some(splits) = open.pop() else {
            break Ok(());
        };
        if let Err(stop) = budget.spend_node() {
            break Err(Halt::Stop(stop));
        }
        for var in changed.drain(..) {
            warm.set_bounds(var, root[var].clone());
        }
        for (var, half) in &splits {
            warm.set_bounds(*var, half.clone());
            changed.push(*var);
        }
        match warm.solve(budget) {
            Err(stop) => break Err(Halt::Stop(stop)),
            Ok(Answer::Unbounded { .. }) => break Err(Halt::Refused(unbounded())),
            Ok(Answer::Infeasible { multipliers }) if splits.is_empty() => {
                farkas = Some(multipliers.as_slice().to_vec());
            }
            Ok(Answer::Infeasible { .. }) => {}
            Ok(Answer::Optimal {
                point,
                value,
                multipliers,
            }) => {
                let beaten = best.as_ref().is_some_and(|best| value >= best.cost);
                if beaten || most.is_some_and(|most| &value > most) {
                    continue;
                }
                let fraction = integers.iter().find(|&&var| !point[var].is_integer());
                match fraction {
                    Some(&var) => open.extend(halves(&splits, var, &point[var], &root[var])),
                    None => {
                        best = Some(Point {
                            values: point,
                            cost: value,
                            multipliers: splits.is_empty().then(|| multipliers.as_slice().to_vec()),
                        });
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

fn unbounded() -> SolveError {
    let reason = "its rows do not bound the cost of a play; `benders` or `reference` may";
    unsupported(super::super::ENGINE, reason.to_owned())
}
