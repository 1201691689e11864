//! The rows of both systems as `Σ a·x <= b` in machine integers, row-wise and column-wise.
//!
//! A row with two sides becomes two inequalities. The last inequality is the objective: its
//! right-hand side is the cost that the existential player must stay within, and moves during a
//! search.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::num::{Rational, to_i64};
use crate::program::{
    Id, IdVec, Program, Quantifier, Row, RowId, ScaledRow, ScalingError, Term, VarId, Variable,
    cost_of_objective, reach,
};

/// An inequality, by its place in [`Inequalities`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InequalityId(u32);

impl Id for InequalityId {
    #[inline]
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("invariant: ids fit 32 bits"))
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where an inequality comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The upper side of a row.
    Upper(RowId),
    /// The lower side of a row, negated.
    Lower(RowId),
    /// The objective, in the existential player's sense.
    Objective,
}

/// A coefficient and what it stands beside.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry<I> {
    /// The variable or the inequality.
    pub at: I,
    /// Never zero.
    pub coefficient: i64,
}

/// One inequality without its terms.
#[derive(Clone, Debug)]
pub struct Head {
    /// Whose system it belongs to.
    pub owner: Quantifier,
    /// Where it comes from.
    pub origin: Origin,
    /// The right-hand side; of the objective: no limit.
    pub rhs: i64,
    first: u32,
    end: u32,
}

/// All inequalities of a program. See the module.
#[derive(Clone, Debug)]
pub struct Inequalities {
    heads: IdVec<InequalityId, Head>,
    terms: Vec<Entry<VarId>>,
    columns: Vec<Entry<InequalityId>>,
    column_starts: Vec<u32>,
    cost_scale: Rational,
    cost_constant: Rational,
}

/// The sums that hot loops form must stay this small, so that no addition of two can wrap.
const LIMIT: i64 = i64::MAX / 8;

/// What the objective's right-hand side is while nothing is known.
pub const NO_LIMIT: i64 = i64::MAX / 4;

impl Inequalities {
    /// Reads both systems and the objective of a program of integer variables.
    pub fn new(program: &Program) -> Result<Self, ScalingError> {
        if let Some(variable) = program.variables().iter().find(|it| !domain_fits(it)) {
            return Err(ScalingError::Domain {
                variable: variable.name.clone(),
            });
        }
        let mut builder = Builder {
            program,
            heads: Vec::new(),
            terms: Vec::new(),
        };
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            for (index, row) in program.scaled_system(owner)?.iter().enumerate() {
                builder.add_row(owner, RowId::new(index), row)?;
            }
        }
        let (cost_scale, cost_constant) = builder.add_objective()?;
        let Builder { heads, terms, .. } = builder;
        let (columns, column_starts) = transpose(&heads, &terms, program.variables().len());
        let heads = IdVec::from_vec(heads);
        Ok(Self {
            heads,
            terms,
            columns,
            column_starts,
            cost_scale,
            cost_constant,
        })
    }

    /// Whether [`Inequalities::new`] takes the program, without making anything in the usual case.
    #[inline]
    pub fn fit(program: &Program) -> bool {
        is_obviously_small(program) || Self::new(program).is_ok()
    }

    /// Every inequality without its terms; the objective is the last.
    #[inline]
    pub fn heads(&self) -> &IdVec<InequalityId, Head> {
        &self.heads
    }

    /// The objective.
    #[inline]
    pub fn objective(&self) -> InequalityId {
        InequalityId::new(self.heads.len() - 1)
    }

    /// The left-hand side, sorted by variable.
    #[inline]
    pub fn terms(&self, id: InequalityId) -> &[Entry<VarId>] {
        let head = &self.heads[id];
        &self.terms[head.first as usize..head.end as usize]
    }

    /// Every inequality that contains the variable.
    #[inline]
    pub fn column(&self, var: VarId) -> &[Entry<InequalityId>] {
        let (first, end) = (
            self.column_starts[var.index()],
            self.column_starts[var.index() + 1],
        );
        &self.columns[first as usize..end as usize]
    }

    /// The cost of a play in the user's numbers, from the value of the objective inequality.
    #[inline]
    pub fn cost(&self, scaled: i64) -> Rational {
        crate::num::int(scaled) / &self.cost_scale + &self.cost_constant
    }

    /// The largest scaled cost that is at most `cost`.
    pub fn scaled_cost_floor(&self, cost: &Rational) -> Option<i64> {
        ((cost - &self.cost_constant) * &self.cost_scale)
            .floor()
            .to_integer()
            .to_i64()
    }
}

struct Builder<'a> {
    program: &'a Program,
    heads: Vec<Head>,
    terms: Vec<Entry<VarId>>,
}

impl Builder<'_> {
    fn add_row(
        &mut self,
        owner: Quantifier,
        id: RowId,
        row: &ScaledRow,
    ) -> Result<(), ScalingError> {
        let fits = |added: bool| {
            added.then_some(()).ok_or_else(|| ScalingError::Row {
                row: self.program.row_label(owner, id),
            })
        };
        let mut added = true;
        if let Some(upper) = row.upper {
            added &= add(
                &mut self.heads,
                &mut self.terms,
                self.program,
                Side {
                    owner,
                    origin: Origin::Upper(id),
                    rhs: upper,
                    row,
                    sign: 1,
                },
            );
        }
        if let Some(lower) = row.lower {
            added &= add(
                &mut self.heads,
                &mut self.terms,
                self.program,
                Side {
                    owner,
                    origin: Origin::Lower(id),
                    rhs: -lower,
                    row,
                    sign: -1,
                },
            );
        }
        fits(added)
    }

    /// Adds the objective as an inequality and tells how its integers relate to the user's costs.
    fn add_objective(&mut self) -> Result<(Rational, Rational), ScalingError> {
        let Some(objective) = self.program.objective() else {
            self.heads.push(self.objective_head());
            return Ok((Rational::one(), Rational::zero()));
        };
        let error = || ScalingError::Row {
            row: "of the objective".to_owned(),
        };
        let costs = objective.terms.iter();
        let costs: Vec<_> = costs
            .map(|(var, c)| (*var, cost_of_objective(self.program, c.clone())))
            .collect();
        let denominator = costs
            .iter()
            .fold(BigInt::one(), |lcm, (_, cost)| lcm.lcm(cost.denom()));
        let scaled = |cost: &Rational| cost * Rational::from_integer(denominator.clone());
        let divisor = costs.iter().fold(BigInt::zero(), |gcd, (_, cost)| {
            gcd.gcd(&scaled(cost).to_integer())
        });
        let divisor = if divisor.is_zero() {
            BigInt::one()
        } else {
            divisor
        };
        for (var, cost) in &costs {
            let whole = scaled(cost).to_integer() / &divisor;
            let coefficient = whole.to_i64().ok_or_else(error)?;
            self.terms.push(Entry {
                at: *var,
                coefficient,
            });
        }
        let first = self.terms.len() - costs.len();
        if !sums_fit(&self.terms[first..], 0, self.program.variables()) {
            return Err(error());
        }
        let head = Head {
            first: first as u32,
            ..self.objective_head()
        };
        self.heads.push(head);
        let constant = cost_of_objective(self.program, objective.constant.clone());
        Ok((Rational::new(denominator.clone(), divisor), constant))
    }

    fn objective_head(&self) -> Head {
        Head {
            owner: Quantifier::Exists,
            origin: Origin::Objective,
            rhs: NO_LIMIT,
            first: self.terms.len() as u32,
            end: self.terms.len() as u32,
        }
    }
}

#[derive(Copy, Clone)]
struct Side<'a> {
    owner: Quantifier,
    origin: Origin,
    rhs: i64,
    row: &'a ScaledRow,
    sign: i64,
}

/// Adds one side of a row, divided by the common divisor of its coefficients: over integers the
/// right-hand side may then be rounded down. Tells whether all sums fit.
fn add(
    heads: &mut Vec<Head>,
    terms: &mut Vec<Entry<VarId>>,
    program: &Program,
    side: Side<'_>,
) -> bool {
    let first = terms.len();
    let divisor = side
        .row
        .terms
        .iter()
        .fold(0_i64, |gcd, (_, a)| gcd.gcd(a))
        .max(1);
    let scaled = side.row.terms.iter().map(|(var, coefficient)| Entry {
        at: *var,
        coefficient: side.sign * coefficient / divisor,
    });
    terms.extend(scaled);
    let rhs = side.rhs.div_euclid(divisor);
    heads.push(Head {
        owner: side.owner,
        origin: side.origin,
        rhs,
        first: first as u32,
        end: terms.len() as u32,
    });
    sums_fit(&terms[first..], rhs, program.variables())
}

/// Whether the width of a domain is a machine integer with room to spare, also that of a variable
/// in no row.
fn domain_fits(variable: &Variable) -> bool {
    match variable.farthest() {
        Some(most) => most <= LIMIT as u64,
        None => {
            let domain = variable.domain();
            let mut ends = domain.lower.iter().chain(&domain.upper);
            ends.all(|end| end.to_integer().magnitude() <= &BigUint::from(LIMIT as u64))
        }
    }
}

fn sums_fit(terms: &[Entry<VarId>], rhs: i64, variables: &IdVec<VarId, Variable>) -> bool {
    let numbers = terms.iter().map(|entry| (entry.at, entry.coefficient));
    let is_small = match reach(numbers, |var| variables[var].farthest()) {
        Some(most) => most <= LIMIT as u128,
        None => large_sums_fit(terms, variables),
    };
    is_small && rhs.unsigned_abs() <= LIMIT as u64
}

/// [`sums_fit`] in numbers of any size.
fn large_sums_fit(terms: &[Entry<VarId>], variables: &IdVec<VarId, Variable>) -> bool {
    let reach = |entry: &Entry<VarId>| {
        let domain = variables[entry.at].domain();
        let ends = domain.lower.into_iter().chain(domain.upper);
        let farthest = ends.map(|end| end.to_integer().magnitude().clone()).max();
        BigInt::from(farthest.unwrap_or_default()) * BigInt::from(entry.coefficient.unsigned_abs())
    };
    let total: BigInt = terms.iter().map(reach).sum();
    total <= BigInt::from(LIMIT)
}

/// Whether every number of the program is a machine integer and every sum of it small: then
/// dividing rows by common divisors only makes them smaller, and [`Inequalities::new`] succeeds.
fn is_obviously_small(program: &Program) -> bool {
    let farthest: Vec<_> = program.variables().iter().map(Variable::farthest).collect();
    let is_small = |terms: &[Term]| {
        let mut total = 0_u128;
        terms.iter().all(|(var, coefficient)| {
            let (Some(by), Some(most)) = (to_i64(coefficient), farthest[var.index()]) else {
                return false;
            };
            // Neither factor exceeds 2^63 and the sum stays below 2^64, so nothing can wrap.
            total += u128::from(by.unsigned_abs()) * u128::from(most);
            total <= LIMIT as u128
        })
    };
    let side = |number: &Rational| {
        to_i64(number).is_some_and(|number| number.unsigned_abs() <= LIMIT as u64)
    };
    let fits = |row: &Row| {
        let mut sides = row.lower.iter().chain(&row.upper);
        sides.all(side) && is_small(&row.terms)
    };
    let mut rows = program.rows().iter().chain(program.universal_rows().iter());
    let objective = program.objective();
    let is_near = |most: &Option<u64>| most.is_some_and(|most| most <= LIMIT as u64);
    farthest.iter().all(is_near)
        && rows.all(fits)
        && objective.is_none_or(|objective| is_small(&objective.terms))
}

fn transpose(
    heads: &[Head],
    terms: &[Entry<VarId>],
    variables: usize,
) -> (Vec<Entry<InequalityId>>, Vec<u32>) {
    let mut starts = vec![0_u32; variables + 1];
    for term in terms {
        starts[term.at.index() + 1] += 1;
    }
    for place in 0..variables {
        starts[place + 1] += starts[place];
    }
    let mut next = starts.clone();
    let filler = Entry {
        at: InequalityId(0),
        coefficient: 0,
    };
    let mut columns = vec![filler; terms.len()];
    for (index, head) in heads.iter().enumerate() {
        for term in &terms[head.first as usize..head.end as usize] {
            let place = &mut next[term.at.index()];
            columns[*place as usize] = Entry {
                at: InequalityId::new(index),
                coefficient: term.coefficient,
            };
            *place += 1;
        }
    }
    (columns, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;

    /// A row and an objective of two variables up to `most`, with these numbers.
    fn program(coefficient: &str, side: &str, cost: &str, most: &str) -> Program {
        let text = format!(
            "minimize {cost} x + y subject to {coefficient} x + 2 y <= {side} \
             prefix exists integer x in [-3, {most}] forall integer y in [0, 1/2] end"
        );
        parse_qip(&text).expect("a good program")
    }

    #[test]
    fn fitting_is_told_like_by_reading_everything() {
        let numbers = ["1/3", "4", "1152921504606846975", "9223372036854775807"];
        let ends = [
            "5/2",
            "1",
            "1000000",
            "9223372036854775807",
            "99999999999999999999",
        ];
        let (mut large, mut known) = (0, 0);
        for coefficient in numbers {
            for side in numbers {
                for cost in numbers {
                    for most in ends {
                        let mut program = program(coefficient, side, cost, most);
                        for _ in 0..2 {
                            let is_taken = Inequalities::new(&program).is_ok();
                            let is_known = is_obviously_small(&program);
                            assert_eq!(Inequalities::fit(&program), is_taken);
                            assert!(is_taken || !is_known);
                            large += u32::from(!is_taken);
                            known += u32::from(is_known);
                            // The same with a whole end for `y`, which only then is obvious.
                            let mut data = program.into_data();
                            data.variables[1].bounds.upper = Some(Rational::one());
                            program = Program::new(data).expect("a good program");
                        }
                    }
                }
            }
        }
        assert!(large > 100 && known > 2, "{large}, {known}");
    }

    #[test]
    fn sides_and_domains_at_the_ends_of_machine_integers_are_refused() {
        let programs = [
            "subject to x - u >= -9223372036854775808 \
             prefix forall integer u in [0, 9223372036854775807] exists integer x in [-2, 3] end",
            "uncertainty - 4611686018427387903 u - 2 v >= -9223372036854775808 \
             prefix forall integer u in [0, 3] forall integer v in [0, 3] end",
            "prefix exists integer x in [-9223372036854775808, 9223372036854775807] end",
            "prefix exists integer x in [0, 99999999999999999999] end",
        ];
        for text in programs {
            let program = parse_qip(text).expect("a good program");
            assert!(Inequalities::new(&program).is_err(), "{text}");
            assert!(!Inequalities::fit(&program), "{text}");
        }
    }

    #[test]
    fn sums_of_machine_integers_are_compared_like_numbers_of_any_size() {
        let edge = LIMIT / 2;
        let mut seen = [0; 2];
        for by in [1, -1, 3, edge - 1, edge, edge + 1, -edge, LIMIT, i64::MAX] {
            for most in ["1", "2", "9223372036854775807", "99999999999999999999"] {
                let program = program("1", "1", "1", most);
                let variables = program.variables();
                let entry = |at, coefficient| Entry { at, coefficient };
                let terms = [entry(VarId::new(0), by), entry(VarId::new(1), 2)];
                for terms in [&terms[..1], &terms[..]] {
                    let fits = sums_fit(terms, 0, variables);
                    assert_eq!(fits, large_sums_fit(terms, variables), "{by} up to {most}");
                    seen[usize::from(fits)] += 1;
                }
            }
        }
        assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    }
}
