//! Gomoku on small boards.

use quip::format::{QipParts, write_qip};
use quip::games::Part;
use quip::games::board::{Board, Stone};
use quip::games::gomoku::referee::Referee;
use quip::games::gomoku::{AfterWin, Gomoku, Guard, Verdict, decode, value};
use quip::num::int;
use quip::program::{Id, IdVec, Program, VarId};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::perft;
use crate::solve::{chosen, large, report, solved};

const GUARDS: [Guard; 3] = [Guard::Rows, Guard::Indicator, Guard::Index];

fn program_value(game: &Gomoku) -> i64 {
    let outcome = solved(&game.program().unwrap());
    let value = outcome.objective.unwrap();
    i64::try_from(value.to_integer()).unwrap()
}

#[test]
fn boards_of_one_and_two_have_the_values_of_the_table_under_every_guard() {
    for (size, row, wanted) in [(1, 1, 0), (2, 1, -3), (2, 2, -1)] {
        for guard in GUARDS {
            let game = Gomoku::new(size, row).unwrap().guarded_by(guard);
            assert_eq!(program_value(&game), wanted, "{size} {row} {guard:?}");
        }
        let verdict = Referee::new(size, row, size * size).verdict(&Board::empty(size).unwrap());
        assert_eq!(value(size, verdict), wanted);
    }
}

#[test]
fn three_by_three_has_the_values_of_the_table() {
    for (row, wanted) in [(2, -6), (3, 10)] {
        let game = Gomoku::new(3, row).unwrap().guarded_by(Guard::Index);
        assert_eq!(program_value(&game), wanted, "{row}");
        let verdict = Referee::new(3, row, 9).verdict(&Board::empty(3).unwrap());
        assert_eq!(value(3, verdict), wanted);
        assert_eq!(decode(3, &int(wanted)), Some(verdict));
    }
}

#[test]
fn four_by_four_with_rows_of_two_and_three_is_won_within_five_moves() {
    for (row, horizon, wanted) in [(2, 3, -13), (3, 5, -11)] {
        let game = Gomoku::new(4, row).unwrap().guarded_by(Guard::Index);
        let game = game.until(horizon).unwrap();
        assert_eq!(program_value(&game), wanted, "{row}");
    }
}

#[test]
fn four_by_four_with_rows_of_three_is_won_in_the_full_game() {
    let game = Gomoku::new(4, 3).unwrap().guarded_by(Guard::Index);
    let game = game.after_win(AfterWin::Freeze);
    assert_eq!(program_value(&game), -11);
}

#[test]
fn large_boards_have_the_values_of_the_table() {
    let mut boards = Vec::new();
    if large() {
        boards.push((4, 2, 16, -13));
        boards.push((4, 4, 16, 17));
    }
    for (size, row, horizon, wanted) in boards {
        let game = Gomoku::new(size, row).unwrap().guarded_by(Guard::Index);
        let game = game.after_win(AfterWin::Freeze).until(horizon).unwrap();
        let name = format!("gomoku {size} {row} until {horizon}, index, freeze");
        let outcome = report(&name, &game.program().unwrap());
        assert_eq!(outcome.objective, Some(int(wanted)), "{name}");
        let mut referee = Referee::new(size, row, size * size);
        let verdict = referee.verdict(&Board::empty(size).unwrap());
        println!("the referee looked at {} positions", referee.positions());
        assert_eq!(value(size, verdict), wanted);
    }
}

#[test]
fn a_board_that_freezes_after_a_win_has_the_same_value() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for round in 0..20 {
        let row = 2 + round % 2;
        let board = random_position(
            3,
            row,
            if row == 2 { 2 } else { 3 + round % 4 },
            &mut random,
        );
        let wanted = value(3, Referee::new(3, row, 9).verdict(&board));
        let game = Gomoku::from(board.clone(), row)
            .unwrap()
            .guarded_by(Guard::Index);
        let game = game.after_win(AfterWin::Freeze);
        assert_eq!(program_value(&game), wanted, "rows of {row}\n{board}");
    }
}

/// A position in which `stones` were placed in turns and nobody has a row.
fn random_position(size: usize, row: usize, stones: usize, random: &mut ChaCha8Rng) -> Board {
    let referee = Referee::new(size, row, size * size);
    loop {
        let mut board = Board::empty(size).unwrap();
        for placed in 0..stones {
            let free: Vec<usize> = (0..size * size)
                .filter(|&cell| board.at(cell).is_none())
                .collect();
            let stone = if placed % 2 == 0 {
                Stone::Black
            } else {
                Stone::White
            };
            board.set(*free.choose(random).unwrap(), Some(stone));
        }
        if ![Stone::Black, Stone::White]
            .iter()
            .any(|&stone| referee.has_row(&board, stone))
        {
            return board;
        }
    }
}

#[test]
fn random_positions_have_the_value_of_the_direct_game_under_every_guard() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..40 {
        let stones = 4 + round % 5;
        let board = random_position(3, 3, stones, &mut random);
        let last = random.random_range(stones..=9);
        let wanted = value(3, Referee::new(3, 3, last).verdict(&board));
        for guard in GUARDS {
            // The announcements of the indicator guard are 2^9 for each move.
            if guard == Guard::Indicator && stones < 7 {
                continue;
            }
            let game = Gomoku::from(board.clone(), 3).unwrap().until(last).unwrap();
            let value = program_value(&game.guarded_by(guard));
            assert_eq!(value, wanted, "{guard:?} until {last}\n{board}");
        }
    }
}

#[test]
fn random_positions_of_four_by_four_have_the_value_of_the_direct_game() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for round in 0..12 {
        let row = 3 + round % 2;
        let board = random_position(4, row, 9 + round % 4, &mut random);
        let wanted = value(4, Referee::new(4, row, 16).verdict(&board));
        let game = Gomoku::from(board.clone(), row)
            .unwrap()
            .guarded_by(Guard::Index);
        assert_eq!(program_value(&game), wanted, "rows of {row}\n{board}");
    }
}

#[test]
fn the_program_has_as_many_plays_as_the_game() {
    for (size, depth) in [(2, 4), (3, 2)] {
        let board = Board::empty(size).unwrap();
        let wanted = Referee::new(size, 2, size * size).plays(&board, depth);
        for guard in GUARDS {
            let program = Gomoku::new(size, 2)
                .unwrap()
                .guarded_by(guard)
                .program()
                .unwrap();
            let early = |name: &str| {
                let time = name.strip_prefix("xb[").or(name.strip_prefix("xw["));
                let time = time.and_then(|rest| rest.split(',').next()?.parse::<usize>().ok());
                time.is_some_and(|time| time <= depth)
            };
            assert_eq!(perft::plays(&program, early), wanted, "{size} {guard:?}");
        }
    }
}

/// A whole play of random stones as values of all variables, filled in by the definitions of the
/// paper from the board alone.
fn random_play(
    program: &Program,
    size: usize,
    row: usize,
    random: &mut ChaCha8Rng,
) -> IdVec<VarId, quip::num::Rational> {
    let referee = Referee::new(size, row, size * size);
    let mut board = Board::empty(size).unwrap();
    let mut boards = vec![board.clone()];
    for placed in 0..size * size {
        let free: Vec<usize> = (0..size * size)
            .filter(|&cell| board.at(cell).is_none())
            .collect();
        let stone = if placed % 2 == 0 {
            Stone::Black
        } else {
            Stone::White
        };
        board.set(*free.choose(random).unwrap(), Some(stone));
        boards.push(board.clone());
    }
    let had = |stone: Stone, time: usize| referee.has_row(&boards[time], stone);
    let wins = |stone: Stone, time: usize| {
        had(stone, time) && !had(stone, time - 1) && !had(stone.opponent(), time)
    };
    let values = program.variables().iter().map(|variable| {
        let letters: Vec<char> = variable.name.chars().take(2).collect();
        let stone = if letters[1] == 'b' {
            Stone::Black
        } else {
            Stone::White
        };
        let numbers: Vec<usize> = variable
            .name
            .trim_end_matches(']')
            .split(['[', ','])
            .skip(1)
            .map(|number| number.parse().unwrap())
            .collect();
        let at =
            |board: &Board, i: usize, j: usize| board.at((i - 1) * size + j - 1) == Some(stone);
        let truth = match (letters[0], numbers.as_slice()) {
            ('x', &[t, i, j]) => at(&boards[t], i, j),
            ('h', &[t, k, l]) => (0..row).all(|c| at(&boards[t], k, l + c)),
            ('v', &[t, k, l]) => (0..row).all(|c| at(&boards[t], k + c, l)),
            ('d', &[t, k, l]) => (0..row).all(|c| at(&boards[t], k + c, l + c)),
            ('u', &[t, k, l]) => (0..row).all(|c| at(&boards[t], k + c, l + row - 1 - c)),
            ('s', &[t]) => had(stone, t),
            ('p', &[t]) => had(stone, t) && !had(stone, t - 1),
            ('e', &[t]) => wins(stone, t),
            ('r', &[]) => !(1..boards.len()).any(|t| wins(stone, t)),
            other => panic!("what is {other:?}?"),
        };
        int(i64::from(truth))
    });
    IdVec::from_vec(values.collect())
}

#[test]
fn indicators_steps_and_peaks_are_what_the_paper_says_and_nothing_else() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for (size, row) in [(3, 2), (3, 3), (4, 3)] {
        let program = Gomoku::new(size, row).unwrap().program().unwrap();
        let holds = |play: &IdVec<VarId, quip::num::Rational>| {
            program
                .rows()
                .iter()
                .chain(program.universal_rows())
                .all(|row| row.admits(&row.activity(|var| &play[var])))
        };
        for _ in 0..8 {
            let mut play = random_play(&program, size, row, &mut random);
            assert!(holds(&play));
            // Any single derived variable that is turned breaks a row.
            for _ in 0..30 {
                let var = VarId::new(random.random_range(0..program.variables().len()));
                let right = play[var].clone();
                play[var] = int(1) - &right;
                assert!(!holds(&play), "{}", program.variables()[var].name);
                play[var] = right;
            }
        }
    }
}

#[test]
fn from_a_won_position_the_program_wins_by_solving_again_after_each_move() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..5 {
        let mut board = Board::empty(3).unwrap();
        let referee = Referee::new(3, 2, 9);
        let winner = loop {
            let game = Gomoku::from(board.clone(), 2)
                .unwrap()
                .guarded_by(Guard::Index);
            let program = game.program().unwrap();
            let chosen = chosen(&program, &solved(&program));
            let time = board.stones() + 1;
            let cell = (0..9).find(|&cell| {
                let name = format!("xb[{time},{},{}]", cell / 3 + 1, cell % 3 + 1);
                board.at(cell).is_none() && chosen.contains(&name)
            });
            board.set(cell.unwrap(), Some(Stone::Black));
            if referee.has_row(&board, Stone::Black) {
                break Stone::Black;
            }
            let free: Vec<usize> = (0..9).filter(|&cell| board.at(cell).is_none()).collect();
            board.set(*free.choose(&mut random).unwrap(), Some(Stone::White));
            if referee.has_row(&board, Stone::White) {
                break Stone::White;
            }
        };
        assert_eq!(winner, Stone::Black);
        assert_eq!(board.stones(), 3, "the program wins at move 3");
    }
}

/// The text of a program that comes in parts.
fn written_in_parts(game: &Gomoku) -> String {
    let mut parts = QipParts::default();
    let mut text = String::new();
    game.parts(&mut |part| {
        match part {
            Part::Objective(program) => parts.objective(program),
            Part::Rows(program, known) => parts.rows(program, known),
        }
        text += &parts.drain();
        true
    })
    .unwrap();
    text + &parts.finish()
}

#[test]
fn parts_make_the_same_program() {
    let board = Board::parse("b.w\n...\n...").unwrap();
    for game in [
        Gomoku::new(1, 1).unwrap(),
        Gomoku::new(2, 2).unwrap(),
        Gomoku::new(3, 3).unwrap(),
        Gomoku::from(board.clone(), 2).unwrap(),
        Gomoku::from(board, 3).unwrap().until(2).unwrap(),
        Gomoku::new(9, 5).unwrap().until(3).unwrap(),
    ] {
        for guard in [Guard::Rows, Guard::Indicator, Guard::Index] {
            for after in [AfterWin::PlayOn, AfterWin::Freeze] {
                let game = game.clone().guarded_by(guard).after_win(after);
                let whole = write_qip(&game.program().unwrap());
                assert!(written_in_parts(&game) == whole, "{game:?}");
            }
        }
    }
}

#[test]
fn a_large_board_is_written_and_few_moves_on_it_are_solved() {
    let large = Gomoku::new(15, 5).unwrap().guarded_by(Guard::Index);
    let refused = large.program().unwrap_err().to_string();
    assert!(refused.contains("only written"), "{refused}");
    let (mut parts, mut rows) = (0, 0);
    large
        .parts(&mut |part| {
            parts += 1;
            if let Part::Rows(program, _) = part {
                rows += program.rows().len();
            }
            parts < 5
        })
        .unwrap();
    assert_eq!(parts, 5, "nothing is made that nobody wants");
    assert!(rows > 10_000);
    let mut text = "...............\n".repeat(15);
    text.replace_range(0..5, ".bbbb");
    text.replace_range(16..20, "wwww");
    let board = Board::parse(&text).unwrap();
    let game = Gomoku::from(board, 5).unwrap().until(9).unwrap();
    assert_eq!(
        program_value(&game.guarded_by(Guard::Index)),
        value(15, Verdict::BlackWins(9))
    );
}

#[test]
fn impossible_games_are_refused_with_a_reason() {
    let reason = |result: Result<Gomoku, quip::games::GameError>| result.unwrap_err().to_string();
    assert_eq!(
        reason(Gomoku::new(20, 5)),
        "size: a board has 1 to 19 rows, not 20"
    );
    assert_eq!(
        reason(Gomoku::new(3, 4)),
        "row: a row on this board has 1 to 3 stones, not 4"
    );
    let won = Board::parse("bb.\nww.\n...").unwrap();
    assert_eq!(
        reason(Gomoku::from(won, 2)),
        "board: the game is won already"
    );
    let unfair = Board::parse("w..\n...\n...").unwrap();
    assert_eq!(
        reason(Gomoku::from(unfair, 3)),
        "board: black must have as many stones as white, or one more"
    );
    let late = Gomoku::new(3, 3).unwrap().until(10);
    assert_eq!(
        reason(late),
        "horizon: the last move is between 0 and 9, not 10"
    );
    assert_eq!(
        Gomoku::new(3, 3)
            .unwrap()
            .until(0)
            .map(|game| program_value(&game)),
        Ok(10)
    );
    assert_eq!(decode(3, &int(14)), Some(Verdict::WhiteWins(5)));
}
