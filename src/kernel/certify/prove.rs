//! Finds out whether a system of integer rows can still be completed, and proves it either way:
//! by the values that complete it, or by cuts, splits and rows that cannot hold.

use num_traits::ToPrimitive;

use super::explain::relevant_changes;
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::{Move, Stop};
use crate::program::{Id, Kind, Program, Quantifier, RowId, ScalingError, VarId};
use crate::strategy::{Proof, SideRef, Step};

/// Whether a system is alive, with the proof.
#[derive(Clone, Debug)]
pub enum Completion {
    /// These values of the free variables, and all others at their lower ends, complete it.
    Alive(Vec<Move>),
    /// Nothing completes it.
    Dead(Proof),
}

/// One player's rows as `Σ a·x <= b` in integers.
pub struct System {
    sides: Vec<Side>,
    columns: Vec<Vec<usize>>,
    domains: Vec<(i128, i128)>,
}

struct Side {
    name: SideRef,
    scale: Rational,
    terms: Vec<(usize, i128)>,
    rhs: i128,
    /// The least sums of the terms, from each term on.
    least_rest: Vec<i128>,
}

/// A bound that moved.
struct Change {
    place: usize,
    lower: bool,
    before: i128,
    /// The side that moved it; none for a split.
    side: Option<usize>,
}

/// A variable that is split, and the proof of the part that was tried first.
struct Split {
    place: usize,
    at: i128,
    mark: usize,
    upper_first: bool,
    first: Option<Vec<Step>>,
}

impl System {
    /// The rows of `owner`. Real variables are none of its business: `None` if there are some in
    /// the rows.
    pub fn new(program: &Program, owner: Quantifier) -> Result<Option<Self>, ScalingError> {
        let mut sides = Vec::new();
        for (index, row) in program.scaled_system(owner)?.iter().enumerate() {
            let id = RowId::new(index);
            let side = |name, sign: i128, rhs: i64| Side {
                name,
                scale: row.scale.clone(),
                terms: row
                    .terms
                    .iter()
                    .map(|(var, a)| (var.index(), sign * i128::from(*a)))
                    .collect(),
                rhs: sign * i128::from(rhs),
                least_rest: Vec::new(),
            };
            sides.extend(
                row.upper
                    .map(|rhs| side(SideRef::Upper(owner.into(), id), 1, rhs)),
            );
            sides.extend(
                row.lower
                    .map(|rhs| side(SideRef::Lower(owner.into(), id), -1, rhs)),
            );
        }
        let mut columns = vec![Vec::new(); program.variables().len()];
        for (index, side) in sides.iter().enumerate() {
            for (place, _) in &side.terms {
                columns[*place].push(index);
            }
        }
        let mut domains = Vec::with_capacity(columns.len());
        for (var, variable) in program.variables().pairs() {
            let domain = variable.domain();
            let end = |end: Option<Rational>| end.and_then(|end| end.to_integer().to_i128());
            match (variable.kind, end(domain.lower), end(domain.upper)) {
                (Kind::Integer, Some(lower), Some(upper)) => domains.push((lower, upper)),
                _ if columns[var.index()].is_empty() => domains.push((0, 0)),
                _ => return Ok(None),
            }
        }
        for side in &mut sides {
            let mut rests = vec![0];
            for (place, a) in side.terms.iter().rev() {
                let rest = rests.last().copied().unwrap_or(0);
                let (lower, upper) = domains[*place];
                rests.push(rest + (a * lower).min(a * upper));
            }
            rests.reverse();
            side.least_rest = rests;
        }
        Ok(Some(Self {
            sides,
            columns,
            domains,
        }))
    }

    /// Whether the system is alive after the first variables took these values.
    pub fn completion(&self, fixed: &[i128], budget: &mut Budget) -> Result<Completion, Stop> {
        if let Some(proof) = self.dead_at_sight(fixed) {
            return Ok(Completion::Dead(proof));
        }
        Trial::new(self, fixed).run(budget)
    }

    /// A side that cannot hold, whatever the others do: the proof that most positions can share.
    fn dead_at_sight(&self, fixed: &[i128]) -> Option<Proof> {
        let dead = self.sides.iter().find(|side| {
            let before = side.terms.partition_point(|term| term.0 < fixed.len());
            side.activity(fixed) + side.least_rest[before] > side.rhs
        })?;
        Some(Proof {
            given: Vec::new(),
            steps: vec![Step::Row(dead.name)],
        })
    }

    /// What the first variables leave of the sides, as a key for equal futures.
    pub fn residual(&self, fixed: &[i128], key: &mut Vec<i128>) {
        for side in &self.sides {
            let begun = side.terms.first().is_some_and(|term| term.0 < fixed.len());
            let ended = side.terms.last().is_some_and(|term| term.0 < fixed.len());
            if begun {
                let least = if ended { side.rhs } else { i128::MIN };
                key.push(side.activity(fixed).max(least));
            }
        }
    }
}

impl Side {
    fn activity(&self, fixed: &[i128]) -> i128 {
        let inside = self.terms.iter().take_while(|term| term.0 < fixed.len());
        inside.map(|(place, a)| a * fixed[*place]).sum()
    }
}

struct Trial<'s> {
    system: &'s System,
    fixed: usize,
    prefix: Vec<i128>,
    low: Vec<i128>,
    high: Vec<i128>,
    trail: Vec<Change>,
    queue: Vec<usize>,
    waiting: Vec<bool>,
    given: Vec<bool>,
    splits: Vec<Split>,
}

impl<'s> Trial<'s> {
    fn new(system: &'s System, fixed: &[i128]) -> Self {
        let ends = |pick: fn(&(i128, i128)) -> i128| {
            let rest = system.domains[fixed.len()..].iter().map(pick);
            fixed.iter().copied().chain(rest).collect()
        };
        Self {
            system,
            fixed: fixed.len(),
            prefix: system
                .sides
                .iter()
                .map(|side| side.activity(fixed))
                .collect(),
            low: ends(|domain| domain.0),
            high: ends(|domain| domain.1),
            trail: Vec::new(),
            queue: (0..system.sides.len()).collect(),
            waiting: vec![true; system.sides.len()],
            given: vec![false; system.sides.len()],
            splits: Vec::new(),
        }
    }

    fn run(mut self, budget: &mut Budget) -> Result<Completion, Stop> {
        loop {
            budget.look_sometimes()?;
            let mut steps = match self.propagate() {
                Some(dead) => self.explain(dead),
                None => match self.undecided() {
                    None => return Ok(Completion::Alive(self.witness())),
                    Some(split) => {
                        self.open(split);
                        continue;
                    }
                },
            };
            loop {
                let Some(split) = self.splits.pop() else {
                    let given = self.given();
                    return Ok(Completion::Dead(Proof { given, steps }));
                };
                self.undo_to(split.mark);
                let Some(first) = split.first else {
                    self.open(Split {
                        first: Some(steps),
                        ..split
                    });
                    break;
                };
                let (lower, upper) = if split.upper_first {
                    (steps, first)
                } else {
                    (first, steps)
                };
                let var = VarId::new(split.place);
                steps = vec![Step::Split(var, Rational::from_integer(split.at.into()))];
                steps.extend(lower);
                steps.extend(upper);
            }
        }
    }

    /// Goes into one part of a split: the second if the first is proved.
    fn open(&mut self, split: Split) {
        let (place, at) = (split.place, split.at);
        let upper = split.upper_first != split.first.is_some();
        self.splits.push(split);
        if upper {
            self.change(place, true, at + 1, None);
        } else {
            self.change(place, false, at, None);
        }
    }

    /// Cuts until nothing moves; the side that cannot hold, if one cannot.
    fn propagate(&mut self) -> Option<usize> {
        while let Some(index) = self.queue.pop() {
            self.waiting[index] = false;
            let side = &self.system.sides[index];
            let slack = side.rhs - self.least(index);
            if slack < 0 {
                self.forget_queue();
                return Some(index);
            }
            for &(place, a) in &side.terms {
                let room = slack / a.abs();
                if place < self.fixed || room >= self.high[place] - self.low[place] {
                    continue;
                }
                if a > 0 {
                    self.change(place, false, self.low[place] + room, Some(index));
                } else {
                    self.change(place, true, self.high[place] - room, Some(index));
                }
            }
        }
        None
    }

    fn forget_queue(&mut self) {
        for index in self.queue.drain(..) {
            self.waiting[index] = false;
        }
    }

    /// The least sum of a side, the prefix included.
    fn least(&self, index: usize) -> i128 {
        self.sum(index, &self.low, &self.high)
    }

    /// The greatest one.
    fn most(&self, index: usize) -> i128 {
        self.sum(index, &self.high, &self.low)
    }

    /// The sum with variables of positive coefficients at one end, the others at the other.
    fn sum(&self, index: usize, positive: &[i128], negative: &[i128]) -> i128 {
        let terms = self.system.sides[index].terms.iter();
        let rest = terms.filter(|term| term.0 >= self.fixed);
        let end = |place: usize, a: i128| {
            if a > 0 {
                positive[place]
            } else {
                negative[place]
            }
        };
        let parts = rest.map(|(place, a)| a * end(*place, *a));
        self.prefix[index] + parts.sum::<i128>()
    }

    /// A variable of a side that may still fail, split so that the best value comes first.
    fn undecided(&self) -> Option<Split> {
        let open = (0..self.system.sides.len())
            .find(|&index| self.most(index) > self.system.sides[index].rhs)?;
        let terms = &self.system.sides[open].terms;
        let free = terms
            .iter()
            .find(|(place, _)| self.low[*place] < self.high[*place]);
        let (place, a) = *free.expect("invariant: a side whose sums differ has a free variable");
        let upper_first = a < 0;
        let at = if upper_first {
            self.high[place] - 1
        } else {
            self.low[place]
        };
        Some(Split {
            place,
            at,
            mark: self.trail.len(),
            upper_first,
            first: None,
        })
    }

    fn change(&mut self, place: usize, lower: bool, to: i128, side: Option<usize>) {
        let bound = if lower {
            &mut self.low[place]
        } else {
            &mut self.high[place]
        };
        let before = std::mem::replace(bound, to);
        self.trail.push(Change {
            place,
            lower,
            before,
            side,
        });
        for &index in &self.system.columns[place] {
            if !std::mem::replace(&mut self.waiting[index], true) {
                self.queue.push(index);
            }
        }
    }

    fn undo_to(&mut self, mark: usize) {
        self.forget_queue();
        for change in self.trail.drain(mark..).rev() {
            let bound = if change.lower {
                &mut self.low
            } else {
                &mut self.high
            };
            bound[change.place] = change.before;
        }
    }

    /// The cuts that a dead side leans on, and the side.
    fn explain(&mut self, dead: usize) -> Vec<Step> {
        let latest = |need: &(usize, bool), before: usize| {
            let made = self.trail[..before].iter();
            made.rev()
                .position(|change| (change.place, change.lower) == *need)
                .map(|back| before - 1 - back)
        };
        let needs_of = |change: usize| match self.trail[change].side {
            Some(side) => self.needs(side, Some(self.trail[change].place)),
            // A split holds by itself, but an earlier cut of the same bound does not matter then.
            None => Vec::new(),
        };
        let changes = relevant_changes(self.needs(dead, None), self.trail.len(), latest, needs_of);
        let cuts: Vec<(usize, usize)> = changes
            .into_iter()
            .filter_map(|change| Some((self.trail[change].side?, self.trail[change].place)))
            .collect();
        let mut steps = Vec::with_capacity(cuts.len() + 1);
        for (side, place) in cuts {
            self.given[side] |= self.begins_before(side);
            steps.push(Step::Cut(self.system.sides[side].name, VarId::new(place)));
        }
        steps.push(Step::Row(self.system.sides[dead].name));
        steps
    }

    /// The ends that a side's least sum is made of.
    fn needs(&self, side: usize, except: Option<usize>) -> Vec<(usize, bool)> {
        let terms = self.system.sides[side].terms.iter();
        terms
            .filter(|(place, _)| *place >= self.fixed && Some(*place) != except)
            .map(|(place, a)| (*place, *a > 0))
            .collect()
    }

    fn begins_before(&self, side: usize) -> bool {
        let first = self.system.sides[side].terms.first();
        first.is_some_and(|term| term.0 < self.fixed)
    }

    fn given(&self) -> Vec<(SideRef, Rational)> {
        let used = (0..self.given.len()).filter(|&side| self.given[side]);
        used.map(|index| {
            let side = &self.system.sides[index];
            (
                side.name,
                Rational::from_integer(self.prefix[index].into()) / &side.scale,
            )
        })
        .collect()
    }

    fn witness(&self) -> Vec<Move> {
        let rest = self.fixed..self.low.len();
        rest.filter(|&place| self.low[place] != self.system.domains[place].0)
            .map(|place| {
                (
                    VarId::new(place),
                    Rational::from_integer(self.low[place].into()),
                )
            })
            .collect()
    }
}
