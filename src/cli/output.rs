//! Writing for people and programs, without dying of a closed pipe.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use super::exit::Failure;
use super::text::wrapped;

/// Writes an answer to standard output. A reader that has gone away is not an error.
pub fn answer(text: &str) -> Result<(), Failure> {
    told(answered(text))
}

/// As [`answer`], for a piece of one; whether somebody still reads.
pub fn answer_part(text: &str) -> Result<bool, Failure> {
    let written = answered(text);
    let gone = |reason: &io::Error| reason.kind() == io::ErrorKind::BrokenPipe;
    let reads = !written.as_ref().is_err_and(gone);
    told(written).map(|()| reads)
}

fn answered(text: &str) -> io::Result<()> {
    /// What is written at once: whoever reads takes this much in a moment, or does not read.
    const CHUNK: usize = 1 << 16;
    let mut out = io::stdout().lock();
    let mut chunks = text.as_bytes().chunks(CHUNK);
    let written = chunks.try_for_each(|chunk| watched(|| out.write_all(chunk)));
    written.and_then(|()| watched(|| out.flush()))
}

/// As [`answer`], for sentences: on a terminal, lines break between words.
pub fn answer_in_words(text: &str) -> Result<(), Failure> {
    let size = terminal_size::terminal_size_of(io::stdout());
    match size {
        Some((terminal_size::Width(width), _)) => answer(&wrapped(text, width.into())),
        None => answer(text),
    }
}

/// Whether something reached standard output.
pub fn told(written: io::Result<()>) -> Result<(), Failure> {
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
    let _ = watched(|| writeln!(io::stderr().lock(), "{}", text.trim_end()));
}

/// How many writes are under way, and how many are done.
static UNDER_WAY: AtomicU64 = AtomicU64::new(0);
static DONE: AtomicU64 = AtomicU64::new(0);

/// Writes, so that a signal can tell whether somebody is waiting for a reader.
pub fn watched<T>(write: impl FnOnce() -> T) -> T {
    UNDER_WAY.fetch_add(1, Ordering::SeqCst);
    let written = write();
    DONE.fetch_add(1, Ordering::SeqCst);
    UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    written
}

/// A number while something is being written: the same one later says that nothing got through.
pub fn write_under_way() -> Option<u64> {
    let done = DONE.load(Ordering::SeqCst);
    (UNDER_WAY.load(Ordering::SeqCst) > 0).then_some(done)
}
