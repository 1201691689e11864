//! The text of a certificate. The grammar is in `docs/certificate.md`.

use std::io::{self, Write};

use super::certificate::{
    Answer, Certificate, Evidence, EvidenceNode, Item, Player, Proof, Reply, SideRef, Step,
};
use super::{Guarantee, NodeId};
use crate::num::{Exact, Rational, to_i64};
use crate::program::{Id, IdVec, Program, Quantifier, VarId, Variable, cost_of_objective};

impl Certificate {
    /// Writes the certificate; `program` is the one it was made for.
    pub fn write(&self, program: &Program, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "quip-certificate 3")?;
        writeln!(out, "model {}", self.model)?;
        match &self.value {
            Some(value) => writeln!(out, "claim {} {value}", self.status)?,
            None => writeln!(out, "claim {}", self.status)?,
        }
        for evidence in self.strategy.iter().chain(&self.refutation) {
            Writer::new(program, out).evidence(evidence)?;
        }
        if let Some(scenarios) = &self.scenarios {
            scenarios.write(program, out)?;
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
    /// The ends of the domains, where there are any.
    domains: IdVec<VarId, Option<[Exact; 2]>>,
    out: &'a mut W,
}

impl<'a, W: Write> Writer<'a, W> {
    fn new(program: &'a Program, out: &'a mut W) -> Self {
        let ends = |variable: &Variable| {
            let domain = variable.domain();
            Some([domain.lower?.into(), domain.upper?.into()])
        };
        Self {
            domains: IdVec::from_vec(program.variables().iter().map(ends).collect()),
            program,
            out,
        }
    }

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
        for (place, row) in evidence.derived.iter().enumerate() {
            write!(self.out, "derive d{}", place + 1)?;
            for (side, times) in row {
                self.words(&[" "])?;
                self.side(*side)?;
                write!(self.out, " {times}")?;
            }
            self.out.write_all(b"\n")?;
        }
        let last = last_uses(evidence);
        let mut references = References {
            last: &last,
            next: 0,
        };
        for (index, node) in evidence.nodes.iter().enumerate() {
            digits(self.out, index)?;
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
                self.words(&[" choose ", self.name(*variable), " "])?;
                self.exact(value)?;
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
        self.words(&[" await ", self.name(variable)])?;
        for Reply {
            from,
            to: end,
            answer,
        } in replies
        {
            let domain = &self.domains[variable];
            let whole =
                { domain.as_ref() }.is_none_or(|[lower, upper]| lower == from && upper == end);
            match (whole, from == end) {
                (true, _) => self.words(&[" any"])?,
                (false, true) => {
                    self.words(&[" "])?;
                    self.exact(from)?;
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
            self.words(&[" given "])?;
            self.side(*side)?;
            self.words(&[" "])?;
            self.value(at)?;
        }
        for step in &proof.steps {
            match step {
                Step::Cut(side, var) => {
                    self.words(&[" cut "])?;
                    self.side(*side)?;
                    self.words(&[" ", self.name(*var)])?;
                }
                Step::Split(var, at) => write!(self.out, " split {} {at}", self.name(*var))?,
                Step::Row(side) => {
                    self.words(&[" row "])?;
                    self.side(*side)?;
                }
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
                Item::Side(side) => {
                    self.words(&[" "])?;
                    self.side(*side)?;
                }
            }
            write!(self.out, " {weight}")?;
        }
        Ok(())
    }

    /// Most numbers are small, and long ones take long to spell.
    fn value(&mut self, value: &Rational) -> io::Result<()> {
        match to_i64(value) {
            Some(small) => whole(self.out, small),
            None => write!(self.out, "{value}"),
        }
    }

    fn exact(&mut self, value: &Exact) -> io::Result<()> {
        match value.to_i64() {
            Some(small) => whole(self.out, small),
            None => write!(self.out, "{value}"),
        }
    }

    /// A row side as the text calls it.
    fn side(&mut self, side: SideRef) -> io::Result<()> {
        let (player, row, end) = match side {
            SideRef::Upper(player, row) => (player, row, b"+"),
            SideRef::Lower(player, row) => (player, row, b"-"),
            SideRef::Objective => return self.out.write_all(b"z"),
            SideRef::Derived(place) => return write!(self.out, "d{}", place + 1),
        };
        let letter = if player == Player::Exists { b"r" } else { b"u" };
        self.out.write_all(letter)?;
        digits(self.out, row.index() + 1)?;
        self.out.write_all(end)
    }

    fn words(&mut self, words: &[&str]) -> io::Result<()> {
        { words.iter() }.try_for_each(|word| self.out.write_all(word.as_bytes()))
    }

    fn name(&self, var: VarId) -> &'a str {
        &self.program.variables()[var].name
    }
}

/// A number in digits, without the detours of formatting: they took half of the time of a text.
fn digits(out: &mut impl Write, number: usize) -> io::Result<()> {
    let mut text = [0; 20];
    let (mut rest, mut at) = (number, text.len());
    loop {
        at -= 1;
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            return out.write_all(&text[at..]);
        }
    }
}

fn whole(out: &mut impl Write, number: i64) -> io::Result<()> {
    match usize::try_from(number) {
        Ok(number) => digits(out, number),
        Err(_) => write!(out, "{number}"),
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
        out.write_all(before.as_bytes())?;
        digits(out, to.index())?;
        out.write_all(dot.as_bytes())
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
