//! Which format a text is in: by what it says, then by how its file is called.
//!
//! A format that joins needs a variant of [`Format`], its endings, and a line in [`by_content`].

use std::fmt;

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
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Qip, Self::Qlp, Self::Qdimacs, Self::Qcir];

    /// The ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Qip => "qip",
            Self::Qlp => "qlp",
            Self::Qdimacs => "qdimacs",
            Self::Qcir => "qcir",
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
    by_content(text)
        .or_else(|| Format::of_file_name(name))
        .unwrap_or(Format::Qip)
}

fn by_content(text: &str) -> Option<Format> {
    if let Some(formula) = boolean_by_content(text) {
        return Some(formula);
    }
    // The word that opens the quantifiers decides; a model without one says nothing.
    words(text).find_map(|word| match Keyword::of(word)? {
        Keyword::Prefix => Some(Format::Qip),
        Keyword::Bounds | Keyword::All | Keyword::Order => Some(Format::Qlp),
        Keyword::Binaries | Keyword::Generals => Some(Format::Qlp),
        _ => None,
    })
}

/// The first line that says something tells a Boolean formula: no other model can begin with `#`,
/// or with `p cnf` below lines of comment.
fn boolean_by_content(text: &str) -> Option<Format> {
    let lines = text.split(['\n', '\r']).map(str::trim_start);
    let mut lines = lines.filter(|line| !line.is_empty()).peekable();
    if lines.peek()?.starts_with('#') {
        return Some(Format::Qcir);
    }
    let mut words = lines
        .find(|line| !line.starts_with('c'))?
        .split_whitespace();
    (words.next() == Some("p") && words.next() == Some("cnf")).then_some(Format::Qdimacs)
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
    }
}
