//! "Did you mean …?": the nearest known word.

/// Longest word that is compared; nobody mistypes a longer one by hand.
const LONGEST: usize = 48;

/// Most candidates that are looked at, so that a suggestion costs the same for every model.
const CANDIDATES: usize = 100_000;

/// The candidate that is fewest typing mistakes away from `word`, if that is few enough.
///
/// ```
/// use quip::format::nearest;
/// assert_eq!(nearest("demnd", ["supply", "demand"].into_iter()), Some("demand"));
/// assert_eq!(nearest("profit", ["supply", "demand"].into_iter()), None);
/// ```
pub fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let allowed = match word.len() {
        0..=1 => return None,
        2..=3 => 1,
        4..=LONGEST => 2,
        _ => return None,
    };
    let near = candidates.take(CANDIDATES).filter_map(|candidate| {
        let close = candidate != word && candidate.len().abs_diff(word.len()) <= allowed;
        let mistakes = close.then(|| distance(word.as_bytes(), candidate.as_bytes()))?;
        (mistakes <= allowed).then_some((mistakes, candidate))
    });
    near.min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements (another case counts as none) and
/// swaps of neighbours that turn one word into the other.
fn distance(from: &[u8], to: &[u8]) -> usize {
    let mut two_above = vec![0; to.len() + 1];
    let mut above: Vec<usize> = (0..=to.len()).collect();
    let mut row = above.clone();
    for (i, &left) in from.iter().enumerate() {
        row[0] = i + 1;
        for (j, &right) in to.iter().enumerate() {
            let replaced = above[j] + usize::from(!left.eq_ignore_ascii_case(&right));
            row[j + 1] = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && left == to[j - 1] && from[i - 1] == right;
            if swapped {
                row[j + 1] = row[j + 1].min(two_above[j - 1] + 1);
            }
        }
        std::mem::swap(&mut two_above, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted() {
        for (from, to, mistakes) in [
            ("demnd", "demand", 1),
            ("dmeand", "demand", 1),
            ("Demand", "demand", 0),
            ("kitten", "sitting", 3),
            ("", "ab", 2),
        ] {
            assert_eq!(
                distance(from.as_bytes(), to.as_bytes()),
                mistakes,
                "{from} {to}"
            );
        }
    }

    #[test]
    fn only_a_near_word_is_suggested() {
        let known = ["supply", "demand", "x1"];
        assert_eq!(nearest("demnd", known.into_iter()), Some("demand"));
        assert_eq!(nearest("x2", known.into_iter()), Some("x1"));
        assert_eq!(nearest("profit", known.into_iter()), None);
        assert_eq!(nearest("x", known.into_iter()), None);
    }
}
