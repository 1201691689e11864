//! Parts of a plan that answer other positions as well.
//!
//! A plan keeps its owner's rows as long as the moves before leave enough room in each, and its
//! proofs hold as long as they fill the opponent's rows that these lean on. So each part of a plan
//! carries what it *needs*: for some rows of the owner the largest sum before it, for some of the
//! opponent the smallest. A position that meets the needs of a part that is there already is
//! answered by it and not walked through. These are the demands that the checker computes.
//!
//! Measured on public instances (positions of the walks, before and now): 237,000 and 2,300,
//! 76,000 and 5,300, 35,000 and 4,600 on artificial ones, 28,000 and 1,600 or 47,000 and 42,000 on
//! interdiction; a third less on lot-sizing and knapsacks. Certificates shrink alike.
//!
//! **Invariant:** a part that is taken over keeps the target from the present position.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::extract::{Built, Extraction};
use super::needs::Needs;
use super::past::{PastId, Pasts, Rooms};
use crate::search::worth::Worth;

/// How many parts are looked at for one position, beside one with the same residuals: at first, at
/// least and at most. Where looks help there are more of them: a refutation of 78,000 nodes with
/// twelve looks everywhere has 28,000.
const LOOKS: usize = 64;
const LEAST_LOOKS: usize = 12;
const MOST_LOOKS: usize = 200;

/// The parts that may be taken over.
pub(in crate::search) struct Reuse {
    /// For each place.
    shelves: Vec<Shelf>,
    /// The part that was built last for residuals of this hash. Hashes only find it: like every
    /// other part it answers what meets its needs.
    same: FxHashMap<u64, Built>,
    rooms: Rooms,
}

/// The parts of one place, those that were useful last at the end.
#[derive(Clone)]
struct Shelf {
    parts: Vec<Offer>,
    looks: usize,
}

/// A part, and the need that was not met when it was looked at last. That one is asked first, which
/// spares most looks the others.
#[derive(Copy, Clone)]
struct Offer {
    part: Built,
    doubt: (PastId, i64),
}

impl Reuse {
    /// Nothing to take over yet, in a prefix of so many variables.
    pub fn new(variables: usize) -> Self {
        let empty = Shelf {
            parts: Vec::new(),
            looks: LOOKS,
        };
        Self {
            shelves: vec![empty; variables + 1],
            same: FxHashMap::default(),
            rooms: Vec::new(),
        }
    }

    pub fn add(&mut self, rooms: &[(PastId, i64)]) -> Needs {
        let from = self.rooms.len() as u32;
        self.rooms.extend_from_slice(rooms);
        Needs {
            from,
            to: self.rooms.len() as u32,
        }
    }

    /// The same needs as others, if they are.
    pub fn add_unless(&mut self, rooms: &[(PastId, i64)], known: Needs) -> Needs {
        match self.rooms(known) == rooms {
            true => known,
            false => self.add(rooms),
        }
    }

    pub fn rooms(&self, needs: Needs) -> &[(PastId, i64)] {
        &self.rooms[needs.from as usize..needs.to as usize]
    }

    /// A part on the shelf of a place that fits and whose needs are met.
    fn find(&mut self, place: usize, pasts: &Pasts, fits: impl Fn(Worth) -> bool) -> Option<Built> {
        let shelf = &mut self.shelves[place];
        let looks = shelf.parts.iter_mut().rev().take(shelf.looks);
        let found = { looks }.position(|offer| {
            if !fits(offer.part.to_go) || !pasts.keeps(offer.doubt) {
                return false;
            }
            let Needs { from, to } = offer.part.needs;
            let mut rooms = self.rooms[from as usize..to as usize].iter();
            let unmet = rooms.find(|room| !pasts.keeps(**room));
            offer.doubt = unmet.copied().unwrap_or(offer.doubt);
            unmet.is_none()
        });
        let Some(found) = found else {
            shelf.looks = LEAST_LOOKS.max(shelf.looks - 1);
            return None;
        };
        shelf.looks = MOST_LOOKS.min(shelf.looks + 16);
        let last = shelf.parts.len() - 1;
        shelf.parts.swap(last - found, last);
        shelf.parts.last().map(|offer| offer.part)
    }
}

impl Extraction<'_, '_> {
    /// A part of the plan that answers the present position as well; `hash` is that of what the
    /// position leaves of the rows.
    pub(in crate::search) fn taken_over(&mut self, hash: Option<u64>) -> Option<Built> {
        let same = hash.and_then(|hash| self.reuse.same.get(&hash));
        if let Some(part) = same.filter(|part| self.answers_here(part)) {
            return Some(*part);
        }
        let fits = self.fitting();
        self.reuse.find(self.place, &self.pasts, fits)
    }

    /// Whether a part of the present place answers the present position.
    pub(in crate::search) fn answers_here(&self, part: &Built) -> bool {
        let mut needs = self.reuse.rooms(part.needs).iter();
        self.fits(part.to_go) && needs.all(|room| self.pasts.keeps(*room))
    }

    /// Lets later positions take a part over that was built for the present one.
    pub(in crate::search) fn share(&mut self, built: Built, hash: Option<u64>) -> Built {
        let doubt = (PastId::NOTHING, 0);
        let offer = Offer { part: built, doubt };
        self.reuse.shelves[self.place].parts.push(offer);
        if let Some(hash) = hash {
            self.reuse.same.insert(hash, built);
        }
        built
    }

    /// A hash of what the present position leaves of the rows, where positions have keys.
    pub(in crate::search) fn hash(&self) -> Option<u64> {
        let layout = &self.search.layout;
        layout.is_usable(self.place).then(|| {
            let mut hasher = FxHasher::default();
            hasher.write_usize(self.place);
            for sum in layout.sums(self.place, |id| self.sums[id]) {
                hasher.write_i64(sum);
            }
            hasher.finish()
        })
    }
}
