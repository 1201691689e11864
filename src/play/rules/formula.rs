//! The language of formulas about plays, without variables.
//!
//! Source: Zhang and Thielscher, Definition 3. A formula is true or false along a path of states
//! and actions; [`Formula::Next`] speaks about the path after its first action. What stands in a
//! file with indices and ranges is spelled out to this form.

use std::fmt;

use super::game::{ActionId, PlayerId, PropositionId, Signature};

/// A formula.
///
/// ```
/// use quip::rules::{Formula, PlayerId};
/// let first = PlayerId::called(1).unwrap();
/// let soon = Formula::next(Formula::Wins(first));
/// assert_eq!(soon.depth(), 1);
/// assert_eq!(Formula::implies(Formula::Terminal, soon).depth(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A proposition of the first state.
    Proposition(PropositionId),
    /// The first action is this one.
    Does(ActionId),
    /// The action is legal in the first state.
    Legal(ActionId),
    /// The first state is a winning state of the player.
    Wins(PlayerId),
    /// The first state is the initial one.
    Init,
    /// The first state is terminal.
    Terminal,
    /// Not so.
    Not(Box<Formula>),
    /// All of them; true of nothing.
    All(Vec<Formula>),
    /// At least one of them; false of nothing.
    Any(Vec<Formula>),
    /// Both or neither.
    Same(Box<Formula>, Box<Formula>),
    /// After the first action.
    Next(Box<Formula>),
}

impl Formula {
    /// The formula that is always true.
    pub fn truth() -> Self {
        Self::All(Vec::new())
    }

    /// `¬ self`.
    pub fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// `○ formula`.
    pub fn next(formula: Self) -> Self {
        Self::Next(Box::new(formula))
    }

    /// `premise → conclusion`.
    pub fn implies(premise: Self, conclusion: Self) -> Self {
        Self::Any(vec![premise.negated(), conclusion])
    }

    /// How many actions ahead it looks.
    pub fn depth(&self) -> usize {
        let ahead = usize::from(matches!(self, Self::Next(_)));
        ahead + self.parts().map(Self::depth).max().unwrap_or(0)
    }

    /// Whether it speaks about a state alone: neither of an action taken nor of what comes next.
    pub fn is_about_state(&self) -> bool {
        !matches!(self, Self::Does(_) | Self::Next(_)) && self.parts().all(Self::is_about_state)
    }

    /// The formulas it is made of.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let (one, other, many) = match self {
            Self::Not(part) | Self::Next(part) => (Some(part), None, [].as_slice()),
            Self::Same(left, right) => (Some(left), Some(right), [].as_slice()),
            Self::All(parts) | Self::Any(parts) => (None, None, parts.as_slice()),
            _ => (None, None, [].as_slice()),
        };
        let boxed = one.into_iter().chain(other).map(Box::as_ref);
        boxed.chain(many)
    }

    /// The formula in the symbols of a game.
    pub fn display<'f>(&'f self, signature: &'f Signature) -> impl fmt::Display + 'f {
        Spelled {
            formula: self,
            signature,
        }
    }
}

struct Spelled<'f> {
    formula: &'f Formula,
    signature: &'f Signature,
}

impl Spelled<'_> {
    fn part(&self, formula: &Formula) -> String {
        Spelled {
            formula,
            signature: self.signature,
        }
        .to_string()
    }

    fn joined(&self, parts: &[Formula], sign: &str, nothing: &str) -> String {
        match parts {
            [] => nothing.to_owned(),
            [only] => self.part(only),
            _ => {
                let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
                format!("({})", parts.join(sign))
            }
        }
    }
}

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = |action: &ActionId| self.signature.action_symbol(*action);
        match self.formula {
            Formula::Proposition(id) => write!(out, "{}", self.signature.proposition_symbol(*id)),
            Formula::Does(id) => write!(out, "does({})", action(id)),
            Formula::Legal(id) => write!(out, "legal({})", action(id)),
            Formula::Wins(player) => write!(out, "wins({player})"),
            Formula::Init => out.write_str("init"),
            Formula::Terminal => out.write_str("terminal"),
            Formula::Not(part) => write!(out, "¬{}", self.part(part)),
            Formula::Next(part) => write!(out, "○{}", self.part(part)),
            Formula::Same(left, right) => {
                write!(out, "({} ≡ {})", self.part(left), self.part(right))
            }
            Formula::All(parts) => out.write_str(&self.joined(parts, " ∧ ", "true")),
            Formula::Any(parts) => out.write_str(&self.joined(parts, " ∨ ", "false")),
        }
    }
}

/// A strategy rule: formulas combined by priority.
///
/// Source: Definition 7. Chains are flat on purpose: `r1 Δ r2 Δ r3` is neither `(r1 Δ r2) Δ r3` nor
/// `r1 Δ (r2 Δ r3)`. Rules never stand inside formulas.
///
/// ```
/// use quip::rules::{Formula, Rule};
/// let anything = Rule::from(Formula::truth());
/// let chain = Rule::Else(vec![Formula::Init.into(), anything.clone()]);
/// assert_eq!(chain.depth(), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The moves under which the formula is valid.
    Formula(Formula),
    /// ∇: the first of the rules that gives a move.
    Else(Vec<Rule>),
    /// Δ: as many of the rules together as leave a move, the first ones first.
    Also(Vec<Rule>),
}

impl From<Formula> for Rule {
    fn from(formula: Formula) -> Self {
        Self::Formula(formula)
    }
}

impl Rule {
    /// How many actions ahead its formulas look.
    pub fn depth(&self) -> usize {
        match self {
            Self::Formula(formula) => formula.depth(),
            Self::Else(rules) | Self::Also(rules) => {
                rules.iter().map(Self::depth).max().unwrap_or(0)
            }
        }
    }
}
