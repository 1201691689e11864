//! Learning from won positions: why they are won, and which universal values therefore need no look.
//!
//! The dual of [`learn`](super::learn). A position that is worth less than beta gets a *reason*: bounds
//! on variables that are passed, such that every position of the place in which they hold is worth no
//! more than was asked. At the end of a play these are the bounds that keep each existential row
//! satisfied and the cost within what was asked; where there is more room than that takes, bounds are
//! dropped or weakened, those of universal variables first. Then
//!
//! - an *existential* frame drops its own variable from the reason of its best value (**existential
//!   reduction**): its owner may choose that value again;
//! - a *universal* frame drops from its values all that the reason of one of them covers, and is done
//!   if the reason does not mention its variable. Its own reason is the union over its values, without
//!   the variable itself; where values are illegal, the reason says in addition that no universal row
//!   has more room than here.
//!
//! Reasons of larger trees are kept as *cubes* (`cube_store.rs`) that answer other positions.
//!
//! Bounds that were concluded need no explanation here: an existential variable that was forced is
//! played as before, since the reason speaks of one strategy, and a universal one that was forced is
//! forced again where the universal rows have no more room.
//!
//! **Soundness.** A reason speaks of all positions of its place inside the bounds that held before
//! the first move. What is skipped counts in the frame's worth as what was asked, so that a worth at
//! or below alpha stays an upper bound. Where an existential move may kill the universal system
//! nothing is learnt, and neither where blocks are branched on out of order.
//!
//! Whose idea: cubes of solvers for quantified Boolean formulas (Zhang and Malik 2002).

use super::Search;
use super::cube_store::CubeStore;
#[cfg(any(test, feature = "paranoid"))]
use super::learn_twin as twin;
use super::lessons::{Lessons, without};
use super::pace::Pace;
use super::position::Position;
use super::reason::passed_terms;
use super::table::Known;
use super::visit::Frame;
use super::worth::{Window, Worth};
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::{Because, End, InequalityId, Literal, Needs, Store, Term};

/// See the module.
#[derive(Debug)]
pub(super) struct Cubes {
    needs: Needs,
    terms: Vec<Term>,
    /// Why the position that was looked at last is won, if that is known.
    reason: Option<Because>,
    /// Whether the last move was no move.
    was_illegal: bool,
    pace: Pace,
    store: CubeStore,
    kept: u64,
}

/// Trees of so many positions are worth remembering their reason.
const LARGE_TREE: u64 = 8;

/// Longer reasons are hardly ever met again.
const LONGEST: usize = 24;

/// What it saves when a cube answers, in positions: a guess.
const ANSWER: u64 = 4;

impl Cubes {
    pub(super) fn new(store: &Store, variables: usize, capacity: usize) -> Self {
        Self {
            needs: Needs::new(store, variables),
            terms: Vec::new(),
            reason: None,
            was_illegal: false,
            pace: Pace::default(),
            store: CubeStore::new(variables, capacity),
            kept: 0,
        }
    }

    /// How many cubes were kept.
    pub(super) fn learnt(&self) -> u64 {
        self.kept
    }

    /// Makes room for a reason, unless learning pauses.
    fn begin(&mut self) -> bool {
        self.reason = None;
        self.needs.clear();
        !self.pace.is_paused()
    }

    /// Needs the sum of an inequality's passed variables not to rise by more than `excess`.
    ///
    /// Variables behind the last universal one are not mentioned: whoever plays the same strategy
    /// chooses them as here.
    fn hold_down(&mut self, store: &Store, id: InequalityId, passed: usize, excess: i64) {
        passed_terms(&mut self.terms, store, id, passed, false);
        // Room is given to universal variables first, to late ones before early ones.
        let owner = |term: &Term| store.owner(term.literal.var) == Quantifier::Forall;
        self.terms.sort_by_key(owner);
        self.needs
            .keep_terms(store, &self.terms, i128::from(excess));
    }

    /// Needs every existential row whose variables are all passed to stay satisfied.
    fn hold_finished_rows(&mut self, position: &Position, contested: usize) {
        let inequalities = position.store.inequalities();
        let (heads, objective) = (inequalities.heads(), inequalities.objective());
        for id in heads.ids() {
            let last = inequalities.terms(id).last();
            let is_finished = last.is_some_and(|last| last.at.index() < position.passed());
            if is_finished && heads[id].owner == Quantifier::Exists && id != objective {
                let room = heads[id].rhs - position.done(id);
                self.hold_down(&position.store, id, contested, room);
            }
        }
    }

    /// Needs every universal row to have no more room than the passed variables leave it.
    fn hold_up_universal(&mut self, store: &Store, passed: usize) {
        let heads = store.inequalities().heads();
        for id in heads.ids() {
            if heads[id].owner == Quantifier::Forall {
                passed_terms(&mut self.terms, store, id, passed, true);
                self.needs.keep_terms(store, &self.terms, 0);
            }
        }
    }

    /// Adds to a reason that no universal row has more room.
    fn with_universal_rows(
        &mut self,
        store: &Store,
        because: &Because,
        passed: usize,
    ) -> Option<Because> {
        self.needs.load(because);
        self.hold_up_universal(store, passed);
        self.needs.take()
    }
}

impl Search<'_> {
    /// Weighs what cubes save, and lets them pause where that is little.
    pub(super) fn weigh_cubes(&mut self) {
        let nodes = self.budget.nodes();
        if let Some(cubes) = &mut self.cubes
            && cubes.pace.is_due(nodes)
        {
            cubes.pace.turn(nodes);
        }
    }

    /// How many of the passed variables a reason may have to mention.
    fn contested(&self) -> usize {
        let last = self.last_universal.map_or(0, |var| var.index() + 1);
        last.min(self.position.passed())
    }

    /// A finished play is worth at most `most`.
    pub(super) fn explain_won_play(&mut self, most: Worth) {
        let contested = self.contested();
        let Some(cubes) = &mut self.cubes else { return };
        if !cubes.begin() {
            return;
        }
        cubes.hold_finished_rows(&self.position, contested);
        let objective = self.inequalities.objective();
        let room = most - self.position.spent();
        cubes.hold_down(&self.position.store, objective, contested, room);
        cubes.reason = cubes.needs.take();
    }

    /// The table knows the position to be worth at most `most`: so is every one that leaves the
    /// existential player as much room in his rows, the universal player no more in his, and costs
    /// no more.
    pub(super) fn explain_known_win(&mut self, known: Known, most: Worth) {
        let contested = self.contested();
        let Some(cubes) = &mut self.cubes else { return };
        if !cubes.begin() {
            return;
        }
        let (position, heads) = (&self.position, self.inequalities.heads());
        cubes.hold_finished_rows(position, contested);
        let passed = position.passed();
        for (id, future) in self.layout.sides(passed, &self.inequalities) {
            let room = heads[id].rhs - position.done(id) - future;
            match heads[id].owner {
                // What cannot fail may come as near to failing as it likes.
                Quantifier::Exists => {
                    cubes.hold_down(&position.store, id, contested, room.max(0));
                }
                Quantifier::Forall if room >= 0 => {}
                Quantifier::Forall => {
                    passed_terms(&mut cubes.terms, &position.store, id, contested, true);
                    cubes.needs.keep_terms(&position.store, &cubes.terms, 0);
                }
            }
        }
        let objective = self.inequalities.objective();
        let room = most - position.spent() - known.upper;
        cubes.hold_down(&position.store, objective, contested, room);
        cubes.reason = cubes.needs.take();
    }

    /// What the position is worth at most, if a cube says that this is no more than alpha.
    pub(super) fn covered_by_cube(&mut self, window: Window) -> Option<Worth> {
        let cubes = self.cubes.as_mut()?;
        if cubes.pace.is_paused() {
            return None;
        }
        let place = self.position.passed();
        let (store, limit) = (&self.position.store, window.alpha);
        let (worth, literals) = cubes.store.find(place, store, limit)?;
        cubes.reason = Some(Because {
            literals: literals.to_vec(),
            leans_on_cost: false,
        });
        cubes.pace.save(ANSWER);
        Some(worth)
    }

    /// The move that was tried was no move.
    pub(super) fn note_illegal(&mut self) {
        if let Some(cubes) = &mut self.cubes {
            cubes.was_illegal = true;
        }
    }

    /// The move that the top frame looks at is won: takes the reason into the frame, and drops the
    /// universal values that it covers as well.
    ///
    /// Pre: the frame knows what the move is worth, and the move is not taken back yet.
    pub(super) fn learn_from_win(&mut self) {
        let Some(cubes) = &mut self.cubes else { return };
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        if std::mem::take(&mut cubes.was_illegal) {
            return;
        }
        let (var, store) = (frame.var(), &self.position.store);
        let mut reason = cubes.reason.take();
        if let Some(because) = &mut reason
            && drop_late(because, var, store)
        {
            reason = cubes.with_universal_rows(store, &because.clone(), var.index() + 1);
        }
        let Some(mut because) = reason else {
            frame.wins.because = None;
            return;
        };
        #[cfg(any(test, feature = "paranoid"))]
        if store.is_fixed(var) && self.last_universal >= Some(var) {
            let passed = var.index() + 1;
            let most = frame.alpha().max(frame.best());
            twin::assert_won(self.program, store, &cubes.needs, &because, passed, most);
        }
        let covered = without(&mut because, var);
        if !frame.is_universal() {
            frame.wins = Lessons::whole(because);
            return;
        }
        let before = frame.ranges.clone();
        let saved = frame.wins.learn(because, covered, &mut frame.ranges);
        if frame.ranges != before {
            frame.outdone();
        }
        let tree = self.budget.nodes() - frame.nodes_before();
        cubes.pace.save(saved * tree);
    }

    /// The top frame is won: hands its reason on.
    ///
    /// Pre: its moves are taken back, its own conclusions are not.
    pub(super) fn hand_win_on(&mut self, frame: &mut Frame, worth: Worth) {
        let Some(cubes) = &mut self.cubes else { return };
        cubes.reason = None;
        let (from, to) = (frame.wins.from, frame.wins.to);
        let reason = frame.wins.because.take().filter(|_| from <= to);
        let Some(mut because) = reason else { return };
        let (var, position) = (frame.var(), &self.position);
        let store = &position.store;
        let is_part = position.is_decided(var);
        if (from, to) != (i64::MIN, i64::MAX) {
            if !store.presses(var) {
                let all = cubes.needs.domain(var);
                if frame.is_cramped || all != (store.lower(var), store.upper(var)) {
                    let more = cubes.with_universal_rows(store, &because, var.index());
                    because = more.unwrap_or_default();
                }
            }
            // A frame of some of the values speaks of those.
            for (end, value) in [(End::Lower, from), (End::Upper, to)] {
                if is_part && value != i64::MIN && value != i64::MAX {
                    because.literals.push(Literal { var, end, value });
                }
            }
        }
        let passed = position.passed();
        let most = frame.window().guaranteed(worth);
        #[cfg(any(test, feature = "paranoid"))]
        if !is_part && self.last_universal >= Some(var) {
            twin::assert_won(self.program, store, &cubes.needs, &because, passed, most);
        }
        let tree = self.budget.nodes() - frame.nodes_before();
        if tree >= LARGE_TREE
            && !is_part
            && because.literals.len() <= LONGEST
            && self.last_universal >= Some(var)
        {
            cubes.kept += u64::from(cubes.store.keep(passed, &because.literals, most));
        }
        cubes.reason = Some(because);
    }
}

/// Drops the bounds of variables behind `var` from a reason; tells whether one of them is universal.
fn drop_late(because: &mut Because, var: VarId, store: &Store) -> bool {
    let mut is_forced = false;
    while let Some(late) = because.literals.pop_if(|literal| literal.var > var) {
        is_forced |= store.owner(late.var) == Quantifier::Forall;
    }
    is_forced
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::format::parse_qip;
    use crate::games::random::{RandomShape, random_program};
    use crate::outcome::Status;
    use crate::search::{Settings, solve};

    fn plain(cubes: bool) -> Settings {
        Settings {
            cubes,
            relax: false,
            copies: false,
            components: false,
            monotone: false,
            ..Settings::default()
        }
    }

    /// Positions with cubes on and off. Six universal variables are counted in a row that may fail, so
    /// that the table tells every two of their values apart; but it need not.
    fn nodes(rows: &str) -> (u64, u64) {
        let program = parse_qip(&format!(
            "subject to
               count: y0 + 2 y1 + 4 y2 + 8 y3 + 16 y4 + 32 y5 + 10 p + 10 q + 10 r <= 85
               {rows}
             prefix
               forall binary y0 y1 y2 y3 y4 y5
               exists binary p  forall binary y6  exists binary q r
             end"
        ));
        let program = program.expect("the test's model is well formed");
        let visited = |cubes: bool| {
            let outcome = solve(&program, &plain(cubes), &mut Budget::unlimited());
            let outcome = outcome.expect("integers");
            assert_eq!(outcome.status, Status::Feasible);
            outcome.effort.nodes
        };
        (visited(true), visited(false))
    }

    #[test]
    fn a_universal_variable_that_no_reason_mentions_is_left_at_once() {
        let (on, off) = nodes("either: q + r >= y6\n other: p + q >= 1 - y6");
        assert!(4 * on < off, "{on} positions with cubes, {off} without");
    }

    #[test]
    fn every_reason_of_a_win_is_true_by_its_slow_twin() {
        let wide = RandomShape {
            variables: 4..=7,
            width: 1..=4,
            rows: 2..=5,
            universal_rows: 0..=0,
            ..RandomShape::small()
        };
        for seed in 0..1500 {
            let shapes = [
                RandomShape::small(),
                RandomShape::binary(),
                RandomShape::game(),
                wide.clone(),
            ];
            for shape in shapes {
                let settings = Settings {
                    cubes: true,
                    learn: seed % 5 == 0,
                    copies: seed % 4 == 0,
                    monotone: seed % 3 == 0,
                    forget: [0, 10, 1][seed as usize % 3],
                    table_bytes: [0, 4096][seed as usize / 2 % 2],
                    ..plain(true)
                };
                // The twin is asked about each reason inside; see `learn_twin`.
                let program = random_program(seed, &shape);
                solve(&program, &settings, &mut Budget::unlimited()).expect("integers");
            }
        }
    }
}
