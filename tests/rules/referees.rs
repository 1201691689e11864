//! Every game of the library is a game for rules: what its referee says is what the states say.

use quip::budget::Budget;
use quip::games::chess::{self, Position};
use quip::games::connect::{self, Connect};
use quip::games::geography::{self, Graph};
use quip::games::gomoku::referee::{Referee, Verdict};
use quip::games::play::{End, Rules};
use quip::games::positional::{self, Hypergraph};
use quip::games::tictactoe::{self, Reading as Win};
use quip::games::{board::Board, cops, crossdot, dgr, family, hex, nim};
use quip::program::Quantifier;
use quip::rules::{
    Conduct, EncodeError, Question, Reading, Refereed, Role, StateGraph, Strategy, Theory, encode,
    guarantee, outcomes, respond, tabulated,
};

use crate::programs::{certified, proves};
use crate::support::player;

const ROOK: &str = "k..\n..R\n.K.\n";
const SQUARE: &str = "2\n0 1\n1 2\n2 3\n3 0\n";
const TRIANGLE: &str = "a b\nb c\nc a\n";

/// Names and values; a file is given by its content.
type Parameters = Vec<(&'static str, String)>;

type Given<'g> = &'g [(&'g str, &'g str)];

fn rules(name: &str, given: Given<'_>) -> Box<dyn Rules> {
    family(name).unwrap().rules(given).unwrap()
}

fn explored(name: &str, given: Given<'_>) -> StateGraph {
    let game = Refereed::new(rules(name, given));
    StateGraph::explore(&game, &mut Budget::unlimited()).unwrap()
}

fn theory(graph: &StateGraph, text: &str) -> Theory {
    Theory::read_for(graph.signature(), &[("my.rules", text)], &[]).unwrap()
}

/// How the game ends under best play, by the states alone.
fn end(graph: &StateGraph) -> End {
    let theory = theory(graph, "");
    let forces = |number: usize| {
        let goal = theory.formula(&format!("wins({number})")).unwrap();
        let response = respond(graph, &Conduct::free(graph), player(number), &goal);
        response.unwrap().wins(graph)
    };
    match (forces(1), forces(2)) {
        (true, _) => End::First,
        (_, true) => End::Second,
        _ => End::Tie,
    }
}

fn first_or(won: bool, otherwise: End) -> End {
    if won { End::First } else { otherwise }
}

fn of_value(value: i64) -> End {
    match value {
        1 => End::First,
        0 => End::Tie,
        _ => End::Second,
    }
}

/// Games that are small enough to walk through every play, with the ends their referees tell.
fn games() -> Vec<(&'static str, Parameters, End)> {
    let given = |pairs: &[(&'static str, &str)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect()
    };
    let figure = dgr::Graph::figure_3();
    let board = "b.w\n.b.\n..w\n";
    let verdict = Referee::new(3, 3, 9).verdict(&Board::parse(board).unwrap());
    let gomoku = match verdict {
        Verdict::BlackWins(_) => End::First,
        Verdict::Draw => End::Tie,
        Verdict::WhiteWins(_) => End::Second,
    };
    let cylinder = Connect {
        columns: 3,
        height: 2,
        row: 2,
        cylinder: true,
    };
    let triangle = Hypergraph::parse(TRIANGLE).unwrap();
    let rook = Position::parse(ROOK).unwrap();
    vec![
        ("gomoku", given(&[("row", "3"), ("board", board)]), gomoku),
        (
            "tictactoe",
            given(&[("size", "2")]),
            first_or(tictactoe::referee::x_wins(2, Win::FirstLine), End::Tie),
        ),
        (
            "tictactoe",
            given(&[("size", "2"), ("player", "o"), ("reading", "final-board")]),
            match tictactoe::referee::x_wins(2, Win::FinalBoard) {
                true => End::Second,
                false => End::Tie,
            },
        ),
        (
            "dgr",
            given(&[("graph", &figure.to_text())]),
            first_or(dgr::referee::traveller_wins(&figure), End::Second),
        ),
        (
            "geography",
            given(&[("graph", &Graph::thesis().to_text())]),
            first_or(
                geography::referee::player_1_wins(&Graph::thesis()),
                End::Second,
            ),
        ),
        (
            "crossdot",
            given(&[("boxes", "5"), ("row", "2")]),
            of_value(crossdot::referee::value(5, 2)),
        ),
        (
            "chess",
            given(&[("board", ROOK), ("steps", "3")]),
            first_or(chess::referee::takes_king(&rook, 3, &[]), End::Second),
        ),
        (
            "connect",
            given(&[
                ("columns", "3"),
                ("height", "2"),
                ("row", "2"),
                ("cylinder", "yes"),
            ]),
            of_value(connect::referee::value(&cylinder)),
        ),
        (
            "positional",
            given(&[("sets", TRIANGLE)]),
            of_value(positional::referee::value(triangle.game())),
        ),
        (
            "hex",
            given(&[("size", "2")]),
            first_or(hex::referee::first_wins(2), End::Second),
        ),
        (
            "nim",
            given(&[("heaps", "1,2,3")]),
            first_or(nim::referee::mover_wins(&[1, 2, 3]), End::Second),
        ),
        (
            "cops",
            given(&[("graph", SQUARE), ("cops", "1")]),
            first_or(
                cops::referee::cops_win(&Graph::parse(SQUARE).unwrap(), 1),
                End::Second,
            ),
        ),
    ]
}

fn borrowed<'g>(given: &'g [(&'static str, String)]) -> Vec<(&'static str, &'g str)> {
    let pairs = given.iter();
    pairs.map(|(name, value)| (*name, value.as_str())).collect()
}

#[test]
fn every_game_that_can_be_played_is_a_game_for_rules() {
    let covered: Vec<&str> = games().iter().map(|(name, ..)| *name).collect();
    for family in quip::games::FAMILIES {
        let of_random_graph = family.name.ends_with("-random");
        if family.is_playable() && !of_random_graph {
            assert!(covered.contains(&family.name), "{}", family.name);
        }
    }
}

#[test]
fn the_states_have_the_value_that_the_referee_tells() {
    for (name, given, wanted) in games() {
        assert_eq!(end(&explored(name, &borrowed(&given))), wanted, "{name}");
    }
}

/// Plays of a game, one by one.
fn walked(rules: &dyn Rules, history: &mut Vec<usize>) -> u128 {
    if rules.end(history).is_some() {
        return 1;
    }
    let mut plays = 0;
    for option in rules.options(history) {
        history.push(option);
        plays += walked(rules, history);
        history.pop();
    }
    plays
}

/// If two different positions were taken for one, plays would be lost or made up.
#[test]
fn the_states_have_as_many_plays_as_the_referee_allows() {
    for (name, given, _) in games() {
        let given = borrowed(&given);
        let graph = explored(name, &given);
        let plays = outcomes(&graph, &Conduct::free(&graph)).plays;
        let wanted = walked(&*rules(name, &given), &mut Vec::new());
        assert_eq!(plays, Some(wanted), "{name}");
    }
}

#[test]
fn three_by_three_has_the_known_number_of_positions() {
    let graph = explored("tictactoe", &[("size", "3")]);
    assert_eq!(graph.states().len(), 5478);
    assert_eq!(end(&graph), End::Tie);
}

#[test]
fn a_rule_can_be_followed_in_a_game_of_the_library() {
    // Leave an exclusive or of zero: from 1, 2 that is one heap of one each.
    let graph = explored("nim", &[("heaps", "1,2")]);
    let theory = theory(
        &graph,
        "rule even = next (some s in 0..1: heap(1,s) & heap(2,s)) else true;",
    );
    let budget = &mut Budget::unlimited();
    let rule = theory.rule("even", player(1)).unwrap();
    let strategy = Strategy::of(&graph, &rule, player(1), Reading::default(), budget).unwrap();
    assert_eq!(strategy.incomplete_at(&graph), None);
    let conduct = Conduct::free(&graph).with(strategy);
    let goal = theory.formula("wins(1)").unwrap();
    assert!(guarantee(&graph, &conduct, player(1), &goal).holds());
}

/// The game by its states and the program of its table: the same answers, and proved.
#[test]
fn the_programs_of_tables_have_the_same_answers_with_certificates() {
    for (name, given) in [
        ("nim", &[("heaps", "1,2")][..]),
        ("nim", &[("heaps", "1,1")]),
        ("positional", &[("sets", TRIANGLE)]),
        ("hex", &[("size", "2")]),
        ("cops", &[("graph", "1\n0 1\n1 2\n2\n")]),
    ] {
        let graph = explored(name, given);
        let theory = theory(&graph, "");
        let game = tabulated(&graph).unwrap();
        for number in [1, 2] {
            let goal = theory.formula(&format!("wins({number})")).unwrap();
            let response = respond(&graph, &Conduct::free(&graph), player(number), &goal);
            let question = Question {
                game: &game,
                graph: &graph,
                rules: &[],
                player: player(number),
                role: Role::Chooses,
                goal: &goal,
                reading: Reading::default(),
            };
            let encoded = encode(&question).unwrap();
            let outcome = certified(&encoded.program);
            assert_eq!(
                proves(&outcome),
                response.unwrap().wins(&graph),
                "{name} {number}"
            );
        }
    }
}

#[test]
fn the_constants_of_a_game_cannot_be_changed_from_outside() {
    let graph = explored("nim", &[("heaps", "1,2")]);
    let error = Theory::read_for(graph.signature(), &[], &[("heaps", 3)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the game says what `heaps` is; change the game instead"
    );
}

#[test]
fn a_table_that_is_too_large_is_refused() {
    let graph = explored("tictactoe", &[("size", "3"), ("reading", "final-board")]);
    assert!(tabulated(&graph).is_ok());
    let graph = explored("crossdot", &[("boxes", "11"), ("row", "4")]);
    assert!(matches!(tabulated(&graph), Err(EncodeError::TooLarge)));
}

/// In a game of the library one side may have several moves in a row.
#[test]
fn a_traveller_meets_an_opponent_who_erases_edge_by_edge() {
    let figure = dgr::Graph::figure_3().to_text();
    let game = rules("dgr", &[("graph", &figure)]);
    assert_eq!(game.mover(&[]), Quantifier::Exists);
    let graph = explored("dgr", &[("graph", &figure)]);
    let theory = theory(&graph, "rule by_v2 = does(go(1,1)) else true;");
    let rule = theory.rule("by_v2", player(1)).unwrap();
    let budget = &mut Budget::unlimited();
    let strategy = Strategy::of(&graph, &rule, player(1), Reading::default(), budget).unwrap();
    let conduct = Conduct::free(&graph).with(strategy);
    let goal = theory.formula("wins(1)").unwrap();
    let response = respond(&graph, &conduct, player(1), &goal).unwrap();
    assert!(response.wins(&graph));
}
