//! Bounds for large sums: those of one player are paid for instead of being kept.
//!
//! Let the existential player buy what it takes of its sums at a price for each, and sell what is left at the end
//! at the same price. Where its sums hold, that costs no more than before, and where one of them is broken,
//! it costs less than `LOST`. So for all prices that are not negative
//!
//! `value of a state >= value of the game with prices - prices * what is left`,
//!
//! and a table of that game has no axis for these sums. In the same way, the universal sums can be sold instead: a
//! legal play gains from what is left of them, so that the value is at most that of the other game. This is
//! Lagrangian relaxation, of either player's rows, in front of the dynamic program.
//!
//! **Invariant:** any prices make a bound; which ones are found decides how good it is.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use super::board::{Board, Group, MOST_COST, Move, Reply, SUMS, ranges};
use super::table::{LOST, Table, WON};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::Quantifier;

/// Cells of the tables that prices are looked for with.
const ROUGH: usize = 1 << 18;

/// How far prices are from the ones beside them, in a hundred.
const BESIDE: i64 = 5;

/// How many of these steps the best prices are looked for, away from what rough tables have said.
const FARTHEST: i32 = 8;

/// Steps in which prices are looked for: each is this much more than the one before, in a hundred.
const STEP: i64 = 12;

/// A bound on the value of every state.
pub(super) struct Priced {
    /// Whose sums are paid for: the universal player's make upper bounds, the other's lower ones.
    owner: Quantifier,
    /// The game without these sums.
    board: Board,
    table: Table,
    /// The places of the sums that are kept.
    kept: Vec<usize>,
    prices: [i64; SUMS],
    /// What a cost of one is at these prices.
    scale: i64,
}

impl Priced {
    /// The bounds at the best prices that were found for the start, and at those beside them, by tables of so many cells.
    ///
    /// None if the player has no sums, or numbers become too large. On 500 items, prices of rough tables alone were 4 in a
    /// thousand worse, and a proof of 600 states took more than four million.
    pub(super) fn several(
        board: &Board,
        owner: Quantifier,
        cells: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Self>, Stop> {
        let Some(rough) = search(board, owner, budget)? else {
            return Ok(Vec::new());
        };
        let start = board.start();
        // Above a price that is higher, below one that is lower: the best is between them.
        let (mut place, mut known) = (0_i32, BTreeMap::new());
        loop {
            for near in [place, place + 1, place - 1] {
                if !known.contains_key(&near) && near.abs() <= FARTHEST {
                    let part = |price: i64| price + price * i64::from(near) * BESIDE / 100;
                    let made = Self::new(board, owner, rough.map(part), cells, budget)?;
                    known.insert(near, made);
                }
            }
            let gain = |near: &i32| {
                let made = known.get(near)?.as_ref()?;
                let exact = made.exact(0, &start).ok()?;
                Some(if owner == Quantifier::Exists {
                    exact
                } else {
                    -exact
                })
            };
            let beside = [place, place + 1, place - 1];
            let Some(best) = beside
                .into_iter()
                .max_by_key(|near| (gain(near), *near == place))
            else {
                break;
            };
            if best == place {
                break;
            }
            place = best;
            known.retain(|near, _| (near - place).abs() <= 1);
        }
        Ok(known.into_values().flatten().collect())
    }

    fn new(
        board: &Board,
        owner: Quantifier,
        prices: [i64; SUMS],
        cells: usize,
        budget: &mut Budget,
    ) -> Result<Option<Self>, Stop> {
        let scale = scale(board);
        let is_kept = |place: &usize| board.sums[*place].owner != owner;
        let kept: Vec<usize> = (0..board.sums.len()).filter(is_kept).collect();
        let Some(priced) = paid(board, owner, &kept, &prices, scale) else {
            return Ok(None);
        };
        // Bounds from below favour the existential player, whose sums are paid for.
        let table = Table::new(&priced, owner, cells, budget)?;
        Ok(Some(Self {
            owner,
            board: priced,
            table,
            kept,
            prices,
            scale,
        }))
    }

    /// The bound of a state, in costs: `WON` and `LOST` as tables say it.
    pub(super) fn bound(&self, level: usize, left: &[i64; SUMS]) -> i64 {
        let is_lower = self.owner == Quantifier::Exists;
        match self.exact(level, left) {
            Ok(whole) if is_lower => -(-whole).div_euclid(self.scale),
            Ok(whole) => whole.div_euclid(self.scale),
            Err(value) => i64::from(value),
        }
    }

    /// The bound before it is rounded to a cost, or `WON` or `LOST`.
    fn exact(&self, level: usize, left: &[i64; SUMS]) -> Result<i64, i32> {
        let mut rest = [0; SUMS];
        for (rest, &place) in rest.iter_mut().zip(&self.kept) {
            *rest = left[place];
        }
        let paid = left.iter().zip(&self.prices);
        let paid: i64 = paid.map(|(left, price)| left * price).sum();
        match self.table.bound(&self.board, level, &rest) {
            value @ (WON | LOST) => Err(value),
            value if self.owner == Quantifier::Exists => Ok(i64::from(value) - paid),
            value => Ok(i64::from(value) + paid),
        }
    }
}

/// How fine prices are: as fine as costs of a play allow.
fn scale(board: &Board) -> i64 {
    let most = |group: &Group| {
        let replies = group.moves.iter().flat_map(|made| &made.replies);
        replies.map(|reply| reply.cost.abs()).max().unwrap_or(0)
    };
    let most: i64 = board.groups.iter().map(most).sum();
    ((MOST_COST / 8) as i64 / most.max(1)).clamp(1, 1000)
}

/// The game in which the sums of one player are paid for; nothing if costs become too large.
fn paid(
    board: &Board,
    owner: Quantifier,
    kept: &[usize],
    prices: &[i64; SUMS],
    scale: i64,
) -> Option<Board> {
    let sign = if owner == Quantifier::Exists { 1 } else { -1 };
    let mut total: i128 = 0;
    let reply = |reply: &Reply| {
        let paid = reply.used.iter().zip(prices);
        let paid: i128 = paid
            .map(|(&used, &price)| i128::from(used) * i128::from(price))
            .sum();
        let cost = i128::from(reply.cost) * i128::from(scale) + sign * paid;
        let mut used = [0; SUMS];
        for (used, &place) in used.iter_mut().zip(kept) {
            *used = reply.used[place];
        }
        let values = Vec::new();
        Some(Reply {
            values,
            cost: cost.to_i64()?,
            used,
            breaks: reply.breaks,
        })
    };
    let sums: Vec<_> = kept.iter().map(|&place| board.sums[place]).collect();
    let mut groups = Vec::new();
    for group in &board.groups {
        let mut moves = Vec::new();
        let mut most: i128 = 0;
        for made in &group.moves {
            let replies: Vec<Reply> = made.replies.iter().map(reply).collect::<Option<_>>()?;
            let costs = replies.iter().map(|reply| i128::from(reply.cost).abs());
            most = costs.fold(most, i128::max);
            let values = Vec::new();
            moves.push(Move { values, replies });
        }
        total += most;
        groups.push(Group::of(moves, &sums));
    }
    let ranges = ranges(&groups, &sums);
    let scale = board.scale.clone() * scale;
    (total <= MOST_COST).then_some(Board {
        groups,
        sums,
        ranges,
        scale,
    })
}

/// Prices for the sums of one player, one after the other; nothing if it has none.
///
/// The bound of a game without replies is concave in a price; with replies nearly so. A search on a scale of powers
/// finds a good one, as far as rough tables tell.
fn search(
    board: &Board,
    owner: Quantifier,
    budget: &mut Budget,
) -> Result<Option<[i64; SUMS]>, Stop> {
    let places = (0..board.sums.len()).filter(|&place| board.sums[place].owner == owner);
    let places: Vec<usize> = places.collect();
    if places.is_empty() {
        return Ok(None);
    }
    let mut ladder = vec![0, 1];
    while let Some(&last) = ladder.last()
        && last < 1 << 24
    {
        ladder.push(last + (last * STEP / 100).max(1));
    }
    let start = board.start();
    let mut prices = [0; SUMS];
    for &place in &places {
        let mut gain = |price: i64| {
            let mut prices = prices;
            prices[place] = price;
            let priced = Priced::new(board, owner, prices, ROUGH, budget)?;
            let exact = priced.and_then(|priced| priced.exact(0, &start).ok());
            Ok(exact.map(|it| if owner == Quantifier::Exists { it } else { -it }))
        };
        // Where prices are too high, there is no bound; a plateau at the lower end is climbed.
        let (mut low, mut high) = (0, ladder.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            match (gain(ladder[middle])?, gain(ladder[middle + 1])?) {
                (Some(here), Some(above)) if above > here => low = middle + 1,
                _ => high = middle,
            }
        }
        prices[place] = ladder[low];
    }
    Ok(Some(prices))
}
