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
