//! The text of a certificate. The grammar is in `docs/certificate.md`.

use std::io::{self, Write};

use rustc_hash::FxHashSet;

use super::NodeId;
use super::certificate::{
    Answer, Certificate, Evidence, EvidenceNode, Guarantee, Item, Player, Proof, Reply, SideRef,
    Step,
};
use crate::num::Rational;
use crate::program::{Id, Program, Quantifier, VarId, cost_of_objective};

impl Certificate {
    /// Writes the certificate; `program` is the one it was made for.
    pub fn write(&self, program: &Program, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "quip-certificate 2")?;
        writeln!(out, "model {}", self.model)?;
        match &self.value {
            Some(value) => writeln!(out, "claim {} {value}", self.status)?,
            None => writeln!(out, "claim {}", self.status)?,
        }
        for evidence in self.strategy.iter().chain(&self.refutation) {
            Writer { program, out }.evidence(evidence)?;
        }
        writeln!(out, "end")
    }

    /// The text as a string.
    pub fn to_text(&self, program: &Program) -> String {
        let mut bytes = Vec::new();
        self.write(program, &mut bytes)
            .expect("invariant: a vector takes every byte");
        String::from_utf8(bytes).expect("invariant: names and numbers are text")
    }
}

struct Writer<'a, W> {
    program: &'a Program,
    out: &'a mut W,
}

impl<'a, W: Write> Writer<'a, W> {
    fn evidence(&mut self, evidence: &Evidence) -> io::Result<()> {
        let side = match evidence.owner {
            Quantifier::Exists => "strategy",
            Quantifier::Forall => "refutation",
        };
        match &evidence.guarantee {
            Guarantee::Cost(cost) => {
                let value = cost_of_objective(self.program, cost.clone());
                writeln!(self.out, "{side} {value}")?;
            }
            other => writeln!(self.out, "{side} {other}")?,
        }
        let last = last_uses(evidence);
        for (index, node) in evidence.nodes.iter().enumerate() {
            write!(self.out, "{index}")?;
            self.node(
                node,
                &mut References {
                    last: &last,
                    node: index,
                    slot: 0,
                },
            )?;
            writeln!(self.out)?;
        }
        writeln!(self.out, "root {}.", evidence.root.index())
    }

    fn node(&mut self, node: &EvidenceNode, to: &mut References<'_>) -> io::Result<()> {
        match node {
            EvidenceNode::Choose {
                variable,
                value,
                next,
            } => {
                write!(self.out, " choose {} {value}", self.name(*variable))?;
                to.write(self.out, *next)
            }
            EvidenceNode::Await { variable, replies } => self.replies(*variable, replies, to),
            EvidenceNode::Complete => write!(self.out, " complete"),
            EvidenceNode::Dead {
                place,
                alive,
                proof,
            } => {
                write!(self.out, " dead {place}")?;
                self.moves("alive", alive.as_deref())?;
                self.proof(proof, to)
            }
            EvidenceNode::Bound { place, play, proof } => {
                write!(self.out, " bound {place}")?;
                self.moves("play", (!play.is_empty()).then_some(play.as_slice()))?;
                self.proof(proof, to)
            }
            EvidenceNode::Sum {
                place,
                play,
                mixture,
            } => {
                write!(self.out, " sum {place}")?;
                self.moves("play", (!play.is_empty()).then_some(play.as_slice()))?;
                self.mixture(mixture, to)
            }
            EvidenceNode::Ray { rates, next } => {
                self.moves("ray", Some(rates.as_slice()))?;
                to.write(self.out, *next)
            }
        }
    }

    fn replies(
        &mut self,
        variable: VarId,
        replies: &[Reply],
        to: &mut References<'_>,
    ) -> io::Result<()> {
        let domain = self.program.variables()[variable].domain();
        write!(self.out, " await {}", self.name(variable))?;
        for Reply {
            from,
            to: end,
            answer,
        } in replies
        {
            let whole = domain.lower.as_ref() == Some(from) && domain.upper.as_ref() == Some(end);
            match (whole || !domain.is_finite(), from == end) {
                (true, _) => write!(self.out, " any")?,
                (false, true) => write!(self.out, " {from}")?,
                (false, false) => write!(self.out, " {from}..{end}")?,
            }
            match answer {
                Answer::Next(next) => to.write(self.out, *next)?,
                Answer::Illegal(proof) => {
                    write!(self.out, " illegal")?;
                    self.proof(proof, to)?;
                }
            }
        }
        Ok(())
    }

    fn moves(&mut self, word: &str, moves: Option<&[(VarId, Rational)]>) -> io::Result<()> {
        let Some(moves) = moves else { return Ok(()) };
        write!(self.out, " {word}")?;
        for (variable, value) in moves {
            write!(self.out, " {}={value}", self.name(*variable))?;
        }
        Ok(())
    }

    fn proof(&mut self, proof: &Proof, to: &mut References<'_>) -> io::Result<()> {
        for (side, at) in &proof.given {
            write!(self.out, " given {} {at}", side_name(*side))?;
        }
        for step in &proof.steps {
            match step {
                Step::Cut(side, var) => {
                    write!(self.out, " cut {} {}", side_name(*side), self.name(*var))?;
                }
                Step::Split(var, at) => write!(self.out, " split {} {at}", self.name(*var))?,
                Step::Row(side) => write!(self.out, " row {}", side_name(*side))?,
                Step::Mix(mixture) => {
                    write!(self.out, " mix")?;
                    self.mixture(mixture, to)?;
                }
            }
        }
        Ok(())
    }

    fn mixture(&mut self, mixture: &[(Item, Rational)], to: &mut References<'_>) -> io::Result<()> {
        write!(self.out, " {}", mixture.len())?;
        for (item, weight) in mixture {
            match item {
                Item::Sum(node) => to.write_as(self.out, " @", *node)?,
                Item::Side(side) => write!(self.out, " {}", side_name(*side))?,
            }
            write!(self.out, " {weight}")?;
        }
        Ok(())
    }

    fn name(&self, var: VarId) -> &'a str {
        &self.program.variables()[var].name
    }
}

fn side_name(side: SideRef) -> String {
    let letter = |player| if player == Player::Exists { 'r' } else { 'u' };
    match side {
        SideRef::Upper(player, row) => format!("{}{}+", letter(player), row.index() + 1),
        SideRef::Lower(player, row) => format!("{}{}-", letter(player), row.index() + 1),
        SideRef::Objective => "z".to_owned(),
    }
}

/// Writes references; the last one to a node ends with a dot, so that a reader can let it go.
struct References<'a> {
    last: &'a FxHashSet<(usize, usize)>,
    node: usize,
    slot: usize,
}

impl References<'_> {
    fn write(&mut self, out: &mut impl Write, next: NodeId) -> io::Result<()> {
        self.write_as(out, " ", next)
    }

    fn write_as(&mut self, out: &mut impl Write, before: &str, next: NodeId) -> io::Result<()> {
        let dot = if self.last.contains(&(self.node, self.slot)) {
            "."
        } else {
            ""
        };
        self.slot += 1;
        write!(out, "{before}{}{dot}", next.index())
    }
}

/// The references, by node and place inside it, after which a node is not needed any more.
fn last_uses(evidence: &Evidence) -> FxHashSet<(usize, usize)> {
    let mut seen = vec![false; evidence.nodes.len()];
    let mut last = FxHashSet::default();
    for (index, node) in evidence.nodes.iter().enumerate().rev() {
        let nexts: Vec<NodeId> = node.successors().collect();
        for (slot, next) in nexts.into_iter().enumerate().rev() {
            if !std::mem::replace(&mut seen[next.index()], true) {
                last.insert((index, slot));
            }
        }
    }
    last
}
