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

/// With more blocks refinement wins rarely: it has abstractions of abstractions. On boards of 5×5 it was
/// ahead up to seven moves, and never with nine.
const FEW_BLOCKS: usize = 7;

/// Then it has one part of the work in so many.
const SMALL_SHARE: u64 = 8;

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
    /// Refinement has one part of a slice in so many.
    share: u64,
    /// What is left of refinement's part.
    left: u64,
    since_look: u64,
}

impl<'b> Turns<'b> {
    pub fn new(engine: Engine<'b>) -> Self {
        let slice = engine.pace.first_slice;
        Self {
            engine,
            slice,
            share: 1,
            left: slice,
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

    /// Refinement plays on so many blocks.
    pub fn expect(&mut self, blocks: usize) {
        if blocks > FEW_BLOCKS {
            self.share = SMALL_SHARE;
            self.left /= SMALL_SHARE;
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
        self.left = self.slice / self.share;
        if self.engine.settings.learn
            && let Some(victory) = self.engine.run(self.slice)?
        {
            return Err(Pause::Answered(victory));
        }
        Ok(())
    }
}
