//! Near misses: programs that are lost by less than a billionth.
//!
//! Data that was computed in floats is a little off, and rows are taken exactly. Where a lost program
//! has rows of many digits, it is asked who wins when these give way a little: by a billionth first,
//! then by ever less, then fewer of them.
//!
//! **Invariant:** what is said was solved: with these rows relaxed by that, this can be guaranteed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Options, Solver};
use crate::budget::{Budget, Limits};
use crate::num::{Rational, int};
use crate::outcome::{Outcome, Status};
use crate::program::{Id, Program, Row, RowId};

/// Numbers whose denominators have more digits than this are long.
const DIGITS: i32 = 9;
/// Rows give way by this power of ten at most, and by that one at least.
const LARGEST: i32 = 9;
const SMALLEST: i32 = 30;
/// Of more rows it is not asked which of them it takes.
const FEW_ROWS: usize = 12;
/// Positions that all of it may take, beside a tenth of those of the solve; and how long.
const POSITIONS: u64 = 5_000;
const SHORTEST: Duration = Duration::from_millis(200);

/// What a lost program misses by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss {
    /// Rows of the existential player that have to give way.
    pub rows: Vec<RowId>,
    /// By how much, to either side.
    pub by: Rational,
    /// What can be guaranteed then, if there is an objective and that was found out.
    pub objective: Option<Rational>,
}

/// Finds out whether a program is lost by less than a billionth in rows of many digits. `elapsed` is
/// what the solve took: a tenth of that is spent, and nothing where there are no such rows.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::solver::{Options, Solver, near_miss};
///
/// let program = parse_qip(
///     "minimize a + b + c
///      subject to share: 0.3333333333333333 a + 0.3333333333333333 b + 0.3333333333333333 c >= 1
///      prefix exists binary a b c end",
/// )?;
/// let options = Options::default();
/// let outcome = Solver::new(options.clone()).solve(&program).unwrap();
/// let near = near_miss(&program, &outcome, &options, Default::default(), Default::default());
/// let near = near.unwrap();
/// assert_eq!(near.objective.unwrap().to_string(), "3");
/// assert_eq!(near.by.to_string(), "1/10000000000000000");
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn near_miss(
    program: &Program,
    outcome: &Outcome,
    options: &Options,
    elapsed: Duration,
    signal: Arc<AtomicBool>,
) -> Option<NearMiss> {
    if outcome.status != Status::Infeasible || options.target.is_some() {
        return None;
    }
    let long = program.rows().pairs().filter(|(_, row)| is_long(row));
    let rows: Vec<RowId> = long.map(|(id, _)| id).collect();
    if rows.is_empty() {
        return None;
    }
    let spare = elapsed / 10 + SHORTEST;
    let left = options
        .limits
        .time
        .map(|limit| limit.saturating_sub(elapsed));
    let limits = Limits {
        time: Some(left.map_or(spare, |left| left.min(spare))),
        nodes: Some(outcome.effort.nodes / 10 + POSITIONS),
        memory: options.limits.memory,
    };
    let mut asker = Asker {
        program,
        options,
        budget: Budget::new(limits, signal, None),
    };
    asker.find(rows)
}

fn is_long(row: &Row) -> bool {
    let factors = row.terms.iter().map(|(_, factor)| factor);
    let mut numbers = factors.chain(&row.lower).chain(&row.upper);
    let most = int(10).pow(DIGITS).to_integer();
    numbers.any(|number| *number.denom() > most)
}

struct Asker<'a> {
    program: &'a Program,
    options: &'a Options,
    budget: Budget,
}

impl Asker<'_> {
    fn find(&mut self, mut rows: Vec<RowId>) -> Option<NearMiss> {
        self.ask(&rows, LARGEST, true)?;
        // It is won at the first power, and not known to be beyond the last one.
        let (mut power, mut beyond) = (LARGEST, SMALLEST + 1);
        while beyond - power > 1 {
            let middle = (power + beyond) / 2;
            match self.ask(&rows, middle, true) {
                Some(_) => power = middle,
                None => beyond = middle,
            }
        }
        if rows.len() <= FEW_ROWS {
            for row in rows.clone() {
                let fewer: Vec<RowId> = rows.iter().copied().filter(|it| *it != row).collect();
                if !fewer.is_empty() && self.ask(&fewer, power, true).is_some() {
                    rows = fewer;
                }
            }
        }
        let valued = self.program.objective().is_some() && !self.options.decide;
        let answer = valued.then(|| self.ask(&rows, power, false)).flatten();
        Some(NearMiss {
            rows,
            by: int(10).pow(-power),
            objective: answer.and_then(|outcome| outcome.objective),
        })
    }

    /// The answer if the program is won with these rows relaxed.
    fn ask(&mut self, rows: &[RowId], power: i32, decide: bool) -> Option<Outcome> {
        self.budget.look().ok()?;
        let options = Options {
            decide,
            certificate: false,
            limits: self.budget.left(),
            ..self.options.clone()
        };
        let relaxed = relaxed(self.program, rows, &int(10).pow(-power));
        let solver = Solver::new(options).with_signal(self.budget.signal());
        let outcome = solver.solve(&relaxed).ok()?;
        self.budget.count_nodes(outcome.effort.nodes);
        let won = matches!(outcome.status, Status::Optimal | Status::Feasible);
        won.then_some(outcome)
    }
}

fn relaxed(program: &Program, rows: &[RowId], by: &Rational) -> Program {
    let mut data = program.clone().into_data();
    for id in rows {
        let row = &mut data.rows[id.index()];
        row.lower.iter_mut().for_each(|side| *side -= by);
        row.upper.iter_mut().for_each(|side| *side += by);
    }
    Program::new(data).expect("invariant: a valid program stays valid when its rows give way")
}
