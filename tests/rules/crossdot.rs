//! CrossDot as a game: its axioms, its value, its size, and a second implementation.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quip::budget::{Budget, Limits};
use quip::games::crossdot;
use quip::games::play::PositionalRules;
use quip::outcome::Stop;
use quip::rules::{
    Conduct, Ending, ExploreError, Reading, Refereed, StateGraph, Theory, outcomes, respond,
};
use rustc_hash::FxHashSet;

use crate::support::{STRATEGIES, Table, player};

/// 1 if player 1 can force a win, -1 if player 2 can, 0 for a tie.
fn value(table: &Table) -> i32 {
    let conduct = Conduct::free(&table.graph);
    let forces = |number| {
        let goal = table.theory.formula(&format!("wins({number})")).unwrap();
        let response = respond(&table.graph, &conduct, player(number), &goal).unwrap();
        response.wins(&table.graph)
    };
    i32::from(forces(1)) - i32::from(forces(2))
}

#[test]
fn the_referee_has_the_same_values() {
    for (m, k) in [(2, 2), (3, 2), (5, 2), (5, 3), (7, 3), (7, 4)] {
        let by_referee = crossdot::referee::value(m, k);
        assert_eq!(
            i64::from(value(&Table::crossdot(m as i64, k as i64))),
            by_referee
        );
    }
}

#[test]
fn two_in_a_row_is_won_from_three_boxes_on() {
    assert_eq!(value(&Table::crossdot(2, 2)), 0);
    for m in 3..=8 {
        assert_eq!(value(&Table::crossdot(m, 2)), 1, "m = {m}");
    }
}

#[test]
fn three_and_four_in_a_row_are_ties() {
    for (k, m) in (3..=10).map(|m| (3, m)).chain((4..=10).map(|m| (4, m))) {
        assert_eq!(value(&Table::crossdot(m, k)), 0, "m = {m}, k = {k}");
    }
}

/// Observation 1. Axioms (9)–(11) speak about the next state, which a path of one state does not
/// have: there they would say that everything holds, so the effects are checked where play goes on.
#[test]
fn the_axioms_hold_on_all_reachable_paths() {
    for (m, k) in [(2, 2), (4, 2), (5, 3), (6, 3)] {
        let table = Table::crossdot(m, k);
        let everywhere = [
            "all i in 1..2, j in 1..m: init -> ~p(i,j)",
            "init -> turn(1) & ~turn(2)",
            "all i in 1..2: wins(i) == (some j in 1..m-k+1: all l in j..j+k-1: p(i,l))",
            "terminal == wins(1) | wins(2) | (all j in 1..m: p(1,j) | p(2,j))",
            "all i in 1..2, j in 1..m: ~(p(1,j) | p(2,j)) & turn(i) & ~terminal == legal(a(i,j))",
            "turn(1) & ~terminal -> next ~turn(1) & next turn(2)",
            "turn(2) & ~terminal -> next ~turn(2) & next turn(1)",
        ];
        for axiom in everywhere {
            let formula = table.theory.formula(axiom).unwrap();
            let broken = table
                .graph
                .first_violation(&formula, Reading::CompletePlays);
            assert_eq!(broken, None, "{axiom}");
        }
        let effect =
            "all i in 1..2, j in 1..m: ~terminal -> (p(i,j) | does(a(i,j)) == next p(i,j))";
        let effect = table.theory.formula(effect).unwrap();
        let broken = table.graph.first_violation(&effect, Reading::CompletePlays);
        assert_eq!(broken, None);
    }
}

#[test]
fn the_referee_and_the_file_describe_one_game() {
    for (m, k) in [(3, 2), (5, 2), (5, 3), (6, 4)] {
        let table = Table::crossdot(m as i64, k as i64);
        let line = PositionalRules::line(crossdot::game(m, k).unwrap(), k);
        let line = Refereed::new(Box::new(line));
        let graph = StateGraph::explore(&line, &mut Budget::unlimited()).unwrap();
        assert_eq!(graph.states().len(), table.graph.states().len());
        assert_eq!(graph.move_count(), table.graph.move_count());
        let files = [("strategies.rules", STRATEGIES)];
        let theory = Theory::read_for(graph.signature(), &files, &[]).unwrap();
        for name in ["cautious", "passive_defence", "fill_next", "thoughtful"] {
            for number in [1, 2] {
                let budget = &mut Budget::unlimited();
                let rule = theory.rule(name, player(number)).unwrap();
                let by_hand = Conduct::free(&graph)
                    .follow(&graph, player(number), &rule, Reading::default(), budget)
                    .unwrap();
                let by_file = table.conduct(&[(number, name)], Reading::default());
                let (here, there) = (outcomes(&graph, &by_hand), outcomes(&table.graph, &by_file));
                assert_eq!(
                    here.plays, there.plays,
                    "m = {m}, k = {k}, {name}({number})"
                );
                assert_eq!(here.states, there.states);
            }
        }
    }
}

/// The listing of section 7.4: both players follow `fill_next ∇ fill_any`. Its answer sets are the
/// plays; here they are counted again by hand.
#[test]
fn the_answer_sets_of_the_listing_are_the_plays_of_the_rules() {
    for (m, k) in [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4)] {
        let table = Table::crossdot(m, k);
        let rule = |i| format!("fill_next({i}) else fill_any({i})");
        let rules = [(1, &*rule(1)), (2, &*rule(2))];
        let conduct = table.conduct(&rules, Reading::CompletePlays);
        let found = outcomes(&table.graph, &conduct);
        let mut by_hand = [0_u128; 3];
        listing(&mut vec![0; m as usize], k as usize, 1, &mut by_hand);
        assert_eq!(found.plays, Some(by_hand.iter().sum()), "m = {m}, k = {k}");
        let ends = |winners: &[usize]| {
            let winners = winners.iter().map(|&number| player(number)).collect();
            found.endings.contains_key(&Ending::Winners(winners))
        };
        let possible = [ends(&[]), ends(&[1]), ends(&[2])];
        assert_eq!(possible, by_hand.map(|plays| plays > 0), "m = {m}, k = {k}");
    }
}

/// Lines 1–29 of the listing, executed: how many plays end in a tie, a win of 1, a win of 2.
fn listing(line: &mut Vec<u8>, k: usize, mover: u8, ends: &mut [u128; 3]) {
    let won = |who: u8| {
        line.windows(k)
            .any(|run| run.iter().all(|&mark| mark == who))
    };
    if let Some(winner) = [1, 2].into_iter().find(|&who| won(who)) {
        ends[usize::from(winner)] += 1;
        return;
    }
    if !line.contains(&0) {
        ends[0] += 1;
        return;
    }
    let free: Vec<usize> = (0..line.len()).filter(|&place| line[place] == 0).collect();
    let owned = |place: Option<usize>| place.and_then(|place| line.get(place)) == Some(&mover);
    let beside = |&place: &usize| owned(place.checked_sub(1)) || owned(Some(place + 1));
    let next: Vec<usize> = free.iter().copied().filter(beside).collect();
    for place in if next.is_empty() { free } else { next } {
        line[place] = mover;
        listing(line, k, 3 - mover, ends);
        line[place] = 0;
    }
}

/// Every line that play from the empty one can lead to, as sets of boxes of either player.
fn reachable_lines(m: u32, k: u32) -> FxHashSet<[u32; 2]> {
    let runs: Vec<u32> = (0..=m - k).map(|first| ((1 << k) - 1) << first).collect();
    let has_run = |marks: u32| runs.iter().any(|run| marks & run == *run);
    let mut seen = FxHashSet::default();
    let mut open = vec![[0, 0]];
    while let Some(line) = open.pop() {
        if !seen.insert(line) || line.iter().any(|&marks| has_run(marks)) {
            continue;
        }
        let mover = ((line[0] | line[1]).count_ones() % 2) as usize;
        for place in (0..m).filter(|place| (line[0] | line[1]) >> place & 1 == 0) {
            let mut after = line;
            after[mover] |= 1 << place;
            open.push(after);
        }
    }
    seen
}

#[test]
fn twelve_boxes_are_decided_by_visiting_every_line_once() {
    let lines = reachable_lines(12, 3).len();
    let table = Table::crossdot(12, 3);
    assert_eq!(table.graph.states().len(), lines);
    // The plays are counted along the graph; walking through each of them would take days.
    let plays = outcomes(&table.graph, &Conduct::free(&table.graph)).plays;
    assert!(plays.is_some_and(|plays| plays > 1000 * lines as u128));

    let exploring = |nodes: usize| {
        let limits = Limits {
            nodes: Some(nodes as u64),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, Arc::new(AtomicBool::new(false)), None);
        StateGraph::explore(table.theory.game().unwrap(), &mut budget)
    };
    assert!(exploring(lines).is_ok());
    assert!(matches!(
        exploring(lines - 1),
        Err(ExploreError::Stopped(Stop::Nodes))
    ));

    assert_eq!(value(&table), 0);
    let conduct = table.conduct(&[(2, "passive_defence")], Reading::CompletePlays);
    let goal = table.theory.formula("~wins(1)").unwrap();
    assert!(quip::rules::guarantee(&table.graph, &conduct, player(2), &goal).holds());
}
