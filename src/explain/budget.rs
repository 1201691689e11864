//! What a budget of the opponent costs: the value for other sides of one of its rows.
//!
//! The row is the first one that mentions variables of the opponent only, has one side, and could be
//! tighter or looser within the domains. Each point is a program of its own that is solved exactly.

use num_traits::{Signed, Zero};

use super::ExplainOptions;
use super::vary::{Varied, vary};
use crate::num::{Rational, int};
use crate::outcome::{Outcome, SolveError};
use crate::program::{Kind, Program, Quantifier, Row, RowId};

/// At most so many points, the row as it is among them.
const MOST_POINTS: i64 = 9;

/// The value against the side of one row of the opponent.
#[derive(Clone, Debug)]
pub struct BudgetCurve {
    /// The row, of the universal player.
    pub row: RowId,
    /// Whether its upper side varies, or its lower one.
    pub is_upper: bool,
    /// The side as it is.
    pub side: Rational,
    /// Sides in increasing order, and what the program is worth with them.
    pub points: Vec<(Rational, Outcome)>,
}

/// The curve of the first budget; `None` where there is none.
///
/// ```
/// use quip::explain::{ExplainOptions, budget_curve};
/// use quip::format::parse_qip;
///
/// let program = parse_qip(
///     "minimize x subject to x >= a + b uncertainty few: a + b <= 1
///      prefix forall binary a b exists integer x in [0, 5] end",
/// )?;
/// let curve = budget_curve(&program, &ExplainOptions::default())?.expect("`few` is a budget");
/// let points = curve.points.iter().map(|(side, outcome)| {
///     format!("{side}: {}", outcome.objective.clone().unwrap_or_default())
/// });
/// assert_eq!(points.collect::<Vec<_>>(), ["0: 0", "1: 1", "2: 2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn budget_curve(
    program: &Program,
    options: &ExplainOptions,
) -> Result<Option<BudgetCurve>, SolveError> {
    let mut rows = program.universal_rows().pairs();
    let Some((row, is_upper, side, sides)) = rows.find_map(|(id, row)| budget(program, id, row))
    else {
        return Ok(None);
    };
    let points = vary(
        program,
        Varied::Row(Quantifier::Forall, row),
        &sides,
        options,
    )?;
    Ok((points.len() > 1).then_some(BudgetCurve {
        row,
        is_upper,
        side,
        points,
    }))
}

type Budget = (RowId, bool, Rational, Vec<Rational>);

/// The side of a row that is a budget, and the sides to look at.
fn budget(program: &Program, id: RowId, row: &Row) -> Option<Budget> {
    let (is_upper, side) = match (&row.lower, &row.upper) {
        (None, Some(upper)) => (true, upper.clone()),
        (Some(lower), None) => (false, lower.clone()),
        _ => return None,
    };
    let mut ends = [Rational::zero(), Rational::zero()];
    let mut is_whole = side.is_integer();
    for (var, by) in &row.terms {
        let variable = &program.variables()[*var];
        if variable.quantifier == Quantifier::Exists {
            return None;
        }
        let domain = variable.domain();
        let (low, high) = (by * domain.lower?, by * domain.upper?);
        let (low, high) = if by.is_negative() {
            (high, low)
        } else {
            (low, high)
        };
        ends = [&ends[0] + low, &ends[1] + high];
        is_whole &= variable.kind == Kind::Integer && by.is_integer();
    }
    let [least, most] = ends;
    if !(least <= side && side <= most && least < most) {
        return None;
    }
    let range = &most - &least;
    let count = match is_whole && range < int(MOST_POINTS) {
        true => range.clone(),
        false => int(MOST_POINTS - 1),
    };
    let steps = (0..MOST_POINTS).map(int).take_while(|step| *step <= count);
    let mut sides: Vec<Rational> = steps
        .map(|step| {
            let at = &least + &range * step / &count;
            if is_whole { at.floor() } else { at }
        })
        .chain([side.clone()])
        .collect();
    sides.sort();
    sides.dedup();
    Some((id, is_upper, side, sides))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::num::ratio;

    fn sides(row: &str, kind: &str) -> Option<Vec<Rational>> {
        let text = format!(
            "subject to x >= 0 uncertainty {row} prefix exists binary x forall {kind} a b in [0, 4] end"
        );
        let program = parse_qip(&text).expect("it is well formed");
        let mut rows = program.universal_rows().pairs();
        rows.find_map(|(id, row)| budget(&program, id, row))
            .map(|(.., sides)| sides)
    }

    #[test]
    fn the_sides_span_what_the_row_can_be_and_hold_the_one_it_has() {
        let whole = sides("a + b <= 3", "integer").expect("a budget");
        assert_eq!(whole, (0..=8).map(int).collect::<Vec<_>>());
        let wide = sides("10 a + b >= 3", "integer").expect("a budget");
        assert_eq!((wide.first(), wide.last()), (Some(&int(0)), Some(&int(44))));
        assert!(wide.contains(&int(3)) && wide.len() <= 10);
        let real = sides("a + b <= 1/3", "real").expect("a budget");
        assert!(real.contains(&ratio(1, 3)) && real.len() == 10);
    }

    #[test]
    fn rows_that_are_no_budgets_have_no_curve() {
        for row in ["a + b = 3", "a + x <= 3", "a + b <= 9", "1 <= a + b <= 3"] {
            assert_eq!(sides(row, "integer"), None, "{row}");
        }
    }
}
