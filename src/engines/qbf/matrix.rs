//! A formula as the engine takes it: a prefix and clauses.

use super::literal::{Literal, Prefix};
use super::rows;
use crate::program::Program;

/// A prefix and clauses over it.
///
/// **Invariant:** no clause has a variable twice.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub prefix: Prefix,
    pub clauses: Vec<Vec<Literal>>,
}

impl Matrix {
    /// The formula of a program, if it is one.
    pub fn new(program: &Program) -> Option<Self> {
        let mut prefix = Prefix::new(program);
        let clauses = rows::clauses(program, &mut prefix)?;
        Some(Self { prefix, clauses })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::Matrix;
    use crate::format::read_bytes;

    /// The formula of a text.
    pub fn matrix(text: &str) -> Matrix {
        Matrix::new(&read_bytes("formula", text.as_bytes()).unwrap().program).unwrap()
    }
}
