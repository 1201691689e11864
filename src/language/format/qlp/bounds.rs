//! The `BOUNDS` section: one variable between numbers, each on a line of its own.
//!
//! ```text
//! bound = value relation name [relation value] | name relation value | name "free"
//! ```

use std::ops::Range;

use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::{Keyword, Kind, Reader, Relation, Step, Value, shortened};
use crate::num::Rational;
use crate::program::VarId;

/// An end of a variable's interval as the file gives it: finite or not, and where.
type Limit = Option<(Option<Rational>, Range<usize>)>;

/// Both ends; `None` where the file is silent.
#[derive(Clone, Default)]
pub(super) struct Limits {
    pub lower: Limit,
    pub upper: Limit,
}

impl Limits {
    /// Where the file speaks of them.
    pub fn mention(&self) -> Option<&Range<usize>> {
        self.lower
            .as_ref()
            .or(self.upper.as_ref())
            .map(|(_, span)| span)
    }
}

impl Reader<'_> {
    pub fn read_bounds(&mut self) {
        while !self.at_section_end() {
            let start = self.token.start;
            if self.bound().is_err() {
                self.bounds_are_sound = false;
                self.skip_line(start);
            }
        }
    }

    fn bound(&mut self) -> Step<()> {
        let start = self.token.start;
        let before = if self.at_plain_name() {
            None
        } else {
            Some(self.bound_before()?)
        };
        let (number, span) = self.bound_name()?;
        if let Some((value, relation)) = before {
            self.note_limit(number, relation.mirrored(), value, start..span.end)?;
        } else if self.keyword() == Some(Keyword::Free) {
            self.advance();
            self.note_limit(
                number,
                Relation::AtLeast,
                Value::Infinite { negative: true },
                span.clone(),
            )?;
            self.note_limit(
                number,
                Relation::AtMost,
                Value::Infinite { negative: false },
                span,
            )?;
            return self.finish_bound();
        } else if !matches!(self.token.kind, Kind::Relation(_)) {
            return self.unexpected("`<=`, `=`, `>=` or `free`");
        }
        if let Some((relation, _)) = self.take_relation() {
            let value = self.take_bound()?;
            self.note_limit(number, relation, value, span.start..self.last_end)?;
        }
        self.finish_bound()
    }

    fn bound_before(&mut self) -> Step<(Value, Relation)> {
        let value = self.take_bound()?;
        match self.take_relation() {
            Some((relation, _)) => Ok((value, relation)),
            None => self.unexpected("`<=`, `=` or `>=`; a bound has no coefficients"),
        }
    }

    fn bound_name(&mut self) -> Step<(VarId, Range<usize>)> {
        if self.at_plain_name() {
            let token = self.advance();
            return Ok((self.symbols.number(self.slice(&token)), token.span()));
        }
        match self.keyword() {
            Some(keyword) if !keyword.opens_section() => self.keyword_as_name(),
            _ => self.unexpected("the name of a variable"),
        }
    }

    fn finish_bound(&mut self) -> Step<()> {
        if self.token.first_of_line || self.at_section_end() {
            return Ok(());
        }
        self.unexpected("the end of the bound; each stands on a line of its own")
    }

    fn note_limit(
        &mut self,
        number: VarId,
        relation: Relation,
        value: Value,
        span: Range<usize>,
    ) -> Step<()> {
        let value = match (value, relation) {
            (Value::Finite(value), _) => Some(value),
            (Value::Infinite { negative: true }, Relation::AtLeast) => None,
            (Value::Infinite { negative: false }, Relation::AtMost) => None,
            (Value::Infinite { .. }, _) => return self.infinite_number(span),
        };
        if relation != Relation::AtMost {
            self.set_limit(
                number,
                |limits| &mut limits.lower,
                value.clone(),
                span.clone(),
            )?;
        }
        if relation != Relation::AtLeast {
            self.set_limit(number, |limits| &mut limits.upper, value, span)?;
        }
        Ok(())
    }

    fn set_limit(
        &mut self,
        number: VarId,
        end: fn(&mut Limits) -> &mut Limit,
        value: Option<Rational>,
        span: Range<usize>,
    ) -> Step<()> {
        let limit = end(&mut self.facts(number).limits);
        let Some((_, first)) = limit.clone() else {
            *limit = Some((value, span));
            return Ok(());
        };
        let name = shortened(self.symbols.name(number));
        let draft = Draft::new(
            Code::BoundTwice,
            format!("`{name}` is bounded twice on the same side"),
        );
        let draft = draft.at(span, "again here").at(first, "first here");
        self.fail(draft.help("keep one of the two"))
    }
}
