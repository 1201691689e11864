//! Programs with an empty domain: who has lost before the first move.
//!
//! An empty domain is a row of its owner's system that cannot hold; for the system of the other
//! player the variable is *free*. So the owner's system is dead from the start, and the game is
//! decided: the owner has lost, unless both systems are dead and the other player moves first.
//!
//! Whether the other system lives is a question of rows and domains without quantifiers, answered by
//! branch and bound in rationals. It may take long where several free integers meet in rows that
//! have real solutions but no whole ones; then a limit ends it.
//!
//! **Invariant:** what is decided here is proved by the claim alone or by the evidence beside it.

use crate::budget::Budget;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::Rational;
use crate::outcome::{CertificateError, Move, Outcome, Score, Status, Stop};
use crate::program::{Bounds, Id, IdVec, Kind, Program, Quantifier, Row, RowId, VarId, Variable};
use crate::strategy::{
    Certificate, Evidence, EvidenceNode, Guarantee, Item, Mixture, NodeId, Proof, SideRef, Step,
};

/// How an empty domain decides a game.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Who has lost.
    pub loser: Quantifier,
    /// The winner's side of a certificate, where the prefix does not tell by itself.
    pub evidence: Option<Evidence>,
}

impl Decided {
    /// What the game is worth.
    pub fn score(&self) -> Score {
        Score::worst_for(self.loser)
    }

    /// The outcome, without a certificate.
    pub fn outcome(&self, program: &Program) -> Outcome {
        Outcome::proved(program, &self.score())
    }

    /// The certificate of the outcome.
    pub fn certificate(self, program: &Program) -> Certificate {
        let mut made = self.outcome(program).claim(program);
        match self.loser {
            Quantifier::Exists => made.refutation = self.evidence,
            Quantifier::Forall => made.strategy = self.evidence,
        }
        made
    }
}

/// Decides a program with an empty domain; `None` if it has none.
///
/// ```
/// use quip::budget::Budget;
/// use quip::empty::decide;
/// use quip::format::parse_qip;
/// use quip::program::Quantifier;
///
/// // The opponent has no value to take, but the rows are lost as well, and `x` comes first.
/// let program = parse_qip(
///     "subject to x >= 5
///      prefix exists integer x in [0, 1]  forall integer u in [2, 1] end",
/// )?;
/// let decided = decide(&program, &mut Budget::unlimited()).unwrap().unwrap();
/// assert_eq!(decided.loser, Quantifier::Exists);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decide(program: &Program, budget: &mut Budget) -> Result<Option<Decided>, Stop> {
    let lacking = program.lacking();
    let (Some(&owner), Some(first)) = (lacking.first(), program.first_mover()) else {
        return Ok(None);
    };
    if lacking.contains(&first) {
        // Whatever the other system is: dead or alive, the first mover has lost.
        return Ok(Some(Decided {
            loser: first,
            evidence: None,
        }));
    }
    Ok(Some(match completion(program, first, budget)? {
        Ok(values) => Decided {
            loser: owner,
            evidence: Some(evidence(first, Some(values), Vec::new())),
        },
        Err(steps) => Decided {
            loser: first,
            evidence: Some(evidence(owner, None, steps)),
        },
    }))
}

/// The certificate of an outcome of a program with an empty domain, or why there is none.
pub fn certified(
    program: &Program,
    outcome: &Outcome,
    budget: &mut Budget,
) -> Result<Certificate, CertificateError> {
    match decide(program, budget) {
        _ if outcome.status == Status::Interrupted => Ok(outcome.claim(program)),
        Ok(Some(decided)) => Ok(decided.certificate(program)),
        Ok(None) => Err(CertificateError::Wrong(
            "every variable has a value to take".into(),
        )),
        Err(stop) => Err(stop.into()),
    }
}

/// One node: the opponent's system is dead, and the winner's is alive if that is shown.
fn evidence(winner: Quantifier, alive: Option<Vec<Move>>, steps: Vec<Step>) -> Evidence {
    Evidence {
        owner: winner,
        guarantee: match winner {
            Quantifier::Exists => Guarantee::Won,
            Quantifier::Forall => Guarantee::Lost,
        },
        derived: Vec::new(),
        nodes: vec![EvidenceNode::Dead {
            place: 0,
            alive,
            proof: Box::new(Proof {
                given: Vec::new(),
                steps,
            }),
        }],
        root: NodeId::from_index(0),
    }
}

/// Values that satisfy a player's rows, or the steps of a proof that there are none. Variables
/// without a value are the other player's, and free.
fn completion(
    program: &Program,
    owner: Quantifier,
    budget: &mut Budget,
) -> Result<Result<Vec<Move>, Vec<Step>>, Stop> {
    let domain = |variable: &Variable| match variable.has_empty_domain() {
        true => Bounds::free(),
        false => variable.domain(),
    };
    let root: Vec<Bounds> = program.variables().iter().map(domain).collect();
    let mut lp = LinearProgram {
        objective: Vec::new(),
        bounds: IdVec::from_vec(root.clone()),
        rows: program.system(owner).clone(),
    };
    let mut steps = Vec::new();
    let mut open = vec![root];
    while let Some(bounds) = open.pop() {
        budget.spend_node()?;
        lp.bounds = IdVec::from_vec(bounds.clone());
        let point = match lp.solve(budget)? {
            Answer::Optimal { point, .. } | Answer::Unbounded { point, .. } => point,
            Answer::Infeasible { multipliers } => {
                steps.push(Step::Mix(contradiction(&lp, owner, &multipliers)));
                continue;
            }
        };
        let mut values = point.pairs();
        let Some((var, value)) = values.find(|(var, value)| {
            program.variables()[*var].kind == Kind::Integer && !value.is_integer()
        }) else {
            return Ok(Ok(moves(program, owner, &point)));
        };
        let at = value.floor();
        let (mut below, mut above) = (bounds.clone(), bounds);
        below[var.index()].upper = Some(at.clone());
        above[var.index()].lower = Some(&at + Rational::from_integer(1.into()));
        steps.push(Step::Split(var, at));
        open.extend([above, below]);
    }
    Ok(Err(steps))
}

/// The values of the variables in a player's rows.
fn moves(program: &Program, owner: Quantifier, point: &IdVec<VarId, Rational>) -> Vec<Move> {
    let rows = program.system(owner).iter();
    let mut used = vec![false; program.variables().len()];
    for (var, _) in rows.flat_map(|row| &row.terms) {
        used[var.index()] = true;
    }
    let values = point.pairs().filter(|(var, _)| used[var.index()]);
    values.map(|(var, value)| (var, value.clone())).collect()
}

/// Sides of rows that cannot hold together.
fn contradiction(
    lp: &LinearProgram,
    owner: Quantifier,
    multipliers: &IdVec<RowId, Rational>,
) -> Mixture {
    let zero = Rational::default();
    let side = |row: RowId, lower: bool| match lower {
        true => Item::Side(SideRef::Lower(owner.into(), row)),
        false => Item::Side(SideRef::Upper(owner.into(), row)),
    };
    let mixed = multipliers.pairs().filter(|(_, by)| **by != zero);
    let mixed: Mixture = mixed
        .map(|(row, by)| match *by > zero {
            true => (side(row, true), by.clone()),
            false => (side(row, false), -by),
        })
        .collect();
    if !mixed.is_empty() {
        return mixed;
    }
    let crossed = |row: &Row| row.lower.is_some() && row.upper.is_some() && row.lower > row.upper;
    let crossed = lp.rows.pairs().find(|(_, row)| crossed(row));
    let one = Rational::from_integer(1.into());
    let both = crossed.map(|(row, _)| [false, true].map(|lower| (side(row, lower), one.clone())));
    both.into_iter().flatten().collect()
}
