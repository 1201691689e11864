//! Parameters as tables from index to number.
//!
//! **Invariant:** a finished table has a value for every index of its domain and for no other.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Body, Csv, Expr, Head, List, Name, ParamDeclaration, Span};
use super::data::{Datum, DatumKind, Place, Sheet};
use super::expander::{Expander, State, counted};
use super::names::Key;
use super::parser::{Skip, Step};
use crate::format::code::Code;
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::num::Exact;

/// Indices that are listed in a message.
const LISTED: usize = 5;

/// The values of a parameter.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub values: FxHashMap<Key, Exact>,
    pub arity: usize,
    pub roots: Vec<Option<Name>>,
}

/// How lists are nested.
enum Shape {
    Value(Place),
    Several(Vec<Shape>, Place),
}

/// Values that were given, with the places where they stand.
type Given = Vec<(Key, Exact, Place)>;

impl<'m> Expander<'m> {
    /// The values of a parameter; those of all indices are found at once.
    pub fn table(&mut self, number: usize, span: &Span) -> Step<Rc<Table>> {
        match &self.params[number] {
            State::Done(table) => return Ok(Rc::clone(table)),
            State::Wrong => return Err(Skip),
            State::Running => {
                let name = self.names.spelling(self.model.params[number].head.name);
                let message = format!("parameter `{}` is defined by itself", shortened(name));
                return self.fail(Code::Circular, message, span);
            }
            State::Unseen => self.params[number] = State::Running,
        }
        // Indices of the asking expression wait meanwhile; slots are different for each.
        let declaration = &self.model.params[number];
        let place = self.place.replace(&declaration.head);
        let found = self.evaluated(declaration);
        self.place = place;
        match found {
            Ok(table) => {
                let table = Rc::new(table);
                self.params[number] = State::Done(Rc::clone(&table));
                Ok(table)
            }
            Err(Skip) => {
                self.params[number] = State::Wrong;
                Err(Skip)
            }
        }
    }

    fn evaluated(&mut self, declaration: &'m ParamDeclaration) -> Step<Table> {
        let head = &declaration.head;
        if let Body::Formula(formula) = &declaration.body {
            let mut values = FxHashMap::default();
            self.each_instance(head, true, &mut |it, key| {
                let value = it.number(formula)?;
                let value = it.writable(value, &formula.span)?;
                values.insert(key.clone(), value);
                Ok(())
            })?;
            return self.with_roots(head, values);
        }
        let mut domain = Vec::new();
        self.each_instance(head, true, &mut |it, key| {
            it.room(domain.len(), &head.span)?;
            domain.push(key.clone());
            Ok(())
        })?;
        let given = match &declaration.body {
            Body::Table(entries) => self.entries(entries)?,
            Body::List(list) => self.listed_values(list, &domain)?,
            Body::Csv(csv) => {
                let sheet = self.sheet(csv)?;
                let arity = domain.first().map_or(0, Key::len);
                self.column_of(head, &sheet, arity, Some(csv))?
            }
            _ => self.values_of_data(head, &domain)?,
        };
        let values = self.checked(declaration, &domain, given)?;
        self.with_roots(head, values)
    }

    fn with_roots(&mut self, head: &'m Head, values: FxHashMap<Key, Exact>) -> Step<Table> {
        let roots = self.roots(head)?;
        Ok(Table {
            values,
            arity: roots.len(),
            roots,
        })
    }

    fn entries(&mut self, entries: &'m [(Vec<Expr>, Expr)]) -> Step<Given> {
        let mut given = Vec::with_capacity(entries.len());
        for (parts, value) in entries {
            let mut key = Key::new();
            for part in parts {
                key.push(self.literal_atom(part)?);
            }
            let start = parts
                .first()
                .map_or(value.span.start, |part| part.span.start);
            let number = self.number(value)?;
            let number = self.writable(number, &value.span)?;
            given.push((key, number, Place::Here(start..value.span.end)));
        }
        Ok(given)
    }

    /// Values in the order of the domain.
    fn listed_values(&mut self, list: &'m List, domain: &[Key]) -> Step<Given> {
        let mut values = Vec::new();
        let shape = self.shape_of_list(list, &mut values)?;
        self.fit(&shape, domain, 0)?;
        let given = values.into_iter().zip(domain);
        Ok(given
            .map(|((value, place), key)| (key.clone(), value, place))
            .collect())
    }

    fn shape_of_list(&mut self, list: &'m List, values: &mut Vec<(Exact, Place)>) -> Step<Shape> {
        match list {
            List::Value(value) => {
                let number = self.number(value)?;
                let number = self.writable(number, &value.span)?;
                values.push((number, Place::Here(value.span.clone())));
                Ok(Shape::Value(Place::Here(value.span.clone())))
            }
            List::Several(parts, span) => {
                let parts = parts.iter().map(|part| self.shape_of_list(part, values));
                let parts = parts.collect::<Step<_>>()?;
                Ok(Shape::Several(parts, Place::Here(span.clone())))
            }
        }
    }

    /// Checks that lists in lists have as many parts as the indices have values.
    fn fit(&mut self, shape: &Shape, domain: &[Key], depth: usize) -> Step<()> {
        let arity = domain.first().map_or(0, Key::len);
        let (parts, place) = match shape {
            Shape::Value(_) if depth == arity => return Ok(()),
            Shape::Value(place) => {
                let message = format!("a list for index {} is needed here", depth + 1);
                return self.fail_at(Code::MissingData, message, place, None);
            }
            Shape::Several(_, place) if depth == arity => {
                let message = "a number is needed here".to_owned();
                return self.fail_at(Code::WrongSort, message, place, None);
            }
            Shape::Several(parts, place) => (parts, place),
        };
        let groups: Vec<&[Key]> = domain
            .chunk_by(|one, next| one[depth] == next[depth])
            .collect();
        if groups.len() != parts.len() {
            let message = format!(
                "{}, but index {} has {}",
                counted(parts.len(), "value"),
                depth + 1,
                groups.len()
            );
            return self.fail_at(Code::MissingData, message, place, None);
        }
        for (part, group) in parts.iter().zip(groups) {
            self.fit(part, group, depth + 1)?;
        }
        Ok(())
    }

    /// Every index of the domain has one value, and no other index has any.
    fn checked(
        &mut self,
        declaration: &'m ParamDeclaration,
        domain: &[Key],
        given: Given,
    ) -> Step<FxHashMap<Key, Exact>> {
        let name = declaration.head.name;
        let inside: FxHashSet<&Key> = domain.iter().collect();
        let mut values = FxHashMap::default();
        let mut sound = true;
        for (key, value, place) in given {
            let shown = shortened(&self.names.shown_key(&key));
            if !inside.contains(&key) {
                let spelled: Vec<String> =
                    domain.iter().map(|key| self.names.shown_key(key)).collect();
                let near = nearest(&shown, spelled.iter().map(String::as_str));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let name = shortened(self.names.spelling(name));
                let message = format!("`{name}` has no index `{shown}`");
                let _: Step<()> = self.fail_at(Code::UnknownData, message, &place, help);
                sound = false;
            } else if values.insert(key, value).is_some() {
                let message = format!("a second value for `{shown}`");
                let _: Step<()> = self.fail_at(Code::DuplicateKey, message, &place, None);
                sound = false;
            }
        }
        let missing: Vec<&Key> = domain
            .iter()
            .filter(|key| !values.contains_key(*key))
            .collect();
        if !missing.is_empty() {
            match &declaration.default {
                Some(default) => {
                    let value = self.number(default)?;
                    let value = self.writable(value, &default.span)?;
                    let missing: Vec<Key> = missing.into_iter().cloned().collect();
                    values.extend(missing.into_iter().map(|key| (key, value.clone())));
                }
                None => return self.missing(name, &missing, &declaration.head.span),
            }
        }
        if sound { Ok(values) } else { Err(Skip) }
    }

    fn missing<T>(&mut self, name: Name, missing: &[&Key], span: &Span) -> Step<T> {
        let spelled = shortened(self.names.spelling(name));
        let shown = missing.iter().take(LISTED).map(|key| match key.is_empty() {
            true => spelled.clone(),
            false => format!("{spelled}[{}]", self.names.shown_key(key)),
        });
        let shown = shown.collect::<Vec<_>>().join("`, `");
        let more = match missing.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("no value for `{shown}`{more}");
        let help =
            "give the values in the model, in a file of `--data`, or write `default 0`".to_owned();
        // Of the whole parameter, not of the instance that was last at work.
        self.place = None;
        self.fail_help(Code::MissingData, message, span, help)
    }

    fn values_of_data(&mut self, head: &'m Head, domain: &[Key]) -> Step<Given> {
        let name = self.names.spelling(head.name).to_owned();
        let arity = domain.first().map_or(0, Key::len);
        if let Some((file, datum)) = self.data.value(&name) {
            let mut given = Vec::new();
            if let DatumKind::List(_) = datum.kind {
                let mut values = Vec::new();
                let shape = self.shape_of_datum(file, &datum, &mut values)?;
                self.fit(&shape, domain, 0)?;
                let values = values.into_iter().zip(domain);
                given.extend(values.map(|((value, place), key)| (key.clone(), value, place)));
            } else {
                self.nested(file, &datum, Key::new(), &mut given)?;
            }
            return Ok(given);
        }
        if let Some(sheet) = self.data.sheet_with(&name) {
            return self.column_of(head, &sheet, arity, None);
        }
        Ok(Vec::new())
    }

    /// Tables in tables: one index each.
    fn nested(&mut self, file: usize, datum: &Datum, key: Key, given: &mut Given) -> Step<()> {
        let DatumKind::Table(entries) = &datum.kind else {
            let value = self.number_of_datum(file, datum)?;
            given.push((key, value, Place::There(file, datum.span.clone())));
            return Ok(());
        };
        for (part, _, inner) in entries {
            let mut key = key.clone();
            // `"a,b" = 1` is one value of two indices.
            for piece in part.split(',') {
                key.push(self.names.atom(piece.trim()));
            }
            self.nested(file, inner, key, given)?;
        }
        Ok(())
    }

    fn shape_of_datum(
        &mut self,
        file: usize,
        datum: &Datum,
        values: &mut Vec<(Exact, Place)>,
    ) -> Step<Shape> {
        let place = Place::There(file, datum.span.clone());
        if let DatumKind::List(parts) = &datum.kind {
            let parts = parts
                .iter()
                .map(|part| self.shape_of_datum(file, part, values));
            return Ok(Shape::Several(parts.collect::<Step<_>>()?, place));
        }
        let value = self.number_of_datum(file, datum)?;
        values.push((value, place.clone()));
        Ok(Shape::Value(place))
    }

    fn number_of_datum(&mut self, file: usize, datum: &Datum) -> Step<Exact> {
        let place = Place::There(file, datum.span.clone());
        match &datum.kind {
            DatumKind::Number(value) => Ok(value.clone()),
            DatumKind::Text(text) => self.number_of_text(text, &place),
            DatumKind::List(_) | DatumKind::Table(_) => {
                let message = "a number is needed here".to_owned();
                self.fail_at(Code::WrongSort, message, &place, None)
            }
        }
    }

    fn number_of_text(&mut self, text: &str, place: &Place) -> Step<Exact> {
        match Exact::parse(text.trim()) {
            Ok(value) => Ok(value),
            Err(error) => self.fail_at(Code::BadNumber, error.to_string(), place, None),
        }
    }

    /// The values of a parameter in a sheet: indices in the first columns, values in the column that is
    /// named, has the parameter's name, or is the only other one.
    fn column_of(
        &mut self,
        head: &'m Head,
        sheet: &Rc<Sheet>,
        arity: usize,
        csv: Option<&'m Csv>,
    ) -> Step<Given> {
        let name = self.names.spelling(head.name).to_owned();
        let named = csv.filter(|csv| !csv.columns.is_empty());
        let column = match named {
            Some(csv) => self.columns(sheet, &csv.columns)?[0],
            None => {
                let own = sheet.headers.iter().position(|header| header.text == name);
                match own {
                    Some(own) => own,
                    None if sheet.headers.len() == arity + 1 => arity,
                    None => {
                        let message = format!(
                            "no column `{name}` in a sheet of {}",
                            counted(sheet.headers.len(), "column")
                        );
                        let span = csv.map_or(&head.span, |csv| &csv.span);
                        let help = "name the column: `csv(\"file.csv\", cost)`".to_owned();
                        return self.fail_help(Code::UnknownData, message, span, help);
                    }
                }
            }
        };
        let mut given = Vec::with_capacity(sheet.rows.len());
        for row in &sheet.rows {
            let cell = &row.cells[column];
            let place = Place::There(sheet.file, cell.span.clone());
            let value = self.number_of_text(&cell.text, &place)?;
            let key = row.cells[..arity.min(row.cells.len())].iter();
            let key: Key = key.map(|cell| self.names.atom(&cell.text)).collect();
            given.push((key, value, place));
        }
        Ok(given)
    }
}
