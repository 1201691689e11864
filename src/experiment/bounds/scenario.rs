//! Plays that the universal player may commit to before the game begins.
//!
//! **Definition:** a scenario gives every universal variable a value it may take, such that every
//! universal row holds *whatever* the existential player does. Then committing to it is legal at
//! every moment of every play, and the universal player is never stuck.

use num_traits::Signed;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::num::{Rational, int, to_i64};
use crate::program::{IdVec, Kind, Program, Quantifier, Row, VarId, Variable};

/// A value for every universal variable; `None` for the existential ones.
pub(super) type Scenario = IdVec<VarId, Option<Rational>>;

/// How often a random scenario is drawn before there seems to be none.
const TRIES: usize = 200;

/// A scenario by a rule for each universal variable; `None` if it is not legal.
pub(super) fn by_rule(
    program: &Program,
    mut rule: impl FnMut(VarId, &Rational, &Rational) -> Rational,
) -> Option<Scenario> {
    let mut scenario = IdVec::filled(program.variables().len(), None);
    for (var, variable) in program.variables().pairs() {
        if variable.quantifier == Quantifier::Forall {
            let domain = variable.domain();
            let (lower, upper) = (domain.lower?, domain.upper?);
            let value = rule(var, &lower, &upper);
            if !variable.admits(&value) {
                return None;
            }
            scenario[var] = Some(value);
        }
    }
    let mut rows = program.universal_rows().iter();
    rows.all(|row| holds_always(program, row, &scenario))
        .then_some(scenario)
}

/// The middle of every domain, rounded down where it must be whole.
pub(super) fn middle(program: &Program) -> Option<Scenario> {
    by_rule(program, |var, lower, upper| {
        let middle = (lower + upper) / int(2);
        match program.variables()[var].kind {
            Kind::Integer => middle.floor(),
            Kind::Real => middle,
        }
    })
}

/// A random scenario.
pub(super) fn random(program: &Program, random: &mut ChaCha8Rng) -> Option<Scenario> {
    const STEPS: u32 = 1 << 16;
    let mut draw = || {
        by_rule(program, |var, lower, upper| {
            let share = Rational::new(random.random_range(0..=STEPS).into(), STEPS.into());
            match program.variables()[var].kind {
                // Every whole number has its own piece of the interval.
                Kind::Integer => {
                    let value = lower + ((upper - lower + int(1)) * share).floor();
                    value.min(upper.clone())
                }
                Kind::Real => lower + (upper - lower) * share,
            }
        })
    };
    (0..TRIES).find_map(|_| draw())
}

/// Whether no universal variable is real.
pub(super) fn has_whole_universals(program: &Program) -> bool {
    let mut universal = program.variables().iter();
    universal.all(|it| it.quantifier == Quantifier::Exists || it.kind == Kind::Integer)
}

/// Every legal play of the universal player, if they are at most `most` and the same whatever the
/// existential player does. Real variables, which no universal row may mention, are at their ends.
pub(super) fn every(program: &Program, most: usize) -> Option<Vec<Scenario>> {
    let mut plays = vec![IdVec::filled(program.variables().len(), None)];
    for (var, variable) in program.variables().pairs() {
        if variable.quantifier == Quantifier::Exists {
            continue;
        }
        let values = match variable.kind {
            Kind::Integer => whole_values(variable, most)?,
            Kind::Real => ends(program, var)?,
        };
        let longer = plays.iter().flat_map(|play| {
            values.iter().map(move |value| {
                let mut longer: Scenario = play.clone();
                longer[var] = Some(value.clone());
                longer
            })
        });
        plays = longer.collect();
        // A budget leaves few of many plays: those that break it are not carried along.
        let mentions = |row: &&Row| row.terms.iter().any(|(other, _)| *other == var);
        let rows: Vec<&Row> = program.universal_rows().iter().filter(mentions).collect();
        plays.retain(|play| rows.iter().all(|row| may_hold(program, row, play)));
        if plays.len() > most {
            return None;
        }
    }
    let legal = |play: &Scenario| {
        let mut rows = program.universal_rows().iter();
        rows.all(|row| holds_always(program, row, play))
    };
    plays.retain(legal);
    (!plays.is_empty()).then_some(plays)
}

/// Whether the universal player has at most `most` legal plays, the same ones whatever is decided, so
/// that each of them can be looked at.
///
/// ```
/// use quip::experiment::bounds::are_listed;
/// // One of three may fail: four plays of eight are legal.
/// let program = quip::format::parse_qip(
///     "uncertainty budget: a + b + c <= 1
///      prefix forall binary a  forall binary b  forall binary c end",
/// )?;
/// assert!(are_listed(&program, 4) && !are_listed(&program, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn are_listed(program: &Program, most: usize) -> bool {
    // Of a real variable the ends are looked at, which is not every play.
    let has_few_values = |it: &Variable| match it.kind {
        _ if it.quantifier == Quantifier::Exists => true,
        Kind::Integer => true,
        Kind::Real => it.domain().lower == it.domain().upper,
    };
    program.variables().iter().all(has_few_values)
        && !program.class().decision_dependent
        && every(program, most).is_some()
}

fn whole_values(variable: &Variable, most: usize) -> Option<Vec<Rational>> {
    let domain = variable.domain();
    let (lower, upper) = (to_i64(&domain.lower?)?, to_i64(&domain.upper?)?);
    let width = usize::try_from(upper.checked_sub(lower)?).ok()?;
    (width < most).then(|| (lower..=upper).map(int).collect())
}

fn ends(program: &Program, var: VarId) -> Option<Vec<Rational>> {
    let mut rows = program.universal_rows().iter();
    if rows.any(|row| row.terms.iter().any(|(other, _)| *other == var)) {
        return None;
    }
    let domain = program.variables()[var].domain();
    let mut ends = vec![domain.lower?, domain.upper?];
    ends.dedup();
    Some(ends)
}

/// Whether a row holds for these universal values and all existential ones.
fn holds_always(program: &Program, row: &Row, scenario: &Scenario) -> bool {
    let [least, most] = reach(program, row, scenario);
    let above = |side: &Rational| least.as_ref().is_some_and(|least| side <= least);
    let below = |side: &Rational| most.as_ref().is_some_and(|most| most <= side);
    row.lower.as_ref().is_none_or(above) && row.upper.as_ref().is_none_or(below)
}

/// Whether a row can still hold, by its own sight.
fn may_hold(program: &Program, row: &Row, scenario: &Scenario) -> bool {
    let [least, most] = reach(program, row, scenario);
    let above = |side: &Rational| most.as_ref().is_none_or(|most| side <= most);
    let below = |side: &Rational| least.as_ref().is_none_or(|least| least <= side);
    row.lower.as_ref().is_none_or(above) && row.upper.as_ref().is_none_or(below)
}

/// The least and the most that a row can add up to where the scenario says nothing; `None` is without
/// bound.
fn reach(program: &Program, row: &Row, scenario: &Scenario) -> [Option<Rational>; 2] {
    let (mut least, mut most) = (Some(int(0)), Some(int(0)));
    for (var, by) in &row.terms {
        let ends = match &scenario[*var] {
            Some(value) => [Some(by * value), Some(by * value)],
            None => {
                let domain = program.variables()[*var].domain();
                let [lower, upper] = [domain.lower, domain.upper].map(|end| end.map(|it| by * it));
                if by.is_positive() {
                    [lower, upper]
                } else {
                    [upper, lower]
                }
            }
        };
        let [low, high] = ends;
        least = least.zip(low).map(|(sum, part)| sum + part);
        most = most.zip(high).map(|(sum, part)| sum + part);
    }
    [least, most]
}
