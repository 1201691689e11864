//! Integers decided after a real opponent: constant integers on cells, bounds from both sides.
//!
//! The range of a real universal variable is divided into *cells*. Where the existential player
//! decides its integers by the cell alone, everything else it decides is real, so that finitely many
//! values of each cell suffice (as in [`super::moves`]): the ends of the cell in a box, and in budgets
//! over consecutive variables the multiples of a common step inside the cell, which make every end
//! and every budget whole. The program over these plays, integers seeing cells and reals seeing
//! values, is an *upper bound*, with a policy: reply to a value by the mixture of the replies to its
//! neighbours. The plays themselves, each with integers of its own, are a *lower bound*.
//!
//! The cells that the worst play of the policy goes through are divided until both meet. A
//! wall between two cells is also moved to where the replies of both sides cost the same.
//!
//! **Invariant:** both bounds are proved whatever the cells are; where they meet is the value.

use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::moves::{Group, NoList, Watched, all_integers, budgets, ends, groups, harmful_ends};
use super::stages::Stages;
use super::tree::{Cells, Play, Tree};
use super::{Whole, plays_are_answered, who_is_dead_first};
use crate::budget::{Budget, Limits, Progress};
use crate::equivalent::{ENGINE, Settings, unsupported};
use crate::mip::{self, Answer, End, MixedProgram, Question};
use crate::num::{Rational, int};
use crate::outcome::{Effort, Halt, Outcome, Score, Stop, cost_of_objective};
use crate::program::{Kind, Quantifier, VarId};

/// The values of a universal variable that are tried, and its cells.
#[derive(Clone, Debug)]
struct Division {
    /// In increasing order.
    values: Vec<Rational>,
    /// Where cells begin and end: numbers of values, the first and the last among them. Every value
    /// is a cell of its own where this is empty.
    walls: Vec<usize>,
    /// Variables that share steps have the same number here.
    group: Option<usize>,
}

impl Division {
    fn listed(values: Vec<Rational>) -> Self {
        Self {
            values,
            walls: Vec::new(),
            group: None,
        }
    }

    /// The cells, as ranges of values.
    fn cells(&self) -> Vec<std::ops::RangeInclusive<usize>> {
        match self.walls.is_empty() {
            true => (0..self.values.len()).map(|at| at..=at).collect(),
            false => self
                .walls
                .windows(2)
                .map(|pair| pair[0]..=pair[1])
                .collect(),
        }
    }

    /// Adds a value and makes it a wall; `false` if it is one.
    fn divide(&mut self, at: &Rational) -> bool {
        let place = match self.values.binary_search(at) {
            Ok(place) => place,
            Err(place) => {
                self.values.insert(place, at.clone());
                for wall in self.walls.iter_mut().filter(|wall| **wall >= place) {
                    *wall += 1;
                }
                place
            }
        };
        match self.walls.binary_search(&place) {
            Ok(_) => false,
            Err(at) => {
                self.walls.insert(at, place);
                true
            }
        }
    }

    /// Puts a value in the middle of any two.
    fn halve_steps(&mut self) {
        let middle = |pair: &[Rational]| (&pair[0] + &pair[1]) / int(2);
        let middles: Vec<Rational> = self.values.windows(2).map(middle).collect();
        let mut values = Vec::with_capacity(2 * self.values.len());
        for (at, value) in self.values.drain(..).enumerate() {
            values.push(value);
            values.extend(middles.get(at).cloned());
        }
        self.values = values;
        self.walls.iter_mut().for_each(|wall| *wall *= 2);
    }
}

/// How the ranges of all universal variables are divided, in playing order.
struct Divisions(Vec<Division>);

impl Divisions {
    /// One cell for each real variable, or why the program is not of the class.
    fn new(stages: &Stages<'_>) -> Result<Self, String> {
        let program = stages.program;
        let variable = |number: usize| &program.variables()[stages.universals[number]];
        let harmful = harmful_ends(stages);
        let mut all = vec![None; harmful.len()];
        for (place, group) in groups(stages, 0).iter().enumerate() {
            let is_real = |number: &usize| variable(*number).kind == Kind::Real;
            if !group.members.iter().any(is_real) {
                continue;
            }
            let steps = steps(stages, group)?;
            for &number in &group.members {
                if !is_real(&number) {
                    continue;
                }
                let (lower, upper) = ends(program, stages.universals[number]);
                let (Some(lower), Some(upper)) = (lower, upper) else {
                    return Err(format!("variable `{}` has no end", variable(number).name));
                };
                let step = (&upper - &lower) / int(steps);
                let values: Vec<Rational> = match (&harmful[number], lower == upper) {
                    (Some(worst), _) => vec![worst.clone()],
                    (None, true) => vec![lower],
                    (None, false) => (0..=steps).map(|at| &lower + &step * int(at)).collect(),
                };
                let last = values.len() - 1;
                all[number] = Some(Division {
                    walls: if last > 0 { vec![0, last] } else { Vec::new() },
                    values,
                    group: (group.members.len() > 1 || !group.rows.is_empty()).then_some(place),
                });
            }
        }
        let listed = |number: usize| {
            let var = stages.universals[number];
            let values = match &harmful[number] {
                Some(worst) => vec![worst.clone()],
                None => all_integers(program, var, MOST_VALUES).map_err(|_| {
                    let name = &program.variables()[var].name;
                    format!("variable `{name}` has more than {MOST_VALUES} values")
                })?,
            };
            Ok(Division::listed(values))
        };
        let all = all.into_iter().enumerate();
        let all = all.map(|(number, it)| it.map_or_else(|| listed(number), Ok));
        Ok(Self(all.collect::<Result<_, String>>()?))
    }

    /// The legal plays with their cells; a value between two cells belongs to both.
    fn plays(
        &self,
        stages: &Stages<'_>,
        by_cells: bool,
        most: usize,
        budget: &mut Budget,
    ) -> Result<Vec<(Play, Cells)>, NoList> {
        let rows = stages.program.universal_rows().iter();
        let rows: Vec<Watched<'_>> = rows.map(|row| Watched::new(stages, row)).collect();
        let choices = self.0.iter().map(|division| {
            if !by_cells {
                return (0..division.values.len())
                    .map(|at| (at, at as u32))
                    .collect();
            }
            let cells = division.cells().into_iter().enumerate();
            cells
                .flat_map(|(cell, values)| values.map(move |at| (at, cell as u32)))
                .collect()
        });
        let choices: Vec<Vec<(usize, u32)>> = choices.collect();
        let mut plays: Vec<(Play, Cells)> = vec![(Play::new(), Cells::new())];
        for (number, choices) in choices.iter().enumerate() {
            let mut longer = Vec::new();
            for (play, cells) in &plays {
                for &(at, cell) in choices {
                    budget.look_sometimes()?;
                    let mut play = play.clone();
                    play.push(self.0[number].values[at].clone());
                    if rows.iter().all(|row| row.may_hold(&play)) {
                        if longer.len() == most {
                            return Err(NoList::TooMany);
                        }
                        let mut cells = cells.clone();
                        cells.push(cell);
                        longer.push((play, cells));
                    }
                }
            }
            plays = longer;
        }
        Ok(plays)
    }

    /// Divides the widest cell that a play goes through, before an integer decision; `false` if
    /// there is none.
    fn divide_along(&mut self, stages: &Stages<'_>, last: usize, cells: &Cells) -> bool {
        let part = |number: usize| -> Option<Rational> {
            let division = &self.0[number];
            let first = *division.walls.get(cells[number] as usize)?;
            let behind = *division.walls.get(cells[number] as usize + 1)?;
            let (lower, upper) = ends(stages.program, stages.universals[number]);
            Some((&division.values[behind] - &division.values[first]) / (upper? - lower?))
        };
        let parts = (0..last).filter_map(|number| Some((part(number)?, number)));
        let widest = parts.max_by(|left, right| left.0.cmp(&right.0).then(right.1.cmp(&left.1)));
        let Some((_, number)) = widest else {
            return false;
        };
        let division = &self.0[number];
        let first = division.walls[cells[number] as usize];
        let behind = division.walls[cells[number] as usize + 1];
        if let Some(group) = division.group {
            if behind - first == 1 {
                let members = self.0.iter_mut().filter(|it| it.group == Some(group));
                members.for_each(Division::halve_steps);
                return self.divide_along(stages, last, cells);
            }
            let middle = division.values[(first + behind) / 2].clone();
            return self.0[number].divide(&middle);
        }
        let middle = (&division.values[first] + &division.values[behind]) / int(2);
        self.0[number].divide(&middle)
    }
}

/// Integer variables of the opponent with more values are not listed.
const MOST_VALUES: usize = 10_000;

/// Into how many steps a range of the group must be divided so that its budgets are whole.
fn steps(stages: &Stages<'_>, group: &Group) -> Result<i64, String> {
    let mut steps = num_bigint::BigInt::one();
    for budget in budgets(stages, group)? {
        steps = steps.lcm(budget.left.denom());
    }
    for &number in &group.members {
        let variable = &stages.program.variables()[stages.universals[number]];
        let (lower, upper) = ends(stages.program, stages.universals[number]);
        if let (Kind::Integer, Some(lower), Some(upper)) = (variable.kind, lower, upper)
            && lower < upper
        {
            steps = steps.lcm(&(upper - lower).to_integer());
        }
    }
    let few = steps.to_i64().filter(|&steps| steps <= MOST_STEPS);
    few.ok_or_else(|| "its budgets of real variables have too fine fractions".to_owned())
}

/// Finer steps make too many plays.
const MOST_STEPS: i64 = 64;

/// Why cells do not help, if they do not.
pub(super) fn refusal(stages: &Stages<'_>) -> Option<String> {
    Divisions::new(stages).err()
}

/// Solves a program by cells, until both bounds meet or a limit is reached.
pub(super) fn solve(
    stages: Stages<'_>,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, Halt> {
    let program = stages.program;
    let divisions =
        Divisions::new(&stages).map_err(|why| Halt::Refused(unsupported(ENGINE, why)))?;
    let decided = program.variables().pairs();
    let whole =
        decided.filter(|(_, it)| it.quantifier == Quantifier::Exists && it.kind == Kind::Integer);
    let mut refinement = Refinement {
        last: whole.map(|(var, _)| stages.seen[var]).max().unwrap_or(0),
        stages,
        divisions,
        settings,
        best: None,
        bound: None,
        lps: 0,
    };
    let ended = refinement.refine(budget);
    match ended {
        Ok(Closed::Score(score)) => {
            Ok(refinement.outcome(Outcome::proved(program, &score), budget))
        }
        Ok(Closed::Stopped(stop)) | Err(Halt::Stop(stop)) => {
            let stages = &refinement.stages;
            let objective = |cost: &Rational| stages.objective(cost.clone());
            let interrupted = Outcome {
                objective: refinement
                    .best
                    .as_ref()
                    .and_then(|best| objective(&best.cost)),
                bound: refinement.bound.as_ref().and_then(objective),
                ..Outcome::interrupted(stop)
            };
            Ok(refinement.outcome(interrupted, budget))
        }
        Err(refused) => Err(refused),
    }
}

/// What a policy over cells is worth, and how it begins.
struct Policy {
    cost: Rational,
    first: Vec<(VarId, Rational)>,
    worst: Vec<(VarId, Rational)>,
    /// The cells of the worst play.
    cells: Cells,
}

enum Closed {
    Score(Score),
    Stopped(Stop),
}

struct Refinement<'a> {
    stages: Stages<'a>,
    divisions: Divisions,
    settings: &'a Settings,
    /// Cells matter for so many universal variables.
    last: usize,
    best: Option<Policy>,
    bound: Option<Rational>,
    lps: u64,
}

impl Refinement<'_> {
    fn refine(&mut self, budget: &mut Budget) -> Result<Closed, Halt> {
        loop {
            if let Some(closed) = self.bound_from_below(budget)? {
                return Ok(closed);
            }
            self.bound_from_above(budget)?;
            self.report(budget);
            if let Some(score) = self.met() {
                return Ok(Closed::Score(score));
            }
            budget.look()?;
            let cells = match &self.best {
                Some(best) => best.cells.clone(),
                None => self.first_cells(),
            };
            if !self.divisions.divide_along(&self.stages, self.last, &cells) {
                return Ok(Closed::Stopped(Stop::Memory));
            }
        }
    }

    /// Without a policy the first cells are divided that can be.
    fn first_cells(&self) -> Cells {
        let widest = |division: &Division| {
            let cells = division.cells().into_iter().enumerate();
            let width = |cell: &(usize, std::ops::RangeInclusive<usize>)| {
                &division.values[*cell.1.end()] - &division.values[*cell.1.start()]
            };
            let widest = cells.max_by(|left, right| width(left).cmp(&width(right)));
            widest.map_or(0, |(cell, _)| cell as u32)
        };
        self.divisions.0.iter().map(widest).collect()
    }

    fn met(&self) -> Option<Score> {
        let (best, bound) = (self.best.as_ref()?, self.bound.as_ref()?);
        let program = self.stages.program;
        let value = self.stages.objective(best.cost.clone()).unwrap_or_default();
        (best.cost <= *bound).then(|| Score::Cost(cost_of_objective(program, value)))
    }

    /// The values as plays, with integers for each.
    fn bound_from_below(&mut self, budget: &mut Budget) -> Result<Option<Closed>, Halt> {
        let plays = match self.listed(false, budget)? {
            Some(plays) => plays,
            None => return Ok(Some(Closed::Stopped(Stop::Memory))),
        };
        if plays.is_empty() {
            let score = who_is_dead_first(self.stages.program, budget)?;
            return Ok(Some(Closed::Score(score)));
        }
        let plays = plays.into_iter().map(|(play, _)| play).collect();
        let hard = plays_are_answered(&self.stages, plays);
        let columns = super::size(&self.stages, &hard);
        if columns > self.settings.most_columns {
            return Ok(Some(Closed::Stopped(Stop::Memory)));
        }
        let tree = Whole::tree_over(&self.stages, &hard);
        if tree.is_dead {
            return Ok(Some(Closed::Score(Score::Lost)));
        }
        let most = self.best.as_ref().map(|best| best.cost.clone());
        let answer = self.asked(&tree.problem, most, budget);
        match (&answer.best, answer.end) {
            (_, End::Unbounded) => return Ok(Some(Closed::Score(Score::Unbounded))),
            // What the policy costs is not too little: so it is the value, or all is lost.
            (None, End::Proved) if self.best.is_none() => {
                return Ok(Some(Closed::Score(Score::Lost)));
            }
            _ => {}
        }
        if let Some(bound) = answer.bound
            && self.bound.as_ref().is_none_or(|known| *known < bound)
        {
            self.bound = Some(bound);
        }
        Ok(None)
    }

    /// Integers by cells.
    fn bound_from_above(&mut self, budget: &mut Budget) -> Result<(), Halt> {
        let Some(plays) = self.listed(true, budget)? else {
            return Err(Halt::Stop(Stop::Memory));
        };
        let tree = Tree::by_cells(&self.stages, &plays);
        if tree.is_dead {
            return Ok(());
        }
        if tree.problem.linear.bounds.len() > self.settings.most_columns {
            return Err(Halt::Stop(Stop::Memory));
        }
        let most = self.best.as_ref().map(|best| best.cost.clone());
        let answer = self.asked(&tree.problem, most, budget);
        let Some(point) = &answer.best else {
            return Ok(());
        };
        let stages = &self.stages;
        let value = |var: VarId, play: usize| {
            let seen = stages.seen[var];
            match stages.program.variables()[var].quantifier {
                Quantifier::Forall => plays[play].0[seen].clone(),
                Quantifier::Exists => point.values[tree.column(var, seen, play)].clone(),
            }
        };
        let cost = |play: usize| -> Rational {
            let terms = stages.costs.iter();
            terms.map(|(var, by)| by * value(*var, play)).sum()
        };
        let Some(worst) = (0..plays.len()).max_by_key(|&play| cost(play)) else {
            return Ok(());
        };
        let first = stages.of_stage(0).map(|var| (var, value(var, 0)));
        let mut first: Vec<(VarId, Rational)> = first.collect();
        first.sort_by_key(|(var, _)| *var);
        let variables = stages.program.variables().ids();
        self.best = Some(Policy {
            cost: point.cost.clone(),
            first,
            worst: variables.map(|var| (var, value(var, worst))).collect(),
            cells: plays[worst].1.clone(),
        });
        Ok(())
    }

    fn listed(
        &self,
        by_cells: bool,
        budget: &mut Budget,
    ) -> Result<Option<Vec<(Play, Cells)>>, Halt> {
        let most = self.settings.most_plays;
        match self.divisions.plays(&self.stages, by_cells, most, budget) {
            Ok(plays) => Ok(Some(plays)),
            Err(NoList::Stopped(stop)) => Err(stop.into()),
            Err(NoList::TooMany | NoList::Infinite(_)) => Ok(None),
        }
    }

    /// Half of the time that is left may be spent on a question.
    fn asked(
        &mut self,
        problem: &MixedProgram,
        most: Option<Rational>,
        budget: &mut Budget,
    ) -> Answer {
        let mut part = budget.part(Limits {
            time: budget.remaining().map(|left| left / 2),
            ..Limits::default()
        });
        let question = Question {
            most,
            ..Question::default()
        };
        let mut lps = 0;
        let answer = mip::minimise(problem, &question, &mut part, &mut |event, _| {
            lps = event.lps
        });
        self.lps += lps;
        budget.count_nodes(part.nodes());
        answer
    }

    fn report(&self, budget: &mut Budget) {
        let objective = |cost: &Rational| self.stages.objective(cost.clone());
        budget.report(&Progress {
            nodes: budget.nodes(),
            depth: self.divisions.0.iter().map(|it| it.values.len()).sum(),
            objective: self.best.as_ref().and_then(|best| objective(&best.cost)),
            bound: self.bound.as_ref().and_then(objective),
            lps: self.lps,
            new_strategy: self.best.is_some(),
            ..Progress::default()
        });
    }

    fn outcome(self, outcome: Outcome, budget: &Budget) -> Outcome {
        let (first_stage, principal_variation) = match self.best {
            Some(best) => (best.first, best.worst),
            None => (Vec::new(), Vec::new()),
        };
        Outcome {
            first_stage,
            principal_variation,
            effort: Effort {
                nodes: budget.nodes(),
                lps: self.lps,
                learnt: 0,
            },
            ..outcome
        }
    }
}
