//! Rule files that are wrong, and what is said about them.

use proptest::prelude::*;
use quip::budget::Budget;
use quip::rules::{ExploreError, PlayerId, StateGraph, Theory, TheoryError};

use crate::support::{CROSSDOT, STRATEGIES, Table, player};

/// A coin that can be turned once.
const COIN: &str = "players 1; proposition heads; action turn of 1; init -> ~heads;
wins(1) == heads; terminal == heads; legal(turn) == ~terminal;
heads | does(turn) == next heads;";

fn faults(text: &str) -> String {
    match Theory::read(&[("game.rules", text)], &[]) {
        Err(TheoryError::Text(faults)) => faults.render(false),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no fault in {text}"),
    }
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let said = faults(text);
    for piece in expected {
        assert!(said.contains(piece), "`{piece}` is not in\n{said}");
    }
}

#[test]
fn every_fault_has_its_code_its_place_and_a_remedy() {
    for (text, expected) in [
        ("players 2", &["E201", "game.rules:1:10", "`;`"][..]),
        (
            "player 2;",
            &["E201", "did you mean `players` by `player`?"],
        ),
        ("players 2; \\ hi", &["E202", "a comment begins with `#`"]),
        ("players 99;", &["E702", "1 to 64 players"]),
        ("proposition p;", &["E707", "begin with `players 2;`"]),
        (
            "players 2; proposition next;",
            &["E103", "`next` is a word"],
        ),
        ("players 1; action a;", &["E201", "`of` and the player"]),
        (
            "players 1; action a of 2;",
            &["E702", "there is no player 2"],
        ),
        (
            "players 1; proposition p; proposition p;",
            &["E101", "declared twice"],
        ),
        ("constant m = 99999999999999999999;", &["E302", "too large"]),
        ("constant m = k;", &["E102", "`k` has no value"]),
        ("init -> true;", &["E707", "players 2;"]),
        ("rule r = does(go);", &["E102", "no action `go`"]),
        ("rule r = ((init);", &["E201", "`)`"]),
        (
            "rule r = init else init also init;",
            &["E704", "parentheses"],
        ),
        (
            "rule r = init else init; rule s = ~r;",
            &["E703", "inside a formula"],
        ),
        ("rule r = ~(init else init);", &["E703", "game.rules:1:12"]),
        (
            "rule r = init else init; rule s = r; rule t = next s;",
            &["E703", ":1:52"],
        ),
    ] {
        says(text, expected);
    }
}

#[test]
fn faults_of_axioms_are_located() {
    let with = |axiom: &str| format!("{COIN}\n{axiom}");
    says(
        &with("heads;"),
        &["E705", "game.rules:4:1", "init -> literals"],
    );
    says(
        &with("terminal == ~heads;"),
        &["E706", "again here", "first here"],
    );
    says(&with("init -> heads;"), &["E706", "at the beginning"]);
    says(&with("legal(turn) == next heads;"), &["E708", "`next`"]);
    let without = COIN.replace("terminal == heads;", "");
    says(&without, &["E707", "when the game is over: terminal == …"]);
    let circular = COIN.replace("terminal == heads", "terminal == legal(turn)");
    says(&circular, &["E709", "leads back to itself"]);
    let acting = COIN.replace("terminal == heads", "terminal == does(turn)");
    says(&acting, &["E708", "`does`"]);
}

#[test]
fn indices_are_checked_where_they_get_values() {
    let wrong = STRATEGIES.replace(
        "some j in 2..m: free(j) & p(i, j-1)",
        "some j in 1..m: free(j) & p(i, j-1)",
    );
    let files = [("crossdot.rules", CROSSDOT), ("mine.rules", &*wrong)];
    let theory = Theory::read(&files, &[]).unwrap();
    let said = theory.rule("fill_next", player(1)).unwrap_err().to_string();
    for piece in [
        "E702",
        "there is no proposition p(1,0)",
        "mine.rules:11:",
        "with i = 1, j = 1",
    ] {
        assert!(said.contains(piece), "{said}");
    }
    let theory = Table::crossdot(4, 2).theory;
    let said = |text: &str| theory.rule(text, player(1)).unwrap_err().to_string();
    assert!(said("p(1)").contains("E701"));
    assert!(said("does(a(1,9))").contains("there is no action a(1,9)"));
    assert!(said("fill_nxt(1)").contains("did you mean `fill_next`?"));
    assert!(said("wins(3)").contains("the players are 1 to 2"));
    assert!(said("up_to(1)").contains("E701"));
    assert!(said("fill_any(q)").contains("neither a constant nor an index"));
    assert!(said("combined(1) & true").contains("E703"));
}

#[test]
fn what_is_too_large_is_refused_before_it_hurts() {
    let theory = Table::crossdot(4, 2).theory;
    let said = |text: &str| theory.rule(text, player(1)).unwrap_err().to_string();
    assert!(said("all i in 1..9999999999: true").contains("E710"));
    assert!(said(&format!("{}true{}", "(".repeat(5000), ")".repeat(5000))).contains("E710"));
    assert!(said(&"~".repeat(100_000)).contains("E710"));
    assert!(said("p(1, 9223372036854775807 + 1)").contains("E302"));
    let mut chain = String::from("rule r0 = init & init;");
    (1..40).for_each(|n| chain += &format!("rule r{n} = r{} & r{};", n - 1, n - 1));
    let theory = Theory::read(&[("chain.rules", &chain)], &[]).unwrap();
    let said = theory
        .rule("r39", PlayerId::new(0))
        .unwrap_err()
        .to_string();
    assert!(said.contains("E710"), "{said}");
}

#[test]
fn constants_can_be_given_and_unknown_ones_are_named() {
    let error = Theory::read(&[("crossdot.rules", CROSSDOT)], &[("n", 3)]).unwrap_err();
    assert_eq!(error.to_string(), "there is no constant `n`; there is m, k");
}

fn explored(text: &str) -> Result<StateGraph, ExploreError> {
    let theory = Theory::read(&[("game.rules", text)], &[]).unwrap();
    StateGraph::explore(theory.game().unwrap(), &mut Budget::unlimited())
}

#[test]
fn a_game_that_does_not_say_enough_is_found_out_while_it_is_explored() {
    assert_eq!(explored(COIN).unwrap().states().len(), 2);
    let silent = COIN.replace("heads | does(turn) == next heads", "heads -> next heads");
    let said = explored(&silent).unwrap_err().to_string();
    assert!(
        said.starts_with("nothing says whether heads holds after turn"),
        "{said}"
    );
    let torn = silent.replace("heads -> next heads", "true -> next heads & next ~heads");
    let said = explored(&torn).unwrap_err().to_string();
    assert!(
        said.contains("makes heads true after turn and another"),
        "{said}"
    );
    let endless = COIN.replace("== ~terminal", "== true");
    assert!(matches!(
        explored(&endless),
        Err(ExploreError::LegalAtEnd { .. })
    ));
    let hopeless = COIN.replace("heads | does(turn) == next", "heads == next");
    assert_eq!(explored(&hopeless).unwrap_err(), ExploreError::NoPlayEnds);
}

#[test]
fn moves_from_which_no_play_ends_do_not_count() {
    let text = "players 1; proposition good; proposition lost; action win of 1; action sink of 1;
        init -> ~good & ~lost; wins(1) == good; terminal == good;
        legal(win) == ~good & ~lost; legal(sink) == ~good & ~lost;
        good | does(win) == next good; lost | does(sink) == next lost;";
    let graph = explored(text).unwrap();
    assert_eq!((graph.states().len(), graph.move_count()), (2, 1));
    assert!(graph.has_dead_ends());
}

#[test]
fn symbols_and_words_mean_the_same() {
    let theory = Table::crossdot(4, 2).theory;
    let words = "(next wins(1) and not init) else (some j in 1..m: does(a(1,j))) else true";
    let symbols = "(○ wins(1) ∧ ¬ init) ∇ (⋁ j in 1..m: does(a(1,j))) ∇ true";
    let rule = |text| theory.rule(text, player(1)).unwrap();
    assert_eq!(rule(words), rule(symbols));
    assert_eq!(rule("init also terminal"), rule("init Δ terminal"));
    let spellings = [
        &["init & terminal", "init and terminal", "init ∧ terminal"][..],
        &["init | terminal", "init or terminal", "init ∨ terminal"],
        &["~init", "not init", "¬init", "!init"],
        &[
            "init == terminal",
            "init ≡ terminal",
            "init <-> terminal",
            "init ↔ terminal",
        ],
        &["init -> terminal", "init → terminal"],
        &["next terminal", "○ terminal", "◯ terminal"],
        &[
            "some j in 2..m: p(1,j)",
            "⋁ j in 2..m: p(1,j)",
            "p(1,2) | p(1,3) | p(1,4)",
        ],
        &[
            "all j in 2..m: p(1,j)",
            "⋀ j in 2..m: p(1,j)",
            "p(1,2) & p(1,3) & p(1,4)",
        ],
        &["init else terminal", "init ∇ terminal"],
        &["also each j in 2 downto 1: p(1,j)", "p(1,2) also p(1,1)"],
    ];
    for same in spellings {
        for other in &same[1..] {
            assert_eq!(rule(same[0]), rule(other), "{} {other}", same[0]);
        }
    }
    assert_eq!(rule("init → terminal"), rule("~init | terminal"));
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,60}") {
        let _ = Theory::read(&[("any.rules", &text)], &[]);
    }

    #[test]
    fn no_mangled_file_makes_the_reader_panic(at in 0..2000_usize, cut in 0..40_usize, put in "[ -~]{0,4}") {
        let mut text = format!("{CROSSDOT}{STRATEGIES}");
        let at = at % text.len();
        let end = (at + cut).min(text.len());
        if text.is_char_boundary(at) && text.is_char_boundary(end) {
            text.replace_range(at..end, &put);
        }
        let _ = Theory::read_bytes(&[("any.rules", text.as_bytes())], &[("m", 3)]);
    }
}
