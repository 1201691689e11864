//! Quotas that the universal player may miss.
//!
//! **Definition:** a *round* is a universal row that counts 0/1 variables of one universal block: at
//! least so many of them, its *quota*, and at most so many. A *conflict* is a universal row that
//! admits one of several variables of different rounds. A variable is *blocked* when its gate is
//! closed or an earlier one of its conflict is 1. So it is with attacks of which each round has
//! exactly so many, none on what was attacked or protected before.
//!
//! A closed gate takes a variable to 0, and that may miss a quota (see [`Skeleton`]). Here is shown
//! that a player who may miss the quotas of these rounds wins no more than one who may not:
//! 1. No other universal row mentions a variable of the rounds, and their gates close to 0.
//! 2. A variable of a round only tightens existential rows and only adds to the costs, the later
//!    ones of a conflict no more than the earlier ones.
//! 3. As long as the existential rows can be completed, every round has as many variables that are
//!    not blocked as its quota asks for: a row says how many gates can be closed, the rounds before
//!    how many conflicts can have begun.
//!
//! **Why.** Let *M* be a strategy that may miss quotas. Play it in thought, and in truth in each round
//! what *M* plays there, without what is blocked by an earlier move that *M* did not make, and then
//! as many others that are not blocked as the quota asks for; 3 says that there are enough, and 1
//! that this is legal. Whatever *M* has set to 1 is 1 in truth, or an earlier one of its conflict
//! is. By 2 every existential row is as tight in truth as in thought, and the costs are as high: an
//! answer in truth is an answer in thought, and costs no less.
//!
//! **Invariant:** 3 leans on single rows only. Every point of a tree satisfies them, so that every
//! candidate leaves the universal player a legal play.

use std::collections::HashMap;

use super::skeleton::{Place, Skeleton, SystemRow};
use crate::program::VarId;

/// A universal row that counts.
struct Round {
    /// The universal variables that are open, by their numbers.
    members: Vec<usize>,
    block: usize,
    quota: i64,
    most: i64,
}

/// What a universal row is.
enum Shape {
    Round(Round),
    /// The numbers of its variables, in order.
    Conflict(Vec<usize>),
    Other(Vec<usize>),
}

/// Which universal rows have a quota that may be missed, by their places.
pub(super) fn quotas_to_miss(skeleton: &Skeleton) -> Vec<bool> {
    let rows = &skeleton.universal_rows;
    // Conditions are other rows too.
    let conditions = skeleton.conditions.all.iter().map(|condition| {
        let places = condition.terms.iter().map(|&(var, _)| skeleton.places[var]);
        let numbers = places.filter_map(|place| match place {
            Place::Universal(number) => Some(number),
            Place::Existential(..) => None,
        });
        Shape::Other(numbers.collect())
    });
    let shapes = rows.iter().map(|row| shape(skeleton, row));
    let shapes: Vec<Shape> = shapes.chain(conditions).collect();
    let rounds = Rounds::new(skeleton, &shapes);
    let may_be_missed = |place: usize| {
        let together = rounds.together(place);
        together.is_some_and(|together| rounds.may_be_missed(&together))
    };
    (0..rows.len()).map(may_be_missed).collect()
}

fn shape(skeleton: &Skeleton, row: &SystemRow) -> Shape {
    let number = |var: VarId| match skeleton.places[var] {
        Place::Universal(number) => number,
        Place::Existential(..) => unreachable!("the other universal rows are gates or conditions"),
    };
    let mut numbers: Vec<usize> = row.terms.iter().map(|&(var, _)| number(var)).collect();
    numbers.sort_unstable();
    let by = row.terms.first().map_or(0, |term| term.1);
    let counts = |&(var, other): &(VarId, i64)| {
        by > 0 && other == by && [(0, 0), (0, 1)].contains(&skeleton.boxes[var])
    };
    if row.terms.is_empty() || !row.terms.iter().all(counts) {
        return Shape::Other(numbers);
    }
    let quota = row.lower.map_or(0, |side| {
        side.div_euclid(by) + i64::from(side.rem_euclid(by) > 0)
    });
    let most = row.upper.map(|side| side.div_euclid(by));
    // Variables that are fixed at 0 do not count.
    numbers.retain(|&at| skeleton.boxes[skeleton.universals[at]] == (0, 1));
    if quota <= 0 && most.is_none_or(|most| most >= numbers.len() as i64) {
        return Shape::Other(Vec::new());
    }
    let blocks: Vec<usize> = numbers.iter().map(|&at| block_of(skeleton, at)).collect();
    if blocks.iter().all(|&block| block == blocks[0]) {
        return Shape::Round(Round {
            most: most.unwrap_or(numbers.len() as i64),
            block: blocks.first().copied().unwrap_or(0),
            members: numbers,
            quota: quota.max(0),
        });
    }
    if quota <= 0 && most == Some(1) && blocks.windows(2).all(|pair| pair[0] < pair[1]) {
        Shape::Conflict(numbers)
    } else {
        Shape::Other(numbers)
    }
}

/// The number of the block of a universal variable: how many decisions come before it.
fn block_of(skeleton: &Skeleton, number: usize) -> usize {
    let stages = skeleton.stages[1..=number].iter();
    stages.filter(|stage| !stage.is_empty()).count()
}

/// Rounds and conflicts by the variables they mention.
struct Rounds<'a> {
    skeleton: &'a Skeleton,
    shapes: &'a [Shape],
    /// The rows that mention a universal variable.
    rows_of: Vec<Vec<usize>>,
}

impl<'a> Rounds<'a> {
    fn new(skeleton: &'a Skeleton, shapes: &'a [Shape]) -> Self {
        let mut rows_of = vec![Vec::new(); skeleton.universals.len()];
        for (place, shape) in shapes.iter().enumerate() {
            let (Shape::Round(Round { members, .. })
            | Shape::Conflict(members)
            | Shape::Other(members)) = shape;
            for &member in members {
                rows_of[member].push(place);
            }
        }
        Self {
            skeleton,
            shapes,
            rows_of,
        }
    }

    /// The rounds that conflicts tie to this one, itself first; `None` if the row is no round, or
    /// if a variable is in another row as well.
    fn together(&self, place: usize) -> Option<Vec<&'a Round>> {
        let mut places = vec![place];
        let mut rounds = Vec::new();
        while let Some(&place) = places.get(rounds.len()) {
            let Shape::Round(round) = &self.shapes[place] else {
                return None;
            };
            rounds.push(round);
            for &member in &round.members {
                let conflict = self.conflict(member)?;
                for &other in conflict.unwrap_or(&[]) {
                    let other = self.round_of(other)?;
                    if !places.contains(&other) {
                        places.push(other);
                    }
                }
            }
        }
        Some(rounds)
    }

    /// The conflict of a variable that is in one round and one conflict at most.
    fn conflict(&self, member: usize) -> Option<Option<&'a [usize]>> {
        self.round_of(member)?;
        let mut conflicts =
            self.rows_of[member]
                .iter()
                .filter_map(|&row| match &self.shapes[row] {
                    Shape::Conflict(members) => Some(members.as_slice()),
                    _ => None,
                });
        let conflict = conflicts.next();
        let rows = 1 + usize::from(conflict.is_some());
        (self.rows_of[member].len() == rows).then_some(conflict)
    }

    /// The place of the only round of a variable. Variables that are fixed have none.
    fn round_of(&self, member: usize) -> Option<usize> {
        let rows = self.rows_of[member].iter();
        let mut rounds = rows.filter(|&&row| matches!(self.shapes[row], Shape::Round(_)));
        match (rounds.next(), rounds.next()) {
            (Some(&round), None) => Some(round),
            _ => None,
        }
    }

    /// Conditions 2 and 3 for rounds that belong together, and the gates of 1.
    fn may_be_missed(&self, together: &[&Round]) -> bool {
        let gates = &self.skeleton.gates;
        let mut members = together.iter().flat_map(|round| round.members.iter());
        let closes_to_zero = |&member: &usize| {
            let gate = gates[member].as_ref();
            gate.is_none_or(|gate| gate.harmless == 0 && gate.closed_at == 1)
        };
        members.all(closes_to_zero)
            && self.only_hurt(together)
            && together.iter().all(|round| self.has_room(round, together))
    }

    /// Condition 2.
    fn only_hurt(&self, together: &[&Round]) -> bool {
        let rows = self.skeleton.rows.iter().flatten();
        let sides = rows.flat_map(|row| {
            let upper = row.upper.map(|_| (&row.terms, 1));
            let lower = row.lower.map(|_| (&row.terms, -1));
            upper.into_iter().chain(lower)
        });
        let mut sides = sides.chain([(&self.skeleton.costs, 1)]);
        sides.all(|(terms, sign)| {
            let by: HashMap<VarId, i64> = terms.iter().map(|&(var, by)| (var, sign * by)).collect();
            let by = |&number: &usize| {
                let by = by.get(&self.skeleton.universals[number]);
                by.copied().unwrap_or(0)
            };
            let mut members = together.iter().flat_map(|round| round.members.iter());
            members.all(|member| {
                let conflict = self.conflict(*member).flatten().unwrap_or(&[]);
                by(member) >= 0 && conflict.is_sorted_by(|early, late| by(early) >= by(late))
            })
        })
    }

    /// Condition 3.
    fn has_room(&self, round: &Round, together: &[&Round]) -> bool {
        let earlier = together.iter().filter(|other| other.block < round.block);
        let begun: i64 = earlier.map(|other| other.most.max(0)).sum();
        let open = round.members.len() as i64;
        open.saturating_sub(self.most_closed(round))
            .saturating_sub(begun)
            >= round.quota
    }

    /// How many gates of a round can be closed, as far as single existential rows tell.
    fn most_closed(&self, round: &Round) -> i64 {
        let mut guarded: HashMap<VarId, i64> = HashMap::new();
        for &member in &round.members {
            let gate = self.skeleton.gates[member].as_ref();
            for &keeper in gate.map_or(&[][..], |gate| &gate.keepers) {
                *guarded.entry(keeper).or_default() += 1;
            }
        }
        let each = guarded.values().copied().max().unwrap_or(0);
        let rows = self.skeleton.rows.iter().flatten();
        let closing = rows.flat_map(|row| {
            let upper = row
                .upper
                .and_then(|side| self.most_set(&guarded, row, 1, side));
            let lower = row
                .lower
                .and_then(|side| self.most_set(&guarded, row, -1, -side));
            upper.into_iter().chain(lower)
        });
        let by_rows = closing
            .min()
            .map_or(i64::MAX, |set| set.saturating_mul(each));
        by_rows.min(guarded.values().sum())
    }

    /// How many of these 0/1 variables can be 1 in `sign · row <= side`, if that restricts them all.
    fn most_set(
        &self,
        guarded: &HashMap<VarId, i64>,
        row: &SystemRow,
        sign: i64,
        side: i64,
    ) -> Option<i64> {
        let mut room = i128::from(side);
        let mut least: Option<i64> = None;
        let mut restricted = 0;
        for &(var, by) in &row.terms {
            let by = sign * by;
            if guarded.contains_key(&var) {
                restricted += 1;
                least = least.into_iter().chain([by]).min();
            } else {
                let (low, up) = self.skeleton.boxes[var];
                room -= i128::from(by) * i128::from(if by > 0 { low } else { up });
            }
        }
        let least = least.filter(|&least| least > 0 && restricted == guarded.len())?;
        i64::try_from(room.max(0) / i128::from(least)).ok()
    }
}
