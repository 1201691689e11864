//! Bilevel programs with an opposed follower have, as quantified programs, the value that enumeration
//! finds.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;

use quip::budget::Budget;
use quip::format::read_path;
use quip::num::int;
use quip::outcome::Status;
use quip::reference;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Whether `sum` keeps a side; `true` is at most.
fn keeps(sum: i64, at_most: bool, side: i64) -> bool {
    if at_most { sum <= side } else { sum >= side }
}

fn product(left: &[i64], right: &[i64]) -> i64 {
    left.iter()
        .zip(right)
        .map(|(left, right)| left * right)
        .sum()
}

/// Every point of a box from zero.
fn points(upper: &[i64]) -> Vec<Vec<i64>> {
    upper.iter().fold(vec![Vec::new()], |points, &upper| {
        let longer =
            |point: Vec<i64>| (0..=upper).map(move |value| [point.as_slice(), &[value]].concat());
        points.into_iter().flat_map(longer).collect()
    })
}

/// A row: coefficients of the leader and the follower, its direction and side.
type Row = (Vec<i64>, Vec<i64>, bool, i64);

struct Bilevel {
    upper: [Vec<i64>; 2],
    costs: [Vec<i64>; 2],
    leader: Vec<Row>,
    follower: Vec<Row>,
    maximize: bool,
}

impl Bilevel {
    fn random(dice: &mut ChaCha8Rng) -> Self {
        let sizes = [
            dice.random_range(1..=3_usize),
            dice.random_range(1..=2_usize),
        ];
        let mut numbers = |count: usize, from: i64, to: i64| -> Vec<i64> {
            (0..count).map(|_| dice.random_range(from..=to)).collect()
        };
        let upper = [numbers(sizes[0], 1, 2), numbers(sizes[1], 1, 3)];
        let mut costs = sizes.map(|size| numbers(size, -5, 5));
        costs[1][0] = costs[1][0].max(1);
        let mut rows = |count: usize, of_leader: bool| -> Vec<Row> {
            let row = |_| {
                let follower = if of_leader { 0 } else { 2 };
                let first = numbers(sizes[0], -2, 2);
                let second = numbers(sizes[1], -follower, follower);
                let [way, side] = [numbers(1, 0, 1)[0], numbers(1, -3, 4)[0]];
                (first, second, way == 1, side)
            };
            (0..count).map(row).collect()
        };
        let (leader, follower) = (rows(1, true), rows(2, false));
        Self {
            upper,
            costs,
            leader,
            follower,
            maximize: dice.random_bool(0.5),
        }
    }

    /// The model and its auxiliary file.
    fn files(&self) -> [String; 2] {
        let sum = |leader: &[i64], follower: &[i64]| {
            let terms = leader
                .iter()
                .enumerate()
                .map(|(at, by)| format!("{by:+} x{at}"));
            let more = follower
                .iter()
                .enumerate()
                .map(|(at, by)| format!("{by:+} y{at}"));
            terms.chain(more).collect::<Vec<_>>().join(" ")
        };
        let sense = if self.maximize {
            "Maximize"
        } else {
            "Minimize"
        };
        let mut model = format!(
            "{sense}\n c: {}\nSubject To\n",
            sum(&self.costs[0], &self.costs[1])
        );
        for (rows, letter) in [(&self.leader, 'u'), (&self.follower, 'l')] {
            for (at, (first, second, at_most, side)) in rows.iter().enumerate() {
                let relation = if *at_most { "<=" } else { ">=" };
                let _ = writeln!(
                    model,
                    " {letter}{at}: {} {relation} {side}",
                    sum(first, second)
                );
            }
        }
        let mut aux = format!(
            "@NUMVARS\n{}\n@NUMCONSTRS\n{}\n@VARSBEGIN\n",
            self.costs[1].len(),
            self.follower.len()
        );
        let against = if self.maximize { 2 } else { -2 };
        for (at, by) in self.costs[1].iter().enumerate() {
            let _ = writeln!(aux, "y{at} {}", against * by);
        }
        aux.push_str("@VARSEND\n@CONSTRSBEGIN\n");
        (0..self.follower.len()).for_each(|at| aux.push_str(&format!("l{at}\n")));
        aux.push_str("@CONSTRSEND\n@LP\nmodel.lp\n");
        let mut names = Vec::new();
        model.push_str("Bounds\n");
        for (upper, letter) in self.upper.iter().zip(['x', 'y']) {
            for (at, upper) in upper.iter().enumerate() {
                let _ = writeln!(model, " {letter}{at} <= {upper}");
                names.push(format!("{letter}{at}"));
            }
        }
        let _ = write!(model, "Generals\n {}\nEnd\n", names.join(" "));
        [model, aux]
    }

    /// The leader's best value, `None` if he has no solution.
    fn value(&self) -> Option<i64> {
        let kept = |rows: &[Row], x: &[i64], y: &[i64]| {
            let keeps = |(first, second, at_most, side): &Row| {
                keeps(product(first, x) + product(second, y), *at_most, *side)
            };
            rows.iter().all(keeps)
        };
        let sign = if self.maximize { -1 } else { 1 };
        let answers = points(&self.upper[1]);
        let cost =
            |x: &[i64], y: &[i64]| sign * (product(&self.costs[0], x) + product(&self.costs[1], y));
        let worst = |x: Vec<i64>| {
            let legal = answers.iter().filter(|y| kept(&self.follower, &x, y));
            legal.map(|y| cost(&x, y)).max()
        };
        let decisions = points(&self.upper[0]).into_iter();
        let nothing = vec![0; self.upper[1].len()];
        let decisions = decisions.filter(|x| kept(&self.leader, x, &nothing));
        decisions.filter_map(worst).min().map(|value| sign * value)
    }
}

#[test]
fn a_bilevel_program_has_the_value_that_enumeration_finds() {
    let mut dice = ChaCha8Rng::seed_from_u64(22);
    let folder = tempfile::tempdir().unwrap();
    let (mut solved, mut lost) = (0, 0);
    for _ in 0..200 {
        let bilevel = Bilevel::random(&mut dice);
        let [model, aux] = bilevel.files();
        std::fs::write(folder.path().join("model.lp"), &model).unwrap();
        let path = folder.path().join("it.aux");
        std::fs::write(&path, &aux).unwrap();
        let program = read_path(&path)
            .unwrap_or_else(|it| panic!("{model}{aux}{it}"))
            .program;
        let outcome = reference::solve(&program, &mut Budget::unlimited()).unwrap();
        match bilevel.value() {
            Some(value) => {
                assert_eq!(outcome.status, Status::Optimal, "{model}{aux}");
                assert_eq!(outcome.objective, Some(int(value)), "{model}{aux}");
                solved += 1;
            }
            None => {
                assert_eq!(outcome.status, Status::Infeasible, "{model}{aux}");
                lost += 1;
            }
        }
    }
    assert!(solved > 50 && lost > 20, "{solved} {lost}");
}
