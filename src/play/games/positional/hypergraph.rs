//! Hypergraphs as text: each line is a winning set, written as the names of its cells.
//!
//! ```text
//! # the lines of a triangle
//! a b
//! b c
//! c a
//! cells d e        # cells that are in no set
//! ```

use rustc_hash::FxHashMap;

use super::Positional;
use crate::games::GameError;
use crate::games::text::{end_of_text, lines};

/// The largest hypergraph.
pub const MOST_CELLS: usize = 256;

/// Named cells and winning sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hypergraph {
    names: Vec<String>,
    game: Positional,
}

impl Hypergraph {
    /// Reads a hypergraph. Cells are numbered in the order in which they are first named.
    ///
    /// ```
    /// use quip::games::positional::Hypergraph;
    /// let triangle = Hypergraph::parse("a b\nb c\nc a\n")?;
    /// assert_eq!(triangle.names(), ["a", "b", "c"]);
    /// let error = Hypergraph::parse("a b a\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 1, column 5: `a` is in the set already");
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, GameError> {
        let mut names = Vec::new();
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut winning = Vec::new();
        for line in &lines(text) {
            let only_cells = line.head().text == "cells";
            let mut set = Vec::new();
            for word in &line.words[usize::from(only_cells)..] {
                let place = *places.entry(word.text).or_insert_with(|| {
                    names.push(word.text.to_owned());
                    names.len() - 1
                });
                if set.contains(&place) {
                    return Err(word.error(format!("`{}` is in the set already", word.text)));
                }
                if names.len() > MOST_CELLS {
                    return Err(word.error(format!("more than {MOST_CELLS} cells")));
                }
                set.push(place);
            }
            if !only_cells {
                winning.push(set);
            }
        }
        if winning.is_empty() {
            return Err(end_of_text(text, "no winning set is given"));
        }
        let game = Positional::new(names.len(), winning)?;
        Ok(Self { names, game })
    }

    /// The cells, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The game on it.
    pub fn game(&self) -> &Positional {
        &self.game
    }
}
