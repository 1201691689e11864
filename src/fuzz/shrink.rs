//! The smallest program that still fails, as far as leaving things out finds it.

use num_traits::{One, Zero};

use crate::num::{Rational, int};
use crate::program::{Bounds, Id, Program, ProgramData, Row, VarId};

/// Leaves out rows, variables, terms, digits and values for as long as `fails` says so, but asks no more
/// than `most` times.
pub fn shrunk(program: &Program, most: usize, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut asked = 0;
    loop {
        let mut found = false;
        let mut step = 0;
        while let Some(smaller) = smaller(&best, step) {
            if asked == most {
                return best;
            }
            let is_new = smaller != best;
            asked += usize::from(is_new);
            if is_new && fails(&smaller) {
                best = smaller;
                found = true;
            } else {
                step += 1;
            }
        }
        if !found {
            return best;
        }
    }
}

/// The program with one thing less; steps that change nothing give the program itself.
fn smaller(program: &Program, step: usize) -> Option<Program> {
    let mut data = program.clone().into_data();
    let mut left = step;
    let mut take = |count: usize| match left < count {
        true => Some(left),
        false => {
            left -= count;
            None
        }
    };
    if let Some(row) = take(data.rows.len()) {
        data.rows.remove(row);
    } else if let Some(row) = take(data.universal_rows.len()) {
        data.universal_rows.remove(row);
    } else if take(1).is_some() {
        data.objective = None;
    } else if let Some(place) = take(data.variables.len()) {
        leave_out(&mut data, place);
    } else if let Some(number) = take(2 * data.variables.len()) {
        narrow(&mut data, number / 2, number % 2 == 0);
    } else if let Some(number) = take(numbers(&mut data).count()) {
        let mut all = numbers(&mut data);
        let number = all.nth(number)?;
        *number = simpler(number);
    } else {
        return None;
    }
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        row.terms.retain(|(_, by)| !by.is_zero());
    }
    Some(Program::new(data).unwrap_or_else(|_| program.clone()))
}

/// The program without a variable, which is at one end.
fn leave_out(data: &mut ProgramData, place: usize) {
    let var = VarId::new(place);
    let value = {
        let bounds = &data.variables[place].bounds;
        let value = bounds.lower.clone().or(bounds.upper.clone());
        value.unwrap_or_default().ceil()
    };
    data.variables.remove(place);
    let later = |other: VarId| VarId::new(other.index() - usize::from(other > var));
    let without = |terms: &mut Vec<(VarId, Rational)>| {
        let mut moved = Rational::zero();
        terms.retain_mut(|(other, by)| {
            if *other == var {
                moved = &*by * &value;
            }
            *other != var
        });
        terms
            .iter_mut()
            .for_each(|(other, _)| *other = later(*other));
        moved
    };
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        let moved = without(&mut row.terms);
        let ends = [&mut row.lower, &mut row.upper];
        ends.into_iter().flatten().for_each(|end| *end -= &moved);
    }
    if let Some(objective) = &mut data.objective {
        objective.constant += without(&mut objective.terms);
    }
}

/// Half of the domain.
fn narrow(data: &mut ProgramData, place: usize, from_above: bool) {
    let bounds = &mut data.variables[place].bounds;
    if let Bounds {
        lower: Some(lower),
        upper: Some(upper),
    } = bounds
    {
        let middle = ((&*lower + &*upper) / int(2)).floor();
        match from_above {
            true if middle >= *lower => *upper = middle,
            false if middle < *upper => *lower = middle + Rational::one(),
            _ => {}
        }
    }
}

/// Every number of rows and objective.
fn numbers(data: &mut ProgramData) -> impl Iterator<Item = &mut Rational> {
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    let rows = rows.flat_map(
        |Row {
             terms,
             lower,
             upper,
             ..
         }| {
            let factors = terms.iter_mut().map(|(_, by)| by);
            factors.chain(lower.iter_mut()).chain(upper.iter_mut())
        },
    );
    let objective = data.objective.iter_mut().flat_map(|objective| {
        let factors = objective.terms.iter_mut().map(|(_, by)| by);
        factors.chain(std::iter::once(&mut objective.constant))
    });
    rows.chain(objective)
}

/// Nearer to zero, and whole.
fn simpler(number: &Rational) -> Rational {
    let whole = number.trunc();
    match &whole == number {
        true => (number / int(2)).trunc(),
        false => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let program = parse_qip(
            "minimize 7 x + 9 z + 3 subject to one: 5 x + 2 y >= 1\ntwo: 12 y - 4 z <= 30.5\nthree: z <= 8
             prefix exists integer x in [0, 9] forall integer y in [0, 9] exists integer z in [-4, 9] end",
        )
        .expect("it is well formed");
        let mentions = |program: &Program, name: &str| {
            let mut variables = program.variables().iter();
            variables.any(|it| it.name == name)
        };
        let small = shrunk(&program, 10_000, |it| {
            mentions(it, "y")
                && it
                    .rows()
                    .iter()
                    .any(|row| row.name.as_deref() == Some("two"))
        });
        assert_eq!((small.variables().len(), small.rows().len()), (1, 1));
        assert!(small.objective().is_none());
        let row = small.rows().iter().next().expect("one is left");
        assert!(row.terms.is_empty() && row.upper == Some(int(0)));
        let bounds = &small.variables().iter().next().expect("one is left").bounds;
        assert_eq!(bounds.lower, bounds.upper);
    }

    #[test]
    fn it_stops_when_it_has_asked_enough() {
        let program =
            parse_qip("minimize x + y prefix exists binary x y end").expect("well formed");
        let mut asked = 0;
        let same = shrunk(&program, 3, |_| {
            asked += 1;
            false
        });
        assert_eq!((asked, same), (3, program));
    }
}
