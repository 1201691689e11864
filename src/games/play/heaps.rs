//! Nim at the table.

use super::{End, Rules, mover, three_results};
use crate::games::{GameError, nim};
use crate::num::Rational;
use crate::program::{Program, Quantifier};

/// Nim.
pub struct NimRules {
    heaps: Vec<usize>,
    /// Heap and amount of each option.
    takes: Vec<(usize, usize)>,
}

impl NimRules {
    /// Nim with these heaps.
    pub fn new(heaps: Vec<usize>) -> Self {
        let of_heap = |(heap, &size): (usize, &usize)| (1..=size).map(move |amount| (heap, amount));
        let takes = heaps.iter().enumerate().flat_map(of_heap).collect();
        Self { heaps, takes }
    }

    fn left(&self, history: &[usize]) -> Vec<usize> {
        let mut left = self.heaps.clone();
        for &option in history {
            let (heap, amount) = self.takes[option];
            left[heap] -= amount;
        }
        left
    }
}

impl Rules for NimRules {
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    fn how_to_move(&self) -> String {
        "one or more stones are taken from one heap, such as 2:1 for one of heap 2".to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let left = self.left(history);
        let fits = |&option: &usize| self.takes[option].1 <= left[self.takes[option].0];
        (0..self.takes.len()).filter(fits).collect()
    }

    fn word(&self, option: usize) -> String {
        let (heap, amount) = self.takes[option];
        format!("{}:{amount}", heap + 1)
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let is_over = self.left(history).iter().all(|&size| size == 0);
        is_over.then(|| match mover(history) {
            Quantifier::Exists => End::Second,
            Quantifier::Forall => End::First,
        })
    }

    fn draw(&self, history: &[usize]) -> String {
        let left = self.left(history);
        let heap =
            |(place, &size): (usize, &usize)| format!("{:3} {}\n", place + 1, "*".repeat(size));
        left.iter().enumerate().map(heap).collect()
    }

    fn program(&self) -> Result<Program, GameError> {
        nim::program(&self.heaps)
    }

    fn assignment(&self, history: &[usize], option: usize) -> (String, i64) {
        let time = history.len() + 1;
        let (heap, amount) = self.takes[option];
        match mover(history) {
            Quantifier::Exists => (format!("take[{time},{},{amount}]", heap + 1), 1),
            Quantifier::Forall => (format!("m[{time}]"), option as i64 + 1),
        }
    }

    fn meaning(&self, value: Option<&Rational>) -> String {
        three_results(self.sides(), value)
    }
}
