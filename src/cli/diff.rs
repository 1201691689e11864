//! `quip diff`: what two models, or two results, have not in common.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use itertools::Itertools;
use quip::budget::Limits;
use quip::format::write_qip;
use quip::num::Rational;
use quip::program::{Program, Quantifier, Term};
use quip::solver::{Options, Solver};
use serde::Serialize;
use serde_json::Value;

use super::args::Style;
use super::exit::{Exit, Failure};
use super::explain::worth;
use super::json::to_line;
use super::output::answer;
use super::reading::{self, ReadArgs, spoken};
use super::text::DigitsArgs;
use super::ticker::Ticker;
use super::{quantity, signals};

/// Compare two models, or two results
///
/// Models are compared by what they say: variables, rows of either player and the objective by their
/// names, whatever the file format, the order of rows and terms, or the layout. Results of `solve -o`
/// are compared by their answers and first decisions. Exit code 0 if nothing differs, 1 if something does.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip diff lot.qip lot-2.qip
  quip diff --solve -t 60 lot.qip lot-2.qip     and what each is worth
  quip diff monday.json tuesday.json            two results")]
pub struct DiffArgs {
    /// Model file, or a result as JSON
    #[arg(value_name = "A")]
    one: PathBuf,
    /// The other one
    #[arg(value_name = "B")]
    other: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// Solve both models, too
    #[arg(long)]
    solve: bool,
    /// Time for each solve, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    time: Option<Duration>,
    /// Answer with JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    digits: DigitsArgs,
}

/// One difference: what it is about, and what either side says.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Difference {
    /// `objective`, `row`, `uncertainty row`, `variable`, `order` or a field of a result.
    about: &'static str,
    one: Option<String>,
    other: Option<String>,
}

#[derive(Serialize)]
struct DiffJson<'a> {
    schema: &'static str,
    same: bool,
    differences: &'a [Difference],
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<[String; 2]>,
}

/// Compares.
pub fn run(wanted: &DiffArgs, style: Style) -> Result<Exit, Failure> {
    let files = [&wanted.one, &wanted.other].map(|path| bytes_of(path));
    let [one, other] = files;
    let bytes = [one?, other?];
    let results = [&bytes[0], &bytes[1]].map(|bytes| result_of(bytes));
    let (differences, values) = match results {
        [Some(one), Some(other)] => (of_results(&one, &other), None),
        [None, None] => {
            let read = |path: &Path, bytes: &[u8]| {
                Ok::<_, Failure>(reading::parse(path, bytes, &wanted.read, style.log)?.program)
            };
            let one = read(&wanted.one, &bytes[0])?;
            let other = read(&wanted.other, &bytes[1])?;
            let values = match wanted.solve {
                true => Some([value(&one, wanted)?, value(&other, wanted)?]),
                false => None,
            };
            (of_models(&one, &other), values)
        }
        _ => {
            return Err(Failure::Usage(
                "one of them is a model and the other one a result; name two of a kind".into(),
            ));
        }
    };
    let is_same = differences.is_empty();
    match wanted.json {
        true => answer(&to_line(&DiffJson {
            schema: "quip-diff/1",
            same: is_same,
            differences: &differences,
            values,
        }))?,
        false => answer(&told(wanted, &differences, values.as_ref()))?,
    }
    Ok(match is_same {
        true => Exit::Proved,
        false => Exit::Invalid,
    })
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    reading::bytes_of(path).map_err(|reason| Failure::Read {
        name: spoken(path),
        reason,
    })
}

/// A result of `solve`, if these bytes are one.
fn result_of(bytes: &[u8]) -> Option<Value> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    (value["schema"] == "quip-result/1").then_some(value)
}

fn value(program: &Program, wanted: &DiffArgs) -> Result<String, Failure> {
    let ticker = Ticker::new("solving");
    let options = Options {
        limits: Limits {
            time: wanted.time,
            ..Limits::default()
        },
        ..Options::default()
    };
    let outcome = Solver::new(options)
        .with_signal(signals::stop_flag()?)
        .with_observer(ticker.observer("solving"))
        .solve(program)?;
    Ok(worth(wanted.digits.digits(), &outcome))
}

/// `-` is what the first one says, `+` what the second one says.
fn told(wanted: &DiffArgs, differences: &[Difference], values: Option<&[String; 2]>) -> String {
    let mut text = String::new();
    if differences.is_empty() {
        text += "They say the same.\n";
    }
    for (about, differences) in &differences.iter().chunk_by(|it| it.about) {
        text += &format!("{about}\n");
        for it in differences {
            for (sign, side) in [('-', &it.one), ('+', &it.other)] {
                if let Some(side) = side {
                    text += &format!("  {sign} {side}\n");
                }
            }
        }
    }
    if let Some([one, other]) = values {
        let (a, b) = (wanted.one.display(), wanted.other.display());
        text += &format!("worth\n  - {one}   {a}\n  + {other}   {b}\n");
    }
    text
}

fn of_results(one: &Value, other: &Value) -> Vec<Difference> {
    let spelled = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let mut found = Vec::new();
    let mut compare = |about, name: &str, one: &Value, other: &Value| {
        if one != other {
            let label = |side: &Value| Some(format!("{name} = {}", spelled(side)?));
            found.push(Difference {
                about,
                one: label(one),
                other: label(other),
            });
        }
    };
    compare(
        "model",
        "fingerprint",
        &one["model"]["fingerprint"],
        &other["model"]["fingerprint"],
    );
    for field in ["status", "objective", "bound"] {
        compare("answer", field, &one[field], &other[field]);
    }
    let stages = [one, other].map(|it| it["first_stage"].as_object());
    let names = stages.iter().flatten().flat_map(|stage| stage.keys());
    for name in names.unique().sorted() {
        let side = |it: &Value| it["first_stage"][name.as_str()].clone();
        compare("first decision", name, &side(one), &side(other));
    }
    found
}

/// What a row says, whatever the order of its terms.
type Meaning = (
    BTreeMap<String, Rational>,
    Option<Rational>,
    Option<Rational>,
);

/// Something with a name, what it says, and how it is spelled.
struct Item<M> {
    name: String,
    meaning: M,
    spelled: String,
}

fn of_models(one: &Program, other: &Program) -> Vec<Difference> {
    let (a, b) = (Lines::of(one), Lines::of(other));
    let mut found = compared("objective", a.objective(one), b.objective(other));
    for (about, owner) in [
        ("row", Quantifier::Exists),
        ("uncertainty row", Quantifier::Forall),
    ] {
        found.extend(compared(about, a.rows(one, owner), b.rows(other, owner)));
    }
    found.extend(compared("variable", a.variables(one), b.variables(other)));
    found.extend(order(one, other));
    found
}

/// The lines of a model in the usual layout, one for each item.
struct Lines(Vec<String>);

impl Lines {
    fn of(program: &Program) -> Self {
        let text = write_qip(program);
        let items = text.lines().filter_map(|line| line.strip_prefix("  "));
        Self(items.map(str::to_owned).collect())
    }

    /// The lines from one place on.
    fn from(&self, skipped: usize) -> impl Iterator<Item = &String> {
        self.0.iter().skip(skipped)
    }

    fn objective(&self, program: &Program) -> Vec<Item<(String, Meaning)>> {
        let objective = program.objective().into_iter();
        let lines = self.from(0);
        let made = objective.zip(lines).map(|(objective, line)| Item {
            name: String::new(),
            meaning: (
                objective.sense.to_string(),
                (
                    by_name(program, &objective.terms),
                    Some(objective.constant.clone()),
                    None,
                ),
            ),
            spelled: format!("{} {line}", objective.sense),
        });
        made.collect()
    }

    fn rows(&self, program: &Program, owner: Quantifier) -> Vec<Item<Meaning>> {
        let before = usize::from(program.objective().is_some())
            + match owner {
                Quantifier::Exists => 0,
                Quantifier::Forall => program.rows().len(),
            };
        let rows = program.system(owner).iter().zip(self.from(before));
        let made = rows.map(|(row, line)| {
            let meaning: Meaning = (
                by_name(program, &row.terms),
                row.lower.clone(),
                row.upper.clone(),
            );
            // Without a name it is known by what it says.
            let name = row.name.clone();
            Item {
                name: name.unwrap_or_else(|| format!("{meaning:?}")),
                meaning,
                spelled: line.clone(),
            }
        });
        made.collect()
    }

    fn variables(&self, program: &Program) -> Vec<Item<String>> {
        let rows = program.rows().len() + program.universal_rows().len();
        let before = usize::from(program.objective().is_some()) + rows;
        let variables = program.variables().iter().zip(self.from(before));
        let made = variables.map(|(variable, line)| Item {
            name: variable.name.clone(),
            meaning: line.clone(),
            spelled: line.clone(),
        });
        made.collect()
    }
}

fn by_name(program: &Program, terms: &[Term]) -> BTreeMap<String, Rational> {
    let named = terms.iter();
    let name = |(var, by): &Term| (program.variables()[*var].name.clone(), by.clone());
    named.map(name).collect()
}

/// What is on one side only, or says something else.
fn compared<M: PartialEq>(
    about: &'static str,
    one: Vec<Item<M>>,
    other: Vec<Item<M>>,
) -> Vec<Difference> {
    let mut left: BTreeMap<String, Vec<Item<M>>> = BTreeMap::new();
    for item in other {
        left.entry(item.name.clone()).or_default().push(item);
    }
    let difference = |one: Option<Item<M>>, other: Option<Item<M>>| Difference {
        about,
        one: one.map(|it| it.spelled),
        other: other.map(|it| it.spelled),
    };
    let mut found = Vec::new();
    for item in one {
        let twins = left.get_mut(&item.name);
        let twin = twins.filter(|it| !it.is_empty()).map(|it| it.remove(0));
        if twin
            .as_ref()
            .is_none_or(|twin| twin.meaning != item.meaning)
        {
            found.push(difference(Some(item), twin));
        }
    }
    for items in left.into_values() {
        found.extend(items.into_iter().map(|it| difference(None, Some(it))));
    }
    found
}

/// The first variable that both have and that is fixed at another time: who sees what may differ.
fn order(one: &Program, other: &Program) -> Option<Difference> {
    let common = |program: &Program, twin: &Program| -> Vec<(String, usize)> {
        let blocks = program.blocks().iter().enumerate();
        let placed = blocks.flat_map(|(block, it)| it.variables().map(move |var| (var, block)));
        let named = placed.map(|(var, block)| (program.variables()[var].name.clone(), block));
        named
            .filter(|(name, _)| twin.find(name).is_some())
            .collect()
    };
    let (a, b) = (common(one, other), common(other, one));
    let there: BTreeMap<&str, usize> = b.iter().map(|(name, block)| (&**name, *block)).collect();
    // Two that one side fixes one after the other must not stand the other way round.
    let turned = a.iter().tuple_windows().find(|(first, second)| {
        first.1 < second.1 && there[first.0.as_str()] > there[second.0.as_str()]
    });
    let ((first, _), (second, _)) = turned?;
    Some(Difference {
        about: "order",
        one: Some(format!("{first} before {second}")),
        other: Some(format!("{second} before {first}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::format::parse_qip;

    fn between(one: &str, other: &str) -> Vec<(&'static str, Option<String>, Option<String>)> {
        let [one, other] = [one, other].map(|text| parse_qip(text).expect("it is well formed"));
        let found = of_models(&one, &other).into_iter();
        found.map(|it| (it.about, it.one, it.other)).collect()
    }

    const MODEL: &str = "minimize x + y subject to a: x + y >= u\nx <= 3
        uncertainty b: u <= 1 prefix exists integer x in [0, 4] forall binary u exists binary y end";

    #[test]
    fn order_and_layout_of_rows_and_terms_say_nothing() {
        let same = "minimize y + x subject to x <= 3\na: y - u + x >= 0
            uncertainty b: u <= 1 prefix exists integer x in [0, 4] forall binary u exists binary y end";
        assert_eq!(between(MODEL, same), []);
    }

    #[test]
    fn what_is_added_taken_away_and_changed_is_told_apart() {
        let text = |it: &str| Some(it.to_owned());
        let changed = MODEL
            .replace("b: u <= 1", "b: u <= 0")
            .replace("x <= 3", "c: x <= 3");
        assert_eq!(
            between(MODEL, &changed),
            [
                ("row", text("x <= 3"), None),
                ("row", None, text("c: x <= 3")),
                ("uncertainty row", text("b: u <= 1"), text("b: u <= 0")),
            ]
        );
        let changed = MODEL
            .replace("minimize x", "minimize 2 x")
            .replace("[0, 4]", "[0, 5]");
        assert_eq!(
            between(MODEL, &changed),
            [
                (
                    "objective",
                    text("minimize x + y"),
                    text("minimize 2 x + y")
                ),
                (
                    "variable",
                    text("exists integer x in [0, 4]"),
                    text("exists integer x in [0, 5]")
                ),
            ]
        );
    }

    #[test]
    fn who_sees_what_is_a_difference() {
        let later = "minimize x + y subject to a: x + y >= u\nx <= 3
            uncertainty b: u <= 1 prefix forall binary u exists integer x in [0, 4] exists binary y end";
        let found = between(MODEL, later);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, "order");
    }
}
