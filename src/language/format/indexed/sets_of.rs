//! Sets as lists of elements.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::ast::{Combination, Csv, Expr, Kind, Name, Over, SetExpr, SetKind, Span};
use super::expander::{Expander, Global, State};
use super::names::{Atom, Key};
use super::parser::{Skip, Step};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::shortened;

/// Most elements of a set.
const MOST_ELEMENTS: usize = 2_000_000;

/// The elements of a set, in their order, each once.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub keys: Vec<Key>,
    /// How many parts an element has.
    pub arity: usize,
    /// For every part, the declared set that it comes from.
    pub roots: Vec<Option<Name>>,
    places: OnceCell<FxHashSet<Key>>,
}

impl Elements {
    pub fn new(keys: Vec<Key>, arity: usize, roots: Vec<Option<Name>>) -> Self {
        Self {
            keys,
            arity,
            roots,
            places: OnceCell::new(),
        }
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.places().contains(key)
    }

    fn places(&self) -> &FxHashSet<Key> {
        self.places
            .get_or_init(|| self.keys.iter().cloned().collect())
    }
}

impl<'m> Expander<'m> {
    /// The elements of a set that is written in place.
    pub fn elements(&mut self, set: &'m SetExpr) -> Step<Rc<Elements>> {
        Ok(Rc::new(match &set.kind {
            SetKind::Named(name) => match self.globals.get(name) {
                Some(Global::Set(number)) => return self.named_set(*number, &set.span),
                Some(_) => {
                    let shown = shortened(self.names.spelling(*name));
                    let message = format!("`{shown}` is no set");
                    return self.fail(Code::WrongSort, message, &set.span);
                }
                None => return self.not_declared(*name, &set.span),
            },
            SetKind::Range(first, last, by) => self.range(first, last, by.as_deref(), &set.span)?,
            SetKind::List(elements) => self.listed(elements, &set.span)?,
            SetKind::Chosen(over, element) => self.chosen(over, element, &set.span)?,
            SetKind::Combined(combination, left, right) => {
                let (left, right) = (self.elements(left)?, self.elements(right)?);
                self.combined(*combination, &left, &right, &set.span)?
            }
            SetKind::Csv(csv) => self.set_of_csv(csv)?,
        }))
    }

    /// The elements of a declared set.
    pub fn named_set(&mut self, number: usize, span: &Span) -> Step<Rc<Elements>> {
        match &self.sets[number] {
            State::Done(elements) => return Ok(Rc::clone(elements)),
            State::Wrong => return Err(Skip),
            State::Running => {
                let name = self.names.spelling(self.model.sets[number].name);
                let message = format!("set `{}` is defined by itself", shortened(name));
                return self.fail(Code::Circular, message, span);
            }
            State::Unseen => self.sets[number] = State::Running,
        }
        let place = self.place.take();
        let found = self.declared_set(number);
        self.place = place;
        match found {
            Ok(elements) => {
                let elements = Rc::new(elements);
                self.sets[number] = State::Done(Rc::clone(&elements));
                Ok(elements)
            }
            Err(Skip) => {
                self.sets[number] = State::Wrong;
                Err(Skip)
            }
        }
    }

    fn declared_set(&mut self, number: usize) -> Step<Elements> {
        let declaration = &self.model.sets[number];
        let (name, span) = (declaration.name, &declaration.span);
        let mut own = true;
        let elements = match &declaration.body {
            Some(body) => {
                // A set that is made of others keeps where its elements come from.
                own = matches!(
                    body.kind,
                    SetKind::Range(..) | SetKind::List(..) | SetKind::Csv(..)
                );
                let elements = self.elements(body)?;
                Elements::new(
                    elements.keys.clone(),
                    elements.arity,
                    elements.roots.clone(),
                )
            }
            None => self.set_of_data(name, span)?,
        };
        let words = elements.keys.iter().flatten();
        self.words.extend(words.filter_map(|atom| match atom {
            Atom::Word(word) => Some(*word),
            Atom::Number(_) => None,
        }));
        let shown = shortened(self.names.spelling(name));
        if elements.keys.is_empty() && own {
            let help = "a set that may be empty is made of others, as in `{t for t in T where …}`";
            let message = format!("set `{shown}` is empty");
            return self.fail_help(Code::EmptySet, message, span, help.to_owned());
        }
        if elements.keys.is_empty() {
            let draft = Draft::new(Code::EmptyChoice, format!("set `{shown}` is empty"));
            self.problems.push(draft.at(span.clone(), ""));
        }
        let roots = match own && elements.arity == 1 {
            true => vec![Some(name)],
            false => elements.roots.clone(),
        };
        Ok(Elements::new(elements.keys, elements.arity, roots))
    }

    fn range(
        &mut self,
        first: &'m Expr,
        last: &'m Expr,
        by: Option<&'m Expr>,
        span: &Span,
    ) -> Step<Elements> {
        let step = match by {
            Some(by) => self.whole(by)?,
            None => 1,
        };
        let (mut at, last) = (self.whole(first)?, self.whole(last)?);
        if step <= 0 {
            let message = "the step of a range is at least 1".to_owned();
            return self.fail(Code::WrongSort, message, span);
        }
        let mut keys = Vec::new();
        while at <= last {
            self.room(keys.len(), span)?;
            keys.push(Key::from_slice(&[Atom::Number(at)]));
            match at.checked_add(step) {
                Some(next) => at = next,
                None => break,
            }
        }
        Ok(Elements::new(keys, 1, vec![None]))
    }

    fn whole(&mut self, expr: &'m Expr) -> Step<i64> {
        match self.atom(expr)? {
            Atom::Number(number) => Ok(number),
            Atom::Word(_) => {
                let message = "the ends of a range are whole numbers".to_owned();
                self.fail(Code::WrongSort, message, &expr.span)
            }
        }
    }

    /// Refuses a set that grows beyond measure.
    pub fn room(&mut self, elements: usize, span: &Span) -> Step<()> {
        if elements < MOST_ELEMENTS {
            return Ok(());
        }
        let message = format!("a set of more than {MOST_ELEMENTS} elements");
        self.fail(Code::TooMuch, message, span)
    }

    fn listed(&mut self, elements: &'m [Vec<Expr>], span: &Span) -> Step<Elements> {
        let mut keys = Vec::with_capacity(elements.len());
        let mut seen = FxHashSet::default();
        let arity = elements.first().map_or(1, Vec::len);
        for element in elements {
            let mut key = Key::new();
            for part in element {
                key.push(self.literal_atom(part)?);
            }
            let start = element.first().map_or(span.start, |part| part.span.start);
            let end = element.last().map_or(span.end, |part| part.span.end);
            if key.len() != arity {
                let message = "elements of one set have the same number of parts".to_owned();
                return self.fail(Code::WrongIndices, message, &(start..end));
            }
            if !seen.insert(key.clone()) {
                let shown = shortened(&self.names.shown_key(&key));
                let message = format!("element `{shown}` is listed twice");
                return self.fail(Code::DuplicateKey, message, &(start..end));
            }
            keys.push(key);
        }
        Ok(Elements::new(keys, arity, vec![None; arity]))
    }

    fn chosen(&mut self, over: &'m Over, element: &'m [Expr], span: &Span) -> Step<Elements> {
        let mut keys = Vec::new();
        let mut seen = FxHashSet::default();
        self.each(over, &mut |it| {
            let mut key = Key::new();
            for part in element {
                key.push(it.atom(part)?);
            }
            if seen.insert(key.clone()) {
                it.room(keys.len(), span)?;
                keys.push(key);
            }
            Ok(())
        })?;
        let root = |part: &Expr| match part.kind {
            Kind::Index(slot) => self.slot_roots[slot],
            _ => None,
        };
        let roots = element.iter().map(root).collect();
        Ok(Elements::new(keys, element.len(), roots))
    }

    fn combined(
        &mut self,
        combination: Combination,
        left: &Elements,
        right: &Elements,
        span: &Span,
    ) -> Step<Elements> {
        if combination == Combination::Product {
            let size = left.keys.len().saturating_mul(right.keys.len());
            self.room(size.saturating_sub(1), span)?;
            let pair = |first: &Key, second: &Key| first.iter().chain(second).copied().collect();
            let keys = left.keys.iter();
            let keys =
                keys.flat_map(|first| right.keys.iter().map(move |second| pair(first, second)));
            let roots = left.roots.iter().chain(&right.roots).copied().collect();
            return Ok(Elements::new(
                keys.collect(),
                left.arity + right.arity,
                roots,
            ));
        }
        if left.arity != right.arity && !left.keys.is_empty() && !right.keys.is_empty() {
            let message = "the elements of the two sets have different numbers of parts".to_owned();
            return self.fail(Code::WrongIndices, message, span);
        }
        let arity = if left.keys.is_empty() {
            right.arity
        } else {
            left.arity
        };
        let kept = |inside: bool| {
            let keys = left
                .keys
                .iter()
                .filter(move |key| right.contains(key) == inside);
            keys.cloned().collect::<Vec<_>>()
        };
        let (keys, roots) = match combination {
            Combination::Minus => (kept(false), left.roots.clone()),
            Combination::Intersection => (kept(true), left.roots.clone()),
            _ => {
                let more = right.keys.iter().filter(|key| !left.contains(key));
                let keys = left.keys.iter().chain(more).cloned().collect();
                let same = left.roots == right.roots;
                let roots = if same {
                    left.roots.clone()
                } else {
                    vec![None; arity]
                };
                (keys, roots)
            }
        };
        Ok(Elements::new(keys, arity, roots))
    }

    fn set_of_csv(&mut self, csv: &'m Csv) -> Step<Elements> {
        let sheet = self.sheet(csv)?;
        let columns = match csv.columns.is_empty() {
            true => vec![0],
            false => self.columns(&sheet, &csv.columns)?,
        };
        let mut keys = Vec::new();
        let mut seen = FxHashSet::default();
        for row in &sheet.rows {
            let key: Key = columns
                .iter()
                .map(|&column| self.names.atom(&row.cells[column].text))
                .collect();
            if seen.insert(key.clone()) {
                keys.push(key);
            }
        }
        Ok(Elements::new(
            keys,
            columns.len(),
            vec![None; columns.len()],
        ))
    }
}
