//! Certificates of mixed programs.
//!
//! The refutation is a tree of scenarios: the plays that an engine names, or all that matter, and the
//! kernel's proof that nothing better is possible against them ([`crate::mip::refute`]). The strategy
//! is the plan that the engine has left.

use super::super::Settings;
use super::moves::NoList;
use super::stages::Stages;
use super::tree::{Cells, Play, Tree};
use super::{moves, plays_are_answered};
use crate::budget::Budget;
use crate::certify::certify;
use crate::mip::{self, ProofRow, ProofSide, ProofStep, ProofSum};
use crate::num::{Rational, int};
use crate::outcome::{CertificateError, Outcome, Status, cost_of_objective};
use crate::program::{Bounds, Id, IdVec, Program, RowId, Term, VarId};
use crate::strategy::{
    Beside, Certificate, Guarantee, Plan, Player, Scenarios, SideRef, TreeColumn, TreeRow,
    TreeSide, TreeStep, TreeSum,
};

/// Plays against which nothing better is possible: the value of every universal variable.
pub(super) type Named = Vec<Vec<(VarId, Beside)>>;

/// The certificate of an outcome of a mixed program.
pub fn prove(
    program: &Program,
    settings: &Settings,
    outcome: &Outcome,
    budget: &mut Budget,
) -> Result<Certificate, CertificateError> {
    let cost = |value: &Rational| cost_of_objective(program, value.clone());
    let needs_strategy = match outcome.status {
        Status::Optimal | Status::Feasible => true,
        Status::Interrupted => outcome.objective.is_some() && outcome.strategy.is_some(),
        Status::Infeasible => false,
        status => {
            let reason = format!("an answer `{status}` of a program with reals and integers");
            return Err(CertificateError::Unsupported(reason));
        }
    };
    let mut made = outcome.claim(program);
    if needs_strategy {
        let plan = match &outcome.strategy {
            Some(plan) => Some(plan.clone()),
            None => plan_of(program, settings, outcome, budget)?,
        };
        let Some(plan) = plan else {
            let reason = "no engine that leaves a strategy takes it".to_owned();
            return Err(CertificateError::Unsupported(reason));
        };
        let owned = Outcome {
            strategy: Some(plan),
            refutation: None,
            ..outcome.clone()
        };
        made.strategy = certify(program, &owned, budget)?.strategy;
    }
    let guarantee = match (outcome.status, &outcome.bound) {
        (Status::Infeasible, _) => Some(Guarantee::Lost),
        (Status::Optimal | Status::Interrupted, Some(bound)) => Some(Guarantee::Cost(cost(bound))),
        _ => None,
    };
    if let Some(guarantee) = guarantee {
        made.scenarios = Some(refutation(program, settings, outcome, guarantee, budget)?);
    }
    Ok(made)
}

/// A plan for an answer that has none: the whole tree, after the first stage that is known.
fn plan_of(
    program: &Program,
    settings: &Settings,
    outcome: &Outcome,
    budget: &mut Budget,
) -> Result<Option<Plan>, CertificateError> {
    let mut data = program.clone().into_data();
    for (var, value) in &outcome.first_stage {
        data.variables[var.index()].bounds = Bounds::between(value.clone(), value.clone());
    }
    let Ok(fixed) = Program::new(data) else {
        return Ok(None);
    };
    let again = super::solve(&fixed, settings, budget);
    let again = again.map_err(|error| CertificateError::Unsupported(error.to_string()))?;
    if let Some(stop) = again.stop {
        return Err(stop.into());
    }
    // After the first stage of a strategy that has just been stopped there may be a better one.
    let is_proved = outcome.status != Status::Interrupted;
    if is_proved && (again.status, &again.objective) != (outcome.status, &outcome.objective) {
        let said = format!("{}, and its tree {}", outcome.status, again.status);
        return Err(CertificateError::Wrong(said));
    }
    Ok(again.strategy)
}

/// The scenarios and the proof against them.
fn refutation(
    program: &Program,
    settings: &Settings,
    outcome: &Outcome,
    guarantee: Guarantee,
    budget: &mut Budget,
) -> Result<Scenarios, CertificateError> {
    let without_objective = match guarantee {
        Guarantee::Lost => without_objective(program),
        _ => None,
    };
    let stages = Stages::new(without_objective.as_ref().unwrap_or(program));
    let plays = match outcome.scenarios.is_empty() {
        true => plays_that_matter(&stages, settings, budget)?,
        false => outcome.scenarios.clone(),
    };
    if plays.is_empty() {
        let reason = "the opponent has no legal play".to_owned();
        return Err(CertificateError::Unsupported(reason));
    }
    let limit = guarantee.cost().map(|cost| {
        let constant = program.objective().map(|it| it.constant.clone());
        cost - cost_of_objective(program, constant.unwrap_or_default())
    });
    let (values, signs) = placed(&stages, &plays);
    let tree = Tree::beside(&stages, &values, &signs);
    let translation = Translation {
        origins: tree.origins(),
        tree: &tree,
    };
    let steps = if let Some((row, play, is_upper)) = tree.dead_by {
        let side = translation.side_of(row, play, is_upper);
        vec![TreeStep::Mix(vec![(side, int(1))])]
    } else {
        let Some(steps) = mip::refute(&tree.problem, limit, budget)? else {
            let reason = "its numbers or its tree are too large to write the proof down".to_owned();
            return Err(CertificateError::Unsupported(reason));
        };
        let costs = translation.least_costs(&stages, plays.len());
        costs
            .chain(steps.into_iter().map(|step| translation.step(step)))
            .collect()
    };
    Ok(Scenarios {
        guarantee,
        plays,
        steps,
    })
}

/// Who is lost is so at any cost.
fn without_objective(program: &Program) -> Option<Program> {
    let mut data = program.clone().into_data();
    data.objective = None;
    Program::new(data).ok()
}

/// The plays that no other one outdoes.
fn plays_that_matter(
    stages: &Stages<'_>,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Named, CertificateError> {
    let plays = moves::plays(stages, settings.most_plays, budget).map_err(|why| match why {
        NoList::Stopped(stop) => CertificateError::Stopped(stop),
        NoList::TooMany => CertificateError::Unsupported("the opponent has too many plays".into()),
        NoList::Infinite(reason) => CertificateError::Unsupported(reason),
    })?;
    let plays = plays_are_answered(stages, plays);
    let named = plays.into_iter().map(|play| named(stages, play, &[]));
    Ok(named.collect())
}

/// A play by its variables; the signs say beside what a value is.
pub(crate) fn named(stages: &Stages<'_>, play: Play, signs: &[i64]) -> Vec<(VarId, Beside)> {
    let values = play.into_iter().enumerate().map(|(number, at)| {
        let by = int(signs.get(number).copied().unwrap_or(0));
        (stages.universals[number], Beside { at, by })
    });
    values.collect()
}

/// The plays in playing order, every value a cell of its own, and the signs.
fn placed(stages: &Stages<'_>, plays: &Named) -> (Vec<(Play, Cells)>, Vec<Vec<i64>>) {
    let mut cells: Vec<Vec<Beside>> = vec![Vec::new(); stages.universals.len()];
    let mut placed = Vec::new();
    let mut signs = Vec::new();
    for play in plays {
        let count = stages.universals.len();
        let (mut values, mut own) = (vec![Rational::default(); count], vec![0; count]);
        let (mut signed, nothing) = (vec![0; count], Rational::default());
        for (var, value) in play {
            let number = stages.seen[*var];
            let known = cells[number].iter().position(|other| other == value);
            own[number] = known.unwrap_or_else(|| {
                cells[number].push(value.clone());
                cells[number].len() - 1
            }) as u32;
            values[number] = value.at.clone();
            signed[number] = i64::from(value.by > nothing) - i64::from(value.by < nothing);
        }
        placed.push((values, own));
        signs.push(signed);
    }
    (placed, signs)
}

/// From the columns and rows of a tree to copies and sides along plays.
struct Translation<'t> {
    tree: &'t Tree,
    origins: IdVec<VarId, Option<(VarId, usize)>>,
}

impl Translation<'_> {
    /// What every play costs at least, where its copies have ends.
    fn least_costs(&self, stages: &Stages<'_>, plays: usize) -> impl Iterator<Item = TreeStep> {
        let is_closed = stages.costs.iter().all(|(var, _)| {
            let domain = stages.program.variables()[*var].domain();
            domain.lower.is_some() && domain.upper.is_some()
        });
        let has_costs = stages.program.objective().is_some() && is_closed;
        let plays = if has_costs { plays } else { 0 };
        (0..plays).map(|play| {
            let side = TreeSide::Of(SideRef::Objective, play as u32);
            TreeStep::Cut(side, TreeColumn::Value)
        })
    }

    fn column(&self, column: VarId) -> TreeColumn {
        match self.origins[column] {
            Some((var, play)) => TreeColumn::Copy(var, play as u32),
            None => TreeColumn::Value,
        }
    }

    fn side_of(&self, row: Option<RowId>, play: usize, is_upper: bool) -> TreeSide {
        let side = match (row, is_upper) {
            (None, _) => SideRef::Objective,
            (Some(row), true) => SideRef::Upper(Player::Exists, row),
            (Some(row), false) => SideRef::Lower(Player::Exists, row),
        };
        TreeSide::Of(side, play as u32)
    }

    fn side(&self, side: ProofSide) -> TreeSide {
        match side.row {
            ProofRow::Derived(number) => TreeSide::Derived(number as u32),
            ProofRow::Given(row) => {
                let (row, play) = self.tree.row_origins[row];
                self.side_of(row, play, side.is_upper)
            }
        }
    }

    fn sum(&self, sum: ProofSum) -> TreeSum {
        let items = sum.into_iter();
        items.map(|(side, by)| (self.side(side), by)).collect()
    }

    fn row(&self, terms: Vec<Term>, side: Rational) -> TreeRow {
        let terms = terms.into_iter();
        TreeRow {
            terms: terms
                .map(|(column, by)| (self.column(column), by))
                .collect(),
            side,
        }
    }

    fn step(&self, step: ProofStep) -> TreeStep {
        match step {
            ProofStep::Cut(side, column) => TreeStep::Cut(self.side(side), self.column(column)),
            ProofStep::Tighten(sum) => TreeStep::Tighten(self.sum(sum)),
            ProofStep::Split(column, at) => TreeStep::Split(self.column(column), int(at)),
            ProofStep::Mix(sum) => TreeStep::Mix(self.sum(sum)),
            ProofStep::Round(rounding) => {
                let halves = rounding.halves.map(|(sum, half)| {
                    let mut sum = self.sum(sum);
                    sum.push((TreeSide::Half, half));
                    sum
                });
                TreeStep::Round {
                    row: self.row(rounding.terms, rounding.side),
                    at: self.row(rounding.at, rounding.at_most),
                    halves,
                }
            }
        }
    }
}
