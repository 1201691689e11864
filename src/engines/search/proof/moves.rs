//! Moves of the walk that extracts plans: made, counted, taken back.

use super::extract::{Extraction, Values};
use crate::certify::{Completion, System};
use crate::outcome::{CertificateError, Stop};
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::{End, Mark, NO_LIMIT};
use crate::search::Search;
use crate::search::tree::position::Consequence;
use crate::search::worth::{LOST, WON, Window, Worth, shifted};

/// Where things stood before a move.
#[derive(Copy, Clone)]
pub(in crate::search) struct Before {
    mark: Mark,
    trail: usize,
    passed: usize,
    /// Whether the move was the first on its variable.
    first: bool,
}

impl Extraction<'_, '_> {
    /// Makes a move at the present place and draws its conclusions.
    pub(in crate::search) fn make(&mut self, value: i64) -> Result<Consequence, Stop> {
        let mut before = self.before();
        let var = VarId::new(self.place);
        let Search {
            position, budget, ..
        } = &mut *self.search;
        let mut consequence = Consequence::Alive;
        // A variable that is fixed by propagation may be passed already.
        if position.passed() <= self.place {
            before.first = position.decide(var, value, value);
            consequence = position.settle(position.store.owner(var), budget)?;
            self.leaves.sync(&position.store);
        }
        let frame = self.top();
        frame.value = value;
        frame.before = before;
        Ok(consequence)
    }

    pub(in crate::search) fn unmake(&mut self) {
        let before = self.top().before;
        let var = VarId::new(self.place);
        let position = &mut self.search.position;
        self.leaves.forget(&position.store, before.trail);
        position.return_to(before.passed);
        if before.first {
            position.forget_decision(var);
        }
        position.store.undo_to(before.mark);
    }

    pub(in crate::search) fn before(&self) -> Before {
        let position = &self.search.position;
        Before {
            mark: position.store.mark(),
            trail: position.store.trail().len(),
            passed: position.passed(),
            first: false,
        }
    }

    /// Counts the variable at the present place as fixed.
    pub(in crate::search) fn pass(&mut self, value: i64) {
        self.top().value = value;
        self.account(VarId::new(self.place), value);
        self.pasts.count(VarId::new(self.place), value);
        self.place += 1;
    }

    pub(in crate::search) fn unpass(&mut self) {
        self.place -= 1;
        let value = self.top().value;
        self.account(VarId::new(self.place), -value);
    }

    fn account(&mut self, var: VarId, value: i64) {
        for entry in self.search.inequalities.column(var) {
            self.sums[entry.at] += entry.coefficient * value;
        }
    }

    /// The values of the variables that are passed.
    pub(in crate::search) fn values(&self) -> Vec<i64> {
        let moves = self.frames.iter().map(|frame| frame.value);
        moves.take(self.place).collect()
    }

    /// Whether a system is alive after the variables that are passed.
    pub(in crate::search) fn completion(
        &mut self,
        owner: Quantifier,
    ) -> Result<Completion, CertificateError> {
        let fixed: Vec<i128> = self.values().into_iter().map(i128::from).collect();
        let system = &self.systems[usize::from(owner == Quantifier::Forall)];
        if system.get().is_none() {
            let made = System::new(self.search.program, owner)?;
            let real = || CertificateError::Unsupported("a variable is real".to_owned());
            let _ = system.set(made.ok_or_else(real)?);
        }
        let system = system.get().expect("invariant: it was made");
        Ok(system.completion(&fixed, self.search.budget)?)
    }

    /// Whether the position after the owner's move keeps the target.
    pub(in crate::search) fn is_good(&mut self) -> Result<bool, Stop> {
        let limit = match self.owner {
            Quantifier::Exists => self.target,
            Quantifier::Forall => self.target - 1,
        };
        let stays = match self.search.known_to_stay_within(limit) {
            Some(stays) => stays,
            None => {
                let stays = self.search.worth(Window::at_most(limit))? <= limit;
                self.set_limit();
                stays
            }
        };
        Ok(stays == (self.owner == Quantifier::Exists))
    }

    /// The owner's values, the most promising one first.
    pub(in crate::search) fn candidates(&mut self, var: VarId) -> Values {
        let store = &self.search.position.store;
        let (lower, upper) = (store.lower(var), store.upper(var));
        let hint = match self.search.only_end(var) {
            Some(End::Lower) => return Values::only(lower),
            Some(End::Upper) => return Values::only(upper),
            None if lower == upper => return Values::only(lower),
            None => self.search.best_known(),
        };
        let guess = hint.unwrap_or_else(|| self.search.guess(var, self.owner));
        let guess = (lower <= guess && guess <= upper).then_some(guess);
        Values {
            guess,
            tried: guess,
            next: lower,
            last: upper,
        }
    }

    /// The most that the existential player may spend in this walk, if costs count.
    pub(in crate::search) fn limit(&self) -> Option<i64> {
        let rounds = self.owner == Quantifier::Forall && self.has_tail();
        let is_cost = self.target != LOST && self.target != WON;
        let counts = self.search.may_cut_by_cost && is_cost && !rounds;
        counts.then_some(match self.owner {
            Quantifier::Exists => self.target,
            Quantifier::Forall => self.target - 1,
        })
    }

    pub(in crate::search) fn set_limit(&mut self) {
        let limit = self.limit().unwrap_or(NO_LIMIT);
        self.search.position.store.set_cost_limit(limit);
    }

    /// The cost to go of a line that is decided for the owner.
    pub(in crate::search) fn owners_best(&self) -> Worth {
        match self.owner {
            Quantifier::Exists => WON,
            Quantifier::Forall => LOST,
        }
    }
}

impl Search<'_> {
    /// The value of the next variable that was best when the position was last searched.
    fn best_known(&mut self) -> Option<i64> {
        let start = self.keys.len();
        let taken = self.push_key()?;
        let known = self.table.look_up(&self.keys[start..]);
        self.keys.truncate(start);
        let best = known?.best?;
        match &self.mirror {
            Some(mirror) => mirror.here(self.position.passed(), taken, best),
            None => Some(best),
        }
    }

    /// Whether the position is worth at most `limit`, if that needs no search: it is in the table,
    /// or every variable is fixed. Nothing is propagated, which would cost more than the look.
    pub(in crate::search) fn known_to_stay_within(&mut self, limit: Worth) -> Option<bool> {
        let passed = self.position.passed();
        let is_over = self.position.pass_fixed().is_none();
        let spent = self.position.spent();
        let mut stays = is_over.then_some(spent <= limit);
        let start = self.keys.len();
        if !is_over && self.push_key().is_some() {
            let known = self.table.look_up(&self.keys[start..]);
            self.keys.truncate(start);
            stays = known.and_then(|known| {
                if shifted(known.upper, spent) <= limit {
                    return Some(true);
                }
                (shifted(known.lower, spent) > limit).then_some(false)
            });
        }
        self.position.return_to(passed);
        stays
    }
}

/// The walk met something that the search has excluded.
pub(in crate::search) fn wrong(what: &str) -> CertificateError {
    CertificateError::Wrong(what.to_owned())
}
