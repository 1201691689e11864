//! Pictures of small programs, as SVG text.
//!
//! [`strategy_tree`] draws a plan: what its owner does against everything the other may do;
//! [`strategy_graph`] draws it with its runs of moves and its shared parts drawn together.
//! [`solution_space`] draws what the rows of a program of three variables allow, and where in it
//! the plan ends. Pictures are for the eye: positions are floats, and nothing is decided by them.

mod graph;
mod palette;
mod solid;
mod space;
mod svg;
mod tree;

pub use graph::strategy_graph;
pub use space::solution_space;
pub use tree::strategy_tree;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The tree would not fit a page.
    #[error("the plan has more than {0} ends; a picture of it would not be readable")]
    TooLarge(usize),
    /// Only three dimensions can be drawn.
    #[error("the solution space is drawn for three bounded variables, and this program has {0}")]
    NotThreeVariables(usize),
    /// A bound is infinite.
    #[error("the solution space is not bounded: `{0}` has an infinite bound")]
    Unbounded(String),
}
