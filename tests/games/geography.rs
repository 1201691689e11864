//! Geography on graphs.

use quip::format::read_bytes;
use quip::games::geography::{Graph, Guard, Plan, formula, program, referee};
use quip::outcome::Status;
use quip::solver::Options;

use crate::perft;
use crate::solve::{chosen, fixed, report, solved, wins};
use crate::support::certified::answered;

const GUARDS: [Guard; 2] = [Guard::Rows, Guard::Index];

#[test]
fn on_the_graph_of_the_thesis_player_1_wins_by_moving_to_1() {
    let graph = Graph::thesis();
    assert!(referee::player_1_wins(&graph));
    for guard in GUARDS {
        let program = program(&graph, guard).unwrap();
        assert!(wins(&program), "{guard:?}");
        assert!(chosen(&program, &solved(&program)).contains(&"x1_1".to_owned()));
        assert!(
            !wins(&fixed(&program, &[("x1_2", 1)])),
            "{guard:?}: 2 loses"
        );
    }
}

#[test]
fn on_the_graph_of_the_thesis_6_answers_3_and_7_answers_4() {
    let game = program(&Graph::thesis(), Guard::Index).unwrap();
    for (move_of_2, answer) in [(3, "x3_6"), (4, "x3_7")] {
        let game = fixed(&game, &[("m2", move_of_2)]);
        assert!(chosen(&game, &solved(&game)).contains(&answer.to_owned()));
    }
}

/// The answers of player 1 that a program gives when it is solved again after each move.
fn replies(graph: &Graph) -> Vec<(Vec<usize>, usize)> {
    let given = [("graph", &*graph.to_text())];
    let rules = quip::games::family("geography")
        .unwrap()
        .rules(&given)
        .unwrap();
    let game = program(graph, Guard::Index).unwrap();
    let mut plan = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(mut made) = open.pop() {
        let mut moves = Vec::new();
        for place in 0..made.len() {
            moves.extend(rules.assignments(&made[..place], made[place]));
        }
        let moves: Vec<(&str, i64)> = moves.iter().map(|(name, at)| (&**name, *at)).collect();
        let now = fixed(&game, &moves);
        let names = chosen(&now, &solved(&now));
        let prefix = format!("x{}_", made.len() + 1);
        let reply = names
            .iter()
            .rev()
            .find_map(|name| name.strip_prefix(&prefix));
        let reply = reply.unwrap().parse().unwrap();
        plan.push((made.iter().copied().skip(1).step_by(2).collect(), reply));
        made.push(reply);
        for option in rules.options(&made) {
            let mut after = made.clone();
            after.push(option);
            if rules.end(&after).is_none() {
                open.push(after);
            }
        }
    }
    plan
}

#[test]
fn the_strategy_is_printed_as_the_thesis_prints_it() {
    assert_eq!(
        Plan::new(replies(&Graph::thesis())).to_string(),
        "x1_1 = true\n\
         x3_6 = ite(x2_4, false, true)\n\
         x3_7 = ite(x2_4, true, false)\n"
    );
}

#[test]
fn a_printed_strategy_asks_about_every_round_that_matters() {
    let plan = Plan::new([
        (vec![], 1),
        (vec![2], 3),
        (vec![5], 3),
        (vec![2, 4], 6),
        (vec![2, 7], 8),
        (vec![5, 4], 6),
    ]);
    assert_eq!(
        plan.to_string(),
        "x1_1 = true\n\
         x3_3 = true\n\
         x5_6 = ite(x2_5, true, ite(x4_7, false, true))\n\
         x5_8 = ite(x2_5, false, ite(x4_7, true, false))\n"
    );
}

#[test]
fn random_graphs_have_the_value_of_the_direct_game() {
    let mut won = 0;
    for seed in 0..60 {
        let nodes = 3 + seed as usize % 4;
        let rounds = 1 + seed as usize % 7;
        let graph = Graph::random(nodes, rounds, 1 + seed as usize % 3, seed);
        let wanted = referee::player_1_wins(&graph);
        won += usize::from(wanted);
        for guard in GUARDS {
            let program = program(&graph, guard).unwrap();
            assert_eq!(
                wins(&program),
                wanted,
                "seed {seed} {guard:?}\n{}",
                graph.to_text()
            );
        }
    }
    assert!((15..45).contains(&won), "{won} of 60 are won");
}

#[test]
fn larger_random_graphs_have_the_value_of_the_direct_game() {
    for seed in 0..10 {
        let graph = Graph::random(10, 7, 3, seed);
        let program = program(&graph, Guard::Index).unwrap();
        assert_eq!(
            wins(&program),
            referee::player_1_wins(&graph),
            "seed {seed}"
        );
    }
}

#[test]
fn twenty_nodes_and_ten_rounds_are_solved() {
    for seed in 0..3 {
        let graph = Graph::random(20, 10, 3, seed);
        let program = program(&graph, Guard::Index).unwrap();
        let outcome = report(&format!("geography 20/10 index, seed {seed}"), &program);
        let won = outcome.status == Status::Feasible;
        assert_eq!(won, referee::player_1_wins(&graph), "seed {seed}");
    }
}

#[test]
fn the_programs_are_smaller_than_the_formulas_of_the_thesis() {
    for (nodes, rounds, variables) in [
        (5, 3, 103),
        (8, 4, 213),
        (8, 6, 297),
        (10, 5, 382),
        (20, 10, 2524),
    ] {
        let graph = Graph::random(nodes, rounds, 3, 7);
        let program = program(&graph, Guard::Rows).unwrap();
        assert!(program.variables().len() * 4 < variables);
    }
}

/// The thesis counts gates as variables.
#[test]
fn the_formulas_are_smaller_than_those_of_the_thesis() {
    for (nodes, rounds, variables, lines) in [
        (5, 3, 103, 92),
        (8, 4, 213, 190),
        (8, 6, 297, 262),
        (10, 5, 382, 343),
        (20, 10, 2524, 2328),
    ] {
        // Every node leads to every other: no graph has a larger formula.
        let graph = Graph::random(nodes, rounds, nodes, 1);
        assert_eq!(graph.neighbours(0).len(), nodes - 1);
        let text = formula(&graph);
        let gates = text.lines().filter(|line| line.contains(" = ")).count();
        let ours = (rounds * (nodes - 1) + gates, text.lines().count());
        println!("geography {nodes}/{rounds}: {ours:?}, thesis {variables}, {lines}");
        assert!(
            ours.0 < variables && ours.1 < lines,
            "{nodes}/{rounds}: {ours:?}"
        );
    }
}

fn formula_is_true(text: &str) -> bool {
    let program = read_bytes("game.qcir", text.as_bytes()).unwrap().program;
    match answered(&program, Options::default()).status {
        Status::Feasible => true,
        Status::Infeasible => false,
        other => panic!("{other}"),
    }
}

#[test]
fn the_formula_is_true_where_player_1_wins() {
    assert!(formula_is_true(&formula(&Graph::thesis())));
    for seed in 0..40 {
        let nodes = 3 + seed as usize % 4;
        let graph = Graph::random(nodes, seed as usize % 7, 1 + seed as usize % 3, seed);
        let wanted = referee::player_1_wins(&graph);
        assert_eq!(
            formula_is_true(&formula(&graph)),
            wanted,
            "seed {seed}\n{}",
            graph.to_text()
        );
    }
}

#[test]
fn the_program_has_as_many_plays_as_the_game() {
    for seed in 0..10 {
        let graph = Graph::random(6, 4, 3, seed);
        for depth in 1..=3 {
            let wanted = referee::plays(&graph, &mut vec![0], depth);
            let program = program(&graph, Guard::Rows).unwrap();
            let early = |name: &str| {
                let round = name[1..].split('_').next().unwrap();
                round.parse::<usize>().is_ok_and(|round| round <= depth)
            };
            // A play after which somebody is stuck leaves his system dead: it is not counted.
            let stuck = if depth < 4 {
                lost_after(&graph, &mut vec![0], depth)
            } else {
                0
            };
            assert_eq!(
                perft::plays(&program, early),
                wanted - stuck,
                "seed {seed} depth {depth}"
            );
        }
    }
}

/// Plays of `depth` rounds after which nobody can move.
fn lost_after(graph: &Graph, path: &mut Vec<usize>, depth: usize) -> u64 {
    let moves = referee::moves(graph, path);
    if depth == 0 {
        return u64::from(moves.is_empty());
    }
    moves
        .into_iter()
        .map(|node| {
            path.push(node);
            let lost = lost_after(graph, path, depth - 1);
            path.pop();
            lost
        })
        .sum()
}

#[test]
fn graphs_are_read_as_they_are_written_and_faults_have_their_place() {
    let graph = Graph::random(7, 4, 2, 3);
    assert_eq!(Graph::parse(&graph.to_text()), Ok(graph));
    let faults = [
        ("", "line 1, column 1: the number of rounds is missing"),
        ("x", "line 1, column 1: `x` is not a number of rounds"),
        ("3 4", "line 1, column 3: `4` is one word too many"),
        ("3", "line 1, column 1: there is no node"),
        (
            "3\n0 1\n2",
            "line 2, column 3: node `1` has no line of its own",
        ),
        ("3\n0\n0", "line 3, column 1: a second line for node `0`"),
        (
            "3\n0 1 1\n1",
            "line 2, column 5: neighbour `1` is there already",
        ),
        (
            "3\n0 -1",
            "line 2, column 3: node `-1` has no line of its own",
        ),
    ];
    for (text, message) in faults {
        assert_eq!(
            Graph::parse(text).unwrap_err().to_string(),
            message,
            "{text:?}"
        );
    }
}

#[test]
fn without_rounds_player_1_has_to_move_and_has_lost() {
    for text in ["0\n0 1\n1 0\n", "0\n0\n"] {
        let graph = Graph::parse(text).unwrap();
        assert!(!referee::player_1_wins(&graph));
        for guard in GUARDS {
            assert!(
                !wins(&program(&graph, guard).unwrap()),
                "{guard:?} of {text:?}"
            );
        }
        assert!(!formula_is_true(&formula(&graph)), "{text:?}");
    }
}

/// Player 1 leaves player 2 without a move. After two of three decisions player 2 is stuck already; the
/// third still has to keep the rules.
#[test]
fn what_is_decided_keeps_the_rules_also_where_the_opponent_is_stuck() {
    let graph = Graph::parse("2\n0 2 3\n1 0 2\n2 0 1 3\n3\n").unwrap();
    let program = program(&graph, Guard::Rows).unwrap();
    let outcome = answered(&program, Options::default());
    assert_eq!(outcome.status, Status::UniversalStuck);
    assert_eq!(chosen(&program, &outcome), ["x1_3"]);
}

#[test]
fn a_won_game_is_feasible_and_with_rows_it_may_be_won_outright() {
    let mut outright = 0;
    for seed in 0..40 {
        let graph = Graph::random(4 + seed as usize % 3, seed as usize % 5, 2, seed);
        for guard in GUARDS {
            let status = solved(&program(&graph, guard).unwrap()).status;
            let expected = match (referee::player_1_wins(&graph), guard) {
                (false, _) => status == Status::Infeasible,
                (true, Guard::Index) => status == Status::Feasible,
                (true, Guard::Rows) => status != Status::Infeasible,
            };
            assert!(expected, "{guard:?}, {status} of\n{}", graph.to_text());
            outright += usize::from(status == Status::UniversalStuck);
        }
    }
    assert!(outright > 2, "{outright}");
}

#[test]
fn nodes_may_have_any_names_and_gaps() {
    // The graph of a triangle with a tail, in numbers and in words.
    let numbers = Graph::parse("3\n0 1 2\n1 2\n2 3\n3\n").unwrap();
    for text in [
        "3\nhome mill ford\nmill ford\nford 7\n7\n",
        "3\n0 2 5\n2 5\n5 9\n9\n",
        "3\n2 5\n0 2 5\n5 9\n9\n",
    ] {
        let named = Graph::parse(text).unwrap();
        assert_eq!(named.nodes(), 4);
        let (one, two) = (
            program(&named, Guard::Index).unwrap(),
            program(&numbers, Guard::Index).unwrap(),
        );
        assert_eq!(one, two, "{text}");
        assert_eq!(Graph::parse(&named.to_text()), Ok(named));
    }
    let rules = quip::games::family("geography").unwrap();
    let table = rules.table(&[("graph", "3\nhome mill ford\nmill ford\nford\n")]);
    assert_eq!(table.unwrap().moves(), ["mill", "ford"]);
}
