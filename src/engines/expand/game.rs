//! Both players against one another below a fixed beginning: who reaches the target?
//!
//! [`Game::worst`] asks what a position guarantees when the universal player is to move,
//! [`Game::best`] when the existential player is; they call each other, one block deeper each time.
//! Both know what is `enough`, below which nobody asks for the exact cost, and the `limit`, from
//! which on a cost is refuted. [`Game::attack`] only asks for refutations. A refutation is a set of
//! plays against which every answer costs the limit or more: exactly what a master needs to learn.
//!
//! **Invariant:** answers are proved. Costs rest on points that were put into every row; "refuted"
//! rests on exact branch and bound over the tree of the plays that are handed back.

mod legal;
mod unlisted;

use std::collections::HashMap;
use std::ops::Range;

use legal::Kills;

use super::adversary::Adversary;
use super::killers::Killers;
use super::later::Later;
use super::pool::Pool;
use super::settings::Settings;
use crate::budget::Budget;
use crate::budget::race::Scenario;
use crate::equivalent::{Branching, Place, Skeleton};
use crate::lp::{Column, LpProblem, LpRow};
use crate::outcome::Stop;
use crate::program::{Id, IdVec, VarId};

/// Plays of the universal player, as places in [`Game::plays`].
pub type Plays = Vec<usize>;

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worst {
    /// What it guarantees against best play, which is below the limit.
    Cost(i64),
    /// Against these plays it costs the limit or more, or it dies.
    Refuted(Plays),
}

/// The state of the two players' recursion.
pub struct Game<'a> {
    skeleton: &'a Skeleton,
    /// Every legal play, in lexicographic order; or those that are known, if somebody finds the others.
    plays: Vec<Vec<i64>>,
    adversary: Option<Adversary>,
    /// The value of every variable that is fixed.
    board: IdVec<VarId, i64>,
    /// One play's program over all variables, for the last existential block.
    recourse: Branching,
    kills: Kills,
    pool: Pool,
    killers: Killers,
    /// The masters of later stages, by stage and first play of the beginning.
    masters: HashMap<(usize, usize), Later>,
    lps_of_masters: u64,
    /// How many refutations an attack collects.
    per_round: usize,
}

/// How many masters of later stages are kept.
const MASTERS: usize = 256;

/// How many plays are looked at after the first refutation, to find others as well.
const EXTRA_LOOKS: usize = 100;

impl<'a> Game<'a> {
    pub fn new(
        skeleton: &'a Skeleton,
        plays: Vec<Vec<i64>>,
        adversary: Option<Adversary>,
        settings: &Settings,
    ) -> Self {
        let problem = whole_program(skeleton);
        let mut recourse = Branching::new(&problem);
        recourse.split_by_gains(settings.gains);
        for (var, place) in skeleton.places.pairs() {
            if let Place::Existential(stage, _) = place {
                recourse.set_rank(var.index(), *stage as u32);
            }
        }
        Self {
            skeleton,
            plays,
            adversary,
            board: IdVec::filled(skeleton.places.len(), 0),
            recourse,
            kills: Kills::new(skeleton, &problem),
            pool: Pool::new(&problem),
            killers: Killers::new(settings.killers),
            masters: HashMap::new(),
            lps_of_masters: 0,
            per_round: if settings.scan { 1 } else { 4 },
        }
    }

    pub fn play(&self, number: usize) -> &[i64] {
        &self.plays[number]
    }

    pub fn all_plays(&self) -> Range<usize> {
        0..self.plays.len()
    }

    pub fn lps(&self) -> u64 {
        let adversary = self.adversary.as_ref().map_or(0, Adversary::lps);
        self.recourse.lps() + self.lps_of_masters + adversary
    }

    /// Puts the values of one stage onto the board.
    pub fn place_stage(&mut self, stage: usize, values: &[i64]) {
        for (&var, &value) in self.skeleton.stages[stage].iter().zip(values) {
            self.board[var] = value;
        }
    }

    /// Looks for plays, among those of `range`, that refute `target`. The variables of the stages
    /// up to `stage` and the universal variables before it are on the board.
    pub fn attack(
        &mut self,
        stage: usize,
        range: Range<usize>,
        target: i64,
        budget: &mut Budget,
    ) -> Result<Option<Plays>, Stop> {
        let end = self.next_decision(stage);
        let mut found = Plays::new();
        let mut refutations = 0;
        let mut looks_left = None;
        for first in self.in_order(stage, end, range.clone()) {
            if looks_left == Some(0) || refutations >= self.per_round {
                break;
            }
            looks_left = looks_left.map(|left: usize| left - 1);
            if !self.is_legal(stage..end, first, range.end) {
                continue;
            }
            let answer = self.answer(stage..end, first, range.end, (target, target + 1), budget)?;
            if let Worst::Refuted(plays) = answer {
                self.remember(stage..end, first);
                found.extend(plays);
                refutations += 1;
                looks_left.get_or_insert(EXTRA_LOOKS);
            }
        }
        if found.is_empty()
            && let Worst::Refuted(plays) = self.ask_adversary(end, (target, target + 1), budget)?
        {
            found = plays;
        }
        Ok((!found.is_empty()).then_some(found))
    }

    /// What the board guarantees when the universal player moves at `stage` and chooses among the
    /// plays of `range`.
    pub fn worst(
        &mut self,
        stage: usize,
        range: Range<usize>,
        (enough, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        let end = self.next_decision(stage);
        // What some play is known to cost; answers that cost no more need no proof.
        let mut reached = enough;
        for first in self.in_order(stage, end, range.clone()) {
            if !self.is_legal(stage..end, first, range.end) {
                continue;
            }
            match self.answer(stage..end, first, range.end, (reached, limit), budget)? {
                Worst::Cost(cost) => reached = reached.max(cost),
                Worst::Refuted(plays) => {
                    self.remember(stage..end, first);
                    return Ok(Worst::Refuted(plays));
                }
            }
        }
        self.ask_adversary(end, (reached, limit), budget)
    }

    /// What the universal moves of one play cost.
    fn answer(
        &mut self,
        moves: Range<usize>,
        play: usize,
        last: usize,
        window: (i64, i64),
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        let end = moves.end;
        for number in moves {
            self.board[self.skeleton.universals[number]] = self.plays[play][number];
        }
        if end < self.skeleton.universals.len() {
            let group = self.group(end, play, last);
            return self.best(end, group, window, budget);
        }
        let cost = self.cheapest_answer(window, budget)?;
        Ok(cost.map_or_else(|| Worst::Refuted(vec![play]), Worst::Cost))
    }

    /// What the existential player, to move at `stage`, can guarantee against the plays of `range`.
    fn best(
        &mut self,
        stage: usize,
        range: Range<usize>,
        window: (i64, i64),
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        let key = (stage, range.start);
        let play = &self.plays[range.start];
        let known = self.masters.remove(&key);
        let mut later =
            known.unwrap_or_else(|| Later::new(self.skeleton, stage, range.start, play));
        if let Some(number) = self.witness(stage, range.clone(), &later.known) {
            later.learn(self.skeleton, number, &self.plays[number]);
        }
        let before = later.master.lps();
        let result = self.refine(&mut later, stage, range, window, budget);
        self.lps_of_masters += later.master.lps() - before;
        if self.masters.len() >= MASTERS {
            self.masters.clear();
        }
        self.masters.insert(key, later);
        result
    }

    /// Rounds of candidate and refutation: the master's cost rises until nobody refutes it.
    fn refine(
        &mut self,
        later: &mut Later,
        stage: usize,
        range: Range<usize>,
        (enough, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        loop {
            budget.look()?;
            later.hold_the_past(&self.board);
            let Some(point) = later.master.point_below(limit, enough, budget)? else {
                return Ok(Worst::Refuted(later.known.clone()));
            };
            let target = point.cost.max(enough);
            let first = later.first_column(&self.plays[range.start]);
            self.place_stage(stage, &point.values[first..]);
            match self.attack(stage, range.clone(), target, budget)? {
                None => return Ok(Worst::Cost(target)),
                Some(plays) => {
                    for number in plays {
                        later.learn(self.skeleton, number, &self.plays[number]);
                    }
                }
            }
        }
    }

    /// What the cheapest answer to the board costs, if that is below `limit`; a cost of `enough`
    /// or less may be any answer's.
    fn cheapest_answer(
        &mut self,
        (enough, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Option<i64>, Stop> {
        let last = self.skeleton.stages.len() - 1;
        let moves = &self.skeleton.stages[last];
        if self.pool.answers(moves, self.board.as_slice(), enough) {
            return Ok(Some(enough));
        }
        self.hold_the_board();
        if self.repairs(enough) {
            return Ok(Some(enough));
        }
        if self
            .kills
            .are_possible(self.skeleton, &self.board, budget)?
        {
            return Ok(Some(self.skeleton.cost_of_winning()));
        }
        let point = self.recourse.point_below(limit, enough, budget)?;
        Ok(point.map(|point| {
            let values = moves.iter().map(|var| point.values[var.index()]);
            self.pool.add(values.collect());
            point.cost
        }))
    }

    /// Whether an answer that worked lately can be repaired to meet the board within the target.
    fn repairs(&mut self, target: i64) -> bool {
        let last = self.skeleton.stages.len() - 1;
        let moves = &self.skeleton.stages[last];
        for hint in self.pool.hints(moves, self.board.as_slice()) {
            if let Some(point) = self.recourse.follow(&hint, Some(target + 1)) {
                let values = moves.iter().map(|var| point.values[var.index()]);
                self.pool.add(values.collect());
                return true;
            }
        }
        false
    }

    /// Fixes everything on the board but the last stage.
    fn hold_the_board(&mut self) {
        for (var, &value) in self.board.pairs() {
            self.recourse.set_box(var.index(), value, value);
        }
        let last = self.skeleton.stages.len() - 1;
        for &var in &self.skeleton.stages[last] {
            let (lower, upper) = self.skeleton.boxes[var];
            self.recourse.set_box(var.index(), lower, upper);
        }
    }

    /// The next stage after `stage` at which there is something to decide, or the end of the play.
    fn next_decision(&self, stage: usize) -> usize {
        let last = self.skeleton.stages.len() - 1;
        let after = stage + 1..last;
        let decides = |&next: &usize| !self.skeleton.stages[next].is_empty();
        after.clone().find(decides).unwrap_or(last)
    }

    /// One play for each way to go on from `stage` to `end`, recent refutations first.
    fn in_order(&self, stage: usize, end: usize, range: Range<usize>) -> Vec<usize> {
        let mut firsts = Vec::new();
        if stage == 0 {
            firsts.extend(self.killers.plays().filter(|play| range.contains(play)));
        }
        let mut last: Option<&[i64]> = None;
        for number in range {
            let step = &self.plays[number][stage..end];
            if last != Some(step) {
                firsts.push(number);
                last = Some(step);
            }
        }
        if stage > 0 {
            let moves = |play: usize| &self.plays[play][stage..end];
            self.killers.sort(stage, &mut firsts, moves);
        }
        firsts
    }

    /// A play as others understand it: numbers of variables, with their values.
    pub fn scenario(&self, play: usize) -> Scenario {
        let variables = self.skeleton.universals.iter().map(|var| var.index());
        variables.zip(self.plays[play].iter().copied()).collect()
    }

    /// Takes a play that refuted somebody else's candidates, if it is one of those that matter.
    pub fn hear(&mut self, scenario: &Scenario) {
        let value = |var: &VarId| {
            let mut moves = scenario.iter();
            moves
                .find(|(at, _)| *at == var.index())
                .map(|found| found.1)
        };
        let play: Option<Vec<i64>> = self.skeleton.universals.iter().map(value).collect();
        let known = play.and_then(|play| match self.adversary {
            None => self.plays.binary_search(&play).ok(),
            Some(_) => self.plays.iter().position(|known| *known == play),
        });
        if let Some(number) = known {
            self.killers.remember_play(number);
        }
    }

    /// Best play of both sides after a first stage that guarantees the cost: the board, with a
    /// value for every variable. A stop leaves nothing to show.
    pub fn variation(
        &mut self,
        first_stage: &[i64],
        cost: i64,
        budget: &mut Budget,
    ) -> Result<IdVec<VarId, i64>, Stop> {
        self.place_stage(0, first_stage);
        let (mut stage, mut range) = (0, self.all_plays());
        while stage < self.skeleton.universals.len() {
            let end = self.next_decision(stage);
            let dearest = self.dearest_move(stage..end, range.clone(), cost, budget)?;
            for number in stage..end {
                self.board[self.skeleton.universals[number]] = self.plays[dearest][number];
            }
            range = self.group(end, dearest, range.end);
            if end < self.skeleton.universals.len() {
                self.best(end, range.clone(), (cost, cost + 1), budget)?;
            }
            stage = end;
        }
        self.hold_the_board();
        if let Some(point) = self.recourse.point_below(cost + 1, cost, budget)? {
            let last = self.skeleton.stages.len() - 1;
            for &var in &self.skeleton.stages[last] {
                self.board[var] = point.values[var.index()];
            }
        }
        Ok(self.board.clone())
    }

    /// A play of the range whose moves cost that much, or any that is legal.
    fn dearest_move(
        &mut self,
        moves: Range<usize>,
        range: Range<usize>,
        cost: i64,
        budget: &mut Budget,
    ) -> Result<usize, Stop> {
        let mut any = range.start;
        for first in self.in_order(moves.start, moves.end, range.clone()) {
            if self.is_legal(moves.clone(), first, range.end) {
                let window = (cost - 1, cost);
                any = first;
                if let Worst::Refuted(_) =
                    self.answer(moves.clone(), first, range.end, window, budget)?
                {
                    break;
                }
            }
        }
        Ok(any)
    }

    fn remember(&mut self, moves: Range<usize>, play: usize) {
        let stage = moves.start;
        if stage == 0 {
            self.killers.remember_play(play);
        } else {
            self.killers.remember_moves(stage, &self.plays[play][moves]);
        }
    }

    /// The plays that agree with `member` in the first `end` values.
    fn group(&self, end: usize, member: usize, limit: usize) -> Range<usize> {
        if self.adversary.is_some() {
            return member..member + 1;
        }
        let beginning = &self.plays[member][..end];
        let first = self.plays[..member].partition_point(|play| &play[..end] < beginning);
        let behind = self.plays[member..limit].partition_point(|play| &play[..end] <= beginning);
        first..member + behind
    }
}

/// All variables as columns, all existential rows, and the costs.
pub(super) fn whole_program(skeleton: &Skeleton) -> LpProblem {
    let columns = skeleton.boxes.iter().map(|&(lower, upper)| Column {
        cost: 0,
        lower,
        upper,
    });
    let mut columns: Vec<_> = columns.collect();
    for &(var, cost) in &skeleton.costs {
        columns[var.index()].cost = cost;
    }
    let rows = skeleton.rows.iter().flatten().map(|row| LpRow {
        terms: row
            .terms
            .iter()
            .map(|&(var, by)| (var.index(), by))
            .collect(),
        lower: row.lower,
        upper: row.upper,
    });
    LpProblem {
        columns,
        rows: rows.collect(),
    }
}
