//! Which universal moves are legal, and whether the universal system can die at all.
//!
//! A value is legal while some assignment of the remaining variables completes the owner's
//! system. Often a scan of the rows decides that; in general it is an integer feasibility
//! question, answered here by a small search.

use num_traits::Signed;

use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::{Class, Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{InequalityId, Mark, Store, Strength};

/// How legality is decided, from the cheapest to the dearest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// Looking at each universal row alone is exact, and no existential move can kill the system.
    Scan,
    /// Universal rows concern universal variables only, but only a search decides them.
    Search,
    /// The existential player may be able to kill the universal system: nothing is concluded
    /// early, because whose system dies first decides the game.
    Contested,
}

impl Legality {
    /// Decides from the rows alone; never from a flag of the user.
    pub fn of(program: &Program, class: &Class) -> Self {
        match (class.decision_dependent, class.simply_restricted) {
            (false, true) => Self::Scan,
            (false, false) => Self::Search,
            (true, true) if outlives_every_decision(program) => Self::Scan,
            (true, _) => Self::Contested,
        }
    }

    /// Whether the universal player is sure to live long enough to press with his free variables.
    pub fn may_press(self) -> bool {
        self != Self::Contested
    }

    /// Whether no existential move can kill the universal system.
    pub fn universal_is_safe_from_existential(self) -> bool {
        self != Self::Contested
    }
}

/// Whether the universal system survives whatever the existential player does, provided each
/// universal move is legal: in every universal row the existential variables come first, and even
/// their worst values leave room for all universals of the row at their most harmless ends, which
/// are the same ends in every row.
fn outlives_every_decision(program: &Program) -> bool {
    let mut harmless_is_low = vec![None; program.variables().len()];
    for row in program.universal_rows() {
        let sides = [(&row.upper, false), (&row.lower, true)];
        for (side, negated) in sides {
            let Some(rhs) = side else { continue };
            let mut worst = crate::num::int(0);
            let mut universal_seen = false;
            for (var, coefficient) in &row.terms {
                let variable = &program.variables()[*var];
                let up_hurts = coefficient.is_positive() != negated;
                let existential = variable.quantifier == Quantifier::Exists;
                if existential && universal_seen {
                    return false;
                }
                universal_seen |= !existential;
                if !existential && *harmless_is_low[var.index()].get_or_insert(up_hurts) != up_hurts
                {
                    return false;
                }
                let domain = variable.domain();
                let end = if up_hurts == existential {
                    domain.upper
                } else {
                    domain.lower
                };
                let Some(end) = end else { return false };
                worst += coefficient * end;
            }
            if (worst > *rhs) != negated && worst != *rhs {
                return false;
            }
        }
    }
    true
}

/// Whether some values of the remaining variables, of both players, satisfy the owner's system.
///
/// Post: the store is as on entry, except that pending work is forgotten.
pub fn completes(store: &mut Store, owner: Quantifier, budget: &mut Budget) -> Result<bool, Stop> {
    let mut steps = u64::MAX;
    let alive = look_for_completion(store, owner, budget, &mut steps, |_| ())?;
    Ok(alive.unwrap_or(false))
}

/// Values of all variables that satisfy the owner's system, if the steps that are left are enough to
/// find any.
///
/// Post: the store is as on entry, except that pending work is forgotten.
pub fn completion(
    store: &mut Store,
    owner: Quantifier,
    budget: &mut Budget,
    steps: &mut u64,
) -> Result<Option<IdVec<VarId, i64>>, Stop> {
    let mut values = None;
    let take = |store: &Store| values = Some(store.lowers());
    look_for_completion(store, owner, budget, steps, take)?;
    Ok(values)
}

/// Whether a completion was found, and handed to `take`; `None` when no steps are left.
fn look_for_completion(
    store: &mut Store,
    owner: Quantifier,
    budget: &mut Budget,
    steps: &mut u64,
    take: impl FnOnce(&Store),
) -> Result<Option<bool>, Stop> {
    let entry = store.mark();
    store.wake(owner);
    let mut alternatives: Vec<(Mark, VarId, i64, i64)> = Vec::new();
    let alive = loop {
        budget.look_sometimes()?;
        if *steps == 0 {
            break None;
        }
        *steps -= 1;
        let nowhere = VarId::new(0);
        if store.propagate(owner, nowhere, Strength::Narrow).is_ok() {
            let Some((var, best)) = undecided(store, owner) else {
                take(store);
                break Some(true);
            };
            let (lower, upper) = (store.lower(var), store.upper(var));
            let rest = if best == lower {
                (lower + 1, upper)
            } else {
                (lower, upper - 1)
            };
            alternatives.push((store.mark(), var, rest.0, rest.1));
            store.narrow(var, best, best);
        } else if let Some((mark, var, lower, upper)) = alternatives.pop() {
            store.undo_to(mark);
            store.narrow(var, lower, upper);
        } else {
            break Some(false);
        }
    };
    store.undo_to(entry);
    Ok(alive)
}

/// A variable of an inequality that may still fail, with the value that serves it best.
fn undecided(store: &Store, owner: Quantifier) -> Option<(VarId, i64)> {
    let heads = store.inequalities().heads();
    let open = heads.ids().filter(|&id| heads[id].owner == owner);
    open.filter(|&id| most(store, id) > store.rhs(id))
        .find_map(|id| {
            let terms = store.inequalities().terms(id);
            let entry = terms.iter().find(|entry| !store.is_fixed(entry.at))?;
            let best = if entry.coefficient > 0 {
                store.lower(entry.at)
            } else {
                store.upper(entry.at)
            };
            Some((entry.at, best))
        })
}

/// The largest sum the inequality can have.
fn most(store: &Store, id: InequalityId) -> i64 {
    let terms = store.inequalities().terms(id).iter();
    terms
        .map(|entry| {
            let end = if entry.coefficient > 0 {
                store.upper(entry.at)
            } else {
                store.lower(entry.at)
            };
            entry.coefficient * end
        })
        .sum()
}
