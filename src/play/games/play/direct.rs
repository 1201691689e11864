//! The direct search of a game: best play by the referee's rules alone, without any program.
//!
//! Every position is looked at once: positions in which the same holds and the same side moves are one.

use rustc_hash::FxHashMap;

use super::{End, Rules, Term};
use crate::program::Quantifier;

/// Best play from a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Direct {
    /// How the game ends when both sides play well.
    pub end: End,
    /// How many positions were looked at.
    pub positions: usize,
}

/// Searches a game from the position after `history`.
///
/// ```
/// use quip::games::family;
/// use quip::games::play::{End, direct};
/// let nim = family("nim").unwrap().rules(&[("heaps", "1,2,3")])?;
/// let found = direct(&*nim, &[]);
/// assert_eq!(found.end, End::Second);
/// assert!(found.positions <= 48);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn direct(rules: &dyn Rules, history: &[usize]) -> Direct {
    let mut search = Search {
        rules,
        known: FxHashMap::default(),
    };
    let end = search.best(&mut history.to_vec());
    Direct {
        end,
        positions: search.known.len(),
    }
}

struct Search<'r> {
    rules: &'r dyn Rules,
    known: FxHashMap<(Quantifier, Vec<Term>), End>,
}

impl Search<'_> {
    fn best(&mut self, history: &mut Vec<usize>) -> End {
        let mover = self.rules.mover(history);
        let key = (mover, self.rules.facts(history));
        if let Some(&end) = self.known.get(&key) {
            return end;
        }
        let end = match self.rules.end(history) {
            Some(end) => end,
            None => self.choice(mover, history),
        };
        self.known.insert(key, end);
        end
    }

    fn choice(&mut self, mover: Quantifier, history: &mut Vec<usize>) -> End {
        let (wish, fear) = match mover {
            Quantifier::Exists => (End::First, End::Second),
            Quantifier::Forall => (End::Second, End::First),
        };
        let mut best = fear;
        for option in self.rules.options(history) {
            history.push(option);
            let end = self.best(history);
            history.pop();
            if end == wish {
                return end;
            }
            if end == End::Tie {
                best = end;
            }
        }
        best
    }
}
