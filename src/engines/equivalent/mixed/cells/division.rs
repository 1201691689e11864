//! How the ranges of universal variables are divided into cells, and the plays over them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::super::moves::{
    Group, NoList, Watched, all_integers, budgets, ends, groups, harmful_ends,
};
use super::super::stages::Stages;
use super::super::tree::{Cells, Play};
use crate::budget::Budget;
use crate::num::{Rational, int};
use crate::program::{Kind, Quantifier, VarId};

/// The values of a universal variable that are tried, and its cells.
#[derive(Clone, Debug)]
pub(super) struct Division {
    /// In increasing order.
    pub values: Vec<Rational>,
    /// Where cells begin and end: numbers of values, the first and the last among them. Every value
    /// is a cell of its own where this is empty.
    pub walls: Vec<usize>,
    /// Variables that share steps have the same number here.
    pub group: Option<usize>,
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
    pub fn cells(&self) -> Vec<std::ops::RangeInclusive<usize>> {
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

/// Plays some of whose values are meant just beside what they are.
#[derive(Default)]
pub(super) struct Beside {
    pub plays: Vec<(Play, Cells)>,
    pub signs: Vec<Vec<i64>>,
}

/// More plays beside walls are not looked at.
const MOST_BESIDE: usize = 600;

/// How the ranges of all universal variables are divided, in playing order.
pub(super) struct Divisions(pub Vec<Division>);

impl Divisions {
    /// One cell for each real variable, or why the program is not of the class.
    pub fn new(stages: &Stages<'_>) -> Result<Self, String> {
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
    pub fn plays(
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

    /// Whether values beside the walls of a variable are worth a look: no rule of the opponent holds it,
    /// and a row has it beside integers alone.
    fn is_worth_besides(&self, stages: &Stages<'_>, number: usize) -> bool {
        let variables = stages.program.variables();
        let var = stages.universals[number];
        let rows = stages.program.rows().iter();
        let mut rows = rows.filter(|row| row.terms.iter().any(|(other, _)| *other == var));
        let is_real_decision = |var: VarId| {
            let variable = &variables[var];
            variable.quantifier == Quantifier::Exists && variable.kind == Kind::Real
        };
        let division = &self.0[number];
        division.group.is_none()
            && !division.walls.is_empty()
            && rows.any(|row| !row.terms.iter().any(|(var, _)| is_real_decision(*var)))
    }

    /// The plays with values that are meant just above or below what they are, and the signs; none if
    /// there are too many.
    pub fn plays_beside(&self, stages: &Stages<'_>, plays: &[(Play, Cells)]) -> Option<Beside> {
        let is_worth = (0..self.0.len()).map(|number| self.is_worth_besides(stages, number));
        let is_worth: Vec<bool> = is_worth.collect();
        if !is_worth.contains(&true) {
            return None;
        }
        let mut all = Beside::default();
        for (play, places) in plays {
            let mut signs: Vec<Vec<i64>> = vec![Vec::new()];
            for (number, &place) in places.iter().enumerate() {
                let mut own = vec![0];
                if is_worth[number] {
                    own.extend((place + 1 < self.0[number].values.len() as u32).then_some(1));
                    own.extend((place > 0).then_some(-1));
                }
                let longer = signs.iter().flat_map(|signs| {
                    own.iter()
                        .map(move |sign| signs.iter().copied().chain([*sign]).collect())
                });
                signs = longer.collect();
            }
            for signs in signs {
                let cells = places.iter().zip(&signs);
                let cells = cells.map(|(place, sign)| 3 * place + (sign + 1) as u32);
                all.plays.push((play.clone(), cells.collect()));
                all.signs.push(signs);
            }
            if all.plays.len() > MOST_BESIDE {
                return None;
            }
        }
        Some(all)
    }

    /// Divides ranges at these numbers; `false` if they are walls already.
    pub fn divide_at(&mut self, crossings: &[(usize, Rational)]) -> bool {
        let mut is_divided = false;
        for (number, at) in crossings {
            is_divided |= self.0[*number].divide(at);
        }
        is_divided
    }

    /// Divides the widest cell that one of the plays goes through, before an integer decision;
    /// `false` if there is none.
    pub fn halve_along(&mut self, stages: &Stages<'_>, last: usize, plays: &[Cells]) -> bool {
        let part = |number: usize, cell: u32| -> Option<Rational> {
            let division = &self.0[number];
            let first = *division.walls.get(cell as usize)?;
            let behind = *division.walls.get(cell as usize + 1)?;
            let (lower, upper) = ends(stages.program, stages.universals[number]);
            Some((&division.values[behind] - &division.values[first]) / (upper? - lower?))
        };
        let cells = plays
            .iter()
            .flat_map(|cells| cells[..last].iter().copied().enumerate());
        let parts = cells.filter_map(|(number, cell)| Some((part(number, cell)?, number, cell)));
        let widest = parts.max_by(|left, right| left.0.cmp(&right.0).then(right.1.cmp(&left.1)));
        let Some((_, number, cell)) = widest else {
            return false;
        };
        let division = &self.0[number];
        let first = division.walls[cell as usize];
        let behind = division.walls[cell as usize + 1];
        if let Some(group) = division.group {
            if behind - first == 1 {
                let members = self.0.iter_mut().filter(|it| it.group == Some(group));
                members.for_each(Division::halve_steps);
                return self.halve_along(stages, last, plays);
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
    let mut steps = BigInt::one();
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
