//! JSON files. Numbers are read as they are spelled, not as floats, so the reader is our own.

use super::super::ast::Span;
use super::{Datum, DatumKind};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::num::Exact;

/// How deep values may be nested.
const DEEPEST: usize = 100;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

/// The names of a file with their values.
pub(super) fn read(text: &str) -> Result<Vec<(String, Span, Datum)>, Draft> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    let whole = reader.value()?;
    reader.blanks();
    if reader.at < text.len() {
        return Err(reader.wrong("expected the end of the file"));
    }
    match whole.kind {
        DatumKind::Table(entries) => Ok(entries),
        _ => Err(Draft::new(Code::BadData, "expected an object: `{…}`").at(whole.span, "")),
    }
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Datum, Draft> {
        self.blanks();
        let start = self.at;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("nested too deeply"));
        }
        let kind = match self.text.as_bytes().get(start) {
            Some(b'"') => DatumKind::Text(self.string()?),
            Some(b'[') => {
                self.at += 1;
                let mut parts = Vec::new();
                self.pieces(b']', |it| {
                    parts.push(it.value()?);
                    Ok(())
                })?;
                DatumKind::List(parts)
            }
            Some(b'{') => {
                self.at += 1;
                let mut entries: Vec<(String, Span, Datum)> = Vec::new();
                let mut seen = rustc_hash::FxHashSet::default();
                self.pieces(b'}', |it| {
                    it.blanks();
                    let start = it.at;
                    let key = it.string()?;
                    let span = start..it.at;
                    it.sign(b':')?;
                    let value = it.value()?;
                    if !seen.insert(key.clone()) {
                        let message = format!("`{key}` is given twice");
                        return Err(Draft::new(Code::DuplicateKey, message).at(span, ""));
                    }
                    entries.push((key, span, value));
                    Ok(())
                })?;
                DatumKind::Table(entries)
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.wrong("expected a number, a text, a list or an object")),
        };
        self.depth -= 1;
        Ok(Datum {
            kind,
            span: start..self.at,
        })
    }

    /// What stands between commas up to the closing sign.
    fn pieces(
        &mut self,
        close: u8,
        mut read: impl FnMut(&mut Self) -> Result<(), Draft>,
    ) -> Result<(), Draft> {
        self.blanks();
        if self.text.as_bytes().get(self.at) == Some(&close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            read(self)?;
            self.blanks();
            match self.text.as_bytes().get(self.at) {
                Some(b',') => self.at += 1,
                Some(byte) if *byte == close => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.wrong("expected `,` or the closing bracket")),
            }
        }
    }

    fn sign(&mut self, sign: u8) -> Result<(), Draft> {
        self.blanks();
        if self.text.as_bytes().get(self.at) != Some(&sign) {
            return Err(self.wrong(&format!("expected `{}`", char::from(sign))));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<String, Draft> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        if bytes.get(start) != Some(&b'"') {
            return Err(self.wrong("expected a text in double quotes"));
        }
        let mut end = start + 1;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'"' => {
                    self.at = end + 1;
                    let spelled = &self.text[start..=end];
                    return serde_json::from_str(spelled).map_err(|_| {
                        Draft::new(Code::BadData, "this text is no JSON").at(start..end + 1, "")
                    });
                }
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        Err(self.wrong("a text does not end"))
    }

    fn number(&mut self) -> Result<DatumKind, Draft> {
        let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = self.text.as_bytes()[self.at..]
            .iter()
            .take_while(|byte| part(byte))
            .count();
        let span = self.at..self.at + length;
        self.at = span.end;
        match Exact::parse(&self.text[span.clone()]) {
            Ok(number) => Ok(DatumKind::Number(number)),
            Err(error) => Err(Draft::new(Code::BadNumber, error.to_string()).at(span, "")),
        }
    }

    fn blanks(&mut self) {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.text.as_bytes()[self.at..]
            .iter()
            .take_while(|byte| blank(byte))
            .count();
    }

    fn wrong(&self, message: &str) -> Draft {
        let end = (self.at + 1).min(self.text.len());
        Draft::new(Code::BadData, message).at(self.at.min(end)..end, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_places_and_digits() {
        let text = "{\"cap\": 0.1, \"S\": [\"a\", \"\\u0062\"], \"d\": {\"1\": -2e3}}";
        let read = read(text).unwrap_or_else(|_| panic!("it reads"));
        assert_eq!(&text[read[0].2.span.clone()], "0.1");
        let shown = format!("{read:?}");
        for part in ["Small(1, 10)", "Text(\"b\")", "Small(-2000, 1)"] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        for wrong in [
            "",
            "[1]",
            "{\"a\": 1",
            "{\"a\" 1}",
            "{\"a\": 1} 2",
            "{\"a\": tru}",
            "{\"a\": 1, \"a\": 2}",
        ] {
            assert!(super::read(wrong).is_err(), "{wrong}");
        }
        assert!(super::read(&"[".repeat(100_000)).is_err());
    }
}
