//! Data that stand beside a model: TOML, JSON and CSV files, read exactly and with places.
//!
//! A TOML or JSON file gives each of its names to the set or parameter of that name. A CSV file gives
//! each column to what is called like it.

mod csv;
mod json;
mod toml;

use std::path::Path;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ast::{Csv, Model, Name, Span};
use super::expander::{Expander, Global};
use super::names::{Key, Names};
use super::parser::Step;
use super::sets_of::Elements;
use crate::format::beside::{Beside, Missing, text_at};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::num::Exact;

/// A value of a data file and its place there.
#[derive(Clone, Debug)]
pub(super) struct Datum {
    pub kind: DatumKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum DatumKind {
    Number(Exact),
    Text(String),
    List(Vec<Datum>),
    Table(Vec<(String, Span, Datum)>),
}

/// A sheet of cells below a line of headers.
#[derive(Debug)]
pub(super) struct Sheet {
    pub file: usize,
    pub headers: Vec<Cell>,
    pub rows: Vec<Row>,
}

#[derive(Debug)]
pub(super) struct Row {
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub text: String,
    pub span: Span,
}

/// Where something stands.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In the model.
    Here(Span),
    /// In a data file.
    There(usize, Span),
}

struct File {
    name: String,
    text: String,
    problems: Problems,
}

/// Everything that the files say.
#[derive(Default)]
pub(super) struct Data {
    beside: Beside,
    files: Vec<File>,
    values: FxHashMap<String, (usize, Span, Datum)>,
    sheets: Vec<Rc<Sheet>>,
    /// Sheets that the model names, by path.
    named: FxHashMap<String, Option<Rc<Sheet>>>,
}

impl Data {
    /// Reads the files that the model names and those that came with it.
    pub fn read(model: &Model, beside: &Beside, problems: &mut Problems) -> Self {
        let mut data = Self {
            beside: beside.clone(),
            ..Self::default()
        };
        let mut open = Vec::new();
        for (name, span) in &model.data {
            match beside.path(name) {
                Ok(path) => open.push((path, span.clone())),
                Err(missing) => say_missing(name, span, missing, problems),
            }
        }
        open.extend(beside.data().iter().map(|path| (path.clone(), 0..0)));
        for (path, span) in open {
            match text_at(&path) {
                Ok(text) => data.add(&path, text, &span, problems),
                Err(missing) => {
                    say_missing(&path.display().to_string(), &span, missing, problems);
                }
            }
        }
        data
    }

    fn add(&mut self, path: &Path, text: String, span: &Span, problems: &mut Problems) {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let file = self.files.len();
        let read = match &*ending.to_ascii_lowercase() {
            "toml" => toml::read(&text),
            "json" => json::read(&text),
            "csv" => match csv::read(&text, file) {
                Ok(sheet) => {
                    self.sheets.push(Rc::new(sheet));
                    Ok(Vec::new())
                }
                Err(draft) => Err(draft),
            },
            _ => {
                let message = format!("`{}` is no .toml, .json or .csv file", path.display());
                problems.push(Draft::new(Code::BadData, message).at(span.clone(), ""));
                return;
            }
        };
        let mut found = Problems::default();
        match read {
            Ok(values) => {
                for (name, span, datum) in values {
                    let again = self
                        .values
                        .insert(name.clone(), (file, span.clone(), datum));
                    if again.is_some() {
                        let message = format!("`{}` is given twice", shortened(&name));
                        found.push(Draft::new(Code::DuplicateKey, message).at(span, ""));
                    }
                }
            }
            Err(draft) => found.push(draft),
        }
        self.files.push(File {
            name: path.display().to_string(),
            text,
            problems: found,
        });
    }

    /// What a file says of a name.
    pub fn value(&self, name: &str) -> Option<(usize, Datum)> {
        let (file, _, datum) = self.values.get(name)?;
        Some((*file, datum.clone()))
    }

    /// The sheet that has a column of that name.
    pub fn sheet_with(&self, name: &str) -> Option<Rc<Sheet>> {
        let has = |sheet: &&Rc<Sheet>| sheet.headers.iter().any(|header| header.text == name);
        self.sheets.iter().find(has).map(Rc::clone)
    }

    /// Hands over what was found in the files.
    pub fn finish(&mut self, problems: &mut Problems) {
        for file in std::mem::take(&mut self.files) {
            problems.adopt(file.problems.settle(&file.name, &file.text));
        }
    }
}

fn say_missing(name: &str, span: &Span, missing: Missing, problems: &mut Problems) {
    match missing {
        Missing::NotText(faults) => problems.adopt(faults),
        Missing::Unreadable(reason) => {
            let message = format!("cannot read `{name}`: {reason}");
            let draft = Draft::new(Code::CannotReadBeside, message).at(span.clone(), "");
            let help = "names in a model are relative to its folder, those of `--data` to yours";
            problems.push(draft.help(help));
        }
    }
}

impl<'m> Expander<'m> {
    /// Notes a fault in the model or in a data file.
    pub fn fail_at<T>(
        &mut self,
        code: Code,
        message: String,
        place: &Place,
        help: Option<String>,
    ) -> Step<T> {
        match place {
            Place::Here(span) => {
                let draft = Draft::new(code, message).at(span.clone(), "").help_if(help);
                self.fail_with(draft, code, span)
            }
            Place::There(file, span) => {
                let draft = Draft::new(code, message).at(span.clone(), "").help_if(help);
                self.data.files[*file].problems.push(draft);
                Err(super::parser::Skip)
            }
        }
    }

    /// Values for what the model does not have, or has a value for.
    pub fn refuse_unknown_data(&mut self) {
        let known = |it: &Self, name: &str| {
            let mut globals = it.globals.iter();
            let found = globals.find(|(number, _)| it.names.spelling(**number) == name);
            let found = found.map(|(_, global)| *global);
            found.filter(|global| !matches!(global, Global::Family(_)))
        };
        let mut values: Vec<_> = self
            .data
            .values
            .iter()
            .map(|(name, it)| (name.clone(), it.0, it.1.clone()))
            .collect();
        values.sort_by_key(|(_, file, span)| (*file, span.start));
        for (name, file, span) in values {
            let waits = match known(self, &name) {
                Some(Global::Set(set)) => self.model.sets[set].body.is_none(),
                Some(Global::Param(param)) => {
                    matches!(self.model.params[param].body, super::ast::Body::Data)
                }
                _ => {
                    let number = self.names.number(&name);
                    if self.is_lost(number) {
                        continue;
                    }
                    let shown = shortened(&name);
                    let message = format!("the model has no set and no parameter `{shown}`");
                    let names = self.globals.keys().map(|known| self.names.spelling(*known));
                    let near = nearest(&name, names);
                    let help = near.map(|near| format!("did you mean `{near}`?"));
                    let place = Place::There(file, span);
                    let _: Step<()> = self.fail_at(Code::UnknownData, message, &place, help);
                    continue;
                }
            };
            if !waits {
                let message = format!("`{}` has a value in the model", shortened(&name));
                let help = "write `default` there to let data replace it".to_owned();
                let place = Place::There(file, span);
                let _: Step<()> = self.fail_at(Code::GivenTwice, message, &place, Some(help));
            }
        }
        for sheet in self.data.sheets.clone() {
            if !sheet
                .headers
                .iter()
                .any(|header| known(self, &header.text).is_some())
            {
                let message = "no column is called like a set or a parameter".to_owned();
                let place = Place::There(sheet.file, sheet.headers[0].span.clone());
                let _: Step<()> = self.fail_at(Code::UnknownData, message, &place, None);
            }
        }
    }

    /// The sheet that the model names.
    pub fn sheet(&mut self, csv: &'m Csv) -> Step<Rc<Sheet>> {
        if let Some(known) = self.data.named.get(&csv.file) {
            return known.clone().ok_or(super::parser::Skip);
        }
        let file = self.data.files.len();
        let opened = self.data.beside.path(&csv.file);
        let opened = opened.and_then(|path| text_at(&path).map(|text| (path, text)));
        let sheet = match opened {
            Ok((path, text)) => {
                let read = csv::read(&text, file);
                let mut problems = Problems::default();
                let sheet = read.map_err(|draft| problems.push(draft)).ok().map(Rc::new);
                self.data.files.push(File {
                    name: path.display().to_string(),
                    text,
                    problems,
                });
                sheet
            }
            Err(missing) => {
                say_missing(&csv.file, &csv.span, missing, &mut self.problems);
                None
            }
        };
        self.data.named.insert(csv.file.clone(), sheet.clone());
        sheet.ok_or(super::parser::Skip)
    }

    /// Places of columns that the model names.
    pub fn columns(&mut self, sheet: &Sheet, named: &'m [(String, Span)]) -> Step<Vec<usize>> {
        let mut columns = Vec::new();
        for (name, span) in named {
            let headers = || sheet.headers.iter().map(|header| header.text.as_str());
            match headers().position(|header| header == name) {
                Some(column) => columns.push(column),
                None => {
                    let message = format!("the sheet has no column `{}`", shortened(name));
                    let near = nearest(name, headers());
                    let help = near.map(|near| format!("did you mean `{near}`?"));
                    let place = Place::Here(span.clone());
                    return self.fail_at(Code::UnknownData, message, &place, help);
                }
            }
        }
        Ok(columns)
    }

    /// The elements of a set that waits for data.
    pub fn set_of_data(&mut self, name: Name, span: &Span) -> Step<Elements> {
        let spelled = self.names.spelling(name).to_owned();
        let mut keys: Vec<(Key, Place)> = Vec::new();
        if let Some((file, datum)) = self.data.value(&spelled) {
            let place = Place::There(file, datum.span.clone());
            let DatumKind::List(elements) = &datum.kind else {
                let message = "a set is a list, such as `[\"a\", \"b\"]`".to_owned();
                return self.fail_at(Code::WrongSort, message, &place, None);
            };
            for element in elements {
                let place = Place::There(file, element.span.clone());
                let parts = match &element.kind {
                    DatumKind::List(parts) => &parts[..],
                    _ => std::slice::from_ref(element),
                };
                let parts: Option<Key> = parts
                    .iter()
                    .map(|part| atom_of(part, &mut self.names))
                    .collect();
                let Some(key) = parts else {
                    let message = "an element is a whole number or a text".to_owned();
                    return self.fail_at(Code::WrongSort, message, &place, None);
                };
                keys.push((key, place));
            }
        } else if let Some(sheet) = self.data.sheet_with(&spelled) {
            let column = sheet
                .headers
                .iter()
                .position(|header| header.text == spelled);
            let column = column.unwrap_or(0);
            let mut seen = rustc_hash::FxHashSet::default();
            for row in &sheet.rows {
                let cell = &row.cells[column];
                let key = Key::from_slice(&[self.names.atom(&cell.text)]);
                // Every row of a sheet repeats the elements that it is about.
                if seen.insert(key.clone()) {
                    keys.push((key, Place::There(sheet.file, cell.span.clone())));
                }
            }
        } else {
            let message = format!("set `{}` has no elements", shortened(&spelled));
            let help = "give them in the model, or in a file of `--data`".to_owned();
            return self.fail_help(Code::MissingData, message, span, help);
        }
        let arity = keys.first().map_or(1, |(key, _)| key.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for (key, place) in &keys {
            let shown = shortened(&self.names.shown_key(key));
            if key.len() != arity {
                let message = "elements of one set have the same number of parts".to_owned();
                return self.fail_at(Code::WrongIndices, message, place, None);
            }
            if !seen.insert(key.clone()) {
                let message = format!("element `{shown}` is listed twice");
                return self.fail_at(Code::DuplicateKey, message, place, None);
            }
        }
        let keys = keys.into_iter().map(|(key, _)| key).collect();
        Ok(Elements::new(keys, arity, vec![None; arity]))
    }
}

fn atom_of(datum: &Datum, names: &mut Names) -> Option<super::names::Atom> {
    match &datum.kind {
        DatumKind::Number(number) => number.to_i64().map(super::names::Atom::Number),
        DatumKind::Text(text) => Some(names.atom(text)),
        DatumKind::List(_) | DatumKind::Table(_) => None,
    }
}
