//! A stable layout for native text: indentation, blanks between words, empty lines.
//!
//! Lines stay lines and words stay words, because a line may end a row and `2 x` is not `2x` to every
//! eye; comments stay where they are. So the layout can change no meaning, and laying out twice gives
//! the same text.
//!
//! **Invariant:** without blanks the text is what it was, line by line, empty lines aside.

use super::text::Keyword;

/// The text in the usual layout.
///
/// Sections begin at the margin; rows and declarations are indented by two, what continues them by
/// four; one blank separates words and surrounds relations; there are no two empty lines in a row.
///
/// ```
/// let text = "minimize x\nsubject to\nr:x+y<=3   \\ note\n\n\n\n   + 2\nprefix\nexists binary x y\nend";
/// let laid_out = quip::format::layout(text);
/// assert_eq!(
///     laid_out,
///     "minimize x\nsubject to\n  r:x+y <= 3  \\ note\n\n    + 2\nprefix\n  exists binary x y\nend\n"
/// );
/// assert_eq!(quip::format::layout(&laid_out), laid_out);
/// ```
pub fn layout(text: &str) -> String {
    let mut layout = Layout::default();
    for line in text.lines() {
        layout.line(line);
    }
    layout.text
}

/// What is known of the lines so far.
#[derive(Default)]
struct Layout {
    text: String,
    /// Inside a section: its lines are indented.
    inside: bool,
    /// How many brackets are open.
    open: usize,
    /// The line before goes on in the next one.
    goes_on: bool,
    /// An empty line waits for a line below it.
    empty: bool,
    /// Declarations of a stage follow.
    stage: bool,
}

impl Layout {
    fn line(&mut self, line: &str) {
        let (code, comment) = split(line);
        let words = words(code);
        if words.is_empty() && comment.is_none() {
            self.empty = !self.text.is_empty();
            return;
        }
        if std::mem::take(&mut self.empty) {
            self.text.push('\n');
        }
        let depth = self.depth(&words, line);
        let code = words.join(" ");
        self.text.push_str(&" ".repeat(depth));
        self.text.push_str(&code);
        if let Some(comment) = comment {
            self.text.push_str(if code.is_empty() { "" } else { "  " });
            self.text.push_str(comment.trim_end());
        }
        self.text.push('\n');
    }

    /// How far a line is indented; notes what that means for the next one.
    fn depth(&mut self, words: &[&str], line: &str) -> usize {
        let Some(first) = words.first() else {
            // A comment alone stands with what is around it, unless it stands at the margin.
            let at_margin = !line.starts_with([' ', '\t']);
            return if at_margin || !self.inside { 0 } else { 2 };
        };
        let begins_with_sign =
            first.starts_with(['+', '-', '*', '/', '<', '>', '=', ')', '}', ']']);
        let continues = self.open > 0 || self.goes_on || begins_with_sign;
        let lower = first.to_ascii_lowercase();
        let opens = !continues && self.opens_section(&lower, words);
        if opens {
            self.stage = false;
            self.inside = !matches!(lower.as_str(), "set" | "param" | "data" | "end");
        }
        if !continues && lower == "stage" {
            self.stage = true;
        }
        let depth = match (opens, continues, self.inside) {
            (true, ..) => 0,
            (false, true, true) => 4,
            (false, false, true) if self.stage && lower != "stage" => 4,
            (false, false, true) => 2,
            (false, true, false) => 4,
            (false, false, false) => 0,
        };
        let last = words.last().copied().unwrap_or_default();
        for letter in words.iter().flat_map(|word| word.chars()) {
            match letter {
                '(' | '{' => self.open += 1,
                ')' | '}' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
        }
        let is_stage = lower == "stage" && self.inside;
        self.goes_on = last.ends_with(['+', '-', '*', '/', '<', '>', '=', ','])
            || (last.ends_with(':') && !is_stage && words.len() == 1);
        if self.stage && !is_stage && !self.goes_on && self.open == 0 && !last.ends_with(';') {
            self.stage = false;
        }
        depth
    }

    fn opens_section(&self, word: &str, words: &[&str]) -> bool {
        if words.get(1).is_some_and(|next| next.starts_with(':')) || word.ends_with(':') {
            return false;
        }
        match word {
            "set" | "param" | "data" => !self.inside || self.text.is_empty(),
            "exists" => false,
            _ => Keyword::of(word).is_some_and(|keyword| {
                keyword.opens_section() && keyword != Keyword::Exists && keyword != Keyword::Binary
            }),
        }
    }
}

/// Code and comment.
fn split(line: &str) -> (&str, Option<&str>) {
    match line.find('\\') {
        Some(at) => (&line[..at], Some(&line[at..])),
        None => (line, None),
    }
}

/// What blanks or relations separate; a text in quotes keeps its blanks.
fn words(code: &str) -> Vec<&str> {
    let bytes = code.as_bytes();
    let relation = |byte: u8| matches!(byte, b'<' | b'>' | b'=');
    let (mut words, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if relation(bytes[at]) {
            while at < bytes.len() && relation(bytes[at]) {
                at += 1;
            }
        } else {
            while at < bytes.len() && !bytes[at].is_ascii_whitespace() && !relation(bytes[at]) {
                // `!=` is one sign.
                if bytes[at] == b'!' && bytes.get(at + 1) == Some(&b'=') {
                    at += 2;
                    continue;
                }
                // A single quote behind a letter belongs to a name.
                let in_name = at > start && bytes[at - 1].is_ascii_alphanumeric();
                at += match bytes[at] {
                    b'"' => code[at + 1..].find('"').map_or(1, |end| end + 2),
                    b'\'' if !in_name => code[at + 1..].find('\'').map_or(1, |end| end + 2),
                    _ => 1,
                };
            }
        }
        words.push(&code[start..at]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_rows_and_stages_have_their_places() {
        let text = "set T=1..2\n  param a[T] = [1,\n2]\nminimize\ncost: sum{t in T}\na[t] x[t]\n\n\
                    subject to\n r[t in T where t!=1]:\n x[t]>=1\nprefix\nexists binary y\n\
                    stage t in T:\nforall binary u[t];\nexists real x[t] in [0,1]\nexists real z\nend";
        let expected = "set T = 1..2\nparam a[T] = [1,\n    2]\nminimize\n  cost: sum{t in T}\n  a[t] x[t]\n\n\
                        subject to\n  r[t in T where t!=1]:\n  x[t] >= 1\nprefix\n  exists binary y\n\
                        \x20 stage t in T:\n    forall binary u[t];\n    exists real x[t] in [0,1]\n  exists real z\nend\n";
        assert_eq!(layout(text), expected);
        assert_eq!(layout(expected), expected);
    }

    #[test]
    fn texts_and_comments_are_left_alone() {
        let text = "data \"my  data.toml\"  \\   a  note\nset S = {'a  b'}\n";
        assert_eq!(layout(text), text);
        assert_eq!(layout("\n\n\\ x\n\n\n\\ y\n\n"), "\\ x\n\n\\ y\n");
        assert_eq!(layout(""), "");
    }
}
