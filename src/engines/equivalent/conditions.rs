//! Universal rows that decisions can break.
//!
//! **Definition:** a *condition* is one side of a universal row that mentions existential variables
//! and is no gate: `Σ by · variable <= bound`. Whether a universal move is legal depends on what was
//! decided before it.
//!
//! After some moves the universal system is alive if the variables that are left complete it,
//! whoever owns them. Universal variables are completed by listed plays. An existential variable that
//! all conditions want at the same end is put there: that is best for each of them at once. Of the
//! others that are decided behind a universal move all values are tried, as long as there are few
//! together; programs with more are refused.
//!
//! **Invariant:** a legal play that is not listed is outdone by a listed one with the same values in
//! all conditions (see [`dominance`](super::dominance)), so the listed plays tell who is alive.

use std::collections::HashSet;

use super::skeleton::{Place, Skeleton, SystemRow};
use crate::program::{IdVec, VarId};

/// So many values together of variables that conditions want at different ends are tried.
const MOST_COMPLETIONS: usize = 256;

/// Values of existential variables that are not decided yet.
pub type Completion = Vec<(VarId, i64)>;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Variable and coefficient.
    pub terms: Vec<(VarId, i64)>,
    /// The sum must be at most this.
    pub bound: i64,
}

/// What is known of a condition's sum: decisions, and a number for all the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// Existential variables that are decided, and their coefficients.
    pub terms: Vec<(VarId, i64)>,
    /// What universal moves and undecided variables add.
    pub constant: i64,
    /// Smallest and largest sum, whatever the decisions are.
    pub reach: (i64, i64),
}

/// All conditions of a program.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The conditions.
    pub all: Vec<Condition>,
    /// By stage, all values of what is decided there or later and wanted at different ends.
    completions: Vec<Vec<Completion>>,
    /// Whether a condition mentions the universal variable of that number.
    mentioned: Vec<bool>,
    /// Beginnings of plays that are legal whatever is decided.
    safe: HashSet<Vec<i64>>,
}

impl Conditions {
    /// Whether every universal row is settled without decisions, but for gates.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a condition mentions the universal variable of that number.
    pub fn mention(&self, number: usize) -> bool {
        self.mentioned.get(number).copied().unwrap_or(false)
    }
}

impl Skeleton {
    /// Takes the sides of a row as conditions.
    pub(super) fn add_conditions(&mut self, row: &SystemRow) {
        self.conditions
            .mentioned
            .resize(self.universals.len(), false);
        for &(var, _) in &row.terms {
            if let Place::Universal(number) = self.places[var] {
                self.conditions.mentioned[number] = true;
            }
        }
        let upper = row.upper.map(|bound| Condition {
            terms: row.terms.clone(),
            bound,
        });
        let lower = row.lower.map(|bound| Condition {
            terms: row.terms.iter().map(|&(var, by)| (var, -by)).collect(),
            bound: -bound,
        });
        self.conditions.all.extend(upper.into_iter().chain(lower));
    }

    /// Prepares the completions of every stage. If there are too many, a variable that is to blame.
    pub(super) fn complete_conditions(&mut self) -> Result<(), VarId> {
        let stages = self.stages.len();
        let mut completions = vec![vec![Completion::new()]; stages + 1];
        let pulls = self.pulls();
        for stage in (1..stages).rev() {
            let mut longer = completions[stage + 1].clone();
            let variables = self.stages[stage].iter();
            for &var in variables.filter(|var| pulls[**var] == (true, true)) {
                let (low, up) = self.boxes[var];
                let values = usize::try_from(up - low + 1).unwrap_or(usize::MAX);
                if longer.len().saturating_mul(values) > MOST_COMPLETIONS {
                    return Err(var);
                }
                let with = |known: &Completion, value: i64| {
                    let mut known = known.clone();
                    known.push((var, value));
                    known
                };
                let each = longer
                    .iter()
                    .flat_map(|known| (low..=up).map(move |value| with(known, value)));
                longer = each.collect();
            }
            completions[stage] = longer;
        }
        self.conditions.completions = completions;
        Ok(())
    }

    /// Whether some condition wants a variable small, and whether some condition wants it large.
    fn pulls(&self) -> IdVec<VarId, (bool, bool)> {
        let mut pulls = IdVec::filled(self.places.len(), (false, false));
        for &(var, by) in self.conditions.all.iter().flat_map(|it| &it.terms) {
            let (small, large) = &mut pulls[var];
            *small |= by > 0;
            *large |= by < 0;
        }
        pulls
    }

    /// Whether the universal block, or the whole play, ends with so many universal moves.
    pub(super) fn is_block_end(&self, stage: usize) -> bool {
        stage + 1 == self.stages.len() || !self.stages[stage].is_empty()
    }

    /// All values of what is decided at the stage or later and wanted at different ends.
    pub(super) fn completions(&self, stage: usize) -> &[Completion] {
        &self.conditions.completions[stage]
    }

    /// The sum of a condition when everything before the stage is decided: the universal variables
    /// are those of the play, the rest is completed.
    pub(super) fn partial(
        &self,
        condition: &Condition,
        stage: usize,
        play: &[i64],
        completion: &Completion,
    ) -> Partial {
        let mut partial = Partial {
            terms: Vec::new(),
            constant: 0,
            reach: (0, 0),
        };
        for &(var, by) in &condition.terms {
            if let Some(term) = self.open_term((var, by), stage, play, completion) {
                partial.constant += term;
                continue;
            }
            let (low, up) = self.boxes[var];
            partial.terms.push((var, by));
            partial.reach.0 += (by * low).min(by * up);
            partial.reach.1 += (by * low).max(by * up);
        }
        partial.reach.0 += partial.constant;
        partial.reach.1 += partial.constant;
        partial
    }

    /// What a term adds after everything before the stage is decided, if it is not decided itself.
    fn open_term(
        &self,
        (var, by): (VarId, i64),
        stage: usize,
        play: &[i64],
        completion: &Completion,
    ) -> Option<i64> {
        match self.places[var] {
            Place::Universal(number) => Some(by * play[number]),
            Place::Existential(at, _) if at < stage => None,
            Place::Existential(..) => {
                let (low, up) = self.boxes[var];
                let tried = completion.iter().find(|(other, _)| *other == var);
                Some(tried.map_or((by * low).min(by * up), |(_, value)| by * value))
            }
        }
    }

    /// Whether the play satisfies its conditions, or will if the rest is completed well, after what
    /// is decided before the stage.
    pub fn admits(&self, stage: usize, play: &[i64], decided: impl Fn(VarId) -> i64) -> bool {
        let holds = |condition: &Condition, completion: &Completion| {
            let terms = condition.terms.iter().map(|&(var, by)| {
                let open = self.open_term((var, by), stage, play, completion);
                open.unwrap_or_else(|| by * decided(var))
            });
            terms.sum::<i64>() <= condition.bound
        };
        let conditions = &self.conditions.all;
        let mut completions = self.completions(stage).iter();
        conditions.is_empty()
            || completions.any(|completion| conditions.iter().all(|it| holds(it, completion)))
    }

    /// Whether the play satisfies its conditions whatever is decided.
    pub fn is_always_admitted(&self, play: &[i64]) -> bool {
        let (end, nothing) = (self.stages.len(), Completion::new());
        let mut conditions = self.conditions.all.iter();
        conditions.all(|condition| {
            let most = condition.terms.iter().map(|&(var, by)| {
                let (low, up) = self.boxes[var];
                let open = self.open_term((var, by), end, play, &nothing);
                open.unwrap_or_else(|| (by * low).max(by * up))
            });
            most.sum::<i64>() <= condition.bound
        })
    }

    /// Learns which beginnings leave the universal player a play that is legal whatever is decided.
    pub fn find_safe_beginnings(&mut self, plays: &[Vec<i64>]) {
        if self.conditions.is_empty() {
            return;
        }
        let mut safe = HashSet::new();
        let last = self.stages.len() - 1;
        for play in plays.iter().filter(|play| self.is_always_admitted(play)) {
            for stage in (0..last).filter(|&stage| !self.stages[stage].is_empty()) {
                if !safe.contains(&play[..stage]) {
                    safe.insert(play[..stage].to_vec());
                }
            }
        }
        self.conditions.safe = safe;
    }

    /// Whether some play with that beginning is known to be legal whatever is decided.
    pub(super) fn is_safe_beginning(&self, seen: &[i64]) -> bool {
        self.conditions.safe.contains(seen)
    }

    /// The conditions with all decisions at their best: rows that every play satisfies that is
    /// legal after some decisions.
    pub(super) fn relaxed_conditions(&self) -> impl Iterator<Item = SystemRow> + '_ {
        let is_universal = |var: VarId| matches!(self.places[var], Place::Universal(_));
        self.conditions.all.iter().map(move |condition| {
            let terms = condition.terms.iter().copied();
            let (terms, decisions): (Vec<_>, Vec<_>) = terms.partition(|term| is_universal(term.0));
            let least = decisions.iter().map(|&(var, by)| {
                let (low, up) = self.boxes[var];
                (by * low).min(by * up)
            });
            SystemRow {
                terms,
                lower: None,
                upper: Some(condition.bound - least.sum::<i64>()),
            }
        })
    }
}
