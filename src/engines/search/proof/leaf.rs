//! The ends of extracted plans: why a line is decided where the search stopped looking.
//!
//! What propagation concluded is told again as the cuts of a proof, oldest first, and only those
//! that the conflict leans on. Replayed at a later place the cuts are at least as strong: what was
//! free then is fixed now.

use num_traits::Signed;

use super::extract::{Built, Extraction};
use super::moves::wrong;
use super::past::tidied;
use crate::certify::{Completion, relevant_changes};
use crate::num::{Rational, int};
use crate::outcome::{CertificateError, Move};
use crate::program::{Id, IdVec, Program, Quantifier, VarId, evaluate};
use crate::propagate::{End, Inequalities, InequalityId, Origin, Store};
use crate::search::worth::{LOST, Worth};
use crate::strategy::{EvidenceNode, Proof, SideRef, Step};

/// Facts of the program that proofs are made of, and an index of the trail.
pub(in crate::search) struct Leaves {
    domains: IdVec<VarId, (i64, i64)>,
    costs: IdVec<VarId, i64>,
    /// What one unit of an inequality is in its row, where that is not one.
    units: IdVec<InequalityId, Option<Rational>>,
    /// Where the trail changes each variable, oldest first.
    changes: IdVec<VarId, Vec<usize>>,
    seen: usize,
    /// For the variables of universal rows, if the existential player has a say in them: the
    /// values that harm no row.
    harmless: Option<Vec<Move>>,
    /// The universal rows, each with the sums of its terms at their lower ends, from each term on.
    universal: Vec<(InequalityId, Vec<i64>)>,
}

/// A conflict, as it is told.
pub(in crate::search) struct Telling {
    proof: Proof,
    leans_on_cost: bool,
    /// What the variables before add to each row that it leans on.
    rooms: Vec<(InequalityId, i64)>,
    /// Whether the objective is what fails, and by how much more than it must.
    ends_in_cost: bool,
    surplus: Worth,
    /// Rows whose sums it states.
    used: Vec<InequalityId>,
}

impl Telling {
    /// The row at the end fails by more than it must. Where its sum is not stated, it need not be
    /// as large.
    pub(in crate::search) fn spare(&mut self, row: InequalityId, surplus: i64) {
        if self.used.contains(&row) {
            return;
        }
        if let Some(room) = self.rooms.iter_mut().find(|room| room.0 == row) {
            room.1 -= surplus;
        } else if self.ends_in_cost {
            self.surplus = surplus;
        }
    }
}

impl Leaves {
    pub fn new(program: &Program, inequalities: &Inequalities) -> Self {
        let whole = |end: Option<Rational>| {
            let end = end.as_ref().and_then(crate::num::to_i64);
            end.expect("invariant: domains that fit the inequalities fit 64 bits")
        };
        let domains = program.variables().iter().map(|variable| {
            let domain = variable.domain();
            (whole(domain.lower), whole(domain.upper))
        });
        let mut costs = IdVec::filled(program.variables().len(), 0);
        for entry in inequalities.terms(inequalities.objective()) {
            costs[entry.at] = entry.coefficient;
        }
        let units = inequalities
            .heads()
            .ids()
            .map(|id| Some(unit(program, inequalities, id)).filter(|unit| *unit != int(1)));
        let domains = IdVec::from_vec(domains.collect());
        let heads = inequalities.heads();
        let universal = heads
            .ids()
            .filter(|&id| heads[id].owner == Quantifier::Forall);
        let universal = universal.map(|id| (id, rests_at_lower_ends(inequalities, id, &domains)));
        Self {
            universal: universal.collect(),
            domains,
            costs,
            units: IdVec::from_vec(units.collect()),
            changes: IdVec::filled(program.variables().len(), Vec::new()),
            seen: 0,
            harmless: is_decision_dependent(program).then(|| harmless(program)),
        }
    }

    /// How many variables there are.
    pub fn count(&self) -> usize {
        self.domains.len()
    }

    pub fn domain(&self, var: VarId) -> (i64, i64) {
        self.domains[var]
    }

    /// What one unit of an inequality is in its row.
    pub fn unit(&self, id: InequalityId) -> Rational {
        self.units[id].clone().unwrap_or_else(|| int(1))
    }

    pub fn cost(&self, var: VarId) -> i64 {
        self.costs[var]
    }

    /// Takes in what was added to the trail.
    pub fn sync(&mut self, store: &Store) {
        for (index, change) in store.trail().iter().enumerate().skip(self.seen) {
            self.changes[change.var].push(index);
        }
        self.seen = store.trail().len();
    }

    /// Forgets the trail from a place on, before it is undone.
    pub fn forget(&mut self, store: &Store, from: usize) {
        for change in store.trail()[from..self.seen].iter().rev() {
            self.changes[change.var].pop();
        }
        self.seen = from;
    }

    /// The change that excluded the value, and the values it excluded.
    pub fn exclusion(&self, store: &Store, var: VarId, value: i64) -> Option<(usize, (i64, i64))> {
        let trail = store.trail();
        let (mut lower, mut upper) = (store.lower(var), store.upper(var));
        for &index in self.changes[var].iter().rev() {
            let change = &trail[index];
            let excluded = match change.end {
                End::Lower => (change.before, lower - 1),
                End::Upper => (upper + 1, change.before),
            };
            if excluded.0 <= value && value <= excluded.1 {
                return Some((index, excluded));
            }
            match change.end {
                End::Lower => lower = change.before,
                End::Upper => upper = change.before,
            }
        }
        None
    }

    fn latest(&self, store: &Store, var: VarId, end: End, before: usize) -> Option<usize> {
        let all = &self.changes[var];
        let earlier = &all[..all.partition_point(|&index| index < before)];
        let made = earlier.iter().rev().copied();
        made.into_iter()
            .find(|&index| store.trail()[index].end == end)
    }
}

impl Extraction<'_, '_> {
    /// The opponent's system is dead at the present place.
    pub(in crate::search) fn dead(&mut self, alive: Option<Vec<Move>>, proof: Proof) -> Built {
        let place = self.place;
        let needs = self.dead_needs(&proof, alive.as_deref());
        let needs = self.reuse.add(&needs);
        let node = self.builder.add(EvidenceNode::Dead {
            place,
            alive,
            proof: Box::new(proof),
        });
        let to_go = self.owners_best();
        Built { node, to_go, needs }
    }

    /// The existential player has killed the universal system.
    pub(in crate::search) fn won_leaf(&mut self) -> Result<Built, CertificateError> {
        self.dead_by_completions()
    }

    pub(in crate::search) fn dead_by_completions(&mut self) -> Result<Built, CertificateError> {
        let Completion::Dead(proof) = self.completion(self.owner.opponent())? else {
            return Err(wrong("the opponent's system is alive"));
        };
        let Completion::Alive(alive) = self.completion(self.owner)? else {
            return Err(wrong("the owner's system is dead"));
        };
        Ok(self.dead(Some(alive), proof))
    }

    /// The existential player cannot keep within the limit any more, by the sight of the row that
    /// the last propagation stopped at.
    pub(in crate::search) fn lost_leaf(&mut self) -> Result<Built, CertificateError> {
        if self.contested {
            return self.dead_by_completions();
        }
        let position = &self.search.position;
        let Some(row) = position.death() else {
            return Err(wrong("nothing shows the loss"));
        };
        let store = &position.store;
        let surplus = (store.pressed(row) - store.rhs(row) - 1).max(0);
        let end = store.trail().len();
        let mut telling = self.tell(row, end, None, self.place, |id| self.sums[id]);
        telling.spare(row, surplus);
        self.bound(telling, None)
    }

    /// Every play from here costs the target or more, by the sight of the objective alone.
    pub(in crate::search) fn dear_leaf(&mut self) -> Result<Option<Built>, CertificateError> {
        let objective = self.search.inequalities.objective();
        let store = &self.search.position.store;
        if self.target == LOST || store.pressed(objective) < self.target {
            return Ok(None);
        }
        let surplus = store.pressed(objective) - self.target;
        let end = store.trail().len();
        let mut telling = self.tell(objective, end, None, self.place, |id| self.sums[id]);
        telling.spare(objective, surplus);
        self.bound(telling, None).map(Some)
    }

    /// Propagation has excluded a range of an existential variable, the next one to be fixed.
    /// The cost to go counts from before the variable.
    pub(in crate::search) fn excluded_leaf(
        &mut self,
        var: VarId,
        change: usize,
        (from, to): (i64, i64),
    ) -> Result<Built, CertificateError> {
        let Some(row) = self.search.position.store.trail()[change].reason.row() else {
            return Err(wrong("a value is excluded by a move"));
        };
        let column = self.search.inequalities.column(var);
        let sum = |id: InequalityId| {
            let entry = column.iter().find(|entry| entry.at == id);
            let coefficient = entry.map_or(0, |entry| entry.coefficient);
            self.sums[id] + (coefficient * from).min(coefficient * to)
        };
        let telling = self.tell(row, change, Some(var), self.place + 1, sum);
        self.bound(telling, Some((var, (from, to))))
    }

    /// A bound leaf at the present place, or behind these values of the next variable. Its cost to
    /// go counts from the present place.
    pub(in crate::search) fn bound(
        &mut self,
        telling: Telling,
        next: Option<(VarId, (i64, i64))>,
    ) -> Result<Built, CertificateError> {
        let place = self.place + usize::from(next.is_some());
        let play = self.safe_play(place)?;
        let Telling {
            proof,
            leans_on_cost,
            rooms,
            surplus,
            ..
        } = telling;
        let to_go: Worth = if leans_on_cost {
            self.target - self.spent() + surplus
        } else {
            self.owners_best()
        };
        let mut needs = self.own_needs(place, self.at_worst(&play));
        for (id, sum) in rooms {
            let terms = self.terms_of(id);
            let before = terms.partition_point(|term| term.at.index() < place);
            needs.extend(self.pasts.room(id, before, sum));
        }
        let needs = self.reuse.add(&tidied(needs));
        let node = self.builder.add(EvidenceNode::Bound {
            place,
            play,
            proof: Box::new(proof),
        });
        Ok(Built { node, to_go, needs })
    }

    /// Tells why `row` cannot hold, or why it leaves no value to `except`, from the changes before
    /// `end`. `sum` is what the variables before `place` add to an inequality.
    pub(in crate::search) fn tell(
        &self,
        row: InequalityId,
        end: usize,
        except: Option<VarId>,
        place: usize,
        sum: impl Fn(InequalityId) -> i64,
    ) -> Telling {
        let store = &self.search.position.store;
        let inequalities = &self.search.inequalities;
        let needs = |row: InequalityId, except: Option<VarId>| {
            let terms = self.terms_of(row).iter();
            let open = terms.filter(move |entry| {
                let existential = store.owner(entry.at) == Quantifier::Exists;
                existential && entry.at.index() >= place && Some(entry.at) != except
            });
            open.map(|entry| match entry.coefficient > 0 {
                true => (entry.at, End::Lower),
                false => (entry.at, End::Upper),
            })
        };
        let row_of = |change: usize| store.trail()[change].reason.row();
        let changes = relevant_changes(
            needs(row, except),
            end,
            |need, before| self.leaves.latest(store, need.0, need.1, before),
            |change| {
                let var = store.trail()[change].var;
                let row = row_of(change).into_iter();
                row.flat_map(move |row| needs(row, Some(var)))
            },
        );
        let mut steps = Vec::with_capacity(changes.len() + 1);
        let mut used = Vec::new();
        for change in changes {
            if let Some(cutting) = row_of(change) {
                steps.push(Step::Cut(
                    side(inequalities, cutting),
                    store.trail()[change].var,
                ));
                used.push(cutting);
            }
        }
        steps.push(Step::Row(self.side_of(row)));
        used.sort_unstable();
        used.dedup();
        let objective = inequalities.objective();
        let leans_on_cost = row == objective || used.contains(&objective);
        used.retain(|&id| {
            inequalities
                .terms(id)
                .first()
                .is_some_and(|e| e.at.index() < place)
        });
        let given = |id: InequalityId| {
            let sum = int(sum(id));
            let sum = match &self.leaves.units[id] {
                Some(unit) => sum * unit,
                None => sum,
            };
            (side(inequalities, id), sum)
        };
        let begins = |id: &InequalityId| {
            let first = self.terms_of(*id).first();
            *id != objective && first.is_some_and(|term| term.at.index() < place)
        };
        let mut leant_on: Vec<InequalityId> = used.iter().copied().chain([row]).collect();
        leant_on.retain(begins);
        leant_on.sort_unstable();
        leant_on.dedup();
        let rooms = leant_on.into_iter().map(|id| (id, sum(id))).collect();
        let given = used.iter().copied().map(given).collect();
        Telling {
            proof: Proof { given, steps },
            leans_on_cost,
            rooms,
            ends_in_cost: row == objective,
            surplus: 0,
            used,
        }
    }

    /// Values of the later variables of universal rows that keep them whatever happens.
    fn safe_play(&mut self, place: usize) -> Result<Vec<Move>, CertificateError> {
        if let Some(harmless) = &self.leaves.harmless {
            let later = harmless.iter().filter(|(var, _)| var.index() >= place);
            return Ok(later.cloned().collect());
        }
        if self.search.program.universal_rows().is_empty() {
            return Ok(Vec::new());
        }
        if self.lower_ends_are_safe(place) {
            return Ok(Vec::new());
        }
        match self.completion(Quantifier::Forall)? {
            Completion::Alive(mut values) => {
                values.retain(|(var, _)| var.index() >= place);
                Ok(values)
            }
            Completion::Dead(_) => Err(wrong("the universal system is dead")),
        }
    }
}

impl Extraction<'_, '_> {
    /// Whether the universal rows hold with all later variables at their lower ends, which is what
    /// a certificate means when it names none.
    ///
    /// Pre: the rows contain universal variables only.
    fn lower_ends_are_safe(&self, place: usize) -> bool {
        let inequalities = &self.search.inequalities;
        self.leaves.universal.iter().all(|(id, rests)| {
            let terms = inequalities.terms(*id);
            let later = terms.partition_point(|entry| entry.at.index() < self.place);
            let skipped = terms[later..].iter();
            // Between the present place and that of the leaf the smaller sum was counted.
            let uncounted = skipped.take_while(|entry| entry.at.index() < place).count();
            uncounted == 0 && self.sums[*id] + rests[later] <= inequalities.heads()[*id].rhs
        })
    }
}

/// The sums of a row's terms at their lower ends, from each term on.
fn rests_at_lower_ends(
    inequalities: &Inequalities,
    id: InequalityId,
    domains: &IdVec<VarId, (i64, i64)>,
) -> Vec<i64> {
    let mut rests = vec![0];
    for entry in inequalities.terms(id).iter().rev() {
        let rest = rests.last().copied().unwrap_or(0);
        rests.push(rest + entry.coefficient * domains[entry.at].0);
    }
    rests.reverse();
    rests
}

/// The row side that an inequality was made from.
pub(in crate::search) fn side(inequalities: &Inequalities, id: InequalityId) -> SideRef {
    let head = &inequalities.heads()[id];
    match head.origin {
        Origin::Upper(row) => SideRef::Upper(head.owner.into(), row),
        Origin::Lower(row) => SideRef::Lower(head.owner.into(), row),
        Origin::Objective => SideRef::Objective,
    }
}

/// What one unit of an inequality is in its row, or in the objective.
fn unit(program: &Program, inequalities: &Inequalities, id: InequalityId) -> Rational {
    let head = &inequalities.heads()[id];
    let Some(entry) = inequalities.terms(id).first() else {
        return int(1);
    };
    let terms = match (head.origin, program.objective()) {
        (Origin::Upper(row) | Origin::Lower(row), _) => &program.system(head.owner)[row].terms,
        (Origin::Objective, Some(objective)) => &objective.terms,
        (Origin::Objective, None) => return int(1),
    };
    let one = (int(1), int(0));
    let coefficient = evaluate(terms, |var| if var == entry.at { &one.0 } else { &one.1 });
    coefficient.abs() / int(entry.coefficient.abs())
}

/// Whether the existential player has a say in a universal row.
fn is_decision_dependent(program: &Program) -> bool {
    let mut terms = program.universal_rows().iter().flat_map(|row| &row.terms);
    terms.any(|(var, _)| program.variables()[*var].quantifier == Quantifier::Exists)
}

/// Each universal variable of a universal row at the end that lowers the row's demanding side.
fn harmless(program: &Program) -> Vec<Move> {
    let mut values: IdVec<VarId, Option<Rational>> = IdVec::filled(program.variables().len(), None);
    for row in program.universal_rows() {
        for (var, coefficient) in &row.terms {
            let variable = &program.variables()[*var];
            if variable.quantifier == Quantifier::Forall {
                let up_hurts = coefficient.is_positive() == row.upper.is_some();
                let domain = variable.domain();
                values[*var] = if up_hurts { domain.lower } else { domain.upper };
            }
        }
    }
    values
        .pairs()
        .filter_map(|(var, value)| Some((var, value.clone()?)))
        .collect()
}
