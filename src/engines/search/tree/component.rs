//! Independent components: parts of a program that no row connects are solved one by one.
//!
//! **Soundness.** Where the universal player is sure to have a legal move until the end, a play is
//! judged by its last position, and that judgement is a sum over the parts. What is played in one
//! part says nothing about another, so both players do their best in each: the value is the sum of
//! the values, and the game is lost if one part is.

use super::legality::Legality;
use crate::num::Rational;
use crate::outcome::{Effort, Move, Outcome, Status};
use crate::program::{Block, Id, Objective, Program, ProgramData, Quantifier, Row, Term, VarId};

/// A part of a program, with the places of its variables in the whole.
pub(in crate::search) struct Component {
    pub program: Program,
    variables: Vec<VarId>,
}

/// The parts, if there are at least two that have rows.
pub(in crate::search) fn split(program: &Program) -> Option<Vec<Component>> {
    if !Legality::of(program, &program.class()).may_press() {
        return None;
    }
    let count = program.variables().len();
    let mut leaders = Leaders((0..count).collect());
    let systems = [program.rows(), program.universal_rows()];
    for row in systems.into_iter().flatten() {
        for pair in row.terms.windows(2) {
            leaders.join(pair[0].0.index(), pair[1].0.index());
        }
    }
    // Rows without variables concern everybody; variables without rows need no part of their own.
    if systems
        .into_iter()
        .flatten()
        .any(|row| row.terms.is_empty())
    {
        return None;
    }
    let firsts = systems
        .into_iter()
        .flatten()
        .map(|row| row.terms[0].0.index());
    let mut parts: Vec<usize> = firsts.map(|var| leaders.of(var)).collect();
    parts.sort_unstable();
    parts.dedup();
    if parts.len() < 2 {
        return None;
    }
    let mut members = vec![Vec::new(); parts.len()];
    for var in 0..count {
        let part = parts.binary_search(&leaders.of(var)).unwrap_or(0);
        members[part].push(VarId::new(var));
    }
    let component = |(number, variables)| Component::of(program, variables, number == 0);
    Some(members.into_iter().enumerate().map(component).collect())
}

/// The outcome of the whole from those of its parts, or `None` if they do not say.
pub(in crate::search) fn joined(
    program: &Program,
    components: &[Component],
    outcomes: &[Outcome],
) -> Option<Outcome> {
    let status = status(outcomes)?;
    let total = |pick: fn(&Outcome) -> Option<&Rational>| {
        let parts = outcomes.iter().map(pick);
        parts.sum::<Option<Rational>>()
    };
    let mut whole = Outcome::interrupted(outcomes.iter().find_map(|part| part.stop));
    whole.status = status;
    if matches!(status, Status::Optimal | Status::Interrupted) {
        whole.objective = total(|part| part.objective.as_ref());
        whole.bound = total(|part| part.bound.as_ref());
    }
    whole.effort = outcomes.iter().fold(Effort::default(), |sum, part| Effort {
        nodes: sum.nodes.max(part.effort.nodes),
        lps: sum.lps + part.effort.lps,
        learnt: sum.learnt + part.effort.learnt,
    });
    let pairs = || components.iter().zip(outcomes);
    let play = pairs().flat_map(|(component, part)| component.lifted(&part.principal_variation));
    whole.principal_variation = in_order(play);
    let has_strategy = status != Status::Infeasible
        && (status != Status::Interrupted || whole.objective.is_some());
    if has_strategy {
        let moves = pairs().flat_map(|(component, part)| component.lifted(&part.first_stage));
        let first = program.blocks().iter().next();
        let first = first.filter(|block| block.quantifier == Quantifier::Exists);
        let end = first.map_or(0, |block: &Block| block.range().end);
        whole.first_stage = in_order(moves.filter(|(var, _)| var.index() < end));
    }
    Some(whole)
}

fn in_order(moves: impl Iterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.collect();
    moves.sort_by_key(|(var, _)| var.index());
    moves
}

fn status(outcomes: &[Outcome]) -> Option<Status> {
    let has = |status| outcomes.iter().any(|part| part.status == status);
    let judged = |part: &Outcome| {
        matches!(
            part.status,
            Status::Optimal | Status::Feasible | Status::Infeasible | Status::Interrupted
        )
    };
    if !outcomes.iter().all(judged) {
        return None;
    }
    let order = [
        Status::Infeasible,
        Status::Interrupted,
        Status::Optimal,
        Status::Feasible,
    ];
    order.into_iter().find(|&status| has(status))
}

impl Component {
    fn of(program: &Program, variables: Vec<VarId>, is_first: bool) -> Self {
        let mut places = vec![None; program.variables().len()];
        for (place, var) in variables.iter().enumerate() {
            places[var.index()] = Some(VarId::new(place));
        }
        let placed = |terms: &[Term]| -> Vec<Term> {
            let own = |(var, coefficient): &Term| Some((places[var.index()]?, coefficient.clone()));
            terms.iter().filter_map(own).collect()
        };
        let rows = |rows: &mut dyn Iterator<Item = &Row>| -> Vec<Row> {
            let own = rows.filter(|row| places[row.terms[0].0.index()].is_some());
            let row = |row: &Row| Row {
                terms: placed(&row.terms),
                ..row.clone()
            };
            own.map(row).collect()
        };
        let objective = program.objective().map(|objective| Objective {
            terms: placed(&objective.terms),
            constant: if is_first {
                objective.constant.clone()
            } else {
                Rational::default()
            },
            ..objective.clone()
        });
        let data = ProgramData {
            variables: variables
                .iter()
                .map(|&var| program.variables()[var].clone())
                .collect(),
            rows: rows(&mut program.rows().iter()),
            universal_rows: rows(&mut program.universal_rows().iter()),
            objective,
        };
        Self {
            program: Program::new(data).expect("invariant: a part of a valid program is valid"),
            variables,
        }
    }

    /// Moves in the part as moves in the whole.
    fn lifted<'a>(&'a self, moves: &'a [Move]) -> impl Iterator<Item = Move> + 'a {
        let lifted = |(var, value): &Move| (self.variables[var.index()], value.clone());
        moves.iter().map(lifted)
    }
}

/// Disjoint sets of variables.
struct Leaders(Vec<usize>);

impl Leaders {
    fn of(&mut self, mut var: usize) -> usize {
        while self.0[var] != var {
            self.0[var] = self.0[self.0[var]];
            var = self.0[var];
        }
        var
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.of(left), self.of(right));
        self.0[left.max(right)] = left.min(right);
    }
}
