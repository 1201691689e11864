//! A formula that is being changed: clauses, and where literals occur.

use super::undo::{Step, Undo};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::{Id, Quantifier, VarId};
use crate::qbf::gates::Gates;
use crate::qbf::literal::{Literal, Prefix};
use crate::qbf::matrix::Matrix;
#[cfg(any(test, feature = "paranoid"))]
use crate::qbf::twin;

/// A clause by its place.
pub(super) type Place = usize;

pub(super) struct Draft<'b> {
    budget: &'b mut Budget,
    /// A limit that ended the work.
    pub stop: Option<Stop>,
    pub prefix: Prefix,
    /// Clauses by place; those that are gone are `None`. Literals are sorted.
    clauses: Vec<Option<Vec<Literal>>>,
    /// By literal: the clauses that have it, and some that had it.
    occurrences: Vec<Vec<Place>>,
    undo: Undo,
    /// A clause has no existential literal: the universal player has won.
    decided: bool,
    /// Literals that went from some clause, for those who wait for the last to go.
    pub vanished: Vec<Literal>,
    /// Clauses that have lost literals, for those who wait for short ones.
    pub shortened: Vec<Place>,
    /// Clauses that were copied so far.
    pub copied: usize,
    /// How many changes there were; tells whether another round is worth it.
    pub changes: usize,
    /// The number of variables in the beginning.
    given: usize,
    /// The outermost block in the beginning.
    pub outermost: u32,
}

impl<'b> Draft<'b> {
    pub fn new(matrix: Matrix, budget: &'b mut Budget) -> Self {
        let vars = matrix.prefix.vars();
        let outermost = vars.map(|var| matrix.prefix.block_of(var));
        let mut draft = Self {
            budget,
            stop: None,
            occurrences: vec![Vec::new(); 2 * matrix.prefix.len()],
            given: matrix.prefix.len(),
            outermost: outermost.min().unwrap_or(0),
            prefix: matrix.prefix,
            clauses: Vec::new(),
            undo: Undo::default(),
            decided: false,
            vanished: Vec::new(),
            shortened: Vec::new(),
            copied: 0,
            changes: 0,
        };
        for clause in matrix.clauses {
            draft.add(clause);
        }
        draft.changes = 0;
        draft
    }

    /// The formula as it is now, and the way back.
    pub fn finish(mut self) -> (Matrix, Undo) {
        // Values of variables that were made on the way are nobody's moves.
        let given = self.given;
        let is_given = |var: VarId| var.index() < given;
        self.undo.steps.retain(|step| match step {
            Step::Fixed(literal) | Step::Unless(literal, _) => is_given(literal.var()),
            Step::Equal(var, _) => is_given(*var),
        });
        let matrix = Matrix {
            prefix: self.prefix,
            clauses: self.clauses.into_iter().flatten().collect(),
        };
        (matrix, self.undo)
    }

    /// Who wins, if the formula is small; by trying everything.
    #[cfg(any(test, feature = "paranoid"))]
    pub fn winner(&self) -> Option<Quantifier> {
        if self.decided {
            return Some(Quantifier::Forall);
        }
        twin::winner(&self.prefix, self.clauses().map(Vec::as_slice))
    }

    /// Panics if somebody else wins now.
    #[cfg(any(test, feature = "paranoid"))]
    pub fn assert_winner(&self, before: Option<Quantifier>) {
        if let (Some(before), Some(now)) = (before, self.winner()) {
            assert_eq!(before, now, "invariant: presolve keeps the winner");
        }
    }

    pub fn is_decided(&self) -> bool {
        self.decided
    }

    /// Whether it is decided, or a limit asks to stop; for the loops of techniques.
    pub fn is_over(&mut self) -> bool {
        if self.stop.is_none() {
            self.stop = self.budget.look_sometimes().err();
        }
        self.decided || self.stop.is_some()
    }

    /// The same before something that looks at every clause.
    pub fn is_over_now(&mut self) -> bool {
        if self.stop.is_none() {
            self.stop = self.budget.look().err();
        }
        self.decided || self.stop.is_some()
    }

    pub fn is_existential(&self, literal: Literal) -> bool {
        self.prefix.owner(literal) == Quantifier::Exists
    }

    pub fn clause(&self, place: Place) -> Option<&[Literal]> {
        self.clauses.get(place)?.as_deref()
    }

    /// Places of clauses, also of those that are gone.
    pub fn places(&self) -> std::ops::Range<Place> {
        0..self.clauses.len()
    }

    /// The clauses that are there.
    pub fn clauses(&self) -> impl Iterator<Item = &Vec<Literal>> {
        self.clauses.iter().flatten()
    }

    /// Where a literal occurs.
    pub fn occurrences(&self, literal: Literal) -> Vec<Place> {
        let listed = self.occurrences[literal.index()].iter().copied();
        let mut places: Vec<Place> = listed
            .filter(|&place| {
                self.clause(place)
                    .is_some_and(|clause| clause.binary_search(&literal).is_ok())
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// No fewer clauses than have the literal.
    pub fn most_occurrences(&self, literal: Literal) -> usize {
        self.occurrences[literal.index()].len()
    }

    /// Whether a literal occurs.
    pub fn occurs(&self, literal: Literal) -> bool {
        self.occurrences[literal.index()].iter().any(|&place| {
            self.clause(place)
                .is_some_and(|clause| clause.binary_search(&literal).is_ok())
        })
    }

    /// Adds a clause, without what the universal player would make false at the end. A clause that
    /// is always true is left out.
    pub fn add(&mut self, mut literals: Vec<Literal>) -> Option<Place> {
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|two| two[0].negated() == two[1]) {
            return None;
        }
        self.changes += 1;
        self.reduce(&mut literals);
        let place = self.clauses.len();
        for literal in &literals {
            self.occurrences[literal.index()].push(place);
        }
        self.clauses.push(Some(literals));
        Some(place)
    }

    /// Universal literals behind all existential ones go; a clause without the latter is lost.
    fn reduce(&mut self, literals: &mut Vec<Literal>) {
        let existential = literals.iter().filter(|&&it| self.is_existential(it));
        match existential.map(|&it| self.prefix.block(it)).max() {
            Some(deepest) => literals.retain(|&it| self.prefix.block(it) <= deepest),
            None => self.decided = true,
        }
    }

    /// Reduces all clauses again; the prefix has changed.
    pub fn reduce_all(&mut self) {
        self.changes += 1;
        let mut clauses = std::mem::take(&mut self.clauses);
        clauses.iter_mut().flatten().for_each(|it| self.reduce(it));
        self.clauses = clauses;
    }

    pub fn remove(&mut self, place: Place) {
        self.changes += 1;
        if let Some(clause) = self.clauses[place].take() {
            self.vanished.extend(clause);
        }
    }

    /// Takes a literal out of a clause.
    pub fn strip(&mut self, place: Place, literal: Literal) {
        if let Some(mut clause) = self.clauses[place].take() {
            self.changes += 1;
            self.vanished.extend(&clause);
            self.shortened.push(place);
            clause.retain(|&it| it != literal);
            self.reduce(&mut clause);
            self.clauses[place] = Some(clause);
        }
    }

    /// Makes a literal true everywhere.
    pub fn fix(&mut self, literal: Literal) {
        self.record(Step::Fixed(literal));
        for place in self.occurrences(literal) {
            self.remove(place);
        }
        for place in self.occurrences(literal.negated()) {
            self.strip(place, literal.negated());
        }
    }

    pub fn record(&mut self, step: Step) {
        self.changes += 1;
        self.undo.steps.push(step);
    }

    /// A new variable of that block.
    pub fn new_var(&mut self, block: u32) -> VarId {
        self.occurrences.extend([Vec::new(), Vec::new()]);
        self.prefix.push(block)
    }

    /// The definitions among the clauses, and the places of the clauses they number.
    pub fn gates(&self) -> (Gates, Vec<Place>) {
        let places: Vec<Place> = self
            .places()
            .filter(|&at| self.clauses[at].is_some())
            .collect();
        let clauses: Vec<Vec<Literal>> = self.clauses().cloned().collect();
        (Gates::find(&self.prefix, &clauses), places)
    }

    /// Whether a clause defines a gate, by place.
    pub fn definitions(&self) -> Vec<bool> {
        let (gates, places) = self.gates();
        let mut defines = vec![false; self.clauses.len()];
        for (place, is_definition) in places.into_iter().zip(gates.is_definition) {
            defines[place] = is_definition;
        }
        defines
    }
}
