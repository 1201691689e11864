//! A line on standard error for commands that take longer than a second: what is being done, and for how long.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quip::budget::Observer;
use quip::explain::Told;

use super::files;
use super::output::complain;
use super::text::{cell, grouped};

/// Nothing is said before.
const FIRST: Duration = Duration::from_secs(1);
/// How long the same work goes on without a word.
const PAUSE: Duration = Duration::from_secs(5);

/// Says what is done until it is dropped.
pub struct Ticker(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    what: String,
    is_over: bool,
}

impl Shared {
    /// Nobody panics while it is held.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticker {
    /// Begins with this work.
    pub fn new(what: &str) -> Self {
        let ticker = Self::silent(what);
        let shared = Arc::clone(&ticker.0);
        thread::spawn(move || watch(&shared, None));
        ticker
    }

    /// Says nothing.
    pub fn silent(what: &str) -> Self {
        let state = State {
            what: what.to_owned(),
            is_over: false,
        };
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }))
    }

    /// As [`Ticker::new`], for work that has nothing to show before its end: when the time is up, the
    /// process ends with this code.
    pub fn ending(what: &str, time: Option<Duration>, code: u8) -> Self {
        let ticker = Self::silent(what);
        if time.is_some_and(|time| time.is_zero()) {
            end(code);
        }
        let shared = Arc::clone(&ticker.0);
        thread::spawn(move || watch(&shared, time.map(|time| (time, code))));
        ticker
    }

    /// What is done now.
    pub fn tell(&self, what: &str) {
        what.clone_into(&mut self.0.lock().what);
    }

    /// Hears what is done, for those that explain.
    pub fn told(&self) -> Told {
        let shared = Arc::clone(&self.0);
        Arc::new(move |what| what.clone_into(&mut shared.lock().what))
    }

    /// Hears how far a solve is, whose work is called this.
    pub fn observer(&self, what: &str) -> Observer {
        let (shared, what) = (Arc::clone(&self.0), what.to_owned());
        Box::new(move |progress, _| {
            let nodes = grouped(progress.nodes);
            let values = [
                ("strategy", &progress.objective),
                ("bound", &progress.bound),
            ];
            let values = values.into_iter().filter_map(|(name, value)| {
                let value = cell(Some(value.as_ref()?), 10);
                Some(format!(", {name} {value}"))
            });
            let values: String = values.collect();
            shared.lock().what = format!("{what}: {nodes} nodes{values}");
        })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.changed.notify_all();
    }
}

/// Ends the process without half-written files.
fn end(code: u8) -> ! {
    complain("stopped: the time is up");
    files::abandon();
    // Without the destructors of other threads, which are still at work.
    signal_hook::low_level::exit(code.into())
}

fn watch(shared: &Shared, limit: Option<(Duration, u8)>) {
    let start = Instant::now();
    let mut said: Option<(String, Duration)> = None;
    let mut state = shared.lock();
    while !state.is_over {
        let now = start.elapsed();
        if let Some((time, code)) = limit
            && now >= time
        {
            end(code);
        }
        let is_new = match &said {
            None => now >= FIRST,
            Some((what, at)) => now >= *at + PAUSE || (*what != state.what && now >= *at + FIRST),
        };
        if is_new {
            complain(&format!("{:>6.1}s  {}", now.as_secs_f64(), state.what));
            said = Some((state.what.clone(), now));
        }
        let next = limit.map_or(FIRST, |(time, _)| time.saturating_sub(now));
        let wait = next.clamp(Duration::from_millis(1), Duration::from_millis(100));
        let woken = shared.changed.wait_timeout(state, wait);
        state = woken.unwrap_or_else(PoisonError::into_inner).0;
    }
}
