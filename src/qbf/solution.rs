//! A cube from a complete assignment that satisfies all clauses.
//!
//! The cube is a set of true literals such that whoever brings them about has won for the
//! existential player. It hits every clause that is not part of a definition; a defined variable
//! in it is replaced by literals of its inputs that force its value. Definitions need no word of
//! their own: defined variables stand behind their inputs, so he can always give them the value
//! that their clauses want.
//!
//! In the universal player's view the cube is a lost constraint of the negated literals. The less
//! deep his own literals in it are the better: the opponent's literals behind them are dropped.

use super::Engine;
use super::literal::Literal;
use super::store::ConstraintId;
use super::trail::Truth;
use crate::program::{Id, Quantifier, VarId};

/// What a true literal costs in a cube: the deepest universal block it needs, counted from 1, and
/// roughly how many literals.
pub(super) type Cost = (u32, u32);

impl Engine<'_> {
    /// The negations of a cube's literals.
    ///
    /// Pre: the assignment is complete and no constraint is lost.
    pub(super) fn cover(&mut self) -> Vec<Literal> {
        let forcing = self.price();
        let mut cover = Vec::new();
        let mut open: Vec<Literal> = Vec::new();
        for clause in 0..self.gates.is_definition.len() {
            if !self.gates.is_definition[clause] {
                let clause = &self.store.get(ConstraintId::new(clause)).literals;
                if !clause.iter().any(|literal| self.marked[literal.index()]) {
                    let best = self.cheapest(clause);
                    self.marked[best.index()] = true;
                    open.push(best);
                }
            }
        }
        while let Some(literal) = open.pop() {
            cover.push(literal);
            let Some(clause) = forcing[literal.var().index()] else {
                continue;
            };
            for &input in &self.store.get(clause).literals {
                let input = input.negated();
                if input != literal.negated() && !self.marked[input.index()] {
                    self.marked[input.index()] = true;
                    open.push(input);
                }
            }
        }
        for literal in &cover {
            self.marked[literal.index()] = false;
        }
        cover.retain(|literal| forcing[literal.var().index()].is_none());
        cover.into_iter().map(Literal::negated).collect()
    }

    fn cheapest(&self, clause: &[Literal]) -> Literal {
        let is_true = |&&literal: &&Literal| self.trail.truth(literal) == Truth::True;
        let best = clause.iter().filter(is_true);
        let best = best.min_by_key(|literal| self.costs[literal.var().index()]);
        *best.expect("invariant: a clause without a true literal is lost")
    }

    /// Prices every variable's value, inputs first; tells the clause that forces a defined one.
    fn price(&mut self) -> Vec<Option<ConstraintId>> {
        let mut forcing = vec![None; self.prefix.len()];
        for (place, chosen) in forcing.iter_mut().enumerate() {
            let definition = &self.gates.definitions[place];
            let plain = Literal::new(VarId::new(place), true);
            let offers = definition.iter().filter_map(|&number| {
                let id = ConstraintId::new(number);
                Some((self.forcing_cost(id, place)?, id))
            });
            let best = offers.min_by_key(|(cost, _)| *cost);
            self.costs[place] = match best {
                Some((cost, id)) => {
                    *chosen = Some(id);
                    cost
                }
                None => match self.prefix.owner(plain) {
                    Quantifier::Exists => (0, 1),
                    Quantifier::Forall => (self.prefix.block(plain) + 1, 1),
                },
            };
        }
        forcing
    }

    /// What it costs to force the variable by this clause, if it does.
    fn forcing_cost(&self, id: ConstraintId, place: usize) -> Option<Cost> {
        let mut total: Cost = (0, 0);
        for &literal in &self.store.get(id).literals {
            let is_own = literal.var().index() == place;
            if (self.trail.truth(literal) == Truth::True) != is_own {
                return None;
            }
            if !is_own {
                let (deepest, count) = self.costs[literal.var().index()];
                total = (total.0.max(deepest), total.1.saturating_add(count));
            }
        }
        Some(total)
    }
}
