//! How far a play has come: which clauses hold, and what is open of the others.

use crate::program::{Id, VarId};
use crate::qbf::literal::Literal;
use crate::qbf::matrix::Matrix;

/// Variables are passed in the order of the prefix.
pub(super) struct Position<'m> {
    clauses: &'m [Vec<Literal>],
    /// Where a literal occurs, by literal.
    occurrences: Vec<Vec<u32>>,
    /// True literals, by clause.
    holds: Vec<u32>,
    /// Open literals, by clause.
    open: Vec<u32>,
    /// The first and the last variable, by clause.
    spans: Vec<(u32, u32)>,
    values: Vec<bool>,
    /// Clauses that do not hold.
    left: usize,
    /// Clauses that cannot hold any more.
    lost: usize,
}

impl<'m> Position<'m> {
    pub fn new(matrix: &'m Matrix) -> Self {
        let mut occurrences = vec![Vec::new(); 2 * matrix.prefix.len()];
        let clauses = &matrix.clauses;
        for (number, clause) in clauses.iter().enumerate() {
            for literal in clause {
                occurrences[literal.index()].push(number as u32);
            }
        }
        let span = |clause: &Vec<Literal>| {
            let places = || clause.iter().map(|it| it.var().index() as u32);
            (places().min().unwrap_or(0), places().max().unwrap_or(0))
        };
        Self {
            clauses,
            occurrences,
            holds: vec![0; clauses.len()],
            open: clauses.iter().map(|clause| clause.len() as u32).collect(),
            spans: clauses.iter().map(span).collect(),
            values: Vec::new(),
            left: clauses.len(),
            lost: clauses.iter().filter(|clause| clause.is_empty()).count(),
        }
    }

    /// How many variables are passed.
    pub fn place(&self) -> usize {
        self.values.len()
    }

    pub fn values(&self) -> &[bool] {
        &self.values
    }

    /// Every clause holds.
    pub fn is_won(&self) -> bool {
        self.left == 0
    }

    /// A clause has only false literals.
    pub fn is_lost(&self) -> bool {
        self.lost > 0
    }

    /// Gives the next variable a value.
    pub fn pass(&mut self, value: bool) {
        let literal = Literal::new(VarId::new(self.place()), value);
        for &clause in &self.occurrences[literal.index()] {
            let clause = clause as usize;
            self.left -= usize::from(self.holds[clause] == 0);
            self.holds[clause] += 1;
            self.open[clause] -= 1;
        }
        for &clause in &self.occurrences[literal.negated().index()] {
            let clause = clause as usize;
            self.open[clause] -= 1;
            self.lost += usize::from(self.holds[clause] == 0 && self.open[clause] == 0);
        }
        self.values.push(value);
    }

    /// Takes the last value back.
    pub fn back(&mut self) {
        let value = self.values.pop().unwrap_or_default();
        let literal = Literal::new(VarId::new(self.place()), value);
        for &clause in &self.occurrences[literal.negated().index()] {
            let clause = clause as usize;
            self.lost -= usize::from(self.holds[clause] == 0 && self.open[clause] == 0);
            self.open[clause] += 1;
        }
        for &clause in &self.occurrences[literal.index()] {
            let clause = clause as usize;
            self.holds[clause] -= 1;
            self.open[clause] += 1;
            self.left += usize::from(self.holds[clause] == 0);
        }
    }

    /// The value without which a clause fails at once.
    pub fn forced(&self, var: VarId) -> Option<bool> {
        let needs = |&clause: &u32| {
            let clause = clause as usize;
            self.holds[clause] == 0 && self.open[clause] == 1
        };
        [true, false].into_iter().find(|&value| {
            let literal = Literal::new(var, value);
            self.occurrences[literal.index()].iter().any(needs)
        })
    }

    /// Whether a variable is in a clause that does not hold yet.
    pub fn matters(&self, var: VarId) -> bool {
        [true, false].into_iter().any(|value| {
            let mut places = self.occurrences[Literal::new(var, value).index()].iter();
            places.any(|&clause| self.holds[clause as usize] == 0)
        })
    }

    /// What the moves so far mean for the rest: the place, and which clauses that have variables on
    /// both sides of it hold.
    pub fn key(&self) -> Vec<u64> {
        let place = self.place() as u32;
        let mut key = vec![u64::from(place)];
        let (mut bits, mut count) = (0, 0);
        for (&(first, last), &holds) in self.spans.iter().zip(&self.holds) {
            if first < place && last >= place {
                bits |= u64::from(holds > 0) << count;
                count += 1;
                if count == 64 {
                    key.push(std::mem::take(&mut bits));
                    count = 0;
                }
            }
        }
        key.push(bits);
        key
    }

    /// The open literals of clauses that do not hold.
    pub fn left(&self) -> Vec<Vec<Literal>> {
        let numbered = self.clauses.iter().zip(&self.holds);
        let open = numbered.filter(|(_, holds)| **holds == 0);
        let is_open = |literal: &Literal| literal.var().index() >= self.place();
        open.map(|(clause, _)| clause.iter().copied().filter(is_open).collect())
            .collect()
    }

    /// The clauses with a literal, by number.
    pub fn with(&self, literal: Literal) -> impl Iterator<Item = usize> {
        let places = self.occurrences[literal.index()].iter();
        places.map(|&number| number as usize)
    }

    /// How many clauses there are.
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }

    pub fn clause(&self, number: usize) -> &'m [Literal] {
        &self.clauses[number]
    }

    /// Whether a clause does not hold by the moves so far.
    pub fn is_open(&self, clause: usize) -> bool {
        self.holds[clause] == 0
    }
}
