//! A scenario tree in rationals: what is decided from a stage on, against a few plays.

use std::collections::{HashMap, HashSet};

use num_traits::Signed;

use super::stages::Stages;
use crate::mip::MixedProgram;
use crate::num::{Rational, int};
use crate::program::{Bounds, Id, IdVec, Kind, Program, Quantifier, Row, Term, VarId};

/// The linear program of a tree.
pub struct Tree {
    pub problem: MixedProgram,
    /// The column of a variable after the universal values that were seen before it.
    columns: HashMap<(VarId, Vec<i64>), VarId>,
    /// Whether what was decided before breaks a row by itself.
    pub is_dead: bool,
}

/// The value column.
const VALUE: usize = 0;

impl Tree {
    /// What is decided from `stage` on after the values of the board.
    pub fn new(
        stages: &Stages<'_>,
        plays: &[&[i64]],
        stage: usize,
        board: &IdVec<VarId, Rational>,
    ) -> Self {
        let mut tree = Self {
            problem: MixedProgram::default(),
            columns: HashMap::new(),
            is_dead: false,
        };
        let program = stages.program;
        let open = Bounds {
            lower: None,
            upper: None,
        };
        let value = match program.objective() {
            Some(_) => open,
            None => Bounds::between(int(0), int(0)),
        };
        tree.problem.linear.bounds.push(value);
        tree.problem.integer.push(false);
        tree.problem.linear.objective = vec![(VarId::new(VALUE), int(1))];
        let mut rows_seen = HashSet::new();
        for (number_of_play, play) in plays.iter().enumerate() {
            tree.add_columns(program, stages, play, stage);
            for (number, row) in program.rows().iter().enumerate() {
                let depth = stages.depth(&row.terms);
                if rows_seen.insert((number, play[..depth].to_vec())) {
                    let (terms, constant) = tree.put_in(stages, &row.terms, play, stage, board);
                    tree.add_row(terms, &constant, row);
                }
            }
            if program.objective().is_some() {
                let (mut terms, constant) = tree.put_in(stages, &stages.costs, play, stage, board);
                terms.push((VarId::new(VALUE), int(-1)));
                let row = Row::at_most(terms, -constant);
                tree.close_value(&row, number_of_play == 0);
                tree.problem.linear.rows.push(row);
            }
        }
        tree
    }

    /// The value need not be above the most that a play can cost, nor can it be below the least.
    /// Where a play has no end of cost, the value has none either.
    fn close_value(&mut self, row: &Row, is_first: bool) {
        let costs = row.terms.iter().filter(|(column, _)| column.index() != VALUE);
        let ends = |most: bool| -> Option<Rational> {
            let constant = row.upper.as_ref().map(|side| -side)?;
            let sum: Option<Rational> = costs
                .clone()
                .map(|(column, by)| {
                    let range = &self.problem.linear.bounds[*column];
                    let end = match by.is_positive() == most {
                        true => &range.upper,
                        false => &range.lower,
                    };
                    Some(end.as_ref()? * by)
                })
                .sum();
            Some(sum? + constant)
        };
        let (least, most) = (ends(false), ends(true));
        let value = &mut self.problem.linear.bounds[VarId::new(VALUE)];
        value.upper = match (value.upper.take(), most) {
            (Some(upper), Some(most)) => Some(upper.max(most)),
            (None, most) if is_first => most,
            _ => None,
        };
        value.lower = match (value.lower.take(), least) {
            (Some(lower), Some(least)) => Some(lower.max(least)),
            (lower, least) => lower.or(least),
        };
    }

    fn add_columns(&mut self, program: &Program, stages: &Stages<'_>, play: &[i64], stage: usize) {
        for (var, variable) in program.variables().pairs() {
            let seen = stages.seen[var];
            if variable.quantifier == Quantifier::Forall || seen < stage {
                continue;
            }
            let key = (var, play[..seen].to_vec());
            if !self.columns.contains_key(&key) {
                let column = VarId::new(self.problem.linear.bounds.len());
                self.problem.linear.bounds.push(variable.domain());
                self.problem.integer.push(variable.kind == Kind::Integer);
                self.columns.insert(key, column);
            }
        }
    }

    /// Terms over columns, and what the values of the past and of the play add up to.
    fn put_in(
        &self,
        stages: &Stages<'_>,
        terms: &[Term],
        play: &[i64],
        stage: usize,
        board: &IdVec<VarId, Rational>,
    ) -> (Vec<Term>, Rational) {
        let mut constant = Rational::default();
        let mut own = Vec::new();
        for (var, by) in terms {
            let seen = stages.seen[*var];
            match stages.program.variables()[*var].quantifier {
                Quantifier::Forall => constant += by * int(play[seen]),
                Quantifier::Exists if seen < stage => constant += by * &board[*var],
                Quantifier::Exists => {
                    own.push((self.columns[&(*var, play[..seen].to_vec())], by.clone()));
                }
            }
        }
        (own, constant)
    }

    fn add_row(&mut self, terms: Vec<Term>, constant: &Rational, row: &Row) {
        if terms.is_empty() {
            self.is_dead |= !row.admits(constant);
            return;
        }
        self.problem.linear.rows.push(Row {
            name: None,
            terms,
            lower: row.lower.as_ref().map(|side| side - constant),
            upper: row.upper.as_ref().map(|side| side - constant),
        });
    }

    /// The column of a variable after that beginning.
    pub fn column(&self, var: VarId, seen: &[i64]) -> VarId {
        self.columns[&(var, seen.to_vec())]
    }
}
