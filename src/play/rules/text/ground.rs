//! Spelling out: indices get values, ranges become lists, names become ids.

use super::check::rule_in_formula;
use super::parse::huge_number;
use super::syntax::{Definition, IndexRange, Node, Operand, Reference, Shape, Span, Term};
use crate::format::{Code, Draft, nearest};
use crate::rules::formula::{Formula, Rule};
use crate::rules::game::{ActionId, PlayerId, Signature};

/// Most formulas that a text is spelled out to.
const LARGEST: usize = 2_000_000;

/// How deep spelled-out formulas may nest.
const DEEPEST: usize = 400;

/// A fault, and in which of the texts it stands.
pub(super) struct Fault {
    pub source: usize,
    pub draft: Box<Draft>,
}

/// What names mean.
#[derive(Copy, Clone)]
pub(super) struct Names<'n> {
    pub signature: &'n Signature,
    pub constants: &'n [(String, i64)],
    pub definitions: &'n [Definition],
}

/// Spells out one text.
pub(super) struct Grounder<'n> {
    names: Names<'n>,
    /// Indices and parameters, the innermost last.
    bound: Vec<(String, i64)>,
    source: usize,
    size: usize,
    depth: usize,
}

impl<'n> Grounder<'n> {
    pub fn new(names: Names<'n>, source: usize) -> Self {
        Self {
            names,
            bound: Vec::new(),
            source,
            size: 0,
            depth: 0,
        }
    }

    /// Runs `visit` for all values of the indices.
    pub fn each(
        &mut self,
        ranges: &[IndexRange],
        visit: &mut dyn FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some((range, rest)) = ranges.split_first() else {
            return visit(self);
        };
        let (from, to) = (self.term(&range.from)?, self.term(&range.to)?);
        let values: Box<dyn Iterator<Item = i64>> = if range.down {
            Box::new((to..=from).rev())
        } else {
            Box::new(from..=to)
        };
        for value in values {
            self.grow(&range.span)?;
            self.bound.push((range.name.clone(), value));
            let visited = self.each(rest, visit);
            self.bound.pop();
            visited?;
        }
        Ok(())
    }

    /// The value of a term.
    pub fn term(&self, term: &Term) -> Result<i64, Fault> {
        let pair = |left: &Term, right: &Term| Ok((self.term(left)?, self.term(right)?));
        let (value, span) = match term {
            Term::Number(number) => return Ok(*number),
            Term::Name(name, span) => return self.index_value(name, span),
            Term::Negated(part, span) => (self.term(part)?.checked_neg(), span),
            Term::Sum(left, right, span) => {
                let (left, right) = pair(left, right)?;
                (left.checked_add(right), span)
            }
            Term::Difference(left, right, span) => {
                let (left, right) = pair(left, right)?;
                (left.checked_sub(right), span)
            }
            Term::Product(left, right, span) => {
                let (left, right) = pair(left, right)?;
                (left.checked_mul(right), span)
            }
        };
        value.ok_or_else(|| self.fault(huge_number(span.clone())))
    }

    fn index_value(&self, name: &str, span: &Span) -> Result<i64, Fault> {
        let innermost = self.bound.iter().rev();
        let mut known = innermost.chain(self.names.constants);
        if let Some((_, value)) = known.find(|(known, _)| known == name) {
            return Ok(*value);
        }
        let known = self.bound.iter().chain(self.names.constants);
        let near = nearest(name, known.map(|(known, _)| known.as_str()));
        let message = format!("`{name}` has no value");
        let draft = Draft::new(Code::NotDeclared, message).at(span.clone(), "not an index");
        let help = near.map_or_else(
            || "declare it with `constant`, or give it a range with `for`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Err(self.fault(draft.help(help)))
    }

    /// The values of indices or arguments.
    pub fn terms(&self, terms: &[Term]) -> Result<Vec<i64>, Fault> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    /// A player by number.
    pub fn player(&self, term: &Term, span: &Span) -> Result<PlayerId, Fault> {
        let number = self.term(term)?;
        let players = self.names.signature.players().len();
        let called = usize::try_from(number).ok().and_then(PlayerId::called);
        called
            .filter(|player| player.index() < players)
            .ok_or_else(|| {
                let message = format!("there is no player {number}");
                let draft = Draft::new(Code::NoSuchInstance, message).at(span.clone(), "");
                self.fault(draft.help(format!("the players are 1 to {players}")))
            })
    }

    /// The action that is meant.
    pub fn action(&self, reference: &Reference) -> Result<ActionId, Fault> {
        let indices = self.terms(&reference.arguments)?;
        let found = self.names.signature.action(&reference.name, &indices);
        found.ok_or_else(|| self.no_instance("action", reference, &indices))
    }

    fn no_instance(&self, what: &str, reference: &Reference, indices: &[i64]) -> Fault {
        let symbol = crate::rules::game::Symbol::new(&reference.name, indices);
        let message = format!("there is no {what} {symbol}");
        let draft = Draft::new(Code::NoSuchInstance, message);
        let draft = draft.at(reference.span.clone(), self.bindings());
        self.fault(draft.help("narrow the range of an index, or widen the declaration"))
    }

    /// `i = 1, j = 0`, the values that led here.
    fn bindings(&self) -> String {
        let spelled = self
            .bound
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let spelled: Vec<String> = spelled.collect();
        if spelled.is_empty() {
            return String::new();
        }
        format!("with {}", spelled.join(", "))
    }

    /// A formula without ∇ and Δ.
    pub fn formula(&mut self, node: &Node) -> Result<Formula, Fault> {
        self.deeper(&node.span, |grounder| grounder.shape(node))
    }

    fn shape(&mut self, node: &Node) -> Result<Formula, Fault> {
        Ok(match &node.shape {
            Shape::Truth(true) => Formula::truth(),
            Shape::Truth(false) => Formula::Any(Vec::new()),
            Shape::Init => Formula::Init,
            Shape::Terminal => Formula::Terminal,
            Shape::Wins(player) => Formula::Wins(self.player(player, &node.span)?),
            Shape::Does(reference) => Formula::Does(self.action(reference)?),
            Shape::Legal(reference) => Formula::Legal(self.action(reference)?),
            Shape::Named(reference) => self.named_formula(reference)?,
            Shape::Not(part) => self.formula(part)?.negated(),
            Shape::Next(part) => Formula::next(self.formula(part)?),
            Shape::All(parts) => Formula::All(self.formulas(parts)?),
            Shape::Any(parts) => Formula::Any(self.formulas(parts)?),
            Shape::Implies(left, right) => {
                Formula::implies(self.formula(left)?, self.formula(right)?)
            }
            Shape::Same(left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                Formula::Same(Box::new(left), Box::new(right))
            }
            Shape::ForAll(ranges, body) => Formula::All(self.repeated(ranges, body)?),
            Shape::ForSome(ranges, body) => Formula::Any(self.repeated(ranges, body)?),
            Shape::Else(_) | Shape::Also(_) => {
                return Err(self.fault(rule_in_formula(&node.span)));
            }
        })
    }

    fn formulas(&mut self, parts: &[Node]) -> Result<Vec<Formula>, Fault> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn repeated(&mut self, ranges: &[IndexRange], body: &Node) -> Result<Vec<Formula>, Fault> {
        let mut parts = Vec::new();
        self.each(ranges, &mut |grounder| {
            parts.push(grounder.formula(body)?);
            Ok(())
        })?;
        Ok(parts)
    }

    fn named_formula(&mut self, reference: &Reference) -> Result<Formula, Fault> {
        match self.called(reference)? {
            Some(definition) => {
                let body = &definition.body;
                self.inside(definition, reference, |inner| inner.formula(body))
            }
            None => self.proposition(reference),
        }
    }

    fn proposition(&self, reference: &Reference) -> Result<Formula, Fault> {
        let indices = self.terms(&reference.arguments)?;
        let found = self.names.signature.proposition(&reference.name, &indices);
        let found = found.ok_or_else(|| self.no_instance("proposition", reference, &indices))?;
        Ok(Formula::Proposition(found))
    }

    /// The definition that a name calls, if it is not the name of a proposition.
    fn called(&self, reference: &Reference) -> Result<Option<&'n Definition>, Fault> {
        let definitions = self.names.definitions.iter();
        let mut named = definitions.filter(|definition| definition.name == reference.name);
        let Some(definition) = named.next() else {
            return Ok(None);
        };
        let (given, wanted) = (reference.arguments.len(), definition.parameters.len());
        if given == wanted {
            return Ok(Some(definition));
        }
        let message = format!(
            "rule `{}` takes {wanted} arguments, not {given}",
            reference.name
        );
        let draft = Draft::new(Code::WrongIndices, message).at(reference.span.clone(), "");
        Err(self.fault(draft))
    }

    /// Runs `visit` inside a definition, where only its parameters have values.
    fn inside<T>(
        &mut self,
        definition: &Definition,
        reference: &Reference,
        visit: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let values = self.terms(&reference.arguments)?;
        let names = definition.parameters.iter().map(|(name, _)| name.clone());
        let outer = std::mem::replace(&mut self.bound, names.zip(values).collect());
        let source = std::mem::replace(&mut self.source, definition.source);
        let visited = self.deeper(&reference.span, visit);
        self.bound = outer;
        self.source = source;
        visited
    }

    /// A rule.
    pub fn rule(&mut self, node: &Node) -> Result<Rule, Fault> {
        match &node.shape {
            Shape::Else(operands) => Ok(Rule::Else(self.operands(operands, &node.span)?)),
            Shape::Also(operands) => Ok(Rule::Also(self.operands(operands, &node.span)?)),
            Shape::Named(reference) => match self.called(reference)? {
                Some(definition) => {
                    let body = &definition.body;
                    self.inside(definition, reference, |inner| inner.rule(body))
                }
                None => self.formula(node).map(Rule::from),
            },
            _ => self.formula(node).map(Rule::from),
        }
    }

    fn operands(&mut self, operands: &[Operand], span: &Span) -> Result<Vec<Rule>, Fault> {
        self.deeper(span, |grounder| {
            let mut rules = Vec::new();
            for operand in operands {
                grounder.each(&operand.each, &mut |grounder| {
                    rules.push(grounder.rule(&operand.rule)?);
                    Ok(())
                })?;
            }
            Ok(rules)
        })
    }

    fn deeper<T>(
        &mut self,
        span: &Span,
        visit: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.grow(span)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.too_much(span, "this nests too deeply when it is spelled out"));
        }
        let visited = visit(self);
        self.depth -= 1;
        visited
    }

    fn grow(&mut self, span: &Span) -> Result<(), Fault> {
        self.size += 1;
        if self.size > LARGEST {
            return Err(self.too_much(span, "this becomes too large when it is spelled out"));
        }
        Ok(())
    }

    fn too_much(&self, span: &Span, message: &str) -> Fault {
        let draft = Draft::new(Code::TooMuch, message).at(span.clone(), self.bindings());
        self.fault(draft.help("make the constants or ranges smaller"))
    }

    /// In which of the texts we are.
    pub fn source(&self) -> usize {
        self.source
    }

    pub fn fault(&self, draft: Draft) -> Fault {
        Fault {
            source: self.source,
            draft: Box::new(draft),
        }
    }
}
