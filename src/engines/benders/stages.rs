//! From a program to its stages.
//!
//! Each universal block and the existential block behind it make a stage. On the way rows are
//! *reduced*: universal variables that come after the last existential one of a row can be at
//! their worst for this row alone, because nothing can answer them any more. So every row ends in
//! an existential variable, and universal variables at the very end of the prefix are gone.

use num_traits::{Signed, Zero};

use super::corners::Corners;
use super::stage::Stage;
use crate::budget::Budget;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::{Rational, int};
use crate::outcome::{Stop, cost_of_objective};
use crate::program::{BlockId, Bounds, Id, IdVec, Program, Quantifier, Row, RowId, Term, VarId};

/// A program, stage by stage.
pub(super) struct Stages {
    /// The stages in order; there is always one.
    pub stages: Vec<Stage>,
    /// What every play costs beside its stages.
    pub constant: Rational,
    /// Whether the existential player, if he can satisfy his rows at all, can push the cost below
    /// every bound. Then no stage has a cost.
    pub endless: bool,
}

/// What building the stages comes to.
pub(super) enum Built {
    /// The stages.
    Stages(Stages),
    /// Some row cannot hold against all that the universal player may do after it.
    Lost,
}

impl Stages {
    /// Splits the program; `corners` has what each universal block may do.
    pub fn build(
        program: &Program,
        mut corners: IdVec<BlockId, Corners>,
        budget: &mut Budget,
    ) -> Result<Built, Stop> {
        let Some(rows) = reduced_rows(program, &corners) else {
            return Ok(Built::Lost);
        };
        let mut costs = costs(program);
        keep_worst_ends(program, &rows, &costs, &mut corners);
        let last_bound = bound_of_last(program, &rows, &costs, budget)?;
        let endless = last_bound.is_none();
        if endless {
            costs = IdVec::filled(costs.len(), Rational::zero());
        }
        let constant = trailing_cost(program, &corners, &costs) + constant(program);
        let mut stages = empty_stages(program, &costs, &corners);
        distribute(program, rows, &mut stages);
        bound_from_below(&mut stages, last_bound.as_ref(), program);
        Ok(Built::Stages(Self {
            stages,
            constant,
            endless,
        }))
    }
}

/// The objective to be minimised, dense.
fn costs(program: &Program) -> IdVec<VarId, Rational> {
    let mut costs = IdVec::filled(program.variables().len(), Rational::zero());
    if let Some(objective) = program.objective() {
        for (var, factor) in &objective.terms {
            costs[*var] = cost_of_objective(program, factor.clone());
        }
    }
    costs
}

fn constant(program: &Program) -> Rational {
    let constant = program.objective().map(|it| it.constant.clone());
    cost_of_objective(program, constant.unwrap_or_else(Rational::zero))
}

/// The number of the stage that fixes each block: how many universal blocks come up to it.
fn stage_of_block(program: &Program) -> IdVec<BlockId, usize> {
    let mut stage = 0;
    let number = |block: &crate::program::Block| {
        stage += usize::from(block.quantifier == Quantifier::Forall);
        stage
    };
    IdVec::from_vec(program.blocks().iter().map(number).collect())
}

fn block_of(program: &Program) -> IdVec<VarId, BlockId> {
    let blocks = program.blocks().pairs();
    let of = blocks.flat_map(|(id, block)| block.variables().map(move |_| id));
    IdVec::from_vec(of.collect())
}

/// The rows, each ending in an existential variable; `None` if one of them cannot hold.
fn reduced_rows(program: &Program, corners: &IdVec<BlockId, Corners>) -> Option<Vec<Row>> {
    let block_of = block_of(program);
    let mut rows = Vec::with_capacity(program.rows().len());
    for row in program.rows() {
        let row = reduced(program, row.clone(), &block_of, corners);
        let sides = Bounds {
            lower: row.lower.clone(),
            upper: row.upper.clone(),
        };
        if sides.is_crossed() || (row.terms.is_empty() && !row.admits(&Rational::zero())) {
            return None;
        }
        if !row.terms.is_empty() {
            rows.push(row);
        }
    }
    Some(rows)
}

fn reduced(
    program: &Program,
    mut row: Row,
    block_of: &IdVec<VarId, BlockId>,
    corners: &IdVec<BlockId, Corners>,
) -> Row {
    while let Some(&(last, _)) = row.terms.last() {
        let block = block_of[last];
        if program.blocks()[block].quantifier == Quantifier::Exists {
            break;
        }
        let first = row.terms.partition_point(|(var, _)| block_of[*var] < block);
        let tail = row.terms.split_off(first);
        let largest = highest(&corners[block], &tail);
        let negated: Vec<Term> = tail.iter().map(|(var, factor)| (*var, -factor)).collect();
        let smallest = -highest(&corners[block], &negated);
        row.upper = row.upper.map(|upper| upper - largest);
        row.lower = row.lower.map(|lower| lower - smallest);
    }
    row
}

/// The largest value of the terms, all of one block.
fn highest(corners: &Corners, terms: &[Term]) -> Rational {
    let factor = |var: &VarId| {
        let term = terms.iter().find(|(other, _)| other == var);
        term.map_or_else(Rational::zero, |(_, factor)| factor.clone())
    };
    let factors: Vec<Rational> = corners.variables().iter().map(factor).collect();
    corners.highest(&factors)
}

/// Where raising a universal variable never helps the existential player, or never hurts him, one
/// of its ends is the worst: whatever answers that end answers everything.
fn keep_worst_ends(
    program: &Program,
    rows: &[Row],
    costs: &IdVec<VarId, Rational>,
    corners: &mut IdVec<BlockId, Corners>,
) {
    let count = program.variables().len();
    let mut rising_hurts = IdVec::<VarId, bool>::filled(count, false);
    let mut falling_hurts = rising_hurts.clone();
    let mut note = |var: VarId, factor: &Rational, small_is_good: bool| {
        if factor.is_positive() == small_is_good {
            rising_hurts[var] = true;
        } else {
            falling_hurts[var] = true;
        }
    };
    for row in rows {
        for (var, factor) in &row.terms {
            if row.upper.is_some() {
                note(*var, factor, true);
            }
            if row.lower.is_some() {
                note(*var, factor, false);
            }
        }
    }
    for (var, factor) in costs.pairs().filter(|(_, factor)| !factor.is_zero()) {
        note(var, factor, true);
    }
    for (id, block) in program.blocks().pairs() {
        for var in block.variables() {
            if !(rising_hurts[var] && falling_hurts[var]) {
                corners[id].keep_end(var, rising_hurts[var]);
            }
        }
    }
}

/// Multipliers of the last stage's rows that bound it from below; `None` if nothing does.
fn bound_of_last(
    program: &Program,
    rows: &[Row],
    costs: &IdVec<VarId, Rational>,
    budget: &mut Budget,
) -> Result<Option<IdVec<RowId, Rational>>, Stop> {
    if program.variables().iter().all(|it| it.bounds.is_finite()) {
        let count = last_stage_rows(program, rows).count();
        return Ok(Some(IdVec::filled(count, Rational::zero())));
    }
    let last = last_stage_rows(program, rows);
    Ok(match recession(program, last, costs).solve(budget)? {
        Answer::Optimal {
            value, multipliers, ..
        } if value.is_zero() => Some(multipliers),
        _ => None,
    })
}

/// How the last existential block goes on without end at a falling cost, where it does.
pub(super) fn endless_direction(program: &Program, budget: &mut Budget) -> Result<Vec<Term>, Stop> {
    let linear = recession(program, program.rows().iter(), &costs(program));
    let Answer::Optimal { point: rates, .. } = linear.solve(budget)? else {
        unreachable!("invariant: directions are bounded, and none is one of them")
    };
    let moving = rates.pairs().filter(|(_, rate)| !rate.is_zero());
    Ok(moving.map(|(var, rate)| (var, rate.clone())).collect())
}

/// The directions in which the last existential block can go on without end, and what they cost.
///
/// Its minimum is zero exactly if the last stage has a bound from below wherever it can be
/// satisfied, and its multipliers are such a bound then.
fn recession<'a>(
    program: &Program,
    rows: impl Iterator<Item = &'a Row>,
    costs: &IdVec<VarId, Rational>,
) -> LinearProgram {
    let open = |free: bool, step: i64| Some(if free { int(step) } else { int(0) });
    let direction = |bounds: &Bounds| Bounds {
        lower: open(bounds.lower.is_none(), -1),
        upper: open(bounds.upper.is_none(), 1),
    };
    let zero = |side: &Option<Rational>| side.as_ref().map(|_| Rational::zero());
    let endless = |var: VarId| !program.variables()[var].bounds.is_finite();
    let costs = costs.pairs().filter(|(var, _)| endless(*var));
    let variables = program.variables().iter();
    LinearProgram {
        objective: costs.map(|(var, cost)| (var, cost.clone())).collect(),
        bounds: IdVec::from_vec(variables.map(|it| direction(&it.bounds)).collect()),
        rows: IdVec::from_vec(
            rows.map(|row| Row {
                name: None,
                terms: row
                    .terms
                    .iter()
                    .filter(|(var, _)| endless(*var))
                    .cloned()
                    .collect(),
                lower: zero(&row.lower),
                upper: zero(&row.upper),
            })
            .collect(),
        ),
    }
}

/// The rows of the last stage, in the order in which it has them.
fn last_stage_rows<'a>(program: &Program, rows: &'a [Row]) -> impl Iterator<Item = &'a Row> {
    let block_of = block_of(program);
    let stages = stage_of_block(program);
    let last = last_stage(program);
    rows.iter().filter(move |row| {
        row.terms
            .last()
            .is_some_and(|(var, _)| stages[block_of[*var]] == last)
    })
}

fn last_stage(program: &Program) -> usize {
    let stages = stage_of_block(program);
    let existential = program
        .blocks()
        .pairs()
        .filter(|(_, block)| block.quantifier == Quantifier::Exists);
    existential.map(|(id, _)| stages[id]).max().unwrap_or(0)
}

/// What the universal variables after the last existential one cost at their worst.
fn trailing_cost(
    program: &Program,
    corners: &IdVec<BlockId, Corners>,
    costs: &IdVec<VarId, Rational>,
) -> Rational {
    let stages = stage_of_block(program);
    let trailing = program
        .blocks()
        .pairs()
        .filter(|(id, _)| stages[*id] > last_stage(program));
    let worst = trailing.map(|(id, _)| {
        let corners = &corners[id];
        let costs: Vec<Rational> = corners
            .variables()
            .iter()
            .map(|var| costs[*var].clone())
            .collect();
        corners.highest(&costs)
    });
    worst.sum()
}

fn empty_stages(
    program: &Program,
    costs: &IdVec<VarId, Rational>,
    corners: &IdVec<BlockId, Corners>,
) -> Vec<Stage> {
    let numbers = stage_of_block(program);
    let last = last_stage(program);
    let stage = |number: usize| {
        let mut before = Corners::none();
        let mut columns = Vec::new();
        for (id, block) in program
            .blocks()
            .pairs()
            .filter(|(id, _)| numbers[*id] == number)
        {
            match block.quantifier {
                Quantifier::Forall => before = corners[id].clone(),
                Quantifier::Exists => columns.extend(block.variables().map(|var| {
                    let domain = program.variables()[var].domain();
                    (var, domain, costs[var].clone())
                })),
            }
        }
        let before_costs = before.variables().iter().map(|var| costs[*var].clone());
        let before_costs = before_costs.collect();
        Stage::new(before, before_costs, columns, number == last)
    };
    (0..=last).map(stage).collect()
}

fn distribute(program: &Program, rows: Vec<Row>, stages: &mut [Stage]) {
    let block_of = block_of(program);
    let numbers = stage_of_block(program);
    for row in rows {
        if let Some((last, _)) = row.terms.last() {
            stages[numbers[block_of[*last]]].add_row(row);
        }
    }
    for stage in stages {
        stage.begin_cuts();
    }
}

/// Gives every stage but the last one a first cut, so that none is unbounded.
fn bound_from_below(
    stages: &mut [Stage],
    last_multipliers: Option<&IdVec<RowId, Rational>>,
    program: &Program,
) {
    let nothing = IdVec::filled(program.variables().len(), Rational::zero());
    for number in (1..stages.len()).rev() {
        let stage = &stages[number];
        let mut multipliers = IdVec::filled(stage.rows(), Rational::zero());
        if !stage.is_last() {
            // Only its own first cut counts.
            multipliers[RowId::new(stage.rows() - 1)] = int(1);
        } else if let Some(known) = last_multipliers {
            multipliers = known.clone();
        }
        let cut = stages[number].cut(&multipliers, true);
        stages[number - 1].add_cut(&cut, &nothing);
    }
}
