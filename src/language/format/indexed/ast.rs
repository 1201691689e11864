//! A model with sets as its text says it: names are numbers, index variables are slots, nothing is
//! evaluated.

use std::cell::Cell;
use std::ops::Range;

use crate::num::Exact;
use crate::program::{Quantifier, Sense};

/// The number of a name or a text in [`Names`](super::names::Names).
pub(super) type Name = u32;

/// Where an index variable is kept while it runs.
pub(super) type Slot = usize;

pub(super) type Span = Range<usize>;

/// An expression and its place.
#[derive(Debug)]
pub(super) struct Expr {
    pub kind: Kind,
    pub span: Span,
    /// Whether a variable of the program occurs in it, once that is known.
    pub variable: Cell<Option<bool>>,
}

#[derive(Debug)]
pub(super) enum Kind {
    Number(Exact),
    Infinity,
    /// A text in quotes: always an element.
    Text(Name),
    /// An index variable.
    Index(Slot),
    /// A parameter, a variable, or an element; perhaps with subscripts.
    Name(Name, Vec<Expr>),
    /// Parts with their signs; `true` takes away.
    Sum(Vec<(bool, Expr)>),
    Product(Box<Expr>, Box<Expr>),
    Quotient(Box<Expr>, Box<Expr>),
    Remainder(Box<Expr>, Box<Expr>),
    /// `sum{…} x`, `min{…} x`, `max{…} x`.
    Fold(Fold, Box<Over>, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// `card(S)`, `first(S)`, `last(S)`.
    OfSet(OfSet, Box<SetExpr>),
    If(Box<Condition>, Box<Expr>, Box<Expr>),
    /// `not x`: one minus a binary variable.
    Not(Box<Expr>),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Sum,
    Least,
    Greatest,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Least,
    Greatest,
    Absolute,
    Floor,
    Ceiling,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum OfSet {
    Size,
    First,
    Last,
}

/// `s in S, (i, j) in ARCS where i != s`.
#[derive(Debug, Default)]
pub(super) struct Over {
    pub binders: Vec<Binder>,
    pub filter: Option<Condition>,
}

/// `s in S` or `(i, j) in ARCS`.
#[derive(Debug)]
pub(super) struct Binder {
    pub slots: Vec<Slot>,
    pub set: SetExpr,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct SetExpr {
    pub kind: SetKind,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum SetKind {
    Named(Name),
    /// `a..b by c`.
    Range(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `{a, b}`, `{(1, a), (2, b)}`.
    List(Vec<Vec<Expr>>),
    /// `{(i, j) for i in A, j in B where i < j}`.
    Chosen(Box<Over>, Vec<Expr>),
    Combined(Combination, Box<SetExpr>, Box<SetExpr>),
    /// `csv("file.csv", column, …)`.
    Csv(Csv),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Combination {
    Union,
    Minus,
    Intersection,
    Product,
}

/// A file and the columns that are meant.
#[derive(Debug)]
pub(super) struct Csv {
    pub file: String,
    pub span: Span,
    pub columns: Vec<(String, Span)>,
}

#[derive(Debug)]
pub(super) struct Condition {
    pub kind: ConditionKind,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum ConditionKind {
    Compare(Comparison, Expr, Expr),
    Member(Vec<Expr>, SetExpr),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// A name with its index: `ship[i in A, t]`, `demand[T]`, `cap`.
#[derive(Debug)]
pub(super) struct Head {
    pub name: Name,
    pub span: Span,
    pub entries: Vec<Entry>,
    pub filter: Option<Condition>,
    /// Of the name alone.
    pub name_span: Span,
}

/// A place in the brackets of a head.
#[derive(Debug)]
pub(super) enum Entry {
    Binds(Binder),
    /// An expression of outer indices.
    At(Expr),
}

#[derive(Debug)]
pub(super) struct SetDeclaration {
    pub name: Name,
    pub span: Span,
    /// `None` waits for data.
    pub body: Option<SetExpr>,
}

#[derive(Debug)]
pub(super) struct ParamDeclaration {
    pub head: Head,
    pub body: Body,
    pub default: Option<Expr>,
}

#[derive(Debug)]
pub(super) enum Body {
    /// Waits for data.
    Data,
    Formula(Expr),
    /// `{a: 1, (b, 2): 3}`.
    Table(Vec<(Vec<Expr>, Expr)>),
    /// `[1, 2]`, `[[1, 2], [3, 4]]`: values in the order of the sets.
    List(List),
    Csv(Csv),
}

#[derive(Debug)]
pub(super) enum List {
    Value(Expr),
    Several(Vec<List>, Span),
}

/// `binary`, `integer` or `real`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Binary,
    Integer,
    Real,
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub owner: Quantifier,
    pub sort: Sort,
    pub heads: Vec<Head>,
    pub bounds: Option<(Expr, Expr, Span)>,
    /// How many of the variables may leave their lower ends.
    pub budget: Option<Expr>,
}

/// Declarations that belong together, once for every value of the index.
#[derive(Debug)]
pub(super) struct Stage {
    pub over: Over,
    pub declarations: Vec<Declaration>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtMost,
    AtLeast,
    Equal,
}

#[derive(Debug)]
pub(super) struct RowFamily {
    /// `None` in the name: `[t in T]: …`, or no label at all.
    pub label: Option<Label>,
    pub statement: Statement,
    pub when: Vec<Expr>,
    pub span: Span,
}

/// The label of a row, with its index.
#[derive(Debug)]
pub(super) struct Label {
    pub named: bool,
    pub head: Head,
}

#[derive(Debug)]
pub(super) enum Statement {
    Compare(Expr, Relation, Expr),
    Range(Expr, Relation, Expr, Expr),
    /// `exactly_one{…} x` and its like: how many are true, compared with one.
    Count(Relation, Vec<Expr>),
    Implies(Expr, Expr),
    /// `z = x and y`, or with `or`.
    Defines(bool, Expr, Vec<Expr>),
}

#[derive(Debug, Default)]
pub(super) struct Model {
    pub sets: Vec<SetDeclaration>,
    pub params: Vec<ParamDeclaration>,
    /// Files that `data` names.
    pub data: Vec<(String, Span)>,
    pub objective: Option<(Sense, Span, Option<Name>, Expr)>,
    pub rows: Vec<RowFamily>,
    pub universal_rows: Vec<RowFamily>,
    pub stages: Vec<Stage>,
    pub prefix: Option<Span>,
    /// How many index variables there are.
    pub slots: usize,
    /// What each slot is called.
    pub slot_names: Vec<Name>,
}

impl Expr {
    pub fn new(kind: Kind, span: Span) -> Self {
        Self {
            kind,
            span,
            variable: Cell::new(None),
        }
    }
}
