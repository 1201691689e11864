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

use super::engine::Engine;
use super::literal::{Literal, owner_of};
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
                let clause = self.store.literals(ConstraintId::new(clause));
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
            for &input in self.store.literals(clause) {
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
        for var in self.prefix.vars() {
            let block = self.prefix.block_of(var);
            self.costs[var.index()] = match owner_of(block) {
                Quantifier::Exists => (0, 1),
                Quantifier::Forall => (block + 1, 1),
            };
        }
        for place in 0..self.gates.order.len() {
            let var = self.gates.order[place];
            let definition = &self.gates.definitions[var.index()];
            let offers = definition.iter().filter_map(|&number| {
                let id = ConstraintId::new(number);
                Some((self.forcing_cost(id, var)?, id))
            });
            if let Some((cost, id)) = offers.min_by_key(|(cost, _)| *cost) {
                forcing[var.index()] = Some(id);
                self.costs[var.index()] = cost;
            }
        }
        forcing
    }

    /// What it costs to force the variable by this clause, if it does.
    fn forcing_cost(&self, id: ConstraintId, var: VarId) -> Option<Cost> {
        let mut total: Cost = (0, 0);
        for &literal in self.store.literals(id) {
            let is_own = literal.var() == var;
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
