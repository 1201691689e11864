//! Which files a part of the library leans on: those that define what it imports, and so on.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Absolute, Source};

/// The library's files by where they stand.
pub struct Tree<'a>(BTreeMap<&'a [String], &'a Source>);

impl<'a> Tree<'a> {
    pub fn new(sources: &'a [Source]) -> Self {
        let of_library = |source: &&Source| !["main", "cli"].contains(&source.module());
        let placed = sources.iter().filter(of_library);
        Self(placed.map(|it| (it.place.as_slice(), it)).collect())
    }

    /// The files of a module and all that they lean on. A name that a file only hands on does not
    /// count, and no more does the file.
    pub fn leans(&self, module: &str) -> Vec<&'a Source> {
        let own = self.0.values().filter(|source| source.module() == module);
        let mut open: Vec<&Source> = own.copied().collect();
        let mut known: BTreeSet<&[String]> = open.iter().map(|it| it.place.as_slice()).collect();
        let mut found = Vec::new();
        while let Some(source) = open.pop() {
            found.push(source);
            for path in self.mentioned(source) {
                let next = self.defining(&path, 0);
                if let Some(next) = next.filter(|next| known.insert(&next.place)) {
                    open.push(next);
                }
            }
        }
        found.sort_by(|left, right| left.path.cmp(&right.path));
        found
    }

    fn absolute(&self, source: &Source, path: &[String]) -> Option<Absolute> {
        source.absolute(path, |child| {
            let mut place = source.place.clone();
            place.push(child.to_owned());
            self.0.contains_key(place.as_slice())
        })
    }

    /// What a file imports and uses, and the paths that it writes out.
    fn mentioned(&self, source: &Source) -> Vec<Absolute> {
        let used =
            |(known, _): &&(String, Vec<String>)| known == "*" || source.seen.names.contains(known);
        let imports = source.seen.imports.iter().filter(used);
        let paths = imports.map(|(_, path)| path).chain(&source.seen.paths);
        paths
            .filter_map(|path| self.absolute(source, path))
            .collect()
    }

    /// The file that defines what a path names.
    fn defining(&self, path: &[String], depth: usize) -> Option<&'a Source> {
        assert!(depth < 20, "imports in a circle: {path:?}");
        let longest = (0..=path.len()).rev();
        let (place, source) = longest
            .map(|end| &path[..end])
            .find_map(|place| Some((place, *self.0.get(place)?)))?;
        let Some(name) = path.get(place.len()) else {
            return Some(source);
        };
        if source.seen.defined.contains(name) {
            return Some(source);
        }
        let imports = source.seen.imports.iter();
        let handed_on = imports.filter(|(known, _)| known == name || known == "*");
        handed_on.into_iter().find_map(|(known, from)| {
            let mut from = self.absolute(source, from)?;
            if known == "*" {
                from.push(name.clone());
            }
            (from != path).then(|| self.defining(&from, depth + 1))?
        })
    }
}
