//! Ends of a refutation: the clauses that are left cannot all hold.
//!
//! Shown by propagation: a clause with one open literal makes it true, until a clause has none left.
//! Of the steps only those are told that the end needs.

use super::Walk;
use crate::num::{Rational, int};
use crate::outcome::CertificateError;
use crate::program::{Id, Quantifier, RowId, VarId};
use crate::qbf::literal::Literal;
use crate::strategy::{EvidenceNode, NodeId, Player, Proof, SideRef, Step};

/// What propagation has found out about variables behind the present place.
struct Found {
    /// By variable: the value, and the clause that says so.
    values: Vec<Option<(bool, usize)>>,
    /// Variables in the order in which they were found.
    order: Vec<VarId>,
}

impl Walk<'_> {
    /// The end of a play in which the clauses left are contradictory.
    pub(super) fn dead_end(&mut self) -> Result<NodeId, CertificateError> {
        let found = self.dead_by_propagation()?;
        found.ok_or_else(|| CertificateError::Wrong("a play ends too early".into()))
    }

    /// The end of the play, if propagation finds a clause without a literal.
    pub(super) fn dead_by_propagation(&mut self) -> Result<Option<NodeId>, CertificateError> {
        self.budget.look_sometimes()?;
        let mut found = Found {
            values: vec![None; self.prefix.len()],
            order: Vec::new(),
        };
        let mut failed = None;
        let mut open: Vec<usize> = (0..self.position.clauses()).rev().collect();
        while let Some(clause) = open.pop() {
            match self.state(clause, &found) {
                State::Quiet => {}
                State::Failed => {
                    failed = Some(clause);
                    break;
                }
                State::Unit(literal) => {
                    found.values[literal.var().index()] = Some((literal.is_positive(), clause));
                    found.order.push(literal.var());
                    open.extend(self.position.with(literal.negated()));
                }
            }
        }
        Ok(failed.map(|clause| self.dead(clause, &found)))
    }

    fn state(&self, clause: usize, found: &Found) -> State {
        if !self.position.is_open(clause) {
            return State::Quiet;
        }
        let mut only = None;
        for &literal in self.position.clause(clause) {
            let var = literal.var().index();
            if var < self.position.place() {
                continue;
            }
            match found.values[var] {
                Some((value, _)) if value == literal.is_positive() => return State::Quiet,
                Some(_) => {}
                None if only.is_some() => return State::Quiet,
                None => only = Some(literal),
            }
        }
        only.map_or(State::Failed, State::Unit)
    }

    /// The end with the steps that lead to a clause that fails.
    fn dead(&mut self, failed: usize, found: &Found) -> NodeId {
        let mut needed = vec![false; self.prefix.len()];
        let mut used = vec![failed];
        let mut steps = vec![Step::Row(self.side(failed))];
        self.need(failed, None, &mut needed);
        for &var in found.order.iter().rev() {
            let Some((_, clause)) = found.values[var.index()].filter(|_| needed[var.index()])
            else {
                continue;
            };
            self.need(clause, Some(var), &mut needed);
            used.push(clause);
            steps.push(Step::Cut(self.side(clause), var));
        }
        steps.reverse();
        used.sort_unstable();
        used.dedup();
        let given = used
            .iter()
            .map(|&clause| (self.side(clause), self.given(clause)));
        let proof = Proof {
            given: given.collect(),
            steps,
        };
        let place = self.position.place();
        self.builder.add(EvidenceNode::Dead {
            place,
            alive: Some(Vec::new()),
            proof: Box::new(proof),
        })
    }

    /// Marks the variables of a clause that were not passed.
    fn need(&self, clause: usize, except: Option<VarId>, needed: &mut [bool]) {
        for literal in self.position.clause(clause) {
            if Some(literal.var()) != except && literal.var().index() >= self.position.place() {
                needed[literal.var().index()] = true;
            }
        }
    }

    /// The side of the row that is the clause. Clauses are numbered like rows.
    fn side(&self, clause: usize) -> SideRef {
        let row = RowId::new(clause);
        let player = Player::from(Quantifier::Exists);
        match self.program.rows()[row].lower {
            Some(_) => SideRef::Lower(player, row),
            None => SideRef::Upper(player, row),
        }
    }

    /// What the moves so far add to that side: one for each negated literal that is false, as the
    /// side counts literals downwards.
    fn given(&self, clause: usize) -> Rational {
        let values = self.position.values();
        let passed = self.position.clause(clause).iter();
        let passed = passed.filter(|it| it.var().index() < values.len());
        let adds = |literal: &Literal| {
            // In `Σ a·x <= b` a literal has coefficient -1, its negation 1.
            let sign = if literal.is_positive() { -1 } else { 1 };
            sign * i64::from(values[literal.var().index()])
        };
        int(passed.map(adds).sum())
    }
}

/// What is left of a clause.
enum State {
    Quiet,
    Unit(Literal),
    Failed,
}
