use std::time::Duration;

use rand::Rng;

use super::{knapsacks, random_problem, seeded};
use crate::lp::{Column, LpProblem, LpRow, LpSolver, LpVerdict};

#[test]
fn no_time_is_a_stop_and_the_model_goes_on_afterwards() {
    let mut random = seeded(26);
    let problem = random_problem(&mut random, 5, 0);
    let mut solver = LpSolver::new(&problem);
    assert_eq!(solver.solve(Some(Duration::ZERO)), LpVerdict::Stopped);
    assert_eq!(solver.counters().solves, 0);
    assert_eq!(
        solver.solve(Some(Duration::from_secs(1))),
        LpVerdict::Optimal
    );
}

#[test]
fn a_run_ends_with_its_time_and_the_next_one_finishes() {
    let mut random = seeded(29);
    let problem = knapsacks(&mut random, 400, 300);
    let mut solver = LpSolver::new(&problem);
    assert_eq!(
        solver.solve(Some(Duration::from_nanos(1))),
        LpVerdict::Stopped
    );
    assert_eq!(solver.solve(None), LpVerdict::Optimal);
}

#[test]
fn the_time_of_earlier_runs_is_not_charged_to_later_ones() {
    let mut random = seeded(27);
    let problem = random_problem(&mut random, 20, 0);
    let mut solver = LpSolver::new(&problem);
    // Together far beyond the limit, each far below.
    let limit = Duration::from_millis(400);
    let start = std::time::Instant::now();
    while start.elapsed() < 2 * limit {
        let at = random.random_range(0..20);
        let Column { lower, upper, .. } = problem.columns[at];
        solver.set_column_bounds(at, random.random_range(lower..=upper), upper);
        assert_ne!(solver.solve(Some(limit)), LpVerdict::Stopped);
    }
}

#[test]
fn crossed_boxes_and_contradictory_sides_are_infeasible() {
    let mut solver = LpSolver::new(&pair(Some(1), Some(3)));
    solver.set_column_bounds(0, 4, 2);
    assert_eq!(solver.solve(None), LpVerdict::Infeasible);
    solver.set_column_bounds(0, 0, 5);
    assert_eq!(solver.solve(None), LpVerdict::Optimal);
    let mut solver = LpSolver::new(&pair(Some(3), Some(1)));
    assert_eq!(solver.solve(None), LpVerdict::Infeasible);
}

#[test]
fn a_program_without_columns_has_the_answer_zero() {
    let mut solver = LpSolver::new(&LpProblem::default());
    assert_eq!(solver.solve(None), LpVerdict::Optimal);
    assert_eq!(solver.objective(), 0.0);
    assert!(solver.primal().is_empty() && solver.row_duals().is_empty());
}

#[test]
fn the_largest_integers_are_taken_and_a_doubled_column_is_a_failure() {
    let mut huge = pair(None, Some(i64::MAX));
    huge.rows[0].terms = vec![(0, i64::MAX), (1, i64::MIN)];
    huge.columns[0].upper = i64::MAX;
    huge.columns[1].cost = i64::MIN;
    let mut solver = LpSolver::new(&huge);
    assert_eq!(solver.solve(None), LpVerdict::Optimal);

    let mut twice = pair(None, Some(3));
    twice.rows[0].terms = vec![(0, 1), (0, 1)];
    assert_eq!(LpSolver::new(&twice).solve(None), LpVerdict::Failed);
}

#[test]
fn solvers_run_on_their_own_threads_and_move_between_them() {
    let problems: Vec<_> = (0..4)
        .map(|seed| random_problem(&mut seeded(30 + seed), 15, 6))
        .collect();
    let solve_all = |solver: &mut LpSolver, problem: &LpProblem| {
        let mut values = Vec::new();
        for (at, column) in problem.columns.iter().enumerate() {
            solver.set_column_bounds(at, column.lower, column.lower);
            let verdict = solver.solve(None);
            values.push((verdict, (solver.objective() * 1e3).round() as i64));
        }
        values
    };
    let alone: Vec<_> = problems
        .iter()
        .map(|p| solve_all(&mut LpSolver::new(p), p))
        .collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = problems
            .iter()
            .map(|problem| {
                let mut solver = LpSolver::new(problem);
                scope.spawn(move || solve_all(&mut solver, problem))
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    assert_eq!(alone, together);
}

#[test]
fn a_neighbour_with_another_number_of_threads_costs_a_cold_start_and_no_failure() {
    let mut neighbour = highs::RowProblem::default();
    neighbour.add_column(1.0, 0.0..=1.0);
    let mut neighbour = neighbour.optimise(highs::Sense::Minimise);
    neighbour.set_option("threads", 2);
    let _kept_alive = neighbour.solve();

    let mut solver = LpSolver::new(&pair(Some(1), Some(3)));
    assert_eq!(solver.solve(None), LpVerdict::Optimal);
    assert_eq!(solver.counters().cold_restarts, 1);
    assert_eq!(solver.solve(None), LpVerdict::Optimal);
    assert_eq!(solver.counters().cold_restarts, 1);
}

#[test]
fn nothing_is_ever_printed() {
    let noisy = [
        "lp::tests::solver::any_sequence_of_changes_ends_where_a_fresh_model_does",
        "lp::tests::edges::the_largest_integers_are_taken_and_a_doubled_column_is_a_failure",
        "lp::tests::solver::a_basis_of_another_program_is_survived",
        "lp::tests::mip::the_claimed_point_is_the_best_integer_point",
    ];
    let this_binary = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(this_binary);
    let output = command
        .args(["--exact", "--nocapture"])
        .args(noisy)
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let printed = String::from_utf8_lossy(&output.stdout);
    let ours = |line: &&str| {
        !(line.is_empty() || line.starts_with("running 4 tests") || line.starts_with("test "))
    };
    assert_eq!(
        printed.lines().filter(ours).collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
}

fn pair(lower: Option<i64>, upper: Option<i64>) -> LpProblem {
    LpProblem {
        columns: vec![
            Column {
                cost: 1,
                lower: 0,
                upper: 5,
            };
            2
        ],
        rows: vec![LpRow {
            terms: vec![(0, 1), (1, 1)],
            lower,
            upper,
        }],
    }
}
