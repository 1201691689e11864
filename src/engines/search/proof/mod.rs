//! Proofs: certificates of what a search has found.
//!
//! `certificate` walks the game once more for each side, with the value known; `extract` makes the plan of a walk, and each other
//! file one kind of its parts.

mod answers;
pub(super) mod certificate;
mod derived;
mod extract;
mod leaf;
mod moves;
mod needs;
mod past;
mod reuse;
mod tail;
