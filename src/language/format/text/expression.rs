//! One side of a row, or the objective: signed numbers and multiples of variables.
//!
//! ```text
//! side = [signs] operand { sign [signs] operand }
//! operand = number | [number] name | inf
//! ```
//! Line breaks are free inside the objective and left of a relation. To the right of one a line
//! break ends the side, unless a sign or the relation itself stands before the break.

use std::ops::Range;

use num_traits::{One, Zero};

use super::Dialect;
use super::keyword::Keyword;
use super::reader::{Reader, Step};
use super::token::{Kind, Token};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::num::Rational;
use crate::program::Term;

/// Where an expression stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Place {
    Objective,
    Left,
    Right,
}

/// A sum. Its terms name variables by number.
#[derive(Default)]
pub(in crate::format) struct Side {
    pub terms: Vec<Term>,
    pub constant: Rational,
    /// Where a constant stands, if one does.
    pub constant_span: Option<Range<usize>>,
    /// The whole side is `inf` (`false`) or `-inf` (`true`).
    pub infinite: Option<bool>,
    pub span: Range<usize>,
}

impl Side {
    fn add(
        &mut self,
        negative: bool,
        coefficient: Rational,
        variable: Option<crate::program::VarId>,
    ) {
        let value = if negative { -coefficient } else { coefficient };
        match variable {
            Some(variable) => self.terms.push((variable, value)),
            None if self.constant.is_zero() => self.constant = value,
            None => self.constant += value,
        }
    }
}

impl<'t> Reader<'t> {
    /// Reads one side.
    pub fn side(&mut self, place: Place) -> Step<Side> {
        let mut side = Side {
            span: self.token.span(),
            ..Side::default()
        };
        loop {
            let negative = self.take_signs();
            self.operand(&mut side, negative, place)?;
            side.span.end = self.last_end;
            let broken = place == Place::Right && self.token.first_of_line;
            if broken || !matches!(self.token.kind, Kind::Plus | Kind::Minus) {
                return Ok(side);
            }
            if side.infinite.is_some() {
                return self.infinite_number(side.span);
            }
        }
    }

    fn operand(&mut self, side: &mut Side, negative: bool, place: Place) -> Step<()> {
        match self.token.kind {
            Kind::Number { exponent } => self.number_operand(side, negative, place, exponent),
            Kind::Name => match self.keyword() {
                None => {
                    self.variable_operand(side, negative, Rational::one());
                    Ok(())
                }
                Some(Keyword::Infinity) => self.infinite_operand(side, negative, place),
                Some(keyword) if keyword.opens_section() => {
                    self.unexpected("a number or a variable")
                }
                Some(_) => self.keyword_as_name(),
            },
            Kind::Unclear => self.unclear_exponent(),
            _ => self.unexpected("a number or a variable"),
        }
    }

    fn infinite_operand(&mut self, side: &mut Side, negative: bool, place: Place) -> Step<()> {
        let token = self.advance();
        let alone = side.terms.is_empty() && side.constant_span.is_none();
        if !alone || place == Place::Objective {
            return self.infinite_number(token.span());
        }
        side.infinite = Some(negative);
        Ok(())
    }

    fn variable_operand(&mut self, side: &mut Side, negative: bool, coefficient: Rational) {
        let token = self.advance();
        let name = self.slice(&token);
        let variable = self.symbols.number_of_use(name, token.span());
        side.add(negative, coefficient, Some(variable));
    }

    fn number_operand(
        &mut self,
        side: &mut Side,
        negative: bool,
        place: Place,
        exponent: Option<usize>,
    ) -> Step<()> {
        let token = self.advance();
        if self.at_factor(place) {
            let coefficient = self.number(&token)?;
            self.variable_operand(side, negative, coefficient);
            return Ok(());
        }
        if let Some(at) = exponent.filter(|_| self.dialect == Dialect::Yasol)
            && let Some(name) = self.exponent_as_name(&token, at, place)?
        {
            let coefficient = self.parse_number(&self.text[token.start..at], &token)?;
            let variable = self.symbols.number_of_use(name, at..token.end);
            side.add(negative, coefficient, Some(variable));
            return Ok(());
        }
        let constant = self.number(&token)?;
        side.add(negative, constant, None);
        side.constant = self.refuse_unwritable(std::mem::take(&mut side.constant), token.span())?;
        side.constant_span.get_or_insert(token.span());
        Ok(())
    }

    /// Whether the token in hand is a variable that the number before it multiplies.
    fn at_factor(&self, place: Place) -> bool {
        let broken = place == Place::Right && self.token.first_of_line;
        self.at_plain_name() && !broken
    }

    /// Yasol reads `2e2` as 2·e2. Here it is that variable where a constant would be meaningless
    /// (left of a relation), a number where no such variable is declared, and otherwise refused.
    fn exponent_as_name(
        &mut self,
        token: &Token,
        at: usize,
        place: Place,
    ) -> Step<Option<&'t str>> {
        self.saw_exponent = true;
        let tail = &self.text[at..token.end];
        let signed = tail[1..].starts_with(['+', '-']);
        let name = if signed { &tail[..1] } else { tail };
        let declared = self
            .exponent_names
            .as_ref()
            .is_some_and(|names| names.contains(name));
        if !declared {
            return Ok(None);
        }
        if place == Place::Left && !signed {
            return Ok(Some(name));
        }
        let whole = self.slice(token);
        let draft = Draft::new(
            Code::AmbiguousExponent,
            format!("`{whole}` can be read in two ways"),
        );
        let draft = draft.at(
            token.span(),
            format!("a power of ten, or a multiple of `{name}`?"),
        );
        self.fail(draft.help(format!(
            "write `{} {tail}` for the multiple, or the number without an exponent",
            &self.text[token.start..at],
        )))
    }

    /// A word of the format where a name belongs.
    pub fn keyword_as_name<T>(&mut self) -> Step<T> {
        let token = self.token;
        let message = format!(
            "{} is a word of the format, not a name",
            self.describe(&token)
        );
        let draft = Draft::new(Code::KeywordAsName, message).at(token.span(), "");
        self.fail(draft.help("choose another name"))
    }
}

impl Side {
    /// Whether nothing of a sum stands there.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }
}
