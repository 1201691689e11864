//! The corners of one universal block, with or without rows of its own.
//!
//! Without rows they are those of the box. With rows the vertices of what the rows allow are listed
//! by trying every choice of sides that could meet in a point; whole variables are listed value by
//! value.

use itertools::Itertools;

use super::corners::Corners;
use super::{Halt, unsupported};
use crate::budget::Budget;
use crate::lp::square_solution;
use crate::num::{Rational, int};
use crate::outcome::SolveError;
use crate::program::{Block, IdVec, Kind, Program, Row, VarId};

/// Points or choices of sides that are listed for one block at most.
const MAX_LISTED: u64 = 50_000;

/// A block and the universal rows about it.
pub(super) struct Listing<'a> {
    pub rows: Vec<&'a Row>,
    pub block: Block,
}

impl Listing<'_> {
    /// The variables that rows mention.
    fn coupled(&self) -> Vec<VarId> {
        let mentioned = |var: &VarId| {
            self.rows
                .iter()
                .any(|row| row.terms.iter().any(|(it, _)| it == var))
        };
        self.block.variables().filter(mentioned).collect()
    }

    /// How many sides the rows and the bounds of the coupled variables have.
    fn sides(&self) -> usize {
        let of_rows = self
            .rows
            .iter()
            .map(|row| usize::from(row.lower.is_some()) + usize::from(row.upper.is_some()));
        of_rows.sum::<usize>() + 2 * self.coupled().len()
    }

    /// Refuses a block that cannot be listed.
    pub fn check(&self, program: &Program) -> Result<(), SolveError> {
        let coupled = self.coupled();
        let name = |var: VarId| &program.variables()[var].name;
        let first = self.block.variables().next().map_or("", |var| name(var));
        let loose = self.block.len() - coupled.len();
        let of_loose = 1u64.checked_shl(loose.min(64) as u32);
        if self.rows.is_empty() {
            return match of_loose {
                Some(count) if count < 1 << 62 => Ok(()),
                _ => Err(unsupported(format!(
                    "the universal block of `{first}` has {loose} variables, and its corners are \
                     too many to be counted"
                ))),
            };
        }
        let kind = |var: &VarId| program.variables()[*var].kind;
        if coupled.iter().map(kind).unique().count() > 1 {
            return Err(unsupported(format!(
                "universal rows couple whole and real variables of the block of `{first}`"
            )));
        }
        let choices = match program.variables()[coupled[0]].kind {
            Kind::Real => binomial(self.sides() as u64, coupled.len() as u64),
            Kind::Integer => coupled
                .iter()
                .try_fold(1u64, |count, var| count.checked_mul(width(program, *var)?)),
        };
        match choices.and_then(|count| count.checked_mul(of_loose?)) {
            Some(count) if count <= MAX_LISTED => Ok(()),
            _ => Err(unsupported(format!(
                "the universal rows of the block of `{first}` leave it too many corners to list"
            ))),
        }
    }
}

fn width(program: &Program, var: VarId) -> Option<u64> {
    let domain = program.variables()[var].domain();
    let width = domain.upper? - domain.lower? + int(1);
    width.to_integer().try_into().ok()
}

fn binomial(from: u64, count: u64) -> Option<u64> {
    (0..count).try_fold(1u64, |product, step| {
        Some(product.checked_mul(from - step)? / (step + 1))
    })
}

/// The corners of a block that [`Listing::check`] admits; none if the rows allow nothing.
pub(super) fn corners(
    program: &Program,
    listing: &Listing<'_>,
    budget: &mut Budget,
) -> Result<Corners, Halt> {
    let ends = |var: VarId| {
        let domain = program.variables()[var].domain();
        let ends: Vec<Rational> = domain.lower.into_iter().chain(domain.upper).collect();
        (var, ends.into_iter().dedup().collect::<Vec<_>>())
    };
    if listing.rows.is_empty() {
        return Ok(Corners::of_box(
            listing.block.variables().map(ends).collect(),
        ));
    }
    let coupled = listing.coupled();
    let points = match program.variables()[coupled[0]].kind {
        Kind::Real => vertices(program, listing, &coupled, budget)?,
        Kind::Integer => whole_points(program, listing, &coupled, budget)?,
    };
    let loose: Vec<_> = listing
        .block
        .variables()
        .filter(|var| !coupled.contains(var))
        .collect();
    let choices = std::iter::once(points).chain(
        loose
            .iter()
            .map(|var| ends(*var).1.into_iter().map(|end| vec![end]).collect()),
    );
    let points = choices
        .multi_cartesian_product()
        .map(|parts| parts.concat());
    Ok(Corners::listed(
        coupled.iter().chain(&loose).copied().collect(),
        points.collect(),
    ))
}

/// Whether the rows allow a point of the coupled variables.
fn allows(listing: &Listing<'_>, coupled: &[VarId], point: &[Rational]) -> bool {
    let value = |var: VarId| {
        let place = coupled.iter().position(|other| *other == var);
        &point[place.expect("invariant: the rows mention coupled variables only")]
    };
    listing
        .rows
        .iter()
        .all(|row| row.admits(&row.activity(value)))
}

fn whole_points(
    program: &Program,
    listing: &Listing<'_>,
    coupled: &[VarId],
    budget: &mut Budget,
) -> Result<Vec<Vec<Rational>>, Halt> {
    let values = |var: &VarId| {
        let first = program.variables()[*var].domain().lower.unwrap_or_default();
        let count = width(program, *var).unwrap_or(0);
        (0..count)
            .map(move |step| &first + int(step as i64))
            .collect::<Vec<_>>()
    };
    let mut points = Vec::new();
    for point in coupled.iter().map(values).multi_cartesian_product() {
        budget.look_sometimes()?;
        if allows(listing, coupled, &point) {
            points.push(point);
        }
    }
    Ok(points)
}

fn vertices(
    program: &Program,
    listing: &Listing<'_>,
    coupled: &[VarId],
    budget: &mut Budget,
) -> Result<Vec<Vec<Rational>>, Halt> {
    let sides = equations(program, listing, coupled);
    let inside = |point: &[Rational]| {
        coupled
            .iter()
            .zip(point)
            .all(|(var, value)| program.variables()[*var].admits(value))
    };
    let mut points: Vec<Vec<Rational>> = Vec::new();
    for chosen in sides.into_iter().combinations(coupled.len()) {
        budget.look_sometimes()?;
        if let Some(point) = square_solution(chosen)
            && inside(&point)
            && allows(listing, coupled, &point)
            && !points.contains(&point)
        {
            points.push(point);
        }
    }
    Ok(points)
}

/// Every side as an equation over the coupled variables, its right-hand side last.
fn equations(program: &Program, listing: &Listing<'_>, coupled: &[VarId]) -> Vec<Vec<Rational>> {
    let place: Vec<Option<usize>> = (0..program.variables().len())
        .map(|at| {
            coupled
                .iter()
                .position(|var| crate::program::Id::index(*var) == at)
        })
        .collect();
    let place: IdVec<VarId, Option<usize>> = IdVec::from_vec(place);
    let mut equations = Vec::new();
    let mut push = |terms: &[(VarId, Rational)], side: &Option<Rational>| {
        if let Some(side) = side {
            let mut line = vec![Rational::default(); coupled.len() + 1];
            for (var, factor) in terms {
                if let Some(at) = place[*var] {
                    line[at] = factor.clone();
                }
            }
            line[coupled.len()] = side.clone();
            equations.push(line);
        }
    };
    for var in coupled {
        let domain = program.variables()[*var].domain();
        push(&[(*var, int(1))], &domain.lower);
        push(&[(*var, int(1))], &domain.upper);
    }
    for row in &listing.rows {
        push(&row.terms, &row.lower);
        push(&row.terms, &row.upper);
    }
    equations
}
