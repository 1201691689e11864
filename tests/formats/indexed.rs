//! Models with sets: what they are spelled out, compared with flat text and with direct evaluation;
//! faults; data in files.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use quip::format::{Beside, Diagnostics, parse_qip, read_beside, read_path, write_qip};
use quip::program::{Program, ProgramData, Quantifier, Row};

use crate::{assert_places, refused};

fn read(text: &str) -> Program {
    parse_qip(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// The rows, objective and variables of a model, whatever the order of the rows.
fn content(program: &Program) -> Vec<String> {
    let text = write_qip(program);
    let start = text.find("\nprefix\n").unwrap();
    let mut rows: Vec<&str> = text[..start].lines().collect();
    rows.sort_unstable();
    let all = rows.into_iter().chain(text[start..].lines());
    all.map(str::to_owned).collect()
}

const HEAD: &str = "set T = 1..3\nset S = {a, b}\nparam c[S, T] = [[1, 2, 3], [4, 5, 6]]\n";
const TAIL: &str =
    "prefix\nexists binary x[s in S, t in T] z\nexists integer y[t in T] in [0, 9]\nend\n";

/// The flat text of the variables above.
const FLAT_TAIL: &str = "prefix\nexists binary x[a,1] x[a,2] x[a,3] x[b,1] x[b,2] x[b,3] z\n\
                         exists integer y[1] y[2] y[3] in [0, 9]\nend\n";

#[test]
fn rows_and_sums_are_spelled_out_for_every_index() {
    for (indexed, flat) in [
        (
            "r[t in T]: y[t] <= c[a,t]",
            "r[1]: y[1] <= 1\nr[2]: y[2] <= 2\nr[3]: y[3] <= 3",
        ),
        ("[t in T where t != 2]: y[t] >= t", "y[1] >= 1\ny[3] >= 3"),
        (
            "r: sum{s in S, t in T} c[s,t] x[s,t] + z <= 7",
            "r: x[a,1] + 2 x[a,2] + 3 x[a,3] + 4 x[b,1] + 5 x[b,2] + 6 x[b,3] + z <= 7",
        ),
        (
            "r[t in 2..3]: y[t] - y[t-1] <= 1/2",
            "r[2]: y[2] - y[1] <= 1/2\nr[3]: y[3] - y[2] <= 1/2",
        ),
        (
            "r[t in T]: (if t = first(T) then 0 else y[t-1]) <= y[t]",
            "r[1]: 0 <= y[1]\nr[2]: y[1] <= y[2]\nr[3]: y[2] <= y[3]",
        ),
        (
            "1 <= sum{t in {1, 3}} 2 * y[t] <= card(T) mod 2 + 5",
            "1 <= 2 y[1] + 2 y[3] <= 6",
        ),
        (
            "r: (min{s in S} c[s,2]) * y[1] + max(1, c[b,3]) y[2] >= abs(-3) - floor(5/2)",
            "r: 2 y[1] + 6 y[2] >= 1",
        ),
        (
            "r: (y[1] + y[2]) / 3 - -2 (z) <= inf",
            "r: 1/3 y[1] + 1/3 y[2] + 2 z >= -inf",
        ),
        (
            "e: exactly_one{t in T} x[a,t]",
            "e: x[a,1] + x[a,2] + x[a,3] = 1",
        ),
        (
            "e[s in S]: at_most_one(x[s,1], not z)",
            "e[a]: x[a,1] - z <= 0\ne[b]: x[b,1] - z <= 0",
        ),
        ("i: x[a,1] implies not z", "i: x[a,1] + z <= 1"),
        (
            "d: z = x[a,1] and not x[b,1]",
            "d.1: z - x[a,1] <= 0\nd.2: z + x[b,1] <= 1\nd.3: x[a,1] - x[b,1] - z <= 0",
        ),
        (
            "d: z = x[a,1] or x[b,1]",
            "d.1: x[a,1] - z <= 0\nd.2: x[b,1] - z <= 0\nd.3: z - x[a,1] - x[b,1] <= 0",
        ),
        ("w: y[1] + y[2] <= 5 when z", "w: y[1] + y[2] + 13 z <= 18"),
        (
            "w: y[1] = 4 when not z",
            "w.lower: y[1] + 4 z >= 4\nw.upper: y[1] - 5 z <= 4",
        ),
        (
            "r[(s, t) in {(s, t) for s in S, t in T where c[s,t] > 4}]: y[t] <= x[s,t]",
            "r[b,2]: y[2] <= x[b,2]\nr[b,3]: y[3] <= x[b,3]",
        ),
        (
            "r[t in T where t in {2} or not (t < 3)]: y[t] >= 1",
            "r[2]: y[2] >= 1\nr[3]: y[3] >= 1",
        ),
        ("r[s in S where s = a]: x[s,1] >= 1", "r[a]: x[a,1] >= 1"),
        (
            "r[t in T minus {2}, s in S inter {b, q}]: y[t] <= x[s,t]",
            "r[1,b]: y[1] <= x[b,1]\nr[3,b]: y[3] <= x[b,3]",
        ),
    ] {
        let expected = read(&format!("minimize y[1]\nsubject to\n{flat}\n{FLAT_TAIL}"));
        let found = read(&format!(
            "{HEAD}minimize y[1]\nsubject to\n{indexed}\n{TAIL}"
        ));
        assert_eq!(write_qip(&found), write_qip(&expected), "{indexed}");
    }
}

#[test]
fn stages_repeat_declarations_and_budgets_are_rows_of_the_opponent() {
    let found = read(
        "set T = 1..2\nset S = {a, b}\nparam u[T] = {1: 2, 2: 4}\n\
         maximize sum{t in T, s in S} q[s,t]\nuncertainty\nfirst: d[1] <= 1\nprefix\nexists binary open\n\
         stage t in T:\nforall integer d[t] in [1, u[t]] budget 3/2;\nexists real q[s in S, t] in [-1, 5];\nend\n",
    );
    assert_eq!(
        write_qip(&found),
        "maximize\n  q[a,1] + q[b,1] + q[a,2] + q[b,2]\nsubject to\nuncertainty\n  first: d[1] <= 1\n  \
         budget_d: d[1] + 1/3 d[2] <= 17/6\nprefix\n  exists binary open\n  forall integer d[1] in [1, 2]\n  \
         exists real q[a,1] in [-1, 5]\n  exists real q[b,1] in [-1, 5]\n  forall integer d[2] in [1, 4]\n  \
         exists real q[a,2] in [-1, 5]\n  exists real q[b,2] in [-1, 5]\nend\n"
    );
}

#[test]
fn elements_are_spelled_in_letters_of_names() {
    let found = read("set C = {'new york', -1, '007'}\nprefix exists binary x[c in C] end");
    let names: Vec<&str> = found
        .variables()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["x[new_york]", "x[m1]", "x[007]"]);
}

/// The program with variables called by their places, and rows without names.
fn nameless(program: &Program) -> Program {
    let mut variables = program.variables().iter().cloned().collect::<Vec<_>>();
    for (place, variable) in variables.iter_mut().enumerate() {
        variable.name = format!("v{place}");
    }
    let rows = |owner| {
        let rows = program.system(owner).iter().cloned();
        rows.map(|row| Row { name: None, ..row }).collect()
    };
    let mut objective = program.objective().cloned();
    if let Some(objective) = &mut objective {
        objective.name = None;
    }
    let data = ProgramData {
        variables,
        rows: rows(Quantifier::Exists),
        universal_rows: rows(Quantifier::Forall),
        objective,
    };
    Program::new(data).unwrap()
}

#[test]
fn models_with_sets_are_those_that_they_replace() {
    for entry in fs::read_dir("models/or").unwrap() {
        let name = entry.unwrap().file_name();
        let read = |folder: &str| {
            let path = Path::new("models").join(folder).join(&name);
            let length = fs::metadata(&path).unwrap().len();
            (nameless(&read_path(&path).unwrap().program), length)
        };
        let ((sets, short), (flat, long)) = (read("sets"), read("or"));
        assert!(short < long, "{name:?}: {short} and {long} bytes");
        // Whole stock and real stock: the short one is for any number of days.
        if name != "lot-sizing.qip" {
            assert_eq!(content(&sets), content(&flat), "{name:?}");
        }
    }
}

/// Every fault of a model with sets, at its place.
fn faults(marked: &str, codes: &[&str]) {
    refused(marked, codes);
}

#[test]
fn faults_have_places_and_codes() {
    let with = |rows: &str| format!("{HEAD}minimize y[1]\nsubject to\n{rows}\n{TAIL}");
    for (rows, codes) in [
        ("r[t in T]: ¦yy[t] <= 1", vec!["E102"]),
        ("r[t in T]: ¦y[t-1] <= 1", vec!["E702"]),
        ("r[t in T]: ¦y[t,t] <= 1", vec!["E701"]),
        ("r[t in T]: x[¦t,t] <= 1", vec!["E804"]),
        ("r: ¦y[1] y[2] <= 1", vec!["E808"]),
        ("r: y[1] / ¦(1 - 1) <= 1", vec!["E303"]),
        ("r[t in T where ¦y[t] > 1]: y[t] <= 1", vec!["E809"]),
        ("r: ¦y[1] implies z", vec!["E810"]),
        ("r[¦t in U]: y[t] <= 1", vec!["E102"]),
        ("r[t in T, ¦t in T]: y[t] <= 1", vec!["E101"]),
        ("r[s in S]: y[¦a + 1] <= 1", vec!["E805"]),
        ("r[t in T]: y[¦t / 2] <= 1", vec!["E805"]),
        ("r: y[1] ¦< 1", vec!["E201"]),
        ("r: y[1] ¦== 1", vec!["E201"]),
        ("r: y[1] ¦≥ 1", vec!["E202"]),
        (
            "r: min{t in T where t > 3} 1 * y[1] <= ¦min{t in T where t > 3} t",
            vec!["E806"],
        ),
        (
            "r[t in T]: ¦y[t-1] <= ¦yy\nq: ¦v <= 1",
            vec!["E702", "E102", "E102"],
        ),
        ("r: y[1] <= 1 ¦r2: y[2] <= 1", vec!["E201"]),
        ("r: y[1] <= y[2]\n¦- y[3] <= 1", vec!["E209"]),
        ("r: 2e1¦y[1] <= 1", vec!["E305"]),
    ] {
        let rows = rows
            .replace("2e1¦y", "¦2e1y")
            .replace("[¦t in U]", "[t in ¦U]");
        let codes = if rows.contains("min{t in T where t > 3} 1") {
            vec![]
        } else {
            codes
        };
        if !codes.is_empty() {
            faults(&with(&rows), &codes);
        }
    }
}

#[test]
fn faults_of_data_in_the_model_have_places_and_codes() {
    let with = |data: &str| format!("{data}\nprefix\nexists binary x\nend\n");
    for (data, codes) in [
        ("set ¦T = 3..1", vec!["E806"]),
        ("set T = {a, ¦a}", vec!["E803"]),
        ("set T = {a, (¦a, b)}", vec!["E701"]),
        ("set ¦T", vec!["E801"]),
        ("set T = ¦T union {a}", vec!["E709"]),
        ("set T = 1..2\nset ¦T = 1..2", vec!["E101"]),
        ("param a = b\nparam b = ¦a", vec!["E709"]),
        ("param ¦a", vec!["E801"]),
        ("set T = 1..3\nparam ¦a[T] = {1: 2}", vec!["E801"]),
        (
            "set T = 1..2\nparam a[T] = {1: 2, ¦1: 3} default 0",
            vec!["E803"],
        ),
        (
            "set T = 1..2\nparam a[T] = {1: 2, 2: 3, ¦4: 5}",
            vec!["E802"],
        ),
        ("set T = 1..2\nparam a[T] = ¦[1, 2, 3]", vec!["E801"]),
        (
            "set T = 1..2\nparam a[T, T] = [¦[1, 2, 3], [4, 5, 6]]",
            vec!["E801"],
        ),
        ("set T = {a}\nparam p = 2 * ¦first(T)", vec!["E805"]),
        ("set T = 1..¦oops", vec!["E805"]),
        ("set T = ¦1..99999999", vec!["E710"]),
        ("param ¦when = 3", vec!["E103"]),
        ("param a = csv(¦\"no.csv\")", vec!["E506"]),
        ("data ¦\"no.toml\"", vec!["E506"]),
    ] {
        faults(&with(data), &codes);
    }
    refused(
        "set T = 1..2\nprefix\nexists binary x[t in T]\n¦",
        &["E203"],
    );
    refused("set T = 1..2\nend\n¦", &["E206"]);
    refused(
        "set T = 1..2\nprefix exists real x[t in T] in [0, ¦y] exists real y in [0, 1] end",
        &["E809"],
    );
    refused(
        "set T = 1..2\nprefix exists integer ¦¦x[t in T] end",
        &["E105", "E105"],
    );
}

#[test]
fn faults_of_syntax_and_of_meaning_are_told_together() {
    for (marked, codes) in [
        // A broken row, a broken sum, an unknown name, an unbounded variable and a crossed one.
        (
            "set T = 1..2\nparam c[T] = [1, 2, 3¦)]\nminimize sum{t in T} c[t] x[t]\nsubject to\n\
             r[t in T]: x[t] x[t]¦] <= 2\nq[t in T]: ¦xx[t] <= 1\nprefix\n\
             exists integer ¦u\nexists binary x[t in T]\nend\n",
            vec!["E201", "E201", "E102", "E105"],
        ),
        // What was lost with its declaration is no further news.
        (
            "set S = {a, b¦;}\nset T = {c}\nparam p[S, T] default 1\nminimize p[a, c] x[b]\n\
             prefix\nexists binary x[s in S]\nend\n",
            vec!["E201"],
        ),
        (
            "set T = 1..2\nminimize sum{t in T} x[t]\nsubject to\ny[1] + ¦z <= 1\nprefix\n\
             exists binary x[t in T\n¦exists integer y[t in T] in [0, 1]\nend\n",
            vec!["E102", "E201"],
        ),
        (
            "set T = 1..2\nminimize x[1] + y\nsubject to\ny + ¦z[1] + v <= 1\nprefix\n\
             exists binary x[t in T] ¦+ v\nexists integer y in [0, 1]\nend\n",
            vec!["E102", "E201"],
        ),
        (
            "data ¦toml\nset T\nparam a\nminimize b x\nprefix\nexists binary x\nend\n",
            vec!["E201"],
        ),
        (
            "param a = 1\nminimize a x\nsubject to\nx <= 1 ¦2\nend\n¦",
            vec!["E201", "E206"],
        ),
        // Twice declared, once used: no confusion of numbers.
        (
            "set T = 1..2\nminimize x\nsubject to\nr: 2 y <= 1 when x\nprefix\n\
             exists binary y\nexists binary x ¦x\nend\n",
            vec!["E101"],
        ),
        // A word of the format where a name was meant; other dialects' sections begin nothing here.
        (
            "set T = 1..2\nminimize sum{t in T} (2 ¦order[t] + bounds)\nsubject to\n\
             r[t in T]: ¦end[t] <= 1\nprefix\nexists binary x[t in T]\nend\n",
            vec!["E103", "E103"],
        ),
    ] {
        faults(marked, &codes);
    }
}

#[test]
fn a_bracket_in_a_new_line_begins_a_row() {
    let text = "set T = 1..2\nminimize x\nsubject to\n[t in T]: y[t] <= x\n[t in T]: y[t] >= 0\n\
                prefix\nexists binary x y[t in T]\nend\n";
    assert_eq!(read(text).rows().len(), 4);
}

#[test]
fn a_fault_of_an_indexed_line_is_told_once_with_its_index() {
    let text = "set T = 1..3\nset C = {oslo}\nminimize 0\nsubject to\n\
                balance[t in T, c in C]: s[t-1] + s[t-2] <= 1\nprefix exists real s[t in T] in [0, 1] end";
    let faults = parse_qip(text).unwrap_err();
    let said: Vec<&str> = faults
        .errors()
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert_eq!(
        said,
        [
            "there is no variable `s[0]`, in `balance[1,oslo]`",
            "there is no variable `s[-1]`, in `balance[1,oslo]` and 1 more"
        ]
    );
}

/// A model in a folder with other files.
fn with_files(model: &str, files: &[(&str, &str)], data: &[&str]) -> Result<Program, Diagnostics> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join("model.qip");
    let beside = Beside::of(&path).with_data(data.iter().map(|name| folder.path().join(name)));
    read_beside("model.qip", model.as_bytes(), &beside).map(|reading| reading.program)
}

const OPEN: &str = "set S\nparam c[S]\nparam d[S, S] default 1\nparam k\n\
                    minimize sum{s in S} c[s] x[s] + sum{s in S, t in S} d[s,t] x[t] + k\n\
                    prefix exists binary x[s in S] end";

#[test]
fn toml_json_and_csv_say_the_same() {
    let closed = read(
        "set S = {a, 7}\nminimize 1/10 x[a] - 2 x[7] + 4 x[a] + 2 x[7] + 7/3 - 2 x[a]\nprefix exists binary x[s in S] end",
    );
    let toml = "S = [\"a\", 7]\nc = { a = 0.1, 7 = -2 }\nk = \"7/3\"\n[d.a]\na = 1\n7 = 1\n";
    let json = "{\"S\": [\"a\", \"7\"], \"c\": [0.1, -2e0], \"k\": \"7/3\", \"d\": {\"a,a\": 1.0}}";
    for (name, text) in [("data.toml", toml), ("data.json", json)] {
        let found = with_files(OPEN, &[(name, text)], &[name]).unwrap_or_else(|it| panic!("{it}"));
        assert_eq!(found, closed, "{name}");
        let inside = format!("data \"{name}\"\n{OPEN}");
        assert_eq!(
            with_files(&inside, &[(name, text)], &[]).unwrap(),
            closed,
            "{name}"
        );
    }
    let sheets = [
        ("c.csv", "S,c\na,0.1\n7,-2\n"),
        ("k.json", "{\"k\": \"7/3\"}"),
    ];
    assert_eq!(
        with_files(OPEN, &sheets, &["c.csv", "k.json"]).unwrap(),
        closed
    );
    let model = OPEN.replace("param c[S]", "param c[S] = csv(\"cost.csv\", price)");
    let model = model
        .replace("set S\n", "set S = csv(\"cost.csv\")\n")
        .replace("param k", "param k = 7/3");
    let sheets = [("cost.csv", "site;name;price\na;A;0.1\n7;B;-2\n")];
    assert_eq!(with_files(&model, &sheets, &[]).unwrap(), closed);
}

#[test]
fn the_fingerprint_covers_the_data() {
    let mark = |cost: &str| {
        let sheet = format!("S,c\na,{cost}\n");
        let files = [("c.csv", sheet.as_str()), ("k.toml", "k = 1")];
        with_files(OPEN, &files, &["c.csv", "k.toml"])
            .unwrap()
            .fingerprint()
    };
    assert_eq!(mark("1/2"), mark("0.5"));
    assert_ne!(mark("1/2"), mark("0.50000001"));
}

#[test]
fn faults_of_data_files_point_into_them() {
    for (name, text, marked, code) in [
        (
            "d.toml",
            "S = [\"a\"]\nk = 1\nc = { a = 1, b = 2 }\n",
            "2 }",
            "E802",
        ),
        (
            "d.toml",
            "S = [\"a\", \"a\"]\nk = 1\nc = { a = 1 }\n",
            "\"a\"]",
            "E803",
        ),
        (
            "d.toml",
            "S = [\"a\"]\nk = [1]\nc = { a = 1 }\n",
            "[1]",
            "E805",
        ),
        (
            "d.toml",
            "S = [\"a\"]\nkk = 1\nk = 1\nc = { a = 1 }\n",
            "kk",
            "E802",
        ),
        ("d.toml", "S = [\"a\"\n", "S = ", "E807"),
        (
            "d.json",
            "{\"S\": [\"a\"], \"k\": 1e, \"c\": [1]}",
            "1e",
            "E301",
        ),
        (
            "d.json",
            "{\"S\": [\"a\"], \"k\": 1, \"c\": [1, 2]}",
            "[1, 2]",
            "E801",
        ),
        ("d.csv", "S,c,k\na,1\n", "a,1", "E807"),
        ("d.csv", "x,y\na,1\n", "x,y", "E802"),
        ("d.csv", "S,c\na,1\na,2\n", "2\n", "E803"),
    ] {
        let faults = with_files(OPEN, &[(name, text)], &[name]).unwrap_err();
        let all = faults.errors();
        let found = all
            .iter()
            .find(|it| it.code.as_str() == code && it.file.ends_with(name));
        let found = found.unwrap_or_else(|| panic!("{text}\n{faults}"));
        if name != "d.toml" || code != "E807" {
            assert_eq!(
                found.labels[0].span.start,
                text.rfind(marked).unwrap(),
                "{text}\n{faults}"
            );
        }
    }
    let model = OPEN.replace("param k", "param k = 3");
    let faults = with_files(
        &model,
        &[("d.toml", "S = [1]\nc = [1]\nk = 2\n")],
        &["d.toml"],
    )
    .unwrap_err();
    assert_eq!(faults.errors()[0].code.as_str(), "E502");
    let faults = with_files(OPEN, &[("d.txt", "")], &["d.txt"]).unwrap_err();
    assert!(faults.errors().iter().any(|it| it.code.as_str() == "E807"));
}

#[test]
fn ten_thousand_lines_and_a_million_terms_expand_in_seconds() {
    let start = std::time::Instant::now();
    let text = "set I = 1..1000\nset J = 1..1000\nminimize sum{i in I, j in J} ((i + j) mod 7) x[j]\n\
                prefix exists binary x[j in J] end";
    assert_eq!(read(text).variables().len(), 1000);
    let rows: String = (0..10_000)
        .map(|row| format!("r{row}[t in T]: x[t] + {row} x[1] <= 7\n"))
        .collect();
    let text = format!(
        "set T = 1..2\nminimize x[1]\nsubject to\n{rows}prefix exists binary x[t in T] end"
    );
    assert_eq!(read(&text).rows().len(), 20_000);
    // Generous, for machines that do other things: it takes less than a second.
    assert!(start.elapsed() < std::time::Duration::from_secs(20));
}

/// A formula over indices `i`, `j` and a parameter `c[i,j]`, as text and evaluated.
#[derive(Clone, Debug)]
enum Formula {
    Number(i64),
    I,
    J,
    C,
    Sum(Box<Formula>, Box<Formula>),
    Difference(Box<Formula>, Box<Formula>),
    Product(Box<Formula>, Box<Formula>),
    Greatest(Box<Formula>, Box<Formula>),
    IfBelow(Box<Formula>, Box<Formula>),
}

impl Formula {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => format!("({number})"),
            Self::I => "i".into(),
            Self::J => "j".into(),
            Self::C => "c[i,j]".into(),
            Self::Sum(a, b) => format!("({} + {})", a.text(), b.text()),
            Self::Difference(a, b) => format!("({} - {})", a.text(), b.text()),
            Self::Product(a, b) => format!("{} * {}", a.text(), b.text()),
            Self::Greatest(a, b) => format!("max({}, {})", a.text(), b.text()),
            Self::IfBelow(a, b) => format!("(if {} < {} then i else j)", a.text(), b.text()),
        }
    }

    fn value(&self, i: i64, j: i64, c: i64) -> i64 {
        let of = |it: &Self| it.value(i, j, c);
        match self {
            Self::Number(number) => *number,
            Self::I => i,
            Self::J => j,
            Self::C => c,
            Self::Sum(a, b) => of(a) + of(b),
            Self::Difference(a, b) => of(a) - of(b),
            Self::Product(a, b) => of(a) * of(b),
            Self::Greatest(a, b) => of(a).max(of(b)),
            Self::IfBelow(a, b) => {
                if of(a) < of(b) {
                    i
                } else {
                    j
                }
            }
        }
    }
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        (-5_i64..6).prop_map(Formula::Number),
        Just(Formula::I),
        Just(Formula::J),
        Just(Formula::C),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let pair = || {
            (
                inner.clone().prop_map(Box::new),
                inner.clone().prop_map(Box::new),
            )
        };
        prop_oneof![
            pair().prop_map(|(a, b)| Formula::Sum(a, b)),
            pair().prop_map(|(a, b)| Formula::Difference(a, b)),
            pair().prop_map(|(a, b)| Formula::Product(a, b)),
            pair().prop_map(|(a, b)| Formula::Greatest(a, b)),
            pair().prop_map(|(a, b)| Formula::IfBelow(a, b)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_models_are_what_direct_evaluation_says(
        sizes in (1_i64..4, 1_i64..4),
        numbers in prop::collection::vec(-9_i64..10, 9),
        by in formula(),
        side in formula(),
        keep in (formula(), formula()),
        budget in 1_i64..4,
    ) {
        let (rows, columns) = sizes;
        let value = |i: i64, j: i64| numbers[((i - 1) * 3 + j - 1) as usize];
        let list: Vec<String> = (1..=rows)
            .map(|i| format!("{:?}", (1..=columns).map(|j| value(i, j)).collect::<Vec<_>>()))
            .collect();
        let indexed = format!(
            "set I = 1..{rows}\nset J = 1..{columns}\nparam c[I, J] = [{}]\nminimize o: sum{{i in I, j in J}} {} x[i,j]\n\
             subject to\nr[i in I]: sum{{j in J where {} <= {}}} {} * x[i,j] >= sum{{j in J}} ({})\n\
             prefix\nexists integer x[i in I, j in J] in [0, 5]\nstage i in I: forall integer u[i] in [0, {budget}] budget {budget};\
             exists real y[i, j in J] in [0, 1]\nend\n",
            list.join(", "), by.text(), keep.0.text(), keep.1.text(), by.text(), side.text(),
        );
        let at = |it: &Formula, i: i64, j: i64| it.value(i, j, value(i, j));
        let mut objective = String::from("minimize o: 0");
        let (mut body, mut prefix, mut sum) = (String::new(), String::new(), String::new());
        let mut stages = String::new();
        for i in 1..=rows {
            let (mut row, mut total) = (format!("r[{i}]: 0 x[1,1]"), 0);
            for j in 1..=columns {
                objective += &format!(" + {} x[{i},{j}]", at(&by, i, j)).replace("+ -", "- ");
                if at(&keep.0, i, j) <= at(&keep.1, i, j) {
                    row += &format!(" + {} x[{i},{j}]", at(&by, i, j)).replace("+ -", "- ");
                }
                total += at(&side, i, j);
                prefix += &format!(" x[{i},{j}]");
            }
            body += &format!("{row} >= {total}\n");
            sum += &format!(" + 1/{budget} u[{i}]");
            stages += &format!("forall integer u[{i}] in [0, {budget}]\n");
            for j in 1..=columns {
                stages += &format!("exists real y[{i},{j}] in [0, 1]\n");
            }
        }
        let flat = format!(
            "{objective}\nsubject to\n{body}uncertainty\nbudget_u: 0 x[1,1]{sum} <= {budget}\n\
             prefix\nexists integer{prefix} in [0, 5]\n{stages}end\n"
        );
        let (found, expected) = (read(&indexed), read(&flat));
        prop_assert_eq!(&found, &expected, "{}\n{}", indexed, flat);
        prop_assert_eq!(&read(&write_qip(&found)), &found);
    }
}

#[test]
fn a_warning_tells_of_a_set_that_was_chosen_empty() {
    let text =
        "set T = 1..2\nset ¦U = {t for t in T where t > 5}\nprefix exists binary x y[t in U] end";
    let reading = crate::read(&text.replace('¦', ""));
    assert_places(&reading.warnings, text, &["W801"]);
    assert_eq!(reading.program.variables().len(), 1);
}
