//! Two engines on one formula, in turns: learning and refinement.
//!
//! Learning is right where many blocks alternate, refinement where few moves decide; which of the
//! two, nobody knows before. Learning begins; then each has a slice of work, and slices double. Work
//! is counted in literals that are propagated or written, never by the clock, so that a run can be
//! repeated. Refinement is the one that waits in the middle of its recursion: it calls
//! [`Turns::spend`], which lets learning go on where it stood.
//!
//! **Invariant:** an answer is one engine's own.

use super::engine::{Engine, Victory};
use super::matrix::Matrix;
use super::refine;
use crate::outcome::Stop;

/// The first slice: what learning needs for most formulas, a few tenths of a second.
const FIRST_SLICE: u64 = 1 << 20;

/// Slices do not grow beyond this.
const LONGEST_SLICE: u64 = 1 << 27;

/// Work of refinement between two looks at the clock.
const WORK_PER_LOOK: u64 = 20_000;

/// Why refinement ends without an answer of its own.
pub(super) enum Pause {
    Stop(Stop),
    /// Learning has the answer.
    Answered(Victory),
    /// There is no room for more lines of play.
    TooLarge,
}

impl From<Stop> for Pause {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

pub(super) struct Turns<'b> {
    pub engine: Engine<'b>,
    slice: u64,
    /// What is left of refinement's slice.
    left: u64,
    since_look: u64,
}

impl<'b> Turns<'b> {
    pub fn new(engine: Engine<'b>) -> Self {
        Self {
            engine,
            slice: FIRST_SLICE,
            left: FIRST_SLICE,
            since_look: 0,
        }
    }

    /// Decides the formula.
    pub fn run(&mut self, matrix: &Matrix) -> Result<Victory, Stop> {
        let settings = self.engine.settings.clone();
        if settings.learn
            && let Some(victory) = self.engine.run(self.slice)?
        {
            return Ok(victory);
        }
        if settings.refine {
            match refine::decide(matrix, self) {
                Ok(victory) | Err(Pause::Answered(victory)) => return Ok(victory),
                Err(Pause::Stop(stop)) => return Err(stop),
                Err(Pause::TooLarge) => {}
            }
        }
        loop {
            if let Some(victory) = self.engine.run(u64::MAX)? {
                return Ok(victory);
            }
        }
    }

    /// Accounts for work of refinement; at the end of its slice learning goes on.
    pub fn spend(&mut self, work: u64) -> Result<(), Pause> {
        self.engine.budget.spend_node()?;
        self.since_look += work;
        if self.since_look >= WORK_PER_LOOK {
            self.since_look = 0;
            self.engine.budget.look()?;
        }
        self.left = self.left.saturating_sub(work);
        if self.left > 0 {
            return Ok(());
        }
        self.slice = (2 * self.slice).min(LONGEST_SLICE);
        self.left = self.slice;
        if self.engine.settings.learn
            && let Some(victory) = self.engine.run(self.slice)?
        {
            return Err(Pause::Answered(victory));
        }
        Ok(())
    }
}
