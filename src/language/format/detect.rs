//! Which format a text is in: by what it says, then by how its file is called.
//!
//! A format that joins needs a variant of [`Format`], its endings, and a line in [`by_content`].

use std::fmt;

use super::indexed::is_indexed;
use super::text::Keyword;

/// The file formats that are read and written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The native one, with a `prefix`.
    Qip,
    /// Yasol's dialect, with `EXISTS`, `ALL` and `ORDER`.
    Qlp,
    /// Quantified Boolean formulas in clauses.
    Qdimacs,
    /// Quantified Boolean formulas as circuits.
    Qcir,
    /// Programs without quantifiers, column by column.
    Mps,
    /// Programs without quantifiers, row by row.
    Lp,
    /// The quantifiers of an MPS or LP file.
    Prefix,
    /// The follower of a bilevel program.
    Aux,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Qip,
        Self::Qlp,
        Self::Qdimacs,
        Self::Qcir,
        Self::Mps,
        Self::Lp,
        Self::Prefix,
        Self::Aux,
    ];

    /// The formats that a program can be written in.
    pub const WRITTEN: [Self; 6] = [
        Self::Qip,
        Self::Qlp,
        Self::Qdimacs,
        Self::Qcir,
        Self::Mps,
        Self::Lp,
    ];

    /// The ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Qip => "qip",
            Self::Qlp => "qlp",
            Self::Qdimacs => "qdimacs",
            Self::Qcir => "qcir",
            Self::Mps => "mps",
            Self::Lp => "lp",
            Self::Prefix => "prefix",
            Self::Aux => "aux",
        }
    }

    /// Whether its files are quantified Boolean formulas.
    ///
    /// ```
    /// use quip::format::Format;
    /// assert!(Format::Qcir.is_boolean() && !Format::Qip.is_boolean());
    /// ```
    pub fn is_boolean(self) -> bool {
        matches!(self, Self::Qdimacs | Self::Qcir)
    }

    /// What the file's name promises; `.gz` is looked through.
    ///
    /// ```
    /// use quip::format::Format;
    /// assert_eq!(Format::of_file_name("a/lot.QLP.gz"), Some(Format::Qlp));
    /// assert_eq!(Format::of_file_name("lot.txt"), None);
    /// ```
    pub fn of_file_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
        let (_, ending) = plain.rsplit_once('.')?;
        Self::ALL
            .into_iter()
            .find(|format| format.extension() == ending)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.extension())
    }
}

/// The format of `text`. Files of Yasol's dialect often end in `.qip`, so the content counts first.
pub(super) fn detect(name: &str, text: &str) -> Format {
    let named = Format::of_file_name(name);
    // Auxiliary files have numbers and marks only, and LP files the words of Yasol's dialect.
    match named {
        Some(Format::Aux) => return Format::Aux,
        Some(Format::Lp) if !is_quantified(text) => return Format::Lp,
        _ => {}
    }
    by_content(text).or(named).unwrap_or(Format::Qip)
}

fn by_content(text: &str) -> Option<Format> {
    let indexed = || is_indexed(text).then_some(Format::Qip);
    let by_head = indexed().or_else(|| boolean_by_content(text));
    let by_head = by_head.or_else(|| plain_by_content(text));
    if by_head.is_some() {
        return by_head;
    }
    // The word that opens the quantifiers decides; a model without one says nothing.
    words(text).find_map(|word| match Keyword::of(word)? {
        Keyword::Prefix => Some(Format::Qip),
        Keyword::Bounds | Keyword::All | Keyword::Order => Some(Format::Qlp),
        Keyword::Binaries | Keyword::Generals => Some(Format::Qlp),
        _ => None,
    })
}

/// Whether some section orders the variables.
fn is_quantified(text: &str) -> bool {
    let mut lines = text.split(['\n', '\r']).map(str::trim_start);
    lines.any(|line| {
        let word = line.split_ascii_whitespace().next().and_then(Keyword::of);
        matches!(
            word,
            Some(Keyword::Prefix | Keyword::Order | Keyword::Exists)
        )
    })
}

/// The first line that says something tells a Boolean formula: `p cnf` below lines of comment, or a
/// circuit's header or statement.
fn boolean_by_content(text: &str) -> Option<Format> {
    let lines = || {
        let lines = text.split(['\n', '\r']).map(str::trim_start);
        lines.filter(|line| !line.is_empty())
    };
    // A `#` begins a comment in circuits alone, but people write it in any file.
    let mut headers = lines().take_while(|line| line.starts_with('#'));
    let starts = |line: &str, with: &str| {
        let start = line.get(..with.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    if headers.any(|line| starts(line[1..].trim_start(), "qcir")) {
        return Some(Format::Qcir);
    }
    if lines().next()?.starts_with('#') {
        let first = lines().find(|line| !line.starts_with('#'))?;
        let words = ["exists", "forall", "free", "output"];
        let opens = words.iter().find(|word| starts(first, word));
        let opens = opens.is_some_and(|word| first[word.len()..].trim_start().starts_with('('));
        return opens.then_some(Format::Qcir);
    }
    let first = lines().find(|line| !line.starts_with('c'))?;
    let mut words = first.split_whitespace();
    (words.next() == Some("p") && words.next() == Some("cnf")).then_some(Format::Qdimacs)
}

/// MPS files begin with a section at the margin, prefix files with `model` and a text in quotes.
fn plain_by_content(text: &str) -> Option<Format> {
    let mut lines = text.split(['\n', '\r']);
    let first = lines.find(|line| {
        let said = line.trim_start();
        !said.is_empty() && !line.starts_with('*') && !said.starts_with('\\')
    })?;
    let mut words = first.split_ascii_whitespace();
    let word = words.next()?;
    if ["NAME", "ROWS", "OBJSENSE"].contains(&word) && !first.contains(':') {
        return Some(Format::Mps);
    }
    let quoted = first.trim_start().get("model".len()..)?.trim_start();
    let is_model = word.len() >= 5 && word.as_bytes()[..5].eq_ignore_ascii_case(b"model");
    (is_model && quoted.starts_with('"')).then_some(Format::Prefix)
}

/// The words between blanks that could be keywords, without comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let without_comment = |line: &'_ str| line.find('\\').unwrap_or(line.len());
    let lines = text.split(['\n', '\r']);
    let code = lines.map(move |line| &line[..without_comment(line)]);
    code.flat_map(str::split_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_counts_before_the_name() {
        assert_eq!(detect("a.qip", "MINIMIZE x ORDER x END"), Format::Qlp);
        assert_eq!(
            detect("a.qlp", "minimize x Prefix exists binary x end"),
            Format::Qip
        );
        assert_eq!(detect("a.qlp", "minimize x \\ prefix\nend"), Format::Qlp);
        assert_eq!(detect("a.qlp", "\\ note\rmin\rprefix end"), Format::Qip);
        assert_eq!(detect("-", "minimize x end"), Format::Qip);
    }

    #[test]
    fn boolean_formulas_are_told_by_their_first_line() {
        assert_eq!(detect("a.qip", "c note\n\np  cnf 1 0"), Format::Qdimacs);
        assert_eq!(detect("-", "\n # note\n#QCIR-G14\n"), Format::Qcir);
        assert_eq!(detect("a.qcir", "output(x)"), Format::Qcir);
        assert_eq!(detect("-", "c: x <= 1 prefix end"), Format::Qip);
        assert_eq!(detect("-", "# note\nexists(x)\noutput(x)"), Format::Qcir);
    }

    #[test]
    fn a_comment_of_another_language_does_not_make_a_circuit() {
        assert_eq!(
            detect("a.qip", "# note\nminimize x prefix end"),
            Format::Qip
        );
        assert_eq!(detect("a.qip", "# note"), Format::Qip);
        assert_eq!(detect("a.qcir", "# note\nx"), Format::Qcir);
    }

    #[test]
    fn files_without_quantifiers_are_told_apart() {
        assert_eq!(detect("-", "* note\nNAME plan\nROWS\n"), Format::Mps);
        assert_eq!(
            detect("a.lp", "Minimize\n x\nBounds\nx <= 3\nEnd"),
            Format::Lp
        );
        assert_eq!(detect("a.lp", "MINIMIZE\n x\nORDER\nx\nEND"), Format::Qlp);
        assert_eq!(
            detect("-", "\\ note\nmodel \"a.mps\"\nprefix\nend"),
            Format::Prefix
        );
        assert_eq!(detect("a.aux", "N 1\nM 0\n"), Format::Aux);
    }
}
