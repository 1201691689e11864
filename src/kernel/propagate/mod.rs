//! Bounds under quantifiers: what each player can no longer choose without losing.
//!
//! **Soundness.** A value is taken from an *existential* variable only if every continuation with
//! it breaks an existential row: the other existentials and all universals that are fixed before
//! it count at their best, free universals that are fixed after it at their worst. A value is
//! taken from a *universal* variable only if a universal row alone shows it illegal, with every
//! other variable at its best. Existential variables are never narrowed by universal rows: to kill
//! the universal system is a winning move, not an illegal one.

mod choice;
mod combination;
mod fixpoint;
mod inequality;
mod store;
#[cfg(any(test, feature = "paranoid"))]
mod twin;

pub use combination::{Combination, CombinationId, Said};
pub use fixpoint::{Death, Strength};
pub use inequality::{Entry, Head, Inequalities, InequalityId, NO_LIMIT, Origin};
pub use store::{Change, End, Mark, Reason, Store};
