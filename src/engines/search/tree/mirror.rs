//! Mirror images: positions that a symmetry of the program carries into each other are one.
//!
//! Where a symmetry maps the variables before a place to themselves, it maps a position there to a
//! position there: the sums change their places in the key, and nothing else changes. Of all
//! images of a position the one with the least key stands for all of them in the table. So the eight
//! images of a board are searched once.
//!
//! Symmetries are looked for when a search has shown itself long, since most programs have none.
//!
//! **Soundness.** A symmetry keeps systems, domains, objective and the order of blocks, so an image
//! is worth the same to go. A place between a number and the binaries that it names is left out:
//! there the number's values would have to be renamed in the key.

use crate::program::{Id, Program, VarId};
use crate::propagate::Inequalities;
use crate::symmetry::{Naming, Symmetry, namings, symmetries};

use super::layout::{CLIPPED, Layout};

/// The image that was taken of a position; none is the position itself.
pub(in crate::search) type Taken = Option<u32>;

/// The images at each place. See the module.
#[derive(Debug, Default)]
pub(in crate::search) struct Mirror {
    places: Vec<Vec<Image>>,
}

/// A symmetry as it acts on the keys of one place.
#[derive(Debug, PartialEq, Eq)]
struct Image {
    /// Which sum stands at each place of the image's key.
    order: Box<[Seat]>,
    moves: Moves,
}

/// A sum of the position and whether it counts with the other sign in the image.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Seat {
    at: u32,
    negated: bool,
}

impl Seat {
    #[inline]
    fn sum(self, sums: &[i64]) -> i64 {
        let sum = sums[self.at as usize];
        if self.negated && sum != CLIPPED {
            -sum
        } else {
            sum
        }
    }
}

/// What becomes of a value of the first variable behind the place.
#[derive(Debug, PartialEq, Eq)]
enum Moves {
    /// The variable stays itself.
    Kept,
    /// It becomes another one, whose value is not known.
    Lost,
    /// Its values are renamed: pairs of the value in the image and here.
    Renamed(Box<[(i64, i64)]>),
}

/// Entries of all images together; more would cost more memory than they save.
const MOST_ENTRIES: usize = 2 << 20;

/// Entries that are looked at for them.
const MOST_LOOKS: usize = 4 << 20;

impl Mirror {
    pub(in crate::search) fn new(
        program: &Program,
        inequalities: &Inequalities,
        layout: &Layout,
    ) -> Self {
        let symmetries = symmetries(program, inequalities);
        let namings = namings(program, inequalities);
        let (mut room, mut looks) = (MOST_ENTRIES, MOST_LOOKS);
        let mut places: Vec<Vec<Image>> = Vec::new();
        places.resize_with(layout.places(), Vec::new);
        let parted = parted(&namings, layout.places());
        for symmetry in &symmetries {
            for place in kept(symmetry) {
                if !layout.is_usable(place) || parted[place] {
                    continue;
                }
                let size = layout.open(place).len();
                let Some(left) = looks.checked_sub(size + 1) else {
                    return Self { places };
                };
                looks = left;
                let image = Image::new(symmetry, &namings, layout, place);
                if image.changes() && room >= size && !places[place].contains(&image) {
                    room -= size;
                    places[place].push(image);
                }
            }
        }
        Self { places }
    }

    /// The image of a position with the least key.
    pub(in crate::search) fn least(&self, place: usize, sums: &[i64]) -> Taken {
        let images = self.places.get(place)?;
        let mut best: Option<u32> = None;
        for (number, image) in (0..).zip(images) {
            let less = match best {
                None => image.seen(sums).lt(sums.iter().copied()),
                Some(best) => image.seen(sums).lt(images[best as usize].seen(sums)),
            };
            if less {
                best = Some(number);
            }
        }
        best
    }

    /// The sums of an image.
    pub(in crate::search) fn seen(
        &self,
        place: usize,
        taken: u32,
        sums: &[i64],
    ) -> impl Iterator<Item = i64> {
        self.places[place][taken as usize].seen(sums)
    }

    /// A value of the first variable in the image, as it is called here.
    pub(in crate::search) fn here(&self, place: usize, taken: Taken, value: i64) -> Option<i64> {
        self.renamed(place, taken, value, |(there, here)| (there, here))
    }

    /// A value of the first variable here, as it is called in the image.
    pub(in crate::search) fn there(&self, place: usize, taken: Taken, value: i64) -> Option<i64> {
        self.renamed(place, taken, value, |(there, here)| (here, there))
    }

    fn renamed(
        &self,
        place: usize,
        taken: Taken,
        value: i64,
        direction: fn((i64, i64)) -> (i64, i64),
    ) -> Option<i64> {
        let Some(taken) = taken else {
            return Some(value);
        };
        match &self.places[place][taken as usize].moves {
            Moves::Kept => Some(value),
            Moves::Lost => None,
            Moves::Renamed(pairs) => {
                let mut pairs = pairs.iter().map(|&pair| direction(pair));
                pairs.find(|pair| pair.0 == value).map(|pair| pair.1)
            }
        }
    }
}

impl Image {
    fn new(symmetry: &Symmetry, namings: &[Naming], layout: &Layout, place: usize) -> Self {
        let seats = layout.open(place).map(|open| {
            let image = symmetry.inequalities[open.id.index()];
            let (at, negated) = layout
                .seat(place, image)
                .expect("invariant: images are open");
            Seat {
                at: at as u32,
                negated: negated != open.negated,
            }
        });
        Self {
            order: seats.collect(),
            moves: Moves::of(symmetry, namings, VarId::new(place)),
        }
    }

    fn changes(&self) -> bool {
        let mut seats = (0..).zip(&*self.order);
        seats.any(|(at, seat)| seat.at != at || seat.negated)
    }

    /// The sums of the image of a position.
    fn seen(&self, sums: &[i64]) -> impl Iterator<Item = i64> {
        self.order.iter().map(|seat| seat.sum(sums))
    }
}

impl Moves {
    fn of(symmetry: &Symmetry, namings: &[Naming], var: VarId) -> Self {
        if symmetry.variables[var.index()] != var {
            return Self::Lost;
        }
        let Some(naming) = namings.iter().find(|naming| naming.number == var) else {
            return Self::Kept;
        };
        let renamed = naming.named.iter().map(|&(value, named)| {
            let image = naming.value_of(symmetry.variables[named.index()]);
            (value, image.expect("invariant: a naming is kept"))
        });
        Self::Renamed(renamed.collect())
    }
}

/// The places that stand between a number and a binary that it names.
fn parted(namings: &[Naming], places: usize) -> Vec<bool> {
    let mut parted = vec![false; places];
    for naming in namings {
        let last = naming.named.iter().map(|(_, named)| named.index()).max();
        let first = naming.number.index() + 1;
        parted[first..=last.unwrap_or(first)].fill(true);
    }
    parted
}

/// The places before which a symmetry maps the variables to themselves.
fn kept(symmetry: &Symmetry) -> impl Iterator<Item = usize> {
    let images = symmetry.variables.iter().enumerate();
    let ends = images.scan(0, |farthest, (var, image)| {
        *farthest = image.index().max(*farthest);
        Some((var + 1, *farthest))
    });
    let places = symmetry.variables.len();
    ends.filter(move |(place, farthest)| farthest < place && *place < places)
        .map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::super::legality::Legality;
    use super::super::position::Position;
    use super::*;
    use crate::budget::Budget;
    use crate::format::parse_qip;
    use crate::num::int;
    use crate::program::Bounds;
    use crate::search::worth::{Worth, shifted};
    use crate::search::{Search, Settings};

    /// Every choice of values of the first variables.
    fn beginnings(
        program: &Program,
        place: usize,
        store: &crate::propagate::Store,
    ) -> Vec<Vec<i64>> {
        let mut all = vec![Vec::new()];
        for var in program.variables().ids().take(place) {
            let values = store.lower(var)..=store.upper(var);
            let longer = |begun: Vec<i64>| {
                let with = move |value| begun.iter().copied().chain([value]).collect();
                values.clone().map(with).collect::<Vec<Vec<i64>>>()
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    /// What a beginning is worth, by a search without a table.
    fn plain(program: &Program, begun: &[i64]) -> Worth {
        let mut data = program.clone().into_data();
        for (variable, value) in data.variables.iter_mut().zip(begun) {
            variable.bounds = Bounds::between(int(*value), int(*value));
        }
        let fixed = Program::new(data).expect("fixing a variable keeps a program valid");
        let settings = Settings {
            table_bytes: 0,
            ..Settings::default()
        };
        let mut budget = Budget::unlimited();
        let mut search = Search::new(&fixed, &settings, &mut budget).expect("integers");
        search.root_worth().expect("nothing limits it")
    }

    /// Panics unless positions of one key are worth the same; tells how many keys are shared by images.
    fn shared_keys(text: &str) -> usize {
        let program = parse_qip(text).expect("the test's model is well formed");
        let inequalities = Arc::new(Inequalities::new(&program).expect("small numbers fit"));
        let legality = Legality::of(&program, &program.class());
        let new = || Position::new(&program, Arc::clone(&inequalities), legality, false);
        let layout = Layout::new(&program, &new().store);
        let mirror = Mirror::new(&program, &inequalities, &layout);
        let mut shared = 0;
        for place in 1..program.variables().len() {
            let mut known: HashMap<Vec<i64>, (Worth, Vec<i64>)> = HashMap::new();
            for begun in beginnings(&program, place, &new().store) {
                let mut position = new();
                for (var, &value) in program.variables().ids().zip(&begun) {
                    position.decide(var, value, value);
                }
                position.pass_fixed();
                let heads = inequalities.heads();
                let is_broken = |id| {
                    let last = inequalities.terms(id).last();
                    last.is_some_and(|last| last.at.index() < place)
                        && id != inequalities.objective()
                        && position.done(id) > heads[id].rhs
                };
                if heads.ids().any(is_broken) {
                    continue;
                }
                let sums: Vec<i64> = layout.sums(place, |id| position.done(id)).collect();
                let key = match mirror.least(place, &sums) {
                    Some(image) => mirror.seen(place, image, &sums).collect(),
                    None => sums.clone(),
                };
                let to_go = shifted(plain(&program, &begun), -position.spent());
                let (worth, first) = known.entry(key).or_insert((to_go, sums.clone()));
                assert_eq!(*worth, to_go, "{begun:?} at {place} in\n{text}");
                shared += usize::from(*first != sums);
            }
        }
        shared
    }

    #[test]
    fn a_sum_that_an_image_turns_round_changes_its_sign() {
        // Renaming (x, y), (v, w) and (p, q) together turns x - y round.
        let shared = shared_keys(
            "subject to
               up: x - y - 2 p <= 0
               down: y - x - 2 q <= 0
               free1: v + p <= 1
               free2: w + q <= 1
             prefix
               forall binary x y v w  exists binary p q
             end",
        );
        assert!(shared > 0);
    }

    #[test]
    fn between_a_number_and_what_it_names_there_is_no_image() {
        // The number names a1 or a2; s1 or s2 says that it is taken.
        let shared = shared_keys(
            "subject to
               first: m + a1 <= 2
               second: m - a2 >= 1
               one: a1 + a2 >= 1
               taken1: s1 + a1 <= 1
               taken2: s2 + a2 <= 1
             prefix
               forall binary s1 s2  forall integer m in [1, 2]  exists binary a1 a2
             end",
        );
        assert!(shared > 0);
    }
}
