//! Points that HiGHS's own branch and cut proposes.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::{Listener, Mip};
use crate::budget::Budget;
use crate::lp::LpProblem;
use crate::lp::mip::solve_once;
use crate::outcome::Stop;

/// The longest that HiGHS may think: a moment more than was thought before, and no more than a part
/// of the time that is left.
const LONGEST: Duration = Duration::from_secs(20);
const MOMENT: Duration = Duration::from_secs(1);
const PART: u32 = 4;

impl Mip {
    /// Asks HiGHS for a good point and takes it with its integers fixed.
    pub(super) fn take_claim(
        &mut self,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<(), Stop> {
        let time = LONGEST.min(
            self.begun_at
                .map_or(MOMENT, |at| budget.elapsed() - at + MOMENT),
        );
        let left = budget.remaining().map(|left| left / PART);
        let time = left.map_or(time, |left| time.min(left));
        let claimed = claimed_point(&self.grid.problem, &self.integer, time, budget)?;
        if let Some(point) = claimed {
            let before = (self.lower.clone(), self.upper.clone());
            (self.lower, self.upper) = self.root.clone();
            self.offer_near(&point, budget, listener)?;
            (self.lower, self.upper) = before;
        }
        Ok(())
    }
}

/// The best point that HiGHS finds in that time, in floats.
///
/// HiGHS cannot be interrupted: it thinks on a thread of its own, which is left to its time limit
/// when nobody waits for it any more.
fn claimed_point(
    problem: &LpProblem,
    integer: &[bool],
    time: Duration,
    budget: &mut Budget,
) -> Result<Option<Vec<f64>>, Stop> {
    const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
    let (send, receive) = mpsc::channel();
    let (problem, integer) = (problem.clone(), integer.to_vec());
    // Nobody may be listening any more when the answer comes.
    std::thread::spawn(move || {
        send.send(solve_once(&problem, &integer, Some(time)).point)
            .ok()
    });
    loop {
        match receive.recv_timeout(BETWEEN_LOOKS) {
            Ok(point) => return Ok(point),
            Err(RecvTimeoutError::Timeout) => budget.look()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}
