//! The dearest play where replies follow: a mixed program over moves and the prices of the replies' rows.
//!
//! Let `x` be decided. If the linear program of the replies has whole vertices ([`network`](super::network)), the best
//! reply to `u` costs what its dual says: `max Σ λ (h(x) + H u) - Σ ν R` over `λ, ν >= 0` with `λ W - ν <= q`, one price `λ`
//! for each row and one `ν` for the width `R` of each reply. Over `u` and prices together that is bilinear; with 0/1
//! moves the products `λ u` become columns ([`Products`]).
//!
//! *Prices are bounded.* A vertex of the dual is `q` times the inverse of a unimodular matrix, whose entries are at most one: no
//! price is more than the sum of the largest `|q|`, one for each row. Where no reply exists, some row is missed by one
//! at least; with prices up to the whole range of costs the dual then costs more than any play, which is all
//! that is asked. A reply that stands in one row alone and has room for whatever the row may need bounds the row's price by its own.
//! A reply that would never use its whole width needs no `ν`.
//!
//! Two-stage adversaries are dualised like this since Zeng and Zhao (2013).

use std::cell::Cell;

use super::network::is_network;
use super::products::{Products, Term};
use super::{Board, Play, left_to};
use crate::budget::Budget;
use crate::equivalent::{Place, Skeleton, SystemRow};
use crate::lp::simplex::LinearProgram;
use crate::mip::{self, End, MixedProgram, Question};
use crate::num::{Rational, int};
use crate::outcome::Stop;
use crate::program::{Bounds, Id, IdVec, Row, VarId};

/// One side of a row: `Σ decided + Σ moved + Σ replied >= least`.
#[derive(Debug)]
pub(super) struct Side {
    decided: Vec<(VarId, i64)>,
    /// Universal variables by their number.
    pub moved: Vec<(usize, i64)>,
    /// Replies by their number.
    pub replied: Vec<(usize, i64)>,
    least: i64,
}

/// A reply.
#[derive(Debug)]
pub(super) struct Reply {
    pub cost: i64,
    lower: i64,
    width: i64,
    /// Whether its width may matter, so that it has a price.
    pub is_capped: bool,
    /// The sides that it stands in.
    pub column: Vec<(usize, i64)>,
}

/// See the module.
pub(super) struct Dual {
    pub sides: Vec<Side>,
    pub replies: Vec<Reply>,
    /// The most that the price of a side can be.
    pub prices: Vec<i64>,
    /// Smallest and largest value of every universal variable.
    pub boxes: Vec<(i64, i64)>,
    products: Products,
    lps: Cell<u64>,
}

impl Dual {
    /// `None` if replies may have to be split, or moves that replies see have more than two values.
    pub(super) fn of(skeleton: &Skeleton) -> Option<Self> {
        let last = skeleton.stages.len() - 1;
        let cost = |var: VarId| {
            skeleton
                .costs
                .iter()
                .find(|it| it.0 == var)
                .map_or(0, |it| it.1)
        };
        let mut replies: Vec<Reply> = { skeleton.stages[last].iter() }
            .map(|&var| {
                let (lower, upper) = skeleton.boxes[var];
                Reply {
                    cost: cost(var),
                    lower,
                    width: upper - lower,
                    is_capped: true,
                    column: Vec::new(),
                }
            })
            .collect();
        let rows = skeleton.rows[last].iter().enumerate();
        let entries: Vec<(usize, usize, i64)> = rows
            .flat_map(|(number, row)| {
                let replied = row
                    .terms
                    .iter()
                    .filter_map(|&(var, by)| Some((number, reply_of(skeleton, last, var)?, by)));
                replied.collect::<Vec<_>>()
            })
            .collect();
        if !is_network(&entries) {
            return None;
        }
        let sides: Vec<Side> = { skeleton.rows[last].iter() }
            .flat_map(|row| sides_of(skeleton, last, row))
            .collect();
        let boxes = skeleton.universals.iter().map(|&var| skeleton.boxes[var]);
        let boxes: Vec<(i64, i64)> = boxes.collect();
        let mut moved = sides.iter().flat_map(|side| &side.moved);
        if moved.any(|&(number, _)| boxes[number].1 - boxes[number].0 > 1) {
            return None;
        }
        for (number, side) in sides.iter().enumerate() {
            for &(reply, by) in &side.replied {
                replies[reply].column.push((number, by));
            }
        }
        let mut dual = Self {
            prices: vec![0; sides.len()],
            sides,
            replies,
            boxes,
            products: Products::default(),
            lps: Cell::new(0),
        };
        dual.free_replies(skeleton);
        dual.bound_prices(skeleton)?;
        dual.products = Products::of(&dual);
        Some(dual)
    }

    /// The most that replies have to bring to a side, whatever was decided and moved, if one reply is left out.
    fn need(&self, skeleton: &Skeleton, side: &Side, without: usize) -> Option<i64> {
        let mut need = i128::from(side.least);
        let least = |(low, up): (i64, i64), by: i64| {
            (i128::from(by) * i128::from(low)).min(i128::from(by) * i128::from(up))
        };
        for &(var, by) in &side.decided {
            need -= least(skeleton.boxes[var], by);
        }
        for &(number, by) in &side.moved {
            need -= least(self.boxes[number], by);
        }
        for &(reply, by) in &side.replied {
            let it = &self.replies[reply];
            need -= i128::from(by) * i128::from(it.lower);
            if reply != without && by < 0 {
                // Its width does not hold it back any more.
                if !it.is_capped {
                    return None;
                }
                need -= i128::from(by) * i128::from(it.width);
            }
        }
        i64::try_from(need).ok()
    }

    /// Finds replies whose width never matters: less of them would do.
    fn free_replies(&mut self, skeleton: &Skeleton) {
        for number in 0..self.replies.len() {
            let reply = &self.replies[number];
            let mut helped = reply.column.iter().filter(|(_, by)| *by > 0);
            let is_free = reply.cost >= 0
                && helped.all(|&(side, _)| {
                    let need = self.need(skeleton, &self.sides[side], number);
                    need.is_some_and(|need| need <= reply.width)
                });
            self.replies[number].is_capped = !is_free;
        }
    }

    fn bound_prices(&mut self, skeleton: &Skeleton) -> Option<()> {
        let mut costs: Vec<i64> = self.replies.iter().map(|reply| reply.cost.abs()).collect();
        costs.sort_unstable_by(|one, other| other.cmp(one));
        let sum: i128 = costs
            .iter()
            .take(self.sides.len())
            .map(|&it| i128::from(it))
            .sum();
        let (least, most) = skeleton.cost_range();
        let range = i128::from(most) - i128::from(least) + 1;
        let any = i64::try_from(sum.max(range))
            .ok()
            .filter(|&any| any < 1 << 40)?;
        self.prices = vec![any; self.sides.len()];
        for reply in self.replies.iter().filter(|reply| !reply.is_capped) {
            if let [(side, 1)] = reply.column[..] {
                self.prices[side] = self.prices[side].min(reply.cost);
            }
        }
        Some(())
    }

    pub(super) fn lps(&self) -> u64 {
        self.lps.get()
    }

    /// See [`Adversary::dearest`](super::Adversary::dearest).
    pub(super) fn dearest(
        &self,
        skeleton: &Skeleton,
        board: &Board,
        (reached, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        let (program, constant) = self.program(skeleton, board);
        // The program minimises what the play costs less.
        let question = Question {
            most: Some(int(constant - reached - 1)),
            strict: false,
            enough: Some(int(constant - limit)),
            nodes: None,
        };
        let mut lps = 0;
        let answer = mip::minimise(&program, &question, budget, &mut |event, _| lps = event.lps);
        self.lps.set(self.lps.get() + lps);
        match answer.end {
            End::Stopped(stop) => Err(stop),
            End::Unbounded => unreachable!("invariant: every column has two ends"),
            End::Proved | End::Enough => Ok(answer.best.map(|point| {
                let moves = point.values.as_slice()[..self.boxes.len()].iter();
                moves.map(whole).collect()
            })),
        }
    }

    /// The program over moves and prices after the decisions on the board, and the cost that it leaves out.
    fn program(&self, skeleton: &Skeleton, board: &Board) -> (MixedProgram, i64) {
        let mut made = Made::default();
        for number in 0..self.boxes.len() {
            let (lower, upper) = left_to(skeleton, number, board);
            made.column(lower, upper, true);
        }
        let mut constant = 0;
        for &(var, by) in &skeleton.costs {
            match skeleton.places[var] {
                Place::Universal(number) => made.cost(number, -by),
                Place::Existential(0, _) => constant += by * board[var],
                Place::Existential(..) => {}
            }
        }
        constant += { self.replies.iter() }
            .map(|reply| reply.cost * reply.lower)
            .sum::<i64>();
        let prices: Vec<usize> = { self.prices.iter() }
            .map(|&most| made.column(0, most, false))
            .collect();
        let widths: Vec<Option<usize>> = { self.replies.iter() }
            .map(|reply| {
                let paid = reply
                    .column
                    .iter()
                    .map(|&(side, by)| by.abs() * self.prices[side]);
                let most = reply.cost.abs() + paid.sum::<i64>();
                reply.is_capped.then(|| made.column(0, most, false))
            })
            .collect();
        for (number, side) in self.sides.iter().enumerate() {
            let decided = side.decided.iter().map(|&(var, by)| by * board[var]);
            let replied =
                { side.replied.iter() }.map(|&(reply, by)| by * self.replies[reply].lower);
            let moved = side
                .moved
                .iter()
                .map(|&(moved, by)| by * self.boxes[moved].0);
            let sum: i64 = decided.chain(replied).chain(moved).sum();
            made.cost(prices[number], sum - side.least);
        }
        for (reply, &width) in self.replies.iter().zip(&widths) {
            let paid = reply.column.iter().map(|&(side, by)| (prices[side], by));
            let width = width.inspect(|&width| made.cost(width, reply.width));
            let terms = paid.chain(width.map(|width| (width, -1))).collect();
            made.at_most(terms, reply.cost);
        }
        let rules = rules(skeleton, board);
        for (terms, upper) in &rules {
            made.at_most(terms.clone(), *upper);
        }
        self.products
            .write(self, (&prices, &widths), &rules, &mut made);
        (made.into_program(), constant)
    }
}

fn whole(value: &Rational) -> i64 {
    crate::num::to_i64(value).expect("invariant: moves are whole and small")
}

fn reply_of(skeleton: &Skeleton, last: usize, var: VarId) -> Option<usize> {
    match skeleton.places[var] {
        Place::Existential(stage, number) if stage == last => Some(number),
        _ => None,
    }
}

fn sides_of(skeleton: &Skeleton, last: usize, row: &SystemRow) -> Vec<Side> {
    let lower = row.lower.map(|lower| (1, lower));
    let upper = row.upper.map(|upper| (-1, -upper));
    let side = |(sign, least): (i64, i64)| {
        let mut side = Side {
            decided: Vec::new(),
            moved: Vec::new(),
            replied: Vec::new(),
            least,
        };
        for &(var, by) in &row.terms {
            match skeleton.places[var] {
                Place::Universal(number) => side.moved.push((number, sign * by)),
                Place::Existential(stage, number) if stage == last => {
                    side.replied.push((number, sign * by));
                }
                Place::Existential(..) => side.decided.push((var, sign * by)),
            }
        }
        side
    };
    lower.into_iter().chain(upper).map(side).collect()
}

/// The rules of the universal player as `Σ moves <= upper`, after the decisions on the board.
fn rules(skeleton: &Skeleton, board: &Board) -> Vec<(Vec<Term>, i64)> {
    let own = skeleton.universal_rows.iter().flat_map(|row| {
        let upper = row.upper.map(|upper| (1, upper));
        let lower = row.lower.map(|lower| (-1, -lower));
        let sides = upper.into_iter().chain(lower);
        sides.map(move |(sign, upper)| (&row.terms, sign, upper))
    });
    let conditions =
        { skeleton.conditions.all.iter() }.map(|condition| (&condition.terms, 1, condition.bound));
    own.chain(conditions)
        .map(|(terms, sign, mut upper)| {
            let mut moved = Vec::new();
            for &(var, by) in terms {
                match skeleton.places[var] {
                    Place::Universal(number) => moved.push((number, sign * by)),
                    Place::Existential(..) => upper -= sign * by * board[var],
                }
            }
            (moved, upper)
        })
        .collect()
}

/// A program that is put together.
#[derive(Default)]
pub(super) struct Made {
    bounds: Vec<Bounds>,
    integer: Vec<bool>,
    costs: Vec<i64>,
    rows: Vec<Row>,
}

impl Made {
    pub(super) fn column(&mut self, lower: i64, upper: i64, integer: bool) -> usize {
        self.bounds.push(Bounds::between(int(lower), int(upper)));
        self.integer.push(integer);
        self.costs.push(0);
        self.bounds.len() - 1
    }

    pub(super) fn cost(&mut self, column: usize, by: i64) {
        self.costs[column] += by;
    }

    pub(super) fn at_most(&mut self, mut terms: Vec<Term>, upper: i64) {
        terms.sort_unstable();
        let terms = terms.into_iter().filter(|(_, by)| *by != 0);
        let terms: Vec<_> = terms.map(|(at, by)| (VarId::new(at), int(by))).collect();
        self.rows.push(Row::at_most(terms, int(upper)));
    }

    fn into_program(self) -> MixedProgram {
        let costs = self.costs.iter().enumerate().filter(|(_, by)| **by != 0);
        MixedProgram {
            linear: LinearProgram {
                objective: costs.map(|(at, &by)| (VarId::new(at), int(by))).collect(),
                bounds: IdVec::from_vec(self.bounds),
                rows: IdVec::from_vec(self.rows),
            },
            integer: IdVec::from_vec(self.integer),
        }
    }
}
