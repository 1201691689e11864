//! What the universal player may do in one of his blocks, as far as it can be worst.
//!
//! What the existential player has to pay is convex in the values of a block of universal
//! variables, because everything he decides after it is real. So it is largest at a corner of what
//! is allowed there, and no other value needs to be tried.

use num_traits::{Signed, Zero};

use crate::num::Rational;
use crate::program::VarId;

/// The corners of one universal block.
#[derive(Clone, Debug)]
pub(super) struct Corners {
    variables: Vec<VarId>,
    set: Set,
}

#[derive(Clone, Debug)]
enum Set {
    /// Every combination of the ends of each variable; one end where they agree or where the
    /// other is never worse.
    Box(Vec<Vec<Rational>>),
    /// These points.
    Listed(Vec<Vec<Rational>>),
}

impl Corners {
    /// The block that has no variables: there is one way to pass it.
    pub fn none() -> Self {
        Self::of_box(Vec::new())
    }

    /// The corners of a box.
    pub fn of_box(ends: Vec<(VarId, Vec<Rational>)>) -> Self {
        let (variables, ends) = ends.into_iter().unzip();
        Self {
            variables,
            set: Set::Box(ends),
        }
    }

    /// The corners that are listed, each with a value for every variable.
    pub fn listed(variables: Vec<VarId>, points: Vec<Vec<Rational>>) -> Self {
        Self {
            variables,
            set: Set::Listed(points),
        }
    }

    /// The variables of the block.
    pub fn variables(&self) -> &[VarId] {
        &self.variables
    }

    /// How many corners there are; `None` beyond what can be counted.
    pub fn count(&self) -> Option<u64> {
        match &self.set {
            Set::Box(ends) => ends
                .iter()
                .try_fold(1u64, |count, ends| count.checked_mul(ends.len() as u64)),
            Set::Listed(points) => Some(points.len() as u64),
        }
    }

    /// The values of a corner, in the order of the variables.
    pub fn values(&self, number: u64) -> Vec<Rational> {
        match &self.set {
            Set::Box(ends) => {
                let mut rest = number;
                let pick = |ends: &Vec<Rational>| {
                    let place = rest % ends.len() as u64;
                    rest /= ends.len() as u64;
                    ends[place as usize].clone()
                };
                ends.iter().map(pick).collect()
            }
            Set::Listed(points) => points[number as usize].clone(),
        }
    }

    /// The corner where `Σ factor · variable` is largest, for factors in the order of the variables,
    /// and how large it is.
    pub fn worst(&self, factors: &[Rational]) -> (Vec<Rational>, Rational) {
        match &self.set {
            Set::Box(ends) => {
                let worst = |(factor, ends): (&Rational, &Vec<Rational>)| {
                    let end = if factor.is_positive() {
                        ends.last()
                    } else {
                        ends.first()
                    };
                    end.cloned().unwrap_or_else(Rational::zero)
                };
                let corner: Vec<Rational> = factors.iter().zip(ends).map(worst).collect();
                let counted = factors.iter().zip(&corner);
                let counted = counted.filter(|(factor, _)| !factor.is_zero());
                let sum = counted.map(|(factor, end)| factor * end).sum();
                (corner, sum)
            }
            Set::Listed(points) => {
                let sums = points.iter().map(|point| {
                    let products = factors.iter().zip(point);
                    let sum: Rational = products.map(|(factor, value)| factor * value).sum();
                    (point, sum)
                });
                let worst = sums.max_by(|left, right| left.1.cmp(&right.1));
                worst.map_or_else(Default::default, |(point, sum)| (point.clone(), sum))
            }
        }
    }

    /// The largest `Σ factor · variable` over the corners.
    pub fn highest(&self, factors: &[Rational]) -> Rational {
        self.worst(factors).1
    }

    /// The values of a variable among the corners, if the corners are those of a box.
    pub fn ends(&self, variable: VarId) -> Option<&[Rational]> {
        let Set::Box(ends) = &self.set else {
            return None;
        };
        let place = self.variables.iter().position(|other| *other == variable);
        place.map(|place| ends[place].as_slice())
    }

    /// Keeps one end of a variable, because the other is never worse.
    pub fn keep_end(&mut self, variable: VarId, upper: bool) {
        let Set::Box(ends) = &mut self.set else {
            return;
        };
        let place = self.variables.iter().position(|other| *other == variable);
        if let Some(ends) = place.map(|place| &mut ends[place])
            && ends.len() == 2
        {
            ends.remove(usize::from(!upper));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::int;
    use crate::program::Id;

    fn square() -> Corners {
        let ends = |place| (VarId::new(place), vec![int(-1), int(2)]);
        Corners::of_box(vec![ends(0), ends(1)])
    }

    #[test]
    fn a_box_has_every_combination_of_its_ends() {
        let corners = square();
        let all: Vec<_> = (0..4).map(|number| corners.values(number)).collect();
        assert_eq!(corners.count(), Some(4));
        assert_eq!(all[1], [int(2), int(-1)]);
        assert_eq!(all[3], [int(2), int(2)]);
        assert_eq!(corners.highest(&[int(-3), int(1)]), int(5));
    }

    #[test]
    fn a_kept_end_leaves_half_of_the_corners() {
        let mut corners = square();
        corners.keep_end(VarId::new(1), true);
        assert_eq!(corners.count(), Some(2));
        assert_eq!(corners.values(0), [int(-1), int(2)]);
        corners.keep_end(VarId::new(0), false);
        assert_eq!(corners.values(0), [int(-1), int(2)]);
    }

    #[test]
    fn listed_points_are_the_corners() {
        let points = vec![vec![int(0), int(1)], vec![int(2), int(0)]];
        let corners = Corners::listed(vec![VarId::new(0), VarId::new(1)], points);
        assert_eq!(corners.highest(&[int(1), int(1)]), int(2));
        assert_eq!(corners.count(), Some(2));
    }
}
