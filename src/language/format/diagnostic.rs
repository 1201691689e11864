//! What is wrong with a file, said so that its author can mend it.
//!
//! A [`Diagnostic`] carries the lines it speaks of, so it can be shown when the text is long gone.
//! Readers collect [`Draft`]s with byte spans; [`Problems`] turns them into diagnostics at the end,
//! when the lines are counted once.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::code::{Code, Severity};
use super::excerpt::{Excerpt, Lines};
use super::render;

/// Most faults that are kept; the rest of a hopeless file is only counted.
const KEPT: usize = 100;

/// A place in the file, and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Bytes of the text, counted after decompression and without a byte-order mark.
    pub span: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    /// Counted in characters from 1.
    pub column: usize,
    /// A few words beside the caret; may be empty.
    pub message: String,
}

/// One fault of a file: a code, a sentence, places and a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable mark.
    pub code: Code,
    /// The file's name, as the reader was told.
    pub file: Arc<str>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// The place of the fault first, then places that explain it.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    pub(super) excerpt: Excerpt,
}

impl Diagnostic {
    /// Whether this stops the reading.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The diagnostic with its lines and carets, in colours if wished.
    ///
    /// ```
    /// let faults = quip::format::parse_qip("minimize x prefix end").unwrap_err();
    /// assert!(faults.errors()[0].render(false).contains("^ not declared"));
    /// ```
    pub fn render(&self, color: bool) -> String {
        render::one(self, color)
    }
}

/// Everything that was found in a file that could not be read.
///
/// ```
/// let faults = quip::format::parse_qip("minimize 2 demnd prefix exists binary demand end");
/// let faults = faults.unwrap_err();
/// assert_eq!(faults.errors()[0].code.as_str(), "E102");
/// assert!(faults.render(false).contains("did you mean `demand`?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    uncounted: usize,
}

impl Diagnostics {
    /// The errors in the order of their places; of a hopeless file the first hundred found.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    /// The warnings in the order of their places.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// How many errors the file has, those included that are not kept.
    pub fn error_count(&self) -> usize {
        self.errors.len() + self.uncounted
    }

    /// Errors, then warnings, at most twenty, in colours if wished.
    pub fn render(&self, color: bool) -> String {
        render::all(
            self.errors.iter().chain(&self.warnings),
            self.uncounted,
            color,
        )
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

/// A diagnostic in the making: spans instead of lines.
#[derive(Clone, Debug)]
pub struct Draft {
    code: Code,
    message: String,
    labels: Vec<(Range<usize>, String)>,
    help: Option<String>,
}

impl Draft {
    /// A message without a place.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// Points at a place. The first place is where the fault is.
    pub fn at(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    /// Says in which instance of an indexed row the fault was met.
    pub fn in_instance(mut self, instance: &str) -> Self {
        self.message.push_str(&format!(", in `{instance}`"));
        self
    }

    /// Says how many more instances have the same fault.
    pub fn and_more(mut self, times: usize) -> Self {
        if times > 0 {
            self.message.push_str(&format!(" and {times} more"));
        }
        self
    }

    /// What to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What to do about it, if that is known.
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    fn place(&self) -> usize {
        self.labels.first().map_or(0, |(span, _)| span.start)
    }

    fn resolve(self, file: &Arc<str>, lines: &Lines<'_>) -> Diagnostic {
        let spans = self
            .labels
            .iter()
            .map(|(span, _)| span.clone())
            .collect::<Vec<_>>();
        let label = |(span, message): (Range<usize>, String)| {
            let (line, column) = lines.locate(span.start);
            Label {
                span,
                line,
                column,
                message,
            }
        };
        Diagnostic {
            code: self.code,
            file: file.clone(),
            message: self.message,
            excerpt: Excerpt::new(lines, &spans),
            labels: self.labels.into_iter().map(label).collect(),
            help: self.help,
        }
    }
}

/// The faults found so far.
#[derive(Debug, Default)]
pub struct Problems {
    errors: Vec<Draft>,
    warnings: Vec<Draft>,
    uncounted: usize,
    /// What was found in files that this one names.
    elsewhere: Vec<Diagnostic>,
}

impl Problems {
    /// Takes over what was found in a file that this one names.
    pub fn adopt(&mut self, found: Diagnostics) {
        self.uncounted += found.uncounted;
        self.elsewhere.extend(found.errors);
        self.elsewhere.extend(found.warnings);
    }

    /// One more.
    pub fn push(&mut self, draft: Draft) {
        let list = match draft.code.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if list.len() < KEPT {
            list.push(draft);
        } else if draft.code.severity() == Severity::Error {
            self.uncounted += 1;
        }
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.error_count() > 0
    }

    /// How many of them are errors.
    pub fn error_count(&self) -> usize {
        let is_error = |found: &&Diagnostic| found.severity() == Severity::Error;
        self.errors.len() + self.uncounted + self.elsewhere.iter().filter(is_error).count()
    }

    /// Counts the lines and settles what was found in `text`.
    pub fn settle(self, name: &str, text: &str) -> Diagnostics {
        let is_error = |found: &Diagnostic| found.severity() == Severity::Error;
        let (mut errors, mut warnings): (Vec<_>, Vec<_>) =
            self.elsewhere.into_iter().partition(is_error);
        if self.errors.is_empty() && self.warnings.is_empty() {
            return Diagnostics {
                errors,
                warnings,
                uncounted: self.uncounted,
            };
        }
        let file = Arc::from(name);
        let lines = Lines::new(text);
        let resolve = |mut drafts: Vec<Draft>| {
            drafts.sort_by_key(Draft::place);
            drafts
                .into_iter()
                .map(|draft| draft.resolve(&file, &lines))
                .collect::<Vec<_>>()
        };
        errors.extend(resolve(self.errors));
        warnings.extend(resolve(self.warnings));
        Diagnostics {
            errors,
            warnings,
            uncounted: self.uncounted,
        }
    }
}

/// A single error, for faults that end the reading at once.
pub fn single(name: &str, text: &str, draft: Draft) -> Diagnostics {
    let mut problems = Problems::default();
    problems.push(draft);
    problems.settle(name, text)
}

impl From<Diagnostics> for Vec<Diagnostic> {
    /// The warnings of a file that could be read.
    fn from(found: Diagnostics) -> Self {
        found.warnings
    }
}
