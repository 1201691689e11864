//! From a leader and an opposed follower to two players. See the module above.

use std::ops::Range;

use num_traits::{Signed, Zero};
use rustc_hash::FxHashSet;

use super::reader::Follower;
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::plain::{Arrangement, Column, Plain};
use crate::format::text::shortened;
use crate::num::Rational;
use crate::program::{Id, Kind, Quantifier, Row, Sense, VarId};

/// Adds what keeps the leader honest and puts the follower behind him; `None` if the follower is
/// no opponent.
pub(super) fn arranged(
    plain: &mut Plain,
    follower: &Follower,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<Arrangement> {
    if let Some(reason) = unlike(plain, follower) {
        let draft = Draft::new(Code::NotOpposed, reason).at(span.clone(), "");
        problems.push(draft.help(
            "a bilevel program is read where the follower is the leader's opponent and nothing else",
        ));
        return None;
    }
    let columns = plain.columns.len();
    let theirs = |column: &usize| follower.columns[*column];
    let mut universal_rows = follower.rows.clone();
    let mut order: Vec<(usize, Quantifier)> = Vec::new();
    let leader = (0..columns).filter(|column| !theirs(column));
    order.extend(leader.map(|column| (column, Quantifier::Exists)));
    if !always_answered(plain, follower) {
        let copies = add_answer(plain, follower);
        universal_rows.resize(plain.rows.len(), false);
        order.extend(copies.into_iter().map(|copy| (copy, Quantifier::Exists)));
    }
    let answers = (0..columns).filter(theirs);
    order.extend(answers.map(|column| (column, Quantifier::Forall)));
    Some(Arrangement {
        order,
        universal_rows,
    })
}

/// Why the follower is not simply the leader's opponent.
fn unlike(plain: &Plain, follower: &Follower) -> Option<String> {
    for ((row, _), theirs) in plain.rows.iter().zip(&follower.rows) {
        let name = shortened(row.name.as_deref().unwrap_or("?"));
        let mut terms = row.terms.iter().filter(|(_, by)| !by.is_zero());
        if !theirs
            && let Some((column, _)) = terms.find(|(column, _)| follower.columns[column.index()])
        {
            let column = shortened(&plain.columns[column.index()].name);
            return Some(format!(
                "row `{name}` of the leader mentions `{column}` of the follower: \
                 an opponent would break it, an optimistic follower keep it"
            ));
        }
    }
    let mut wishes = vec![Rational::zero(); plain.columns.len()];
    if let Some(objective) = &plain.objective {
        for (column, by) in &objective.terms {
            match objective.sense {
                Sense::Minimize => wishes[column.index()] += by,
                Sense::Maximize => wishes[column.index()] -= by,
            }
        }
    }
    let theirs = || (0..wishes.len()).filter(|column| follower.columns[*column]);
    let first = theirs().find(|&column| !wishes[column].is_zero());
    let Some(first) = first else {
        return Some(
            "the leader's objective does not mention the follower's variables: \
             the follower is no opponent"
                .to_owned(),
        );
    };
    // What the follower minimises must be a negative multiple of what the leader does.
    let factor = &follower.costs[first] / &wishes[first];
    let aligned = |column: usize| follower.costs[column] == &factor * &wishes[column];
    let apart = theirs().find(|&column| !aligned(column));
    match apart {
        Some(column) => Some(format!(
            "the objectives are neither opposite nor the same: the ratio at `{}` is another than at `{}`",
            shortened(&plain.columns[column].name),
            shortened(&plain.columns[first].name),
        )),
        None if factor.is_positive() => Some(
            "leader and follower want the same: leave out the auxiliary file and solve the model"
                .to_owned(),
        ),
        None if factor.is_zero() => Some(
            "the follower has no objective: leave out the auxiliary file and solve the model"
                .to_owned(),
        ),
        None => None,
    }
}

/// Whether one answer keeps the follower's rows whatever the leader does: each variable at its lower
/// end, or zero where that is inside, and every row by its bounds alone.
fn always_answered(plain: &Plain, follower: &Follower) -> bool {
    let value = |column: &Column| {
        let zero = Rational::zero();
        match (&column.bounds.lower, column.bounds.contains(&zero)) {
            (_, true) => Some(zero),
            (Some(lower), _) if column.kind == Kind::Real || lower.is_integer() => {
                Some(lower.clone())
            }
            _ => None,
        }
    };
    let answered = |row: &Row| {
        let (mut least, mut most) = (Some(Rational::zero()), Some(Rational::zero()));
        for (id, by) in &row.terms {
            let column = &plain.columns[id.index()];
            let (low, high) = if follower.columns[id.index()] {
                (value(column), value(column))
            } else if by.is_negative() {
                (column.bounds.upper.clone(), column.bounds.lower.clone())
            } else {
                (column.bounds.lower.clone(), column.bounds.upper.clone())
            };
            let add = |sum: Option<Rational>, end: Option<Rational>| Some(sum? + end? * by);
            (least, most) = (add(least, low), add(most, high));
        }
        let above = |lower: &Rational| least.as_ref().is_some_and(|least| least >= lower);
        let below = |upper: &Rational| most.as_ref().is_some_and(|most| most <= upper);
        row.lower.as_ref().is_none_or(above) && row.upper.as_ref().is_none_or(below)
    };
    let theirs = plain.rows.iter().zip(&follower.rows);
    theirs
        .filter(|(_, theirs)| **theirs)
        .all(|((row, _), _)| answered(row))
        && plain
            .columns
            .iter()
            .zip(&follower.columns)
            .all(|(column, theirs)| !theirs || value(column).is_some())
}

/// Copies of the follower's variables and rows for the leader. Their names end in `'`.
fn add_answer(plain: &mut Plain, follower: &Follower) -> Vec<usize> {
    let mut copy_of: Vec<Option<usize>> = vec![None; plain.columns.len()];
    let mut copies = Vec::new();
    let mut taken: FxHashSet<String> = plain.columns.iter().map(|it| it.name.clone()).collect();
    let theirs = (0..follower.columns.len()).filter(|column| follower.columns[*column]);
    for column in theirs {
        let mut copy = plain.columns[column].clone();
        copy.name.push('\'');
        while !taken.insert(copy.name.clone()) {
            copy.name.push('\'');
        }
        copy_of[column] = Some(plain.columns.len());
        copies.push(plain.columns.len());
        plain.columns.push(copy);
    }
    let names: FxHashSet<String> = plain
        .rows
        .iter()
        .filter_map(|(row, _)| row.name.clone())
        .collect();
    for row in 0..follower.rows.len() {
        if !follower.rows[row] {
            continue;
        }
        let (mut copy, span) = plain.rows[row].clone();
        for (column, _) in &mut copy.terms {
            *column = copy_of[column.index()].map_or(*column, VarId::new);
        }
        if let Some(name) = &mut copy.name {
            name.push('\'');
            while names.contains(name) {
                name.push('\'');
            }
        }
        plain.rows.push((copy, span));
    }
    copies
}
