//! The lines of an MPS file, still called cards, and their fields.

use std::ops::Range;

use smallvec::SmallVec;

/// How fields are told apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Free,
    Fixed,
}

/// A piece of a card and its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Field<'t> {
    pub text: &'t str,
    pub span: Range<usize>,
}

/// A line that says something.
#[derive(Clone, Debug)]
pub(super) struct Card<'t> {
    pub fields: SmallVec<[Field<'t>; 6]>,
    /// Begins at the margin.
    pub at_margin: bool,
    pub span: Range<usize>,
}

/// Where the fields of the fixed form lie.
const FIXED: [Range<usize>; 6] = [1..3, 4..12, 14..22, 24..36, 39..47, 49..61];

/// The cards of a text, comments and empty lines left out.
pub(super) fn cards(text: &str, layout: Layout) -> impl Iterator<Item = Card<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        let place = start;
        start += line.len();
        (place, line.trim_end_matches(['\n', '\r']))
    });
    let spoken = lines.filter(|(_, line)| !line.starts_with('*') && !line.trim().is_empty());
    spoken.map(move |(start, line)| {
        let at_margin = !line.starts_with([' ', '\t']);
        let fields = if layout == Layout::Free || at_margin {
            free(line, start)
        } else {
            fixed(line, start)
        };
        Card {
            fields,
            at_margin,
            span: start..start + line.len(),
        }
    })
}

fn free(line: &str, start: usize) -> SmallVec<[Field<'_>; 6]> {
    let words = line.split_ascii_whitespace();
    let field = |word| field_of(line, word, start);
    words.map(field).collect()
}

fn fixed(line: &str, start: usize) -> SmallVec<[Field<'_>; 6]> {
    let columns = FIXED.iter().filter_map(|columns| {
        let end = columns.end.min(line.len());
        let piece = line.get(columns.start.min(end)..end)?.trim();
        // The first field may be empty in any section but keeps no other from being read.
        (!piece.is_empty()).then(|| field_of(line, piece, start))
    });
    columns.collect()
}

/// A part of `line` with its place; `start` is where the line begins.
fn field_of<'t>(line: &'t str, part: &'t str, start: usize) -> Field<'t> {
    let at = start + (part.as_ptr() as usize - line.as_ptr() as usize);
    Field {
        text: part,
        span: at..at + part.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, layout: Layout) -> Vec<Vec<&str>> {
        let fields = |card: Card<'_>| {
            for field in &card.fields {
                assert_eq!(&text[field.span.clone()], field.text);
            }
            card.fields
                .iter()
                .map(|field| &text[field.span.clone()])
                .collect::<Vec<_>>()
        };
        let found: Vec<Card<'_>> = cards(text, layout).collect();
        found
            .into_iter()
            .map(|card| fields(card).into_iter().collect())
            .collect()
    }

    #[test]
    fn fields_are_words_or_columns() {
        let text = "NAME plan\n* note\n\n    my x      cost      1.5   limit 1   2\r\n";
        assert_eq!(
            pieces(text, Layout::Free)[1],
            ["my", "x", "cost", "1.5", "limit", "1", "2"]
        );
        let text = "    my x      cost               1.5   limit 1              2";
        assert_eq!(
            pieces(text, Layout::Fixed)[0],
            ["my x", "cost", "1.5", "limit 1", "2"]
        );
    }
}
