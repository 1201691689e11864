//! The auxiliary file, by names or by indices.

use std::ops::Range;

use num_traits::Zero;
use rustc_hash::FxHashMap;

use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::plain::Plain;
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::num::{Rational, int, parse_rational};

/// What the follower owns and wants, for the places in the model.
pub(super) struct Follower {
    pub columns: Vec<bool>,
    pub rows: Vec<bool>,
    /// What the follower minimises.
    pub costs: Vec<Rational>,
}

/// What the auxiliary file says.
pub(super) struct File<'t> {
    pub model: String,
    pub model_span: Range<usize>,
    columns: Vec<(Key<'t>, Range<usize>)>,
    rows: Vec<(Key<'t>, Range<usize>)>,
    costs: Vec<Rational>,
    maximize: bool,
}

/// A variable or row of the model.
#[derive(Copy, Clone)]
enum Key<'t> {
    Name(&'t str),
    Place(usize),
}

/// A piece of the file and its place.
type Word<'t> = (&'t str, Range<usize>);

/// Reads a text; `None` if something is wrong with it.
pub(super) fn read<'t>(name: &str, text: &'t str, problems: &mut Problems) -> Option<File<'t>> {
    let folderless = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let plain = folderless.strip_suffix(".gz").unwrap_or(folderless);
    let stem = plain.strip_suffix(".aux").unwrap_or(plain);
    let mut file = File {
        model: format!("{stem}.mps"),
        model_span: 0..0,
        columns: Vec::new(),
        rows: Vec::new(),
        costs: Vec::new(),
        maximize: false,
    };
    let lines = lines(text);
    let before = problems.error_count();
    if text.trim_start().starts_with('@') {
        file.by_names(&lines, problems);
    } else {
        file.by_indices(&lines, problems);
    }
    if file.costs.len() != file.columns.len() && problems.error_count() == before {
        let message = format!(
            "{} variables of the follower, but {} coefficients of the follower's objective",
            file.columns.len(),
            file.costs.len()
        );
        problems.push(Draft::new(Code::WrongAuxiliary, message).at(0..0, ""));
    }
    (problems.error_count() == before).then_some(file)
}

/// The words of every line that says something.
fn lines(text: &str) -> Vec<Vec<Word<'_>>> {
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let spoken = text
        .lines()
        .filter(|line| !line.trim_start().starts_with(['#', '*']));
    let words = spoken.map(|line| {
        let words = line.split_ascii_whitespace();
        words
            .map(|word| (word, place(word)..place(word) + word.len()))
            .collect()
    });
    words.filter(|words: &Vec<_>| !words.is_empty()).collect()
}

fn fault(problems: &mut Problems, message: &str, span: &Range<usize>) {
    let draft = Draft::new(Code::WrongAuxiliary, message).at(span.clone(), "");
    problems.push(draft.help("docs/format-mps.md shows both forms of the file"));
}

fn number(word: &Word<'_>, problems: &mut Problems) -> Option<Rational> {
    let value = parse_rational(word.0);
    if let Err(error) = &value {
        let draft = Draft::new(Code::BadNumber, error.to_string()).at(word.1.clone(), "");
        problems.push(draft);
    }
    value.ok()
}

impl<'t> File<'t> {
    /// `@VARSBEGIN`, a variable and its coefficient in each line, and so on. The follower minimises.
    fn by_names(&mut self, lines: &[Vec<Word<'t>>], problems: &mut Problems) {
        let mut counts = [None, None];
        let mut section = "";
        for words in lines {
            let (first, span) = &words[0];
            if let Some(keyword) = first.strip_prefix('@') {
                section = match &*keyword.to_ascii_uppercase() {
                    "NUMVARS" => "numvars",
                    "NUMCONSTR" | "NUMCONSTRS" => "numrows",
                    "VARSBEGIN" => "vars",
                    "CONSTRBEGIN" | "CONSTRSBEGIN" => "rows",
                    "NAME" => "name",
                    "MPS" | "LP" => "model",
                    "VARSEND" | "CONSTREND" | "CONSTRSEND" => "",
                    _ => {
                        fault(problems, "this keyword has no meaning here", span);
                        "name"
                    }
                };
                continue;
            }
            match section {
                "vars" => {
                    self.columns.push((Key::Name(first), span.clone()));
                    let by = words.get(1).map(|word| number(word, problems));
                    self.costs.extend(by.unwrap_or(Some(int(0))));
                }
                "rows" => self.rows.push((Key::Name(first), span.clone())),
                "numvars" | "numrows" => {
                    counts[usize::from(section == "numrows")] = Some((*first, span.clone()));
                    section = "";
                }
                "model" => {
                    self.model = words
                        .iter()
                        .map(|(word, _)| *word)
                        .collect::<Vec<_>>()
                        .join(" ");
                    self.model_span = span.start..words[words.len() - 1].1.end;
                    section = "";
                }
                "name" => {}
                _ => fault(problems, "this line belongs to no section", span),
            }
        }
        let found = [self.columns.len(), self.rows.len()];
        for ((count, found), what) in counts.iter().zip(found).zip(["variables", "rows"]) {
            if let Some((count, span)) = count
                && count.parse() != Ok(found)
            {
                let message = format!("{count} {what} are announced, {found} are listed");
                fault(problems, &message, span);
            }
        }
    }

    /// `LC 3`, `LR 0`, `LO -1` and so on, each kind in the order of the others; counted from zero.
    fn by_indices(&mut self, lines: &[Vec<Word<'t>>], problems: &mut Problems) {
        for words in lines {
            let [(key, span), value] = &words[..] else {
                let message = "expected a mark and a number, such as `LC 3`";
                fault(problems, message, &words[0].1);
                continue;
            };
            let place = || value.0.parse::<usize>().ok();
            match (&*key.to_ascii_uppercase(), place()) {
                ("N", Some(_)) | ("M", Some(_)) => {}
                ("LC", Some(place)) => self.columns.push((Key::Place(place), value.1.clone())),
                ("LR", Some(place)) => self.rows.push((Key::Place(place), value.1.clone())),
                ("LO", _) => self.costs.extend(number(value, problems)),
                ("OS", _) => self.maximize = value.0.starts_with('-'),
                ("IC" | "IB", _) => {
                    let message = "interdiction data are read by MibS alone";
                    fault(problems, message, span);
                    return;
                }
                _ => fault(problems, "this line has no meaning here", span),
            }
        }
    }

    /// The follower, in places of the model.
    pub fn follower(&self, plain: &Plain, problems: &mut Problems) -> Option<Follower> {
        let before = problems.error_count();
        let names: Vec<&str> = plain.columns.iter().map(|it| it.name.as_str()).collect();
        let columns = places(&self.columns, &names, "variable", problems);
        let name = |it: &'_ (crate::program::Row, Range<usize>)| it.0.name.clone();
        let names: Vec<String> = plain
            .rows
            .iter()
            .map(|it| name(it).unwrap_or_default())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rows = places(&self.rows, &names, "row", problems);
        if problems.error_count() > before {
            return None;
        }
        let mut follower = Follower {
            columns: vec![false; plain.columns.len()],
            rows: vec![false; plain.rows.len()],
            costs: vec![Rational::zero(); plain.columns.len()],
        };
        for (&column, by) in columns.iter().zip(&self.costs) {
            follower.columns[column] = true;
            follower.costs[column] = if self.maximize { -by } else { by.clone() };
        }
        rows.iter().for_each(|&row| follower.rows[row] = true);
        Some(follower)
    }
}

fn places(
    keys: &[(Key<'_>, Range<usize>)],
    names: &[&str],
    what: &str,
    problems: &mut Problems,
) -> Vec<usize> {
    let known = names.iter().enumerate();
    let known: FxHashMap<&str, usize> = known.map(|(place, name)| (*name, place)).collect();
    let mut seen = vec![false; names.len()];
    let mut places = Vec::with_capacity(keys.len());
    for (key, span) in keys {
        let place = match key {
            Key::Name(name) => known.get(name).copied(),
            Key::Place(place) => (*place < names.len()).then_some(*place),
        };
        let Some(place) = place else {
            let (shown, near) = match key {
                Key::Name(name) => (shortened(name), nearest(name, names.iter().copied())),
                Key::Place(place) => (format!("number {place}"), None),
            };
            let message = format!("the model has no {what} `{shown}`");
            let draft = Draft::new(Code::WrongAuxiliary, message).at(span.clone(), "");
            let help = near.map(|near| format!("did you mean `{near}`?"));
            problems.push(draft.help_if(help));
            continue;
        };
        if std::mem::replace(&mut seen[place], true) {
            fault(problems, &format!("this {what} is listed twice"), span);
        }
        places.push(place);
    }
    places
}
