//! Which rules of the opponent an answer rests on: a minimal set of its rows with which the same can still
//! be guaranteed, and what becomes of it without each of them.

use super::study::Study;
use crate::outcome::{Outcome, Score};
use crate::program::{Program, Quantifier, RowId};

/// More rows of the opponent are not looked at.
const MOST_ROWS: usize = 64;

/// The rules of the opponent that an answer needs.
#[derive(Clone, Debug)]
pub struct Assumptions {
    /// Rows of the universal player, and what becomes of the answer where only this one is missing from
    /// them.
    pub needed: Vec<(RowId, Outcome)>,
    /// Rows without which the same is guaranteed.
    pub idle: Vec<RowId>,
    /// Whether all of this was found out.
    pub is_complete: bool,
}

/// `None` where the opponent has no rows, nothing is guaranteed, or there is no time.
pub(super) fn of(
    program: &Program,
    outcome: &Outcome,
    study: &mut Study<'_>,
) -> Option<Assumptions> {
    let rows = program.universal_rows().len();
    let best = outcome.score(program)?;
    if rows == 0 || rows > MOST_ROWS || best == Score::Lost || study.is_over() {
        return None;
    }
    let mut kept: Vec<RowId> = program.universal_rows().ids().collect();
    let (mut needed, mut idle) = (Vec::new(), Vec::new());
    let mut is_complete = true;
    for row in program.universal_rows().ids() {
        let label = program.row_label(Quantifier::Forall, row);
        study.tell(&format!("the answer without the opponent's row {label}"));
        let fewer: Vec<RowId> = kept.iter().copied().filter(|it| *it != row).collect();
        let without = study.solve(&with_rows(program, &fewer)).ok();
        let worth = without.as_ref().and_then(|it| it.score(program));
        match (worth, without) {
            (Some(worth), _) if worth <= best => {
                kept = fewer;
                idle.push(row);
            }
            (Some(_), Some(without)) => needed.push((row, without)),
            _ => is_complete = false,
        }
    }
    Some(Assumptions {
        needed,
        idle,
        is_complete,
    })
}

/// The program in which the opponent has these rows only.
fn with_rows(program: &Program, rows: &[RowId]) -> Program {
    let mut data = program.clone().into_data();
    let kept = rows.iter();
    data.universal_rows = kept
        .map(|row| program.universal_rows()[*row].clone())
        .collect();
    Program::new(data).expect("invariant: fewer rows keep a program well formed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{ExplainOptions, explain};
    use crate::format::parse_qip;

    #[test]
    fn rows_that_the_answer_rests_on_are_told_from_idle_ones() {
        let program = parse_qip(
            "minimize x subject to x >= a + b
             uncertainty few: a + b <= 1
             idle: a + b <= 5
             prefix forall binary a b exists integer x in [0, 5] end",
        )
        .expect("it is well formed");
        let explanation = explain(&program, &ExplainOptions::default()).expect("it is taken");
        let found = explanation.assumptions.expect("the opponent has rows");
        assert!(found.is_complete && found.idle.len() == 1);
        let (row, without) = &found.needed[0];
        assert_eq!(program.row_label(Quantifier::Forall, *row), "`few`");
        assert_eq!(without.objective, Some(crate::num::int(2)));
    }
}
