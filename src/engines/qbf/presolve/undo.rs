//! From values of the easier formula to values of the given one.

use crate::program::{Id, VarId};
use crate::qbf::literal::Literal;

/// How a variable that went gets its value.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Its owner makes this literal true.
    Fixed(Literal),
    /// The variable has the value of this literal.
    Equal(VarId, Literal),
    /// If all these are false, this literal is true.
    Unless(Literal, Vec<Literal>),
}

/// The steps, in the order in which they were taken.
#[derive(Clone, Debug, Default)]
pub(in crate::qbf) struct Undo {
    pub(super) steps: Vec<Step>,
}

impl Undo {
    /// Completes values, by variable, the last step first.
    pub fn complete(&self, values: &mut [bool]) {
        for step in self.steps.iter().rev() {
            match step {
                Step::Fixed(literal) => values[literal.var().index()] = literal.is_positive(),
                Step::Equal(var, literal) => values[var.index()] = is_true(values, *literal),
                Step::Unless(literal, others) => {
                    if !others.iter().any(|&other| is_true(values, other)) {
                        values[literal.var().index()] = literal.is_positive();
                    }
                }
            }
        }
    }
}

fn is_true(values: &[bool], literal: Literal) -> bool {
    values[literal.var().index()] == literal.is_positive()
}
