//! The decomposition of quantified linear programs: against the reference, on the programs that
//! corners get right and wrong, and on its own switches and replies.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quip::benders::{self, Policy, PolicyError, Settings};
use quip::budget::{Budget, Limits};
use quip::format::parse_qip;
use quip::games::random::{RandomShape, random_program};
use quip::lp::WarmLp;
use quip::lp::simplex::{Answer, LinearProgram};
use quip::num::{Rational, int, ratio};
use quip::outcome::{CertificateError, Outcome, Score, Status, Stop, cost_of_objective};
use quip::program::{Bounds, Id, IdVec, Kind, Program, Quantifier, Row, Term, VarId};
use quip::reference;
use quip::relax::{QlpBound, qlp_bound};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Solves a program; the certificate of the answer is checked.
fn solve(program: &Program, settings: &Settings) -> Outcome {
    let budget = &mut Budget::unlimited();
    let outcome = benders::solve_with_certificate(program, settings, budget).unwrap();
    checked_if_certified(program, &outcome);
    outcome
}

/// Checks the certificate. Only programs whose universal rows restrict real moves and games that are
/// decided before they are decomposed have none; whether there was one.
fn checked_if_certified(program: &Program, outcome: &Outcome) -> bool {
    if let Some(Err(CertificateError::Unsupported(reason))) = &outcome.certificate {
        let is_decided = outcome.effort.nodes == 0;
        assert!(restricts_reals(program) || is_decided, "{reason}");
        return false;
    }
    support::certified::checked(program, outcome);
    true
}

/// Whether a universal row mentions a real variable: then there is no certificate.
fn restricts_reals(program: &Program) -> bool {
    let mut terms = program.universal_rows().iter().flat_map(|row| &row.terms);
    terms.any(|(var, _)| program.variables()[*var].kind == Kind::Real)
}

/// The score that an outcome tells.
fn score(program: &Program, outcome: &Outcome) -> Score {
    match outcome.status {
        Status::Optimal => {
            assert_eq!(outcome.objective, outcome.bound);
            Score::Cost(cost_of_objective(
                program,
                outcome.objective.clone().unwrap(),
            ))
        }
        Status::Feasible => Score::Cost(int(0)),
        Status::Infeasible => Score::Lost,
        Status::Unbounded => Score::Unbounded,
        Status::UniversalStuck => Score::Won,
        Status::Interrupted | Status::TargetReached | Status::GoodEnough => {
            panic!("no limit was set")
        }
    }
}

#[test]
fn random_programs_have_the_value_of_the_reference() {
    let mut tally = [0; 4];
    let mut long = 0;
    for seed in 0..6000 {
        let program = random_program(seed, &RandomShape::qlp());
        long += usize::from(program.blocks().len() >= 5);
        let outcome = solve(&program, &Settings::default());
        let found = score(&program, &outcome);
        let expected = reference::value(&program).unwrap();
        assert_eq!(found, expected, "seed {seed}: {program:#?}");
        let kind = match found {
            Score::Won => 0,
            Score::Unbounded => 1,
            Score::Cost(_) => 2,
            Score::Lost => 3,
        };
        tally[kind] += 1;
    }
    println!("{tally:?} {long}");
    assert!(
        tally[1] > 50 && tally[2] > 2000 && tally[3] > 500 && long > 200,
        "{tally:?} {long} is a dull family"
    );
}

#[test]
fn a_warm_linear_program_proves_every_answer_while_its_sides_move() {
    let mut seen = [0; 3];
    let mut counts = quip::lp::WarmCounts::default();
    for seed in 0..300 {
        let dice = &mut ChaCha8Rng::seed_from_u64(seed);
        let columns = dice.random_range(1..=4);
        let terms = |dice: &mut ChaCha8Rng| -> Vec<Term> {
            let factor = |dice: &mut ChaCha8Rng| ratio(dice.random_range(-3..=3), 2);
            (0..columns)
                .map(|column| (VarId::new(column), factor(dice)))
                .collect()
        };
        let mut warm = WarmLp::new(&LinearProgram {
            objective: terms(dice),
            bounds: IdVec::filled(columns, Bounds::between(int(-4), int(5))),
            rows: IdVec::default(),
        });
        for _ in 0..dice.random_range(1..=4) {
            let row = match dice.random_range(0..3) {
                0 => Row::at_most(terms(dice), int(1)),
                1 => Row::at_least(terms(dice), int(1)),
                _ => Row::equal(terms(dice), int(1)),
            };
            warm.add_row(row);
            for _ in 0..6 {
                for row in warm.program().rows.clone().ids() {
                    let side = ratio(dice.random_range(-9..=9), 2);
                    let of = |old: &Option<Rational>| old.as_ref().map(|_| side.clone());
                    let Row { lower, upper, .. } = &warm.program().rows[row];
                    let (lower, upper) = (of(lower), of(upper));
                    warm.set_sides(row, lower, upper);
                }
                let answer = warm.solve(&mut Budget::unlimited()).unwrap();
                assert!(answer.is_proved_for(warm.program()), "seed {seed}");
                seen[match answer {
                    Answer::Optimal { .. } => 0,
                    Answer::Infeasible { .. } => 1,
                    Answer::Unbounded { .. } => 2,
                }] += 1;
            }
        }
        counts.solves += warm.counts().solves;
        counts.by_known_basis += warm.counts().by_known_basis;
        counts.by_simplex += warm.counts().by_simplex;
    }
    println!("{seen:?} {counts:?}");
    assert!(seen[0] > 1000 && seen[1] > 500, "{seen:?}");
    assert!(counts.by_known_basis > 500 && counts.by_simplex * 4 < counts.solves);
}

#[test]
fn where_floats_see_no_difference_the_exact_simplex_decides() {
    // Far below what a float solver tolerates.
    let tiny = "1/1000000000000";
    let lost = format!(
        "subject to
           a - b >= y + {tiny}
           a - b <= y
         prefix forall real y in [0, 1]  exists real a in [0, 9]  exists real b in [0, 9] end"
    );
    assert_eq!(value_of(&lost), Score::Lost);
    let dear = format!(
        "minimize a
         subject to
           a - b >= {tiny} y
           b >= 1/3
         prefix forall real y in [0, 1]  exists real a in [0, 9]  exists real b in [0, 9] end"
    );
    let expected = ratio(1, 3) + ratio(1, 1_000_000_000_000);
    assert_eq!(value_of(&dear), Score::Cost(expected));

    let (a, b) = (VarId::new(0), VarId::new(1));
    let terms = vec![(a, int(1)), (b, int(-1))];
    let mut warm = WarmLp::new(&LinearProgram {
        objective: vec![(a, int(1))],
        bounds: IdVec::filled(2, Bounds::between(int(0), int(9))),
        rows: IdVec::from_vec(vec![
            Row::at_least(terms.clone(), ratio(1, 1_000_000_000_000)),
            Row::at_most(terms, int(0)),
        ]),
    });
    let answer = warm.solve(&mut Budget::unlimited()).unwrap();
    assert!(matches!(answer, Answer::Infeasible { .. }));
    assert_eq!(
        warm.counts().by_simplex,
        1,
        "the float solver's advice was no proof"
    );
}

/// Settings of every combination of switches.
fn combination(number: u64) -> Settings {
    Settings {
        breaks: number & 1 == 0,
        fast_back: number & 2 == 0,
        worst_first: number & 4 == 0,
    }
}

#[test]
fn every_combination_of_switches_gives_the_same_value() {
    for seed in 10_000..10_600 {
        let program = random_program(seed, &RandomShape::qlp());
        let value = score(&program, &solve(&program, &Settings::default()));
        for number in 1..8 {
            let found = score(&program, &solve(&program, &combination(number)));
            assert_eq!(found, value, "seed {seed}, {:?}", combination(number));
        }
    }
}

#[test]
fn universal_rows_inside_a_block_are_listed_and_others_refused() {
    let shape = RandomShape {
        universal_rows: 1..=2,
        ..RandomShape::qlp()
    };
    let (mut taken, mut won, mut certified) = (0, 0, 0);
    for seed in 0..3000 {
        let program = random_program(seed, &shape);
        let budget = &mut Budget::unlimited();
        let solved = benders::solve_with_certificate(&program, &Settings::default(), budget);
        let found = match solved {
            Ok(outcome) => {
                let is_checked = checked_if_certified(&program, &outcome);
                certified += usize::from(is_checked && outcome.status != Status::Feasible);
                score(&program, &outcome)
            }
            Err(refused) => {
                let reason = refused.to_string();
                let known = ["mentions the existential", "couples", "who loses depends"];
                assert!(known.iter().any(|part| reason.contains(part)), "{reason}");
                continue;
            }
        };
        assert_eq!(found, reference::value(&program).unwrap(), "seed {seed}");
        taken += 1;
        won += usize::from(found == Score::Won);
    }
    println!("{taken} taken, {won} won outright, {certified} bounds proved under rows");
    assert!(taken > 500 && won > 20 && certified > 100);
}

fn value_of(text: &str) -> Score {
    let program = parse_qip(text).unwrap();
    score(&program, &solve(&program, &Settings::default()))
}

fn reason_of(text: &str) -> String {
    let program = parse_qip(text).unwrap();
    let solved = benders::solve(&program, &Settings::default(), &mut Budget::unlimited());
    solved.unwrap_err().to_string()
}

/// The three-variable example of Ederer, Lorenz, Opfer and Wolf, with its prefix.
fn three_variables(prefix: &str) -> String {
    format!(
        "subject to
           10 x1 - 4 x2 + 2 x3 <= 0
           10 x1 + 4 x2 - 2 x3 <= 4
           -10 x1 + 4 x2 + x3 <= 12
           -10 x1 - 4 x2 - x3 <= 8
         prefix {prefix} end"
    )
}

const X1: &str = "forall real x1 in [-1, 0]";
const X2: &str = "forall real x2 in [0, 1]";
const X3: &str = "exists real x3 in [-2, 2]";

#[test]
fn the_three_variable_example_is_won_only_in_its_own_order() {
    let won = Score::Cost(int(0));
    assert_eq!(value_of(&three_variables(&format!("{X1} {X2} {X3}"))), won);
    let first = three_variables(&format!("{X3} {X1} {X2}"));
    assert_eq!(value_of(&first), Score::Lost);
    let between = three_variables(&format!("{X1} {X3} {X2}"));
    assert_eq!(value_of(&between), Score::Lost);
}

#[test]
fn the_replies_of_the_three_variable_example_lie_on_its_segment_and_facet() {
    let program = parse_qip(&three_variables(&format!("{X1} {X2} {X3}"))).unwrap();
    let mut policy = Policy::new(&program, &mut Budget::unlimited()).unwrap();
    for eighths in 0..=8 {
        let x2 = ratio(eighths, 8);
        let mut reply = |x1: Rational| {
            let universal = [x1, x2.clone()];
            let reply = policy.reply(&universal, &mut Budget::unlimited()).unwrap();
            reply[0].1.clone()
        };
        assert_eq!(reply(int(-1)), int(2) - int(4) * &x2);
        let facet = reply(int(0));
        assert!(facet >= int(2) * &x2 - int(2) && facet <= int(2) * &x2);
    }
}

#[test]
fn corners_are_enough_for_real_replies_and_only_for_them() {
    let half = |kind: &str| {
        format!(
            "subject to 2 x = y
             prefix forall integer y in [0, 2]  exists {kind} x in [0, 1] end"
        )
    };
    assert_eq!(value_of(&half("real")), Score::Cost(int(0)));
    assert!(reason_of(&half("integer")).contains("`x` is an integer"));
    let wide = |most: i64| {
        format!(
            "subject to
               2 x - y - 10000 z <= -1
               -x - y + 10000 z <= 6998
             prefix forall real x in [0, 3000]
               exists real y in [0, {most}]  exists binary z end"
        )
    };
    assert!(reason_of(&wide(2001)).contains("`z` is an integer"));
}

#[test]
fn a_row_that_couples_two_blocks_is_refused() {
    // (u1, u2) in the triangle of (0, 0), (1, 1), (2, 0): its vertices as scenarios would say that
    // the existential player wins, since u1 would tell him u2. He does not.
    let reason = reason_of(
        "subject to x = u2
         uncertainty
           u2 - u1 <= 0
           u1 + u2 <= 2
         prefix forall real u1 in [0, 2]  exists real x in [0, 1]  forall real u2 in [0, 1] end",
    );
    assert!(reason.contains("couples `u1` with `u2`"), "{reason}");
}

#[test]
fn the_vertices_of_one_block_are_enough() {
    // The same triangle in one block: x must cover u1 + 3 u2, which is largest at (1, 1).
    let text = |row: &str| {
        format!(
            "minimize x
             subject to x >= u1 + 3 u2
             uncertainty
               u2 - u1 <= 0
               {row}
             prefix forall real u1 in [0, 2]  forall real u2 in [0, 1]  exists real x in [0, 9] end"
        )
    };
    assert_eq!(value_of(&text("u1 + u2 <= 2")), Score::Cost(int(4)));
    assert_eq!(value_of(&text("u1 + u2 <= 3/2")), Score::Cost(int(3)));
    assert_eq!(value_of(&text("u1 + u2 <= -1")), Score::Won);
}

#[test]
fn any_play_inside_the_box_is_answered_within_the_value() {
    let mut answered = 0;
    for seed in 0..1500 {
        let program = random_program(seed, &RandomShape::qlp());
        let Score::Cost(value) = score(&program, &solve(&program, &Settings::default())) else {
            continue;
        };
        if program.first_empty_domain().is_some() {
            continue;
        }
        let dice = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut policy = Policy::new(&program, &mut Budget::unlimited()).unwrap();
        for _ in 0..4 {
            let play = play_against(&program, &mut policy, dice);
            for row in program.rows() {
                assert!(row.admits(&row.activity(|var| &play[var])), "seed {seed}");
            }
            for (var, variable) in program.variables().pairs() {
                assert!(variable.admits(&play[var]), "seed {seed}");
            }
            let cost = cost_of_objective(&program, program.objective_value(&play));
            assert!(cost <= value, "seed {seed}: {cost} > {value}");
            answered += 1;
        }
    }
    assert!(answered > 1500, "{answered}");
}

/// A play of random universal values, not only corners, and the policy's replies.
fn play_against(
    program: &Program,
    policy: &mut Policy<'_>,
    dice: &mut ChaCha8Rng,
) -> IdVec<VarId, Rational> {
    let mut play = IdVec::filled(program.variables().len(), int(0));
    let mut universal = Vec::new();
    for block in program.blocks() {
        if block.quantifier == Quantifier::Exists {
            let reply = policy.reply(&universal, &mut Budget::unlimited()).unwrap();
            assert_eq!(reply.len(), block.len());
            for (var, value) in reply {
                play[var] = value;
            }
            continue;
        }
        for var in block.variables() {
            let domain = program.variables()[var].domain();
            let (lower, upper) = (domain.lower.unwrap(), domain.upper.unwrap());
            let mut value = &lower + (upper - &lower) * ratio(dice.random_range(0..=7), 7);
            if program.variables()[var].kind == Kind::Integer {
                value = value.floor();
            }
            universal.push(value.clone());
            play[var] = value;
        }
    }
    play
}

#[test]
fn a_wrong_universal_play_is_refused() {
    let program = parse_qip(&three_variables(&format!("{X1} {X2} {X3}"))).unwrap();
    let budget = &mut Budget::unlimited();
    let mut policy = Policy::new(&program, budget).unwrap();
    let outside = policy.reply(&[int(-2), int(0)], budget);
    assert_eq!(outside, Err(PolicyError::Illegal("x1".into())));
    assert_eq!(
        policy.reply(&[int(0)], budget),
        Err(PolicyError::Unfinished)
    );
    let many = [int(0), int(0), int(0)];
    assert_eq!(
        policy.reply(&many, budget),
        Err(PolicyError::TooManyMoves(2))
    );
}

#[test]
fn the_best_play_is_worth_the_value_and_in_order() {
    let mut complete = 0;
    for seed in 0..1500 {
        let program = random_program(seed, &RandomShape::qlp());
        let outcome = solve(&program, &Settings::default());
        if outcome.status != Status::Optimal {
            continue;
        }
        let play = &outcome.principal_variation;
        assert_eq!(play.len(), program.variables().len(), "seed {seed}");
        let mut values = IdVec::filled(play.len(), int(0));
        for (var, value) in play {
            values[*var] = value.clone();
        }
        for row in program.rows() {
            assert!(row.admits(&row.activity(|var| &values[var])), "seed {seed}");
        }
        let worth = program.objective_value(&values);
        assert_eq!(Some(worth), outcome.objective, "seed {seed}");
        complete += 1;
    }
    assert!(complete > 300, "{complete}");
}

#[test]
fn the_bound_of_an_integer_program_is_never_above_its_value() {
    let (mut bounds, mut proofs, mut tight) = (0, 0, 0);
    for shape in [RandomShape::small(), RandomShape::binary()] {
        for seed in 0..1200 {
            let program = random_program(seed, &shape);
            let value = reference::value(&program).unwrap();
            let cost = |objective: Rational| Score::Cost(cost_of_objective(&program, objective));
            match qlp_bound(&program, &mut Budget::unlimited()).unwrap() {
                QlpBound::Objective(objective) => {
                    let bound = cost(objective);
                    assert!(bound <= value, "seed {seed}: {bound:?} > {value:?}");
                    bounds += 1;
                    tight += usize::from(bound == value);
                }
                QlpBound::Infeasible => {
                    assert_eq!(value, Score::Lost, "seed {seed}");
                    proofs += 1;
                }
                QlpBound::Unknown => {}
            }
        }
    }
    println!("{bounds} bounds, {tight} tight, {proofs} proofs of infeasibility");
    assert!(bounds > 300 && tight > 50 && proofs > 100);
}

#[test]
fn limits_are_kept_and_what_was_proved_is_told() {
    let program = parse_qip(
        "minimize 3 a + 5 b + 4 c + 6 d
         subject to
           a + 2 b >= 4 + y
           a - b + c >= 3 z - y
           c + d >= 2 w + z
         prefix exists real a in [0, 9]  forall real y in [0, 2]  exists real b in [0, 9]
           forall real z in [0, 2]  exists real c in [0, 9]  forall real w in [0, 3]
           exists real d in [0, 9] end",
    )
    .unwrap();
    let value = solve(&program, &Settings::default()).objective.unwrap();
    for nodes in 0..60 {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, Default::default(), None);
        let outcome = benders::solve(&program, &Settings::default(), &mut budget).unwrap();
        if outcome.status == Status::Interrupted {
            assert_eq!(outcome.stop, Some(Stop::Nodes));
            assert!(outcome.objective.is_none_or(|reached| reached >= value));
            assert!(outcome.bound.is_none_or(|bound| bound <= value));
        } else {
            assert_eq!(outcome.objective.as_ref(), Some(&value));
        }
    }
    let raised = Arc::new(AtomicBool::new(true));
    let mut budget = Budget::new(Limits::default(), raised, None);
    let outcome = benders::solve(&program, &Settings::default(), &mut budget).unwrap();
    assert_eq!(outcome.stop, Some(Stop::Signal));
}

/// The program with whole variables in its first stage.
fn with_whole_first_stage(program: &Program) -> Option<Program> {
    let first = program.blocks().iter().next()?;
    let mut data = program.clone().into_data();
    for variable in &mut data.variables[first.range()] {
        if first.quantifier == Quantifier::Forall || !variable.bounds.is_finite() {
            return None;
        }
        variable.kind = Kind::Integer;
    }
    Some(Program::new(data).unwrap())
}

#[test]
fn whole_first_stages_have_the_value_of_the_reference() {
    let mut tally = [0; 2];
    for seed in 0..4000 {
        let program = random_program(seed, &RandomShape::qlp());
        let Some(program) = with_whole_first_stage(&program) else {
            continue;
        };
        let found = score(&program, &solve(&program, &combination(seed)));
        let expected = reference::value(&program).unwrap();
        assert_eq!(found, expected, "seed {seed}: {program:#?}");
        tally[usize::from(found == Score::Lost)] += 1;
    }
    println!("{tally:?}");
    assert!(tally[0] > 300 && tally[1] > 300, "{tally:?}");
}

#[test]
fn a_published_optimum_with_a_whole_first_stage_comes_out() {
    let text = std::fs::read_to_string("models/seed/real-tail.qip").unwrap();
    let program = parse_qip(&text).unwrap();
    let outcome = solve(&program, &Settings::default());
    assert_eq!(outcome.objective, Some(int(3)));
    assert_eq!(outcome.first_stage, [(VarId::new(0), int(1))]);
}
