//! Limits, the clock and the stop signal. The only place of the library that reads the time.

pub mod race;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use num_traits::Signed;

use crate::num::Rational;
use crate::outcome::Stop;
use race::{Race, Scenario, Seat};

/// What a solve may spend; `None` is no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Bytes of the whole process.
    pub memory: Option<u64>,
    /// What is good enough; without it only a proof ends a solve.
    pub enough: Option<Enough>,
}

/// A strategy that is good enough to stop for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enough {
    /// The first one.
    First,
    /// One that no other is better than by more than this share of its objective.
    Gap(Rational),
}

impl Enough {
    /// Whether a strategy of this objective is good enough beside that bound.
    ///
    /// ```
    /// use quip::budget::Enough;
    /// use quip::num::{int, ratio};
    /// let close = Enough::Gap(ratio(1, 100));
    /// assert!(close.is_met(Some(&int(-200)), Some(&int(-202))));
    /// assert!(!close.is_met(Some(&int(-200)), Some(&int(-203))));
    /// assert!(!close.is_met(Some(&int(-200)), None));
    /// assert!(Enough::First.is_met(Some(&int(3)), None));
    /// ```
    pub fn is_met(&self, objective: Option<&Rational>, bound: Option<&Rational>) -> bool {
        match (self, objective, bound) {
            (_, None, _) => false,
            (Self::First, Some(_), _) => true,
            (Self::Gap(_), Some(_), None) => false,
            (Self::Gap(share), Some(objective), Some(bound)) => {
                (objective - bound).abs() <= share * objective.abs()
            }
        }
    }
}

/// A line of the log: where a solve stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Positions visited.
    pub nodes: u64,
    /// Depth of the position that is being looked at.
    pub depth: usize,
    /// Objective of the best strategy so far.
    pub objective: Option<Rational>,
    /// What is proved on the other side.
    pub bound: Option<Rational>,
    /// Linear programs solved.
    pub lps: u64,
    /// Rows learnt and kept.
    pub learnt: u64,
    /// Whether this line reports a new best strategy.
    pub new_strategy: bool,
    /// The engine that says so.
    pub engine: Option<&'static str>,
}

/// Receives the log of a solve, at most one heartbeat a second and every new strategy.
pub type Observer = Box<dyn FnMut(&Progress, Duration) + Send>;

/// A running account against the limits.
pub struct Budget {
    limits: Limits,
    start: Instant,
    signal: Arc<AtomicBool>,
    observer: Option<Observer>,
    last_report: Instant,
    nodes: u64,
    next_look: u64,
    steps: u64,
    seat: Option<Seat>,
    /// The race whose end is a signal to stop.
    race: Option<Arc<Race>>,
    /// Whether what is reported is about a part of the program only.
    in_a_part: bool,
    /// Whether what was reported is good enough.
    has_enough: bool,
    /// Who works.
    engine: Option<&'static str>,
}

/// How many nodes may pass between two looks at the clock: a look costs as much as several nodes.
const NODES_PER_LOOK: u64 = 256;

/// How many nodes may pass before the next thought of a heartbeat. Few, because a node with a
/// linear program takes milliseconds.
const NODES_PER_HEARTBEAT: u64 = 16;

impl Budget {
    /// Starts the clock.
    pub fn new(limits: Limits, signal: Arc<AtomicBool>, observer: Option<Observer>) -> Self {
        let start = Instant::now();
        Self {
            limits,
            start,
            signal,
            observer,
            last_report: start,
            nodes: 0,
            next_look: 0,
            steps: 0,
            seat: None,
            race: None,
            in_a_part: false,
            has_enough: false,
            engine: None,
        }
    }

    /// What is reported from now on is said by this engine.
    pub fn work_for(&mut self, engine: &'static str) {
        self.engine = Some(engine);
    }

    /// Takes part in a race: the other side's end is a signal to stop, and its news are known.
    #[must_use]
    pub fn with_seat(mut self, seat: Seat) -> Self {
        self.race = Some(Arc::clone(seat.race()));
        self.seat = Some(seat);
        self
    }

    /// In a race, waits until this side may begin.
    pub fn wait_for_turn(&self) {
        if let Some(seat) = &self.seat {
            seat.wait();
        }
    }

    /// The seat in a race, unless the work is about a part of the program.
    fn open_seat(&self) -> Option<&Seat> {
        self.seat.as_ref().filter(|_| !self.in_a_part)
    }

    /// Whether somebody else works on the same program.
    pub fn is_racing(&self) -> bool {
        self.open_seat().is_some()
    }

    /// The cost of the best strategy that the other side of a race may have found.
    pub fn rival_cost(&self) -> Option<Rational> {
        self.open_seat()?.race().cost()
    }

    /// The least cost that the other side of a race may have proved.
    pub fn rival_bound(&self) -> Option<Rational> {
        self.open_seat()?.race().bound()
    }

    /// Tells the other side of a race a play that refuted something.
    pub fn tell_scenario(&self, scenario: Scenario) {
        if let Some(seat) = self.open_seat() {
            seat.tell_scenario(scenario);
        }
    }

    /// What the other side of a race has told since this was asked last.
    pub fn hear_scenarios(&mut self) -> Vec<Scenario> {
        let is_open = !self.in_a_part;
        let seat = self.seat.as_mut().filter(|_| is_open);
        seat.map_or_else(Vec::new, Seat::hear_scenarios)
    }

    /// A budget of its own for a part of the work, stopped by the same signal.
    pub fn part(&self, limits: Limits) -> Self {
        Self {
            race: self.race.clone(),
            ..Self::new(limits, Arc::clone(&self.signal), None)
        }
    }

    /// What is left of the limits.
    pub fn left(&self) -> Limits {
        let nodes = self.limits.nodes;
        Limits {
            time: self.remaining(),
            nodes: nodes.map(|limit| limit.saturating_sub(self.nodes)),
            memory: self.limits.memory,
            enough: None,
        }
    }

    /// Adds the positions that a part took.
    pub fn count_nodes(&mut self, more: u64) {
        self.nodes += more;
    }

    /// Works on a part of the program: what it costs is nobody's news, only what it takes.
    pub fn about_a_part<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.in_a_part, true);
        let result = work(self);
        self.in_a_part = before;
        result
    }

    /// No limits, nobody listening.
    pub fn unlimited() -> Self {
        Self::new(Limits::default(), Arc::default(), None)
    }

    /// Accounts for one position. Cheap: the clock is read only now and then.
    pub fn spend_node(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if let Some(seat) = &mut self.seat {
            seat.spend();
        }
        if self.limits.nodes.is_some_and(|limit| self.nodes > limit) {
            return Err(Stop::Nodes);
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + NODES_PER_LOOK;
            let elapsed = self.elapsed();
            if let Some(seat) = &mut self.seat {
                seat.look(elapsed);
            }
            return self.look();
        }
        Ok(())
    }

    /// As [`Budget::spend_node`] for work that is not a position.
    pub fn look_sometimes(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(NODES_PER_LOOK) {
            self.look()
        } else {
            Ok(())
        }
    }

    /// Looks at the signal, the clock and the memory now; for use before anything that takes long.
    pub fn look(&mut self) -> Result<(), Stop> {
        let is_over = self.race.as_ref().is_some_and(|race| race.is_finished());
        if self.signal.load(Ordering::Relaxed) || is_over || self.has_enough {
            return Err(Stop::Signal);
        }
        if self
            .limits
            .time
            .is_some_and(|limit| self.elapsed() >= limit)
        {
            return Err(Stop::Time);
        }
        if let Some(limit) = self.limits.memory
            && resident_bytes().is_some_and(|used| used > limit)
        {
            return Err(Stop::Memory);
        }
        Ok(())
    }

    /// Time since the solve began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What is left of the time limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.limits
            .time
            .map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// How long something that hears no signal may run before the next look, after that many.
    pub fn patience(&self, looks: u32) -> Duration {
        const FIRST: Duration = Duration::from_millis(200);
        let most = FIRST * (1 << looks.min(12));
        self.remaining().map_or(most, |left| left.min(most))
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The flag that asks a solve to stop.
    pub fn signal(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.signal)
    }

    /// Whether a heartbeat is due: every second at first, every five seconds later on.
    ///
    /// To be asked after each position; the clock is read only now and then.
    pub fn heartbeat_due(&self) -> bool {
        if self.observer.is_none() || !self.nodes.is_multiple_of(NODES_PER_HEARTBEAT) {
            return false;
        }
        let pace = if self.elapsed() < Duration::from_secs(10) {
            1
        } else {
            5
        };
        self.last_report.elapsed() >= Duration::from_secs(pace)
    }

    /// Hands a line to the observer, and its numbers to the other side of a race.
    pub fn report(&mut self, progress: &Progress) {
        if self.in_a_part {
            let effort_only = Progress {
                objective: None,
                bound: None,
                new_strategy: false,
                ..progress.clone()
            };
            return self.hand_over(&effort_only);
        }
        let (objective, bound) = (progress.objective.as_ref(), progress.bound.as_ref());
        let enough = self.limits.enough.as_ref();
        if let Some(seat) = self.open_seat() {
            let race = seat.race();
            race.tell(objective, bound);
            let (objective, bound) = race.known();
            if enough.is_some_and(|enough| enough.is_met(objective.as_ref(), bound.as_ref())) {
                race.finish();
            }
        }
        self.has_enough |= enough.is_some_and(|enough| enough.is_met(objective, bound));
        self.hand_over(progress);
    }

    fn hand_over(&mut self, progress: &Progress) {
        self.last_report = Instant::now();
        let elapsed = self.elapsed();
        if let Some(observer) = &mut self.observer {
            let engine = progress.engine.or(self.engine);
            let line = Progress {
                engine,
                ..progress.clone()
            };
            observer(&line, elapsed);
        }
    }
}

/// Memory of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    status_kib("VmRSS:")
}

/// The largest memory of this process so far, where the system tells.
pub fn peak_bytes() -> Option<u64> {
    status_kib("VmHWM:")
}

fn status_kib(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    let kib: u64 = line[field.len()..]
        .trim()
        .trim_end_matches("kB")
        .trim()
        .parse()
        .ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_limit_is_kept_to_the_node() {
        let limits = Limits {
            nodes: Some(3),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, Arc::default(), None);
        for _ in 0..3 {
            assert_eq!(budget.spend_node(), Ok(()));
        }
        assert_eq!(budget.spend_node(), Err(Stop::Nodes));
    }

    #[test]
    fn what_a_part_costs_is_not_told() {
        let race = Race::new(race::Pace::AtOnce, false);
        let mut budget = Budget::unlimited().with_seat(race.seat(0, 0));
        let progress = Progress {
            objective: Some(crate::num::int(3)),
            bound: Some(crate::num::int(3)),
            ..Progress::default()
        };
        budget.about_a_part(|budget| budget.report(&progress));
        assert_eq!(race.known(), (None, None));
        budget.report(&progress);
        assert!(race.is_met());
        assert_eq!(budget.look(), Err(Stop::Signal));
    }

    #[test]
    fn a_raised_signal_stops_the_next_look() {
        let budget_signal: Arc<AtomicBool> = Arc::default();
        let mut budget = Budget::new(Limits::default(), Arc::clone(&budget_signal), None);
        assert_eq!(budget.look(), Ok(()));
        budget_signal.store(true, Ordering::Relaxed);
        assert_eq!(budget.look(), Err(Stop::Signal));
    }
}
