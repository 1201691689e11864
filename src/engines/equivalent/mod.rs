//! The deterministic equivalent: every legal universal play at once, as one integer program.
//!
//! An engine for programs with few plays (and for plain integer programs, which have one), an
//! export for other solvers, and the baseline of comparisons.
//!
//! # How a program becomes one
//! 1. Reals that may as well be integer become integer ([`with_implied_integers`]); programs with
//!    other reals are `mixed`.
//! 2. A last universal block is replaced by each row's worst case ([`counterpart`]), unless decisions
//!    can make plays illegal: who kills his opponent must be alive at all, not in the worst case.
//! 3. The legal plays are listed ([`plays`]), the size of the program is counted, and what is too
//!    large is refused with a sentence.
//! 4. The scenario tree is built ([`Tree`]).
//! 5. HiGHS, through `good_lp`, may suggest a point; exact branch and bound ([`Branching`]) proves
//!    the optimum.
//!
//! **Invariant:** HiGHS's answer is a claim. An answer is `optimal` only if [`Branching`] proved it.

mod branching;
mod claim;
mod conditions;
pub mod counterpart;
mod dominance;
mod escape;
mod export;
pub(crate) mod mixed;
pub mod plays;
mod rounds;
mod skeleton;
mod tree;

pub use branching::{Answer, Branching, Point};
pub use claim::{claimed_point, claimed_point_within};
pub use conditions::{Condition, Conditions};
pub use export::{Sheet, sheet_of};
pub use mixed::bounds_of_mixed;
pub use skeleton::{Gate, Place, Skeleton, SystemRow};
pub use tree::{ColumnOrigin, Size, Tree};

use std::time::Duration;

use counterpart::Reduced;
use plays::Listing;

use crate::budget::{Budget, Progress};
use crate::empty;
use crate::lp::{Column, LpProblem, LpRow};
use crate::num::{Rational, int};
use crate::outcome::{
    CertificateError, Effort, Move, Outcome, Score, SolveError, Stop, cost_of_objective,
};
use crate::presolve::with_implied_integers;
use crate::program::{Kind, Program, Quantifier};
use crate::propagate::Inequalities;
use crate::strategy::Certificate;

/// What the engine takes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Programs with more legal plays are refused.
    pub most_plays: usize,
    /// Programs whose tree has more coefficients are refused.
    pub most_coefficients: usize,
    /// Mixed programs whose tree has more columns are refused.
    pub most_columns: usize,
    /// HiGHS is asked when branch and bound has not finished after this many nodes.
    pub nodes_before_claim: u64,
    /// The longest that HiGHS may think.
    pub claim_time: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            most_plays: 50_000,
            most_coefficients: 4_000_000,
            most_columns: 100_000,
            nodes_before_claim: 64,
            claim_time: Duration::from_secs(20),
        }
    }
}

const ENGINE: &str = "equivalent";

/// Solves a program of integers by its deterministic equivalent.
///
/// ```
/// use quip::budget::Budget;
/// use quip::outcome::Status;
/// let program = quip::format::parse_qip(
///     "minimize cost: x
///      subject to cover: x >= y
///      prefix forall integer y in [0, 2]  exists integer x in [0, 5]
///      end",
/// )?;
/// let outcome = quip::equivalent::solve(&program, &mut Budget::unlimited())?;
/// assert_eq!(outcome.status, Status::Optimal);
/// assert_eq!(outcome.objective.unwrap().to_string(), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(program: &Program, budget: &mut Budget) -> Result<Outcome, SolveError> {
    solve_with(program, &Settings::default(), budget)
}

/// Like [`solve`], with other limits.
pub fn solve_with(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    if is_mixed(program) || is_long(program) {
        return solve_long(program, settings, budget);
    }
    match prepare(program, ENGINE, budget)? {
        Prepared::Decided(outcome) => Ok(*outcome),
        Prepared::Open {
            program,
            mut skeleton,
        } => {
            skeleton.fix_dominated();
            let plays = match plays::hardest_plays(&skeleton, settings.most_plays, budget) {
                Err(stop) => return Ok(Outcome::interrupted(stop)),
                Ok(Listing::TooMany) => return Err(too_many_plays(settings)),
                Ok(Listing::Complete(plays)) => plays,
            };
            skeleton.find_safe_beginnings(&plays);
            let tree = build(&skeleton, &plays, settings)?;
            Ok(Engine {
                program: &program,
                skeleton: &skeleton,
                tree: &tree,
                settings,
                incumbent: None,
            }
            .solve(budget))
        }
    }
}

/// Whether the program has real variables that do not turn out to be integers. [`solve`] takes it if
/// finitely many plays of the opponent suffice, and these are few.
///
/// ```
/// let program = quip::format::parse_qip(
///     "minimize cost: 2 x + 3 y + z
///      subject to cover: x + y + z >= 5/2 u
///      prefix exists real x in [0, 5]  forall integer u in [0, 2]
///             exists integer y in [0, 5]  exists real z in [0, 1/2]
///      end",
/// )?;
/// assert!(quip::equivalent::is_mixed(&program));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_mixed(program: &Program) -> bool {
    let mut variables = program.variables().iter();
    variables.any(|variable| variable.kind == Kind::Real)
        && program.first_empty_domain().is_none()
        && with_implied_integers(program).is_none()
}

/// The certificate of an outcome of a mixed program: its strategy, and a refutation by scenarios.
pub fn prove_mixed(
    program: &Program,
    settings: &Settings,
    outcome: &Outcome,
    budget: &mut Budget,
) -> Result<Certificate, CertificateError> {
    match mixed::refusal_of_this_engine(program) {
        Some(reason) => Err(CertificateError::Unsupported(reason)),
        None => mixed::prove(program, settings, outcome, budget),
    }
}

/// Whether the program is one of integers, or of reals that turn out to be some, whose numbers do not
/// fit machine integers. [`solve`] takes it as it takes mixed programs, in numbers of any length.
pub fn is_long(program: &Program) -> bool {
    let mut variables = program.variables().iter();
    program.first_empty_domain().is_none()
        && match variables.all(|variable| variable.kind == Kind::Integer) {
            true => !Inequalities::fit(program),
            false => with_implied_integers(program).is_some_and(|it| !Inequalities::fit(&it)),
        }
}

/// Like [`solve_with`] for a program that [`is_long`], or one with some of its moves made; the outcome has
/// a strategy.
pub fn solve_long(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    mixed::solve(program, settings, budget)
}

/// Whether the program has two stages, and everything that is decided in the second one is real.
///
/// ```
/// let program = quip::format::parse_qip(
///     "minimize cost: x + z  subject to cover: x + 2 z >= y
///      prefix exists integer x in [0, 5]  forall integer y in [0, 3]  exists real z in [0, 1]
///      end",
/// )?;
/// assert!(quip::equivalent::has_real_replies(&program));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn has_real_replies(program: &Program) -> bool {
    mixed::stages::Stages::new(program).has_real_replies()
}

/// How many columns the tree of a mixed program has, within these settings.
pub fn mixed_columns(program: &Program, settings: &Settings, budget: &mut Budget) -> Option<usize> {
    mixed::tree_columns(program, settings, budget)
}

/// The scenario tree over all legal plays, for export.
///
/// The program that is exported is the one that is solved: a last universal block is already
/// replaced by worst cases.
pub fn tree_of(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<(Program, Skeleton, Tree), SolveError> {
    let refused = |reason: &str| unsupported(ENGINE, reason.to_owned());
    match prepare(program, ENGINE, budget)? {
        Prepared::Decided(outcome) => {
            let reason = format!(
                "there is nothing to export, it is decided before the first move: {}",
                outcome.status
            );
            Err(unsupported(ENGINE, reason))
        }
        Prepared::Open {
            program,
            mut skeleton,
        } => match plays::legal_plays(&skeleton, settings.most_plays, budget) {
            Err(_) => Err(refused("a limit was reached while its plays were listed")),
            Ok(Listing::TooMany) => Err(too_many_plays(settings)),
            Ok(Listing::Complete(plays)) => {
                skeleton.find_safe_beginnings(&plays);
                let tree = build(&skeleton, &plays, settings)?;
                Ok((*program, *skeleton, tree))
            }
        },
    }
}

fn too_many_plays(settings: &Settings) -> SolveError {
    let reason = format!(
        "the universal player has more than {} legal plays",
        settings.most_plays
    );
    unsupported(ENGINE, reason)
}

fn build(skeleton: &Skeleton, plays: &[Vec<i64>], settings: &Settings) -> Result<Tree, SolveError> {
    let size = Size::of(skeleton, plays);
    if size.coefficients.max(size.columns) > settings.most_coefficients {
        let reason = format!(
            "its {} plays need {} columns, {} rows and {} coefficients, more than the {} allowed",
            plays.len(),
            size.columns,
            size.rows,
            size.coefficients,
            settings.most_coefficients
        );
        return Err(unsupported(ENGINE, reason));
    }
    let mut tree = Tree::new(skeleton);
    for play in plays {
        tree.add_play(skeleton, play);
    }
    Ok(tree)
}

/// A program as the scenario engines want it.
pub(crate) enum Prepared {
    /// Somebody has won before the first move, or a limit was reached.
    Decided(Box<Outcome>),
    /// The universal system is alive, and the last block is existential unless it is tied or
    /// decisions can make plays illegal.
    Open {
        program: Box<Program>,
        skeleton: Box<Skeleton>,
    },
}

/// Decides what is decided from the start and removes a last universal block.
pub(crate) fn prepare(
    program: &Program,
    engine: &'static str,
    budget: &mut Budget,
) -> Result<Prepared, SolveError> {
    match empty::decide(program, budget) {
        Ok(None) => {}
        Ok(Some(decided)) => return Ok(Prepared::Decided(Box::new(decided.outcome(program)))),
        Err(stop) => return Ok(Prepared::Decided(Box::new(Outcome::interrupted(stop)))),
    }
    let integral = with_implied_integers(program);
    let program = integral.as_ref().unwrap_or(program);
    let skeleton = Skeleton::new(program, engine)?;
    let decided = |outcome| Ok(Prepared::Decided(Box::new(outcome)));
    match dead_from_the_start(program, &skeleton, budget)? {
        Ok(None) => {}
        Ok(Some(score)) => return decided(Outcome::proved(program, &score)),
        Err(stop) => return decided(Outcome::interrupted(stop)),
    }
    let unchanged = |skeleton| (Box::new(program.clone()), skeleton);
    let (program, skeleton) = if skeleton.conditions.is_empty() {
        match counterpart::without_last_universals(program, budget)? {
            Err(stop) => return decided(Outcome::interrupted(stop)),
            Ok(Reduced::Unchanged) => unchanged(skeleton),
            Ok(Reduced::Program(reduced)) => {
                let fewer = Skeleton::new(&reduced, engine)?;
                if fewer.conditions.is_empty() {
                    (reduced, fewer)
                } else {
                    unchanged(skeleton)
                }
            }
        }
    } else {
        unchanged(skeleton)
    };
    Ok(Prepared::Open {
        program,
        skeleton: Box::new(skeleton),
    })
}

/// Whether decisions can make plays of the program illegal, so that its trees have escapes.
pub fn has_conditions(program: &Program) -> bool {
    let skeleton = |program: &Program| Skeleton::new(program, ENGINE);
    program.class().decision_dependent && {
        let integral = with_implied_integers(program);
        skeleton(integral.as_ref().unwrap_or(program)).is_ok_and(|it| !it.conditions.is_empty())
    }
}

/// A universal system that nothing satisfies loses; if the existential one is dead too, the owner
/// of the first variable loses. A dead existential system alone shows in the tree.
fn dead_from_the_start(
    program: &Program,
    skeleton: &Skeleton,
    budget: &mut Budget,
) -> Result<Result<Option<Score>, Stop>, SolveError> {
    let mut alive = |owner: Quantifier| -> Result<Result<bool, Stop>, SolveError> {
        let rows = program.scaled_system(owner)?;
        let problem = LpProblem {
            columns: skeleton.boxes.iter().map(|&box_| free(box_)).collect(),
            rows: rows.iter().map(LpRow::from).collect(),
        };
        let answer = Branching::new(&problem).minimise(None, budget);
        Ok(match (answer.best, answer.stop) {
            (Some(_), _) => Ok(true),
            (None, None) => Ok(false),
            (None, Some(stop)) => Err(stop),
        })
    };
    match alive(Quantifier::Forall)? {
        Ok(false) => {}
        Ok(true) => return Ok(Ok(None)),
        Err(stop) => return Ok(Err(stop)),
    }
    let first = program.variables().iter().next();
    let first = first.map_or(Quantifier::Exists, |variable| variable.quantifier);
    Ok(
        alive(Quantifier::Exists)?.map(|existential| match (existential, first) {
            (false, Quantifier::Exists) => Some(Score::Lost),
            _ => Some(Score::Won),
        }),
    )
}

fn free((lower, upper): (i64, i64)) -> Column {
    Column {
        cost: 0,
        lower,
        upper,
    }
}

pub(crate) fn unsupported(engine: &'static str, reason: String) -> SolveError {
    SolveError::Unsupported { engine, reason }
}

/// The moves of the first stage in a point of a tree.
pub(crate) fn first_stage(skeleton: &Skeleton, tree: &Tree, point: &[i64]) -> Vec<Move> {
    let variables = skeleton.stages[0].iter();
    let values = &point[tree.first_stage_column()..];
    let moves = variables.zip(values);
    moves.map(|(&var, &value)| (var, int(value))).collect()
}

struct Engine<'a> {
    program: &'a Program,
    skeleton: &'a Skeleton,
    tree: &'a Tree,
    settings: &'a Settings,
    incumbent: Option<Point>,
}

impl Engine<'_> {
    fn solve(mut self, budget: &mut Budget) -> Outcome {
        let problem = self.tree.problem();
        let mut branching = Branching::new(problem);
        for column in 0..problem.columns.len() {
            branching.set_rank(column, self.tree.rank(column));
        }
        let nodes = Some(self.settings.nodes_before_claim);
        let mut answer = branching.minimise_within(None, nodes, budget);
        if answer.stop == Some(Stop::Nodes) && budget.look().is_ok() {
            self.take(answer.best.take(), budget);
            match claimed_point_within(problem, self.settings.claim_time, budget) {
                Ok(claimed) => {
                    self.take(claimed, budget);
                    let limit = self.incumbent.as_ref().map(|point| point.cost);
                    answer = branching.minimise(limit, budget);
                }
                Err(stop) => answer.stop = Some(stop),
            }
        }
        self.take(answer.best, budget);
        let effort = Effort {
            nodes: budget.nodes(),
            lps: branching.lps(),
            learnt: 0,
        };
        self.outcome(answer.bound, answer.stop, effort)
    }

    fn take(&mut self, point: Option<Point>, budget: &mut Budget) {
        let Some(point) = point else { return };
        if self
            .incumbent
            .as_ref()
            .is_none_or(|best| point.cost < best.cost)
        {
            let progress = Progress {
                nodes: budget.nodes(),
                objective: objective_of(self.program, self.skeleton, point.cost),
                new_strategy: true,
                ..Progress::default()
            };
            budget.report(&progress);
            self.incumbent = Some(point);
        }
    }

    fn outcome(self, bound: Option<i64>, stop: Option<Stop>, effort: Effort) -> Outcome {
        let Self {
            program,
            skeleton,
            tree,
            incumbent,
            ..
        } = self;
        let found = incumbent.map(|point| {
            let first_stage = first_stage(skeleton, tree, &point.values);
            (point.cost, first_stage)
        });
        concluded(program, skeleton, found, bound, stop, effort)
    }
}

/// The objective that a scaled cost stands for, where there is one.
pub(crate) fn objective_of(program: &Program, skeleton: &Skeleton, cost: i64) -> Option<Rational> {
    program.objective()?;
    let is_cost = !skeleton.is_won(cost);
    is_cost.then(|| cost_of_objective(program, skeleton.cost(cost)))
}

/// What a scenario engine answers: the cost of its strategy and how it begins, what is proved, and
/// what stopped it.
pub(crate) fn concluded(
    program: &Program,
    skeleton: &Skeleton,
    found: Option<(i64, Vec<Move>)>,
    bound: Option<i64>,
    stop: Option<Stop>,
    effort: Effort,
) -> Outcome {
    let objective = |cost: i64| objective_of(program, skeleton, cost);
    let cost = found.as_ref().map(|found| found.0);
    let mut outcome = match (cost, stop) {
        (Some(cost), None) if skeleton.is_won(cost) => Outcome::proved(program, &Score::Won),
        (Some(cost), None) => Outcome::proved(program, &Score::Cost(skeleton.cost(cost))),
        (None, None) => Outcome::proved(program, &Score::Lost),
        (cost, Some(stop)) => Outcome {
            objective: cost.and_then(objective),
            bound: bound.and_then(objective),
            ..Outcome::interrupted(stop)
        },
    };
    outcome.first_stage = found.map_or_else(Vec::new, |found| found.1);
    outcome.effort = effort;
    outcome
}
