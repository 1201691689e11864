//! Branching on the first stage, each collected play on its own.
//!
//! A master over many plays is a large integer program with a weak relaxation. The refutations can
//! stay apart instead: a part of the first stage is closed as soon as *one* refutation (a play, or
//! a few when the adversary moves again later) costs too much there, which a small program shows.
//! Where none does, a candidate is put to the adversary; what refutes it says how the first stage
//! must differ from the candidate, and there the part is split. With a budget of `k` decisions and
//! plays that each hurt in few places this is the bounded search tree of a hitting set.
//!
//! **Invariant:** a part is closed only by exact branch and bound over legal plays.

use super::game::{Game, Plays, Worst};
use crate::budget::Budget;
use crate::equivalent::{Branching, Place, Skeleton, SystemRow, Tree};
use crate::outcome::Stop;
use crate::program::VarId;

/// One refutation with its own small program.
struct Scenario {
    plays: Plays,
    tree: Tree,
    program: Branching,
    /// Answers that were cheapest in some part: cost and first stage, the latest first.
    known: Vec<(i64, Vec<i64>)>,
}

/// An answer to a scenario.
struct Response {
    cost: i64,
    stage: Vec<i64>,
    /// Whether nothing in the part is cheaper.
    is_least: bool,
}

/// How many answers a scenario remembers.
const KNOWN: usize = 16;

impl Scenario {
    fn new(skeleton: &Skeleton, game: &Game<'_>, plays: Plays) -> Self {
        let mut tree = Tree::new(skeleton);
        for &play in &plays {
            tree.add_play(skeleton, game.play(play));
        }
        let mut program = Branching::new(tree.problem());
        for column in 0..tree.problem().columns.len() {
            program.set_rank(column, tree.rank(column));
        }
        Self {
            plays,
            tree,
            program,
            known: Vec::new(),
        }
    }

    /// Takes more plays. Answers that were cheapest without them are forgotten.
    fn grow(&mut self, skeleton: &Skeleton, game: &Game<'_>, plays: &Plays) {
        let before = self.tree.problem().columns.len();
        let new: Plays = plays
            .iter()
            .copied()
            .filter(|play| !self.plays.contains(play))
            .collect();
        for &play in &new {
            self.tree.add_play(skeleton, game.play(play));
        }
        if !new.is_empty() {
            self.plays.extend(new);
            self.known.clear();
            self.program.grow(self.tree.problem());
            for column in before..self.tree.problem().columns.len() {
                self.program.set_rank(column, self.tree.rank(column));
            }
        }
    }

    /// The first stage of a good answer to the play inside the part, if one is cheap enough.
    fn response(
        &mut self,
        part: &[(i64, i64)],
        limit: Option<i64>,
        budget: &mut Budget,
    ) -> Result<Option<Response>, Stop> {
        let inside = |stage: &[i64]| {
            let mut ends = part.iter().zip(stage);
            ends.all(|((lower, upper), value)| lower <= value && value <= upper)
        };
        // Most parts hold an answer that was found elsewhere.
        let known = self
            .known
            .iter()
            .position(|(cost, stage)| limit.is_none_or(|limit| *cost < limit) && inside(stage));
        if let Some(place) = known {
            self.known[..=place].rotate_right(1);
            let (cost, stage) = self.known[0].clone();
            return Ok(Some(Response {
                cost,
                stage,
                is_least: false,
            }));
        }
        let found = self.best_response(part, limit, budget)?;
        Ok(found.map(|(cost, stage)| {
            self.known.truncate(KNOWN - 1);
            self.known.insert(0, (cost, stage.clone()));
            Response {
                cost,
                stage,
                is_least: true,
            }
        }))
    }

    fn best_response(
        &mut self,
        part: &[(i64, i64)],
        limit: Option<i64>,
        budget: &mut Budget,
    ) -> Result<Option<(i64, Vec<i64>)>, Stop> {
        let first = self.tree.first_stage_column();
        for (place, &(lower, upper)) in part.iter().enumerate() {
            self.program.set_box(first + place, lower, upper);
        }
        let answer = self.program.minimise(limit, budget);
        match (answer.best, answer.stop) {
            (_, Some(stop)) => Err(stop),
            (None, None) => Ok(None),
            (Some(point), None) => {
                let stage = point.values[first..first + part.len()].to_vec();
                Ok(Some((point.cost, stage)))
            }
        }
    }
}

/// A part of the first stage that is still open.
struct Part {
    boxes: Vec<(i64, i64)>,
    /// A point of the part, and the scenario that refutes it.
    refuted: Option<(Vec<i64>, usize)>,
    /// Nothing in the part costs less.
    bound: Option<i64>,
}

/// What a scan knows.
pub struct Scan {
    scenarios: Vec<Scenario>,
    /// Scenarios in the order in which they are tried: what closed a part last comes first.
    order: Vec<usize>,
    /// Places of the first stage of which exactly one is 1, in their order.
    choices: Vec<Vec<usize>>,
    /// The best first stage so far and what it guarantees.
    pub incumbent: Option<(i64, Vec<i64>)>,
    /// What a strategy guarantees that somebody else has found: only cheaper ones matter.
    pub rival: Option<i64>,
    open: Vec<Part>,
}

impl Scan {
    /// Starts with one play.
    pub fn new(skeleton: &Skeleton, game: &Game<'_>, play: usize) -> Self {
        Self {
            scenarios: vec![Scenario::new(skeleton, game, vec![play])],
            order: vec![0],
            choices: choices(skeleton),
            incumbent: None,
            rival: None,
            open: Vec::new(),
        }
    }

    /// Nothing that is still open costs less than this; for a scan that was stopped.
    pub fn bound(&self) -> Option<i64> {
        let open = self.open.iter().map(|part| part.bound);
        let least = open.min().flatten()?;
        Some(self.limit().map_or(least, |limit| least.min(limit)))
    }

    /// How many plays were collected.
    pub fn plays(&self) -> usize {
        self.scenarios.len()
    }

    /// Linear programs solved.
    pub fn lps(&self) -> u64 {
        self.scenarios
            .iter()
            .map(|scenario| scenario.program.lps())
            .sum()
    }

    /// Closes every part of the first stage; then the incumbent is optimal, or there is none.
    pub fn exhaust(
        &mut self,
        skeleton: &Skeleton,
        game: &mut Game<'_>,
        budget: &mut Budget,
        mut improved: impl FnMut(&Self, &mut Budget),
    ) -> Result<(), Stop> {
        let boxes = skeleton.stages[0].iter().map(|&var| skeleton.boxes[var]);
        self.open = vec![Part {
            boxes: boxes.collect(),
            refuted: None,
            bound: None,
        }];
        // A part stays on the stack until it is closed or split, so that a stop forgets nothing.
        while let Some(last) = self.open.len().checked_sub(1) {
            budget.spend_node()?;
            self.hear_rival(skeleton, budget);
            for scenario in budget.hear_scenarios() {
                game.hear(&scenario);
            }
            // Step 1. One refutation alone closes the part.
            let Some((least, hardest)) = self.hardest_response(last, budget)? else {
                self.open.pop();
                continue;
            };
            // Step 2. A candidate, and what refutes it.
            let limit = self.limit();
            let (candidate, scenario) = match self.open[last].refuted.take() {
                Some(refuted) => refuted,
                None => match worst(skeleton, game, &hardest, (least, limit), budget)? {
                    Worst::Cost(cost) => {
                        self.incumbent = Some((cost, hardest));
                        improved(self, budget);
                        continue;
                    }
                    Worst::Refuted(plays) => {
                        budget.tell_scenario(game.scenario(plays[0]));
                        (hardest, self.collect(skeleton, game, plays))
                    }
                },
            };
            // Step 3. Split where an answer to that differs from the candidate.
            let part = &self.open[last];
            let response = self.scenarios[scenario].response(&part.boxes, limit, budget)?;
            let part = self
                .open
                .pop()
                .expect("invariant: the part is on the stack");
            match response {
                Some(response) => {
                    let parts = self.split(&part, candidate, &response.stage, scenario);
                    self.open.extend(parts);
                }
                None => self.bring_forward(scenario),
            }
        }
        Ok(())
    }

    fn limit(&self) -> Option<i64> {
        let own = self.incumbent.as_ref().map(|found| found.0);
        own.into_iter().chain(self.rival).min()
    }

    fn hear_rival(&mut self, skeleton: &Skeleton, budget: &Budget) {
        let cost = budget.rival_cost();
        let cost = cost.and_then(|cost| skeleton.scaled_cost(&cost));
        self.rival = self.rival.into_iter().chain(cost).min();
    }

    /// What a good answer to the hardest scenario costs in the part, and its first stage; `None` if
    /// some scenario closes the part.
    fn hardest_response(
        &mut self,
        part: usize,
        budget: &mut Budget,
    ) -> Result<Option<(i64, Vec<i64>)>, Stop> {
        let limit = self.limit();
        let mut hardest: Option<(i64, Vec<i64>)> = None;
        for place in 0..self.order.len() {
            let scenario = self.order[place];
            let part = &mut self.open[part];
            let response = self.scenarios[scenario].response(&part.boxes, limit, budget)?;
            let Some(response) = response else {
                self.order[..=place].rotate_right(1);
                return Ok(None);
            };
            if response.is_least {
                part.bound = part.bound.max(Some(response.cost));
            }
            if hardest
                .as_ref()
                .is_none_or(|(most, _)| response.cost > *most)
            {
                hardest = Some((response.cost, response.stage));
            }
        }
        Ok(hardest)
    }

    /// The scenario of these plays; one that holds some of them and no others grows.
    fn collect(&mut self, skeleton: &Skeleton, game: &Game<'_>, plays: Plays) -> usize {
        let is_part = |known: &Scenario| known.plays.iter().all(|play| plays.contains(play));
        let known = self.scenarios.iter().position(is_part);
        if let Some(known) = known {
            self.scenarios[known].grow(skeleton, game, &plays);
        }
        known.unwrap_or_else(|| {
            self.scenarios.push(Scenario::new(skeleton, game, plays));
            self.order.insert(0, self.scenarios.len() - 1);
            self.scenarios.len() - 1
        })
    }

    /// Two parts, the one with the response last: it is looked at first.
    fn split(
        &self,
        part: &Part,
        candidate: Vec<i64>,
        response: &[i64],
        scenario: usize,
    ) -> [Part; 2] {
        let (mut near, mut far) = (part.boxes.clone(), part.boxes.clone());
        if let Some((choice, cut)) = furthest_choice(&self.choices, &candidate, response) {
            // Everything before the cut, or everything from it on.
            let (low, up) = choice.split_at(cut);
            let ours_is_low = low.iter().any(|&place| candidate[place] == 1);
            let (ours, theirs) = if ours_is_low { (low, up) } else { (up, low) };
            theirs.iter().for_each(|&place| near[place] = (0, 0));
            ours.iter().for_each(|&place| far[place] = (0, 0));
        } else {
            let differs = |place: &usize| candidate[*place] != response[*place];
            let place = (0..part.boxes.len()).find(differs);
            let place = place.expect("invariant: a play does not refute its own answer");
            let (ours, theirs) = (candidate[place], response[place]);
            if theirs > ours {
                near[place].1 = theirs - 1;
                far[place].0 = theirs;
            } else {
                near[place].0 = theirs + 1;
                far[place].1 = theirs;
            }
        }
        let bound = part.bound;
        let part = |boxes, refuted| Part {
            boxes,
            refuted,
            bound,
        };
        [part(near, Some((candidate, scenario))), part(far, None)]
    }

    fn bring_forward(&mut self, scenario: usize) {
        let place = self.order.iter().position(|&other| other == scenario);
        if let Some(place) = place {
            self.order[..=place].rotate_right(1);
        }
    }
}

/// What the first stage guarantees, as long as that is below the limit; it is known to be at least
/// `least`.
fn worst(
    skeleton: &Skeleton,
    game: &mut Game<'_>,
    first_stage: &[i64],
    (least, limit): (i64, Option<i64>),
    budget: &mut Budget,
) -> Result<Worst, Stop> {
    let limit = limit.unwrap_or(skeleton.cost_range().1 + 1);
    game.place_stage(0, first_stage);
    game.worst(0, game.all_plays(), (least, limit), budget)
}

/// The rows of the first stage that make one of their 0/1 variables 1.
fn choices(skeleton: &Skeleton) -> Vec<Vec<usize>> {
    let place = |var: VarId| match skeleton.places[var] {
        Place::Existential(_, place) => place,
        Place::Universal(_) => unreachable!("the first stage has no universal variable"),
    };
    let is_choice = |row: &&SystemRow| {
        let unit = row.terms[0].1;
        let binary = |&(var, by): &(VarId, i64)| by == unit && skeleton.boxes[var] == (0, 1);
        row.lower == Some(unit) && row.upper == Some(unit) && row.terms.iter().all(binary)
    };
    let rows = skeleton.rows[0].iter().filter(|row| row.terms.len() > 1);
    rows.filter(is_choice)
        .map(|row| row.terms.iter().map(|&(var, _)| place(var)).collect())
        .collect()
}

/// The choice in which two points are furthest apart, and where to cut it between them.
fn furthest_choice<'a>(
    choices: &'a [Vec<usize>],
    one: &[i64],
    other: &[i64],
) -> Option<(&'a [usize], usize)> {
    let chosen = |choice: &[usize], point: &[i64]| {
        let mut members = choice.iter();
        members.position(|&place| point[place] == 1)
    };
    let ends = choices.iter().filter_map(|choice| {
        let (one, other) = (chosen(choice, one)?, chosen(choice, other)?);
        (one != other).then_some((choice.as_slice(), one.min(other), one.max(other)))
    });
    let furthest = ends.max_by_key(|(_, low, up)| up - low)?;
    let (choice, low, up) = furthest;
    Some((choice, (low + up).div_ceil(2)))
}
