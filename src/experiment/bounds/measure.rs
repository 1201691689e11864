//! Measuring every relaxation of a program.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::derive::{against, committed, constant_cost, cooperative, depends_on_decisions, linear};
use super::order::{Theorem, faults};
use super::scenario::{Scenario, by_rule, every, has_whole_universals, middle, random};
use super::{Entry, Measured, Report, Side};
use crate::budget::{Budget, Limits};
use crate::equivalent;
use crate::lp::WarmLp;
use crate::lp::simplex::Answer;
use crate::num::{Rational, int};
use crate::outcome::{Effort, Move, Outcome, Score, SolveError, Status};
use crate::program::{Program, Quantifier, VarId, cost_of_objective};
use crate::relax::solve_qlp;
use crate::solver::{Options, Solver};

/// How to measure.
#[derive(Clone, Debug)]
pub struct BoundsOptions {
    /// What each relaxation, and the value itself, may spend.
    pub limits: Limits,
    /// How many random scenarios are looked at.
    pub random: usize,
    /// The largest set of scenarios.
    pub largest_set: usize,
    /// All plays are looked at together if there are at most this many.
    pub most_plays: usize,
    /// Each play is looked at alone if there are at most this many.
    pub each_play: usize,
    /// For the random scenarios.
    pub seed: u64,
    /// Raised to stop.
    pub stop: Arc<AtomicBool>,
}

impl Default for BoundsOptions {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            random: 13,
            largest_set: 16,
            most_plays: 64,
            each_play: 0,
            seed: 0,
            stop: Arc::default(),
        }
    }
}

/// Solves the program and every relaxation of it.
///
/// ```
/// use quip::experiment::bounds::{BoundsOptions, measure};
/// use quip::num::ratio;
/// use quip::outcome::Score;
/// let program = quip::format::parse_qip(
///     "minimize x subject to 2 x >= y + 1
///      prefix forall integer y in [0, 2]  exists integer x in [0, 5] end",
/// )?;
/// let report = measure(&program, &BoundsOptions::default());
/// assert!(report.faults.is_empty());
/// let first = &report.entries[1];
/// assert_eq!(first.name, "existential LP");
/// assert_eq!(first.measured.exact(), Some(&Score::Cost(ratio(1, 2))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure(program: &Program, options: &BoundsOptions) -> Report {
    let mut study = Study {
        program,
        options,
        entries: Vec::new(),
        drawn: Vec::new(),
        theorems: Vec::new(),
        sets: Vec::new(),
    };
    let outcome = study.value();
    // With an empty domain somebody has lost before the first move: there is nothing to relax.
    if program.first_empty_domain().is_none() {
        let cooperative = study.cooperation();
        let scenarios = study.scenarios(outcome.as_ref());
        let drawn = scenarios.iter().filter(|(name, _)| name.starts_with(DRAWN));
        study.drawn = drawn
            .map(|(name, play)| (name.clone(), spelled(program, play)))
            .collect();
        study.scenario_sets(&scenarios, cooperative);
        let qlp = study.quantified(cooperative);
        study.every_play(cooperative, qlp);
        study.commitment();
    }
    Report {
        faults: faults(&study.entries, &study.theorems),
        entries: study.entries,
        drawn: study.drawn,
    }
}

/// What random scenarios are called, before their number.
const DRAWN: &str = "random ";

struct Study<'a> {
    program: &'a Program,
    options: &'a BoundsOptions,
    entries: Vec<Entry>,
    drawn: Vec<(String, String)>,
    theorems: Vec<Theorem>,
    /// Scenarios alone and in sets.
    sets: Vec<Pair>,
}

/// The places of a relaxation's two entries.
#[derive(Copy, Clone)]
struct Pair {
    lp: usize,
    whole: usize,
}

/// Where the value stands.
const VALUE: usize = 0;

impl Study<'_> {
    fn budget(&self) -> Budget {
        Budget::new(
            self.options.limits.clone(),
            Arc::clone(&self.options.stop),
            None,
        )
    }

    fn value(&mut self) -> Option<Outcome> {
        let solver = Solver::new(Options {
            limits: self.options.limits.clone(),
            ..Options::default()
        })
        .with_signal(Arc::clone(&self.options.stop));
        let clock = self.budget();
        let solved = solver.solve(self.program);
        self.note("value", Side::Value, &clock, solved.as_ref());
        solved.ok()
    }

    /// The existential LP and the cooperative value.
    fn cooperation(&mut self) -> Pair {
        let relaxed = cooperative(self.program);
        let pair = self.pair("existential LP", "cooperative value", &relaxed);
        // An opponent who can be stuck may lose more than cooperation can win.
        if self.entries[VALUE].measured.exact() != Some(&Score::Won) {
            self.at_most(pair.whole, VALUE);
        }
        pair
    }

    /// Scenarios by name, each once: the refuting one, the corners, the middle, random ones.
    fn scenarios(&self, outcome: Option<&Outcome>) -> Vec<(String, Scenario)> {
        let program = self.program;
        let mut found: Vec<(String, Scenario)> = Vec::new();
        let mut add = |name: String, scenario: Option<Scenario>| {
            if let Some(scenario) = scenario
                && found.iter().all(|(_, other)| *other != scenario)
            {
                found.push((name, scenario));
            }
        };
        if let Some(outcome) = outcome {
            add(
                "worst play".to_owned(),
                played(program, &outcome.principal_variation),
            );
        }
        add(
            "all lower".to_owned(),
            by_rule(program, |_, lower, _| lower.clone()),
        );
        add(
            "all upper".to_owned(),
            by_rule(program, |_, _, upper| upper.clone()),
        );
        add("nominal play".to_owned(), middle(program));
        for play in every(program, self.options.each_play).unwrap_or_default() {
            add(spelled(program, &play), Some(play));
        }
        let mut source = ChaCha8Rng::seed_from_u64(self.options.seed);
        for number in 1..=self.options.random {
            add(format!("{DRAWN}{number}"), random(program, &mut source));
        }
        found
    }

    /// Every scenario alone, then sets of 2, 4, 8 … of them, each holding the one before.
    fn scenario_sets(&mut self, scenarios: &[(String, Scenario)], cooperative: Pair) {
        let mut alone = Vec::new();
        for (name, scenario) in scenarios {
            let relaxed = against(self.program, std::slice::from_ref(scenario));
            let (lp, whole) = (format!("{name}, LP"), format!("{name}, integer"));
            let pair = self.pair(&lp, &whole, &relaxed);
            self.at_most(cooperative.lp, pair.lp);
            self.at_most(cooperative.whole, pair.whole);
            self.at_most(pair.whole, VALUE);
            alone.push(pair);
        }
        let plays: Vec<Scenario> = scenarios.iter().map(|(_, play)| play.clone()).collect();
        let most = plays.len().min(self.options.largest_set);
        let mut before: Option<Pair> = None;
        let mut size = 2;
        while size <= most {
            let relaxed = against(self.program, &plays[..size]);
            let (lp, whole) = (
                format!("{size} scenarios, LP"),
                format!("{size} scenarios, integer"),
            );
            let pair = self.pair(&lp, &whole, &relaxed);
            for smaller in alone[..size].iter().chain(&before) {
                self.at_most(smaller.lp, pair.lp);
                self.at_most(smaller.whole, pair.whole);
            }
            self.at_most(pair.whole, VALUE);
            self.sets.push(pair);
            before = Some(pair);
            size *= 2;
        }
        self.sets.extend(alone);
    }

    /// The quantified linear program; its place.
    ///
    /// Universal rows are dropped in it, and with them its place among the others.
    fn quantified(&mut self, cooperative: Pair) -> usize {
        let mut clock = self.budget();
        let solved = solve_qlp(self.program, &mut clock);
        let place = self.note("QLP", Side::Below, &clock, solved.as_ref());
        if self.program.universal_rows().is_empty() {
            self.at_most(cooperative.lp, place);
            for set in self.sets.clone() {
                self.at_most(set.lp, place);
            }
        }
        self.at_most(place, VALUE);
        place
    }

    /// All plays at once: as a linear program the quantified one, and with integers the value.
    fn every_play(&mut self, cooperative: Pair, qlp: usize) {
        if depends_on_decisions(self.program) {
            return;
        }
        let Some(plays) = every(self.program, self.options.most_plays) else {
            return;
        };
        let relaxed = against(self.program, &plays);
        let pair = self.pair("equivalent LP", "equivalent, integer", &relaxed);
        self.at_most(cooperative.lp, pair.lp);
        for set in self.sets.clone() {
            self.at_most(set.lp, pair.lp);
        }
        self.at_most(qlp, pair.lp);
        if self.program.universal_rows().is_empty() {
            self.at_most(pair.lp, qlp);
        }
        self.at_most(pair.whole, VALUE);
        // Inside their range, real moves may be worse than at its ends for whole replies.
        if has_whole_universals(self.program) {
            for set in self.sets.clone() {
                self.at_most(set.whole, pair.whole);
            }
            self.at_most(VALUE, pair.whole);
        }
    }

    /// A plan that is fixed in advance.
    fn commitment(&mut self) {
        let Some(restricted) = committed(self.program) else {
            return;
        };
        let mut clock = self.budget();
        let solved = without_opponent(&restricted, &self.options.limits, &mut clock);
        let place = self.note("robust static plan", Side::Above, &clock, solved.as_ref());
        self.at_most(VALUE, place);
    }

    fn pair(&mut self, lp: &str, whole: &str, relaxed: &Program) -> Pair {
        let mut clock = self.budget();
        let measured = linear_value(relaxed, &mut clock);
        let lp = self.push(Entry {
            name: lp.to_owned(),
            side: Side::Below,
            measured,
            seconds: clock.elapsed().as_secs_f64(),
            effort: Effort {
                lps: 1,
                ..Effort::default()
            },
        });
        let mut clock = self.budget();
        let solved = without_opponent(relaxed, &self.options.limits, &mut clock);
        let whole = self.note(whole, Side::Below, &clock, solved.as_ref());
        self.at_most(lp, whole);
        Pair { lp, whole }
    }

    fn note(
        &mut self,
        name: &str,
        side: Side,
        clock: &Budget,
        solved: Result<&Outcome, &SolveError>,
    ) -> usize {
        self.push(Entry {
            name: name.to_owned(),
            side,
            measured: match solved {
                Ok(outcome) => measured(self.program, outcome),
                Err(reason) => Measured::Nothing(reason.to_string()),
            },
            seconds: clock.elapsed().as_secs_f64(),
            effort: solved.map_or(Effort::default(), |outcome| outcome.effort),
        })
    }

    fn push(&mut self, entry: Entry) -> usize {
        self.entries.push(entry);
        self.entries.len() - 1
    }

    fn at_most(&mut self, smaller: usize, larger: usize) {
        self.theorems.push(Theorem { smaller, larger });
    }
}

/// The universal moves of a play; nothing of one that ends before the last of them, since what would
/// have followed is nobody's worst play.
fn played(program: &Program, moves: &[Move]) -> Option<Scenario> {
    let made = |var: VarId| moves.iter().find(|(at, _)| *at == var);
    let mut variables = program.variables().pairs();
    let is_whole =
        variables.all(|(var, it)| it.quantifier == Quantifier::Exists || made(var).is_some());
    let values = |var, lower: &Rational, _: &Rational| {
        made(var).map_or_else(|| lower.clone(), |(_, value)| value.clone())
    };
    is_whole.then(|| by_rule(program, values)).flatten()
}

/// The exact value of the LP relaxation of a program without an opponent.
fn linear_value(program: &Program, budget: &mut Budget) -> Measured {
    match WarmLp::new(&linear(program)).solve(budget) {
        Ok(Answer::Optimal { value, .. }) => {
            Measured::Exact(Score::Cost(value + constant_cost(program)))
        }
        Ok(Answer::Infeasible { .. }) => Measured::Exact(Score::Lost),
        Ok(Answer::Unbounded { .. }) => Measured::Exact(Score::Unbounded),
        Err(_) => Measured::Nothing("a limit was reached".to_owned()),
    }
}

/// Exact branch and bound where it is at home; otherwise whatever engine takes the program.
fn without_opponent(
    program: &Program,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    match equivalent::solve(program, budget) {
        Err(SolveError::Unsupported { .. }) => {
            let left = Limits {
                time: budget.remaining(),
                ..limits.clone()
            };
            let options = Options {
                limits: left,
                ..Options::default()
            };
            Solver::new(options)
                .with_signal(budget.signal())
                .solve(program)
        }
        solved => solved,
    }
}

fn measured(program: &Program, outcome: &Outcome) -> Measured {
    let cost = |value: &Option<Rational>| {
        let value = value.clone().unwrap_or_else(|| int(0));
        cost_of_objective(program, value)
    };
    match outcome.status {
        Status::Optimal | Status::Feasible => {
            Measured::Exact(Score::Cost(cost(&outcome.objective)))
        }
        Status::Infeasible => Measured::Exact(Score::Lost),
        Status::UniversalStuck => Measured::Exact(Score::Won),
        Status::Unbounded => Measured::Exact(Score::Unbounded),
        Status::Interrupted if outcome.bound.is_some() => Measured::AtLeast(cost(&outcome.bound)),
        Status::Interrupted => Measured::Nothing("a limit was reached".to_owned()),
        Status::TargetReached | Status::GoodEnough => {
            unreachable!("invariant: no easier question is asked here")
        }
    }
}

/// The moves of a scenario by the names of their variables.
fn spelled(program: &Program, play: &Scenario) -> String {
    let moves = play.pairs().filter_map(|(var, value)| {
        let name = &program.variables()[var].name;
        Some(format!("{name} = {}", value.as_ref()?))
    });
    moves.collect::<Vec<_>>().join(", ")
}
