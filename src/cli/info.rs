//! `quip info`.

use itertools::Itertools;
use quip::num::{Digits, Rational};
use serde::Serialize;

use super::args::{InfoArgs, Style};
use super::exit::{Exit, Failure};
use super::facts::{Facts, Kinds, SystemFacts};
use super::json;
use super::lint::{Lint, lints};
use super::output::{answer, complain};
use super::reading::{self, Model};
use super::text::counted;

/// How many blocks and remarks the text lists; JSON has all.
const SHOWN: usize = 20;

/// The answer as JSON.
#[derive(Serialize)]
struct InfoJson<'a> {
    schema: &'static str,
    file: &'a str,
    format: String,
    fingerprint: String,
    #[serde(flatten)]
    facts: &'a Facts,
    lints: Vec<String>,
    warnings: &'a [String],
}

/// Describes a model.
pub fn run(wanted: &InfoArgs, style: Style) -> Result<Exit, Failure> {
    let model = reading::read(&wanted.model, &wanted.read, style.log)?;
    let facts = Facts::of(&model.program);
    let lints = lints(&model.program);
    if wanted.json {
        answer(&json::to_line(&InfoJson {
            schema: "quip-info/1",
            file: &model.name,
            format: model.format.to_string(),
            fingerprint: model.program.fingerprint(),
            facts: &facts,
            lints: lints.iter().map(Lint::to_string).collect(),
            warnings: &model.warnings,
        }))?;
    } else {
        model
            .rendered_warnings
            .iter()
            .for_each(|text| complain(text));
        answer(&describe(&model, &facts, &lints))?;
    }
    Ok(Exit::Proved)
}

fn describe(model: &Model, facts: &Facts, lints: &[Lint]) -> String {
    let mut lines = vec![format!("{}: {}", model.name, facts.class.shape)];
    let mut say = |label: &str, text: String| lines.push(format!("  {label:<13} {text}"));
    say("format", model.format.to_string());
    say("fingerprint", model.program.fingerprint());
    say("question", question(facts));
    say("variables", players(facts));
    if let Some([least, most]) = &facts.domain_sizes {
        say("domains", format!("integers with {}", values(least, most)));
    }
    say("rows", rows(&facts.existential));
    say("uncertainty", rows(&facts.universal));
    say("universal", uncertainty(facts));
    if let Some([least, most]) = &facts.coefficients {
        say(
            "coefficients",
            format!("{} to {} in absolute value", short(least), short(most)),
        );
    }
    lines.extend(blocks(facts));
    lines.extend(remarks(lints));
    lines.join("\n") + "\n"
}

fn question(facts: &Facts) -> String {
    match &facts.sense {
        Some(sense) => format!("{sense} an objective"),
        None if facts.class.clausal => "who wins? (quantified Boolean formula)".into(),
        None => "who wins?".into(),
    }
}

fn players(facts: &Facts) -> String {
    let total = facts.exists.total() + facts.forall.total();
    let owned =
        |name: &str, kinds: Kinds| format!("{} {name}{}", kinds.total(), in_brackets(kinds));
    format!(
        "{total}: {}, {}",
        owned("exists", facts.exists),
        owned("forall", facts.forall)
    )
}

fn in_brackets(kinds: Kinds) -> String {
    let listed = kind_list(kinds);
    if listed.is_empty() {
        listed
    } else {
        format!(" ({listed})")
    }
}

fn kind_list(kinds: Kinds) -> String {
    let counts = [
        (kinds.binary, "binary"),
        (kinds.integer, "integer"),
        (kinds.real, "real"),
    ];
    let present = counts.into_iter().filter(|(count, _)| *count > 0);
    present
        .map(|(count, kind)| format!("{count} {kind}"))
        .join(", ")
}

fn rows(system: &SystemFacts) -> String {
    format!(
        "{}, {}, {}",
        counted(system.rows, "row"),
        counted(system.equations, "equation"),
        counted(system.nonzeros, "nonzero")
    )
}

fn uncertainty(facts: &Facts) -> String {
    let dependent = if facts.class.decision_dependent {
        "depends on decisions"
    } else {
        "does not depend on decisions"
    };
    let restricted = if facts.class.simply_restricted {
        "simply restricted"
    } else {
        "not known to be simply restricted"
    };
    format!("{dependent}, {restricted}")
}

fn blocks(facts: &Facts) -> Vec<String> {
    let total = facts.blocks.len();
    let mut lines = vec![format!("  {:<13} {total}", "blocks")];
    lines.extend(
        facts
            .blocks
            .iter()
            .take(SHOWN)
            .enumerate()
            .map(|(place, block)| {
                let symbol = if block.quantifier == "exists" {
                    '∃'
                } else {
                    '∀'
                };
                let sizes = block.domain_sizes.as_ref();
                let sizes = sizes.map_or_else(String::new, |[least, most]| {
                    format!(", {} each", values(least, most))
                });
                format!(
                    "  {:>6} {symbol}     {}{sizes}",
                    place + 1,
                    kind_list(block.kinds)
                )
            }),
    );
    lines.extend((total > SHOWN).then(|| format!("         … {} more", total - SHOWN)));
    lines
}

/// `2 values`, `2 to 10 values`.
fn values(least: &str, most: &str) -> String {
    if least == most {
        format!("{} values", short(least))
    } else {
        format!("{} to {} values", short(least), short(most))
    }
}

/// A number of a fact for people.
fn short(number: &str) -> String {
    let value = number.parse::<Rational>();
    value.map_or_else(|_| number.to_owned(), |value| Digits::Rounded.short(&value))
}

fn remarks(lints: &[Lint]) -> Vec<String> {
    let mut lines: Vec<String> = lints
        .iter()
        .take(SHOWN)
        .map(|lint| format!("  {:<13} {lint}", "note"))
        .collect();
    if lints.len() > SHOWN {
        let more = lints.len() - SHOWN;
        lines.push(format!(
            "  {:<13} … {more} more notes; --json lists all",
            ""
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_powers_of_ten() {
        let thousand = |digit: &str| digit.to_owned() + &"0".repeat(300);
        assert_eq!(short("123"), "123");
        assert_eq!(short(&thousand("1")), "1e300");
        assert_eq!(short(&format!("1/{}", thousand("1"))), "1e-300");
        assert_eq!(short(&"7".repeat(301)), "≈7.777778e300");
    }
}
