//! Sheets of comma-separated values: a line of headers, then rows of as many cells.
//!
//! Cells may stand in double quotes, with `""` for a quote inside. A header line with semicolons or tabs
//! and no comma makes these the separators. Lines that are empty or begin with `#` are left out.

use super::{Cell, Row, Sheet};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;

/// Reads a text.
pub(super) fn read(text: &str, file: usize) -> Result<Sheet, Draft> {
    let first = text.lines().find(|line| !is_idle(line)).unwrap_or("");
    let separators = [b',', b';', b'\t'].into_iter();
    let separator = separators
        .clone()
        .find(|it| first.as_bytes().contains(it))
        .unwrap_or(b',');
    let mut at = 0;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        if is_idle(&text[at..line_end]) {
            at = line_end + 1;
            continue;
        }
        let row;
        (row, at) = line(text, at, separator)?;
        let width = rows.first().map_or(row.len(), Vec::len);
        if row.len() != width {
            let message = format!("{} cells in this row, {width} in the header", row.len());
            let span = row[0].span.start..row[row.len() - 1].span.end;
            return Err(Draft::new(Code::BadData, message).at(span, ""));
        }
        rows.push(row);
    }
    let mut rows = rows.into_iter();
    let Some(headers) = rows.next() else {
        return Err(Draft::new(Code::BadData, "the sheet is empty").at(0..0, ""));
    };
    for (place, header) in headers.iter().enumerate() {
        if headers[..place]
            .iter()
            .any(|other| other.text == header.text)
        {
            let message = format!("two columns are called `{}`", header.text);
            return Err(Draft::new(Code::DuplicateKey, message).at(header.span.clone(), ""));
        }
    }
    Ok(Sheet {
        file,
        headers,
        rows: rows.map(|cells| Row { cells }).collect(),
    })
}

fn is_idle(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// The cells of a line, and where the next one begins.
fn line(text: &str, mut at: usize, separator: u8) -> Result<(Vec<Cell>, usize), Draft> {
    let bytes = text.as_bytes();
    let mut cells = Vec::new();
    loop {
        let blank = |byte: &u8| *byte == b' ';
        let padding = bytes[at..].iter().take_while(|byte| blank(byte)).count();
        let start = at + padding;
        let (cell, end) = if bytes.get(start) == Some(&b'"') {
            quoted(text, start)?
        } else {
            let stop = |byte: &u8| *byte == separator || *byte == b'\n';
            let end = bytes[start..]
                .iter()
                .position(stop)
                .map_or(text.len(), |end| start + end);
            (text[start..end].trim().to_owned(), end)
        };
        let shown = text[start..end].trim_end().len();
        cells.push(Cell {
            text: cell,
            span: start..start + shown,
        });
        let rest = bytes[end..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\r'))
            .count();
        match bytes.get(end + rest) {
            Some(byte) if *byte == separator => at = end + rest + 1,
            Some(b'\n') => return Ok((cells, end + rest + 1)),
            None => return Ok((cells, text.len())),
            Some(_) => {
                let message = "something follows a cell in quotes";
                return Err(Draft::new(Code::BadData, message).at(end..end + 1, ""));
            }
        }
    }
}

fn quoted(text: &str, start: usize) -> Result<(String, usize), Draft> {
    let mut cell = String::new();
    let mut at = start + 1;
    while let Some(length) = text[at..].find('"') {
        cell.push_str(&text[at..at + length]);
        at += length + 1;
        if !text[at..].starts_with('"') {
            return Ok((cell, at));
        }
        cell.push('"');
        at += 1;
    }
    let message = "a cell in quotes does not end";
    Err(Draft::new(Code::BadData, message).at(start..start + 1, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_stand_in_quotes_and_between_semicolons() {
        let text = "site,\"cost\"\r\n# note\r\n\"new, \"\"york\"\"\", 1/2 \r\n\r\nb,3\n";
        let sheet = read(text, 0).unwrap_or_else(|_| panic!("it reads"));
        let cells: Vec<Vec<&str>> = sheet
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect())
            .collect();
        assert_eq!(cells, [["new, \"york\"", "1/2"], ["b", "3"]]);
        assert_eq!(&text[sheet.rows[0].cells[1].span.clone()], "1/2");
        let sheet = read("a;b\n1,5;2", 0).unwrap_or_else(|_| panic!("it reads"));
        assert_eq!(sheet.rows[0].cells[0].text, "1,5");
        for wrong in ["", "a,b\n1", "a,a\n1,2", "a\n\"1", "a\n\"1\"2"] {
            assert!(read(wrong, 0).is_err(), "{wrong}");
        }
    }
}
