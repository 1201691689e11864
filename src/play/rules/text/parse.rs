//! From tokens to statements.
//!
//! A fault ends its statement; reading goes on behind the next semicolon, so that a file's faults
//! are found in one go.

use super::cursor::{Parsed, Parser};
use super::syntax::{
    Axiom, Declaration, Definition, IndexRange, Node, Operand, Reference, Shape, Span, Statement,
    Term,
};
use super::token::{Kind, Sign, Word};
use crate::format::{Code, Draft, Problems};

impl Parser<'_> {
    /// All statements of a file.
    pub fn statements(mut self, problems: &mut Problems) -> Vec<Statement> {
        let mut statements = Vec::new();
        while self.kind() != Kind::End {
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(draft) => {
                    problems.push(draft);
                    self.recover();
                }
            }
        }
        statements
    }

    /// A text that is one rule.
    pub fn whole_rule(mut self) -> Parsed<Node> {
        let rule = self.rule()?;
        match self.kind() {
            Kind::End => Ok(rule),
            _ => Err(self.unexpected("the end of the rule")),
        }
    }

    fn recover(&mut self) {
        self.depth = 0;
        while !matches!(self.kind(), Kind::End | Kind::Sign(Sign::Semicolon)) {
            self.at += 1;
        }
        if self.kind() != Kind::End {
            self.at += 1;
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let statement = match self.kind() {
            Kind::Word(Word::Game) => {
                self.at += 1;
                let (name, span) = self.name("the name of the game")?;
                Statement::Game(name, span)
            }
            Kind::Word(Word::Constant) => {
                self.at += 1;
                let (name, span) = self.name("the name of a constant")?;
                self.expect(Sign::Equals)?;
                Statement::Constant(name, span, self.term()?)
            }
            Kind::Word(Word::Players) => {
                let span = self.span();
                self.at += 1;
                Statement::Players(self.term()?, span)
            }
            Kind::Word(Word::Proposition) => Statement::Proposition(self.declaration(false)?),
            Kind::Word(Word::Action) => Statement::Action(self.declaration(true)?),
            Kind::Word(Word::Rule) => Statement::Rule(self.definition()?),
            _ => {
                let formula = self.formula()?;
                let ranges = self.for_ranges()?;
                let source = self.source;
                Statement::Axiom(Axiom {
                    formula,
                    ranges,
                    source,
                })
            }
        };
        self.expect(Sign::Semicolon)?;
        Ok(statement)
    }

    fn declaration(&mut self, is_action: bool) -> Parsed<Declaration> {
        self.at += 1;
        let symbol = self.reference("a name")?;
        let owner = match (is_action, self.kind()) {
            (true, Kind::Word(Word::Of)) => {
                self.at += 1;
                Some(self.term()?)
            }
            (true, _) => return Err(self.unexpected("`of` and the player whose action it is")),
            (false, _) => None,
        };
        let ranges = self.for_ranges()?;
        Ok(Declaration {
            symbol,
            owner,
            ranges,
        })
    }

    fn definition(&mut self) -> Parsed<Definition> {
        self.at += 1;
        let (name, span) = self.name("the name of the rule")?;
        let mut parameters = Vec::new();
        if self.take(Sign::Open) {
            loop {
                parameters.push(self.name("a parameter")?);
                if !self.take(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::Close)?;
        }
        self.expect(Sign::Equals)?;
        Ok(Definition {
            name,
            span,
            parameters,
            body: self.rule()?,
            source: self.source,
        })
    }

    fn for_ranges(&mut self) -> Parsed<Vec<IndexRange>> {
        if self.kind() != Kind::Word(Word::For) {
            return Ok(Vec::new());
        }
        self.at += 1;
        self.ranges()
    }

    fn ranges(&mut self) -> Parsed<Vec<IndexRange>> {
        let mut ranges = Vec::new();
        loop {
            let (name, span) = self.name("an index")?;
            if self.kind() != Kind::Word(Word::In) {
                return Err(self.unexpected("`in` and a range such as `1..3`"));
            }
            self.at += 1;
            let from = self.term()?;
            let down = self.kind() == Kind::Word(Word::Downto);
            if !down && self.kind() != Kind::Sign(Sign::Range) {
                return Err(self.unexpected("`..` or `downto`"));
            }
            self.at += 1;
            let to = self.term()?;
            ranges.push(IndexRange {
                name,
                span,
                from,
                to,
                down,
            });
            if !self.take(Sign::Comma) {
                return Ok(ranges);
            }
        }
    }

    /// A formula, or a chain of rules by one of the two priorities.
    fn rule(&mut self) -> Parsed<Node> {
        let start = self.span().start;
        // A chain of nothing but `each` has its sign in front.
        let leading = self.take(Sign::Else).then_some(Sign::Else);
        let leading = leading.or_else(|| self.take(Sign::Also).then_some(Sign::Also));
        if leading.is_some() && self.kind() != Kind::Word(Word::Each) {
            return Err(self.unexpected("`each`"));
        }
        let first = self.operand()?;
        let sign = match (leading, self.kind()) {
            (Some(sign), _) | (None, Kind::Sign(sign @ (Sign::Else | Sign::Also))) => sign,
            _ if first.each.is_empty() => return Ok(first.rule),
            _ => return Err(self.unexpected("`else` or `also` before or after `each`")),
        };
        let mut operands = vec![first];
        while let Kind::Sign(found @ (Sign::Else | Sign::Also)) = self.kind() {
            if found != sign {
                return Err(self.mixed_priorities(sign, found));
            }
            self.at += 1;
            operands.push(self.operand()?);
        }
        let shape = match sign {
            Sign::Else => Shape::Else(operands),
            _ => Shape::Also(operands),
        };
        Ok(self.node(shape, start))
    }

    fn mixed_priorities(&self, sign: Sign, found: Sign) -> Draft {
        let (sign, found) = (sign.spelling(), found.spelling());
        Draft::new(
            Code::MixedPriorities,
            format!("`{sign}` and `{found}` stand side by side"),
        )
        .at(self.span(), "which goes first?")
        .help("put parentheses around one of them; neither binds more tightly")
    }

    fn operand(&mut self) -> Parsed<Operand> {
        let mut each = Vec::new();
        if self.kind() == Kind::Word(Word::Each) {
            self.at += 1;
            each = self.ranges()?;
            self.expect(Sign::Colon)?;
        }
        let rule = self.formula()?;
        Ok(Operand { each, rule })
    }

    fn formula(&mut self) -> Parsed<Node> {
        self.deeper(|parser| {
            let start = parser.span().start;
            let left = parser.implication()?;
            if !parser.take(Sign::Same) {
                return Ok(left);
            }
            let right = parser.implication()?;
            let shape = Shape::Same(Box::new(left), Box::new(right));
            Ok(parser.node(shape, start))
        })
    }

    fn implication(&mut self) -> Parsed<Node> {
        self.deeper(|parser| {
            let start = parser.span().start;
            let left = parser.disjunction()?;
            if !parser.take(Sign::Implies) {
                return Ok(left);
            }
            let right = parser.implication()?;
            let shape = Shape::Implies(Box::new(left), Box::new(right));
            Ok(parser.node(shape, start))
        })
    }

    fn disjunction(&mut self) -> Parsed<Node> {
        let start = self.span().start;
        let mut parts = vec![self.conjunction()?];
        while self.take(Sign::Or) {
            parts.push(self.conjunction()?);
        }
        Ok(self.joined(parts, Shape::Any, start))
    }

    fn conjunction(&mut self) -> Parsed<Node> {
        let start = self.span().start;
        let mut parts = vec![self.prefixed()?];
        while self.take(Sign::And) {
            parts.push(self.prefixed()?);
        }
        Ok(self.joined(parts, Shape::All, start))
    }

    fn joined(&self, mut parts: Vec<Node>, shape: fn(Vec<Node>) -> Shape, start: usize) -> Node {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        self.node(shape(parts), start)
    }

    fn prefixed(&mut self) -> Parsed<Node> {
        let start = self.span().start;
        let Kind::Sign(sign @ (Sign::Not | Sign::Next | Sign::Some | Sign::All)) = self.kind()
        else {
            return self.primary();
        };
        self.at += 1;
        self.deeper(|parser| {
            let shape = match sign {
                Sign::Not => Shape::Not(Box::new(parser.prefixed()?)),
                Sign::Next => Shape::Next(Box::new(parser.prefixed()?)),
                _ => {
                    let ranges = parser.ranges()?;
                    parser.expect(Sign::Colon)?;
                    let body = Box::new(parser.formula()?);
                    match sign {
                        Sign::Some => Shape::ForSome(ranges, body),
                        _ => Shape::ForAll(ranges, body),
                    }
                }
            };
            Ok(parser.node(shape, start))
        })
    }

    fn primary(&mut self) -> Parsed<Node> {
        let start = self.span().start;
        let shape = match self.kind() {
            Kind::Sign(Sign::Open) => {
                self.at += 1;
                let inner = self.deeper(Self::rule)?;
                self.expect(Sign::Close)?;
                return Ok(inner);
            }
            Kind::Name => Shape::Named(self.reference("a name")?),
            Kind::Word(word) => self.special(word)?,
            _ => return Err(self.unexpected("a formula")),
        };
        Ok(self.node(shape, start))
    }

    fn special(&mut self, word: Word) -> Parsed<Shape> {
        let plain = match word {
            Word::Init => Some(Shape::Init),
            Word::Terminal => Some(Shape::Terminal),
            Word::True => Some(Shape::Truth(true)),
            Word::False => Some(Shape::Truth(false)),
            Word::Wins | Word::Does | Word::Legal => None,
            _ => return Err(self.unexpected("a formula")),
        };
        self.at += 1;
        if let Some(shape) = plain {
            return Ok(shape);
        }
        self.expect(Sign::Open)?;
        let shape = match word {
            Word::Wins => Shape::Wins(self.term()?),
            Word::Does => Shape::Does(self.reference("an action")?),
            _ => Shape::Legal(self.reference("an action")?),
        };
        self.expect(Sign::Close)?;
        Ok(shape)
    }

    fn reference(&mut self, what: &str) -> Parsed<Reference> {
        let (name, span) = self.name(what)?;
        let mut arguments = Vec::new();
        if self.take(Sign::Open) {
            loop {
                arguments.push(self.term()?);
                if !self.take(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::Close)?;
        }
        Ok(Reference {
            name,
            arguments,
            span: span.start..self.last_end(),
        })
    }

    fn term(&mut self) -> Parsed<Term> {
        let start = self.span().start;
        let mut left = self.product()?;
        loop {
            let combine = match self.kind() {
                Kind::Sign(Sign::Plus) => Term::Sum,
                Kind::Sign(Sign::Minus) => Term::Difference,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            left = combine(Box::new(left), Box::new(right), start..self.last_end());
        }
    }

    fn product(&mut self) -> Parsed<Term> {
        let start = self.span().start;
        let mut left = self.factor()?;
        while self.take(Sign::Times) {
            let right = self.factor()?;
            left = Term::Product(Box::new(left), Box::new(right), start..self.last_end());
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Term> {
        let span = self.span();
        match self.kind() {
            Kind::Number => {
                self.at += 1;
                let digits = &self.text[span.clone()];
                let number = digits.parse();
                number.map(Term::Number).map_err(|_| huge_number(span))
            }
            Kind::Name => {
                let (name, span) = self.name("a number")?;
                Ok(Term::Name(name, span))
            }
            Kind::Sign(Sign::Minus) => {
                self.at += 1;
                let negated = self.deeper(Self::factor)?;
                Ok(Term::Negated(
                    Box::new(negated),
                    span.start..self.last_end(),
                ))
            }
            Kind::Sign(Sign::Open) => {
                self.at += 1;
                let inner = self.deeper(Self::term)?;
                self.expect(Sign::Close)?;
                Ok(inner)
            }
            _ => Err(self.unexpected("a whole number")),
        }
    }

    fn node(&self, shape: Shape, start: usize) -> Node {
        let span = start..self.last_end();
        Node { shape, span }
    }
}

/// A number that does not fit.
pub(super) fn huge_number(span: Span) -> Draft {
    Draft::new(Code::HugeNumber, "this number is too large for an index").at(span, "")
}
