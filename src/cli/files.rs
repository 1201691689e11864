//! The files that a command was asked to write.
//!
//! A file is written beside its name and renamed when it is whole, so nobody reads half of one and
//! two runs that write to one name leave the whole file of one of them. Pipes and devices are
//! written as they are.
//!
//! **Invariant:** after a command has begun its work, a file of the name that it was asked for is
//! one that it has made, or there is none: an [`Output`] that is dropped before it was made takes
//! away the older file of that name.

mod identity;
mod scratch;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::output::{complain, watched};
use super::reading::is_stream;
use identity::Identity;
use scratch::Scratch;
pub use scratch::abandon;

/// A file of a command line, and what the command line calls it.
pub type Named<'a> = (&'a str, &'a Path);

/// Compares every file that is written with every other file of a command, then opens the former.
///
/// Nothing is changed by that: a file that is there stays as it is until a new one is whole.
pub fn open<const N: usize>(
    read: &[Named<'_>],
    written: [Option<Named<'_>>; N],
) -> Result<[Option<Output>; N], Failure> {
    let named: Vec<Named<'_>> = written.into_iter().flatten().collect();
    refuse_stream(&named)?;
    distinct(read, &named)?;
    let mut opened = [const { None }; N];
    for (place, file) in opened.iter_mut().zip(written) {
        *place = file.map(|(_, path)| Output::open(path)).transpose()?;
    }
    Ok(opened)
}

/// `-` is a file of that name to nobody, and standard output belongs to the answer.
fn refuse_stream(written: &[Named<'_>]) -> Result<(), Failure> {
    match written.iter().find(|(_, path)| is_stream(path)) {
        Some((name, _)) => Err(Failure::Usage(format!(
            "{name} cannot be standard output, where the answer goes; name a file, or \
             /dev/stdout if that is meant"
        ))),
        None => Ok(()),
    }
}

/// Refuses a file that is to be written and is another file of the command as well: by its device
/// and number, so links do not hide it.
pub fn distinct(read: &[Named<'_>], written: &[Named<'_>]) -> Result<(), Failure> {
    let known = |file: &Named<'_>| Identity::of(file.1);
    let read: Vec<Identity> = identity::standard_input(read)
        .into_iter()
        .chain(read.iter().map(known))
        .collect();
    let mut others: Vec<(&str, Identity)> = identity::standard_outputs();
    for (name, path) in written {
        let own = Identity::of(path);
        let shown = path.display();
        if read.contains(&own) && own.can_clash() {
            return Err(Failure::Usage(format!(
                "{name} would overwrite what is read: `{shown}` is the same file"
            )));
        }
        let streams = identity::is_descriptor(path);
        let twin = others.iter().find(|(_, other)| *other == own);
        if let Some((other, _)) = twin
            && own.can_clash()
            && !(streams && other.starts_with("standard"))
        {
            return Err(Failure::Usage(format!(
                "{name} and {other} would write to one file: `{shown}`"
            )));
        }
        others.push((name, own));
    }
    Ok(())
}

/// A file that is going to be written.
#[derive(Debug)]
pub struct Output {
    /// As it was typed.
    path: PathBuf,
    place: Place,
    /// The file of that name that was there before.
    older: Option<Identity>,
}

#[derive(Debug)]
enum Place {
    /// A file, by its name without links.
    File(PathBuf),
    /// A pipe, a device, or one of the streams of the process.
    Stream(File),
}

impl Output {
    /// Finds out whether the file can be written, and waits for nobody.
    fn open(path: &Path) -> Result<Self, Failure> {
        let place = place(path).map_err(|reason| failure(path, reason))?;
        let older = match &place {
            Place::File(target) => Some(Identity::of(target)).filter(Identity::is_there),
            Place::Stream(_) => None,
        };
        Ok(Self {
            path: path.to_owned(),
            place,
            older,
        })
    }

    /// The name as it was typed.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Makes the file of these bytes.
    pub fn save(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut draft = self.draft()?;
        let written = draft.write_all(bytes);
        written.map_err(|reason| failure(&draft.output.path, reason))?;
        draft.keep()
    }

    /// Begins to write.
    pub fn draft(self) -> Result<Draft, Failure> {
        let made = match &self.place {
            Place::Stream(file) => file.try_clone().map(|file| (file, None)),
            Place::File(target) => {
                Scratch::beside(target).map(|(file, scratch)| (file, Some(scratch)))
            }
        };
        let (file, scratch) = made.map_err(|reason| failure(&self.path, reason))?;
        Ok(Draft {
            output: self,
            file,
            scratch,
        })
    }

    /// Leaves the older file alone, since the work that should replace it has not begun.
    pub fn spare(&mut self) {
        self.older = None;
    }

    /// Gives the file up; the failure says what it would have been, and why it could not be made.
    pub fn forgo(mut self, what: &'static str, reason: &str) -> Failure {
        let note = self.remove_older();
        Failure::NotMade {
            what,
            name: format!("`{}`", self.path.display()),
            reason: reason.to_owned(),
            note: note.map_or_else(String::new, |note| format!("; {note}")),
        }
    }

    /// Removes the older file, unless another process has replaced it meanwhile.
    fn remove_older(&mut self) -> Option<&'static str> {
        let (Place::File(target), Some(older)) = (&self.place, self.older.take()) else {
            return None;
        };
        if Identity::of(target) != older {
            return None;
        }
        Some(match fs::remove_file(target) {
            Ok(()) => "the older file of that name was removed",
            Err(_) => "the file of that name is an older one",
        })
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(note) = self.remove_older() {
            complain(&format!(
                "`{}` was not written; {note}",
                self.path.display()
            ));
        }
    }
}

/// Does what follows the opening of files and precedes the work, such as reading a model. Files
/// are spared if there is nothing to read.
pub fn before_work<T, const N: usize>(
    outputs: &mut [Option<Output>; N],
    prepared: Result<T, Failure>,
) -> Result<T, Failure> {
    if let Err(Failure::Read { .. } | Failure::Usage(_)) = prepared {
        outputs.iter_mut().flatten().for_each(Output::spare);
    }
    prepared
}

/// A file that is being written.
#[derive(Debug)]
pub struct Draft {
    output: Output,
    file: File,
    /// None for a stream.
    scratch: Option<Scratch>,
}

impl Draft {
    /// What was written so far, from its beginning; a stream cannot be read again.
    pub fn reread(&self) -> Option<io::Result<File>> {
        let scratch = self.scratch.as_ref()?;
        Some(File::open(scratch.path()))
    }

    /// The file is whole: it gets its name.
    pub fn keep(mut self) -> Result<(), Failure> {
        if let (Some(scratch), Place::File(target)) = (self.scratch.take(), &self.output.place) {
            let renamed = scratch.rename(target);
            renamed.map_err(|reason| failure(&self.output.path, reason))?;
        }
        self.output.older = None;
        Ok(())
    }

    /// The file is not to be made.
    pub fn forgo(self, what: &'static str, reason: &str) -> Failure {
        self.output.forgo(what, reason)
    }

    /// The file cannot be written.
    pub fn failed(self, reason: io::Error) -> Failure {
        failure(&self.output.path, reason)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        watched(|| self.file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn failure(path: &Path, reason: io::Error) -> Failure {
    Failure::Write {
        name: format!("`{}`", path.display()),
        reason,
    }
}

/// Where a path leads, after trying whether it can be written.
fn place(path: &Path) -> io::Result<Place> {
    if let Some(stream) = identity::own_stream(path) {
        return Ok(Place::Stream(stream?));
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok(Place::Stream(open_stream(path)?)),
        Ok(_) => {
            // Renaming could replace a file that nobody may write.
            OpenOptions::new().append(true).open(path)?;
            beside(path)
        }
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => beside(path),
        Err(reason) => Err(reason),
    }
}

fn beside(path: &Path) -> io::Result<Place> {
    let target = identity::resolved(path)?;
    Scratch::beside(&target)?;
    Ok(Place::File(target))
}

/// Refuses a pipe or a device where a file has to grow and to be read again.
pub fn can_grow(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(Failure::Usage(format!(
            "`{}` is no file; results are read again when a suite goes on",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Opens a pipe or a device. A pipe that nobody reads is refused: opening it would wait.
fn open_stream(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    let _reader = {
        use std::os::unix::fs::OpenOptionsExt;
        let tried = OpenOptions::new()
            .write(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path);
        tried.map_err(|reason| match reason.raw_os_error() {
            Some(libc::ENXIO) => io::Error::other("nobody reads this pipe; start its reader first"),
            _ => reason,
        })?
    };
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(path: &Path) -> Output {
        let [output] = open(&[], [Some(("--out", path))]).expect("it can be written");
        output.expect("one was named")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("it is there");
        let names = entries.map(|entry| entry.expect("it is listed").file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_file_is_there_when_it_is_whole_and_not_before() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("a.txt");
        let mut draft = opened(&path).draft().expect("it can be written");
        draft.write_all(b"half").expect("there is room");
        assert!(!path.exists());
        draft.keep().expect("it can be renamed");
        assert_eq!(fs::read(&path).expect("it is there"), b"half");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn an_older_file_goes_where_no_new_one_is_made() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").expect("there is room");
        drop(opened(&path).draft().expect("it can be written"));
        assert!(names(folder.path()).is_empty());
        fs::write(&path, "old").expect("there is room");
        let said = opened(&path).forgo("proof", "none is known").to_string();
        assert!(said.contains("none is known; the older file"), "{said}");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn the_file_of_another_run_stays() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").expect("there is room");
        let ours = opened(&path);
        opened(&path).save(b"theirs").expect("it can be written");
        drop(ours);
        assert_eq!(fs::read(&path).expect("it is there"), b"theirs");
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_hide_a_file_and_stay_links() {
        let folder = tempfile::tempdir().expect("there is room");
        let [model, hard, soft, dangling] =
            ["m.qip", "hard", "soft", "dangling"].map(|name| folder.path().join(name));
        fs::write(&model, "model").expect("there is room");
        fs::hard_link(&model, &hard).expect("there are links");
        std::os::unix::fs::symlink("m.qip", &soft).expect("there are links");
        std::os::unix::fs::symlink("new", &dangling).expect("there are links");
        for path in [&model, &hard, &soft, &folder.path().join("./m.qip")] {
            let fault = distinct(&[("MODEL", &model)], &[("--out", path)]);
            assert!(fault.is_err(), "{}", path.display());
        }
        let new = folder.path().join("new");
        assert!(distinct(&[], &[("--out", &dangling), ("--certificate", &new)]).is_err());
        opened(&dangling).save(b"made").expect("it can be written");
        assert_eq!(fs::read(&new).expect("it is there"), b"made");
        assert!(dangling.is_symlink());
    }
}
