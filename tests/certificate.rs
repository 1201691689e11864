//! Certificates: every honest one is accepted, every corrupted one is rejected.

mod support;

use std::collections::HashMap;

use quip::budget::{Budget, Limits};
use quip::certify::certify;
use quip::check::{Verdict, check};
use quip::format::parse_qip;
use quip::games::or::lotsizing::{self, LotSizing};
use quip::games::random::{RandomShape, random_program};
use quip::num::{Exact, int};
use quip::outcome::{Outcome, SolveError, Status, cost_of_objective};
use quip::program::{Id, Kind, Program, Quantifier, Row, VarId, Variable};
use quip::reference;
use quip::search::{self, Settings};
use quip::solver::{Method, Options, Solver};
use quip::strategy::{Answer, Certificate, Evidence, EvidenceNode, Guarantee, NodeId};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use quip::fuzz::{altered, claims_hold};
use support::certified::{checked, checked_unless_stopped};
use support::evidence::keeps_guarantee;
use support::naive::Plays;
use support::{Prefix, shown};

const SHAPES: [fn() -> RandomShape; 3] =
    [RandomShape::small, RandomShape::binary, RandomShape::game];

/// Real replies behind whole moves, and quantified linear programs.
const REAL_SHAPES: [fn() -> RandomShape; 2] = [RandomShape::with_reals, RandomShape::qlp];

/// Every shape, and whether programs of it are searched.
fn all_shapes() -> impl Iterator<Item = (RandomShape, bool)> {
    let whole = SHAPES.map(|shape| (shape(), true));
    let real = REAL_SHAPES.map(|shape| (shape(), false));
    whole.into_iter().chain(real)
}

/// How many programs each shape gets; `QUIP_RANDOM_PROGRAMS` asks for more.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn solve(program: &Program) -> Outcome {
    reference::solve(program, &mut Budget::unlimited()).expect("the reference takes this program")
}

fn certificate(program: &Program) -> Certificate {
    certify(program, &solve(program), &mut Budget::unlimited()).expect("plans can be certified")
}

fn accepted(program: &Program, text: &str) -> Verdict {
    check(program, text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{text}\n{}", shown(program)))
}

#[test]
fn certificates_of_the_reference_are_accepted() {
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..count(2000) {
            let program = random_program(seed, &shape);
            let text = certificate(&program).to_text(&program);
            accepted(&program, &text);
        }
    }
}

/// Every technique off or on, by the bits of `number`.
fn configuration(number: u64) -> Settings {
    let on = |bit: u64| number >> bit & 1 == 1;
    Settings {
        propagate: !on(0),
        table_bytes: [1 << 20, 0, 1, 4096][(number >> 1 & 3) as usize],
        monotone: !on(3),
        ordering: !on(4),
        relax: on(5),
        caution: if on(6) { 0 } else { 4 },
        ..Settings::default()
    }
}

fn searched(seed: u64, program: &Program) -> Certificate {
    let settings = configuration(seed);
    let solved = search::solve_with_certificate(program, &settings, &mut Budget::unlimited());
    let outcome = solved.expect("the search takes programs of integers");
    outcome
        .certificate
        .expect("it was asked for")
        .unwrap_or_else(|error| panic!("seed {seed}, {settings:?}: {error}\n{}", shown(program)))
}

#[test]
fn certificates_of_the_search_are_accepted() {
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..count(2000) {
            let program = random_program(seed, &shape);
            accepted(&program, &searched(seed, &program).to_text(&program));
        }
    }
}

/// `forall u_i exists x_i: x_i = u_i`, one after the other.
fn echo(rounds: usize) -> Program {
    let mut prefix = Prefix::new();
    let mut rows = Vec::new();
    for round in 0..rounds {
        prefix = prefix.forall(0, 1).exists(0, 1);
        let (u, x) = (VarId::new(2 * round), VarId::new(2 * round + 1));
        rows.push(Row::equal(vec![(u, int(-1)), (x, int(1))], int(0)));
    }
    support::program(prefix, rows, Vec::new(), None)
}

#[test]
fn two_hundred_rounds_of_echo_take_a_certificate_of_linear_size() {
    let sizes = [100, 200].map(|rounds| {
        let program = echo(rounds);
        let text = searched(0, &program).to_text(&program);
        let verdict = accepted(&program, &text);
        let strategy = verdict.strategy.expect("it is won");
        assert!(strategy.nodes <= 3 * rounds + 1, "{}", strategy.nodes);
        assert!(
            strategy.peak <= 4,
            "{} nodes were held at once",
            strategy.peak
        );
        text.len()
    });
    assert!(sizes[1] < 3 * sizes[0], "{sizes:?}");
}

/// The checker must not accept the text.
fn rejected(program: &Program, text: &str, what: &str) {
    if let Ok(verdict) = check(program, text.as_bytes()) {
        panic!("{what}: {verdict:?}\n{text}\n{}", shown(program));
    }
}

/// The same program under another name, with another fingerprint.
fn renamed(program: &Program) -> Option<Program> {
    let mut data = program.clone().into_data();
    data.variables.first_mut()?.name = "another".into();
    Program::new(data).ok()
}

/// The line of a choice, with its successor replaced by the node itself and by the one after it.
fn looped(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let ([number, "choose", ..], Some((_, before))) = (&words[..], words.split_last()) else {
        return Vec::new();
    };
    let number: usize = number.parse().expect("nodes have numbers");
    let targets = [number, number + 1];
    targets
        .map(|target| format!("{} {target}", before.join(" ")))
        .to_vec()
}

/// The certificate with another value, claimed and guaranteed by both sides.
fn lied(program: &Program, certificate: &Certificate, by: i64) -> Option<String> {
    let value = certificate.value.clone()? + int(by);
    let mut lie = certificate.clone();
    for side in [&mut lie.strategy, &mut lie.refutation]
        .into_iter()
        .flatten()
    {
        side.guarantee = Guarantee::Cost(cost_of_objective(program, value.clone()));
    }
    lie.value = Some(value);
    Some(lie.to_text(program))
}

#[test]
fn damaged_texts_are_rejected() {
    let (mut damaged, mut lies) = (0, 0);
    for (shape, whole) in all_shapes() {
        for seed in 0..count(120) {
            let program = random_program(seed, &shape);
            let certificate = match whole && seed % 3 != 0 {
                false => certificate(&program),
                true => searched(seed, &program),
            };
            let text = certificate.to_text(&program);
            let lines: Vec<&str> = text.lines().collect();
            let joined = |lines: &[&str]| lines.join("\n") + "\n";
            for at in 0..lines.len() {
                rejected(&program, &joined(&lines[..at]), "cut off");
                let mut without = lines.clone();
                without.remove(at);
                let whole_side = without.iter().any(|line| line.starts_with("root"));
                if whole_side || at > 2 {
                    rejected(&program, &joined(&without), "a line is missing");
                }
                if at + 1 < lines.len() {
                    let mut swapped = lines.clone();
                    swapped.swap(at, at + 1);
                    rejected(&program, &joined(&swapped), "two lines are swapped");
                }
                for looped in looped(lines[at]) {
                    let mut cycle = lines.clone();
                    cycle[at] = &looped;
                    rejected(
                        &program,
                        &joined(&cycle),
                        "a node leads to itself or onward",
                    );
                    damaged += 1;
                }
                let mut twice = lines.clone();
                twice.insert(at, lines[at]);
                rejected(&program, &joined(&twice), "a line comes twice");
                damaged += 4;
            }
            for by in [-1, 1] {
                if let Some(lie) = lied(&program, &certificate, by) {
                    rejected(&program, &lie, "the value is off by one");
                    (damaged, lies) = (damaged + 1, lies + 1);
                }
            }
            if let Some(other) = renamed(&program) {
                rejected(&other, &text, "another model");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 10_000 && lies > 100, "{damaged} {lies}");
}

#[test]
fn whatever_is_accepted_is_true() {
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    let (mut rejections, mut harmless) = (0, 0);
    for (shape, whole) in all_shapes() {
        for seed in 0..count(400) {
            let program = random_program(seed, &shape);
            let Ok(value) = reference::value(&program) else {
                continue;
            };
            let certificate = match whole && seed % 2 == 0 {
                false => certificate(&program),
                true => searched(seed, &program),
            };
            let text = certificate.to_text(&program);
            for _ in 0..25 {
                let altered = altered(&text, &mut dice);
                match check(&program, altered.as_bytes()) {
                    Err(_) => rejections += 1,
                    Ok(verdict) => {
                        let holds = claims_hold(&verdict, &value);
                        assert!(holds, "{value:?}\n{altered}\n{}", shown(&program));
                        harmless += 1;
                    }
                }
            }
        }
    }
    println!("{rejections} rejected, {harmless} alterations leave a proof");
    assert!(rejections > 10_000);
}

/// Changes one thing in a plan so that it says something else.
fn corrupt(evidence: &mut Evidence, dice: &mut ChaCha8Rng) -> bool {
    let at = dice.random_range(0..evidence.nodes.len());
    let other = NodeId::from_index(dice.random_range(0..evidence.nodes.len()));
    match &mut evidence.nodes[at] {
        EvidenceNode::Choose { value, next, .. } => match dice.random_range(0..3) {
            0 => *value = &*value + &Exact::ONE,
            1 => *value = &*value - &Exact::ONE,
            _ => *next = other,
        },
        EvidenceNode::Await { replies, .. } => {
            let at = dice.random_range(0..replies.len());
            match (dice.random_range(0..3), &mut replies[at].answer) {
                (0, _) => drop(replies.remove(at)),
                (1, Answer::Next(next)) => *next = other,
                _ => replies[at].to = &replies[at].to + &Exact::ONE,
            }
        }
        EvidenceNode::Dead { place, .. } | EvidenceNode::Sum { place, .. } => *place += 1,
        _ => match &mut evidence.guarantee {
            Guarantee::Cost(cost) if evidence.owner == Quantifier::Exists => {
                *cost -= int(1);
            }
            Guarantee::Cost(cost) => *cost += int(1),
            _ => return false,
        },
    }
    true
}

#[test]
fn plans_that_do_not_keep_their_word_are_rejected() {
    let mut dice = ChaCha8Rng::seed_from_u64(7);
    let (mut corrupted, mut harmless) = (0, 0);
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..count(600) {
            let program = random_program(seed, &shape);
            let Some(plays) = Plays::of(&program, 4096) else {
                continue;
            };
            let honest = certificate(&program);
            for _ in 0..16 {
                let mut certificate = honest.clone();
                certificate.status = Status::Interrupted.to_string();
                certificate.value = None;
                let sides = [&mut certificate.strategy, &mut certificate.refutation];
                let mut sides: Vec<_> = sides.into_iter().flatten().collect();
                let side = dice.random_range(0..sides.len());
                if !corrupt(sides[side], &mut dice) {
                    continue;
                }
                let forward = sides[side]
                    .nodes
                    .iter()
                    .enumerate()
                    .any(|(at, node)| node.successors().any(|next| next.index() >= at));
                let broken = forward || keeps_guarantee(sides[side], &plays) == Some(false);
                let text = certificate.to_text(&program);
                if broken {
                    rejected(&program, &text, "a plan that does not keep its word");
                    corrupted += 1;
                } else {
                    harmless += 1;
                }
            }
        }
    }
    println!("{corrupted} corrupted, {harmless} alterations still keep their word");
    assert!(corrupted > 10_000, "{corrupted}");
}

/// The first fenced block of that language.
fn fenced<'a>(page: &'a str, language: &str) -> &'a str {
    let open = format!("```{language}\n");
    let start = page.find(&open).expect("the page has such a block") + open.len();
    let length = page[start..].find("```").expect("the block is closed");
    &page[start..start + length]
}

#[test]
fn the_example_of_the_grammar_page_is_accepted() {
    let page = include_str!("../docs/certificate.md");
    let program = parse_qip(fenced(page, "qip")).expect("the model is well formed");
    let text = fenced(page, "certificate");
    assert_eq!(accepted(&program, text).claim, "optimal 2");
    rejected(
        &program,
        &text.replace("claim optimal 2", "claim optimal 1"),
        "another value",
    );
    rejected(
        &program,
        &text.replace("refutation 2", "refutation 3"),
        "too much",
    );
}

#[test]
fn an_interrupted_search_proves_the_bounds_it_reports() {
    let (mut bounds, mut strategies, mut proved) = (0, 0, 0);
    for seed in 0..count(1200) {
        let program = random_program(seed, &RandomShape::binary());
        let limits = Limits {
            nodes: Some(3 + seed % 20),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, Default::default(), None);
        // Asked from below, a search has a strategy in hand only when it is done.
        let settings = Settings {
            rise: seed % 2 == 0,
            ..Settings::default()
        };
        let outcome = search::solve_with_certificate(&program, &settings, &mut budget)
            .expect("the search takes programs of integers");
        proved += u64::from(checked_unless_stopped(&program, &outcome));
        if outcome.status == Status::Interrupted {
            bounds += usize::from(outcome.bound.is_some());
            strategies += usize::from(outcome.objective.is_some());
        }
    }
    assert!(bounds > 20 && strategies > 5, "{bounds} and {strategies}");
    assert!(2 * proved > count(1200), "few were proved: {proved}");
}

fn asked(program: &Program, options: Options) -> Option<Outcome> {
    let options = Options {
        certificate: true,
        ..options
    };
    match Solver::new(options).solve(program) {
        Ok(outcome) => Some(outcome),
        Err(SolveError::Unsupported { .. }) => None,
        Err(other) => panic!("{other}\n{}", shown(program)),
    }
}

/// Asks random programs of these shapes and has every answer checked; tells how many there were of
/// each kind.
fn answers(method: Method, shapes: &[fn() -> RandomShape], usual: u64) -> HashMap<Status, usize> {
    let mut seen = HashMap::new();
    for shape in shapes {
        for seed in 0..count(usual) {
            let program = random_program(seed, &shape());
            let options = Options {
                method,
                ..Options::default()
            };
            if let Some(outcome) = asked(&program, options) {
                checked(&program, &outcome);
                *seen.entry(outcome.status).or_insert(0) += 1;
            }
        }
    }
    seen
}

#[test]
fn every_engine_answers_with_a_certificate() {
    let methods = [
        Method::Auto,
        Method::Search,
        Method::Expand,
        Method::Equivalent,
        Method::Reference,
    ];
    for method in methods {
        let proved: usize = answers(method, &SHAPES, 150).values().sum();
        assert!(proved > 100, "{method:?} proved {proved}");
    }
}

/// Alternating bits under random clauses of three literals.
fn formula(seed: u64) -> Program {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let bits = 6;
    let mut prefix = Prefix::new();
    for place in 0..bits {
        prefix = match place % 3 {
            1 => prefix.forall(0, 1),
            _ => prefix.exists(0, 1),
        };
    }
    let mut rows = Vec::new();
    for _ in 0..dice.random_range(3..9) {
        let mut terms = Vec::new();
        let mut needed = 1;
        for place in rand::seq::index::sample(&mut dice, bits, 3) {
            let negated = dice.random_range(0..2) == 1;
            needed -= i64::from(negated);
            terms.push((VarId::new(place), int(if negated { -1 } else { 1 })));
        }
        terms.sort_by_key(|term| term.0);
        rows.push(Row::at_least(terms, int(needed)));
    }
    support::program(prefix, rows, Vec::new(), None)
}

#[test]
fn the_clausal_engine_answers_with_a_certificate() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..count(300) {
        let program = formula(seed);
        let options = Options {
            method: Method::Clausal,
            ..Options::default()
        };
        let outcome = asked(&program, options).expect("it is a formula");
        checked(&program, &outcome);
        seen.insert(outcome.status);
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}

#[test]
fn who_wins_and_what_is_in_reach_is_proved_about_the_program_that_was_given() {
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..count(150) {
            let program = random_program(seed, &shape);
            let decide = Options {
                decide: true,
                ..Options::default()
            };
            let decided = asked(&program, decide).expect("programs of integers");
            checked(&program, &decided);
            if program.objective().is_some() {
                let target = Options {
                    target: Some(int(seed as i64 % 9 - 4)),
                    ..Options::default()
                };
                let outcome = asked(&program, target).expect("programs of integers");
                let made = outcome.certificate.expect("it was asked for");
                let text = made.expect("it is made").to_text(&program);
                accepted(&program, &text);
            }
        }
    }
}

#[test]
fn programs_with_real_variables_are_answered_with_a_certificate() {
    for method in [Method::Reference, Method::Benders, Method::Auto] {
        let seen = answers(method, &REAL_SHAPES, 400);
        let statuses = [Status::Optimal, Status::Feasible, Status::Infeasible];
        for status in statuses.into_iter().chain([Status::Unbounded]) {
            assert!(
                seen.get(&status).is_some_and(|&many| many >= 5),
                "{method:?}: {seen:?}"
            );
        }
    }
}

#[test]
fn interrupted_runs_of_other_engines_prove_the_bounds_they_report() {
    let longer = RandomShape {
        variables: 6..=12,
        ..RandomShape::qlp()
    };
    // Of 300 programs at least so many are interrupted, bounds of them proved, answers proved. The
    // reference has no bounds before its end, and the equivalent of such a program seldom has some.
    let methods = [
        (Method::Expand, RandomShape::binary(), [25, 15, 70]),
        (Method::Equivalent, RandomShape::binary(), [3, 0, 70]),
        (Method::Reference, RandomShape::binary(), [100, 0, 2]),
        (Method::Benders, RandomShape::qlp(), [10, 10, 80]),
        (Method::Benders, longer, [25, 20, 30]),
    ];
    for (method, shape, least) in methods {
        let (mut interrupted, mut proved, mut finished) = (0, 0, 0);
        for seed in 0..count(300) {
            let program = random_program(seed, &shape);
            let limits = Limits {
                nodes: Some(2 + seed % 9),
                ..Limits::default()
            };
            let options = Options {
                method,
                limits,
                ..Options::default()
            };
            let Some(outcome) = asked(&program, options) else {
                continue;
            };
            let is_proved = checked_unless_stopped(&program, &outcome);
            finished += u64::from(is_proved && outcome.status != Status::Interrupted);
            if outcome.status == Status::Interrupted {
                interrupted += 1;
                proved += u64::from(outcome.bound.is_some());
                proved += u64::from(outcome.objective.is_some());
            }
        }
        let seen: [u64; 3] = [interrupted, proved, finished];
        let enough = |(seen, least): (&u64, u64)| 300 * seen >= least * count(300);
        assert!(seen.iter().zip(least).all(enough), "{method:?}: {seen:?}");
    }
}

#[test]
fn real_replies_are_proved_by_multipliers() {
    let mut proved = 0;
    for seed in 0..count(3000) {
        let shape = RandomShape {
            real_tail: 2,
            ..RandomShape::small()
        };
        let program = random_program(seed, &shape);
        if search::accepts(&program) {
            let outcome = asked(&program, Options::default()).expect("the search takes it");
            checked(&program, &outcome);
            let real = |var: &Variable| var.kind == Kind::Real;
            proved += usize::from(program.variables().iter().any(real));
        }
    }
    assert!(proved > 5, "{proved}");
}

/// A program whose refutation derives rows, where rows are combined, and its certificate.
fn lot_sizing(seed: u64, combine: bool) -> (Program, String) {
    let program = lotsizing::generate(&LotSizing {
        periods: 5,
        basic: 3,
        urgent: 2,
        seed,
    });
    let settings = Settings {
        combine,
        caution: 0,
        ..Settings::default()
    };
    let solved = search::solve_with_certificate(&program, &settings, &mut Budget::unlimited());
    let certificate = solved.expect("it is a program of integers").certificate;
    let certificate = certificate.expect("it was asked for").expect("it is made");
    let text = certificate.to_text(&program);
    (program, text)
}

fn derived_lines(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines.filter(|line| line.starts_with("derive ")).collect()
}

#[test]
fn refutations_that_derive_rows_are_shorter() {
    let (mut with, mut nodes) = (0, [0, 0]);
    for seed in 0..8 {
        for combine in [false, true] {
            let (program, text) = lot_sizing(seed, combine);
            let verdict = accepted(&program, &text);
            nodes[usize::from(combine)] += verdict.refutation.expect("it is optimal").nodes;
            let derived = derived_lines(&text);
            assert!(combine || derived.is_empty());
            with += usize::from(!derived.is_empty());
            let used = |line: &&str| text.contains(&format!(" row {}", &line[7..9]));
            assert!(derived.iter().all(used), "{text}");
        }
    }
    assert!(with >= 3 && nodes[1] < nodes[0], "{with} {nodes:?}");
}

#[test]
fn rows_that_do_not_follow_are_rejected() {
    let mut damaged = 0;
    for seed in 0..8 {
        let (program, text) = lot_sizing(seed, true);
        for line in derived_lines(&text) {
            let words: Vec<&str> = line.split(' ').collect();
            let mut reject = |other: &str, what: &str| {
                rejected(&program, &text.replace(line, other), what);
                damaged += 1;
            };
            reject("", "a row is missing");
            reject(&format!("{line}\n{line}"), "a row comes twice");
            reject(&line.replacen(words[1], "d7", 1), "another number");
            reject(&words[..2].join(" "), "a row of nothing");
            for at in (3..words.len()).step_by(2) {
                let weighted = |weight: &str| {
                    let mut words = words.clone();
                    words[at] = weight;
                    words.join(" ")
                };
                reject(&weighted("-1"), "a negative weight");
                reject(&weighted("x"), "no weight");
            }
            let (_, nodes) = text.split_once("refutation").expect("it is refuted");
            let node = nodes.lines().find(|line| line.starts_with("0 "));
            let node = node.expect("it has a first node");
            let later = text
                .replace(line, "")
                .replace(node, &format!("{node}\n{line}"));
            rejected(&program, &later, "a row behind a node");
            let line = format!("{line}\n");
            let own = text
                .replace(&line, "")
                .replace("\n0 complete", &format!("\n{line}0 complete"));
            rejected(&program, &own, "a strategy that derives");
        }
    }
    assert!(damaged > 20, "{damaged}");
}

/// A refutation of a value by one derived row.
fn by_one_row(program: &Program, value: &str, parts: &str) -> String {
    let model = program.fingerprint();
    format!(
        "quip-certificate 3\nmodel {model}\nclaim interrupted\nrefutation {value}\n\
         derive d1 {parts}\n0 bound 0 row d1\nroot 0.\nend\n"
    )
}

#[test]
fn a_derived_row_is_worth_what_its_parts_add_up_to() {
    let program = parse_qip(
        "minimize x subject to one: x + y >= 2
         two: x - y >= 1
         three: x <= 5
         prefix exists integer x y in [0, 9] end",
    );
    let program = program.expect("the test's model is well formed");
    // Twice the cost is three at least, and less than twice the value.
    let parts = "z 2 r1- 1 r2- 1";
    accepted(&program, &by_one_row(&program, "3/2", parts));
    rejected(&program, &by_one_row(&program, "8/5", parts), "too much");
    let parts = "z 1 r3+ -1";
    rejected(
        &program,
        &by_one_row(&program, "5", parts),
        "a row turned round",
    );
}

#[test]
fn who_is_only_stuck_does_not_make_the_objective_unbounded() {
    let stuck =
        "uncertainty u >= 2 prefix forall integer u in [0, 1] exists real x in [0, inf] end";
    let claimed = |program: &Program, claim: &str, guarantee: &str| {
        let model = program.fingerprint();
        format!(
            "quip-certificate 3\nmodel {model}\nclaim {claim}\nstrategy {guarantee}\n\
             0 dead 0 alive row u1-\nroot 0.\nend\n"
        )
    };
    for objective in ["", "minimize -x ", "minimize 0 "] {
        let program = parse_qip(&format!("{objective}{stuck}")).expect("it is well formed");
        accepted(&program, &claimed(&program, "universal_stuck", "won"));
        // True as well: nobody but the opponent loses.
        accepted(&program, &claimed(&program, "feasible", "kept"));
        rejected(
            &program,
            &claimed(&program, "unbounded", "unbounded"),
            "no ray",
        );
    }
    // One line goes on without end, the other is won.
    let program = parse_qip(
        "maximize x uncertainty u + y <= 1
         prefix forall integer u in [0, 1] exists integer y in [1, 1] exists real x in [0, inf] end",
    );
    let program = program.expect("it is well formed");
    let text = format!(
        "quip-certificate 3\nmodel {}\nclaim unbounded\nstrategy unbounded\n0 complete\n\
         1 ray x=1 0.\n2 choose x 0 1.\n3 choose y 1 2.\n\
         4 await u 0 3. 1 illegal row u1+\nroot 4.\nend\n",
        program.fingerprint()
    );
    accepted(&program, &text);
}
