//! Rows that know which of their columns exclude one another.
//!
//! **Definition:** a *group* is a set of 0/1 columns of which a row says that exactly one is 1.
//! Where a row holds columns of a group, they add to its sum what one of them adds, not what all
//! could add together. So a time `Σ t · y_t` with `Σ y_t = 1` lies between the first and the last
//! slot that is left, and a slot outside is closed at once; column by column nothing would follow.

use super::Branching;
use super::tighten::Contradiction;
use crate::lp::{Column, LpRow};

/// The groups of a program; a column belongs to one at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// The group of every column that has one.
    of: Vec<Option<usize>>,
    /// How many columns every group has, and the row that says so.
    all: Vec<(usize, usize)>,
}

/// The columns of one group in a row.
#[derive(Clone, Debug)]
struct Part {
    terms: Vec<(usize, i64)>,
    /// Whether all columns of the group are here: one of them is 1.
    is_whole: bool,
}

/// A row, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    loose: Vec<(usize, i64)>,
    parts: Vec<Part>,
}

impl Groups {
    /// Learns the group of a row, if it makes one.
    pub(super) fn take_in(&mut self, columns: &[Column], number: usize, row: &LpRow) {
        self.of.resize(columns.len(), None);
        let Some(&(_, unit)) = row.terms.first() else {
            return;
        };
        let is_choice = row.terms.len() > 1
            && row.lower == Some(unit)
            && row.upper == Some(unit)
            && row.terms.iter().all(|&(column, by)| {
                let Column { lower, upper, .. } = columns[column];
                by == unit && lower >= 0 && upper <= 1 && self.of[column].is_none()
            });
        if is_choice {
            for &(column, _) in &row.terms {
                self.of[column] = Some(self.all.len());
            }
            self.all.push((row.terms.len(), number));
        }
    }

    /// Takes a row apart, if that tells more than its columns one by one.
    pub(super) fn layout(&self, terms: &[(usize, i64)], number: Option<usize>) -> Option<Layout> {
        let mut sorted: Vec<(usize, i64)> = terms.to_vec();
        let group = |column: usize| self.of.get(column).copied().flatten();
        sorted.sort_by_key(|&(column, _)| (group(column), column));
        let mut layout = Layout {
            loose: Vec::new(),
            parts: Vec::new(),
        };
        for chunk in sorted.chunk_by(|one, two| group(one.0) == group(two.0)) {
            match group(chunk[0].0) {
                Some(group) if chunk.len() > 1 && number != Some(self.all[group].1) => {
                    layout.parts.push(Part {
                        terms: chunk.to_vec(),
                        is_whole: chunk.len() == self.all[group].0,
                    });
                }
                _ => layout.loose.extend_from_slice(chunk),
            }
        }
        (!layout.parts.is_empty()).then_some(layout)
    }
}

impl Branching {
    /// Like `tighten_sum`, for a row with parts of groups.
    pub(super) fn tighten_grouped(
        &mut self,
        layout: &Layout,
        lower: Option<i128>,
        upper: Option<i128>,
    ) -> Result<(), Contradiction> {
        let Some((mut least, mut most)) = self.reach(&layout.loose) else {
            return Ok(());
        };
        for part in &layout.parts {
            let (first, second) = self.reach_of_part(part).ok_or(Contradiction)?;
            let sums = (least.checked_add(first), most.checked_add(second));
            let (Some(smaller), Some(larger)) = sums else {
                return Ok(());
            };
            (least, most) = (smaller, larger);
        }
        let rise = upper.map_or(i128::MAX, |upper| upper.saturating_sub(least));
        let fall = lower.map_or(i128::MAX, |lower| most.saturating_sub(lower));
        self.spend_slack(&layout.loose, rise, fall)?;
        for part in &layout.parts {
            let (first, second) = self.reach_of_part(part).ok_or(Contradiction)?;
            for &(column, by) in &part.terms {
                let by = i128::from(by);
                if self.lower[column] < self.upper[column]
                    && (by - first > rise || second - by > fall)
                {
                    self.narrow(column, 0, 0);
                }
            }
        }
        Ok(())
    }

    /// The least and the most that a part adds; `None` if no column of the group can be 1.
    fn reach_of_part(&self, part: &Part) -> Option<(i128, i128)> {
        let mut reach: Option<(i128, i128)> = (!part.is_whole).then_some((0, 0));
        for &(column, by) in &part.terms {
            let by = i128::from(by);
            if self.lower[column] > 0 {
                return Some((by, by));
            }
            if self.upper[column] > 0 {
                let (least, most) = reach.unwrap_or((by, by));
                reach = Some((least.min(by), most.max(by)));
            }
        }
        reach
    }
}
