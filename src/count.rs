//! How many solutions a program of one player has, and which.
//!
//! Variables are tried one after the other, the exact inequalities are propagated after each, and what
//! no open row asks about is not tried: its values are multiplied. Variables that only stand for gates
//! are not counted; of them some values must fit.

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::budget::Budget;
use crate::num::int;
use crate::outcome::{Move, SolveError, Stop};
use crate::program::{Id, Kind, Program, Quantifier, VarId};
use crate::propagate::{Inequalities, InequalityId, Store, Strength};

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many solutions there are; at least so many if the count was stopped.
    pub solutions: BigUint,
    /// Some of them, in the order of the variables.
    pub listed: Vec<Vec<Move>>,
    /// Why it is not the whole count.
    pub stop: Option<Stop>,
}

/// Counts the solutions by the values of `shown`, and lists the first `list` of them.
///
/// ```
/// use quip::budget::Budget;
/// use quip::count::count;
/// use quip::format::parse_qip;
/// use quip::program::{Id, VarId};
/// let program = parse_qip(
///     "subject to x + y >= 2  prefix exists integer x y in [0, 2] exists binary z end",
/// )?;
/// let shown: Vec<VarId> = program.variables().ids().collect();
/// let counted = count(&program, &shown, 1, &mut Budget::unlimited()).unwrap();
/// assert_eq!(counted.solutions.to_string(), "12");
/// assert_eq!(counted.listed.len(), 1);
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn count(
    program: &Program,
    shown: &[VarId],
    list: usize,
    budget: &mut Budget,
) -> Result<Count, SolveError> {
    let variables = || program.variables().iter();
    if let Some(variable) = variables().find(|it| it.quantifier == Quantifier::Forall) {
        return Err(unsupported(format!(
            "solutions are counted where nobody plays against them, and `{}` is the opponent's",
            variable.name
        )));
    }
    if let Some(variable) = variables().find(|it| it.kind == Kind::Real) {
        return Err(unsupported(format!(
            "solutions are counted where all variables are integers, and `{}` is real",
            variable.name
        )));
    }
    let mut count = Count {
        solutions: BigUint::zero(),
        listed: Vec::new(),
        stop: None,
    };
    if variables().any(crate::program::Variable::has_empty_domain) {
        return Ok(count);
    }
    let inequalities = Arc::new(Inequalities::new(program)?);
    let mut store = Store::new(program, Arc::clone(&inequalities), false);
    store.wake(Quantifier::Exists);
    let heads = inequalities.heads().pairs();
    let rows = heads.filter(|(id, _)| *id != inequalities.objective());
    let mut is_shown = vec![false; program.variables().len()];
    shown.iter().for_each(|var| is_shown[var.index()] = true);
    let mut counter = Counter {
        rows: rows.map(|(id, _)| id).collect(),
        inequalities: Arc::clone(&inequalities),
        store,
        is_shown,
        end: VarId::new(program.variables().len()),
        budget,
    };
    let counted = counter.walk(true, &mut |it| {
        if it.fits()? {
            count.solutions += it.ways(shown);
            let room = list - count.listed.len();
            count.listed.extend(it.solutions(shown, room));
        }
        Ok(true)
    });
    count.stop = counted.err();
    Ok(count)
}

fn unsupported(reason: String) -> SolveError {
    let engine = "counting";
    SolveError::Unsupported { engine, reason }
}

struct Counter<'b> {
    inequalities: Arc<Inequalities>,
    /// All but the objective.
    rows: Vec<InequalityId>,
    store: Store,
    is_shown: Vec<bool>,
    /// Behind the last variable.
    end: VarId,
    budget: &'b mut Budget,
}

/// A variable whose values are tried.
struct Branch {
    mark: crate::propagate::Mark,
    var: VarId,
    next: i64,
    last: i64,
}

impl Counter<'_> {
    /// Calls `leaf` wherever no open row asks about a variable that may be tried, as long as it wants to
    /// be called again. Everything is undone at the end.
    fn walk(
        &mut self,
        shown_only: bool,
        leaf: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<(), Stop> {
        let base = self.store.mark();
        let mut branches: Vec<Branch> = Vec::new();
        let mut alive = self.propagate();
        loop {
            self.budget.spend_node()?;
            if alive {
                match self.open_variable(shown_only) {
                    Some(var) => branches.push(Branch {
                        mark: self.store.mark(),
                        var,
                        next: self.store.lower(var),
                        last: self.store.upper(var),
                    }),
                    None if !leaf(self)? => branches.clear(),
                    None => {}
                }
            }
            while branches.last().is_some_and(|it| it.next > it.last) {
                branches.pop();
            }
            let Some(branch) = branches.last_mut() else {
                self.store.undo_to(base);
                return Ok(());
            };
            let (var, value) = (branch.var, branch.next);
            branch.next += 1;
            self.store.undo_to(branch.mark);
            self.store.narrow(var, value, value);
            alive = self.propagate();
        }
    }

    fn propagate(&mut self) -> bool {
        let narrowed = self
            .store
            .propagate(Quantifier::Exists, self.end, Strength::Narrow);
        narrowed.is_ok()
    }

    /// A variable that is not fixed, in a row that its values may still break.
    fn open_variable(&self, shown_only: bool) -> Option<VarId> {
        let mut open = self.rows.iter().filter(|&&row| self.is_open(row));
        open.find_map(|row| {
            let terms = self.inequalities.terms(*row).iter();
            let mut vars = terms.map(|term| term.at);
            vars.find(|&var| {
                !self.store.is_fixed(var) && (!shown_only || self.is_shown[var.index()])
            })
        })
    }

    fn is_open(&self, row: InequalityId) -> bool {
        let terms = self.inequalities.terms(row).iter();
        let widths = terms.map(|term| {
            let width = self.store.upper(term.at) - self.store.lower(term.at);
            i128::from(term.coefficient.abs()) * i128::from(width)
        });
        i128::from(self.store.least(row)) + widths.sum::<i128>() > i128::from(self.store.rhs(row))
    }

    /// Whether the variables that are not shown have values that fit.
    fn fits(&mut self) -> Result<bool, Stop> {
        let mut fits = false;
        self.walk(false, &mut |_| {
            fits = true;
            Ok(false)
        })?;
        Ok(fits)
    }

    /// How many values the shown variables may take together.
    fn ways(&self, shown: &[VarId]) -> BigUint {
        let widths = shown
            .iter()
            .map(|&var| BigUint::from(self.store.lower(var).abs_diff(self.store.upper(var))));
        widths.map(|width| width + BigUint::one()).product()
    }

    /// The first few of them.
    fn solutions(&self, shown: &[VarId], room: usize) -> Vec<Vec<Move>> {
        let mut values: Vec<i64> = shown.iter().map(|&var| self.store.lower(var)).collect();
        let mut solutions = Vec::new();
        while solutions.len() < room {
            let moves = shown.iter().zip(&values);
            solutions.push(moves.map(|(&var, &value)| (var, int(value))).collect());
            let Some(place) =
                (0..shown.len()).rfind(|&place| values[place] < self.store.upper(shown[place]))
            else {
                break;
            };
            values[place] += 1;
            for later in place + 1..shown.len() {
                values[later] = self.store.lower(shown[later]);
            }
        }
        solutions
    }
}
