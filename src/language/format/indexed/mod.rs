//! Models with sets, parameters and indices, and what they are spelled out.
//!
//! A file that begins with `set`, `param` or `data` is such a model. The text is parsed into a tree
//! whose names are numbers (`parser` and its neighbours); sets and parameters are evaluated, once each
//! and exactly; then variables, rows and objective are written out, one for every index, and checked
//! like those of a flat file. The grammar is in docs/format-sets.md.
//!
//! **Invariant:** what comes out is a flat program like any other: writing it and reading it gives
//! the same one.

mod ast;
mod data;
mod declarations;
mod evaluate;
mod expander;
mod expressions;
mod linear;
mod names;
mod parser;
mod rows_of;
mod sections;
mod sets;
mod sets_of;
mod tables;
mod token;
mod variables;

use rustc_hash::FxHashSet;

use super::beside::Beside;
use super::code::Code;
use super::diagnostic::{Draft, Problems};
use super::text::{Declared, Dialect, Reader, Section, shortened};
use crate::program::{Id, Objective, Program, VarId, Variable};
use ast::{Model, Span};
use data::Data;
use expander::{Expander, Global};
use names::Names;
use parser::{Parser, Step};
use rows_of::Rows;

/// Whether a text declares data before anything else.
pub(super) fn is_indexed(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        match rest.strip_prefix('\\') {
            Some(comment) => rest = comment.find(['\n', '\r']).map_or("", |end| &comment[end..]),
            None => break,
        }
    }
    let end = rest.find(|letter: char| !letter.is_ascii_alphabetic());
    let word = &rest[..end.unwrap_or(rest.len())];
    ["set", "param", "data"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// Reads a text.
pub(super) fn read(text: &str, beside: &Beside) -> (Option<Program>, Problems) {
    let mut parser = Parser::new(text);
    parser.file();
    let Parser {
        mut problems,
        names,
        model,
        ..
    } = parser;
    if model.prefix.is_none() {
        let here = text.len();
        let draft = Draft::new(Code::MissingSection, "the file has no `prefix`");
        let help = "declare the variables: `prefix`, `exists binary x[t in T]`";
        problems.push(draft.at(here..here, "expected before the end").help(help));
    }
    if problems.has_errors() {
        return (None, problems);
    }
    let data = Data::read(&model, beside, &mut problems);
    expanded(text, &model, names, data, problems)
}

/// What the tree says, spelled out.
struct Flat {
    variables: Vec<Variable>,
    spans: Vec<Span>,
    objective: Option<Objective>,
    rows: Rows,
    universal_rows: Rows,
}

fn expanded(
    text: &str,
    model: &Model,
    names: Names,
    data: Data,
    problems: Problems,
) -> (Option<Program>, Problems) {
    let mut expander = Expander::new(model, names, data);
    expander.problems = problems;
    let flat = expander.flat();
    expander.finish_faults();
    let mut problems = std::mem::take(&mut expander.problems);
    expander.data.finish(&mut problems);
    match flat {
        Some(flat) if !problems.has_errors() => assembled(text, model, flat, problems),
        _ => (None, problems),
    }
}

impl Expander<'_> {
    /// Everything in its order: what fails does not keep the rest from being looked at.
    fn flat(&mut self) -> Option<Flat> {
        self.declare_data();
        self.declare_families();
        for number in 0..self.model.sets.len() {
            let span = &self.model.sets[number].span;
            let _: Step<_> = self.named_set(number, span);
        }
        self.sets_are_known = true;
        self.refuse_unknown_data();
        for number in 0..self.model.params.len() {
            let span = &self.model.params[number].head.span;
            let _: Step<_> = self.table(number, span);
        }
        let mut prefix = self.prefix();
        // With a set or parameter missing, rows would only say so once more.
        let objective = self.objective();
        let (mut rows, mut universal_rows) = (Rows::new(), Rows::new());
        if prefix.variables.len() == self.binaries.len() {
            for family in &self.model.rows {
                self.rows(family, &prefix.variables, &mut rows);
            }
            for family in &self.model.universal_rows {
                self.rows(family, &prefix.variables, &mut universal_rows);
            }
        }
        universal_rows.append(&mut prefix.budgets);
        if self.has_faults() || self.data_has_faults() {
            return None;
        }
        Some(Flat {
            variables: prefix.variables,
            spans: prefix.spans,
            objective,
            rows,
            universal_rows,
        })
    }

    /// Makes the names of sets and parameters known.
    fn declare_data(&mut self) {
        let sets = self.model.sets.iter().enumerate();
        let sets = sets.map(|(number, it)| (it.name, &it.span, Global::Set(number)));
        let params = self.model.params.iter().enumerate();
        let params =
            params.map(|(number, it)| (it.head.name, &it.head.name_span, Global::Param(number)));
        for (name, span, global) in sets.chain(params) {
            if self.globals.insert(name, global).is_some() {
                let shown = shortened(self.names.spelling(name));
                let message = format!("`{shown}` is declared twice");
                let _: Step<()> = self.fail(Code::DeclaredTwice, message, span);
            }
        }
    }

    fn objective(&mut self) -> Option<Objective> {
        let (sense, _, name, sum) = self.model.objective.as_ref()?;
        let linear = self.linear(sum).ok()?;
        Some(Objective {
            name: name.map(|name| self.names.spelling(name).to_owned()),
            sense: *sense,
            constant: linear.constant(),
            terms: linear.into_terms(),
        })
    }
}

/// The last checks are those of flat files.
fn assembled(
    text: &str,
    model: &Model,
    flat: Flat,
    mut problems: Problems,
) -> (Option<Program>, Problems) {
    let mut seen = FxHashSet::default();
    for (variable, span) in flat.variables.iter().zip(&flat.spans) {
        if !seen.insert(variable.name.as_str()) {
            let name = shortened(&variable.name);
            let message = format!("two variables are spelled `{name}`");
            let draft = Draft::new(Code::DeclaredTwice, message).at(span.clone(), "");
            problems.push(draft.help("elements that differ in letters a name cannot have"));
        }
    }
    if problems.has_errors() {
        return (None, problems);
    }
    let mut reader = Reader::new(text, Dialect::Native);
    reader.problems = problems;
    if let Some((_, span, ..)) = &model.objective {
        reader.open(Section::Objective, span.clone());
    }
    reader.open(Section::Prefix, model.prefix.clone().unwrap_or(0..0));
    for (place, (variable, span)) in flat.variables.iter().zip(flat.spans).enumerate() {
        let number = reader.symbols.number(&variable.name);
        debug_assert_eq!(number, VarId::new(place));
        reader.prefix.push(Declared {
            number,
            span,
            quantifier: variable.quantifier,
            kind: variable.kind,
            bounds: variable.bounds.clone(),
        });
    }
    reader.objective = flat.objective;
    reader.rows = flat.rows;
    reader.universal_rows = flat.universal_rows;
    reader.assemble()
}
