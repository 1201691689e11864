//! Integers decided after a real opponent: values that are attained inside, values that are only
//! approached, and bounds from both sides, against values that are found another way.

#![allow(clippy::print_stdout, reason = "a test says what it saw")]

use std::time::Duration;

use quip::budget::{Budget, Limits};
use quip::equivalent::{Settings, solve_with};
use quip::format::parse_qip;
use quip::num::{Rational, int, ratio};
use quip::outcome::{Outcome, Status};
use quip::program::{Id, Program, VarId};
use quip::solver::{Options, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn program(text: &str) -> Program {
    parse_qip(text).expect("a program")
}

/// What the engine says after so many positions.
fn after(program: &Program, nodes: u64) -> Outcome {
    let limits = Limits {
        nodes: Some(nodes),
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, std::sync::Arc::default(), None);
    solve_with(program, &Settings::default(), &mut budget).expect("it is taken")
}

#[test]
fn a_value_that_is_only_approached_is_exact_and_said_to_be() {
    let text = "minimize y - u subject to y >= u
         prefix forall real u in [0, 1]  exists integer y in [0, 2] end";
    let outcome = Solver::new(Options::default())
        .solve(&program(text))
        .expect("it is taken");
    assert_eq!(outcome.status, Status::Optimal);
    assert_eq!(outcome.objective, Some(int(1)));
    assert_eq!(outcome.approached, [(VarId::new(0), true)]);
}

#[test]
fn the_worst_value_may_be_inside_where_two_replies_cost_the_same() {
    let inside = "minimize 2 y + 3 z - 2 u subject to y + z >= u
         prefix forall real u in [0, 3]  exists integer y in [0, 3]  exists real z in [0, 1] end";
    let coupled = "minimize 3/2 y + z + 1/4 u1 subject to z >= u1 + 2 u2 - 2 y
         uncertainty u1 + u2 <= 1
         prefix forall real u1 in [0, 1]  exists binary y  forall real u2 in [0, 1]
                exists real z in [0, 5] end";
    for (text, value) in [(inside, ratio(2, 3)), (coupled, ratio(13, 8))] {
        let outcome = Solver::new(Options::default())
            .solve(&program(text))
            .expect("it is taken");
        assert_eq!(outcome.status, Status::Optimal, "{text}");
        assert_eq!(outcome.objective, Some(value), "{text}");
        assert!(outcome.approached.is_empty(), "{text}");
    }
}

/// One real move of the opponent, one integer and one real reply:
/// `slope · u + side <= step · y + z`, perhaps `y >= u − shift`, at `dear · y + price · z + gain · u`.
struct Small {
    most: i64,
    slope: i64,
    side: Rational,
    step: i64,
    room: Rational,
    shift: Option<Rational>,
    dear: i64,
    price: i64,
    gain: i64,
}

const REPLIES: i64 = 3;

impl Small {
    fn random(seed: u64) -> Self {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        Self {
            most: rng.random_range(1..=3),
            slope: rng.random_range(-2..=3),
            side: ratio(rng.random_range(-3..=3), 2),
            step: rng.random_range(1..=2),
            room: ratio(rng.random_range(1..=4), 2),
            shift: rng
                .random_bool(0.4)
                .then(|| ratio(rng.random_range(0..=3), 2)),
            dear: rng.random_range(-1..=3),
            price: rng.random_range(1..=4),
            gain: rng.random_range(-3..=3),
        }
    }

    fn program(&self) -> Program {
        let Self {
            most,
            slope,
            side,
            step,
            room,
            dear,
            price,
            gain,
            ..
        } = self;
        let rule = self
            .shift
            .as_ref()
            .map_or(String::new(), |shift| format!("y - u >= -{shift}"));
        program(&format!(
            "minimize {dear} y + {price} z + {gain} u
             subject to {step} y + z - {slope} u >= {side}
                        {rule}
             prefix forall real u in [0, {most}]  exists integer y in [0, {REPLIES}]
                    exists real z in [0, {room}] end"
        ))
    }

    /// What a reply costs; `None` if it breaks a row.
    fn cost(&self, u: &Rational, y: i64) -> Option<Rational> {
        let least = int(self.slope) * u + &self.side - int(self.step * y);
        let z = least.max(int(0));
        let breaks = self.shift.as_ref().is_some_and(|shift| int(y) < u - shift);
        (z <= self.room && !breaks)
            .then(|| int(self.dear * y) + int(self.price) * z + int(self.gain) * u)
    }

    fn best(&self, u: &Rational) -> Option<Rational> {
        (0..=REPLIES).filter_map(|y| self.cost(u, y)).min()
    }

    /// The supremum over `u`, `None` if a move has no reply: between two of these numbers
    /// every reply costs a straight line or breaks a row, and no two lines cross.
    fn value(&self) -> Option<Rational> {
        let mut walls = vec![int(0), int(self.most)];
        let mut lines: Vec<(Rational, Rational)> = Vec::new();
        for y in 0..=REPLIES {
            walls.extend(self.shift.as_ref().map(|shift| shift + int(y)));
            for side in [int(0), self.room.clone()] {
                let wall = side + int(self.step * y) - &self.side;
                walls.extend((self.slope != 0).then(|| wall / int(self.slope)));
            }
            lines.push((int(self.gain), int(self.dear * y)));
            let least = &self.side - int(self.step * y);
            lines.push((
                int(self.gain + self.price * self.slope),
                int(self.dear * y) + int(self.price) * least,
            ));
        }
        for (place, (slope, constant)) in lines.iter().enumerate() {
            for (other, height) in &lines[..place] {
                if slope != other {
                    walls.push((height - constant) / (slope - other));
                }
            }
        }
        walls.retain(|wall| *wall >= int(0) && *wall <= int(self.most));
        walls.sort();
        walls.dedup();
        let mut worst: Option<Rational> = None;
        for wall in &walls {
            worst = Some(self.best(wall)?).max(worst);
        }
        for pair in walls.windows(2) {
            // On the open piece the best cost is a straight line: its ends from two points inside.
            let width = &pair[1] - &pair[0];
            let near = self.best(&(&pair[0] + &width * ratio(1, 3)))?;
            let far = self.best(&(&pair[0] + &width * ratio(2, 3)))?;
            let rise = &far - &near;
            worst = Some(near - &rise).max(worst);
            worst = Some(far + rise).max(worst);
        }
        worst
    }
}

#[test]
fn one_real_move_before_an_integer_and_a_real_reply_has_the_value_of_its_lower_envelope() {
    let (mut proved, mut lost, mut all) = (0, 0, 0);
    for seed in 0..300 {
        let small = Small::random(seed);
        let program = small.program();
        let outcome = after(&program, 400);
        all += 1;
        let Some(value) = small.value() else {
            assert!(
                matches!(outcome.status, Status::Infeasible | Status::Interrupted),
                "seed {seed}: {}",
                outcome.status
            );
            assert!(outcome.objective.is_none(), "seed {seed}");
            lost += u64::from(outcome.status == Status::Infeasible);
            continue;
        };
        assert_ne!(outcome.status, Status::Infeasible, "seed {seed}");
        if let Some(objective) = &outcome.objective {
            assert!(
                *objective >= value,
                "seed {seed}: {objective} guaranteed, {value} is right"
            );
        }
        if let Some(bound) = &outcome.bound {
            assert!(
                *bound <= value,
                "seed {seed}: {bound} proved, {value} is right"
            );
        }
        proved += u64::from(outcome.status == Status::Optimal);
    }
    println!("{proved} proved, {lost} lost of {all}");
    assert!(
        proved + lost > all * 3 / 4,
        "{proved} proved, {lost} lost of {all}"
    );
}

/// Two or three stages with a budget of real deviations, integers and reals after each.
fn budgeted(seed: u64, kind: &str) -> Program {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let stages = rng.random_range(2..=3);
    let mut costs = Vec::new();
    let mut rows = Vec::new();
    let mut prefix = String::new();
    for stage in 0..stages {
        let before = match stage {
            0 => String::new(),
            _ => format!("+ s{} ", stage - 1),
        };
        let (base, swing) = (rng.random_range(0..=2), rng.random_range(1..=3));
        rows.push(format!(
            "s{stage} - r{stage} = {before}+ 2 y{stage} - {base} - {swing} u{stage}"
        ));
        costs.push(format!(
            "{} y{stage} + {} s{stage} + {} r{stage}",
            rng.random_range(1..=5),
            rng.random_range(0..=2),
            rng.random_range(3..=6)
        ));
        prefix += &format!(
            "forall {kind} u{stage} in [0, 1] exists integer y{stage} in [0, 2]
             exists real s{stage} in [0, 9] exists real r{stage} in [0, 9]
             "
        );
    }
    let budget = ["1", "3/2", "2"][rng.random_range(0..3)];
    let all: Vec<String> = (0..stages).map(|stage| format!("u{stage}")).collect();
    program(&format!(
        "minimize {}\nsubject to {}\nuncertainty {} <= {budget}\nprefix {prefix} end",
        costs.join(" + "),
        rows.join("\n"),
        all.join(" + ")
    ))
}

/// The same with deviations in `steps` parts.
fn in_steps(seed: u64, steps: i64) -> Program {
    let text = quip::format::write_qip(&budgeted(seed, "real"));
    let fine = text
        .lines()
        .map(|line| match line.trim_start().starts_with("forall") {
            true => line
                .replace("real", "integer")
                .replace("[0, 1]", &format!("[0, {steps}]")),
            false => line.to_owned(),
        });
    let fine: Vec<String> = fine.collect();
    let fine = program(&fine.join("\n"));
    // What counted a whole deviation counts a part of one now.
    let mut data = fine.clone().into_data();
    let is_universal =
        |var: VarId| fine.variables()[var].quantifier == quip::program::Quantifier::Forall;
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        for (var, by) in &mut row.terms {
            if is_universal(*var) {
                *by = &*by / int(steps);
            }
        }
    }
    Program::new(data).expect("a program")
}

#[test]
fn budgets_of_real_deviations_are_bounded_from_both_sides_of_what_a_grid_says() {
    let mut proved = 0;
    for seed in 0..12 {
        let outcome = after(&budgeted(seed, "real"), 100);
        let coarse = after(&in_steps(seed, 2), u64::MAX / 2);
        let value = coarse.objective.expect("replies can be bought");
        let Some(objective) = &outcome.objective else {
            continue;
        };
        assert!(
            *objective >= value,
            "seed {seed}: {objective} guaranteed, {value} needed"
        );
        let bound = outcome.bound.as_ref().expect("a bound");
        assert!(bound <= objective, "seed {seed}");
        proved += u64::from(outcome.status == Status::Optimal);
    }
    println!("{proved} of 12 proved");
    assert!(proved > 2, "{proved}");
}
