//! What the universal player does where the proof of a refutation ends: its moves, read from the proof.
//!
//! A proof lets universal variables that no rule binds *press*: each row meets the values that are worst for it.
//! A play meets one value. Which row it is that fails depends on what the existential player has done before the
//! first such variable, and the proof says how ([`pressing`](super::pressing)).
//!
//! **Invariant:** under the moves of an end its row fails, whatever the existential player does with the rest.

use rustc_hash::FxHashMap;

use super::certificate::{Evidence, Proof, SideRef};
use super::held::{End, StrategyNode};
use super::pressing::Told;
use super::{NodeId, Player};
use crate::num::{Exact, Rational};
use crate::program::{Id, Program, Quantifier, Side, VarId};

/// Nodes that may be added, beside one for each of the evidence.
const MOST_NODES: usize = 200_000;

pub(super) type Move = (VarId, Rational);
pub(super) type Ends = [Option<Exact>; 2];

/// The moves cannot be told in advance.
pub(super) struct Untold;

/// A program and the rows that proofs of one refutation lean on.
pub(super) struct Settling<'a> {
    pub(super) program: &'a Program,
    pub(super) order: Vec<VarId>,
    pub(super) sides: Vec<Side>,
    by_name: FxHashMap<String, usize>,
    /// By place, whether a universal row contains the variable.
    pub(super) restricted: Vec<bool>,
    pub(super) domains: Vec<Ends>,
    /// How many nodes may still be added.
    pub(super) room: usize,
}

impl<'a> Settling<'a> {
    pub fn new(program: &'a Program, evidence: &Evidence) -> Self {
        let order = program.playing_order();
        let sides = program.sides(evidence.guarantee.cost());
        let mut restricted = vec![false; order.len()];
        for side in sides.iter().filter(|it| it.owner == Quantifier::Forall) {
            side.terms
                .iter()
                .for_each(|(place, _)| restricted[*place] = true);
        }
        let domain = |var: &VarId| {
            let domain = program.variables()[*var].domain();
            [domain.lower, domain.upper].map(|end| end.map(Exact::from))
        };
        let names = sides.iter().map(|side| side.name.clone());
        let mut settling = Self {
            by_name: names.zip(0..).collect(),
            domains: order.iter().map(domain).collect(),
            program,
            order,
            sides,
            restricted,
            room: MOST_NODES,
        };
        for (number, parts) in (1..).zip(&evidence.derived) {
            settling.derive(number, parts);
        }
        settling
    }

    fn derive(&mut self, number: usize, parts: &[(SideRef, Rational)]) {
        let known = parts.iter().filter_map(|(side, times)| {
            Some((&self.sides[self.side(*side)?], Exact::from(times.clone())))
        });
        let known: Vec<_> = known.collect();
        let name = format!("d{number}");
        let side = Side::sum(name.clone(), &known);
        self.by_name.insert(name, self.sides.len());
        self.sides.push(side);
    }

    pub(super) fn side(&self, side: SideRef) -> Option<usize> {
        let row = |player: Player, row: crate::program::RowId, sign: char| {
            let letter = match player {
                Player::Exists => 'r',
                Player::Forall => 'u',
            };
            format!("{letter}{}{sign}", row.index() + 1)
        };
        let name = match side {
            SideRef::Upper(player, id) => row(player, id, '+'),
            SideRef::Lower(player, id) => row(player, id, '-'),
            SideRef::Objective => "z".to_owned(),
            SideRef::Derived(number) => format!("d{}", number + 1),
        };
        self.by_name.get(&name).copied()
    }

    pub(super) fn is_universal(&self, place: usize) -> bool {
        self.program.variables()[self.order[place]].quantifier == Quantifier::Forall
    }

    /// The end of a line at a place, after which the universal player plays some values come what may.
    pub fn end(
        &mut self,
        place: usize,
        play: &[Move],
        proof: Option<&Proof>,
        nodes: &mut Vec<StrategyNode>,
    ) -> NodeId {
        let mut told = Told::new(self, place, play);
        let before = nodes.len();
        let found = match proof {
            _ if told.pressing.is_empty() => Ok(told.settled(place, &[], nodes)),
            Some(proof) => told.by(proof, nodes),
            None => Err(Untold),
        };
        let found = found.unwrap_or_else(|Untold| {
            nodes.truncate(before);
            let end = End::Open(told.moves(place, &[]));
            push(nodes, StrategyNode::End(end))
        });
        self.room = self.room.saturating_sub(nodes.len() - before);
        found
    }

    /// The values that complete the owner's system, as far as they are its next to move.
    pub fn completed(&self, place: usize, alive: &[Move], owner: Quantifier) -> Vec<Move> {
        let next = self.order[place..].iter();
        let own = next.take_while(|var| self.program.variables()[**var].quantifier == owner);
        let value = |var: &VarId| {
            let named = alive.iter().find(|(other, _)| other == var);
            let lower = || self.program.variables()[*var].domain().lower;
            Some((*var, named.map(|(_, value)| value.clone()).or_else(lower)?))
        };
        own.map_while(value).collect()
    }
}

pub(super) fn push(nodes: &mut Vec<StrategyNode>, node: StrategyNode) -> NodeId {
    nodes.push(node);
    NodeId::from_index(nodes.len() - 1)
}
