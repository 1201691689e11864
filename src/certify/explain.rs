//! Which of the conclusions on a trail a conflict leans on.

use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

/// The changes that `needs` leads back to, oldest first.
///
/// `latest(need, before)` finds the last change before place `before` of the trail that brought
/// about what is needed, if it took a change; `needs_of(change)` tells what that change leant on.
pub(crate) fn relevant_changes<Need>(
    needs: impl IntoIterator<Item = Need>,
    end: usize,
    latest: impl Fn(&Need, usize) -> Option<usize>,
    needs_of: impl Fn(usize) -> Vec<Need>,
) -> Vec<usize> {
    let mut waiting: BinaryHeap<usize> = BinaryHeap::new();
    let mut found = FxHashSet::default();
    let mut enlist = |waiting: &mut BinaryHeap<usize>, need: &Need, before: usize| {
        if let Some(change) = latest(need, before)
            && found.insert(change)
        {
            waiting.push(change);
        }
    };
    for need in needs {
        enlist(&mut waiting, &need, end);
    }
    let mut changes = Vec::new();
    while let Some(change) = waiting.pop() {
        changes.push(change);
        for need in needs_of(change) {
            enlist(&mut waiting, &need, change);
        }
    }
    changes.reverse();
    changes
}
