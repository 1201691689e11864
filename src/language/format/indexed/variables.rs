//! Variables, one for every index, stage by stage; and the budgets of the opponent's.
//!
//! A budget `G` on variables in `[l, u]` says how many of them may go all the way from their lower to
//! their upper ends, parts counted: `Σ (x - l) / (u - l) <= G`, over the whole declaration, all
//! stages together. It is a universal row.

use super::ast::{Declaration, Head, Sort, Span, Stage};
use super::expander::{Expander, Family, Global};
use super::linear::Linear;
use super::names::Key;
use super::parser::Step;
use super::rows_of::Rows;
use crate::format::code::Code;
use crate::format::text::shortened;
use crate::num::Exact;
use crate::program::{Bounds, Id, Kind, Quantifier, Row, VarId, Variable};

/// The variables of a model in their order, with the places of their declarations.
#[derive(Default)]
pub(super) struct Prefix {
    pub variables: Vec<Variable>,
    pub spans: Vec<Span>,
    /// The rows of budgets.
    pub budgets: Rows,
}

/// A budget on its way to a row.
#[derive(Default)]
struct Budget {
    sum: Linear,
    limit: Option<Exact>,
}

impl<'m> Expander<'m> {
    /// Makes the names of all variables known, before anything is evaluated.
    pub fn declare_families(&mut self) {
        for stage in &self.model.stages {
            for head in stage.declarations.iter().flat_map(|it| &it.heads) {
                match self.globals.get(&head.name) {
                    // One name may be declared for some indices here and for others there.
                    Some(Global::Family(_)) => {}
                    Some(_) => {
                        let name = shortened(self.names.spelling(head.name));
                        let message = format!("`{name}` is declared twice");
                        let _: Step<()> = self.fail(Code::DeclaredTwice, message, &head.name_span);
                    }
                    None => {
                        let family = Global::Family(self.families.len());
                        self.globals.insert(head.name, family);
                        self.families.push(Family::default());
                    }
                }
            }
        }
    }

    /// All variables.
    pub fn prefix(&mut self) -> Prefix {
        let mut prefix = Prefix::default();
        for stage in &self.model.stages {
            self.stage(stage, &mut prefix);
        }
        prefix
    }

    fn stage(&mut self, stage: &'m Stage, prefix: &mut Prefix) {
        let mut budgets: Vec<Budget> = stage
            .declarations
            .iter()
            .map(|_| Budget::default())
            .collect();
        let _: Step<()> = self.each(&stage.over, &mut |it| {
            for (declaration, budget) in stage.declarations.iter().zip(&mut budgets) {
                for head in &declaration.heads {
                    let _: Step<()> = it.family(declaration, head, prefix, budget);
                }
            }
            Ok(())
        });
        for (declaration, budget) in stage.declarations.iter().zip(budgets) {
            if let Some(limit) = budget.limit {
                let name = self.names.spelling(declaration.heads[0].name);
                let side = &limit - &budget.sum.constant;
                let row = Row::at_most(budget.sum.into_terms(), side.to_rational());
                let row = row.named(format!("budget_{name}"));
                prefix
                    .budgets
                    .push((row, declaration.heads[0].span.clone()));
            }
        }
    }

    fn family(
        &mut self,
        declaration: &'m Declaration,
        head: &'m Head,
        prefix: &mut Prefix,
        budget: &mut Budget,
    ) -> Step<()> {
        let Some(Global::Family(family)) = self.globals.get(&head.name).copied() else {
            return Ok(());
        };
        let place = self.place.replace(head);
        let made = self.each_instance(head, false, &mut |it, key| {
            let _: Step<()> = it.member(declaration, head, family, key, prefix, budget);
            Ok(())
        });
        // The sets of the indices are known once they have run.
        let roots = self.roots(head);
        self.place = place;
        made?;
        let roots = roots?;
        if self.families[family].members.is_empty() {
            self.families[family].arity = roots.len();
        }
        self.families[family].roots = roots;
        Ok(())
    }

    fn member(
        &mut self,
        declaration: &'m Declaration,
        head: &'m Head,
        family: usize,
        key: &Key,
        prefix: &mut Prefix,
        budget: &mut Budget,
    ) -> Step<()> {
        let shown = |it: &Self| shortened(&it.names.instance(it.names.spelling(head.name), key));
        let known = &mut self.families[family];
        if !known.members.is_empty() && known.arity != key.len() {
            let message = format!("`{}` has another number of indices elsewhere", shown(self));
            return self.fail(Code::WrongIndices, message, &head.span);
        }
        known.arity = key.len();
        if known.members.contains_key(key) {
            let message = format!("`{}` is declared twice", shown(self));
            return self.fail(Code::DeclaredTwice, message, &head.span);
        }
        let variable = VarId::new(prefix.variables.len());
        known.members.insert(key.clone(), variable);
        // Even with wrong bounds the variable is there, and rows may speak of it.
        let bounds = self.bounds(declaration);
        let binary = declaration.sort == Sort::Binary;
        self.binaries.push(binary);
        prefix.spans.push(head.name_span.clone());
        let name = self.names.instance(self.names.spelling(head.name), key);
        let zero = Some(Exact::ZERO);
        let (lower, upper) = bounds.unwrap_or((zero.clone(), zero));
        prefix.variables.push(Variable {
            name,
            quantifier: declaration.owner,
            kind: match declaration.sort {
                Sort::Real => Kind::Real,
                Sort::Binary | Sort::Integer => Kind::Integer,
            },
            bounds: Bounds {
                lower: lower.as_ref().map(Exact::to_rational),
                upper: upper.as_ref().map(Exact::to_rational),
            },
        });
        self.spend(declaration, variable, lower.zip(upper), head, budget)
    }

    fn bounds(&mut self, declaration: &'m Declaration) -> Step<(Option<Exact>, Option<Exact>)> {
        let binary = declaration.sort == Sort::Binary;
        let Some((lower, upper, span)) = &declaration.bounds else {
            return Ok((Some(Exact::ZERO), binary.then_some(Exact::ONE)));
        };
        let lower = self.end(lower, true)?;
        let upper = self.end(upper, false)?;
        if binary && (lower != Some(Exact::ZERO) || upper != Some(Exact::ONE)) {
            let message = "a binary variable lies in [0, 1]".to_owned();
            let help = "declare it `integer`, or drop the bounds".to_owned();
            return self.fail_help(Code::BinaryBounds, message, span, help);
        }
        Ok((lower, upper))
    }

    /// Adds a variable to the budget of its declaration.
    fn spend(
        &mut self,
        declaration: &'m Declaration,
        variable: VarId,
        ends: Option<(Exact, Exact)>,
        head: &'m Head,
        budget: &mut Budget,
    ) -> Step<()> {
        let Some(limit) = &declaration.budget else {
            return Ok(());
        };
        if declaration.owner == Quantifier::Exists {
            let message = "a budget limits the opponent; for your own write a row".to_owned();
            return self.fail(Code::Unexpected, message, &limit.span);
        }
        let Some((lower, upper)) = ends else {
            let message = "a budget needs finite bounds: it counts parts of the way between them";
            return self.fail(Code::InfiniteBound, message.to_owned(), &head.span);
        };
        let value = self.number(limit)?;
        let value = self.writable(value, &limit.span)?;
        if budget
            .limit
            .replace(value.clone())
            .is_some_and(|other| other != value)
        {
            let message = "one budget holds for all variables of a declaration".to_owned();
            return self.fail(Code::NotConstant, message, &limit.span);
        }
        let width = &upper - &lower;
        if width.is_positive() {
            let part = &Exact::ONE / &width;
            budget.sum.constant = &budget.sum.constant - &(&part * &lower);
            budget.sum.terms.push((variable, part));
        }
        Ok(())
    }
}
