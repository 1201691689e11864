//! Reading MPS files: the sections, and the rows they speak of.

use std::ops::Range;

use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::card::{Card, Field, Layout, cards};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::plain::{Column, Plain};
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::num::{NumberError, Rational, int, parse_rational, to_i64};
use crate::program::{Id, Objective, Row, Sense, Term, VarId};

/// The fault has been reported; go on with the next card.
pub(super) struct Skip;

pub(super) type Step<T> = Result<T, Skip>;

/// The power of ten from which on a number stands for infinity, as most programs that write such
/// files agree.
const INFINITY: i32 = 20;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Section {
    Name,
    Sense,
    Rows,
    Columns,
    Sides,
    Ranges,
    Bounds,
    /// Of a section that has no meaning here; reported once.
    Skipped,
}

/// What a row name stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Objective,
    /// A free row beside the objective; what it says does not count.
    Nothing,
    Row(usize),
}

/// `E`, `L` or `G`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Equal,
    AtMost,
    AtLeast,
}

pub(super) struct RowSoFar<'t> {
    pub name: &'t str,
    pub span: Range<usize>,
    pub sort: Sort,
    pub terms: Vec<Term>,
    pub side: Option<Rational>,
    pub range: Option<Rational>,
    /// Side and range are infinite: the row does not bind.
    pub free: bool,
}

/// What has been read so far.
pub(super) struct Reader<'t> {
    text: &'t str,
    pub problems: Problems,
    section: Option<Section>,
    sense: Sense,
    pub rows: Vec<RowSoFar<'t>>,
    row_names: FxHashMap<&'t str, Target>,
    pub columns: Vec<Column>,
    pub column_names: FxHashMap<&'t str, usize>,
    objective: Option<(&'t str, Vec<Term>)>,
    pub constant: Option<Rational>,
    /// Between the integer markers.
    pub integer: bool,
    /// For every column, which ends were given.
    pub given: Vec<[bool; 2]>,
    /// Columns that markers made integer.
    pub marked: Vec<bool>,
    /// The first name of a vector of sides, ranges and bounds; the others are not read.
    pub vectors: [Option<&'t str>; 3],
    ended: bool,
}

/// Reads a text in one layout.
pub(super) fn read(text: &str, layout: Layout) -> (Option<Plain>, Problems) {
    let mut reader = Reader {
        text,
        problems: Problems::default(),
        section: None,
        sense: Sense::Minimize,
        rows: Vec::new(),
        row_names: FxHashMap::default(),
        columns: Vec::new(),
        column_names: FxHashMap::default(),
        objective: None,
        constant: None,
        integer: false,
        given: Vec::new(),
        marked: Vec::new(),
        vectors: [None; 3],
        ended: false,
    };
    for card in cards(text, layout) {
        if reader.ended {
            let draft = Draft::new(Code::TextAfterEnd, "something follows `ENDATA`");
            reader.problems.push(draft.at(card.span, "not read"));
            break;
        }
        let _: Step<()> = reader.card(&card);
    }
    reader.finish()
}

impl<'t> Reader<'t> {
    fn card(&mut self, card: &Card<'t>) -> Step<()> {
        if card.at_margin && self.header(card)? {
            return Ok(());
        }
        match self.section {
            Some(Section::Rows) => self.row_card(card),
            Some(Section::Columns) => self.column_card(card),
            Some(Section::Sides) => self.side_card(card),
            Some(Section::Ranges) => self.range_card(card),
            Some(Section::Bounds) => self.bound_card(card),
            Some(Section::Sense) => self.sense_field(&card.fields[0]),
            Some(Section::Skipped | Section::Name) => Ok(()),
            None => self.fail(
                Code::Unexpected,
                "expected a section such as `ROWS`",
                &card.span,
            ),
        }
    }

    /// Whether the card opens a section.
    fn header(&mut self, card: &Card<'t>) -> Step<bool> {
        let first = &card.fields[0];
        let alone = card.fields.len() == 1;
        let word = first.text.to_ascii_uppercase();
        let section = match word.as_str() {
            "NAME" => Section::Name,
            "OBJSENSE" => {
                self.section = Some(Section::Sense);
                if let Some(sense) = card.fields.get(1) {
                    self.sense_field(sense)?;
                }
                return Ok(true);
            }
            "ROWS" if alone => Section::Rows,
            "COLUMNS" if alone => Section::Columns,
            "RHS" if alone => Section::Sides,
            "RANGES" if alone => Section::Ranges,
            "BOUNDS" if alone => Section::Bounds,
            "ENDATA" => {
                self.ended = true;
                return Ok(true);
            }
            "OBJNAME" | "OBJECT" | "SOS" | "SOS1" | "SOS2" | "SETS" | "QUADOBJ" | "QMATRIX"
            | "QSECTION" | "QCMATRIX" | "CSECTION" | "INDICATORS" | "LAZYCONS" | "USERCUTS"
            | "GENCONS" | "PWLOBJ" | "PWLNAM" | "SCENARIOS" => {
                self.section = Some(Section::Skipped);
                let message = format!("section `{}` has no meaning here", first.text);
                let draft = Draft::new(Code::NotRead, message).at(first.span.clone(), "");
                self.problems.push(draft.help(
                    "only linear rows and bounds are read; write it with rows and binary variables",
                ));
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.section = Some(section);
        Ok(true)
    }

    fn sense_field(&mut self, field: &Field<'t>) -> Step<()> {
        self.sense = match field.text.to_ascii_uppercase().as_str() {
            "MIN" | "MINIMIZE" | "MINIMISE" => Sense::Minimize,
            "MAX" | "MAXIMIZE" | "MAXIMISE" => Sense::Maximize,
            _ => return self.fail(Code::Unexpected, "expected `MIN` or `MAX`", &field.span),
        };
        Ok(())
    }

    fn row_card(&mut self, card: &Card<'t>) -> Step<()> {
        let [kind, name] = &card.fields[..] else {
            let message = "a row has a kind and a name, such as ` L limit`";
            return self.fail(Code::Unexpected, message, &card.span);
        };
        let target = match kind.text.to_ascii_uppercase().as_str() {
            "N" if self.objective.is_none() => {
                self.objective = Some((name.text, Vec::new()));
                Target::Objective
            }
            "N" => {
                let message = format!("free row `{}` is not read", shortened(name.text));
                let draft = Draft::new(Code::NotCounted, message).at(name.span.clone(), "");
                let help = "the first free row is the objective";
                self.problems.push(draft.help(help));
                Target::Nothing
            }
            sort @ ("E" | "L" | "G") => {
                self.rows.push(RowSoFar {
                    name: name.text,
                    span: name.span.clone(),
                    sort: match sort {
                        "E" => Sort::Equal,
                        "L" => Sort::AtMost,
                        _ => Sort::AtLeast,
                    },
                    terms: Vec::new(),
                    side: None,
                    range: None,
                    free: false,
                });
                Target::Row(self.rows.len() - 1)
            }
            _ => {
                let message = "the kind of a row is `N`, `E`, `L` or `G`";
                return self.fail(Code::Unexpected, message, &kind.span);
            }
        };
        if self.row_names.insert(name.text, target).is_some() {
            let message = format!("two rows are called `{}`", shortened(name.text));
            return self.fail(Code::DuplicateRow, &message, &name.span);
        }
        Ok(())
    }

    /// A coefficient of the column in hand.
    pub fn coefficient(&mut self, column: usize, row: &Field<'t>, by: Rational) -> Step<()> {
        let variable = VarId::new(column);
        let terms = match self.row(row)? {
            Target::Nothing => return Ok(()),
            Target::Objective => match &mut self.objective {
                Some((_, terms)) => terms,
                None => return Ok(()),
            },
            Target::Row(number) => &mut self.rows[number].terms,
        };
        // A column's cards stand together, so a second entry follows the first of its row.
        if terms.last().is_some_and(|(last, _)| *last == variable) {
            let message = format!("a second coefficient in row `{}`", shortened(row.text));
            return self.fail(Code::GivenTwice, &message, &row.span);
        }
        terms.push((variable, by));
        Ok(())
    }

    /// What the name of a row stands for.
    pub fn row(&mut self, field: &Field<'t>) -> Step<Target> {
        if let Some(target) = self.row_names.get(field.text) {
            return Ok(*target);
        }
        let message = format!("there is no row `{}`", shortened(field.text));
        let known = nearest(field.text, self.row_names.keys().copied());
        let draft = Draft::new(Code::NoSuchRow, message).at(field.span.clone(), "");
        let help = known.map(|known| format!("did you mean `{known}`?"));
        self.problems.push(draft.help_if(help));
        Err(Skip)
    }

    /// An exact number; `None` beyond what files of this kind use for infinity.
    pub fn number(&mut self, field: &Field<'t>) -> Step<Option<Rational>> {
        let unsigned = field.text.trim_start_matches(['+', '-']);
        if ["inf", "infinity", "infinite"].contains(&&*unsigned.to_ascii_lowercase()) {
            return Ok(None);
        }
        // Fortran writes `1.5D+3`.
        let spelled = field.text.replace(['d', 'D'], "e");
        match parse_rational(&spelled) {
            Ok(value) => {
                let is_finite = to_i64(&value).is_some() || value.abs() < int(10).pow(INFINITY);
                Ok(is_finite.then_some(value))
            }
            Err(error) => {
                let code = match error {
                    NumberError::Malformed(_) => Code::BadNumber,
                    NumberError::ZeroDenominator(_) => Code::ZeroDenominator,
                    NumberError::TooLong(_) | NumberError::HugeExponent(_) => Code::HugeNumber,
                };
                self.fail(code, &error.to_string(), &field.span)
            }
        }
    }

    /// A number that is none of the infinities.
    pub fn finite(&mut self, field: &Field<'t>) -> Step<Rational> {
        match self.number(field)? {
            Some(value) => Ok(value),
            None => {
                let message = "infinity is not a number to calculate with";
                self.fail(Code::InfiniteNumber, message, &field.span)
            }
        }
    }

    /// Reports a fault.
    pub fn fail<T>(&mut self, code: Code, message: &str, span: &Range<usize>) -> Step<T> {
        let draft = Draft::new(code, message).at(span.clone(), "");
        self.problems.push(draft);
        Err(Skip)
    }

    fn finish(mut self) -> (Option<Plain>, Problems) {
        let here = self.text.len();
        if !self.ended {
            let draft = Draft::new(Code::MissingEnd, "the file does not close with `ENDATA`");
            let draft = draft.at(here..here, "the file stops here");
            self.problems.push(draft.help("is the file cut off?"));
        }
        if self.section.is_none() {
            let draft = Draft::new(
                Code::MissingSection,
                "the file has no `ROWS` and no `COLUMNS`",
            );
            self.problems.push(draft.at(0..0, ""));
        }
        self.binaries_by_default();
        if self.problems.has_errors() {
            return (None, self.problems);
        }
        let sense = self.sense;
        let constant = self.constant.unwrap_or_else(Rational::zero);
        let objective = self.objective.map(|(name, terms)| Objective {
            name: Some(name.to_owned()),
            sense,
            terms,
            constant,
        });
        let plain = Plain {
            columns: self.columns,
            rows: self.rows.into_iter().map(RowSoFar::finish).collect(),
            objective,
        };
        (Some(plain), self.problems)
    }
}

impl RowSoFar<'_> {
    /// A range reaches from the side inward; that of an equation in the direction of its sign.
    fn finish(self) -> (Row, Range<usize>) {
        let side = self.side.unwrap_or_else(Rational::zero);
        let (lower, upper) = match (self.sort, self.range) {
            _ if self.free => (None, None),
            (Sort::Equal, None) => (Some(side.clone()), Some(side)),
            (Sort::AtMost, None) => (None, Some(side)),
            (Sort::AtLeast, None) => (Some(side), None),
            (Sort::AtMost, Some(range)) => (Some(&side - range.abs()), Some(side)),
            (Sort::AtLeast, Some(range)) => {
                let end = &side + range.abs();
                (Some(side), Some(end))
            }
            (Sort::Equal, Some(range)) => {
                let end = &side + &range;
                let (lower, upper) = if end < side { (end, side) } else { (side, end) };
                (Some(lower), Some(upper))
            }
        };
        let row = Row {
            name: Some(self.name.to_owned()),
            terms: self.terms,
            lower,
            upper,
        };
        (row, self.span)
    }
}
