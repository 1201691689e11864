//! Learning from lost positions: why they are lost, and which values therefore need no look.
//!
//! A position that is worth beta or more gets a *reason*: bounds on variables that are passed, such
//! that every legal play which keeps them comes to a position worth as much. At a leaf the reason is
//! what the lost row leans on. Bounds of variables that the frame above has not passed are replaced
//! by what they follow from. Then
//!
//! - an *existential* frame drops from its values all that the reason of one of them covers: if the
//!   reason does not mention the variable at all, the frame is lost at once (a **backjump**, Prosser
//!   1993). Its own reason is the union over its values, without the variable itself;
//! - a *universal* frame takes the reason of the value that refutes, without the variable itself
//!   (**universal reduction**, Kleine Büning and others 1995): its owner may choose that value in every
//!   play that the reason covers, if the value is legal there. A free variable always is; otherwise the
//!   reason says in addition that no universal row has less room than here.
//!
//! **Soundness.** A reason speaks of what positions are worth, not of the window they were asked in:
//! one that leans on the cost limit says "beta or more", every other one "lost". So what is skipped or
//! closed by a reason may be remembered by the table like everything else. A bound that was narrowed
//! because a later universal presses is only replaced in frames that come before that universal: in all
//! later ones the narrowed variable is passed. Where an existential move may kill the universal system
//! nothing is learnt, and neither where blocks are branched on out of order. Plays leave no bound that
//! was concluded before the first move: a reason does not mention those, and speaks of such plays only.

use super::Search;
#[cfg(any(test, feature = "paranoid"))]
use super::learn_twin as twin;
use super::legality::Legality;
use super::lessons::{Lessons, without};
use super::pace::Pace;
use super::reason::{cost_limit, passed_terms};
use super::visit::Frame;
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::{Because, End, Literal, Needs, Scope, Store, Term};

/// See the module.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) needs: Needs,
    /// Why the position that was looked at last is lost, if that is known.
    reason: Option<Because>,
    /// Whether the workspace holds that reason instead.
    is_at_hand: bool,
    pub(super) terms: Vec<Term>,
    pace: Pace,
    /// Learnt rows that were kept at first.
    kept: u64,
    /// Positions that were explained since the last restart.
    pub(super) losses: u64,
}

impl Learner {
    pub(super) fn new(store: &Store, variables: usize) -> Self {
        Self {
            needs: Needs::new(store, variables),
            reason: None,
            is_at_hand: false,
            terms: Vec::new(),
            pace: Pace::default(),
            kept: 0,
            losses: 0,
        }
    }

    /// How many rows were learnt.
    pub(super) fn learnt(&self) -> u64 {
        self.kept
    }

    /// Makes room for a reason, unless learning pauses.
    pub(super) fn begin(&mut self) -> bool {
        self.is_at_hand = false;
        self.reason = None;
        if self.pace.is_paused() {
            return false;
        }
        self.needs.clear();
        self.is_at_hand = true;
        self.losses += 1;
        true
    }
}

impl Search<'_> {
    /// Weighs what learning saves, and lets it pause where that is little.
    pub(super) fn weigh_learning(&mut self) {
        let nodes = self.budget.nodes();
        if let Some(learner) = &mut self.learner
            && learner.pace.is_due(nodes)
        {
            let store = &mut self.position.store;
            learner.pace.save(store.nogood_uses() * NOGOOD);
            learner.pace.turn(nodes);
            store.silence_nogoods(learner.pace.is_paused());
        }
    }

    /// The move that the top frame looks at is lost: takes the reason into the frame, and drops the
    /// values that it covers as well.
    ///
    /// Pre: the move is not taken back yet.
    pub(super) fn learn_from_loss(&mut self) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        let var = frame.var();
        let is_late = |because: &Because| because.literals.last().is_some_and(|it| it.var > var);
        let mut reason = learner.reason.take();
        if let Some(late) = reason.take_if(|because| is_late(because)) {
            learner.needs.load(&late);
            learner.is_at_hand = true;
        }
        if std::mem::take(&mut learner.is_at_hand) {
            let scope = Scope {
                first_var: var.index() + 1,
                since: usize::MAX,
            };
            let limit = cost_limit(frame.beta());
            learner.needs.resolve(&self.position.store, scope, limit);
            reason = learner.needs.take();
        }
        let Some(mut because) = reason.filter(|because| !is_late(because)) else {
            frame.lessons.because = None;
            return;
        };
        // A range of universal values is its owner's to choose from: the frame's reason is looked at.
        #[cfg(any(test, feature = "paranoid"))]
        if !frame.is_universal() || self.position.store.is_fixed(var) {
            twin::assert_lost(
                self.program,
                &self.position.store,
                &learner.needs,
                &because,
                var.index() + 1,
                frame.beta(),
            );
        }
        let (from, to) = without(&mut because, var);
        if !frame.is_universal() {
            let saved = frame.lessons.learn(because, (from, to), &mut frame.ranges);
            if saved > 0 {
                let tree = self.budget.nodes() - frame.nodes_before();
                learner.pace.save(saved * tree);
            }
        } else {
            if !self.position.store.presses(var) {
                let needs = &mut learner.needs;
                needs.load(&because);
                let legality = self.position.legality();
                keep_legal(
                    needs,
                    &mut learner.terms,
                    &self.position.store,
                    var,
                    legality,
                );
                because = needs.take().unwrap_or_default();
            }
            frame.lessons = Lessons::whole(because);
        }
    }

    /// The top frame is lost: hands its reason on.
    ///
    /// Pre: its moves are taken back, its own conclusions are not.
    pub(super) fn hand_reason_on(&mut self, frame: &mut Frame) {
        let only_end = self.only_end(frame.var());
        let Some(learner) = &mut self.learner else {
            return;
        };
        learner.reason = None;
        learner.is_at_hand = false;
        let Some(mut because) = frame.lessons.because.take() else {
            return;
        };
        let Lessons { from, to, .. } = frame.lessons;
        if from > to {
            // No value was explained.
            return;
        }
        // Values beyond the only end worth trying are no better than it.
        let bounds = [
            (End::Lower, from, i64::MIN, Some(End::Upper)),
            (End::Upper, to, i64::MAX, Some(End::Lower)),
        ];
        for (end, value, nowhere, dominating) in bounds {
            if value != nowhere && only_end != dominating {
                let var = frame.var();
                because.literals.push(Literal { var, end, value });
            }
        }
        #[cfg(any(test, feature = "paranoid"))]
        let passed = self.position.passed();
        let store = &mut self.position.store;
        if store.mark() != frame.entered() {
            learner.needs.load(&because);
            let scope = Scope {
                first_var: usize::MAX,
                since: frame.entered().place(),
            };
            let limit = cost_limit(frame.beta());
            learner.needs.resolve(store, scope, limit);
            learner.reason = learner.needs.take();
        } else {
            learner.reason = Some(because);
        }
        #[cfg(any(test, feature = "paranoid"))]
        if let Some(because) = &learner.reason {
            twin::assert_lost(
                self.program,
                store,
                &learner.needs,
                because,
                passed,
                frame.beta(),
            );
        }
        if self.budget.nodes() - frame.nodes_before() >= LARGE_TREE
            && let Some(because) = &learner.reason
            && because.literals.len() <= LONGEST
            && !frame.is_universal()
        {
            let price = if because.leans_on_cost {
                frame.beta()
            } else {
                i64::MAX
            };
            learner.kept += u64::from(store.learn(because.literals.clone(), price));
        }
    }
}

/// What it saves when a learnt row speaks, in positions: a guess.
const NOGOOD: u64 = 4;

/// Trees of so many positions are worth remembering their reason.
const LARGE_TREE: u64 = 4;

/// Longer reasons are hardly ever met again.
const LONGEST: usize = 24;

/// Needs what keeps the move on a restricted universal variable legal.
fn keep_legal(
    needs: &mut Needs,
    terms: &mut Vec<Term>,
    store: &Store,
    var: VarId,
    legality: Legality,
) {
    let inequalities = store.inequalities();
    let heads = inequalities.heads();
    let rows = heads
        .ids()
        .filter(|&id| heads[id].owner == Quantifier::Forall);
    for id in rows {
        let concerned = || inequalities.column(var).iter().any(|entry| entry.at == id);
        if legality != Legality::Scan || concerned() {
            passed_terms(terms, store, id, var.index(), false);
            needs.keep_terms(store, terms, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::format::parse_qip;
    use crate::games::random::{RandomShape, random_program};
    use crate::search::{Settings, solve};

    /// Positions with learning on and off. Six variables are counted by a seventh, so that the table
    /// tells every two of their values apart; what is lost is lost whatever they are.
    fn nodes(universal: &str, lost: &str) -> (u64, u64) {
        let program = parse_qip(&format!(
            "subject to
               count: x0 + 2 x1 + 4 x2 + 8 x3 + 16 x4 + 32 x5 - w + 0 p = 0
               {lost}
               pq: p + q <= 1
               qr: q + r <= 1
               pr: p + r <= 1
             prefix
               exists binary x0 x1 x2 x3 x4 x5 {universal}
               exists binary p q r  exists integer w in [0, 63]
             end"
        ));
        let program = program.expect("the test's model is well formed");
        let visited = |learn: bool| {
            let settings = Settings {
                learn,
                relax: false,
                components: false,
                forget: 0,
                ..Settings::default()
            };
            let outcome = solve(&program, &settings, &mut Budget::unlimited());
            let outcome = outcome.expect("integers");
            assert_eq!(outcome.status, crate::outcome::Status::Infeasible);
            outcome.effort.nodes
        };
        (visited(true), visited(false))
    }

    #[test]
    fn a_reason_that_does_not_mention_a_variable_is_jumped_over() {
        let (on, off) = nodes("", "most: p + q + r >= 2");
        assert!(4 * on < off, "{on} positions with learning, {off} without");
    }

    #[test]
    fn a_universal_value_that_refutes_is_no_part_of_the_reason() {
        let (on, off) = nodes("forall binary y", "most: p + q + r >= 1 + y");
        assert!(4 * on < off, "{on} positions with learning, {off} without");
    }

    #[test]
    fn every_reason_is_true_by_its_slow_twin() {
        let wide = RandomShape {
            variables: 4..=7,
            width: 1..=4,
            rows: 3..=6,
            universal_rows: 0..=0,
            ..RandomShape::small()
        };
        for seed in 0..1200 {
            let shapes = [
                RandomShape::small(),
                RandomShape::binary(),
                RandomShape::game(),
                wide.clone(),
            ];
            for shape in shapes {
                let settings = Settings {
                    learn: true,
                    relax: seed % 3 == 0,
                    caution: [16, 0][seed as usize / 4 % 2],
                    restart: [0, 3][seed as usize % 2],
                    forget: [0, 10, 1000][seed as usize % 3],
                    table_bytes: [0, 4096][seed as usize / 2 % 2],
                    ..Settings::default()
                };
                // The twin is asked about each reason inside; see `learn_twin`.
                let program = random_program(seed, &shape);
                solve(&program, &settings, &mut Budget::unlimited()).expect("integers");
            }
        }
    }
}
