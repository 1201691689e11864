//! Numbers in hand: exact values, and what is said about those that are none.

use super::Keyword;
use super::reader::{Reader, Step};
use super::token::{Kind, Token};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::num::{NumberError, Rational, parse_rational};

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
        // Nearly every number of a real model is a short integer.
        if digits.len() <= 18 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let value: u64 = digits.parse().expect("eighteen digits fit a u64");
            return Ok(Rational::from_integer(value.into()));
        }
        parse_rational(digits).or_else(|error| {
            let code = match error {
                NumberError::Malformed(_) => Code::BadNumber,
                NumberError::TooLong(_) | NumberError::HugeExponent(_) => Code::HugeNumber,
                NumberError::ZeroDenominator(_) => Code::ZeroDenominator,
            };
            self.fail(Draft::new(code, error.to_string()).at(token.span(), ""))
        })
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
    pub fn infinite_number<T>(&mut self, span: std::ops::Range<usize>) -> Step<T> {
        let draft = Draft::new(
            Code::InfiniteNumber,
            "infinity is not a number to calculate with",
        );
        let draft = draft.at(span, "");
        self.fail(draft.help("only `<= inf` and `>= -inf` have a meaning: that side does not bind"))
    }
}
