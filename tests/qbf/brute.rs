//! Formulas as trees of plain data, written as text and evaluated by trying everything.

use std::fmt::Write;

use quip::program::Quantifier;

/// A variable or gate by its number, and whether it is meant as it is or negated.
pub type Literal = (usize, bool);

/// A gate. Variables have the numbers below [`Circuit::variables`], gates follow.
#[derive(Clone, Debug)]
pub enum Gate {
    And(Vec<Literal>),
    Or(Vec<Literal>),
    Xor(Literal, Literal),
    Ite(Literal, Literal, Literal),
    Quantify(Quantifier, Vec<usize>, Literal),
}

#[derive(Clone, Debug)]
pub struct Circuit {
    pub variables: usize,
    pub free: Vec<usize>,
    pub prefix: Vec<(Quantifier, Vec<usize>)>,
    pub gates: Vec<Gate>,
    pub output: Literal,
}

impl Circuit {
    /// Whether the formula is true.
    pub fn is_true(&self) -> bool {
        let free = self.free.iter().map(|&var| (Quantifier::Exists, var));
        let bound = self.prefix.iter();
        let bound =
            bound.flat_map(|(quantifier, block)| block.iter().map(|&var| (*quantifier, var)));
        let order: Vec<_> = free.chain(bound).collect();
        self.play(&order, &mut vec![false; self.variables])
    }

    fn play(&self, order: &[(Quantifier, usize)], values: &mut Vec<bool>) -> bool {
        let Some(((quantifier, var), rest)) = order.split_first() else {
            return self.literal(self.output, values);
        };
        let mut wins = [false, true].into_iter().map(|value| {
            values[*var] = value;
            self.play(rest, values)
        });
        match quantifier {
            Quantifier::Exists => wins.any(|win| win),
            Quantifier::Forall => wins.all(|win| win),
        }
    }

    fn literal(&self, (number, positive): Literal, values: &mut Vec<bool>) -> bool {
        let value = match number.checked_sub(self.variables) {
            None => values[number],
            Some(gate) => self.gate(&self.gates[gate], values),
        };
        value == positive
    }

    fn gate(&self, gate: &Gate, values: &mut Vec<bool>) -> bool {
        match gate {
            Gate::And(inputs) => inputs.iter().all(|&input| self.literal(input, values)),
            Gate::Or(inputs) => inputs.iter().any(|&input| self.literal(input, values)),
            Gate::Xor(a, b) => self.literal(*a, values) != self.literal(*b, values),
            Gate::Ite(condition, then, other) => {
                let chosen = if self.literal(*condition, values) {
                    then
                } else {
                    other
                };
                self.literal(*chosen, values)
            }
            Gate::Quantify(quantifier, bound, body) => {
                let before = values.clone();
                let mut wins = (0..1_usize << bound.len()).map(|bits| {
                    for (place, &var) in bound.iter().enumerate() {
                        values[var] = bits >> place & 1 == 1;
                    }
                    self.literal(*body, values)
                });
                let result = match quantifier {
                    Quantifier::Exists => wins.any(|win| win),
                    Quantifier::Forall => wins.all(|win| win),
                };
                *values = before;
                result
            }
        }
    }

    /// The formula as QCIR, names by `name`.
    pub fn text(&self, name: impl Fn(usize) -> String) -> String {
        let names = |list: &[usize]| {
            let names: Vec<_> = list.iter().map(|&var| name(var)).collect();
            names.join(", ")
        };
        let literal = |&(number, positive): &Literal| {
            format!("{}{}", if positive { "" } else { "-" }, name(number))
        };
        let literals = |list: &[Literal]| {
            let spelled: Vec<_> = list.iter().map(literal).collect();
            spelled.join(",")
        };
        let mut text = String::from("#QCIR-G14\n");
        if !self.free.is_empty() {
            let _ = writeln!(text, "free({})", names(&self.free));
        }
        for (quantifier, block) in &self.prefix {
            let _ = writeln!(text, "{quantifier}({})", names(block));
        }
        let _ = writeln!(text, "output({})", literal(&self.output));
        for (number, gate) in self.gates.iter().enumerate() {
            let _ = write!(text, "{} = ", name(self.variables + number));
            let _ = match gate {
                Gate::And(inputs) => writeln!(text, "and({})", literals(inputs)),
                Gate::Or(inputs) => writeln!(text, "or({})", literals(inputs)),
                Gate::Xor(a, b) => writeln!(text, "xor({})", literals(&[*a, *b])),
                Gate::Ite(c, t, e) => writeln!(text, "ite({})", literals(&[*c, *t, *e])),
                Gate::Quantify(quantifier, bound, body) => {
                    writeln!(text, "{quantifier}({}; {})", names(bound), literal(body))
                }
            };
        }
        text
    }
}
