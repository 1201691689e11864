//! The sections of LP files below the rows: bounds, and which columns are whole or binary.

use num_traits::Signed;

use super::reader::{Reader, Step};
use super::token::Kind;
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::shortened;
use crate::num::Rational;
use crate::program::{Bounds, Kind as Sort};

/// An end of an interval: a number, or `None` without end on the side that it stands for.
type End = Option<Rational>;

impl Reader<'_> {
    /// All bounds.
    pub fn read_bounds(&mut self) {
        while !self.at_section_end() {
            let start = self.token().start;
            if self.bound().is_err() {
                self.skip_line(start);
            }
        }
    }

    /// `l <= x <= u`, `x <= u`, `x = 3`, `x free`.
    fn bound(&mut self) -> Step<()> {
        if self.at_name() && !self.names_infinity() {
            let name = self.advance();
            let column = self.column(&name);
            if self.token().kind == Kind::Name
                && self.slice(self.token()).eq_ignore_ascii_case("free")
            {
                self.advance();
                self.give(column, &name, 0, None)?;
                return self.give(column, &name, 1, None);
            }
            let relation = self.bound_relation()?;
            return self.give_side(column, &name, relation);
        }
        let start = self.token().start;
        let near = self.end()?;
        let relation = self.bound_relation()?;
        if !self.at_name() {
            return self.unexpected("the name of a variable");
        }
        let name = self.advance();
        let column = self.column(&name);
        let side = match relation {
            Kind::AtMost => 0,
            Kind::AtLeast => 1,
            _ => {
                let value = self.finite_end(near, start)?;
                self.give(column, &name, 0, Some(value.clone()))?;
                return self.give(column, &name, 1, Some(value));
            }
        };
        let near = self.facing(near, side, start)?;
        self.give(column, &name, side, near)?;
        if self.token().kind.is_relation() {
            let again = self.bound_relation()?;
            return self.give_side(column, &name, again);
        }
        Ok(())
    }

    fn names_infinity(&self) -> bool {
        let word = self.slice(self.token()).to_ascii_lowercase();
        ["inf", "infinity"].contains(&&*word)
    }

    fn bound_relation(&mut self) -> Step<Kind> {
        if !self.token().kind.is_relation() {
            return self.unexpected("`<=`, `>=`, `=` or `free`");
        }
        Ok(self.advance().kind)
    }

    fn give_side(&mut self, column: usize, name: &super::token::Token, relation: Kind) -> Step<()> {
        let start = self.token().start;
        let end = self.end()?;
        match relation {
            Kind::AtMost => {
                let end = self.facing(end, 1, start)?;
                self.give(column, name, 1, end)
            }
            Kind::AtLeast => {
                let end = self.facing(end, 0, start)?;
                self.give(column, name, 0, end)
            }
            _ => {
                let value = self.finite_end(end, start)?;
                self.give(column, name, 0, Some(value.clone()))?;
                self.give(column, name, 1, Some(value))
            }
        }
    }

    /// A signed number, or an infinity with its sign.
    fn end(&mut self) -> Step<Result<Rational, bool>> {
        let negative = self.signs();
        if self.take_infinity().is_some() {
            return Ok(Err(negative));
        }
        if self.token().kind != Kind::Number {
            return self.unexpected("a number or `inf`");
        }
        let token = self.advance();
        let value = self.number(&token)?;
        // 1e30 and the like are infinite in files of this kind.
        if value >= crate::num::int(10).pow(20) {
            return Ok(Err(negative));
        }
        Ok(Ok(if negative { -value } else { value }))
    }

    /// An infinity must lie on the side that it is given for.
    fn facing(&mut self, end: Result<Rational, bool>, side: usize, start: usize) -> Step<End> {
        match end {
            Ok(value) => Ok(Some(value)),
            Err(negative) if negative == (side == 0) => Ok(None),
            Err(_) => {
                let end = self.token().start.max(start);
                self.infinite(start..end)
            }
        }
    }

    fn finite_end(&mut self, end: Result<Rational, bool>, start: usize) -> Step<Rational> {
        match end {
            Ok(value) => Ok(value),
            Err(_) => self.infinite(start..self.token().start.max(start)),
        }
    }

    /// Sets the lower end (side 0) or the upper (side 1).
    fn give(
        &mut self,
        column: usize,
        name: &super::token::Token,
        side: usize,
        end: End,
    ) -> Step<()> {
        if std::mem::replace(&mut self.given[column][side], true) {
            let shown = shortened(self.slice(name));
            let message = format!("`{shown}` is bounded twice on this side");
            return self.fail(Draft::new(Code::BoundTwice, message).at(name.span(), ""));
        }
        if side == 1 && !self.given[column][0] && end.as_ref().is_some_and(Signed::is_negative) {
            let shown = shortened(self.slice(name));
            let message =
                format!("a negative upper bound for `{shown}`, and no lower one before it");
            let draft = Draft::new(Code::UnclearBound, message);
            let draft = draft.at(name.span(), "is the lower bound 0 or -infinity?");
            return self.fail(draft.help(format!("write `-inf <= {shown} <= …`")));
        }
        let Bounds { lower, upper } = &mut self.columns[column].bounds;
        *(if side == 0 { lower } else { upper }) = end;
        Ok(())
    }

    /// Names of columns that are whole, or 0 or 1.
    pub fn read_kind(&mut self, binary: bool) {
        while !self.at_section_end() {
            if !self.at_name() {
                let start = self.token().start;
                let _: Step<()> = self.unexpected("the name of a variable");
                self.skip_line(start);
                continue;
            }
            let name = self.advance();
            let column = self.column(&name);
            self.columns[column].kind = Sort::Integer;
            self.binary[column] |= binary;
        }
    }

    /// Binary columns lie in [0, 1], or where they were bounded inside it.
    pub fn settle_binaries(&mut self) {
        for (column, binary) in self.columns.iter_mut().zip(&self.binary) {
            if !binary {
                continue;
            }
            let unit = Bounds::unit();
            let upper = column
                .bounds
                .upper
                .get_or_insert_with(|| crate::num::int(1));
            let within = unit.contains(upper)
                && column
                    .bounds
                    .lower
                    .as_ref()
                    .is_some_and(|lower| unit.contains(lower));
            if !within {
                let message = format!(
                    "binary variable `{}` is bounded outside [0, 1]",
                    shortened(&column.name)
                );
                let draft = Draft::new(Code::BinaryBounds, message).at(column.span.clone(), "");
                let help = "list it under `Generals`, or drop its bounds";
                self.problems.push(draft.help(help));
            }
        }
    }
}
