//! Abstraction refinement: few lines of play at a time, asked of a SAT solver.
//!
//! Who moves in a block first plays against a few replies of his opponent only, all at once: that is a
//! formula with two blocks less, and with none left a question for a SAT solver ([`leaf`]). The moves
//! that win there are put to the opponent; if he has a reply, that one is taken in and the moves are
//! chosen anew, otherwise they win ([`node`]). Few replies usually decide, however many there are
//! (Janota, Klieber, Marques-Silva and Clarke 2012). Solvers are kept from question to question and
//! told by assumptions what was played before.
//!
//! Both players see the formula through its gates: a gate is nobody's choice, and the universal
//! player wants a clause to fail that is not part of a gate ([`formula`]). So the games are the same
//! for both but for the sign, and blocks that consist of gates are none.
//!
//! **What is trusted.** A model that the SAT solver finds is played through on the formula. That it
//! finds none is believed, like our own learning is; certificates are what does not rest on it.

mod encoding;
mod formula;
mod game;
mod leaf;
mod node;
mod oracle;
#[cfg(test)]
mod tests;

use formula::Formula;
use game::Game;
use node::Node;

use super::engine::Victory;
use super::literal::Literal;
use super::matrix::Matrix;
use super::turns::{Pause, Turns};
use crate::program::Quantifier;

/// With more blocks there are too many abstractions of abstractions.
const MOST_BLOCKS: usize = 64;

/// Literals in all SAT solvers beyond which refinement gives up.
const MOST_LITERALS: usize = 60_000_000;

/// A line of play and what the players have chosen in it.
struct Table<'t, 'b> {
    formula: Formula,
    /// Values of symbols, by symbol.
    values: Vec<bool>,
    /// Literals in all SAT solvers.
    size: usize,
    turns: &'t mut Turns<'b>,
}

impl Table<'_, '_> {
    /// Accounts for work, and for literals that have come to some solver.
    fn spend(&mut self, work: u64, literals: usize) -> Result<(), Pause> {
        self.size += literals;
        if self.size > MOST_LITERALS {
            return Err(Pause::TooLarge);
        }
        self.turns.spend(work)
    }
}

/// Decides the formula, unless the other engine does so in its turns.
pub(super) fn decide(matrix: &Matrix, turns: &mut Turns<'_>) -> Result<Victory, Pause> {
    let formula = Formula::new(matrix, &turns.engine.gates);
    if formula.blocks.len() > MOST_BLOCKS {
        return Err(Pause::TooLarge);
    }
    turns.expect(formula.blocks.len());
    let Some(first) = formula.blocks.first() else {
        let holds = formula.holds(|_| false);
        let winner = if holds {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        };
        return Ok(Victory {
            winner,
            false_literals: Vec::new(),
        });
    };
    let (owner, vars) = (first.owner, first.vars.clone());
    let mut table = Table {
        formula,
        values: Vec::new(),
        size: 0,
        turns,
    };
    let game = Game::new(&mut table);
    let symbols = game.symbols(&table.formula.blocks[0]);
    let mut root = Node::new(&table.formula, 0, &symbols);
    root.add(game, &[], &mut table)?;
    if !root.solve(&mut table)? {
        return Ok(Victory {
            winner: owner.opponent(),
            false_literals: Vec::new(),
        });
    }
    let false_literal =
        |(var, symbol): (_, game::Symbol)| Literal::new(var, !table.values[symbol.index()]);
    Ok(Victory {
        winner: owner,
        false_literals: vars.into_iter().zip(symbols).map(false_literal).collect(),
    })
}
