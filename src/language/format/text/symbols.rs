//! Names of variables, each stored once and known by a number.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::program::{Id, VarId};

/// The names of a file in the order of their first appearance.
///
/// While a file is read, a variable goes by the number of its name, because its place in the
/// prefix is not known yet; the numbers are `VarId`s so that terms can be renumbered in place.
#[derive(Default)]
pub(in crate::format) struct Symbols<'t> {
    numbers: FxHashMap<&'t str, VarId>,
    names: Vec<&'t str>,
    first_uses: Vec<Option<Range<usize>>>,
}

impl<'t> Symbols<'t> {
    /// The number of `name`.
    pub fn number(&mut self, name: &'t str) -> VarId {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.first_uses.push(None);
            VarId::new(self.names.len() - 1)
        })
    }

    /// The number of a name in a row or the objective, remembering where it stood first.
    pub fn number_of_use(&mut self, name: &'t str, span: Range<usize>) -> VarId {
        let number = self.number(name);
        self.first_uses[number.index()].get_or_insert(span);
        number
    }

    pub fn name(&self, number: VarId) -> &'t str {
        self.names[number.index()]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn numbers(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.names.len()).map(VarId::new)
    }

    /// Where the name first stands in a row or the objective.
    pub fn first_use(&self, number: VarId) -> Option<Range<usize>> {
        self.first_uses[number.index()].clone()
    }
}
