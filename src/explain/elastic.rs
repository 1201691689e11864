//! By how much rows of a lost program would have to give way, so that it is won: the smallest sum.
//!
//! Every row of the existential player gets a relaxation that is decided before the first move, and the
//! sum of all is minimised instead of the objective. Where a row has whole numbers only, its
//! relaxation is a multiple of what its activity moves by, so the program stays one of integers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::study::Study;
use crate::num::{Rational, int};
use crate::outcome::Status;
use crate::program::{
    Bounds, Id, Kind, Objective, Program, Quantifier, Row, RowId, Sense, Term, VarId, Variable,
};

/// More rows are not relaxed all at once.
const MOST_ROWS: usize = 1_000;

/// Rows that give way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elastic {
    /// Which rows, whether it is the upper side that is raised (or else the lower one that is lowered),
    /// and by how much.
    pub rows: Vec<(RowId, bool, Rational)>,
    /// Whether a smaller sum is proved not to suffice.
    pub is_smallest: bool,
}

/// A side of a row that can give way: the unit of its relaxation, and how many units undo it.
struct Give {
    row: RowId,
    is_upper: bool,
    unit: Rational,
    most: Option<Rational>,
    kind: Kind,
}

/// `None` where nothing was found in time, or no engine takes the question.
pub(super) fn of(program: &Program, study: &mut Study<'_>) -> Option<Elastic> {
    if program.first_empty_domain().is_some() || program.rows().len() > MOST_ROWS || study.is_over()
    {
        return None;
    }
    study.tell("the smallest relaxation of rows that wins");
    let gives: Vec<Give> = program
        .rows()
        .pairs()
        .flat_map(|(id, row)| sides(program, id, row))
        .collect();
    let relaxed = relaxed(program, &gives)?;
    let outcome = study.solve(&relaxed).ok()?;
    outcome.objective.as_ref()?;
    let amounts = gives.iter().enumerate().filter_map(|(place, give)| {
        let var = VarId::new(place);
        let (_, units) = outcome.first_stage.iter().find(|(it, _)| *it == var)?;
        (!units.is_zero()).then(|| (give.row, give.is_upper, units * &give.unit))
    });
    let rows: Vec<_> = amounts.collect();
    (!rows.is_empty()).then_some(Elastic {
        rows,
        is_smallest: outcome.status == Status::Optimal,
    })
}

/// What the sides of a row may give.
fn sides(program: &Program, id: RowId, row: &Row) -> Vec<Give> {
    let (least, most) = activity(program, row);
    let unit = unit(program, row);
    let kind = match unit {
        Some(_) => Kind::Integer,
        None => Kind::Real,
    };
    let unit = unit.unwrap_or_else(Rational::one);
    let give = |is_upper: bool, room: Option<Rational>| {
        let units = room.map(|room| (room / &unit).ceil());
        // A row that always holds need not give way.
        if units.as_ref().is_some_and(|units| !units.is_positive()) {
            return None;
        }
        Some(Give {
            row: id,
            is_upper,
            unit: unit.clone(),
            most: units,
            kind,
        })
    };
    let upper = row.upper.as_ref();
    let upper = upper.and_then(|side| give(true, most.map(|most| most - side)));
    let lower = row.lower.as_ref();
    let lower = lower.and_then(|side| give(false, least.map(|least| side - least)));
    upper.into_iter().chain(lower).collect()
}

/// The least and the most that the left-hand side of a row can be; `None` without an end.
///
/// ```
/// use quip::num::int;
/// let program = quip::format::parse_qip(
///     "subject to 2 x - y <= 3 prefix exists integer x y in [0, 2] end",
/// )?;
/// let row = program.rows().iter().next().unwrap();
/// assert_eq!(quip::explain::activity(&program, row), (Some(int(-2)), Some(int(4))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn activity(program: &Program, row: &Row) -> (Option<Rational>, Option<Rational>) {
    let mut ends = (Some(Rational::zero()), Some(Rational::zero()));
    for (var, by) in &row.terms {
        let domain = program.variables()[*var].domain();
        let (low, high) = match by.is_negative() {
            true => (domain.upper, domain.lower),
            false => (domain.lower, domain.upper),
        };
        ends.0 = ends.0.zip(low).map(|(sum, end)| sum + by * end);
        ends.1 = ends.1.zip(high).map(|(sum, end)| sum + by * end);
    }
    ends
}

/// What the distance of the left-hand side to its sides is a multiple of, if its variables are whole.
fn unit(program: &Program, row: &Row) -> Option<Rational> {
    let is_whole = |(var, _): &Term| program.variables()[*var].kind == Kind::Integer;
    if !row.terms.iter().all(is_whole) {
        return None;
    }
    let numbers = row.terms.iter().map(|(_, by)| by);
    let numbers = numbers.chain(&row.lower).chain(&row.upper);
    let shared = numbers.fold(BigInt::one(), |shared, it| shared.lcm(it.denom()));
    Some(Rational::new(BigInt::one(), shared))
}

/// The program with relaxations in front, whose sum is minimised; `None` where one has no end.
fn relaxed(program: &Program, gives: &[Give]) -> Option<Program> {
    let mut data = program.clone().into_data();
    let shift = gives.len();
    let moved = |terms: &mut Vec<Term>| {
        for (var, _) in terms {
            *var = VarId::new(var.index() + shift);
        }
    };
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        moved(&mut row.terms);
    }
    let mut variables = Vec::new();
    let mut terms = Vec::new();
    for (place, give) in gives.iter().enumerate() {
        let var = VarId::new(place);
        // Each side by itself: an equation that gives way upwards still holds below.
        let row = &mut data.rows[give.row.index()];
        let mut side = Row {
            name: None,
            terms: row.terms.clone(),
            lower: None,
            upper: None,
        };
        let by = match give.is_upper {
            true => {
                side.upper = row.upper.take();
                -give.unit.clone()
            }
            false => {
                side.lower = row.lower.take();
                give.unit.clone()
            }
        };
        side.terms.push((var, by));
        data.rows.push(side);
        terms.push((var, give.unit.clone()));
        variables.push(Variable {
            name: fresh(program, place),
            quantifier: Quantifier::Exists,
            kind: give.kind,
            bounds: Bounds::between(int(0), give.most.clone()?),
        });
    }
    data.rows
        .retain(|row| row.lower.is_some() || row.upper.is_some());
    variables.append(&mut data.variables);
    data.variables = variables;
    data.objective = Some(Objective {
        name: None,
        sense: Sense::Minimize,
        terms,
        constant: int(0),
    });
    Some(Program::new(data).expect("invariant: relaxations keep a program well formed"))
}

/// A name that no variable has.
fn fresh(program: &Program, place: usize) -> String {
    let mut name = format!("give{place}");
    while program.find(&name).is_some() {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::ExplainOptions;
    use crate::format::parse_qip;

    fn found(text: &str) -> Vec<(String, bool, String)> {
        let program = parse_qip(text).expect("it is well formed");
        let options = ExplainOptions::default();
        let elastic = of(&program, &mut Study::new(&options)).expect("it is small");
        assert!(elastic.is_smallest);
        let named = elastic.rows.iter().map(|(row, is_upper, by)| {
            let label = program.row_label(Quantifier::Exists, *row);
            (label, *is_upper, by.to_string())
        });
        named.collect()
    }

    #[test]
    fn the_row_that_gives_least_is_found_on_either_side() {
        let rows = found(
            "subject to need: 3 x >= y + 1
             room: x <= 0
             prefix forall integer y in [0, 1] exists integer x in [0, 4] end",
        );
        assert_eq!(rows, [("`room`".to_owned(), true, "1".to_owned())]);
        let rows = found(
            "subject to half: 0.5 x - 0.5 y >= 0.5
             prefix forall integer y in [0, 3] exists integer x in [0, 3] end",
        );
        assert_eq!(rows, [("`half`".to_owned(), false, "1/2".to_owned())]);
        let rows = found(
            "subject to half: 2 x = y
             prefix forall integer y in [0, 2] exists integer x in [0, 5] end",
        );
        assert_eq!(rows.len(), 1);
        assert_eq!((&*rows[0].0, &*rows[0].2), ("`half`", "1"));
    }
}
