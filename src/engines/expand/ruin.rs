//! Plays that break a row whatever the existential player does.
//!
//! Before plays are listed or compared, this looks for one that leaves the existential system no
//! completion at all: then the game is lost, however many plays there are. Universal variables that
//! meet in rows form *clusters*; what each assignment of a cluster forces is found by propagation.
//! For every row the clusters that push its sum towards a side are set to push the most, the others
//! to one end, and propagation judges the whole play. With assignment rows this finds sets of tasks
//! that can be pressed into too small a place; where the place is several rows together, see
//! [`confine`](super::confine).
//!
//! **Invariant:** a play counts only if it is legal and propagation over all rows, in integers, or
//! exact branch and bound says that nothing is left.

use std::collections::{HashMap, HashSet};

use super::confine::Choices;
use super::game::whole_program;
use crate::budget::Budget;
use crate::equivalent::{Branching, Place, Skeleton};
use crate::lp::LpProblem;
use crate::outcome::Stop;
use crate::program::{Id, VarId};

/// Rows with more universal variables tie too many together to tell what each forces.
const MOST_IN_A_ROW: usize = 8;

/// Clusters with more assignments are left at one end.
const MOST_ASSIGNMENTS: i64 = 256;

/// How many rows are tried, those first that the clusters can push furthest.
const MOST_ROWS: usize = 64;

/// How many nodes a linear relaxation may need to see that a play leaves nothing.
const MOST_NODES: u64 = 8;

/// Columns with their values.
pub type Moves = Vec<(usize, i64)>;

/// One side of a row: its number, and whether it is the upper one.
pub type Side = (usize, bool);

/// How far one assignment of a cluster pushes a row.
#[derive(Clone, Debug)]
struct Push {
    cluster: usize,
    gain: i128,
    moves: Moves,
}

/// Whether some legal play leaves the existential system no completion, as far as is seen.
pub fn breaks_a_row(skeleton: &Skeleton, budget: &mut Budget) -> Result<bool, Stop> {
    if skeleton.gates.iter().any(Option::is_some) || skeleton.universals.is_empty() {
        return Ok(false);
    }
    let problem = whole_program(skeleton);
    let rows_of = rows_of(&problem);
    let mut probe = Branching::new(&problem);
    let mut pushes: HashMap<Side, Vec<Push>> = HashMap::new();
    let mut choices = Choices::new(&problem);
    let mut touched = HashSet::new();
    for (number, cluster) in clusters(skeleton).into_iter().enumerate() {
        for moves in assignments(skeleton, &cluster) {
            budget.look_sometimes()?;
            let Some(boxes) = probe.consequences(&moves) else {
                if is_ruinous(skeleton, &mut probe, &moves) {
                    return Ok(true);
                }
                continue;
            };
            choices.learn(number, &moves, &boxes);
            touched.extend(boxes.iter().map(|&(column, ..)| column));
            for (side, gain) in gains(&problem, &rows_of, &boxes) {
                let push = Push {
                    cluster: number,
                    gain,
                    moves: moves.clone(),
                };
                keep_best(pushes.entry(side).or_default(), push);
            }
        }
    }
    for upward in [false, true] {
        let rest = all_at(skeleton, upward);
        let Some(boxes) = probe.consequences(&rest) else {
            if is_legal(skeleton, &rest) {
                return Ok(true);
            }
            continue;
        };
        let ends = ends_of(&problem, &boxes, &touched);
        for moves in most_pushed(&problem, &ends, &pushes) {
            budget.look()?;
            if is_ruinous(skeleton, &mut probe, &moves) {
                return Ok(true);
            }
        }
        for moves in choices.overfull(&problem, &ends) {
            if is_hopeless(skeleton, &mut probe, &moves, budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Every universal variable at its smallest or at its largest value.
fn all_at(skeleton: &Skeleton, upward: bool) -> Moves {
    let end = |var: &VarId| {
        let (low, up) = skeleton.boxes[*var];
        (var.index(), if upward { up } else { low })
    };
    skeleton.universals.iter().map(end).collect()
}

/// The boxes of all columns; where no cluster decides, what all the others at one end leave.
fn ends_of(
    problem: &LpProblem,
    boxes: &[(usize, i64, i64)],
    touched: &HashSet<usize>,
) -> Vec<(i64, i64)> {
    let columns = problem.columns.iter();
    let mut ends: Vec<_> = columns.map(|column| (column.lower, column.upper)).collect();
    for &(column, lower, upper) in boxes {
        if !touched.contains(&column) {
            ends[column] = (lower, upper);
        }
    }
    ends
}

/// Open universal variables that meet in rows with few of them.
fn clusters(skeleton: &Skeleton) -> Vec<Vec<VarId>> {
    let mut of: Vec<usize> = (0..skeleton.universals.len()).collect();
    for row in skeleton.rows.iter().flatten() {
        let open = row
            .terms
            .iter()
            .filter_map(|&(var, _)| match skeleton.places[var] {
                Place::Universal(number) => is_open(skeleton, var).then_some(number),
                Place::Existential(..) => None,
            });
        let open: Vec<usize> = open.collect();
        if open.len() > MOST_IN_A_ROW {
            continue;
        }
        for pair in open.windows(2) {
            let (from, to) = (of[pair[1]], of[pair[0]]);
            of.iter_mut()
                .filter(|at| **at == from)
                .for_each(|at| *at = to);
        }
    }
    let mut members: HashMap<usize, Vec<VarId>> = HashMap::new();
    for (number, &var) in skeleton.universals.iter().enumerate() {
        if is_open(skeleton, var) {
            members.entry(of[number]).or_default().push(var);
        }
    }
    let mut clusters: Vec<_> = members.into_values().collect();
    clusters.sort();
    clusters
}

fn is_open(skeleton: &Skeleton, var: VarId) -> bool {
    let (low, up) = skeleton.boxes[var];
    low < up
}

/// All assignments of a cluster; none if there are too many.
fn assignments(skeleton: &Skeleton, cluster: &[VarId]) -> Vec<Moves> {
    let width = |var: &VarId| skeleton.boxes[*var].1 - skeleton.boxes[*var].0 + 1;
    let count = cluster.iter().try_fold(1i64, |count, var| {
        let count = count.checked_mul(width(var))?;
        (count <= MOST_ASSIGNMENTS).then_some(count)
    });
    if count.is_none() {
        return Vec::new();
    }
    let mut all = vec![Moves::new()];
    for &var in cluster {
        let (low, up) = skeleton.boxes[var];
        let longer = all.iter().flat_map(|moves| {
            (low..=up).map(move |value| [moves.as_slice(), &[(var.index(), value)]].concat())
        });
        all = longer.collect();
    }
    all
}

/// The rows of every column, with its coefficient there.
fn rows_of(problem: &LpProblem) -> Vec<Vec<(usize, i128)>> {
    let mut rows_of = vec![Vec::new(); problem.columns.len()];
    for (number, row) in problem.rows.iter().enumerate() {
        for &(column, by) in &row.terms {
            rows_of[column].push((number, i128::from(by)));
        }
    }
    rows_of
}

/// How far smaller boxes push the sums of rows towards their sides.
fn gains(
    problem: &LpProblem,
    rows_of: &[Vec<(usize, i128)>],
    boxes: &[(usize, i64, i64)],
) -> Vec<(Side, i128)> {
    let mut gains: HashMap<Side, i128> = HashMap::new();
    for &(column, lower, upper) in boxes {
        let before = &problem.columns[column];
        let up = i128::from(lower) - i128::from(before.lower);
        let down = i128::from(before.upper) - i128::from(upper);
        for &(row, by) in &rows_of[column] {
            let (rise, fall) = if by > 0 { (up, down) } else { (down, up) };
            *gains.entry((row, true)).or_default() += by.abs() * rise;
            *gains.entry((row, false)).or_default() += by.abs() * fall;
        }
    }
    let has_side = |&(row, upper): &Side| {
        let row = &problem.rows[row];
        if upper {
            row.upper.is_some()
        } else {
            row.lower.is_some()
        }
    };
    gains.retain(|side, gain| *gain > 0 && has_side(side));
    gains.into_iter().collect()
}

/// Each cluster pushes a row by its strongest assignment.
fn keep_best(pushes: &mut Vec<Push>, push: Push) {
    match pushes
        .iter_mut()
        .find(|other| other.cluster == push.cluster)
    {
        Some(other) if other.gain < push.gain => *other = push,
        Some(_) => {}
        None => pushes.push(push),
    }
}

/// What the clusters do about each row, the row that is pushed furthest beyond its side first.
fn most_pushed(
    problem: &LpProblem,
    ends: &[(i64, i64)],
    pushes: &HashMap<Side, Vec<Push>>,
) -> Vec<Moves> {
    let excess = |side: &Side, pushes: &[Push]| {
        let pushed: i128 = pushes.iter().map(|push| push.gain).sum();
        pushed - slack(problem, ends, *side)
    };
    let mut sides: Vec<_> = pushes.iter().collect();
    sides.sort_by_cached_key(|(side, pushes)| (-excess(side, pushes), **side));
    sides.truncate(MOST_ROWS);
    let moves = |pushes: &[Push]| pushes.iter().flat_map(|push| push.moves.clone()).collect();
    sides.into_iter().map(|(_, pushes)| moves(pushes)).collect()
}

/// How far the sum of a row can stay from its side.
pub fn slack(problem: &LpProblem, ends: &[(i64, i64)], (row, upper): Side) -> i128 {
    let row = &problem.rows[row];
    let furthest = row.terms.iter().map(|&(column, by)| {
        let (low, up) = ends[column];
        let end = if (by > 0) == upper { low } else { up };
        i128::from(by) * i128::from(end)
    });
    let furthest: i128 = furthest.sum();
    if upper {
        i128::from(row.upper.unwrap_or(i64::MAX)) - furthest
    } else {
        furthest - i128::from(row.lower.unwrap_or(i64::MIN))
    }
}

/// Whether these moves, with all other universal variables at one end, are a legal play that leaves
/// no completion.
fn is_ruinous(skeleton: &Skeleton, probe: &mut Branching, moves: &[(usize, i64)]) -> bool {
    let mut plays = legal_plays_with(skeleton, moves).into_iter();
    plays.any(|play| probe.consequences(&play).is_none())
}

/// Like [`is_ruinous`], with a linear program or a few.
fn is_hopeless(
    skeleton: &Skeleton,
    probe: &mut Branching,
    moves: &[(usize, i64)],
    budget: &mut Budget,
) -> Result<bool, Stop> {
    for play in legal_plays_with(skeleton, moves) {
        budget.look()?;
        for &(column, value) in &play {
            probe.set_box(column, value, value);
        }
        let answer = probe.minimise_within(None, Some(MOST_NODES), budget);
        for &var in &skeleton.universals {
            let (lower, upper) = skeleton.boxes[var];
            probe.set_box(var.index(), lower, upper);
        }
        match answer.stop {
            None if answer.best.is_none() => return Ok(true),
            None | Some(Stop::Nodes) => {}
            Some(stop) => return Err(stop),
        }
    }
    Ok(false)
}

/// These moves with all other universal variables at one end, where that is legal.
fn legal_plays_with(skeleton: &Skeleton, moves: &[(usize, i64)]) -> Vec<Moves> {
    let set: HashMap<usize, i64> = moves.iter().copied().collect();
    let plays = [false, true].map(|upward| {
        let mut play = all_at(skeleton, upward);
        for (column, value) in &mut play {
            *value = *set.get(column).unwrap_or(value);
        }
        play
    });
    let legal = plays.into_iter().filter(|play| is_legal(skeleton, play));
    legal.collect()
}

/// Whether the play of all universal variables, in order, is legal whatever is decided.
fn is_legal(skeleton: &Skeleton, play: &[(usize, i64)]) -> bool {
    let moves: Vec<i64> = play.iter().map(|&(_, value)| value).collect();
    if !skeleton.is_always_admitted(&moves) {
        return false;
    }
    let values: HashMap<usize, i64> = play.iter().copied().collect();
    skeleton.universal_rows.iter().all(|row| {
        let terms = row.terms.iter();
        let sum: i128 = terms
            .map(|(var, by)| i128::from(*by) * i128::from(values[&var.index()]))
            .sum();
        row.lower.is_none_or(|side| sum >= i128::from(side))
            && row.upper.is_none_or(|side| sum <= i128::from(side))
    })
}
