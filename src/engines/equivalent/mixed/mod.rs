//! The deterministic equivalent with integers and reals of any stage: one mixed-integer program
//! over the tree of universal plays, solved by the exact kernel ([`crate::mip`]).
//!
//! The universal player's moves must be finitely many, or finitely many of them must suffice
//! ([`moves`]), and its rows must be about its own variables.

mod bracket;
mod cells;
pub(crate) mod dominance;
pub(crate) mod moves;
mod plan;
mod prove;
pub(crate) mod stages;
pub(crate) mod tree;

pub use bracket::bounds_of_mixed;
pub(crate) use plan::strategy;
use prove::Named;
pub(crate) use prove::named;
pub use prove::prove;

use moves::NoList;
use stages::Stages;
use tree::{Play, Tree};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

use super::export::{Sheet, after, copy_name, relation};
use super::{Settings, unsupported};
use crate::budget::{Budget, Progress};
use crate::lp::simplex::LinearProgram;
use crate::mip::{self, End, Event, MixedProgram, Point, Question};
use crate::num::{Rational, int};
use crate::outcome::{Effort, Halt, Outcome, Score, SolveError, cost_of_objective};
use crate::program::{Id, IdVec, Kind, Program, Quantifier, VarId, Variable};

fn decisions_in_universal_rows(program: &Program) -> Option<String> {
    let is_universal = |var: VarId| program.variables()[var].quantifier == Quantifier::Forall;
    let mut rows = program.universal_rows().pairs();
    let tied = rows.find(|(_, row)| !row.terms.iter().all(|(var, _)| is_universal(*var)));
    tied.map(|(id, _)| {
        let label = program.row_label(Quantifier::Forall, id);
        format!(
            "universal row {label} depends on existential decisions, and there are real variables; \
             state what a decision forbids by an existential row with an indicator instead"
        )
    })
}

/// Why finitely many moves of the opponent do not suffice, if they do not.
pub(crate) fn refusal(program: &Program) -> Option<String> {
    if let Some(reason) = decisions_in_universal_rows(program) {
        return Some(reason);
    }
    moves::values(&Stages::new(program)).err()
}

/// Why this engine does not take the program, if it does not: integers after a real opponent are
/// solved by cells.
pub(super) fn refusal_of_this_engine(program: &Program) -> Option<String> {
    let reason = refusal(program)?;
    match decisions_in_universal_rows(program) {
        Some(_) => Some(reason),
        None => cells::refusal(&Stages::new(program)).map(|_| reason),
    }
}

/// Whether the program has reals and is of the class.
pub(crate) fn accepts(program: &Program) -> bool {
    program.variables().iter().any(|it| it.kind == Kind::Real) && refusal(program).is_none()
}

/// The plays that matter; an error if there are too many of them.
pub(crate) fn plays(
    stages: &Stages<'_>,
    engine: &'static str,
    most: usize,
    budget: &mut Budget,
) -> Result<Vec<Play>, Halt> {
    moves::plays(stages, most, budget).map_err(|why| match why {
        NoList::Stopped(stop) => Halt::Stop(stop),
        NoList::TooMany => {
            let reason = format!("the universal player has more than {most} legal plays");
            Halt::Refused(unsupported(engine, reason))
        }
        NoList::Infinite(reason) => Halt::Refused(unsupported(engine, reason)),
    })
}

/// Solves a mixed program by its whole tree.
pub(super) fn solve(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    if let Some(reason) = refusal_of_this_engine(program) {
        return Err(unsupported(super::ENGINE, reason));
    }
    match solve_open(program, settings, budget) {
        Ok(outcome) => Ok(outcome),
        Err(Halt::Stop(stop)) => Ok(Outcome::interrupted(stop)),
        Err(Halt::Refused(error)) => Err(error),
    }
}

/// The tree over the plays that matter, for export.
pub(super) fn sheet(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Sheet, SolveError> {
    if let Some(reason) = refusal(program) {
        return Err(unsupported(super::ENGINE, reason));
    }
    let refused = |reason: &str| unsupported(super::ENGINE, reason.to_owned());
    let whole = match Whole::new(program, settings, budget) {
        Ok(Some(whole)) => whole,
        Ok(None) => {
            return Err(refused(
                "there is nothing to export, the opponent has no legal play",
            ));
        }
        Err(Halt::Stop(_)) => {
            return Err(refused("a limit was reached while its plays were listed"));
        }
        Err(Halt::Refused(error)) => return Err(error),
    };
    Ok(whole.sheet())
}

/// How many columns the whole tree has; `None` if it cannot be said or nobody can play.
pub(super) fn tree_columns(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Option<usize> {
    let whole = Whole::new(program, settings, budget).ok()??;
    Some(size(&whole.stages, &whole.hard))
}

fn solve_open(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, Halt> {
    let stages = Stages::new(program);
    if moves::values(&stages).is_err() {
        return cells::solve(stages, settings, budget);
    }
    match Whole::new(program, settings, budget)? {
        Some(whole) => Ok(whole.solve(budget)),
        None => Ok(Outcome::proved(
            program,
            &who_is_dead_first(program, budget)?,
        )),
    }
}
/// The plays that no other one outdoes.
fn plays_are_answered(stages: &Stages<'_>, plays: Vec<Play>) -> Vec<Play> {
    let answered = dominance::answered_by(stages, &plays);
    let plays = plays.into_iter().enumerate();
    let hardest = plays.filter(|(play, _)| answered[*play] == *play);
    hardest.map(|(_, play)| play).collect()
}

/// How many copies of existential variables a tree over these plays has; they are in order.
pub(crate) fn size(stages: &Stages<'_>, plays: &[Play]) -> usize {
    let count = |stage: usize| {
        let own = stages.of_stage(stage).count();
        let new = plays
            .windows(2)
            .filter(|pair| pair[0][..stage] != pair[1][..stage]);
        own * if own == 0 { 0 } else { new.count() + 1 }
    };
    (0..=stages.universals.len()).map(count).sum()
}

/// The universal system is dead: its owner loses, unless the existential one is dead as well and
/// the existential player owns the first variable.
pub(crate) fn who_is_dead_first(program: &Program, budget: &mut Budget) -> Result<Score, Halt> {
    let first = program.variables().iter().next();
    if first.is_none_or(|first| first.quantifier == Quantifier::Forall) {
        return Ok(Score::Won);
    }
    let variables = program.variables().iter();
    let all = MixedProgram {
        linear: LinearProgram {
            objective: Vec::new(),
            bounds: variables.clone().map(Variable::domain).collect(),
            rows: program.rows().clone(),
        },
        integer: variables.map(|it| it.kind == Kind::Integer).collect(),
    };
    let question = Question {
        enough: Some(int(0)),
        ..Question::default()
    };
    let answer = mip::minimise(&all, &question, budget, &mut |_, _| {});
    match answer.end {
        End::Stopped(stop) => Err(stop.into()),
        _ if answer.best.is_some() => Ok(Score::Won),
        _ => Ok(Score::Lost),
    }
}

/// All plays at once.
struct Whole<'a> {
    stages: Stages<'a>,
    plays: Vec<Play>,
    /// The plays that no other one outdoes, and which of them answers each play.
    hard: Vec<Play>,
    answered: Vec<usize>,
}

impl<'a> Whole<'a> {
    /// `None` if the universal player has no legal play.
    fn new(
        program: &'a Program,
        settings: &Settings,
        budget: &mut Budget,
    ) -> Result<Option<Self>, Halt> {
        let stages = Stages::new(program);
        let plays = plays(&stages, super::ENGINE, settings.most_plays, budget)?;
        if plays.is_empty() {
            return Ok(None);
        }
        let answered = dominance::answered_by(&stages, &plays);
        let hardest = (0..plays.len()).filter(|&play| answered[play] == play);
        let hardest: Vec<usize> = hardest.collect();
        let hard: Vec<Play> = hardest.iter().map(|&play| plays[play].clone()).collect();
        let columns = size(&stages, &hard);
        if columns > settings.most_columns {
            let reason = format!(
                "its {} plays need {columns} columns, more than the {} allowed",
                hard.len(),
                settings.most_columns
            );
            return Err(Halt::Refused(unsupported(super::ENGINE, reason)));
        }
        let place = |play: usize| hardest.binary_search(&answered[play]).unwrap_or(0);
        let answered = (0..plays.len()).map(place).collect();
        let whole = Self {
            stages,
            plays,
            hard,
            answered,
        };
        Ok(Some(whole))
    }

    fn tree(&self) -> Tree {
        Self::tree_over(&self.stages, &self.hard)
    }

    fn tree_over(stages: &Stages<'_>, plays: &[Play]) -> Tree {
        let plays: Vec<&[Rational]> = plays.iter().map(Vec::as_slice).collect();
        let nothing = IdVec::filled(stages.program.variables().len(), Rational::default());
        Tree::new(stages, &plays, 0, &nothing)
    }

    fn sheet(&self) -> Sheet {
        let program = self.stages.program;
        let tree = self.tree();
        let mut sheet = Sheet::over(self.hard.len());
        let constant = program
            .objective()
            .map(|it| cost_of_objective(program, it.constant.clone()));
        let scale = tree
            .problem
            .linear
            .objective
            .iter()
            .fold(BigInt::one(), |scale, (_, by)| scale.lcm(by.denom()));
        sheet.say(relation(
            program,
            &constant.unwrap_or_default(),
            &Rational::from_integer(scale.clone()),
        ));
        let origins = tree.origins();
        let columns = tree.problem.linear.bounds.pairs();
        for (column, bounds) in columns {
            let name = match origins[column] {
                None => "value".to_owned(),
                Some((var, play)) => {
                    let name = copy_name(program, var, column.index());
                    let seen = &self.hard[play][..self.stages.seen[var]];
                    let seen = after(program, &self.stages.universals, seen);
                    sheet.say(format!("{name}: {}{seen}", program.variables()[var].name));
                    name
                }
            };
            sheet.add_column(name, bounds.clone(), tree.problem.integer[column]);
        }
        for (column, by) in &tree.problem.linear.objective {
            sheet.set_cost(column.index(), by.numer() * (&scale / by.denom()));
        }
        for row in &tree.problem.linear.rows {
            sheet.add_row(row);
        }
        sheet
    }

    fn solve(&self, budget: &mut Budget) -> Outcome {
        let program = self.stages.program;
        let tree = self.tree();
        let plays = self.hard.iter();
        let scenarios: Named = plays
            .map(|play| named(&self.stages, play.clone(), &[]))
            .collect();
        if tree.is_dead {
            return Outcome {
                scenarios,
                ..Outcome::proved(program, &Score::Lost)
            };
        }
        let mut lps = 0;
        let mut listener = |event: &Event<'_>, budget: &mut Budget| {
            lps = event.lps;
            self.report(event, budget);
        };
        let answer = mip::minimise(&tree.problem, &Question::default(), budget, &mut listener);
        let mut outcome = match (&answer.best, answer.end) {
            (_, End::Unbounded) => Outcome::proved(program, &Score::Unbounded),
            (best, End::Stopped(stop)) => Outcome {
                objective: best
                    .as_ref()
                    .and_then(|best| self.stages.objective(best.cost.clone())),
                bound: answer
                    .bound
                    .clone()
                    .and_then(|bound| self.stages.objective(bound)),
                ..Outcome::interrupted(stop)
            },
            (None, _) => Outcome::proved(program, &Score::Lost),
            (Some(best), _) => {
                let value = self.stages.objective(best.cost.clone()).unwrap_or_default();
                Outcome::proved(program, &Score::Cost(cost_of_objective(program, value)))
            }
        };
        if let Some(best) = &answer.best {
            self.describe(&tree, best, &mut outcome);
        }
        outcome.scenarios = scenarios;
        outcome.effort = Effort {
            nodes: budget.nodes(),
            lps,
            learnt: 0,
        };
        outcome
    }

    fn report(&self, event: &Event<'_>, budget: &mut Budget) {
        let objective = |cost: &Rational| self.stages.objective(cost.clone());
        budget.report(&Progress {
            nodes: budget.nodes(),
            depth: self.hard.len(),
            objective: event.best.and_then(|best| objective(&best.cost)),
            bound: event.bound.and_then(objective),
            lps: event.lps,
            new_strategy: event.best.is_some(),
            ..Progress::default()
        });
    }

    /// What a point of the tree says: the first stage, a worst play, the strategy.
    fn describe(&self, tree: &Tree, point: &Point, outcome: &mut Outcome) {
        let stages = &self.stages;
        let value = |var: VarId, play: usize| {
            let variables = stages.program.variables();
            match variables[var].quantifier {
                Quantifier::Forall => self.plays[play][stages.seen[var]].clone(),
                Quantifier::Exists => {
                    point.values[tree.column(var, stages.seen[var], self.answered[play])].clone()
                }
            }
        };
        let cost = |play: usize| -> Rational {
            let terms = stages.costs.iter();
            terms.map(|(var, by)| by * value(*var, play)).sum()
        };
        let first = stages.of_stage(0).map(|var| (var, value(var, 0)));
        outcome.first_stage = first.collect();
        outcome.first_stage.sort_by_key(|(var, _)| *var);
        let worst = (0..self.plays.len()).max_by_key(|&play| cost(play));
        if let Some(worst) = worst {
            let variables = stages.program.variables().ids();
            outcome.principal_variation = variables.map(|var| (var, value(var, worst))).collect();
        }
        outcome.strategy = strategy(stages, &self.plays, &value);
    }
}
