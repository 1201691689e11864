//! History: a value that refuted the opponent in one place often does so in another.
//!
//! For each variable the value that last cut a position off is remembered and tried first where
//! the table knows nothing better. The few values of a universal variable are counted besides: where
//! the first one fails, the others follow in the order of what they have refuted so far. Only the
//! order of moves hangs on it.

use crate::program::{IdVec, Program, Quantifier, VarId};

/// What has refuted the opponent before.
#[derive(Debug)]
pub(in crate::search) struct History {
    last: IdVec<VarId, Option<i64>>,
    counts: IdVec<VarId, Option<Counts>>,
}

/// How often each value of a variable has refuted.
#[derive(Debug)]
struct Counts {
    least: i64,
    of: Box<[u32]>,
}

/// Variables with more values are not counted.
const FEW: i64 = 64;

/// A count that reaches this halves all counts of its variable, so that old ones fade.
const FADE: u32 = 1 << 12;

impl History {
    pub(in crate::search) fn new(program: &Program, bounds: impl Fn(VarId) -> (i64, i64)) -> Self {
        let ids = program.variables().ids();
        let counts = ids.map(|var| {
            let universal = program.variables()[var].quantifier == Quantifier::Forall;
            let (least, most) = bounds(var);
            let few = universal && most - least >= 2 && most - least < FEW;
            few.then(|| Counts {
                least,
                of: vec![0; (most - least + 1) as usize].into(),
            })
        });
        Self {
            last: IdVec::filled(program.variables().len(), None),
            counts: IdVec::from_vec(counts.collect()),
        }
    }

    pub(in crate::search) fn remember(&mut self, var: VarId, value: i64) {
        self.last[var] = Some(value);
        if let Some(counts) = &mut self.counts[var] {
            let count = &mut counts.of[(value - counts.least) as usize];
            *count += 1;
            if *count >= FADE {
                counts.of.iter_mut().for_each(|count| *count /= 2);
            }
        }
    }

    pub(in crate::search) fn value(&self, var: VarId) -> Option<i64> {
        self.last[var]
    }

    /// How often a value has refuted, for variables whose values are counted.
    pub(in crate::search) fn count(&self, var: VarId) -> Option<impl Fn(i64) -> u32> {
        let counts = self.counts[var].as_ref()?;
        Some(|value| counts.of[(value - counts.least) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::program::Id;

    #[test]
    fn what_has_refuted_often_stays_ahead_until_it_fades() {
        let program = parse_qip(
            "subject to r: x + y <= u + 9
             prefix forall integer u in [1, 3]  exists integer x in [0, 3]  exists binary y end",
        );
        let program = program.expect("the test's model is well formed");
        let mut history = History::new(
            &program,
            |var| if var.index() == 0 { (1, 3) } else { (0, 1) },
        );
        let [u, x] = [0, 1].map(VarId::new);
        for value in [2, 2, 3] {
            history.remember(u, value);
            history.remember(x, 1);
        }
        assert_eq!(history.value(u), Some(3));
        let counts = |history: &History| {
            let count = history.count(u).expect("few values are counted");
            [1, 2, 3].map(count)
        };
        assert_eq!(counts(&history), [0, 2, 1]);
        assert!(
            history.count(x).is_none(),
            "existential values are not counted"
        );
        for _ in 1..FADE {
            history.remember(u, 3);
        }
        assert_eq!(counts(&history), [0, 1, FADE / 2]);
    }
}
