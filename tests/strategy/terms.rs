//! Reads terms back and evaluates them, knowing nothing of how they were written.

use std::collections::BTreeMap;

use quip::num::{Rational, int, parse_rational};

/// The right-hand side of each name, as text.
pub struct Terms(BTreeMap<String, String>);

impl Terms {
    pub fn read(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let split = |line: &str| {
            let (name, term) = line.split_once(" = ").expect("a name and a term");
            (name.to_owned(), term.to_owned())
        };
        Self(lines.map(split).collect())
    }

    /// The value of a name; `None` if it may be anything.
    pub fn value(&self, name: &str, known: &BTreeMap<String, Rational>) -> Option<Rational> {
        let term = &self.0[name];
        (term != "any").then(|| self.evaluate(term, known))
    }

    fn evaluate(&self, term: &str, known: &BTreeMap<String, Rational>) -> Rational {
        if let Some(inside) = term.strip_prefix("ite(") {
            let parts = arguments(inside.strip_suffix(')').expect("a closed term"));
            let [test, yes, no] = parts.as_slice() else {
                panic!("{term}");
            };
            let chosen = if holds(test, known) { yes } else { no };
            return self.evaluate(chosen, known);
        }
        match term {
            "true" => int(1),
            "false" => int(0),
            name if name.starts_with('$') => self.evaluate(&self.0[name], known),
            number => parse_rational(number).expect("a number"),
        }
    }
}

/// Splits at the commas outside of parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

fn holds(test: &str, known: &BTreeMap<String, Rational>) -> bool {
    let value = |word: &str| match known.get(word) {
        Some(value) => value.clone(),
        None => parse_rational(word).expect("a number"),
    };
    test.split(" or ").any(|test| {
        let words: Vec<&str> = test.split(' ').collect();
        match words.as_slice() {
            [name] => known[*name] == int(1),
            [one, "=", other] => value(one) == value(other),
            [one, "<=", other] => value(one) <= value(other),
            [one, ">=", other] => value(one) >= value(other),
            [low, "<=", it, "<=", high] => value(low) <= value(it) && value(it) <= value(high),
            _ => panic!("{test}"),
        }
    })
}
