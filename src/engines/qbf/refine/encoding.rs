//! Games as clauses of a SAT solver.
//!
//! What is fixed in a game goes on the way, and gates that are made of the same things are the same:
//! games differ in a few moves, and most of what they have in common is there once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{Formula, Gate};
use super::game::{Binding, Game, Symbol};
use super::oracle::{Lit, Oracle};
use crate::program::{Id, Quantifier};
use crate::qbf::literal::Literal;

/// What a variable is in a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Wire {
    Fixed(bool),
    Open(Lit),
}

pub(super) struct Encoding {
    pub oracle: Oracle,
    /// Symbols that occur, and their literals.
    pub symbols: Vec<(Symbol, Lit)>,
    literals: FxHashMap<Symbol, Lit>,
    /// Gates by the terms that make them true.
    gates: FxHashMap<Vec<Vec<Lit>>, Lit>,
    /// Literals that are true only where all literals of a clause are false.
    failures: FxHashMap<Vec<Lit>, Lit>,
    /// Clauses that are there.
    clauses: FxHashSet<Vec<Lit>>,
    /// Literals in all clauses.
    written: usize,
}

impl Encoding {
    pub fn new() -> Self {
        Self {
            oracle: Oracle::new(),
            symbols: Vec::new(),
            literals: FxHashMap::default(),
            gates: FxHashMap::default(),
            failures: FxHashMap::default(),
            clauses: FxHashSet::default(),
            written: 0,
        }
    }

    /// Demands that the player wins the game; tells how many literals that took.
    pub fn add(&mut self, formula: &Formula, game: &Game, player: Quantifier) -> usize {
        let before = self.written;
        let mut wires = self.wires_of_choices(formula, game);
        for gate in &formula.gates {
            wires[gate.var.index()] = self.gate(gate, &wires);
        }
        match player {
            Quantifier::Exists => self.demand_all(formula, &wires),
            Quantifier::Forall => self.demand_failure(formula, &wires),
        }
        self.written - before
    }

    fn wires_of_choices(&mut self, formula: &Formula, game: &Game) -> Vec<Wire> {
        let vars = (0..formula.variables()).map(Id::new);
        let wires = vars.map(|var| match formula.choice(var) {
            None => Wire::Fixed(false),
            Some(choice) => match game.binding(choice) {
                Binding::Fixed(value) => Wire::Fixed(value),
                Binding::Open(symbol) => Wire::Open(self.literal(symbol)),
            },
        });
        wires.collect()
    }

    fn literal(&mut self, symbol: Symbol) -> Lit {
        if let Some(&literal) = self.literals.get(&symbol) {
            return literal;
        }
        let literal = self.oracle.new_literal();
        self.literals.insert(symbol, literal);
        self.symbols.push((symbol, literal));
        literal
    }

    /// Every clause holds.
    fn demand_all(&mut self, formula: &Formula, wires: &[Wire]) {
        for clause in &formula.clauses {
            if let Some(clause) = disjunction(clause, wires)
                && !self.clauses.contains(&clause)
            {
                self.write(&clause);
                self.clauses.insert(clause);
            }
        }
    }

    /// Some clause fails.
    fn demand_failure(&mut self, formula: &Formula, wires: &[Wire]) {
        let mut some = Vec::new();
        for clause in &formula.clauses {
            match disjunction(clause, wires) {
                None => {}
                Some(clause) if clause.is_empty() => return,
                Some(clause) => some.push(self.failure(clause)),
            }
        }
        some.sort_unstable();
        some.dedup();
        self.write(&some);
    }

    /// A literal that is true only where all of these are false.
    fn failure(&mut self, clause: Vec<Lit>) -> Lit {
        if let &[only] = clause.as_slice() {
            return !only;
        }
        if let Some(&literal) = self.failures.get(&clause) {
            return literal;
        }
        let literal = self.oracle.new_literal();
        for &one in &clause {
            self.write(&[!literal, !one]);
        }
        self.failures.insert(clause, literal);
        literal
    }

    fn gate(&mut self, gate: &Gate, wires: &[Wire]) -> Wire {
        let (ones, zeros) = match (terms(&gate.ones, wires), terms(&gate.zeros, wires)) {
            (Terms::Always, _) | (_, Terms::Never) => return Wire::Fixed(true),
            (_, Terms::Always) | (Terms::Never, _) => return Wire::Fixed(false),
            (Terms::Some(ones), Terms::Some(zeros)) => (ones, zeros),
        };
        if let Some(only) = single(&ones) {
            return Wire::Open(only);
        }
        if let Some(only) = single(&zeros) {
            return Wire::Open(!only);
        }
        if let Some(&literal) = self.gates.get(&ones) {
            return Wire::Open(literal);
        }
        let literal = self.oracle.new_literal();
        for (terms, output) in [(&ones, literal), (&zeros, !literal)] {
            for term in terms {
                let mut clause: Vec<Lit> = term.iter().map(|&it| !it).collect();
                clause.push(output);
                self.write(&clause);
            }
        }
        self.gates.insert(ones, literal);
        Wire::Open(literal)
    }

    fn write(&mut self, clause: &[Lit]) {
        self.written += clause.len();
        self.oracle.add(clause);
    }
}

fn wire(literal: Literal, wires: &[Wire]) -> Wire {
    match wires[literal.var().index()] {
        Wire::Fixed(value) => Wire::Fixed(value == literal.is_positive()),
        Wire::Open(lit) => Wire::Open(lit.apply_sign(literal.is_positive())),
    }
}

/// The open literals of a clause, sorted; nothing if it holds.
fn disjunction(clause: &[Literal], wires: &[Wire]) -> Option<Vec<Lit>> {
    let mut open = Vec::with_capacity(clause.len());
    for &literal in clause {
        match wire(literal, wires) {
            Wire::Fixed(true) => return None,
            Wire::Fixed(false) => {}
            Wire::Open(lit) => open.push(lit),
        }
    }
    open.sort_unstable();
    open.dedup();
    // A literal and its negation are neighbours.
    let holds = open.windows(2).any(|pair| pair[0] == !pair[1]);
    (!holds).then_some(open)
}

/// Where a gate has a value.
enum Terms {
    Always,
    Never,
    Some(Vec<Vec<Lit>>),
}

fn terms(given: &[Vec<Literal>], wires: &[Wire]) -> Terms {
    let mut terms = Vec::with_capacity(given.len());
    for term in given {
        // A term is possible where the clause of its negations does not hold.
        let negated: Vec<Literal> = term.iter().map(|it| it.negated()).collect();
        match disjunction(&negated, wires) {
            None => {}
            Some(open) if open.is_empty() => return Terms::Always,
            Some(mut open) => {
                open.iter_mut().for_each(|it| *it = !*it);
                terms.push(open);
            }
        }
    }
    terms.sort_unstable();
    terms.dedup();
    if terms.is_empty() {
        Terms::Never
    } else {
        Terms::Some(terms)
    }
}

fn single(terms: &[Vec<Lit>]) -> Option<Lit> {
    match terms {
        [term] if term.len() == 1 => Some(term[0]),
        _ => None,
    }
}
