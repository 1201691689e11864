//! Random programs against the definition: is every answer right, every proof a proof?
//!
//! A [`Campaign`] draws programs of its [`Class`]es, one after the other. Each is written and read, solved by
//! the default engine and by drawn ones in drawn configurations, with limits and threads; the reference judges
//! where the program is small, engines judge each other where it is not. First stages are followed,
//! certificates are checked and then damaged, each rule of their grammar as often as any other, and a program
//! is changed in ways of which we know what they do to its value; what `bounds` and `explain` say is looked at.
//! What fails is made small.
//!
//! **Invariant:** a seed and a class are the same trial on every machine, apart from runs that the clock
//! stops.

mod classes;
mod mutants;
mod relations;
mod said;
mod shrink;
mod trial;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::program::Program;

pub use classes::Class;
pub use mutants::{altered, claims_hold, worth};
pub use relations::{Effect, RELATIONS, Relation};
pub use shrink::shrunk;
pub use trial::{Trial, Wrong, judged};

/// How often a failing program is tried again to make it smaller.
const TRIES: usize = 400;

/// How often a rule of certificates occurred and was damaged.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Lines that use it in honest certificates.
    pub lines: u64,
    /// Texts with such a line damaged.
    pub mutants: u64,
}

/// What was done for one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Programs, and the seed of the next one behind the first.
    pub programs: u64,
    /// Of these the definition was executed.
    pub judged: u64,
    /// Written and read again.
    pub spelled: u64,
    /// Runs that ended with an answer or bounds.
    pub answers: u64,
    /// Runs that were refused.
    pub refused: u64,
    /// Answers that were compared with another one.
    pub compared: u64,
    /// Runs that a limit stopped.
    pub stopped: u64,
    /// First stages after which the value was looked at.
    pub followed: u64,
    /// Certificates that were accepted.
    pub certificates: u64,
    /// Certificates that were not made: a limit, or a class without.
    pub unproved: u64,
    /// Damaged certificates.
    pub mutants: u64,
    /// Damaged certificates that still prove something true.
    pub harmless: u64,
    /// Bounds and sentences of explanations that were looked at.
    #[serde(default)]
    pub said: u64,
    /// Changed programs that were solved.
    pub changed: u64,
    /// What went wrong.
    pub faults: u64,
    /// The rules of certificates.
    pub rules: BTreeMap<String, Rule>,
}

impl Tally {
    fn rule(&mut self, name: &str) -> &mut Rule {
        self.rules.entry(name.to_owned()).or_default()
    }

    /// How often lines of a rule were damaged.
    fn damaged(&self, rule: &str) -> u64 {
        self.rules.get(rule).map_or(0, |it| it.mutants)
    }
}

/// A program on which something went wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What was drawn.
    pub class: Class,
    /// By which seed.
    pub seed: u64,
    /// What went wrong with it.
    pub wrong: Wrong,
    /// The program as it was drawn.
    pub program: Program,
    /// What is left of it when something still goes wrong, and what that is.
    pub small: (Program, Wrong),
}

/// What is drawn, and what was found; it can be written down and gone on with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    /// The seed of the first program of each class.
    pub first_seed: u64,
    /// How many damaged texts are made of each certificate.
    pub mutants: usize,
    /// What was done, by the names of the classes.
    pub classes: BTreeMap<String, Tally>,
}

impl Campaign {
    /// Draws the next program of the class and tries it; what went wrong, if anything. A trial that was told
    /// to stop does not count.
    ///
    /// ```
    /// use quip::fuzz::{Campaign, Class};
    /// let mut campaign = Campaign { mutants: 2, ..Campaign::default() };
    /// for _ in 0..5 {
    ///     assert!(campaign.next(Class::Small, &Default::default()).is_none());
    /// }
    /// assert_eq!(campaign.classes["small"].programs, 5);
    /// ```
    pub fn next(&mut self, class: Class, stop: &Arc<AtomicBool>) -> Option<Fault> {
        let before = self.classes.get(class.name()).cloned().unwrap_or_default();
        let seed = self.first_seed + before.programs;
        let mut tally = before;
        let program = class.program(seed);
        let tried = self.tried(class, seed, &program, &mut tally, stop);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        tally.programs += 1;
        tally.faults += u64::from(tried.is_err());
        self.classes.insert(class.name().to_owned(), tally);
        let wrong = tried.err()?;
        let mut last = wrong.clone();
        let fails = |smaller: &Program| {
            let unseen = &mut Tally::default();
            match self.tried(class, seed, smaller, unseen, stop) {
                Err(found) if !stop.load(Ordering::Relaxed) => {
                    last = found;
                    true
                }
                _ => false,
            }
        };
        let small = shrunk(&program, TRIES, fails);
        Some(Fault {
            class,
            seed,
            wrong,
            program,
            small: (small, last),
        })
    }

    fn tried(
        &self,
        class: Class,
        seed: u64,
        program: &Program,
        tally: &mut Tally,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), Wrong> {
        let value = match class {
            Class::Wide | Class::Middle => None,
            _ => judged(program, stop),
        };
        tally.judged += u64::from(value.is_some());
        let mut trial = Trial {
            program,
            value,
            mutants: self.mutants,
            stop: stop.clone(),
        };
        trial.run(class, seed, tally)
    }
}
