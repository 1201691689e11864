//! The universal player's view of the formula: constraints of his own, made of the gates.
//!
//! The clauses say what the existential player must keep. They say nothing that the universal
//! player must keep, so a search with them alone learns a cube only from a complete assignment.
//! Here he gets constraints that hold exactly where the formula is false: a variable `g'` of his for
//! each defined variable `g`, with the clauses of its definition; a variable `t` for each other
//! clause, which is true only where all literals of the clause are false; and the constraint that
//! one of the `t` is true. In them `g'` stands for `g`. As each player's constraints say the same
//! of the variables that are not defined, either may lose his game first, and the search stops at
//! positions that are won long before they are complete (Zhang 2006; Goultiaeva, Seidl and Biere
//! 2013; Klieber and others 2010 call the variables ghosts).
//!
//! **Invariant:** clauses have no variable of this file, and its constraints no defined variable;
//! so what either player learns follows from his own constraints.

use super::gates::Gates;
use super::literal::{Literal, Prefix, block_from};
use super::matrix::Matrix;
use crate::program::{Id, Quantifier, VarId};

/// The universal player's constraints; his new variables are put into the prefix.
pub(super) fn mirror(matrix: &Matrix, gates: &Gates, prefix: &mut Prefix) -> Vec<Vec<Literal>> {
    let mut images: Vec<Option<VarId>> = vec![None; matrix.prefix.len()];
    for &gate in &gates.order {
        let inputs = gates.inputs[gate.index()].iter();
        let inputs = inputs.map(|&input| images[input.index()].unwrap_or(input));
        let deepest = inputs.map(|input| prefix.block_of(input)).max();
        let block = block_from(deepest.unwrap_or(0), Quantifier::Forall);
        images[gate.index()] = Some(prefix.push(block));
    }
    let image = |literal: Literal| match images[literal.var().index()] {
        Some(var) => literal.of(var),
        None => literal,
    };
    let mut constraints = Vec::new();
    let mut some = Vec::new();
    for (clause, &is_definition) in matrix.clauses.iter().zip(&gates.is_definition) {
        let literals = || clause.iter().map(|&literal| image(literal));
        if is_definition {
            constraints.push(literals().collect());
        } else if let &[only] = clause.as_slice() {
            some.push(image(only).negated());
        } else {
            let deepest = literals().map(|literal| prefix.block(literal)).max();
            let block = block_from(deepest.unwrap_or(0), Quantifier::Forall);
            let fails = Literal::new(prefix.push(block), true);
            constraints.extend(literals().map(|literal| vec![fails.negated(), literal.negated()]));
            some.push(fails);
        }
    }
    some.sort_unstable();
    some.dedup();
    let contradiction = some.windows(2).any(|pair| pair[0] == pair[1].negated());
    if !contradiction {
        constraints.push(some);
    }
    constraints
}
