//! Switches of the search: each technique can be turned off, so that its effect can be measured
//! and its slow twin tested.

/// See the module. Every combination gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Narrow bounds by quantified propagation; off: dead rows are noticed, nothing more.
    pub propagate: bool,
    /// Bytes of the transposition table; zero turns it off.
    pub table_bytes: usize,
    /// Try only the end of a variable that is best for its owner in every row.
    pub monotone: bool,
    /// Try first the value that was best in the table or most often elsewhere.
    pub ordering: bool,
    /// Bound positions by linear programs; off: only by propagation.
    pub relax: bool,
    /// Branch on the variable of an existential block that the relaxation is most in doubt about;
    /// off: in the order of the prefix.
    pub follow_doubt: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            propagate: true,
            table_bytes: 96 << 20,
            monotone: true,
            ordering: true,
            relax: true,
            follow_doubt: false,
        }
    }
}
