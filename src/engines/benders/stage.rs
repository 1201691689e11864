//! One stage: the linear program of an existential block, given everything before it.
//!
//! Its columns are the block's variables and, except in the last stage, one more that stands for
//! what the rest of the play costs. Its rows are those of the program that end in the block, and
//! cuts. A row mentions columns and, through its *history*, variables fixed before; those shift its
//! sides. So one model serves every position of the stage.

use std::collections::BTreeMap;

use num_traits::{Signed, Zero};

use super::corners::Corners;
use crate::budget::Budget;
use crate::lp::WarmLp;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::{Rational, Sum, difference, int};
use crate::outcome::Stop;
use crate::program::{Bounds, Id, IdVec, Row, RowId, Term, VarId, evaluate};

/// See the module.
pub(super) struct Stage {
    /// The universal block right before the stage; empty before the first one.
    pub corners: Corners,
    /// What its variables cost, in their order.
    pub corner_costs: Vec<Rational>,
    /// The variables of the block.
    pub columns: Vec<VarId>,
    /// What they cost, in their order.
    pub costs: Vec<Rational>,
    /// The corner that was worst when the stage before last looked.
    pub last_worst: u64,
    column_of: BTreeMap<VarId, VarId>,
    rest: Option<VarId>,
    lp: WarmLp,
    histories: IdVec<RowId, History>,
    /// How many rows are the program's; cuts follow them.
    own_rows: usize,
    /// For each cut, what proves it.
    derivations: Vec<Derivation>,
}

/// What a row holds beside its columns.
struct History {
    /// Variables fixed before the stage.
    terms: Vec<Term>,
    /// The sides before they are shifted.
    lower: Option<Rational>,
    upper: Option<Rational>,
}

/// What the multipliers of a stage prove about it, as a function of what was fixed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Whether it bounds the cost; otherwise it says when the rows can hold.
    pub bounds_cost: bool,
    /// `constant + Σ terms` is at most the cost, or at most zero.
    pub terms: Vec<Term>,
    /// See `terms`.
    pub constant: Rational,
    /// What proves it.
    pub derivation: Derivation,
}

/// How a cut was proved in the stage that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Derivation {
    /// Multipliers of the stage's rows and cuts.
    pub by: Vec<(RowId, Rational)>,
    /// The corner of the universal block before the stage, in the order of its variables.
    pub corner: Vec<Rational>,
    /// See [`Cut::bounds_cost`].
    pub bounds_cost: bool,
    /// What the weighted sum was multiplied with afterwards.
    pub scale: Rational,
}

impl Stage {
    /// A stage without rows; `last` stages have nothing behind them.
    pub fn new(
        corners: Corners,
        corner_costs: Vec<Rational>,
        columns: Vec<(VarId, Bounds, Rational)>,
        last: bool,
    ) -> Self {
        let mut linear = LinearProgram::default();
        let mut column_of = BTreeMap::new();
        let mut costs = Vec::with_capacity(columns.len());
        let mut variables = Vec::with_capacity(columns.len());
        for (var, bounds, cost) in columns {
            let column = linear.bounds.push(bounds);
            column_of.insert(var, column);
            variables.push(var);
            if !cost.is_zero() {
                linear.objective.push((column, cost.clone()));
            }
            costs.push(cost);
        }
        let rest = (!last).then(|| linear.bounds.push(Bounds::free()));
        linear.objective.extend(rest.map(|rest| (rest, int(1))));
        Self {
            corners,
            corner_costs,
            columns: variables,
            costs,
            last_worst: 0,
            column_of,
            rest,
            lp: WarmLp::new(&linear),
            histories: IdVec::default(),
            own_rows: 0,
            derivations: Vec::new(),
        }
    }

    /// Whether nothing is decided after it.
    pub fn is_last(&self) -> bool {
        self.rest.is_none()
    }

    /// Adds a row over any variables up to this stage.
    pub fn add_row(&mut self, row: Row) {
        let (terms, history) = self.parted(row.terms);
        self.add(terms, history, row.lower, row.upper);
    }

    /// Adds a cut, with its history as `values` have it. A cut that differs from an older one only
    /// in its constant takes its place or is redundant; `false` if it is.
    pub fn add_cut(&mut self, cut: &Cut, values: &IdVec<VarId, Rational>) -> bool {
        let negated = cut.terms.iter().map(|(var, factor)| (*var, -factor));
        let (mut terms, history) = self.parted(negated.collect());
        let rest = self.rest.filter(|_| cut.bounds_cost);
        terms.extend(rest.map(|rest| (rest, int(1))));
        let rows = &self.lp.program().rows;
        let same = |row: &RowId| rows[*row].terms == terms && self.histories[*row].terms == history;
        let derivation = cut.derivation.clone();
        let row = match self.histories.ids().skip(self.own_rows).find(same) {
            Some(older) if self.histories[older].lower.as_ref() >= Some(&cut.constant) => {
                return false;
            }
            Some(older) => {
                self.histories[older].lower = Some(cut.constant.clone());
                self.derivations[older.index() - self.own_rows] = derivation;
                older
            }
            None => {
                self.derivations.push(derivation);
                self.add(terms, history, Some(cut.constant.clone()), None)
            }
        };
        self.shift(row, values);
        true
    }

    /// What proves a cut.
    pub fn derivation(&self, row: RowId) -> &Derivation {
        &self.derivations[row.index() - self.own_rows]
    }

    /// Ends the rows of the program; whatever comes now is a cut.
    pub fn begin_cuts(&mut self) {
        self.own_rows = self.histories.len();
    }

    /// The part over the stage's columns, and the part over what was fixed before.
    fn parted(&self, terms: Vec<Term>) -> (Vec<Term>, Vec<Term>) {
        let mut local = Vec::new();
        let mut history = Vec::new();
        for (var, factor) in terms {
            match self.column_of.get(&var) {
                Some(column) => local.push((*column, factor)),
                None => history.push((var, factor)),
            }
        }
        (local, history)
    }

    fn add(
        &mut self,
        terms: Vec<Term>,
        history: Vec<Term>,
        lower: Option<Rational>,
        upper: Option<Rational>,
    ) -> RowId {
        self.lp.add_row(Row {
            name: None,
            terms,
            lower: lower.clone(),
            upper: upper.clone(),
        });
        self.histories.push(History {
            terms: history,
            lower,
            upper,
        })
    }

    /// Shifts all rows by the values of what was fixed before.
    pub fn enter(&mut self, values: &IdVec<VarId, Rational>) {
        for row in self.histories.ids() {
            if !self.histories[row].terms.is_empty() {
                self.shift(row, values);
            }
        }
    }

    fn shift(&mut self, row: RowId, values: &IdVec<VarId, Rational>) {
        let history = &self.histories[row];
        let sum = evaluate(&history.terms, |var| &values[var]);
        let shifted = |side: &Option<Rational>| side.as_ref().map(|side| difference(side, &sum));
        let (lower, upper) = (shifted(&history.lower), shifted(&history.upper));
        self.lp.set_sides(row, lower, upper);
    }

    /// The best that the cuts so far promise, exactly.
    pub fn solve(&mut self, budget: &mut Budget) -> Result<Answer, Stop> {
        self.lp.solve(budget)
    }

    /// Restricts the columns to a smaller box.
    pub fn set_bounds(&mut self, ranges: &[Bounds]) {
        for (place, range) in ranges.iter().enumerate() {
            self.lp.set_bounds(VarId::new(place), range.clone());
        }
    }

    /// Linear programs solved, and those that only the exact simplex settled.
    pub fn counts(&self) -> crate::lp::WarmCounts {
        self.lp.counts()
    }

    /// How many rows and cuts there are.
    pub fn rows(&self) -> usize {
        self.histories.len()
    }

    /// How many of them are cuts.
    pub fn cuts(&self) -> usize {
        self.histories.len() - self.own_rows
    }

    /// What the multipliers prove, over whatever was fixed before the block *and* its universal
    /// variables at their worst: any position of the stage costs at least that much.
    pub fn cut(&self, multipliers: &IdVec<RowId, Rational>, bounds_cost: bool) -> Cut {
        let (mut factors, mut constant) = self.combined(multipliers, bounds_cost);
        let mut worst = Vec::with_capacity(self.corner_costs.len());
        for (var, cost) in self.corners.variables().iter().zip(&self.corner_costs) {
            let mut factor = factors.remove(var).unwrap_or_else(Rational::zero);
            if bounds_cost {
                factor += cost;
            }
            worst.push(factor);
        }
        let (corner, highest) = self.corners.worst(&worst);
        constant += highest;
        let counted = multipliers.pairs().filter(|(_, by)| !by.is_zero());
        let mut cut = Cut {
            derivation: Derivation {
                by: counted.map(|(row, by)| (row, by.clone())).collect(),
                corner,
                bounds_cost,
                scale: int(1),
            },
            bounds_cost,
            terms: factors
                .into_iter()
                .filter(|(_, factor)| !factor.is_zero())
                .collect(),
            constant,
        };
        if !bounds_cost {
            cut.normalize();
        }
        cut
    }

    /// The weighted sum of the rows, less what the columns can make of it.
    fn combined(
        &self,
        multipliers: &IdVec<RowId, Rational>,
        bounds_cost: bool,
    ) -> (BTreeMap<VarId, Rational>, Rational) {
        let program = self.lp.program();
        let mut factors: BTreeMap<VarId, Sum> = BTreeMap::new();
        let mut constant = Sum::default();
        let mut left = IdVec::<VarId, Sum>::filled(program.bounds.len(), Sum::default());
        if bounds_cost {
            for (column, cost) in &program.objective {
                left[*column].add(cost);
            }
        }
        for (row, multiplier) in multipliers.pairs().filter(|(_, it)| !it.is_zero()) {
            let history = &self.histories[row];
            add_smallest(&mut constant, multiplier, &history.lower, &history.upper);
            for (var, factor) in &history.terms {
                let sum = factors.entry(*var).or_default();
                sum.subtract_product(multiplier, factor);
            }
            for (column, factor) in &program.rows[row].terms {
                left[*column].subtract_product(multiplier, factor);
            }
        }
        for (column, range) in program.bounds.pairs() {
            let left = std::mem::take(&mut left[column]).finish();
            add_smallest(&mut constant, &left, &range.lower, &range.upper);
        }
        let factors = factors.into_iter().map(|(var, sum)| (var, sum.finish()));
        (factors.collect(), constant.finish())
    }
}

impl Cut {
    /// A cut of feasibility has no size of its own; its largest factor becomes one.
    fn normalize(&mut self) {
        let largest = self.terms.iter().map(|(_, factor)| factor.abs()).max();
        if let Some(largest) = largest {
            for (_, factor) in &mut self.terms {
                *factor /= &largest;
            }
            self.constant /= &largest;
            self.derivation.scale = largest.recip();
        }
    }
}

/// Adds the smallest multiple of anything between the sides.
fn add_smallest(
    sum: &mut Sum,
    factor: &Rational,
    lower: &Option<Rational>,
    upper: &Option<Rational>,
) {
    if factor.is_zero() {
        return;
    }
    let side = if factor.is_positive() { lower } else { upper };
    let side = side.as_ref();
    let side = side.expect("invariant: proved multipliers lean on sides that are there");
    sum.add_product(factor, side);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stage of one variable `x1` behind a variable `x0` that was fixed at 2.
    fn stage() -> (Stage, IdVec<VarId, Rational>) {
        let column = (VarId::new(1), Bounds::between(int(0), int(9)), int(1));
        let mut stage = Stage::new(Corners::none(), Vec::new(), vec![column], false);
        stage.begin_cuts();
        (stage, IdVec::from_vec(vec![int(2), int(0)]))
    }

    fn cut(factor: i64, constant: i64) -> Cut {
        Cut {
            bounds_cost: true,
            terms: vec![(VarId::new(0), int(factor)), (VarId::new(1), int(-1))],
            constant: int(constant),
            derivation: Derivation::default(),
        }
    }

    #[test]
    fn a_cut_that_an_older_one_implies_is_redundant_and_a_stronger_one_takes_its_place() {
        let (mut stage, values) = stage();
        assert!(stage.add_cut(&cut(1, 5), &values));
        assert!(!stage.add_cut(&cut(1, 5), &values));
        assert!(!stage.add_cut(&cut(1, 4), &values));
        assert!(stage.add_cut(&cut(1, 6), &values));
        assert_eq!(stage.cuts(), 1);
        assert!(stage.add_cut(&cut(2, 0), &values), "another slope is news");
        assert_eq!(stage.cuts(), 2);
    }

    #[test]
    fn a_cut_speaks_about_every_history() {
        let (mut stage, mut values) = stage();
        stage.add_cut(&cut(1, 5), &values);
        let budget = &mut Budget::unlimited();
        let mut value = |stage: &mut Stage| match stage.solve(budget).unwrap() {
            Answer::Optimal { value, .. } => value,
            other => panic!("{other:?}"),
        };
        // x1 + rest, where rest >= 5 + x0 - x1.
        assert_eq!(value(&mut stage), int(7));
        values[VarId::new(0)] = int(4);
        stage.enter(&values);
        assert_eq!(value(&mut stage), int(9));
    }
}
