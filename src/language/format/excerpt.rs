//! The few lines of a file that a diagnostic shows.
//!
//! **Invariant:** an excerpt holds no control character but tabs, and no line longer than
//! [`WIDEST`] bytes and a bit, however long the lines of the file are.

use std::ops::Range;

/// Longest line that is shown whole.
const WIDEST: usize = 160;

/// How much is shown before the place, of a line that is longer.
const BEFORE: usize = 60;

/// Where each line of a text begins.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    /// Line and column of a byte, both counted from 1.
    pub fn locate(&self, at: usize) -> (usize, usize) {
        let at = self.boundary(at);
        let line = self.index(at);
        let column = self.text[self.starts[line]..at].chars().count();
        (line + 1, column + 1)
    }

    fn index(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// The bytes of a line without its line break.
    fn range(&self, line: usize) -> Range<usize> {
        let start = self.starts[line];
        let end = self
            .starts
            .get(line + 1)
            .map_or(self.text.len(), |next| next - 1);
        let content = &self.text[start..end];
        start..start + content.strip_suffix('\r').unwrap_or(content).len()
    }

    fn boundary(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Lines of a file, cut to a readable width, with the labelled ranges inside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub lines: Vec<ExcerptLine>,
    /// For each label: which line, and which bytes of its text.
    pub ranges: Vec<(usize, Range<usize>)>,
}

/// One line of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExcerptLine {
    /// Counted from 1.
    pub number: usize,
    /// How many characters of the line were cut off in front, less those put in their stead.
    pub cut: usize,
    pub text: String,
}

impl Excerpt {
    pub fn new(lines: &Lines<'_>, spans: &[Range<usize>]) -> Self {
        let mut excerpt = Self::default();
        let mut windows: Vec<(usize, Window)> = Vec::new();
        for span in spans {
            let line = lines.index(lines.boundary(span.start));
            if windows.iter().all(|(shown, _)| *shown != line) {
                windows.push((line, Window::around(lines, line, span.start)));
            }
        }
        windows.sort_by_key(|(line, _)| *line);
        for span in spans {
            let line = lines.index(lines.boundary(span.start));
            let shown = windows.partition_point(|(earlier, _)| *earlier < line);
            excerpt
                .ranges
                .push((shown, windows[shown].1.range(lines, span)));
        }
        excerpt.lines = windows
            .iter()
            .map(|(line, window)| window.line(lines, *line))
            .collect();
        excerpt
    }
}

/// The part of a line that is shown.
struct Window {
    shown: Range<usize>,
    cut_before: bool,
    cut_after: bool,
}

const ELLIPSIS: &str = "…";

impl Window {
    fn around(lines: &Lines<'_>, line: usize, place: usize) -> Self {
        let whole = lines.range(line);
        if whole.len() <= WIDEST {
            return Self {
                shown: whole,
                cut_before: false,
                cut_after: false,
            };
        }
        let start = lines.boundary(place.saturating_sub(BEFORE).max(whole.start));
        let end = lines.boundary((start + WIDEST).min(whole.end));
        let (cut_before, cut_after) = (start > whole.start, end < whole.end);
        Self {
            shown: start..end,
            cut_before,
            cut_after,
        }
    }

    /// Where `span` lies in the shown text; what sticks out is cut off.
    fn range(&self, lines: &Lines<'_>, span: &Range<usize>) -> Range<usize> {
        let prefix = if self.cut_before { ELLIPSIS.len() } else { 0 };
        let clamp = |at: usize| lines.boundary(at).clamp(self.shown.start, self.shown.end);
        let start = clamp(span.start) - self.shown.start + prefix;
        start..(clamp(span.end) - self.shown.start + prefix).max(start)
    }

    fn line(&self, lines: &Lines<'_>, line: usize) -> ExcerptLine {
        let mark = |cut: bool| if cut { ELLIPSIS } else { "" };
        let before = lines.text[lines.starts[line]..self.shown.start]
            .chars()
            .count();
        let content: String = lines.text[self.shown.clone()]
            .chars()
            .map(printable)
            .collect();
        ExcerptLine {
            number: line + 1,
            cut: before.saturating_sub(usize::from(self.cut_before)),
            text: format!("{}{content}{}", mark(self.cut_before), mark(self.cut_after)),
        }
    }
}

/// A terminal must not obey the file. The stand-ins are as many bytes long as what they replace.
fn printable(character: char) -> char {
    match character {
        '\t' => character,
        _ if !character.is_control() => character,
        _ if character.len_utf8() == 1 => '?',
        _ => '¿',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let lines = Lines::new("a\r\nbé x\n");
        assert_eq!(lines.locate(0), (1, 1));
        assert_eq!(lines.locate(3), (2, 1));
        assert_eq!(lines.locate("a\r\nbé ".len()), (2, 4));
        assert_eq!(lines.locate(1000), (3, 1));
        assert_eq!(lines.range(0), 0..1);
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}X{}", "é".repeat(1000), "b".repeat(1000));
        let excerpt = Excerpt::new(&Lines::new(&text), std::slice::from_ref(&(2000..2001)));
        let (line, range) = excerpt.ranges[0].clone();
        let shown = &excerpt.lines[line];
        assert_eq!(&shown.text[range], "X");
        assert!(shown.text.len() < 200);
        assert!(shown.text.starts_with('…') && shown.text.ends_with('…'));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let excerpt = Excerpt::new(
            &Lines::new("a\u{1b}[31m\u{85}b"),
            std::slice::from_ref(&(0..1)),
        );
        assert_eq!(excerpt.lines[0].text, "a?[31m¿b");
    }
}
