//! One log of two engines.
//!
//! **Invariant:** counts never go down: a line has what both have spent, and the values that both know.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::budget::race::Race;
use crate::budget::{Observer, Progress};

/// Heartbeats of the two engines that come closer together than this are one.
const BETWEEN_HEARTBEATS: Duration = Duration::from_millis(900);

/// See the module.
#[derive(Clone)]
pub(super) struct SharedLog(Arc<Mutex<Log>>);

struct Log {
    observer: Observer,
    last: Option<Duration>,
    /// Positions, linear programs and what was learnt, of each engine.
    spent: BTreeMap<Option<&'static str>, [u64; 3]>,
}

impl SharedLog {
    /// A log for this observer.
    pub fn new(observer: Observer) -> Self {
        Self(Arc::new(Mutex::new(Log {
            observer,
            last: None,
            spent: BTreeMap::new(),
        })))
    }

    /// What one of the engines writes to.
    pub fn of_one(&self, race: &Arc<Race>) -> Observer {
        let (log, race) = (Arc::clone(&self.0), Arc::clone(race));
        Box::new(move |progress, elapsed| {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            log.write(progress, elapsed, &race);
        })
    }
}

impl Log {
    fn write(&mut self, progress: &Progress, elapsed: Duration, race: &Race) {
        let spent = self.spent.entry(progress.engine).or_default();
        let now = [progress.nodes, progress.lps, progress.learnt];
        // An engine that begins anew begins to count anew.
        for (most, now) in spent.iter_mut().zip(now) {
            *most = now.max(*most);
        }
        let soon = |last: Duration| elapsed < last + BETWEEN_HEARTBEATS;
        if !progress.new_strategy && self.last.is_some_and(soon) {
            return;
        }
        self.last = Some(elapsed);
        let (objective, bound) = race.known();
        let new_strategy = progress.new_strategy && objective == progress.objective;
        let of_both = |place: usize| self.spent.values().map(|spent| spent[place]).sum();
        let line = Progress {
            objective,
            bound,
            new_strategy,
            nodes: of_both(0),
            lps: of_both(1),
            learnt: of_both(2),
            ..progress.clone()
        };
        (self.observer)(&line, elapsed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::race::Pace;

    #[test]
    fn what_two_engines_have_spent_adds_up_and_never_goes_down() {
        let lines: Arc<Mutex<Vec<(u64, u64)>>> = Arc::default();
        let seen = Arc::clone(&lines);
        let log = SharedLog::new(Box::new(move |line, _| {
            seen.lock().unwrap().push((line.nodes, line.lps));
        }));
        let race = Race::new(Pace::AtOnce, false);
        let mut one = log.of_one(&race);
        let mut other = log.of_one(&race);
        let line = |engine, nodes, lps| Progress {
            engine: Some(engine),
            nodes,
            lps,
            ..Progress::default()
        };
        one(&line("search", 46_512, 99), Duration::from_secs(1));
        other(&line("expand", 4_332, 0), Duration::from_secs(2));
        one(&line("search", 10, 0), Duration::from_secs(3));
        let lines = lines.lock().unwrap();
        assert_eq!(*lines, [(46_512, 99), (50_844, 99), (50_844, 99)]);
    }
}
