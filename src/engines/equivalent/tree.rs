//! A scenario tree as one integer program.
//!
//! Every history of universal values has a node; a node holds a copy of the existential variables
//! of its stage and of the rows that are complete there. Plays with a common beginning share the
//! nodes of that beginning, so decisions depend on what was seen and on nothing else.
//!
//! With an objective there is a *value* column: it is at least the cost of every play, and it is
//! what is minimised. Without universal variables the costs stand at the columns themselves.
//! Where decisions can make plays illegal there is always a value, one lower if no play is left; see
//! [`escape`](super::escape).
//!
//! **Invariant:** columns and rows are only added, so a solver that keeps the program warm can
//! follow a tree that grows.

use super::escape::{self, Escape};
use super::skeleton::{Place, Skeleton, SystemRow};
use crate::lp::{Column, LpProblem, LpRow};
use crate::program::VarId;

/// A history of universal values.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Next universal value and where it leads.
    children: Vec<(i64, usize)>,
    /// The copies of the stage's variables begin here.
    first_column: usize,
    /// Where they end.
    end_column: usize,
    /// What is known of its legality.
    pub(super) escape: Escape,
}

/// What a column stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnOrigin {
    /// The worst cost of all plays.
    Value,
    /// A copy of a variable, for the history of these universal values.
    Copy(VarId, Vec<i64>),
    /// A value of a later variable that helps to complete the existential system after the history.
    Completion(VarId, Vec<i64>),
    /// Whether a condition is broken after the history.
    Broken(Vec<i64>),
    /// Whether the universal system has died with the history's last move, or before.
    Dead(Vec<i64>),
    /// Whether the universal system has died with the last decision of the play, or before.
    Won(Vec<i64>),
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) problem: LpProblem,
    pub(super) histories: Vec<History>,
    pub(super) origins: Vec<ColumnOrigin>,
    value: Option<usize>,
    plays: usize,
}

impl Tree {
    /// The tree of no play yet: the first stage alone.
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut tree = Self {
            problem: LpProblem::default(),
            histories: Vec::new(),
            origins: Vec::new(),
            value: None,
            plays: 0,
        };
        let has_conditions = !skeleton.conditions.is_empty();
        if has_conditions || !skeleton.universals.is_empty() && !skeleton.costs.is_empty() {
            let (lower, upper) = skeleton.value_range();
            tree.value = Some(0);
            tree.origins.push(ColumnOrigin::Value);
            tree.problem.columns.push(Column {
                cost: 1,
                lower,
                upper,
            });
        }
        tree.add_history(skeleton, &[], 0, &mut Vec::new());
        tree
    }

    /// Adds a play; `false` if it was there.
    pub fn add_play(&mut self, skeleton: &Skeleton, play: &[i64]) -> bool {
        let mut path = vec![0];
        let mut new = false;
        for length in 1..=play.len() {
            let node = path[length - 1];
            let value = play[length - 1];
            let known = self.histories[node].children.iter();
            let known = known.clone().find(|(other, _)| *other == value);
            if let Some(&(_, child)) = known {
                path.push(child);
            } else {
                let child = self.histories.len();
                self.histories[node].children.push((value, child));
                self.add_history(skeleton, play, length, &mut path);
                new = true;
            }
        }
        if new {
            self.add_death_rows(skeleton, play, &path);
        }
        self.plays += usize::from(new);
        new
    }

    /// Adds the node after the first moves of a play and the histories of `path`, and appends it to
    /// the path.
    fn add_history(
        &mut self,
        skeleton: &Skeleton,
        play: &[i64],
        stage: usize,
        path: &mut Vec<usize>,
    ) {
        let seen = &play[..stage];
        let first_column = self.problem.columns.len();
        path.push(self.histories.len());
        self.histories.push(History {
            children: Vec::new(),
            first_column,
            end_column: first_column + skeleton.stages[stage].len(),
            escape: Escape::default(),
        });
        for &var in &skeleton.stages[stage] {
            let (lower, upper) = skeleton.boxes[var];
            self.origins.push(ColumnOrigin::Copy(var, seen.to_vec()));
            self.problem.columns.push(Column {
                cost: 0,
                lower,
                upper,
            });
        }
        let dead = self.may_be_dead(skeleton, play, stage, path);
        for row in &skeleton.rows[stage] {
            let copy = self.copy(skeleton, row, seen, path);
            self.add_row_unless(dead, copy);
        }
        if skeleton.cost_stage == stage {
            let won = self.may_be_won(skeleton, play, stage, path);
            self.add_costs(skeleton, seen, path, won);
        }
        self.add_completion(skeleton, seen, path);
    }

    fn add_costs(&mut self, skeleton: &Skeleton, seen: &[i64], path: &[usize], won: Option<usize>) {
        let costs = SystemRow {
            terms: skeleton.costs.clone(),
            lower: None,
            upper: Some(0),
        };
        let mut row = self.copy(skeleton, &costs, seen, path);
        match self.value {
            Some(value) => {
                row.terms.push((value, -1));
                self.add_row_unless(won, row);
            }
            None => {
                for (column, cost) in row.terms {
                    self.problem.columns[column].cost = cost;
                }
            }
        }
    }

    /// A row with the universal values of a history put in.
    pub(super) fn copy(
        &self,
        skeleton: &Skeleton,
        row: &SystemRow,
        seen: &[i64],
        path: &[usize],
    ) -> LpRow {
        let column = |stage: usize, number: usize| self.column(path, stage, number);
        let mut terms = Vec::with_capacity(row.terms.len());
        let mut constant = 0;
        let mut gated = false;
        for &(var, by) in &row.terms {
            match skeleton.places[var] {
                Place::Existential(stage, number) => terms.push((column(stage, number), by)),
                Place::Universal(number) => match &skeleton.gates[number] {
                    Some(gate) if seen[number] != gate.harmless => {
                        // The value is harmless + excess · (1 − how many keepers close the gate).
                        let excess = by * (seen[number] - gate.harmless);
                        let slope = excess * (gate.open_at - gate.closed_at);
                        constant += by * gate.harmless + excess;
                        for &keeper in &gate.keepers {
                            let Place::Existential(stage, at) = skeleton.places[keeper] else {
                                unreachable!("a gate's keeper is existential")
                            };
                            constant -= slope * gate.open_at;
                            terms.push((column(stage, at), slope));
                        }
                        gated = true;
                    }
                    _ => constant += by * seen[number],
                },
            }
        }
        if gated {
            merge(&mut terms);
        }
        LpRow {
            terms,
            lower: row.lower.map(|side| side - constant),
            upper: row.upper.map(|side| side - constant),
        }
    }

    /// The copy of an existential variable, by its place, along a path of histories.
    pub(super) fn column(&self, path: &[usize], stage: usize, number: usize) -> usize {
        self.histories[path[stage]].first_column + number
    }

    /// The program.
    pub fn problem(&self) -> &LpProblem {
        &self.problem
    }

    /// What every column stands for.
    pub fn origins(&self) -> &[ColumnOrigin] {
        &self.origins
    }

    /// The value column, if there is one.
    pub fn value_column(&self) -> Option<usize> {
        self.value
    }

    /// How many plays it has.
    pub fn plays(&self) -> usize {
        self.plays
    }

    /// Where the copies of the stage after that history begin, if the tree knows the history.
    pub fn column_of(&self, seen: &[i64]) -> Option<usize> {
        let mut node = 0;
        for value in seen {
            let mut children = self.histories[node].children.iter();
            node = children.find(|(other, _)| other == value)?.1;
        }
        Some(self.histories[node].first_column)
    }

    /// The variable that a column copies and the history it belongs to; `None` for other columns.
    pub fn copy_at(&self, column: usize) -> Option<(VarId, &[i64])> {
        match &self.origins[column] {
            ColumnOrigin::Copy(var, seen) => Some((*var, seen)),
            _ => None,
        }
    }

    /// Where the copies of the first stage begin; there are as many as the stage has variables.
    pub fn first_stage_column(&self) -> usize {
        self.histories[0].first_column
    }

    /// The first column behind the copies of the first stage.
    pub fn column_after_first_stage(&self) -> usize {
        self.histories[0].end_column
    }

    /// The order in which columns are worth branching on: by stage, completions and the value last.
    pub fn rank(&self, column: usize) -> u32 {
        match &self.origins[column] {
            ColumnOrigin::Value => u32::MAX,
            ColumnOrigin::Completion(..) => u32::MAX - 1,
            ColumnOrigin::Copy(_, seen)
            | ColumnOrigin::Broken(seen)
            | ColumnOrigin::Dead(seen)
            | ColumnOrigin::Won(seen) => seen.len() as u32,
        }
    }
}

/// Adds up coefficients of the same column and drops zeros.
fn merge(terms: &mut Vec<(usize, i64)>) {
    terms.sort_by_key(|&(column, _)| column);
    terms.dedup_by(|(column, by), (kept, total)| {
        let same = column == kept;
        if same {
            *total += *by;
        }
        same
    });
    terms.retain(|&(_, by)| by != 0);
}

/// How large a tree over these plays becomes: columns, rows and coefficients.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Copies of variables.
    pub columns: usize,
    /// Copies of rows.
    pub rows: usize,
    /// Coefficients in the rows.
    pub coefficients: usize,
}

impl Size {
    /// Counted without building: the plays must be in lexicographic order.
    pub fn of(skeleton: &Skeleton, plays: &[Vec<i64>]) -> Self {
        let mut size = Self::default();
        size.add_stage(skeleton, 0, 1);
        for stage in 1..skeleton.stages.len() {
            let beginnings = plays.iter().map(|play| &play[..stage]);
            let mut histories = 0;
            let mut last = None;
            for beginning in beginnings {
                histories += usize::from(last != Some(beginning));
                last = Some(beginning);
            }
            size.add_stage(skeleton, stage, histories);
        }
        let escapes = escape::size(skeleton, plays);
        size.columns += escapes.columns;
        size.rows += escapes.rows;
        size.coefficients += escapes.coefficients;
        size
    }

    fn add_stage(&mut self, skeleton: &Skeleton, stage: usize, histories: usize) {
        let rows = &skeleton.rows[stage];
        let mut coefficients: usize = rows.iter().map(|row| row.terms.len()).sum();
        let mut count = rows.len();
        if skeleton.cost_stage == stage {
            coefficients += skeleton.costs.len() + 1;
            count += 1;
        }
        self.columns += histories * skeleton.stages[stage].len();
        self.rows += histories * count;
        self.coefficients += histories * coefficients;
    }
}
