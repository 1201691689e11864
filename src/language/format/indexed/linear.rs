//! Sums of variables.

use super::ast::{Expr, Fold, Kind, Name, Span};
use super::expander::{Expander, Global};
use super::parser::Step;
use crate::format::code::Code;
use crate::format::text::shortened;
use crate::num::{Exact, Rational};
use crate::program::{Id, Term, VarId};

/// A sum of multiples of variables, and a number.
#[derive(Debug, Default)]
pub(super) struct Linear {
    pub terms: Vec<(VarId, Exact)>,
    pub constant: Exact,
}

/// A binary variable, or its negation.
#[derive(Copy, Clone, Debug)]
pub(super) struct Literal {
    pub variable: VarId,
    pub positive: bool,
}

impl Linear {
    /// The terms as rows hold them.
    pub fn into_terms(self) -> Vec<Term> {
        let terms = self.terms.into_iter();
        terms
            .map(|(variable, by)| (variable, by.to_rational()))
            .collect()
    }

    pub fn constant(&self) -> Rational {
        self.constant.to_rational()
    }

    /// Takes another sum away.
    pub fn subtract(&mut self, other: Self) {
        let negated = other.terms.into_iter();
        self.terms
            .extend(negated.map(|(variable, by)| (variable, &Exact::ZERO - &by)));
        self.constant = &self.constant - &other.constant;
    }

    /// Adds a literal that many times.
    pub fn add_literal(&mut self, literal: Literal, times: &Exact) {
        if literal.positive {
            self.terms.push((literal.variable, times.clone()));
        } else {
            self.terms.push((literal.variable, &Exact::ZERO - times));
            self.constant = &self.constant + times;
        }
    }
}

impl<'m> Expander<'m> {
    /// Whether a variable of the program occurs in an expression.
    pub fn has_variable(&self, expr: &Expr) -> bool {
        if let Some(known) = expr.variable.get() {
            return known;
        }
        let any = |parts: &[Expr]| parts.iter().any(|part| self.has_variable(part));
        let has = match &expr.kind {
            Kind::Number(_) | Kind::Infinity | Kind::Text(_) | Kind::Index(_) | Kind::OfSet(..) => {
                false
            }
            Kind::Name(name, subscripts) => {
                matches!(self.globals.get(name), Some(Global::Family(_))) || any(subscripts)
            }
            Kind::Sum(parts) => parts.iter().any(|(_, part)| self.has_variable(part)),
            Kind::Product(left, right)
            | Kind::Quotient(left, right)
            | Kind::Remainder(left, right) => self.has_variable(left) || self.has_variable(right),
            Kind::Fold(_, _, inner) | Kind::Not(inner) => self.has_variable(inner),
            Kind::Call(_, parts) => any(parts),
            Kind::If(_, yes, no) => self.has_variable(yes) || self.has_variable(no),
        };
        expr.variable.set(Some(has));
        has
    }

    /// The sum that an expression is.
    pub fn linear(&mut self, expr: &'m Expr) -> Step<Linear> {
        let mut sum = Linear::default();
        self.add(expr, &Exact::ONE, &mut sum)?;
        Ok(sum)
    }

    fn add(&mut self, expr: &'m Expr, times: &Exact, sum: &mut Linear) -> Step<()> {
        if !self.has_variable(expr) {
            let number = self.number(expr)?;
            sum.constant = &sum.constant + &(times * &number);
            return Ok(());
        }
        match &expr.kind {
            Kind::Name(name, subscripts) => {
                let variable = self.variable(*name, subscripts, &expr.span)?;
                sum.terms.push((variable, times.clone()));
                Ok(())
            }
            Kind::Sum(parts) => {
                let negated = &Exact::ZERO - times;
                // All of them, so that every fault is told.
                let mut done = Ok(());
                for (negative, part) in parts {
                    let added = self.add(part, if *negative { &negated } else { times }, sum);
                    done = done.and(added);
                }
                done
            }
            Kind::Product(left, right) => {
                let (number, inner) = match (self.has_variable(left), self.has_variable(right)) {
                    (true, true) => {
                        let message = "a product of variables is not linear".to_owned();
                        let help =
                            "for binaries x and y declare a binary z and a row `z = x and y`";
                        return self.fail_help(
                            Code::NotLinear,
                            message,
                            &expr.span,
                            help.to_owned(),
                        );
                    }
                    (true, false) => (right, left),
                    (false, _) => (left, right),
                };
                let number = self.number(number)?;
                self.add(inner, &(times * &number), sum)
            }
            Kind::Quotient(left, right) if !self.has_variable(right) => {
                let divisor = self.number(right)?;
                if divisor.is_zero() {
                    let message = "this is zero".to_owned();
                    return self.fail(Code::ZeroDenominator, message, &right.span);
                }
                self.add(left, &(times / &divisor), sum)
            }
            Kind::Fold(Fold::Sum, over, inner) => {
                self.each(over, &mut |it| it.add(inner, times, sum))
            }
            Kind::If(condition, yes, no) => {
                let branch = if self.holds(condition)? { yes } else { no };
                self.add(branch, times, sum)
            }
            Kind::Not(inner) => {
                let literal = self.literal(inner)?;
                let negated = Literal {
                    positive: !literal.positive,
                    ..literal
                };
                sum.add_literal(negated, times);
                Ok(())
            }
            _ => {
                let message = "this is not linear in its variables".to_owned();
                self.fail(Code::NotLinear, message, &expr.span)
            }
        }
    }

    /// The variable of that name and index.
    fn variable(&mut self, name: Name, subscripts: &'m [Expr], span: &Span) -> Step<VarId> {
        let Some(Global::Family(family)) = self.globals.get(&name).copied() else {
            let message = format!("`{}` is no variable", shortened(self.names.spelling(name)));
            return self.fail(Code::NotLinear, message, span);
        };
        let arity = self.families[family].arity;
        let roots = std::mem::take(&mut self.families[family].roots);
        let key = self.subscripts(name, subscripts, arity, &roots, span);
        self.families[family].roots = roots;
        let key = key?;
        match self.families[family].members.get(&key) {
            Some(variable) => Ok(*variable),
            None => self.no_instance(name, &key, "variable", span),
        }
    }

    /// The binary variable, or the negation of one, that an expression is.
    pub fn literal(&mut self, expr: &'m Expr) -> Step<Literal> {
        let sum = self.linear(expr)?;
        if let [(variable, by)] = &sum.terms[..]
            && self.binaries[variable.index()]
        {
            let variable = *variable;
            if *by == Exact::ONE && sum.constant.is_zero() {
                return Ok(Literal {
                    variable,
                    positive: true,
                });
            }
            if &Exact::ZERO - by == Exact::ONE && sum.constant == Exact::ONE {
                return Ok(Literal {
                    variable,
                    positive: false,
                });
            }
        }
        let message = "a binary variable, or `not` and one, is needed here".to_owned();
        self.fail(Code::NotBinary, message, &expr.span)
    }

    /// Refuses a sum of anything but binary variables.
    pub fn all_binary(&mut self, sum: &Linear, span: &Span) -> Step<()> {
        if sum
            .terms
            .iter()
            .all(|(variable, _)| self.binaries[variable.index()])
        {
            return Ok(());
        }
        let message = "only binary variables are true or false".to_owned();
        self.fail(Code::NotBinary, message, span)
    }
}
