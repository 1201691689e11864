//! The facade: options in, outcome out, whichever engine does the work.

mod opening;
mod options;
mod perfect;
mod portfolio;
#[cfg(feature = "paranoid")]
mod presolve_twin;
mod prove;
mod question;
mod settings;

pub use options::{Method, Options};
pub use perfect::{PerfectPlay, fixed};
pub use settings::PortfolioSettings;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::budget::{Budget, Observer};
use crate::certify::certify;
use crate::outcome::{Outcome, SolveError};
use crate::program::{Kind, Program, Quantifier, Variable};
use crate::{benders, equivalent, expand, presolve, qbf, reference, search};
use question::Question;

/// Solves programs with one set of options.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::outcome::Status;
/// use quip::solver::Solver;
///
/// let program = parse_qip(
///     "minimize cost: x
///      subject to cover: x >= y
///      prefix forall integer y in [0, 2]  exists integer x in [0, 5]
///      end",
/// )?;
/// let outcome = Solver::default().solve(&program)?;
/// assert_eq!(outcome.status, Status::Optimal);
/// assert_eq!(outcome.objective.unwrap().to_string(), "2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Solver {
    options: Options,
    signal: Arc<AtomicBool>,
    observer: Option<Observer>,
}

impl Solver {
    /// A solver with these options.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Raising this flag from any thread stops the solve with the best answer so far.
    #[must_use]
    pub fn with_signal(mut self, signal: Arc<AtomicBool>) -> Self {
        self.signal = signal;
        self
    }

    /// Listens to the progress of the solve.
    #[must_use]
    pub fn with_observer(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The engine that [`Solver::solve`] uses for this program; [`Method::Auto`] is several of them.
    ///
    /// Quantified Boolean formulas go to the clausal engine.
    /// Programs whose existential variables are all real are decomposed. Those of integers, and of
    /// reals that may as well be integers, are searched and expanded side by side; where a
    /// certificate is wanted, positions are counted or the program is large, they are searched.
    /// Real replies to a first stage of integers are decomposed as well, those behind further
    /// integers are expanded, and for other programs there is the reference.
    pub fn method_for(&self, program: &Program) -> Method {
        let some = |kind: Kind, test: fn(&Variable) -> bool| {
            let mut variables = program.variables().iter();
            variables.any(|variable| variable.kind == kind && test(variable))
        };
        let has_reals = some(Kind::Real, |_| true);
        let decides_integers = some(Kind::Integer, |it| it.quantifier == Quantifier::Exists);
        let decomposable = has_reals && benders::accepts(program);
        let alone = self.options.certificate || self.options.limits.nodes.is_some();
        match self.options.method {
            Method::Auto if program.class().clausal => Method::Clausal,
            Method::Auto if decomposable && !decides_integers => Method::Benders,
            Method::Auto if search::accepts(program) => match alone || self.is_large(program) {
                true => Method::Search,
                false => Method::Auto,
            },
            Method::Auto if decomposable => Method::Benders,
            Method::Auto if !alone && expand::takes_real_replies(program) => Method::Expand,
            Method::Auto => Method::Reference,
            chosen => chosen,
        }
    }

    /// Whether a scenario engine would take much memory, beside search.
    fn is_large(&self, program: &Program) -> bool {
        let rows = program.rows().iter().chain(program.universal_rows().iter());
        let coefficients: usize = rows.map(|row| row.terms.len()).sum();
        coefficients > self.options.portfolio.most_coefficients
            && company(program) == Method::Expand
    }

    /// Solves one program.
    pub fn solve(self, program: &Program) -> Result<Outcome, SolveError> {
        let question = Question::new(program, &self.options)?;
        #[cfg(feature = "paranoid")]
        presolve_twin::assert_same_worth(question.program(), &self.options.presolve);
        let method = self.method_for(question.program());
        if method == Method::Auto {
            let program = question.program();
            let other = company(program);
            let outcome =
                portfolio::solve(program, other, &self.options, &self.signal, self.observer)?;
            return Ok(question.answer(outcome));
        }
        let mut budget = Budget::new(self.options.limits.clone(), self.signal, self.observer);
        let (program, search) = (question.program(), &self.options.search);
        // Programs of integers are made easier. Not for the decomposition, whose reals would become
        // integers where they may, nor for the clausal engine, which has techniques for clauses; the
        // reference gets what was typed.
        let easier = || presolve::simplify(program, &self.options.presolve);
        let mut outcome = match (method, self.options.certificate) {
            (Method::Search, false) => search::solve(&easier().program, search, &mut budget)?,
            // A certificate speaks of the rows that were given.
            (Method::Search, true) => search::solve_with_certificate(program, search, &mut budget)?,
            (Method::Clausal, _) => qbf::solve(program, &self.options.clausal, &mut budget)?,
            (Method::Benders, false) => {
                benders::solve(program, &self.options.benders, &mut budget)?
            }
            (Method::Benders, true) => {
                benders::solve_with_certificate(program, &self.options.benders, &mut budget)?
            }
            (Method::Expand, _) => {
                expand::solve_with(&easier().program, &self.options.expand, &mut budget)?
            }
            (Method::Equivalent, _) => equivalent::solve(&easier().program, &mut budget)?,
            (Method::Auto | Method::Reference, wanted) => {
                let mut outcome = reference::solve(program, &mut budget)?;
                if wanted {
                    let made = certify(program, &outcome, &mut budget);
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
            prove(program, &self.options, &mut outcome, &mut budget)?;
        }
        Ok(question.answer(outcome))
    }
}

/// The engine that runs beside search: the whole program at once where nobody opposes.
fn company(program: &Program) -> Method {
    let mut variables = program.variables().iter();
    if variables.any(|variable| variable.quantifier == Quantifier::Forall) {
        Method::Expand
    } else {
        Method::Equivalent
    }
}
