//! Formulas with a prefix as circuits of gates, in the text of QCIR.
//!
//! **Invariant:** no gate has a constant among its inputs, and equal gates are written once.

use std::ops::Not;

use rustc_hash::FxHashMap;

use crate::program::Quantifier;

/// A constant, or a variable or gate that may be negated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bit {
    Constant(bool),
    Literal { name: String, negated: bool },
}

impl Not for Bit {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Constant(truth) => Self::Constant(!truth),
            Self::Literal { name, negated } => Self::Literal {
                name,
                negated: !negated,
            },
        }
    }
}

impl Bit {
    fn text(&self) -> String {
        match self {
            // Only an output can be constant.
            Self::Constant(truth) => truth.to_string(),
            Self::Literal { name, negated } => format!("{}{name}", if *negated { "-" } else { "" }),
        }
    }
}

/// A formula that is being built.
#[derive(Default)]
pub(super) struct Circuit {
    prefix: Vec<String>,
    /// What each gate is, in order.
    gates: Vec<String>,
    known: FxHashMap<String, Bit>,
}

impl Circuit {
    /// Adds variables to the end of the prefix.
    pub fn block(
        &mut self,
        owner: Quantifier,
        names: impl IntoIterator<Item = String>,
    ) -> Vec<Bit> {
        let names: Vec<String> = names.into_iter().collect();
        let word = match owner {
            Quantifier::Exists => "exists",
            Quantifier::Forall => "forall",
        };
        self.prefix.push(format!("{word}({})", names.join(", ")));
        let literal = |name| Bit::Literal {
            name,
            negated: false,
        };
        names.into_iter().map(literal).collect()
    }

    /// All of them.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Bit>) -> Bit {
        self.joined("and", true, parts)
    }

    /// At least one of them.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Bit>) -> Bit {
        self.joined("or", false, parts)
    }

    /// Both or neither.
    pub fn same(&mut self, left: &Bit, right: &Bit) -> Bit {
        match (left, right) {
            (Bit::Constant(true), other) | (other, Bit::Constant(true)) => other.clone(),
            (Bit::Constant(false), other) | (other, Bit::Constant(false)) => !other.clone(),
            _ => !self.gate(format!("xor({}, {})", left.text(), right.text())),
        }
    }

    /// Exactly one of them: some, and none behind another.
    pub fn exactly_one(&mut self, bits: &[Bit]) -> Bit {
        let (mut rules, some) = self.none_behind_another(bits);
        rules.push(some);
        self.and(rules)
    }

    /// One of them or none.
    pub fn at_most_one(&mut self, bits: &[Bit]) -> Bit {
        let (rules, _) = self.none_behind_another(bits);
        self.and(rules)
    }

    /// Rules that leave at most one, and whether there is one.
    fn none_behind_another(&mut self, bits: &[Bit]) -> (Vec<Bit>, Bit) {
        let mut rules = Vec::new();
        let mut before = Bit::Constant(false);
        for bit in bits {
            rules.push(self.or([!bit.clone(), !before.clone()]));
            before = self.or([before, bit.clone()]);
        }
        (rules, before)
    }

    /// Turn by turn, whether the rules are kept: the existential player must keep his and reach
    /// the goal; the others must be broken, or he reaches it.
    pub fn in_turns(&mut self, kept: Vec<(Quantifier, Bit)>, goal: Bit) -> Bit {
        kept.into_iter()
            .rev()
            .fold(goal, |goal, (owner, kept)| match owner {
                Quantifier::Exists => self.and([kept, goal]),
                Quantifier::Forall => self.or([!kept, goal]),
            })
    }

    fn joined(&mut self, word: &str, neutral: bool, parts: impl IntoIterator<Item = Bit>) -> Bit {
        let mut open = Vec::new();
        for part in parts {
            match part {
                Bit::Constant(truth) if truth == neutral => {}
                Bit::Constant(_) => return part,
                Bit::Literal { .. } => open.push(part),
            }
        }
        match open.len() {
            0 => Bit::Constant(neutral),
            1 => open.remove(0),
            _ => {
                let inputs: Vec<String> = open.iter().map(Bit::text).collect();
                self.gate(format!("{word}({})", inputs.join(", ")))
            }
        }
    }

    fn gate(&mut self, meaning: String) -> Bit {
        if let Some(known) = self.known.get(&meaning) {
            return known.clone();
        }
        let bit = Bit::Literal {
            name: format!("g{}", self.gates.len() + 1),
            negated: false,
        };
        self.gates.push(meaning.clone());
        self.known.insert(meaning, bit.clone());
        bit
    }

    /// The formula that says `output`.
    pub fn text(mut self, output: Bit) -> String {
        let output = match output {
            Bit::Constant(true) => self.gate("and()".to_owned()),
            Bit::Constant(false) => self.gate("or()".to_owned()),
            literal => literal,
        };
        let mut text = "#QCIR-G14\n".to_owned();
        for block in &self.prefix {
            text += &format!("{block}\n");
        }
        text += &format!("output({})\n", output.text());
        for (number, gate) in (1..).zip(&self.gates) {
            text += &format!("g{number} = {gate}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_vanish_and_equal_gates_are_one() {
        let mut circuit = Circuit::default();
        let block = circuit.block(Quantifier::Exists, ["a".to_owned(), "b".to_owned()]);
        let [a, b] = &block[..] else {
            panic!("two variables")
        };
        let both = circuit.and([a.clone(), Bit::Constant(true), b.clone()]);
        assert_eq!(circuit.and([a.clone(), b.clone()]), both);
        assert_eq!(
            circuit.or([both.clone(), Bit::Constant(true)]),
            Bit::Constant(true)
        );
        assert_eq!(circuit.same(&Bit::Constant(false), a), !a.clone());
        assert_eq!(
            circuit.text(both),
            "#QCIR-G14\nexists(a, b)\noutput(g1)\ng1 = and(a, b)\n"
        );
    }
}
