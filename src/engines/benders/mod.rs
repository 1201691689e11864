//! Quantified linear programs by nested Benders decomposition.
//!
//! For programs whose existential variables are all real; those of a first existential block may be
//! whole. Each existential block is one linear
//! program, kept warm, whose sides are set to the position at hand; the universal player's corners
//! lead from one to the next; cuts carry prices back. See `visit.rs` for the method and `stages.rs`
//! for what is done to the program first.
//!
//! Sources: Benders' cuts (1962), nested by Birge (1985), with the breaks of game-tree search by
//! Lorenz and Wolf (2015). Here a cut is valid for every position of its stage, and it is taken at
//! the worst corner of the universal block between the stages, not at the corner that was visited.
//!
//! **Invariant:** every number that is compared or reported is an exact rational. Floats find
//! bases; a basis counts only after it was proved in rationals.

mod admission;
mod certificate;
mod corners;
mod integers;
mod legal;
mod outcome;
mod policy;
mod replies;
mod settings;
mod stage;
mod stages;
mod vertices;
mod visit;

use num_traits::Zero;

use crate::budget::Budget;
use crate::empty;
use crate::num::Rational;
use crate::outcome::{Halt, Outcome, Score, SolveError};
use crate::program::{IdVec, Program, VarId};

use admission::Admitted;
use stages::{Built, Stages};

pub use certificate::solve_with_certificate;
pub use policy::{Policy, PolicyError};
pub use settings::Settings;

/// A program in the course of being decomposed.
struct Engine<'p> {
    program: &'p Program,
    settings: Settings,
    stages: Vec<stage::Stage>,
    /// How many corners lead to each stage.
    counts: Vec<u64>,
    /// The values of all variables fixed so far.
    values: IdVec<VarId, Rational>,
    /// For each stage, the best moves of the position that was visited last.
    best: Vec<Vec<(VarId, Rational)>>,
    constant: Rational,
    endless: bool,
    /// Whether the bound of the first stage is one of the whole program.
    watches_bound: bool,
    /// What is proved about the whole program, without the constant.
    bound: Option<Rational>,
    reached: Option<(Rational, Vec<(VarId, Rational)>)>,
}

/// What there is before anything is solved.
enum Prepared<'p> {
    Decided(Score),
    Open(Box<Engine<'p>>),
}

/// Whether [`solve`] takes the program.
///
/// ```
/// use quip::format::parse_qip;
/// let real = parse_qip("prefix forall real y in [0, 1]  exists real x in [0, 1] end")?;
/// assert!(quip::benders::accepts(&real));
/// let first = parse_qip("prefix exists binary x  forall real y in [0, 1] end")?;
/// assert!(quip::benders::accepts(&first));
/// let whole = parse_qip("prefix forall real y in [0, 1]  exists binary x end")?;
/// assert!(!quip::benders::accepts(&whole));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn accepts(program: &Program) -> bool {
    program.first_empty_domain().is_some() || Admitted::new(program).is_ok()
}

/// Solves a program whose existential variables are real, those of the first stage aside.
///
/// ```
/// use quip::benders::{Settings, solve};
/// use quip::budget::Budget;
/// use quip::format::parse_qip;
///
/// let program = parse_qip(
///     "minimize 3 a + 5 b
///      subject to a + 2 b >= 4 + y
///      prefix exists real a in [0, 9]  forall real y in [0, 2]  exists real b in [0, 9]
///      end",
/// )?;
/// let outcome = solve(&program, &Settings::default(), &mut Budget::unlimited())?;
/// assert_eq!(outcome.objective.unwrap().to_string(), "15");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    let mut engine = match Engine::open(program, settings, budget)? {
        Ok(engine) => engine,
        Err(outcome) => return Ok(outcome),
    };
    match engine.solve_first_stage(budget) {
        Ok(_) => Ok(engine.proved(budget)),
        Err(stop) => Ok(engine.interrupted(stop, budget)),
    }
}

impl<'p> Engine<'p> {
    /// The engine, or the outcome if there is nothing to decompose.
    fn open(
        program: &'p Program,
        settings: &Settings,
        budget: &mut Budget,
    ) -> Result<Result<Box<Self>, Outcome>, SolveError> {
        Ok(match Self::prepare(program, settings, budget) {
            Ok(Prepared::Open(engine)) => Ok(engine),
            Ok(Prepared::Decided(score)) => Err(Outcome::proved(program, &score)),
            Err(Halt::Stop(stop)) => Err(Outcome::interrupted(stop)),
            Err(Halt::Refused(error)) => return Err(error),
        })
    }

    fn prepare(
        program: &'p Program,
        settings: &Settings,
        budget: &mut Budget,
    ) -> Result<Prepared<'p>, Halt> {
        if let Some(decided) = empty::decide(program, budget)? {
            return Ok(Prepared::Decided(decided.score()));
        }
        let admitted = Admitted::new(program).map_err(Halt::Refused)?;
        let corners = match admitted.corners(program, budget)? {
            Ok(corners) => corners,
            Err(score) => return Ok(Prepared::Decided(score)),
        };
        let stages = match Stages::build(program, corners, budget)? {
            Built::Stages(stages) => stages,
            Built::Lost => return Ok(Prepared::Decided(Score::Lost)),
        };
        let counts = stages.stages.iter().map(|stage| stage.corners.count());
        let counts = counts.collect::<Option<Vec<u64>>>();
        Ok(Prepared::Open(Box::new(Self {
            program,
            settings: settings.clone(),
            counts: counts.expect("invariant: admission counts the corners"),
            values: IdVec::filled(program.variables().len(), Rational::zero()),
            best: vec![Vec::new(); stages.stages.len()],
            constant: stages.constant,
            endless: stages.endless,
            stages: stages.stages,
            watches_bound: true,
            bound: None,
            reached: None,
        })))
    }

    fn lps(&self) -> u64 {
        self.stages.iter().map(|stage| stage.counts().solves).sum()
    }

    fn learnt(&self) -> u64 {
        self.stages.iter().map(|stage| stage.cuts() as u64).sum()
    }
}

fn unsupported(reason: String) -> SolveError {
    SolveError::Unsupported {
        engine: "benders",
        reason,
    }
}
