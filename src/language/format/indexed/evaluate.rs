//! Numbers, elements and conditions.

use std::cmp::Ordering;

use super::ast::{
    Comparison, Condition, ConditionKind, Expr, Fold, Function, Kind, Name, OfSet, Span,
};
use super::expander::{Expander, Global};
use super::names::{Atom, Key};
use super::parser::{Skip, Step};
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::spell::is_readable;
use crate::format::text::shortened;
use crate::num::{Exact, MAX_DIGITS};

/// What an expression without variables is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(Exact),
    Word(Name),
}

impl From<Atom> for Value {
    fn from(atom: Atom) -> Self {
        match atom {
            Atom::Number(number) => Self::Number(number.into()),
            Atom::Word(word) => Self::Word(word),
        }
    }
}

impl<'m> Expander<'m> {
    /// The number that an expression without variables is.
    pub fn number(&mut self, expr: &'m Expr) -> Step<Exact> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            Value::Word(word) => {
                let word = shortened(self.names.spelling(word));
                let message = format!("`{word}` is an element, not a number");
                self.fail(Code::WrongSort, message, &expr.span)
            }
        }
    }

    /// The element that an expression is.
    pub fn atom(&mut self, expr: &'m Expr) -> Step<Atom> {
        match self.value(expr)? {
            Value::Word(word) => Ok(Atom::Word(word)),
            Value::Number(number) => match number.to_i64() {
                Some(whole) => Ok(Atom::Number(whole)),
                None => {
                    let number = shortened(&number.to_rational().to_string());
                    let message =
                        format!("{number} is no index: elements are whole numbers or words");
                    self.fail(Code::WrongSort, message, &expr.span)
                }
            },
        }
    }

    /// An element in a place where a word needs no introduction: in a set, or before a colon.
    pub fn literal_atom(&mut self, expr: &'m Expr) -> Step<Atom> {
        match &expr.kind {
            Kind::Name(name, subscripts)
                if subscripts.is_empty() && !self.globals.contains_key(name) =>
            {
                Ok(Atom::Word(*name))
            }
            _ => self.atom(expr),
        }
    }

    pub fn value(&mut self, expr: &'m Expr) -> Step<Value> {
        Ok(Value::Number(match &expr.kind {
            Kind::Number(number) => number.clone(),
            Kind::Infinity => {
                let message = "infinity is not a number to calculate with".to_owned();
                return self.fail(Code::InfiniteNumber, message, &expr.span);
            }
            Kind::Text(name) => {
                let text = self.names.spelling(*name).to_owned();
                return Ok(self.names.atom(&text).into());
            }
            Kind::Index(slot) => return Ok(self.env[*slot].into()),
            Kind::Name(name, subscripts) => return self.named_value(*name, subscripts, &expr.span),
            Kind::Sum(parts) => {
                let mut sum = Exact::ZERO;
                for (negative, part) in parts {
                    let part = self.number(part)?;
                    sum = if *negative {
                        &sum - &part
                    } else {
                        &sum + &part
                    };
                }
                sum
            }
            Kind::Product(left, right) => &self.number(left)? * &self.number(right)?,
            Kind::Quotient(left, right) => {
                let left = self.number(left)?;
                &left / &self.divisor(right)?
            }
            Kind::Remainder(left, right) => {
                let left = self.number(left)?;
                let right = self.divisor(right)?;
                &left - &(&right * &(&left / &right).floor())
            }
            Kind::Fold(fold, over, body) => return self.fold(*fold, over, body, &expr.span),
            Kind::Call(function, arguments) => self.call(*function, arguments)?,
            Kind::OfSet(what, set) => return self.of_set(*what, set, &expr.span),
            Kind::If(condition, yes, no) => {
                let branch = if self.holds(condition)? { yes } else { no };
                return self.value(branch);
            }
            Kind::Not(inner) => &Exact::ONE - &self.number(inner)?,
        }))
    }

    fn divisor(&mut self, expr: &'m Expr) -> Step<Exact> {
        let divisor = self.number(expr)?;
        if divisor.is_zero() {
            return self.fail(Code::ZeroDenominator, "this is zero".to_owned(), &expr.span);
        }
        Ok(divisor)
    }

    fn named_value(&mut self, name: Name, subscripts: &'m [Expr], span: &Span) -> Step<Value> {
        let shown = |it: &Self| shortened(it.names.spelling(name));
        match self.globals.get(&name) {
            Some(Global::Param(param)) => {
                let table = self.table(*param, span)?;
                let key = self.subscripts(name, subscripts, table.arity, &table.roots, span)?;
                match table.values.get(&key) {
                    Some(value) => Ok(Value::Number(value.clone())),
                    None => self.no_instance(name, &key, "value", span),
                }
            }
            Some(Global::Family(_)) => {
                let message = format!("`{}` is a variable; a number is needed here", shown(self));
                self.fail(Code::NotConstant, message, span)
            }
            Some(Global::Set(_)) => {
                let message = format!("`{}` is a set; a number is needed here", shown(self));
                let help = format!("`card({})` is how many elements it has", shown(self));
                self.fail_help(Code::WrongSort, message, span, help)
            }
            None if subscripts.is_empty()
                && (self.words.contains(&name) || !self.sets_are_known) =>
            {
                Ok(Value::Word(name))
            }
            None => self.not_declared(name, span),
        }
    }

    pub fn not_declared<T>(&mut self, name: Name, span: &Span) -> Step<T> {
        if self.is_lost(name) {
            return Err(Skip);
        }
        let message = format!("`{}` is not declared", shortened(self.names.spelling(name)));
        let draft = Draft::new(Code::NotDeclared, message).at(span.clone(), "not declared");
        let draft = draft.help_if(self.meant(name));
        self.fail_with(draft, Code::NotDeclared, span)
    }

    /// The elements in the brackets of a name, as many and from the sets that it was declared with.
    pub fn subscripts(
        &mut self,
        name: Name,
        subscripts: &'m [Expr],
        arity: usize,
        roots: &[Option<Name>],
        span: &Span,
    ) -> Step<Key> {
        if subscripts.len() != arity {
            let shown = shortened(self.names.spelling(name));
            let message = match arity {
                0 => format!("`{shown}` has no index"),
                _ => format!("`{shown}` has {}, not {}", indices(arity), subscripts.len()),
            };
            return self.fail(Code::WrongIndices, message, span);
        }
        let mut key = Key::new();
        for (place, subscript) in subscripts.iter().enumerate() {
            let wanted = roots.get(place).copied().flatten();
            if let (Kind::Index(slot), Some(wanted)) = (&subscript.kind, wanted)
                && let Some(found) = self.slot_roots[*slot]
                && found != wanted
            {
                return self.wrong_set(*slot, found, name, place, wanted, &subscript.span);
            }
            key.push(self.atom(subscript)?);
        }
        Ok(key)
    }

    fn wrong_set<T>(
        &mut self,
        slot: usize,
        found: Name,
        name: Name,
        place: usize,
        wanted: Name,
        span: &Span,
    ) -> Step<T> {
        let [index, found, name, wanted] =
            [self.model.slot_names[slot], found, name, wanted].map(|it| self.names.spelling(it));
        let message = format!(
            "`{index}` runs through {found}, but index {} of `{name}` is from {wanted}",
            place + 1
        );
        let help =
            format!("a part of {wanted} is declared by `set {found} = {wanted} inter {{…}}`");
        self.fail_help(Code::WrongSet, message, span, help)
    }

    /// Complains that the name is not there for these indices.
    pub fn no_instance<T>(&mut self, name: Name, key: &[Atom], what: &str, span: &Span) -> Step<T> {
        if self.is_lost(name) {
            return Err(Skip);
        }
        let shown = shortened(self.names.spelling(name));
        let index = shortened(&self.names.shown_key(key));
        let message = format!("there is no {what} `{shown}[{index}]`");
        let help = "leave it out by `where`, or choose by `if … then … else …`".to_owned();
        self.fail_help(Code::NoSuchInstance, message, span, help)
    }

    fn fold(
        &mut self,
        fold: Fold,
        over: &'m super::ast::Over,
        body: &'m Expr,
        span: &Span,
    ) -> Step<Value> {
        let mut result: Option<Exact> = None;
        self.each(over, &mut |it| {
            let next = it.number(body)?;
            result = Some(match (&result, fold) {
                (None, _) => next,
                (Some(sum), Fold::Sum) => sum + &next,
                (Some(best), Fold::Least) if less(best, &next) => best.clone(),
                (Some(best), Fold::Greatest) if less(&next, best) => best.clone(),
                _ => next,
            });
            Ok(())
        })?;
        match (result, fold) {
            (Some(result), _) => Ok(Value::Number(result)),
            (None, Fold::Sum) => Ok(Value::Number(Exact::ZERO)),
            (None, _) => {
                let message = "nothing to choose from: the set is empty here".to_owned();
                self.fail(Code::EmptySet, message, span)
            }
        }
    }

    fn call(&mut self, function: Function, arguments: &'m [Expr]) -> Step<Exact> {
        let mut best = self.number(&arguments[0])?;
        match function {
            Function::Floor => return Ok(best.floor()),
            Function::Ceiling => return Ok(best.ceil()),
            Function::Absolute if less(&best, &Exact::ZERO) => return Ok(&Exact::ZERO - &best),
            Function::Absolute => return Ok(best),
            Function::Least | Function::Greatest => {}
        }
        for argument in &arguments[1..] {
            let next = self.number(argument)?;
            if less(&next, &best) == (function == Function::Least) {
                best = next;
            }
        }
        Ok(best)
    }

    fn of_set(&mut self, what: OfSet, set: &'m super::ast::SetExpr, span: &Span) -> Step<Value> {
        let elements = self.elements(set)?;
        let element = match what {
            OfSet::Size => {
                let size = i64::try_from(elements.keys.len()).unwrap_or(i64::MAX);
                return Ok(Value::Number(size.into()));
            }
            OfSet::First => elements.keys.first(),
            OfSet::Last => elements.keys.last(),
        };
        match element {
            Some(key) if key.len() == 1 => Ok(key[0].into()),
            Some(_) => self.fail(
                Code::WrongIndices,
                "the elements are tuples".to_owned(),
                span,
            ),
            None => self.fail(Code::EmptySet, "the set is empty".to_owned(), span),
        }
    }

    /// Whether a condition is true.
    pub fn holds(&mut self, condition: &'m Condition) -> Step<bool> {
        match &condition.kind {
            ConditionKind::Not(inner) => Ok(!self.holds(inner)?),
            ConditionKind::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ConditionKind::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ConditionKind::Member(parts, set) => {
                let elements = self.elements(set)?;
                let mut key = Key::new();
                for part in parts {
                    key.push(self.atom(part)?);
                }
                Ok(elements.contains(&key))
            }
            ConditionKind::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.compared(*comparison, &left, &right, &condition.span)
            }
        }
    }

    fn compared(
        &mut self,
        comparison: Comparison,
        left: &Value,
        right: &Value,
        span: &Span,
    ) -> Step<bool> {
        let order = match (left, right) {
            (Value::Number(left), Value::Number(right)) => order(left, right),
            _ => {
                let same = left == right;
                return match comparison {
                    Comparison::Equal => Ok(same),
                    Comparison::Unequal => Ok(!same),
                    _ => {
                        let message = "only numbers are above or below each other".to_owned();
                        self.fail(Code::WrongSort, message, span)
                    }
                };
            }
        };
        Ok(match comparison {
            Comparison::Equal => order.is_eq(),
            Comparison::Unequal => order.is_ne(),
            Comparison::Below => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Above => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        })
    }

    /// A number that can be written again.
    pub fn writable(&mut self, value: Exact, span: &Span) -> Step<Exact> {
        if value.to_i64().is_some() || is_readable(&value.to_rational()) {
            return Ok(value);
        }
        let message = format!("this makes a number of more than {MAX_DIGITS} digits");
        self.fail_help(Code::HugeNumber, message, span, "round it".to_owned())
    }
}

/// `1 index`, `2 indices`.
pub(super) fn indices(count: usize) -> String {
    match count {
        1 => "1 index".to_owned(),
        _ => format!("{count} indices"),
    }
}

fn order(left: &Exact, right: &Exact) -> Ordering {
    let difference = left - right;
    match (difference.is_zero(), difference.is_positive()) {
        (true, _) => Ordering::Equal,
        (false, true) => Ordering::Greater,
        (false, false) => Ordering::Less,
    }
}

fn less(left: &Exact, right: &Exact) -> bool {
    order(left, right) == Ordering::Less
}
