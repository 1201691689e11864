//! One line of play: which choices are fixed, and what the others are called.

use super::Table;
use super::formula::{Block, Formula};

/// A choice in one line of play.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol(u32);

impl Symbol {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Copy, Clone, Debug)]
pub(super) enum Binding {
    Fixed(bool),
    Open(Symbol),
}

/// What every choice is bound to, by number.
pub(super) struct Game {
    bindings: Vec<Binding>,
}

impl Game {
    /// Everything is open, with new symbols.
    pub fn new(table: &mut Table<'_, '_>) -> Self {
        let bindings = (0..table.formula.choices()).map(|_| Binding::Open(table.new_symbol()));
        Self {
            bindings: bindings.collect(),
        }
    }

    /// The game in which the choices of a block have the values they have now, and those of later blocks
    /// are called anew.
    pub fn after(&self, block: usize, table: &mut Table<'_, '_>) -> Self {
        let Block { first, vars, .. } = &table.formula.blocks[block];
        let (first, behind) = (*first, first + vars.len());
        let mut bindings = self.bindings[..behind].to_vec();
        for binding in &mut bindings[first..] {
            if let Binding::Open(symbol) = *binding {
                *binding = Binding::Fixed(table.values[symbol.index()]);
            }
        }
        let later = behind..self.bindings.len();
        bindings.extend(later.map(|_| Binding::Open(table.new_symbol())));
        Self { bindings }
    }

    pub fn binding(&self, choice: usize) -> Binding {
        self.bindings[choice]
    }

    /// The open choices of a block.
    pub fn symbols(&self, block: &Block) -> Vec<Symbol> {
        let bound = &self.bindings[block.first..block.first + block.vars.len()];
        let symbol = |binding: &Binding| match *binding {
            Binding::Fixed(_) => None,
            Binding::Open(symbol) => Some(symbol),
        };
        bound.iter().filter_map(symbol).collect()
    }

    /// Whether the existential player wins when open choices have these values, by symbol.
    pub fn is_won(&self, formula: &Formula, values: &[bool]) -> bool {
        formula.holds(|choice| match self.bindings[choice] {
            Binding::Fixed(value) => value,
            Binding::Open(symbol) => values[symbol.index()],
        })
    }
}

impl Table<'_, '_> {
    fn new_symbol(&mut self) -> Symbol {
        self.values.push(false);
        Symbol(u32::try_from(self.values.len() - 1).expect("invariant: symbols fit 32 bits"))
    }
}
