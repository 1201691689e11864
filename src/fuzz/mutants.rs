//! Certificates that somebody has damaged, and whether what they still claim is true.

use std::collections::BTreeMap;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::outcome::Score;
use crate::strategy::{Guarantee, Proved, Verdict};

/// What a guarantee is worth at the root.
pub fn worth(guarantee: &Guarantee) -> Score {
    match guarantee {
        Guarantee::Won => Score::Won,
        Guarantee::Unbounded => Score::Unbounded,
        Guarantee::Kept | Guarantee::Lost => Score::Lost,
        Guarantee::Cost(cost) => Score::Cost(cost.clone()),
    }
}

/// What the certificate claims must be true, whatever is written in it.
pub fn claims_hold(verdict: &Verdict, value: &Score) -> bool {
    let above = |proved: &Proved| match &proved.guarantee {
        Guarantee::Kept => *value < Score::Lost,
        other => *value <= worth(other),
    };
    let below = |proved: &Proved| *value >= worth(&proved.guarantee);
    verdict.strategy.iter().all(above) && verdict.refutation.iter().all(below)
}

/// Replaces one word of the text by another number, row, variable or keyword of it.
pub fn altered(text: &str, dice: &mut ChaCha8Rng) -> String {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let at = dice.random_range(4..words.len());
    let other = words[dice.random_range(4..words.len())];
    let new = replaced(words[at], other, dice);
    let mut all: Vec<&str> = words.clone();
    all[at] = &new;
    all.concat()
}

/// The word with another number or with the other word in its place; what ends it stays.
fn replaced(word: &str, other: &str, dice: &mut ChaCha8Rng) -> String {
    let bare = word.trim_end();
    let end = &word[bare.len()..];
    let number = bare.parse::<i64>().ok();
    let new = match (number, dice.random_range(0..4)) {
        (Some(number), 0) => number.saturating_add(1).to_string(),
        (Some(number), 1) => number.saturating_sub(1).to_string(),
        (Some(number), 2) => number.saturating_neg().to_string(),
        _ => other.trim_end().to_owned(),
    };
    new + end
}

/// The keywords of a line: what it says, whatever it says it of. Sums of nodes and copies of plays have an
/// `@` in front of or inside a word.
fn keywords(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '=', ':'])
        .filter_map(|word| match word.find('@') {
            Some(0) => Some("@node"),
            Some(_) => Some("@play"),
            None => {
                let is_keyword =
                    word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_lowercase());
                is_keyword.then_some(word)
            }
        })
}

/// The lines behind the head, by the rules of the grammar that they use.
pub fn rules(text: &str) -> BTreeMap<&str, Vec<usize>> {
    let mut rules: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().skip(2) {
        for word in keywords(line) {
            let lines = rules.entry(word).or_default();
            if lines.last() != Some(&number) {
                lines.push(number);
            }
        }
    }
    rules
}

/// Damages a line that uses one of the rules, each as often as any other or the one that was damaged least: a
/// word, the line, or the line and its neighbour. Also says which rule.
pub fn aimed(
    text: &str,
    done: impl Fn(&str) -> u64,
    dice: &mut ChaCha8Rng,
) -> Option<(String, String)> {
    let rules: Vec<(&str, Vec<usize>)> = rules(text).into_iter().collect();
    let (rule, lines) = match dice.random() {
        true => rules.choose(dice)?,
        false => rules.iter().min_by_key(|(rule, _)| done(rule))?,
    };
    let at = *lines.choose(dice)?;
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let mut all: Vec<String> = all.into_iter().map(str::to_owned).collect();
    match dice.random_range(0..10) {
        0 => drop(all.remove(at)),
        1 => all.insert(at, all[at].clone()),
        2 if at + 1 < all.len() => all.swap(at, at + 1),
        3 => {
            let other = *lines.choose(dice)?;
            all.swap(at, other);
        }
        _ => {
            let from = match dice.random_range(0..3) {
                0 => all.choose(dice)?,
                _ => &all[*lines.choose(dice)?],
            };
            let others: Vec<String> = from.split_inclusive(' ').map(str::to_owned).collect();
            let mut words: Vec<String> = all[at].split_inclusive(' ').map(str::to_owned).collect();
            let place = dice.random_range(0..words.len());
            let other = others.choose(dice)?;
            words[place] = replaced(&words[place], other, dice);
            all[at] = words.concat();
            if !all[at].ends_with('\n') {
                all[at].push('\n');
            }
        }
    }
    Some(((*rule).to_owned(), all.concat()))
}
