//! Universal moves that another move outdoes.
//!
//! A universal variable enters a row as a number. What a move leaves of the row's side is all that
//! the rest of the play sees of it; and of that only the largest sum that the rest can reach
//! without exceeding it. So two moves of a block that leave the same are one, and a move that
//! leaves no existential row tighter, no higher cost and no universal row looser than another one
//! is never needed.
//!
//! A move is compared with those that differ from it in one variable, or in two that share a short
//! row. On runway scheduling (five planes, fourteen slots) that saves two thirds of the time.
//!
//! **Why nothing is lost.** Let *B* leave the existential rows at least as tight as *A*, the costs at
//! least as high and the universal rows at least as loose. Whatever the universal player does after
//! *A* he may do after *B*, and every answer there is an answer here that costs no more. "At least as
//! good, and better somewhere or first in the order of values" has no cycles, so what outdoes a
//! dropped move is kept or outdone by one that is kept.
//!
//! **Invariant:** moves that differ in a gated variable (see [`Gate`](super::Gate)), or in one that a
//! [condition](super::conditions) mentions, are not compared: whether they are legal is decided
//! elsewhere.

use super::skeleton::{Place, Skeleton, SystemRow};
use crate::program::VarId;

/// Pairs of variables are changed together where a row has no more universal variables.
const MOST_IN_A_SHORT_ROW: usize = 6;

/// Sums with a wider range are taken as they are.
const WIDEST: i128 = 1 << 14;

/// Blocks with more variables than this are taken as they are.
const MOST_VARIABLES: usize = 4096;

/// `Σ by · universal + rest <= bound`; the rest is whatever is fixed later.
#[derive(Clone, Debug)]
struct Side {
    bound: i64,
    /// Number of a universal variable, and its coefficient.
    terms: Vec<(usize, i64)>,
    /// Whether a smaller residual is what the universal player wants.
    is_existential: bool,
    /// The least sum of the rest, and for every residual from there on the largest sum within it.
    floors: Option<(i64, Vec<i64>)>,
}

impl Side {
    /// What is left for the rest, as far as it matters.
    fn clipped(&self, residual: i64) -> i64 {
        match &self.floors {
            None => residual,
            Some((least, _)) if residual < *least => i64::MIN,
            Some((least, floors)) => {
                let place = (residual - least) as usize;
                floors[place.min(floors.len() - 1)]
            }
        }
    }
}

/// A change of one or two variables, and the sides that it moves.
#[derive(Clone, Debug)]
struct Change {
    steps: Vec<(usize, i64)>,
    /// Side, and by how much its residual grows.
    moved: Vec<(usize, i64)>,
}

/// How moves of one block are compared.
#[derive(Clone, Debug)]
pub struct Dominance {
    sides: Vec<Side>,
    changes: Vec<Change>,
    boxes: Vec<(i64, i64)>,
    /// A variable of the block with the same column and box, which takes the smaller value.
    twins: Vec<Option<usize>>,
}

impl Dominance {
    /// For the block of the universal variables with these numbers.
    pub fn new(skeleton: &Skeleton, first: usize, end: usize) -> Self {
        let sides = sides_at(skeleton, end);
        let column = |number: usize| -> Vec<(usize, i64)> {
            let sides = sides.iter().enumerate();
            let entry = |(at, side): (usize, &Side)| {
                let term = side.terms.iter().find(|term| term.0 == number)?;
                Some((at, -term.1))
            };
            sides.filter_map(entry).collect()
        };
        let is_free = |number: &usize| {
            skeleton.gates[*number].is_none() && !skeleton.conditions.mention(*number)
        };
        let free: Vec<usize> = (first..end).filter(is_free).collect();
        let columns: Vec<_> = free.iter().map(|&number| column(number)).collect();
        let boxes: Vec<_> = skeleton
            .universals
            .iter()
            .map(|&var| skeleton.boxes[var])
            .collect();
        let mut twins = vec![None; skeleton.universals.len()];
        let mut changes = Vec::new();
        for (place, &number) in free.iter().enumerate().take(MOST_VARIABLES) {
            let alike = |other: &usize| {
                columns[*other] == columns[place] && boxes[free[*other]] == boxes[number]
            };
            twins[number] = (0..place).rev().find(alike).map(|other| free[other]);
            for step in [-1, 1] {
                changes.push(change(&[(number, step, &columns[place])]));
            }
            for other in (0..place).filter(|&other| meet(&sides, free[other], number)) {
                for steps in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                    let one = (free[other], steps.0, columns[other].as_slice());
                    let two = (number, steps.1, columns[place].as_slice());
                    changes.push(change(&[one, two]));
                }
            }
        }
        Self {
            sides,
            changes,
            boxes,
            twins,
        }
    }

    /// Whether the last value of a beginning stands in the wrong order: a twin takes the smaller.
    pub fn is_out_of_order(&self, play: &[i64]) -> bool {
        let last = play.len() - 1;
        self.twins[last].is_some_and(|twin| play[twin] > play[last])
    }

    /// Whether another move of the block outdoes the one at the end of this play.
    pub fn is_outdone(&self, play: &[i64]) -> bool {
        let residuals: Vec<i64> = self
            .sides
            .iter()
            .map(|side| side.terms.iter().map(|&(at, by)| by * play[at]))
            .zip(&self.sides)
            .map(|(terms, side)| side.bound - terms.sum::<i64>())
            .collect();
        let outdoes = |change: &Change| self.outdoes(change, play, &residuals);
        self.changes.iter().any(outdoes)
    }

    fn outdoes(&self, change: &Change, play: &[i64], residuals: &[i64]) -> bool {
        let stays_inside = |&(number, step): &(usize, i64)| {
            let (low, up) = self.boxes[number];
            (low..=up).contains(&(play[number] + step))
        };
        if !change.steps.iter().all(stays_inside) {
            return false;
        }
        // The first step is that of the earlier variable.
        let mut better = change.steps[0].1 < 0;
        for &(at, by) in &change.moved {
            let side = &self.sides[at];
            let before = side.clipped(residuals[at]);
            let after = side.clipped(residuals[at] + by);
            let (loss, gain) = if side.is_existential {
                (after > before, after < before)
            } else {
                (after < before, after > before)
            };
            if loss {
                return false;
            }
            better |= gain;
        }
        better
    }
}

/// A variable, its step, and its column.
type Step<'a> = (usize, i64, &'a [(usize, i64)]);

fn change(steps: &[Step<'_>]) -> Change {
    let mut moved: Vec<(usize, i64)> = Vec::new();
    for (_, step, column) in steps {
        for &(at, by) in *column {
            match moved.iter_mut().find(|(other, _)| *other == at) {
                Some((_, total)) => *total += by * step,
                None => moved.push((at, by * step)),
            }
        }
    }
    moved.retain(|&(_, by)| by != 0);
    let steps = steps.iter().map(|&(number, step, _)| (number, step));
    Change {
        steps: steps.collect(),
        moved,
    }
}

/// Whether two universal variables share a short row.
fn meet(sides: &[Side], one: usize, other: usize) -> bool {
    let has = |side: &Side, number: usize| side.terms.iter().any(|term| term.0 == number);
    sides
        .iter()
        .any(|side| side.terms.len() <= MOST_IN_A_SHORT_ROW && has(side, one) && has(side, other))
}

/// The sides of all rows, seen after that many universal variables.
fn sides_at(skeleton: &Skeleton, end: usize) -> Vec<Side> {
    let mut sides = Vec::new();
    for row in skeleton.rows.iter().flatten() {
        add_sides(&mut sides, skeleton, row, true, end);
    }
    for row in &skeleton.universal_rows {
        add_sides(&mut sides, skeleton, row, false, end);
    }
    let terms = early_terms(skeleton, &skeleton.costs, end);
    if !terms.is_empty() {
        sides.push(Side {
            bound: 0,
            terms,
            is_existential: true,
            floors: None,
        });
    }
    sides
}

fn add_sides(
    sides: &mut Vec<Side>,
    skeleton: &Skeleton,
    row: &SystemRow,
    is_existential: bool,
    end: usize,
) {
    for (bound, sign) in [(row.upper, 1), (row.lower.map(|side| -side), -1)] {
        let signed = row.terms.iter().map(|&(var, by)| (var, sign * by));
        let signed: Vec<(VarId, i64)> = signed.collect();
        let terms = early_terms(skeleton, &signed, end);
        if let Some(bound) = bound
            && !terms.is_empty()
        {
            sides.push(Side {
                bound,
                floors: floors(skeleton, &signed, end),
                terms,
                is_existential,
            });
        }
    }
}

/// The universal variables before `end` and their coefficients.
fn early_terms(skeleton: &Skeleton, terms: &[(VarId, i64)], end: usize) -> Vec<(usize, i64)> {
    let early = terms
        .iter()
        .filter_map(|&(var, by)| match skeleton.places[var] {
            Place::Universal(number) if number < end => Some((number, by)),
            _ => None,
        });
    early.collect()
}

/// For every residual the largest sum of the later terms within it; see [`Side`].
fn floors(skeleton: &Skeleton, terms: &[(VarId, i64)], end: usize) -> Option<(i64, Vec<i64>)> {
    let mut later = Vec::new();
    let (mut least, mut most) = (0i128, 0i128);
    // Where a system may die early it matters when the other one is lost, not only that it will be.
    let boxes = if skeleton.conditions.is_empty() {
        &skeleton.boxes
    } else {
        &skeleton.whole_boxes
    };
    for &(var, by) in terms {
        match skeleton.places[var] {
            // What a gated variable adds is decided elsewhere.
            Place::Universal(number) if skeleton.gates[number].is_some() => return None,
            Place::Universal(number) if number < end => {}
            _ => {
                let (low, up) = boxes[var];
                let (first, second) = if by > 0 { (low, up) } else { (up, low) };
                least += i128::from(by) * i128::from(first);
                most += i128::from(by) * i128::from(second);
                later.push((by.abs(), up - low));
            }
        }
    }
    if most - least > WIDEST {
        return None;
    }
    let width = (most - least) as usize;
    let mut reachable = vec![false; width + 1];
    reachable[0] = true;
    for (by, mut steps) in later {
        // Steps in powers of two reach every number of steps.
        let mut chunk = 1;
        while steps > 0 {
            let step = (by * chunk.min(steps)) as usize;
            for sum in (step..=width).rev() {
                reachable[sum] |= reachable[sum - step];
            }
            steps -= chunk.min(steps);
            chunk *= 2;
        }
    }
    let least = i64::try_from(least).ok()?;
    let mut last = 0;
    let floors = reachable.iter().enumerate().map(|(sum, &reached)| {
        if reached {
            last = sum as i64;
        }
        least + last
    });
    Some((least, floors.collect()))
}
