//! Bounds: what a position is worth at least, without visiting what is below.
//!
//! `guide` decides when a linear program of some `scenario`s is asked and what it cuts; `combine` keeps what it proved as rows.
//! `foresight` bounds the root, and `rise` asks the root from below.

pub(super) mod combine;
pub(super) mod foresight;
pub(super) mod guide;
pub(super) mod rise;
pub(super) mod scenario;
