//! Names that every format carries, made of names that MPS and LP files allow.
//!
//! Parentheses and braces become brackets, other strangers `_`; a name that begins like a number or is
//! a word of the format gets a letter in front or `_` behind it; and a name that is taken by then gets
//! a number. Names that are in order stay as they are.

use rustc_hash::FxHashSet;

use super::Plain;
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::text::shortened;
use crate::program::{check_name, is_reserved};

/// Gives every column and row a name that can be written again, and says if one was changed.
pub(in crate::format) fn settled(plain: &mut Plain, problems: &mut Problems) {
    let columns = plain.columns.iter_mut();
    let columns = columns.map(|column| (&mut column.name, &column.span));
    let changed = settle(columns.collect(), 'x');
    let rows = plain.rows.iter_mut();
    let rows = rows.filter_map(|(row, span)| Some((row.name.as_mut()?, &*span)));
    let changed = changed.into_iter().chain(settle(rows.collect(), 'r'));
    let mut changed: Vec<_> = changed.collect();
    if let Some(objective) = &mut plain.objective
        && let Some(name) = &mut objective.name
        && check_name(name).is_err()
    {
        *name = allowed(name, 'o');
    }
    changed.sort_by_key(|(_, span)| span.start);
    if let Some((sentence, span)) = changed.first() {
        let more = changed.len() - 1;
        let message = match more {
            0 => sentence.clone(),
            _ => format!("{sentence}, and {more} more names were changed"),
        };
        let draft = Draft::new(Code::NameChanged, message).at(span.clone(), "");
        problems.push(
            draft.help("names have letters, digits and _ . [ ] , ' @ #, and begin with a letter"),
        );
    }
}

type Named<'n> = (&'n mut String, &'n std::ops::Range<usize>);

fn settle(named: Vec<Named<'_>>, letter: char) -> Vec<(String, std::ops::Range<usize>)> {
    let good = named.iter().filter(|(name, _)| check_name(name).is_ok());
    let mut taken: FxHashSet<String> = good.map(|(name, _)| (*name).clone()).collect();
    let mut changed = Vec::new();
    for (name, span) in named {
        if check_name(name).is_ok() {
            continue;
        }
        let plain = allowed(name, letter);
        let mut new = plain.clone();
        let mut number = 2_usize;
        while !taken.insert(new.clone()) {
            new = format!("{plain}_{number}");
            number += 1;
        }
        // Parentheses for brackets are no news: LP files are written with them.
        if new == name.replace('(', "[").replace(')', "]") {
            *name = new;
            continue;
        }
        let sentence = format!("`{}` is called `{}` here", shortened(name), shortened(&new));
        changed.push((sentence, span.clone()));
        *name = new;
    }
    changed
}

fn allowed(name: &str, letter: char) -> String {
    let spell = |character: char| match character {
        '(' | '{' | '<' => '[',
        ')' | '}' | '>' => ']',
        _ if character.is_ascii_alphanumeric() || "_.[],'@#".contains(character) => character,
        _ => '_',
    };
    let mut spelled: String = name.chars().map(spell).collect();
    if !spelled.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        spelled.insert(0, letter);
    }
    if is_reserved(&spelled) {
        spelled.push('_');
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_in_names_are_replaced() {
        for (name, expected) in [
            ("x(1,2)", "x[1,2]"),
            ("2nd", "x2nd"),
            ("End", "End_"),
            ("a b", "a_b"),
            ("é", "_"),
        ] {
            assert_eq!(allowed(name, 'x'), expected, "{name}");
        }
    }

    #[test]
    fn a_changed_name_takes_no_other_name() {
        let mut names = ["x(1)".to_owned(), "x[1]".to_owned(), "x{1}".to_owned()];
        let spans = [0..1, 1..2, 2..3];
        let named = names.iter_mut().zip(&spans).collect();
        assert_eq!(settle(named, 'x').len(), 2);
        let mut name = "x(1)".to_owned();
        assert!(settle(vec![(&mut name, &(0..1))], 'x').is_empty());
        assert_eq!(name, "x[1]");
        assert_eq!(names, ["x[1]_2", "x[1]", "x[1]_3"]);
    }
}
