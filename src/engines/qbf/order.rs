//! Which variable to decide next: the most active one of the outermost block that has any.
//!
//! A binary heap of variables by block, then activity. Activities are floats that grow and fade
//! as in other solvers with learning; they order decisions and prove nothing.

use crate::program::{Id, VarId};

/// Activities beyond this are scaled down.
const LARGE: f64 = 1e100;

/// How much more a bump counts than one a conflict earlier.
const GROWTH: f64 = 1.0 / 0.95;

pub(super) struct Order {
    ranks: Vec<u32>,
    activities: Vec<f64>,
    bump: f64,
    heap: Vec<u32>,
    /// Where a variable stands in the heap, if it does.
    places: Vec<Option<u32>>,
}

impl Order {
    /// No variable yet; the ranks of those to come: the block, or behind all blocks.
    pub fn new(ranks: Vec<u32>) -> Self {
        let count = ranks.len();
        Self {
            ranks,
            activities: vec![0.0; count],
            bump: 1.0,
            heap: Vec::with_capacity(count),
            places: vec![None; count],
        }
    }

    /// Puts a variable back.
    pub fn insert(&mut self, var: VarId) {
        if self.places[var.index()].is_none() {
            self.places[var.index()] = Some(self.heap.len() as u32);
            self.heap.push(var.index() as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the first variable out.
    pub fn pop(&mut self) -> Option<VarId> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[first as usize] = None;
        if first != last {
            self.heap[0] = last;
            self.places[last as usize] = Some(0);
            self.sink(0);
        }
        Some(VarId::new(first as usize))
    }

    /// The variable had a part in a conflict.
    pub fn bump(&mut self, var: VarId) {
        self.activities[var.index()] += self.bump;
        if self.activities[var.index()] > LARGE {
            self.activities.iter_mut().for_each(|one| *one /= LARGE);
            self.bump /= LARGE;
        }
        if let Some(place) = self.places[var.index()] {
            self.rise(place as usize);
        }
    }

    /// Older conflicts count less.
    pub fn fade(&mut self) {
        self.bump *= GROWTH;
    }

    fn comes_before(&self, left: u32, right: u32) -> bool {
        let (left, right) = (left as usize, right as usize);
        let by_rank = self.ranks[left].cmp(&self.ranks[right]);
        let by_activity = self.activities[right].total_cmp(&self.activities[left]);
        by_rank.then(by_activity).then(left.cmp(&right)).is_lt()
    }

    fn swap(&mut self, left: usize, right: usize) {
        self.heap.swap(left, right);
        self.places[self.heap[left] as usize] = Some(left as u32);
        self.places[self.heap[right] as usize] = Some(right as u32);
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.comes_before(self.heap[place], self.heap[parent]) {
                return;
            }
            self.swap(place, parent);
            place = parent;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let children = [2 * place + 1, 2 * place + 2].into_iter();
            let first = children
                .filter(|&child| child < self.heap.len())
                .reduce(|left, right| {
                    let keep = self.comes_before(self.heap[left], self.heap[right]);
                    if keep { left } else { right }
                });
            match first {
                Some(child) if self.comes_before(self.heap[child], self.heap[place]) => {
                    self.swap(place, child);
                    place = child;
                }
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_blocks_come_first_then_active_variables() {
        let mut order = Order::new(vec![1, 0, 1, 0, 2]);
        (0..5).for_each(|var| order.insert(VarId::new(var)));
        [2, 3, 4]
            .into_iter()
            .for_each(|var| order.bump(VarId::new(var)));
        let drawn: Vec<_> = std::iter::from_fn(|| order.pop()).map(Id::index).collect();
        assert_eq!(drawn, [3, 1, 2, 0, 4]);
        order.insert(VarId::new(0));
        order.insert(VarId::new(0));
        assert_eq!(order.pop().map(Id::index), Some(0));
        assert_eq!(order.pop(), None);
    }
}
