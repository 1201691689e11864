//! Every way in which the universal player can move in the tail.

use num_traits::ToPrimitive;

use super::Halt;
use super::board::Board;
use super::system::System;
use crate::budget::Budget;
use crate::num::Rational;
use crate::program::{Program, Quantifier};

/// One line of universal moves in the tail.
pub(super) struct Path {
    /// The values of the universal places of the tail, in playing order.
    pub values: Vec<Rational>,
    /// The place of the first move that differs from the path before; the beginning of the tail
    /// for the first path.
    pub parting: usize,
}

/// The universal places of the tail.
pub(super) fn universal_places(board: &Board) -> Vec<usize> {
    let tail = board.tail..board.places.len();
    tail.filter(|&place| board.places[place].owner == Quantifier::Forall)
        .collect()
}

/// Lists the paths in lexicographic order; `admit` is told how many there are before one is added.
pub(super) fn paths(
    program: &Program,
    board: &Board,
    universal: &mut System,
    budget: &mut Budget,
    admit: impl Fn(usize) -> Result<(), Halt>,
) -> Result<Vec<Path>, Halt> {
    let mut walk = Walk {
        board,
        universal,
        places: universal_places(board),
        stack: Vec::new(),
        parting: board.tail,
    };
    let mut paths = Vec::new();
    loop {
        budget.spend_node()?;
        if walk.stack.len() == walk.places.len() {
            admit(paths.len())?;
            paths.push(walk.path());
        } else {
            walk.open(program, budget)?;
        }
        if !walk.advance() {
            return Ok(paths);
        }
    }
}

/// The path that is being built, with what is left to try at each of its places.
struct Walk<'a> {
    board: &'a Board,
    universal: &'a mut System,
    places: Vec<usize>,
    stack: Vec<Options>,
    parting: usize,
}

struct Options {
    current: Option<Rational>,
    /// In decreasing order: the next one is the last.
    rest: Vec<Rational>,
}

impl Walk<'_> {
    fn path(&self) -> Path {
        let current = |options: &Options| options.current.clone();
        Path {
            values: self.stack.iter().filter_map(current).collect(),
            parting: self.parting,
        }
    }

    /// Finds out the legal values of one more place.
    fn open(&mut self, program: &Program, budget: &mut Budget) -> Result<(), Halt> {
        let place = self.places[self.stack.len()];
        let mut rest = match self.board.places[place].range {
            Some(range) => self.legal(place, range, budget)?,
            None => corners(program, self.board, place),
        };
        rest.reverse();
        let current = None;
        self.stack.push(Options { current, rest });
        Ok(())
    }

    fn legal(
        &mut self,
        place: usize,
        range: (i128, i128),
        budget: &mut Budget,
    ) -> Result<Vec<Rational>, Halt> {
        let (first, last) = self.universal.window(place, range);
        let mut legal = Vec::new();
        for value in first..=last {
            self.universal.fix(place, value);
            if self.universal.is_alive(self.board, place + 1, budget)? {
                legal.push(Rational::from_integer(value.into()));
            }
            self.universal.unfix(place, value);
        }
        Ok(legal)
    }

    /// Goes on to the next value of the last place that has one; `false` when none has.
    fn advance(&mut self) -> bool {
        while let Some(mut options) = self.stack.pop() {
            let place = self.places[self.stack.len()];
            if let Some(done) = options.current.take() {
                self.parting = place;
                self.set(place, &done, System::unfix);
            }
            if let Some(next) = options.rest.pop() {
                self.set(place, &next, System::fix);
                options.current = Some(next);
                self.stack.push(options);
                return true;
            }
        }
        false
    }

    /// Real universal variables occur in no universal row, so only whole ones are set.
    fn set(&mut self, place: usize, value: &Rational, act: impl Fn(&mut System, usize, i128)) {
        if self.board.places[place].range.is_some() {
            let value = value.to_integer().to_i128();
            let value = value.expect("invariant: it was made from this type");
            act(self.universal, place, value);
        }
    }
}

fn corners(program: &Program, board: &Board, place: usize) -> Vec<Rational> {
    let domain = program.variables()[board.places[place].var].domain();
    let mut corners: Vec<Rational> = domain.lower.into_iter().chain(domain.upper).collect();
    corners.dedup();
    corners
}
