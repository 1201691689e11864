//! Numbers in hand: exact values, and what is said about those that are none.

use std::ops::Range;

use super::Keyword;
use super::reader::{Reader, Step};
use super::token::{Kind, Token};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::spell::is_readable;
use crate::num::{MAX_DIGITS, NumberError, Rational, parse_rational};

/// A number, or beyond all numbers.
pub(in crate::format) enum Value {
    Finite(Rational),
    Infinite { negative: bool },
}

impl Reader<'_> {
    /// The exact value that a number token spells.
    pub fn number(&mut self, token: &Token) -> Step<Rational> {
        self.parse_number(self.slice(token), token)
    }

    /// The exact value of `digits`, a part of `token`.
    pub fn parse_number(&mut self, digits: &str, token: &Token) -> Step<Rational> {
        match parse_rational(digits) {
            Ok(value) => self.refuse_unwritable(value, token.span()),
            Err(error) => {
                let code = match error {
                    NumberError::Malformed(_) => Code::BadNumber,
                    NumberError::TooLong(_) | NumberError::HugeExponent(_) => Code::HugeNumber,
                    NumberError::ZeroDenominator(_) => Code::ZeroDenominator,
                };
                self.fail(Draft::new(code, error.to_string()).at(token.span(), ""))
            }
        }
    }

    /// Numbers may combine to one that no literal spells; such a program could not be written, and
    /// a long enough sum of them would never end.
    pub fn refuse_unwritable(&mut self, value: Rational, span: Range<usize>) -> Step<Rational> {
        if is_readable(&value) {
            return Ok(value);
        }
        let message = format!("this makes a number of more than {MAX_DIGITS} digits");
        let draft = Draft::new(Code::HugeNumber, message).at(span, "");
        self.fail(draft.help("round it"))
    }

    /// Takes a run of signs; tells whether they negate.
    pub fn take_signs(&mut self) -> bool {
        let mut negative = false;
        while matches!(self.token.kind, Kind::Plus | Kind::Minus) {
            negative ^= self.advance().kind == Kind::Minus;
        }
        negative
    }

    /// Takes a bound: a signed number, `inf` or `-inf`.
    pub fn take_bound(&mut self) -> Step<Value> {
        let negative = self.take_signs();
        match self.token.kind {
            Kind::Number { .. } => {
                let token = self.advance();
                let value = self.number(&token)?;
                Ok(Value::Finite(if negative { -value } else { value }))
            }
            Kind::Unclear => self.unclear_exponent(),
            Kind::Name if self.keyword() == Some(Keyword::Infinity) => {
                self.advance();
                Ok(Value::Infinite { negative })
            }
            _ => self.unexpected("a number or `inf`"),
        }
    }

    /// `2e1x` in a native file.
    pub fn unclear_exponent<T>(&mut self) -> Step<T> {
        let token = self.token;
        let message = format!("{} can be read in two ways", self.describe(&token));
        let draft = Draft::new(Code::AmbiguousExponent, message);
        let draft = draft.at(token.span(), "a power of ten, or a name?");
        self.fail(draft.help("put a blank between the coefficient and the variable"))
    }

    /// An infinity where only numbers have a meaning.
    pub fn infinite_number<T>(&mut self, span: Range<usize>) -> Step<T> {
        let draft = Draft::new(
            Code::InfiniteNumber,
            "infinity is not a number to calculate with",
        );
        let draft = draft.at(span, "");
        self.fail(draft.help("only `<= inf` and `>= -inf` have a meaning: that side does not bind"))
    }
}
