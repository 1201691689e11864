//! The facade: options in, outcome out, whichever engine does the work.

mod gates;
mod grouped;
mod near;
mod opening;
mod options;
mod perfect;
mod policy;
mod portfolio;
#[cfg(feature = "paranoid")]
mod presolve_twin;
mod prove;
mod question;
mod settings;
mod shared_log;
mod solution;
mod start;
mod trees;
mod wide;

pub use near::{NearMiss, near_miss};
pub use options::{Method, Options};
pub use perfect::{PerfectPlay, fixed};
pub use policy::{Asked, NoReply, Policy, Reply};
pub use settings::PortfolioSettings;
pub use solution::{ModelSolveError, NoPolicy, Solution};
pub use start::{Started, solve_from};

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::budget::{Budget, Limits, Observer};
use crate::certify::certify;
use crate::num::Rational;
use crate::outcome::{CertificateError, Outcome, SolveError, Status};
use crate::program::{Kind, Program, Quantifier, Variable};
use crate::{benders, equivalent, expand, presolve, qbf, reference, search};
use question::Question;

/// Hears why a program is enumerated.
pub type Notice = Box<dyn FnMut(&SolveError) + Send>;

/// What is proved of a program before it is solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The objective of a strategy.
    pub objective: Option<Rational>,
    /// Nothing better can be guaranteed.
    pub bound: Option<Rational>,
}

/// Solves programs with one set of options, as many as there are: nothing stays behind between two solves.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::outcome::Status;
/// use quip::solver::Solver;
///
/// let solver = Solver::default();
/// for most in 1..=3 {
///     let program = parse_qip(&format!(
///         "minimize cost: x
///          subject to cover: x >= y
///          prefix forall integer y in [0, {most}]  exists integer x in [0, 5]
///          end"
///     ))?;
///     let outcome = solver.solve(&program)?;
///     assert_eq!(outcome.status, Status::Optimal);
///     assert_eq!(outcome.objective.unwrap().to_string(), most.to_string());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Solver {
    options: Options,
    signal: Arc<AtomicBool>,
    observer: Option<Arc<Mutex<Observer>>>,
    notice: Option<Arc<Mutex<Notice>>>,
    known: Known,
}

/// One solve.
struct Run {
    options: Options,
    signal: Arc<AtomicBool>,
    observer: Option<Observer>,
    notice: Option<Notice>,
    known: Known,
    /// What is left for the engines that are asked next.
    budget: Option<Budget>,
}

impl Solver {
    /// A solver with these options.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// What it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The flag that stops it.
    pub fn signal(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.signal)
    }

    /// Raising this flag from any thread stops the solve with the best answer so far, and those that
    /// come after it until it is lowered.
    #[must_use]
    pub fn with_signal(mut self, signal: Arc<AtomicBool>) -> Self {
        self.signal = signal;
        self
    }

    /// Listens to the progress of every solve.
    #[must_use]
    pub fn with_observer(mut self, observer: Observer) -> Self {
        self.observer = Some(Arc::new(Mutex::new(observer)));
        self
    }

    /// Listens to what is in the way where no engine but the reference takes a program, which then
    /// enumerates it: that may take very long.
    #[must_use]
    pub fn with_notice(mut self, notice: Notice) -> Self {
        self.notice = Some(Arc::new(Mutex::new(notice)));
        self
    }

    /// Begins with what is proved of the program. Engines that work in company use it; where it is
    /// already the answer, this is said without a strategy.
    #[must_use]
    pub fn with_known(mut self, known: Known) -> Self {
        self.known = known;
        self
    }

    /// The engine that [`Solver::solve`] asks first; [`Method::Auto`] is several of them at once.
    pub fn method_for(&self, program: &Program) -> Method {
        self.begin().engines(program)[0]
    }

    /// Solves one program.
    pub fn solve(&self, program: &Program) -> Result<Outcome, SolveError> {
        let question = Question::new(program, &self.options)?;
        let mut run = self.begin();
        if !matches!(question, Question::Value(_)) {
            run.known = Known::default();
        }
        let outcome = run.solve_ungated(question.program())?;
        Ok(question.answer(good_enough(outcome, &self.options.limits)))
    }

    /// The same circumstances for the next solve.
    fn begin(&self) -> Run {
        Run {
            options: self.options.clone(),
            signal: Arc::clone(&self.signal),
            observer: self.observer.clone().map(|observer| -> Observer {
                Box::new(move |progress, elapsed| {
                    let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
                    observer(progress, elapsed);
                })
            }),
            notice: self.notice.clone().map(|notice| -> Notice {
                Box::new(move |refusal| {
                    let mut notice = notice.lock().unwrap_or_else(PoisonError::into_inner);
                    notice(refusal);
                })
            }),
            budget: None,
            known: self.known.clone(),
        }
    }
}

impl Run {
    /// The engines that are asked one after the other: one that refuses makes the next one's turn.
    ///
    /// Quantified Boolean formulas go to the clausal engine. Programs whose existential variables
    /// are all real are decomposed. Those of integers, and of reals that may as well be integers, are
    /// searched and expanded side by side; where a certificate is wanted, positions are counted or
    /// the program is large, they are searched. Integers and reals mixed are one program over the
    /// tree of plays where these are few, are expanded where they are many, and decomposed where
    /// only the first stage has integers. What is left is for the reference.
    fn engines(&self, program: &Program) -> Vec<Method> {
        if self.options.method != Method::Auto {
            return vec![self.options.method];
        }
        if program.class().clausal {
            return vec![Method::Clausal];
        }
        let some = |kind: Kind, test: fn(&Variable) -> bool| {
            let mut variables = program.variables().iter();
            variables.any(|variable| variable.kind == kind && test(variable))
        };
        let has_reals = some(Kind::Real, |_| true);
        let decides_integers = some(Kind::Integer, |it| it.quantifier == Quantifier::Exists);
        let decomposable = has_reals && benders::accepts(program);
        let mut engines = Vec::new();
        if decomposable && (!decides_integers || self.options.certificate) {
            engines.push(Method::Benders);
        }
        if search::accepts(program) || wide::takes(program) {
            let alone = self.options.certificate || self.options.limits.nodes.is_some();
            engines.push(match alone || self.is_large(program) {
                true => Method::Search,
                false => Method::Auto,
            });
        }
        if equivalent::is_mixed(program) || equivalent::is_long(program) {
            engines.push(Method::Equivalent);
        }
        if decomposable && !engines.contains(&Method::Benders) {
            engines.push(Method::Benders);
        }
        if expand::takes_real_replies(program) {
            engines.push(Method::Expand);
        }
        engines.push(Method::Reference);
        engines
    }

    /// Whether both scenario engines work on a mixed program: a few plays often decide.
    fn races_scenarios(&self, program: &Program) -> bool {
        let options = &self.options;
        let is_free = options.method == Method::Auto;
        is_free
            && options.limits.nodes.is_none()
            && equivalent::is_mixed(program)
            && expand::takes_real_replies(program)
    }

    /// Whether a scenario engine would take much memory, beside search.
    fn is_large(&self, program: &Program) -> bool {
        let rows = program.rows().iter().chain(program.universal_rows().iter());
        let coefficients: usize = rows.map(|row| row.terms.len()).sum();
        coefficients > self.options.portfolio.most_coefficients
            && company(program) == Method::Expand
    }

    /// Solves a program, without its gates where no engine takes them beside reals.
    fn solve_ungated(self, program: &Program) -> Result<Outcome, SolveError> {
        let by_trees = [Method::Auto, Method::Equivalent, Method::Expand];
        let is_open = by_trees.contains(&self.options.method)
            && program.class().decision_dependent
            && !search::accepts(program)
            && !wide::takes(program);
        let Some(open) = is_open.then(|| gates::ungated(program)).flatten() else {
            return wide::solve(self, program);
        };
        let wanted = self.options.certificate;
        let options = Options {
            certificate: false,
            ..self.options
        };
        let mut clock = Budget::new(options.limits.clone(), Arc::clone(&self.signal), None);
        let asked = Self {
            options,
            known: Known::default(),
            ..self
        };
        let outcome = wide::solve(asked, &open.program)?;
        let mut outcome = open.lifted(outcome);
        if wanted {
            prove::prove_gated(program, &mut outcome, &mut clock)?;
        }
        Ok(outcome)
    }

    /// Solves a program as it is.
    fn run(mut self, program: &Program) -> Result<Outcome, SolveError> {
        #[cfg(feature = "paranoid")]
        presolve_twin::assert_same_worth(program, &self.options.presolve);
        let engines = self.engines(program);
        let mut refusals = Vec::new();
        for (place, &method) in engines.iter().enumerate() {
            if method == Method::Reference && self.options.method == Method::Auto {
                self.say_what_is_in_the_way(program, refusals.first());
            }
            match self.solve_by(method, program) {
                Err(error) if place + 1 < engines.len() => refusals.push(error),
                Err(error) => {
                    refusals.push(error);
                    let mut bounded = self.bounded(program).filter(Result::is_ok);
                    return bounded.take().unwrap_or_else(|| Err(said_by(refusals)));
                }
                Ok(mut outcome) => {
                    if place > 0 {
                        outcome.engine = outcome.engine.or(Some(method.name()));
                    }
                    return Ok(outcome);
                }
            }
        }
        unreachable!("invariant: some engine is asked")
    }

    /// Bounds from both sides for a program that every engine has refused.
    fn bounded(&self, program: &Program) -> Option<Result<Outcome, SolveError>> {
        if self.options.method != Method::Auto {
            return None;
        }
        let (limits, signal) = (self.options.limits.clone(), Arc::clone(&self.signal));
        let mut budget = Budget::new(limits, signal, None);
        let settings = settings_of_trees(&self.options);
        let bounded = equivalent::bounds_of_mixed(program, &settings, &mut budget)?;
        let reason = "rules of the opponent depend on decisions, and there are reals";
        let unproved = || Err(CertificateError::Unsupported(reason.to_owned()));
        Some(bounded.map(|outcome| Outcome {
            engine: Some(Method::Equivalent.name()),
            certificate: self.options.certificate.then(unproved),
            ..outcome
        }))
    }

    /// Tells the listener why the program is left to the reference.
    fn say_what_is_in_the_way(&mut self, program: &Program, refusal: Option<&SolveError>) {
        let Some(notice) = &mut self.notice else {
            return;
        };
        if let Some(refusal) = refusal {
            return notice(refusal);
        }
        // Nobody was asked: an engine that does not take it says why at once.
        let limits = Limits {
            nodes: Some(0),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, Arc::default(), None);
        let mut variables = program.variables().iter();
        let refused = match variables.any(|variable| variable.kind == Kind::Real) {
            true => benders::solve(program, &self.options.benders, &mut budget),
            false => search::solve(program, &self.options.search, &mut budget),
        };
        if let Err(refusal) = refused {
            notice(&refusal);
        }
    }

    /// Lets one engine solve the program, and prove it where that is wanted.
    fn solve_by(&mut self, method: Method, program: &Program) -> Result<Outcome, SolveError> {
        if method == Method::Equivalent && self.races_scenarios(program) {
            let observer = self.observer.take();
            let (options, signal) = (&self.options, &self.signal);
            let mut clock = Budget::new(options.limits.clone(), Arc::clone(signal), None);
            let circumstances = (options, signal, observer, &self.known);
            let mut outcome = portfolio::solve_mixed(program, circumstances)?;
            if options.certificate {
                prove::prove(program, options, &mut outcome, &mut clock)?;
            }
            return Ok(outcome);
        }
        if method == Method::Auto {
            let other = company(program);
            let observer = self.observer.take();
            let (options, signal) = (&self.options, &self.signal);
            let circumstances = (options, signal, observer, &self.known);
            let mut outcome = grouped::solve(program, other, circumstances)?;
            let mut budget = Budget::new(options.limits.clone(), Arc::clone(signal), None);
            play_to_a_loss(program, options, &mut outcome, &mut budget)?;
            return Ok(outcome);
        }
        let mut budget = match self.budget.take() {
            Some(budget) => budget,
            None => {
                let (limits, signal) = (self.options.limits.clone(), Arc::clone(&self.signal));
                Budget::new(limits, signal, self.observer.take())
            }
        };
        let solved = self.solve_within(method, program, &mut budget);
        self.budget = Some(budget);
        solved
    }

    fn solve_within(
        &self,
        method: Method,
        program: &Program,
        budget: &mut Budget,
    ) -> Result<Outcome, SolveError> {
        budget.work_for(method.name());
        let search = &self.options.search;
        // Programs of integers are made easier. Not for the decomposition, whose reals would become
        // integers where they may, nor for the clausal engine, which has techniques for clauses; the
        // reference gets what was typed.
        let easier = || presolve::simplify(program, &self.options.presolve);
        let mut outcome = match (method, self.options.certificate) {
            (Method::Search, false) => {
                let mut outcome = search::solve(&easier().program, search, budget)?;
                play_to_a_loss(program, &self.options, &mut outcome, budget)?;
                outcome
            }
            // A certificate speaks of the rows that were given.
            (Method::Search, true) => search::solve_with_certificate(program, search, budget)?,
            (Method::Clausal, _) => qbf::solve(program, &self.options.clausal, budget)?,
            (Method::Benders, false) => benders::solve(program, &self.options.benders, budget)?,
            (Method::Benders, true) => {
                benders::solve_with_certificate(program, &self.options.benders, budget)?
            }
            (Method::Expand, _) => {
                expand::solve_with(&easier().program, &self.options.expand, budget)?
            }
            (Method::Equivalent, _) => {
                let settings = settings_of_trees(&self.options);
                equivalent::solve_with(&easier().program, &settings, budget)?
            }
            (Method::Auto | Method::Reference, wanted) => {
                let mut outcome = reference::solve(program, budget)?;
                if wanted {
                    let made = certify(program, &outcome, budget);
                    outcome.certificate = Some(made);
                }
                outcome
            }
        };
        if self.options.certificate && !matches!(outcome.certificate, Some(Ok(_))) {
            let prove = match method {
                Method::Clausal => prove::prove_formula,
                _ => prove::prove,
            };
            prove(program, &self.options, &mut outcome, budget)?;
        }
        Ok(outcome)
    }
}

/// A solve that was stopped because its strategy is as good as was asked for.
fn good_enough(outcome: Outcome, limits: &Limits) -> Outcome {
    let (objective, bound) = (outcome.objective.as_ref(), outcome.bound.as_ref());
    let mut enough = limits.enough.iter();
    match outcome.status {
        Status::Interrupted if enough.any(|enough| enough.is_met(objective, bound)) => Outcome {
            status: Status::GoodEnough,
            stop: None,
            ..outcome
        },
        _ => outcome,
    }
}

/// How large trees may be: larger ones are for the engines that come later, where there are some.
fn settings_of_trees(options: &Options) -> equivalent::Settings {
    let mut settings = equivalent::Settings::default();
    if options.method == Method::Auto {
        (settings.most_plays, settings.most_columns) = (4_000, 30_000);
    }
    settings
}

/// What several engines that refuse a program say together: the reasons of those whose class it is
/// nearest to, not that of the reference, which nobody asked for.
fn said_by(mut refusals: Vec<SolveError>) -> SolveError {
    if refusals.len() > 1 {
        refusals.pop();
    }
    refusals.swap_remove(0)
}

/// Positions that showing how a program is lost may take, beside a tenth of those it took to prove it.
const POSITIONS_OF_A_PLAY: u64 = 2_000;

/// Replaces the play of an easier program that is lost by one of the program that was given.
fn play_to_a_loss(
    program: &Program,
    options: &Options,
    outcome: &mut Outcome,
    budget: &mut Budget,
) -> Result<(), SolveError> {
    if outcome.status == Status::Infeasible && search::accepts(program) {
        let mut part = budget.part(Limits {
            nodes: Some(outcome.effort.nodes / 10 + POSITIONS_OF_A_PLAY),
            time: Some(LONGEST_PLAY.min(budget.remaining().unwrap_or(LONGEST_PLAY))),
            memory: options.limits.memory,
            ..Limits::default()
        });
        outcome.principal_variation = search::lost_play(program, &options.search, &mut part)?;
    }
    Ok(())
}

/// How long showing that may take.
const LONGEST_PLAY: Duration = Duration::from_millis(500);

/// The engine that runs beside search: the whole program at once where nobody opposes.
fn company(program: &Program) -> Method {
    let mut variables = program.variables().iter();
    if variables.any(|variable| variable.quantifier == Quantifier::Forall) {
        Method::Expand
    } else {
        Method::Equivalent
    }
}
