//! From plans to certificates: what a plan takes for granted is proved.
//!
//! A plan's end or a value it does not answer may need different proofs after different moves. So
//! the walk goes over pairs of a plan's node and what the moves before left of the rows; a part of
//! a plan that takes nothing for granted is walked once.

mod explain;
mod mixed;
mod mixing;
mod prove;
mod rows;
mod weigh;

pub use explain::relevant_changes;
pub use prove::{Completion, System};

use mixing::Mixing;
use rows::Rows;
use weigh::Weighing;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::empty;
use crate::num::{Exact, Rational};
pub use crate::outcome::CertificateError;
use crate::outcome::{Outcome, Status, cost_of_objective};
use crate::program::{Kind, Program, Quantifier, VarId};
use crate::strategy::{
    Answer, Certificate, Ending, Evidence, EvidenceBuilder, EvidenceNode, Guarantee, NodeId, Plan,
    PlanNode, Reply, successors,
};

/// The certificate of an outcome that has its plans in hand.
pub fn certify(
    program: &Program,
    outcome: &Outcome,
    budget: &mut Budget,
) -> Result<Certificate, CertificateError> {
    let cost = |value: &Option<Rational>| {
        let value = value.clone().unwrap_or_default();
        Guarantee::Cost(cost_of_objective(program, value))
    };
    let (strategy, refutation) = match outcome.status {
        Status::UniversalStuck => (Guarantee::Won, Guarantee::Won),
        Status::Infeasible => (Guarantee::Lost, Guarantee::Lost),
        Status::Feasible => (Guarantee::Kept, cost(&outcome.bound)),
        Status::Unbounded => (Guarantee::Unbounded, Guarantee::Won),
        _ => (cost(&outcome.objective), cost(&outcome.bound)),
    };
    if program.first_empty_domain().is_some() && outcome.status != Status::Interrupted {
        let decided = empty::decide(program, budget)?;
        return Ok(decided.map_or_else(|| outcome.claim(program), |it| it.certificate(program)));
    }
    let order = program.playing_order();
    let mut prove = |plan: &Option<Plan>, guarantee: Guarantee| match plan {
        Some(plan) => {
            let walk = Walk::new(program, plan, &order)?;
            walk.run(guarantee, budget).map(Some)
        }
        None => Ok(None),
    };
    Ok(Certificate {
        model: program.fingerprint(),
        status: outcome.status.to_string(),
        value: match outcome.status {
            Status::Optimal => outcome.objective.clone(),
            _ => None,
        },
        strategy: prove(&outcome.strategy, strategy)?,
        refutation: prove(&outcome.refutation, refutation)?,
        scenarios: None,
    })
}

/// A node of the plan that is being walked through.
struct Frame {
    node: NodeId,
    key: Vec<i128>,
    /// The opponent's next value to look at, and the branch it may be in.
    next: i128,
    replies: Vec<Reply>,
}

struct Walk<'a> {
    program: &'a Program,
    plan: &'a Plan,
    order: &'a [VarId],
    own: Rows<'a>,
    other: Rows<'a>,
    /// Whether the part of the plan below a node takes nothing for granted.
    pure: Vec<bool>,
    has_reals: bool,
    mixing: Mixing,
    built: EvidenceBuilder,
    known: FxHashMap<(NodeId, Vec<i128>), NodeId>,
    /// The moves so far; zero stands for real ones, which no proof leans on.
    values: Vec<i128>,
    frames: Vec<Frame>,
}

impl<'a> Walk<'a> {
    fn new(
        program: &'a Program,
        plan: &'a Plan,
        order: &'a [VarId],
    ) -> Result<Self, CertificateError> {
        Ok(Self {
            program,
            plan,
            order,
            own: Rows::new(program, plan.owner(), order)?,
            other: Rows::new(program, plan.owner().opponent(), order)?,
            mixing: Mixing::new(program, order, plan.owner()),
            pure: pure_parts(program, plan),
            has_reals: (program.variables().iter()).any(|variable| variable.kind == Kind::Real),
            built: EvidenceBuilder::default(),
            known: FxHashMap::default(),
            values: Vec::new(),
            frames: Vec::new(),
        })
    }

    fn run(
        mut self,
        guarantee: Guarantee,
        budget: &mut Budget,
    ) -> Result<Evidence, CertificateError> {
        let mut entered = self.enter(self.plan.root(), budget)?;
        loop {
            if let Some(done) = entered {
                let Some(frame) = self.frames.pop() else {
                    return Ok(self.built.finish(self.plan.owner(), guarantee, done));
                };
                self.values.pop();
                entered = self.absorb(frame, done, budget)?;
            } else {
                entered = self.advance(budget)?;
            }
        }
    }

    /// Opens a node: what it becomes, if that is known at once, or a new frame.
    fn enter(
        &mut self,
        node: NodeId,
        budget: &mut Budget,
    ) -> Result<Option<NodeId>, CertificateError> {
        budget.look_sometimes()?;
        let mut key = vec![self.values.len() as i128];
        if self.has_reals {
            // What ends in a weighing of scenarios states all sums, the cost among them.
            key.extend(&self.values);
        } else if !self.pure[node.index()] {
            self.own.residual(&self.values, &mut key);
            self.other.residual(&self.values, &mut key);
        }
        if let Some(&known) = self.known.get(&(node, key.clone())) {
            return Ok(Some(known));
        }
        if let PlanNode::End(ending) = self.plan.node(node) {
            let end = self.end(ending, budget)?;
            let built = self.built.add(end);
            self.known.insert((node, key), built);
            return Ok(Some(built));
        }
        let lower = self.domain().0;
        self.frames.push(Frame {
            node,
            key,
            next: lower,
            replies: Vec::new(),
        });
        Ok(None)
    }

    /// Makes the next move of the top frame that leads on; closes the frame when there is none.
    fn advance(&mut self, budget: &mut Budget) -> Result<Option<NodeId>, CertificateError> {
        let frame = self.frames.last().expect("invariant: a frame is open");
        match self.plan.node(frame.node) {
            PlanNode::Choose {
                variable,
                value,
                next,
            } => {
                self.at(*variable)?;
                let value = if self.is_real(*variable) {
                    0
                } else {
                    whole(value)?
                };
                self.values.push(value);
                self.enter_or_return(*next, budget)
            }
            PlanNode::Await { variable, branches } if self.mixing.mixes(*variable) => {
                self.at(*variable)?;
                let Some(branch) = self.next_branch(*variable, branches, budget)? else {
                    let frame = self.frames.pop().expect("invariant: a frame is open");
                    return self.close(frame).map(Some);
                };
                let number = { &self.mixing }.stand_in(self.program, *variable, &branch.from);
                self.values.push(number);
                self.enter_or_return(branch.next, budget)
            }
            PlanNode::Await { variable, branches } => {
                self.at(*variable)?;
                let upper = self.domain().1;
                loop {
                    // However many values there are, limits are kept.
                    budget.look_sometimes()?;
                    let frame = self.frames.last_mut().expect("invariant: a frame is open");
                    let value = frame.next;
                    if value > upper {
                        let frame = self.frames.pop().expect("invariant: a frame is open");
                        return self.close(frame).map(Some);
                    }
                    let exact = Rational::from_integer(value.into());
                    let found = branches
                        .iter()
                        .find(|branch| branch.from <= exact && exact <= branch.to);
                    if let Some(branch) = found {
                        let next = branch.next;
                        if self.pure[next.index()] {
                            frame.next = whole(&branch.to)?;
                        }
                        self.values.push(value);
                        return self.enter_or_return(next, budget);
                    }
                    self.exclude(value, budget)?;
                }
            }
            PlanNode::End(_) => unreachable!("invariant: ends have no frame"),
        }
    }

    fn enter_or_return(
        &mut self,
        node: NodeId,
        budget: &mut Budget,
    ) -> Result<Option<NodeId>, CertificateError> {
        let depth = self.frames.len();
        let entered = self.enter(node, budget)?;
        debug_assert!(entered.is_some() || self.frames.len() == depth + 1);
        Ok(entered)
    }

    /// Takes a finished successor into its parent.
    fn absorb(
        &mut self,
        mut frame: Frame,
        next: NodeId,
        _budget: &mut Budget,
    ) -> Result<Option<NodeId>, CertificateError> {
        match self.plan.node(frame.node) {
            PlanNode::Choose {
                variable, value, ..
            } => {
                let next = self.with_ray(*variable, next, frame.node);
                let node = EvidenceNode::Choose {
                    variable: *variable,
                    value: value.clone().into(),
                    next,
                };
                Ok(Some(self.keep(frame, node)))
            }
            PlanNode::Await { variable, branches } if self.mixing.mixes(*variable) => {
                let is_next = |reply: &&Reply| matches!(reply.answer, Answer::Next(_));
                let branch = &branches[frame.replies.iter().filter(is_next).count()];
                frame.replies.push(Reply {
                    from: branch.from.clone().into(),
                    to: branch.to.clone().into(),
                    answer: Answer::Next(next),
                });
                self.frames.push(frame);
                Ok(None)
            }
            PlanNode::Await { branches, .. } => {
                let to = Rational::from_integer(frame.next.into());
                let branch = branches
                    .iter()
                    .find(|branch| branch.from <= to && to <= branch.to);
                let pure = branch.is_some_and(|branch| self.pure[branch.next.index()]);
                let from = match branch {
                    Some(branch) if pure => branch.from.clone(),
                    _ => to.clone(),
                };
                frame.next += 1;
                push_reply(
                    &mut frame.replies,
                    Reply {
                        from: from.into(),
                        to: to.into(),
                        answer: Answer::Next(next),
                    },
                );
                self.frames.push(frame);
                Ok(None)
            }
            PlanNode::End(_) => unreachable!("invariant: ends have no frame"),
        }
    }

    /// A value that no branch answers: the opponent's system must not survive it.
    fn exclude(&mut self, value: i128, budget: &mut Budget) -> Result<(), CertificateError> {
        self.values.push(value);
        let completion = self.other.completion(&self.mixing, &self.values, budget)?;
        self.values.pop();
        let Completion::Dead(proof) = completion else {
            let name = self.place().map(|var| &self.program.variables()[var].name);
            let name = name.map_or("", |name| name);
            return Err(CertificateError::Wrong(format!(
                "{name} = {value} is legal"
            )));
        };
        let exact = Exact::from(Rational::from_integer(value.into()));
        let reply = Reply {
            from: exact.clone(),
            to: exact,
            answer: Answer::Illegal(Box::new(proof)),
        };
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        frame.next = value + 1;
        push_reply(&mut frame.replies, reply);
        Ok(())
    }

    fn close(&mut self, mut frame: Frame) -> Result<NodeId, CertificateError> {
        let PlanNode::Await { variable, .. } = self.plan.node(frame.node) else {
            unreachable!("invariant: choices are closed by their successor");
        };
        let replies = std::mem::take(&mut frame.replies);
        let node = EvidenceNode::Await {
            variable: *variable,
            replies,
        };
        // The parent's value is on the stack below; this frame's own was taken back already.
        let built = self.keep(frame, node);
        Ok(built)
    }

    fn keep(&mut self, frame: Frame, node: EvidenceNode) -> NodeId {
        let built = self.built.add(node);
        self.known.insert((frame.node, frame.key), built);
        built
    }

    /// What follows the last existential variable, with the direction in which it may go on.
    fn with_ray(&mut self, variable: VarId, next: NodeId, from: NodeId) -> NodeId {
        let variables = self.program.variables();
        let is_decided = |var: &&VarId| variables[**var].quantifier == Quantifier::Exists;
        if self.order.iter().rfind(is_decided) != Some(&variable) {
            return next;
        }
        let mut node = self.plan.node(from);
        while let Some(below) = successors(node).next() {
            node = self.plan.node(below);
        }
        match node {
            PlanNode::End(Ending::Ray(rates)) => {
                let rates = rates.clone();
                self.built.add(EvidenceNode::Ray { rates, next })
            }
            _ => next,
        }
    }

    fn end(
        &mut self,
        ending: &Ending,
        budget: &mut Budget,
    ) -> Result<EvidenceNode, CertificateError> {
        match ending {
            // A ray is told where the last existential variable is fixed.
            Ending::Complete | Ending::Ray(_) => Ok(EvidenceNode::Complete),
            Ending::OpponentDead => {
                let Completion::Dead(proof) =
                    self.other.completion(&self.mixing, &self.values, budget)?
                else {
                    return Err(CertificateError::Wrong(
                        "the opponent's system is alive".to_owned(),
                    ));
                };
                let alive = match self.own.completion(&self.mixing, &self.values, budget)? {
                    Completion::Alive(values) => Some(values),
                    Completion::Dead(_) => None,
                };
                Ok(EvidenceNode::Dead {
                    place: self.values.len(),
                    alive,
                    proof: Box::new(proof),
                })
            }
            Ending::Bounded(scenarios) => {
                let value = |value: &i128| Rational::from_integer((*value).into());
                let fixed = self.order.iter().copied();
                let fixed: Vec<_> = fixed.zip(self.values.iter().map(value)).collect();
                let mut weighing = Weighing {
                    program: self.program,
                    order: self.order,
                    fixed: &fixed,
                    built: &mut self.built,
                };
                Ok(weighing.bound(scenarios))
            }
        }
    }

    fn place(&self) -> Option<VarId> {
        self.order.get(self.values.len()).copied()
    }

    fn is_real(&self, variable: VarId) -> bool {
        self.program.variables()[variable].kind == Kind::Real
    }

    fn at(&self, variable: VarId) -> Result<(), CertificateError> {
        if Some(variable) == self.place() {
            return Ok(());
        }
        Err(CertificateError::Wrong(
            "variables are not fixed in order".to_owned(),
        ))
    }

    /// The values of the variable that is next.
    fn domain(&self) -> (i128, i128) {
        let Some(var) = self.place() else {
            return (0, -1);
        };
        let domain = self.program.variables()[var].domain();
        let end = |end: Option<Rational>| end.and_then(|end| end.to_integer().to_i128());
        (
            end(domain.lower).unwrap_or(0),
            end(domain.upper).unwrap_or(-1),
        )
    }
}

/// Neighbouring ranges with the same answer become one; proofs that state what was fixed before
/// hold for one value only.
pub fn push_reply(replies: &mut Vec<Reply>, reply: Reply) {
    let mergeable = match &reply.answer {
        Answer::Next(_) => true,
        Answer::Illegal(proof) => proof.given.is_empty(),
    };
    match replies.last_mut() {
        Some(last) if mergeable && last.answer == reply.answer => last.to = reply.to,
        _ => replies.push(reply),
    }
}

fn whole(value: &Rational) -> Result<i128, CertificateError> {
    let whole = value
        .is_integer()
        .then(|| value.to_integer().to_i128())
        .flatten();
    whole.ok_or_else(|| {
        CertificateError::Wrong(format!("{value} is not a value of an integer variable"))
    })
}

/// For each node, whether every line from it ends in a complete play and every value is answered.
fn pure_parts(program: &Program, plan: &Plan) -> Vec<bool> {
    let mut pure = Vec::with_capacity(plan.nodes().len());
    for node in plan.nodes() {
        let below = successors(node).all(|next| pure[next.index()]);
        let here = match node {
            PlanNode::Choose { .. } => true,
            PlanNode::End(ending) => matches!(ending, Ending::Complete),
            PlanNode::Await { variable, .. }
                if program.variables()[*variable].kind == Kind::Real =>
            {
                true
            }
            PlanNode::Await { variable, branches } => {
                let domain = program.variables()[*variable].domain();
                let mut due = domain.lower;
                for branch in branches {
                    due = due
                        .filter(|due| *due == branch.from)
                        .map(|_| &branch.to + Rational::from_integer(1.into()));
                }
                due.is_some()
                    && due
                        == domain
                            .upper
                            .map(|end| end + Rational::from_integer(1.into()))
            }
        };
        pure.push(below && here);
    }
    pure
}
