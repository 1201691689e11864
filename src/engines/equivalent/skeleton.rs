//! The parts of a program from which scenario trees are put together.
//!
//! The universal variables in their order split the prefix into *stages*: stage `k` holds the
//! existential variables that are fixed after exactly `k` universal ones. A row belongs to the
//! first stage at which all its variables are fixed, and then stands once for each history of
//! that many universal values.
//!
//! **Decision-dependent rows** are handled where they are *gates*: rows over 0/1 existentials, the
//! *keepers*, and one later universal variable with two values that forbid the universal variable
//! to leave its harmless value while a keeper closes the gate. A play against a closed gate is
//! then read as the play with the harmless value, which is legal. So every play is legal whatever
//! the existential player decides. Two keepers that close together would kill the universal
//! system; so several are taken only where an existential row forbids just that: then whoever
//! does it kills his own system with the same move, and loses. Other universal rows must hold with
//! the harmless value too, but for quotas that may as well be missed ([`rounds`](super::rounds)).
//!
//! All others are [`conditions`](super::conditions): plays that decisions make illegal bind nobody
//! ([`escape`](super::escape)). A gate whose variable is in a condition, or whose harmless value
//! would break another universal row, is a condition as well; and so are gates with several keepers
//! beside any condition, which might need two keepers at 1 to keep the universal system alive.

use num_traits::{Signed, ToPrimitive};

use super::conditions::Conditions;
use super::rounds::quotas_to_miss;
use super::unsupported;
use crate::num::{Rational, int};
use crate::outcome::SolveError;
use crate::program::{IdVec, Kind, Program, Quantifier, Row, RowId, VarId};
use crate::propagate::{Inequalities, Origin};

/// Where a variable stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The universal variable of that number.
    Universal(usize),
    /// An existential variable: its stage, and its number in the stage.
    Existential(usize, usize),
}

/// `lower <= Σ coefficient · variable <= upper`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemRow {
    /// Variable and coefficient.
    pub terms: Vec<(VarId, i64)>,
    /// The sum must be at least this.
    pub lower: Option<i64>,
    /// The sum must be at most this.
    pub upper: Option<i64>,
}

/// What may keep a universal variable at its harmless value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The existential variables that decide; at most one of them closes the gate.
    pub keepers: Vec<VarId>,
    /// The value of all keepers that leaves the gate open.
    pub open_at: i64,
    /// The value of a keeper that closes it; one away from `open_at`.
    pub closed_at: i64,
    /// The universal variable's value behind a closed gate.
    pub harmless: i64,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// The universal variables in order.
    pub universals: Vec<VarId>,
    /// The existential variables of every stage.
    pub stages: Vec<Vec<VarId>>,
    /// Where every variable stands.
    pub places: IdVec<VarId, Place>,
    /// Smallest and largest value of every variable, without values that help nobody.
    pub boxes: IdVec<VarId, (i64, i64)>,
    /// Smallest and largest value of every variable.
    pub whole_boxes: IdVec<VarId, (i64, i64)>,
    /// The existential rows of every stage.
    pub rows: Vec<Vec<SystemRow>>,
    /// The costs, in integers, and the stage at which they are known.
    pub costs: Vec<(VarId, i64)>,
    /// See `costs`.
    pub cost_stage: usize,
    /// The gate of every universal variable that has one.
    pub gates: Vec<Option<Gate>>,
    /// The universal rows over universal variables only.
    pub universal_rows: Vec<SystemRow>,
    /// The other universal rows that are not gates.
    pub conditions: Conditions,
    inequalities: Inequalities,
}

impl Skeleton {
    /// Takes a program of integers apart; `engine` is who asks, for the refusals.
    pub fn new(program: &Program, engine: &'static str) -> Result<Self, SolveError> {
        let mut variables = program.variables().iter();
        if let Some(real) = variables.find(|variable| variable.kind == Kind::Real) {
            let reason = format!("variable `{}` is real", real.name);
            return Err(unsupported(engine, reason));
        }
        let (universals, stages, places) = stages_of(program);
        let boxes = boxes_of(program, engine)?;
        let mut skeleton = Self {
            gates: vec![None; universals.len()],
            rows: vec![Vec::new(); stages.len()],
            whole_boxes: boxes.clone(),
            boxes,
            costs: Vec::new(),
            cost_stage: 0,
            universal_rows: Vec::new(),
            conditions: Conditions::default(),
            inequalities: Inequalities::new(program)?,
            universals,
            stages,
            places,
        };
        skeleton.sort_rows(program, engine)?;
        Ok(skeleton)
    }

    fn sort_rows(&mut self, program: &Program, engine: &'static str) -> Result<(), SolveError> {
        let objective = self.inequalities.objective();
        let costs = self.inequalities.terms(objective).iter();
        self.costs = costs.map(|entry| (entry.at, entry.coefficient)).collect();
        self.cost_stage = self.stage_of(&self.costs);
        for row in system_rows(&self.inequalities, Quantifier::Exists) {
            let stage = self.stage_of(&row.1.terms);
            self.rows[stage].push(row.1);
        }
        let mut gate_rows = vec![None; self.universals.len()];
        let mut silent = Vec::new();
        for (id, row) in system_rows(&self.inequalities, Quantifier::Forall) {
            if row.terms.iter().all(|(var, _)| self.is_universal(*var)) {
                self.universal_rows.push(row);
                continue;
            }
            match self.read_gate(&program.universal_rows()[id]) {
                Some(None) => silent.push(row),
                Some(Some((number, gate))) if self.gates[number].is_none() => {
                    self.gates[number] = Some(gate);
                    gate_rows[number] = Some(row);
                }
                _ => self.add_conditions(&row),
            }
        }
        // Rows that say nothing while keepers exclude one another may say something to a universal
        // system that conditions leave only with two keepers at 1.
        silent.retain(|row| row.terms.len() > 2);
        loop {
            let row = match self.gate_that_can_hurt() {
                Some(number) => {
                    self.gates[number] = None;
                    gate_rows[number].take()
                }
                None if self.conditions.is_empty() => break,
                None => silent.pop(),
            };
            let Some(row) = row else { break };
            self.add_conditions(&row);
        }
        if !self.conditions.is_empty() {
            self.settle_rows_with_blocks();
        }
        self.complete_conditions().map_err(|var| {
            let name = &program.variables()[var].name;
            let reason = format!(
                "universal rows that depend on decisions want `{name}`, which is decided after a \
                 universal move, both small and large, and such variables have too many values \
                 together to try them all"
            );
            unsupported(engine, reason)
        })
    }

    /// Conditions are looked at where blocks end: existential rows that are complete inside a
    /// universal block wait until then, the costs until the end of the play.
    fn settle_rows_with_blocks(&mut self) {
        let rows = std::mem::replace(&mut self.rows, vec![Vec::new(); self.stages.len()]);
        for (stage, rows) in rows.into_iter().enumerate() {
            let ends = stage..self.stages.len();
            let mut ends = ends.filter(|&stage| self.is_block_end(stage));
            let end = ends.next().expect("invariant: a play ends with a block");
            self.rows[end].extend(rows);
        }
        self.cost_stage = self.stages.len() - 1;
    }

    fn is_universal(&self, var: VarId) -> bool {
        matches!(self.places[var], Place::Universal(_))
    }

    fn stage_of(&self, terms: &[(VarId, i64)]) -> usize {
        let stage = |&(var, _): &(VarId, i64)| match self.places[var] {
            Place::Universal(number) => number + 1,
            Place::Existential(stage, _) => stage,
        };
        terms.iter().map(stage).max().unwrap_or(0)
    }

    /// Reads the row as a gate, if it is one: the number of its variable with the gate, or nothing
    /// if the row says nothing.
    fn read_gate(&self, row: &Row) -> Option<Option<(usize, Gate)>> {
        let is_kept = |var: VarId| self.is_universal(var);
        let mut kept = row.terms.iter().filter(|(var, _)| is_kept(*var));
        let ((kept, kept_by), None) = (kept.next()?, kept.next()) else {
            return None;
        };
        let Place::Universal(number) = self.places[*kept] else {
            return None;
        };
        let keepers = row.terms.iter().filter(|(var, _)| var != kept);
        let (keepers, keeper_by): (Vec<VarId>, Vec<&Rational>) =
            keepers.map(|(var, by)| (*var, by)).unzip();
        let binary = |var: &VarId| self.boxes[*var] == (0, 1);
        let (low, up) = self.boxes[*kept];
        let earlier = |keeper: &VarId| keeper < kept;
        if up - low != 1
            || !keepers
                .iter()
                .all(|keeper| binary(keeper) && earlier(keeper))
        {
            return None;
        }
        // What the row admits with one keeper, or none, at 1.
        let admits = |closing: Option<usize>, value: i64| {
            let keeper = closing.map_or(int(0), |place| keeper_by[place].clone());
            row.admits(&(keeper + kept_by * int(value)))
        };
        let positions = || (0..keepers.len()).map(Some).chain([None]);
        let always = |value: i64| positions().all(|closing| admits(closing, value));
        let harmless = [low, up].into_iter().find(|&value| always(value))?;
        let harmful = low + up - harmless;
        if positions().all(|closing| admits(closing, harmful)) {
            // The row says nothing, at least while one keeper at most is at 1.
            return (keepers.len() == 1 || self.exclude_one_another(&keepers)).then_some(None);
        }
        let (open_at, closed_at) = match keepers.len() {
            1 if admits(Some(0), harmful) => (1, 0),
            1 if admits(None, harmful) => (0, 1),
            1 => return None,
            _ if !admits(None, harmful) || !self.exclude_one_another(&keepers) => return None,
            _ if (0..keepers.len()).any(|place| admits(Some(place), harmful)) => return None,
            _ => (0, 1),
        };
        let gate = Gate {
            keepers,
            open_at,
            closed_at,
            harmless,
        };
        Some(Some((number, gate)))
    }

    /// Whether some existential row admits at most one of these 0/1 variables at 1.
    fn exclude_one_another(&self, keepers: &[VarId]) -> bool {
        let excludes = |row: &SystemRow| {
            let Some(upper) = row.upper else { return false };
            let mut least = 0i128;
            let mut by_keeper = Vec::new();
            for &(var, by) in &row.terms {
                if keepers.contains(&var) {
                    by_keeper.push(by);
                } else {
                    let (low, up) = self.boxes[var];
                    least += i128::from(by) * i128::from(if by > 0 { low } else { up });
                }
            }
            by_keeper.sort_unstable();
            // No keeper may make room for two others.
            by_keeper.len() == keepers.len()
                && by_keeper[0] > 0
                && least + i128::from(by_keeper[0]) + i128::from(by_keeper[1]) > i128::from(upper)
        };
        keepers.len() > 1 && self.rows.iter().flatten().any(excludes)
    }

    /// A gated variable, by its number, that is in a condition or whose harmless value is not
    /// harmless to every universal row; beside conditions any with several keepers.
    fn gate_that_can_hurt(&self) -> Option<usize> {
        let mut may_be_missed = None;
        let mut hurts = |number: usize, gate: &Gate| {
            let var = self.universals[number];
            let (low, up) = self.boxes[var];
            let step = if gate.harmless == low { -1 } else { 1 };
            debug_assert!(up - low == 1);
            let several = gate.keepers.len() > 1 && !self.conditions.is_empty();
            if several || self.conditions.mention(number) {
                return true;
            }
            self.universal_rows.iter().enumerate().any(|(place, row)| {
                let by = row.terms.iter().find(|(at, _)| *at == var);
                let change = by.map_or(0, |(_, by)| by.signum() * step);
                let misses = change < 0 && row.lower.is_some();
                (change > 0 && row.upper.is_some())
                    || (misses && !may_be_missed.get_or_insert_with(|| quotas_to_miss(self))[place])
            })
        };
        let mut gated = self.gates.iter().enumerate();
        let found =
            gated.find(|(number, gate)| gate.as_ref().is_some_and(|gate| hurts(*number, gate)));
        found.map(|(number, _)| number)
    }

    /// Fixes universal variables of which one end is the worst in every row and in the costs, and
    /// does not harm any universal row: no other value helps the universal player.
    ///
    /// The systems must be known to be alive: that question is about all values, which stay known
    /// as `whole_boxes`.
    pub fn fix_dominated(&mut self) {
        for number in 0..self.universals.len() {
            let var = self.universals[number];
            let (low, up) = self.boxes[var];
            if self.gates[number].is_some() || self.conditions.mention(number) || low == up {
                continue;
            }
            match self.rewards(var) {
                (_, false) => self.boxes[var] = (low, low),
                (false, true) => self.boxes[var] = (up, up),
                (true, true) => {}
            }
        }
    }

    /// Whether going down, and whether going up, can be good for the universal player.
    fn rewards(&self, var: VarId) -> (bool, bool) {
        let (mut down, mut up) = (false, false);
        let mut weigh = |terms: &[(VarId, i64)], low_side: bool, high_side: bool| {
            let by = terms.iter().find(|(at, _)| *at == var);
            let by = by.map_or(0, |(_, by)| *by);
            up |= (by > 0 && high_side) || (by < 0 && low_side);
            down |= (by < 0 && high_side) || (by > 0 && low_side);
        };
        for row in self.rows.iter().flatten() {
            weigh(&row.terms, row.lower.is_some(), row.upper.is_some());
        }
        weigh(&self.costs, false, true);
        // His own rows must not become tighter: they pull the other way.
        for row in &self.universal_rows {
            weigh(&row.terms, row.upper.is_some(), row.lower.is_some());
        }
        (down, up)
    }

    /// The cost in the user's numbers.
    pub fn cost(&self, scaled: i64) -> Rational {
        self.inequalities.cost(scaled)
    }

    /// The least scaled cost that is not cheaper than `cost`.
    pub fn scaled_cost(&self, cost: &Rational) -> Option<i64> {
        let floor = self.inequalities.scaled_cost_floor(cost)?;
        let exact = &self.cost(floor) == cost;
        floor.checked_add(i64::from(!exact))
    }

    /// The smallest and the largest cost that any values give.
    pub fn cost_range(&self) -> (i64, i64) {
        self.costs.iter().fold((0, 0), |(least, most), &(var, by)| {
            let (low, up) = self.boxes[var];
            let (first, second) = if by > 0 { (low, up) } else { (up, low) };
            (least + by * first, most + by * second)
        })
    }

    /// The cost that stands for a win outright: less than any play costs.
    pub fn cost_of_winning(&self) -> i64 {
        self.cost_range().0 - 1
    }

    /// Whether a cost stands for a win outright.
    pub fn is_won(&self, cost: i64) -> bool {
        !self.conditions.is_empty() && cost <= self.cost_of_winning()
    }

    /// The smallest and the largest value that a tree can have.
    pub fn value_range(&self) -> (i64, i64) {
        let (least, most) = self.cost_range();
        let least = if self.conditions.is_empty() {
            least
        } else {
            self.cost_of_winning()
        };
        (least, most)
    }
}

type Stages = (Vec<VarId>, Vec<Vec<VarId>>, IdVec<VarId, Place>);

fn stages_of(program: &Program) -> Stages {
    let mut universals = Vec::new();
    let mut stages = vec![Vec::new()];
    let mut places = IdVec::default();
    for (var, variable) in program.variables().pairs() {
        match variable.quantifier {
            Quantifier::Forall => {
                places.push(Place::Universal(universals.len()));
                universals.push(var);
                stages.push(Vec::new());
            }
            Quantifier::Exists => {
                let number = stages.len() - 1;
                places.push(Place::Existential(number, stages[number].len()));
                stages[number].push(var);
            }
        }
    }
    (universals, stages, places)
}

fn boxes_of(
    program: &Program,
    engine: &'static str,
) -> Result<IdVec<VarId, (i64, i64)>, SolveError> {
    // Sums of two ends stay machine integers.
    const LARGEST: i64 = i64::MAX / 8;
    let end = |side: Option<Rational>| {
        let whole = side.filter(|side| side.abs() <= int(LARGEST))?;
        whole.to_integer().to_i64()
    };
    let mut boxes = IdVec::default();
    for variable in program.variables() {
        let domain = variable.domain();
        let (Some(lower), Some(upper)) = (end(domain.lower), end(domain.upper)) else {
            let reason = format!(
                "the bounds of variable `{}` do not fit machine integers",
                variable.name
            );
            return Err(unsupported(engine, reason));
        };
        boxes.push((lower, upper));
    }
    Ok(boxes)
}

/// The rows of a system, both sides of a row together again.
fn system_rows(inequalities: &Inequalities, owner: Quantifier) -> Vec<(RowId, SystemRow)> {
    let mut rows: Vec<(RowId, SystemRow)> = Vec::new();
    let heads = inequalities.heads().pairs();
    for (at, head) in heads.filter(|(_, head)| head.owner == owner) {
        let terms = inequalities.terms(at).iter();
        let terms = terms.map(|entry| (entry.at, entry.coefficient));
        match head.origin {
            Origin::Objective => {}
            Origin::Upper(id) => {
                let row = SystemRow {
                    terms: terms.collect(),
                    lower: None,
                    upper: Some(head.rhs),
                };
                rows.push((id, row));
            }
            Origin::Lower(id) => match rows.last_mut() {
                Some((last, row)) if *last == id => row.lower = Some(-head.rhs),
                _ => {
                    let row = SystemRow {
                        terms: terms.map(|(var, by)| (var, -by)).collect(),
                        lower: Some(-head.rhs),
                        upper: None,
                    };
                    rows.push((id, row));
                }
            },
        }
    }
    rows
}
