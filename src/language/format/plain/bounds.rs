//! Finite bounds for variables that a file leaves unbounded and that need bounds.
//!
//! *By rows.* A row and the bounds of its other variables may leave an end to a variable. A value
//! beyond that end breaks the row whatever the others are, so no play with it is legal and the bound
//! changes nothing. Chains of rows are followed until nothing new is found.
//!
//! *By the objective*, where nobody opposes. If growing costs nothing less than nothing, and no row
//! is hurt by it, then nobody gains by growing beyond the point where every row is content whatever
//! the others are: taking the variable back to that point keeps a solution one and makes it no dearer.
//! The value stays; of equally good solutions some may go.
//!
//! **Invariant:** an end that the file gives is never touched.

use num_traits::{Signed, Zero};

use super::{Arrangement, Plain};
use crate::format::spell::is_readable;
use crate::num::{Rational, Sum};
use crate::program::{Bounds, Id, Kind, Quantifier, Row, Sense, Term};

/// Longest chain of rows that is followed.
const PASSES: usize = 50;

/// Fills in ends of columns that need them; tells whose.
pub(super) fn derive(plain: &mut Plain, arrangement: &Arrangement, needy: &[bool]) -> Vec<usize> {
    if !needy.iter().any(|needs| *needs) {
        return Vec::new();
    }
    let mut bounds: Vec<Bounds> = plain.columns.iter().map(domain).collect();
    let usable = usable(plain, arrangement);
    for _ in 0..PASSES {
        let mut found = false;
        for (row, owner) in rows(plain, arrangement) {
            found |= by_row(plain, row, &mut bounds, |column| {
                usable[column] == Some(owner)
            });
        }
        if !found {
            break;
        }
    }
    let unopposed = arrangement
        .order
        .iter()
        .all(|(_, owner)| *owner == Quantifier::Exists);
    if unopposed && !arrangement.universal_rows.contains(&true) {
        by_objective(plain, needy, &mut bounds);
    }
    let mut changed = Vec::new();
    for (number, column) in plain.columns.iter_mut().enumerate() {
        if needy[number] && !column.bounds.is_finite() && bounds[number].is_finite() {
            let derived = bounds[number].clone();
            column.bounds.lower = column.bounds.lower.take().or(derived.lower);
            column.bounds.upper = column.bounds.upper.take().or(derived.upper);
            changed.push(number);
        }
    }
    changed
}

fn domain(column: &super::Column) -> Bounds {
    match column.kind {
        Kind::Integer => column.bounds.rounded_inward(),
        Kind::Real => column.bounds.clone(),
    }
}

fn rows<'p>(
    plain: &'p Plain,
    arrangement: &'p Arrangement,
) -> impl Iterator<Item = (&'p Row, Quantifier)> {
    let owners = arrangement.universal_rows.iter();
    let owner = |universal: &bool| match universal {
        true => Quantifier::Forall,
        false => Quantifier::Exists,
    };
    plain.rows.iter().map(|(row, _)| row).zip(owners.map(owner))
}

/// Whose rows may bound a column: its owner's, if the other system does not speak of it. There the
/// variable counts as free, and a bound could make that system die earlier.
fn usable(plain: &Plain, arrangement: &Arrangement) -> Vec<Option<Quantifier>> {
    let mut usable = vec![None; plain.columns.len()];
    for &(column, owner) in &arrangement.order {
        usable[column] = Some(owner);
    }
    for (row, owner) in rows(plain, arrangement) {
        for (column, _) in &row.terms {
            if usable[column.index()] == Some(owner.opponent()) {
                usable[column.index()] = None;
            }
        }
    }
    usable
}

/// What the row leaves to those of its variables that have no end on a side.
fn by_row(plain: &Plain, row: &Row, bounds: &mut [Bounds], usable: impl Fn(usize) -> bool) -> bool {
    let reach = [false, true].map(|greatest| Reach::of(row, bounds, greatest));
    // Two open ends leave nothing to anybody.
    if reach.iter().all(|reach| reach.infinite > 1) {
        return false;
    }
    let mut found = false;
    for (place, (column, coefficient)) in row.terms.iter().enumerate() {
        let column = column.index();
        if bounds[column].is_finite() || !usable(column) || coefficient.is_zero() {
            continue;
        }
        let [least, most] = reach.each_ref().map(|reach| reach.without(place));
        let below = row.upper.as_ref().zip(least);
        let above = row.lower.as_ref().zip(most);
        let [from_upper, from_lower] =
            [below, above].map(|side| side.map(|(side, rest)| (side - rest) / coefficient));
        let (lower, upper) = if coefficient.is_positive() {
            (from_lower, from_upper)
        } else {
            (from_upper, from_lower)
        };
        found |= fill(plain, bounds, column, lower, upper);
    }
    found
}

/// The least or the greatest that the terms of a row add up to.
struct Reach {
    /// What each term adds; `None` is without end.
    parts: Vec<Option<Rational>>,
    /// Of the finite parts.
    sum: Rational,
    infinite: usize,
}

impl Reach {
    fn of(row: &Row, bounds: &[Bounds], greatest: bool) -> Self {
        let part = |(column, coefficient): &Term| {
            let Bounds { lower, upper } = &bounds[column.index()];
            let end = if coefficient.is_positive() == greatest {
                upper
            } else {
                lower
            };
            match coefficient.is_zero() {
                true => Some(Rational::zero()),
                false => end.as_ref().map(|end| coefficient * end),
            }
        };
        let parts: Vec<_> = row.terms.iter().map(part).collect();
        let mut sum = Sum::default();
        parts.iter().flatten().for_each(|part| sum.add(part));
        Self {
            sum: sum.finish(),
            infinite: parts.iter().filter(|part| part.is_none()).count(),
            parts,
        }
    }

    /// What all terms but one add up to, if that is finite.
    fn without(&self, place: usize) -> Option<Rational> {
        match (&self.parts[place], self.infinite) {
            (Some(part), 0) => Some(&self.sum - part),
            (None, 1) => Some(self.sum.clone()),
            _ => None,
        }
    }
}

fn fill(
    plain: &Plain,
    bounds: &mut [Bounds],
    column: usize,
    lower: Option<Rational>,
    upper: Option<Rational>,
) -> bool {
    let whole = plain.columns[column].kind == Kind::Integer;
    let end = &mut bounds[column];
    let mut found = false;
    if end.lower.is_none()
        && let Some(lower) = lower.filter(is_readable)
    {
        end.lower = Some(if whole { lower.ceil() } else { lower });
        found = true;
    }
    if end.upper.is_none()
        && let Some(upper) = upper.filter(is_readable)
    {
        end.upper = Some(if whole { upper.floor() } else { upper });
        found = true;
    }
    found
}

/// See the module.
fn by_objective(plain: &Plain, needy: &[bool], bounds: &mut [Bounds]) {
    let mut cost = vec![Rational::zero(); plain.columns.len()];
    if let Some(objective) = &plain.objective {
        for (column, by) in &objective.terms {
            match objective.sense {
                Sense::Minimize => cost[column.index()] += by,
                Sense::Maximize => cost[column.index()] -= by,
            }
        }
    }
    let mut uses = vec![Vec::new(); plain.columns.len()];
    for (number, (row, _)) in plain.rows.iter().enumerate() {
        for (place, (column, _)) in row.terms.iter().enumerate() {
            if needy[column.index()] {
                uses[column.index()].push((number, place));
            }
        }
    }
    // With the bounds of now, which are wider than any found below.
    let reach = |(row, _): &(Row, _)| [false, true].map(|most| Reach::of(row, bounds, most));
    let reaches: Vec<[Reach; 2]> = plain.rows.iter().map(reach).collect();
    for column in (0..plain.columns.len()).filter(|column| needy[*column]) {
        for up in [true, false] {
            let end = &bounds[column];
            let (near, far) = match up {
                true => (&end.lower, &end.upper),
                false => (&end.upper, &end.lower),
            };
            let dear = if up {
                !cost[column].is_negative()
            } else {
                !cost[column].is_positive()
            };
            let (Some(near), None, true) = (near, far, dear) else {
                continue;
            };
            if let Some(enough) = enough(plain, &uses[column], &reaches, up, near) {
                let whole = plain.columns[column].kind == Kind::Integer;
                let end = &mut bounds[column];
                match up {
                    true => end.upper = Some(if whole { enough.ceil() } else { enough }),
                    false => end.lower = Some(if whole { enough.floor() } else { enough }),
                }
            }
        }
    }
}

/// How far the column has to go until every row that wants it to is content.
fn enough(
    plain: &Plain,
    uses: &[(usize, usize)],
    reaches: &[[Reach; 2]],
    up: bool,
    near: &Rational,
) -> Option<Rational> {
    let mut enough = near.clone();
    for &(number, place) in uses {
        let row = &plain.rows[number].0;
        let coefficient = &row.terms[place].1;
        if coefficient.is_zero() {
            continue;
        }
        let raises = coefficient.is_positive() == up;
        let (wanted, hurt) = if raises {
            (&row.lower, &row.upper)
        } else {
            (&row.upper, &row.lower)
        };
        if hurt.is_some() {
            return None;
        }
        if let Some(wanted) = wanted {
            let rest = reaches[number][usize::from(!raises)].without(place)?;
            let need = (wanted - rest) / coefficient;
            if (need > enough) == up {
                enough = need;
            }
        }
    }
    is_readable(&enough).then_some(enough)
}
