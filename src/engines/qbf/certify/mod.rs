//! Certificates of answers, position by position.
//!
//! The engine says who wins and how he begins. So the game is walked once more from the winner's side:
//! in each of his blocks the formula that is left is solved anew and its first moves are taken, the
//! opponent's moves are all answered. What was learnt or simplified on the way to an answer is
//! forgotten; only moves come back, and these through the way back of the presolve. Positions that leave
//! the same clauses share their part of the plan, and what a clause forces is not asked.
//!
//! The existential player's plan ends where every clause holds, the universal player's where
//! propagation finds a clause without a literal ([`dead`]); both are proved to the checker.
//!
//! **Invariant:** nothing is taken from the engine but moves. A wrong one makes a plan that cannot be
//! finished, never one that is wrong.

mod dead;
mod position;

use position::Position;
use rustc_hash::FxHashMap;

use super::engine::Engine;
use super::forget::Pace;
use super::literal::Prefix;
use super::matrix::Matrix;
use super::presolve;
use super::settings::Settings;
use super::turns::Turns;
use crate::budget::Budget;
use crate::certify::push_reply;
use crate::outcome::CertificateError;
use crate::program::{Id, Program, Quantifier, VarId};
use crate::strategy::{Answer, Evidence, EvidenceBuilder, EvidenceNode, Guarantee, NodeId, Reply};

/// Moves of the opponent in one play beyond which there is no plan: each is a level of recursion.
const MOST_MOVES: usize = 4_000;

/// The winner's plan with its proofs, for a program that is a formula in clauses.
pub(super) fn plan(
    program: &Program,
    winner: Quantifier,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Evidence, CertificateError> {
    let matrix = Matrix::new(program).filter(|it| it.prefix.len() == program.variables().len());
    let Some(matrix) = matrix else {
        let reason = "its rows are not all clauses".to_owned();
        return Err(CertificateError::Unsupported(reason));
    };
    let walk = Walk {
        program,
        owner: winner,
        position: Position::new(&matrix),
        prefix: &matrix.prefix,
        settings,
        budget,
        builder: EvidenceBuilder::default(),
        known: FxHashMap::default(),
        won: Vec::new(),
        awaited: 0,
    };
    walk.run()
}

struct Walk<'a> {
    program: &'a Program,
    owner: Quantifier,
    position: Position<'a>,
    prefix: &'a Prefix,
    settings: &'a Settings,
    budget: &'a mut Budget,
    builder: EvidenceBuilder,
    /// Parts of the plan by what the moves before left.
    known: FxHashMap<Vec<u64>, NodeId>,
    /// Plans from a place on where every clause holds, from the end on.
    won: Vec<NodeId>,
    /// Moves of the opponent in the present play that were not forced.
    awaited: usize,
}

/// A variable that was passed, and the value it got.
enum Passed {
    /// Its owner chose it.
    Chosen(bool),
    /// The opponent could do nothing else: the other value leads here.
    Forced(bool, NodeId),
}

impl Walk<'_> {
    fn run(mut self) -> Result<Evidence, CertificateError> {
        let root = self.build()?;
        let guarantee = match self.owner {
            Quantifier::Exists => Guarantee::Kept,
            Quantifier::Forall => Guarantee::Lost,
        };
        Ok(self.builder.finish(self.owner, guarantee, root))
    }

    /// The plan from the present position on.
    fn build(&mut self) -> Result<NodeId, CertificateError> {
        self.budget.look_sometimes()?;
        let mut passed = Vec::new();
        let end = loop {
            if let Some(end) = self.end()? {
                break end;
            }
            let var = VarId::new(self.position.place());
            let is_own = self.prefix.owner_of_var(var) == self.owner;
            match self.position.forced(var) {
                // Clauses force the existential player only.
                Some(value) if is_own && self.owner == Quantifier::Exists => {
                    passed.push(Passed::Chosen(value));
                    self.position.pass(value);
                }
                Some(value) if !is_own && self.owner == Quantifier::Forall => {
                    self.position.pass(!value);
                    let other = self.dead_end()?;
                    self.position.back();
                    passed.push(Passed::Forced(value, other));
                    self.position.pass(value);
                }
                _ if is_own => {
                    for value in self.moves(var)? {
                        passed.push(Passed::Chosen(value));
                        self.position.pass(value);
                    }
                }
                _ => break self.answer_all(var)?,
            }
        };
        Ok(self.unwind(passed, end))
    }

    /// Puts the variables that were passed before a plan, and takes them back.
    fn unwind(&mut self, passed: Vec<Passed>, end: NodeId) -> NodeId {
        let mut next = end;
        for step in passed.into_iter().rev() {
            self.position.back();
            let variable = VarId::new(self.position.place());
            next = match step {
                Passed::Chosen(value) => self.choose(variable, value, next),
                Passed::Forced(value, other) => {
                    let replies = if value { [other, next] } else { [next, other] };
                    self.wait(variable, replies)
                }
            };
        }
        next
    }

    /// The plan, if the game is decided here.
    fn end(&mut self) -> Result<Option<NodeId>, CertificateError> {
        match self.owner {
            Quantifier::Exists if self.position.is_won() => Ok(Some(self.won_from_here())),
            Quantifier::Forall if self.position.is_lost() => self.dead_end().map(Some),
            _ if self.position.place() < self.prefix.len() => Ok(None),
            _ => Err(CertificateError::Wrong(
                "a play ends for the other player".into(),
            )),
        }
    }

    /// Every value of a variable of the opponent and of what follows.
    fn answer_all(&mut self, var: VarId) -> Result<NodeId, CertificateError> {
        let key = self.position.key();
        if let Some(&node) = self.known.get(&key) {
            return Ok(node);
        }
        if self.awaited == MOST_MOVES {
            let reason = format!("a play has more than {MOST_MOVES} moves of the opponent");
            return Err(CertificateError::Unsupported(reason));
        }
        self.awaited += 1;
        let mut replies = [None, None];
        for value in [false, true] {
            // A value that changes nothing is answered like the other.
            if value && !self.position.matters(var) {
                replies[1] = replies[0];
                continue;
            }
            self.position.pass(value);
            let dead = self.owner == Quantifier::Forall;
            let dead = if dead {
                self.dead_by_propagation()?
            } else {
                None
            };
            let node = match dead {
                Some(node) => node,
                None => self.build()?,
            };
            self.position.back();
            replies[usize::from(value)] = Some(node);
        }
        self.awaited -= 1;
        let [Some(low), Some(high)] = replies else {
            return Err(CertificateError::Wrong("a value has no answer".into()));
        };
        let node = self.wait(var, [low, high]);
        self.known.insert(key, node);
        Ok(node)
    }

    fn choose(&mut self, variable: VarId, value: bool, next: NodeId) -> NodeId {
        let value = i64::from(value).into();
        self.builder.add(EvidenceNode::Choose {
            variable,
            value,
            next,
        })
    }

    fn wait(&mut self, variable: VarId, next: [NodeId; 2]) -> NodeId {
        let mut replies = Vec::new();
        for (value, node) in (0_i64..).zip(next) {
            let reply = Reply {
                from: value.into(),
                to: value.into(),
                answer: Answer::Next(node),
            };
            push_reply(&mut replies, reply);
        }
        self.builder.add(EvidenceNode::Await { variable, replies })
    }

    /// Anything goes: every clause holds.
    fn won_from_here(&mut self) -> NodeId {
        let count = self.prefix.len();
        if self.won.is_empty() {
            self.won.push(self.builder.add(EvidenceNode::Complete));
        }
        while self.won.len() <= count - self.position.place() {
            let var = VarId::new(count - self.won.len());
            let next = self.won[self.won.len() - 1];
            let node = if self.prefix.owner_of_var(var) == self.owner {
                self.choose(var, false, next)
            } else {
                self.wait(var, [next, next])
            };
            self.won.push(node);
        }
        self.won[count - self.position.place()]
    }

    /// The owner's moves from a variable to the end of its block.
    fn moves(&mut self, from: VarId) -> Result<Vec<bool>, CertificateError> {
        let (matrix, end) = self.left_from(from);
        let (matrix, undo) = presolve::simplify(matrix, self.settings, self.budget)?;
        let engine = Engine::new(&matrix, self.settings.clone(), Pace::default(), self.budget);
        let mut turns = Turns::new(engine);
        let victory = turns.run(&matrix)?;
        if victory.winner != self.owner {
            return Err(CertificateError::Wrong("a move loses".into()));
        }
        let mut values = turns.engine.winning_values(&matrix, &victory);
        undo.complete(&mut values);
        Ok(values[from.index()..end].to_vec())
    }

    /// The formula that is left, with the variable's block outermost; and where that block ends.
    fn left_from(&self, from: VarId) -> (Matrix, usize) {
        let block = self.prefix.block_of(from);
        let vars = self.prefix.vars().skip(from.index());
        let end = vars
            .take_while(|&var| self.prefix.block_of(var) == block)
            .count();
        let mut prefix = self.prefix.clone();
        prefix.begin_with(from);
        let matrix = Matrix {
            prefix,
            clauses: self.position.left(),
        };
        (matrix, from.index() + end)
    }
}
