//! Real moves within budgets: why the ends of their domains suffice, and what answers the rest.
//!
//! Let everything that is decided after the first real universal variable of a universal row be real, and
//! let each universal row from there on count consecutive variables by their *parts*, that is where they are
//! between their ends (from the upper end, if the row counts them down), at least and at most so many whole parts in all.
//! Let `y` be the sum of the parts that have been played. For a number `θ` in `[0, 1)` the opponent's play
//! `u` has a *shadow* in which each variable is at one of its ends: the part of a variable that takes `y` from `a` to `b`
//! is `⌊b + θ⌋ − ⌊a + θ⌋`. Whoever has seen so much of `u` knows as much of its shadow; shadows keep the rows, because
//! whole sides survive the rounding; and the mean of all shadows is `u`. So the mean of the answers to
//! the shadows answers `u`: rows and costs are linear. Nothing but the ends must be answered.
//!
//! **Invariant:** where a variable is counted, the argument holds.

use num_traits::{Signed, Zero};

use crate::num::Rational;
use crate::program::{IdVec, Kind, Program, Quantifier, Row, VarId};

/// How a variable is counted: from where, how wide its domain is, and in which place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    from: Rational,
    /// Negative where the part is counted from the upper end.
    width: Rational,
}

/// The universal variables of which the ends suffice although universal rows hold them. See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budgets(IdVec<VarId, Option<Part>>);

impl Budgets {
    /// The variables of a program that are counted; none if the argument does not hold for all of them.
    pub fn new(program: &Program) -> Self {
        let none = || Self(IdVec::filled(program.variables().len(), None));
        counted(program).map_or_else(none, Self)
    }

    /// Whether any variable is counted.
    pub fn count_any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// Whether a variable is counted.
    pub fn count(&self, var: VarId) -> bool {
        self.0[var].is_some()
    }

    /// The part that a value of a variable is, if the variable is counted.
    pub fn part(&self, var: VarId, value: &Rational) -> Option<Rational> {
        let part = self.0[var].as_ref()?;
        Some((value - &part.from) / &part.width)
    }

    /// The value of a counted variable that is no part of it, or the whole part.
    pub fn end(&self, var: VarId, is_whole: bool) -> Option<Rational> {
        let part = self.0[var].as_ref()?;
        Some(match is_whole {
            true => &part.from + &part.width,
            false => part.from.clone(),
        })
    }
}

fn counted(program: &Program) -> Option<IdVec<VarId, Option<Part>>> {
    let variables = program.variables();
    let order = program.playing_order();
    let mut places = IdVec::filled(variables.len(), 0);
    for (place, var) in order.iter().enumerate() {
        places[*var] = place;
    }
    let rows = program.universal_rows();
    let mut restricted = IdVec::filled(variables.len(), false);
    for (var, _) in rows.iter().flat_map(|row| &row.terms) {
        restricted[*var] = true;
    }
    let is_first = |var: &&VarId| restricted[**var] && variables[**var].kind == Kind::Real;
    let first = places[*order.iter().find(is_first)?];
    let later = &order[first..];
    let decided = later
        .iter()
        .filter(|var| variables[**var].quantifier == Quantifier::Exists);
    for var in decided {
        if restricted[*var] || variables[*var].kind == Kind::Integer {
            return None;
        }
    }
    // Counted variables in their order.
    let members: Vec<VarId> = later
        .iter()
        .copied()
        .filter(|var| restricted[*var])
        .collect();
    let mut parts = IdVec::filled(variables.len(), None);
    for row in rows {
        let own = |var: &VarId| members.iter().position(|other| other == var);
        let places: Vec<Option<usize>> = row.terms.iter().map(|(var, _)| own(var)).collect();
        if places.iter().all(Option::is_none) {
            continue;
        }
        let mut places: Vec<usize> = places.into_iter().collect::<Option<_>>()?;
        places.sort_unstable();
        let is_run = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        if !is_run || !counts_parts(program, row, &mut parts) {
            return None;
        }
    }
    Some(parts)
}

/// Whether a row counts whole parts of its variables, as other rows do.
fn counts_parts(program: &Program, row: &Row, parts: &mut IdVec<VarId, Option<Part>>) -> bool {
    let mut unit: Option<Rational> = None;
    let mut least = Rational::zero();
    // The first variable of the row says which way it counts, unless it is known.
    for (var, by) in &row.terms {
        let domain = program.variables()[*var].domain();
        let (Some(lower), Some(upper)) = (domain.lower, domain.upper) else {
            return false;
        };
        let part = match by.is_positive() {
            true => Part {
                width: &upper - &lower,
                from: lower,
            },
            false => Part {
                width: &lower - &upper,
                from: upper,
            },
        };
        let step = by * &part.width;
        if step.is_zero() || *unit.get_or_insert_with(|| step.clone()) != step {
            return false;
        }
        least += by * &part.from;
        match &parts[*var] {
            Some(known) if *known != part => return false,
            _ => parts[*var] = Some(part),
        }
    }
    let Some(unit) = unit else { return false };
    let mut sides = row.lower.iter().chain(&row.upper);
    sides.all(|side| ((side - &least) / &unit).is_integer())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, ratio};
    use crate::program::{Bounds, Id, ProgramData, Variable};

    fn program(sides: &[(&[usize], i64, i64)], quantifiers: &str) -> Program {
        let variables = quantifiers
            .chars()
            .enumerate()
            .map(|(number, kind)| Variable {
                name: format!("v{number}"),
                quantifier: match kind {
                    'u' | 'w' => Quantifier::Forall,
                    _ => Quantifier::Exists,
                },
                kind: match kind {
                    'u' | 'x' => Kind::Real,
                    _ => Kind::Integer,
                },
                bounds: Bounds::between(int(0), int(2)),
            });
        let rows = sides.iter().map(|(vars, by, side)| {
            let terms = vars.iter().map(|&var| (VarId::new(var), int(*by)));
            Row::at_most(terms.collect(), int(*side))
        });
        Program::new(ProgramData {
            variables: variables.collect(),
            rows: Vec::new(),
            universal_rows: rows.collect(),
            objective: None,
        })
        .expect("a program")
    }

    #[test]
    fn consecutive_variables_and_whole_sides_are_counted() {
        let budgets = Budgets::new(&program(&[(&[0, 2, 3], 1, 4), (&[2, 3], 3, 6)], "uxuu"));
        let counts: Vec<bool> = (0..4).map(|var| budgets.count(VarId::new(var))).collect();
        assert_eq!(counts, [true, false, true, true]);
        assert_eq!(budgets.part(VarId::new(2), &ratio(1, 2)), Some(ratio(1, 4)));
        assert_eq!(budgets.end(VarId::new(3), true), Some(int(2)));
        let down = Budgets::new(&program(&[(&[0, 2], -1, -2)], "uxu"));
        assert_eq!(down.part(VarId::new(0), &int(2)), Some(int(0)));
    }

    #[test]
    fn what_the_argument_does_not_cover_is_not_counted() {
        let none = |sides: &[(&[usize], i64, i64)], quantifiers: &str| {
            let budgets = Budgets::new(&program(sides, quantifiers));
            (0..quantifiers.len()).all(|var| !budgets.count(VarId::new(var)))
        };
        // Integers decided later, decisions in the row, gaps, half parts, two directions, nothing real.
        assert!(none(&[(&[0, 1], 1, 2)], "uui"));
        assert!(none(&[(&[0, 1, 2], 1, 2)], "uux"));
        assert!(none(&[(&[0, 2], 1, 2), (&[1, 2], 1, 2)], "uuu"));
        assert!(none(&[(&[0, 1], 1, 3)], "uux"));
        assert!(none(&[(&[0, 1], 1, 2), (&[0, 1], -1, -2)], "uux"));
        assert!(none(&[(&[0, 1], 1, 2)], "wwx"));
        // A row that also holds an earlier integer, which may leave half a part.
        assert!(none(&[(&[0, 2], 1, 2)], "wiu"));
    }
}
