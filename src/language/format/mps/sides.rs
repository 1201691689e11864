//! The sections RHS, RANGES and BOUNDS.
//!
//! Their cards begin with the name of a vector, which may be left out. Of several vectors the first
//! counts.

use num_traits::Signed;

use super::card::{Card, Field};
use super::reader::{Reader, Step, Target};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::num::{Rational, int};
use crate::program::{Bounds, Kind};

/// Places in `Reader::vectors`.
const SIDES: usize = 0;
const RANGES: usize = 1;
const BOUNDS: usize = 2;

impl<'t> Reader<'t> {
    /// `[vector] row number [row number]`.
    pub fn side_card(&mut self, card: &Card<'t>) -> Step<()> {
        let Some(pairs) = self.pairs(card, SIDES)? else {
            return Ok(());
        };
        for pair in pairs.chunks(2) {
            let value = self.number(&pair[1])?;
            match self.row(&pair[0])? {
                Target::Nothing => {}
                Target::Objective => {
                    let Some(value) = value else {
                        self.finite(&pair[1])?;
                        continue;
                    };
                    // The side of the objective is what is taken away from it.
                    if self.constant.replace(-value).is_some() {
                        return self.twice(&pair[0]);
                    }
                }
                Target::Row(number) => self.side(number, pair, value)?,
            }
        }
        Ok(())
    }

    fn side(&mut self, number: usize, pair: &[Field<'t>], value: Option<Rational>) -> Step<()> {
        use super::reader::Sort;
        let row = &mut self.rows[number];
        if row.side.is_some() || row.free {
            return self.twice(&pair[0]);
        }
        match value {
            Some(value) => row.side = Some(value),
            None => {
                let negative = pair[1].text.starts_with('-');
                let idle = match row.sort {
                    Sort::AtMost => !negative,
                    Sort::AtLeast => negative,
                    Sort::Equal => false,
                };
                if !idle {
                    self.finite(&pair[1])?;
                }
                self.rows[number].free = true;
            }
        }
        Ok(())
    }

    /// `[vector] row number [row number]`.
    pub fn range_card(&mut self, card: &Card<'t>) -> Step<()> {
        let Some(pairs) = self.pairs(card, RANGES)? else {
            return Ok(());
        };
        for pair in pairs.chunks(2) {
            let Some(value) = self.number(&pair[1])? else {
                continue;
            };
            if let Target::Row(number) = self.row(&pair[0])?
                && self.rows[number].range.replace(value).is_some()
            {
                return self.twice(&pair[0]);
            }
        }
        Ok(())
    }

    /// The pairs of a card of the vector that counts.
    fn pairs<'c>(&mut self, card: &'c Card<'t>, which: usize) -> Step<Option<&'c [Field<'t>]>> {
        let fields = &card.fields[..];
        let (vector, pairs) = match fields.len() {
            2 | 4 => ("", fields),
            3 | 5 => (fields[0].text, &fields[1..]),
            _ => {
                let message = "a card has a vector's name and one or two pairs of row and number";
                return self.fail(Code::Unexpected, message, &card.span);
            }
        };
        Ok(self.counts(vector, &fields[0], which).then_some(pairs))
    }

    /// Whether the vector is the first of its section.
    fn counts(&mut self, vector: &'t str, field: &Field<'t>, which: usize) -> bool {
        if vector.is_empty() {
            return true;
        }
        let first = *self.vectors[which].get_or_insert(vector);
        if first == vector {
            return true;
        }
        let message = format!("`{}` is a second vector and is not read", shortened(vector));
        let draft = Draft::new(Code::NotCounted, message).at(field.span.clone(), "");
        let help = format!("only `{}` counts", shortened(first));
        self.problems.push(draft.help(help));
        false
    }

    fn twice(&mut self, field: &Field<'t>) -> Step<()> {
        let message = format!("a second number for `{}`", shortened(field.text));
        self.fail(Code::GivenTwice, &message, &field.span)
    }

    /// `kind [vector] column [number]`.
    pub fn bound_card(&mut self, card: &Card<'t>) -> Step<()> {
        let kind = &card.fields[0];
        let word = kind.text.to_ascii_uppercase();
        let rest = &card.fields[1..];
        let needs_number = match word.as_str() {
            "UP" | "LO" | "FX" | "UI" | "LI" => true,
            "FR" | "MI" | "PL" | "BV" => false,
            "SC" | "SI" => {
                let message = "semi-continuous columns are not read";
                let draft = Draft::new(Code::NotRead, message).at(kind.span.clone(), "");
                self.problems.push(
                    draft.help("make the column real and add a binary b with rows l b <= x <= u b"),
                );
                return Ok(());
            }
            _ => {
                let message = "a bound is UP, LO, FX, FR, MI, PL, BV, UI or LI";
                return self.fail(Code::Unexpected, message, &kind.span);
            }
        };
        let (vector, column, number) = match (needs_number, rest) {
            (true, [column, number]) => (None, column, Some(number)),
            (true, [vector, column, number]) => (Some(vector), column, Some(number)),
            (false, [column]) => (None, column, None),
            (false, [vector, column, _]) => (Some(vector), column, None),
            // `FR BND x`, or `FR x 0`.
            (false, [first, second]) if self.column_names.contains_key(second.text) => {
                (Some(first), second, None)
            }
            (false, [column, _]) => (None, column, None),
            _ => {
                let message = "a bound has a kind, a vector's name, a column and a number";
                return self.fail(Code::Unexpected, message, &card.span);
            }
        };
        let name = vector.map_or("", |vector| vector.text);
        if !self.counts(name, vector.unwrap_or(column), BOUNDS) {
            return Ok(());
        }
        let place = self.known_column(column)?;
        self.bound(&word, place, column, number)
    }

    fn known_column(&mut self, field: &Field<'t>) -> Step<usize> {
        if let Some(number) = self.column_names.get(field.text) {
            return Ok(*number);
        }
        let message = format!("there is no column `{}`", shortened(field.text));
        let known = nearest(field.text, self.column_names.keys().copied());
        let help = known.map(|known| format!("did you mean `{known}`?"));
        let draft = Draft::new(Code::NotDeclared, message).at(field.span.clone(), "");
        self.problems.push(draft.help_if(help));
        Err(super::reader::Skip)
    }

    fn bound(
        &mut self,
        word: &str,
        place: usize,
        column: &Field<'t>,
        number: Option<&Field<'t>>,
    ) -> Step<()> {
        let ends = match word {
            "LO" | "LI" | "MI" => [true, false],
            "UP" | "UI" | "PL" => [false, true],
            _ => [true, true],
        };
        let given = &mut self.given[place];
        if (ends[0] && given[0]) || (ends[1] && given[1]) {
            let message = format!("`{}` is bounded twice on this side", shortened(column.text));
            return self.fail(Code::BoundTwice, &message, &column.span);
        }
        let lower_is_given = given[0];
        *given = [given[0] || ends[0], given[1] || ends[1]];
        let value = match number {
            Some(field) => self.end(word, field)?,
            None => None,
        };
        if let (false, "UP" | "UI", Some(value)) = (lower_is_given, word, &value)
            && value.is_negative()
        {
            return self.unclear_bound(place, column);
        }
        let Bounds { lower, upper } = &mut self.columns[place].bounds;
        match word {
            "BV" => (*lower, *upper) = (Some(int(0)), Some(int(1))),
            "FR" => (*lower, *upper) = (None, None),
            "FX" => (*lower, *upper) = (value.clone(), value),
            _ if ends[0] => *lower = value,
            _ => *upper = value,
        }
        if matches!(word, "BV" | "UI" | "LI") {
            self.columns[place].kind = Kind::Integer;
        }
        Ok(())
    }

    /// The number of a bound; `None` if it does not bind.
    fn end(&mut self, word: &str, field: &Field<'t>) -> Step<Option<Rational>> {
        let value = self.number(field)?;
        let negative = field.text.starts_with('-');
        let idle = match word {
            "LO" | "LI" => negative,
            "UP" | "UI" => !negative,
            _ => false,
        };
        if value.is_none() && !idle {
            self.finite(field)?;
        }
        Ok(value)
    }

    /// A negative upper bound where no lower one was given before: some take zero, some minus infinity.
    fn unclear_bound(&mut self, place: usize, column: &Field<'t>) -> Step<()> {
        // A lower bound may still follow.
        self.columns[place].bounds.lower = None;
        let name = shortened(column.text);
        let message = format!("a negative upper bound for `{name}`, and no lower one before it");
        let draft = Draft::new(Code::UnclearBound, message);
        let draft = draft.at(column.span.clone(), "is the lower bound 0 or -infinity?");
        self.problems.push(draft.help(format!(
            "put ` LO BND {name} 0`, or ` MI BND {name}`, above this card"
        )));
        Ok(())
    }
}
