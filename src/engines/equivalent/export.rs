//! The tree as text for other solvers: CPLEX-LP and free MPS.
//!
//! Rows and costs are scaled to integers, so the text says exactly what the tree is; the end of a
//! real column that is no short decimal is the nearest double, and a comment says so. A column is
//! called after its variable and its number; comments tell what it stands for, and how the objective
//! relates to the user's: *cost = constant + objective / scale*, negated when the program maximises.

use std::fmt::Write as _;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

use super::mixed;
use super::skeleton::Skeleton;
use super::tree::{ColumnOrigin, Tree};
use super::{Settings, tree_of};
use crate::budget::Budget;
use crate::lp::LpRow;
use crate::num::{Rational, approximate, int};
use crate::outcome::SolveError;
use crate::program::{Bounds, Program, Row, Sense, VarId};

/// A mixed-integer program as other solvers read it.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    comments: Vec<String>,
    columns: Vec<SheetColumn>,
    rows: Vec<SheetRow>,
}

#[derive(Clone, Debug)]
struct SheetColumn {
    name: String,
    cost: BigInt,
    bounds: Bounds,
    is_integer: bool,
}

#[derive(Clone, Debug)]
struct SheetRow {
    terms: Vec<(usize, BigInt)>,
    lower: Option<BigInt>,
    upper: Option<BigInt>,
}

/// The deterministic equivalent of a program over all its legal plays, for export.
///
/// ```
/// use quip::budget::Budget;
/// use quip::equivalent::{Settings, sheet_of};
/// let program = quip::format::parse_qip(
///     "minimize cost: x
///      subject to cover: x >= y
///      prefix forall binary y  exists binary x
///      end",
/// )?;
/// let sheet = sheet_of(&program, &Settings::default(), &mut Budget::unlimited())?;
/// let text = sheet.to_lp();
/// assert!(text.contains("Minimize"));
/// assert!(text.contains("\\ x_2: x after y = 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sheet_of(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Sheet, SolveError> {
    if super::is_mixed(program) {
        return mixed::sheet(program, settings, budget);
    }
    let (program, skeleton, tree) = tree_of(program, settings, budget)?;
    Ok(Sheet::of_tree(&program, &skeleton, &tree))
}

impl Sheet {
    /// The sheet of a tree of integers.
    pub fn of_tree(program: &Program, skeleton: &Skeleton, tree: &Tree) -> Self {
        let names = names(program, tree);
        let columns = tree.problem().columns.iter().zip(&names);
        let columns = columns.map(|(column, name)| SheetColumn {
            name: name.clone(),
            cost: column.cost.into(),
            bounds: Bounds::between(int(column.lower), int(column.upper)),
            is_integer: true,
        });
        let row = |row: &LpRow| SheetRow {
            terms: row.terms.iter().map(|&(at, by)| (at, by.into())).collect(),
            lower: row.lower.map(BigInt::from),
            upper: row.upper.map(BigInt::from),
        };
        Self {
            columns: columns.collect(),
            rows: tree.problem().rows.iter().map(row).collect(),
            comments: comments(program, skeleton, tree, &names),
        }
    }

    /// A sheet that says how many plays it has, and nothing else yet.
    pub(super) fn over(plays: usize) -> Self {
        let about = format!("Deterministic equivalent over {plays} plays.");
        Self {
            comments: vec![about],
            ..Self::default()
        }
    }

    /// Adds a comment.
    pub(super) fn say(&mut self, comment: String) {
        self.comments.push(comment);
    }

    /// Adds a column.
    pub(super) fn add_column(&mut self, name: String, bounds: Bounds, is_integer: bool) {
        for end in bounds.lower.iter().chain(&bounds.upper) {
            if exact_decimal(end).is_none() {
                self.comments.push(format!(
                    "{name}: an end is {end}, which is written as the nearest double."
                ));
            }
        }
        self.columns.push(SheetColumn {
            name,
            cost: BigInt::default(),
            bounds,
            is_integer,
        });
    }

    /// Sets the cost of a column.
    pub(super) fn set_cost(&mut self, column: usize, cost: BigInt) {
        self.columns[column].cost = cost;
    }

    /// Adds a row, scaled to integers.
    pub(super) fn add_row(&mut self, row: &Row) {
        let numbers = row.terms.iter().map(|(_, by)| by);
        let numbers = numbers.chain(&row.lower).chain(&row.upper);
        let scale = numbers.fold(BigInt::one(), |scale, next| scale.lcm(next.denom()));
        let whole = |number: &Rational| number.numer() * (&scale / number.denom());
        let terms = row.terms.iter();
        self.rows.push(SheetRow {
            terms: terms
                .map(|(at, by)| (crate::program::Id::index(*at), whole(by)))
                .collect(),
            lower: row.lower.as_ref().map(whole),
            upper: row.upper.as_ref().map(whole),
        });
    }

    /// In CPLEX-LP format.
    pub fn to_lp(&self) -> String {
        let mut text = self.head("\\");
        text.push_str("Minimize\n obj:");
        let costs = self.columns.iter().enumerate();
        let costs = costs.filter(|(_, column)| column.cost != BigInt::default());
        let costs: Vec<_> = costs
            .map(|(at, column)| (at, column.cost.clone()))
            .collect();
        self.write_sum(&mut text, &costs);
        text.push_str("\nSubject To\n");
        for (number, row) in self.rows.iter().enumerate() {
            for (suffix, sign, side) in lp_sides(row) {
                let _ = write!(text, " r{number}{suffix}:");
                self.write_sum(&mut text, &row.terms);
                let _ = writeln!(text, " {sign} {side}");
            }
        }
        text.push_str("Bounds\n");
        for column in &self.columns {
            let _ = match (&column.bounds.lower, &column.bounds.upper) {
                (None, None) => writeln!(text, " {} free", column.name),
                (lower, upper) => {
                    let lower = lower.as_ref().map_or("-inf".to_owned(), decimal);
                    let upper = upper.as_ref().map_or("+inf".to_owned(), decimal);
                    writeln!(text, " {lower} <= {} <= {upper}", column.name)
                }
            };
        }
        text.push_str("General\n");
        for column in self.columns.iter().filter(|column| column.is_integer) {
            let _ = writeln!(text, " {}", column.name);
        }
        text.push_str("End\n");
        text
    }

    /// In free MPS format.
    pub fn to_mps(&self) -> String {
        let mut text = self.head("*");
        text.push_str("NAME equivalent\nROWS\n N obj\n");
        for (number, row) in self.rows.iter().enumerate() {
            let _ = writeln!(text, " {} r{number}", mps_kind(row));
        }
        let mut entries = vec![Vec::new(); self.columns.len()];
        for (number, row) in self.rows.iter().enumerate() {
            for (column, by) in &row.terms {
                entries[*column].push((number, by));
            }
        }
        text.push_str("COLUMNS\n");
        let mut inside = false;
        for (column, entries) in self.columns.iter().zip(&entries) {
            if column.is_integer != inside {
                inside = column.is_integer;
                let _ = writeln!(
                    text,
                    " MARKER 'MARKER' '{}'",
                    if inside { "INTORG" } else { "INTEND" }
                );
            }
            // Written even when zero, so that a column that no row mentions is known.
            let _ = writeln!(text, " {} obj {}", column.name, column.cost);
            for (row, by) in entries {
                let _ = writeln!(text, " {} r{row} {by}", column.name);
            }
        }
        if inside {
            text.push_str(" MARKER 'MARKER' 'INTEND'\n");
        }
        text.push_str("RHS\n");
        for (number, row) in self.rows.iter().enumerate() {
            if let Some(side) = row.upper.as_ref().or(row.lower.as_ref()) {
                let _ = writeln!(text, " RHS r{number} {side}");
            }
        }
        text.push_str("RANGES\n");
        for (number, row) in self.rows.iter().enumerate() {
            if let (Some(lower), Some(upper)) = (&row.lower, &row.upper)
                && lower != upper
            {
                let _ = writeln!(text, " RANGES r{number} {}", upper - lower);
            }
        }
        text.push_str("BOUNDS\n");
        for column in &self.columns {
            match &column.bounds.lower {
                Some(end) => drop(writeln!(text, " LO BOUND {} {}", column.name, decimal(end))),
                None => drop(writeln!(text, " MI BOUND {}", column.name)),
            }
            match &column.bounds.upper {
                Some(end) => drop(writeln!(text, " UP BOUND {} {}", column.name, decimal(end))),
                None => drop(writeln!(text, " PL BOUND {}", column.name)),
            }
        }
        text.push_str("ENDATA\n");
        text
    }

    fn head(&self, mark: &str) -> String {
        let lines = self.comments.iter();
        lines.map(|line| format!("{mark} {line}\n")).collect()
    }

    fn write_sum(&self, text: &mut String, terms: &[(usize, BigInt)]) {
        // A sum must name a column; one with a zero says the same.
        if terms.is_empty() {
            match self.columns.first() {
                Some(column) => drop(write!(text, " 0 {}", column.name)),
                None => text.push_str(" 0"),
            }
        }
        for (place, (column, by)) in terms.iter().enumerate() {
            // Long lines are refused by some readers.
            let gap = if place > 0 && place % 10 == 0 {
                "\n   "
            } else {
                " "
            };
            let _ = write!(text, "{gap}{by:+} {}", self.columns[*column].name);
        }
    }
}

/// The number as a decimal of at most eighteen digits, if it is one.
fn exact_decimal(number: &Rational) -> Option<String> {
    let mut scale = BigInt::one();
    for places in 0..=18 {
        if (&scale % number.denom()) == BigInt::default() {
            let whole = number.numer() * (&scale / number.denom());
            if places == 0 {
                return Some(whole.to_string());
            }
            let sign = if whole.is_negative() { "-" } else { "" };
            let (before, after) = whole.abs().div_rem(&scale);
            let after = after.to_string();
            return Some(format!("{sign}{before}.{after:0>places$}"));
        }
        scale *= 10;
    }
    None
}

fn decimal(number: &Rational) -> String {
    exact_decimal(number).unwrap_or_else(|| format!("{:?}", approximate(number)))
}

fn mps_kind(row: &SheetRow) -> char {
    match (&row.lower, &row.upper) {
        (Some(lower), Some(upper)) if lower == upper => 'E',
        (_, Some(_)) => 'L',
        (Some(_), None) => 'G',
        (None, None) => 'N',
    }
}

fn lp_sides(row: &SheetRow) -> Vec<(&'static str, &'static str, &BigInt)> {
    match (&row.lower, &row.upper) {
        (Some(lower), Some(upper)) if lower == upper => vec![("", "=", lower)],
        (lower, upper) => {
            let both = lower.is_some() && upper.is_some();
            let low = lower
                .iter()
                .map(|side| (if both { "l" } else { "" }, ">=", side));
            let up = upper
                .iter()
                .map(|side| (if both { "u" } else { "" }, "<=", side));
            low.chain(up).collect()
        }
    }
}

/// A name for a copy of a variable: letters, digits and underscores only, not beginning like a
/// number. Every reader takes them.
pub(super) fn copy_name(program: &Program, var: VarId, number: usize) -> String {
    let spelled = program.variables()[var].name.chars();
    let plain = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter,
        false => '_',
    };
    let plain: String = spelled.map(plain).collect();
    let risky = !plain.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || plain.starts_with(['e', 'E']);
    let prefix = if risky { "v_" } else { "" };
    format!("{prefix}{plain}_{number}")
}

fn names(program: &Program, tree: &Tree) -> Vec<String> {
    let name = |(number, origin): (usize, &ColumnOrigin)| match origin {
        ColumnOrigin::Value => "value".to_owned(),
        ColumnOrigin::Broken(_) => format!("broken_{number}"),
        ColumnOrigin::Dead(_) => format!("dead_{number}"),
        ColumnOrigin::Won(_) => format!("won_{number}"),
        ColumnOrigin::Copy(var, _) | ColumnOrigin::Completion(var, _) => {
            copy_name(program, *var, number)
        }
    };
    tree.origins().iter().enumerate().map(name).collect()
}

/// How the objective of the sheet relates to the program's.
pub(super) fn relation(program: &Program, constant: &Rational, scale: &Rational) -> String {
    let sign = match program.objective().map(|objective| objective.sense) {
        Some(Sense::Maximize) => "-",
        _ => "",
    };
    format!("value = {sign}({constant} + objective / {scale})")
}

/// What a column stands for: after the universal values it has seen.
pub(super) fn after<'v, Value: std::fmt::Display + 'v>(
    program: &Program,
    universals: &[VarId],
    seen: impl IntoIterator<Item = &'v Value>,
) -> String {
    let mut text = String::new();
    for (place, (universal, value)) in universals.iter().zip(seen).enumerate() {
        let joint = if place == 0 { " after" } else { "," };
        let universal = &program.variables()[*universal].name;
        let _ = write!(text, "{joint} {universal} = {value}");
    }
    text
}

fn comments(program: &Program, skeleton: &Skeleton, tree: &Tree, names: &[String]) -> Vec<String> {
    let plays = tree.plays().max(1);
    let constant = skeleton.cost(0);
    let scale: Rational = (skeleton.cost(1) - &constant).recip();
    let mut lines = vec![
        format!("Deterministic equivalent over {plays} plays."),
        relation(program, &constant, &scale),
    ];
    if !skeleton.conditions.is_empty() {
        let won = skeleton.cost_of_winning();
        lines.push(format!("objective {won}: the universal player is stuck"));
    }
    let variable = |var: &VarId| program.variables()[*var].name.clone();
    for (origin, name) in tree.origins().iter().zip(names) {
        let (what, seen) = match origin {
            ColumnOrigin::Value => continue,
            ColumnOrigin::Copy(var, seen) => (variable(var), seen),
            ColumnOrigin::Completion(var, seen) => {
                (format!("{} in a completion", variable(var)), seen)
            }
            ColumnOrigin::Broken(seen) => ("a universal row is broken".to_owned(), seen),
            ColumnOrigin::Dead(seen) => ("the play is illegal".to_owned(), seen),
            ColumnOrigin::Won(seen) => ("the last move wins outright".to_owned(), seen),
        };
        let seen = after(program, &skeleton.universals, seen);
        lines.push(format!("{name}: {what}{seen}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;

    fn texts() -> (String, String) {
        let program = parse_qip(
            "maximize gain: 1/2 x + e1 + 3
             subject to 1 <= x + e1 - y <= 2
             uncertainty y >= 0
             prefix exists integer x in [-1, 3]  forall binary y  exists binary e1
             end",
        )
        .unwrap();
        let budget = &mut Budget::unlimited();
        let sheet = sheet_of(&program, &Settings::default(), budget).unwrap();
        (sheet.to_lp(), sheet.to_mps())
    }

    #[test]
    fn the_lp_text_is_the_tree() {
        let expected = "\
\\ Deterministic equivalent over 2 plays.
\\ value = -(-3 + objective / 2)
\\ x_1: x
\\ v_e1_2: e1 after y = 0
\\ v_e1_3: e1 after y = 1
Minimize
 obj: +1 value
Subject To
 r0l: +1 x_1 +1 v_e1_2 >= 1
 r0u: +1 x_1 +1 v_e1_2 <= 2
 r1: -1 x_1 -2 v_e1_2 -1 value <= 0
 r2l: +1 x_1 +1 v_e1_3 >= 2
 r2u: +1 x_1 +1 v_e1_3 <= 3
 r3: -1 x_1 -2 v_e1_3 -1 value <= 0
Bounds
 -5 <= value <= 1
 -1 <= x_1 <= 3
 0 <= v_e1_2 <= 1
 0 <= v_e1_3 <= 1
General
 value
 x_1
 v_e1_2
 v_e1_3
End
";
        assert_eq!(texts().0, expected);
    }

    #[test]
    fn the_mps_text_says_the_same() {
        let text = texts().1;
        for line in [
            " L r0",
            " x_1 r0 1",
            " v_e1_3 r3 -2",
            " RHS r2 3",
            " RANGES r2 1",
            " LO BOUND x_1 -1",
            " UP BOUND value 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
        assert!(text.ends_with("ENDATA\n"));
    }

    #[test]
    fn reals_of_any_stage_are_written_with_their_ends() {
        let program = parse_qip(
            "minimize cost: 1/3 x + 1/2 y
             subject to cover: x + y >= 5/2 u
             prefix exists real x in [0.1, 1/3]  forall binary u  exists integer y in [0, 3]
             end",
        )
        .unwrap();
        let budget = &mut Budget::unlimited();
        let sheet = sheet_of(&program, &Settings::default(), budget).unwrap();
        let lp = sheet.to_lp();
        for line in [
            "\\ x_1: an end is 1/3, which is written as the nearest double.",
            "\\ value = (0 + objective / 1)",
            " 0.1 <= x_1 <= 0.3333333333333333",
        ] {
            assert!(lp.lines().any(|found| found == line), "{line} in\n{lp}");
        }
        assert!(lp.ends_with("General\n y_2\nEnd\n"), "{lp}");
        assert!(sheet.to_mps().contains(" MARKER 'MARKER' 'INTORG'\n y_2"));
    }
}
