//! Switches of the decomposition: each technique can be turned off to measure what it brings.

/// See the module. Every combination gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Break a subtree off as soon as its value can no longer matter: it cannot be the worst
    /// (alpha), or what led to it cannot be the best (beta). Off: every subtree is solved to its
    /// end.
    pub breaks: bool,
    /// Hand a cut back as soon as it tells the stage before something new; off: solve the subtree
    /// first, as far as its window asks for it.
    pub fast_back: bool,
    /// Try first the corner that was worst last time; off: corners in their order.
    pub worst_first: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            breaks: true,
            fast_back: false,
            worst_first: true,
        }
    }
}
