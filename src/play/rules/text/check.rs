//! Names that mean nothing, found before any index has a value.

use super::ground::Fault;
use super::syntax::{IndexRange, Node, Operand, Reference, Shape, Span, Term};
use super::theory::Theory;
use crate::format::{Code, Draft, nearest};

/// Looks through one formula or rule.
pub(super) struct Checker<'t> {
    theory: &'t Theory,
    source: usize,
    /// Parameters and indices.
    bound: Vec<String>,
}

impl<'t> Checker<'t> {
    pub fn new(theory: &'t Theory, source: usize, parameters: Vec<String>) -> Self {
        Self {
            theory,
            source,
            bound: parameters,
        }
    }

    /// A formula or rule for all values of some indices.
    pub fn with(&mut self, ranges: &[IndexRange], node: &Node) -> Result<(), Fault> {
        self.within(ranges, |checker| checker.node(node))
    }

    fn within(
        &mut self,
        ranges: &[IndexRange],
        check: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let outer = self.bound.len();
        for range in ranges {
            self.term(&range.from)?;
            self.term(&range.to)?;
            self.bound.push(range.name.clone());
        }
        check(self)?;
        self.bound.truncate(outer);
        Ok(())
    }

    /// A formula, in which no rule may stand.
    fn formula(&mut self, node: &Node) -> Result<(), Fault> {
        let is_rule = match &node.shape {
            Shape::Else(_) | Shape::Also(_) => true,
            Shape::Named(reference) => self.theory.is_chain(&reference.name),
            _ => false,
        };
        if is_rule {
            return Err(self.fault(rule_in_formula(&node.span)));
        }
        self.node(node)
    }

    /// A formula or rule.
    pub fn node(&mut self, node: &Node) -> Result<(), Fault> {
        match &node.shape {
            Shape::Truth(_) | Shape::Init | Shape::Terminal => Ok(()),
            Shape::Wins(player) => self.term(player),
            Shape::Does(reference) | Shape::Legal(reference) => self.action(reference),
            Shape::Named(reference) => self.proposition_or_rule(reference),
            Shape::Not(part) | Shape::Next(part) => self.formula(part),
            Shape::All(parts) | Shape::Any(parts) => {
                parts.iter().try_for_each(|part| self.formula(part))
            }
            Shape::Implies(left, right) | Shape::Same(left, right) => {
                self.formula(left)?;
                self.formula(right)
            }
            Shape::ForAll(ranges, body) | Shape::ForSome(ranges, body) => {
                self.within(ranges, |checker| checker.formula(body))
            }
            Shape::Else(operands) | Shape::Also(operands) => operands
                .iter()
                .try_for_each(|Operand { each, rule }| self.with(each, rule)),
        }
    }

    fn action(&self, reference: &Reference) -> Result<(), Fault> {
        let signature = self.theory.signature();
        let symbols = signature.actions().map(|id| signature.action_symbol(id));
        let names = symbols.map(|symbol| (&*symbol.name, symbol.indices.len()));
        self.reference(reference, "action", &names.collect::<Vec<_>>())
    }

    fn proposition_or_rule(&self, reference: &Reference) -> Result<(), Fault> {
        let signature = self.theory.signature();
        let symbols = signature
            .propositions()
            .map(|id| signature.proposition_symbol(id));
        let names = symbols.map(|symbol| (&*symbol.name, symbol.indices.len()));
        let names: Vec<(&str, usize)> = names.chain(self.theory.rules()).collect();
        self.reference(reference, "proposition or rule", &names)
    }

    fn reference(
        &self,
        reference: &Reference,
        what: &str,
        names: &[(&str, usize)],
    ) -> Result<(), Fault> {
        let Reference {
            name,
            arguments,
            span,
        } = reference;
        let mut sizes = names.iter().filter(|(known, _)| known == name);
        let Some((_, wanted)) = sizes.clone().next() else {
            let near = nearest(name, names.iter().map(|(known, _)| *known));
            let message = format!("there is no {what} `{name}`");
            return Err(self.not_declared(message, span, near));
        };
        if !sizes.any(|(_, size)| *size == arguments.len()) {
            let message = format!("`{name}` has {wanted} indices, not {}", arguments.len());
            let draft = Draft::new(Code::WrongIndices, message).at(span.clone(), "");
            let help = format!("write {wanted} whole numbers in parentheses");
            return Err(self.fault(draft.help(help)));
        }
        arguments.iter().try_for_each(|term| self.term(term))
    }

    fn term(&self, term: &Term) -> Result<(), Fault> {
        match term {
            Term::Number(_) => Ok(()),
            Term::Negated(part, _) => self.term(part),
            Term::Sum(left, right, _)
            | Term::Difference(left, right, _)
            | Term::Product(left, right, _) => {
                self.term(left)?;
                self.term(right)
            }
            Term::Name(name, span) => {
                let constants = self.theory.constants().iter().map(|(name, _)| name);
                let mut known = self.bound.iter().chain(constants);
                if known.clone().any(|known| known == name) {
                    return Ok(());
                }
                let near = nearest(name, known.by_ref().map(String::as_str));
                let message = format!("`{name}` is neither a constant nor an index");
                Err(self.not_declared(message, span, near))
            }
        }
    }

    fn not_declared(&self, message: String, span: &Span, near: Option<&str>) -> Fault {
        let draft = Draft::new(Code::NotDeclared, message).at(span.clone(), "not declared");
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.fault(draft.help_if(help))
    }

    fn fault(&self, draft: Draft) -> Fault {
        Fault {
            source: self.source,
            draft: Box::new(draft),
        }
    }
}

/// A rule where only a formula has a meaning.
pub(super) fn rule_in_formula(span: &Span) -> Draft {
    let message = "a rule with `else` or `also` stands inside a formula";
    let draft = Draft::new(Code::RuleInFormula, message).at(span.clone(), "this is a rule");
    draft.help("rules are combined by `else` and `also` only")
}
