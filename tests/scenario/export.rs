//! The exported equivalent, read again and solved by HiGHS.

use std::collections::HashMap;

use quip::budget::Budget;
use quip::equivalent::{self, Settings, Sheet};
use quip::games::random::{RandomShape, random_program};
use quip::lp::{Column, LpProblem, LpRow, mip};
use quip::outcome::{Status, cost_of_objective};
use quip::reference;

use super::count;

/// Reads free MPS as the export writes it, and no more than that.
fn read_mps(text: &str) -> LpProblem {
    let mut section = "";
    let (mut rows, mut columns): (Vec<LpRow>, Vec<Column>) = (Vec::new(), Vec::new());
    let (mut row_of, mut column_of) = (HashMap::new(), HashMap::new());
    let mut kinds = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |word: &str| word.parse::<i64>().expect("a whole number");
        match (section, words.as_slice()) {
            (_, [name, ..]) if !line.starts_with(' ') => section = name,
            ("ROWS", ["N", "obj"]) => {}
            ("ROWS", [kind, name]) => {
                row_of.insert((*name).to_owned(), rows.len());
                kinds.push((*kind).to_owned());
                rows.push(LpRow {
                    terms: Vec::new(),
                    lower: None,
                    upper: None,
                });
            }
            ("COLUMNS", [_, "'MARKER'", "'INTORG'" | "'INTEND'"]) => {}
            ("COLUMNS", [name, row, by]) => {
                let next = columns.len();
                let at = *column_of.entry((*name).to_owned()).or_insert(next);
                if at == next {
                    columns.push(Column {
                        cost: 0,
                        lower: 0,
                        upper: 0,
                    });
                }
                match row_of.get(*row) {
                    Some(&row) => rows[row].terms.push((at, number(by))),
                    None => columns[at].cost = number(by),
                }
            }
            ("RHS", [_, row, side]) => {
                let at = row_of[*row];
                let side = Some(number(side));
                let row = &mut rows[at];
                row.upper = side.filter(|_| kinds[at] == "L" || kinds[at] == "E");
                row.lower = side.filter(|_| kinds[at] == "G" || kinds[at] == "E");
            }
            ("RANGES", [_, row, width]) => {
                let row = &mut rows[row_of[*row]];
                row.lower = row.upper.map(|upper| upper - number(width));
            }
            ("BOUNDS", ["LO", _, name, end]) => columns[column_of[*name]].lower = number(end),
            ("BOUNDS", ["UP", _, name, end]) => columns[column_of[*name]].upper = number(end),
            _ => panic!("unexpected line: {line}"),
        }
    }
    LpProblem { columns, rows }
}

/// Reads CPLEX-LP as the export writes it, and no more than that.
fn read_lp(text: &str) -> LpProblem {
    let mut section = "";
    let mut rows: Vec<LpRow> = Vec::new();
    let mut costs: Vec<(String, i64)> = Vec::new();
    let mut terms: Vec<(String, i64)> = Vec::new();
    let mut named_rows: Vec<Vec<(String, i64)>> = Vec::new();
    let mut names: Vec<(String, Column)> = Vec::new();
    let mut whole = 0;
    let number = |word: &str| word.parse::<i64>().expect("a whole number");
    for line in text.lines().filter(|line| !line.starts_with('\\')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !line.starts_with(' ') {
            section = line;
            continue;
        }
        match (section, words.as_slice()) {
            ("Minimize" | "Subject To", words) => {
                // A row begins with its name and goes on until its side.
                let words = match words[0].ends_with(':') {
                    true => &words[1..],
                    false => words,
                };
                for pair in words.chunks(2) {
                    match pair[0] {
                        sign @ ("<=" | ">=" | "=") => {
                            let side = Some(number(pair[1]));
                            rows.push(LpRow {
                                terms: Vec::new(),
                                lower: side.filter(|_| sign != "<="),
                                upper: side.filter(|_| sign != ">="),
                            });
                            named_rows.push(std::mem::take(&mut terms));
                        }
                        by => terms.push((pair[1].to_owned(), number(by))),
                    }
                }
                if section == "Minimize" {
                    costs.append(&mut terms);
                }
            }
            ("Bounds", [lower, "<=", name, "<=", upper]) => names.push((
                (*name).to_owned(),
                Column {
                    cost: 0,
                    lower: number(lower),
                    upper: number(upper),
                },
            )),
            ("General", [name]) => {
                assert_eq!(names[whole].0, *name);
                whole += 1;
            }
            _ => panic!("unexpected line: {line}"),
        }
    }
    let column_of: HashMap<String, usize> = names
        .iter()
        .enumerate()
        .map(|(at, (name, _))| (name.clone(), at))
        .collect();
    let mut columns: Vec<Column> = names.into_iter().map(|(_, column)| column).collect();
    for (name, cost) in costs {
        columns[column_of[&name]].cost = cost;
    }
    for (row, terms) in rows.iter_mut().zip(named_rows) {
        let terms = terms.into_iter().filter(|(_, by)| *by != 0);
        row.terms = terms.map(|(name, by)| (column_of[&name], by)).collect();
    }
    assert_eq!(whole, columns.len());
    LpProblem { columns, rows }
}

#[test]
fn highs_finds_the_value_in_the_exported_equivalent() {
    let mut compared = 0;
    for seed in 0..count(300) {
        let program = random_program(seed, &RandomShape::binary());
        let mut budget = Budget::unlimited();
        let Ok((easier, skeleton, tree)) =
            equivalent::tree_of(&program, &Settings::default(), &mut budget)
        else {
            continue;
        };
        if tree.problem().columns.is_empty() {
            continue;
        }
        let sheet = Sheet::of_tree(&easier, &skeleton, &tree);
        let problem = match seed % 2 {
            0 => read_mps(&sheet.to_mps()),
            _ => read_lp(&sheet.to_lp()),
        };
        assert_eq!(problem.columns, tree.problem().columns);
        let claim = mip::solve_once(&problem, &vec![true; problem.columns.len()], None);
        let expected = reference::solve(&program, &mut budget).expect("integers");
        let found = claim.verified_point(&problem);
        assert_eq!(
            found.is_some(),
            expected.status != Status::Infeasible,
            "seed {seed}"
        );
        if let (Some((_, cost)), Some(objective)) = (found, expected.objective) {
            let cost = skeleton.cost(i64::try_from(cost).expect("small"));
            assert_eq!(cost_of_objective(&program, cost), objective, "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} values were compared");
}
