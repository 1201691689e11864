//! Alpha-beta over the quantifier prefix.
//!
//! The recursion is unrolled onto a stack of frames, one for each variable that is being branched
//! on, so that a prefix of any length is searched without deep calls. [`Search::worth`] is the
//! loop, [`Search::enter`] opens a position, [`Search::next_move`] makes the next move of the top
//! frame, [`Search::absorb`] takes a child's worth into account, [`Search::leave`] closes a frame.

use std::rc::Rc;

use super::copy::Reply;
use super::mirror::Taken;
use super::position::Consequence;
use crate::outcome::Stop;
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::{Mark, NO_LIMIT};
use crate::search::Search;
use crate::search::bound::guide::{Advice, Point};
use crate::search::order::moves::Ranges;
use crate::search::worth::{LOST, WON, Window, Worth, cost_limit, shifted};

/// A variable that is being branched on.
#[derive(Debug)]
pub(in crate::search) struct Frame {
    var: VarId,
    player: Quantifier,
    window: Window,
    /// The part of `window` that is still open.
    open: Window,
    best: Worth,
    best_value: Option<i64>,
    /// Ranges of values still to try, the next one last.
    ranges: Ranges,
    /// Where the trail stood when the position was entered.
    entered: Mark,
    /// Where it stood before the move that is being looked at.
    before_move: Mark,
    passed_on_entry: usize,
    /// The position's key begins here on the key stack; equal to its end if it has none.
    key_start: usize,
    /// The image of the position that the key belongs to.
    taken: Taken,
    /// Whether the move being looked at is the first on its variable.
    first_move_on_var: bool,
    /// The relaxation's solution at this position or above it.
    point: Option<Rc<Point>>,
    /// Positions visited before this one.
    nodes_before: u64,
    /// Whether every move so far was the existential player's: improvements are new strategies.
    first_stage: bool,
    /// The beta whose conclusions are already drawn.
    settled: Worth,
    /// The cheapest complete reply to the move that was looked at last, if this is the last
    /// universal variable.
    pub(in crate::search) reply: Option<Reply>,
}

impl Frame {
    pub(in crate::search) fn is_universal(&self) -> bool {
        self.player == Quantifier::Forall
    }

    pub(in crate::search) fn var(&self) -> VarId {
        self.var
    }
}

/// What to do next.
enum Step {
    /// Look into the position after the move that was just made.
    Enter { window: Window, first_stage: bool },
    /// The move needs no look: its worth is known.
    Absorb(Worth),
    /// The top frame is done, with this worth.
    Leave(Worth),
}

impl Search<'_> {
    /// Worth of the position inside `window`.
    ///
    /// Post: the position is the one on entry, also when stopped.
    pub fn worth(&mut self, window: Window) -> Result<Worth, Stop> {
        debug_assert!(!window.is_empty());
        let base = self.frames.len();
        let keys = self.keys.len();
        let entered = self.position.store.mark();
        let passed = self.position.passed();
        let result = self.run(window, base);
        self.unwind(base);
        self.position.return_to(passed);
        self.keys.truncate(keys);
        self.position.store.undo_to(entered);
        self.position.store.set_cost_limit(NO_LIMIT);
        result
    }

    /// Takes back the moves of all frames above `base`, which are there only after a stop.
    fn unwind(&mut self, base: usize) {
        while self.frames.len() > base {
            // While the values that a move fixed are still there.
            let passed = self.frames.last().map_or(0, |frame| frame.passed_on_entry);
            self.position.return_to(passed);
            self.take_back();
            self.frames.pop();
        }
    }

    fn run(&mut self, window: Window, base: usize) -> Result<Worth, Stop> {
        if !self.settle_limit(window.beta)? {
            return Ok(window.beta);
        }
        let mut entered = self.enter(window, self.tracking)?;
        loop {
            if let Some(worth) = entered {
                if self.frames.len() == base {
                    return Ok(worth);
                }
                self.absorb(worth);
            }
            entered = match self.next_move()? {
                Step::Enter {
                    window,
                    first_stage,
                } => self.enter(window, first_stage)?,
                Step::Absorb(worth) => Some(worth),
                Step::Leave(worth) => {
                    self.leave(worth);
                    Some(worth)
                }
            };
        }
    }

    /// Opens a position: its worth, if that is known at once, or a new frame.
    ///
    /// A worth beyond beta is reported as beta. On the way here existential values may have been
    /// taken away because they cost beta or more, so nothing above beta is known of what is left.
    fn enter(&mut self, window: Window, first_stage: bool) -> Result<Option<Worth>, Stop> {
        // Step 1. Limits.
        self.spend_node()?;

        // Step 2. Leaf: every variable is fixed, and both systems survived.
        let passed_on_entry = self.position.passed();
        let Some(next) = self.position.pass_fixed() else {
            let worth = self.position.spent().min(window.beta);
            self.offer_copy();
            self.position.return_to(passed_on_entry);
            return Ok(Some(worth));
        };

        // Step 3. Transposition.
        let player = self.position.store.owner(next);
        let first_stage = first_stage && player == Quantifier::Exists;
        let key_start = self.keys.len();
        let mut hint = None;
        let taken = self.push_key();
        if taken.is_some() {
            let known = self.table.look_up(&self.keys[key_start..]);
            let spent = self.position.spent();
            if let Some(known) = known {
                #[cfg(any(test, feature = "paranoid"))]
                if self.tracking {
                    crate::search::twin::assert_known(self.program, &self.position, known);
                }
                let (lower, upper) = (shifted(known.lower, spent), shifted(known.upper, spent));
                let decided = if lower >= window.beta || lower == upper {
                    Some(lower.min(window.beta))
                } else if upper <= window.alpha {
                    Some(upper)
                } else {
                    None
                };
                // A strategy that is only known by its worth cannot be shown: search it again.
                if let Some(worth) = decided
                    && !(first_stage && worth < window.beta)
                {
                    self.keys.truncate(key_start);
                    self.position.return_to(passed_on_entry);
                    return Ok(Some(worth));
                }
                let best = known.best.filter(|_| self.settings.ordering);
                let passed = self.position.passed();
                hint = match &self.mirror {
                    Some(mirror) => best.and_then(|it| mirror.here(passed, taken.flatten(), it)),
                    None => best,
                };
            }
        }

        // Step 4. Relaxation, known or asked.
        let nodes_before = self.budget.nodes();
        let entered = self.position.store.mark();
        if self.is_lost_by_combination(window) {
            self.close(key_start, window, window.beta, None);
            self.position.return_to(passed_on_entry);
            return Ok(Some(window.beta));
        }
        let parent = self.frames.last().and_then(|frame| frame.point.clone());
        let point = match self.advice(window, parent) {
            Advice::Cut => {
                self.close(key_start, window, window.beta, None);
                self.position.return_to(passed_on_entry);
                return Ok(Some(window.beta));
            }
            Advice::Follow(point) => point,
        };
        // What was taken away here concerns every move, so its consequences are drawn before the first.
        if self.position.store.mark() != entered
            && self.position.settle(Quantifier::Exists, self.budget)? != Consequence::Alive
        {
            self.close(key_start, window, window.beta, None);
            self.position.return_to(passed_on_entry);
            return Ok(Some(window.beta));
        }

        // Step 5. The moves, best for the mover first.
        let hint = hint.or_else(|| self.history.value(next));
        let hint = hint.or_else(|| self.suggestion(next, point.as_ref()));
        self.frames.push(Frame {
            var: next,
            player,
            window,
            open: window,
            best: match player {
                Quantifier::Exists => LOST,
                Quantifier::Forall => WON,
            },
            best_value: None,
            ranges: self.moves(next, player, hint),
            entered,
            before_move: entered,
            passed_on_entry,
            key_start,
            taken: taken.flatten(),
            first_move_on_var: false,
            point,
            nodes_before,
            first_stage,
            settled: window.beta,
            reply: None,
        });
        Ok(None)
    }

    /// Makes the next move of the top frame.
    fn next_move(&mut self) -> Result<Step, Stop> {
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        if frame.open.is_empty() {
            return Ok(Step::Leave(frame.best));
        }

        // Step 6. What the existential player already has narrows what he looks for.
        let beta = frame.open.beta;
        if beta < frame.settled {
            frame.settled = beta;
            if !self.settle_limit(beta)? {
                return Ok(Step::Leave(beta));
            }
        } else if self.may_cut_by_cost {
            self.position.store.set_cost_limit(cost_limit(beta));
        }
        let frame = self.frames.last_mut().expect("invariant: a frame is open");

        // Step 7. The next range that still has values.
        let (lower, upper) = loop {
            let Some((lower, upper)) = frame.ranges.pop() else {
                return Ok(Step::Leave(frame.best.min(frame.open.beta)));
            };
            let store = &self.position.store;
            let (lower, upper) = (
                lower.max(store.lower(frame.var)),
                upper.min(store.upper(frame.var)),
            );
            if lower > upper {
                continue;
            }
            // What a copied reply answers brings the universal player no more than he has.
            let mut range = (lower, upper);
            if let Some(reply) = &frame.reply {
                let got = frame.best.max(frame.open.alpha);
                frame.best = frame.best.max(reply.shorten(&mut range, got));
                #[cfg(any(test, feature = "paranoid"))]
                for gone in [(lower, range.0 - 1), (range.1 + 1, upper)] {
                    if !self.tracking {
                        break;
                    }
                    let (program, position) = (self.program, &self.position);
                    crate::search::twin::assert_answered(program, position, frame.var, gone, got);
                }
            }
            if range.0 <= range.1 {
                break range;
            }
        };
        frame.reply = None;

        // Step 8. The move and what follows from it.
        frame.before_move = self.position.store.mark();
        frame.first_move_on_var = self.position.decide(frame.var, lower, upper);
        let consequence = self.position.settle(frame.player, self.budget)?;
        Ok(match consequence {
            Consequence::Alive => Step::Enter {
                window: frame.open,
                first_stage: frame.first_stage,
            },
            Consequence::ExistsDead => Step::Absorb(frame.open.beta),
            Consequence::ForallDead => Step::Absorb(WON),
            // An illegal move is no move: it leaves what the mover has as it is.
            Consequence::Illegal => Step::Absorb(frame.best),
        })
    }

    /// Concludes what follows if the existential player must stay below `beta`; tells whether he
    /// still can.
    fn settle_limit(&mut self, beta: Worth) -> Result<bool, Stop> {
        if !self.may_cut_by_cost || beta == LOST {
            return Ok(true);
        }
        self.position.store.set_cost_limit(cost_limit(beta));
        self.position.store.wake_objective();
        let consequence = self.position.settle(Quantifier::Exists, self.budget)?;
        Ok(consequence == Consequence::Alive)
    }

    /// Takes the worth of the move that was looked at into account and takes the move back.
    fn absorb(&mut self, worth: Worth) {
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        let better = match frame.player {
            Quantifier::Exists => worth < frame.best,
            Quantifier::Forall => worth > frame.best,
        };
        if better {
            frame.best = worth;
            frame.best_value = Some(self.position.store.lower(frame.var));
            match frame.player {
                Quantifier::Exists => frame.open.beta = frame.open.beta.min(worth),
                Quantifier::Forall => frame.open.alpha = frame.open.alpha.max(worth),
            }
        }
        let improves = better && frame.first_stage && worth < frame.window.beta;
        if improves {
            self.new_strategy(worth);
        }
        self.take_back();
    }

    /// Takes the top frame's move back.
    fn take_back(&mut self) {
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        if std::mem::take(&mut frame.first_move_on_var) {
            self.position.forget_decision(frame.var);
        }
        self.position.store.undo_to(frame.before_move);
    }

    /// Closes the top frame: its worth goes into the table.
    fn leave(&mut self, worth: Worth) {
        let frame = self.frames.pop().expect("invariant: a frame is open");
        if let Some(guide) = &mut self.guide {
            // What a cut would have saved is the tree of a position that is lost anyway.
            if worth >= frame.window.beta {
                let positions = self.budget.nodes() - frame.nodes_before;
                guide.observe(self.position.passed(), positions);
            }
            if frame.player == Quantifier::Forall
                && let Some(value) = frame.best_value
            {
                guide.remember(frame.var, value);
            }
        }
        let refuted = match frame.player {
            Quantifier::Exists => worth <= frame.window.alpha,
            Quantifier::Forall => worth >= frame.window.beta,
        };
        if refuted
            && self.settings.history
            && let Some(value) = frame.best_value
        {
            self.history.remember(frame.var, value);
        }
        let passed = self.position.passed();
        let best = frame
            .best_value
            .filter(|_| frame.var.index() == passed)
            .and_then(|value| match &self.mirror {
                Some(mirror) => mirror.there(passed, frame.taken, value),
                None => Some(value),
            });
        self.close(frame.key_start, frame.window, worth, best);
        self.position.store.undo_to(frame.entered);
        self.position.return_to(frame.passed_on_entry);
    }

    /// Records what a search of the position in `window` has shown, and drops its key.
    fn close(&mut self, key_start: usize, window: Window, worth: Worth, best: Option<i64>) {
        let key = &self.keys[key_start..];
        if key.is_empty() {
            return;
        }
        let to_go = shifted(worth, -self.position.spent());
        let lower = if worth > window.alpha { to_go } else { WON };
        let upper = if worth < window.beta { to_go } else { LOST };
        self.table.record(key, lower, upper, best);
        self.keys.truncate(key_start);
    }
}
