//! Coefficients that are larger than the most by which a row can fail shrink to that.
//!
//! Let the greatest sum of `Σ a x <= b` exceed `b` by `e > 0`, and let `a > e` for some `x` with
//! upper end `u`. With `x <= u - 1` the sum stays at least `a` below the greatest one, so the row
//! holds; only `x = u` can break it. Replace `a` by `e` and `b` by `b - (a - e) u`. For `x = u` the
//! row says the same. For `x <= u - 1` it still always holds, because the greatest sum exceeds the
//! right-hand side by `e` as before. So the row holds in *the same plays*, and its linear relaxation
//! is tighter. For negative coefficients replace `x` by `-x`.
//!
//! This is the coefficient reduction of Crowder, Johnson and Padberg (1983), which 0/1 solvers call
//! saturation, for general integers. Rows with two sides are left alone, and so are universal rows,
//! of which no linear relaxation is made.

use super::draft::{Draft, Line};
use crate::program::Quantifier;

/// Shrinks coefficients of existential rows with one side; tells how many.
pub(super) fn shrink(draft: &mut Draft) -> usize {
    let mut lines = std::mem::take(&mut draft.lines);
    let existential = |line: &&mut Line| line.owner == Quantifier::Exists;
    let count = lines
        .iter_mut()
        .filter(existential)
        .map(|line| shrink_line(line, draft))
        .sum();
    draft.lines = lines;
    count
}

fn shrink_line(line: &mut Line, draft: &Draft) -> usize {
    let (least, greatest) = draft.range(line);
    // `sign` is the direction in which the sum must not grow.
    let (sign, excess) = match (line.lower, line.upper) {
        (None, Some(upper)) => (1, greatest - upper),
        (Some(lower), None) => (-1, lower - least),
        _ => return 0,
    };
    if excess <= 0 {
        return 0;
    }
    let (mut count, mut share) = (0, 0);
    for (var, coefficient) in &mut line.terms {
        let surplus = coefficient.abs() - excess;
        if surplus <= 0 {
            continue;
        }
        let domain = &draft.domains[*var];
        let toward_upper = coefficient.signum() == sign;
        let end = if toward_upper {
            domain.upper
        } else {
            domain.lower
        };
        let change = coefficient.signum() * surplus;
        *coefficient -= change;
        share += change * end;
        count += 1;
    }
    if count > 0 {
        line.shift_sides(-share, -share);
        line.normalize();
    }
    count
}
