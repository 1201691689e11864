//! The moves of the universal player that matter, as a finite list of plays.
//!
//! Integer variables have finitely many values. For a real one finitely many suffice where
//! everything that is decided after it is real, because the cost of what follows is then convex:
//!
//! - in a box of its own: its two ends;
//! - in budgets `Σ u <= Γ` over variables that are consecutive in the prefix, each counted by its
//!   part of its range (`u` in `[0, 1]` after a substitution): where what is left of every budget is
//!   integral, that is 0 and 1 for integral `Γ`. *Why:* the vertices of what is legal afterwards
//!   are affine in what was played before on pieces whose walls are "what is left is integral", and
//!   rows of consecutive ones are totally unimodular. A single budget with a fraction adds the value
//!   that uses the fraction up.
//!
//! **Invariant:** the value of the program is that of the tree over the plays that are listed.

use num_traits::{One, Signed, Zero};

use super::stages::Stages;
use super::tree::Play;
use crate::budget::Budget;
use crate::num::{Rational, int};
use crate::outcome::Stop;
use crate::program::{Kind, Program, Quantifier, Row, VarId};

/// Why there is no list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoList {
    /// There are more plays than the limit.
    TooMany,
    /// Finitely many moves do not suffice; a sentence that says where.
    Infinite(String),
    /// A limit was reached.
    Stopped(Stop),
}

impl From<Stop> for NoList {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// The values of each universal variable that matter, in increasing order; `None` for all integers
/// of its domain.
type Values = Vec<Option<Vec<Rational>>>;

/// The legal plays in lexicographic order.
pub(crate) fn plays(
    stages: &Stages<'_>,
    most: usize,
    budget: &mut Budget,
) -> Result<Vec<Play>, NoList> {
    let values = values(stages).map_err(NoList::Infinite)?;
    let program = stages.program;
    let rows: Vec<Watched<'_>> = program
        .universal_rows()
        .iter()
        .map(|row| Watched::new(stages, row))
        .collect();
    let mut listed = Vec::new();
    let mut play: Play = Vec::new();
    let mut open: Vec<Vec<Rational>> = Vec::new();
    // Dead ends cost steps too.
    let mut steps = most.saturating_mul(64).saturating_add(4096);
    loop {
        budget.look_sometimes()?;
        steps = steps.checked_sub(1).ok_or(NoList::TooMany)?;
        if rows.iter().all(|row| row.may_hold(&play)) {
            if play.len() < stages.universals.len() {
                let var = stages.universals[play.len()];
                let mut next = match &values[play.len()] {
                    Some(values) => values.clone(),
                    None => all_integers(program, var, most)?,
                };
                next.reverse();
                open.push(next);
            } else {
                if listed.len() == most {
                    return Err(NoList::TooMany);
                }
                listed.push(play.clone());
            }
        }
        // Go on with the next value of the last variable that has one.
        loop {
            let depth = open.len();
            let Some(last) = open.last_mut() else {
                return Ok(listed);
            };
            play.truncate(depth - 1);
            if let Some(value) = last.pop() {
                play.push(value);
                break;
            }
            open.pop();
        }
    }
}

fn all_integers(program: &Program, var: VarId, most: usize) -> Result<Vec<Rational>, NoList> {
    let domain = program.variables()[var].domain();
    let (Some(lower), Some(upper)) = (domain.lower, domain.upper) else {
        return Err(NoList::TooMany);
    };
    if &upper - &lower > Rational::from_integer(most.into()) {
        return Err(NoList::TooMany);
    }
    let mut values = Vec::new();
    let mut value = lower;
    while value <= upper {
        values.push(value.clone());
        value += int(1);
    }
    Ok(values)
}

/// The values that matter, or a sentence that says where finitely many do not suffice.
pub(crate) fn values(stages: &Stages<'_>) -> Result<Values, String> {
    let program = stages.program;
    let variable = |var: VarId| &program.variables()[var];
    let is_real = |var: VarId| variable(var).kind == Kind::Real;
    let first_real = stages.universals.iter().copied().find(|&var| is_real(var));
    if let Some(real) = first_real {
        let mut later = program.variables().pairs();
        let whole = later.find(|(var, it)| {
            *var > real && it.quantifier == Quantifier::Exists && it.kind == Kind::Integer
        });
        if let Some((_, whole)) = whole {
            return Err(format!(
                "the integer variable `{}` is decided after the real universal variable `{}`, of \
                 which finitely many values do not suffice then; declare `{}` integer, or decide \
                 `{}` before it",
                whole.name,
                variable(real).name,
                variable(real).name,
                whole.name
            ));
        }
    }
    let mut values: Values = Vec::new();
    for &var in &stages.universals {
        let domain = variable(var).domain();
        values.push(match (is_real(var), domain.lower, domain.upper) {
            (true, Some(lower), Some(upper)) if lower == upper => Some(vec![lower]),
            (true, Some(lower), Some(upper)) => Some(vec![lower, upper]),
            _ => None,
        });
    }
    let budgets = budgets(stages)?;
    let fractions = budgets.iter().filter(|budget| !budget.left.is_zero()).count();
    if fractions > 0 && budgets.len() > 1 {
        return Err(format!(
            "universal row {} leaves a fraction of a budget, and there are other budgets of real \
             variables; finitely many of their values do not suffice then",
            budgets[0].label
        ));
    }
    for budget in budgets.iter().filter(|budget| !budget.left.is_zero()) {
        for &(number, is_flipped) in &budget.members {
            let (Some(lower), Some(upper)) = ends(program, stages.universals[number]) else {
                continue;
            };
            let part = if is_flipped { Rational::one() - &budget.left } else { budget.left.clone() };
            let value = &lower + (upper - &lower) * part;
            if let Some(values) = &mut values[number] {
                values.insert(1, value);
            }
        }
    }
    Ok(values)
}

fn ends(program: &Program, var: VarId) -> (Option<Rational>, Option<Rational>) {
    let domain = program.variables()[var].domain();
    (domain.lower, domain.upper)
}

/// A budget of real universal variables.
struct BudgetRow {
    label: String,
    /// Numbers of universal variables, and whether the row counts the rest of their range.
    members: Vec<(usize, bool)>,
    /// The fraction that the budget leaves.
    left: Rational,
}

/// The universal rows over real variables, which must be budgets over consecutive ones.
fn budgets(stages: &Stages<'_>) -> Result<Vec<BudgetRow>, String> {
    let program = stages.program;
    let mut budgets: Vec<BudgetRow> = Vec::new();
    let mut flips: Vec<Option<bool>> = vec![None; stages.universals.len()];
    for (id, row) in program.universal_rows().pairs() {
        let label = program.row_label(Quantifier::Forall, id);
        let is_real = |var: &VarId| program.variables()[*var].kind == Kind::Real;
        let mut reals = row.terms.iter().map(|(var, _)| var).filter(|var| is_real(var));
        let Some(real) = reals.next() else { continue };
        let name = &program.variables()[*real].name;
        if reals.count() + 1 < row.terms.len() {
            return Err(format!(
                "universal row {label} ties the real variable `{name}` to an integer one; finitely \
                 many values of `{name}` do not suffice then"
            ));
        }
        let found = budget(stages, row, label.clone());
        let found = found.ok_or_else(|| {
            format!(
                "universal row {label} is no budget: finitely many values of the real variable \
                 `{name}` suffice only where a row counts parts of ranges, each alike"
            )
        })?;
        for &(number, is_flipped) in &found.members {
            if flips[number].is_some_and(|other| other != is_flipped) {
                return Err(format!(
                    "universal row {label} counts the real variable `{name}` the other way round \
                     than another row; finitely many values do not suffice then"
                ));
            }
            flips[number] = Some(is_flipped);
        }
        budgets.push(found);
    }
    let counted: Vec<usize> = (0..flips.len()).filter(|&number| flips[number].is_some()).collect();
    for budget in &budgets {
        let place = |number: usize| counted.iter().position(|&other| other == number);
        let places: Vec<usize> = budget.members.iter().filter_map(|it| place(it.0)).collect();
        let (first, last) = (places.iter().min(), places.iter().max());
        let is_run = matches!((first, last), (Some(first), Some(last)) if last - first + 1 == places.len());
        if !is_run {
            return Err(format!(
                "universal row {} skips real variables that other rows count; finitely many values \
                 suffice only for budgets over consecutive ones",
                budget.label
            ));
        }
    }
    Ok(budgets)
}

/// The row as a budget over parts of ranges, if it is one.
fn budget(stages: &Stages<'_>, row: &Row, label: String) -> Option<BudgetRow> {
    let program = stages.program;
    let mut unit: Option<Rational> = None;
    let mut least = Rational::zero();
    let mut members = Vec::new();
    for (var, by) in &row.terms {
        let number = stages.universals.iter().position(|other| other == var)?;
        let (lower, upper) = ends(program, *var);
        let (lower, upper) = (lower?, upper?);
        if lower == upper {
            least += by * lower;
            continue;
        }
        let step = by * (&upper - &lower);
        match &unit {
            Some(unit) if *unit != step.abs() => return None,
            _ => unit = Some(step.abs()),
        }
        least += by * if by.is_positive() { lower } else { upper };
        members.push((number, by.is_negative()));
    }
    let unit = unit?;
    let parts = |side: &Option<Rational>| side.as_ref().map(|side| (side - &least) / &unit);
    let left = |side: Option<Rational>| side.map_or_else(Rational::zero, |side| &side - side.floor());
    let (lower, upper) = (left(parts(&row.lower)), left(parts(&row.upper)));
    if !lower.is_zero() && !upper.is_zero() && lower != upper {
        return None;
    }
    let left = if upper.is_zero() { lower } else { upper };
    Some(BudgetRow {
        label,
        members,
        left,
    })
}

/// A universal row over the numbers of the universal variables, and the reach of what is left.
struct Watched<'a> {
    row: &'a Row,
    by: Vec<Rational>,
    /// Smallest and largest sum of the variables from a number on.
    rest: Vec<(Rational, Rational)>,
}

impl<'a> Watched<'a> {
    fn new(stages: &Stages<'_>, row: &'a Row) -> Self {
        let count = stages.universals.len();
        let mut by = vec![Rational::zero(); count];
        for (var, factor) in &row.terms {
            if let Some(number) = stages.universals.iter().position(|other| other == var) {
                by[number] = factor.clone();
            }
        }
        let mut rest = vec![(Rational::zero(), Rational::zero()); count + 1];
        for at in (0..count).rev() {
            let (lower, upper) = ends(stages.program, stages.universals[at]);
            let first = &by[at] * lower.unwrap_or_default();
            let second = &by[at] * upper.unwrap_or_default();
            let (low, up) = if first < second { (first, second) } else { (second, first) };
            rest[at] = (&rest[at + 1].0 + low, &rest[at + 1].1 + up);
        }
        Self { row, by, rest }
    }

    /// Whether some values of the variables that are left may satisfy the row.
    fn may_hold(&self, play: &[Rational]) -> bool {
        let sum: Rational = play.iter().zip(&self.by).map(|(value, by)| value * by).sum();
        let (least, most) = &self.rest[play.len()];
        let (least, most) = (&sum + least, sum + most);
        let low = self.row.lower.as_ref().is_some_and(|side| most < *side);
        let high = self.row.upper.as_ref().is_some_and(|side| least > *side);
        !low && !high
    }
}
