//! Tic-tac-toe by quantifiers, and the one-move win.

use itertools::Itertools as _;
use quip::format::read_bytes;
use quip::games::board::{Board, Stone};
use quip::games::tictactoe::{
    Guard, Player, Reading, TicTacToe, one_move_formula, one_move_win, referee,
};
use quip::model::{Literal, Model, Var, at_least_one, exactly_one};
use quip::outcome::Status;
use quip::program::Program;
use quip::solver::Options;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::HashSet;

use crate::perft;
use crate::solve::{fixed, hours, large, report, wins};
use crate::support::certified::answered;

const PLAYERS: [Player; 2] = [Player::X, Player::O];
const READINGS: [Reading; 2] = [Reading::FirstLine, Reading::FinalBoard];

fn game(size: usize, player: Player, reading: Reading, guard: Guard) -> Program {
    let game = TicTacToe {
        size,
        player,
        reading,
        guard,
    };
    game.program().unwrap()
}

#[test]
fn the_states_are_as_many_variables_as_the_document_counts() {
    for (size, wanted) in [(3, 180), (4, 544)] {
        for player in PLAYERS {
            let program = game(size, player, Reading::FirstLine, Guard::Rows);
            let names = program.variables().iter().map(|variable| &variable.name);
            let states = names.filter(|name| name.starts_with("x[") || name.starts_with("y["));
            assert_eq!(states.count(), wanted);
        }
    }
}

#[test]
fn strategies_on_two_by_two_and_three_by_three_exist_as_the_direct_game_says() {
    for size in [1, 2, 3] {
        for reading in READINGS {
            let x_wins = referee::x_wins(size, reading);
            for (player, wanted) in [(Player::X, x_wins), (Player::O, !x_wins)] {
                let program = game(size, player, reading, Guard::Index);
                assert_eq!(wins(&program), wanted, "{size} {player:?} {reading:?}");
                if size < 3 {
                    let program = game(size, player, reading, Guard::Rows);
                    assert_eq!(
                        wins(&program),
                        wanted,
                        "{size} {player:?} {reading:?}, rows"
                    );
                }
            }
        }
    }
}

/// As the document has it: a quantified Boolean formula.
#[test]
fn formulas_have_the_answers_of_the_direct_game() {
    for size in [1, 2] {
        for (reading, player) in READINGS.into_iter().cartesian_product(PLAYERS) {
            let game = TicTacToe {
                size,
                player,
                reading,
                guard: Guard::Rows,
            };
            let text = game.formula().unwrap();
            let states = text
                .lines()
                .filter(|line| line.contains("s(") || line.starts_with("forall("));
            let states: usize = states.map(|line| line.matches("x_").count() * 2).sum();
            assert_eq!(states, 2 * size.pow(2) + 2 * size.pow(4));
            let program = read_bytes("game.qcir", text.as_bytes()).unwrap().program;
            let outcome = answered(&program, Options::default());
            let wanted = referee::x_wins(size, reading) == (player == Player::X);
            assert_eq!(
                outcome.status == Status::Feasible,
                wanted,
                "{size} {player:?} {reading:?}"
            );
        }
    }
}

#[test]
fn the_two_readings_differ_on_three_by_three_alone() {
    assert!(!referee::x_wins(3, Reading::FirstLine));
    assert!(referee::x_wins(3, Reading::FinalBoard));
    for reading in READINGS {
        assert!(referee::x_wins(2, reading));
    }
}

#[test]
fn large_programs_have_the_answers_of_the_direct_game() {
    for reading in READINGS {
        for player in PLAYERS {
            let wanted = referee::x_wins(3, reading) == (player == Player::X);
            if large() {
                let program = game(3, player, reading, Guard::Rows);
                let name = format!("tictactoe 3 {player:?} {reading:?} rows");
                let outcome = report(&name, &program);
                assert_eq!(outcome.status == Status::Feasible, wanted, "{name}");
            }
        }
    }
    if hours() {
        check_four(Player::X, Reading::FirstLine);
    }
}

fn check_four(player: Player, reading: Reading) {
    let program = game(4, player, reading, Guard::Index);
    let name = format!("tictactoe 4 {player:?} {reading:?} index");
    let outcome = report(&name, &program);
    let wanted = match player {
        Player::X => Status::Infeasible,
        Player::O => Status::Feasible,
    };
    assert_eq!(outcome.status, wanted, "{name}");
    assert!(!referee::x_wins(4, reading));
}

/// Seed 000: on four by four X has no strategy, in either reading.
#[test]
fn on_four_by_four_o_can_hold() {
    check_four(Player::X, Reading::FinalBoard);
    check_four(Player::O, Reading::FinalBoard);
    check_four(Player::O, Reading::FirstLine);
}

#[test]
fn theta_accepts_exactly_the_legal_steps() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let program = game(3, Player::X, Reading::FinalBoard, Guard::Rows);
    let mut boards: HashSet<(u64, u64)> = HashSet::from([(0, 0)]);
    for step in 0..9 {
        let x_moves = step % 2 == 0;
        let next: HashSet<(u64, u64)> = boards
            .iter()
            .flat_map(|&(x, o)| {
                let free = (0..9)
                    .map(|cell| 1 << cell)
                    .filter(move |cell| (x | o) & cell == 0);
                free.map(move |cell| {
                    if x_moves {
                        (x | cell, o)
                    } else {
                        (x, o | cell)
                    }
                })
            })
            .collect();
        let theta = Theta::new(&program, step);
        for &before in &boards {
            let free = (0..9)
                .map(|cell| 1 << cell)
                .filter(|cell| (before.0 | before.1) & cell == 0);
            for cell in free {
                let after = if x_moves {
                    (before.0 | cell, before.1)
                } else {
                    (before.0, before.1 | cell)
                };
                assert!(theta.accepts(before, after));
                let flip = 1 << random.random_range(0..9);
                for strange in [
                    (after.0 ^ flip, after.1),
                    (after.0, after.1 ^ flip),
                    (after.1, after.0),
                ] {
                    let legal = referee::is_step(before, strange, x_moves);
                    assert_eq!(theta.accepts(before, strange), legal);
                }
            }
            assert!(!theta.accepts(before, before));
        }
        boards = next;
    }
}

/// The rows of one step.
struct Theta {
    /// Terms, lower and upper side.
    rows: Vec<(Terms, i64, i64)>,
}

type Terms = Vec<(usize, i64)>;

impl Theta {
    fn new(program: &Program, step: usize) -> Self {
        let wanted = format!("theta{step}[");
        let rows = program.rows().iter().chain(program.universal_rows());
        let rows = rows.filter(|row| {
            row.name
                .as_ref()
                .is_some_and(|name| name.starts_with(&wanted))
        });
        let whole = |number: &quip::num::Rational| i64::try_from(number.to_integer()).unwrap();
        let rows: Vec<_> = rows
            .map(|row| {
                let terms = row.terms.iter().map(|(var, coefficient)| {
                    (
                        Self::place(&program.variables()[*var].name, step),
                        whole(coefficient),
                    )
                });
                let lower = row.lower.as_ref().map_or(-100, whole);
                let upper = row.upper.as_ref().map_or(100, whole);
                (terms.collect(), lower, upper)
            })
            .collect();
        assert!(!rows.is_empty());
        Self { rows }
    }

    /// x before, y before, x after, y after: nine places each.
    fn place(name: &str, step: usize) -> usize {
        let numbers: Vec<usize> = name[2..name.len() - 1]
            .split(',')
            .map(|n| n.parse().unwrap())
            .collect();
        let cell = (numbers[0] - 1) * 3 + numbers[1] - 1;
        let letter = usize::from(name.starts_with('y'));
        (numbers[2] - step) * 18 + letter * 9 + cell
    }

    fn accepts(&self, before: (u64, u64), after: (u64, u64)) -> bool {
        let bits = before.0 | before.1 << 9 | after.0 << 18 | after.1 << 27;
        self.rows.iter().all(|(terms, lower, upper)| {
            let sum: i64 = terms
                .iter()
                .map(|(place, c)| c * (bits >> place & 1) as i64)
                .sum();
            (lower..=upper).contains(&&sum)
        })
    }
}

#[test]
fn the_program_has_as_many_plays_as_the_game() {
    for player in PLAYERS {
        let program = game(3, player, Reading::FinalBoard, Guard::Rows);
        let early = |name: &str| {
            let is_state = name.starts_with("x[") || name.starts_with("y[");
            is_state
                && ["0]", "1]", "2]"]
                    .iter()
                    .any(|step| name.ends_with(&format!(",{step}")))
        };
        assert_eq!(perft::plays(&program, early), 72, "{player:?}");
    }
}

fn boards_with_x_to_move() -> Vec<Board> {
    let mut boards = Vec::new();
    for code in 0..3_usize.pow(9) {
        let mut board = Board::empty(3).unwrap();
        let mut rest = code;
        for cell in 0..9 {
            board.set(
                cell,
                [None, Some(Stone::Black), Some(Stone::White)][rest % 3],
            );
            rest /= 3;
        }
        let mask = |stone: Stone| {
            (0..9)
                .filter(|&c| board.at(c) == Some(stone))
                .map(|c| 1 << c)
                .sum()
        };
        let finished = [Stone::Black, Stone::White]
            .iter()
            .any(|&s| referee::has_line(3, mask(s)));
        if board.to_move() == Some(Stone::Black) && !finished {
            boards.push(board);
        }
    }
    boards
}

#[test]
fn of_2423_boards_1498_have_a_winning_move() {
    let boards = boards_with_x_to_move();
    assert_eq!(boards.len(), 2423);
    let winning = boards.iter().filter(|board| {
        let mask: u64 = (0..9)
            .filter(|&c| board.at(c) == Some(Stone::Black))
            .map(|c| 1 << c)
            .sum();
        let mut free = (0..9).filter(|&c| board.at(c).is_none());
        let direct = free.any(|cell| referee::has_line(3, mask | 1 << cell));
        assert_eq!(wins(&one_move_win(board).unwrap()), direct, "\n{board}");
        direct
    });
    assert_eq!(winning.count(), 1498);
}

#[test]
fn the_formula_of_the_one_move_win_is_true_for_the_same_boards() {
    for board in boards_with_x_to_move().iter().step_by(7) {
        let text = one_move_formula(board).unwrap();
        let program = read_bytes("board.qcir", text.as_bytes()).unwrap().program;
        let outcome = answered(&program, Options::default());
        let wanted = wins(&one_move_win(board).unwrap());
        assert_eq!(outcome.status == Status::Feasible, wanted, "\n{board}");
    }
}

#[test]
fn both_boards_of_the_document_are_won_by_i() {
    for text in ["oox\noox\nxx.", "xox\noxo\no.."] {
        let program = one_move_win(&Board::parse(text).unwrap()).unwrap();
        assert!(wins(&fixed(&program, &[("i", 1)])));
        assert!(!wins(&fixed(&program, &[("i", 0)])));
    }
}

#[test]
fn formula_1_has_four_models_and_formula_2_has_none() {
    // (A ∨ ¬B)(C)(C ∨ D ∨ E)(B ∨ ¬C) and (A ∨ ¬B)(B ∨ ¬C)(C)(¬A ∨ ¬B ∨ ¬C), by counting rows.
    let clause = |positive: &[Var], negative: &[Var]| {
        let literals = positive.iter().map(|&v| Literal::from(v));
        at_least_one(
            literals
                .chain(negative.iter().map(|&v| !v))
                .collect::<Vec<_>>(),
        )
    };
    let mut model = Model::new();
    let v: Vec<Var> = model.exists().binaries("v", 0..5).iter().collect();
    let [a, b, c, d, e] = v[..] else {
        unreachable!()
    };
    model.subject_to_all([
        clause(&[a], &[b]),
        clause(&[c], &[]),
        clause(&[c, d, e], &[]),
        clause(&[b], &[c]),
    ]);
    assert_eq!(perft::plays(&model.build().unwrap(), |_| true), 4);

    let mut model = Model::new();
    let v: Vec<Var> = model.exists().binaries("v", 0..3).iter().collect();
    let [a, b, c] = v[..] else { unreachable!() };
    model.subject_to_all([
        clause(&[a], &[b]),
        clause(&[b], &[c]),
        clause(&[c], &[]),
        clause(&[], &[a, b, c]),
    ]);
    assert!(!wins(&model.build().unwrap()));
}

#[test]
fn a_chain_of_exclusive_ors_is_parity_and_one_move_is_a_sum() {
    let assignments = 0_u32..16;
    assert_eq!(
        assignments
            .clone()
            .filter(|bits| bits.count_ones() % 2 == 1)
            .count(),
        8
    );
    let mut model = Model::new();
    let squares = model.exists().binaries("v", 0..4);
    model.subject_to(exactly_one(&squares));
    assert_eq!(perft::plays(&model.build().unwrap(), |_| true), 4);
    // The misprint c ∧ e ∧ f for c ∧ e ∧ g changes 17 of 512 boards.
    let lines = [
        0b111,
        0b111_000,
        0b111_000_000,
        0b1_001_001,
        0b10_010_010,
        0b100_100_100,
        0b100_010_001,
    ];
    let full = |board: u32, last: u32| {
        lines
            .iter()
            .chain([&last])
            .any(|line| board & line == *line)
    };
    let differ = (0_u32..512).filter(|&board| full(board, 0b1_010_100) != full(board, 0b110_100));
    assert_eq!(differ.count(), 17);
}

#[test]
fn boards_without_a_move_are_refused() {
    let full = Board::parse("xox\noxo\noxo").unwrap();
    assert_eq!(
        one_move_win(&full).unwrap_err().to_string(),
        "board: the board is full"
    );
    let large = Board::empty(4).unwrap();
    assert_eq!(
        one_move_win(&large).unwrap_err().to_string(),
        "board: the board must be 3 × 3"
    );
    let none = TicTacToe {
        size: 0,
        player: Player::X,
        reading: Reading::FirstLine,
        guard: Guard::Rows,
    };
    assert!(none.program().is_err());
}
