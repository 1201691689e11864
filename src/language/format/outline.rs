//! The names of a native text: where each is declared, where it is used, and what it stands for.
//!
//! This is what an editor asks for. The names are found by the parser that reads the model, so an index
//! is known by its scope and a word in a set by its set; a text with faults has the names that could be
//! found.

use std::fmt::Write;
use std::ops::Range;

use super::beside::Beside;
use super::detect::{Format, detect};
use super::diagnostic::Diagnostics;
use super::qip::{push_declaration, push_row};
use super::{Reading, indexed, read_text, settled, text};
use crate::program::Program;

/// Most instances that a description lists.
pub(super) const LISTED: usize = 12;

/// What a name stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A set of a model with sets.
    Set,
    /// A parameter.
    Parameter,
    /// An index, in its scope.
    Index,
    /// An element of a set.
    Element,
    /// A variable, or all variables of one name.
    Variable,
    /// A row, all rows of one name, or the objective.
    Row,
}

/// A name, its places and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As it is written.
    pub name: String,
    /// What it stands for.
    pub role: Role,
    /// Where it is declared, in bytes of the text; empty where that is in a data file or missing.
    pub definitions: Vec<Range<usize>>,
    /// Where it is used.
    pub uses: Vec<Range<usize>>,
    /// What it is, in lines: a declaration, or values.
    pub lines: Vec<String>,
}

impl Symbol {
    /// All its places, in the order of the text.
    pub fn places(&self) -> Vec<Range<usize>> {
        let mut places = [&self.definitions[..], &self.uses].concat();
        places.sort_by_key(|place| place.start);
        places
    }

    /// What it is, with the instances that the program has of it.
    pub fn describe(&self, program: Option<&Program>) -> Vec<String> {
        let mut lines = self.lines.clone();
        let Some(program) = program else {
            return lines;
        };
        let variables = || program.variables().iter().map(|it| Some(it.name.as_str()));
        let rows = || program.rows().iter().chain(program.universal_rows());
        // What has the whole name is alone meant by it.
        let whole = match self.role {
            Role::Row => rows().any(|row| row.name.as_deref() == Some(&self.name)),
            _ => variables().any(|name| name == Some(&self.name)),
        };
        let has = |name: &str| {
            let rest = name.strip_prefix(&self.name);
            rest.is_some_and(|rest| rest.is_empty() || (!whole && rest.starts_with(['[', '.'])))
        };
        let mut found = Vec::new();
        match self.role {
            Role::Variable => {
                let count = program.blocks().len();
                for (place, block) in program.blocks().iter().enumerate() {
                    for variable in block.variables().map(|id| &program.variables()[id]) {
                        if has(&variable.name) {
                            let mut line = String::new();
                            push_declaration(&mut line, variable);
                            let place = place + 1;
                            found.push(format!("{}, block {place} of {count}", line.trim()));
                        }
                    }
                }
            }
            Role::Row => {
                for row in rows() {
                    if row.name.as_deref().is_some_and(has) {
                        let mut line = String::new();
                        push_row(&mut line, program, row);
                        found.push(line.trim().to_owned());
                    }
                }
            }
            _ => {}
        }
        list(&mut lines, found.len(), found.into_iter());
        lines
    }
}

/// The first few of `count` lines, and how many more there are.
pub(super) fn list(lines: &mut Vec<String>, count: usize, all: impl Iterator<Item = String>) {
    lines.extend(all.take(LISTED));
    if count > LISTED {
        let mut more = String::new();
        let _ = write!(more, "… and {} more", count - LISTED);
        lines.push(more);
    }
}

/// A text as an editor sees it.
#[derive(Debug)]
pub struct Outline {
    /// The program and its warnings, or what is wrong.
    pub reading: Result<Reading, Diagnostics>,
    /// The names of a native text, in the order of their first places; of other formats none.
    pub symbols: Vec<Symbol>,
}

impl Outline {
    /// The name at a byte of the text, and its place.
    pub fn at(&self, byte: usize) -> Option<(&Symbol, Range<usize>)> {
        self.symbols.iter().find_map(|symbol| {
            let places = symbol.definitions.iter().chain(&symbol.uses);
            let mut here = places.filter(|place| place.contains(&byte) || place.end == byte);
            here.next().map(|place| (symbol, place.clone()))
        })
    }

    /// Where a variable or row of the program is declared: `stock[3]` by `stock[t in T]`.
    pub fn declaration(&self, instance: &str, role: Role) -> Option<Range<usize>> {
        let base = instance.split(['[', '.']).next().unwrap_or(instance);
        let named = |name: &str| {
            let mut symbols = self.symbols.iter();
            symbols.find(|it| it.role == role && it.name == name && !it.definitions.is_empty())
        };
        let symbol = named(instance).or_else(|| named(base))?;
        symbol.definitions.first().cloned()
    }
}

/// Reads a text as [`read_beside`](super::read_beside) does, and finds its names.
///
/// ```
/// use quip::format::{Beside, Role, outline};
/// let text = "set T = 1..2  minimize sum{t in T} x[t]  prefix  exists binary x[t in T] end";
/// let outline = outline("plan.qip", text, &Beside::default());
/// let (symbol, _) = outline.at(text.find("x[t]").expect("it is there")).expect("a name");
/// assert_eq!((symbol.role, symbol.places().len()), (Role::Variable, 2));
/// let program = &outline.reading.as_ref().expect("a model").program;
/// assert_eq!(symbol.describe(Some(program))[0], "exists binary x[1], block 1 of 1");
/// ```
pub fn outline(name: &str, text: &str, beside: &Beside) -> Outline {
    let format = detect(name, text);
    if format != Format::Qip {
        let reading = read_text(name, text, format, beside);
        return Outline {
            reading,
            symbols: Vec::new(),
        };
    }
    let (program, problems, mut symbols) = if indexed::is_indexed(text) {
        indexed::outlined(text, beside)
    } else {
        let (program, problems) = text::read(text, text::Dialect::Native);
        let symbols = text::symbols_of(text, program.as_ref());
        (program, problems, symbols)
    };
    symbols.sort_by_key(|symbol| symbol.places().first().map_or(0, |place| place.start));
    let read = program.map(|program| (program, None));
    Outline {
        reading: settled(name, text, format, read, problems),
        symbols,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, name: &str) -> Vec<(Role, usize, usize)> {
        let outline = outline("m.qip", text, &Beside::default());
        let symbols = outline.symbols.iter().filter(|symbol| symbol.name == name);
        symbols
            .map(|symbol| (symbol.role, symbol.definitions.len(), symbol.uses.len()))
            .collect()
    }

    const SETS: &str = "\
set S = {oslo, bergen}
param t[S] = {oslo: 2} default 1
set P = {(s, r) for s in S, r in S where s != r}
minimize cost: sum{s in S} t[s] x[s] - t[oslo] x[bergen]
subject to
  x[t in S]: x[t] >= 0
prefix
  exists binary x[s in S]
end";

    #[test]
    fn names_have_roles_and_scopes() {
        assert_eq!(places(SETS, "S"), [(Role::Set, 1, 6)]);
        assert_eq!(places(SETS, "oslo"), [(Role::Element, 1, 2)]);
        // A parameter, and an index of the same name.
        assert_eq!(
            places(SETS, "t"),
            [(Role::Parameter, 1, 2), (Role::Index, 1, 1)]
        );
        // Rows and variables have names of their own.
        assert_eq!(
            places(SETS, "x"),
            [(Role::Variable, 1, 3), (Role::Row, 1, 0)]
        );
        // One index for each scope.
        let indices = places(SETS, "s");
        assert_eq!(
            indices,
            [
                (Role::Index, 1, 2),
                (Role::Index, 1, 2),
                (Role::Index, 1, 0)
            ]
        );
        assert_eq!(places(SETS, "cost"), [(Role::Row, 1, 0)]);
    }

    #[test]
    fn what_a_name_is_is_said_exactly() {
        let outline = outline("m.qip", SETS, &Beside::default());
        let program = &outline.reading.as_ref().unwrap().program;
        let said = |place: &str| {
            let (symbol, _) = outline.at(SETS.find(place).unwrap()).unwrap();
            symbol.describe(Some(program))
        };
        assert_eq!(said("S ="), ["set S, 2 elements", "oslo", "bergen"]);
        assert_eq!(
            said("t[S]"),
            ["param t[S], 2 values", "t[oslo] = 2", "t[bergen] = 1"]
        );
        assert_eq!(said("oslo,"), ["element of S", "part of elements of P"]);
        assert_eq!(said("s in S}"), ["index s in S"]);
        assert_eq!(
            said("x[s]"),
            [
                "exists binary x[oslo], block 1 of 1",
                "exists binary x[bergen], block 1 of 1"
            ]
        );
        assert_eq!(
            said("x[t in"),
            ["x[oslo]: x[oslo] >= 0", "x[bergen]: x[bergen] >= 0"]
        );
    }

    #[test]
    fn flat_texts_have_variables_and_rows() {
        let text = "minimize c: 2x + inflow subject to x: x + 1.5inflow >= 1 \
                    prefix exists binary x forall real inflow in [0, 3/2] end";
        assert_eq!(
            places(text, "x"),
            [(Role::Variable, 1, 2), (Role::Row, 1, 0)]
        );
        assert_eq!(places(text, "inflow"), [(Role::Variable, 1, 2)]);
        let outline = outline("m.qip", text, &Beside::default());
        let program = &outline.reading.as_ref().unwrap().program;
        let (symbol, _) = outline.at(text.find("inflow >=").unwrap()).unwrap();
        assert_eq!(
            symbol.describe(Some(program)),
            ["forall real inflow in [0, 3/2], block 2 of 2"]
        );
        let row = outline.declaration("x", Role::Row).unwrap();
        assert_eq!(&text[row.start..row.start + 2], "x:");
    }
}
