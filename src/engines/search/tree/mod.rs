//! The tree: positions, the loop that visits them, and what spares visits.
//!
//! `visit` is the loop. A `position` is what is fixed and what that leaves; `layout` says which remainders still matter, and the
//! `table` keeps what is known of them, `mirror` images together. `component`s are visited one by one, a `copy` of a
//! reply not at all. `legality` decides what a move may be where scanning is not exact, `variation` plays the best play again.

pub(super) mod company;
pub(super) mod component;
pub(super) mod copy;
pub(super) mod layout;
pub(super) mod legality;
pub(super) mod mirror;
pub(super) mod position;
pub(super) mod table;
pub(super) mod variation;
pub(super) mod visit;
