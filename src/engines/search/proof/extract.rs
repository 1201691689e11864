//! Plans with proofs, rebuilt from a finished search.
//!
//! The search knows what the game is worth, not how every line is answered. With the worth known,
//! the game is walked once more for each side: the owner's moves are found by null-window searches
//! on the warm transposition table, the opponent's are all answered. Positions that leave the same
//! residuals share their part of the plan, so the result is a graph, not a tree.
//!
//! **Invariant:** a part of a plan is shared only if the cost to go that it guarantees fits.

use std::cell::OnceCell;
use std::sync::Arc;

use smallvec::SmallVec;

use super::answers::Answers;
use super::derived::Derivations;
use super::leaf::Leaves;
use super::moves::{Before, wrong};
use super::needs::{Needs, RowFacts};
use super::past::Pasts;
use super::reuse::Reuse;
use crate::certify::{Completion, System};
use crate::outcome::CertificateError;
use crate::program::{Id, IdVec, Quantifier, VarId};
use crate::propagate::InequalityId;
use crate::search::Search;
use crate::search::tree::position::{Consequence, Position};
use crate::search::worth::{Worth, score, shifted};
use crate::strategy::{Answer, Evidence, EvidenceBuilder, EvidenceNode, NodeId};

/// A part of a plan and the cost to go that it guarantees its owner.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::search) struct Built {
    pub node: NodeId,
    pub to_go: Worth,
    /// What it needs of the moves before.
    pub needs: Needs,
}

/// A variable that is being passed.
pub(in crate::search) struct Frame {
    /// See [`Extraction::hash`].
    hash: Option<u64>,
    /// Whether propagation had left one value, or only one is worth a look.
    settled: bool,
    /// Whether that was so here and of the variable before. What happens in between is no matter of
    /// choice, so parts are neither looked for nor offered there.
    quiet: bool,
    pub state: State,
    /// The value being looked at, and where things stood before it.
    pub value: i64,
    pub before: Before,
}

/// Values of one variable that are still to try: a guess, then the others from below. They are not
/// listed, since domains may be wide.
#[derive(Clone, Debug)]
pub(in crate::search) struct Values {
    pub guess: Option<i64>,
    /// Left out of the others.
    pub tried: Option<i64>,
    pub next: i64,
    pub last: i64,
}

impl Values {
    /// One value.
    pub fn only(value: i64) -> Self {
        Self {
            guess: Some(value),
            tried: None,
            next: 1,
            last: 0,
        }
    }

    fn is_empty(&self) -> bool {
        let left = self.last - self.next + 1;
        let skips = self
            .tried
            .is_some_and(|it| self.next <= it && it <= self.last);
        self.guess.is_none() && left <= i64::from(skips)
    }
}

impl Iterator for Values {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        if let Some(guess) = self.guess.take() {
            return Some(guess);
        }
        if Some(self.next) == self.tried {
            self.next += 1;
        }
        let value = self.next;
        (value <= self.last).then(|| {
            self.next += 1;
            value
        })
    }
}

/// Known parts of a plan are looked for behind this many moves of one variable.
const MOST_LOOKS: usize = 1 << 12;

pub(in crate::search) enum State {
    /// The owner's values still to try, the next one last.
    Choose(Values),
    /// The opponent's values are answered one after the other.
    Await(Answers),
}

/// See the module.
///
/// **Invariant:** there is one frame for each variable that is passed, and one more while its
/// moves are being looked at.
pub(in crate::search) struct Extraction<'s, 'p> {
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
    pub facts: RowFacts,
    pub pasts: Pasts,
    /// Either player's rows, once they are asked for.
    pub systems: [OnceCell<System>; 2],
    pub frames: Vec<Frame>,
    pub reuse: Reuse,
    pub derived: Derivations,
    /// For each variable, the end that excluded a value of it last.
    pub excluded: IdVec<VarId, Option<Built>>,
}

impl Search<'_> {
    /// The plan of `owner` that guarantees him `target`.
    ///
    /// Pre: the game is worth that much to him, and no domain is empty.
    pub(in crate::search) fn extract(
        &mut self,
        owner: Quantifier,
        target: Worth,
        tail: usize,
    ) -> Result<Evidence, CertificateError> {
        let legality = self.position.legality();
        self.tracking = false;
        self.pause_at = u64::MAX;
        let inequalities = Arc::clone(&self.inequalities);
        let narrow = self.settings.propagate;
        let mut position = Position::new(self.program, inequalities, legality, narrow);
        (position.store).inherit_combinations(&mut self.position.store);
        self.position = position;
        let program = self.program;
        let leaves = Leaves::new(program, &self.inequalities);
        let facts = RowFacts::new(&self.inequalities, &leaves, owner);
        let derived = self.derivations(owner, target, tail, &leaves, &facts);
        let extraction = Extraction {
            owner,
            target,
            contested: !legality.may_press(),
            sums: IdVec::filled(self.inequalities.heads().len(), 0),
            place: 0,
            tail,
            builder: EvidenceBuilder::default(),
            facts,
            pasts: Pasts::new(&self.inequalities, &derived, &leaves, owner),
            leaves,
            systems: [OnceCell::new(), OnceCell::new()],
            frames: Vec::new(),
            reuse: Reuse::new(program.variables().len()),
            derived,
            excluded: IdVec::filled(program.variables().len(), None),
            search: self,
        };
        extraction.run()
    }
}

impl Extraction<'_, '_> {
    fn run(mut self) -> Result<Evidence, CertificateError> {
        let root = match self.start()? {
            Some(root) => root,
            None => self.walk()?,
        };
        let guarantee = score(self.target, &self.search.inequalities);
        Ok(self.builder.finish(self.owner, guarantee.into(), root.node))
    }

    /// The plan, if the game is decided before its first move.
    fn start(&mut self) -> Result<Option<Built>, CertificateError> {
        // A system that is dead from the start is what decides the game.
        if self.target == self.owners_best()
            && let Completion::Dead(proof) = self.completion(self.owner.opponent())?
        {
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

    fn walk(&mut self) -> Result<Built, CertificateError> {
        let mut done = self.enter(false)?;
        loop {
            done = match done {
                None => self.advance()?,
                Some(built) if self.frames.is_empty() => return Ok(built),
                Some(built) => self.absorb(built),
            };
        }
    }

    /// Opens the position at the present place: its part of the plan if that is known, or a frame.
    /// `looked` tells that no known part answers it.
    pub(in crate::search) fn enter(
        &mut self,
        looked: bool,
    ) -> Result<Option<Built>, CertificateError> {
        self.search.spend_node()?;
        if self.place == self.search.program.variables().len() {
            let node = self.builder.add(EvidenceNode::Complete);
            if !self.fits(0) {
                return Err(wrong(
                    "a play ends at another cost than the search has shown",
                ));
            }
            let needs = self.reuse.add(&[]);
            return Ok(Some(Built {
                node,
                to_go: 0,
                needs,
            }));
        }
        let var = VarId::new(self.place);
        let own = self.search.position.store.owner(var) == self.owner;
        let settled = self.search.position.store.is_fixed(var)
            || match own {
                true => self.search.only_end(var).is_some(),
                false => self.only_answer(var).is_some(),
            };
        let quiet = settled && self.frames.last().is_some_and(|frame| frame.settled);
        let hash = if quiet { None } else { self.hash() };
        if !quiet
            && !looked
            && let Some(built) = self.taken_over(hash)
        {
            return Ok(Some(built));
        }
        if let Some(leaf) = self.leaf_without_rounding()? {
            return Ok(Some(self.share(leaf, hash)));
        }
        if !quiet && let Some(leaf) = self.derived_leaf()? {
            return Ok(Some(self.share(leaf, hash)));
        }
        let state = if own {
            State::Choose(self.candidates(var))
        } else {
            let (lower, upper) = self.leaves.domain(var);
            let down = self.begins_above(var);
            State::Await(Answers {
                next: if down { upper } else { lower },
                down,
                whole: false,
                replies: SmallVec::new(),
                last: None,
                to_go: self.owners_best(),
                needs: Vec::new(),
            })
        };
        let before = self.before();
        self.frames.push(Frame {
            hash,
            settled,
            quiet,
            state,
            value: 0,
            before,
        });
        Ok(None)
    }

    /// Goes on with the top frame: down into its next move, or to its end.
    fn advance(&mut self) -> Result<Option<Built>, CertificateError> {
        match self.top().state {
            State::Choose(_) => self.advance_choice(),
            State::Await(_) => self.advance_await(),
        }
    }

    fn advance_choice(&mut self) -> Result<Option<Built>, CertificateError> {
        let looks = self.owner == Quantifier::Forall && !self.top().quiet;
        if looks && let Some((value, built)) = self.known_choice() {
            return Ok(Some(self.chosen(value, built)));
        }
        loop {
            let State::Choose(values) = &mut self.top().state else {
                unreachable!()
            };
            let Some(value) = values.next() else {
                return Err(wrong(
                    "no move of the owner keeps what the search has shown",
                ));
            };
            let last = values.is_empty();
            // However many moves there are, limits are kept.
            self.search.budget.look_sometimes()?;
            let consequence = self.make(value)?;
            let leaf = match (consequence, self.owner) {
                (Consequence::Alive, _) if last || self.is_good()? => {
                    self.pass(value);
                    self.search.position.pass_fixed();
                    return self.enter(looks);
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

    /// Takes the plan after the top frame's move into the frame and the move back. The frame's own
    /// part of the plan, if that completes it.
    pub(in crate::search) fn absorb(&mut self, built: Built) -> Option<Built> {
        let value = self.top().value;
        let variable = VarId::new(self.place - 1);
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
                let to_go = shifted(built.to_go, self.leaves.cost(variable) * value);
                let needs = self.needs_before(built.needs, variable, range);
                self.reply(range, Answer::Next(built.node), to_go, needs);
                self.answers().last = Some(built);
                None
            }
            State::Choose(_) => Some(self.chosen(value, built)),
        }
    }

    /// A move of the owner after which a known part of the plan goes on.
    fn known_choice(&mut self) -> Option<(i64, Built)> {
        let State::Choose(values) = &self.top().state else {
            unreachable!("invariant: the owner is to move")
        };
        let mut best_first = values.clone().take(MOST_LOOKS);
        best_first.find_map(|value| Some((value, self.known_answer(value)?)))
    }

    /// Completes the top frame with a move of the owner.
    fn chosen(&mut self, value: i64, built: Built) -> Built {
        let variable = VarId::new(self.place);
        let node = self.builder.add(EvidenceNode::Choose {
            variable,
            value: value.into(),
            next: built.node,
        });
        let to_go = shifted(built.to_go, self.leaves.cost(variable) * value);
        let needs = self.needs_before(built.needs, variable, (value, value));
        let needs = self.reuse.add_unless(&needs, built.needs);
        self.close(Built { node, to_go, needs })
    }

    /// In a refutation of a program with a real tail: the end of this line, if this is one.
    fn leaf_without_rounding(&mut self) -> Result<Option<Built>, CertificateError> {
        if self.is_at_tail() {
            return self.tail_leaf().map(Some);
        }
        if self.owner == Quantifier::Forall && self.has_tail() && !self.contested {
            return self.dear_leaf();
        }
        Ok(None)
    }

    /// Drops the top frame and lets other positions take its part of the plan over.
    pub(in crate::search) fn close(&mut self, built: Built) -> Built {
        let frame = self.frames.pop().expect("invariant: a frame is open");
        match frame.quiet {
            true => built,
            false => self.share(built, frame.hash),
        }
    }

    /// Whether a cost to go keeps the target from here.
    pub(in crate::search) fn fits(&self, to_go: Worth) -> bool {
        self.fitting()(to_go)
    }

    /// Tells whether a cost to go keeps the target from here.
    pub(in crate::search) fn fitting(&self) -> impl Fn(Worth) -> bool + use<> {
        let limit = shifted(self.target, -self.spent());
        let owner = self.owner;
        move |to_go| match owner {
            Quantifier::Exists => to_go <= limit,
            Quantifier::Forall => to_go >= limit,
        }
    }

    /// What the variables before the present place cost.
    pub(in crate::search) fn spent(&self) -> i64 {
        self.sums[self.search.inequalities.objective()]
    }

    pub(in crate::search) fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("invariant: a frame is open")
    }
}
