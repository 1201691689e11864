//! The opponent's moves in a walk that extracts plans: every value is answered.
//!
//! What one answer serves is not walked through again, and what the opponent may not play is proved
//! to be illegal, or lost.

use smallvec::SmallVec;

use super::extract::{Built, Extraction, State};
use super::moves::wrong;
use super::past::{Rooms, both};
use crate::certify::Completion;
use crate::outcome::CertificateError;
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::End;
use crate::search::order::moves::VERY_WIDE;
use crate::search::tree::position::Consequence;
use crate::search::worth::{Worth, shifted};
use crate::strategy::{Answer, EvidenceNode, Reply};

/// The replies so far, and the worst cost to go among them.
pub(in crate::search) struct Answers {
    pub next: i64,
    /// Whether the highest value comes first. What costs him least comes first: its answer often
    /// answers the other values as well. Refutations of two knapsacks shrank from 580,000 and
    /// 193,000 nodes to 78,000 and 62,000.
    pub down: bool,
    /// Whether the value being looked at stands for the whole domain.
    pub whole: bool,
    pub replies: SmallVec<[((i64, i64), Answer); 2]>,
    /// The part that answered a value last.
    pub last: Option<Built>,
    pub to_go: Worth,
    /// What all replies need.
    pub needs: Rooms,
}

impl Extraction<'_, '_> {
    pub(in crate::search) fn advance_await(&mut self) -> Result<Option<Built>, CertificateError> {
        let var = VarId::new(self.place);
        let (lower, upper) = self.leaves.domain(var);
        loop {
            let next = self.answers().next;
            if next < lower || next > upper {
                return self.close_await().map(Some);
            }
            // However many values there are, limits are kept.
            self.search.budget.look_sometimes()?;
            let is_wide = upper - lower >= VERY_WIDE;
            if (self.owner == Quantifier::Forall || is_wide) && self.answers_again(var, next) {
                continue;
            }
            let is_first = self.answers().replies.is_empty();
            let end = self.only_answer(var).filter(|_| is_first);
            let store = &self.search.position.store;
            let (low, high) = (store.lower(var), store.upper(var));
            let value = end.unwrap_or(next);
            self.answers().whole = end.is_some();
            if low <= value && value <= high {
                let known = match (self.owner, end) {
                    (Quantifier::Forall, None) => self.known_answer(value),
                    _ => None,
                };
                if let Some(part) = known {
                    self.answer_by(&part, var, (value, value));
                    self.answers().last = Some(part);
                } else if let Some(entered) = self.answer(value)? {
                    return Ok(entered);
                }
            } else if self.owner == Quantifier::Exists {
                self.exclude(value)?;
            } else {
                self.exclude_range(var, value)?;
            }
        }
    }

    /// Whether the highest value of the opponent is looked at first: the one that costs him least, or
    /// the end of the domain that propagation has left him. What answers that may answer values
    /// that it has excluded, and no reason for them is told then.
    pub(in crate::search) fn begins_above(&self, var: VarId) -> bool {
        let store = &self.search.position.store;
        let (lower, upper) = self.leaves.domain(var);
        match (store.lower(var) > lower, store.upper(var) < upper) {
            (true, false) => true,
            (false, true) => false,
            _ => self.search.guess(var, self.owner.opponent()) > store.lower(var),
        }
    }

    /// The opponent's only value that is worth an answer, if there is one and nothing excludes it.
    pub(in crate::search) fn only_answer(&self, var: VarId) -> Option<i64> {
        let store = &self.search.position.store;
        let (lower, upper) = self.leaves.domain(var);
        match self.search.only_end(var)? {
            End::Lower => (store.lower(var) == lower).then_some(lower),
            End::Upper => (store.upper(var) == upper).then_some(upper),
        }
    }

    /// Whether the part that answered the last value answers this one as well, or the end that
    /// excluded a value of the variable last: then it is recorded, be the value excluded or not, and
    /// no reason for that is told.
    fn answers_again(&mut self, var: VarId, value: i64) -> bool {
        let parts = [self.answers().last, self.excluded[var]];
        if parts == [None, None] {
            return false;
        }
        let mut serving = parts.into_iter().flatten();
        let Some(part) = serving.find(|part| self.serves(part, var, value)) else {
            return false;
        };
        let range = self.served(&part, var, value);
        self.answer_by(&part, var, range);
        true
    }

    /// Whether a part of the plan answers the position after a value.
    fn serves(&mut self, part: &Built, var: VarId, value: i64) -> bool {
        self.pass(value);
        let serves = self.answers_here(part) && self.pasts.keeps_ended_rows(var);
        self.unpass();
        serves
    }

    /// The values from one that a part answers on, as far as it answers them. What a part needs is
    /// linear in the value, so they lie side by side, and a wide domain is not walked through.
    fn served(&mut self, part: &Built, var: VarId, value: i64) -> (i64, i64) {
        let (lower, upper) = self.leaves.domain(var);
        let down = self.answers().down;
        if upper - lower < VERY_WIDE {
            return (value, value);
        }
        let room = if down { value - lower } else { upper - value };
        let at = |steps: i64| if down { value - steps } else { value + steps };
        // It answers the first so many steps, and not that many.
        let (mut yes, mut no) = (0, room + 1);
        let mut step = 1;
        while yes + 1 < no {
            let tried = (yes + step).min(no - 1);
            if self.serves(part, var, at(tried)) {
                yes = tried;
                step *= 2;
            } else {
                no = tried;
                step = (no - yes) / 2;
            }
            step = step.clamp(1, no - yes);
        }
        (value.min(at(yes)), value.max(at(yes)))
    }

    /// A part of the plan that answers the position after a move on the next variable, without
    /// making the move.
    pub(in crate::search) fn known_answer(&mut self, value: i64) -> Option<Built> {
        let var = VarId::new(self.place);
        self.pass(value);
        let known = self.taken_over(self.hash());
        let known = known.filter(|_| self.pasts.keeps_ended_rows(var));
        self.unpass();
        known
    }

    /// Records that a part answers some values.
    fn answer_by(&mut self, part: &Built, var: VarId, range: (i64, i64)) {
        let to_go = |value| shifted(part.to_go, self.leaves.cost(var) * value);
        let (low, high) = (to_go(range.0), to_go(range.1));
        let to_go = match self.owner {
            Quantifier::Exists => low.max(high),
            Quantifier::Forall => low.min(high),
        };
        let needs = self.needs_before(part.needs, var, range);
        self.reply(range, Answer::Next(part.node), to_go, needs);
    }

    /// Looks at a value of the opponent that nothing has excluded so far; tells where the plan
    /// goes on, if it does.
    fn answer(&mut self, value: i64) -> Result<Option<Option<Built>>, CertificateError> {
        match (self.make(value)?, self.owner) {
            (Consequence::Alive, _) => {
                let looked = self.owner == Quantifier::Forall && !self.answers().whole;
                self.pass(value);
                self.search.position.pass_fixed();
                self.enter(looked).map(Some)
            }
            (Consequence::ExistsDead, Quantifier::Forall) if !self.contested => {
                self.pass(value);
                let leaf = self.lost_leaf()?;
                self.absorb(leaf);
                Ok(None)
            }
            (Consequence::ExistsDead, Quantifier::Forall)
            | (Consequence::Illegal, Quantifier::Exists) => {
                self.unmake();
                self.exclude(value).map(|()| None)
            }
            _ => Err(wrong(
                "the opponent has a move that the search did not fear",
            )),
        }
    }

    /// A value that the opponent's own system does not survive.
    fn exclude(&mut self, value: i64) -> Result<(), CertificateError> {
        self.pass(value);
        let completion = self.completion(self.owner.opponent());
        self.unpass();
        let Completion::Dead(proof) = completion? else {
            return Err(wrong("a move is legal that the search took for illegal"));
        };
        let to_go = self.owners_best();
        let needs = self.proof_needs(&proof, Some((VarId::new(self.place), value)));
        self.reply(
            (value, value),
            Answer::Illegal(Box::new(proof)),
            to_go,
            needs,
        );
        Ok(())
    }

    /// Existential values that propagation has excluded: one range for each conclusion.
    fn exclude_range(&mut self, var: VarId, value: i64) -> Result<(), CertificateError> {
        let store = &self.search.position.store;
        let Some((change, range)) = self.leaves.exclusion(store, var, value) else {
            return Err(wrong("a value is excluded without a reason"));
        };
        let leaf = self.excluded_leaf(var, change, range)?;
        if range == (value, value) {
            let to_go = shifted(leaf.to_go, -self.leaves.cost(var) * value);
            self.excluded[var] = Some(Built { to_go, ..leaf });
        }
        let needs = self.needs_before(leaf.needs, var, range);
        let answer = Answer::Next(leaf.node);
        let due = match self.answers().down {
            true => (range.0, value),
            false => (value, range.1),
        };
        self.reply(due, answer, leaf.to_go, needs);
        Ok(())
    }

    /// Records what answers a range of values; `to_go` and `needs` count from before them.
    pub(in crate::search) fn reply(
        &mut self,
        (from, to): (i64, i64),
        answer: Answer,
        to_go: Worth,
        needs: Rooms,
    ) {
        let owner = self.owner;
        let so_far = std::mem::take(&mut self.answers().needs);
        let answers = self.answers();
        answers.needs = both(so_far, needs);
        answers.next = if answers.down { from - 1 } else { to + 1 };
        answers.to_go = match owner {
            Quantifier::Exists => answers.to_go.max(to_go),
            Quantifier::Forall => answers.to_go.min(to_go),
        };
        match answers.replies.last_mut() {
            Some((range, last)) if matches!(answer, Answer::Next(_)) && *last == answer => {
                *range = (range.0.min(from), range.1.max(to));
            }
            _ => answers.replies.push(((from, to), answer)),
        }
    }

    fn close_await(&mut self) -> Result<Built, CertificateError> {
        let answers = self.answers();
        let (mut replies, to_go) = (std::mem::take(&mut answers.replies), answers.to_go);
        if answers.down {
            replies.reverse();
        }
        let (needs, last) = (std::mem::take(&mut answers.needs), answers.last);
        let goes_on = |reply: &(_, Answer)| matches!(reply.1, Answer::Next(_));
        if !replies.iter().any(goes_on) {
            // He has no legal move: his system is dead already.
            let dead = self.dead_by_completions()?;
            return Ok(self.close(dead));
        }
        let variable = VarId::new(self.place);
        let replies = replies.into_iter().map(|((from, to), answer)| Reply {
            from: from.into(),
            to: to.into(),
            answer,
        });
        let replies = replies.collect();
        let node = self.builder.add(EvidenceNode::Await { variable, replies });
        let needs = match last {
            Some(last) => self.reuse.add_unless(&needs, last.needs),
            None => self.reuse.add(&needs),
        };
        Ok(self.close(Built { node, to_go, needs }))
    }

    pub(in crate::search) fn answers(&mut self) -> &mut Answers {
        match &mut self.top().state {
            State::Await(answers) => answers,
            State::Choose(_) => unreachable!("invariant: only the opponent is answered"),
        }
    }
}
