//! Order: which moves are looked at, and which of them first.

pub(super) mod history;
pub(super) mod monotone;
pub(super) mod moves;
