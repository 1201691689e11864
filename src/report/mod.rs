//! One self-contained page about an answer: HTML that loads nothing, with a strategy explorer.
//!
//! The page is a template (`page.html`, `page.css`) and a script (`exact.js`: rationals, `plan.js`:
//! rows and plans, `board.js`, `explorer.js`, `page.js`) that shows data which stand in the page as JSON. The
//! script plays a strategy as [`Strategy::play`](crate::strategy::Strategy::play) does, in exact
//! arithmetic.
//!
//! **Invariant:** whatever a name, a title or a model text says, it is shown as text: in the JSON
//! no `<` is left that could end the script, and the script sets names as text only.
//! **Invariant:** a page of an ordinary model has less than a megabyte; what is left out of a large
//! one is said on the page.

mod data;
mod plan;
mod scene;

use serde::Serialize;

use crate::games::play::Scene;
use crate::num::{Digits, Rational};
use crate::outcome::{Move, Status};
use crate::program::Program;
use crate::strategy::Strategy;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: [&str; 5] = [
    include_str!("exact.js"),
    include_str!("plan.js"),
    include_str!("board.js"),
    include_str!("explorer.js"),
    include_str!("page.js"),
];

/// How much of a model's text a page holds, in bytes.
const LONGEST_TEXT: usize = 150_000;

/// Everything that a page tells. Sentences are plain text.
#[derive(Debug)]
pub struct Page<'a> {
    /// The program that the strategies were made for.
    pub program: &'a Program,
    /// How numbers are written.
    pub digits: Digits,
    /// What the page is called.
    pub title: &'a str,
    /// The command that makes it again.
    pub command: String,
    /// The answer.
    pub answer: Answer,
    /// The decisions before the first move of the opponent.
    pub first_stage: &'a [Move],
    /// The play that the answer shows.
    pub play: &'a [Move],
    /// What that play is.
    pub play_means: &'a str,
    /// The board, if the program is a game that has one.
    pub scene: Option<Scene>,
    /// What the existential player does.
    pub strategy: Option<&'a Strategy>,
    /// What the universal player does.
    pub refutation: Option<&'a Strategy>,
    /// The value beside those of other games.
    pub price: Option<Price>,
    /// The value against a budget of the opponent.
    pub curve: Option<Curve>,
    /// What else could be decided first.
    pub alternatives: Option<Alternatives>,
    /// Every best first decision.
    pub first_moves: Option<FirstMoves>,
    /// The rules of the opponent that the answer rests on, a sentence each.
    pub granted: Vec<String>,
    /// Why it is lost.
    pub core: Option<Core>,
    /// What was not found out, a sentence each.
    pub missing: Vec<String>,
    /// Seconds, value in hand and bound.
    pub trace: Vec<(f64, Option<Rational>, Option<Rational>)>,
    /// Names and values: file, options, effort.
    pub facts: Vec<(&'static str, String)>,
    /// The model as it was written.
    pub text: &'a str,
}

/// The answer in words and numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The kind of answer.
    pub status: Status,
    /// The whole of it.
    pub sentence: String,
    /// What is guaranteed.
    pub objective: Option<String>,
    /// What is proved on the other side.
    pub bound: Option<String>,
    /// How far they are apart, if they are.
    pub gap: Option<String>,
    /// Whether a certificate was checked.
    pub checked: bool,
    /// What proves the answer.
    pub proof: String,
}

/// The price of robustness.
#[derive(Clone, Debug, Serialize)]
pub struct Price {
    /// The games.
    pub entries: Vec<PriceLine>,
    /// Whether every play of the opponent is among them.
    pub complete: bool,
}

/// Another game.
#[derive(Clone, Debug, Serialize)]
pub struct PriceLine {
    /// What it is.
    pub name: String,
    /// Whether the opponent is held to one play.
    pub scenario: bool,
    /// Its value, if that is a number.
    pub value: Option<String>,
    /// Its value in words.
    pub words: String,
}

/// The value against the side of a row of the opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The row and its sign, such as `few <=`.
    pub row: String,
    /// The side as it is.
    pub side: String,
    /// Other sides, the value if it is a number, and the value in words.
    pub points: Vec<(String, Option<String>, String)>,
}

/// What else could be decided first.
#[derive(Clone, Debug, Serialize)]
pub struct Alternatives {
    /// What was looked at.
    pub tried: Vec<AlternativeLine>,
    /// How many more there were.
    pub left_out: usize,
}

/// One other decision.
#[derive(Clone, Debug, Serialize)]
pub struct AlternativeLine {
    /// The change.
    pub change: String,
    /// What becomes of it.
    pub words: String,
    /// Whether that is as good.
    pub as_good: Option<bool>,
}

/// Every best first decision.
#[derive(Clone, Debug, Serialize)]
pub struct FirstMoves {
    /// A line each.
    pub moves: Vec<String>,
    /// Whether these are all.
    pub complete: bool,
}

/// Why a program is lost.
#[derive(Clone, Debug)]
pub struct Core {
    /// A refuting play.
    pub play: Vec<Move>,
    /// What it shows; names stand between backticks.
    pub sentences: Vec<String>,
}

impl Page<'_> {
    /// The page.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::outcome::Status;
    /// use quip::report::{Answer, Page};
    ///
    /// let text = "minimize x prefix exists binary x end";
    /// let answer = Answer {
    ///     status: Status::Optimal,
    ///     sentence: "The minimum is 0.".into(),
    ///     objective: Some("0".into()),
    ///     bound: Some("0".into()),
    ///     gap: None,
    ///     checked: false,
    ///     proof: "No certificate was made.".into(),
    /// };
    /// let page = Page {
    ///     program: &parse_qip(text)?,
    ///     digits: quip::num::Digits::Rounded,
    ///     title: "</script>",
    ///     command: "quip report x.qip".into(),
    ///     answer,
    ///     first_stage: &[],
    ///     play: &[],
    ///     play_means: "",
    ///     scene: None,
    ///     strategy: None,
    ///     refutation: None,
    ///     price: None,
    ///     curve: None,
    ///     alternatives: None,
    ///     first_moves: None,
    ///     granted: Vec::new(),
    ///     core: None,
    ///     missing: Vec::new(),
    ///     trace: Vec::new(),
    ///     facts: Vec::new(),
    ///     text,
    /// };
    /// let html = page.html();
    /// assert!(html.contains("<title>&lt;/script&gt;</title>"));
    /// assert_eq!(html.matches("</script>").count(), 2, "those of the template");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn html(&self) -> String {
        let script = format!(
            "(() => {{\n\"use strict\";\n\
             const data = JSON.parse(document.getElementById(\"data\").textContent);\n{}}})();",
            SCRIPT.concat()
        );
        let parts = [
            ("title", escaped(self.title)),
            ("sentence", escaped(&self.answer.sentence)),
            ("style", STYLE.to_owned()),
            ("data", data::json(self)),
            ("script", script),
        ];
        filled(TEMPLATE, &parts)
    }
}

/// The template with its `@name@` replaced. What is put in is not looked at again.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut html = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        html += before;
        let named = after.split_once('@').and_then(|(name, behind)| {
            let (_, value) = parts.iter().find(|(part, _)| *part == name)?;
            Some((value, behind))
        });
        match named {
            Some((value, behind)) => {
                html += value;
                rest = behind;
            }
            None => {
                html.push('@');
                rest = after;
            }
        }
    }
    html + rest
}

/// Text as HTML, also inside of quotes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html += "&amp;",
            '<' => html += "&lt;",
            '>' => html += "&gt;",
            '"' => html += "&quot;",
            '\'' => html += "&#39;",
            other => html.push(other),
        }
    }
    html
}

/// The beginning of a text, cut between characters; whether it is all of it.
fn beginning(text: &str, most: usize) -> (&str, bool) {
    if text.len() <= most {
        return (text, true);
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end));
    (&text[..end.unwrap_or(0)], false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let parts = [("a", "@b@".to_owned()), ("b", "no".to_owned())];
        assert_eq!(filled("x@y.z @a@ @media", &parts), "x@y.z @b@ @media");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(beginning("aé", 2), ("a", false));
        assert_eq!(beginning("aé", 3), ("aé", true));
    }

    #[test]
    fn the_template_names_every_part_and_loads_nothing() {
        for part in ["title", "sentence", "style", "data", "script"] {
            assert!(TEMPLATE.contains(&format!("@{part}@")), "{part}");
        }
        let whole = [TEMPLATE, STYLE].concat() + &SCRIPT.concat();
        // What is named with `#` is in the page.
        let whole = whole.replace("url(#", "");
        for call in [
            "fetch(",
            "import(",
            "XMLHttpRequest",
            "url(",
            "src=",
            "innerHTML",
        ] {
            assert!(!whole.contains(call), "{call}");
        }
    }
}
