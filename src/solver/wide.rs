//! Programs with longer numbers than engines add up: solved in several questions, exactly.
//!
//! Rows get small numbers first, and carries where there are none ([`with_small_rows`]); so the game
//! stays the same. An objective of many digits is asked for in two steps:
//! 1. *Its high digits.* With the low ones rounded away the program fits. What they can add up to over
//!    the box is known, so the value is known up to that.
//! 2. *The number.* Is the value at most `v`? That is a row `objective <= v` of the existential player,
//!    which fits with a carry. The play that was best in the first step nearly always ends at the
//!    value, so two questions are enough: it can be guaranteed, and nothing better. Else the interval
//!    is halved.
//!
//! **Invariant:** such a row is asked for only where universal rows depend on no decision. There
//! nobody is stuck before the end, and the answer is that of comparing the value. Elsewhere engines get
//! every digit that machine integers hold; of longer objectives who wins is decided, and the value
//! enumerated.

use std::borrow::Cow;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::One;

use super::{Known, Method, Options, Run, prove, search};
use crate::budget::{Budget, Limits};
use crate::num::{Rational, int};
use crate::outcome::{CertificateError, Effort, Move, Outcome, SolveError, Status, Stop};
use crate::presolve::{
    Cleared, cleared_costs, objective_fits, objective_sums_fit, with_implied_integers,
    with_small_rows,
};
use crate::program::{
    Id, IdVec, Kind, Objective, Program, Quantifier, Row, Sense, VarId, evaluate,
};

/// Sums of rounded costs have so many binary digits.
const DIGITS: u64 = 32;

/// So many plans are priced exactly; after them the interval is halved.
const GUESSES: usize = 3;

/// Whether the program is one of integers that engines take once its numbers are made small.
pub(super) fn takes(program: &Program) -> bool {
    let whole = whole(program);
    whole.is_some_and(|whole| with_small_rows(&whole).is_some())
}

/// The program if it is one of integers, or with reals that may as well be integers.
fn whole(program: &Program) -> Option<Cow<'_, Program>> {
    let mut variables = program.variables().iter();
    match variables.all(|variable| variable.kind == Kind::Integer) {
        true => Some(Cow::Borrowed(program)),
        false if search::accepts(program) => None,
        false => with_implied_integers(program).map(Cow::Owned),
    }
}

/// Whether every row by itself fits machine integers, as the reference wants it.
fn has_machine_rows(program: &Program) -> bool {
    let players = [Quantifier::Exists, Quantifier::Forall];
    players
        .into_iter()
        .all(|owner| program.scaled_system(owner).is_ok())
}

/// Whether the objective is asked for in two steps. Where the second one cannot be a row, every digit
/// that machine integers hold stays.
fn has_long_objective(program: &Program) -> bool {
    let variables = program.variables().as_slice();
    let fits = match program.class().decision_dependent {
        true => objective_sums_fit,
        false => objective_fits,
    };
    let objective = program.objective();
    objective.is_some_and(|objective| !fits(objective, variables))
}

/// Solves a program as it is, or the programs that its answer follows from.
pub(super) fn solve(solver: Run, program: &Program) -> Result<Outcome, SolveError> {
    let options = &solver.options;
    let is_left_alone = match options.method {
        Method::Clausal | Method::Benders => true,
        Method::Auto if program.class().clausal => true,
        // A proof speaks of the rows that were given.
        Method::Auto | Method::Search if options.certificate => search::accepts(program),
        Method::Reference => has_machine_rows(program),
        _ => false,
    };
    if is_left_alone || program.first_empty_domain().is_some() {
        return solver.run(program);
    }
    let given = program;
    let Some(whole) = whole(given) else {
        return solver.run(given);
    };
    let program = whole.as_ref();
    let Some(small) = with_small_rows(program) else {
        return solver.run(given);
    };
    let is_long = options.method != Method::Reference && has_long_objective(program);
    match (&small, is_long) {
        (Cow::Borrowed(_), false) => solver.run(given),
        _ => {
            let wanted = options.certificate;
            let options = Options {
                certificate: false,
                ..solver.options
            };
            let mut clock = Budget::new(options.limits.clone(), Arc::clone(&solver.signal), None);
            let inner = options.clone();
            let solver = Run { options, ..solver };
            let outcome = match is_long {
                true => Long::new(solver, program, small.into_owned())?.solve()?,
                false => solver.run(&small)?,
            };
            let mut outcome = without_carries(program, outcome);
            if wanted {
                certify(given, &inner, &mut outcome, &mut clock)?;
            }
            Ok(outcome)
        }
    }
}

/// Positions that the proof of such an answer may take: it is enumerated in the numbers that were given.
const POSITIONS: u64 = 4_000_000;

/// Sets the certificate of an outcome, or the reason why there is none.
fn certify(
    program: &Program,
    options: &Options,
    outcome: &mut Outcome,
    clock: &mut Budget,
) -> Result<(), SolveError> {
    let mut part = clock.part(Limits {
        nodes: Some(POSITIONS),
        time: clock.remaining(),
        memory: options.limits.memory,
        ..Limits::default()
    });
    prove::prove(program, options, outcome, &mut part)?;
    if !matches!(outcome.certificate, Some(Ok(_))) {
        let reason =
            "its numbers have too many digits for search, and proving it by plays took too long";
        let missing = CertificateError::Unsupported(reason.to_owned());
        // A fault is not to be hidden.
        match &outcome.certificate {
            Some(Err(error)) if error.is_fault() => {}
            _ => outcome.certificate = Some(Err(missing)),
        }
    }
    Ok(())
}

/// The outcome in the variables of the program.
fn without_carries(program: &Program, mut outcome: Outcome) -> Outcome {
    let count = program.variables().len();
    for moves in [&mut outcome.first_stage, &mut outcome.principal_variation] {
        moves.retain(|(var, _)| var.index() < count);
    }
    outcome.strategy = None;
    outcome.refutation = None;
    outcome
}

/// A program with a long objective while it is solved. Costs are whole numbers here, small ones good.
struct Long<'a> {
    options: Options,
    signal: Arc<std::sync::atomic::AtomicBool>,
    observer: Option<crate::budget::Observer>,
    clock: Budget,
    program: &'a Program,
    /// The same with small rows, and carries.
    small: Program,
    objective: &'a Objective,
    costs: Cleared,
    /// What the objective was multiplied by to become whole.
    scale: Rational,
    effort: Effort,
}

impl<'a> Long<'a> {
    fn new(solver: Run, program: &'a Program, small: Program) -> Result<Self, SolveError> {
        let objective = program.objective();
        let objective = objective.ok_or(SolveError::TargetWithoutObjective)?;
        let (costs, scale) = cleared_costs(objective);
        let limits = solver.options.limits.clone();
        Ok(Self {
            clock: Budget::new(limits, Arc::clone(&solver.signal), None),
            options: Options {
                certificate: false,
                ..solver.options
            },
            signal: solver.signal,
            observer: solver.observer,
            program,
            small,
            objective,
            costs,
            scale,
            effort: Effort::default(),
        })
    }

    fn solve(mut self) -> Result<Outcome, SolveError> {
        let variables = self.program.variables().as_slice();
        let Some((terms, least, most)) = self.costs.rounded(DIGITS, variables) else {
            return self.ask(&self.small.clone());
        };
        let factor = Rational::one() / &self.scale;
        let rounded = Objective {
            terms: terms
                .into_iter()
                .map(|(var, by)| (var, by * &factor))
                .collect(),
            ..self.objective.clone()
        };
        let coarse = with_objective(&self.small, Some(rounded), None);
        let observer = self.observer.take();
        let first = self.ask_observed(&coarse, observer)?;
        let error = (self.value_of(&least), self.value_of(&most));
        let error = [
            error.0 - &self.objective.constant,
            error.1 - &self.objective.constant,
        ];
        match (first.status, &first.objective) {
            (Status::Optimal, Some(value)) => {
                let mut ends = error.map(|error| self.cost_of(&(value + error)));
                ends.sort();
                let [lower, upper] = ends;
                self.refine(&coarse, first, (lower, upper))
            }
            (Status::Interrupted, _) => {
                let smaller = |value: Rational| &value + (&error[0]).min(&error[1]);
                let larger = |value: Rational| &value + (&error[0]).max(&error[1]);
                let (objective, bound) = (first.objective.clone(), first.bound.clone());
                let minimizes = self.objective.sense == Sense::Minimize;
                Ok(Outcome {
                    objective: objective.map(if minimizes {
                        &larger as &dyn Fn(_) -> _
                    } else {
                        &smaller
                    }),
                    bound: bound.map(if minimizes {
                        &smaller as &dyn Fn(_) -> _
                    } else {
                        &larger
                    }),
                    ..first
                })
            }
            _ => Ok(first),
        }
    }

    /// The value, which lies between two costs.
    fn refine(
        mut self,
        coarse: &Program,
        first: Outcome,
        (mut lower, mut upper): (BigInt, BigInt),
    ) -> Result<Outcome, SolveError> {
        let mut found = first.clone();
        if self.program.class().decision_dependent {
            return self.enumerated(first, (lower, upper));
        }
        let mut guess = self.cost_of_best_play(coarse, &first)?;
        let mut guesses = 0;
        let mut stop = None;
        while lower < upper {
            let best = &upper - BigInt::one();
            let guessed = guess
                .take()
                .filter(|guess| lower <= *guess && *guess <= best);
            let is_reached = match &guessed {
                Some(guess) => self.reaches(&found.first_stage, guess)?,
                None => false,
            };
            if is_reached {
                // It is nearly always the value: is nothing better?
                upper = guessed.expect("invariant: only a guess is reached");
                guess = Some(&upper - BigInt::one());
                guesses += 1;
                if lower == upper {
                    break;
                }
            }
            let asked = match guess.take() {
                Some(guess) if lower <= guess => guess,
                _ => (&lower + &upper) >> 1,
            };
            let row = self.cost_row(&asked);
            let question = with_objective(&self.small, None, Some(row));
            let answer = self.ask(&question)?;
            match answer.status {
                Status::Feasible => {
                    found = answer;
                    upper = asked;
                    if guesses < GUESSES {
                        guess = self.cost_of_best_play(coarse, &found)?;
                    }
                }
                Status::Infeasible => {
                    lower = asked + BigInt::one();
                }
                _ => {
                    stop = Some(answer.stop.unwrap_or(Stop::Signal));
                    break;
                }
            }
        }
        let count = self.program.variables().len();
        let same = |one: &[Move], two: &[Move]| {
            let own = |moves: &[Move]| {
                moves
                    .iter()
                    .filter(|it| it.0.index() < count)
                    .cloned()
                    .collect::<Vec<_>>()
            };
            own(one) == own(two)
        };
        let principal_variation = match same(&found.first_stage, &first.first_stage) {
            true => first.principal_variation,
            false => found.first_stage.clone(),
        };
        Ok(Outcome {
            status: if stop.is_some() {
                Status::Interrupted
            } else {
                Status::Optimal
            },
            stop,
            objective: Some(self.value_of_cost(&upper)),
            bound: Some(self.value_of_cost(&lower)),
            first_stage: found.first_stage,
            principal_variation,
            effort: self.effort,
            engine: first.engine,
            ..Outcome::interrupted(None)
        })
    }

    /// The value where no row can ask for it: by enumeration, or else what it lies between.
    fn enumerated(
        mut self,
        first: Outcome,
        (lower, upper): (BigInt, BigInt),
    ) -> Result<Outcome, SolveError> {
        self.options.method = Method::Reference;
        let exact = self.ask(&self.small.clone())?;
        if exact.status != Status::Interrupted {
            return Ok(exact);
        }
        Ok(Outcome {
            objective: Some(self.value_of_cost(&upper)),
            bound: Some(self.value_of_cost(&lower)),
            first_stage: first.first_stage,
            principal_variation: first.principal_variation,
            effort: self.effort,
            engine: first.engine,
            ..exact
        })
    }

    /// The objective value of a cost.
    fn value_of_cost(&self, cost: &BigInt) -> Rational {
        match self.objective.sense {
            Sense::Minimize => self.value_of(cost),
            Sense::Maximize => self.value_of(&-cost),
        }
    }

    /// Whether a plan that begins so costs at most so much.
    fn reaches(&mut self, first_stage: &[Move], cost: &BigInt) -> Result<bool, SolveError> {
        let row = self.cost_row(cost);
        let question = with_objective(&self.small, None, Some(row));
        let decided = self.decided(&question, first_stage);
        Ok(self.ask(&decided)?.status == Status::Feasible)
    }

    /// A program that begins so; carries of other questions do not count.
    fn decided(&self, question: &Program, first_stage: &[Move]) -> Program {
        let count = self.program.variables().len();
        let own = first_stage.iter().filter(|(var, _)| var.index() < count);
        let own: Vec<Move> = own.cloned().collect();
        super::fixed(question, &own)
    }

    /// What the best play costs, if it is known or soon found.
    fn cost_of_best_play(
        &mut self,
        coarse: &Program,
        first: &Outcome,
    ) -> Result<Option<BigInt>, SolveError> {
        if let Some(cost) = self.cost_of_play(&first.principal_variation) {
            return Ok(Some(cost));
        }
        let decided = self.decided(coarse, &first.first_stage);
        let method = std::mem::replace(&mut self.options.method, Method::Search);
        let again = self.ask(&decided);
        self.options.method = method;
        Ok(self.cost_of_play(&again?.principal_variation))
    }

    fn cost_of_play(&self, play: &[Move]) -> Option<BigInt> {
        let count = self.program.variables().len();
        let mut values: IdVec<VarId, Option<Rational>> = IdVec::filled(count, None);
        for (var, value) in play.iter().filter(|(var, _)| var.index() < count) {
            values[*var] = Some(value.clone());
        }
        let zero = int(0);
        let terms = &self.objective.terms;
        terms
            .iter()
            .all(|(var, _)| values[*var].is_some())
            .then_some(())?;
        let sum = evaluate(terms, |var| values[var].as_ref().unwrap_or(&zero));
        Some(self.cost_of(&(sum + &self.objective.constant)))
    }

    /// The cost of an objective value.
    fn cost_of(&self, value: &Rational) -> BigInt {
        let whole = ((value - &self.objective.constant) * &self.scale).to_integer();
        match self.objective.sense {
            Sense::Minimize => whole,
            Sense::Maximize => -whole,
        }
    }

    /// The objective value of a whole number of its smallest units.
    fn value_of(&self, units: &BigInt) -> Rational {
        Rational::from_integer(units.clone()) / &self.scale + &self.objective.constant
    }

    /// Costs at most so much.
    fn cost_row(&self, cost: &BigInt) -> Row {
        let terms = self.objective.terms.iter();
        let terms = terms.map(|(var, by)| (*var, by * &self.scale)).collect();
        match self.objective.sense {
            Sense::Minimize => Row::at_most(terms, Rational::from_integer(cost.clone())),
            Sense::Maximize => Row::at_least(terms, Rational::from_integer(-cost)),
        }
    }

    fn ask(&mut self, program: &Program) -> Result<Outcome, SolveError> {
        self.ask_observed(program, None)
    }

    /// Solves a program that fits, in the time that is left.
    fn ask_observed(
        &mut self,
        program: &Program,
        observer: Option<crate::budget::Observer>,
    ) -> Result<Outcome, SolveError> {
        if let Err(stop) = self.clock.look() {
            return Ok(Outcome::interrupted(stop));
        }
        let nodes = self.options.limits.nodes;
        let limits = Limits {
            time: self.clock.remaining(),
            nodes: nodes.map(|nodes| nodes.saturating_sub(self.effort.nodes)),
            enough: None,
            ..self.options.limits.clone()
        };
        let solver = Run {
            // Of a rounded objective nothing is known.
            known: Known::default(),
            budget: None,
            options: Options {
                limits,
                ..self.options.clone()
            },
            signal: Arc::clone(&self.signal),
            observer,
            notice: None,
        };
        let small = with_small_rows(program);
        let outcome = solver.run(small.as_deref().unwrap_or(program))?;
        self.effort = Effort {
            nodes: self.effort.nodes + outcome.effort.nodes,
            lps: self.effort.lps + outcome.effort.lps,
            learnt: self.effort.learnt + outcome.effort.learnt,
        };
        Ok(outcome)
    }
}

/// The program with another objective, and perhaps one more row.
fn with_objective(program: &Program, objective: Option<Objective>, row: Option<Row>) -> Program {
    let mut data = program.clone().into_data();
    data.objective = objective;
    data.rows.extend(row);
    Program::new(data).expect("invariant: a valid program stays valid under an unnamed row")
}
