//! The public instances and what is known about them.

use std::path::{Path, PathBuf};

/// How long the peer took.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Peer {
    /// CPU seconds.
    Solved(f64),
    /// It ran into its limit of 30 s, crashed or refused.
    Unsolved,
    /// It was not run.
    NotRun,
}

/// One line of the index.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Inside the folder of instances.
    pub path: String,
    /// Where it is.
    pub file: PathBuf,
    /// The known value.
    pub value: Option<String>,
    /// The peer's time.
    pub peer: Peer,
}

impl Instance {
    /// The first folder of its path.
    pub fn family(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    /// The file's name without its extension.
    pub fn name(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.split('.').next().unwrap_or_default()
    }
}

/// Every instance of the index, or `None` if there is no index.
pub fn find() -> Option<Vec<Instance>> {
    let shared = std::env::var_os("QUIP_SHARED").map(PathBuf::from);
    let folders = [shared.unwrap_or_default(), PathBuf::from("../shared")];
    folders
        .iter()
        .find_map(|folder| read(&folder.join("instances")))
}

fn read(folder: &Path) -> Option<Vec<Instance>> {
    let index = std::fs::read_to_string(folder.join("index.csv")).ok()?;
    let instances = index.lines().skip(1).filter_map(|line| {
        let mut cells = line.split(',');
        let (path, value) = (cells.next()?, cells.next()?);
        let peer = match cells.nth(1)? {
            "" => Peer::NotRun,
            seconds => seconds.parse().map_or(Peer::Unsolved, Peer::Solved),
        };
        Some(Instance {
            path: path.to_owned(),
            file: folder.join(path),
            value: (!value.is_empty()).then(|| value.to_owned()),
            peer,
        })
    });
    Some(instances.collect())
}
