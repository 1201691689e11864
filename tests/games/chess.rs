//! Chess in K steps.

use std::collections::BTreeSet;

use quip::format::read_bytes;
use quip::games::chess::referee::{self, Move};
use quip::games::chess::{Chess, Colour, Guard, Kind, Position};
use quip::outcome::Status;
use quip::program::Program;
use quip::solver::Options;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::perft;
use crate::solve::{large, report, wins};
use crate::support::certified::{answered, answered_soon};

fn families(program: &Program, prefix: &str) -> usize {
    let named = |row: &&quip::program::Row| {
        row.name
            .as_ref()
            .is_some_and(|name| name.starts_with(&format!("{prefix}[")))
    };
    program.rows().iter().filter(named).count()
}

#[test]
fn the_full_board_has_as_many_variables_as_the_document_counts() {
    for steps in [1, 3] {
        let program = Chess::new(Position::initial(), steps)
            .unwrap()
            .program()
            .unwrap();
        let names = program.variables().iter().map(|variable| &variable.name);
        assert_eq!(
            names.filter(|name| name.starts_with("x[")).count(),
            32 * 65 * (steps + 1)
        );
        // φ for each piece and ψ for each square of each later state; I₀ fixes everything.
        assert_eq!(families(&program, "initial"), 32 * 65);
        assert_eq!(families(&program, "place"), 32 * steps);
        assert_eq!(families(&program, "apart"), 64 * steps);
        assert_eq!(families(&program, "goal"), 2);
    }
}

#[test]
fn kings_and_pieces_have_the_numbers_of_the_document() {
    let position = Position::initial();
    let at = |number: usize| position.pieces()[number - 1];
    assert_eq!((at(5).kind, at(5).place), (Kind::King, 5));
    assert_eq!((at(29).kind, at(29).place), (Kind::King, 61));
    assert_eq!(
        (at(1).kind, at(2).kind, at(3).kind),
        (Kind::Rook, Kind::Knight, Kind::Bishop)
    );
    assert_eq!(
        (at(32).kind, at(32).colour, at(32).place),
        (Kind::Rook, Colour::Black, 64)
    );
}

/// The program with the rows of some families only.
fn only(program: Program, families: &[&str]) -> Program {
    let mut data = program.into_data();
    data.rows.retain(|row| {
        let name = row.name.as_deref().unwrap_or_default();
        families
            .iter()
            .any(|family| name.starts_with(&format!("{family}[")))
    });
    Program::new(data).unwrap()
}

#[test]
fn the_initial_state_has_exactly_one_model() {
    let program = Chess::new(Position::initial(), 1)
        .unwrap()
        .program()
        .unwrap();
    let state_0 = |name: &str| name.starts_with("x[") && name.ends_with(",0]");
    assert_eq!(perft::plays(&only(program, &["initial"]), state_0), 1);
}

/// Exercises 1 and 2: each piece has one place, squares are not shared, the outside is.
#[test]
fn pieces_have_one_place_each_and_share_only_the_outside() {
    for (board, squares, pieces) in [("k.\n.K\n", 4, 2), ("kQ\n.K\n", 4, 3)] {
        let position = Position::parse(board).unwrap();
        let program = Chess::new(position, 1).unwrap().program().unwrap();
        let state_1 = |name: &str| name.starts_with("x[") && name.ends_with(",1]");
        let alone = perft::plays(&only(program.clone(), &["place"]), state_1);
        assert_eq!(alone, (squares + 1_u64).pow(pieces), "\n{board}");
        // So many pieces stand on different squares, in order; the others are outside.
        let choose = |n: u64, k: u64| (0..k).fold(1, |total, i| total * (n - i) / (i + 1));
        let arranged = |k: u64| {
            (0..k).fold(choose(u64::from(pieces), k), |total, i| {
                total * (squares - i)
            })
        };
        let wanted: u64 = (0..=u64::from(pieces)).map(arranged).sum();
        let apart = perft::plays(&only(program, &["place", "apart"]), state_1);
        assert_eq!(apart, wanted, "\n{board}");
    }
}

/// A random position with both kings and some of the other pieces.
fn random_position(files: usize, ranks: usize, others: &str, random: &mut ChaCha8Rng) -> Position {
    let mut squares = vec!['.'; files * ranks];
    for piece in "Kk".chars().chain(others.chars()) {
        let free: Vec<usize> = (0..squares.len())
            .filter(|&square| squares[square] == '.')
            .collect();
        squares[*free.choose(random).unwrap()] = piece;
    }
    let ranks = squares
        .chunks(files)
        .map(|rank| rank.iter().collect::<String>());
    Position::parse(&ranks.collect::<Vec<_>>().join("\n")).unwrap()
}

#[test]
fn random_positions_of_small_armies_have_the_value_of_the_direct_game() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut won = 0;
    for round in 0..40 {
        let others = ["R", "Q", "RR", "Pp", "Np", "B"][round % 6];
        let position = random_position(3, 3, others, &mut random);
        for steps in [1, 3] {
            let wanted = referee::takes_king(&position, steps, &[]);
            won += usize::from(wanted);
            let game = Chess::new(position.clone(), steps).unwrap();
            assert_eq!(
                wins(&game.program().unwrap()),
                wanted,
                "{steps}\n{position}"
            );
            if steps == 1 {
                let game = game.guarded_by(Guard::Rows);
                assert_eq!(
                    wins(&game.program().unwrap()),
                    wanted,
                    "{steps}, rows\n{position}"
                );
            }
        }
    }
    assert!((10..70).contains(&won), "{won} of 80 are won");
}

/// Φ_K as a formula, on the document's variables.
#[test]
fn formulas_have_the_answers_of_the_direct_game() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let mut won = 0;
    for round in 0..24 {
        let others = ["R", "Q", "Pp", "Np", "B", ""][round % 6];
        let position = random_position(3, 3, others, &mut random);
        let game = Chess::new(position.clone(), 1).unwrap();
        let text = game.formula();
        let pieces = position.pieces().len();
        let prefix = text.lines().filter(|line| line.starts_with("exists("));
        let variables: usize = prefix.map(|line| line.matches("x_").count()).sum();
        assert_eq!(variables, pieces * 10 * 2);
        let program = read_bytes("chess.qcir", text.as_bytes()).unwrap().program;
        let outcome = answered(&program, Options::default());
        let wanted = referee::takes_king(&position, 1, &[]);
        won += usize::from(wanted);
        assert_eq!(outcome.status == Status::Feasible, wanted, "\n{position}");
    }
    assert!((3..21).contains(&won), "{won} of 24 are won");
}

/// In three steps Black has a say: he is mated, or he escapes, or has only pawns to move.
#[test]
fn formulas_of_three_steps_have_the_answers_of_the_direct_game() {
    let mut proved = 0;
    for (board, black, wanted) in [
        ("k.\n.R\n.K\n", &[][..], true),
        ("k..\n...\nK..\n", &[], false),
        ("k.\np.\nPK\n", &[Kind::Pawn], true),
    ] {
        let position = Position::parse(board).unwrap();
        assert_eq!(
            referee::takes_king(&position, 3, black),
            wanted,
            "\n{board}"
        );
        let game = Chess::new(position, 3).unwrap();
        let game = game.black_moves(black);
        let program = read_bytes("chess.qcir", game.formula().as_bytes());
        let (outcome, is_proved) = answered_soon(&program.unwrap().program);
        assert_eq!(outcome.status == Status::Feasible, wanted, "\n{board}");
        proved += usize::from(is_proved);
    }
    assert!(proved >= 1, "none was proved within a second");
}

#[test]
fn mates_in_one_two_and_three_are_found_on_a_small_board() {
    let mut random = ChaCha8Rng::seed_from_u64(10);
    // A mate in n takes the king in 2 n + 1 steps.
    for steps in [3, 5, 7] {
        let position = loop {
            let position = random_position(4, 3, "R", &mut random);
            let takes = |steps| referee::takes_king(&position, steps, &[]);
            if takes(steps) && !takes(steps - 2) {
                break position;
            }
        };
        let game = |steps| {
            Chess::new(position.clone(), steps)
                .unwrap()
                .program()
                .unwrap()
        };
        let outcome = report(&format!("chess 4x3, {steps} steps"), &game(steps));
        assert_eq!(outcome.status, Status::Feasible, "{steps}\n{position}");
        assert!(!wins(&game(steps - 2)), "{steps}\n{position}");
    }
}

#[test]
fn a_black_side_that_moves_only_pawns_gets_stuck() {
    let position = Position::parse("k..\np..\nP.K\n").unwrap();
    let game = Chess::new(position.clone(), 3).unwrap();
    assert_eq!(
        wins(&game.program().unwrap()),
        referee::takes_king(&position, 3, &[])
    );
    assert!(referee::takes_king(&position, 3, &[Kind::Pawn]));
    assert!(wins(&game.black_moves(&[Kind::Pawn]).program().unwrap()));
}

#[test]
fn black_moves_what_is_named() {
    let mut answers = Vec::new();
    for text in ["k.r\np..\nP.K\n", "kr.\np..\n..R\nK..\n"] {
        let position = Position::parse(text).unwrap();
        for words in ["all", "king", "pawns", "rook", "king,pawns", "pawns,rook"] {
            let kinds = Kind::named(words);
            let wanted = referee::takes_king(&position, 3, &kinds);
            for guard in [Guard::Index, Guard::Rows] {
                let game = Chess::new(position.clone(), 3).unwrap();
                let program = game.black_moves(&kinds).guarded_by(guard).program();
                assert_eq!(
                    wins(&program.unwrap()),
                    wanted,
                    "{words}, {guard:?}\n{text}"
                );
            }
            answers.push(wanted);
        }
    }
    assert!(
        answers.contains(&true) && answers.contains(&false),
        "{answers:?}"
    );
}

/// Positions of random play from the initial one, in which nobody leaves his king in check.
fn played(random: &mut ChaCha8Rng) -> (Position, Colour) {
    let mut position = Position::initial();
    let mut mover = Colour::White;
    for _ in 0..random.random_range(0..60) {
        let moves = safe_moves(&position, mover);
        let Some(&choice) = moves.choose(random) else {
            break;
        };
        position = referee::after(&position, choice);
        mover = if mover == Colour::White {
            Colour::Black
        } else {
            Colour::White
        };
    }
    (position, mover)
}

fn safe_moves(position: &Position, mover: Colour) -> Vec<Move> {
    let mut moves = referee::moves(position, mover);
    moves.retain(|&step| !referee::in_check(&referee::after(position, step), mover));
    moves
}

/// The position for the other program; none if a pawn stands where pawns cannot.
fn fen(position: &Position, mover: Colour) -> Option<String> {
    let text = position.to_string();
    let ranks: Vec<&str> = text.lines().collect();
    if [ranks[0], ranks[7]]
        .iter()
        .any(|rank| rank.contains(['p', 'P']))
    {
        return None;
    }
    let ranks: Vec<String> = ranks.iter().map(|rank| rank.replace('.', "1")).collect();
    let side = if mover == Colour::White { 'w' } else { 'b' };
    Some(format!("{} {side} - - 0 1", ranks.join("/")))
}

#[test]
fn the_referee_agrees_with_a_chess_program_on_thousands_of_positions() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let mut compared = 0;
    for _ in 0..2500 {
        let (position, mover) = played(&mut random);
        let Some(fen) = fen(&position, mover) else {
            continue;
        };
        let board = cozy_chess::Board::from_fen(&fen, false)
            .unwrap_or_else(|error| panic!("{error}: {fen}"));
        let mut theirs = BTreeSet::new();
        board.generate_moves(|group| {
            theirs.extend(
                group
                    .into_iter()
                    .map(|step| (step.from as usize + 1, step.to as usize + 1)),
            );
            false
        });
        let ours: BTreeSet<Move> = safe_moves(&position, mover).into_iter().collect();
        assert_eq!(ours, theirs, "{fen}");
        compared += 1;
    }
    assert!(compared > 1500, "{compared} positions");
}

/// The moves of White that the program allows at its first step.
fn moves_of_program(position: &Position) -> BTreeSet<Move> {
    let program = Chess::new(position.clone(), 1).unwrap().program().unwrap();
    // The goal is not a rule of movement.
    let mut data = program.into_data();
    let is_goal = |name: &String| name.starts_with("goal");
    data.rows
        .retain(|row| !row.name.as_ref().is_some_and(is_goal));
    let program = Program::new(data).unwrap();
    let moves = perft::single_choices(&program, |name| name.starts_with("go["));
    let ends = moves.iter().map(|name| {
        let numbers = name[3..name.len() - 1].split(',');
        let numbers: Vec<usize> = numbers.map(|number| number.parse().unwrap()).collect();
        (numbers[2], numbers[3])
    });
    ends.collect()
}

#[test]
fn the_program_has_the_moves_of_the_referee() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut positions = vec![Position::initial()];
    // Only what stands on the board is written into the text and read again.
    let middle_game = played(&mut random).0.to_string();
    positions.push(Position::parse(&middle_game).unwrap());
    for _ in 0..12 {
        positions.push(random_position(5, 4, "QRBNPPqrbnpp", &mut random));
    }
    for position in positions {
        let wanted: BTreeSet<Move> = referee::moves(&position, Colour::White)
            .into_iter()
            .collect();
        assert_eq!(moves_of_program(&position), wanted, "\n{position}");
    }
}

#[test]
fn from_the_initial_position_the_king_is_not_taken_in_one_step() {
    let program = Chess::new(Position::initial(), 1)
        .unwrap()
        .program()
        .unwrap();
    assert!(!wins(&program));
}

#[test]
fn from_the_initial_position_the_king_is_not_taken_in_three_steps() {
    assert!(!referee::takes_king(&Position::initial(), 3, &[]));
    if large() {
        let program = Chess::new(Position::initial(), 3)
            .unwrap()
            .program()
            .unwrap();
        let outcome = report("chess, full board, 3 steps", &program);
        assert_eq!(outcome.status, Status::Infeasible);
    }
}

#[test]
fn boards_without_two_kings_are_refused() {
    let alone = Position::parse("K..\n...\n...\n").unwrap();
    let error = Chess::new(alone, 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "board: there must be exactly one black king"
    );
    let wrong = Position::parse("K.\n.x\n").unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "line 2, column 2: `x` is none of . K Q R B N P k q r b n p"
    );
}
