//! Choices in the objective: of binaries that exclude each other, only one can pay.
//!
//! A sum of costs takes each variable at its cheapest, as if all could be had at once. Where a row
//! says that exactly one (or at most one) of some binaries is taken, the cheapest member that is
//! left is all they can bring together. The difference to the plain sum is the *surplus*: it may
//! be added to the least cost of every play that keeps the existential rows.
//!
//! **Invariant:** the groups are disjoint and hold existential binaries only.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::inequality::{Entry, Head, Inequalities, InequalityId, Origin};
use super::store::Store;
use crate::program::{Id, Quantifier, RowId, VarId};

/// Binaries of which one must be taken, or at most one may be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    members: Vec<Entry<VarId>>,
    one_is_taken: bool,
}

/// The groups that say more about the objective than its terms do.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    groups: Vec<Group>,
    is_member: Vec<bool>,
}

impl Choices {
    /// Finds the groups among the existential rows; rows that can bring most come first.
    pub(super) fn new(inequalities: &Inequalities, store: &Store) -> Self {
        let mut costs = FxHashMap::default();
        for entry in inequalities.terms(inequalities.objective()) {
            costs.insert(entry.at, entry.coefficient);
        }
        let mut choices = Self::default();
        if costs.len() < 2 {
            return choices;
        }
        let mut found = groups(inequalities, store, &costs);
        found.sort_by_key(|group| std::cmp::Reverse(group.spread()));
        for group in found {
            choices.add(group);
        }
        choices
    }

    fn add(&mut self, group: Group) {
        if group.members.iter().any(|member| self.holds(member.at)) {
            return;
        }
        for member in &group.members {
            let place = member.at.index();
            self.is_member
                .resize(self.is_member.len().max(place + 1), false);
            self.is_member[place] = true;
        }
        self.groups.push(group);
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The most by which a member's cost can exceed the cheapest one's.
    pub(super) fn widest(&self) -> i64 {
        let swing = |group: &Group| {
            let costs = group.members.iter().map(|member| member.coefficient);
            let (least, most) = costs.fold((0, 0), |(a, b), cost| (a.min(cost), b.max(cost)));
            most - least
        };
        self.groups.iter().map(swing).max().unwrap_or(0)
    }

    /// What the groups add to the least cost under the present bounds of `ends`.
    #[inline]
    pub(super) fn surplus(&self, ends: &impl Fn(VarId) -> (i64, i64)) -> i64 {
        self.groups.iter().map(|group| group.surplus(ends)).sum()
    }

    /// Members that can still be taken or left, with what they cost above the cheapest of their
    /// group, as far as that is more than `slack`.
    pub(super) fn too_dear(
        &self,
        slack: i64,
        ends: &impl Fn(VarId) -> (i64, i64),
    ) -> SmallVec<[(VarId, i64); 8]> {
        let of_group = |group: &Group| {
            let cheapest = group.cheapest(ends);
            let open = group
                .members
                .iter()
                .filter(|member| ends(member.at) == (0, 1));
            let above = open.map(|member| (member.at, member.coefficient - cheapest));
            above
                .filter(|(_, above)| *above > slack)
                .collect::<SmallVec<[_; 8]>>()
        };
        self.groups.iter().flat_map(of_group).collect()
    }

    /// Whether the variable is a member of a group.
    #[inline]
    pub(super) fn holds(&self, var: VarId) -> bool {
        self.is_member.get(var.index()).copied().unwrap_or(false)
    }
}

impl Group {
    /// How much the group can add at best: nothing, if it has no two costs to choose from.
    fn spread(&self) -> i64 {
        let costs = self.members.iter().map(|member| member.coefficient);
        let pay = costs.clone().filter(|cost| *cost < 0).count();
        let (least, most) = costs.fold((i64::MAX, i64::MIN), |(a, b), c| (a.min(c), b.max(c)));
        if self.one_is_taken && least < most {
            most - least
        } else if pay > 1 {
            -least
        } else {
            0
        }
    }

    /// The cost of the cheapest member that can still be taken, or of none where that is allowed.
    fn cheapest(&self, ends: &impl Fn(VarId) -> (i64, i64)) -> i64 {
        let mut cheapest = if self.one_is_taken { i64::MAX } else { 0 };
        for member in &self.members {
            match ends(member.at) {
                (1, _) => return member.coefficient,
                (_, 1) => cheapest = cheapest.min(member.coefficient),
                _ => {}
            }
        }
        // A group of which nothing is left is dead; its own row says so.
        if cheapest == i64::MAX { 0 } else { cheapest }
    }

    /// What the members cost if each is counted by itself.
    fn plain(&self, ends: &impl Fn(VarId) -> (i64, i64)) -> i64 {
        let alone = |member: &Entry<VarId>| {
            let (lower, upper) = ends(member.at);
            (member.coefficient * lower).min(member.coefficient * upper)
        };
        self.members.iter().map(alone).sum()
    }

    #[inline]
    fn surplus(&self, ends: &impl Fn(VarId) -> (i64, i64)) -> i64 {
        (self.cheapest(ends) - self.plain(ends)).max(0)
    }
}

/// Every row that makes a group whose members differ in cost.
fn groups(inequalities: &Inequalities, store: &Store, costs: &FxHashMap<VarId, i64>) -> Vec<Group> {
    let heads = inequalities.heads();
    let says = |id: InequalityId, sign: i64| {
        let is_binary = |var| store.owner(var) == Quantifier::Exists && store.ends(var) == (0, 1);
        let mut terms = inequalities.terms(id).iter();
        heads[id].owner == Quantifier::Exists
            && heads[id].rhs == sign
            && terms.all(|term| term.coefficient == sign && is_binary(term.at))
    };
    let at_least_one: FxHashSet<RowId> = heads
        .pairs()
        .filter_map(|(id, head)| match head.origin {
            Origin::Lower(row) if says(id, -1) => Some(row),
            _ => None,
        })
        .collect();
    let group = |(id, head): (InequalityId, &Head)| {
        let Origin::Upper(row) = head.origin else {
            return None;
        };
        let members = inequalities.terms(id).iter().map(|term| Entry {
            at: term.at,
            coefficient: costs.get(&term.at).copied().unwrap_or(0),
        });
        says(id, 1).then(|| Group {
            members: members.collect(),
            one_is_taken: at_least_one.contains(&row),
        })
    };
    let found = heads.pairs().filter_map(group);
    found.filter(|group| group.spread() > 0).collect()
}
