//! What a model with sets means: the state of its evaluation, indices that run, and faults that are
//! told once each.
//!
//! **Invariant:** a slot is read only while its index runs, because the parser resolves names in
//! scope only.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    Binder, Condition, Entry, Expr, Head, Kind, Model, Name, Over, SetExpr, SetKind, Span,
};
use super::data::Data;
use super::names::{Atom, Key, Names};
use super::parser::{Lost, Skip, Step};
use super::sets_of::Elements;
use super::tables::Table;
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::program::VarId;

/// Most instances of everything together.
const MOST_STEPS: u64 = 100_000_000;

/// What a name stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Global {
    Set(usize),
    Param(usize),
    Family(usize),
}

/// A definition on its way to a value.
#[derive(Clone)]
pub(super) enum State<T> {
    Unseen,
    /// Its own value is needed for it.
    Running,
    Done(T),
    /// Reported.
    Wrong,
}

/// The variables of one name.
#[derive(Default)]
pub(super) struct Family {
    pub members: FxHashMap<Key, VarId>,
    /// How many indices it has.
    pub arity: usize,
    /// The set that each index runs through, if it has a name.
    pub roots: Vec<Option<Name>>,
}

/// The state of the evaluation.
pub(super) struct Expander<'m> {
    pub model: &'m Model,
    pub names: Names,
    pub globals: FxHashMap<Name, Global>,
    pub problems: Problems,
    faults: FxHashMap<(usize, usize, Code), (Draft, usize)>,
    pub sets: Vec<State<Rc<Elements>>>,
    pub params: Vec<State<Rc<Table>>>,
    pub families: Vec<Family>,
    /// Which variables are binary, by number.
    pub binaries: Vec<bool>,
    /// What the running indices are.
    pub env: Vec<Atom>,
    /// The named sets that they run through.
    pub slot_roots: Vec<Option<Name>>,
    /// Words that are elements of sets.
    pub words: FxHashSet<Name>,
    pub sets_are_known: bool,
    steps: u64,
    /// The row or parameter whose instance is at work.
    pub place: Option<&'m Head>,
    pub data: Data,
    lost: Lost,
}

impl<'m> Expander<'m> {
    pub fn new(model: &'m Model, names: Names, data: Data, lost: Lost) -> Self {
        Self {
            model,
            names,
            globals: FxHashMap::default(),
            problems: Problems::default(),
            faults: FxHashMap::default(),
            sets: model.sets.iter().map(|_| State::Unseen).collect(),
            params: model.params.iter().map(|_| State::Unseen).collect(),
            families: Vec::new(),
            binaries: Vec::new(),
            env: vec![Atom::Number(0); model.slots],
            slot_roots: vec![None; model.slots],
            words: FxHashSet::default(),
            sets_are_known: false,
            steps: 0,
            place: None,
            data,
            lost,
        }
    }

    /// Notes a fault; of the same one at the same place, the first and how many more there are.
    pub fn fail<T>(&mut self, code: Code, message: String, span: &Span) -> Step<T> {
        self.fail_with(Draft::new(code, message).at(span.clone(), ""), code, span)
    }

    /// The same with a remedy.
    pub fn fail_help<T>(
        &mut self,
        code: Code,
        message: String,
        span: &Span,
        help: String,
    ) -> Step<T> {
        let draft = Draft::new(code, message).at(span.clone(), "").help(help);
        self.fail_with(draft, code, span)
    }

    pub fn fail_with<T>(&mut self, draft: Draft, code: Code, span: &Span) -> Step<T> {
        let key = (span.start, span.end, code);
        if let Some((_, times)) = self.faults.get_mut(&key) {
            *times += 1;
            return Err(Skip);
        }
        let draft = match self.instance() {
            Some(instance) => draft.in_instance(&instance),
            None => draft,
        };
        self.faults.insert(key, (draft, 0));
        Err(Skip)
    }

    /// Hands over what was noted.
    pub fn finish_faults(&mut self) {
        for (_, (draft, times)) in std::mem::take(&mut self.faults) {
            self.problems.push(draft.and_more(times));
        }
    }

    /// Whether a fault of the syntax may be why a name is not known.
    pub fn is_lost(&self, name: Name) -> bool {
        self.lost.elements || self.lost.names.contains(&name)
    }

    /// `balance[3,oslo]`, while such a row is at work.
    fn instance(&self) -> Option<String> {
        let head = self.place?;
        let mut key = Key::new();
        for entry in &head.entries {
            match entry {
                Entry::Binds(binder) => key.extend(binder.slots.iter().map(|slot| self.env[*slot])),
                Entry::At(_) => return None,
            }
        }
        (!key.is_empty()).then(|| {
            let name = self.names.spelling(head.name);
            shortened(&format!("{name}[{}]", self.names.shown_key(&key)))
        })
    }

    /// Counts an instance.
    fn step(&mut self, span: &Span) -> Step<()> {
        self.steps += 1;
        if self.steps <= MOST_STEPS {
            return Ok(());
        }
        let message = format!("the model has more than {MOST_STEPS} instances");
        self.fail(Code::TooMuch, message, span)
    }

    /// Runs through all indices of an expression.
    pub fn each(&mut self, over: &'m Over, run: &mut dyn FnMut(&mut Self) -> Step<()>) -> Step<()> {
        self.each_binder(&over.binders, over.filter.as_ref(), run)
    }

    fn each_binder(
        &mut self,
        binders: &'m [Binder],
        filter: Option<&'m Condition>,
        run: &mut dyn FnMut(&mut Self) -> Step<()>,
    ) -> Step<()> {
        let Some((first, rest)) = binders.split_first() else {
            return self.kept(filter, run);
        };
        let elements = self.elements_for(first)?;
        for key in &elements.keys {
            self.step(&first.span)?;
            self.assign(first, key);
            self.each_binder(rest, filter, run)?;
        }
        Ok(())
    }

    fn kept(
        &mut self,
        filter: Option<&'m Condition>,
        run: &mut dyn FnMut(&mut Self) -> Step<()>,
    ) -> Step<()> {
        match filter {
            Some(filter) if !self.holds(filter)? => Ok(()),
            _ => run(self),
        }
    }

    fn elements_for(&mut self, binder: &'m Binder) -> Step<Rc<Elements>> {
        let elements = self.elements(&binder.set)?;
        let arity = binder.slots.len();
        if elements.arity != arity && !elements.keys.is_empty() {
            let message = format!(
                "the elements of this set have {}, but there {} here",
                counted(elements.arity, "part"),
                if arity == 1 {
                    "is 1 index".to_owned()
                } else {
                    format!("are {arity} indices")
                },
            );
            let help = "write `(i, j) in ARCS` for pairs".to_owned();
            return self.fail_help(Code::WrongIndices, message, &binder.span, help);
        }
        for (place, slot) in binder.slots.iter().enumerate() {
            self.slot_roots[*slot] = elements.roots.get(place).copied().flatten();
        }
        Ok(elements)
    }

    fn assign(&mut self, binder: &Binder, key: &Key) {
        for (slot, atom) in binder.slots.iter().zip(key) {
            self.env[*slot] = *atom;
        }
    }

    /// Runs through all instances of a head. `free` allows sets without an index, as in `cost[SITES]`.
    pub fn each_instance(
        &mut self,
        head: &'m Head,
        free: bool,
        run: &mut dyn FnMut(&mut Self, &Key) -> Step<()>,
    ) -> Step<()> {
        self.each_entry(head, free, &head.entries, Key::new(), run)
    }

    fn each_entry(
        &mut self,
        head: &'m Head,
        free: bool,
        entries: &'m [Entry],
        key: Key,
        run: &mut dyn FnMut(&mut Self, &Key) -> Step<()>,
    ) -> Step<()> {
        let Some((first, rest)) = entries.split_first() else {
            return match &head.filter {
                Some(filter) if !self.holds(filter)? => Ok(()),
                _ => run(self, &key),
            };
        };
        let (elements, binder) = match first {
            Entry::Binds(binder) => (self.elements_for(binder)?, Some(binder)),
            Entry::At(expr) => match self.free_set(expr).filter(|_| free) {
                Some(set) => (self.named_set(set, &expr.span)?, None),
                None => {
                    let mut key = key;
                    key.push(self.atom(expr)?);
                    return self.each_entry(head, free, rest, key, run);
                }
            },
        };
        for element in &elements.keys {
            self.step(&head.span)?;
            if let Some(binder) = binder {
                self.assign(binder, element);
            }
            let mut key = key.clone();
            key.extend(element.iter().copied());
            self.each_entry(head, free, rest, key, run)?;
        }
        Ok(())
    }

    /// The set that a bare name stands for.
    fn free_set(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            Kind::Name(name, subscripts) if subscripts.is_empty() => match self.globals.get(name) {
                Some(Global::Set(set)) => Some(*set),
                _ => None,
            },
            _ => None,
        }
    }

    /// The named sets that the indices of a head run through.
    pub fn roots(&mut self, head: &'m Head) -> Step<Vec<Option<Name>>> {
        let mut roots = Vec::new();
        for entry in &head.entries {
            match entry {
                Entry::Binds(binder) => match &binder.set {
                    SetExpr {
                        kind: SetKind::Named(_),
                        ..
                    } => {
                        let elements = self.elements(&binder.set)?;
                        roots.extend(elements.roots.iter().copied());
                    }
                    _ => roots.extend(binder.slots.iter().map(|_| None)),
                },
                Entry::At(expr) => match (self.free_set(expr), &expr.kind) {
                    (Some(set), _) => {
                        let elements = self.named_set(set, &expr.span)?;
                        roots.extend(elements.roots.iter().copied());
                    }
                    (None, Kind::Index(slot)) => roots.push(self.slot_roots[*slot]),
                    (None, _) => roots.push(None),
                },
            }
        }
        Ok(roots)
    }

    /// "Did you mean …?" among everything that has a name.
    pub fn meant(&self, name: Name) -> Option<String> {
        let spelled = self.names.spelling(name);
        let known = self
            .globals
            .keys()
            .chain(&self.model.slot_names)
            .chain(&self.words);
        let known = known.map(|name| self.names.spelling(*name));
        nearest(spelled, known).map(|known| format!("did you mean `{known}`?"))
    }
}

/// `1 part`, `2 parts`.
pub(super) fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
