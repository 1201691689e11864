//! Values that suffice for real moves under any rows: the roots of walls.
//!
//! Let the rows and ends of a group of real universal variables be hyperplanes over them, and take
//! the last variable away: what is left are the hyperplanes without it, and for any two with it the
//! one over the others on which both want the same value of it. So on, variable by variable, to the
//! first (Fourier's elimination, with all pairs).
//!
//! *Claim.* Where everything decided later is real, only values matter that are the *root* of such a
//! hyperplane after what was played before. *Why:* suppose the value of the rest is convex, jointly
//! with the decisions, on each cell that the hyperplanes up to a variable leave (after the last
//! variable it is, the rest being a linear program). Along that variable the cells are intervals between
//! roots, so the worst value is a root. On a cell of the hyperplanes without the variable no two roots
//! change their order and none leaves what is legal; each is an affine function there, and the value of the
//! rest, a largest of convex functions of affine ones, is convex on it; decisions keep that.
//!
//! **Invariant:** a play of roots that keeps the rows is a legal play, and the worst ones are among them.

use num_traits::{Signed, Zero};
use rustc_hash::FxHashSet;

use super::super::stages::Stages;
use super::{Group, ends};
use crate::num::Rational;
use crate::program::Kind;

/// Walls of a group at most; others are for models that are stated differently.
const MOST: usize = 300;

/// `Σ by · u + constant = 0` over numbers of universal variables, the last one scaled to one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wall {
    by: Vec<(usize, Rational)>,
    constant: Rational,
}

impl Wall {
    /// `None` if no variable is in it.
    fn new(mut by: Vec<(usize, Rational)>, constant: Rational) -> Option<Self> {
        by.retain(|(_, by)| !by.is_zero());
        let (_, scale) = by.last()?.clone();
        for (_, by) in &mut by {
            *by /= &scale;
        }
        Some(Self {
            by,
            constant: constant / scale,
        })
    }

    /// The value of its last variable after these.
    fn root(&self, play: &[Rational]) -> Rational {
        let others = &self.by[..self.by.len() - 1];
        let sum: Rational = others.iter().map(|(at, by)| by * &play[*at]).sum();
        -(sum + &self.constant)
    }

    /// Where two walls with one last variable want the same value of it.
    fn meet(&self, other: &Self) -> Option<Self> {
        let mut by = self.by[..self.by.len() - 1].to_vec();
        for (at, less) in &other.by[..other.by.len() - 1] {
            match by.iter_mut().find(|(own, _)| own == at) {
                Some((_, own)) => *own -= less,
                None => by.push((*at, -less)),
            }
        }
        by.sort_by_key(|(at, _)| *at);
        Self::new(by, &self.constant - &other.constant)
    }
}

/// For each member of a group its walls, or why there are none.
pub(super) fn walls(stages: &Stages<'_>, group: &Group) -> Result<Vec<(usize, Vec<Wall>)>, String> {
    let program = stages.program;
    let variable = |number: usize| &program.variables()[stages.universals[number]];
    let mut range = Vec::new();
    let mut open: FxHashSet<Wall> = FxHashSet::default();
    for &number in &group.members {
        let name = &variable(number).name;
        if variable(number).kind == Kind::Integer {
            return Err(format!(
                "a universal row ties reals to the integer `{name}`"
            ));
        }
        let (Some(lower), Some(upper)) = ends(program, stages.universals[number]) else {
            return Err(format!("variable `{name}` has no end"));
        };
        for end in [&lower, &upper] {
            open.extend(Wall::new(
                vec![(number, Rational::from_integer(1.into()))],
                -end,
            ));
        }
        range.push((number, lower, upper));
    }
    for &id in &group.rows {
        let row = &program.universal_rows()[id];
        let mut by = Vec::new();
        for (var, factor) in &row.terms {
            let number = stages.seen[*var];
            if !group.members.contains(&number) {
                let name = &program.variables()[*var].name;
                return Err(format!("a universal row ties reals to `{name}`"));
            }
            by.push((number, factor.clone()));
        }
        by.sort_by_key(|(at, _)| *at);
        for side in row.lower.iter().chain(&row.upper) {
            open.extend(Wall::new(by.clone(), -side));
        }
    }
    // Walls that do not cut the box are none.
    let cuts = |wall: &Wall| {
        let (mut least, mut most) = (wall.constant.clone(), wall.constant.clone());
        for (at, by) in &wall.by {
            let own = range.iter().find(|(number, ..)| number == at);
            if let Some((_, lower, upper)) = own {
                let (low, up) = match by.is_positive() {
                    true => (lower, upper),
                    false => (upper, lower),
                };
                least += by * low;
                most += by * up;
            }
        }
        !least.is_positive() && !most.is_negative()
    };
    let mut all = Vec::new();
    for &number in group.members.iter().rev() {
        let is_last = |wall: &Wall| wall.by.last().is_some_and(|(at, _)| *at == number);
        let (mut own, rest): (Vec<Wall>, Vec<Wall>) = open.into_iter().partition(is_last);
        open = rest.into_iter().collect();
        // Sets have no order of their own.
        own.sort_by(|one, two| one.by.cmp(&two.by).then(one.constant.cmp(&two.constant)));
        for (place, one) in own.iter().enumerate() {
            let meets = own[..place].iter().filter_map(|two| one.meet(two));
            open.extend(meets.filter(&cuts));
            if open.len() + own.len() > MOST {
                return Err("the rows of its reals make too many pieces".to_owned());
            }
        }
        all.push((number, own));
    }
    Ok(all)
}

/// The roots after a play, in increasing order, inside of the domain.
pub(super) fn roots(
    walls: &[Wall],
    play: &[Rational],
    (lower, upper): (&Rational, &Rational),
) -> Vec<Rational> {
    let roots = walls.iter().map(|wall| wall.root(play));
    let mut roots: Vec<Rational> = roots
        .filter(|root| root >= lower && root <= upper)
        .collect();
    roots.sort();
    roots.dedup();
    roots
}
