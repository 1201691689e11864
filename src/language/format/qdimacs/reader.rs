//! Reading QDIMACS, with everything that exists in the wild.
//!
//! ```text
//! file   = {comment} "p" "cnf" variables clauses {set} {clause}
//! set    = ("e" | "a") {variable} "0"
//! clause = {["-"] variable} "0"
//! ```
//! Line breaks are free; comments are whole lines and may stand anywhere.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{Word, Words};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::formula::{Formula, Literal, binary, clause_row, program};
use crate::format::text::shortened;
use crate::program::{Block, Id, Program, Quantifier, VarId};

/// The numbers of the header.
#[derive(Clone)]
struct Header {
    variables: u64,
    clauses: u64,
    span: Range<usize>,
}

struct Reader<'t> {
    text: &'t str,
    words: Words<'t>,
    problems: Problems,
    header: Option<Header>,
    /// The prefix in the order of the file.
    prefix: Vec<(Quantifier, i32)>,
    declared: FxHashMap<i32, Range<usize>>,
    clauses: Vec<Vec<i32>>,
    largest: Option<(i32, Range<usize>)>,
    /// Variables of clauses that no set declares, with the place of the first.
    free: FxHashSet<i32>,
    first_free: Option<Range<usize>>,
}

/// Reads a formula. There is a program only if there is no error.
pub(in crate::format) fn read(text: &str) -> (Option<(Program, Formula)>, Problems) {
    let mut reader = Reader {
        text,
        words: Words::new(text),
        problems: Problems::default(),
        header: None,
        prefix: Vec::new(),
        declared: FxHashMap::default(),
        clauses: Vec::new(),
        largest: None,
        free: FxHashSet::default(),
        first_free: None,
    };
    reader.read_all();
    reader.finish()
}

impl<'t> Reader<'t> {
    fn read_all(&mut self) {
        while let Some(word) = self.words.next() {
            if word.text == "p" && word.first_of_line {
                self.read_header(word);
            } else if self.header.is_none() {
                return self.missing_header(word.span());
            } else {
                match word.text {
                    "e" => self.read_set(Quantifier::Exists, word),
                    "a" => self.read_set(Quantifier::Forall, word),
                    "d" if word.first_of_line => self.refuse_dependencies(word),
                    _ => self.read_clause(word),
                }
            }
        }
        if self.header.is_none() {
            self.missing_header(self.text.len()..self.text.len());
        }
    }

    fn missing_header(&mut self, span: Range<usize>) {
        let draft = Draft::new(Code::MissingSection, "the header is missing");
        let draft = draft.at(span, "expected `p cnf` before this");
        let help = "begin with `p cnf`, the number of variables and the number of clauses";
        self.problems.push(draft.help(help));
    }

    fn read_header(&mut self, p: Word<'t>) {
        if let Some(first) = &self.header {
            let draft = Draft::new(Code::DuplicateSection, "there are two headers");
            let draft = draft.at(p.span(), "again here");
            let draft = draft.at(first.span.clone(), "first here");
            self.problems.push(draft.help("one file holds one formula"));
            return self.words.skip_line();
        }
        let words: [_; 3] = std::array::from_fn(|_| self.words.next());
        let [kind, variables, clauses] = words;
        let end = words
            .iter()
            .flatten()
            .last()
            .map_or(p.span().end, |word| word.span().end);
        let count = |word: Option<Word<'_>>| word.and_then(|word| word.text.parse::<u64>().ok());
        let sound = kind.is_some_and(|word| word.text == "cnf");
        let (Some(variables), Some(clauses), true) = (count(variables), count(clauses), sound)
        else {
            let draft = Draft::new(Code::BadNumber, "the header cannot be read");
            let draft = draft.at(p.start..end, "");
            let help = "write `p cnf`, the number of variables and the number of clauses";
            self.problems.push(draft.help(help));
            // Everything else can be read all the same.
            self.header = Some(Header {
                variables: u64::MAX,
                clauses: u64::MAX,
                span: p.start..end,
            });
            return;
        };
        self.header = Some(Header {
            variables,
            clauses,
            span: p.start..end,
        });
    }

    fn read_set(&mut self, quantifier: Quantifier, opener: Word<'t>) {
        if !self.clauses.is_empty() {
            let draft = Draft::new(Code::Unexpected, "a quantifier stands behind a clause");
            let draft = draft.at(opener.span(), "");
            let help = "all quantifiers stand before the first clause";
            self.problems.push(draft.help(help));
        }
        while let Some(word) = self.words.next() {
            if matches!(word.text, "e" | "a" | "p") {
                return self.not_closed(opener.span(), word.span());
            }
            match self.number(word) {
                Some(0) => return,
                Some(variable) if variable > 0 => self.declare(quantifier, variable, word),
                Some(variable) => {
                    let message = format!("{variable} is negated among the quantified variables");
                    let draft = Draft::new(Code::BadNumber, message).at(word.span(), "");
                    self.problems.push(draft.help("remove the sign"));
                }
                None => {}
            }
        }
        self.not_closed(opener.span(), self.text.len()..self.text.len());
    }

    fn not_closed(&mut self, opener: Range<usize>, here: Range<usize>) {
        let draft = Draft::new(Code::Unexpected, "the list does not end with 0");
        let draft = draft.at(here, "expected `0` before this");
        let draft = draft.at(opener, "the list begins here");
        self.problems
            .push(draft.help("end every list of numbers with 0"));
    }

    fn declare(&mut self, quantifier: Quantifier, variable: i32, word: Word<'t>) {
        match self.declared.get(&variable) {
            Some(first) => {
                let message = format!("variable {variable} is quantified twice");
                let draft = Draft::new(Code::DeclaredTwice, message);
                let draft = draft.at(word.span(), "again here");
                let draft = draft.at(first.clone(), "first here");
                self.problems.push(draft.help("remove one of them"));
            }
            None => {
                self.declared.insert(variable, word.span());
                self.prefix.push((quantifier, variable));
            }
        }
    }

    fn read_clause(&mut self, first: Word<'t>) {
        let mut literals = Vec::new();
        let mut next = Some(first);
        while let Some(word) = next {
            if matches!(word.text, "e" | "a" | "p") {
                return self.not_closed(first.span(), word.span());
            }
            match self.number(word) {
                Some(0) => {
                    self.clauses.push(literals);
                    return;
                }
                Some(literal) => {
                    self.use_variable(literal.abs(), word);
                    literals.push(literal);
                }
                None => {}
            }
            next = self.words.next();
        }
        self.not_closed(first.span(), self.text.len()..self.text.len());
    }

    fn use_variable(&mut self, variable: i32, word: Word<'t>) {
        if !self.declared.contains_key(&variable) && self.free.insert(variable) {
            self.first_free.get_or_insert(word.span());
        }
    }

    fn number(&mut self, word: Word<'t>) -> Option<i32> {
        match word.text.parse::<i64>() {
            Ok(number) if number.unsigned_abs() <= i32::MAX as u64 => {
                let number = number as i32;
                if self
                    .largest
                    .as_ref()
                    .is_none_or(|(most, _)| number.abs() > *most)
                {
                    self.largest = Some((number.abs(), word.span()));
                }
                Some(number)
            }
            fault => {
                self.bad_number(word, fault.is_ok());
                None
            }
        }
    }

    fn bad_number(&mut self, word: Word<'t>, is_number: bool) {
        let shown = shortened(word.text);
        let digits = word.text.trim_start_matches(['-', '+']);
        let huge = is_number || (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
        let draft = if huge {
            let message = format!("`{shown}` is beyond {}, the largest variable", i32::MAX);
            Draft::new(Code::HugeNumber, message).help("number the variables from 1 on")
        } else {
            let message = format!("`{shown}` is not a literal");
            let help =
                "literals are numbers such as 3 or -3; comments are lines that begin with `c`";
            Draft::new(Code::BadNumber, message).help(help)
        };
        self.problems.push(draft.at(word.span(), ""));
    }

    fn refuse_dependencies(&mut self, word: Word<'t>) {
        let message = "dependency sets are not supported";
        let draft = Draft::new(Code::DependencySets, message).at(word.span(), "");
        let help = "order the variables by `e` and `a` lists alone";
        self.problems.push(draft.help(help));
        self.words.skip_line();
    }

    fn finish(mut self) -> (Option<(Program, Formula)>, Problems) {
        let Some(header) = self.header.clone().filter(|_| !self.problems.has_errors()) else {
            return (None, self.problems);
        };
        self.warn(&header);
        let mut free: Vec<i32> = self.free.iter().copied().collect();
        free.sort_unstable();
        let free = free
            .into_iter()
            .map(|variable| (Quantifier::Exists, variable));
        let prefix: Vec<(Quantifier, i32)> = free.chain(self.prefix).collect();
        let places: FxHashMap<i32, VarId> = prefix
            .iter()
            .enumerate()
            .map(|(place, (_, variable))| (*variable, VarId::new(place)))
            .collect();
        let literal = |literal: i32| -> Literal { (places[&literal.abs()], literal > 0) };
        let clauses = self.clauses.into_iter();
        let rows =
            clauses.filter_map(|clause| clause_row(clause.into_iter().map(literal).collect()));
        let variables = prefix
            .iter()
            .map(|(quantifier, variable)| binary(format!("x{variable}"), *quantifier));
        let program = program(variables.collect(), rows.collect());
        let outermost = program.blocks().iter().next();
        let outermost = outermost.map_or(0, Block::len);
        let named = prefix.iter().enumerate();
        let named: Vec<(VarId, String)> = named
            .map(|(place, (_, variable))| (VarId::new(place), variable.to_string()))
            .collect();
        let formula = Formula {
            variables: header.variables,
            clauses: header.clauses,
            outermost: named[..outermost].to_vec(),
            named,
        };
        (Some((program, formula)), self.problems)
    }

    fn warn(&mut self, header: &Header) {
        let found = self.clauses.len() as u64;
        if found != header.clauses {
            let message = format!(
                "the header announces {} clauses, but there are {found}",
                header.clauses
            );
            let draft = Draft::new(Code::WrongCount, message).at(header.span.clone(), "");
            self.problems
                .push(draft.help("all clauses of the file count"));
        }
        if let Some((largest, span)) = self.largest.take()
            && u64::from(largest.unsigned_abs()) > header.variables
        {
            let message = format!(
                "variable {largest} is beyond the {} that the header announces",
                header.variables
            );
            let draft = Draft::new(Code::BeyondHeader, message).at(span, "");
            let draft = draft.at(header.span.clone(), "announced here");
            self.problems.push(draft.help("it counts all the same"));
        }
        if let Some(span) = self.first_free.take().filter(|_| !self.prefix.is_empty()) {
            let message = match self.free.len() {
                1 => "a variable is not quantified".to_owned(),
                count => format!("{count} variables are not quantified"),
            };
            let draft = Draft::new(Code::NotQuantified, message).at(span, "the first of them");
            let help = "variables without a quantifier are existential and outermost";
            self.problems.push(draft.help(help));
        }
    }
}
