//! Geography on a graph: move to a neighbour that was not visited; who cannot, loses.
//!
//! Source: a thesis on solving simple geography games with the QBF solver GhostQ, section 3.
//! Player 1 (existential) moves at odd rounds, player 2 (universal) at even ones; node 0 is the
//! start. `x1_3` says that round 1 goes to node 3. The rows are the thesis's:
//! - (a) `one`: exactly one node at each round;
//! - (b) `fresh`: no node twice;
//! - (c) `near`: a neighbour of the node before;
//! - (d) `first`: the first node is a neighbour of node 0.
//!
//! Each row binds whoever moves at its round. [`formula`] has the same rules as a quantified Boolean formula.
//!
//! # What was corrected
//! - The file gives "the maximum number of rounds the game can last". Whoever would have to move after
//!   the last round has lost. For an even number that is player 1: the row `last` says that player 2 may not
//!   make his last move. With no rounds at all player 1 would have to move at once and has lost: no node is open to it.
//! - More rounds than nodes that can be entered are cut off: nobody can ever play them, and rules
//!   that cannot be kept from the start would decide the game before it begins.
//! - The text says that node 6 answers 4; the strategy it prints, and the game, say 7.
//! - [`Guard::Index`] is a second way with the same answers and without universal rows: player 2
//!   names a node; if that is against the rules, player 1 moves for him; if nothing is allowed, the
//!   game is over.

mod formula;
mod graph;
mod plan;
pub mod referee;

pub use formula::formula;
pub use graph::{Graph, MOST_NODES};
pub use plan::Plan;

use crate::games::GameError;
use crate::games::choice::announced;
use crate::model::{Compare, Expr, Model, Var, row, sum};
use crate::program::{Program, Quantifier};

/// How player 2 is made to follow the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// By universal rows, as the thesis's formula has it.
    Rows,
    /// He names a node by a number.
    Index,
}

/// The program: player 1 wins if and only if it is feasible or player 2 gets stuck.
///
/// ```
/// use quip::games::geography::{Graph, Guard, program};
/// let graph = Graph::thesis();
/// assert_eq!(program(&graph, Guard::Rows)?.variables().len(), 21);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn program(graph: &Graph, guard: Guard) -> Result<Program, GameError> {
    let mut encoding = Encoding {
        graph,
        guard,
        model: Model::new(),
        rounds: Vec::new(),
        over: Vec::new(),
    };
    let rounds = graph.playable_rounds();
    for round in 1..=rounds {
        match (round % 2 == 1, guard) {
            (true, _) => encoding.play(round, Quantifier::Exists),
            (false, Guard::Rows) => encoding.play(round, Quantifier::Forall),
            (false, Guard::Index) => encoding.play_as_named(round),
        }
    }
    if rounds.is_multiple_of(2) {
        encoding.last();
    }
    Ok(encoding.model.build()?)
}

struct Encoding<'g> {
    graph: &'g Graph,
    guard: Guard,
    model: Model,
    /// For each round built, one variable for each node but 0.
    rounds: Vec<Vec<Var>>,
    /// Whether player 2 was stuck, for each of his rounds with [`Guard::Index`].
    over: Vec<Var>,
}

impl Encoding<'_> {
    fn nodes(&mut self, round: usize, owner: Quantifier) -> Vec<Var> {
        let mut stage = match owner {
            Quantifier::Exists => self.model.exists(),
            Quantifier::Forall => self.model.forall(),
        };
        (1..self.graph.nodes())
            .map(|node| stage.binary(format!("x{round}_{node}")))
            .collect()
    }

    /// One round and (a) to (d) for its owner.
    fn play(&mut self, round: usize, owner: Quantifier) {
        let nodes = self.nodes(round, owner);
        let over = sum(&self.over);
        let mut rows = vec![("one", (sum(&nodes) + over).equals(1))];
        for (place, &here) in nodes.iter().enumerate() {
            for earlier in &self.rounds {
                rows.push(("fresh", row!(earlier[place] + here <= 1)));
            }
            let (name, near) = self.near(place + 1);
            rows.push((name, row!(here <= near)));
        }
        for (name, row) in rows {
            match owner {
                Quantifier::Exists => self.model.rows(name).add(row),
                Quantifier::Forall => self.model.uncertainty_rows(name).add(row),
            };
        }
        self.rounds.push(nodes);
    }

    /// (c) and (d): 1 if the node can be reached from the node of the last round built.
    fn near(&self, node: usize) -> (&'static str, Expr) {
        match self.rounds.last() {
            None => ("first", Expr::from(i64::from(self.graph.opens(node)))),
            Some(before) => {
                let sources = (1..).zip(before);
                let neighbours = sources.filter(|(source, _)| self.graph.leads(*source, node));
                ("near", sum(neighbours.map(|(_, var)| *var)))
            }
        }
    }

    /// A round of player 2 by a number.
    fn play_as_named(&mut self, round: usize) {
        let count = self.graph.nodes() - 1;
        let aims = announced(&mut self.model, format!("m{round}"), count, |node| {
            format!("aim{round}_{}", node + 1)
        });
        let mut stage = self.model.exists();
        let over = stage.binary(format!("over{round}"));
        let wrong: Vec<Var> = (1..=count)
            .map(|node| stage.binary(format!("wrong{round}_{node}")))
            .collect();
        let earlier = sum(&self.over);
        for place in 0..count {
            let near = self.near(place + 1).1;
            let visited = sum(self.rounds.iter().map(|nodes| nodes[place]));
            let (wrong, aim) = (wrong[place], aims[place]);
            self.model
                .rows("stuck")
                .add(row!(over <= 1 - &near + &visited));
            self.model
                .rows("named")
                .add(row!(wrong <= aim))
                .add(row!(wrong <= 1 - near + visited));
        }
        self.model.rows("stuck").add(row!(over + &earlier <= 1));
        self.over.push(over);
        self.play(round, Quantifier::Exists);
        let played = self.rounds[round - 1].clone();
        let over = sum(&self.over);
        let mut rows = self.model.rows("named");
        for ((&aim, &wrong), &here) in aims.iter().zip(&wrong).zip(&played) {
            rows.add(row!(here >= aim - wrong - &over));
        }
    }

    /// After an even number of rounds player 1 would have to move.
    fn last(&mut self) {
        let row = match self.guard {
            Guard::Rows => {
                let final_move = self.rounds.last().map(sum).unwrap_or_default();
                final_move.equals(0)
            }
            Guard::Index => sum(&self.over).geq(1),
        };
        self.model.subject_to(row.named("last"));
    }
}
