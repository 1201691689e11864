//! The text of a certificate. The grammar is in `docs/certificate.md`.

use std::fmt;
use std::io::{self, Write};

use super::NodeId;
use super::certificate::{
    Answer, Certificate, Evidence, EvidenceNode, Guarantee, Item, Player, Proof, Reply, SideRef,
    Step,
};
use crate::num::{Rational, to_i64};
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
        let mut references = References {
            last: &last,
            next: 0,
        };
        for (index, node) in evidence.nodes.iter().enumerate() {
            write!(self.out, "{index}")?;
            self.node(node, &mut references)?;
            self.out.write_all(b"\n")?;
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
                write!(self.out, " choose {} ", self.name(*variable))?;
                self.value(value)?;
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
                (false, true) => {
                    self.out.write_all(b" ")?;
                    self.value(from)?;
                }
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
            write!(self.out, " {}=", self.name(*variable))?;
            self.value(value)?;
        }
        Ok(())
    }

    fn proof(&mut self, proof: &Proof, to: &mut References<'_>) -> io::Result<()> {
        for (side, at) in &proof.given {
            write!(self.out, " given {} ", Side(*side))?;
            self.value(at)?;
        }
        for step in &proof.steps {
            match step {
                Step::Cut(side, var) => {
                    write!(self.out, " cut {} {}", Side(*side), self.name(*var))?;
                }
                Step::Split(var, at) => write!(self.out, " split {} {at}", self.name(*var))?,
                Step::Row(side) => write!(self.out, " row {}", Side(*side))?,
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
                Item::Side(side) => write!(self.out, " {}", Side(*side))?,
            }
            write!(self.out, " {weight}")?;
        }
        Ok(())
    }

    /// Most numbers are small, and long ones take long to spell.
    fn value(&mut self, value: &Rational) -> io::Result<()> {
        match to_i64(value) {
            Some(small) => write!(self.out, "{small}"),
            None => write!(self.out, "{value}"),
        }
    }

    fn name(&self, var: VarId) -> &'a str {
        &self.program.variables()[var].name
    }
}

/// A row side as the text calls it.
struct Side(SideRef);

impl fmt::Display for Side {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |player| if player == Player::Exists { 'r' } else { 'u' };
        match self.0 {
            SideRef::Upper(player, row) => write!(out, "{}{}+", letter(player), row.index() + 1),
            SideRef::Lower(player, row) => write!(out, "{}{}-", letter(player), row.index() + 1),
            SideRef::Objective => out.write_str("z"),
        }
    }
}

/// Writes references in the order of the text; the last one to a node ends with a dot, so that a
/// reader can let it go.
struct References<'a> {
    last: &'a [bool],
    next: usize,
}

impl References<'_> {
    fn write(&mut self, out: &mut impl Write, to: NodeId) -> io::Result<()> {
        self.write_as(out, " ", to)
    }

    fn write_as(&mut self, out: &mut impl Write, before: &str, to: NodeId) -> io::Result<()> {
        let dot = if self.last[self.next] { "." } else { "" };
        self.next += 1;
        write!(out, "{before}{}{dot}", to.index())
    }
}

/// For each reference in the order of the text, whether its node is not needed any more after it.
fn last_uses(evidence: &Evidence) -> Vec<bool> {
    let nodes = evidence.nodes.iter().rev();
    let mut seen = vec![false; evidence.nodes.len()];
    let references = nodes.flat_map(|node| node.successors().rev());
    let mut last: Vec<bool> = references
        .map(|to| !std::mem::replace(&mut seen[to.index()], true))
        .collect();
    last.reverse();
    last
}
