//! What abstraction refinement takes on, and which of its techniques are on.

use std::time::Duration;

use crate::switch::{Switch, SwitchError, Technique, set_technique, switches_of};

/// See the module. Every combination of techniques gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Programs with more legal plays are refused: the adversary looks through all of them.
    pub most_plays: usize,
    /// In programs of two stages with more plays, the adversary is a program if it can be one.
    pub most_listed: usize,
    /// Several rounds are bounded with moves at once where all plays together have so many values.
    pub values_before_bound: usize,
    /// HiGHS is asked for a candidate when the master is not solved after this many nodes.
    pub nodes_before_claim: u64,
    /// An answer to a refutation need not be the cheapest after this many nodes.
    pub patience: u64,
    /// Guesses of the value begin when the scan has taken this many nodes.
    pub nodes_before_guesses: u64,
    /// The longest that HiGHS may think at a time.
    pub claim_time: Duration,
    /// The longest that best play is worked out for show, after the answer is proved.
    pub play_time: Duration,
    /// Keep refutations apart, instead of in one master.
    pub scan: bool,
    /// Glance at a part with every refutation, and look closely with one.
    pub lazy: bool,
    /// Split where splits have raised the bound, when an answer to a refutation is looked for.
    pub gains: bool,
    /// Put neighbours of the best first stage to the adversary, a quarter of the time.
    pub neighbours: bool,
    /// Guess the value when a scan takes long. Off: it proves better bounds early, but a guess just
    /// beyond the value takes as long as the proof. With it, runway scheduling with nine planes takes
    /// 26.8 s and not 15.4 s, and a critical node problem more than 23.5 s and not 13.6 s.
    pub guess: bool,
    /// At later stages, try moves first that refuted lately after another beginning.
    pub killers: bool,
    /// Leave out plays that another one outdoes.
    pub dominance: bool,
    /// Look first for a play that breaks a row whatever is answered.
    pub ruin: bool,
    /// Ask for the dearest play by a program, where plays are too many to list.
    pub program: bool,
    /// Bound several rounds by the game in which the universal player makes all its moves at once.
    pub at_once: bool,
    /// Refute candidates by multipliers of earlier replies, where replies are real.
    pub dual: bool,
    /// Replies answer more plays than the one they were made for, where replies are real.
    pub cover: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            most_plays: 200_000,
            most_listed: 4000,
            values_before_bound: 1_200_000,
            nodes_before_claim: 200,
            patience: 50,
            nodes_before_guesses: 500,
            claim_time: Duration::from_secs(10),
            play_time: Duration::from_millis(500),
            scan: true,
            lazy: true,
            gains: true,
            neighbours: true,
            guess: false,
            killers: true,
            dominance: true,
            ruin: true,
            program: true,
            at_once: true,
            dual: true,
            cover: true,
        }
    }
}

const TECHNIQUES: [Technique<Settings>; 12] = [
    (
        "expand.scan",
        |settings| &mut settings.scan,
        "split the first stage, each refutation by itself; off: one master",
    ),
    (
        "expand.lazy",
        |settings| &mut settings.lazy,
        "glance at a part with every refutation, look closely with one; off: closely with all",
    ),
    (
        "expand.gains",
        |settings| &mut settings.gains,
        "answer refutations by splitting where splits have raised the bound; off: by stage",
    ),
    (
        "expand.neighbours",
        |settings| &mut settings.neighbours,
        "put neighbours of the best first stage to the adversary, a quarter of the time",
    ),
    (
        "expand.guess",
        |settings| &mut settings.guess,
        "when the scan takes long, close the first stage for guesses of the value",
    ),
    (
        "expand.killers",
        |settings| &mut settings.killers,
        "at later stages, try moves first that refuted lately after another beginning",
    ),
    (
        "expand.dominance",
        |settings| &mut settings.dominance,
        "leave out plays that another one outdoes",
    ),
    (
        "expand.ruin",
        |settings| &mut settings.ruin,
        "look first for a play that breaks a row whatever is answered",
    ),
    (
        "expand.program",
        |settings| &mut settings.program,
        "find the dearest play by a program, where plays are too many to list",
    ),
    (
        "expand.at_once",
        |settings| &mut settings.at_once,
        "bound several rounds by the game in which the opponent makes all moves at once",
    ),
    (
        "expand.dual",
        |settings| &mut settings.dual,
        "refute candidates by multipliers of earlier replies, where replies are real",
    ),
    (
        "expand.cover",
        |settings| &mut settings.cover,
        "let real replies answer all plays that they can",
    ),
];

impl Settings {
    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::expand::Settings::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "expand.scan"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        switches_of(self, &TECHNIQUES)
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut settings = quip::expand::Settings::default();
    /// settings.set("expand.scan", "off")?;
    /// assert!(!settings.scan);
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        set_technique(self, &TECHNIQUES, key, value)
    }
}
