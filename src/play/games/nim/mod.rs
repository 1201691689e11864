//! Nim: players take any number of stones from one heap in turns; who cannot, loses.
//!
//! Player 1 is existential and moves first; the program is feasible if and only if he wins, that is,
//! if the exclusive or of the heaps is not zero. `s[t,h]` is what heap `h` has after move `t`,
//! `take[t,h,a]` says that move `t` takes `a` from it. Player 2 names a move by a number; a move that is
//! not there is replaced by one of player 1's choice; when all heaps are empty at his turn, the game is
//! `over` and player 1 has won.

pub mod referee;

use crate::games::GameError;
use crate::games::choice::announced;
use crate::model::{Compare, Expr, Model, Var, row, sum};
use crate::program::Program;

/// The most stones a program is built for.
pub const MOST_STONES: usize = 24;

/// The program for the given heaps.
///
/// ```
/// use quip::games::nim;
/// assert!(nim::program(&[1, 2, 3])?.variables().len() > 50);
/// assert!(nim::program(&[100]).is_err());
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn program(heaps: &[usize]) -> Result<Program, GameError> {
    let total = heaps
        .iter()
        .try_fold(0_usize, |total, &heap| total.checked_add(heap));
    if heaps.is_empty() || total.is_none_or(|total| total > MOST_STONES) {
        let message =
            format!("there are one or more heaps of at most {MOST_STONES} stones together");
        return Err(GameError::parameter("heaps", message));
    }
    let mut encoding = Encoding {
        model: Model::new(),
        heaps,
        sizes: heaps.iter().map(|&heap| Expr::from(heap)).collect(),
        over: Vec::new(),
    };
    // One move more than stones: whoever has to make it has lost.
    for time in 1..=total.unwrap_or_default() + 1 {
        encoding.make(time);
    }
    encoding.finish();
    Ok(encoding.model.build()?)
}

struct Encoding<'h> {
    model: Model,
    heaps: &'h [usize],
    /// What is left, by the moves built so far.
    sizes: Vec<Expr>,
    over: Vec<Var>,
}

impl Encoding<'_> {
    fn options(&self) -> Vec<(usize, usize)> {
        let of_heap = |(heap, &size): (usize, &usize)| (1..=size).map(move |amount| (heap, amount));
        self.heaps.iter().enumerate().flat_map(of_heap).collect()
    }

    fn make(&mut self, time: usize) {
        let options = self.options();
        let label = |name: &str, option: (usize, usize)| {
            format!("{name}[{time},{},{}]", option.0 + 1, option.1)
        };
        let mut named = Vec::new();
        if time.is_multiple_of(2) && !options.is_empty() {
            let aims = announced(
                &mut self.model,
                format!("m[{time}]"),
                options.len(),
                |place| label("aim", options[place]),
            );
            for (&option, aim) in options.iter().zip(aims) {
                named.push((aim, self.void(label("void", option), option, aim)));
            }
        }
        if time.is_multiple_of(2) {
            self.note_end(time);
        }
        let over = sum(&self.over);
        let mut stage = self.model.exists();
        let takes: Vec<Var> = options
            .iter()
            .map(|&option| stage.binary(label("take", option)))
            .collect();
        self.model.rows("move").add((sum(&takes) + &over).equals(1));
        for ((aim, void), &take) in named.into_iter().zip(&takes) {
            self.model
                .rows("obey")
                .add(row!(take >= aim - void - &over));
        }
        self.shrink(time, &options, &takes);
    }

    /// A move may be ignored if the heap is too small for it.
    fn void(&mut self, name: String, option: (usize, usize), aim: Var) -> Var {
        let (heap, amount) = option;
        let void = self.model.exists().binary(name);
        let largest = self.heaps[heap];
        let slack = largest + 1 - amount;
        let size = &self.sizes[heap];
        self.model
            .rows("void")
            .add(row!(void <= aim))
            .add(row!(size + slack * void <= largest));
        void
    }

    /// Player 2 to move, and nothing left.
    fn note_end(&mut self, time: usize) {
        let over = self.model.exists().binary(format!("over[{time}]"));
        let earlier = sum(&self.over);
        for (&largest, size) in self.heaps.iter().zip(&self.sizes) {
            self.model
                .rows("over")
                .add(row!(size + largest * over <= largest));
        }
        self.model.rows("over").add((over + earlier).leq(1));
        self.over.push(over);
    }

    fn shrink(&mut self, time: usize, options: &[(usize, usize)], takes: &[Var]) {
        for (heap, &largest) in self.heaps.iter().enumerate() {
            let name = format!("s[{time},{}]", heap + 1);
            let size = self.model.exists().integer(name, 0..=largest);
            let mut before = self.sizes[heap].clone();
            for (&(of, amount), &take) in options.iter().zip(takes) {
                if of == heap {
                    before.add_term(-(amount as i64), take);
                }
            }
            self.model.rows("heap").add(row!(size == before));
            self.sizes[heap] = Expr::from(size);
        }
    }

    /// The last move built cannot be made: player 2 must have been stuck by then.
    fn finish(&mut self) {
        let row = sum(&self.over).geq(1);
        self.model.rows("over").add(row);
    }
}
