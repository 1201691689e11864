//! One random program: solved in several ways, proved, damaged, changed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::mutants::{aimed, altered, claims_hold, rules, worth};
use super::relations::{Effect, RELATIONS};
use super::{Class, Tally, said};
use crate::budget::{Budget, Limits};
use crate::check::check;
use crate::format::{parse_qip, write_qip};
use crate::outcome::{Outcome, Score, SolveError, Status, cost_of_objective};
use crate::program::{Bounds, Id, Program};
use crate::reference;
use crate::solver::{Method, Options, Solver};
use crate::strategy::Verdict;

/// What the reference may spend on a program before it is none of its business.
const POSITIONS: u64 = 300_000;

/// How long one run may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is not as it must be: a sentence, and the options of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong(pub String);

/// A program and what is known of it.
pub struct Trial<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its value: by the definition, or by the first engine that has proved it.
    pub value: Option<Score>,
    /// How many damaged texts are made of each certificate.
    pub mutants: usize,
    /// Says stop.
    pub stop: Arc<AtomicBool>,
}

/// The value by the definition, where it is not too much to enumerate.
pub fn judged(program: &Program, stop: &Arc<AtomicBool>) -> Option<Score> {
    let limits = Limits {
        nodes: Some(POSITIONS),
        time: Some(PATIENCE),
        ..Limits::default()
    };
    let budget = &mut Budget::new(limits, stop.clone(), None);
    let outcome = reference::solve(program, budget).ok()?;
    outcome.score(program)
}

impl Trial<'_> {
    /// Everything that can be asked of one program, by the dice of the seed.
    pub fn run(&mut self, class: Class, seed: u64, tally: &mut Tally) -> Result<(), Wrong> {
        let dice = &mut ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
        self.spelled(tally)?;
        let (first, certificate) = first_run(class);
        self.solved(&first, certificate, dice, tally)?;
        for round in 0..2 {
            let options = drawn(round == 1, dice);
            self.solved(&options, true, dice, tally)?;
        }
        self.changed(dice, tally)?;
        self.said(seed, tally)
    }

    /// What is written is read again as it was.
    fn spelled(&self, tally: &mut Tally) -> Result<(), Wrong> {
        let text = write_qip(self.program);
        let read = parse_qip(&text);
        let read = read.map_err(|fault| Wrong(format!("what is written is not read: {fault}")))?;
        tally.spelled += 1;
        match read.fingerprint() == self.program.fingerprint() {
            true => Ok(()),
            false => Err(Wrong("what is written is read as another program".into())),
        }
    }

    /// One run.
    pub fn solved(
        &mut self,
        options: &Options,
        certificate: bool,
        dice: &mut ChaCha8Rng,
        tally: &mut Tally,
    ) -> Result<(), Wrong> {
        let mut options = options.clone();
        options.certificate = certificate;
        options.limits.time = Some(PATIENCE);
        let said = told(&options);
        let wrong = |what: String| Wrong(format!("{what} ({said})"));
        let outcome = match self.answer(self.program, options).map_err(&wrong)? {
            Err(SolveError::Unsupported { .. } | SolveError::Scaling(_)) => {
                tally.refused += 1;
                return Ok(());
            }
            Err(error) => return Err(wrong(error.to_string())),
            Ok(outcome) => outcome,
        };
        tally.answers += 1;
        self.compared(&outcome, tally).map_err(&wrong)?;
        self.followed(&outcome, tally).map_err(&wrong)?;
        if certificate {
            self.proved(&outcome, dice, tally).map_err(&wrong)?;
        }
        Ok(())
    }

    /// What a solver says; a panic is a sentence.
    fn answer(
        &self,
        program: &Program,
        options: Options,
    ) -> Result<Result<Outcome, SolveError>, String> {
        let solver = Solver::new(options).with_signal(self.stop.clone());
        let tried = catch_unwind(AssertUnwindSafe(|| solver.solve(program)));
        tried.map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            format!("internal error: {}", text.unwrap_or("unknown cause"))
        })
    }

    /// The answer, or the bounds of one that was stopped, beside the value.
    fn compared(&mut self, outcome: &Outcome, tally: &mut Tally) -> Result<(), String> {
        let found = outcome.score(self.program);
        match (&self.value, found) {
            (Some(value), Some(found)) if found != *value => {
                Err(format!("the value is {value:?}, the answer {found:?}"))
            }
            (None, Some(found)) => {
                self.value = Some(found);
                Ok(())
            }
            (_, Some(_)) => {
                tally.compared += 1;
                Ok(())
            }
            (Some(value), None) => {
                tally.stopped += 1;
                let cost = |end: &Option<crate::num::Rational>| {
                    let end = end.clone()?;
                    Some(Score::Cost(cost_of_objective(self.program, end)))
                };
                let (least, most) = (cost(&outcome.bound), cost(&outcome.objective));
                let is_wrong = self.program.objective().is_some()
                    && (least.as_ref().is_some_and(|it| it > value)
                        || most.as_ref().is_some_and(|it| it < value));
                match is_wrong {
                    true => Err(format!(
                        "the value is {value:?}, the bounds are {least:?} and {most:?}"
                    )),
                    false => Ok(()),
                }
            }
            (None, None) => {
                tally.stopped += 1;
                Ok(())
            }
        }
    }

    /// After the first stage that is reported the value is the same.
    fn followed(&self, outcome: &Outcome, tally: &mut Tally) -> Result<(), String> {
        let (Some(value), Some(_)) = (&self.value, outcome.score(self.program)) else {
            return Ok(());
        };
        if outcome.first_stage.is_empty() || *value == Score::Unbounded {
            return Ok(());
        }
        let mut data = self.program.clone().into_data();
        for (var, value) in &outcome.first_stage {
            data.variables[var.index()].bounds = Bounds::between(value.clone(), value.clone());
        }
        let fixed = Program::new(data).map_err(|_| "the first stage is no point".to_owned())?;
        match judged(&fixed, &self.stop) {
            Some(then) if then != *value => Err(format!(
                "the value is {value:?}, after the first stage it is {then:?}"
            )),
            Some(_) => {
                tally.followed += 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The certificate is accepted, says what the answer says, and damaged it proves nothing wrong.
    fn proved(
        &self,
        outcome: &Outcome,
        dice: &mut ChaCha8Rng,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let Some(made) = &outcome.certificate else {
            return Err("a certificate was asked for and is not spoken of".into());
        };
        let certificate = match made {
            Ok(certificate) => certificate,
            Err(fault) if fault.is_fault() => return Err(format!("no certificate: {fault}")),
            Err(_) => {
                tally.unproved += 1;
                return Ok(());
            }
        };
        let text = certificate.to_text(self.program);
        let verdict = check(self.program, text.as_bytes());
        let verdict = verdict.map_err(|fault| format!("the certificate is rejected: {fault}"))?;
        says_the_same(self.program, &verdict, outcome)?;
        tally.certificates += 1;
        for (rule, lines) in rules(&text) {
            tally.rule(rule).lines += lines.len() as u64;
        }
        let Some(value) = &self.value else {
            return Ok(());
        };
        for number in 0..self.mutants {
            let (rule, mutant) = match number % 4 {
                0 => (None, altered(&text, dice)),
                _ => match aimed(&text, |rule| tally.damaged(rule), dice) {
                    Some((rule, mutant)) => (Some(rule), mutant),
                    None => continue,
                },
            };
            tally.mutants += 1;
            if let Some(rule) = rule {
                tally.rule(&rule).mutants += 1;
            }
            let tried = catch_unwind(AssertUnwindSafe(|| check(self.program, mutant.as_bytes())));
            match tried {
                Err(_) => return Err(format!("the checker panics on\n{mutant}")),
                Ok(Err(_)) => {}
                Ok(Ok(verdict)) if claims_hold(&verdict, value) => tally.harmless += 1,
                Ok(Ok(_)) => return Err(format!("a false certificate is accepted:\n{mutant}")),
            }
        }
        Ok(())
    }

    /// Bounds of every third program, explanations of every third other one.
    fn said(&self, seed: u64, tally: &mut Tally) -> Result<(), Wrong> {
        let Some(value) = &self.value else {
            return Ok(());
        };
        let looked = catch_unwind(AssertUnwindSafe(|| match seed % 3 {
            0 => said::bounded(self.program, value, seed, &self.stop),
            1 => said::explained(self.program, value, &self.stop),
            _ => Ok(0),
        }));
        let command = if seed.is_multiple_of(3) {
            "bounds"
        } else {
            "explain"
        };
        match looked {
            Ok(Ok(count)) => {
                tally.said += count;
                Ok(())
            }
            Ok(Err(what)) => Err(Wrong(what)),
            Err(_) => Err(Wrong(format!("internal error in {command}"))),
        }
    }

    /// A changed program has the value that it must have.
    fn changed(&self, dice: &mut ChaCha8Rng, tally: &mut Tally) -> Result<(), Wrong> {
        let Some(value) = &self.value else {
            return Ok(());
        };
        let Some(relation) = RELATIONS.choose(dice) else {
            return Ok(());
        };
        let Some(changed) = relation.apply(self.program, dice) else {
            return Ok(());
        };
        let mut options = Options::default();
        options.limits.time = Some(PATIENCE);
        let wrong = |what: String| Wrong(format!("{what} (after a change of {})", relation.name));
        let Ok(outcome) = self.answer(&changed, options).map_err(&wrong)? else {
            return Ok(());
        };
        let Some(found) = outcome.score(&changed) else {
            return Ok(());
        };
        tally.changed += 1;
        let holds = match relation.effect {
            Effect::Same => found == *value,
            Effect::NoBetter => found >= *value,
            Effect::NoWorse => found <= *value,
        };
        match holds {
            true => Ok(()),
            false => Err(wrong(format!(
                "the value is {value:?}, then {found:?} of\n{}",
                write_qip(&changed)
            ))),
        }
    }
}

/// The verdict claims what the outcome says, and no less is guaranteed.
fn says_the_same(program: &Program, verdict: &Verdict, outcome: &Outcome) -> Result<(), String> {
    let expected = match (outcome.status, &outcome.objective) {
        (Status::Optimal, Some(value)) => format!("optimal {value}"),
        (status, _) => status.to_string(),
    };
    if verdict.claim != expected {
        return Err(format!("`{expected}` has a proof of `{}`", verdict.claim));
    }
    let Some(score) = outcome.score(program) else {
        return Ok(());
    };
    let sides = [&verdict.strategy, &verdict.refutation];
    let [above, below] = sides.map(|side| side.as_ref().map(|it| worth(&it.guarantee)));
    let is_kept = outcome.status == Status::Feasible;
    let is_it = |side: &Option<Score>| side.as_ref().is_none_or(|it| *it == score);
    let holds = (is_kept || is_it(&above)) && is_it(&below);
    match holds {
        true => Ok(()),
        false => Err(format!("{score:?} has proofs of {above:?} and {below:?}")),
    }
}

/// The first run of a class, and whether it is proved. Proofs judge where the reference does not; lot sizing is
/// there for rows that linear programs leave, which are asked for everywhere.
fn first_run(class: Class) -> (Options, bool) {
    let mut options = Options::default();
    if class == Class::Lots {
        options.method = Method::Search;
        options.search.caution = 0;
    }
    let certificate = !matches!(
        class,
        Class::Small | Class::Binary | Class::Game | Class::Rounds
    );
    (options, certificate)
}

/// An engine, or the choice of one; with techniques turned, with a limit, with two threads, now and then.
fn drawn(turned: bool, dice: &mut ChaCha8Rng) -> Options {
    let mut options = Options {
        method: *Method::ALL.choose(dice).unwrap_or(&Method::Auto),
        threads: Some(if dice.random_ratio(1, 8) { 2 } else { 1 }),
        ..Options::default()
    };
    if dice.random_ratio(1, 8) {
        options.limits.nodes = Some(dice.random_range(1..60));
    }
    if turned {
        for switch in Options::default().switches() {
            let value = match switch.value.as_str() {
                "on" => "off",
                "off" => "on",
                // The size of the table, prices and patience.
                _ => "0",
            };
            if dice.random_ratio(1, 4) {
                // Not every number may be zero.
                let _ = options.set(switch.key, value);
            }
        }
    }
    options
}

/// The options as they are typed, as far as they are not the usual ones.
fn told(options: &Options) -> String {
    let usual = Options::default();
    let mut said = format!("-m {}", options.method);
    if let Some(nodes) = options.limits.nodes {
        said += &format!(" --nodes {nodes}");
    }
    if let Some(threads) = options.threads {
        said += &format!(" -j {threads}");
    }
    for (now, usual) in options.switches().iter().zip(usual.switches()) {
        if now.value != usual.value {
            said += &format!(" --set {}={}", now.key, now.value);
        }
    }
    if options.certificate {
        said += " --certificate FILE";
    }
    said
}
