//! A strategy with its runs of moves drawn together, as renderings show it.
//!
//! A step is what the owner does without being interrupted, and what comes after. Parts that
//! several plays share are one step, so an outline is never larger than its strategy, where a tree
//! might be exponentially larger. The exception is short ends, which read better when repeated.
//! Nodes that differ only in what is illegal, but have one answer to the rest, are the same here.
//!
//! **Invariant:** a step comes before the steps that it leads to.

use num_traits::One;
use rustc_hash::FxHashMap;

use super::held::{End, Strategy, StrategyNode};
use super::{Branch, NodeId};
use crate::num::{Digits, Rational};
use crate::program::{Kind, Program, VarId};

/// Shared ends with at most this many moves are repeated.
const SHORT_END: u32 = 4;

/// Values from the first to the second.
type Range = (Rational, Rational);

/// Moves of the owner, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// May be empty.
    pub moves: Vec<(VarId, Rational)>,
    /// What follows.
    pub then: Then,
    /// How many others lead here.
    pub uses: usize,
}

/// What follows a step's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// The opponent moves, and it matters how: values with the same answer are together.
    Ask(VarId, Vec<Answer>),
    /// The opponent fixes these, and it does not matter how.
    Any(Vec<VarId>, usize),
    /// Other plays come by there, too.
    Go(usize),
    /// Nothing.
    End(End),
}

/// Values of the opponent, as ranges in increasing order, and the step that answers them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub ranges: Vec<Range>,
    pub to: usize,
}

impl Step {
    /// Whether it is shown wherever it is needed instead of once.
    pub fn is_short_end(&self) -> bool {
        matches!(self.then, Then::End(_)) && self.moves.len() <= SHORT_END as usize
    }

    /// Where it leads.
    pub fn successors(&self) -> Vec<usize> {
        match &self.then {
            Then::Ask(_, answers) => answers.iter().map(|answer| answer.to).collect(),
            Then::Any(_, to) | Then::Go(to) => vec![*to],
            Then::End(_) => Vec::new(),
        }
    }
}

/// The steps of a strategy, the first one first.
pub fn outline(strategy: &Strategy) -> Vec<Step> {
    let kin = kin(strategy);
    let mut draft = Draft {
        strategy,
        shared: shared(strategy, &kin),
        kin,
        ids: FxHashMap::default(),
        heads: Vec::new(),
    };
    draft.id(strategy.root());
    let mut steps = Vec::new();
    while let Some(&head) = draft.heads.get(steps.len()) {
        let step = draft.step(head);
        steps.push(step);
    }
    sorted(steps)
}

/// A node up to what is illegal.
#[derive(PartialEq, Eq, Hash)]
enum Look<'a> {
    Choose(VarId, &'a Rational, NodeId),
    Ask(VarId, Vec<(Vec<Range>, NodeId)>),
    Any(VarId, NodeId),
    End(&'a End),
}

/// For each node the first one that looks the same.
fn kin(strategy: &Strategy) -> Vec<NodeId> {
    let mut kin: Vec<NodeId> = Vec::with_capacity(strategy.nodes().len());
    let mut known: FxHashMap<Look<'_>, NodeId> = FxHashMap::default();
    for (index, node) in strategy.nodes().iter().enumerate() {
        let look = match node {
            StrategyNode::Choose {
                variable,
                value,
                next,
            } => Look::Choose(*variable, value, kin[next.index()]),
            StrategyNode::Await {
                variable, branches, ..
            } => {
                let answers = answers(branches, &kin);
                match answers.as_slice() {
                    [(_, only)] => Look::Any(*variable, *only),
                    _ => Look::Ask(*variable, answers),
                }
            }
            StrategyNode::End(end) => Look::End(end),
        };
        kin.push(*known.entry(look).or_insert(NodeId::from_index(index)));
    }
    kin
}

/// Branches with the same answer together, in the order of their first values.
fn answers(branches: &[Branch], kin: &[NodeId]) -> Vec<(Vec<Range>, NodeId)> {
    let mut answers: Vec<(Vec<Range>, NodeId)> = Vec::new();
    for branch in branches {
        let next = kin[branch.next.index()];
        let range = (branch.from.clone(), branch.to.clone());
        match answers.iter_mut().find(|(_, other)| *other == next) {
            Some((ranges, _)) => push_range(ranges, range),
            None => answers.push((vec![range], next)),
        }
    }
    answers
}

/// Neighbouring whole numbers are one range.
fn push_range(ranges: &mut Vec<Range>, range: Range) {
    match ranges.last_mut() {
        Some((_, to)) if &*to + Rational::one() == range.0 && to.is_integer() => *to = range.1,
        _ => ranges.push(range),
    }
}

/// For each node, whether several nodes lead to it and it begins more than a short end.
fn shared(strategy: &Strategy, kin: &[NodeId]) -> Vec<bool> {
    let nodes = strategy.nodes();
    let mut uses = vec![0_usize; nodes.len()];
    let mut to_end: Vec<Option<u32>> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let mut nexts: Vec<NodeId> = node.successors().map(|next| kin[next.index()]).collect();
        nexts.sort_unstable();
        nexts.dedup();
        if kin[index].index() == index {
            nexts.iter().for_each(|next| uses[next.index()] += 1);
        }
        to_end.push(match node {
            StrategyNode::End(_) => Some(0),
            StrategyNode::Choose { next, .. } => {
                to_end[next.index()].and_then(|moves| moves.checked_add(1))
            }
            StrategyNode::Await { .. } => None,
        });
    }
    let is_short = |moves: &Option<u32>| moves.is_some_and(|moves| moves <= SHORT_END);
    let pairs = uses.iter().zip(&to_end);
    pairs
        .map(|(uses, to_end)| *uses > 1 && !is_short(to_end))
        .collect()
}

struct Draft<'a> {
    strategy: &'a Strategy,
    kin: Vec<NodeId>,
    shared: Vec<bool>,
    ids: FxHashMap<NodeId, usize>,
    /// The node with which each step begins.
    heads: Vec<NodeId>,
}

impl Draft<'_> {
    fn id(&mut self, node: NodeId) -> usize {
        let node = self.kin[node.index()];
        let heads = &mut self.heads;
        *self.ids.entry(node).or_insert_with(|| {
            heads.push(node);
            heads.len() - 1
        })
    }

    fn step(&mut self, head: NodeId) -> Step {
        let mut moves = Vec::new();
        let mut at = head;
        let then = loop {
            if at != head && self.shared[at.index()] {
                break Then::Go(self.id(at));
            }
            match self.strategy.node(at) {
                StrategyNode::Choose {
                    variable,
                    value,
                    next,
                } => {
                    moves.push((*variable, value.clone()));
                    at = self.kin[next.index()];
                }
                StrategyNode::End(end) => break Then::End(end.clone()),
                StrategyNode::Await { .. } => break self.question(at),
            }
        };
        Step {
            moves,
            then,
            uses: 0,
        }
    }

    /// What the opponent may do at a node that waits for him.
    fn question(&mut self, node: NodeId) -> Then {
        let mut passed = Vec::new();
        let mut at = node;
        while let StrategyNode::Await {
            variable, branches, ..
        } = self.strategy.node(at)
        {
            let answers = answers(branches, &self.kin);
            let several = answers.len() > 1;
            if several && passed.is_empty() {
                let to = |(ranges, next)| Answer {
                    ranges,
                    to: self.id(next),
                };
                return Then::Ask(*variable, answers.into_iter().map(to).collect());
            }
            let Some((_, next)) = answers.into_iter().next() else {
                if passed.is_empty() {
                    return Then::End(End::OpponentDead);
                }
                break;
            };
            if several || (at != node && self.shared[at.index()]) {
                break;
            }
            passed.push(*variable);
            at = next;
        }
        Then::Any(passed, self.id(at))
    }
}

/// The steps with each before those it leads to, and with their uses counted.
fn sorted(mut steps: Vec<Step>) -> Vec<Step> {
    for place in 0..steps.len() {
        for to in steps[place].successors() {
            steps[to].uses += 1;
        }
    }
    let mut waiting: Vec<usize> = steps.iter().map(|step| step.uses).collect();
    let mut order = Vec::with_capacity(steps.len());
    let mut ready = vec![0];
    while let Some(place) = ready.pop() {
        order.push(place);
        for to in steps[place].successors().into_iter().rev() {
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    let mut new = vec![0; steps.len()];
    for (number, &place) in order.iter().enumerate() {
        new[place] = number;
    }
    let renamed = |place: usize| {
        let mut step = steps[place].clone();
        match &mut step.then {
            Then::Ask(_, answers) => answers.iter_mut().for_each(|it| it.to = new[it.to]),
            Then::Any(_, to) | Then::Go(to) => *to = new[*to],
            Then::End(_) => {}
        }
        step
    };
    order.into_iter().map(renamed).collect()
}

/// Ranges of a variable in words: `d1 >= 2`, `d1 = 0 or d1 = 3`, `2 <= d1 <= 4`.
pub fn condition(program: &Program, variable: VarId, ranges: &[Range]) -> String {
    let it = &program.variables()[variable];
    let (name, domain) = (&it.name, it.domain());
    let one = |(from, to): &Range| {
        let (first, last) = (domain.lower.as_ref(), domain.upper.as_ref());
        match (from == to, first == Some(from), last == Some(to)) {
            (true, ..) => format!("{name} = {from}"),
            (_, true, true) => format!("any {name}"),
            (_, true, _) => format!("{name} <= {to}"),
            (_, _, true) => format!("{name} >= {from}"),
            _ => format!("{from} <= {name} <= {to}"),
        }
    };
    let words: Vec<String> = ranges.iter().map(one).collect();
    words.join(" or ")
}

/// Whether answers to this variable are mixed between the values that have one.
pub fn is_mixed(program: &Program, variable: VarId) -> bool {
    program.variables()[variable].kind == Kind::Real
}

/// `x = 1, y = 0`.
pub fn moves_in_words(program: &Program, digits: Digits, moves: &[(VarId, Rational)]) -> String {
    let word =
        |(var, value): &(VarId, Rational)| digits.equation(&program.variables()[*var].name, value);
    let words: Vec<String> = moves.iter().map(word).collect();
    words.join(", ")
}

/// How a play ends, in words; nothing where every move is made.
pub fn end_in_words(program: &Program, digits: Digits, end: &End) -> String {
    match end {
        End::Complete => String::new(),
        End::OpponentDead => "won: the opponent has no legal move".to_owned(),
        End::Ray(direction) => {
            let along = moves_in_words(program, digits, direction);
            format!("and on without end, in steps of {along}")
        }
        End::Cut => "left out".to_owned(),
        End::Settled(moves) if moves.is_empty() => "settled".to_owned(),
        End::Settled(moves) => format!("settled by {}", moves_in_words(program, digits, moves)),
        End::Open(moves) if moves.is_empty() => "settled, how depends on the play".to_owned(),
        End::Open(moves) => {
            let moves = moves_in_words(program, digits, moves);
            format!("settled by {moves}, the rest depends on the play")
        }
    }
}

/// What a strategy is worth, as a sentence.
pub fn headline(program: &Program, digits: Digits, strategy: &Strategy) -> String {
    use super::Guarantee;
    use crate::program::{Quantifier, Sense};
    let player = match strategy.owner() {
        Quantifier::Exists => "Strategy of the existential player",
        Quantifier::Forall => "Refutation: strategy of the universal player",
    };
    let maximize = program
        .objective()
        .is_some_and(|it| it.sense == Sense::Maximize);
    let at_most = (strategy.owner() == Quantifier::Exists) != maximize;
    let promise = match (strategy.guarantee(), strategy.guaranteed_value(program)) {
        (_, Some(value)) if at_most => {
            format!("the objective is at most {}", digits.write(&value))
        }
        (_, Some(value)) => format!("the objective is at least {}", digits.write(&value)),
        (Guarantee::Won, _) => "the opponent is left without a legal move".to_owned(),
        (Guarantee::Lost, _) => "the opponent's rows cannot be kept".to_owned(),
        (Guarantee::Unbounded, _) => "the objective is pushed beyond every bound".to_owned(),
        (Guarantee::Kept | Guarantee::Cost(_), _) => "the rows are kept".to_owned(),
    };
    format!("{player}: {promise}.")
}
