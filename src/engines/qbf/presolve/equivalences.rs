//! Variables that clauses of two literals make equal.
//!
//! `(a ∨ b)` says that `¬a` implies `b` and `¬b` implies `a`. Literals that imply one another in a
//! circle are equal: they are the strongly connected components of the implications (Aspvall, Plass
//! and Tarjan 1979). Of such a set the variable that is quantified first is kept, and the others are
//! replaced by it: their owner has to follow. If one of the others is universal, its owner will make
//! them differ and wins; so he does if a literal equals its negation.

use super::draft::Draft;
use super::undo::Step;
use crate::qbf::literal::Literal;

/// Replaces variables by earlier ones that they equal.
pub(super) fn merge(draft: &mut Draft<'_>) {
    for component in components(draft) {
        let rank = |literal: &Literal| (draft.prefix.block(*literal), literal.var());
        let Some(&first) = component.iter().min_by_key(|literal| rank(literal)) else {
            continue;
        };
        for &literal in component.iter().filter(|&&it| it != first) {
            if literal == first.negated() || !draft.is_existential(literal) {
                // Said in one place, where units and reduction see it.
                draft.add(vec![first.negated(), literal]);
                draft.add(vec![first, literal.negated()]);
                return;
            }
            replace(draft, literal, first);
            if draft.is_over() {
                return;
            }
        }
    }
}

/// Sets of two or more literals that imply one another; of a set and that of the negations, one.
fn components(draft: &Draft<'_>) -> Vec<Vec<Literal>> {
    let mut implied: Vec<Vec<Literal>> = vec![Vec::new(); 2 * draft.prefix.len()];
    for clause in draft.clauses() {
        if let &[a, b] = clause.as_slice() {
            implied[a.negated().index()].push(b);
            implied[b.negated().index()].push(a);
        }
    }
    let mut walk = Walk {
        numbers: vec![0; implied.len()],
        lowest: vec![0; implied.len()],
        open: Vec::new(),
        found: Vec::new(),
        count: 0,
        implied: &implied,
    };
    for var in draft.prefix.vars() {
        for start in [Literal::new(var, true), Literal::new(var, false)] {
            walk.from(start);
        }
    }
    let mut found = walk.found;
    let sign = |set: &Vec<Literal>| {
        let first = set.iter().min_by_key(|it| it.var());
        first.is_some_and(|it| it.is_positive())
            || set.windows(2).any(|it| it[0] == it[1].negated())
    };
    found.retain(sign);
    found
}

/// Tarjan's algorithm, with a stack of its own.
struct Walk<'i> {
    implied: &'i [Vec<Literal>],
    /// When a literal was met, from 1 on; 0 if it was not, and the largest number once it is in a set.
    numbers: Vec<u32>,
    /// The earliest number that is reached from a literal.
    lowest: Vec<u32>,
    open: Vec<Literal>,
    found: Vec<Vec<Literal>>,
    count: u32,
}

impl Walk<'_> {
    fn from(&mut self, start: Literal) {
        let mut path = vec![(start, 0)];
        while let Some((literal, next)) = path.pop() {
            let index = literal.index();
            if next == 0 && !self.enter(literal) {
                continue;
            }
            match self.implied[index].get(next) {
                Some(&to) => {
                    path.push((literal, next + 1));
                    if self.numbers[to.index()] == 0 {
                        path.push((to, 0));
                    }
                }
                None => self.leave(literal),
            }
        }
    }

    /// Meets a literal for the first time.
    fn enter(&mut self, literal: Literal) -> bool {
        let is_new = self.numbers[literal.index()] == 0;
        if is_new {
            self.count += 1;
            self.numbers[literal.index()] = self.count;
            self.open.push(literal);
        }
        is_new
    }

    /// All that a literal implies was met.
    fn leave(&mut self, literal: Literal) {
        let index = literal.index();
        let reached = self.implied[index].iter().map(|to| {
            // What is open has been left with its lowest, or stands on the path.
            match self.numbers[to.index()] {
                u32::MAX => u32::MAX,
                number => match self.lowest[to.index()] {
                    0 => number,
                    lowest => lowest,
                },
            }
        });
        let lowest = reached.min().unwrap_or(u32::MAX).min(self.numbers[index]);
        self.lowest[index] = lowest;
        if lowest < self.numbers[index] {
            return;
        }
        let begin = self.open.iter().rposition(|&it| it == literal).unwrap_or(0);
        let mut set = self.open.split_off(begin);
        for it in &set {
            self.numbers[it.index()] = u32::MAX;
        }
        if set.len() > 1 {
            set.sort_unstable();
            self.found.push(set);
        }
    }
}

/// Writes `by` wherever `literal` occurs.
fn replace(draft: &mut Draft<'_>, literal: Literal, by: Literal) {
    let value = if literal.is_positive() {
        by
    } else {
        by.negated()
    };
    draft.record(Step::Equal(literal.var(), value));
    for (from, to) in [(literal, by), (literal.negated(), by.negated())] {
        for place in draft.occurrences(from) {
            let Some(clause) = draft.clause(place).map(<[Literal]>::to_vec) else {
                continue;
            };
            draft.remove(place);
            let swap = |it: Literal| if it == from { to } else { it };
            draft.add(clause.into_iter().map(swap).collect());
        }
    }
}
