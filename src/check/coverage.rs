//! Ranges of values that follow one another.

use super::view::Place;
use crate::num::{Rational, int, parse_rational};
use crate::program::{Bounds, Kind};

/// Whether ranges follow one another through a domain.
pub(super) struct Coverage<'v> {
    place: &'v Place,
    reached: Option<Rational>,
    complete: bool,
}

impl<'v> Coverage<'v> {
    pub fn new(place: &'v Place) -> Self {
        Self {
            place,
            reached: None,
            complete: false,
        }
    }

    /// The range that a word spells, if it follows: `any`, `5` or `2..4`.
    pub fn next(&mut self, word: &str) -> Option<Bounds> {
        let domain = &self.place.domain;
        if self.complete {
            return None;
        }
        if word == "any" {
            self.complete = true;
            return self.reached.is_none().then(|| domain.clone());
        }
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        let from = parse_rational(from).ok()?;
        let to = parse_rational(to).ok()?;
        let whole = self.place.kind == Kind::Integer;
        let due = match &self.reached {
            None => domain.lower.clone()?,
            Some(reached) if whole => reached + int(1),
            Some(reached) => reached.clone(),
        };
        let fits = from == due && from <= to && (!whole || to.is_integer());
        let upper = domain.upper.as_ref()?;
        if !fits || to > *upper {
            return None;
        }
        self.complete = to == *upper;
        self.reached = Some(to.clone());
        Some(Bounds::between(from, to))
    }

    pub fn is_complete(&self) -> bool {
        self.complete
    }
}
