//! The runs that a suite asks for, each with the key by which it is known when it is done.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::contender::Contender;
use super::instance::Instance;
use super::suite::{Suite, SuiteError};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The suite itself is wrong.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A file cannot be read.
    #[error("cannot read `{name}`: {reason}")]
    Read {
        /// The file.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// A model is wrong; the rendered diagnostics.
    #[error("{0}")]
    Model(String),
    /// A pattern finds no files.
    #[error("files `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A generator cannot do what is asked.
    #[error("generator `{generator}`: {reason}")]
    Generator {
        /// The generator.
        generator: String,
        /// What is wrong.
        reason: String,
    },
    /// Two solvers would make the same runs.
    #[error("solvers `{0}` and `{1}` have the same options")]
    SameOptions(String, String),
}

/// One run of a plan.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    /// Made of the instance's fingerprint, the solver's options and the number of the repeat.
    pub key: String,
    /// Its number in the plan.
    pub place: usize,
    /// What is solved.
    pub instance: Arc<Instance>,
    /// By whom.
    pub contender: Arc<Contender>,
    /// The how-manieth time, from zero.
    pub repeat: u32,
}

/// Every run of a suite, in the order in which they are made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name of the suite.
    pub name: String,
    /// The runs; no key twice.
    pub runs: Vec<PlannedRun>,
    /// Instances that are the same program as another one, and therefore left out.
    pub repeated_instances: Vec<String>,
}

impl Plan {
    /// Reads or generates every instance of a suite; paths are relative to `folder`.
    pub fn new(name: &str, suite: &Suite, folder: &Path) -> Result<Self, PlanError> {
        let mut plan = Self {
            name: name.to_owned(),
            runs: Vec::new(),
            repeated_instances: Vec::new(),
        };
        let instances = plan.distinct_instances(suite, folder)?;
        let contenders = contenders(suite)?;
        for repeat in 0..suite.repeats {
            for instance in &instances {
                for contender in &contenders {
                    plan.runs.push(PlannedRun {
                        place: plan.runs.len(),
                        key: key(&instance.fingerprint, &contender.identity, repeat),
                        instance: Arc::clone(instance),
                        contender: Arc::clone(contender),
                        repeat,
                    });
                }
            }
        }
        Ok(plan)
    }

    fn distinct_instances(
        &mut self,
        suite: &Suite,
        folder: &Path,
    ) -> Result<Vec<Arc<Instance>>, PlanError> {
        let mut seen = BTreeSet::new();
        let mut kept = Vec::new();
        for group in &suite.instances {
            for instance in group.instances(folder)? {
                if seen.insert(instance.fingerprint.clone()) {
                    kept.push(Arc::new(instance));
                } else {
                    self.repeated_instances.push(instance.name);
                }
            }
        }
        Ok(kept)
    }
}

fn contenders(suite: &Suite) -> Result<Vec<Arc<Contender>>, PlanError> {
    let own = suite.own_solvers().into_iter();
    let own = own.map(|it| Contender::own(&it, suite));
    let others = suite
        .external
        .iter()
        .map(|it| Contender::external(it, suite));
    let mut contenders: Vec<Arc<Contender>> = Vec::new();
    for contender in own.chain(others) {
        let same = contenders
            .iter()
            .find(|it| it.identity == contender.identity);
        if let Some(same) = same {
            return Err(PlanError::SameOptions(same.name.clone(), contender.name));
        }
        contenders.push(Arc::new(contender));
    }
    Ok(contenders)
}

fn key(fingerprint: &str, identity: &str, repeat: u32) -> String {
    format!("{fingerprint} | {identity} | {repeat}")
}
