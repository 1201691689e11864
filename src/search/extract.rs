//! Plans with proofs, rebuilt from a finished search.
//!
//! The search knows what the game is worth, not how every line is answered. With the worth known,
//! the game is walked once more for each side: the owner's moves are found by null-window searches
//! on the warm transposition table, the opponent's are all answered. Positions that leave the same
//! residuals share their part of the plan, so the result is a graph, not a tree.
//!
//! **Invariant:** a part of a plan is shared only if the cost to go that it guarantees fits.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Search;
use super::extract_leaf::Leaves;
use super::extract_moves::{Before, wrong};
use super::extract_reuse::{Needs, Reuse, Rooms};
use super::legality::Legality;
use super::position::{Consequence, Position};
use super::table::write_key;
use super::worth::{Worth, score, shifted};
use crate::certify::{CertifyError, Completion, System, push_reply};
use crate::num::int;
use crate::program::{Id, IdVec, Quantifier, VarId};
use crate::propagate::{End, InequalityId};
use crate::strategy::{Answer, Evidence, EvidenceBuilder, EvidenceNode, NodeId, Reply};

/// A part of a plan and the cost to go that it guarantees its owner.
#[derive(Copy, Clone, Debug)]
pub(super) struct Built {
    pub node: NodeId,
    pub to_go: Worth,
    /// What it needs of the moves before.
    pub needs: Needs,
}

/// A variable that is being passed.
pub(super) struct Frame {
    key: Option<Vec<u8>>,
    state: State,
    /// The value being looked at, and where things stood before it.
    pub value: i64,
    pub before: Before,
}

enum State {
    /// The owner's values still to try, the next one last.
    Choose(Vec<i64>),
    /// The opponent's values are answered from the lowest up.
    Await(Answers),
}

/// The replies so far, and the worst cost to go among them.
struct Answers {
    next: i64,
    /// Whether the value being looked at stands for the whole domain.
    whole: bool,
    replies: Vec<Reply>,
    to_go: Worth,
    /// What all replies need.
    needs: Rooms,
}

/// See the module.
///
/// **Invariant:** there is one frame for each variable that is passed, and one more while its
/// moves are being looked at.
pub(super) struct Extraction<'s, 'p> {
    pub search: &'s mut Search<'p>,
    pub owner: Quantifier,
    pub target: Worth,
    /// Whether the existential player may be able to kill the universal system.
    pub contested: bool,
    /// What the variables before the present place add to each inequality.
    pub sums: IdVec<InequalityId, i64>,
    /// How many variables are passed.
    pub place: usize,
    /// From here on every variable is an existential one that is real in the user's program.
    pub tail: usize,
    pub builder: EvidenceBuilder,
    pub leaves: Leaves,
    pub systems: [System; 2],
    pub frames: Vec<Frame>,
    pub reuse: Reuse,
    known: FxHashMap<Vec<u8>, Vec<Built>>,
}

impl Search<'_> {
    /// The plan of `owner` that guarantees him `target`.
    ///
    /// Pre: the game is worth that much to him, and no domain is empty.
    pub(super) fn extract(
        &mut self,
        owner: Quantifier,
        target: Worth,
        tail: usize,
    ) -> Result<Evidence, CertifyError> {
        let legality = Legality::of(self.program, &self.program.class());
        self.tracking = false;
        self.learner = None;
        self.cubes = None;
        self.pause_at = u64::MAX;
        let inequalities = Arc::clone(&self.inequalities);
        let narrow = self.settings.propagate;
        self.position = Position::new(self.program, inequalities, legality, narrow);
        let program = self.program;
        let system = |owner| {
            let system = System::new(program, owner)?;
            system.ok_or_else(|| CertifyError::Unsupported("a variable is real".to_owned()))
        };
        let leaves = Leaves::new(program, &self.inequalities);
        let extraction = Extraction {
            owner,
            target,
            contested: !legality.may_press(),
            sums: IdVec::filled(self.inequalities.heads().len(), 0),
            place: 0,
            tail,
            builder: EvidenceBuilder::default(),
            reuse: Reuse::new(program, &self.inequalities, |var| leaves.domain(var)),
            leaves,
            systems: [system(Quantifier::Exists)?, system(Quantifier::Forall)?],
            frames: Vec::new(),
            known: FxHashMap::default(),
            search: self,
        };
        extraction.run()
    }
}

impl Extraction<'_, '_> {
    fn run(mut self) -> Result<Evidence, CertifyError> {
        let root = match self.start()? {
            Some(root) => root,
            None => self.walk()?,
        };
        let guarantee = score(self.target, &self.search.inequalities);
        Ok(self.builder.finish(self.owner, guarantee.into(), root.node))
    }

    /// The plan, if the game is decided before its first move.
    fn start(&mut self) -> Result<Option<Built>, CertifyError> {
        if let Completion::Dead(proof) = self.completion(self.owner.opponent())? {
            let alive = match self.completion(self.owner)? {
                Completion::Alive(values) => Some(values),
                Completion::Dead(_) => None,
            };
            return Ok(Some(self.dead(alive, proof)));
        }
        let first = self.search.first_player();
        let Search {
            position, budget, ..
        } = &mut *self.search;
        let mut consequence = position.settle(first, budget)?;
        self.set_limit();
        if consequence == Consequence::Alive && self.limit().is_some() {
            let Search {
                position, budget, ..
            } = &mut *self.search;
            position.store.wake_objective();
            consequence = position.settle(Quantifier::Exists, budget)?;
        }
        self.leaves.sync(&self.search.position.store);
        match (consequence, self.owner) {
            (Consequence::Alive, _) => Ok(None),
            (Consequence::ExistsDead, Quantifier::Forall) => self.lost_leaf().map(Some),
            _ => Err(wrong("the game is decided otherwise before its first move")),
        }
    }

    fn walk(&mut self) -> Result<Built, CertifyError> {
        let mut done = self.enter()?;
        loop {
            done = match done {
                None => self.advance()?,
                Some(built) if self.frames.is_empty() => return Ok(built),
                Some(built) => self.absorb(built),
            };
        }
    }

    /// Opens the position at the present place: its part of the plan if that is known, or a frame.
    fn enter(&mut self) -> Result<Option<Built>, CertifyError> {
        self.search.spend_node()?;
        if self.place == self.search.program.variables().len() {
            let node = self.builder.add(EvidenceNode::Complete);
            if !self.fits(0) {
                return Err(wrong(
                    "a play ends at another cost than the search has shown",
                ));
            }
            let needs = self.reuse.add(Vec::new());
            return Ok(Some(Built {
                node,
                to_go: 0,
                needs,
            }));
        }
        if let Some(built) = self.taken_over() {
            return Ok(Some(built));
        }
        let key = self.key();
        if let Some(built) = key.as_ref().and_then(|key| self.recall(key)) {
            return Ok(Some(built));
        }
        if let Some(leaf) = self.leaf_without_rounding()? {
            return Ok(Some(self.remember(key, leaf)));
        }
        let var = VarId::new(self.place);
        let state = if self.search.position.store.owner(var) == self.owner {
            State::Choose(self.candidates(var, key.as_deref()))
        } else {
            State::Await(Answers {
                next: self.leaves.domain(var).0,
                whole: false,
                replies: Vec::new(),
                to_go: self.owners_best(),
                needs: Vec::new(),
            })
        };
        let before = self.before();
        self.frames.push(Frame {
            key,
            state,
            value: 0,
            before,
        });
        Ok(None)
    }

    /// Goes on with the top frame: down into its next move, or to its end.
    fn advance(&mut self) -> Result<Option<Built>, CertifyError> {
        match self.top().state {
            State::Choose(_) => self.advance_choice(),
            State::Await(_) => self.advance_await(),
        }
    }

    fn advance_choice(&mut self) -> Result<Option<Built>, CertifyError> {
        loop {
            let State::Choose(values) = &mut self.top().state else {
                unreachable!()
            };
            let Some(value) = values.pop() else {
                return Err(wrong(
                    "no move of the owner keeps what the search has shown",
                ));
            };
            let last = values.is_empty();
            let consequence = self.make(value)?;
            let leaf = match (consequence, self.owner) {
                (Consequence::Alive, _) if last || self.is_good()? => {
                    self.pass(value);
                    self.search.position.pass_fixed();
                    return self.enter();
                }
                (Consequence::ForallDead, Quantifier::Exists)
                | (Consequence::ExistsDead, Quantifier::Forall) => {
                    self.pass(value);
                    match self.owner {
                        Quantifier::Exists => self.won_leaf()?,
                        Quantifier::Forall => self.lost_leaf()?,
                    }
                }
                _ => {
                    self.unmake();
                    continue;
                }
            };
            return Ok(self.absorb(leaf));
        }
    }

    fn advance_await(&mut self) -> Result<Option<Built>, CertifyError> {
        let var = VarId::new(self.place);
        let (lower, upper) = self.leaves.domain(var);
        loop {
            let next = self.answers().next;
            if next > upper {
                return self.close_await().map(Some);
            }
            let store = &self.search.position.store;
            let (low, high) = (store.lower(var), store.upper(var));
            let end = match self.search.only_end(var) {
                Some(End::Lower) if next == lower && low == lower => Some(lower),
                Some(End::Upper) if next == lower && high == upper => Some(upper),
                _ => None,
            };
            let value = end.unwrap_or(next);
            self.answers().whole = end.is_some();
            if low <= value && value <= high {
                if let Some(entered) = self.answer(value)? {
                    return Ok(entered);
                }
            } else if self.owner == Quantifier::Exists {
                self.exclude(value)?;
            } else {
                self.exclude_range(var, value)?;
            }
        }
    }

    /// Looks at a value of the opponent that nothing has excluded so far; tells where the plan
    /// goes on, if it does.
    fn answer(&mut self, value: i64) -> Result<Option<Option<Built>>, CertifyError> {
        match (self.make(value)?, self.owner) {
            (Consequence::Alive, _) => {
                self.pass(value);
                self.search.position.pass_fixed();
                self.enter().map(Some)
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
    fn exclude(&mut self, value: i64) -> Result<(), CertifyError> {
        self.pass(value);
        let completion = self.completion(self.owner.opponent());
        self.unpass();
        let Completion::Dead(proof) = completion? else {
            return Err(wrong("a move is legal that the search took for illegal"));
        };
        let to_go = self.owners_best();
        let needs = self.illegal_needs(&proof, VarId::new(self.place), value);
        self.reply((value, value), Answer::Illegal(proof), to_go, needs);
        Ok(())
    }

    /// Existential values that propagation has excluded: one range for each conclusion.
    fn exclude_range(&mut self, var: VarId, value: i64) -> Result<(), CertifyError> {
        let store = &self.search.position.store;
        let Some((change, range)) = self.leaves.exclusion(store, var, value) else {
            return Err(wrong("a value is excluded without a reason"));
        };
        let leaf = self.excluded_leaf(var, change, range)?;
        let needs = self.needs_before(leaf.needs, var, range);
        let answer = Answer::Next(leaf.node);
        self.reply((value, range.1), answer, leaf.to_go, needs);
        Ok(())
    }

    /// Records what answers a range of values; `to_go` and `needs` count from before them.
    fn reply(&mut self, (from, to): (i64, i64), answer: Answer, to_go: Worth, needs: Rooms) {
        let owner = self.owner;
        let so_far = std::mem::take(&mut self.answers().needs);
        let needs = self.both_needs(so_far, needs);
        let answers = self.answers();
        answers.needs = needs;
        answers.next = to + 1;
        answers.to_go = match owner {
            Quantifier::Exists => answers.to_go.max(to_go),
            Quantifier::Forall => answers.to_go.min(to_go),
        };
        push_reply(
            &mut answers.replies,
            Reply {
                from: int(from),
                to: int(to),
                answer,
            },
        );
    }

    /// Takes the plan after the top frame's move into the frame and the move back. The frame's own
    /// part of the plan, if that completes it.
    fn absorb(&mut self, built: Built) -> Option<Built> {
        let value = self.top().value;
        let variable = VarId::new(self.place - 1);
        let to_go = shifted(built.to_go, self.leaves.cost(variable) * value);
        self.unpass();
        self.unmake();
        match &self.top().state {
            State::Await(answers) => {
                let whole = answers.whole;
                let range = if whole {
                    self.leaves.domain(variable)
                } else {
                    (value, value)
                };
                let needs = self.needs_before(built.needs, variable, range);
                self.reply(range, Answer::Next(built.node), to_go, needs);
                None
            }
            State::Choose(_) => {
                let next = built.node;
                let node = EvidenceNode::Choose {
                    variable,
                    value: int(value),
                    next,
                };
                let node = self.builder.add(node);
                let needs = self.needs_before(built.needs, variable, (value, value));
                let needs = self.reuse.add(needs);
                Some(self.close(Built { node, to_go, needs }))
            }
        }
    }

    fn close_await(&mut self) -> Result<Built, CertifyError> {
        let answers = self.answers();
        let (replies, to_go) = (std::mem::take(&mut answers.replies), answers.to_go);
        let needs = std::mem::take(&mut answers.needs);
        let goes_on = |reply: &Reply| matches!(reply.answer, Answer::Next(_));
        if !replies.iter().any(goes_on) {
            // He has no legal move: his system is dead already.
            let dead = self.dead_by_completions()?;
            return Ok(self.close(dead));
        }
        let variable = VarId::new(self.place);
        let node = self.builder.add(EvidenceNode::Await { variable, replies });
        let needs = self.reuse.add(needs);
        Ok(self.close(Built { node, to_go, needs }))
    }

    /// In a refutation of a program with a real tail: the end of this line, if this is one.
    fn leaf_without_rounding(&mut self) -> Result<Option<Built>, CertifyError> {
        if self.is_at_tail() {
            return self.tail_leaf().map(Some);
        }
        if self.owner == Quantifier::Forall && self.has_tail() && !self.contested {
            return self.dear_leaf();
        }
        Ok(None)
    }

    /// Drops the top frame and remembers its part of the plan.
    fn close(&mut self, built: Built) -> Built {
        let key = self.frames.pop().and_then(|frame| frame.key);
        self.share(built);
        self.remember(key, built)
    }

    fn remember(&mut self, key: Option<Vec<u8>>, built: Built) -> Built {
        if let Some(key) = key {
            self.known.entry(key).or_default().push(built);
        }
        built
    }

    fn recall(&self, key: &[u8]) -> Option<Built> {
        let found = self.known.get(key)?;
        found.iter().copied().find(|built| self.fits(built.to_go))
    }

    /// Whether a cost to go keeps the target from here.
    pub(super) fn fits(&self, to_go: Worth) -> bool {
        let total = shifted(to_go, self.spent());
        match self.owner {
            Quantifier::Exists => total <= self.target,
            Quantifier::Forall => total >= self.target,
        }
    }

    /// What the variables before the present place cost.
    pub(super) fn spent(&self) -> i64 {
        self.sums[self.search.inequalities.objective()]
    }

    pub(super) fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("invariant: a frame is open")
    }

    fn answers(&mut self) -> &mut Answers {
        match &mut self.top().state {
            State::Await(answers) => answers,
            State::Choose(_) => unreachable!("invariant: only the opponent is answered"),
        }
    }

    fn key(&self) -> Option<Vec<u8>> {
        let layout = &self.search.layout;
        layout.is_usable(self.place).then(|| {
            let mut key = Vec::new();
            let sums = layout.sums(self.place, |id| self.sums[id]);
            write_key(self.place, sums, &mut key);
            key
        })
    }
}
