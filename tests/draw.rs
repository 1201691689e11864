//! Pictures of the three-variable example of Ederer, Lorenz, Opfer and Wolf, and of what cannot be
//! drawn.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use quip::draw::{DrawError, solution_space, strategy_tree};
use quip::format::parse_qip;
use quip::outcome::Outcome;
use quip::program::Program;

use support::certified::by_the_reference;

fn model(name: &str) -> (Program, Outcome) {
    let text = std::fs::read_to_string(format!("models/seed/{name}.qip")).unwrap();
    solved(&text)
}

fn solved(text: &str) -> (Program, Outcome) {
    let program = parse_qip(text).unwrap();
    let outcome = by_the_reference(&program);
    (program, outcome)
}

fn count(picture: &str, part: &str) -> usize {
    picture.matches(part).count()
}

#[test]
fn the_tree_has_every_value_and_marks_the_chosen_ones() {
    let (program, outcome) = model("three-variables");
    let picture = strategy_tree(&program, &outcome.strategy.unwrap()).unwrap();
    // Four histories, five replies each: (-1,0) and (-1,1) have one good reply, (0,0) and (0,1)
    // have three.
    assert_eq!(count(&picture, ">+</text>"), 8);
    assert_eq!(count(&picture, ">−</text>"), 12);
    assert_eq!(count(&picture, "stroke-dasharray"), 16);
    assert_eq!(count(&picture, "<line"), 2 + 4 + 20);
    assert!(picture.contains("∀ x1") && picture.contains("∃ x3"));
}

#[test]
fn a_lost_game_is_drawn_as_its_refutation() {
    let (program, outcome) = model("three-variables-first");
    assert!(outcome.strategy.is_none());
    let picture = strategy_tree(&program, &outcome.refutation.unwrap()).unwrap();
    // Every value of the existential player is answered, and each answer ends in a loss for him.
    assert!(count(&picture, ">−</text>") >= 5);
    assert!(picture.contains("∃ x3") && !picture.contains("∀ x3"));
}

#[test]
fn the_space_shows_the_segment_and_the_facet() {
    let (program, outcome) = model("three-variables-real");
    let picture = solution_space(&program, outcome.strategy.as_ref()).unwrap();
    let orange = "#e0952b";
    // In each of the two views: the segment at x1 = -1 is a line, the facet at x1 = 0 a polygon.
    let shapes = |tag: &str| {
        let lines = picture.lines().filter(|line| line.starts_with(tag));
        lines.filter(|line| line.contains(orange)).count()
    };
    assert_eq!(shapes("<line"), 2);
    assert_eq!(shapes("<polygon"), 2);
    assert_eq!(count(&picture, "<circle"), 8);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let (program, outcome) = solved("prefix exists binary x forall binary y end");
    let two = solution_space(&program, outcome.strategy.as_ref());
    assert_eq!(two, Err(DrawError::NotThreeVariables(2)));
    let text = "prefix exists binary x forall binary y exists real z in [-inf, inf] end";
    let endless = solution_space(&parse_qip(text).unwrap(), None);
    assert_eq!(endless, Err(DrawError::Unbounded("z".into())));
    let many: String = (0..8)
        .map(|place| format!(" forall binary y{place}"))
        .collect();
    let (program, outcome) = solved(&format!(
        "subject to x = y0 + y7 - y3 + y4 prefix {many} exists integer x in [-1, 3] end"
    ));
    let large = strategy_tree(&program, &outcome.strategy.unwrap());
    assert!(matches!(large, Err(DrawError::TooLarge(_))));
}

/// Texts of a picture with their places and halves of their widths, as an ordinary font has them.
fn texts(picture: &str) -> Vec<(f64, f64, f64, String)> {
    let attribute = |line: &str, name: &str| {
        let rest = line.split(&format!("{name}=\"")).nth(1)?;
        rest.split('"').next()?.parse::<f64>().ok()
    };
    let lines = picture.lines().filter(|line| line.contains("middle"));
    lines
        .filter_map(|line| {
            let text = line.split('>').nth(1)?.split('<').next()?.to_owned();
            let text = text.replace("&lt;", "<").replace("&gt;", ">");
            let half = text.chars().count() as f64 * 3.5;
            Some((attribute(line, "x")?, attribute(line, "y")?, half, text))
        })
        .collect()
}

#[test]
fn labels_of_a_strategy_do_not_touch_and_colours_are_explained() {
    let (program, outcome) = solved(
        "minimize x + z subject to x >= a\nz >= b + c - x
         prefix forall integer a in [0, 3] exists integer x in [0, 3]
         forall integer b in [0, 2] forall integer c in [0, 1] exists integer z in [0, 9] end",
    );
    let strategy = outcome.held(&program, quip::program::Quantifier::Exists);
    let picture = quip::draw::strategy_graph(&program, &strategy.unwrap());
    assert!(picture.contains("the planner decides") && picture.contains("the opponent decides"));
    let texts = texts(&picture);
    assert!(texts.len() > 10);
    for (place, one) in texts.iter().enumerate() {
        for other in &texts[..place] {
            let apart =
                (one.0 - other.0).abs() >= one.2 + other.2 || (one.1 - other.1).abs() >= 10.0;
            assert!(apart, "{one:?} {other:?}");
        }
    }
}

#[test]
fn the_picture_of_the_readme_is_what_is_drawn() {
    let text = std::fs::read_to_string("models/or/lot-sizing.qip").unwrap();
    let program = parse_qip(&text).unwrap();
    let options = quip::solver::Options {
        certificate: true,
        ..quip::solver::Options::default()
    };
    let outcome = quip::solver::Solver::new(options).solve(&program).unwrap();
    let strategy = outcome.held(&program, quip::program::Quantifier::Exists);
    let picture = quip::draw::strategy_graph(&program, &strategy.unwrap());
    if std::env::var_os("QUIP_UPDATE_GUIDE").is_some() {
        std::fs::write("docs/lot-sizing.svg", &picture).unwrap();
    }
    assert_eq!(
        picture,
        std::fs::read_to_string("docs/lot-sizing.svg").unwrap()
    );
}
