//! The sections that list names: `BINARIES`, `GENERALS`, `EXISTS`, `ALL`, `ORDER`.
//!
//! A variable is declared by its place in `ORDER` and its owner in `EXISTS` or `ALL`; it is real
//! unless it is binary or general. Without bounds it lies in `[0, inf]`, a binary one in `[0, 1]`.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::bounds::Limits;
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::{Declared, Kind, Reader, Section, Standing, Step, shortened};
use crate::num::int;
use crate::program::{self, Bounds, Id, Quantifier, VarId};

/// `BINARIES` or `GENERALS`.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Listed {
    Binary,
    General,
}

/// What the sections say about each name, by its number.
#[derive(Default)]
pub(in crate::format) struct Lists {
    facts: Vec<Facts>,
    order: Vec<(VarId, Range<usize>)>,
}

#[derive(Clone, Default)]
pub(super) struct Facts {
    owner: Option<(Quantifier, Range<usize>)>,
    kind: Option<(Listed, Range<usize>)>,
    ordered: Option<Range<usize>>,
    pub limits: Limits,
}

impl Facts {
    /// A place in the sections below the rows that mentions the name.
    fn mention(&self) -> Option<Range<usize>> {
        let owner = self.owner.as_ref().map(|(_, span)| span);
        let kind = self.kind.as_ref().map(|(_, span)| span);
        owner.or(kind).or(self.limits.mention()).cloned()
    }
}

impl<'t> Reader<'t> {
    pub fn read_binaries(&mut self) {
        self.read_names(|reader, number, span| reader.note_kind(number, Listed::Binary, span));
    }

    pub fn read_generals(&mut self) {
        self.read_names(|reader, number, span| reader.note_kind(number, Listed::General, span));
    }

    pub fn read_exists(&mut self) {
        self.read_names(|reader, number, span| reader.note_owner(number, Quantifier::Exists, span));
    }

    pub fn read_all(&mut self) {
        self.read_names(|reader, number, span| reader.note_owner(number, Quantifier::Forall, span));
    }

    pub fn read_order(&mut self) {
        self.read_names(Self::note_order);
    }

    fn read_names(&mut self, note: impl Fn(&mut Self, VarId, Range<usize>)) {
        while !self.at_section_end() {
            if self.at_plain_name() {
                let token = self.advance();
                let number = self.symbols.number(self.slice(&token));
                note(self, number, token.span());
                continue;
            }
            let _: Step<()> = match self.keyword() {
                Some(_) => self.keyword_as_name(),
                None => self.unexpected("the name of a variable"),
            };
            while self.token.kind != Kind::End && self.token.kind != Kind::Name {
                self.advance();
            }
            if self.keyword().is_some() && !self.at_section_end() {
                self.advance();
            }
        }
    }

    /// What is known of a name, to be filled in.
    pub(super) fn facts(&mut self, number: VarId) -> &mut Facts {
        let facts = &mut self.lists.facts;
        if facts.len() <= number.index() {
            facts.resize(number.index() + 1, Facts::default());
        }
        &mut facts[number.index()]
    }

    fn note_kind(&mut self, number: VarId, kind: Listed, span: Range<usize>) {
        match self.facts(number).kind.clone() {
            None => self.facts(number).kind = Some((kind, span)),
            Some((before, first)) if before == kind => self.declared_twice(number, span, first),
            Some((_, first)) => {
                let name = shortened(self.symbols.name(number));
                let message = format!("`{name}` is both binary and general");
                let draft = Draft::new(Code::TwoKinds, message);
                let draft = draft.at(span, "here").at(first, "and here");
                self.problems
                    .push(draft.help("list it in one of the two sections"));
            }
        }
    }

    fn note_owner(&mut self, number: VarId, owner: Quantifier, span: Range<usize>) {
        match self.facts(number).owner.clone() {
            None => self.facts(number).owner = Some((owner, span)),
            Some((before, first)) if before == owner => self.declared_twice(number, span, first),
            Some((_, first)) => {
                let name = shortened(self.symbols.name(number));
                let message = format!("`{name}` belongs to both players");
                let draft = Draft::new(Code::BothQuantifiers, message);
                let draft = draft.at(span, "here").at(first, "and here");
                self.problems
                    .push(draft.help("list it in EXISTS or in ALL"));
            }
        }
    }

    fn note_order(&mut self, number: VarId, span: Range<usize>) {
        match self.facts(number).ordered.clone() {
            Some(first) => self.declared_twice(number, span, first),
            None => {
                self.facts(number).ordered = Some(span.clone());
                self.lists.order.push((number, span));
            }
        }
    }

    /// Names that `2e2` could mean, of variables that the file declares.
    pub fn declared_exponent_names(&self) -> FxHashSet<&'t str> {
        let facts = self.lists.facts.iter().enumerate();
        let declared = facts.filter(|(_, facts)| facts.owner.is_some() || facts.ordered.is_some());
        let names = declared.map(|(number, _)| self.symbols.name(VarId::new(number)));
        names.filter(|name| name.starts_with(['e', 'E'])).collect()
    }

    /// The variables in the order of `ORDER`, every name with its place.
    pub fn list_declarations(&mut self, standings: &mut [Standing]) -> Vec<Declared> {
        if self.sections.find(Section::Order).is_none() {
            self.refuse_missing_order();
            return Vec::new();
        }
        let mut declared = Vec::with_capacity(self.lists.order.len());
        for (number, span) in std::mem::take(&mut self.lists.order) {
            let standing = match self.declare(number, span) {
                Some(variable) => {
                    declared.push(variable);
                    Standing::At(VarId::new(declared.len() - 1))
                }
                None => Standing::Faulty,
            };
            standings[number.index()] = standing;
        }
        self.refuse_unordered(standings);
        declared
    }

    fn refuse_missing_order(&mut self) {
        let here = self.text.len();
        let draft = Draft::new(Code::MissingSection, "the file has no `ORDER` section");
        let draft = draft.at(here..here, "expected before the end");
        self.problems
            .push(draft.help("list all variables in the order in which they are fixed"));
    }

    fn declare(&mut self, number: VarId, span: Range<usize>) -> Option<Declared> {
        let facts = std::mem::take(self.facts(number));
        let Some((quantifier, _)) = facts.owner else {
            let name = shortened(self.symbols.name(number));
            let draft = Draft::new(Code::NoQuantifier, format!("nobody owns `{name}`"));
            let draft = draft.at(span, "neither in EXISTS nor in ALL");
            self.problems.push(draft.help("list it in one of the two"));
            return None;
        };
        let kind = match facts.kind {
            Some(_) => program::Kind::Integer,
            None => program::Kind::Real,
        };
        let binary = matches!(facts.kind, Some((Listed::Binary, _)));
        let bounds = self.settle_bounds(number, &span, binary, kind, facts.limits);
        Some(Declared {
            number,
            span,
            quantifier,
            kind,
            bounds,
        })
    }

    /// Names below the rows that `ORDER` leaves out.
    fn refuse_unordered(&mut self, standings: &mut [Standing]) {
        for number in self.symbols.numbers() {
            let facts = self.facts(number).clone();
            let unknown = matches!(standings[number.index()], Standing::Unknown);
            let Some(span) = facts.mention().filter(|_| unknown) else {
                continue;
            };
            standings[number.index()] = Standing::Faulty;
            let name = shortened(self.symbols.name(number));
            self.problems.push(if facts.owner.is_some() {
                let draft = Draft::new(Code::NotInOrder, format!("`{name}` is missing from ORDER"));
                draft
                    .at(span, "owned, but never fixed")
                    .help("add it to ORDER at its place")
            } else {
                let message = format!("variable `{name}` is not declared");
                let draft = Draft::new(Code::NotDeclared, message);
                draft
                    .at(span, "neither in EXISTS nor in ALL")
                    .help("add it to EXISTS or ALL, and to ORDER")
            });
        }
    }

    fn settle_bounds(
        &mut self,
        number: VarId,
        span: &Range<usize>,
        binary: bool,
        kind: program::Kind,
        limits: Limits,
    ) -> Bounds {
        let default_upper = binary.then(|| int(1));
        let unbounded = limits.upper.is_none() && kind == program::Kind::Real;
        let places = limits.mention().cloned();
        let bounds = Bounds {
            lower: limits.lower.map_or(Some(int(0)), |(value, _)| value),
            upper: limits.upper.map_or(default_upper, |(value, _)| value),
        };
        let name = self.symbols.name(number);
        if unbounded {
            let message = format!("`{}` has no upper bound", shortened(name));
            let draft = Draft::new(Code::DefaultBound, message).at(span.clone(), "");
            self.problems
                .push(draft.help(format!("if that is meant, write `{name} <= inf`")));
        }
        let inside = |side: &Option<_>| side.as_ref().is_some_and(|v| Bounds::unit().contains(v));
        if binary && !(inside(&bounds.lower) && inside(&bounds.upper)) {
            let message = format!(
                "the bounds of binary variable `{}` leave [0, 1]",
                shortened(name)
            );
            let draft = Draft::new(Code::BinaryBounds, message);
            let draft = draft.at(places.unwrap_or_else(|| span.clone()), "");
            self.problems
                .push(draft.help("list it in GENERALS, or drop the bounds"));
        }
        bounds
    }
}
