//! Diagnostics as people see them: lines, carets and remedies.

use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic as Report, Label as Mark};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{
    Config, Styles, StylesWriter, emit_into_string, emit_to_write_style,
};

use super::code::Severity;
use super::diagnostic::Diagnostic;
use super::excerpt::Excerpt;

/// Most diagnostics that are shown at once.
const SHOWN: usize = 20;

/// Up to twenty diagnostics with their lines and carets, and how many more there are.
///
/// ```
/// let model = "maximize x subject to x < 3 prefix exists integer x in [0, 9] end";
/// let reading = quip::format::read_bytes("model.qip", model.as_bytes())?;
/// let shown = quip::format::render(&reading.warnings, false);
/// assert!(shown.starts_with("warning[W502]"));
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn render(diagnostics: &[Diagnostic], color: bool) -> String {
    all(diagnostics.iter(), 0, color)
}

pub(super) fn all<'d>(
    diagnostics: impl Iterator<Item = &'d Diagnostic> + Clone,
    uncounted: usize,
    color: bool,
) -> String {
    let shown = diagnostics.clone().take(SHOWN);
    let mut text = shown
        .map(|one_of| one(one_of, color))
        .collect::<Vec<_>>()
        .join("\n");
    let more = diagnostics.skip(SHOWN).count() + uncounted;
    if more > 0 {
        text.push_str(&format!("\nand {more} more\n"));
    }
    text
}

pub(super) fn one(diagnostic: &Diagnostic, color: bool) -> String {
    let shown = Shown::new(diagnostic);
    let report = shown.report(diagnostic);
    let text = if color {
        colored(&shown, &report)
    } else {
        emit_into_string(&Config::default(), &shown, &report)
    };
    let text = text.expect("invariant: every label lies inside its excerpt");
    without_blank_borders(&text)
}

fn colored(shown: &Shown<'_>, report: &Report<()>) -> Result<String, Error> {
    let mut buffer = Buffer::ansi();
    let styles = Styles::default();
    let mut writer = StylesWriter::new(&mut buffer, &styles);
    emit_to_write_style(&mut writer, &Config::default(), shown, report)?;
    Ok(String::from_utf8_lossy(buffer.as_slice()).into_owned())
}

/// Lines that carry nothing but the border are air.
fn without_blank_borders(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !is_blank_border(line)) {
        kept.push_str(line.trim_end());
        kept.push('\n');
    }
    kept
}

fn is_blank_border(line: &str) -> bool {
    let mut visible = String::new();
    let mut in_escape = false;
    for character in line.chars() {
        match character {
            '\u{1b}' => in_escape = true,
            'm' if in_escape => in_escape = false,
            _ if in_escape => {}
            _ => visible.push(character),
        }
    }
    matches!(visible.trim(), "" | "│")
}

/// An excerpt in the shape that the rendering crate asks for.
struct Shown<'d> {
    file: &'d str,
    excerpt: &'d Excerpt,
    source: String,
    starts: Vec<usize>,
}

impl<'d> Shown<'d> {
    fn new(diagnostic: &'d Diagnostic) -> Self {
        let mut source = String::new();
        let mut starts = Vec::new();
        for line in &diagnostic.excerpt.lines {
            starts.push(source.len());
            source.push_str(&line.text);
            source.push('\n');
        }
        Self {
            file: &diagnostic.file,
            excerpt: &diagnostic.excerpt,
            source,
            starts,
        }
    }

    fn report(&self, diagnostic: &Diagnostic) -> Report<()> {
        let report = match diagnostic.severity() {
            Severity::Error => Report::error(),
            Severity::Warning => Report::warning(),
        };
        let marks = diagnostic
            .labels
            .iter()
            .zip(&self.excerpt.ranges)
            .enumerate();
        let mark = |(number, (label, (line, range))): (usize, (&_, &(usize, Range<usize>)))| {
            let label: &super::diagnostic::Label = label;
            let start = self.starts[*line];
            let range = start + range.start..start + range.end;
            let mark = if number == 0 {
                Mark::primary((), range)
            } else {
                Mark::secondary((), range)
            };
            mark.with_message(&label.message)
        };
        let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
        report
            .with_code(diagnostic.code.as_str())
            .with_message(&diagnostic.message)
            .with_labels(marks.map(mark).collect())
            .with_notes(help.collect())
    }
}

impl<'a> Files<'a> for Shown<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.file)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.source)
    }

    fn line_index(&'a self, (): (), byte: usize) -> Result<usize, Error> {
        Ok(self
            .starts
            .partition_point(|&start| start <= byte)
            .saturating_sub(1))
    }

    fn line_number(&'a self, (): (), line: usize) -> Result<usize, Error> {
        Ok(self.excerpt.lines.get(line).map_or(1, |line| line.number))
    }

    fn column_number(&'a self, (): (), line: usize, byte: usize) -> Result<usize, Error> {
        let range = self.line_range((), line)?;
        let before = &self.source[range.start..byte.clamp(range.start, range.end)];
        let cut = self.excerpt.lines.get(line).map_or(0, |line| line.cut);
        Ok(before.chars().count() + cut + 1)
    }

    fn line_range(&'a self, (): (), line: usize) -> Result<Range<usize>, Error> {
        let start = self.starts.get(line).copied().unwrap_or(0);
        let end = self
            .starts
            .get(line + 1)
            .copied()
            .unwrap_or(self.source.len());
        Ok(start..end)
    }
}
