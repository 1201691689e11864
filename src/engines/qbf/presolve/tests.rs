//! Each technique on a formula that it solves or shrinks.

use super::simplify;
use crate::budget::Budget;
use crate::qbf::matrix::tests::matrix;
use crate::qbf::settings::Settings;

/// The clauses that are left when one technique runs alone, counted; and how many literals.
fn left(key: &str, text: &str) -> (usize, usize) {
    let mut settings = Settings::none();
    settings.set(key, "on").unwrap();
    let (matrix, _) = simplify(matrix(text), &settings, &mut Budget::unlimited()).unwrap();
    let literals = matrix.clauses.iter().map(Vec::len).sum();
    (matrix.clauses.len(), literals)
}

#[test]
fn units_satisfy_and_shorten_clauses() {
    let text = "p cnf 3 3\ne 1 0\na 2 0\ne 3 0\n1 0\n-1 3 2 0\n1 -3 0\n";
    assert_eq!(left("clausal.units", text), (1, 2));
}

#[test]
fn universal_reduction_makes_units() {
    let text = "p cnf 3 2\ne 1 0\na 2 0\ne 3 0\n1 2 0\n-1 3 0\n";
    assert_eq!(left("clausal.units", text), (0, 0));
}

#[test]
fn pure_literals_of_either_player_go() {
    let own = "p cnf 3 2\na 1 2 0\ne 3 0\n3 1 0\n3 -1 2 0\n";
    assert_eq!(left("clausal.pure", own), (0, 0));
    let opponent = "p cnf 3 2\na 1 0\ne 2 3 0\n1 2 3 0\n-2 -3 0\n";
    assert_eq!(left("clausal.pure", opponent), (2, 4));
}

#[test]
fn the_later_of_two_equal_variables_is_replaced() {
    let text = "p cnf 4 4\na 1 0\ne 2 3 4 0\n1 -2 0\n-1 2 0\n1 2 3 0\n-1 -3 4 0\n";
    assert_eq!(left("clausal.equivalences", text), (2, 5));
}

#[test]
fn variables_in_a_circle_of_implications_are_equal() {
    // 1 → 2 → 3 → 1; the last clause becomes a unit.
    let text = "p cnf 4 4\ne 1 2 3 0\na 4 0\n-1 2 0\n-2 3 0\n-3 1 0\n1 2 3 0\n";
    assert_eq!(left("clausal.equivalences", text), (1, 1));
    // A universal variable does not follow: what is left are contradictory units.
    let text = "p cnf 2 2\ne 1 0\na 2 0\n1 -2 0\n-1 2 0\n";
    assert_eq!(left("clausal.equivalences", text).1, 2);
}

#[test]
fn independent_variables_move_before_the_universal_block() {
    // 4 and 5 have nothing to do with 2, so that 2 stands behind the 4 of no clause.
    let text = "p cnf 5 4\ne 1 0\na 2 0\ne 3 4 5 0\n2 3 0\n1 4 5 0\n-4 -5 0\n-2 3 1 0\n";
    let mut settings = Settings::none();
    settings.set("clausal.independence", "on").unwrap();
    let (matrix, _) = simplify(matrix(text), &settings, &mut Budget::unlimited()).unwrap();
    let vars = matrix.prefix.vars();
    let blocks: Vec<u32> = vars.map(|var| matrix.prefix.block_of(var)).collect();
    assert_eq!(blocks, [0, 1, 2, 0, 0]);
}

#[test]
fn a_signal_ends_a_technique() {
    let mut clauses = String::new();
    for var in 1..2_000 {
        clauses.push_str(&format!("-{var} {} 0\n", var + 1));
    }
    let text = format!("p cnf 2000 1999\ne 1 2000 0\n{clauses}");
    let formula = matrix(&text);
    let signal = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut budget = Budget::new(Default::default(), std::sync::Arc::clone(&signal), None);
    budget.look().unwrap();
    let mut draft = super::Draft::new(formula, &mut budget);
    signal.store(true, std::sync::atomic::Ordering::Relaxed);
    super::subsumption::strengthen(&mut draft);
    assert!(draft.stop.is_some());
}

#[test]
fn larger_clauses_go_and_literals_resolve_away() {
    let text = "p cnf 3 3\na 1 0\ne 2 3 0\n1 2 0\n1 2 3 0\n1 -2 3 0\n";
    assert_eq!(left("clausal.subsumption", text), (2, 4));
}

#[test]
fn blocked_clauses_go_but_not_by_deeper_literals() {
    let text = "p cnf 3 2\na 1 0\ne 2 3 0\n1 2 3 0\n-1 -2 -3 0\n";
    assert_eq!(left("clausal.blocked", text), (0, 0));
    let deep = "p cnf 4 4\ne 1 0\na 2 0\ne 3 4 0\n1 2 3 0\n-1 -2 3 0\n-3 4 0\n3 -4 0\n";
    assert_eq!(left("clausal.blocked", deep).0, 4);
}

#[test]
fn variables_are_eliminated_where_nothing_stands_behind_them() {
    let text = "p cnf 3 2\na 1 2 0\ne 3 0\n1 3 0\n2 -3 0\n";
    assert_eq!(left("clausal.elimination", text), (1, 2));
    let gate = "p cnf 3 3\ne 1 0\na 2 0\ne 3 0\n3 -1 -2 0\n-3 1 0\n-3 2 0\n";
    assert_eq!(left("clausal.elimination", gate), (3, 7));
}

#[test]
fn variables_that_stand_for_one_way_to_win_stay() {
    // 8: both 1 and 2; 9: both 3 and 4; one of the two, or 5, 6, 7. Multiplied out, that is longer.
    let ways =
        "p cnf 9 5\ne 1 2 3 4 5 6 7 0\ne 8 9 0\n-8 1 0\n-8 2 0\n-9 3 0\n-9 4 0\n8 9 5 6 7 0\n";
    assert_eq!(left("clausal.elimination", ways), (5, 13));
    // With two ways and nothing else it is not.
    let two = "p cnf 6 5\ne 1 2 3 4 0\ne 5 6 0\n-5 1 0\n-5 2 0\n-6 3 0\n-6 4 0\n5 6 0\n";
    assert_eq!(left("clausal.elimination", two), (4, 8));
}

#[test]
fn gates_move_to_their_inputs() {
    let text = "p cnf 4 4\ne 1 2 0\na 3 0\ne 4 0\n4 -1 -2 0\n-4 1 0\n-4 2 0\n4 3 0\n";
    // The last clause loses the literal that now stands behind the gate.
    assert_eq!(left("clausal.early", text), (4, 8));
}

#[test]
fn the_last_universals_are_written_out() {
    let text = "p cnf 3 3\ne 1 0\na 2 0\ne 3 0\n1 2 3 0\n-1 -2 -3 0\n1 3 0\n";
    // The first two lose a literal, the last is there twice.
    assert_eq!(left("clausal.expansion", text), (4, 8));
    let outermost = "p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n";
    assert_eq!(left("clausal.expansion", outermost), (2, 4));
}
