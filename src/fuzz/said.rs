//! What `bounds` and `explain` say of a program, beside its value.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::trial::judged;
use crate::budget::Limits;
use crate::experiment::bounds::{self, BoundsOptions, Side};
use crate::explain::{Alternative, Change, Core, ExplainOptions, explain};
use crate::outcome::Score;
use crate::program::{Bounds, Id, Program, Quantifier, VarId};

/// What each of the two may spend.
const PATIENCE: Duration = Duration::from_secs(2);

fn limits() -> Limits {
    Limits {
        time: Some(PATIENCE),
        nodes: Some(20_000),
        ..Limits::default()
    }
}

/// Every relaxation lies on its side of the value; how many were looked at.
pub(super) fn bounded(
    program: &Program,
    value: &Score,
    seed: u64,
    stop: &Arc<AtomicBool>,
) -> Result<u64, String> {
    let options = BoundsOptions {
        limits: limits(),
        random: 3,
        largest_set: 4,
        most_plays: 12,
        seed,
        stop: stop.clone(),
        ..BoundsOptions::default()
    };
    let report = bounds::measure(program, &options);
    if let Some(fault) = report.faults.first() {
        return Err(format!("bounds contradict each other: {fault}"));
    }
    let mut looked_at = 0;
    for entry in &report.entries {
        let is_wrong = match (entry.side, entry.measured.exact()) {
            (Side::Value, Some(found)) => found != value,
            (Side::Above, Some(found)) => found < value,
            // An opponent who can be stuck may lose more than cooperation can win.
            _ if *value == Score::Won => false,
            _ => entry.measured.floor().is_some_and(|floor| floor > *value),
        };
        if is_wrong {
            let (name, measured) = (&entry.name, &entry.measured);
            return Err(format!(
                "the value is {value:?}, bounds say of `{name}`: {measured:?}"
            ));
        }
        looked_at += u64::from(entry.measured.floor().is_some());
    }
    Ok(looked_at)
}

/// Alternatives are worth what is said, and what is said to refute refutes; how many sentences were looked at.
pub(super) fn explained(
    program: &Program,
    value: &Score,
    stop: &Arc<AtomicBool>,
) -> Result<u64, String> {
    let options = ExplainOptions {
        limits: limits(),
        stop: stop.clone(),
        ..ExplainOptions::default()
    };
    let Ok(explanation) = explain(program, &options) else {
        return Ok(0);
    };
    if explanation
        .outcome
        .score(program)
        .is_some_and(|it| it != *value)
    {
        return Err(format!(
            "the value is {value:?}, it is explained why it is another one"
        ));
    }
    let mut looked_at = 0;
    for tried in explanation.alternatives.iter().flat_map(|it| &it.tried) {
        looked_at += u64::from(alternative(program, value, tried, stop)?);
    }
    for entry in explanation.price.iter().flat_map(|it| &it.entries) {
        let bounds::Measured::Exact(other) = &entry.measured else {
            continue;
        };
        let is_wrong = match entry.name.as_str() {
            "robust static plan" => other < value,
            "cooperative value" => other > value && *value != Score::Won,
            _ => other > value,
        };
        if is_wrong {
            let name = &entry.name;
            return Err(format!(
                "the value is {value:?}, it is said of `{name}`: {other:?}"
            ));
        }
        looked_at += 1;
    }
    if let Some(core) = &explanation.core {
        looked_at += u64::from(refutes(program, core, stop)?);
    }
    Ok(looked_at)
}

fn alternative(
    program: &Program,
    value: &Score,
    tried: &Alternative,
    stop: &Arc<AtomicBool>,
) -> Result<bool, String> {
    let mut data = program.clone().into_data();
    let bounds = &mut data.variables[tried.variable.index()].bounds;
    match &tried.change {
        Change::AtMost(most) => bounds.upper = Some(most.clone()),
        Change::AtLeast(least) => bounds.lower = Some(least.clone()),
        Change::Exactly(only) => *bounds = Bounds::between(only.clone(), only.clone()),
    }
    let changed = Program::new(data).map_err(|_| "an alternative is no program".to_owned())?;
    let (Some(said), Some(then)) = (tried.as_good, judged(&changed, stop)) else {
        return Ok(false);
    };
    match said == (then <= *value) {
        true => Ok(true),
        false => Err(format!(
            "the value is {value:?}, after {:?} it is {then:?}, as good: {said}",
            tried.change
        )),
    }
}

/// The rows and the opponent's moves of a core lose by themselves.
fn refutes(program: &Program, core: &Core, stop: &Arc<AtomicBool>) -> Result<bool, String> {
    if core.empty_domain.is_some() || program.class().decision_dependent {
        return Ok(false);
    }
    let theirs: Vec<VarId> = core.pressure.iter().map(|it| it.variable).collect();
    let mut data = program.clone().into_data();
    let mut given_away = false;
    for (place, variable) in data.variables.iter_mut().enumerate() {
        if variable.quantifier == Quantifier::Forall && !theirs.contains(&VarId::new(place)) {
            variable.quantifier = Quantifier::Exists;
            given_away = true;
        }
    }
    data.rows = core
        .rows
        .iter()
        .map(|row| program.rows()[*row].clone())
        .collect();
    if given_away {
        // Who plays by the opponent's rows keeps them.
        let rules = data.universal_rows.iter().cloned();
        data.rows.extend(rules.map(|mut row| {
            row.name = None;
            row
        }));
    }
    let reduced = Program::new(data).map_err(|_| "a core is no program".to_owned())?;
    match judged(&reduced, stop) {
        Some(Score::Lost) => Ok(true),
        None => Ok(false),
        Some(other) => Err(format!("what is said to refute is worth {other:?}")),
    }
}
