//! Whether a system has a completion: integers by enumeration, reals by Fourier–Motzkin
//! elimination. Shares nothing with the simplex.

use std::collections::BTreeMap;

use num_traits::{Signed, ToPrimitive, Zero};
use quip::num::{Rational, int};
use quip::program::{Kind, Program, Quantifier, VarId};

/// Values of the variables that are fixed.
pub type Assignment = BTreeMap<VarId, Rational>;

/// `Σ factor · variable <= rhs`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Inequality {
    factors: BTreeMap<VarId, Rational>,
    rhs: Rational,
}

/// Whether the owner's rows hold for some values of the variables that are not assigned.
pub fn is_alive(program: &Program, owner: Quantifier, assigned: &Assignment) -> bool {
    let mentioned = |var: VarId| {
        let mut rows = program.system(owner).iter();
        rows.any(|row| row.terms.iter().any(|(other, _)| *other == var))
    };
    let open: Vec<VarId> = program
        .variables()
        .ids()
        .filter(|var| !assigned.contains_key(var) && mentioned(*var))
        .filter(|var| program.variables()[*var].kind == Kind::Integer)
        .collect();
    let mut assigned = assigned.clone();
    some_completion(program, owner, &open, &mut assigned)
}

fn some_completion(
    program: &Program,
    owner: Quantifier,
    open: &[VarId],
    assigned: &mut Assignment,
) -> bool {
    let Some((&var, rest)) = open.split_first() else {
        return solvable(inequalities(program, owner, assigned));
    };
    for value in whole_values(program, var) {
        assigned.insert(var, value);
        if some_completion(program, owner, rest, assigned) {
            return true;
        }
    }
    assigned.remove(&var);
    false
}

/// The values of an integer variable.
pub fn whole_values(program: &Program, var: VarId) -> Vec<Rational> {
    let domain = program.variables()[var].domain();
    let end = |end: Option<Rational>| end.unwrap().to_integer().to_i64().unwrap();
    (end(domain.lower)..=end(domain.upper)).map(int).collect()
}

fn inequalities(program: &Program, owner: Quantifier, assigned: &Assignment) -> Vec<Inequality> {
    let mut all = Vec::new();
    for row in program.system(owner) {
        let mut factors = BTreeMap::new();
        let mut known = int(0);
        for (var, factor) in &row.terms {
            match assigned.get(var) {
                Some(value) => known += factor * value,
                None => {
                    factors.insert(*var, factor.clone());
                }
            }
        }
        push_sides(&mut all, &factors, &row.lower, &row.upper, &known);
    }
    for (var, variable) in program.variables().pairs() {
        if !assigned.contains_key(&var) && variable.kind == Kind::Real {
            let factors = BTreeMap::from([(var, int(1))]);
            let domain = variable.domain();
            push_sides(&mut all, &factors, &domain.lower, &domain.upper, &int(0));
        }
    }
    all
}

fn push_sides(
    all: &mut Vec<Inequality>,
    factors: &BTreeMap<VarId, Rational>,
    lower: &Option<Rational>,
    upper: &Option<Rational>,
    known: &Rational,
) {
    if let Some(upper) = upper {
        all.push(Inequality {
            factors: factors.clone(),
            rhs: upper - known,
        });
    }
    if let Some(lower) = lower {
        let negated = factors.iter().map(|(var, factor)| (*var, -factor));
        all.push(Inequality {
            factors: negated.collect(),
            rhs: known - lower,
        });
    }
}

fn solvable(mut system: Vec<Inequality>) -> bool {
    while let Some(var) = system
        .iter()
        .find_map(|it| it.factors.keys().next().copied())
    {
        let (with, mut without): (Vec<_>, Vec<_>) = system
            .into_iter()
            .partition(|it| it.factors.contains_key(&var));
        let (above, below): (Vec<_>, Vec<_>) =
            with.iter().partition(|it| it.factors[&var].is_positive());
        for upper in &above {
            for lower in &below {
                without.push(combined(var, upper, lower));
            }
        }
        without.sort();
        without.dedup();
        system = without;
    }
    system.iter().all(|it| !it.rhs.is_negative())
}

/// The sum of both in which `var` cancels.
fn combined(var: VarId, upper: &Inequality, lower: &Inequality) -> Inequality {
    let (up, down) = (&upper.factors[&var], -&lower.factors[&var]);
    let mut factors = BTreeMap::new();
    for (part, scale) in [(upper, &down), (lower, up)] {
        for (other, factor) in &part.factors {
            *factors.entry(*other).or_insert_with(|| int(0)) += factor * scale;
        }
    }
    factors.retain(|_, factor| !factor.is_zero());
    Inequality {
        factors,
        rhs: &upper.rhs * &down + &lower.rhs * up,
    }
}
