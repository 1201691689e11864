//! Counting plays of a program, independently of every engine: the assignments of chosen variables
//! that leave both systems alive.

use num_traits::ToPrimitive;
use quip::num::Rational;
use quip::program::{Id, Program};

struct Inequality {
    terms: Vec<(usize, i64)>,
    rhs: i64,
}

/// Bounds of all variables.
#[derive(Clone)]
struct Box {
    lower: Vec<i64>,
    upper: Vec<i64>,
}

struct Systems {
    /// The inequalities of the existential and of the universal system.
    inequalities: [Vec<Inequality>; 2],
    /// For each system and variable the inequalities it is in.
    columns: [Vec<Vec<usize>>; 2],
}

/// How many assignments of the variables that `is_move` names leave both systems alive.
pub fn plays(program: &Program, is_move: impl Fn(&str) -> bool) -> u64 {
    let systems = Systems::new(program);
    let names = program.variables().iter().map(|variable| &*variable.name);
    let moves: Vec<usize> = (0..)
        .zip(names)
        .filter(|(_, name)| is_move(name))
        .map(|(place, _)| place)
        .collect();
    let all: Vec<usize> = (0..program.variables().len()).collect();
    systems
        .narrowed(domains(program), &all)
        .map_or(0, |both| systems.count(&both, &moves))
}

fn whole(number: &Rational) -> i64 {
    assert!(number.is_integer());
    number.to_integer().to_i64().unwrap()
}

impl Systems {
    fn new(program: &Program) -> Self {
        let inequalities = [program.rows(), program.universal_rows()].map(|rows| {
            let mut list = Vec::new();
            for row in rows {
                let terms: Vec<(usize, i64)> = row
                    .terms
                    .iter()
                    .map(|(var, coefficient)| (var.index(), whole(coefficient)))
                    .collect();
                if let Some(upper) = &row.upper {
                    list.push(Inequality {
                        terms: terms.clone(),
                        rhs: whole(upper),
                    });
                }
                if let Some(lower) = &row.lower {
                    list.push(Inequality {
                        terms: terms.iter().map(|(var, c)| (*var, -c)).collect(),
                        rhs: -whole(lower),
                    });
                }
            }
            list
        });
        let columns = [0, 1].map(|system: usize| {
            let mut columns = vec![Vec::new(); program.variables().len()];
            for (number, inequality) in inequalities[system].iter().enumerate() {
                for (var, _) in &inequality.terms {
                    columns[*var].push(number);
                }
            }
            columns
        });
        Self {
            inequalities,
            columns,
        }
    }

    fn count(&self, both: &[Box; 2], moves: &[usize]) -> u64 {
        let Some((&first, rest)) = moves.split_first() else {
            return u64::from(
                [0, 1]
                    .iter()
                    .all(|&system| self.completes(system, &both[system])),
            );
        };
        let lower = both[0].lower[first].max(both[1].lower[first]);
        let upper = both[0].upper[first].min(both[1].upper[first]);
        let mut total = 0;
        for value in lower..=upper {
            let mut next = both.clone();
            for bounds in &mut next {
                bounds.lower[first] = value;
                bounds.upper[first] = value;
            }
            if let Some(next) = self.narrowed(next, &[first]) {
                total += self.count(&next, rest);
            }
        }
        total
    }

    fn narrowed(&self, both: [Box; 2], changed: &[usize]) -> Option<[Box; 2]> {
        let [mut existential, mut universal] = both;
        let alive =
            self.narrow(0, &mut existential, changed) && self.narrow(1, &mut universal, changed);
        alive.then_some([existential, universal])
    }

    /// Whether some values of everything that is left satisfy one system.
    fn completes(&self, system: usize, bounds: &Box) -> bool {
        let concerned = |var: &usize| !self.columns[system][*var].is_empty();
        let open = (0..bounds.lower.len())
            .filter(concerned)
            .find(|&var| bounds.lower[var] < bounds.upper[var]);
        let Some(var) = open else { return true };
        (bounds.lower[var]..=bounds.upper[var]).any(|value| {
            let mut next = bounds.clone();
            next.lower[var] = value;
            next.upper[var] = value;
            self.narrow(system, &mut next, &[var]) && self.completes(system, &next)
        })
    }

    /// Bound consistency of one system; false if it is dead.
    fn narrow(&self, system: usize, bounds: &mut Box, changed: &[usize]) -> bool {
        let mut waiting: Vec<usize> = Vec::new();
        let mut is_waiting = vec![false; self.inequalities[system].len()];
        let wake = |var: usize, waiting: &mut Vec<usize>, is_waiting: &mut Vec<bool>| {
            for &number in &self.columns[system][var] {
                if !std::mem::replace(&mut is_waiting[number], true) {
                    waiting.push(number);
                }
            }
        };
        for &var in changed {
            wake(var, &mut waiting, &mut is_waiting);
        }
        // Rows without variables are in no column.
        if self.inequalities[system]
            .iter()
            .any(|row| row.terms.is_empty() && row.rhs < 0)
        {
            return false;
        }
        while let Some(number) = waiting.pop() {
            is_waiting[number] = false;
            let row = &self.inequalities[system][number];
            let least = |(var, c): &(usize, i64)| {
                c * if *c > 0 {
                    bounds.lower[*var]
                } else {
                    bounds.upper[*var]
                }
            };
            let slack = row.rhs - row.terms.iter().map(least).sum::<i64>();
            if slack < 0 {
                return false;
            }
            for &(var, c) in &row.terms {
                let width = bounds.upper[var] - bounds.lower[var];
                let room = slack / c.abs();
                if room < width {
                    if c > 0 {
                        bounds.upper[var] = bounds.lower[var] + room;
                    } else {
                        bounds.lower[var] = bounds.upper[var] - room;
                    }
                    wake(var, &mut waiting, &mut is_waiting);
                }
            }
        }
        true
    }
}

/// The chosen variables that can be 1 while both systems stay alive, each for itself.
pub fn single_choices(program: &Program, is_move: impl Fn(&str) -> bool) -> Vec<String> {
    let systems = Systems::new(program);
    let all: Vec<usize> = (0..program.variables().len()).collect();
    let Some(start) = systems.narrowed(domains(program), &all) else {
        return Vec::new();
    };
    let mut choices = Vec::new();
    for (var, variable) in program.variables().pairs() {
        let place = var.index();
        if !is_move(&variable.name) || start.iter().any(|bounds| bounds.upper[place] < 1) {
            continue;
        }
        let mut next = start.clone();
        for bounds in &mut next {
            bounds.lower[place] = 1;
        }
        let alive = systems.narrowed(next, &[place]).is_some_and(|both| {
            [0, 1]
                .iter()
                .all(|&system| systems.completes(system, &both[system]))
        });
        if alive {
            choices.push(variable.name.clone());
        }
    }
    choices
}

fn domains(program: &Program) -> [Box; 2] {
    let mut start = Box {
        lower: Vec::new(),
        upper: Vec::new(),
    };
    for variable in program.variables() {
        let domain = variable.domain();
        start.lower.push(whole(&domain.lower.unwrap()));
        start.upper.push(whole(&domain.upper.unwrap()));
    }
    [start.clone(), start]
}
