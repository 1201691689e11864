//! Reading `quip-strategy/1` again, beside the program that it was written for.
//!
//! **Invariant:** what is read is a graph without cycles that speaks of variables and rows which the program
//! has, each in the hands of its owner.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::held::{End, Illegal, Strategy, StrategyNode};
use super::{Branch, Guarantee, NodeId};
use crate::num::{Rational, parse_rational};
use crate::program::{Id, Program, Quantifier, RowId, VarId, cost_of_objective};

/// Why a text is no strategy for a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// It is no JSON of this form.
    #[error("this is no strategy in the form quip-strategy/1: {0}")]
    Malformed(String),
    /// It was written for another program.
    #[error("this strategy is for the model {found}, and this one is {expected}")]
    AnotherModel {
        /// The fingerprint in the text.
        found: String,
        /// The program's.
        expected: String,
    },
}

#[derive(Deserialize)]
struct Text {
    schema: String,
    model: String,
    player: String,
    guarantee: String,
    value: Option<String>,
    root: usize,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
#[serde(tag = "node", rename_all = "snake_case")]
enum Node {
    Choose {
        variable: String,
        value: String,
        next: usize,
    },
    Await {
        variable: String,
        branches: Vec<BranchText>,
        #[serde(default)]
        illegal: Vec<IllegalText>,
    },
    End {
        end: String,
        #[serde(default)]
        moves: Vec<(String, String)>,
    },
}

#[derive(Deserialize)]
struct BranchText {
    from: String,
    to: String,
    next: usize,
}

#[derive(Deserialize)]
struct IllegalText {
    from: String,
    to: String,
    rows: Vec<String>,
}

impl Strategy {
    /// The strategy that [`Strategy::to_json`] wrote for this program.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    /// use quip::strategy::Strategy;
    ///
    /// let program = parse_qip("subject to x = y prefix forall binary y exists binary x end")?;
    /// let outcome = Solver::new(Options::default().with_certificate(true)).solve(&program)?;
    /// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
    /// let again = Strategy::from_json(&program, &strategy.to_json(&program))?;
    /// assert_eq!(again, strategy);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(program: &Program, text: &str) -> Result<Self, StrategyError> {
        let text: Text = serde_json::from_str(text).map_err(malformed)?;
        if text.schema != "quip-strategy/1" {
            return Err(malformed(format!("its schema is `{}`", text.schema)));
        }
        let expected = program.fingerprint();
        if text.model != expected {
            let found = text.model;
            return Err(StrategyError::AnotherModel { found, expected });
        }
        let players = [Quantifier::Exists, Quantifier::Forall];
        let owner = players.into_iter().find(|it| it.to_string() == text.player);
        let owner = owner.ok_or_else(|| malformed(format!("`{}` is no player", text.player)))?;
        let mut reader = Reader {
            owner,
            opponent_rows: labels(program, owner.opponent()),
            variables: names(program),
            program,
            nodes: Vec::with_capacity(text.nodes.len()),
        };
        for node in text.nodes {
            let node = reader.node(node)?;
            reader.nodes.push(node);
        }
        let root = reader.reference(text.root)?;
        Ok(Self::of_nodes(
            owner,
            guarantee(program, &text.guarantee, text.value.as_deref())?,
            reader.nodes,
            root,
        ))
    }
}

struct Reader<'a> {
    program: &'a Program,
    owner: Quantifier,
    variables: FxHashMap<&'a str, VarId>,
    opponent_rows: FxHashMap<String, RowId>,
    nodes: Vec<StrategyNode>,
}

impl Reader<'_> {
    fn node(&self, node: Node) -> Result<StrategyNode, StrategyError> {
        match node {
            Node::Choose {
                variable,
                value,
                next,
            } => Ok(StrategyNode::Choose {
                variable: self.variable_of(self.owner, &variable)?,
                value: number(&value)?,
                next: self.reference(next)?,
            }),
            Node::Await {
                variable,
                branches,
                illegal,
            } => {
                let branches = branches.iter().map(|it| self.branch(it));
                let branches: Vec<Branch> = branches.collect::<Result<_, _>>()?;
                let is_sorted = branches.windows(2).all(|pair| pair[0].to < pair[1].from);
                if branches.is_empty() || !is_sorted {
                    return Err(malformed(format!("the answers to `{variable}` overlap")));
                }
                let illegal = illegal.iter().map(|it| self.illegal(it));
                Ok(StrategyNode::Await {
                    variable: self.variable_of(self.owner.opponent(), &variable)?,
                    branches,
                    illegal: illegal.collect::<Result<_, _>>()?,
                })
            }
            Node::End { end, moves } => self.end(&end, &moves).map(StrategyNode::End),
        }
    }

    fn branch(&self, it: &BranchText) -> Result<Branch, StrategyError> {
        let (from, to) = range(&it.from, &it.to)?;
        let next = self.reference(it.next)?;
        Ok(Branch { from, to, next })
    }

    fn illegal(&self, it: &IllegalText) -> Result<Illegal, StrategyError> {
        let (from, to) = range(&it.from, &it.to)?;
        let row = |label: &String| {
            let known = self.opponent_rows.get(label).copied();
            known.ok_or_else(|| malformed(format!("`{label}` is no row of the opponent")))
        };
        let rows = it.rows.iter().map(row).collect::<Result<_, _>>()?;
        Ok(Illegal { from, to, rows })
    }

    fn end(&self, end: &str, moves: &[(String, String)]) -> Result<End, StrategyError> {
        let moves = moves
            .iter()
            .map(|(name, value)| Ok((self.variable(name)?, number(value)?)));
        let moves = moves.collect::<Result<Vec<_>, StrategyError>>()?;
        match end {
            "complete" => Ok(End::Complete),
            "won" => Ok(End::OpponentDead),
            "ray" => Ok(End::Ray(moves)),
            "settled" => Ok(End::Settled(moves)),
            "open" => Ok(End::Open(moves)),
            "cut" => Ok(End::Cut),
            other => Err(malformed(format!("`{other}` is no end of a play"))),
        }
    }

    fn reference(&self, id: usize) -> Result<NodeId, StrategyError> {
        match id < self.nodes.len() {
            true => Ok(NodeId::from_index(id)),
            false => Err(malformed(format!("node {id} is not there yet"))),
        }
    }

    fn variable(&self, name: &str) -> Result<VarId, StrategyError> {
        let known = self.variables.get(name).copied();
        known.ok_or_else(|| malformed(format!("`{name}` is no variable")))
    }

    fn variable_of(&self, player: Quantifier, name: &str) -> Result<VarId, StrategyError> {
        let var = self.variable(name)?;
        match self.program.variables()[var].quantifier == player {
            true => Ok(var),
            false => Err(malformed(format!("`{name}` is the other player's"))),
        }
    }
}

fn malformed(reason: impl fmt::Display) -> StrategyError {
    StrategyError::Malformed(format!("{reason}"))
}

fn number(text: &str) -> Result<Rational, StrategyError> {
    parse_rational(text).map_err(malformed)
}

fn range(from: &str, to: &str) -> Result<(Rational, Rational), StrategyError> {
    let (from, to) = (number(from)?, number(to)?);
    match from <= to {
        true => Ok((from, to)),
        false => Err(malformed(format!("{from} to {to} is no range"))),
    }
}

fn names(program: &Program) -> FxHashMap<&str, VarId> {
    let pairs = program.variables().pairs();
    pairs.map(|(id, it)| (it.name.as_str(), id)).collect()
}

/// Rows by their names; those without one by their numbers.
fn labels(program: &Program, player: Quantifier) -> FxHashMap<String, RowId> {
    let numbered = |id: RowId| (id.index() + 1).to_string();
    let pairs = program.system(player).pairs();
    pairs
        .map(|(id, row)| (row.name.clone().unwrap_or_else(|| numbered(id)), id))
        .collect()
}

fn guarantee(
    program: &Program,
    word: &str,
    value: Option<&str>,
) -> Result<Guarantee, StrategyError> {
    match (word, value) {
        ("won", None) => Ok(Guarantee::Won),
        ("unbounded", None) => Ok(Guarantee::Unbounded),
        ("kept", None) => Ok(Guarantee::Kept),
        ("lost", None) => Ok(Guarantee::Lost),
        ("value", value) => {
            let value = value.map_or_else(|| Ok(Rational::default()), number)?;
            Ok(Guarantee::Cost(cost_of_objective(program, value)))
        }
        _ => Err(malformed(format!("`{word}` is no guarantee"))),
    }
}
