//! What the existential player does after *any* play of the universal player.
//!
//! A policy solves the rest of the play again from the values that were really played, corners or
//! not. What the rest costs is convex in them, so it costs no more than after the worst corner:
//! whatever the universal player does, the replies satisfy the rows, and the play costs at most the
//! value of the program.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::visit::{Verdict, Window};
use super::{Engine, Halt, Prepared, Settings};
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::{Move, SolveError, Stop};
use crate::program::{Program, Quantifier, VarId};

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The engine does not take the program.
    #[error(transparent)]
    Refused(#[from] SolveError),
    /// A limit was reached.
    #[error("stopped before the reply was found")]
    Stopped(Stop),
    /// There is no strategy that satisfies the rows, or nothing to play for.
    #[error("the existential player has no strategy to follow in this program")]
    NoStrategy,
    /// A move is outside its variable's domain or violates a universal row.
    #[error("`{0}` cannot take this value")]
    Illegal(String),
    /// The moves end inside a universal block.
    #[error("the universal block is not complete; a reply follows its last move")]
    Unfinished,
    /// More moves than there are universal variables.
    #[error("there are only {0} universal variables")]
    TooManyMoves(usize),
}

/// Replies to universal plays, found by solving what is left.
///
/// ```
/// use quip::benders::Policy;
/// use quip::budget::Budget;
/// use quip::format::parse_qip;
/// use quip::num::{int, ratio};
///
/// let program = parse_qip(
///     "subject to x = 2 - 4 y
///      prefix forall real y in [0, 1]  exists real x in [-2, 2]
///      end",
/// )?;
/// let mut policy = Policy::new(&program, &mut Budget::unlimited())?;
/// let reply = policy.reply(&[ratio(1, 3)], &mut Budget::unlimited())?;
/// assert_eq!(reply[0].1, ratio(2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Policy<'p> {
    engine: Box<Engine<'p>>,
    /// The reply to each beginning of a universal play that was asked for.
    replies: FxHashMap<Vec<Rational>, Vec<Move>>,
}

impl<'p> Policy<'p> {
    /// Prepares a program; solves nothing yet.
    pub fn new(program: &'p Program, budget: &mut Budget) -> Result<Self, PolicyError> {
        match Engine::prepare(program, &Settings::default(), budget) {
            Ok(Prepared::Open(engine)) => Ok(Self {
                engine,
                replies: FxHashMap::default(),
            }),
            Ok(Prepared::Decided(_)) => Err(PolicyError::NoStrategy),
            Err(Halt::Stop(stop)) => Err(PolicyError::Stopped(stop)),
            Err(Halt::Refused(error)) => Err(PolicyError::Refused(error)),
        }
    }

    /// The moves of the existential block that follows these universal moves, which are all of them
    /// from the first one on and end with a block. None where no existential block follows.
    ///
    /// Earlier blocks are replied to first and once and for all, so that the replies to one play go
    /// together, however it is asked for.
    pub fn reply(
        &mut self,
        universal: &[Rational],
        budget: &mut Budget,
    ) -> Result<Vec<Move>, PolicyError> {
        self.check(universal)?;
        let mut given = 0;
        for stage in 0..self.engine.stages.len() {
            let variables = self.engine.stages[stage].corners.variables().to_vec();
            given = self.assign(&variables, universal, given)?;
            let reply = self.reply_at(stage, &universal[..given], budget)?;
            for (var, value) in &reply {
                self.engine.values[*var] = value.clone();
            }
            if given == universal.len() {
                return Ok(reply);
            }
        }
        Ok(Vec::new())
    }

    fn reply_at(
        &mut self,
        stage: usize,
        universal: &[Rational],
        budget: &mut Budget,
    ) -> Result<Vec<Move>, PolicyError> {
        if let Some(known) = self.replies.get(universal) {
            return Ok(known.clone());
        }
        let engine = &mut self.engine;
        let solved = if stage == 0 {
            engine.solve_first_stage(budget)
        } else {
            let visited = engine.visit(stage, &Window::default(), budget);
            visited.map(|verdict| matches!(verdict, Verdict::Exact(..)))
        };
        if !solved.map_err(PolicyError::Stopped)? {
            return Err(PolicyError::NoStrategy);
        }
        let reply = engine.best[stage].clone();
        self.replies.insert(universal.to_vec(), reply.clone());
        Ok(reply)
    }

    /// Fixes the universal variables before a stage; how many moves are used up then.
    fn assign(
        &mut self,
        variables: &[VarId],
        universal: &[Rational],
        given: usize,
    ) -> Result<usize, PolicyError> {
        let end = given + variables.len();
        let Some(moves) = universal.get(given..end) else {
            return Err(PolicyError::Unfinished);
        };
        // Listed corners may have their variables in another order than the prefix.
        let mut variables = variables.to_vec();
        variables.sort();
        for (var, value) in variables.iter().zip(moves) {
            self.engine.values[*var] = value.clone();
        }
        Ok(end)
    }

    fn check(&self, universal: &[Rational]) -> Result<(), PolicyError> {
        let program = self.engine.program;
        let is_universal = |var: &VarId| program.variables()[*var].quantifier == Quantifier::Forall;
        let variables: Vec<VarId> = program.variables().ids().filter(is_universal).collect();
        if universal.len() > variables.len() {
            return Err(PolicyError::TooManyMoves(variables.len()));
        }
        let moves: BTreeMap<VarId, &Rational> = variables.into_iter().zip(universal).collect();
        for (var, value) in &moves {
            let variable = &program.variables()[*var];
            if !variable.admits(value) {
                return Err(PolicyError::Illegal(variable.name.clone()));
            }
        }
        for row in program.universal_rows() {
            let complete = row.terms.iter().all(|(var, _)| moves.contains_key(var));
            if complete && !row.admits(&row.activity(|var| moves[&var])) {
                let last = row.terms.last().map(|(var, _)| *var);
                let name = last.map(|var| program.variables()[var].name.clone());
                return Err(PolicyError::Illegal(name.unwrap_or_default()));
            }
        }
        Ok(())
    }
}
