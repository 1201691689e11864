//! Nim at the table.

use super::vocabulary::SIDES;
use super::{Effect, End, Read, Rules, Scene, Shape, Term, Vocabulary, loss_of};
use crate::games::{GameError, nim};
use crate::program::{Program, Quantifier};

/// Nim. For strategy rules, `take(i,h,s)` is side `i` taking `s` stones of heap `h`, and `heap(h,s)` says that
/// heap `h` has `s` stones.
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
        is_over.then(|| loss_of(self.mover(history)))
    }

    fn draw(&self, history: &[usize]) -> String {
        let left = self.left(history);
        let heap =
            |(place, &size): (usize, &usize)| format!("{:3} {}\n", place + 1, "*".repeat(size));
        left.iter().enumerate().map(heap).collect()
    }

    fn scene(&self) -> Scene {
        let (mut places, mut heaps) = (Vec::new(), Vec::new());
        for (heap, &size) in self.heaps.iter().enumerate() {
            let first = places.len();
            places.extend((0..size).map(|place| {
                let name = format!("heap {}", heap + 1);
                (place as f64, heap as f64, name)
            }));
            heaps.push((first..first + size).collect::<Vec<_>>());
        }
        let takes = |&(heap, amount): &(usize, usize)| {
            let places: &Vec<usize> = &heaps[heap];
            [&[amount], places.as_slice()].concat()
        };
        let most = self.heaps.iter().copied().max().unwrap_or_default() + 1;
        let mut by_heap = vec![Vec::new(); self.heaps.len() * most];
        for take in &self.takes {
            by_heap[take.0 * most + take.1] = takes(take);
        }
        let own = Read::chosen(
            "take[#,#,#]",
            Effect::Take,
            "",
            &[0, most as i64, 1, 0, -(most as i64)],
        );
        let theirs = Read::named("m[#]", Effect::Take, "", &[0, 1, -1]);
        Scene {
            shape: Shape::Heaps,
            tokens: (0..places.len())
                .map(|place| (place, "•".to_owned()))
                .collect(),
            places,
            arrows: Vec::new(),
            reads: vec![
                own.by(by_heap),
                theirs.by(self.takes.iter().map(takes).collect()),
            ],
        }
    }

    fn program(&self) -> Result<Program, GameError> {
        nim::program(&self.heaps)
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let time = history.len() + 1;
        let (heap, amount) = self.takes[option];
        vec![match self.mover(history) {
            Quantifier::Exists => (format!("take[{time},{},{amount}]", heap + 1), 1),
            Quantifier::Forall => (format!("m[{time}]"), option as i64 + 1),
        }]
    }

    fn vocabulary(&self) -> Vocabulary {
        let largest = self.heaps.iter().copied().max().unwrap_or_default();
        let mut words = Vocabulary::of([("heaps", self.heaps.len()), ("largest", largest)]);
        for side in SIDES {
            for (option, &(heap, amount)) in self.takes.iter().enumerate() {
                words.act("take", side, option, [heap + 1, amount]);
            }
        }
        for (heap, &size) in (1..).zip(&self.heaps) {
            for left in 0..=size {
                words.may_hold("heap", [heap, left]);
            }
        }
        words
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let left = (1..).zip(self.left(history));
        left.map(|(heap, size)| Term::new("heap", [heap, size]))
            .collect()
    }
}
