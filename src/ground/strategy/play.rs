//! Playing a strategy: the opponent's moves go in, the owner's come out.
//!
//! A play stands at one node, or, after a value between two branches, at a mixture of nodes
//! whose weights add up to one. The answer of a mixture is the mixture of the answers, which keeps
//! the rows and the guarantee because both are linear. Where budgets count real moves ([`Budgets`]), the mixture is that of the shadows
//! of the play: its weights follow one another through the numbers `θ` from 0 to 1.
//!
//! **Invariant:** all nodes of a mixture wait for the same variable, or all of them are ends.

use std::borrow::Cow;

use num_traits::{One, Zero};

use super::held::{End, Illegal, Strategy, StrategyNode};
use super::refusal::Refusal;
use super::{Branch, Budgets, Guarantee, NodeId};
use crate::num::Rational;
use crate::program::{IdVec, Kind, Program, VarId};

/// A variable and its value.
type Move = (VarId, Rational);

/// A play in which one player follows a strategy. See [`Strategy::play`].
#[derive(Clone, Debug)]
pub struct Play<'a> {
    program: &'a Program,
    strategy: Cow<'a, Strategy>,
    /// Where the play stands, with weights.
    at: Vec<(NodeId, Rational)>,
    /// What budgets count, if anything, and how many parts were played.
    budgets: Option<Budgets>,
    played: Rational,
    moves: Vec<Move>,
    values: IdVec<VarId, Option<Rational>>,
}

/// Whose move it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn<'a> {
    /// The owner of the strategy is to move, and this is his move.
    Reply(Move),
    /// The opponent is to move this variable.
    Observe(VarId),
    /// The play is decided.
    Over(&'a End),
}

impl Strategy {
    /// Begins a play of the program that the strategy was made for.
    ///
    /// The strategy is the best against best play: what the opponent loses by errors is not taken
    /// from him, unless the strategy happens to. `quip::solver::PerfectPlay` does.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::num::int;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    ///
    /// let program = parse_qip(
    ///     "minimize x + y
    ///      subject to cover: x >= y
    ///      uncertainty rule: y <= 2
    ///      prefix forall integer y in [0, 3]  exists integer x in [0, 5]  end",
    /// )?;
    /// let options = Options { certificate: true, ..Options::default() };
    /// let outcome = Solver::new(options).solve(&program)?;
    /// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
    /// let mut play = strategy.play(&program);
    ///
    /// let refused = play.observe(int(3)).unwrap_err();
    /// assert_eq!(refused.to_string(), "y = 3 is illegal: it breaks row `rule` of the opponent");
    ///
    /// play.observe(int(1))?;
    /// assert_eq!(play.reply().len(), 1);
    /// assert_eq!(strategy.guaranteed_value(&program), Some(int(4)));
    /// assert!(play.is_over() && play.objective_so_far() <= int(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play<'a>(&'a self, program: &'a Program) -> Play<'a> {
        Play::new(program, Cow::Borrowed(self))
    }

    /// As [`Strategy::play`]; the play keeps the strategy.
    pub fn into_play(self, program: &Program) -> Play<'_> {
        Play::new(program, Cow::Owned(self))
    }
}

impl<'a> Play<'a> {
    fn new(program: &'a Program, strategy: Cow<'a, Strategy>) -> Self {
        Self {
            at: vec![(strategy.root(), Rational::one())],
            budgets: Some(Budgets::new(program)).filter(Budgets::count_any),
            played: Rational::zero(),
            program,
            strategy,
            moves: Vec::new(),
            values: IdVec::filled(program.variables().len(), None),
        }
    }

    /// The strategy that is followed.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// What is guaranteed at the end of the play, as a cost.
    pub fn guarantee(&self) -> &Guarantee {
        self.strategy.guarantee()
    }

    /// Every move so far, of both players, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What the moves so far add up to in the objective, its constant included.
    pub fn objective_so_far(&self) -> Rational {
        let Some(objective) = self.program.objective() else {
            return Rational::zero();
        };
        let made = objective.terms.iter().filter_map(|(var, by)| {
            let value = self.values[*var].as_ref()?;
            Some(by * value)
        });
        &objective.constant + made.sum::<Rational>()
    }

    /// Whether nothing is left to play, or nothing that matters.
    pub fn is_over(&self) -> bool {
        matches!(self.turn(), Turn::Over(_))
    }

    /// Whose move it is, and the owner's move if it is his.
    pub fn turn(&self) -> Turn<'_> {
        match self.strategy.node(self.at[0].0) {
            StrategyNode::End(end) => Turn::Over(end),
            StrategyNode::Await { variable, .. } => Turn::Observe(*variable),
            StrategyNode::Choose { variable, .. } => {
                let chosen = self.at.iter().map(|(node, weight)| {
                    let StrategyNode::Choose { value, .. } = self.strategy.node(*node) else {
                        unreachable!("invariant: a mixture waits for one variable");
                    };
                    weight * value
                });
                Turn::Reply((*variable, chosen.sum()))
            }
        }
    }

    /// Makes the owner's moves until the opponent is to move or the play is over.
    pub fn reply(&mut self) -> Vec<Move> {
        let before = self.moves.len();
        while let Turn::Reply((variable, value)) = self.turn() {
            let follow = |(node, weight): (NodeId, Rational)| {
                let next = self.strategy.node(node).successors().next();
                next.map(|next| (next, weight))
            };
            let next = std::mem::take(&mut self.at);
            self.at = self.merged(next.into_iter().filter_map(follow).collect());
            self.note(variable, value);
        }
        self.moves[before..].to_vec()
    }

    /// Makes the opponent's move, if it is legal and his turn.
    ///
    /// A move that several of his rows forbid only together is refused where the strategy has no
    /// answer to it; where it has one, the move does him no good and is taken.
    pub fn observe(&mut self, value: Rational) -> Result<(), Refusal> {
        let variable = match self.turn() {
            Turn::Observe(variable) => variable,
            Turn::Reply((variable, _)) => {
                let variable = self.program.variables()[variable].name.clone();
                return Err(Refusal::NotTheirTurn { variable });
            }
            Turn::Over(_) => return Err(Refusal::Over),
        };
        let values = |var: VarId| self.values[var].as_ref();
        if let Some(refusal) = Refusal::of_move(self.program, (variable, &value), values) {
            return Err(refusal);
        }
        let shadows = self.shadows(variable, &value);
        let mut next = Vec::new();
        for (node, weight, shadow) in &shadows {
            let StrategyNode::Await {
                branches, illegal, ..
            } = self.strategy.node(*node)
            else {
                unreachable!("invariant: a mixture waits for one variable");
            };
            let shares = shares(branches, shadow, self.mixes(variable));
            if shares.is_empty() {
                let inside = |range: &&Illegal| range.from <= *shadow && *shadow <= range.to;
                let known = illegal.iter().find(inside);
                let rows = known.map_or(&[][..], |range| &range.rows);
                return Err(Refusal::together(
                    self.program,
                    (variable, &value),
                    rows,
                    values,
                ));
            }
            next.extend(shares.into_iter().map(|(to, share)| (to, share * weight)));
        }
        self.at = self.merged(next);
        let part = self
            .budgets
            .as_ref()
            .and_then(|it| it.part(variable, &value));
        self.played += part.unwrap_or_default();
        self.note(variable, value);
        Ok(())
    }

    /// Whether values between two branches are answered by mixtures: of reals, and of integers that no
    /// universal row holds, so that each of them is legal.
    fn mixes(&self, variable: VarId) -> bool {
        let mut restricted = self
            .program
            .universal_rows()
            .iter()
            .flat_map(|row| &row.terms);
        self.program.variables()[variable].kind == Kind::Real
            || restricted.all(|(other, _)| *other != variable)
    }

    /// The nodes of the mixture, their weights, and what each sees of the value.
    fn shadows(&self, variable: VarId, value: &Rational) -> Vec<(NodeId, Rational, Rational)> {
        let as_it_is = || {
            let nodes = self.at.iter();
            nodes
                .map(|(node, weight)| (*node, weight.clone(), value.clone()))
                .collect()
        };
        let Some(budgets) = &self.budgets else {
            return as_it_is();
        };
        let Some(part) = budgets.part(variable, value) else {
            return as_it_is();
        };
        let (before, after) = (self.played.clone(), &self.played + part);
        let fraction = |number: &Rational| number - number.floor();
        let mut shadows = Vec::new();
        let mut begin = Rational::zero();
        for (node, weight) in &self.at {
            let end = &begin + weight;
            // Between these the shadow is the same.
            let mut cuts = vec![begin.clone(), end.clone()];
            for sum in [&before, &after] {
                let cut = Rational::one() - fraction(sum);
                if begin < cut && cut < end {
                    cuts.push(cut);
                }
            }
            cuts.sort();
            for piece in cuts.windows(2) {
                let rounded = |sum: &Rational| (sum + &piece[0]).floor();
                let is_whole = rounded(&after) > rounded(&before);
                let shadow = budgets.end(variable, is_whole).unwrap_or_default();
                shadows.push((*node, &piece[1] - &piece[0], shadow));
            }
            begin = end;
        }
        shadows
    }

    /// Equal nodes once, with their weights added up: only neighbours, where the order of the weights counts.
    fn merged(&self, mut nodes: Vec<(NodeId, Rational)>) -> Vec<(NodeId, Rational)> {
        nodes.retain(|(_, weight)| !weight.is_zero());
        if self.budgets.is_none() {
            nodes.sort_by_key(|(node, _)| *node);
        }
        nodes.dedup_by(|(node, weight), (kept, total)| {
            let same = node == kept;
            if same {
                *total += &*weight;
            }
            same
        });
        nodes
    }

    fn note(&mut self, variable: VarId, value: Rational) {
        self.values[variable] = Some(value.clone());
        self.moves.push((variable, value));
    }
}

/// The branches that answer a value: one, or the two neighbours of a value between them.
fn shares(branches: &[Branch], value: &Rational, mixes: bool) -> Vec<(NodeId, Rational)> {
    let above = branches.partition_point(|branch| branch.to < *value);
    match branches.get(above) {
        Some(branch) if branch.from <= *value => vec![(branch.next, Rational::one())],
        Some(upper) if mixes && above > 0 => {
            let lower = &branches[above - 1];
            let share = (value - &lower.to) / (&upper.from - &lower.to);
            vec![(lower.next, Rational::one() - &share), (upper.next, share)]
        }
        _ => Vec::new(),
    }
}
