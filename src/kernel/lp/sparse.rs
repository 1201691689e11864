//! Square systems of equations, sparse and exact.
//!
//! Bases of linear programs are nearly triangular: most of their equations have one unknown left
//! when their turn comes. So unknowns are eliminated where that fills in least (Markowitz 1957):
//! the equation with the fewest unknowns, and in it the unknown of the fewest equations. Unknowns
//! of a single equation come first of all, since they change no other one.

use crate::budget::Budget;
use crate::num::Exact;
use crate::outcome::Stop;

/// An equation: what each unknown is multiplied by, sorted by unknown, and the right-hand side.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub terms: Vec<(u32, Exact)>,
    pub side: Exact,
}

/// Pivots between two looks at the clock.
const PIVOTS_PER_LOOK: usize = 16;

/// The values of as many unknowns as there are equations; `None` if these do not determine them.
pub(super) fn solution(
    mut equations: Vec<Equation>,
    budget: &mut Budget,
) -> Result<Option<Vec<Exact>>, Stop> {
    let count = equations.len();
    let mut system = System::new(&equations);
    let mut pivots = Vec::with_capacity(count);
    for step in 0..count {
        if step % PIVOTS_PER_LOOK == 0 {
            budget.look()?;
        }
        let Some((row, unknown)) = system.pivot(&equations) else {
            return Ok(None);
        };
        system.eliminate(&mut equations, row, unknown);
        pivots.push((row, unknown));
    }
    let mut values = vec![Exact::ZERO; count];
    for (row, unknown) in pivots.into_iter().rev() {
        let equation = &equations[row];
        let mut rest = equation.side.clone();
        let mut own = &Exact::ONE;
        for (other, by) in &equation.terms {
            if *other as usize == unknown {
                own = by;
            } else {
                rest = &rest - &(by * &values[*other as usize]);
            }
        }
        values[unknown] = &rest / own;
    }
    Ok(Some(values))
}

/// Which equations are left, and where the unknowns are.
struct System {
    is_done: Vec<bool>,
    is_known: Vec<bool>,
    /// The equations of each unknown, among them some that do not have it any more.
    rows_of: Vec<Vec<u32>>,
    /// How many open equations have each unknown.
    uses: Vec<u32>,
    /// Unknowns that may be in a single open equation.
    single: Vec<u32>,
    /// Open equations by how many unknowns they had when they were put here.
    by_length: Vec<Vec<u32>>,
}

impl System {
    fn new(equations: &[Equation]) -> Self {
        let count = equations.len();
        let mut system = Self {
            is_done: vec![false; count],
            is_known: vec![false; count],
            rows_of: vec![Vec::new(); count],
            uses: vec![0; count],
            single: Vec::new(),
            by_length: vec![Vec::new(); count + 1],
        };
        for (row, equation) in equations.iter().enumerate() {
            for (unknown, _) in &equation.terms {
                system.rows_of[*unknown as usize].push(row as u32);
                system.uses[*unknown as usize] += 1;
            }
            system.by_length[equation.terms.len()].push(row as u32);
        }
        let single = (0..count).filter(|&unknown| system.uses[unknown] == 1);
        system.single = single.map(|unknown| unknown as u32).collect();
        system
    }

    fn has(equation: &Equation, unknown: u32) -> Option<&Exact> {
        let place = equation.terms.binary_search_by_key(&unknown, |term| term.0);
        Some(&equation.terms[place.ok()?].1)
    }

    /// The next equation and the unknown that it determines.
    fn pivot(&mut self, equations: &[Equation]) -> Option<(usize, usize)> {
        while let Some(unknown) = self.single.pop() {
            let at = unknown as usize;
            if self.is_known[at] || self.uses[at] != 1 {
                continue;
            }
            let mut rows = self.rows_of[at].iter();
            let row = rows.find(|&&row| {
                !self.is_done[row as usize]
                    && Self::has(&equations[row as usize], unknown).is_some()
            });
            if let Some(&row) = row {
                return Some((row as usize, at));
            }
        }
        for length in 1..self.by_length.len() {
            while let Some(&row) = self.by_length[length].last() {
                let row = row as usize;
                let equation = &equations[row];
                let open = self.open_length(equation);
                if self.is_done[row] || open != length {
                    self.by_length[length].pop();
                    // An equation that became shorter was put at its place by `eliminate`.
                    continue;
                }
                let unknowns = equation.terms.iter().map(|term| term.0 as usize);
                let open = unknowns.filter(|&unknown| !self.is_known[unknown]);
                let unknown = open.min_by_key(|&unknown| self.uses[unknown])?;
                return Some((row, unknown));
            }
        }
        None
    }

    fn open_length(&self, equation: &Equation) -> usize {
        let unknowns = equation.terms.iter();
        let open = unknowns.filter(|term| !self.is_known[term.0 as usize]);
        open.count()
    }

    /// Takes the unknown out of all other open equations.
    fn eliminate(&mut self, equations: &mut [Equation], row: usize, unknown: usize) {
        self.is_done[row] = true;
        self.is_known[unknown] = true;
        let lead = equations[row].clone();
        for (other, _) in &lead.terms {
            self.drop_use(*other as usize);
        }
        let own = Self::has(&lead, unknown as u32).cloned();
        let own = own.expect("invariant: a pivot is a term of its equation");
        for at in 0..self.rows_of[unknown].len() {
            let other = self.rows_of[unknown][at] as usize;
            if self.is_done[other] {
                continue;
            }
            let Some(by) = Self::has(&equations[other], unknown as u32) else {
                continue;
            };
            let factor = by / &own;
            let side = &equations[other].side - &(&factor * &lead.side);
            let terms = std::mem::take(&mut equations[other].terms);
            let terms = self.subtracted(&terms, &lead.terms, &factor, other, unknown as u32);
            equations[other] = Equation { terms, side };
            let length = self.open_length(&equations[other]);
            self.by_length[length].push(other as u32);
        }
    }

    /// `terms − factor · lead` without the unknown that goes, with the uses kept.
    fn subtracted(
        &mut self,
        terms: &[(u32, Exact)],
        lead: &[(u32, Exact)],
        factor: &Exact,
        row: usize,
        gone: u32,
    ) -> Vec<(u32, Exact)> {
        let mut sum = Vec::with_capacity(terms.len() + lead.len());
        let (mut left, mut right) = (terms.iter().peekable(), lead.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((own, by)), Some((other, part))) if own == other => {
                    let value = by - &(factor * part);
                    if *own == gone {
                        // Its uses do not matter any more.
                    } else if value.is_zero() {
                        self.drop_use(*own as usize);
                    } else {
                        sum.push((*own, value));
                    }
                    left.next();
                    right.next();
                }
                (Some((own, by)), other) if other.is_none_or(|other| *own < other.0) => {
                    sum.push((*own, by.clone()));
                    left.next();
                }
                (_, Some((other, part))) => {
                    sum.push((*other, -&(factor * part)));
                    self.uses[*other as usize] += 1;
                    self.rows_of[*other as usize].push(row as u32);
                    right.next();
                }
                (_, None) => return sum,
            }
        }
    }

    fn drop_use(&mut self, unknown: usize) {
        self.uses[unknown] = self.uses[unknown].saturating_sub(1);
        if self.uses[unknown] == 1 && !self.is_known[unknown] {
            self.single.push(unknown as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::lp::square_solution;
    use crate::num::{Rational, int};

    #[test]
    fn sparse_systems_are_solved_like_dense_ones() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut solved, mut singular) = (0, 0);
        for _ in 0..400 {
            let count = rng.random_range(1..9);
            let mut dense: Vec<Vec<Rational>> = Vec::new();
            for _ in 0..count {
                let cell = |rng: &mut ChaCha8Rng| match rng.random_range(0..3) {
                    0 => int(rng.random_range(-3..=3)),
                    _ => int(0),
                };
                dense.push((0..=count).map(|_| cell(&mut rng)).collect());
            }
            let equation = |line: &Vec<Rational>| Equation {
                terms: (0..count)
                    .filter(|&at| line[at] != int(0))
                    .map(|at| (at as u32, line[at].clone().into()))
                    .collect(),
                side: line[count].clone().into(),
            };
            let sparse = dense.iter().map(equation).collect();
            let found = solution(sparse, &mut Budget::unlimited()).expect("no limit");
            let found = found.map(|it| it.iter().map(Exact::to_rational).collect::<Vec<_>>());
            let expected = square_solution(dense);
            match &expected {
                Some(_) => solved += 1,
                None => singular += 1,
            }
            assert_eq!(found, expected);
        }
        assert!(
            solved > 50 && singular > 50,
            "both kinds occur: {solved}, {singular}"
        );
    }
}
