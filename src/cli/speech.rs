//! Plays of games in the words of the game.
//!
//! A program of a game begins with a comment that says which game it is and from what it was made. Who
//! reads it knows the rules then, and which variables show a move. The comment is believed only if
//! the game makes the same program.

use quip::games::play::{Promise, Rules};
use quip::games::{Family, family};
use quip::outcome::{Outcome, Status};
use quip::program::{Program, Quantifier};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// What the comment begins with.
const MARK: &str = "\\ game: ";

/// The comment of a game, and nothing for other families.
pub fn comment(family: &Family, given: &[(&str, &str)]) -> String {
    if !family.is_playable() {
        return String::new();
    }
    let given: serde_json::Map<_, _> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).into()))
        .collect();
    format!("{MARK}{}\n", serde_json::json!({family.name: given}))
}

/// The comment of a text.
pub fn found(bytes: &[u8]) -> Option<String> {
    let line = bytes.strip_prefix(MARK.as_bytes())?;
    let line = line.split(|&byte| byte == b'\n').next()?;
    String::from_utf8(line.to_vec()).ok()
}

/// An answer in the words of a game.
#[derive(Debug, Serialize)]
pub struct Told {
    /// Whose first move it is, if he has one to make: `black plays b2`.
    pub now: Option<String>,
    /// The moves of the play that the answer shows: `black b2`, `white a1`.
    pub play: Vec<String>,
    /// What the answer promises.
    pub meaning: Option<String>,
}

impl Told {
    /// What the comment of a file makes of an answer; nothing if it does not speak of this program.
    pub fn of(comment: &str, program: &Program, outcome: &Outcome) -> Option<Self> {
        let comment: serde_json::Value = serde_json::from_str(comment).ok()?;
        let (name, given) = comment.as_object()?.iter().next()?;
        let given: Vec<(&str, &str)> = given
            .as_object()?
            .iter()
            .map(|(name, value)| Some((name.as_str(), value.as_str()?)))
            .collect::<Option<_>>()?;
        let family = family(name)?;
        let made = family.program(&given).ok()?;
        if made.fingerprint() != program.fingerprint() {
            return None;
        }
        let rules = family.rules(&given).ok()?;
        Some(Self::by(&*rules, program, outcome))
    }

    fn by(rules: &dyn Rules, program: &Program, outcome: &Outcome) -> Self {
        let [first, second] = rules.sides();
        let side = |mover| match mover {
            Quantifier::Exists => first,
            Quantifier::Forall => second,
        };
        let history = history(rules, program, outcome);
        let mut play = Vec::new();
        for (place, option) in history.iter().enumerate() {
            let mover = rules.mover(&history[..place]);
            play.push(format!("{} {}", side(mover), rules.word(*option)));
        }
        let promise = match (outcome.status, &outcome.objective) {
            (Status::Optimal, Some(value)) => Some(Promise::Value(value)),
            (Status::Feasible | Status::UniversalStuck, _) => Some(Promise::Win),
            (Status::Infeasible, _) => Some(Promise::Loss),
            _ => None,
        };
        let decides = rules.mover(&[]) == Quantifier::Exists
            && outcome.status != Status::Infeasible
            && !history.is_empty();
        Self {
            now: decides.then(|| format!("{first} plays {}", rules.word(history[0]))),
            play,
            meaning: promise.map(|promise| rules.meaning(promise)),
        }
    }
}

/// The moves of the play that the answer shows, as far as it shows them.
fn history(rules: &dyn Rules, program: &Program, outcome: &Outcome) -> Vec<usize> {
    let moves = match outcome.principal_variation.is_empty() {
        true => &outcome.first_stage,
        false => &outcome.principal_variation,
    };
    let values: FxHashMap<&str, String> = moves
        .iter()
        .map(|(var, value)| (program.variables()[*var].name.as_str(), value.to_string()))
        .collect();
    let shows =
        |(name, value): &(String, i64)| values.get(name.as_str()) == Some(&value.to_string());
    let mut history = Vec::new();
    // A move that fixes nothing, such as a pass, is taken if no other one was.
    while rules.end(&history).is_none() && history.len() <= program.variables().len() {
        let traces = |option: &usize| rules.traces(&history, *option);
        let options = rules.options(&history);
        let taken = options.iter().find(|option| {
            let traces = traces(option);
            !traces.is_empty() && traces.iter().all(shows)
        });
        let passed = || options.iter().find(|option| traces(option).is_empty());
        match taken.or_else(passed) {
            Some(&option) => history.push(option),
            None => break,
        }
    }
    history
}
