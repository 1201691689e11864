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
use super::neighbours::Neighbours;
use super::scenario::{Care, Reply, Response, Scenario};
use super::settings::Settings;
use crate::budget::Budget;
use crate::equivalent::{Place, Skeleton, SystemRow};
use crate::outcome::Stop;
use crate::program::VarId;

/// A part of the first stage that is still open.
struct Part {
    boxes: Vec<(i64, i64)>,
    /// A point of the part, and the scenario that refutes it.
    refuted: Option<(Vec<i64>, usize)>,
    /// What an answer to some scenario costs, and its first stage, which is in the part.
    answer: Option<(i64, Vec<i64>)>,
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
    /// Nothing costs less than this.
    proved: Option<i64>,
    /// While a guess is tried: only what costs less is looked for.
    target: Option<i64>,
    neighbours: Neighbours,
    settings: Settings,
}

impl Scan {
    /// Starts with one play.
    pub fn new(skeleton: &Skeleton, game: &Game<'_>, play: usize, settings: &Settings) -> Self {
        Self {
            scenarios: vec![Scenario::new(skeleton, game, vec![play], settings)],
            order: vec![0],
            choices: choices(skeleton),
            incumbent: None,
            rival: None,
            open: Vec::new(),
            proved: None,
            target: None,
            neighbours: Neighbours::default(),
            settings: settings.clone(),
        }
    }

    /// Takes a bound that is known in advance.
    pub fn begin_at(&mut self, floor: Option<i64>) {
        self.proved = floor;
    }

    /// Nothing that is still open costs less than this; for a scan that was stopped.
    pub fn bound(&self) -> Option<i64> {
        let open = self.open.iter().map(|part| part.bound);
        let least = open.min().flatten();
        let open = least.map(|least| self.limit().map_or(least, |limit| least.min(limit)));
        open.max(self.proved)
    }

    /// How many plays were collected.
    pub fn plays(&self) -> usize {
        self.scenarios.len()
    }

    /// Linear programs solved.
    pub fn lps(&self) -> u64 {
        self.scenarios.iter().map(Scenario::lps).sum()
    }

    /// Closes every part of the first stage; then the incumbent is optimal, or there is none.
    ///
    /// A scan that takes long goes on by guesses: halfway between what is proved and what is found
    /// the first stage is closed anew. A guess that is too bold is refuted soon, because the fewer
    /// answers are cheap enough the sooner a part closes; and it proves a bound.
    pub fn exhaust(
        &mut self,
        skeleton: &Skeleton,
        game: &mut Game<'_>,
        budget: &mut Budget,
        mut improved: impl FnMut(&Self, &mut Budget),
    ) -> Result<(), Stop> {
        let Settings {
            guess,
            nodes_before_guesses,
            ..
        } = self.settings;
        let mut nodes = guess.then_some(nodes_before_guesses);
        loop {
            let boxes = skeleton.stages[0].iter().map(|&var| skeleton.boxes[var]);
            self.open = vec![Part {
                boxes: boxes.collect(),
                refuted: None,
                answer: None,
                bound: self.proved,
            }];
            let is_closed = self.close(skeleton, game, nodes, budget, &mut improved)?;
            if is_closed && self.limit() == self.best() {
                return Ok(());
            }
            self.proved = if is_closed {
                self.limit()
            } else {
                self.bound()
            };
            nodes = None;
            let low = self.proved.unwrap_or(skeleton.value_range().0);
            self.target = self.best().map(|best| low + (best - low + 1) / 2);
        }
    }

    /// Closes every open part; `false` if that has taken too many nodes and there is something to
    /// guess from.
    fn close(
        &mut self,
        skeleton: &Skeleton,
        game: &mut Game<'_>,
        nodes: Option<u64>,
        budget: &mut Budget,
        improved: &mut impl FnMut(&Self, &mut Budget),
    ) -> Result<bool, Stop> {
        let end = nodes.map(|nodes| budget.nodes() + nodes);
        // A part stays on the stack until it is closed or split, so that a stop forgets nothing.
        while let Some(last) = self.open.len().checked_sub(1) {
            budget.spend_node()?;
            self.hear_rival(skeleton, budget);
            if self.best().is_some_and(|best| Some(best) <= self.proved) {
                self.open.clear();
                self.target = None;
                break;
            }
            if self.best().is_some() && end.is_some_and(|end| budget.nodes() > end) {
                return Ok(false);
            }
            for scenario in budget.hear_scenarios() {
                game.hear(&scenario);
            }
            // With conditions a decision that kills both systems loses, which the adversary does not see.
            if self.settings.neighbours && skeleton.conditions.is_empty() {
                self.look_around(skeleton, game, budget, improved)?;
            }
            // Step 1. One refutation alone closes the part.
            let Some((least, hardest)) = self.hardest_answer(last, budget)? else {
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
            let care = if self.settings.lazy {
                Care::Any
            } else {
                Care::Cheapest
            };
            let boxes = &self.open[last].boxes;
            let reply = self.scenarios[scenario].reply(boxes, limit, care, budget)?;
            let part = self
                .open
                .pop()
                .expect("invariant: the part is on the stack");
            match reply {
                Reply::Found(response) => {
                    let parts = self.split(&part, candidate, response, scenario);
                    self.open.extend(parts);
                }
                Reply::Closed => self.bring_forward(scenario),
                Reply::Unknown(_) => unreachable!("the question was asked to its end"),
            }
        }
        Ok(true)
    }

    /// Puts neighbours of the incumbent to the adversary, as long as it is their turn.
    fn look_around(
        &mut self,
        skeleton: &Skeleton,
        game: &mut Game<'_>,
        budget: &mut Budget,
        improved: &mut impl FnMut(&Self, &mut Budget),
    ) -> Result<(), Stop> {
        while let Some((cost, stage)) = &self.incumbent {
            let wishes = |place: usize| {
                let scenarios = self.scenarios.iter();
                let higher = scenarios.map(|scenario| scenario.higher(place, stage[place]));
                higher.sum()
            };
            let before = budget.nodes();
            let best = (*cost, stage.as_slice());
            let Some(point) = self.neighbours.next(best, before, skeleton, wishes) else {
                break;
            };
            budget.spend_node()?;
            let limit = self.limit();
            let enough = limit.map_or(skeleton.value_range().0, |limit| limit - 1);
            let worth = worst(skeleton, game, &point, (enough, limit), budget)?;
            self.neighbours.spent += budget.nodes() - before;
            if let Worst::Cost(cost) = worth {
                self.incumbent = Some((cost, point));
                improved(self, budget);
            }
        }
        Ok(())
    }

    /// Only what costs less is looked for.
    fn limit(&self) -> Option<i64> {
        self.best().into_iter().chain(self.target).min()
    }

    /// What the best strategy that is known costs.
    fn best(&self) -> Option<i64> {
        let own = self.incumbent.as_ref().map(|found| found.0);
        own.into_iter().chain(self.rival).min()
    }

    fn hear_rival(&mut self, skeleton: &Skeleton, budget: &Budget) {
        let cost = budget.rival_cost();
        let cost = cost.and_then(|cost| skeleton.scaled_cost(&cost));
        self.rival = self.rival.into_iter().chain(cost).min();
    }

    /// The hardest answer that is known in the part, with its cost; `None` if some scenario closes
    /// the part.
    fn hardest_answer(
        &mut self,
        part: usize,
        budget: &mut Budget,
    ) -> Result<Option<(i64, Vec<i64>)>, Stop> {
        let care = if self.settings.lazy {
            Care::Glance
        } else {
            Care::Cheapest
        };
        let limit = self.limit();
        let cheap = |(cost, _): &(i64, Vec<i64>)| limit.is_none_or(|limit| *cost < limit);
        let mut hardest = self.open[part].answer.clone().filter(cheap);
        for place in 0..self.order.len() {
            match self.ask(part, place, care, budget)? {
                Reply::Closed => return Ok(None),
                Reply::Found(response) => keep_harder(&mut hardest, response),
                Reply::Unknown(_) => {}
            }
        }
        if hardest.is_none()
            && let Reply::Found(response) = self.ask(part, 0, Care::Any, budget)?
        {
            keep_harder(&mut hardest, response);
        }
        Ok(hardest)
    }

    /// Asks the scenario at a place of the order; one that closes the part goes to the front.
    fn ask(
        &mut self,
        part: usize,
        place: usize,
        care: Care,
        budget: &mut Budget,
    ) -> Result<Reply, Stop> {
        let limit = self.limit();
        let part = &mut self.open[part];
        let scenario = &mut self.scenarios[self.order[place]];
        let reply = scenario.reply(&part.boxes, limit, care, budget)?;
        match &reply {
            Reply::Closed => self.order[..=place].rotate_right(1),
            Reply::Found(found) if found.is_least => part.bound = part.bound.max(Some(found.cost)),
            Reply::Unknown(bound) => part.bound = part.bound.max(*bound),
            Reply::Found(_) => {}
        }
        Ok(reply)
    }

    /// The scenario of these plays; one that holds some of them and no others grows.
    fn collect(&mut self, skeleton: &Skeleton, game: &Game<'_>, plays: Plays) -> usize {
        let is_part = |known: &Scenario| known.plays.iter().all(|play| plays.contains(play));
        let known = self.scenarios.iter().position(is_part);
        if let Some(known) = known {
            self.scenarios[known].grow(skeleton, game, &plays);
        }
        known.unwrap_or_else(|| {
            let mut new = Scenario::new(skeleton, game, plays, &self.settings);
            if let Some(most_asked) = self.scenarios.iter().max_by_key(|known| known.lps()) {
                new.expect_gains_of(most_asked);
            }
            self.scenarios.push(new);
            self.order.insert(0, self.scenarios.len() - 1);
            self.scenarios.len() - 1
        })
    }

    /// Two parts, the one with the response last: it is looked at first.
    fn split(
        &self,
        part: &Part,
        candidate: Vec<i64>,
        response: Response,
        scenario: usize,
    ) -> [Part; 2] {
        let Response { cost, stage, .. } = response;
        let (mut near, mut far) = (part.boxes.clone(), part.boxes.clone());
        if let Some((choice, cut)) = furthest_choice(&self.choices, &candidate, &stage) {
            // Everything before the cut, or everything from it on.
            let (low, up) = choice.split_at(cut);
            let ours_is_low = low.iter().any(|&place| candidate[place] == 1);
            let (ours, theirs) = if ours_is_low { (low, up) } else { (up, low) };
            theirs.iter().for_each(|&place| near[place] = (0, 0));
            ours.iter().for_each(|&place| far[place] = (0, 0));
        } else {
            let differs = |place: &usize| candidate[*place] != stage[*place];
            let places = (0..part.boxes.len()).filter(differs);
            // What many answers need: without it there will soon be none.
            let scenario = &self.scenarios[scenario];
            let needed = |place: &usize| scenario.popularity(*place, stage[*place]);
            let place = if self.settings.lazy {
                places.rev().max_by_key(needed)
            } else {
                places.min()
            };
            let place = place.expect("invariant: a play does not refute its own answer");
            let (ours, theirs) = (candidate[place], stage[place]);
            if theirs > ours {
                near[place].1 = theirs - 1;
                far[place].0 = theirs;
            } else {
                near[place].0 = theirs + 1;
                far[place].1 = theirs;
            }
        }
        let bound = part.bound;
        let near = Part {
            boxes: near,
            refuted: Some((candidate, scenario)),
            answer: None,
            bound,
        };
        let far = Part {
            boxes: far,
            refuted: None,
            answer: Some((cost, stage)),
            bound,
        };
        [near, far]
    }

    fn bring_forward(&mut self, scenario: usize) {
        let place = self.order.iter().position(|&other| other == scenario);
        if let Some(place) = place {
            self.order[..=place].rotate_right(1);
        }
    }
}

fn keep_harder(hardest: &mut Option<(i64, Vec<i64>)>, response: Response) {
    let Response { cost, stage, .. } = response;
    if hardest.as_ref().is_none_or(|(most, _)| cost > *most) {
        *hardest = Some((cost, stage));
    }
}

/// What the first stage guarantees, as long as that is below the limit; `least` if it is even less.
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
