//! The one-move win as a purely existential program.
//!
//! Source: Holden, *Tic-tac-toe with SAT*. `a` to `i` are the squares in reading order, true for an
//! X. `win`: some line is full (5). `board`: the stones that are there (6). `move`: exactly one free
//! square becomes an X.
//!
//! # What was corrected
//! - "One move" is a chain of exclusive ors in the document, which is parity: three new stones pass
//!   as well. Here it is a sum that equals one.
//! - (5) has the diagonal `c e g`; the document's listing has `c e f` in its place.
//! - (5) is stated by a claim for each line, `win[l]`, not by multiplying out.

use crate::games::GameError;
use crate::games::board::{Board, Stone};
use crate::games::circuit::Circuit;
use crate::model::{Compare, Model, row, sum};
use crate::program::{Program, Quantifier};

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

fn check(board: &Board) -> Result<(), GameError> {
    if board.size() != 3 {
        return Err(GameError::parameter("board", "the board must be 3 × 3"));
    }
    if board.stones() == 9 {
        return Err(GameError::parameter("board", "the board is full"));
    }
    Ok(())
}

/// The same as a formula in QCIR, with (5) as it stands in the document.
///
/// ```
/// use quip::games::board::Board;
/// use quip::games::tictactoe::one_move_formula;
/// let text = one_move_formula(&Board::parse("xox\noxo\no..")?)?;
/// assert!(text.contains("exists(a, b, c, d, e, f, g, h, i)"));
/// assert!(text.contains("= and(c, e, g)"));
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn one_move_formula(board: &Board) -> Result<String, GameError> {
    check(board)?;
    let mut circuit = Circuit::default();
    let squares = circuit.block(Quantifier::Exists, ('a'..='i').map(String::from));
    let mut rules = Vec::new();
    let mut free = Vec::new();
    for (cell, square) in squares.iter().enumerate() {
        match board.at(cell) {
            Some(Stone::Black) => rules.push(square.clone()),
            Some(Stone::White) => rules.push(!square.clone()),
            None => free.push(square.clone()),
        }
    }
    rules.push(circuit.exactly_one(&free));
    let mut full = Vec::new();
    for line in LINES {
        full.push(circuit.and(line.map(|cell| squares[cell].clone())));
    }
    rules.push(circuit.or(full));
    let formula = circuit.and(rules);
    Ok(circuit.text(formula))
}

/// The program that is feasible if and only if X, to move, wins at once. X has the black stones.
///
/// ```
/// use quip::games::board::Board;
/// use quip::games::tictactoe::one_move_win;
/// let program = one_move_win(&Board::parse("xox\noxo\no..")?)?;
/// assert_eq!(program.blocks().len(), 1);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn one_move_win(board: &Board) -> Result<Program, GameError> {
    check(board)?;
    let mut model = Model::new();
    let mut stage = model.exists();
    let squares: Vec<_> = ('a'..='i')
        .map(|name| stage.binary(name.to_string()))
        .collect();
    let claims = stage.binaries("win", 1..=LINES.len());
    let mut free = Vec::new();
    for (cell, &square) in squares.iter().enumerate() {
        match board.at(cell) {
            Some(stone) => {
                let is_x = i64::from(stone == Stone::Black);
                model.rows("board").add(row!(square == is_x));
            }
            None => free.push(square),
        }
    }
    model.subject_to(sum(&free).equals(1).named("move"));
    for (line, claim) in LINES.iter().zip(&claims) {
        for &cell in line {
            model.rows("win").add(row!(claim <= squares[cell]));
        }
    }
    model.rows("win").add(sum(&claims).geq(1));
    Ok(model.build()?)
}
