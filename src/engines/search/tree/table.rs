//! Residual transpositions: two prefixes that leave the same future are searched once.
//!
//! What is still to come depends on the variables that are fixed only through what they leave of
//! each right-hand side; `layout.rs` has what a key consists of. For games this is the transposition
//! table, for inventory models it is the stock level of dynamic programming.
//!
//! Keys are bytes: most sums are small and take one each.
//!
//! **Invariant:** entries are compared exactly, hashes only find them. Worths are costs to go.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::layout::CLIPPED;
use crate::search::worth::{LOST, WON, Worth};

/// What stands in a key for a sum that does not matter any more; no number is written like this.
const SATISFIED: u8 = 0;

/// Appends the key of a position after `passed` variables that leaves these sums.
pub fn write_key(passed: usize, sums: impl Iterator<Item = i64>, key: &mut Vec<u8>) {
    write_number(passed as i64, key);
    for sum in sums {
        if sum == CLIPPED {
            key.push(SATISFIED);
        } else {
            write_number(sum, key);
        }
    }
}

/// Appends a number in a form that tells where it ends: seven bits a byte, the sign in the lowest.
#[inline]
fn write_number(number: i64, key: &mut Vec<u8>) {
    // Sums stay far below the ends of the type, so that neither step can wrap.
    let mut rest = ((number << 1) ^ (number >> 63)) as u64 + 1;
    while rest > 0x7f {
        key.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    key.push(rest as u8);
}

/// What is known of a position: its worth lies in `lower ..= upper`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Proved lower bound.
    pub lower: Worth,
    /// Proved upper bound.
    pub upper: Worth,
    /// The value of the next variable that was best when the position was last searched.
    pub best: Option<i64>,
}

impl Known {
    const NOTHING: Self = Self {
        lower: WON,
        upper: LOST,
        best: None,
    };
}

#[derive(Debug)]
struct Entry {
    known: Known,
    first: usize,
    length: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
struct Generation {
    heads: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    keys: Vec<u8>,
}

impl Generation {
    fn find(&self, hash: u64, key: &[u8]) -> Option<usize> {
        let mut place = *self.heads.get(&hash)?;
        while place != NONE {
            let entry = &self.entries[place as usize];
            if &self.keys[entry.first..entry.first + entry.length as usize] == key {
                return Some(place as usize);
            }
            place = entry.next;
        }
        None
    }

    fn insert(&mut self, hash: u64, key: &[u8], known: Known) {
        let place = self.entries.len() as u32;
        let next = self.heads.insert(hash, place).unwrap_or(NONE);
        let first = self.keys.len();
        self.keys.extend_from_slice(key);
        self.entries.push(Entry {
            known,
            first,
            length: key.len() as u32,
            next,
        });
    }

    fn bytes(&self) -> usize {
        let head = size_of::<(u64, u32)>() + 8;
        self.entries.len() * (size_of::<Entry>() + head) + self.keys.len()
    }

    fn clear(&mut self) {
        self.heads.clear();
        self.entries.clear();
        self.keys.clear();
    }
}

/// The table: two generations, the older of which is dropped when the younger is full. What is
/// looked up in time moves to the younger one, so that useful entries stay.
#[derive(Debug)]
pub struct Table {
    young: Generation,
    old: Generation,
    bytes_per_generation: usize,
}

impl Table {
    /// A table that uses at most about `bytes`.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            young: Generation::default(),
            old: Generation::default(),
            bytes_per_generation: bytes / 2,
        }
    }

    /// What is known of the position with this key.
    pub fn look_up(&mut self, key: &[u8]) -> Option<Known> {
        let hash = hash(key);
        if let Some(place) = self.young.find(hash, key) {
            return Some(self.young.entries[place].known);
        }
        let place = self.old.find(hash, key)?;
        let known = self.old.entries[place].known;
        self.insert(hash, key, known);
        Some(known)
    }

    /// Adds knowledge: bounds only ever get tighter.
    pub fn record(&mut self, key: &[u8], lower: Worth, upper: Worth, best: Option<i64>) {
        let hash = hash(key);
        let place = self.young.find(hash, key);
        let before = place.map_or(Known::NOTHING, |place| self.young.entries[place].known);
        let known = Known {
            lower: before.lower.max(lower),
            upper: before.upper.min(upper),
            best: best.or(before.best),
        };
        debug_assert!(
            known.lower <= known.upper,
            "invariant: proved bounds do not cross"
        );
        match place {
            Some(place) => self.young.entries[place].known = known,
            None => self.insert(hash, key, known),
        }
    }

    fn insert(&mut self, hash: u64, key: &[u8], known: Known) {
        if self.young.bytes() >= self.bytes_per_generation {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
        }
        self.young.insert(hash, key, known);
    }
}

fn hash(key: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_only_gets_tighter() {
        let mut table = Table::with_capacity(1 << 20);
        table.record(&[1, 2], WON, 7, Some(1));
        table.record(&[1, 2], 3, LOST, None);
        assert_eq!(
            table.look_up(&[1, 2]),
            Some(Known {
                lower: 3,
                upper: 7,
                best: Some(1)
            })
        );
        assert_eq!(table.look_up(&[1, 3]), None);
    }

    #[test]
    fn a_tiny_table_forgets_but_never_confuses() {
        let mut table = Table::with_capacity(1);
        let key = |part: i64| {
            let mut key = Vec::new();
            write_number(part, &mut key);
            key
        };
        for part in 0..1000 {
            table.record(&key(part), part, part, None);
            if let Some(known) = table.look_up(&key(part - 1)) {
                assert_eq!(known.lower, part - 1);
            }
        }
        assert_eq!(table.look_up(&key(0)), None);
    }

    #[test]
    fn different_numbers_are_written_differently() {
        let numbers = (-300..300).chain([i64::MAX / 4, -i64::MAX / 4, 1 << 40]);
        let mut seen = std::collections::HashSet::new();
        for number in numbers {
            let mut key = Vec::new();
            write_number(number, &mut key);
            assert_ne!(key[0], SATISFIED);
            assert!(key[..key.len() - 1].iter().all(|byte| byte & 0x80 != 0));
            assert_eq!(key[key.len() - 1] & 0x80, 0);
            assert!(seen.insert(key), "{number}");
        }
    }
}
