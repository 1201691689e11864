//! How long a command may still work on a file after its answer is known.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a time limit leaves for writing and checking a proof that was finished in time.
const GRACE: Duration = Duration::from_millis(400);

/// A time limit and a signal.
#[derive(Clone, Debug)]
pub struct Patience {
    signal: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Patience {
    /// Until a signal is raised, or a time from now has passed and a little more.
    pub fn new(signal: Arc<AtomicBool>, time: Option<Duration>) -> Self {
        let until = time.and_then(|time| Instant::now().checked_add(time.saturating_add(GRACE)));
        Self { signal, until }
    }

    /// Why it is over, if it is.
    pub fn ended(&self) -> Option<&'static str> {
        if self.signal.load(Ordering::Relaxed) {
            return Some("asked to stop");
        }
        let late = self.until.is_some_and(|until| Instant::now() > until);
        late.then_some("the time is up")
    }

    /// Reads or writes while it lasts.
    pub fn with<T>(&self, inner: T) -> Patient<'_, T> {
        Patient {
            inner,
            patience: self,
        }
    }

    fn look(&self) -> io::Result<()> {
        match self.ended() {
            Some(reason) => Err(io::Error::other(reason)),
            None => Ok(()),
        }
    }
}

/// Something that is read or written while patience lasts.
#[derive(Debug)]
pub struct Patient<'a, T> {
    inner: T,
    patience: &'a Patience,
}

impl<T: Read> Read for Patient<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.patience.look()?;
        self.inner.read(bytes)
    }
}

impl<T: Write> Write for Patient<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patience.look()?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_ends_what_is_being_written() {
        let signal: Arc<AtomicBool> = Arc::default();
        let patience = Patience::new(Arc::clone(&signal), Some(Duration::MAX));
        let mut written = patience.with(Vec::new());
        written.write_all(b"before").expect("nobody has asked");
        signal.store(true, Ordering::Relaxed);
        assert!(written.write_all(b"after").is_err());
        assert_eq!(written.inner, b"before");
        assert_eq!(patience.ended(), Some("asked to stop"));
    }
}
