//! The same answers by searching the states and by solving a quantified program.

use quip::check::check;
use quip::outcome::{Outcome, Status};
use quip::program::Program;
use quip::rules::{PlayerId, Question, Reading, Role, Rule, encode, guarantee, respond};
use quip::solver::{Method, Options, Solver};

use crate::support::{Table, player};

/// Who follows which rule.
type Rules<'r> = &'r [(usize, &'r str)];

fn by_states(
    table: &Table,
    rules: Rules<'_>,
    me: usize,
    role: Role,
    goal: &str,
    reading: Reading,
) -> bool {
    let conduct = table.conduct(rules, reading);
    let goal = table.theory.formula(goal).unwrap();
    match role {
        Role::Follows => guarantee(&table.graph, &conduct, player(me), &goal).holds(),
        Role::Chooses => {
            let response = respond(&table.graph, &conduct, player(me), &goal).unwrap();
            response.wins(&table.graph)
        }
    }
}

fn by_program(
    table: &Table,
    rules: Rules<'_>,
    me: usize,
    role: Role,
    goal: &str,
    reading: Reading,
    method: Method,
) -> bool {
    let rule = |&(number, rule): &(usize, &str)| {
        let rule = table.theory.rule(rule, player(number)).unwrap();
        (player(number), rule)
    };
    let rules: Vec<(PlayerId, Rule)> = rules.iter().map(rule).collect();
    let encoded = encode(&Question {
        game: table.theory.game().unwrap(),
        graph: &table.graph,
        rules: &rules,
        player: player(me),
        role,
        goal: &table.theory.formula(goal).unwrap(),
        reading,
    });
    let encoded = encoded.unwrap();
    match method {
        Method::Auto => proves(&certified(&encoded.program)),
        _ => proves(&solved(&encoded.program, method, false)),
    }
}

fn solved(program: &Program, method: Method, certificate: bool) -> Outcome {
    let options = Options {
        method,
        certificate,
        ..Options::default()
    };
    Solver::new(options).solve(program).unwrap()
}

/// Whether the player that was asked about gets his goal.
pub fn proves(outcome: &Outcome) -> bool {
    match outcome.status {
        Status::Feasible => true,
        Status::Infeasible => false,
        other => panic!("{other}"),
    }
}

/// Solves a program and checks the certificate of the answer.
pub fn certified(program: &Program) -> Outcome {
    let outcome = solved(program, Method::Auto, true);
    let certificate = outcome.certificate.clone().unwrap().unwrap();
    let text = certificate.to_text(program);
    let verdict = check(program, text.as_bytes()).unwrap();
    assert_eq!(verdict.claim, outcome.status.to_string());
    outcome
}

#[track_caller]
fn agree(table: &Table, rules: Rules<'_>, me: usize, role: Role, goal: &str) -> bool {
    agree_in(Reading::CompletePlays, table, rules, me, role, goal)
}

#[track_caller]
fn agree_in(
    reading: Reading,
    table: &Table,
    rules: Rules<'_>,
    me: usize,
    role: Role,
    goal: &str,
) -> bool {
    let searched = by_states(table, rules, me, role, goal, reading);
    let solved = by_program(table, rules, me, role, goal, reading, Method::Auto);
    assert_eq!(
        searched, solved,
        "{rules:?}, player {me} {role:?} {goal} {reading:?}"
    );
    searched
}

/// Under the literal reading `cautious` does not hold `fill_leftmost`; both ways say so.
#[test]
fn both_readings_are_the_same_on_both_ways() {
    let rules = [(1, "fill_leftmost"), (2, "cautious")];
    for (m, holds) in [(3, true), (4, false)] {
        let table = Table::crossdot(m, 2);
        let complete = agree_in(
            Reading::CompletePlays,
            &table,
            &rules,
            2,
            Role::Follows,
            "~wins(1)",
        );
        let segments = agree_in(
            Reading::Segments,
            &table,
            &rules,
            2,
            Role::Follows,
            "~wins(1)",
        );
        assert!(complete);
        assert_eq!(segments, holds, "m = {m}");
    }
}

#[test]
fn thoughtful_wins_by_program_too() {
    for m in 3..=5 {
        let table = Table::crossdot(m, 2);
        assert!(agree(
            &table,
            &[(1, "thoughtful")],
            1,
            Role::Follows,
            "wins(1)"
        ));
    }
    let table = Table::crossdot(2, 2);
    assert!(!agree(
        &table,
        &[(1, "thoughtful")],
        1,
        Role::Follows,
        "wins(1)"
    ));
}

#[test]
fn two_rules_against_each_other_have_one_outcome() {
    for m in 3..=5 {
        let table = Table::crossdot(m, 2);
        let rules = [(1, "fill_leftmost"), (2, "thoughtful")];
        assert_eq!(agree(&table, &rules, 1, Role::Follows, "wins(1)"), m > 3);
        let rules = [(1, "fill_leftmost"), (2, "cautious")];
        assert!(agree(&table, &rules, 1, Role::Follows, "~wins(1)"));
    }
}

#[test]
fn passive_defence_holds_by_program_too() {
    for m in 3..=4 {
        let table = Table::crossdot(m, 3);
        for (me, goal) in [(1, "~wins(2)"), (2, "~wins(1)")] {
            assert!(agree(
                &table,
                &[(me, "passive_defence")],
                me,
                Role::Follows,
                goal
            ));
        }
    }
}

#[test]
fn best_responses_are_the_same() {
    let rules = [
        "fill_leftmost",
        "fill_any",
        "fill_next",
        "cautious",
        "thoughtful",
        "combined",
    ];
    for (m, k) in [(3, 2), (4, 2), (4, 3)] {
        let table = Table::crossdot(m, k);
        for me in [1, 2] {
            let other = 3 - me;
            for rule in rules {
                for goal in [format!("wins({me})"), format!("~wins({other})")] {
                    agree(&table, &[(other, rule)], me, Role::Chooses, &goal);
                }
            }
        }
    }
}

#[test]
fn a_rule_without_a_move_loses_on_both_ways() {
    let table = Table::crossdot(3, 2);
    // Player 1 never has a box of his own to begin with.
    assert!(!agree(
        &table,
        &[(1, "fill_next")],
        1,
        Role::Follows,
        "~wins(2)"
    ));
    assert!(!agree(
        &table,
        &[(1, "fill_next")],
        1,
        Role::Chooses,
        "~wins(2)"
    ));
    // Player 2 neither: whoever plays against him has won.
    assert!(agree(
        &table,
        &[(2, "fill_next")],
        1,
        Role::Chooses,
        "wins(1)"
    ));
    assert!(agree(
        &table,
        &[(2, "fill_next")],
        1,
        Role::Follows,
        "wins(1)"
    ));
}

#[test]
fn the_reference_agrees_on_the_smallest_game() {
    let table = Table::crossdot(2, 2);
    for goal in ["wins(1)", "~wins(2)", "wins(2)"] {
        for rules in [&[][..], &[(2, "fill_next")], &[(2, "fill_leftmost")]] {
            let reading = Reading::CompletePlays;
            let searched = by_states(&table, rules, 1, Role::Chooses, goal, reading);
            let method = Method::Reference;
            let solved = by_program(&table, rules, 1, Role::Chooses, goal, reading, method);
            assert_eq!(searched, solved, "{rules:?} {goal}");
        }
    }
}

#[test]
fn the_value_of_the_game_by_program() {
    for (m, k) in [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3)] {
        let table = Table::crossdot(m, k);
        let won = agree(&table, &[], 1, Role::Chooses, "wins(1)");
        assert_eq!(won, k == 2 && m > 2);
        assert!(agree(&table, &[], 1, Role::Chooses, "~wins(2)"));
    }
}

#[test]
fn the_play_of_the_program_is_a_play_of_the_game() {
    let table = Table::crossdot(3, 2);
    let encoded = encode(&Question {
        game: table.theory.game().unwrap(),
        graph: &table.graph,
        rules: &[],
        player: player(1),
        role: Role::Chooses,
        goal: &table.theory.formula("wins(1)").unwrap(),
        reading: Reading::CompletePlays,
    });
    let encoded = encoded.unwrap();
    let outcome = Solver::default().solve(&encoded.program).unwrap();
    let play = encoded.play(&outcome.principal_variation);
    let mut state = table.graph.initial();
    for action in play {
        state = table.graph.after(state, action).unwrap();
    }
    assert!(table.graph.wins(state, player(1)));
}
