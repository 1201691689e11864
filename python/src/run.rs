//! Work in the background: a thread solves or explains, and is asked for what it has to say.
//!
//! **Invariant:** the thread never touches the interpreter, so that nothing waits for the lock, and a
//! run that nobody holds any more is asked to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quip::budget::{Limits, Observer, Progress};
use quip::explain::{ExplainOptions, Explanation, FirstMoves, explain_outcome, first_moves};
use quip::num::Rational;
use quip::program::Quantifier;
use quip::solver::{Method, Options, Solver, near_miss};

use crate::explain::Told;
use crate::fault::{Fault, guarded};
use crate::number::exact;
use crate::outcome::{Outcome, moves};
use crate::program::Program;

/// What a thread has to say.
enum Message {
    Event(Progress, Duration),
    Solved(Box<Result<Outcome, Fault>>),
    Explained(Box<Result<Explanation, Fault>>),
    Listed(Box<Result<FirstMoves, Fault>>),
}

/// A solve, or an explanation, that goes on in a thread of its own.
#[pyclass(frozen, module = "quip._quip")]
pub struct Run {
    program: Arc<quip::program::Program>,
    signal: Arc<AtomicBool>,
    messages: Mutex<Receiver<Message>>,
}

/// A time limit that clocks can count; a longer one is none.
fn duration(seconds: Option<f64>) -> Result<Option<Duration>, Fault> {
    let Some(seconds) = seconds else {
        return Ok(None);
    };
    if seconds.is_nan() || seconds < 0.0 {
        let message =
            format!("a time of {seconds} seconds cannot be kept; give a number from 0 on");
        return Err(Fault::new("OptionError", message));
    }
    Ok(Duration::try_from_secs_f64(seconds).ok())
}

#[pymethods]
impl Run {
    /// Begins to solve.
    #[staticmethod]
    #[pyo3(signature = (program, *, method, time, nodes, memory, threads, target, decide, certificate, switches))]
    #[allow(clippy::too_many_arguments)]
    fn solve(
        program: &Program,
        method: &str,
        time: Option<f64>,
        nodes: Option<u64>,
        memory: Option<u64>,
        threads: Option<usize>,
        target: Option<&str>,
        decide: bool,
        certificate: bool,
        switches: Vec<(String, String)>,
    ) -> PyResult<Self> {
        let wrong = |message: String| Fault::new("OptionError", message);
        let mut options = Options {
            method: method.parse().map_err(wrong)?,
            limits: Limits {
                time: duration(time)?,
                nodes,
                memory,
                ..Limits::default()
            },
            target: target.map(exact).transpose()?,
            decide,
            certificate,
            threads,
            ..Options::default()
        };
        for (key, value) in &switches {
            let set = options.set(key, value);
            set.map_err(|fault| wrong(fault.to_string()))?;
        }
        let program = Arc::clone(&program.program);
        Ok(Self::begin(Arc::clone(&program), move |signal, sender| {
            let told = sender.clone();
            let observer: Observer = Box::new(move |progress, elapsed| {
                // Nobody may be listening any more.
                let _ = told.send(Message::Event(progress.clone(), elapsed));
            });
            Message::Solved(Box::new(guarded(|| {
                solve(program, options, signal, observer)
            })))
        }))
    }

    /// Begins to find out why the answer is what it is; the program is solved first if there is none.
    #[staticmethod]
    fn explain(
        program: &Program,
        outcome: Option<&Outcome>,
        time: Option<f64>,
        alternatives: usize,
    ) -> PyResult<Self> {
        let ask = Asking::new(program, outcome, time, alternatives)?;
        Ok(Self::begin(Arc::clone(&program.program), move |stop, _| {
            Message::Explained(Box::new(guarded(|| {
                let (program, outcome, options) = ask.answered(stop)?;
                Ok(explain_outcome(&program, outcome, &options))
            })))
        }))
    }

    /// Begins to list the first decisions that are as good as the best one.
    #[staticmethod]
    fn first_moves(
        program: &Program,
        outcome: Option<&Outcome>,
        time: Option<f64>,
        most: usize,
    ) -> PyResult<Self> {
        let ask = Asking::new(program, outcome, time, 0)?;
        Ok(Self::begin(Arc::clone(&program.program), move |stop, _| {
            Message::Listed(Box::new(guarded(|| {
                let (program, outcome, options) = ask.answered(stop)?;
                Ok(first_moves(&program, outcome, most, &options))
            })))
        }))
    }

    /// Waits for something to be said, at most that long: an event, the answer, or nothing.
    fn poll(&self, py: Python<'_>, seconds: f64) -> PyResult<Option<Py<PyAny>>> {
        let patience = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let heard = py.detach(|| {
            let messages = self.messages.lock();
            let messages = messages.unwrap_or_else(PoisonError::into_inner);
            messages.recv_timeout(patience)
        });
        match heard {
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Fault::new("InternalError", "the run has ended without an answer").into())
            }
            Ok(Message::Event(progress, elapsed)) => event(py, &progress, elapsed).map(Some),
            Ok(Message::Solved(done)) => Ok(Some(Py::new(py, (*done)?)?.into_any())),
            Ok(Message::Explained(done)) => {
                let told = Told {
                    program: &self.program,
                    explanation: &(*done)?,
                };
                told.to_python(py).map(Some)
            }
            Ok(Message::Listed(done)) => {
                let found = (*done)?;
                // What the opponent would decide is no decision.
                let is_ours = found.player == Quantifier::Exists;
                let decisions = found.moves.iter().filter(|_| is_ours);
                let decisions: Vec<_> = decisions.map(|it| moves(it)).collect();
                let told = PyDict::new(py);
                told.set_item("decisions", decisions)?;
                told.set_item("is_complete", found.is_complete)?;
                Ok(Some(told.into_any().unbind()))
            }
        }
    }

    /// Asks for the best answer so far.
    fn stop(&self) {
        self.signal.store(true, Ordering::Relaxed);
    }
}

impl Run {
    fn begin(
        program: Arc<quip::program::Program>,
        work: impl FnOnce(Arc<AtomicBool>, &Sender<Message>) -> Message + Send + 'static,
    ) -> Self {
        let (sender, receiver) = channel();
        let signal = Arc::<AtomicBool>::default();
        let heard = Arc::clone(&signal);
        thread::spawn(move || {
            let message = work(heard, &sender);
            // Nobody may be listening any more.
            let _ = sender.send(message);
        });
        Self {
            program,
            signal,
            messages: Mutex::new(receiver),
        }
    }
}

/// What a question beside an answer needs.
struct Asking {
    program: Arc<quip::program::Program>,
    outcome: Option<quip::outcome::Outcome>,
    time: Option<Duration>,
    alternatives: usize,
}

impl Asking {
    fn new(
        program: &Program,
        outcome: Option<&Outcome>,
        time: Option<f64>,
        alternatives: usize,
    ) -> Result<Self, Fault> {
        Ok(Self {
            program: Arc::clone(&program.program),
            outcome: outcome.map(|it| it.outcome.clone()),
            time: duration(time)?,
            alternatives,
        })
    }

    /// The answer, found now if it is not known, and what is left for the question.
    fn answered(self, stop: Arc<AtomicBool>) -> Result<Answered, Fault> {
        let start = Instant::now();
        let outcome = match self.outcome {
            Some(outcome) => outcome,
            None => {
                let mut options = Options::default();
                options.limits.time = self.time;
                let solver = Solver::new(options).with_signal(Arc::clone(&stop));
                let refused = |fault: quip::outcome::SolveError| {
                    Fault::new("UnsupportedError", fault.to_string())
                };
                solver.solve(&self.program).map_err(refused)?
            }
        };
        let limits = Limits {
            time: self.time.map(|time| time.saturating_sub(start.elapsed())),
            ..Limits::default()
        };
        let options = ExplainOptions {
            limits,
            alternatives: self.alternatives,
            stop,
            ..ExplainOptions::default()
        };
        Ok((self.program, outcome, options))
    }
}

type Answered = (
    Arc<quip::program::Program>,
    quip::outcome::Outcome,
    ExplainOptions,
);

impl Drop for Run {
    fn drop(&mut self) {
        self.signal.store(true, Ordering::Relaxed);
    }
}

fn solve(
    program: Arc<quip::program::Program>,
    options: Options,
    signal: Arc<AtomicBool>,
    observer: Observer,
) -> Result<Outcome, Fault> {
    let start = Instant::now();
    let solver = Solver::new(options.clone())
        .with_signal(Arc::clone(&signal))
        .with_observer(observer);
    let method = solver.method_for(&program).name();
    let outcome = solver.solve(&program);
    let outcome = outcome.map_err(|fault| Fault::new("UnsupportedError", fault.to_string()))?;
    let elapsed = start.elapsed();
    let near = near_miss(&program, &outcome, &options, elapsed, signal);
    Ok(Outcome::new(program, outcome, near, method, elapsed))
}

/// Seconds, nodes, depth, objective, bound, linear programs, rows learnt, whether a strategy is new.
fn event(py: Python<'_>, progress: &Progress, elapsed: Duration) -> PyResult<Py<PyAny>> {
    let spelled = |number: &Option<Rational>| number.as_ref().map(Rational::to_string);
    let event = (
        elapsed.as_secs_f64(),
        progress.nodes,
        progress.depth,
        spelled(&progress.objective),
        spelled(&progress.bound),
        progress.lps,
        progress.learnt,
        progress.new_strategy,
    );
    Ok(event.into_pyobject(py)?.into_any().unbind())
}

/// Every switch: key, present value, what it does.
#[pyfunction]
pub fn switches() -> Vec<(String, String, String)> {
    let switches = Options::default().switches();
    let spelled = |it: quip::switch::Switch| (it.key.to_string(), it.value, it.help.to_string());
    switches.into_iter().map(spelled).collect()
}

/// The names of the methods.
#[pyfunction]
pub fn methods() -> Vec<&'static str> {
    Method::ALL.into_iter().map(Method::name).collect()
}
