//! What games on square boards have in common: cells are numbered row by row from 0.

use super::vocabulary::{SIDES, Term, Vocabulary, number};

/// `b3` for the second column and third row.
pub(super) fn square(cell: usize, size: usize) -> String {
    let column = char::from(b'a' + (cell % size) as u8);
    format!("{column}{}", cell / size + 1)
}

/// A square board with letters above and numbers beside.
pub(super) fn drawn(size: usize, indent: usize, mark: impl Fn(usize) -> char) -> String {
    let letters: Vec<String> = (0..size)
        .map(|column| char::from(b'a' + column as u8).to_string())
        .collect();
    let mut text = format!("    {}\n", letters.join(" "));
    for row in 0..size {
        let marks: Vec<String> = (0..size)
            .map(|column| mark(row * size + column).to_string())
            .collect();
        let shift = " ".repeat(indent * row);
        text += &format!("{:3} {shift}{}\n", row + 1, marks.join(" "));
    }
    text
}

/// `a(i,r,c)`: side `i` takes the cell in row `r` and column `c`; `p(i,r,c)`: it is his.
pub(super) fn vocabulary(
    size: usize,
    constants: impl IntoIterator<Item = (&'static str, usize)>,
) -> Vocabulary {
    let mut words = Vocabulary::of(constants);
    for side in SIDES {
        for cell in 0..size * size {
            let place = [cell / size + 1, cell % size + 1];
            words.act("a", side, cell, place);
            words.may_hold("p", [number(side), place[0], place[1]]);
        }
    }
    words
}

/// `p(i,r,c)` for every cell that has an owner: 1 or 2.
pub(super) fn owned(size: usize, owner: impl Fn(usize) -> Option<usize>) -> Vec<Term> {
    let fact =
        |cell| owner(cell).map(|owner| Term::new("p", [owner, cell / size + 1, cell % size + 1]));
    (0..size * size).filter_map(fact).collect()
}
