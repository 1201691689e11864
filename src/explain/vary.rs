//! The value against one number of the program: the side of a row, or what a variable is held to.
//!
//! A row that grows tighter or looser makes the game monotonously easier or harder for the existential
//! player. So the hardest and the easiest number are solved first, and what lies between two numbers
//! of the same worth is worth the same; elsewhere a harder number's strategy and an easier number's
//! bound are known beforehand.

use num_traits::Zero;

use super::ExplainOptions;
use super::study::Study;
use crate::num::Rational;
use crate::outcome::{Effort, Outcome, SolveError, Status};
use crate::program::{Bounds, Id, Program, Quantifier, RowId, VarId};
use crate::solver::Known;

/// What varies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Varied {
    /// The side of a row that has one, or both sides of an equation.
    Row(Quantifier, RowId),
    /// The value of a variable.
    Variable(VarId),
}

/// Why nothing varies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaryError {
    /// There is no row and no variable of that name.
    #[error("there is no row and no variable `{0}`")]
    Unknown(String),
    /// A row has two sides, and it is not clear which one is meant.
    #[error("row `{0}` has two different sides; write it as two rows and vary one of them")]
    TwoSides(String),
}

impl Varied {
    /// The row or the variable of that name.
    pub fn named(program: &Program, name: &str) -> Result<Self, VaryError> {
        for owner in [Quantifier::Forall, Quantifier::Exists] {
            let mut rows = program.system(owner).pairs();
            if let Some((id, row)) = rows.find(|(_, row)| row.name.as_deref() == Some(name)) {
                let both = row.lower.is_some() && row.upper.is_some();
                return match both && !row.is_equation() {
                    true => Err(VaryError::TwoSides(name.to_owned())),
                    false => Ok(Self::Row(owner, id)),
                };
            }
        }
        let variable = program.find(name).map(Self::Variable);
        variable.ok_or_else(|| VaryError::Unknown(name.to_owned()))
    }

    /// Whether a larger number is harder for the existential player; `None` if that is not known.
    fn hardens(self, program: &Program) -> Option<bool> {
        let Self::Row(owner, id) = self else {
            return None;
        };
        let row = &program.system(owner)[id];
        let loosens = match (&row.lower, &row.upper) {
            (None, Some(_)) => true,
            (Some(_), None) => false,
            _ => return None,
        };
        Some(loosens == (owner == Quantifier::Forall))
    }

    /// What it is called.
    pub fn label(self, program: &Program) -> String {
        match self {
            Self::Row(owner, id) => program.row_label(owner, id),
            Self::Variable(var) => program.variables()[var].name.clone(),
        }
    }

    /// The number as it is, if it is one.
    pub fn present(self, program: &Program) -> Option<Rational> {
        match self {
            Self::Row(owner, id) => {
                let row = &program.system(owner)[id];
                row.upper.clone().or_else(|| row.lower.clone())
            }
            Self::Variable(_) => None,
        }
    }

    /// The program with another number.
    pub fn at(self, program: &Program, number: &Rational) -> Program {
        let mut data = program.clone().into_data();
        match self {
            Self::Row(owner, id) => {
                let rows = match owner {
                    Quantifier::Exists => &mut data.rows,
                    Quantifier::Forall => &mut data.universal_rows,
                };
                let row = &mut rows[id.index()];
                for side in [&mut row.lower, &mut row.upper] {
                    if side.is_some() {
                        *side = Some(number.clone());
                    }
                }
            }
            Self::Variable(var) => {
                let bounds = Bounds::between(number.clone(), number.clone());
                data.variables[var.index()].bounds = bounds;
            }
        }
        Program::new(data).expect("invariant: another number keeps a program well formed")
    }
}

/// A number, and what the program is worth with it.
pub type Point = (Rational, Outcome);

/// Solves the program for each of these numbers; fewer points where the time is over.
///
/// ```
/// use quip::explain::{ExplainOptions, Varied, vary};
/// use quip::format::parse_qip;
/// use quip::num::int;
///
/// let program = parse_qip(
///     "minimize x subject to x >= a + b uncertainty few: a + b <= 1
///      prefix forall binary a b exists integer x in [0, 5] end",
/// )?;
/// let few = Varied::named(&program, "few")?;
/// let sides: Vec<_> = (0..=3).map(int).collect();
/// let points = vary(&program, few, &sides, &ExplainOptions::default())?;
/// let values = points.iter().map(|(_, outcome)| outcome.objective.clone().unwrap());
/// assert_eq!(values.collect::<Vec<_>>(), [0, 1, 2, 2].map(int));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vary(
    program: &Program,
    varied: Varied,
    numbers: &[Rational],
    options: &ExplainOptions,
) -> Result<Vec<Point>, SolveError> {
    let mut numbers = numbers.to_vec();
    numbers.sort();
    numbers.dedup();
    let mut sweep = Sweep {
        program,
        varied,
        study: Study::new(options),
        hardens: varied.hardens(program),
        found: vec![None; numbers.len()],
        numbers,
    };
    sweep.run()?;
    let Sweep { numbers, found, .. } = sweep;
    let points = numbers.into_iter().zip(found);
    Ok(points
        .filter_map(|(number, outcome)| Some((number, outcome?)))
        .collect())
}

struct Sweep<'a, 'o> {
    program: &'a Program,
    varied: Varied,
    study: Study<'o>,
    hardens: Option<bool>,
    numbers: Vec<Rational>,
    found: Vec<Option<Outcome>>,
}

impl Sweep<'_, '_> {
    fn run(&mut self) -> Result<(), SolveError> {
        let count = self.numbers.len();
        if self.hardens.is_none() || count < 3 {
            return (0..count).try_for_each(|place| self.solve(place, Known::default()));
        }
        self.solve(0, Known::default())?;
        self.solve(count - 1, self.between(0, count - 1))?;
        self.fill(0, count - 1)
    }

    /// Finds what lies between two numbers that were solved.
    fn fill(&mut self, from: usize, to: usize) -> Result<(), SolveError> {
        if to - from < 2 {
            return Ok(());
        }
        let (easy, hard) = match self.hardens {
            Some(false) => (to, from),
            _ => (from, to),
        };
        let worth = |place: usize| self.found[place].as_ref()?.score(self.program);
        if worth(easy).is_some() && worth(easy) == worth(hard) {
            for place in from + 1..to {
                let same = self.found[hard].clone();
                self.found[place] = same.map(|outcome| Outcome {
                    effort: Effort::default(),
                    ..outcome
                });
            }
            return Ok(());
        }
        let middle = from + (to - from) / 2;
        self.solve(middle, self.between(from, to))?;
        self.fill(from, middle)?;
        self.fill(middle, to)
    }

    /// What is known between two places: the harder one's strategy, and the easier one's bound.
    fn between(&self, from: usize, to: usize) -> Known {
        let (easy, hard) = match self.hardens {
            Some(false) => (to, from),
            _ => (from, to),
        };
        let value = |place: usize| {
            let outcome = self.found[place].as_ref()?;
            let is_proved = outcome.status == Status::Optimal;
            outcome.objective.clone().filter(|_| is_proved)
        };
        Known {
            objective: value(hard),
            bound: value(easy),
        }
    }

    fn solve(&mut self, place: usize, known: Known) -> Result<(), SolveError> {
        if self.study.is_over() {
            return Ok(());
        }
        let done = self.found.iter().flatten().count();
        let label = self.varied.label(self.program);
        let number = &self.numbers[place];
        let of = self.numbers.len();
        self.study
            .tell(&format!("{label} at {number}: {} of {of}", done + 1));
        let program = self.varied.at(self.program, number);
        let hard = known.objective.clone();
        let mut outcome = self.study.solve_knowing(&program, known)?;
        // Where a harder number's strategy is best, it is the one to show.
        if outcome.first_stage.is_empty() && outcome.objective == hard {
            let same = self.found.iter().flatten();
            let same = same.filter(|it| it.objective == outcome.objective);
            let first = same.map(|it| it.first_stage.clone());
            outcome.first_stage = first.max_by_key(Vec::len).unwrap_or_default();
        }
        self.found[place] = Some(outcome);
        Ok(())
    }
}

/// Numbers from one to another in steps; at most so many.
pub fn steps(
    from: &Rational,
    to: &Rational,
    step: &Rational,
    most: usize,
) -> Option<Vec<Rational>> {
    if from > to || *step <= Rational::zero() {
        return None;
    }
    let all = std::iter::successors(Some(from.clone()), |at| Some(at + step));
    let numbers: Vec<Rational> = all.take_while(|at| at <= to).take(most + 1).collect();
    (numbers.len() <= most).then_some(numbers)
}
