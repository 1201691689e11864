//! A universal move as one number.
//!
//! The universal player names one of `n` options by an integer variable; the existential player
//! sees it as `n` binary variables of which exactly one is true. That leaves `n` choices where `n`
//! universal binaries would leave `2^n`, and no universal row is needed. What happens when the
//! option named is against the rules is for the game to say: as a rule the existential player may
//! then choose in the other's place, which is never worse for him than any choice of the other.

use crate::model::{Model, Var, exactly_one, row};

/// Adds the universal number `name` and its existential view, labelled by `label`.
pub(super) fn announced(
    model: &mut Model,
    name: String,
    options: usize,
    label: impl Fn(usize) -> String,
) -> Vec<Var> {
    let number = model.forall().integer(name, 1..=options);
    let mut stage = model.exists();
    let aims: Vec<Var> = (0..options)
        .map(|option| stage.binary(label(option)))
        .collect();
    let mut rows = model.rows("aim");
    rows.add(exactly_one(&aims));
    for (place, &aim) in (1..).zip(&aims) {
        let beyond = options - place;
        rows.add(row!(place * aim <= number));
        rows.add(row!(number + beyond * aim <= options));
    }
    aims
}
