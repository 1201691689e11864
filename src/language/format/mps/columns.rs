//! The COLUMNS section: coefficients, and markers around integer columns.

use super::card::{Card, Field};
use super::reader::{Reader, Step};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::plain::Column;
use crate::format::text::shortened;
use crate::num::int;
use crate::program::{Bounds, Kind};

impl<'t> Reader<'t> {
    /// `column row number [row number]`, or a marker.
    pub fn column_card(&mut self, card: &Card<'t>) -> Step<()> {
        let fields = &card.fields;
        let is_marker = |field: &Field<'_>| field.text.trim_matches('\'') == "MARKER";
        if fields.len() >= 3 && is_marker(&fields[1]) {
            return self.marker(&fields[2]);
        }
        if fields.len() != 3 && fields.len() != 5 {
            let message = "a column card has a column and one or two pairs of row and number";
            return self.fail(Code::Unexpected, message, &card.span);
        }
        let column = self.column(&fields[0])?;
        for pair in fields[1..].chunks(2) {
            let by = self.finite(&pair[1])?;
            self.coefficient(column, &pair[0], by)?;
        }
        Ok(())
    }

    fn marker(&mut self, field: &Field<'t>) -> Step<()> {
        match field.text.trim_matches('\'') {
            "INTORG" => self.integer = true,
            "INTEND" => self.integer = false,
            _ => {
                let message = format!("marker `{}` has no meaning here", shortened(field.text));
                return self.fail(Code::NotRead, &message, &field.span);
            }
        }
        Ok(())
    }

    /// The column of that name; a new one if it is not known yet.
    fn column(&mut self, field: &Field<'t>) -> Step<usize> {
        let next = self.columns.len();
        let number = *self.column_names.entry(field.text).or_insert(next);
        if number + 1 < next {
            let message = format!(
                "the cards of `{}` do not stand together",
                shortened(field.text)
            );
            return self.fail(Code::DeclaredTwice, &message, &field.span);
        }
        if number == next {
            self.columns.push(Column {
                name: field.text.to_owned(),
                span: field.span.clone(),
                kind: if self.integer {
                    Kind::Integer
                } else {
                    Kind::Real
                },
                bounds: Bounds {
                    lower: Some(int(0)),
                    upper: None,
                },
            });
            self.given.push([false; 2]);
            self.marked.push(self.integer);
        }
        Ok(number)
    }

    /// Marked columns of which BOUNDS says nothing lie in [0, 1], as in CPLEX, Gurobi and HiGHS.
    pub fn binaries_by_default(&mut self) {
        let silent = self.given.iter().zip(&self.marked);
        let silent = silent.map(|(given, marked)| *marked && *given == [false; 2]);
        let silent: Vec<usize> = silent
            .enumerate()
            .filter_map(|(column, silent)| silent.then_some(column))
            .collect();
        for &column in &silent {
            self.columns[column].bounds = Bounds::unit();
        }
        if let Some(&first) = silent.first() {
            let column = &self.columns[first];
            let more = match silent.len() - 1 {
                0 => "lies".to_owned(),
                more => format!("and {more} more integer columns lie"),
            };
            let message = format!(
                "`{}` {more} in [0, 1], since BOUNDS does not mention it",
                shortened(&column.name)
            );
            let draft = Draft::new(Code::BinaryByDefault, message).at(column.span.clone(), "");
            self.problems
                .push(draft.help("write ` PL BND x` to leave a column x unbounded above"));
        }
    }
}
