//! The files that a model may name: data, or the program that a prefix file orders.
//!
//! **Invariant:** a model that was read from bytes alone names no file of this machine; only who
//! reads a path opens the folder around it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::diagnostic::Diagnostics;
use super::source::{MAX_TEXT_BYTES, text_of};

/// Where the files are that a model names, and the data files that came with it.
///
/// ```
/// use quip::format::{Beside, read_beside};
/// let folder = Beside::of("models/plan.qip".as_ref()).with_data(["summer.toml".into()]);
/// // The data file is not there: a diagnostic says so.
/// let refused = read_beside("plan.qip", b"set T  prefix end", &folder);
/// assert!(refused.is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// What relative names are relative to; `None` refuses every name.
    folder: Option<PathBuf>,
    data: Vec<PathBuf>,
}

/// Why a named file is not there to be read.
pub(super) enum Missing {
    /// In a few words.
    Unreadable(String),
    /// The file was read, but it is no text.
    NotText(Diagnostics),
}

impl Beside {
    /// The folder that the file lies in.
    pub fn of(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self {
            folder: Some(folder),
            data: Vec::new(),
        }
    }

    /// Data files for a model with sets and parameters, relative to where the process runs.
    #[must_use]
    pub fn with_data(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.data.extend(files);
        self
    }

    /// The data files that came with the model.
    pub(super) fn data(&self) -> &[PathBuf] {
        &self.data
    }

    /// The path of a file that the model names.
    pub(super) fn path(&self, named: &str) -> Result<PathBuf, Missing> {
        let folder = self.folder.as_ref().ok_or_else(|| {
            let reason = "a model that is read from bytes alone cannot name files";
            Missing::Unreadable(reason.to_owned())
        })?;
        Ok(folder.join(named))
    }
}

/// The text of a file, gzip and byte-order mark looked through.
pub(super) fn text_at(path: &Path) -> Result<String, Missing> {
    let bytes = bytes_at(path).map_err(|reason| Missing::Unreadable(reason.to_string()))?;
    text_of(&path.display().to_string(), &bytes).map_err(Missing::NotText)
}

/// The bytes of a file; never more than a model can be, even from a device without end.
pub(super) fn bytes_at(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = MAX_TEXT_BYTES as u64 + 1;
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
