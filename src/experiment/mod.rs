//! The laboratory: suites of runs, their results, tables and pictures of them, and the bounds that
//! relaxations give.
//!
//! A [`Suite`] names instances, solvers and limits. A [`Plan`] is the list of runs that it asks
//! for, each with a key. [`conduct`] makes the runs that a [`Ledger`] does not have yet, in child
//! processes, and appends a [`Record`] for each that has finished. [`summary`] and [`plot`] look at
//! records and never run anything; [`bounds`] measures relaxations in this process.
//!
//! **Invariant:** a run is in the ledger exactly if it has finished. Killing an experiment at any
//! moment loses at most the runs that were under way, and starting it again makes exactly those
//! that are missing.

pub mod bounds;
mod cells;
mod conduct;
mod contender;
mod environment;
mod instance;
mod ledger;
mod plan;
pub mod plot;
mod process;
mod record;
mod suite;
pub mod summary;

pub use cells::{Cell, Results};
pub use conduct::{Conduct, Ended, Progress, conduct};
pub use contender::Contender;
pub use environment::Environment;
pub use instance::{Instance, Source};
pub use ledger::{Ledger, LedgerError};
pub use plan::{Plan, PlanError, PlannedRun};
pub use process::{Call, Finished, run_limited};
pub use record::{Line, Record, TracePoint};
pub use suite::{External, InstanceGroup, OwnSolver, Parameter, RunLimits, Suite, SuiteError};
