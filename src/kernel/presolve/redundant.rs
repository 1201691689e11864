//! Sides of rows that hold whatever the players do go, and rows without a side go with them.
//!
//! *The same plays*: the row holds in every play inside the domains. True for both systems.

use super::draft::{Draft, Line};

/// Drops what always holds; tells how many sides went.
pub(super) fn drop_sides(draft: &mut Draft) -> usize {
    let mut lines = std::mem::take(&mut draft.lines);
    let count = lines.iter_mut().map(|line| drop_from(line, draft)).sum();
    lines.retain(|line| line.lower.is_some() || line.upper.is_some());
    draft.lines = lines;
    count
}

fn drop_from(line: &mut Line, draft: &Draft) -> usize {
    let (least, greatest) = draft.range(line);
    let upper = line.upper.take_if(|upper| greatest <= *upper);
    let lower = line.lower.take_if(|lower| *lower <= least);
    let count = upper.iter().chain(&lower).count();
    line.changed |= count > 0;
    count
}
