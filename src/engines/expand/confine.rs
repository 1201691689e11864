//! Choices that the universal player can confine to too little room.
//!
//! **Definition:** a *choice* is a set of 0/1 columns of which exactly one is 1; its *room* in a row
//! is what the row has left for it. If more choices than there is room for can be confined to the
//! same few rows, no completion is left. This is Hall's condition, with the universal player as the
//! one who draws the edges; [`ruin`](super::ruin) asks a linear program whether he is right.

use std::collections::HashMap;

use super::ruin::{Moves, slack};
use crate::lp::{Column, LpProblem, LpRow};

/// A choice with more places left is not confined.
const MOST_PLACES: usize = 4;

/// How many sets of rows are handed on, those first that are overfull most.
const MOST_SETS: usize = 8;

/// The choices of a program and the rows that have room for them.
#[derive(Clone, Debug)]
pub struct Choices {
    all: Vec<Vec<usize>>,
    /// The choice of every column that has one.
    of: Vec<Option<usize>>,
    /// The row in which a column takes up room, the only one of its choice.
    room: Vec<Option<usize>>,
    known: Vec<Confined>,
}

/// One choice, confined to rows by an assignment of a cluster.
#[derive(Clone, Debug)]
struct Confined {
    rows: Vec<usize>,
    cluster: usize,
    moves: Moves,
}

impl Choices {
    /// The choices of a program.
    pub fn new(problem: &LpProblem) -> Self {
        let mut choices = Self {
            all: Vec::new(),
            of: vec![None; problem.columns.len()],
            room: vec![None; problem.columns.len()],
            known: Vec::new(),
        };
        for row in problem.rows.iter().filter(|row| is_choice(problem, row)) {
            let members: Vec<usize> = row.terms.iter().map(|&(column, _)| column).collect();
            if members.iter().all(|&column| choices.of[column].is_none()) {
                for &column in &members {
                    choices.of[column] = Some(choices.all.len());
                }
                choices.all.push(members);
            }
        }
        for (number, row) in problem.rows.iter().enumerate() {
            if row.upper.is_some() {
                choices.find_room(number, row);
            }
        }
        choices
    }

    fn find_room(&mut self, number: usize, row: &LpRow) {
        let choice = |column: usize| self.of[column];
        let mut seen: Vec<usize> = row.terms.iter().filter_map(|term| choice(term.0)).collect();
        seen.sort_unstable();
        let alone = |group: usize| {
            let first = seen.partition_point(|&other| other < group);
            seen.get(first + 1) != Some(&group)
        };
        let fits = |&(column, by): &(usize, i64)| by == 1 && choice(column).is_some_and(alone);
        let columns: Vec<usize> = row
            .terms
            .iter()
            .filter(|term| fits(term))
            .map(|term| term.0)
            .collect();
        for column in columns {
            self.room[column].get_or_insert(number);
        }
    }

    /// Learns what an assignment of a cluster confines, from the boxes that it leaves.
    pub fn learn(&mut self, cluster: usize, moves: &Moves, boxes: &[(usize, i64, i64)]) {
        let closed: HashMap<usize, bool> = boxes
            .iter()
            .map(|&(column, _, upper)| (column, upper == 0))
            .collect();
        let mut touched: Vec<usize> = closed
            .keys()
            .filter_map(|&column| self.of[column])
            .collect();
        touched.sort_unstable();
        touched.dedup();
        for choice in touched {
            let members = self.all[choice].iter();
            let open: Vec<usize> = members
                .copied()
                .filter(|column| !closed.get(column).copied().unwrap_or(false))
                .collect();
            let rows: Option<Vec<usize>> = open.iter().map(|&column| self.room[column]).collect();
            let Some(mut rows) = rows.filter(|_| open.len() <= MOST_PLACES) else {
                continue;
            };
            rows.sort_unstable();
            rows.dedup();
            let moves = moves.clone();
            self.known.push(Confined {
                rows,
                cluster,
                moves,
            });
        }
    }

    /// What the clusters do to overfill sets of rows, where that seems possible.
    pub fn overfull(&self, problem: &LpProblem, ends: &[(i64, i64)]) -> Vec<Moves> {
        let mut sets: Vec<&Vec<usize>> = self.known.iter().map(|confined| &confined.rows).collect();
        sets.sort();
        sets.dedup();
        let mut found: Vec<(i128, Moves)> = Vec::new();
        for rows in sets {
            let mut by_cluster: HashMap<usize, &Confined> = HashMap::new();
            for confined in &self.known {
                if confined
                    .rows
                    .iter()
                    .all(|row| rows.binary_search(row).is_ok())
                {
                    by_cluster.entry(confined.cluster).or_insert(confined);
                }
            }
            let room: i128 = rows
                .iter()
                .map(|&row| slack(problem, ends, (row, true)))
                .sum();
            let excess = by_cluster.len() as i128 - room;
            if excess > 0 {
                let mut pressed: Vec<_> = by_cluster.into_values().collect();
                pressed.sort_by_key(|confined| confined.cluster);
                let moves = pressed
                    .into_iter()
                    .flat_map(|confined| confined.moves.clone());
                found.push((excess, moves.collect()));
            }
        }
        found.sort_by_key(|(excess, _)| -excess);
        found.truncate(MOST_SETS);
        found.into_iter().map(|(_, moves)| moves).collect()
    }
}

fn is_choice(problem: &LpProblem, row: &LpRow) -> bool {
    let Some(&(_, unit)) = row.terms.first() else {
        return false;
    };
    let exact = row.lower == Some(unit) && row.upper == Some(unit);
    let binary = |&(column, by): &(usize, i64)| {
        let Column { lower, upper, .. } = problem.columns[column];
        by == unit && lower >= 0 && upper <= 1
    };
    row.terms.len() > 1 && exact && row.terms.iter().all(binary)
}
