//! Bytes of a text, and the lines and columns by which editors count.

use std::ops::Range;

use lsp_types::{InitializeParams, Position, PositionEncodingKind};

/// What a column counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// What every editor knows.
    Utf16,
}

impl Encoding {
    /// Bytes, if the editor can count them.
    pub fn agreed(asked: &InitializeParams) -> Self {
        let general = asked.capabilities.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_ref());
        match offered.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8)) {
            true => Self::Utf8,
            false => Self::Utf16,
        }
    }
}

/// A text with the beginnings of its lines.
pub struct Places<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Places<'t> {
    pub fn new(text: &'t str, encoding: Encoding) -> Self {
        // A line ends with `\n`, `\r\n` or `\r`, to editors.
        let bytes = text.as_bytes();
        let breaks = (0..bytes.len()).filter(|&at| {
            bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        });
        Self {
            text,
            starts: std::iter::once(0).chain(breaks.map(|at| at + 1)).collect(),
            encoding,
        }
    }

    /// Where a byte is; what lies behind the text is at its end.
    pub fn position(&self, at: usize) -> Position {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= at) - 1;
        let before = &self.text[self.starts[line]..at];
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position::new(small(line), small(column))
    }

    pub fn range(&self, span: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.position(span.start), self.position(span.end))
    }

    /// The byte at a position; of a column behind the end of its line, the end.
    pub fn byte(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return self.text.len();
        };
        let end = self.starts.get(position.line as usize + 1);
        let line = &self.text[start..end.copied().unwrap_or(self.text.len())];
        let line = line.trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, letter) in line.char_indices() {
            if column >= position.character as usize {
                return start + at;
            }
            column += match self.encoding {
                Encoding::Utf8 => letter.len_utf8(),
                Encoding::Utf16 => letter.len_utf16(),
            };
        }
        start + line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_was_agreed() {
        let text = "aé𝄞b\r\n\rx\n";
        let utf16 = Places::new(text, Encoding::Utf16);
        let utf8 = Places::new(text, Encoding::Utf8);
        let b = text.find('b').expect("it is there");
        assert_eq!(utf16.position(b), Position::new(0, 4));
        assert_eq!(utf8.position(b), Position::new(0, 7));
        for places in [&utf16, &utf8] {
            for (at, _) in text.char_indices() {
                // Between `\r` and `\n` no cursor can stand.
                let is_inside = text.as_bytes()[..=at].ends_with(b"\r\n");
                if !is_inside {
                    assert_eq!(places.byte(places.position(at)), at);
                }
            }
            assert_eq!(places.position(text.find('x').unwrap_or(0)).line, 2);
            assert_eq!(places.byte(Position::new(0, 99)), b + 1);
            assert_eq!(places.byte(Position::new(99, 0)), text.len());
        }
    }
}
