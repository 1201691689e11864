//! A second opinion on mixed programs: every play of the opponent is spelled out, and the program
//! over all of them is solved by splitting integers over exact linear programs.
//!
//! It knows nothing of dominance, of moves that suffice, of cuts or of floats.

use std::collections::HashMap;

use num_traits::Zero;
use quip::budget::Budget;
use quip::lp::simplex::{Answer, LinearProgram};
use quip::num::{Rational, int};
use quip::outcome::{Score, cost_of_objective};
use quip::program::{Bounds, Kind, Program, Quantifier, Row, Term, VarId};

/// The values of each universal variable that are tried, in the order of the prefix.
pub type Menu = Vec<Vec<Rational>>;

/// Every integer of the domains of the universal variables; `steps` values of a real one.
pub fn menu(program: &Program, steps: i64) -> Menu {
    let universals = program.variables().iter();
    let universals = universals.filter(|it| it.quantifier == Quantifier::Forall);
    let values = universals.map(|variable| {
        let domain = variable.domain();
        let (lower, upper) = (domain.lower.unwrap(), domain.upper.unwrap());
        let step = match variable.kind {
            Kind::Integer => int(1),
            Kind::Real => (&upper - &lower) / int(steps),
        };
        let mut values = vec![lower];
        while !step.is_zero() && values[values.len() - 1] < upper {
            values.push(values[values.len() - 1].clone() + &step);
        }
        values.retain(|value| *value <= upper);
        values
    });
    values.collect()
}

/// Every legal play of a menu.
pub fn plays(program: &Program, menu: &Menu) -> Vec<HashMap<VarId, Rational>> {
    let universals = universals(program);
    let named = |play: Vec<Rational>| universals.iter().copied().zip(play).collect();
    legal(program, menu).into_iter().map(named).collect()
}

fn universals(program: &Program) -> Vec<VarId> {
    let variables = program.variables();
    let all = variables.ids();
    all.filter(|&var| variables[var].quantifier == Quantifier::Forall)
        .collect()
}

/// The plays of a menu that the universal rows allow.
fn legal(program: &Program, menu: &Menu) -> Vec<Vec<Rational>> {
    let universals = universals(program);
    let mut plays: Vec<Vec<Rational>> = vec![Vec::new()];
    for values in menu {
        let longer = plays.iter().flat_map(|play| {
            let with = |value: &Rational| [play.as_slice(), std::slice::from_ref(value)].concat();
            values.iter().map(with).collect::<Vec<_>>()
        });
        plays = longer.collect();
    }
    plays.retain(|play| {
        let value = |var: &VarId| {
            let place = universals.iter().position(|other| other == var);
            &play[place.expect("a universal variable")]
        };
        let holds = |row: &Row| {
            let sum: Rational = row.terms.iter().map(|(var, by)| by * value(var)).sum();
            row.admits(&sum)
        };
        program.universal_rows().iter().all(holds)
    });
    plays
}

/// Linear programs that the judge solves before it gives up.
const MOST_LPS: usize = 60;

/// What the program is worth against the plays of a menu; `None` if no play is legal, a domain has
/// no end, or it takes too long.
///
/// Pre: universal rows mention universal variables only.
pub fn score(program: &Program, menu: &Menu) -> Option<Score> {
    let variables = program.variables();
    let universals = universals(program);
    let plays = legal(program, menu);
    let value = |play: &[Rational], var: VarId| -> Rational {
        let place = universals.iter().position(|&other| other == var);
        play[place.expect("a universal variable")].clone()
    };
    if plays.is_empty() || plays.len() > 40 {
        return None;
    }
    let mut linear = LinearProgram::default();
    let mut whole: Vec<VarId> = Vec::new();
    let mut columns: HashMap<(VarId, Vec<Rational>), VarId> = HashMap::new();
    let worst = linear.bounds.push(Bounds::free());
    linear.objective = vec![(worst, int(1))];
    for play in &plays {
        let mut terms = |terms: &[Term], linear: &mut LinearProgram| -> (Vec<Term>, Rational) {
            let (mut own, mut constant) = (Vec::new(), Rational::zero());
            for (var, by) in terms {
                if variables[*var].quantifier == Quantifier::Forall {
                    constant += by * value(play, *var);
                    continue;
                }
                let seen = universals.iter().filter(|&&other| other < *var).count();
                let column = columns.entry((*var, play[..seen].to_vec()));
                let column = *column.or_insert_with(|| {
                    let column = linear.bounds.push(variables[*var].domain());
                    if variables[*var].kind == Kind::Integer {
                        whole.push(column);
                    }
                    column
                });
                own.push((column, by.clone()));
            }
            (own, constant)
        };
        for row in program.rows() {
            let (own, constant) = terms(&row.terms, &mut linear);
            linear.rows.push(Row {
                name: None,
                terms: own,
                lower: row.lower.as_ref().map(|side| side - &constant),
                upper: row.upper.as_ref().map(|side| side - &constant),
            });
        }
        let objective = program.objective();
        let costs = objective.map_or(&[][..], |objective| &objective.terms);
        let (own, constant) = terms(costs, &mut linear);
        let constant = constant + objective.map_or_else(Rational::zero, |it| it.constant.clone());
        let cost = |value: Rational| cost_of_objective(program, value);
        let mut own: Vec<Term> = own.into_iter().map(|(at, by)| (at, cost(by))).collect();
        own.push((worst, int(-1)));
        linear.rows.push(Row::at_most(own, -cost(constant)));
        // Variables that no row mentions are decided all the same.
    }
    let mut best = None;
    split(&mut linear, &whole, &mut best, &mut MOST_LPS.clone())?;
    Some(best.map_or(Score::Lost, Score::Cost))
}

/// Splits integers until they are whole; `None` if the program is unbounded or that takes too long.
fn split(
    linear: &mut LinearProgram,
    whole: &[VarId],
    best: &mut Option<Rational>,
    left: &mut usize,
) -> Option<()> {
    *left = left.checked_sub(1)?;
    let answer = linear.solve(&mut Budget::unlimited()).expect("no limit");
    let (point, value) = match answer {
        Answer::Infeasible { .. } => return Some(()),
        Answer::Unbounded { .. } => return None,
        Answer::Optimal { point, value, .. } => (point, value),
    };
    if best.as_ref().is_some_and(|best| value >= *best) {
        return Some(());
    }
    let Some(&column) = whole.iter().find(|&&column| !point[column].is_integer()) else {
        *best = Some(value);
        return Some(());
    };
    let range = linear.bounds[column].clone();
    let halves = [
        Bounds {
            lower: range.lower.clone(),
            upper: Some(point[column].floor()),
        },
        Bounds {
            lower: Some(point[column].ceil()),
            upper: range.upper.clone(),
        },
    ];
    for half in halves {
        linear.bounds[column] = half;
        split(linear, whole, best, left)?;
    }
    linear.bounds[column] = range;
    Some(())
}
