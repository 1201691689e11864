//! Compared with the reference, on random programs of two blocks.

use super::descent::Bounds as _;
use super::front::Member;
use super::prices::Priced;
use super::*;
use crate::format::parse_qip;
use crate::program::{
    Bounds, Id, Kind, Objective, ProgramData, Quantifier, Row, Sense, Term, Variable,
};
use crate::reference;

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, low: i64, high: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (self.0 % (high - low + 1) as u64) as i64
    }

    fn terms(&mut self, vars: &[usize], chance: i64, low: i64, high: i64) -> Vec<Term> {
        let mut terms = Vec::new();
        for &var in vars {
            if self.roll(1, 100) <= chance {
                terms.push((VarId::new(var), int(self.roll(low, high))));
            }
        }
        terms
    }
}

/// Pairs of an existential and a universal variable; half of the programs are interdiction, the
/// others mix signs, players and sides. In a third of them a variable after each pair says, or must say, whether
/// both are one, and is wanted small.
fn random(seed: u64) -> Program {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let pairs = dice.roll(1, 4) as usize;
    let is_wild = dice.roll(0, 1) == 1;
    let variable = |dice: &mut Dice, place: usize, quantifier| Variable {
        name: format!("v{place}"),
        quantifier,
        kind: Kind::Integer,
        bounds: Bounds::between(
            int(if is_wild { dice.roll(-1, 0) } else { 0 }),
            int(if is_wild { dice.roll(0, 2) } else { 1 }),
        ),
    };
    let (own, theirs): (Vec<usize>, Vec<usize>) =
        ((0..pairs).collect(), (pairs..2 * pairs).collect());
    let all: Vec<usize> = (0..2 * pairs).collect();
    let mut variables: Vec<Variable> = Vec::new();
    for place in 0..2 * pairs {
        let owner = if place < pairs {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        };
        variables.push(variable(&mut dice, place, owner));
    }
    let low = if is_wild { -4 } else { 1 };
    let mut late: Vec<usize> = Vec::new();
    if dice.roll(0, 2) == 0 {
        late.extend(2 * pairs..3 * pairs);
        for &place in &late {
            let mut variable = variable(&mut dice, place, Quantifier::Exists);
            variable.bounds = Bounds::between(int(0), int(dice.roll(1, 2)));
            variables.push(variable);
        }
    }
    let mut budgeted = dice.terms(&own, 90, low, 6);
    budgeted.extend(dice.terms(&late, 70, 1, 4));
    let mut rows = vec![Row::at_most(budgeted, int(dice.roll(0, 9)))];
    for (&place, pair) in late.iter().zip(0..) {
        let both = [(pair, 1), (pairs + pair, 1), (place, -1)];
        let terms = both.map(|(var, by)| (VarId::new(var), int(by)));
        rows.push(Row::at_most(terms.to_vec(), int(1)));
    }
    let mut universal_rows = vec![Row::at_most(
        dice.terms(&theirs, 90, low, 6),
        int(dice.roll(0, 9)),
    )];
    for pair in 0..pairs {
        if dice.roll(0, 3) > 0 {
            let by = if is_wild { dice.roll(-2, 2) } else { 1 };
            let terms = vec![
                (VarId::new(pair), int(by)),
                (VarId::new(pairs + pair), int(1)),
            ];
            universal_rows.push(Row::at_most(terms, int(1)));
        }
    }
    if is_wild {
        let across = dice.terms(&all, 70, -3, 5);
        let rhs = int(dice.roll(0, 9));
        match dice.roll(0, 4) {
            0 => rows.push(Row::at_most(across, rhs)),
            1 => rows.push(Row::at_least(across, -rhs)),
            2 => universal_rows.push(Row::at_most(across, rhs)),
            3 => rows.push(Row::equal(
                vec![(VarId::new(0), int(1)), (VarId::new(pairs), int(-1))],
                int(0),
            )),
            _ => {}
        }
    }
    let sense = if dice.roll(0, 1) == 0 {
        Sense::Minimize
    } else {
        Sense::Maximize
    };
    let (low, high) = match (is_wild, sense) {
        (true, _) => (-5, 9),
        (false, Sense::Minimize) => (1, 9),
        (false, Sense::Maximize) => (-9, -1),
    };
    let objective = Objective {
        name: None,
        sense,
        terms: {
            let mut terms = dice.terms(if is_wild { &all } else { &theirs }, 90, low, high);
            let (low, high) = if sense == Sense::Minimize {
                (0, 3)
            } else {
                (-3, 0)
            };
            terms.extend(dice.terms(&late, 30, low, high));
            terms
        },
        constant: int(dice.roll(-3, 3)) / int(2),
    };
    let data = ProgramData {
        variables,
        rows,
        universal_rows,
        objective: Some(objective),
    };
    Program::new(data).expect("a program")
}

/// A round with a table of all sums.
fn table(cells: usize, work: u64) -> Round {
    Round {
        cells,
        work,
        states: 0,
    }
}

/// A round with prices.
fn prices(cells: usize) -> Round {
    Round {
        states: u64::MAX,
        ..table(cells, u64::MAX)
    }
}

/// What came out, for comparison.
fn seen(outcome: &Outcome) -> (Status, Option<Rational>) {
    (outcome.status, outcome.objective.clone())
}

#[test]
fn values_are_those_of_the_reference_with_any_table() {
    let mut counts = [0; 3];
    for seed in 0..4000 {
        let program = random(seed);
        let truth = reference::solve(&program, &mut Budget::unlimited()).expect("a value");
        for round in [
            table(1, u64::MAX),
            table(40, u64::MAX),
            table(1 << 16, u64::MAX),
            prices(1),
            prices(1 << 16),
        ] {
            let settings = Settings {
                rounds: vec![round.clone(), table(1 << 16, u64::MAX)],
            };
            let outcome = attempt(&program, &settings, &mut Budget::unlimited());
            let Some(outcome) = outcome else {
                counts[0] += 1;
                continue;
            };
            counts[1 + usize::from(truth.status == Status::Optimal)] += 1;
            assert_eq!(seen(&outcome), seen(&truth), "seed {seed}, {round:?}");
        }
    }
    // Refused, lost, with a value.
    assert!(
        counts[0] < 4000 && counts[1] > 100 && counts[2] > 5000,
        "{counts:?}"
    );
}

#[test]
fn the_first_bound_is_never_beyond_the_value() {
    let mut tight = [0; 2];
    for seed in 0..4000 {
        let program = random(seed);
        let truth = reference::solve(&program, &mut Budget::unlimited()).expect("a value");
        let cells = [1, 10, 100, 1 << 16][seed as usize % 4];
        let settings = Settings {
            rounds: vec![table(cells, 0)],
        };
        let outcome = attempt(&program, &settings, &mut Budget::unlimited());
        let bound = outcome.and_then(|outcome| outcome.bound);
        let cost = |value: Rational| cost_of_objective(&program, value);
        if let (Some(bound), Some(value)) = (bound, truth.objective) {
            tight[usize::from(bound == value)] += 1;
            assert!(cost(bound) <= cost(value), "seed {seed}");
        }
    }
    assert!(tight[0] > 5 && tight[1] > 500, "{tight:?}");
}

/// The value of the interleaved game after these replies, by trying everything; states are told on the way.
fn slow(
    board: &Board,
    level: usize,
    member: Member,
    states: &mut Vec<(usize, Member, i64)>,
) -> i64 {
    let Some(group) = board.groups.get(level) else {
        return if member.breaks {
            LOST.into()
        } else {
            member.cost
        };
    };
    let mut least = i64::from(LOST);
    for made in &group.moves {
        let mut most = i64::from(WON);
        for reply in &made.replies {
            if let Some(next) = member.replied(board, reply, level + 1) {
                most = most.max(slow(board, level + 1, next, states));
            }
        }
        least = least.min(most);
    }
    if !member.breaks {
        let is_cost = least.abs() < i64::from(LOST);
        let rest = if is_cost { least - member.cost } else { least };
        states.push((level, member, rest));
    }
    least
}

#[test]
fn tables_and_prices_bound_every_state_and_what_a_state_is_found_to_reach_it_reaches() {
    let mut counts = [0; 5];
    for seed in 0..400 {
        let board = Board::of(&random(seed)).filter(|board| !board.is_dead());
        let Some(board) = board.filter(|board| board.groups.len() <= 4) else {
            continue;
        };
        let mut states = Vec::new();
        slow(&board, 0, Member::root(&board), &mut states);
        states.reverse();
        states.truncate(100);
        for cells in [4, 1 << 16] {
            let mut budget = Budget::unlimited();
            let table = |owner| Table::new(&board, owner, cells, &mut Budget::unlimited());
            let [low, high] = [Quantifier::Exists, Quantifier::Forall].map(|it| {
                let table = table(it).expect("no limit");
                let several = Priced::several(&board, it, cells, &mut Budget::unlimited());
                (table, several.expect("no limit"))
            });
            let sparse = Sparse::new(&board, cells, u64::MAX, &mut budget).ok();
            let mut sparse = sparse.expect("no limit");
            for &(level, member, value) in &states {
                let left = &member.left;
                let table = i64::from(low.0.bound(&board, level, left));
                assert!(table <= value, "seed {seed}");
                assert!(
                    i64::from(high.0.bound(&board, level, left)) >= value,
                    "seed {seed}"
                );
                for bound in low.1.iter().map(|priced| priced.bound(level, left)) {
                    assert!(bound <= value, "seed {seed}");
                    counts[usize::from(bound == value)] += 1;
                }
                for bound in high.1.iter().map(|priced| priced.bound(level, left)) {
                    assert!(bound >= value, "seed {seed}");
                    counts[2 + usize::from(bound == value)] += 1;
                }
                if sparse.has_prices() && value.abs() < i64::from(LOST) {
                    let mut reaches = |target| {
                        let reached = sparse.reaches(level, left, target, &mut budget);
                        reached.unwrap_or_else(|_| panic!("no limit"))
                    };
                    assert!(!reaches(value + 1), "seed {seed}");
                    let is_known = table == value;
                    assert!(reaches(value) || !is_known, "seed {seed}");
                    assert!(reaches(value - 1) || !is_known, "seed {seed}");
                    counts[4] += usize::from(is_known);
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn replies_that_are_never_needed_are_not_listed() {
    let program = parse_qip(
        "minimize y1 + y2 - y3
         subject to late: x1 + x2 + r <= 2
         both: x1 + y1 - r <= 1
         uncertainty 2 y1 + 2 y2 + 3 y3 + y4 + y5 <= 4
         prefix exists binary x1 x2  forall binary y1 y2 y3 y4 y5  exists binary r
         end",
    );
    let board = Board::of(&program.expect("a program")).expect("a board");
    let mut replies: Vec<usize> = Vec::new();
    for group in &board.groups {
        replies.extend(group.moves.iter().map(|made| made.replies.len()));
    }
    replies.sort_unstable();
    // Four moves of x1 and x2 with y1 and r; y2; y3, y4 and y5 bring nothing.
    assert_eq!(replies, [1, 1, 1, 2, 2, 2, 2, 2]);
}

#[test]
fn the_reply_that_is_told_is_legal_and_makes_the_cost() {
    let mut told = 0;
    for seed in 0..1000 {
        let program = random(seed);
        let outcome = attempt(&program, &Settings::default(), &mut Budget::unlimited());
        let Some(outcome) = outcome.filter(|it| it.status == Status::Optimal) else {
            continue;
        };
        let play = outcome
            .principal_variation
            .iter()
            .map(|(_, value)| value.clone());
        let play: crate::program::IdVec<VarId, Rational> = play.collect();
        assert_eq!(play.len(), program.variables().len());
        assert_eq!(Some(program.objective_value(&play)), outcome.objective);
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            let mut rows = program.system(owner).iter();
            assert!(rows.all(|row| row.admits(&row.activity(|var| &play[var]))));
        }
        told += 1;
    }
    assert!(told > 500, "{told}");
}

#[test]
fn other_programs_are_left_to_others() {
    for text in [
        "minimize x prefix forall binary y exists binary x end",
        "subject to x = 1 prefix exists binary x forall binary y end",
        "minimize x + y prefix exists real x in [0, 1] forall binary y end",
        // The existential player kills the universal system.
        "minimize y uncertainty x + y >= 1\n y <= 0\n prefix exists binary x forall binary y end",
    ] {
        let program = parse_qip(text).expect("a program");
        let outcome = attempt(&program, &Settings::default(), &mut Budget::unlimited());
        assert!(outcome.is_none(), "{text}");
    }
}
