//! Cubes that are kept: reasons of wins, asked when a position is entered.
//!
//! Each place of the prefix has its own short list, the cubes that served last in front. A full list
//! forgets the half that serves least.

use crate::propagate::{End, Literal, Store};

use super::worth::Worth;

/// Longer lists would cost more to read than they save.
const LONGEST_LIST: usize = 16;

/// Positions after so many moves in which the bounds hold are worth at most `most`.
#[derive(Clone, Debug)]
struct Cube {
    literals: Box<[Literal]>,
    most: Worth,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct CubeStore {
    places: Vec<Vec<Cube>>,
    longest: usize,
}

impl CubeStore {
    /// At most `capacity` cubes for each of the places.
    pub(super) fn new(places: usize, capacity: usize) -> Self {
        Self {
            places: vec![Vec::new(); places],
            longest: capacity.min(LONGEST_LIST),
        }
    }

    /// Keeps a cube; tells whether there is room for any.
    pub(super) fn keep(&mut self, place: usize, literals: &[Literal], most: Worth) -> bool {
        if self.longest == 0 {
            return false;
        }
        let list = &mut self.places[place];
        if list.len() >= self.longest {
            list.truncate(self.longest / 2);
        }
        let literals = literals.into();
        list.insert(0, Cube { literals, most });
        true
    }

    /// What the existential player is guaranteed at a place, if a cube says that it is at most
    /// `limit`, and the bounds that the cube leans on.
    pub(super) fn find(
        &mut self,
        place: usize,
        store: &Store,
        limit: Worth,
    ) -> Option<(Worth, &[Literal])> {
        let list = &mut self.places[place];
        let holds = |literal: &Literal| {
            literal.follows_from(match literal.end {
                End::Lower => store.lower(literal.var),
                End::Upper => store.upper(literal.var),
            })
        };
        let covers = |cube: &Cube| cube.most <= limit && cube.literals.iter().all(holds);
        let at = list.iter().position(covers)?;
        list[..=at].rotate_right(1);
        Some((list[0].most, &list[0].literals))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::format::parse_qip;
    use crate::program::{Id, VarId};
    use crate::propagate::Inequalities;

    fn store() -> Store {
        let program = parse_qip(
            "subject to x0 + x1 + x2 <= 3
             prefix forall binary x0 x1  exists binary x2 end",
        );
        let program = program.expect("the test's model is well formed");
        let inequalities = Arc::new(Inequalities::new(&program).expect("small numbers fit"));
        Store::new(&program, inequalities, true)
    }

    fn at_most(place: usize, value: i64) -> Literal {
        Literal {
            var: VarId::new(place),
            end: End::Upper,
            value,
        }
    }

    #[test]
    fn a_cube_speaks_where_its_bounds_hold_and_its_cost_is_low_enough() {
        let mut store = store();
        let mut cubes = CubeStore::new(3, 10);
        assert!(cubes.keep(1, &[at_most(0, 0)], 5));
        assert!(cubes.find(1, &store, 5).is_none());
        store.narrow(VarId::new(0), 0, 0);
        assert!(cubes.find(1, &store, 4).is_none());
        assert!(cubes.find(2, &store, 5).is_none());
        assert_eq!(cubes.find(1, &store, 6).map(|found| found.0), Some(5));
    }

    #[test]
    fn a_full_list_forgets_what_did_not_serve() {
        let store = store();
        let mut cubes = CubeStore::new(3, 4);
        for most in [9, 8, 7, 6] {
            assert!(cubes.keep(1, &[], most));
        }
        // Only the third of the list is low enough for nobody else: it moves to the front.
        assert_eq!(cubes.find(1, &store, 6).map(|found| found.0), Some(6));
        assert!(cubes.keep(1, &[at_most(0, 0)], 1));
        let left: Vec<Worth> = cubes.places[1].iter().map(|cube| cube.most).collect();
        assert_eq!(left, [1, 6, 7]);
        assert!(!CubeStore::new(3, 0).keep(1, &[], 1));
    }
}
