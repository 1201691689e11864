//! The names of a model with sets, as the parser met them, and what they were found to be.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Binder, Name, Slot, Span};
use super::expander::{Expander, Global, State, counted};
use super::names::Atom;
use crate::format::outline::{LISTED, Role, Symbol, list};
use crate::format::spell::spelled;

/// What a name is at its place.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum As {
    /// A set, a parameter, a variable or an element.
    Global,
    /// Where it begins to run, and where it is used.
    Binder(Slot),
    Index(Slot),
    Row,
}

/// A name at a place.
#[derive(Debug)]
pub(super) struct Mention {
    pub name: Name,
    pub span: Span,
    pub what: As,
}

/// The names of a text, noted on request while it is parsed.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pub wanted: bool,
    pub list: Vec<Mention>,
    /// What is written of each index: `t in T`.
    pub binders: FxHashMap<Slot, Span>,
}

impl Mentions {
    pub fn push(&mut self, name: Name, span: Span) {
        if self.wanted {
            let what = As::Global;
            self.list.push(Mention { name, span, what });
        }
    }

    /// How many there are, to come back to one of the next.
    pub fn mark(&self) -> usize {
        self.list.len()
    }

    /// Says what the name noted at a mark is.
    pub fn settle(&mut self, mark: usize, what: As) {
        if let Some(mention) = self.list.get_mut(mark) {
            mention.what = what;
        }
    }

    /// Indices that begin to run.
    pub fn bind(&mut self, mark: usize, binder: &Binder) {
        if self.wanted {
            for (place, slot) in binder.slots.iter().enumerate() {
                self.settle(mark + place, As::Binder(*slot));
                self.binders.insert(*slot, binder.span.clone());
            }
        }
    }
}

impl Expander<'_> {
    /// Every name with its places.
    pub fn symbols(&self, text: &str, mentions: &Mentions) -> Vec<Symbol> {
        let mut found: FxHashMap<(Name, As), Symbol> = FxHashMap::default();
        let declared = self.declared_at();
        for mention in &mentions.list {
            let what = match mention.what {
                As::Binder(slot) => As::Index(slot),
                other => other,
            };
            let role = match what {
                As::Row => Role::Row,
                As::Index(_) | As::Binder(_) => Role::Index,
                As::Global => self.role(mention.name),
            };
            let symbol = found.entry((mention.name, what)).or_insert_with(|| Symbol {
                name: self.names.spelling(mention.name).to_owned(),
                role,
                definitions: Vec::new(),
                uses: Vec::new(),
                lines: self.lines(mention.name, what, text, mentions),
            });
            let defines = match mention.what {
                As::Binder(_) | As::Row => true,
                As::Index(_) => false,
                As::Global => match self.globals.contains_key(&mention.name) {
                    true => declared.contains(&mention.span.start),
                    false => self.lists(&mention.span),
                },
            };
            match defines {
                true => symbol.definitions.push(mention.span.clone()),
                false => symbol.uses.push(mention.span.clone()),
            }
        }
        found.into_values().collect()
    }

    fn role(&self, name: Name) -> Role {
        match self.globals.get(&name) {
            Some(Global::Set(_)) => Role::Set,
            Some(Global::Param(_)) => Role::Parameter,
            Some(Global::Family(_)) => Role::Variable,
            None if self.words.contains(&name) => Role::Element,
            None => Role::Variable,
        }
    }

    /// Where sets, parameters and variables are declared.
    fn declared_at(&self) -> FxHashSet<usize> {
        let sets = self.model.sets.iter().map(|set| set.span.start);
        let params = self.model.params.iter();
        let params = params.map(|param| param.head.name_span.start);
        let declarations = self.model.stages.iter().flat_map(|it| &it.declarations);
        let heads = declarations.flat_map(|it| &it.heads);
        let heads = heads.map(|head| head.name_span.start);
        sets.chain(params).chain(heads).collect()
    }

    /// Whether a declared set lists its elements at this place.
    fn lists(&self, span: &Span) -> bool {
        let mut bodies = self.model.sets.iter().filter_map(|set| set.body.as_ref());
        bodies.any(|body| body.span.start <= span.start && span.end <= body.span.end)
    }

    fn lines(&self, name: Name, what: As, text: &str, mentions: &Mentions) -> Vec<String> {
        if let As::Index(slot) = what {
            let written = mentions.binders.get(&slot);
            let written = written.map(|span| format!("index {}", &text[span.clone()]));
            return written.into_iter().collect();
        }
        if what == As::Row {
            return Vec::new();
        }
        let shown = self.names.spelling(name);
        let mut lines = Vec::new();
        match self.globals.get(&name) {
            Some(Global::Set(set)) => {
                if let State::Done(elements) = &self.sets[*set] {
                    let keys = &elements.keys;
                    lines.push(format!("set {shown}, {}", counted(keys.len(), "element")));
                    let elements = keys.iter().map(|key| match &key[..] {
                        [atom] => self.names.shown(*atom),
                        key => format!("({})", self.names.shown_key(key)),
                    });
                    list(&mut lines, keys.len(), elements);
                }
            }
            Some(Global::Param(param)) => {
                let head = &self.model.params[*param].head;
                if let State::Done(table) = &self.params[*param] {
                    let count = table.values.len();
                    let mut values: Vec<_> = table.values.iter().collect();
                    if table.arity > 0 {
                        let head = &text[head.span.clone()];
                        lines.push(format!("param {head}, {}", counted(count, "value")));
                    }
                    // Elements are numbered as they were met.
                    if count > LISTED {
                        values.select_nth_unstable(LISTED);
                        values.truncate(LISTED);
                    }
                    values.sort_by_key(|(key, _)| *key);
                    let values = values.into_iter().map(|(key, value)| {
                        let shown = match key.is_empty() {
                            true => shown.to_owned(),
                            false => format!("{shown}[{}]", self.names.shown_key(key)),
                        };
                        format!("{shown} = {}", spelled(&value.to_rational()))
                    });
                    list(&mut lines, count, values);
                }
            }
            Some(Global::Family(_)) => {}
            None if self.words.contains(&name) => {
                let atom = Atom::Word(name);
                let has = |set: &usize, whole: bool| match &self.sets[*set] {
                    State::Done(elements) => {
                        let mut keys = elements.keys.iter();
                        keys.any(|key| key.contains(&atom) && (key.len() == 1) == whole)
                    }
                    _ => false,
                };
                for (whole, what) in [(true, "element of"), (false, "part of elements of")] {
                    let sets = (0..self.sets.len()).filter(|set| has(set, whole));
                    let sets = sets.map(|set| self.names.spelling(self.model.sets[set].name));
                    let sets: Vec<&str> = sets.collect();
                    if !sets.is_empty() {
                        lines.push(format!("{what} {}", sets.join(", ")));
                    }
                }
            }
            None => lines.push(format!("`{shown}` is not declared")),
        }
        lines
    }
}
