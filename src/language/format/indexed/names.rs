//! Names, texts and elements: each spelling is stored once.
//!
//! An element is a whole number or a word. A text that spells a whole number is that number, so `'1'`
//! in a data file and `1` in the model are the same element.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::ast::Name;

/// Every spelling, by number.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: FxHashMap<String, Name>,
    spelled: Vec<String>,
}

/// An element of a set.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Atom {
    Number(i64),
    Word(Name),
}

/// A tuple of elements: what stands in brackets.
pub(super) type Key = SmallVec<[Atom; 3]>;

impl Names {
    pub fn number(&mut self, spelling: &str) -> Name {
        if let Some(number) = self.numbers.get(spelling) {
            return *number;
        }
        // A text has fewer than 2³² bytes.
        let number = self.spelled.len() as Name;
        self.spelled.push(spelling.to_owned());
        self.numbers.insert(spelling.to_owned(), number);
        number
    }

    pub fn spelling(&self, name: Name) -> &str {
        &self.spelled[name as usize]
    }

    /// The element that a text stands for.
    pub fn atom(&mut self, text: &str) -> Atom {
        match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Atom::Number(number),
            _ => Atom::Word(self.number(text)),
        }
    }

    /// The element as people read it.
    pub fn shown(&self, atom: Atom) -> String {
        match atom {
            Atom::Number(number) => number.to_string(),
            Atom::Word(word) => self.spelling(word).to_owned(),
        }
    }

    /// `3,oslo`, as people read it.
    pub fn shown_key(&self, key: &[Atom]) -> String {
        let shown = key.iter().map(|atom| self.shown(*atom));
        shown.collect::<Vec<_>>().join(",")
    }

    /// `name[3,oslo]`, in letters that a name may have: a minus sign is an `m`, as in the Rust API, and
    /// strangers are `_`.
    pub fn instance(&self, name: &str, key: &[Atom]) -> String {
        if key.is_empty() {
            return name.to_owned();
        }
        let spell = |letter: char| match letter {
            '-' => 'm',
            _ if letter.is_ascii_alphanumeric() || "_.'@#".contains(letter) => letter,
            _ => '_',
        };
        let mut spelled = String::with_capacity(name.len() + 8);
        spelled.push_str(name);
        for (place, atom) in key.iter().enumerate() {
            spelled.push(if place == 0 { '[' } else { ',' });
            match atom {
                Atom::Number(number) => spelled.extend(number.to_string().chars().map(spell)),
                Atom::Word(word) => {
                    spelled.extend(self.spelling(*word).chars().map(|letter| match letter {
                        '-' => '_',
                        other => spell(other),
                    }));
                }
            }
        }
        spelled.push(']');
        spelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_spelled_in_letters_of_names() {
        let mut names = Names::default();
        let key = ["-3", "new york", "007", "a-b"].map(|text| names.atom(text));
        assert_eq!(key[0], Atom::Number(-3));
        assert_eq!(names.instance("x", &key), "x[m3,new_york,007,a_b]");
        assert_eq!(names.shown_key(&key), "-3,new york,007,a-b");
        assert_eq!(names.instance("x", &[]), "x");
    }
}
