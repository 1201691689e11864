//! From what was read to a program: places for names, universal rows for `U_…`, last checks.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Dialect;
use super::reader::{Declared, Reader, shortened};
use super::section::Section;
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::spell::is_readable;
use crate::format::suggest::nearest;
use crate::num::MAX_DIGITS;
use crate::program::{Id, Program, ProgramData, ProgramError, Row, Term, VarId, Variable};

/// Most undeclared names that get a suggestion.
const SUGGESTIONS: usize = 20;

/// What is known about a name.
#[derive(Copy, Clone)]
pub(in crate::format) enum Standing {
    Unknown,
    /// A fault of its declaration has been reported; its uses are no further news.
    Faulty,
    /// Its place in the prefix.
    At(VarId),
}

impl Reader<'_> {
    /// Settles everything. There is a program only if there is no error.
    pub fn assemble(mut self) -> (Option<Program>, Problems) {
        // Of a file that is no model at all, one complaint is enough.
        if self.sections.is_empty() && self.problems.error_count() > 0 {
            return (None, self.problems);
        }
        let errors_before = self.problems.error_count();
        let mut standings = vec![Standing::Unknown; self.symbols.len()];
        let declared = match self.dialect {
            Dialect::Native => self.prefix_declarations(&mut standings),
            Dialect::Yasol => self.list_declarations(&mut standings),
        };
        // A bound that could not be read must not be called missing, nor a block misjudged.
        let order_is_sound =
            self.dialect == Dialect::Native || self.problems.error_count() == errors_before;
        let sound = self.bounds_are_sound && order_is_sound;
        if self.is_quantified() {
            self.refuse_undeclared(&declared, &standings);
        }
        self.split_old_universal_rows();
        self.refuse_duplicate_rows();
        self.warn_crossed_rows();
        self.warn_empty_domains(&declared);
        self.build(declared, &standings, sound)
    }

    fn is_quantified(&self) -> bool {
        let section = match self.dialect {
            Dialect::Native => Section::Prefix,
            Dialect::Yasol => Section::Order,
        };
        self.sections.find(section).is_some()
    }

    fn refuse_undeclared(&mut self, declared: &[Declared], standings: &[Standing]) {
        let unknown = |number: &VarId| matches!(standings[number.index()], Standing::Unknown);
        let mut suggestions = SUGGESTIONS;
        for number in self.symbols.numbers().filter(unknown) {
            let Some(span) = self.symbols.first_use(number) else {
                continue;
            };
            let name = self.symbols.name(number);
            let message = format!("variable `{}` is not declared", shortened(name));
            let mut draft = Draft::new(Code::NotDeclared, message).at(span, "not declared");
            if suggestions > 0 {
                suggestions -= 1;
                draft = draft.help_if(self.undeclared_help(name, declared));
            }
            self.problems.push(draft);
        }
    }

    fn undeclared_help(&self, name: &str, declared: &[Declared]) -> Option<String> {
        if name.eq_ignore_ascii_case("nan") {
            return Some("not-a-number cannot be data".to_owned());
        }
        let names = || {
            declared
                .iter()
                .map(|declared| self.symbols.name(declared.number))
        };
        if names().any(|known| known.strip_suffix(',') == Some(name)) {
            return Some(format!(
                "`{name},` is: names are separated by blanks, not by commas"
            ));
        }
        nearest(name, names()).map(|known| format!("did you mean `{known}`?"))
    }

    /// Old files of Yasol's dialect have no uncertainty section but rows called `U_…`.
    fn split_old_universal_rows(&mut self) {
        let old =
            self.dialect == Dialect::Yasol && self.sections.find(Section::UniversalRows).is_none();
        if !old {
            return;
        }
        let is_universal = |(row, _): &(Row, Range<usize>)| {
            row.name
                .as_deref()
                .is_some_and(|name| name.starts_with("U_"))
        };
        let rows = std::mem::take(&mut self.rows);
        (self.universal_rows, self.rows) = rows.into_iter().partition(is_universal);
    }

    fn refuse_duplicate_rows(&mut self) {
        let mut seen: FxHashMap<&str, &Range<usize>> = FxHashMap::default();
        for (row, span) in self.rows.iter().chain(&self.universal_rows) {
            let Some(name) = &row.name else {
                continue;
            };
            if let Some(first) = seen.insert(name, span) {
                let message = format!("two rows are called `{}`", shortened(name));
                let draft = Draft::new(Code::DuplicateRow, message);
                let draft = draft
                    .at(span.clone(), "again here")
                    .at(first.clone(), "first here");
                self.problems
                    .push(draft.help("rename one, or drop its name"));
            }
        }
    }

    fn warn_crossed_rows(&mut self) {
        for (row, span) in self.rows.iter().chain(&self.universal_rows) {
            if let (Some(lower), Some(upper)) = (&row.lower, &row.upper)
                && lower > upper
            {
                let [lower, upper] = [lower, upper].map(|side| shortened(&side.to_string()));
                let message = format!("nothing lies between {lower} and {upper}");
                let draft = Draft::new(Code::CrossedRow, message);
                self.problems
                    .push(draft.at(span.clone(), "this row cannot hold"));
            }
        }
    }

    fn warn_empty_domains(&mut self, declared: &[Declared]) {
        for declared in declared {
            let domain = match declared.kind {
                crate::program::Kind::Integer => declared.bounds.rounded_inward(),
                crate::program::Kind::Real => declared.bounds.clone(),
            };
            if domain.is_crossed() {
                let name = shortened(self.symbols.name(declared.number));
                let draft = Draft::new(Code::EmptyDomain, format!("`{name}` has no value to take"));
                let draft = draft.at(declared.span.clone(), "no value between its bounds");
                self.problems
                    .push(draft.help("the system of its owner is dead before the first move"));
            }
        }
    }

    fn build(
        mut self,
        declared: Vec<Declared>,
        standings: &[Standing],
        sound: bool,
    ) -> (Option<Program>, Problems) {
        let place =
            |declared: &Declared| (self.symbols.name(declared.number), declared.span.clone());
        let places: Vec<_> = declared.iter().map(place).collect();
        let rows = self.rows.iter().chain(&self.universal_rows);
        let row_spans: Vec<_> = rows.map(|(_, span)| span.clone()).collect();
        let data = self.take_data(declared, standings);
        match Program::new(data) {
            Ok(program) => {
                self.refuse_long_sums(&program, &row_spans);
                let clean = !self.problems.has_errors();
                (clean.then_some(program), self.problems)
            }
            Err(faults) => {
                if sound || !self.problems.has_errors() {
                    self.report(&faults, &places);
                }
                (None, self.problems)
            }
        }
    }

    /// Numbers that can be read may add up to one that cannot be written.
    fn refuse_long_sums(&mut self, program: &Program, row_spans: &[Range<usize>]) {
        let rows = program.rows().iter().chain(program.universal_rows());
        let long_rows = rows.zip(row_spans).filter(|(row, _)| {
            let coefficients = row.terms.iter().map(|(_, coefficient)| coefficient);
            !coefficients
                .chain(&row.lower)
                .chain(&row.upper)
                .all(is_readable)
        });
        let mut spans: Vec<_> = long_rows.map(|(_, span)| span.clone()).collect();
        let objective = program.objective().filter(|objective| {
            let coefficients = objective.terms.iter().map(|(_, coefficient)| coefficient);
            !coefficients.chain([&objective.constant]).all(is_readable)
        });
        spans.extend(objective.and(self.sections.find(Section::Objective)));
        for span in spans {
            let message = format!("numbers add up to one of more than {MAX_DIGITS} digits");
            let draft = Draft::new(Code::HugeNumber, message).at(span, "in this sum");
            self.problems.push(draft.help("round them"));
        }
    }

    fn take_data(&mut self, declared: Vec<Declared>, standings: &[Standing]) -> ProgramData {
        let variable = |declared: Declared| Variable {
            name: self.symbols.name(declared.number).to_owned(),
            quantifier: declared.quantifier,
            kind: declared.kind,
            bounds: declared.bounds,
        };
        ProgramData {
            variables: declared.into_iter().map(variable).collect(),
            rows: renumbered(std::mem::take(&mut self.rows), standings),
            universal_rows: renumbered(std::mem::take(&mut self.universal_rows), standings),
            objective: self.objective.take().map(|mut objective| {
                renumber(&mut objective.terms, standings);
                objective
            }),
        }
    }

    /// The faults that only the whole program shows, at the declarations they concern.
    fn report(&mut self, faults: &[ProgramError], places: &[(&str, Range<usize>)]) {
        let spans: FxHashMap<&str, &Range<usize>> =
            places.iter().map(|(name, span)| (*name, span)).collect();
        for fault in faults {
            let (code, name) = match fault {
                ProgramError::InfiniteBound { name } => (Code::InfiniteBound, name),
                ProgramError::DuplicateVariable { name } => (Code::DeclaredTwice, name),
                ProgramError::BadName { name, .. } => (Code::KeywordAsName, name),
                // Reported with both places already.
                ProgramError::DuplicateRow { .. } => continue,
                ProgramError::UnknownVariable { place, .. } => (Code::NotDeclared, place),
            };
            let span = spans
                .get(name.as_str())
                .map_or(0..0, |span| (*span).clone());
            let draft = Draft::new(code, fault.to_string()).at(span, "");
            let help = (code == Code::InfiniteBound).then(|| self.bounds_help(name));
            self.problems.push(draft.help_if(help));
        }
    }

    fn bounds_help(&self, name: &str) -> String {
        let name = shortened(name);
        match self.dialect {
            Dialect::Native => format!("give it bounds: `{name} in [0, 10]`"),
            Dialect::Yasol => format!("give it bounds: `0 <= {name} <= 10` below BOUNDS"),
        }
    }
}

fn renumbered(rows: Vec<(Row, Range<usize>)>, standings: &[Standing]) -> Vec<Row> {
    let renumber_row = |(mut row, _): (Row, _)| {
        renumber(&mut row.terms, standings);
        row
    };
    rows.into_iter().map(renumber_row).collect()
}

/// Turns numbers of names into places in the prefix; terms of unknown variables go, because the
/// file is refused anyway.
fn renumber(terms: &mut Vec<Term>, standings: &[Standing]) {
    terms.retain_mut(|(variable, _)| match standings[variable.index()] {
        Standing::At(place) => {
            *variable = place;
            true
        }
        Standing::Unknown | Standing::Faulty => false,
    });
    add_up_repeated(terms);
}

/// Adds up repeated variables, but not beyond a number that can be written: such a row is refused
/// afterwards, and adding on could take forever.
fn add_up_repeated(terms: &mut Vec<Term>) {
    if terms.is_sorted_by(|(left, _), (right, _)| left < right) {
        return;
    }
    terms.sort_by_key(|(variable, _)| variable.index());
    terms.dedup_by(|(variable, coefficient), (kept, total)| {
        let same = variable == kept;
        if same && is_readable(total) {
            *total += &*coefficient;
        }
        same
    });
}
