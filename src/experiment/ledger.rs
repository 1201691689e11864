//! The results file: one line for each finished run, only ever appended to.
//!
//! **Invariant:** every line but the last is whole. A last line that is torn (the machine died in
//! the middle of it) is cut off when the file is opened, and its run is made again.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::record::{Line, Record};

/// Why a results file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// It cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A line in its middle is not one of ours.
    #[error("`{path}`, line {line}, is not a result: {reason}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// An open results file.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
    keys: BTreeSet<String>,
    environment: Option<Environment>,
}

impl Ledger {
    /// Opens or creates a results file.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let unwritable = |reason| LedgerError::Write {
            path: path.to_owned(),
            reason,
        };
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .open(path)
            .map_err(unwritable)?;
        let content = Content::read(path)?;
        file.set_len(content.whole_bytes).map_err(unwritable)?;
        let mut ledger = Self {
            path: path.to_owned(),
            file,
            keys: BTreeSet::new(),
            environment: None,
        };
        for line in content.lines {
            match line {
                Line::Environment(environment) => ledger.environment = Some(environment),
                Line::Run(record) => {
                    ledger.keys.insert(record.key);
                }
            }
        }
        Ok(ledger)
    }

    /// The records of a results file that nobody is writing.
    pub fn records(path: &Path) -> Result<Vec<Record>, LedgerError> {
        let lines = Content::read(path)?.lines.into_iter();
        Ok(lines
            .filter_map(|line| match line {
                Line::Run(record) => Some(*record),
                Line::Environment(_) => None,
            })
            .collect())
    }

    /// Whether the run of that key has finished.
    pub fn has(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// Where the last runs were made.
    pub fn environment(&self) -> Option<&Environment> {
        self.environment.as_ref()
    }

    /// Notes where the next runs are made, if that is news.
    pub fn enter(&mut self, environment: &Environment) -> Result<(), LedgerError> {
        if self.environment.as_ref() != Some(environment) {
            self.append(&Line::Environment(environment.clone()))?;
            self.environment = Some(environment.clone());
        }
        Ok(())
    }

    /// Notes a finished run; it is on the disk afterwards.
    pub fn note(&mut self, record: &Record) -> Result<(), LedgerError> {
        self.append(&Line::Run(Box::new(record.clone())))?;
        self.keys.insert(record.key.clone());
        Ok(())
    }

    fn append(&mut self, line: &Line) -> Result<(), LedgerError> {
        let mut text = serde_json::to_string(line).expect("invariant: records have string keys");
        text.push('\n');
        let written = self.file.write_all(text.as_bytes());
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|reason| LedgerError::Write {
                path: self.path.clone(),
                reason,
            })
    }
}

/// What a results file holds, without a torn end.
struct Content {
    lines: Vec<Line>,
    whole_bytes: u64,
}

/// Whether a torn end is one of ours: only that is cut off, whatever else is there stays.
fn begins_a_line(torn: &[u8]) -> bool {
    const HEAD: &[u8] = br#"{"kind":""#;
    torn.starts_with(HEAD) || HEAD.starts_with(torn)
}

impl Content {
    fn read(path: &Path) -> Result<Self, LedgerError> {
        let bytes = std::fs::read(path).map_err(|reason| LedgerError::Read {
            path: path.to_owned(),
            reason,
        })?;
        // What follows the last line break is torn, or nothing.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |place| place + 1);
        if !begins_a_line(&bytes[whole..]) {
            return Err(LedgerError::Foreign {
                path: path.to_owned(),
                line: bytes[..whole]
                    .split_inclusive(|&byte| byte == b'\n')
                    .count()
                    + 1,
                reason: "no run begins like this".to_owned(),
            });
        }
        let texts = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let lines = texts.enumerate().map(|(place, text)| {
            serde_json::from_slice(text).map_err(|reason| LedgerError::Foreign {
                path: path.to_owned(),
                line: place + 1,
                reason: reason.to_string(),
            })
        });
        Ok(Self {
            lines: lines.collect::<Result<_, _>>()?,
            whole_bytes: whole as u64,
        })
    }
}
