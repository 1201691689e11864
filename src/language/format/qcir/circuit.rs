//! A circuit as the file has it.

use std::ops::Range;

use crate::format::text::Symbols;
use crate::program::{Quantifier, VarId};

/// A name by its number in the file's [`Symbols`].
pub(super) type Symbol = VarId;

/// A name, and whether it is meant as it is or negated.
pub(super) type Input = (Symbol, bool);

/// What a gate computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    And,
    Or,
    Xor,
    /// Condition, then, else.
    Choice,
    Quantify(Quantifier),
}

/// A definition of the file.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub symbol: Symbol,
    pub operation: Operation,
    pub inputs: Vec<Input>,
    /// What a quantifier binds.
    pub bound: Vec<Symbol>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Unknown,
    /// A variable of the prefix, or a free one.
    Global,
    /// A variable that gates bind.
    Bound,
    /// The gate of that number.
    Gate(usize),
}

/// Everything a file says.
pub(super) struct Circuit<'t> {
    pub symbols: Symbols<'t>,
    /// By symbol.
    pub meanings: Vec<Meaning>,
    /// Where each name was given its meaning, by symbol.
    pub places: Vec<Range<usize>>,
    /// Outermost first; free variables are an existential block in front.
    pub prefix: Vec<(Quantifier, Vec<Symbol>)>,
    pub output: Option<Input>,
    pub gates: Vec<Gate>,
}
