//! Putting the variables and rows of a model where a prefix file wants them.

use super::reader::{File, Word};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::plain::{Arrangement, Plain};
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use rustc_hash::FxHashMap;

/// Names that are listed in a message.
const LISTED: usize = 5;

/// The order and the owners that the file asks for; sets the bounds that it gives.
pub(super) fn arrangement(
    file: &File<'_>,
    plain: &mut Plain,
    problems: &mut Problems,
) -> Option<Arrangement> {
    let names: Vec<String> = plain.columns.iter().map(|it| it.name.clone()).collect();
    let mut columns = Matcher::new(&names, "variable");
    let mut order = Vec::with_capacity(names.len());
    for declaration in &file.declarations {
        for pattern in &declaration.patterns {
            for column in columns.take(pattern, problems) {
                order.push((column, declaration.owner));
                if let Some(bounds) = &declaration.bounds {
                    plain.columns[column].bounds = bounds.clone();
                }
            }
        }
    }
    let left: Vec<&str> = columns.left();
    if !left.is_empty() {
        let shown: Vec<String> = left
            .iter()
            .take(LISTED)
            .map(|name| shortened(name))
            .collect();
        let more = left.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let message = format!("not in the prefix: `{}`{more}", shown.join("`, `"));
        let end = file.declarations.last().and_then(|it| it.patterns.last());
        let span = end.map_or(file.model_span.clone(), |(_, span)| span.clone());
        let draft = Draft::new(Code::NotInPrefix, message).at(span, "the prefix ends here");
        problems.push(draft.help("say when they are fixed; `exists *` takes all that are left"));
        return None;
    }
    let names: Vec<String> = plain
        .rows
        .iter()
        .map(|(row, _)| row.name.clone().unwrap_or_default())
        .collect();
    let mut rows = Matcher::new(&names, "row");
    let mut universal_rows = vec![false; names.len()];
    for pattern in &file.universal_rows {
        for row in rows.take(pattern, problems) {
            universal_rows[row] = true;
        }
    }
    (!problems.has_errors()).then_some(Arrangement {
        order,
        universal_rows,
    })
}

/// Gives every name away once.
struct Matcher<'n> {
    names: &'n [String],
    places: FxHashMap<&'n str, usize>,
    taken: Vec<bool>,
    what: &'static str,
}

impl<'n> Matcher<'n> {
    fn new(names: &'n [String], what: &'static str) -> Self {
        let places = names.iter().enumerate();
        Self {
            names,
            places: places.map(|(place, name)| (name.as_str(), place)).collect(),
            taken: vec![false; names.len()],
            what,
        }
    }

    fn take(&mut self, (pattern, span): &Word<'_>, problems: &mut Problems) -> Vec<usize> {
        let what = self.what;
        let found: Vec<usize> = if pattern.contains('*') {
            let places = 0..self.names.len();
            let fits = |place: &usize| !self.taken[*place] && matches(pattern, &self.names[*place]);
            places.filter(fits).collect()
        } else {
            self.places.get(pattern).copied().into_iter().collect()
        };
        let shown = shortened(pattern);
        let again = found.first().is_some_and(|&place| self.taken[place]);
        if found.is_empty() || again {
            let (code, message) = match (again, what) {
                (true, _) => (Code::DeclaredTwice, format!("`{shown}` is listed twice")),
                (_, "row") => (Code::NoSuchRow, format!("the model has no row `{shown}`")),
                _ => (
                    Code::NotDeclared,
                    format!("the model has no variable `{shown}`"),
                ),
            };
            let known = nearest(pattern, self.names.iter().map(String::as_str));
            let help = known
                .filter(|_| !again)
                .map(|known| format!("did you mean `{known}`?"));
            problems.push(Draft::new(code, message).at(span.clone(), "").help_if(help));
            return Vec::new();
        }
        found.iter().for_each(|&place| self.taken[place] = true);
        found
    }

    fn left(&self) -> Vec<&'n str> {
        let left = self.names.iter().zip(&self.taken);
        left.filter(|(_, taken)| !**taken)
            .map(|(name, _)| name.as_str())
            .collect()
    }
}

/// Whether a name fits a pattern; `*` stands for any letters. The first place that fits will do for
/// every piece between stars.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, name, fits) in [
            ("*", "x", true),
            ("x*", "x", true),
            ("x*1", "x1", true),
            ("x*1", "x", false),
            ("d[*,2]", "d[10,2]", true),
            ("d[*,2]", "d[10,3]", false),
            ("a*a", "a", false),
            ("x", "x1", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
