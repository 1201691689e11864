//! Which file a path stands for, whatever it is called.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::Named;
use crate::cli::reading::is_stream;

/// What makes two paths the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Something that is there.
    There(Node),
    /// Nothing yet: the name it would get, without links.
    Missing(PathBuf),
    /// A stream that has no name, or a path that leads nowhere.
    Nowhere,
}

/// A file by its number.
#[derive(Clone, Debug)]
pub struct Node {
    device: u64,
    number: u64,
    /// Whether two who write there would disturb each other: not so for `/dev/null`.
    is_shared: bool,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        (self.device, self.number) == (other.device, other.number)
    }
}

impl Eq for Node {}

impl Identity {
    /// Follows links, also those that lead to nothing.
    pub fn of(path: &Path) -> Self {
        if is_stream(path) {
            return Self::Nowhere;
        }
        match fs::metadata(path) {
            Ok(there) => Self::There(Node::of(path, &there)),
            Err(_) => resolved(path).map_or(Self::Nowhere, Self::Missing),
        }
    }

    fn of_open(file: io::Result<File>) -> Option<Self> {
        let there = file.and_then(|file| file.metadata()).ok()?;
        Some(Self::There(Node::of(Path::new(""), &there)))
    }

    /// Whether it must not be named twice.
    pub fn can_clash(&self) -> bool {
        match self {
            Self::There(node) => node.is_shared,
            Self::Missing(_) => true,
            Self::Nowhere => false,
        }
    }

    /// Whether there is a file.
    pub fn is_there(&self) -> bool {
        matches!(self, Self::There(_))
    }
}

impl Node {
    #[cfg(unix)]
    fn of(_: &Path, there: &Metadata) -> Self {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        Self {
            device: there.dev(),
            number: there.ino(),
            is_shared: there.is_file() || there.file_type().is_fifo(),
        }
    }

    /// Where files have no numbers, the canonical name tells them apart.
    #[cfg(not(unix))]
    fn of(path: &Path, there: &Metadata) -> Self {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        fs::canonicalize(path).ok().hash(&mut hasher);
        Self {
            device: 0,
            number: hasher.finish(),
            is_shared: there.is_file() && !path.as_os_str().is_empty(),
        }
    }
}

/// The name of a file without links: the file itself need not be there, its folder must.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => break,
        }
    }
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    Ok(fs::canonicalize(folder(&path))?.join(name))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether the path names an open stream of this process rather than a file.
pub fn is_descriptor(path: &Path) -> bool {
    let folders = ["/proc", "/dev/fd", "/dev/stdout", "/dev/stderr"];
    folders.iter().any(|folder| path.starts_with(folder))
}

/// The stream of this process that the path names, such as `/dev/stdout`: a second opening would
/// write over what the first has written.
pub fn own_stream(path: &Path) -> Option<io::Result<File>> {
    let own = Identity::of(path);
    let is_own = |file: fn() -> io::Result<File>| Identity::of_open(file()).as_ref() == Some(&own);
    let streams: [fn() -> io::Result<File>; 2] = [standard::output, standard::error];
    let stream = streams.into_iter().find(|file| is_own(*file));
    stream.filter(|_| is_descriptor(path)).map(|file| file())
}

/// What standard input is, if the command reads it.
pub fn standard_input(read: &[Named<'_>]) -> Option<Identity> {
    let reads = read.iter().any(|(_, path)| is_stream(path));
    reads.then(|| Identity::of_open(standard::input()))?
}

/// Files that the streams of this process lead to.
pub fn standard_outputs() -> Vec<(&'static str, Identity)> {
    let streams = [
        ("standard output", standard::output()),
        ("standard error", standard::error()),
    ];
    streams
        .into_iter()
        .filter_map(|(name, file)| Some((name, Identity::of_open(file)?)))
        .collect()
}

/// The three streams as files.
#[cfg(unix)]
mod standard {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;

    fn file(stream: &impl AsFd) -> io::Result<File> {
        Ok(stream.as_fd().try_clone_to_owned()?.into())
    }

    pub fn input() -> io::Result<File> {
        file(&io::stdin())
    }

    pub fn output() -> io::Result<File> {
        file(&io::stdout())
    }

    pub fn error() -> io::Result<File> {
        file(&io::stderr())
    }
}

/// The streams cannot be told from other files here.
#[cfg(not(unix))]
mod standard {
    use std::fs::File;
    use std::io;

    pub fn input() -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub use input as output;
    pub use input as error;
}
