//! The search engine: nested alpha-beta over the quantifier blocks.
//!
//! [`visit`](self) reads like the textbook; each technique beside it is one file with one switch
//! in [`Settings`]. Costs are scaled integers, windows are exact, and no float decides anything.

mod bound;
mod order;
mod proof;
mod settings;
mod tree;
#[cfg(any(test, feature = "paranoid"))]
mod twin;
mod worth;

pub use proof::certificate::{prove, solve_with_certificate};
pub use settings::Settings;
pub use tree::variation::lost_play;

use std::sync::Arc;

use bound::combine;
use bound::guide::Guide;
use bound::scenario::Killer;
use order::history::History;
use order::monotone;
use tree::layout::Layout;
use tree::legality::{self, Legality};
use tree::mirror::{Mirror, Taken};
use tree::position::{Consequence, Position};
use tree::table::{Table, write_key};
use tree::variation::{self, legal_part};
use tree::visit::Frame;
use tree::{component, copy};
use worth::{LOST, WON, Worth, score};

use crate::budget::{Budget, Progress};
use crate::empty;
use crate::outcome::{Effort, Move, Outcome, Score, SolveError, Status, Stop, cost_of_objective};
use crate::presolve::with_implied_integers;
use crate::program::{Id, IdVec, Kind, Program, Quantifier, VarId};
use crate::propagate::{End, Inequalities, Store};
use crate::relax::{Bound, ScenarioLp};

/// Whether [`solve`] takes the program: its variables are integer or may as well be, and its
/// numbers fit machine integers.
pub fn accepts(program: &Program) -> bool {
    let all_integer = program
        .variables()
        .iter()
        .all(|variable| variable.kind == Kind::Integer);
    match all_integer {
        true => Inequalities::fit(program),
        false => with_implied_integers(program).is_some_and(|whole| Inequalities::fit(&whole)),
    }
}

/// Solves a program of integer variables.
pub fn solve(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    if let Some(whole) = with_implied_integers(program) {
        return solve(&whole, settings, budget);
    }
    if let Some(real) = program
        .variables()
        .iter()
        .find(|variable| variable.kind == Kind::Real)
    {
        return Err(SolveError::Unsupported {
            engine: "search",
            reason: format!("variable `{}` is real", real.name),
        });
    }
    match empty::decide(program, budget) {
        Ok(None) => {}
        Ok(Some(decided)) => return Ok(decided.outcome(program)),
        Err(stop) => return Ok(Outcome::interrupted(stop)),
    }
    if settings.components
        && let Some(outcome) = solve_apart(program, settings, budget)?
    {
        return Ok(outcome);
    }
    let mut search = Search::new(program, settings, budget)?;
    Ok(search.solve())
}

/// Solves the parts of a program that falls apart; see [`component`].
fn solve_apart(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Option<Outcome>, SolveError> {
    let Some(components) = component::split(program) else {
        return Ok(None);
    };
    let rows = Arc::new(Inequalities::new(program)?);
    let mut store = Store::new(program, Arc::clone(&rows), false);
    if !legality::completes(&mut store, Quantifier::Forall, budget).unwrap_or(false) {
        // A universal system that is dead from the start is a matter of the whole.
        return Ok(None);
    }
    let mut outcomes = Vec::new();
    for component in &components {
        let outcome = budget.about_a_part(|budget| {
            Search::new(&component.program, settings, budget).map(|mut search| search.solve())
        })?;
        let is_lost = outcome.status == Status::Infeasible;
        outcomes.push(outcome);
        if is_lost {
            break;
        }
    }
    let mut joined = component::joined(program, &components, &outcomes);
    if let Some(lost) = joined.as_mut().filter(|it| it.status == Status::Infeasible) {
        // A part may be dead before another one moves, and the whole with it.
        let (play, steps) = (&mut lost.principal_variation, &mut { variation::STEPS });
        let in_order = play.iter().enumerate();
        let known = in_order.take_while(|(place, (var, _))| var.index() == *place);
        play.truncate(known.count());
        *play = legal_part(program, &rows, std::mem::take(play), steps, budget);
    }
    Ok(joined)
}

/// The state of a search.
struct Search<'a> {
    program: &'a Program,
    settings: Settings,
    budget: &'a mut Budget,
    inequalities: Arc<Inequalities>,
    position: Position,
    layout: Layout,
    /// Mirror images, once they were looked for.
    mirror: Option<Mirror>,
    sums: Vec<i64>,
    table: Table,
    frames: Vec<Frame>,
    keys: Vec<u8>,
    only_ends: IdVec<VarId, Option<End>>,
    /// Whether a cost that is too high ends a line: not while the universal system may die.
    may_cut_by_cost: bool,
    guide: Option<Guide>,
    history: History,
    last_universal: Option<VarId>,
    incumbent: Option<Incumbent>,
    /// No strategy can be better: proved before the search began.
    floor: Worth,
    /// Whether improvements at the root are new strategies: not while a line is replayed.
    tracking: bool,
    /// The search pauses when so many positions are visited.
    pause_at: u64,
    /// Steps left for finding completions that only the report needs.
    steps: u64,
}

/// Positions that the play at the end may take, beside half of those that the proof took.
const VARIATION: u64 = 100_000;

/// The best strategy so far.
#[derive(Clone, Debug)]
struct Incumbent {
    worth: Worth,
    first_stage: Vec<Move>,
}

impl<'a> Search<'a> {
    fn new(
        program: &'a Program,
        settings: &Settings,
        budget: &'a mut Budget,
    ) -> Result<Self, SolveError> {
        let inequalities = Arc::new(Inequalities::new(program)?);
        let legality = Legality::of(program, &program.class());
        let mut position = Position::new(
            program,
            Arc::clone(&inequalities),
            legality,
            settings.propagate,
        );
        if settings.choices {
            position.store.heed_choices();
        }
        let may_cut_by_cost = legality.may_press();
        let guide = if settings.relax && may_cut_by_cost && !program.variables().is_empty() {
            let lp = ScenarioLp::new(program, &inequalities, &position.store)?;
            let killer = Killer::new(program, &position.store);
            Some(Guide::new(program, lp, killer, settings))
        } else {
            None
        };
        let layout = Layout::new(program, &position.store);
        Ok(Self {
            program,
            settings: settings.clone(),
            budget,
            layout,
            mirror: None,
            sums: Vec::new(),
            table: Table::with_capacity(settings.table_bytes),
            frames: Vec::new(),
            keys: Vec::new(),
            only_ends: monotone::ends(program, &inequalities),
            may_cut_by_cost,
            guide,
            history: History::new(program, |var| {
                (position.store.lower(var), position.store.upper(var))
            }),
            last_universal: copy::last_universal(program),
            incumbent: None,
            floor: WON,
            tracking: false,
            pause_at: u64::MAX,
            steps: variation::STEPS,
            position,
            inequalities,
        })
    }

    fn solve(&mut self) -> Outcome {
        self.tracking = true;
        let result = self.root_worth();
        self.tracking = false;
        match result {
            Ok(worth) => self.finished(worth),
            Err(stop) => self.interrupted(stop),
        }
    }

    fn root_worth(&mut self) -> Result<Worth, Stop> {
        if let Some(worth) = self.dead_from_the_start()? {
            return Ok(worth);
        }
        let first = self.first_player();
        match self.position.settle(first, self.budget)? {
            Consequence::Alive => {}
            _ => return Ok(LOST),
        }
        if self.settings.combine && self.may_cut_by_cost {
            self.position.store.heed_combinations(combine::ROOM);
        }
        self.floor = self.cheapest();
        match self.root_bound() {
            Some(Bound::Infeasible) => return Ok(LOST),
            Some(Bound::AtLeast(bound)) => self.floor = self.floor.max(bound),
            Some(Bound::Unknown) | None => {}
        }
        self.worth_from_below()
    }

    /// The game is over before it begins if a system is dead already.
    fn dead_from_the_start(&mut self) -> Result<Option<Worth>, Stop> {
        let mut store = Store::new(self.program, Arc::clone(&self.inequalities), false);
        if legality::completes(&mut store, Quantifier::Forall, self.budget)? {
            return Ok(None);
        }
        if legality::completes(&mut store, Quantifier::Exists, self.budget)? {
            return Ok(Some(WON));
        }
        Ok(Some(match self.first_player() {
            Quantifier::Exists => LOST,
            Quantifier::Forall => WON,
        }))
    }

    fn first_player(&self) -> Quantifier {
        self.program
            .variables()
            .iter()
            .next()
            .map_or(Quantifier::Exists, |first| first.quantifier)
    }

    /// No play can cost less than this.
    fn cheapest(&self) -> Worth {
        if !self.may_cut_by_cost {
            return WON;
        }
        self.position.store.cheapest()
    }

    fn spend_node(&mut self) -> Result<(), Stop> {
        self.budget.spend_node()?;
        if self.budget.nodes() >= self.pause_at {
            return Err(Stop::Nodes);
        }
        if self.budget.heartbeat_due() {
            let progress = self.progress(false);
            self.budget.report(&progress);
        }
        Ok(())
    }

    fn progress(&self, new_strategy: bool) -> Progress {
        Progress {
            nodes: self.budget.nodes(),
            depth: self.frames.len(),
            objective: self
                .incumbent
                .as_ref()
                .and_then(|found| self.objective(found.worth)),
            bound: self.objective(self.floor),
            lps: self.lps(),
            learnt: self.learnt(),
            new_strategy,
            ..Progress::default()
        }
    }

    fn objective(&self, worth: Worth) -> Option<crate::num::Rational> {
        self.program.objective()?;
        match score(worth, &self.inequalities) {
            Score::Cost(cost) => Some(cost_of_objective(self.program, cost)),
            _ => None,
        }
    }

    /// Puts the key of the position onto the key stack, if it has one; tells whose image it is.
    fn push_key(&mut self) -> Option<Taken> {
        let passed = self.position.passed();
        if self.settings.table_bytes == 0
            || !self.position.is_whole()
            || !self.layout.is_usable(passed)
        {
            return None;
        }
        let position = &self.position;
        let done = |id| position.done(id);
        self.sums.clear();
        self.sums.extend(self.layout.sums(passed, done));
        let due = (self.settings.symmetry_after).is_some_and(|after| self.budget.nodes() >= after);
        if due && self.mirror.is_none() {
            self.mirror = Some(Mirror::new(self.program, &self.inequalities, &self.layout));
        }
        let mirror = self.mirror.as_ref();
        let taken = mirror.and_then(|mirror| mirror.least(passed, &self.sums));
        match (mirror, taken) {
            (Some(mirror), Some(image)) => {
                let sums = mirror.seen(passed, image, &self.sums);
                write_key(passed, sums, &mut self.keys);
            }
            _ => write_key(passed, self.sums.iter().copied(), &mut self.keys),
        }
        Some(taken)
    }

    /// The existential player has just been shown to guarantee `worth` from the root.
    fn new_strategy(&mut self, worth: Worth) {
        if self
            .incumbent
            .as_ref()
            .is_some_and(|found| found.worth <= worth)
        {
            return;
        }
        let first_stage = self.decisions();
        self.incumbent = Some(Incumbent { worth, first_stage });
        let progress = self.progress(true);
        self.budget.report(&progress);
    }

    fn finished(&mut self, worth: Worth) -> Outcome {
        let mut outcome = Outcome::proved(self.program, &score(worth, &self.inequalities));
        // The worth is proved; a play that shows it must not cost as much again.
        self.pause_at = self.budget.nodes().saturating_mul(3) / 2 + VARIATION;
        outcome.principal_variation = self.principal_variation(worth);
        self.pause_at = u64::MAX;
        self.advise(&mut outcome, worth);
        outcome.effort = self.effort();
        outcome
    }

    fn interrupted(&mut self, stop: Stop) -> Outcome {
        let mut outcome = Outcome::interrupted(stop);
        outcome.bound = self.objective(self.floor);
        if let Some(found) = self.incumbent.take() {
            outcome.objective = self.objective(found.worth);
            outcome.first_stage = found.first_stage;
        }
        outcome.effort = self.effort();
        outcome
    }

    /// How much was learnt: the combinations of rows that linear programs proved.
    fn learnt(&self) -> u64 {
        self.guide.as_ref().map_or(0, |guide| guide.kept)
    }

    fn lps(&self) -> u64 {
        self.guide.as_ref().map_or(0, Guide::solves)
    }

    fn effort(&self) -> Effort {
        Effort {
            nodes: self.budget.nodes(),
            lps: self.lps(),
            learnt: self.learnt(),
        }
    }
}
