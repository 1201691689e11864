//! Two engines on one program: the first proof wins.
//!
//! Search is right when the tree is the problem, a scenario engine when a handful of plays
//! decides; which of the two, nobody knows before. So both run, on two threads or in turns on one,
//! and tell each other what they have proved (see [`race`](crate::budget::race)). Search begins
//! alone, on the thread of the caller: most programs are small, its answer to them is the same every
//! time, and a second engine is made only when the opening is over (see [`Opening`]).
//!
//! **Invariant:** an answer is one engine's proof, or one engine's strategy at another engine's
//! bound.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::opening::Opening;
use super::shared_log::SharedLog;
use super::{Known, Method, Options, trees};
use crate::budget::race::{LONGEST_ALONE, Pace, Race};
use crate::budget::{Budget, Limits, Observer};
use crate::outcome::{Effort, Outcome, SolveError, Status, Stop, cost_of_objective};
use crate::program::{Program, Sense};
use crate::{equivalent, expand, presolve, search};

/// In turns, the other engine's first slice: its positions cost a linear program each.
const FIRST_SLICE_OF_SCENARIOS: u64 = 100;

/// How long the engine that lost may take to stop before nobody waits for it any more. It hears of
/// its loss before every linear program; only one that takes longer is left to itself.
const PATIENCE: Duration = Duration::from_millis(400);

/// An engine's answer, or its panic.
type Answer = Result<Result<Outcome, SolveError>, Box<dyn Any + Send>>;

/// Runs search and `other` on the program.
pub(super) fn solve(
    program: &Program,
    other: Method,
    circumstances: Circumstances<'_>,
) -> Result<Outcome, SolveError> {
    let opening = Opening::of(program, other, circumstances.0);
    let (methods, slices) = match opening {
        Opening::AtOnce => ([Method::Search, other], [0, FIRST_SLICE_OF_SCENARIOS]),
        Opening::Search(slice) => ([Method::Search, other], [slice, FIRST_SLICE_OF_SCENARIOS]),
        Opening::Scenarios { probe, nodes } => ([other, Method::Search], [nodes, probe]),
    };
    run(program, methods, slices, opening, circumstances)
}

/// Runs two scenario engines on a mixed program: a few plays at a time, and all of them at once.
pub(super) fn solve_mixed(
    program: &Program,
    circumstances: Circumstances<'_>,
) -> Result<Outcome, SolveError> {
    let (methods, slices) = trees::who_begins(program, circumstances.0, circumstances.1);
    let opening = Opening::Search(slices[0]);
    run(program, methods, slices, opening, circumstances)
}

/// Options, the signal to stop, who listens, and what is proved already.
pub(super) type Circumstances<'a> = (
    &'a Options,
    &'a Arc<AtomicBool>,
    Option<Observer>,
    &'a Known,
);

fn run(
    program: &Program,
    methods: [Method; 2],
    slices: [u64; 2],
    opening: Opening,
    (options, signal, observer, known): Circumstances<'_>,
) -> Result<Outcome, SolveError> {
    let pace = match opening {
        _ if threads(options) == 1 => Pace::Alternate,
        Opening::AtOnce => Pace::AtOnce,
        _ => Pace::Together,
    };
    let objective = program.objective();
    let maximises = objective.is_some_and(|objective| objective.sense == Sense::Maximize);
    let race = Race::new(pace, maximises);
    race.tell(known.objective.as_ref(), known.bound.as_ref());
    let log = observer.map(SharedLog::new);
    // One copy for both: the engine that lost may outlive what the caller has lent.
    let shared = Arc::new(program.clone());
    let contender = |number: usize| Contender {
        number,
        method: methods[number],
        program: Arc::clone(&shared),
        options: options.clone(),
        race: Arc::clone(&race),
    };
    let budget = |seat| {
        let observer = log.as_ref().map(|log| log.of_one(&race));
        let limits = options.limits.clone();
        Budget::new(limits, Arc::clone(signal), observer).with_seat(seat)
    };
    let mut clock = Budget::new(options.limits.clone(), Arc::clone(signal), None);
    let (send, receive) = channel();
    let company = {
        let (contender, budget) = (contender(1), budget(race.seat(1, slices[1])));
        let send = send.clone();
        move || contender.start(budget, send)
    };
    let (first, seat) = (contender(0), race.seat(0, slices[0]));
    if pace == Pace::AtOnce {
        company();
        first.start(budget(seat), send);
        let (answers, stop) = collect(&receive, &race, &mut clock);
        return conclude(program, &race, methods, answers, stop);
    }
    let budget = budget(seat.bringing(company));
    let mut probe_left = None;
    // Where search refuses, the other engine may not.
    if let Opening::Scenarios { probe, .. } = opening
        && let Ok(probed) = probed(program, probe, pace, options, signal)
    {
        if !matches!(probed.stop, Some(Stop::Nodes | Stop::Time)) {
            race.finish();
            return Ok(probed);
        }
        race.tell(None, probed.bound.as_ref());
        probe_left = Some(probed);
    }
    first.answer(budget, &send);
    drop(send);
    let (answers, stop) = collect(&receive, &race, &mut clock);
    let outcome = conclude(program, &race, methods, answers, stop)?;
    Ok(match probe_left {
        Some(probed) => with_probe(program, outcome, probed),
        None => outcome,
    })
}

/// An answer after a probe that did not finish: its work counts, and its strategy is not lost if
/// nothing better came in time.
pub(super) fn with_probe(program: &Program, outcome: Outcome, probed: Outcome) -> Outcome {
    let (own, more) = (outcome.effort, probed.effort);
    let effort = Effort {
        nodes: own.nodes + more.nodes,
        lps: own.lps + more.lps,
        learnt: own.learnt + more.learnt,
    };
    if outcome.status != Status::Interrupted {
        return Outcome { effort, ..outcome };
    }
    let (stop, bound) = (outcome.stop, outcome.bound.clone());
    let outcome = Outcome {
        stop,
        bound,
        effort,
        engine: None,
        ..joined(program, outcome, probed)
    };
    let is_met = outcome.objective.is_some() && outcome.objective == outcome.bound;
    if is_met { met(outcome) } else { outcome }
}

/// Search alone for so many positions.
fn probed(
    program: &Program,
    positions: u64,
    pace: Pace,
    options: &Options,
    signal: &Arc<AtomicBool>,
) -> Result<Outcome, SolveError> {
    let mut limits = Limits {
        nodes: Some(positions),
        ..options.limits.clone()
    };
    if pace != Pace::Alternate {
        limits.time = limits.time.into_iter().chain([LONGEST_ALONE]).min();
    }
    let mut budget = Budget::new(limits, Arc::clone(signal), None);
    let outcome = searched(program, options, &mut budget)?;
    Ok(Outcome {
        engine: Some(Method::Search.name()),
        ..outcome
    })
}

fn searched(
    program: &Program,
    options: &Options,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    let easier = presolve::simplify(program, &options.presolve);
    search::solve(&easier.program, &options.search, budget)
}

/// How many engines may work at the same time.
fn threads(options: &Options) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    options.threads.unwrap_or_else(cores).max(1)
}

/// One of the engines, with what it needs on its own thread.
struct Contender {
    number: usize,
    method: Method,
    program: Arc<Program>,
    options: Options,
    race: Arc<Race>,
}

impl Contender {
    fn start(self, budget: Budget, send: Sender<(usize, Answer)>) {
        thread::spawn(move || self.answer(budget, &send));
    }

    /// Works to the end, on this thread.
    fn answer(self, budget: Budget, send: &Sender<(usize, Answer)>) {
        let (number, race) = (self.number, Arc::clone(&self.race));
        let answer = catch_unwind(AssertUnwindSafe(|| self.run(budget)));
        if answer.is_err() {
            race.finish();
        }
        // Nobody may be listening any more.
        send.send((number, answer)).ok();
    }

    fn run(self, mut budget: Budget) -> Result<Outcome, SolveError> {
        budget.work_for(self.method.name());
        budget.wait_for_turn();
        if let Err(stop) = budget.look() {
            return Ok(Outcome::interrupted(stop));
        }
        let easier = || presolve::simplify(&self.program, &self.options.presolve);
        let outcome = match self.method {
            Method::Equivalent => {
                let settings = super::settings_of_trees(&self.options);
                equivalent::solve_with(&easier().program, &settings, &mut budget)?
            }
            Method::Expand => {
                let easier = easier();
                expand::solve_with(&easier.program, &self.options.expand, &mut budget).or_else(
                    |refused| expand::fixed_plan(&easier.program, &mut budget).map_err(|_| refused),
                )?
            }
            _ => searched(&self.program, &self.options, &mut budget)?,
        };
        // The result is told before the turn is handed over.
        if outcome.status == Status::Interrupted {
            let (objective, bound) = (outcome.objective.as_ref(), outcome.bound.as_ref());
            self.race.tell(objective, bound);
        } else {
            self.race.finish();
        }
        Ok(outcome)
    }
}

/// The answers of both engines, as far as they come in time, and what stopped the others.
///
/// On two threads a proved answer waits for nobody: the engine that lost stops on its own.
fn collect(
    receive: &Receiver<(usize, Answer)>,
    race: &Race,
    clock: &mut Budget,
) -> ([Option<Answer>; 2], Option<Stop>) {
    const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
    let mut answers = [None, None];
    let mut is_over = false;
    let mut since = None;
    loop {
        match receive.recv_timeout(BETWEEN_LOOKS) {
            Ok((number, answer)) => {
                // A limit or a signal that has stopped one engine is about to stop the other.
                is_over |= matches!(&answer, Ok(Ok(_)) | Err(_));
                let is_proof = matches!(&answer, Ok(Ok(it)) if it.status != Status::Interrupted);
                answers[number] = Some(answer);
                // In turns the other one does nothing but stop, and what it has done is counted.
                if is_proof && !race.is_in_turns() {
                    return (answers, None);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return (answers, None),
            Err(RecvTimeoutError::Timeout) => {
                let stop = clock.look().err();
                if is_over || stop.is_some() || race.is_finished() {
                    let since = *since.get_or_insert(clock.elapsed());
                    if clock.elapsed() >= since + PATIENCE {
                        return (answers, stop.or(Some(Stop::Signal)));
                    }
                }
            }
        }
    }
}

fn conclude(
    program: &Program,
    race: &Race,
    methods: [Method; 2],
    answers: [Option<Answer>; 2],
    stop: Option<Stop>,
) -> Result<Outcome, SolveError> {
    let mut outcomes = Vec::new();
    let mut refusal = None;
    for (method, answer) in methods.into_iter().zip(answers) {
        match answer {
            None => {}
            Some(Err(panic)) => resume_unwind(panic),
            Some(Ok(Err(error))) => refusal = refusal.or(Some(error)),
            Some(Ok(Ok(outcome))) => outcomes.push(Outcome {
                engine: Some(method.name()),
                ..outcome
            }),
        }
    }
    let nodes = outcomes.iter().map(|outcome| outcome.effort.nodes).sum();
    let lps = outcomes.iter().map(|outcome| outcome.effort.lps).sum();
    let learnt = outcomes.iter().map(|outcome| outcome.effort.learnt).sum();
    let proved = |outcome: &Outcome| outcome.status != Status::Interrupted;
    let mut outcome = match outcomes.iter().position(proved) {
        Some(place) => outcomes.swap_remove(place),
        None => match outcomes
            .into_iter()
            .reduce(|one, two| joined(program, one, two))
        {
            Some(outcome) => with_common_knowledge(race, outcome),
            None => match (stop, refusal) {
                (None, Some(refusal)) => return Err(refusal),
                // Both were too busy to say what they had.
                (stop, _) => with_common_knowledge(race, Outcome::interrupted(stop)),
            },
        },
    };
    outcome.effort = Effort { nodes, lps, learnt };
    Ok(outcome)
}

/// The better of two unfinished answers; the race knows the better bound.
fn joined(program: &Program, one: Outcome, two: Outcome) -> Outcome {
    let cost = |outcome: &Outcome| {
        let objective = outcome.objective.clone();
        objective.map(|objective| cost_of_objective(program, objective))
    };
    let stop = [one.stop, two.stop].into_iter().flatten();
    let stop = stop.min_by_key(|&stop| stop == Stop::Signal);
    let better = match (cost(&one), cost(&two)) {
        (Some(one), Some(two)) => one <= two,
        (one, two) => one.is_some() || two.is_none(),
    };
    let outcome = if better { one } else { two };
    Outcome { stop, ..outcome }
}

/// What both know together, which may be the whole answer.
fn with_common_knowledge(race: &Race, outcome: Outcome) -> Outcome {
    let (objective, bound) = race.known();
    let mut outcome = Outcome {
        engine: None,
        bound,
        ..outcome
    };
    if outcome.objective != objective {
        // The engine that found it did not answer in time to show how it begins.
        outcome.first_stage.clear();
        outcome.objective = objective;
    }
    if race.is_met() { met(outcome) } else { outcome }
}

/// One engine's strategy at another engine's bound.
fn met(outcome: Outcome) -> Outcome {
    Outcome {
        status: Status::Optimal,
        stop: None,
        bound: outcome.objective.clone(),
        engine: Some(Method::Auto.name()),
        ..outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::num::int;
    use crate::program::{Id, VarId};

    fn program() -> Program {
        let text = "maximize gain: x  subject to x <= 3  prefix exists integer x in [0, 9] end";
        parse_qip(text).expect("a program")
    }

    /// An unfinished answer whose strategy begins with what it guarantees.
    fn unfinished(stop: Stop, objective: Option<i64>, bound: i64) -> Outcome {
        let first = objective.map(|value| (VarId::new(0), int(value)));
        Outcome {
            objective: objective.map(int),
            first_stage: first.into_iter().collect(),
            bound: Some(int(bound)),
            ..Outcome::interrupted(stop)
        }
    }

    #[test]
    fn what_a_probe_found_is_not_lost() {
        let after = |own: Option<i64>, bound: i64| {
            let own = unfinished(Stop::Signal, own, bound);
            with_probe(&program(), own, unfinished(Stop::Nodes, Some(2), 9))
        };
        let shown = |outcome: &Outcome| {
            let first = outcome.first_stage.first().map(|first| first.1.clone());
            (outcome.objective.clone(), first, outcome.stop)
        };
        let (none, two, three) = (after(None, 7), after(Some(1), 7), after(Some(3), 7));
        assert_eq!(
            shown(&none),
            (Some(int(2)), Some(int(2)), Some(Stop::Signal))
        );
        assert_eq!(shown(&two), shown(&none));
        assert_eq!(
            shown(&three),
            (Some(int(3)), Some(int(3)), Some(Stop::Signal))
        );
        assert!([none, two, three].iter().all(|it| it.bound == Some(int(7))));
    }

    #[test]
    fn a_probes_strategy_at_the_bound_is_the_answer() {
        let own = unfinished(Stop::Signal, None, 2);
        let outcome = with_probe(&program(), own, unfinished(Stop::Nodes, Some(2), 9));
        assert_eq!((outcome.status, outcome.stop), (Status::Optimal, None));
        assert_eq!(outcome.first_stage[0].1, int(2));
    }

    #[test]
    fn a_proof_needs_no_probe() {
        let proved = Outcome {
            status: Status::Optimal,
            stop: None,
            ..unfinished(Stop::Signal, Some(3), 3)
        };
        let outcome = with_probe(&program(), proved, unfinished(Stop::Nodes, Some(2), 9));
        assert_eq!(
            (outcome.status, outcome.objective),
            (Status::Optimal, Some(int(3)))
        );
    }
}
