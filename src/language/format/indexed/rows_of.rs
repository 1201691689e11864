//! Rows, one for every index, and the sentences of logic as rows.
//!
//! `z = x and y` says `z <= x`, `z <= y` and `x + y <= z + 1`; `z = x or y` says `x <= z`, `y <= z` and
//! `z <= x + y`; `x implies y` says `x <= y`. A row with `when` gives way where a condition does not
//! hold: see [`relaxed`](crate::program::relaxed).

use super::ast::{Expr, Kind, Relation, RowFamily, Span, Statement};
use super::expander::Expander;
use super::linear::Linear;
use super::parser::Step;
use crate::format::code::Code;
use crate::format::text::shortened;
use crate::num::{Exact, Rational};
use crate::program::{Id, Row, Variable, normalized, relaxed};

/// Rows with the places of their families.
pub(super) type Rows = Vec<(Row, Span)>;

impl<'m> Expander<'m> {
    /// All rows of a family, one after the other.
    pub fn rows(&mut self, family: &'m RowFamily, variables: &[Variable], rows: &mut Rows) {
        let Some(label) = &family.label else {
            let _: Step<()> = self.instance_of(family, None, variables, rows);
            return;
        };
        self.place = Some(&label.head);
        let name = label
            .named
            .then(|| self.names.spelling(label.head.name).to_owned());
        let _: Step<()> = self.each_instance(&label.head, false, &mut |it, key| {
            let name = name.as_ref().map(|name| it.names.instance(name, key));
            // A fault of one instance is noted; the others may have faults of their own.
            let _: Step<()> = it.instance_of(family, name.as_deref(), variables, rows);
            Ok(())
        });
        self.place = None;
    }

    fn instance_of(
        &mut self,
        family: &'m RowFamily,
        name: Option<&str>,
        variables: &[Variable],
        rows: &mut Rows,
    ) -> Step<()> {
        let made = self.statement(&family.statement, &family.span)?;
        let mut conditions = Vec::with_capacity(family.when.len());
        for condition in &family.when {
            let literal = self.literal(condition)?;
            conditions.push((literal.variable, literal.positive));
        }
        let several = made.len() > 1;
        for (place, row) in made.into_iter().enumerate() {
            let name = match several {
                true => name.map(|name| format!("{name}.{}", place + 1)),
                false => name.map(str::to_owned),
            };
            let row = Row { name, ..row };
            if conditions.is_empty() {
                rows.push((row, family.span.clone()));
                continue;
            }
            let row = Row {
                terms: normalized(row.terms),
                ..row
            };
            let domain = |variable: crate::program::VarId| variables[variable.index()].domain();
            match relaxed(&row, &conditions, domain) {
                Ok(made) => rows.extend(made.into_iter().map(|row| (row, family.span.clone()))),
                Err(open) => {
                    let open = open
                        .first()
                        .map(|it| variables[it.variable.index()].name.as_str());
                    let message = format!(
                        "a row with `when` needs finite bounds, and `{}` has none",
                        shortened(open.unwrap_or("a variable"))
                    );
                    return self.fail(Code::UnboundedWhen, message, &family.span);
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'m Statement, span: &Span) -> Step<Vec<Row>> {
        match statement {
            Statement::Compare(left, relation, right) => {
                Ok(vec![self.compared_row(left, *relation, right, span)?])
            }
            Statement::Range(low, relation, middle, high) => {
                let (low, high) = match relation {
                    Relation::AtLeast => (high, low),
                    _ => (low, high),
                };
                let middle = self.linear(middle)?;
                let lower = self.range_end(low, &middle, true)?;
                let upper = self.range_end(high, &middle, false)?;
                Ok(vec![Row {
                    name: None,
                    terms: middle.into_terms(),
                    lower,
                    upper,
                }])
            }
            Statement::Count(relation, literals) => {
                let mut sum = Linear::default();
                for literal in literals {
                    let part = self.linear(literal)?;
                    self.all_binary(&part, &literal.span)?;
                    sum.terms.extend(part.terms);
                    sum.constant = &sum.constant + &part.constant;
                }
                Ok(vec![row(sum, *relation, &Exact::ONE)])
            }
            Statement::Implies(premise, conclusion) => {
                let (premise, conclusion) = (self.literal(premise)?, self.literal(conclusion)?);
                let mut sum = Linear::default();
                sum.add_literal(premise, &Exact::ONE);
                sum.add_literal(conclusion, &Exact::from(-1));
                Ok(vec![row(sum, Relation::AtMost, &Exact::ZERO)])
            }
            Statement::Defines(all, result, operands) => self.definition(*all, result, operands),
        }
    }

    /// `left - right`, compared with zero; an infinite side does not bind.
    fn compared_row(
        &mut self,
        left: &'m Expr,
        relation: Relation,
        right: &'m Expr,
        span: &Span,
    ) -> Step<Row> {
        let infinite = [infinity(left), infinity(right)];
        // Both sides before either is given up, so that every fault is told.
        let [left, right] =
            [(left, infinite[0]), (right, infinite[1])].map(|(side, infinite)| match infinite {
                None => self.linear(side),
                Some(_) => Ok(Linear::default()),
            });
        let (mut sum, mut other, mut relation) = (left?, right?, relation);
        // Everything goes to the side that has variables.
        if sum.terms.is_empty() && !other.terms.is_empty() && infinite == [None, None] {
            std::mem::swap(&mut sum, &mut other);
            relation = match relation {
                Relation::AtMost => Relation::AtLeast,
                Relation::AtLeast => Relation::AtMost,
                Relation::Equal => Relation::Equal,
            };
        }
        sum.subtract(other);
        let idle = match (infinite, relation) {
            ([None, None], _) => return Ok(row(sum, relation, &Exact::ZERO)),
            ([None, Some(negative)], Relation::AtMost) => !negative,
            ([None, Some(negative)], Relation::AtLeast) => negative,
            ([Some(negative), None], Relation::AtMost) => negative,
            ([Some(negative), None], Relation::AtLeast) => !negative,
            _ => false,
        };
        if !idle {
            let message = "only `<= inf` and `>= -inf` have a meaning: that side does not bind";
            return self.fail(Code::InfiniteNumber, message.to_owned(), span);
        }
        Ok(Row {
            name: None,
            terms: sum.into_terms(),
            lower: None,
            upper: None,
        })
    }

    fn range_end(&mut self, end: &'m Expr, sum: &Linear, low: bool) -> Step<Option<Rational>> {
        if infinity(end) == Some(low) {
            return Ok(None);
        }
        if self.has_variable(end) {
            let message = "a range has numbers at both ends".to_owned();
            return self.fail(Code::BadRange, message, &end.span);
        }
        Ok(Some((&self.number(end)? - &sum.constant).to_rational()))
    }

    fn definition(&mut self, all: bool, result: &'m Expr, operands: &'m [Expr]) -> Step<Vec<Row>> {
        let result = self.literal(result)?;
        let mut literals = Vec::with_capacity(operands.len());
        for operand in operands {
            literals.push(self.literal(operand)?);
        }
        let [one, minus] = [1, -1].map(Exact::from);
        // For `and` each operand is above the result, for `or` below it.
        let (up, down) = if all { (&one, &minus) } else { (&minus, &one) };
        let mut rows = Vec::with_capacity(literals.len() + 1);
        let mut whole = Linear::default();
        for literal in &literals {
            let mut sum = Linear::default();
            sum.add_literal(result, up);
            sum.add_literal(*literal, down);
            rows.push(row(sum, Relation::AtMost, &Exact::ZERO));
            whole.add_literal(*literal, up);
        }
        whole.add_literal(result, down);
        let rest = match all {
            true => Exact::from(i64::try_from(literals.len()).unwrap_or(i64::MAX) - 1),
            false => Exact::ZERO,
        };
        rows.push(row(whole, Relation::AtMost, &rest));
        Ok(rows)
    }

    /// A number or an infinity, for bounds.
    pub fn end(&mut self, expr: &'m Expr, low: bool) -> Step<Option<Exact>> {
        match infinity(expr) {
            Some(negative) if negative == low => Ok(None),
            Some(_) => {
                let message = "infinity is on the wrong side".to_owned();
                self.fail(Code::InfiniteNumber, message, &expr.span)
            }
            None => {
                if self.has_variable(expr) {
                    let message = "bounds are numbers".to_owned();
                    let help = "a bound that depends on decisions is a row".to_owned();
                    return self.fail_help(Code::NotConstant, message, &expr.span, help);
                }
                let value = self.number(expr)?;
                self.writable(value, &expr.span).map(Some)
            }
        }
    }
}

/// Whether a whole side is `inf` (`false`) or `-inf` (`true`).
fn infinity(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        Kind::Infinity => Some(false),
        Kind::Sum(parts) => match &parts[..] {
            [(negative, part)] => infinity(part).map(|inner| inner ^ negative),
            _ => None,
        },
        _ => None,
    }
}

/// `sum relation number`, constants moved to the right.
fn row(sum: Linear, relation: Relation, number: &Exact) -> Row {
    let side = Some((number - &sum.constant).to_rational());
    let (lower, upper) = match relation {
        Relation::AtMost => (None, side),
        Relation::AtLeast => (side, None),
        Relation::Equal => (side.clone(), side),
    };
    Row {
        name: None,
        terms: sum.into_terms(),
        lower,
        upper,
    }
}
