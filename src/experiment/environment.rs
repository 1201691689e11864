//! Where runs were made: without it a time means nothing.

use std::hash::Hasher;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// Version of this program.
    pub version: String,
    /// The commit it was built from, if the build was told (`QUIP_COMMIT`).
    pub commit: Option<String>,
    /// A mark of the executable itself.
    pub executable: Option<String>,
    /// Version of the LP solver.
    pub highs: String,
    /// Operating system and architecture.
    pub system: String,
    /// The processor.
    pub processor: Option<String>,
    /// How many threads it runs at once.
    pub threads: Option<usize>,
    /// Memory of the machine.
    pub memory_mb: Option<u64>,
    /// How many runs were made at once.
    pub jobs: usize,
}

impl Environment {
    /// This machine, this executable.
    pub fn here(executable: &Path, jobs: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("QUIP_COMMIT")
                .filter(|commit| !commit.is_empty())
                .map(str::to_owned),
            executable: mark_of(executable),
            highs: crate::lp::version(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: field("/proc/cpuinfo", "model name"),
            threads: std::thread::available_parallelism().ok().map(usize::from),
            memory_mb: field("/proc/meminfo", "MemTotal").and_then(|text| {
                let kib: u64 = text.split_whitespace().next()?.parse().ok()?;
                Some(kib >> 10)
            }),
            jobs,
        }
    }

    /// Whether runs made there and here may be compared solver with solver: the program is the
    /// same. That the machine is the same is left to the reader, who finds both recorded.
    pub fn same_program(&self, other: &Self) -> bool {
        (&self.version, &self.commit, &self.executable)
            == (&other.version, &other.commit, &other.executable)
    }
}

fn mark_of(executable: &Path) -> Option<String> {
    let bytes = std::fs::read(executable).ok()?;
    let mut mark = rustc_hash::FxHasher::default();
    mark.write(&bytes);
    Some(format!("{:016x}", mark.finish()))
}

/// The value after `name:` in a file of such lines.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
