//! What is written in a rule file, before any index has a value.

use std::ops::Range;

/// A place in a file.
pub(super) type Span = Range<usize>;

/// Whole-number arithmetic.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Number(i64),
    Name(String, Span),
    Negated(Box<Term>, Span),
    Sum(Box<Term>, Box<Term>, Span),
    Difference(Box<Term>, Box<Term>, Span),
    Product(Box<Term>, Box<Term>, Span),
}

/// `j in 1..m` or `j in m downto 1`.
#[derive(Clone, Debug)]
pub(super) struct IndexRange {
    pub name: String,
    pub span: Span,
    pub from: Term,
    pub to: Term,
    pub down: bool,
}

/// A name with indices or arguments.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub name: String,
    pub arguments: Vec<Term>,
    pub span: Span,
}

/// A formula or rule, with the place it stands at.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub shape: Shape,
    pub span: Span,
}

/// The shape of a formula or rule.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Truth(bool),
    Init,
    Terminal,
    Wins(Term),
    Does(Reference),
    Legal(Reference),
    /// A proposition or a rule.
    Named(Reference),
    Not(Box<Node>),
    Next(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Implies(Box<Node>, Box<Node>),
    Same(Box<Node>, Box<Node>),
    ForAll(Vec<IndexRange>, Box<Node>),
    ForSome(Vec<IndexRange>, Box<Node>),
    Else(Vec<Operand>),
    Also(Vec<Operand>),
}

/// A member of a chain of rules, perhaps repeated.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub each: Vec<IndexRange>,
    pub rule: Node,
}

/// Something declared for every value of some indices.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub symbol: Reference,
    /// Of an action only.
    pub owner: Option<Term>,
    pub ranges: Vec<IndexRange>,
}

/// An axiom of the game.
#[derive(Clone, Debug)]
pub(super) struct Axiom {
    pub formula: Node,
    pub ranges: Vec<IndexRange>,
    pub source: usize,
}

/// A rule under a name.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    pub span: Span,
    pub parameters: Vec<(String, Span)>,
    pub body: Node,
    pub source: usize,
}

/// One statement of a file.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Game(String, Span),
    Constant(String, Span, Term),
    Players(Term, Span),
    Proposition(Declaration),
    Action(Declaration),
    Axiom(Axiom),
    Rule(Definition),
}
