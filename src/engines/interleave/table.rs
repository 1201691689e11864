//! The game in which each group is decided before the next one begins, for every state at once.
//!
//! A state is a level and what is left of each sum. The table of a level has one cell per state; where
//! that would be too many, one cell stands for several, rounded in favour of one of the players: what
//! is left of its own sums is rounded up, of the others down.
//!
//! **Invariant**, where the existential player is favoured: a cell holds at most the value of every state that can be reached and is no better
//! for the existential player than the one the cell speaks of. *Proof*, from the last level backward. Let a
//! cell speak of `v` and let `s` be such a state. A reply that breaks a universal sum from `v` counts as
//! `WON`, less than anything. One that breaks an existential sum from `v` breaks it from `s`; it
//! counts as `LOST` only if the universal player can keep its rows from `v`, hence from `s`, and as `WON`
//! otherwise. Any other reply leads from `v` to a cell whose numbers are rounded the same way, hence no
//! worse for the existential player than where it leads from `s`: either by rounding, or because an end
//! of the range was taken, which no reachable state passes, or beyond which nothing changes. ∎
//! Where the universal player is favoured it is the other way round, and whatever breaks an existential
//! sum counts as `LOST`.

use super::board::{Board, Reply, SUMS};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::Quantifier;

/// Less than any cost: the universal player has no legal reply.
pub(super) const WON: i32 = i32::MIN / 2;

/// More than any cost: an existential row is broken.
pub(super) const LOST: i32 = i32::MAX / 2;

/// Marks what a reply does to a sum, beside the step that it makes in a table.
const BREAKS: u32 = u32::MAX;

/// See the module.
pub(super) struct Table {
    favoured: Quantifier,
    /// How many units of a sum one step is.
    units: [i64; SUMS],
    /// By level.
    cells: Vec<Vec<i32>>,
}

/// The cells of one level in one direction.
#[derive(Copy, Clone)]
struct Axis {
    low: i64,
    high: i64,
    unit: i64,
    rounds_up: bool,
}

impl Axis {
    fn len(&self) -> usize {
        1 + (self.high - self.low).max(0).div_euclid(self.unit) as usize
            + usize::from((self.high - self.low).max(0) % self.unit != 0)
    }

    /// The cell that speaks for so much left.
    fn place(&self, left: i64) -> usize {
        if left >= self.high {
            return self.len() - 1;
        }
        let beyond = (left - self.low).max(0);
        let rounding = if self.rounds_up { self.unit - 1 } else { 0 };
        ((beyond + rounding) / self.unit) as usize
    }

    /// What a cell speaks of.
    fn left(&self, place: usize) -> i64 {
        (self.low + place as i64 * self.unit).min(self.high.max(self.low))
    }
}

impl Table {
    /// The values of all states of the game, in at most about `most` cells.
    pub(super) fn new(
        board: &Board,
        favoured: Quantifier,
        most: usize,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let mut table = Self {
            favoured,
            units: [1; SUMS],
            cells: Vec::new(),
        };
        let levels = board.groups.len();
        while table.count(board) > most {
            let width = |place: usize| {
                let axes = (0..=levels).map(|level| table.axes(board, level)[place].len());
                axes.max().unwrap_or(0)
            };
            // An axis of two cells cannot be made coarser.
            let widths = (0..SUMS).map(|place| (width(place), place));
            let Some((3.., widest)) = widths.max() else {
                break;
            };
            table.units[widest] *= 2;
        }
        table.cells = vec![Vec::new(); levels + 1];
        table.cells[levels] = vec![0];
        for level in (0..levels).rev() {
            budget.look()?;
            table.cells[level] = table.level(board, level);
        }
        Ok(table)
    }

    /// At most the value of a state.
    pub(super) fn bound(&self, board: &Board, level: usize, left: &[i64; SUMS]) -> i32 {
        let mut cell = 0;
        for (axis, &left) in self.axes(board, level).iter().zip(left).rev() {
            cell = cell * axis.len() + axis.place(left);
        }
        self.cells[level][cell]
    }

    fn axes(&self, board: &Board, level: usize) -> [Axis; SUMS] {
        std::array::from_fn(|place| {
            let range = &board.ranges[level][place];
            Axis {
                low: range.least.max(range.poorest),
                high: range.most.min(range.richest),
                unit: self.units[place],
                rounds_up: { board.sums.get(place) }.is_some_and(|sum| sum.owner == self.favoured),
            }
        })
    }

    fn count(&self, board: &Board) -> usize {
        let of_level = |level| {
            let axes = self.axes(board, level);
            axes.iter()
                .fold(1_usize, |product, axis| product.saturating_mul(axis.len()))
        };
        (0..=board.groups.len())
            .map(of_level)
            .fold(0, usize::saturating_add)
    }

    fn level(&self, board: &Board, level: usize) -> Vec<i32> {
        let axes = self.axes(board, level);
        let next = &self.cells[level + 1];
        let moves = board.groups[level].moves.iter();
        let moves: Vec<Vec<Steps>> = moves
            .map(|made| {
                { made.replies.iter() }
                    .map(|it| self.steps(board, level, it))
                    .collect()
            })
            .collect();
        let mut cells = Vec::with_capacity(axes.iter().map(Axis::len).product());
        let (mut least, mut most) = (vec![LOST; axes[0].len()], vec![WON; axes[0].len()]);
        for third in 0..axes[2].len() {
            for second in 0..axes[1].len() {
                least.fill(LOST);
                for replies in &moves {
                    most.fill(WON);
                    for steps in replies {
                        steps.raise([second, third], next, &mut most);
                    }
                    for (least, most) in least.iter_mut().zip(&most) {
                        *least = (*least).min(*most);
                    }
                }
                cells.extend_from_slice(&least);
            }
        }
        cells
    }

    /// What a reply does in each cell of a level.
    fn steps(&self, board: &Board, level: usize, reply: &Reply) -> Steps {
        let (axes, after) = (self.axes(board, level), self.axes(board, level + 1));
        let ranges = &board.ranges[level + 1];
        let mut stride = 1;
        let mut steps = Steps {
            cost: reply.cost as i32,
            breaks: reply.breaks,
            ..Steps::default()
        };
        for place in 0..SUMS {
            let owner = board.sums.get(place).map(|sum| sum.owner);
            let is_theirs = owner != Some(Quantifier::Exists);
            steps.is_theirs[place] = is_theirs;
            for cell in 0..axes[place].len() {
                let left = axes[place].left(cell) - reply.used[place];
                steps.to[place].push(match left < ranges[place].least {
                    true => BREAKS,
                    false => (after[place].place(left) * stride) as u32,
                });
                let is_safe = ranges[place].safe < i64::MAX;
                let is_safe = is_safe && (!is_theirs || left >= ranges[place].safe);
                steps.safe[place].push(is_safe || self.favoured == Quantifier::Forall);
            }
            stride *= after[place].len();
        }
        steps
    }
}

/// What a reply does, by the places of a cell.
#[derive(Default)]
struct Steps {
    cost: i32,
    breaks: bool,
    is_theirs: [bool; SUMS],
    to: [Vec<u32>; SUMS],
    safe: [Vec<bool>; SUMS],
}

impl Steps {
    /// Raises each cell of the first axis to what this reply is worth there.
    fn raise(&self, others: [usize; SUMS - 1], next: &[i32], most: &mut [i32]) {
        let mut cell = 0;
        let (mut is_lost, mut is_safe) = (self.breaks, true);
        for (place, at) in (1..).zip(others) {
            is_safe &= self.safe[place][at];
            match self.to[place][at] {
                BREAKS if self.is_theirs[place] => return,
                BREAKS => is_lost = true,
                step => cell += step as usize,
            }
        }
        for ((most, &step), &safe) in most.iter_mut().zip(&self.to[0]).zip(&self.safe[0]) {
            let worth = match step {
                BREAKS if self.is_theirs[0] => WON,
                BREAKS if is_safe && safe => LOST,
                BREAKS => WON,
                _ if is_lost => {
                    if is_safe && safe {
                        LOST
                    } else {
                        WON
                    }
                }
                step => match next[cell + step as usize] {
                    value @ (WON | LOST) => value,
                    value => value + self.cost,
                },
            };
            *most = (*most).max(worth);
        }
    }
}
