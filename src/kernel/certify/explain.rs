//! Which of the conclusions on a trail a conflict leans on.

/// The changes that `needs` leads back to, oldest first.
///
/// `latest(need, before)` finds the last change before place `before` of the trail that brought
/// about what is needed, if it took a change; `needs_of(change)` tells what that change leant on.
pub fn relevant_changes<Need, Needs: IntoIterator<Item = Need>>(
    needs: impl IntoIterator<Item = Need>,
    end: usize,
    latest: impl Fn(&Need, usize) -> Option<usize>,
    needs_of: impl Fn(usize) -> Needs,
) -> Vec<usize> {
    // The places of the trail that are waiting, as bits.
    let mut waiting = vec![0_u64; end.div_ceil(64)];
    let enlist = |waiting: &mut Vec<u64>, need: &Need, before: usize| {
        if let Some(change) = latest(need, before) {
            waiting[change / 64] |= 1 << (change % 64);
        }
    };
    for need in needs {
        enlist(&mut waiting, &need, end);
    }
    let mut changes: Vec<usize> = Vec::new();
    for word in (0..waiting.len()).rev() {
        while waiting[word] != 0 {
            // The latest first: what it leans on came before.
            let bit = waiting[word].ilog2() as usize;
            waiting[word] &= !(1 << bit);
            let change = word * 64 + bit;
            changes.push(change);
            for need in needs_of(change) {
                enlist(&mut waiting, &need, change);
            }
        }
    }
    changes.reverse();
    changes
}
