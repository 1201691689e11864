//! The colours: one for each player, and what is neither.

pub(super) const INK: &str = "#1f2933";
pub(super) const QUIET: &str = "#9aa5b1";
pub(super) const PAPER: &str = "#ffffff";
pub(super) const EXISTS: &str = "#1d6fa5";
pub(super) const FORALL: &str = "#b5471b";
pub(super) const WON: &str = "#2f855a";
pub(super) const LOST: &str = "#b83232";
pub(super) const FACE: &str = "#c3d9ea";
pub(super) const SLICE: &str = "#e0952b";
