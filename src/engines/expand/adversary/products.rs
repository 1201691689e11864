//! Columns for prices times moves, and the rows that hold between them.
//!
//! `w = λ t` for a price `λ` in `[0, M]` and a 0/1 move `t` is `w <= λ`, `w <= M t` and `w >= λ - M (1 - t)`. Alone that is
//! weak: with 40 moves and a budget of five the bound of the linear program was 508 after 43,000 nodes where 373 is right.
//! So every row of the dual that holds a price which `t` is multiplied with is multiplied by `t` and by `1 - t`, and every
//! rule of the universal player by each price (Sherali and Adams 1990, one level, where it touches): the same question took seven
//! nodes. It is the bound of affine replies, seen from the other side (Bertsimas and de Ruiter 2016).

use std::collections::BTreeMap;

use super::dual::{Dual, Made};

/// A column and its coefficient.
pub(super) type Term = (usize, i64);

/// With more products only those of the objective are made.
const MOST: usize = 20_000;

/// Which prices are multiplied with which moves.
#[derive(Debug, Default)]
pub(super) struct Products {
    /// By side and universal variable.
    prices: Vec<(usize, usize)>,
    /// By reply and universal variable: rows of the dual that are multiplied.
    rows: Vec<(usize, usize)>,
}

impl Products {
    pub(super) fn of(dual: &Dual) -> Self {
        let moved = dual.sides.iter().enumerate().flat_map(|(number, side)| {
            let moved = side.moved.iter();
            moved.map(move |&(moved, _)| (number, moved))
        });
        let least: Vec<(usize, usize)> = moved.collect();
        let mut rows = Vec::new();
        for &(side, moved) in &least {
            let replies = dual.sides[side].replied.iter();
            rows.extend(replies.map(|&(reply, _)| (reply, moved)));
        }
        rows.sort_unstable();
        rows.dedup();
        let mut prices = least.clone();
        for &(reply, moved) in &rows {
            let column = dual.replies[reply].column.iter();
            prices.extend(column.map(|&(side, _)| (side, moved)));
        }
        prices.sort_unstable();
        prices.dedup();
        match prices.len() + rows.len() <= MOST {
            true => Self { prices, rows },
            false => Self {
                prices: least,
                rows: Vec::new(),
            },
        }
    }

    /// Writes columns, rows and costs. Universal variables are the first columns.
    pub(super) fn write(
        &self,
        dual: &Dual,
        (prices, widths): (&[usize], &[Option<usize>]),
        rules: &[(Vec<Term>, i64)],
        made: &mut Made,
    ) {
        let mut products = BTreeMap::new();
        for &(side, moved) in &self.prices {
            let most = dual.prices[side];
            let column = product(made, prices[side], most, (moved, dual.boxes[moved].0));
            products.insert((side, moved), column);
        }
        for (number, side) in dual.sides.iter().enumerate() {
            for &(moved, by) in &side.moved {
                made.cost(products[&(number, moved)], by);
            }
        }
        for &(reply, moved) in &self.rows {
            let (reply, width) = (&dual.replies[reply], widths[reply]);
            let lower = dual.boxes[moved].0;
            let paid = reply.column.iter();
            let (mut with, mut without) = (Vec::new(), Vec::new());
            for &(side, by) in paid {
                let product = products[&(side, moved)];
                with.push((product, by));
                without.extend([(prices[side], by), (product, -by)]);
            }
            if let Some(width) = width {
                let paid = reply
                    .column
                    .iter()
                    .map(|&(side, by)| by.abs() * dual.prices[side]);
                let most = reply.cost.abs() + paid.sum::<i64>();
                let product = product(made, width, most, (moved, lower));
                with.push((product, -1));
                without.extend([(width, -1), (product, 1)]);
            }
            with.push((moved, -reply.cost));
            made.at_most(with, -reply.cost * lower);
            without.push((moved, reply.cost));
            made.at_most(without, reply.cost * (1 + lower));
        }
        for (terms, upper) in rules {
            for (side, &price) in prices.iter().enumerate() {
                let mut row = Vec::new();
                let mut rest = *upper;
                for &(moved, by) in terms {
                    let (lower, most) = dual.boxes[moved];
                    rest -= by * lower;
                    match products.get(&(side, moved)) {
                        Some(&product) => row.push((product, by)),
                        // Whatever it is, it takes at least this.
                        None => rest -= (by * (most - lower)).min(0),
                    }
                }
                if !row.is_empty() {
                    row.push((price, -rest));
                    made.at_most(row, 0);
                }
            }
        }
    }
}

/// A column for a price times a move, which is one of two values from `lower` on.
fn product(made: &mut Made, price: usize, most: i64, (moved, lower): (usize, i64)) -> usize {
    let product = made.column(0, most, false);
    made.at_most(vec![(product, 1), (price, -1)], 0);
    made.at_most(vec![(product, 1), (moved, -most)], -most * lower);
    made.at_most(
        vec![(price, 1), (product, -1), (moved, most)],
        most * (1 + lower),
    );
    product
}
