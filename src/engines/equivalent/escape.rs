//! Plays that decisions make illegal.
//!
//! A play that breaks a [condition](super::conditions) binds nobody: whoever made the universal system
//! die with it, the existential player has won. So a history at which that may happen has a column
//! *dead*, and where it is 1 the rows of the history need not hold. It may be 1 only if every play
//! of the tree that begins so has a *broken* column at 1; and such a column only if the decisions
//! break the condition. At the end of a play *won* is the same after the last decision, which may
//! break a condition as well, and then the costs do not count. If nothing counts, the value is one
//! less than any cost: the universal player is stuck.
//!
//! Who kills the opponent's system must not have killed his own before. So decisions are joined by a
//! *completion*: values of all later variables, universal ones too, that satisfy the existential
//! rows. Where a play is legal whatever is decided, its own rows ask for more, and the completion is
//! left out.
//!
//! **Why.** Blocks may be looked at as a whole: a system that is alive behind a block has been alive
//! in it, and of two systems that die in one block the mover loses, since he could have lost the
//! other one no sooner. Let the tree have all listed plays.
//! 1. *A strategy is a point.* Let *dead* be 1 where the universal system is dead behind the
//!    history: then every play that begins so breaks a condition, however it is completed. Where it
//!    is alive the strategy has kept the existential system alive, which is what rows and completion
//!    say; and a play at whose end both are alive costs no more than the value.
//! 2. *A point is a strategy.* As long as the universal player moves legally, some play of the tree
//!    goes on legally: nothing is broken in it, so *dead* is 0, the rows hold and the completion is
//!    there, or the rows of a play that is always legal. The existential system stays alive until the
//!    universal one dies, or to the end, where *won* is 0 unless the last decision breaks a condition.
//!
//! A tree of some plays has fewer rows, so its value is a lower bound.
//!
//! Where a column is 1 other rows are only relaxed. So *broken* is 1 as soon as the condition is
//! broken; *dead* behind a history that is dead, and at the end of a play as soon as the only way to
//! complete it breaks a condition; *won* likewise. The strategy of step 1 does that, and branch and
//! bound has nothing to choose. Inside a play it does: plays to come may show that it is alive.
//!
//! **Invariant:** what a row is relaxed by is exactly the most by which it can fail. Sums of rows stay
//! below an eighth of what a machine integer holds (see [`Inequalities`](crate::propagate::Inequalities)),
//! so these numbers and the sums with them fit as well.

use std::collections::HashMap;

use super::conditions::{Completion, Partial};
use super::skeleton::{Place, Skeleton, SystemRow};
use super::tree::{ColumnOrigin, Size, Tree};
use crate::lp::{Column, LpRow};
use crate::program::VarId;

/// What is known of the legality of a history.
#[derive(Clone, Debug, Default)]
pub struct Escape {
    /// The column that is 1 only if the universal system is dead.
    dead: Option<usize>,
    /// The column of a condition with that constant: it is 1 if the condition is broken.
    broken: HashMap<(usize, i64), usize>,
}

/// A condition by its number, with what is known of its sum.
type Known = (usize, Partial);

/// The conditions that some decisions break, for each way to complete the play. Ways that break a
/// condition whatever was decided are left out: they prove nothing.
fn breakable(skeleton: &Skeleton, stage: usize, play: &[i64]) -> Vec<Vec<Known>> {
    let known = |completion: &Completion| {
        let mut found = Vec::new();
        for (number, condition) in skeleton.conditions.all.iter().enumerate() {
            let partial = skeleton.partial(condition, stage, play, completion);
            if partial.reach.0 > condition.bound {
                return None;
            }
            if partial.reach.1 > condition.bound {
                found.push((number, partial));
            }
        }
        Some(found)
    };
    let completions = skeleton.completions(stage).iter();
    completions.filter_map(known).collect()
}

/// The conditions that the last decisions of a play may break.
fn breakable_at_the_end(skeleton: &Skeleton, stage: usize, play: &[i64]) -> Vec<Known> {
    let is_last = |&(var, _): &(VarId, i64)| match skeleton.places[var] {
        Place::Existential(at, _) => at == stage,
        Place::Universal(_) => false,
    };
    let conditions = skeleton.conditions.all.iter().enumerate();
    let late = conditions.filter(|(_, condition)| condition.terms.iter().any(is_last));
    let known = late.map(|(number, condition)| {
        let partial = skeleton.partial(condition, stage + 1, play, &Completion::new());
        (number, partial, condition.bound)
    });
    let can_break = known.filter(|(_, partial, bound)| partial.reach.1 > *bound);
    can_break
        .map(|(number, partial, _)| (number, partial))
        .collect()
}

/// Whether a universal move ends here whose legality decisions may change.
fn is_judged(skeleton: &Skeleton, stage: usize) -> bool {
    stage > 0 && !skeleton.conditions.is_empty() && skeleton.is_block_end(stage)
}

/// Whether decisions of the stage must leave a completion of the existential system.
fn is_completed(skeleton: &Skeleton, seen: &[i64]) -> bool {
    let stage = seen.len();
    let decides = !skeleton.stages[stage].is_empty() && stage + 1 < skeleton.stages.len();
    decides && !skeleton.conditions.is_empty() && !skeleton.is_safe_beginning(seen)
}

impl Tree {
    /// Adds a row that need not hold where the column is 1.
    pub(super) fn add_row_unless(&mut self, column: Option<usize>, row: LpRow) {
        let Some(column) = column else {
            self.problem.rows.push(row);
            return;
        };
        let (mut least, mut most) = (0, 0);
        for &(at, by) in &row.terms {
            let Column { lower, upper, .. } = self.problem.columns[at];
            least += (by * lower).min(by * upper);
            most += (by * lower).max(by * upper);
        }
        let mut add = |by: i64, lower: Option<i64>, upper: Option<i64>| {
            let mut terms = row.terms.clone();
            terms.push((column, by));
            self.problem.rows.push(LpRow {
                terms,
                lower,
                upper,
            });
        };
        // A side that always holds is not needed.
        if let Some(upper) = row.upper.filter(|upper| most > *upper) {
            add(upper - most, None, Some(upper));
        }
        if let Some(lower) = row.lower.filter(|lower| least < *lower) {
            add(lower - least, Some(lower), None);
        }
    }

    fn add_column(&mut self, (lower, upper): (i64, i64), origin: ColumnOrigin) -> usize {
        self.origins.push(origin);
        self.problem.columns.push(Column {
            cost: 0,
            lower,
            upper,
        });
        self.problem.columns.len() - 1
    }

    /// The column that says that the universal system is dead after the last history of the path,
    /// if the play does not show that it is alive there.
    pub(super) fn may_be_dead(
        &mut self,
        skeleton: &Skeleton,
        play: &[i64],
        stage: usize,
        path: &[usize],
    ) -> Option<usize> {
        if !is_judged(skeleton, stage) {
            return None;
        }
        let ways = breakable(skeleton, stage, play);
        let dead = match ways.as_slice() {
            _ if ways.iter().any(Vec::is_empty) => return None,
            // No other play begins so: the one condition is all there is to ask.
            [only] if only.len() == 1 && stage == play.len() => {
                self.broken(skeleton, &only[0], play, path)
            }
            _ => {
                // No way is left, and no other play begins so.
                let is_over = ways.is_empty() && stage == play.len();
                let origin = ColumnOrigin::Dead(play[..stage].to_vec());
                self.add_column((i64::from(is_over), 1), origin)
            }
        };
        // Who is dead stays dead.
        let earlier = path[..stage].iter().rev();
        let mut earlier = earlier.filter_map(|&history| self.histories[history].escape.dead);
        if let Some(before) = earlier.next() {
            self.add_implication(before, &[dead]);
        }
        self.histories[path[stage]].escape.dead = Some(dead);
        Some(dead)
    }

    /// Whoever is dead in a history of the play is dead whichever way the play is completed.
    pub(super) fn add_death_rows(&mut self, skeleton: &Skeleton, play: &[i64], path: &[usize]) {
        for stage in (1..=play.len()).filter(|&stage| is_judged(skeleton, stage)) {
            let Some(dead) = self.histories[path[stage]].escape.dead else {
                continue;
            };
            let ways = breakable(skeleton, stage, play);
            let is_only_way = ways.len() == 1 && stage == play.len();
            for way in ways {
                let seen = &play[..stage];
                let broken = way
                    .iter()
                    .map(|known| self.broken(skeleton, known, seen, path));
                let broken: Vec<usize> = broken.collect();
                self.add_implication(dead, &broken);
                if is_only_way {
                    self.add_implications(&broken, dead);
                }
            }
        }
    }

    /// The first column is 1 only if one of the others is.
    fn add_implication(&mut self, column: usize, others: &[usize]) {
        if others.contains(&column) {
            return;
        }
        let terms = others.iter().map(|&other| (other, -1));
        self.problem.rows.push(LpRow {
            terms: [(column, 1)].into_iter().chain(terms).collect(),
            lower: None,
            upper: Some(0),
        });
    }

    /// The last column is 1 if one of the others is.
    fn add_implications(&mut self, columns: &[usize], last: usize) {
        for &column in columns {
            self.add_implication(column, &[last]);
        }
    }

    /// The column of a condition at a history, made anew if nobody has asked for it.
    fn broken(
        &mut self,
        skeleton: &Skeleton,
        known: &Known,
        seen: &[i64],
        path: &[usize],
    ) -> usize {
        let history = path[seen.len()];
        let key = (known.0, known.1.constant);
        if let Some(&column) = self.histories[history].escape.broken.get(&key) {
            return column;
        }
        let column = self.add_broken(skeleton, known, seen, path);
        self.histories[history].escape.broken.insert(key, column);
        column
    }

    /// A column that is 1 where decisions break the condition and 0 elsewhere.
    fn add_broken(
        &mut self,
        skeleton: &Skeleton,
        (number, partial): &Known,
        seen: &[i64],
        path: &[usize],
    ) -> usize {
        let terms = partial.terms.iter().map(|&(var, by)| {
            let Place::Existential(at, number) = skeleton.places[var] else {
                unreachable!("invariant: decisions are existential")
            };
            (self.column(path, at, number), by)
        });
        let mut terms: Vec<(usize, i64)> = terms.collect();
        let column = self.add_column((0, 1), ColumnOrigin::Broken(seen.to_vec()));
        let bound = skeleton.conditions.all[*number].bound - partial.constant;
        let (least, most) = (
            partial.reach.0 - partial.constant,
            partial.reach.1 - partial.constant,
        );
        // At most the bound, or any sum where the column is 1.
        let mut upper = terms.clone();
        upper.push((column, bound - most));
        self.problem.rows.push(LpRow {
            terms: upper,
            lower: None,
            upper: Some(bound),
        });
        // One more than the bound, or any sum where the column is 0.
        terms.push((column, least - bound - 1));
        self.problem.rows.push(LpRow {
            terms,
            lower: Some(least),
            upper: None,
        });
        column
    }

    /// The column that says that the universal system is dead after the last decision of the play.
    pub(super) fn may_be_won(
        &mut self,
        skeleton: &Skeleton,
        play: &[i64],
        stage: usize,
        path: &[usize],
    ) -> Option<usize> {
        let dead = self.histories[path[stage]].escape.dead;
        if skeleton.conditions.is_empty() {
            return None;
        }
        let late = breakable_at_the_end(skeleton, stage, play);
        if late.is_empty() {
            return dead;
        }
        let broken = late
            .iter()
            .map(|known| self.add_broken(skeleton, known, play, path));
        let broken: Vec<usize> = broken.chain(dead).collect();
        let won = self.add_column((0, 1), ColumnOrigin::Won(play.to_vec()));
        self.add_implication(won, &broken);
        self.add_implications(&broken, won);
        Some(won)
    }

    /// Adds values of all later variables that satisfy the existential rows, unless the universal
    /// system is dead already.
    pub(super) fn add_completion(&mut self, skeleton: &Skeleton, seen: &[i64], path: &[usize]) {
        if !is_completed(skeleton, seen) {
            return;
        }
        let stage = seen.len();
        let dead = self.histories[path[stage]].escape.dead;
        let is_known = |var: VarId| match skeleton.places[var] {
            Place::Universal(number) => number < stage,
            Place::Existential(at, _) => at <= stage,
        };
        let mut columns: HashMap<VarId, usize> = HashMap::new();
        for row in skeleton.rows[stage + 1..].iter().flatten() {
            let terms = row.terms.iter().copied();
            let (known, later): (Vec<_>, Vec<_>) = terms.partition(|term| is_known(term.0));
            let known = SystemRow {
                terms: known,
                ..row.clone()
            };
            let mut copy = self.copy(skeleton, &known, seen, path);
            for (var, by) in later {
                let column = *columns.entry(var).or_insert_with(|| {
                    let origin = ColumnOrigin::Completion(var, seen.to_vec());
                    self.add_column(skeleton.whole_boxes[var], origin)
                });
                copy.terms.push((column, by));
            }
            self.add_row_unless(dead, copy);
        }
    }
}

/// What escapes add to a tree, or a little more: plays may share columns.
pub fn size(skeleton: &Skeleton, plays: &[Vec<i64>]) -> Size {
    let mut size = Size::default();
    if skeleton.conditions.is_empty() {
        return size;
    }
    let last = skeleton.stages.len() - 1;
    let mut previous: Option<&Vec<i64>> = None;
    for play in plays {
        for stage in 0..=last {
            let is_new = previous.is_none_or(|previous| previous[..stage] != play[..stage]);
            if is_judged(skeleton, stage) {
                let ways = breakable(skeleton, stage, play);
                let late = match stage == last {
                    true => breakable_at_the_end(skeleton, stage, play),
                    false => Vec::new(),
                };
                let known = ways.iter().flatten().chain(&late);
                size.columns += known.clone().count() + 2 * usize::from(is_new);
                size.rows += ways.len() + 3 * known.clone().count() + 2 * usize::from(is_new);
                // Two rows make a column, and two others may use it.
                let coefficients = known.map(|(_, it)| 2 * it.terms.len() + 5);
                size.coefficients += coefficients.sum::<usize>();
                // Both sides of an equation become rows of their own.
                let rows = skeleton.rows[stage].iter().map(|row| row.terms.len() + 2);
                size.coefficients += if is_new { rows.sum() } else { 0 };
            }
            if is_new && is_completed(skeleton, &play[..stage]) {
                let later = skeleton.rows[stage + 1..].iter().flatten();
                size.columns += skeleton.places.len();
                size.rows += 2 * later.clone().count();
                let coefficients = later.map(|row| 2 * row.terms.len() + 2);
                size.coefficients += coefficients.sum::<usize>();
            }
        }
        previous = Some(play);
    }
    size
}
