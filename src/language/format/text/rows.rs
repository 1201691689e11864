//! Rows and the objective.
//!
//! ```text
//! row = [name ":"] side relation side [relation side]
//! objective = [name ":"] [side]
//! ```
//! Everything is moved to the side that has variables; a row with two relations is a range.

use std::ops::Range;

use num_traits::Zero;

use super::Dialect;
use super::expression::{Place, Side};
use super::reader::{Reader, Step};
use super::section::Section;
use super::token::{Kind, Relation};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::num::Rational;
use crate::program::{Objective, Quantifier, Row, Sense};

impl Reader<'_> {
    /// `minimize` or `maximize` and what follows it. Nothing to optimise is no objective.
    pub fn read_objective(&mut self, sense: Sense) {
        let span = self.advance().span();
        self.open(Section::Objective, span);
        let start = self.token.start;
        let Ok(name) = self.take_label() else {
            return self.skip_section();
        };
        let empty = self.at_section_end();
        if empty && name.is_none() {
            return;
        }
        let side = if empty {
            Ok(Side::default())
        } else {
            self.side(Place::Objective)
        };
        if let Ok(side) = side {
            self.objective = Some(Objective {
                name: name.map(|(name, _)| name),
                sense,
                terms: side.terms,
                constant: side.constant,
            });
            if !self.at_section_end() {
                let _: Step<()> = self.unexpected("`+`, `-` or `subject to`");
            }
        }
        if !self.at_section_end() && self.token.start == start {
            self.advance();
        }
        self.skip_section();
    }

    /// The rows of one system.
    pub fn read_rows(&mut self, owner: Quantifier) {
        while self.token.kind != Kind::End && (self.at_label() || !self.at_section_end()) {
            let start = self.token.start;
            match self.row() {
                Ok(row) => match owner {
                    Quantifier::Exists => self.rows.push(row),
                    Quantifier::Forall => self.universal_rows.push(row),
                },
                Err(_) => self.skip_line(start),
            }
        }
    }

    fn take_label(&mut self) -> Step<Option<(String, Range<usize>)>> {
        if !self.at_label() {
            return Ok(None);
        }
        if self.keyword().is_some() {
            return self.keyword_as_name();
        }
        let name = self.advance();
        self.advance();
        Ok(Some((self.slice(&name).to_owned(), name.span())))
    }

    fn row(&mut self) -> Step<(Row, Range<usize>)> {
        let label = self.take_label()?;
        let first = self.side(Place::Left)?;
        let Some((relation, _)) = self.take_relation() else {
            return self.unexpected("`+`, `-`, `<=`, `=` or `>=`");
        };
        let second = self.side(Place::Right)?;
        self.refuse_unclear_line(&first, &second)?;
        let whole = first.span.start..self.last_end;
        let row = match self.take_relation() {
            None => self.two_sided(first, relation, second)?,
            Some((again, span)) => {
                let third = self.side(Place::Right)?;
                self.range([first, second, third], [relation, again], span)?
            }
        };
        self.finish_row()?;
        Ok(match label {
            Some((name, span)) => (row.named(name), span),
            None => (row, whole),
        })
    }

    fn finish_row(&mut self) -> Step<()> {
        if self.token.first_of_line || self.at_section_end() {
            return Ok(());
        }
        self.unexpected("the end of the row; a row begins on a line of its own")
    }

    /// A sign that begins a line after a complete right-hand side begins a new row, as in every
    /// LP file; but not where the row so far could go on as a sum or a range.
    fn refuse_unclear_line(&mut self, first: &Side, second: &Side) -> Step<()> {
        let sign = matches!(self.token.kind, Kind::Plus | Kind::Minus);
        let could_go_on =
            !second.is_constant() || (first.is_constant() && first.infinite.is_none());
        if !(sign && self.token.first_of_line && could_go_on) || second.infinite.is_some() {
            return Ok(());
        }
        let message = "this line could continue the row above or begin a new one";
        let draft = Draft::new(Code::UnclearLineBreak, message).at(self.token.span(), "");
        self.fail(draft.help(
            "to continue, end the line above with the sign; to begin, name the row or drop the `+`",
        ))
    }

    fn two_sided(&mut self, first: Side, relation: Relation, second: Side) -> Step<Row> {
        let turned = (first.is_constant() && !second.is_constant()) || first.infinite.is_some();
        let (mut sum, relation, rhs) = if turned {
            (second, relation.mirrored(), first)
        } else {
            (first, relation, second)
        };
        if sum.infinite.is_some() {
            return self.infinite_number(sum.span);
        }
        self.warn_left_constant(&sum);
        let bound = match (rhs.infinite, relation) {
            (None, _) if sum.constant.is_zero() => Some(rhs.constant),
            (None, _) => Some(rhs.constant - &sum.constant),
            (Some(false), Relation::AtMost) | (Some(true), Relation::AtLeast) => None,
            _ => return self.infinite_number(rhs.span),
        };
        sum.terms.extend(
            rhs.terms
                .into_iter()
                .map(|(variable, value)| (variable, -value)),
        );
        let (lower, upper) = match relation {
            Relation::AtMost => (None, bound),
            Relation::AtLeast => (bound, None),
            Relation::Equal => (bound.clone(), bound),
        };
        Ok(Row {
            name: None,
            terms: sum.terms,
            lower,
            upper,
        })
    }

    fn range(
        &mut self,
        sides: [Side; 3],
        relations: [Relation; 2],
        again: Range<usize>,
    ) -> Step<Row> {
        let [first, sum, third] = sides;
        let one_way = relations[0] == relations[1] && relations[0] != Relation::Equal;
        if !one_way || !first.is_constant() || !third.is_constant() || sum.infinite.is_some() {
            let draft = Draft::new(Code::BadRange, "two relations that do not make a range");
            let draft = draft.at(again, "");
            return self
                .fail(draft.help("a range is `1 <= x + y <= 3`, with numbers at both ends"));
        }
        self.warn_left_constant(&sum);
        let (low, high) = match relations[0] {
            Relation::AtMost => (first, third),
            _ => (third, first),
        };
        let lower = self.range_end(&low, &sum.constant, true)?;
        let upper = self.range_end(&high, &sum.constant, false)?;
        Ok(Row {
            name: None,
            terms: sum.terms,
            lower,
            upper,
        })
    }

    fn range_end(&mut self, end: &Side, shift: &Rational, low: bool) -> Step<Option<Rational>> {
        match end.infinite {
            None => Ok(Some(&end.constant - shift)),
            Some(negative) if negative == low => Ok(None),
            Some(_) => self.infinite_number(end.span.clone()),
        }
    }

    fn warn_left_constant(&mut self, sum: &Side) {
        let Some(span) = &sum.constant_span else {
            return;
        };
        let ignored =
            self.dialect == Dialect::Yasol && !sum.is_constant() && !sum.constant.is_zero();
        if ignored {
            let message = "a constant beside the variables is counted here, but Yasol ignores it";
            let draft = Draft::new(Code::LeftConstant, message).at(span.clone(), "");
            self.problems
                .push(draft.help("move it to the other side of the row"));
        }
    }
}
