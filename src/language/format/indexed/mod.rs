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
mod outline;
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
use super::outline::Symbol;
use super::text::{Declared, Dialect, Reader, Section, shortened};
use crate::program::{Id, Objective, Program, VarId, Variable};
use ast::{Model, Span};
use data::Data;
use expander::{Expander, Global};
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
    let (program, problems, _) = studied(Parser::new(text), beside);
    (program, problems)
}

/// Reads a text and notes its names.
pub(super) fn outlined(text: &str, beside: &Beside) -> (Option<Program>, Problems, Vec<Symbol>) {
    let mut parser = Parser::new(text);
    parser.mentions.wanted = true;
    studied(parser, beside)
}

fn studied(mut parser: Parser<'_>, beside: &Beside) -> (Option<Program>, Problems, Vec<Symbol>) {
    parser.file();
    let Parser {
        mut problems,
        names,
        model,
        mut lost,
        mentions,
        text,
        ..
    } = parser;
    if model.prefix.is_none() {
        let here = text.len();
        let draft = Draft::new(Code::MissingSection, "the file has no `prefix`");
        let help = "declare the variables: `prefix`, `exists binary x[t in T]`";
        problems.push(draft.at(here..here, "expected before the end").help(help));
        // Any name may be that of a variable.
        (lost.elements, lost.variables) = (true, true);
    }
    if lost.files {
        return (None, problems, Vec::new());
    }
    let data = Data::read(&model, beside, &mut problems);
    let lost_variables = lost.variables;
    let mut expander = Expander::new(&model, names, data, lost);
    expander.problems = problems;
    let flat = expander.flat();
    let symbols = expander.symbols(text, &mentions);
    expander.finish_faults();
    let mut problems = std::mem::take(&mut expander.problems);
    expander.data.finish(&mut problems);
    if model.prefix.is_none() {
        return (None, problems, symbols);
    }
    let (program, problems) = assembled(text, &model, flat, problems, lost_variables);
    (program, problems, symbols)
}

/// What the tree says, spelled out.
struct Flat {
    variables: Vec<Variable>,
    spans: Vec<Span>,
    objective: Option<Objective>,
    rows: Rows,
    universal_rows: Rows,
}

impl Expander<'_> {
    /// Everything in its order: what fails does not keep the rest from being looked at.
    fn flat(&mut self) -> Flat {
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
        let objective = self.objective();
        let (mut rows, mut universal_rows) = (Rows::new(), Rows::new());
        for family in &self.model.rows {
            self.rows(family, &prefix.variables, &mut rows);
        }
        for family in &self.model.universal_rows {
            self.rows(family, &prefix.variables, &mut universal_rows);
        }
        universal_rows.append(&mut prefix.budgets);
        Flat {
            variables: prefix.variables,
            spans: prefix.spans,
            objective,
            rows,
            universal_rows,
        }
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

/// The last checks are those of flat files; they are made even where something is missing already.
fn assembled(
    text: &str,
    model: &Model,
    flat: Flat,
    mut problems: Problems,
    lost_variables: bool,
) -> (Option<Program>, Problems) {
    let mut seen = FxHashSet::default();
    let mut alike = false;
    for (variable, span) in flat.variables.iter().zip(&flat.spans) {
        if !seen.insert(variable.name.as_str()) {
            let name = shortened(&variable.name);
            let message = format!("two variables are spelled `{name}`");
            let draft = Draft::new(Code::DeclaredTwice, message).at(span.clone(), "");
            problems.push(draft.help("elements that differ in letters a name cannot have"));
            alike = true;
        }
    }
    if alike {
        return (None, problems);
    }
    let mut reader = Reader::new(text, Dialect::Native);
    // What may be without bounds depends on the blocks.
    reader.bounds_are_sound = !lost_variables;
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
