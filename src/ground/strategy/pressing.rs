//! A proof with variables that press, as a decision tree.
//!
//! As long as a decision stays inside a cut, the proof goes on; once it is outside, the row of that cut fails, at the
//! values that are worst for that row. So the ends of the tree are rows, and the moves are the values that are worst for
//! them. The tree asks in the order of the proof; a strategy asks in the order of play, by restricting the tree to one
//! value after the other.

use rustc_hash::FxHashMap;

use super::certificate::{Item, Proof, Step};
use super::held::{End, StrategyNode};
use super::settle::{Ends, Move, Settling, Untold, push};
use super::{Branch, NodeId};
use crate::num::Exact;
use crate::program::{Kind, VarId};

/// Splits inside splits.
const DEEPEST: usize = 200;

/// Which ends of pressing variables a row wants: places, and whether it is the upper end.
type Worst = Vec<(usize, bool)>;

/// What a proof says, as a decision tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tree {
    /// A row fails at these ends.
    Fails(Worst),
    /// Whether the variable at a place is at most a value.
    AtMost(usize, Exact, [usize; 2]),
}

/// One end of a refutation.
pub(super) struct Told<'s, 'a> {
    settling: &'s Settling<'a>,
    place: usize,
    /// Values of universal variables that do not press.
    fixed: FxHashMap<usize, Exact>,
    pub(super) pressing: Vec<usize>,
    /// What cuts have left of domains.
    rooms: FxHashMap<usize, Ends>,
    given: FxHashMap<usize, Exact>,
    trees: Vec<Tree>,
    ids: FxHashMap<Tree, usize>,
    emitted: FxHashMap<(usize, usize), NodeId>,
}

impl<'s, 'a> Told<'s, 'a> {
    pub(super) fn new(settling: &'s Settling<'a>, place: usize, play: &[Move]) -> Self {
        let mut told = Self {
            settling,
            place,
            fixed: FxHashMap::default(),
            pressing: Vec::new(),
            rooms: FxHashMap::default(),
            given: FxHashMap::default(),
            trees: Vec::new(),
            ids: FxHashMap::default(),
            emitted: FxHashMap::default(),
        };
        for at in (place..settling.order.len()).filter(|&at| settling.is_universal(at)) {
            let named = play.iter().find(|(var, _)| *var == settling.order[at]);
            let [lower, upper] = &settling.domains[at];
            match (named, lower) {
                (Some((_, value)), _) => {
                    told.fixed.insert(at, Exact::from(value.clone()));
                }
                (None, Some(only)) if lower == upper || settling.restricted[at] => {
                    told.fixed.insert(at, only.clone());
                }
                _ => told.pressing.push(at),
            }
        }
        told
    }

    /// The nodes that tell the moves, by the proof.
    pub(super) fn by(
        &mut self,
        proof: &Proof,
        nodes: &mut Vec<StrategyNode>,
    ) -> Result<NodeId, Untold> {
        for (side, least) in &proof.given {
            let side = self.settling.side(*side).ok_or(Untold)?;
            self.given.insert(side, Exact::from(least.clone()));
        }
        let mut steps = proof.steps.iter();
        let tree = self.tree(&mut steps, 0)?;
        match self.agreed() {
            Some(worst) => Ok(self.settled(self.place, &worst, nodes)),
            None => self.emit(tree, self.place, nodes),
        }
    }

    fn add(&mut self, tree: Tree) -> usize {
        if let Tree::AtMost(_, _, [low, high]) = &tree
            && low == high
        {
            return *low;
        }
        let next = self.trees.len();
        let id = *self.ids.entry(tree.clone()).or_insert(next);
        if id == next {
            self.trees.push(tree);
        }
        id
    }

    /// The ends that all rows want, if they agree.
    fn agreed(&self) -> Option<Worst> {
        let mut all: FxHashMap<usize, bool> = FxHashMap::default();
        for tree in &self.trees {
            let Tree::Fails(worst) = tree else { continue };
            for (place, upper) in worst {
                if *all.entry(*place).or_insert(*upper) != *upper {
                    return None;
                }
            }
        }
        let mut all: Worst = all.into_iter().collect();
        all.sort_unstable();
        Some(all)
    }

    /// Reads a branch of a proof.
    fn tree<'p>(
        &mut self,
        steps: &mut impl Iterator<Item = &'p Step>,
        depth: usize,
    ) -> Result<usize, Untold> {
        let horizon = self.pressing.first().copied().unwrap_or(usize::MAX);
        let mut cuts = Vec::new();
        let mut tree = loop {
            match steps.next().ok_or(Untold)? {
                Step::Cut(side, var) => {
                    let side = self.settling.side(*side).ok_or(Untold)?;
                    let place = self.place_of(*var)?;
                    let (upper, end) = self.cut(side, place, place < horizon)?;
                    if place < horizon {
                        cuts.push((side, place, upper, end));
                    }
                }
                Step::Row(side) => {
                    let side = self.settling.side(*side).ok_or(Untold)?;
                    let terms = self.settling.sides[side].terms.clone();
                    break self.fails(&terms);
                }
                Step::Mix(mixture) => {
                    let mut terms: FxHashMap<usize, Exact> = FxHashMap::default();
                    for (item, weight) in mixture {
                        let Item::Side(side) = item else {
                            return Err(Untold);
                        };
                        let side = self.settling.side(*side).ok_or(Untold)?;
                        let weight = Exact::from(weight.clone());
                        for (place, coefficient) in &self.settling.sides[side].terms {
                            let sum = terms.entry(*place).or_insert(Exact::ZERO);
                            *sum = &*sum + &(coefficient * &weight);
                        }
                    }
                    let terms: Vec<_> = terms.into_iter().collect();
                    break self.fails(&terms);
                }
                Step::Split(var, at) => {
                    if depth == DEEPEST {
                        return Err(Untold);
                    }
                    let place = self.place_of(*var)?;
                    let at = Exact::from(at.clone()).floor();
                    let rooms = self.rooms.clone();
                    self.narrow(place, true, at.clone());
                    let low = self.tree(steps, depth + 1)?;
                    self.rooms = rooms;
                    self.narrow(place, false, &at + &Exact::ONE);
                    let high = self.tree(steps, depth + 1)?;
                    break self.add(Tree::AtMost(place, at, [low, high]));
                }
            }
        };
        for (side, place, upper, end) in cuts.into_iter().rev() {
            let terms = self.settling.sides[side].terms.clone();
            let outside = self.fails(&terms);
            let (at, parts) = match upper {
                true => (end, [tree, outside]),
                false => (&end - &Exact::ONE, [outside, tree]),
            };
            tree = self.add(Tree::AtMost(place, at, parts));
        }
        Ok(tree)
    }

    fn place_of(&self, var: VarId) -> Result<usize, Untold> {
        let mut places = self.place..self.settling.order.len();
        let found = places.find(|&place| self.settling.order[place] == var);
        found.ok_or(Untold)
    }

    fn fails(&mut self, terms: &[(usize, Exact)]) -> usize {
        let own = terms
            .iter()
            .filter(|(place, by)| !by.is_zero() && self.pressing.binary_search(place).is_ok());
        let mut worst: Worst = own.map(|(place, by)| (*place, by.is_positive())).collect();
        worst.sort_unstable();
        self.add(Tree::Fails(worst))
    }

    fn room(&self, place: usize) -> &Ends {
        let known = self.rooms.get(&place);
        known.unwrap_or(&self.settling.domains[place])
    }

    fn narrow(&mut self, place: usize, upper: bool, to: Exact) {
        let mut room = self.room(place).clone();
        let now = &mut room[usize::from(upper)];
        let is_inside = now
            .as_ref()
            .is_none_or(|now| if upper { to < *now } else { to > *now });
        if is_inside {
            *now = Some(to);
            self.rooms.insert(place, room);
        }
    }

    /// What a side leaves of a variable when all others are at their best; whether that is an upper end.
    fn cut(&mut self, side: usize, place: usize, press: bool) -> Result<(bool, Exact), Untold> {
        let it = &self.settling.sides[side];
        let whole =
            self.settling.program.variables()[self.settling.order[place]].kind == Kind::Integer;
        let own = it.terms.iter().find(|term| term.0 == place).ok_or(Untold)?;
        let mut rest = it.rhs.clone();
        if it.begins_before(self.place) {
            rest = &rest - self.given.get(&side).ok_or(Untold)?;
        }
        for (other, by) in it.rest(self.place).iter().filter(|term| term.0 != place) {
            let value = match (self.fixed.get(other), self.settling.is_universal(*other)) {
                (Some(value), _) => value,
                (None, universal) => {
                    let upper = by.is_positive() == (universal && press);
                    self.room(*other)[usize::from(upper)]
                        .as_ref()
                        .ok_or(Untold)?
                }
            };
            rest = &rest - &(by * value);
        }
        let quotient = &rest / &own.1;
        let upper = own.1.is_positive();
        let end = match (whole, upper, it.strict) {
            (false, ..) => return Err(Untold),
            (true, true, false) => quotient.floor(),
            (true, true, true) => &quotient.ceil() - &Exact::ONE,
            (true, false, false) => quotient.ceil(),
            (true, false, true) => &quotient.floor() + &Exact::ONE,
        };
        self.narrow(place, upper, end.clone());
        Ok((upper, end))
    }

    /// The nodes that ask for what the tree depends on, from a place on.
    fn emit(
        &mut self,
        tree: usize,
        at: usize,
        nodes: &mut Vec<StrategyNode>,
    ) -> Result<NodeId, Untold> {
        if let Some(&known) = self.emitted.get(&(tree, at)) {
            return Ok(known);
        }
        if self.emitted.len() >= self.settling.room || at >= self.settling.order.len() {
            return Err(Untold);
        }
        let variable = self.settling.order[at];
        let node = match (self.trees[tree].clone(), self.fixed.get(&at)) {
            (Tree::Fails(worst), _) => self.settled(at, &worst, nodes),
            (_, Some(value)) => {
                let value = value.to_rational();
                let next = self.emit(tree, at + 1, nodes)?;
                push(
                    nodes,
                    StrategyNode::Choose {
                        variable,
                        value,
                        next,
                    },
                )
            }
            _ if self.settling.is_universal(at) => return Err(Untold),
            _ => {
                let branches = self.branches(tree, at, nodes)?;
                let illegal = Vec::new();
                push(
                    nodes,
                    StrategyNode::Await {
                        variable,
                        branches,
                        illegal,
                    },
                )
            }
        };
        self.emitted.insert((tree, at), node);
        Ok(node)
    }

    /// The values of an existential variable, together where the tree does not tell them apart.
    fn branches(
        &mut self,
        tree: usize,
        at: usize,
        nodes: &mut Vec<StrategyNode>,
    ) -> Result<Vec<Branch>, Untold> {
        let domain = self.settling.domains[at].clone();
        let is_whole =
            self.settling.program.variables()[self.settling.order[at]].kind == Kind::Integer;
        let ([Some(lower), Some(upper)], true) = (domain, is_whole) else {
            return Err(Untold);
        };
        let asked = self.trees.iter().filter_map(|tree| match tree {
            Tree::AtMost(place, value, _) if *place == at => Some(value.clone()),
            _ => None,
        });
        let mut ends: Vec<Exact> = asked.filter(|it| lower <= *it && *it < upper).collect();
        ends.push(upper);
        ends.sort();
        ends.dedup();
        let mut branches: Vec<Branch> = Vec::new();
        let mut from = lower;
        for to in ends {
            let part = self.restricted(tree, at, &to);
            let next = self.emit(part, at + 1, nodes)?;
            match branches.last_mut() {
                Some(last) if last.next == next => last.to = to.to_rational(),
                _ => branches.push(Branch {
                    from: from.to_rational(),
                    to: to.to_rational(),
                    next,
                }),
            }
            from = &to + &Exact::ONE;
        }
        Ok(branches)
    }

    /// The tree, once a variable has a value.
    fn restricted(&mut self, tree: usize, at: usize, value: &Exact) -> usize {
        match self.trees[tree].clone() {
            Tree::AtMost(place, end, [low, high]) if place == at => {
                let part = if *value <= end { low } else { high };
                self.restricted(part, at, value)
            }
            Tree::AtMost(place, end, parts) => {
                let parts = parts.map(|part| self.restricted(part, at, value));
                self.add(Tree::AtMost(place, end, parts))
            }
            Tree::Fails(_) => tree,
        }
    }

    pub(super) fn settled(
        &self,
        from: usize,
        worst: &[(usize, bool)],
        nodes: &mut Vec<StrategyNode>,
    ) -> NodeId {
        let end = End::Settled(self.moves(from, worst));
        push(nodes, StrategyNode::End(end))
    }

    /// The universal player's moves from a place on, as far as they matter.
    pub(super) fn moves(&self, from: usize, worst: &[(usize, bool)]) -> Vec<Move> {
        let value = |place: usize| match self.fixed.get(&place) {
            Some(value) => Some(value.clone()),
            None => {
                let (_, upper) = worst.iter().find(|(other, _)| *other == place)?;
                self.settling.domains[place][usize::from(*upper)].clone()
            }
        };
        let places = from..self.settling.order.len();
        let moves = places.filter_map(|place| {
            let var = self.settling.order[place];
            Some((var, value(place)?.to_rational()))
        });
        moves.collect()
    }
}
