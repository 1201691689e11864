//! Quantifiers to the front.
//!
//! The circuit is walked from its output. A quantifier opens a *scope*: a fresh copy of what it
//! binds, and with it of every gate below that depends on it. Above quantifiers negation is pushed
//! down, so that each of them is met with a sign: under a negation `exists` and `forall` swap.
//! Gates without a quantifier below them stay as they are, and are negated as a whole.
//!
//! Why a copy may be used many times with the same sign: the formula grows with the truth of the
//! quantified part `Qx ψ(x)`, so replacing all its occurrences by `ψ(x)` under one `Qx`, anywhere
//! behind the free variables of `ψ`, changes nothing.
//!
//! **Invariant:** *levels* are existential where even, universal where odd, and every variable
//! has a level not below those of the scopes around it.

use std::ops::ControlFlow;

use super::circuit::{Circuit, Input, Meaning, Operation, Symbol};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::shortened;
use crate::program::{Id, Quantifier};

/// A wire by its number, and whether it is meant as it is or negated.
pub(super) type Signal = (usize, bool);

/// What a wire carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Variable,
    /// `And`, `Or`, `Xor` or `Choice` of earlier wires.
    Gate(Operation, Vec<Signal>),
}

#[derive(Clone, Debug)]
pub(super) struct Wire {
    /// What the file calls it; copies have a number behind the name.
    pub name: String,
    /// The level of its variable, or the deepest one that a gate depends on.
    pub level: usize,
    pub source: Source,
}

/// A circuit without quantifiers inside; inputs of gates have smaller numbers than the gate.
pub(super) struct Flat {
    pub wires: Vec<Wire>,
    pub output: Signal,
}

/// A quantifier that is open, or the prefix.
struct Scope {
    id: u64,
    level: usize,
    /// Copies made before this time are out of reach: a name they use is bound anew.
    barrier: u64,
}

/// The last copy of a gate.
#[derive(Copy, Clone)]
struct Copied {
    signal: Signal,
    scope: u64,
    depth: usize,
    time: u64,
}

/// A gate that is being copied.
struct Frame {
    gate: usize,
    positive: bool,
    next: usize,
    children: Vec<Input>,
    signals: Vec<Signal>,
    depth: usize,
}

struct Walk<'c, 't> {
    circuit: &'c Circuit<'t>,
    /// Whether a quantifier stands below, by gate.
    quantified: Vec<bool>,
    /// By gate and sign.
    copies: Vec<[Option<Copied>; 2]>,
    /// The wires of a variable with the depths of their scopes, innermost last, by symbol.
    bindings: Vec<Vec<(usize, usize)>>,
    /// How often a name has been used, by symbol.
    named: Vec<u64>,
    scopes: Vec<Scope>,
    wires: Vec<Wire>,
    frames: Vec<Frame>,
    time: u64,
    /// Copies that may still be made.
    allowance: usize,
}

/// Copies beyond this many, and eight for each input of the file, are a formula out of hand.
const SPARE_COPIES: usize = 1_000_000;

/// The circuit of the output, with all quantifiers in its levels. `order` has inputs first.
pub(super) fn prenex(circuit: &Circuit<'_>, order: &[usize]) -> Result<Flat, Draft> {
    let Some((symbol, positive)) = circuit.output else {
        return Err(Draft::new(
            Code::MissingSection,
            "the circuit has no output",
        ));
    };
    let inputs: usize = circuit.gates.iter().map(|gate| gate.inputs.len() + 1).sum();
    let mut walk = Walk {
        quantified: quantified(circuit, order),
        copies: vec![[None; 2]; circuit.gates.len()],
        bindings: vec![Vec::new(); circuit.meanings.len()],
        named: vec![0; circuit.meanings.len()],
        scopes: Vec::new(),
        wires: Vec::new(),
        frames: Vec::new(),
        time: 1,
        allowance: SPARE_COPIES + 8 * inputs,
        circuit,
    };
    walk.open_prefix();
    let output = walk.run((symbol, positive))?;
    Ok(Flat {
        wires: walk.wires,
        output,
    })
}

fn quantified(circuit: &Circuit<'_>, order: &[usize]) -> Vec<bool> {
    let mut quantified = vec![false; circuit.gates.len()];
    for &gate in order {
        let definition = &circuit.gates[gate];
        let below = definition.inputs.iter().any(|(symbol, _)| {
            matches!(circuit.meanings[symbol.index()], Meaning::Gate(input) if quantified[input])
        });
        quantified[gate] = below || matches!(definition.operation, Operation::Quantify(_));
    }
    quantified
}

/// The first level from `level` on that belongs to the quantifier.
fn level_from(level: usize, quantifier: Quantifier) -> usize {
    let universal = usize::from(quantifier == Quantifier::Forall);
    level + usize::from(level % 2 != universal)
}

impl Walk<'_, '_> {
    fn open_prefix(&mut self) {
        let mut level = 0;
        let circuit = self.circuit;
        for (quantifier, block) in &circuit.prefix {
            if !block.is_empty() {
                level = level_from(level, *quantifier);
            }
            for &symbol in block {
                self.bind(symbol, level, 0);
            }
        }
        self.scopes.push(Scope {
            id: 0,
            level,
            barrier: 0,
        });
    }

    fn bind(&mut self, symbol: Symbol, level: usize, depth: usize) {
        let name = self.name(symbol);
        self.bindings[symbol.index()].push((self.wires.len(), depth));
        self.wires.push(Wire {
            name,
            level,
            source: Source::Variable,
        });
    }

    /// The name of the next copy.
    fn name(&mut self, symbol: Symbol) -> String {
        let name = self.circuit.symbols.name(symbol);
        let used = &mut self.named[symbol.index()];
        *used += 1;
        match *used {
            1 => name.to_owned(),
            number => format!("{name}_{number}"),
        }
    }

    fn run(&mut self, output: Input) -> Result<Signal, Draft> {
        let mut wanted = output;
        loop {
            let mut ready = match self.visit(wanted)? {
                ControlFlow::Break(ready) => ready,
                ControlFlow::Continue(()) => {
                    // A gate without inputs is finished at once, any other wants its first one.
                    match self.next_child() {
                        Some(child) => {
                            wanted = child;
                            continue;
                        }
                        None => self.finish(),
                    }
                }
            };
            wanted = loop {
                let Some(frame) = self.frames.last_mut() else {
                    return Ok(ready.0);
                };
                frame.signals.push(ready.0);
                frame.depth = frame.depth.max(ready.1);
                match self.next_child() {
                    Some(child) => break child,
                    None => ready = self.finish(),
                }
            };
        }
    }

    fn next_child(&mut self) -> Option<Input> {
        let frame = self.frames.last_mut()?;
        let child = frame.children.get(frame.next).copied();
        frame.next += 1;
        child
    }

    /// The signal of an input and the depth of the scope it needs, or a new frame that will have it.
    fn visit(&mut self, input: Input) -> Result<ControlFlow<(Signal, usize)>, Draft> {
        let (symbol, positive) = input;
        let Meaning::Gate(gate) = self.circuit.meanings[symbol.index()] else {
            let binding = self.bindings[symbol.index()].last();
            let &(wire, depth) = binding.ok_or_else(|| self.unbound(symbol))?;
            return Ok(ControlFlow::Break(((wire, positive), depth)));
        };
        // The sign of a gate without quantifiers is a matter of its users.
        let sign = positive || !self.quantified[gate];
        if let Some(copy) = self.copies[gate][usize::from(sign)]
            && self.is_in_reach(&copy)
        {
            let (wire, copied) = copy.signal;
            let signal = (wire, copied == (positive == sign));
            return Ok(ControlFlow::Break((signal, copy.depth)));
        }
        self.allowance = self
            .allowance
            .checked_sub(1)
            .ok_or_else(|| self.too_large(gate))?;
        let children = self.children(gate, sign);
        self.frames.push(Frame {
            gate,
            positive,
            next: 0,
            children,
            signals: Vec::new(),
            depth: 0,
        });
        self.open_scope(gate, sign);
        Ok(ControlFlow::Continue(()))
    }

    fn is_in_reach(&self, copy: &Copied) -> bool {
        let open = self.scopes.get(copy.depth);
        let barrier = self.scopes.last().map_or(0, |scope| scope.barrier);
        open.is_some_and(|scope| scope.id == copy.scope) && copy.time >= barrier
    }

    /// The inputs to visit, with negation pushed down if a quantifier stands below.
    fn children(&self, gate: usize, sign: bool) -> Vec<Input> {
        let definition = &self.circuit.gates[gate];
        let inputs = definition.inputs.iter().copied();
        if !self.quantified[gate] {
            return inputs.collect();
        }
        let signed = |(symbol, positive): Input, keep: bool| (symbol, positive == keep);
        match (definition.operation, definition.inputs.as_slice()) {
            // One or the other but not both; for its negation the first input is negated.
            (Operation::Xor, &[a, b]) => {
                vec![
                    signed(a, sign),
                    signed(b, false),
                    signed(a, !sign),
                    signed(b, true),
                ]
            }
            (Operation::Choice, &[condition, then, other]) => vec![
                signed(condition, false),
                signed(then, sign),
                signed(condition, true),
                signed(other, sign),
            ],
            _ => inputs.map(|input| signed(input, sign)).collect(),
        }
    }

    fn open_scope(&mut self, gate: usize, sign: bool) {
        let circuit = self.circuit;
        let definition = &circuit.gates[gate];
        let Operation::Quantify(quantifier) = definition.operation else {
            return;
        };
        let quantifier = if sign {
            quantifier
        } else {
            quantifier.opponent()
        };
        let (outer, barrier) = self
            .scopes
            .last()
            .map_or((0, 0), |it| (it.level, it.barrier));
        let hides = |symbol: &Symbol| !self.bindings[symbol.index()].is_empty();
        let hides = definition.bound.iter().any(hides);
        self.time += 1;
        let scope = Scope {
            id: self.time,
            level: level_from(outer, quantifier),
            barrier: if hides { self.time } else { barrier },
        };
        for &symbol in &definition.bound {
            self.bind(symbol, scope.level, self.scopes.len());
        }
        self.scopes.push(scope);
    }

    /// Closes the top frame: its signal and the depth of the scope it needs.
    fn finish(&mut self) -> (Signal, usize) {
        let frame = self.frames.pop().expect("invariant: a gate is open");
        let definition = &self.circuit.gates[frame.gate];
        let quantified = self.quantified[frame.gate];
        let sign = frame.positive || !quantified;
        let mut depth = frame.depth;
        let signal = match definition.operation {
            Operation::Quantify(_) => {
                for symbol in &definition.bound {
                    self.bindings[symbol.index()].pop();
                }
                self.scopes.pop();
                // What else the body needs lies somewhere above: no deeper than the scope around.
                depth = depth.min(self.scopes.len() - 1);
                frame.signals[0]
            }
            operation if quantified => self.monotone(operation, sign, &frame),
            operation => self.gate(operation, frame.signals, definition.symbol),
        };
        self.time += 1;
        self.copies[frame.gate][usize::from(sign)] = Some(Copied {
            signal,
            scope: self.scopes[depth].id,
            depth,
            time: self.time,
        });
        let (wire, copied) = signal;
        ((wire, copied == (frame.positive == sign)), depth)
    }

    /// A gate above quantifiers, whose inputs carry the negation already.
    fn monotone(&mut self, operation: Operation, sign: bool, frame: &Frame) -> Signal {
        let symbol = self.circuit.gates[frame.gate].symbol;
        let outer = match (operation, sign) {
            (Operation::And, true) | (Operation::Or, false) | (Operation::Choice, _) => {
                Operation::And
            }
            _ => Operation::Or,
        };
        if matches!(operation, Operation::And | Operation::Or) {
            return self.gate(outer, frame.signals.clone(), symbol);
        }
        let inner = match outer {
            Operation::And => Operation::Or,
            _ => Operation::And,
        };
        let (left, right) = frame.signals.split_at(2);
        let parts = [left, right].map(|part| self.gate(inner, part.to_vec(), symbol));
        self.gate(outer, parts.to_vec(), symbol)
    }

    /// A new wire; a single conjunct or disjunct needs none.
    fn gate(&mut self, operation: Operation, signals: Vec<Signal>, symbol: Symbol) -> Signal {
        if let (Operation::And | Operation::Or, &[only]) = (operation, signals.as_slice()) {
            return only;
        }
        let levels = signals.iter().map(|&(wire, _)| self.wires[wire].level);
        let level = levels.max().unwrap_or(0);
        let name = self.name(symbol);
        self.wires.push(Wire {
            name,
            level,
            source: Source::Gate(operation, signals),
        });
        (self.wires.len() - 1, true)
    }

    fn unbound(&self, symbol: Symbol) -> Draft {
        let name = shortened(self.circuit.symbols.name(symbol));
        let span = self.circuit.symbols.first_use(symbol).unwrap_or(0..0);
        let message = format!("`{name}` is used where no quantifier binds it");
        let draft = Draft::new(Code::NotDeclared, message).at(span, "first used here");
        let place = self.circuit.places[symbol.index()].clone();
        draft
            .at(place, "bound only below this gate")
            .help("quantify it in the prefix, or list it in `free(…)`")
    }

    fn too_large(&self, gate: usize) -> Draft {
        let symbol = self.circuit.gates[gate].symbol;
        let message = "pulling the quantifiers to the front makes too many copies of gates";
        let draft = Draft::new(Code::TooManyCopies, message);
        let place = self.circuit.places[symbol.index()].clone();
        draft
            .at(place, "copied here")
            .help("give quantifiers that do not depend on each other gates of their own")
    }
}
