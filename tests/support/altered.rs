//! Certificates with a word exchanged, and whether what they still claim is true.

use quip::check::{Proved, Verdict};
use quip::outcome::Score;
use quip::strategy::Guarantee;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// What a guarantee is worth at the root.
pub fn score(guarantee: &Guarantee) -> Score {
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
        other => *value <= score(other),
    };
    let below = |proved: &Proved| *value >= score(&proved.guarantee);
    verdict.strategy.iter().all(above) && verdict.refutation.iter().all(below)
}

/// Replaces one word of the text by another number, row, variable or keyword of it.
pub fn altered(text: &str, dice: &mut ChaCha8Rng) -> String {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let at = dice.random_range(4..words.len());
    let other = words[dice.random_range(4..words.len())];
    let end = &words[at][words[at].trim_end().len()..];
    let bare = words[at].trim_end();
    let replacement = match (bare.parse::<i64>(), dice.random_range(0..3)) {
        (Ok(number), 0) => (number + 1).to_string(),
        (Ok(number), 1) => (number - 1).to_string(),
        _ => other.trim_end().to_owned(),
    };
    let mut all: Vec<&str> = words.clone();
    let new = replacement + end;
    all[at] = &new;
    all.concat()
}
