//! Files without quantifiers: MPS and LP, prefix files, bilevel programs; what they mean and what is
//! said about them.

use proptest::prelude::*;
use quip::format::{Format, parse_qip, read_bytes, read_path, write_lp, write_mps, write_qip};
use quip::program::{Program, Quantifier};

/// A file of that ending, as native text.
fn meaning(ending: &str, text: &str) -> String {
    let reading = read_bytes(&format!("model.{ending}"), text.as_bytes());
    write_qip(
        &reading
            .unwrap_or_else(|faults| panic!("{text}\n{faults}"))
            .program,
    )
}

fn codes(ending: &str, text: &str) -> Vec<&'static str> {
    match read_bytes(&format!("model.{ending}"), text.as_bytes()) {
        Ok(reading) => reading.warnings.iter().map(|it| it.code.as_str()).collect(),
        Err(faults) => faults.errors().iter().map(|it| it.code.as_str()).collect(),
    }
}

/// An MPS file with two rows, a real column `x` and an integer one `k`, and these sections below.
fn mps(below: &str) -> String {
    format!(
        "NAME t\nROWS\n N cost\n L most\n G least\n E even\nCOLUMNS\n x cost 1 most 2\n x even 1\n \
         M 'MARKER' 'INTORG'\n k cost -3 least 1\n k even 1\n M 'MARKER' 'INTEND'\n{below}ENDATA\n"
    )
}

fn bounded(below: &str) -> String {
    mps(&format!("{below}BOUNDS\n UP B k 9\n"))
}

/// The rows of a native text, or its prefix.
fn part<'t>(text: &'t str, from: &str, to: &str) -> Vec<&'t str> {
    let start = text.find(from).unwrap() + from.len();
    let lines = text[start..start + text[start..].find(to).unwrap()].lines();
    lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn sides_and_ranges_of_mps_files_are_those_of_the_field() {
    for (below, rows) in [
        ("", ["most: 2 x <= 0", "least: k >= 0", "even: x + k = 0"]),
        (
            "RHS\n R most 4 least -1\n R even 2\n",
            ["most: 2 x <= 4", "least: k >= -1", "even: x + k = 2"],
        ),
        (
            "RHS\n most 4 least 1\nRANGES\n R most -3 least -3\n R even 5\n",
            [
                "most: 1 <= 2 x <= 4",
                "least: 1 <= k <= 4",
                "even: 0 <= x + k <= 5",
            ],
        ),
        (
            "RANGES\n R even -5\n",
            ["most: 2 x <= 0", "least: k >= 0", "even: -5 <= x + k <= 0"],
        ),
        (
            "RHS\n R most 1e30 even 1.5D+0\n",
            ["most: 2 x >= -inf", "least: k >= 0", "even: x + k = 3/2"],
        ),
    ] {
        let text = meaning("mps", &bounded(below));
        assert_eq!(part(&text, "subject to\n", "prefix"), rows, "{below}");
    }
}

#[test]
fn the_side_of_the_objective_is_taken_away_from_it() {
    let text = meaning("mps", &bounded("RHS\n R cost 5\n"));
    assert!(
        text.starts_with("minimize\n  cost: x - 3 k - 5\n"),
        "{text}"
    );
    let text = format!("OBJSENSE\n MAX\n{}", bounded("RHS\n R cost -5\n"));
    assert!(meaning("mps", &text).starts_with("maximize\n  cost: x - 3 k + 5\n"));
    assert!(meaning("mps", &format!("OBJSENSE MAXIMIZE\n{}", bounded(""))).starts_with("maximize"));
}

#[test]
fn every_kind_of_bound_is_read() {
    for (cards, x, k) in [
        (" UP B x 4\n", "real x in [0, 4]", "binary k"),
        (
            " LO B x -1\n UP B k 7\n",
            "real x in [-1, inf]",
            "integer k in [0, 7]",
        ),
        (
            " FX B x 2.5\n FX k 2\n",
            "real x in [5/2, 5/2]",
            "integer k in [2, 2]",
        ),
        (" FR B x\n BV B k\n", "real x in [-inf, inf]", "binary k"),
        (
            " MI B x\n UP B x -3\n UI B k 3\n",
            "real x in [-inf, -3]",
            "integer k in [0, 3]",
        ),
        (
            " PL B x\n LI B k 1\n UI B k 2\n",
            "real x in [0, inf]",
            "integer k in [1, 2]",
        ),
        (
            " UI x 3\n UP k 1e30\n LO k -2\n",
            "integer x in [0, 3]",
            "integer k in [-2, 0]",
        ),
    ] {
        let text = meaning("mps", &mps(&format!("BOUNDS\n{cards}")));
        let [x, k] = [x, k].map(|declared| format!("exists {declared}"));
        assert_eq!(part(&text, "prefix\n", "end"), [x, k], "{cards}");
    }
}

#[test]
fn fixed_columns_are_read_where_names_have_blanks() {
    let text = "\
NAME          two words
ROWS
 N  my cost
 L  row one
COLUMNS
    x one     my cost            1.5   row one              2
    x two     row one              1
RHS
    RHS       row one              8
BOUNDS
 UP BND       x one                3
ENDATA
";
    let read = meaning("mps", text);
    assert_eq!(
        part(&read, "subject to\n", "prefix"),
        ["row_one: 2 x_one + x_two <= 8"]
    );
    assert_eq!(
        part(&read, "prefix\n", "end"),
        [
            "exists real x_one in [0, 3]",
            "exists real x_two in [0, inf]"
        ]
    );
    assert!(codes("mps", text).contains(&"W507"));
}

#[test]
fn lp_files_say_the_same_in_rows() {
    let text = "Maximize\n gain: 2 x - 1/2\n + 3 k + 4 y(1)\nSubject To\n r: x + k\n <= 4\n -1 <= x - k <= 3\n\
                x >= -inf\n s: k + y(1) >= 1 \\ note\nBounds\n x <= 3\n k <= 5 y(1) free\nGeneral\n k\nEnd\n";
    // `1/2` is no number of this format.
    assert_eq!(codes("lp", text), ["E201"]);
    let read = meaning("lp", &text.replace("1/2", "0.5"));
    assert!(
        read.starts_with("maximize\n  gain: 2 x + 3 k + 4 y[1] - 1/2\n"),
        "{read}"
    );
    assert_eq!(
        part(&read, "subject to\n", "prefix"),
        [
            "r: x + k <= 4",
            "-1 <= x - k <= 3",
            "x >= -inf",
            "s: k + y[1] >= 1"
        ]
    );
    assert_eq!(
        part(&read, "prefix\n", "end"),
        [
            "exists real x in [0, 3]",
            "exists integer k in [0, 5]",
            "exists real y[1] in [-inf, inf]"
        ]
    );
}

#[test]
fn what_has_no_clear_meaning_is_refused_with_its_code() {
    for (text, expected) in [
        (mps("BOUNDS\n UP B x -1\n"), "E504"),
        (mps("BOUNDS\n UP B z 1\n"), "E102"),
        (mps("BOUNDS\n UP B x 1\n UP B x 2\n"), "E405"),
        (mps("BOUNDS\n SC B x 5\n"), "E503"),
        (mps("BOUNDS\n UP B x lots\n"), "E301"),
        (mps("BOUNDS\n FX B x 1e30\n"), "E304"),
        (mps("BOUNDS\n PL B k\n").replace(" k even 1\n", ""), "E105"),
        (mps("RHS\n R mots 1\n"), "E501"),
        (mps("RHS\n R most 1 most 2\n"), "E502"),
        (mps("QUADOBJ\n x x 1\n"), "E503"),
        (mps("").replace("ENDATA\n", ""), "E203"),
        (mps("").replace(" G least", " L most"), "E104"),
        (mps("").replace("ENDATA", "ENDATA\nROWS"), "E204"),
        (mps("").replace("x even", "x most"), "E502"),
        (mps("").replace("x cost", "x"), "E201"),
    ] {
        let found = codes("mps", &text);
        assert_eq!(found.first(), Some(&expected), "{text} {found:?}");
    }
    for (rows, expected) in [
        (" r: x + [ y ^ 2 ] <= 1", "E503"),
        (" r: b = 1 -> x <= 3", "E503"),
        (" r: x <= y", "E201"),
        (" r: x <= 1\n r: x <= 2", "E104"),
        (" r: 1 <= x >= 3", "E208"),
        (" r: x <= 1\nBounds\n x <= -1", "E504"),
        (" r: x >= 1\nGenerals\n x\n", "E105"),
        (" r: x <= 1\nSOS\n s1: x:1 y:2", "E503"),
        (" r: x <= 1\nBounds\n 2 <= x <= 3\nBinary\n x", "E406"),
    ] {
        let text = format!("Maximize\n x\nSubject To\n{rows}\nEnd\n");
        let found = codes("lp", &text);
        assert_eq!(found.first(), Some(&expected), "{text} {found:?}");
    }
}

#[test]
fn bounds_are_found_where_they_change_nothing() {
    let declared = |text: &str| {
        let read = meaning("lp", text);
        part(&read, "prefix\n", "end")
            .join("; ")
            .replace("exists ", "")
    };
    // By a row, and through another row.
    assert_eq!(
        declared("Max\n x\nst\n 2 x + y <= 7\n z - 3 y <= 1\nGenerals\n x y z\nEnd"),
        "integer x in [0, 3]; integer y in [0, 7]; integer z in [0, 22]"
    );
    // By what every row is content with, since growing costs.
    assert_eq!(
        declared("Min\n x + 2 y\nst\n 2 x + y >= 7\nGenerals\n x y\nEnd"),
        "integer x in [0, 4]; integer y in [0, 7]"
    );
    // A maximiser's gain, a row that is hurt: no bound.
    for text in [
        "Max\n x\nst\n x >= 1\nGenerals\n x\nEnd",
        "Min\n x\nst\n x - y >= 7\n x - y <= 9\nGenerals\n x\nEnd",
    ] {
        assert_eq!(codes("lp", text), ["E105"], "{text}");
    }
    // Reals may stay unbounded.
    assert_eq!(declared("Max\n x\nst\n x >= 1\nEnd"), "real x in [0, inf]");
}

#[test]
fn a_prefix_file_orders_a_model_and_hands_rows_to_the_opponent() {
    let reading = read_path("models/plain/plan.prefix".as_ref()).unwrap();
    assert_eq!(reading.format, Format::Prefix);
    let program = reading.program;
    let owners: Vec<Quantifier> = program
        .blocks()
        .iter()
        .map(|block| block.quantifier)
        .collect();
    use Quantifier::{Exists, Forall};
    assert_eq!(owners, [Exists, Forall, Exists, Forall, Exists]);
    assert_eq!(program.universal_rows().len(), 1);
    assert_eq!(program.variables().iter().last().unwrap().name, "s2");
}

/// A prefix file beside the plan, in a folder of its own.
fn prefixed(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let plan = include_str!("../../models/plain/plan.mps");
    std::fs::write(folder.path().join("plan.mps"), plan).unwrap();
    let path = folder.path().join("it.prefix");
    std::fs::write(&path, text).unwrap();
    match read_path(&path) {
        Ok(reading) => vec![write_qip(&reading.program)],
        Err(quip::format::ReadError::Model(faults)) => {
            let one = |it: &quip::format::Diagnostic| format!("{} {}", it.code, it.message);
            faults.errors().iter().map(one).collect()
        }
        Err(fault) => panic!("{fault}"),
    }
}

#[test]
fn faults_of_prefix_files_are_all_told() {
    for (text, expected) in [
        (
            "model \"plan.mps\" prefix exists open end",
            "E505 not in the prefix: `q1`, `q2`",
        ),
        (
            "model \"plan.mps\" prefix exists opn * end",
            "E102 the model has no variable `opn`",
        ),
        (
            "model \"plan.mps\" prefix exists open open * end",
            "E101 `open` is listed twice",
        ),
        (
            "model \"plan.mps\" uncertainty bugdet prefix exists * end",
            "E501 the model has no row",
        ),
        (
            "model \"plam.mps\" prefix exists * end",
            "E506 cannot read `plam.mps`",
        ),
        (
            "model \"plan.mps\" prefix exists binary open end",
            "E201 the kind of a variable",
        ),
        ("model \"plan.mps\" prefix exists *", "E203 "),
        (
            "model \"plan.mps\" prefix forall * end",
            "E105 variable `s2` needs an upper bound",
        ),
        (
            "model \"plan.mps\" prefixx exists * end",
            "E201 expected `prefix`",
        ),
        (
            "model \"it.prefix\" prefix exists * end",
            "E503 `it.prefix` is a .prefix file",
        ),
    ] {
        let found = prefixed(text);
        assert!(found[0].starts_with(expected), "{text}\n{found:?}");
    }
    let text = "model \"plan.mps\" prefix exists opn foo* * end";
    assert_eq!(prefixed(text).len(), 2);
    let text = "model \"plan.mps\" prefix exists o* forall d* in [0, 1/2] exists * end";
    assert!(prefixed(text)[0].contains("forall integer d1 in [0, 1/2]"));
}

#[test]
fn a_model_of_bytes_alone_names_no_file() {
    let faults = read_bytes("m", b"model \"models/plain/plan.mps\" prefix exists * end");
    assert_eq!(faults.unwrap_err().errors()[0].code.as_str(), "E506");
}

/// A leader `x`, a follower `y`, and this auxiliary file.
fn bilevel(rows: &str, costs: &str, aux: &str) -> Result<Program, String> {
    let folder = tempfile::tempdir().unwrap();
    let model = format!(
        "Minimize\n cost: {costs}\nSubject To\n{rows}\nBounds\n x <= 3\n y <= 3\nGenerals\n x y\nEnd\n"
    );
    std::fs::write(folder.path().join("it.mps"), model).unwrap();
    std::fs::rename(folder.path().join("it.mps"), folder.path().join("it.lp")).unwrap();
    let path = folder.path().join("it.aux");
    std::fs::write(&path, aux).unwrap();
    match read_path(&path) {
        Ok(reading) => Ok(reading.program),
        Err(quip::format::ReadError::Model(faults)) => Err(faults.errors()[0].message.clone()),
        Err(fault) => panic!("{fault}"),
    }
}

const AUX: &str = "@NUMVARS\n1\n@NUMCONSTRS\n1\n@VARSBEGIN\ny -2\n@VARSEND\n@CONSTRSBEGIN\nlower\n\
                   @CONSTRSEND\n@LP\nit.lp\n";

#[test]
fn an_opposed_follower_is_a_universal_player() {
    let program = bilevel(" lower: x + y <= 3", "x + y", AUX).unwrap();
    // y = 0 answers every x, so the leader names no answer of his own.
    assert_eq!(
        write_qip(&program),
        "minimize\n  cost: x + y\nsubject to\nuncertainty\n  lower: x + y <= 3\nprefix\n  \
         exists integer x in [0, 3]\n  forall integer y in [0, 3]\nend\n"
    );
    let program = bilevel(" upper: x >= 1\n lower: x + y >= 2", "x + y", AUX).unwrap();
    assert_eq!(
        write_qip(&program),
        "minimize\n  cost: x + y\nsubject to\n  upper: x >= 1\n  lower': x + y' >= 2\nuncertainty\n  \
         lower: x + y >= 2\nprefix\n  exists integer x in [0, 3]\n  exists integer y' in [0, 3]\n  \
         forall integer y in [0, 3]\nend\n"
    );
}

#[test]
fn other_followers_are_refused_with_the_reason() {
    for (rows, costs, aux, reason) in [
        (
            " lower: x + y <= 3",
            "x - y",
            AUX.to_owned(),
            "want the same",
        ),
        (
            " lower: x + y <= 3",
            "x",
            AUX.to_owned(),
            "does not mention",
        ),
        (
            " upper: x - y <= 1\n lower: y <= 3",
            "x + y",
            AUX.to_owned(),
            "an opponent would break it",
        ),
        (
            " lower: x + y <= 3",
            "x + y",
            AUX.replace("-2", "0"),
            "has no objective",
        ),
        (
            " lower: x + y <= 3",
            "x + y",
            AUX.replace("lower", "lowr"),
            "no row `lowr`",
        ),
        (
            " lower: x + y <= 3",
            "x + y",
            AUX.replace("S\n1\n@NUMC", "S\n2\n@NUMC"),
            "2 variables",
        ),
        (
            " lower: x + y <= 3",
            "x + y",
            AUX.replace("@LP", "@GMPL"),
            "no meaning",
        ),
    ] {
        let said = bilevel(rows, costs, &aux).unwrap_err();
        assert!(said.contains(reason), "{rows} {costs}: {said}");
    }
}

#[test]
fn names_and_places_say_the_same() {
    let by_names = read_path("models/plain/interdiction.aux".as_ref())
        .unwrap()
        .program;
    let folder = tempfile::tempdir().unwrap();
    let model = include_str!("../../models/plain/interdiction.mps");
    std::fs::write(folder.path().join("it.mps"), model).unwrap();
    let aux = "N 4\nM 5\nLC 4\nLC 5\nLC 6\nLC 7\nLR 1\nLR 2\nLR 3\nLR 4\nLR 5\nLO 7\nLO 5\nLO 6\nLO 3\nOS -1\n";
    std::fs::write(folder.path().join("it.aux"), aux).unwrap();
    let by_places = read_path(&folder.path().join("it.aux")).unwrap().program;
    assert_eq!(by_places, by_names);
}

#[test]
fn what_a_format_cannot_say_is_refused() {
    let opponent = parse_qip("prefix forall binary y end").unwrap();
    for refused in [write_mps(&opponent), write_lp(&opponent)] {
        assert!(
            refused
                .unwrap_err()
                .to_string()
                .contains("`y` is a universal variable")
        );
    }
    let third = parse_qip("minimize 1/3 x prefix exists binary x end").unwrap();
    for refused in [write_mps(&third), write_lp(&third)] {
        assert!(
            refused
                .unwrap_err()
                .to_string()
                .contains("1/3, which no decimal number spells")
        );
    }
}

/// What a program says, whatever the order of its variables.
fn by_name(program: &Program) -> Vec<String> {
    let name = |id| &program.variables()[id].name;
    let sum = |terms: &[quip::program::Term]| {
        let mut terms: Vec<_> = terms
            .iter()
            .map(|(id, by)| format!("{by} {}", name(*id)))
            .collect();
        terms.sort();
        terms.join(" ")
    };
    let rows = program.rows().iter();
    let rows = rows.map(|row| {
        format!(
            "{:?} {} {:?} {:?}",
            row.name,
            sum(&row.terms),
            row.lower,
            row.upper
        )
    });
    let objective = program.objective().into_iter();
    let objective = objective.map(|it| {
        format!(
            "{:?} {} {} {}",
            it.name,
            it.sense,
            sum(&it.terms),
            it.constant
        )
    });
    let mut said: Vec<String> = program
        .variables()
        .iter()
        .map(|it| format!("{it:?}"))
        .collect();
    said.sort();
    rows.chain(objective).chain(said).collect()
}

/// Sums that decimals spell, over `x[1]`, `e1` and `free1`.
fn decimal() -> impl Strategy<Value = String> {
    (
        -99_i32..100,
        prop::sample::select(vec!["", ".5", ".25", "e3", "e-2"]),
    )
        .prop_map(|(whole, part)| format!("{whole}{part}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn programs_without_an_opponent_survive_both_writers(
        numbers in prop::collection::vec(decimal(), 12),
        relation in prop::sample::select(vec!["<=", ">=", "="]),
        kinds in prop::sample::select(vec!["binary x[1]", "integer x[1] in [-3, 5/2]", "real x[1] in [-inf, 4]"]),
        sense in prop::sample::select(vec!["minimize", "maximize", ""]),
    ) {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = &numbers[..] else { unreachable!() };
        let objective = if sense.is_empty() { String::new() } else { format!("{sense} o: {a} x[1] + {b} e1 + {c}\n") };
        let text = format!(
            "{objective}subject to\n r: {d} x[1] + {e} e1 + {f} free1 {relation} {g}\n s: {h} e1 - {i} free1 >= {j}\n \
             t: e1 + {k} x[1] <= {l}\nprefix\n exists {kinds}\n exists integer e1 in [0, 7]\n exists real free1\nend"
        );
        let program = parse_qip(&text).unwrap();
        let written = write_mps(&program).unwrap();
        prop_assert_eq!(&read_bytes("copy.mps", written.as_bytes()).unwrap().program, &program, "{}", written);
        let written = write_lp(&program).unwrap();
        let again = read_bytes("copy.lp", written.as_bytes()).unwrap().program;
        // `e1` is no name for every reader of LP files.
        let renamed = write_qip(&again).replace("_e1", "e1");
        let renamed = parse_qip(&renamed).unwrap();
        prop_assert_eq!(by_name(&renamed), by_name(&program), "{}", written);
    }
}
