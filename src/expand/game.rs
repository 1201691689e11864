//! Both players against one another below a fixed beginning: who reaches the target?
//!
//! [`Game::defends`] asks whether the existential player, to move, can keep the cost at or below a
//! target; [`Game::attack`] asks the universal player, to move, for a refutation. They call each
//! other, one block deeper each time. A refutation is a set of plays against which no answer stays
//! within the target: exactly what a master needs to learn.
//!
//! **Invariant:** both answers are proved. "Within the target" rests on points that were put into
//! every row; "refuted" rests on exact branch and bound over the tree of the plays that are
//! handed back.

use std::ops::Range;

use super::pool::Pool;
use crate::budget::Budget;
use crate::equivalent::{Branching, Place, Skeleton, Tree};
use crate::lp::{Column, LpProblem, LpRow};
use crate::outcome::Stop;
use crate::program::{Id, IdVec, VarId};

/// Plays of the universal player, as places in [`Game::plays`].
pub type Plays = Vec<usize>;

/// Whether the existential player stays within the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// He does; the worst cost that was seen on the way is at most the target.
    Within,
    /// He does not: these plays together leave him no answer.
    Refuted(Plays),
}

/// What a first stage is worth.
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
    /// Every legal play, in lexicographic order.
    plays: Vec<Vec<i64>>,
    /// The value of every variable that is fixed.
    board: IdVec<VarId, i64>,
    /// One play's program over all variables, for the last existential block.
    recourse: Branching,
    pool: Pool,
    /// Plays that refuted something lately come first.
    killers: Vec<usize>,
    lps_of_masters: u64,
    /// How many refutations an attack collects.
    per_round: usize,
}

/// How many recent refutations are tried first.
const KILLERS: usize = 64;

/// How many plays are looked at after the first refutation, to find others as well.
const EXTRA_LOOKS: usize = 100;

impl<'a> Game<'a> {
    pub fn new(skeleton: &'a Skeleton, plays: Vec<Vec<i64>>, per_round: usize) -> Self {
        let problem = whole_program(skeleton);
        let mut recourse = Branching::new(&problem);
        for (var, place) in skeleton.places.pairs() {
            if let Place::Existential(stage, _) = place {
                recourse.set_rank(var.index(), *stage as u32);
            }
        }
        Self {
            skeleton,
            plays,
            board: IdVec::filled(skeleton.places.len(), 0),
            recourse,
            pool: Pool::new(&problem),
            killers: Vec::new(),
            lps_of_masters: 0,
            per_round,
        }
    }

    pub fn play(&self, number: usize) -> &[i64] {
        &self.plays[number]
    }

    pub fn all_plays(&self) -> Range<usize> {
        0..self.plays.len()
    }

    pub fn lps(&self) -> u64 {
        self.recourse.lps() + self.lps_of_masters
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
            if !self.gates_admit(stage..end, first) {
                continue;
            }
            let group = self.group(end, first, range.end);
            for number in stage..end {
                self.board[self.skeleton.universals[number]] = self.plays[first][number];
            }
            let verdict = if end == self.skeleton.universals.len() {
                self.answers(first, target, budget)?
            } else {
                self.defends(end, group, target, budget)?
            };
            if let Verdict::Refuted(plays) = verdict {
                self.remember(first);
                found.extend(plays);
                refutations += 1;
                looks_left.get_or_insert(EXTRA_LOOKS);
            }
        }
        Ok((!found.is_empty()).then_some(found))
    }

    /// What a first stage guarantees, as long as that is below `limit`; it is known to be at least
    /// `least`.
    pub fn worst(
        &mut self,
        first_stage: &[i64],
        least: i64,
        limit: Option<i64>,
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        let most = self.skeleton.cost_range().1;
        let limit = limit.unwrap_or(most + 1);
        if self.next_decision(0) == self.skeleton.universals.len() {
            self.place_stage(0, first_stage);
            self.worst_play(least, limit, budget)
        } else {
            self.worst_by_bisection(first_stage, least, limit, budget)
        }
    }

    /// When the adversary moves only once: all plays in turn, and what the worst one costs.
    fn worst_play(&mut self, least: i64, limit: i64, budget: &mut Budget) -> Result<Worst, Stop> {
        let end = self.skeleton.universals.len();
        // What some play is known to cost; answers that cost no more need no proof.
        let mut reached = least;
        for play in self.in_order(0, end, self.all_plays()) {
            if !self.gates_admit(0..end, play) {
                continue;
            }
            for number in 0..end {
                self.board[self.skeleton.universals[number]] = self.plays[play][number];
            }
            match self.cheapest_answer(reached, limit, budget)? {
                Some(cost) => reached = reached.max(cost),
                None => {
                    self.remember(play);
                    return Ok(Worst::Refuted(vec![play]));
                }
            }
        }
        Ok(Worst::Cost(reached))
    }

    /// The smallest target that the adversary cannot refute.
    fn worst_by_bisection(
        &mut self,
        first_stage: &[i64],
        mut least: i64,
        limit: i64,
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        let mut within = limit - 1;
        self.place_stage(0, first_stage);
        if let Some(plays) = self.attack(0, self.all_plays(), within, budget)? {
            return Ok(Worst::Refuted(plays));
        }
        while least < within {
            let middle = least + (within - least) / 2;
            self.place_stage(0, first_stage);
            match self.attack(0, self.all_plays(), middle, budget)? {
                Some(_) => least = middle + 1,
                None => within = middle,
            }
        }
        Ok(Worst::Cost(within))
    }

    /// What the cheapest answer to the board costs, if that is below `limit`; a cost of `enough`
    /// or less may be any answer's.
    fn cheapest_answer(
        &mut self,
        enough: i64,
        limit: i64,
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
        let answer = self.recourse.minimise(Some(limit), budget);
        match (answer.best, answer.stop) {
            (_, Some(stop)) => Err(stop),
            (None, None) => Ok(None),
            (Some(point), None) => {
                let values = moves.iter().map(|var| point.values[var.index()]);
                self.pool.add(values.collect());
                Ok(Some(point.cost))
            }
        }
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

    /// Whether the existential player, to move at `stage`, stays within the target against the
    /// plays of `range`.
    fn defends(
        &mut self,
        stage: usize,
        range: Range<usize>,
        target: i64,
        budget: &mut Budget,
    ) -> Result<Verdict, Stop> {
        let mut known = vec![range.start];
        let mut tree = Tree::new(self.skeleton);
        tree.add_play(self.skeleton, &self.plays[range.start]);
        let mut master = Branching::new(tree.problem());
        self.hold_the_past(&tree, &mut master, stage, 0);
        loop {
            budget.look()?;
            let answer = master.minimise(Some(target + 1), budget);
            let Some(point) = answer.best else {
                self.lps_of_masters += master.lps();
                return answer.stop.map_or(Ok(Verdict::Refuted(known)), Err);
            };
            let seen = &self.plays[range.start][..stage];
            let first = tree
                .column_of(seen)
                .expect("invariant: the past is in the tree");
            let values = &point.values[first..];
            self.place_stage(stage, values);
            match self.attack(stage, range.clone(), target, budget)? {
                None => {
                    self.lps_of_masters += master.lps();
                    return Ok(Verdict::Within);
                }
                Some(plays) => {
                    let before = tree.problem().columns.len();
                    for number in plays {
                        if tree.add_play(self.skeleton, &self.plays[number]) {
                            known.push(number);
                        }
                    }
                    master.grow(tree.problem());
                    self.hold_the_past(&tree, &mut master, stage, before);
                }
            }
        }
    }

    /// Fixes what was decided before `stage`, in the columns from `first` on, and ranks the rest.
    fn hold_the_past(&self, tree: &Tree, master: &mut Branching, stage: usize, first: usize) {
        for column in first..tree.problem().columns.len() {
            master.set_rank(column, tree.rank(column));
            if let Some((var, seen)) = tree.copy_at(column)
                && seen.len() < stage
            {
                master.set_box(column, self.board[var], self.board[var]);
            }
        }
    }

    /// Whether the last existential block has an answer within the target to what is on the board.
    fn answers(&mut self, play: usize, target: i64, budget: &mut Budget) -> Result<Verdict, Stop> {
        let last = self.skeleton.stages.len() - 1;
        let moves = &self.skeleton.stages[last];
        if self.pool.answers(moves, self.board.as_slice(), target) {
            return Ok(Verdict::Within);
        }
        self.hold_the_board();
        if self.repairs(target) {
            return Ok(Verdict::Within);
        }
        let answer = self.recourse.minimise(Some(target + 1), budget);
        match (answer.best, answer.stop) {
            (Some(point), _) => {
                let answer = moves.iter().map(|var| point.values[var.index()]);
                self.pool.add(answer.collect());
                Ok(Verdict::Within)
            }
            (None, Some(stop)) => Err(stop),
            (None, None) => Ok(Verdict::Refuted(vec![play])),
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
        let killers = self.killers.iter().rev();
        if stage == 0 {
            firsts.extend(killers.filter(|killer| range.contains(killer)));
        }
        let mut last: Option<&[i64]> = None;
        for number in range {
            let step = &self.plays[number][stage..end];
            if last != Some(step) {
                firsts.push(number);
                last = Some(step);
            }
        }
        firsts
    }

    fn remember(&mut self, play: usize) {
        self.killers.retain(|&killer| killer != play);
        self.killers.push(play);
        if self.killers.len() > KILLERS {
            self.killers.remove(0);
        }
    }

    /// The plays that agree with `member` in the first `end` values.
    fn group(&self, end: usize, member: usize, limit: usize) -> Range<usize> {
        let beginning = &self.plays[member][..end];
        let first = self.plays[..member].partition_point(|play| &play[..end] < beginning);
        let behind = self.plays[member..limit].partition_point(|play| &play[..end] <= beginning);
        first..member + behind
    }

    /// Whether the decisions on the board allow the play's values: behind a closed gate only the
    /// harmless one.
    fn gates_admit(&self, numbers: Range<usize>, play: usize) -> bool {
        numbers
            .into_iter()
            .all(|number| match &self.skeleton.gates[number] {
                Some(gate) => {
                    let is_open = |keeper: &VarId| self.board[*keeper] == gate.open_at;
                    self.plays[play][number] == gate.harmless || gate.keepers.iter().all(is_open)
                }
                None => true,
            })
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
