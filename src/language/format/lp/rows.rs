//! The objective and the rows of LP files.
//!
//! ```text
//! row = [name ":"] (sum relation number | number relation sum [relation number])
//! sum = {sign} [number] [name] {sign {sign} [number] [name]}
//! ```

use std::ops::Range;

use num_traits::One;

use super::reader::{Reader, Step};
use super::token::Kind;
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::num::Rational;
use crate::program::{Id, Objective, Row, Sense, Term, VarId};

/// A sum that was read.
#[derive(Default)]
struct Sum {
    terms: Vec<Term>,
    constant: Rational,
}

impl Reader<'_> {
    /// What follows `Minimize` or `Maximize`. Nothing at all is no objective.
    pub fn read_objective(&mut self, sense: Sense) {
        if self.objective.is_some() {
            let span = self.token().span();
            let draft = Draft::new(Code::DuplicateSection, "a second objective").at(span, "");
            self.problems.push(draft);
        }
        let name = self.take_label().map(|(name, _)| name);
        if self.at_section_end() {
            return;
        }
        match self.sum() {
            Ok(Sum { terms, constant }) => {
                self.objective = Some(Objective {
                    name,
                    sense,
                    terms,
                    constant,
                });
                if !self.at_section_end() {
                    let _: Step<()> = self.unexpected("`+`, `-` or `Subject To`");
                    self.skip_section();
                }
            }
            Err(_) => self.skip_section(),
        }
    }

    /// All rows.
    pub fn read_rows(&mut self) {
        while !self.at_section_end() {
            let start = self.token().start;
            match self.row() {
                Ok(row) => self.rows.push(row),
                Err(_) => self.skip_line(start),
            }
        }
    }

    fn take_label(&mut self) -> Option<(String, Range<usize>)> {
        self.is_label().then(|| {
            let name = self.advance();
            self.advance();
            (self.slice(&name).to_owned(), name.span())
        })
    }

    fn row(&mut self) -> Step<(Row, Range<usize>)> {
        let label = self.take_label();
        let start = self.token().span();
        // Some programs write a row of nothing without a zero.
        let first = match label.is_some() && self.token().kind.is_relation() {
            true => Sum::default(),
            false => self.sum()?,
        };
        let relation = self.relation()?;
        let row = if first.terms.is_empty() && !self.number_comes_alone() {
            self.turned_row(first.constant, relation)?
        } else {
            let side = self.side(relation)?;
            let side = side.map(|side| side - &first.constant);
            sided(first.terms, relation, side)
        };
        Ok(match label {
            Some((name, span)) => (row.named(name), span),
            None => (row, start),
        })
    }

    /// `1 <= x + y`, and perhaps `<= 3`.
    fn turned_row(&mut self, near: Rational, relation: Kind) -> Step<Row> {
        let sum = self.sum()?;
        let near = Some(near - &sum.constant);
        let mirrored = match relation {
            Kind::AtMost => Kind::AtLeast,
            Kind::AtLeast => Kind::AtMost,
            other => other,
        };
        if !self.token().kind.is_relation() {
            return Ok(sided(sum.terms, mirrored, near));
        }
        let span = self.token().span();
        let again = self.relation()?;
        if again != relation || relation == Kind::Equal {
            let draft = Draft::new(Code::BadRange, "two relations that do not make a range");
            let draft = draft.at(span, "");
            return self.fail(draft.help("a range is `1 <= x + y <= 3`"));
        }
        let far = self.side(again)?.map(|side| side - &sum.constant);
        let (lower, upper) = match relation {
            Kind::AtMost => (near, far),
            _ => (far, near),
        };
        Ok(Row {
            name: None,
            terms: sum.terms,
            lower,
            upper,
        })
    }

    fn relation(&mut self) -> Step<Kind> {
        if !self.token().kind.is_relation() {
            return self.unexpected("`<=`, `>=` or `=`");
        }
        Ok(self.advance().kind)
    }

    /// Whether a number comes that multiplies nothing.
    fn number_comes_alone(&self) -> bool {
        let is_sign = |place: &usize| matches!(self.ahead(*place).kind, Kind::Plus | Kind::Minus);
        let signs = (0..).take_while(is_sign).count();
        let next = self.ahead(signs + 1);
        self.ahead(signs).kind == Kind::Number && (next.kind != Kind::Name || next.first_of_line)
    }

    /// The right-hand side of a row; `None` if it does not bind.
    fn side(&mut self, relation: Kind) -> Step<Option<Rational>> {
        let start = self.token().start;
        let negative = self.signs();
        if let Some(span) = self.take_infinity() {
            let idle = match relation {
                Kind::AtMost => !negative,
                Kind::AtLeast => negative,
                _ => false,
            };
            return if idle { Ok(None) } else { self.infinite(span) };
        }
        if self.token().kind != Kind::Number {
            let draft = Draft::new(Code::Unexpected, "expected a number on the right-hand side");
            let draft = draft.at(start..self.token().end, "");
            return self.fail(draft.help("in an LP file all variables stand on the left"));
        }
        let token = self.advance();
        let value = self.number(&token)?;
        Ok(Some(if negative { -value } else { value }))
    }

    /// Takes a run of signs; tells whether they negate.
    pub fn signs(&mut self) -> bool {
        let mut negative = false;
        while matches!(self.token().kind, Kind::Plus | Kind::Minus) {
            negative ^= self.advance().kind == Kind::Minus;
        }
        negative
    }

    /// Takes `inf` or `infinity`.
    pub fn take_infinity(&mut self) -> Option<Range<usize>> {
        let token = *self.token();
        let is_word = token.kind == Kind::Name
            && ["inf", "infinity"].contains(&&*self.slice(&token).to_ascii_lowercase());
        is_word.then(|| self.advance().span())
    }

    pub fn infinite<T>(&mut self, span: Range<usize>) -> Step<T> {
        let message = "infinity is not a number to calculate with";
        self.fail(Draft::new(Code::InfiniteNumber, message).at(span, ""))
    }

    fn sum(&mut self) -> Step<Sum> {
        let mut sum = Sum::default();
        loop {
            let negative = self.signs();
            let mut value = Rational::one();
            let counted = self.token().kind == Kind::Number;
            if counted {
                let token = self.advance();
                value = self.number(&token)?;
            }
            if negative {
                value = -value;
            }
            if self.at_name() && !self.is_label() {
                let name = self.advance();
                let column = self.column(&name);
                sum.terms.push((VarId::new(column), value));
            } else if counted {
                sum.constant += value;
            } else {
                return self.unexpected("a number or a variable");
            }
            if !matches!(self.token().kind, Kind::Plus | Kind::Minus) {
                return Ok(sum);
            }
        }
    }
}

fn sided(terms: Vec<Term>, relation: Kind, side: Option<Rational>) -> Row {
    let (lower, upper) = match relation {
        Kind::AtMost => (None, side),
        Kind::AtLeast => (side, None),
        _ => (side.clone(), side),
    };
    Row {
        name: None,
        terms,
        lower,
        upper,
    }
}
