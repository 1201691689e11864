//! Writing for people and programs, without dying of a closed pipe.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::exit::Failure;

/// Writes an answer to standard output. A reader that has gone away is not an error.
pub fn answer(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(reason) if reason.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Write {
            name: "standard output".into(),
            reason,
        }),
        _ => Ok(()),
    }
}

/// Writes a line to standard error; nobody can be told if that fails.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// Finds out before a long solve whether the file can be written after it.
pub fn probe(path: &Path) -> Result<(), Failure> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened
        .map(drop)
        .map_err(|reason| write_failure(path, reason))
}

/// Replaces the content of a file.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|reason| write_failure(path, reason))
}

fn write_failure(path: &Path, reason: io::Error) -> Failure {
    Failure::Write {
        name: format!("`{}`", path.display()),
        reason,
    }
}
