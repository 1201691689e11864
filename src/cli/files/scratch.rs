//! Files that have no name of their own yet.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cli::signals;

/// Those that are there, to be removed whatever ends the process.
static THERE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file beside another one, removed unless it is renamed.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes an empty file in the folder of the other one, with its permissions.
    pub fn beside(target: &Path) -> io::Result<(File, Self)> {
        signals::listen()?;
        let (file, path) = loop {
            let path = fresh(target);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => break (file, path),
                // Left by a process of the same number, or of another machine.
                Err(reason) if reason.kind() == io::ErrorKind::AlreadyExists => {}
                Err(reason) => return Err(reason),
            }
        };
        note(&path);
        let scratch = Self { path };
        if let Ok(there) = fs::metadata(target) {
            file.set_permissions(there.permissions())?;
        }
        Ok((file, scratch))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it the name of the other one, which is replaced.
    pub fn rename(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // After a renaming there is nothing left to remove.
        let _ = fs::remove_file(&self.path);
        if let Ok(mut there) = THERE.lock() {
            there.retain(|path| *path != self.path);
        }
    }
}

fn fresh(target: &Path) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    target.with_file_name(format!(".quip-{}-{number}", std::process::id()))
}

fn note(path: &Path) {
    if let Ok(mut there) = THERE.lock() {
        there.push(path.to_owned());
    }
}

/// Removes what would be left of a process that ends now.
pub fn abandon() {
    if let Ok(there) = THERE.try_lock() {
        for path in there.iter() {
            // Nobody can be told if that fails.
            let _ = fs::remove_file(path);
        }
    }
}
