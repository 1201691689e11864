//! The tree as text for other solvers: CPLEX-LP and free MPS.
//!
//! All numbers are integers, so the text says exactly what the tree is. A column is called after
//! its variable and its number; comments tell what it stands for, and how the objective relates to
//! the user's: *cost = constant + objective / scale*, negated when the program maximises.

use std::fmt::Write as _;

use super::skeleton::Skeleton;
use super::tree::{ColumnOrigin, Tree};
use crate::lp::LpRow;
use crate::num::Rational;
use crate::program::{Program, Sense, VarId};

/// The tree in CPLEX-LP format.
///
/// ```
/// use quip::budget::Budget;
/// use quip::equivalent::{Settings, tree_of, write_lp};
/// let program = quip::format::parse_qip(
///     "minimize cost: x
///      subject to cover: x >= y
///      prefix forall binary y  exists binary x
///      end",
/// )?;
/// let (program, skeleton, tree) =
///     tree_of(&program, &Settings::default(), &mut Budget::unlimited())?;
/// let text = write_lp(&program, &skeleton, &tree);
/// assert!(text.contains("Minimize"));
/// assert!(text.contains("\\ x_2: x after y = 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_lp(program: &Program, skeleton: &Skeleton, tree: &Tree) -> String {
    let names = names(program, tree);
    let mut text = comments(program, skeleton, tree, &names, "\\");
    text.push_str("Minimize\n obj:");
    let costs = tree.problem().columns.iter().enumerate();
    let costs = costs.filter(|(_, column)| column.cost != 0);
    let costs: Vec<_> = costs.map(|(at, column)| (at, column.cost)).collect();
    write_sum(&mut text, &costs, &names);
    text.push_str("\nSubject To\n");
    for (number, row) in tree.problem().rows.iter().enumerate() {
        for (suffix, sign, side) in lp_sides(row) {
            let _ = write!(text, " r{number}{suffix}:");
            write_sum(&mut text, &row.terms, &names);
            let _ = writeln!(text, " {sign} {side}");
        }
    }
    text.push_str("Bounds\n");
    for (column, name) in tree.problem().columns.iter().zip(&names) {
        let _ = writeln!(text, " {} <= {name} <= {}", column.lower, column.upper);
    }
    text.push_str("General\n");
    for name in &names {
        let _ = writeln!(text, " {name}");
    }
    text.push_str("End\n");
    text
}

/// The tree in free MPS format.
pub fn write_mps(program: &Program, skeleton: &Skeleton, tree: &Tree) -> String {
    let names = names(program, tree);
    let mut text = comments(program, skeleton, tree, &names, "*");
    text.push_str("NAME equivalent\nROWS\n N obj\n");
    let rows = &tree.problem().rows;
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(text, " {} r{number}", mps_kind(row));
    }
    let mut columns = vec![Vec::new(); names.len()];
    for (number, row) in rows.iter().enumerate() {
        for &(column, by) in &row.terms {
            columns[column].push((number, by));
        }
    }
    text.push_str("COLUMNS\n MARKER 'MARKER' 'INTORG'\n");
    for ((column, name), entries) in tree.problem().columns.iter().zip(&names).zip(&columns) {
        // Written even when zero, so that a column that no row mentions is known.
        let _ = writeln!(text, " {name} obj {}", column.cost);
        for (row, by) in entries {
            let _ = writeln!(text, " {name} r{row} {by}");
        }
    }
    text.push_str(" MARKER 'MARKER' 'INTEND'\nRHS\n");
    for (number, row) in rows.iter().enumerate() {
        let side = row.upper.or(row.lower).unwrap_or(0);
        let _ = writeln!(text, " RHS r{number} {side}");
    }
    text.push_str("RANGES\n");
    for (number, row) in rows.iter().enumerate() {
        if let (Some(lower), Some(upper)) = (row.lower, row.upper)
            && lower != upper
        {
            let range = i128::from(upper) - i128::from(lower);
            let _ = writeln!(text, " RANGES r{number} {range}");
        }
    }
    text.push_str("BOUNDS\n");
    for (column, name) in tree.problem().columns.iter().zip(&names) {
        let _ = writeln!(text, " LO BOUND {name} {}", column.lower);
        let _ = writeln!(text, " UP BOUND {name} {}", column.upper);
    }
    text.push_str("ENDATA\n");
    text
}

fn mps_kind(row: &LpRow) -> char {
    match (row.lower, row.upper) {
        (Some(lower), Some(upper)) if lower == upper => 'E',
        (_, Some(_)) => 'L',
        (Some(_), None) => 'G',
        (None, None) => 'N',
    }
}

fn lp_sides(row: &LpRow) -> Vec<(&'static str, &'static str, i64)> {
    match (row.lower, row.upper) {
        (Some(lower), Some(upper)) if lower == upper => vec![("", "=", lower)],
        (lower, upper) => {
            let both = lower.is_some() && upper.is_some();
            let low = lower.map(|side| (if both { "l" } else { "" }, ">=", side));
            let up = upper.map(|side| (if both { "u" } else { "" }, "<=", side));
            low.into_iter().chain(up).collect()
        }
    }
}

fn write_sum(text: &mut String, terms: &[(usize, i64)], names: &[String]) {
    // A sum must name a column; one with a zero says the same.
    if terms.is_empty() {
        match names.first() {
            Some(name) => {
                let _ = write!(text, " 0 {name}");
            }
            None => text.push_str(" 0"),
        }
    }
    for (place, &(column, by)) in terms.iter().enumerate() {
        // Long lines are refused by some readers.
        let gap = if place > 0 && place % 10 == 0 {
            "\n   "
        } else {
            " "
        };
        let _ = write!(text, "{gap}{by:+} {}", names[column]);
    }
}

/// Letters, digits and underscores only, not beginning like a number: every reader takes them.
fn names(program: &Program, tree: &Tree) -> Vec<String> {
    let name = |(number, origin): (usize, &ColumnOrigin)| match origin {
        ColumnOrigin::Value => "value".to_owned(),
        ColumnOrigin::Broken(_) => format!("broken_{number}"),
        ColumnOrigin::Dead(_) => format!("dead_{number}"),
        ColumnOrigin::Won(_) => format!("won_{number}"),
        ColumnOrigin::Copy(var, _) | ColumnOrigin::Completion(var, _) => {
            let spelled = program.variables()[*var].name.chars();
            let plain: String = spelled
                .map(|letter| {
                    if letter.is_ascii_alphanumeric() {
                        letter
                    } else {
                        '_'
                    }
                })
                .collect();
            let risky = !plain.starts_with(|letter: char| letter.is_ascii_alphabetic())
                || plain.starts_with(['e', 'E']);
            let prefix = if risky { "v_" } else { "" };
            format!("{prefix}{plain}_{number}")
        }
    };
    tree.origins().iter().enumerate().map(name).collect()
}

fn comments(
    program: &Program,
    skeleton: &Skeleton,
    tree: &Tree,
    names: &[String],
    mark: &str,
) -> String {
    let mut text = format!(
        "{mark} Deterministic equivalent over {} plays.\n",
        tree.plays().max(1)
    );
    let constant = skeleton.cost(0);
    let scale: Rational = (skeleton.cost(1) - &constant).recip();
    let sign = match program.objective().map(|objective| objective.sense) {
        Some(Sense::Maximize) => "-",
        _ => "",
    };
    let _ = writeln!(
        text,
        "{mark} value = {sign}({constant} + objective / {scale})"
    );
    if !skeleton.conditions.is_empty() {
        let won = skeleton.cost_of_winning();
        let _ = writeln!(
            text,
            "{mark} objective {won}: the universal player is stuck"
        );
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
        let _ = write!(text, "{mark} {name}: {what}");
        for (place, (universal, value)) in skeleton.universals.iter().zip(seen).enumerate() {
            let joint = if place == 0 { " after" } else { "," };
            let universal = &program.variables()[*universal].name;
            let _ = write!(text, "{joint} {universal} = {value}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::equivalent::{Settings, tree_of};
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
        let settings = Settings::default();
        let (program, skeleton, tree) =
            tree_of(&program, &settings, &mut Budget::unlimited()).unwrap();
        (
            write_lp(&program, &skeleton, &tree),
            write_mps(&program, &skeleton, &tree),
        )
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
}
