//! Which of the conclusions on a trail a conflict leans on.

use std::collections::BinaryHeap;

/// The changes that `needs` leads back to, oldest first.
///
/// `latest(need, before)` finds the last change before place `before` of the trail that brought
/// about what is needed, if it took a change; `needs_of(change)` tells what that change leant on.
pub(crate) fn relevant_changes<Need, Needs: IntoIterator<Item = Need>>(
    needs: impl IntoIterator<Item = Need>,
    end: usize,
    latest: impl Fn(&Need, usize) -> Option<usize>,
    needs_of: impl Fn(usize) -> Needs,
) -> Vec<usize> {
    let enlist = |waiting: &mut BinaryHeap<usize>, need: &Need, before: usize| {
        waiting.extend(latest(need, before));
    };
    let mut waiting = BinaryHeap::new();
    for need in needs {
        enlist(&mut waiting, &need, end);
    }
    let mut changes: Vec<usize> = Vec::new();
    while let Some(change) = waiting.pop() {
        // The latest comes first, so that one that was enlisted twice comes twice in a row.
        if changes.last() != Some(&change) {
            changes.push(change);
            for need in needs_of(change) {
                enlist(&mut waiting, &need, change);
            }
        }
    }
    changes.reverse();
    changes
}
