//! Sets, indices that run through them, and conditions.
//!
//! ```text
//! over = index {"," index} ["where" condition]
//! index = (name | "(" name {"," name} ")") "in" set
//! set = operand {("union" | "minus" | "inter" | "cross") operand}
//! operand = name | sum ".." sum ["by" sum] | "{" … "}" | csv
//! ```

use super::ast::{
    Binder, Combination, Comparison, Condition, ConditionKind, Csv, Expr, Over, SetExpr, SetKind,
    Span,
};
use super::parser::{Parser, Step};
use super::token;
use crate::format::code::Code;
use crate::format::text::Keyword;

/// How far a parenthesis is looked through for what it holds.
const FARTHEST: usize = 400;

impl Parser<'_> {
    /// `s in S, (i, j) in ARCS where …`; the names stay in scope.
    pub fn over(&mut self) -> Step<Over> {
        let binders = self.list(Self::binder)?;
        let filter = match self.take_word("where") {
            true => Some(self.condition()?),
            false => None,
        };
        Ok(Over { binders, filter })
    }

    /// Whether `name in` or `(name, …) in` stands here.
    pub fn begins_binder(&self) -> bool {
        let is_in = |place: usize| self.keyword_at(self.ahead(place)) == Some(Keyword::In);
        if self.is_sign("(") {
            let closing = (1..12).find(|&place| self.ahead(place).kind == token::Kind::Sign(")"));
            return closing.is_some_and(|place| is_in(place + 1));
        }
        self.at_name() && is_in(1)
    }

    pub fn binder(&mut self) -> Step<Binder> {
        let start = self.token().start;
        let mention = self.mentions.mark();
        let names = match self.take_sign("(") {
            true => {
                let names = self.list(|it| it.take_name("the name of an index"))?;
                self.expect_sign(")")?;
                names
            }
            false => vec![self.take_name("an index such as `t in T`")?],
        };
        if self.keyword() != Some(Keyword::In) {
            return self.unexpected("`in`");
        }
        self.advance();
        let set = self.set()?;
        for (place, (name, span)) in names.iter().enumerate() {
            let known = names[..place].iter().any(|(other, _)| other == name)
                || self.scope.iter().any(|(other, _)| other == name);
            if known {
                let message = format!("index `{}` is in use already", self.names.spelling(*name));
                return self.fault(Code::DeclaredTwice, &message, span.clone());
            }
        }
        let slots = names.into_iter().map(|(name, _)| self.bind(name)).collect();
        let binder = Binder {
            slots,
            set,
            span: start..self.last_end,
        };
        self.mentions.bind(mention, &binder);
        Ok(binder)
    }

    /// A set: operands joined by `union`, `minus`, `inter` or `cross`, from left to right.
    pub fn set(&mut self) -> Step<SetExpr> {
        let start = self.token().start;
        let mut set = self.deeper(Self::set_operand)?;
        loop {
            let combination = match () {
                () if self.take_word("union") => Combination::Union,
                () if self.take_word("minus") => Combination::Minus,
                () if self.take_word("inter") => Combination::Intersection,
                () if self.take_word("cross") => Combination::Product,
                () => return Ok(set),
            };
            let other = self.deeper(Self::set_operand)?;
            let kind = SetKind::Combined(combination, set.into(), other.into());
            let span = start..self.last_end;
            set = SetExpr { kind, span };
        }
    }

    fn set_operand(&mut self) -> Step<SetExpr> {
        let token = self.token();
        let start = token.start;
        let parenthesis = self.ahead(1).kind == token::Kind::Sign("(");
        let kind = if self.take_sign("{") {
            self.inside("}", Self::set_in_braces)?
        } else if self.is_word("csv") && parenthesis {
            SetKind::Csv(self.csv()?)
        } else if self.at_name() && !self.range_follows() {
            let (name, _) = self.take_name("a set")?;
            SetKind::Named(name)
        } else {
            self.range()?
        };
        Ok(SetExpr {
            kind,
            span: start..self.last_end,
        })
    }

    /// Whether a name begins a range, such as `t..6` or `n - 1 .. m`.
    fn range_follows(&self) -> bool {
        if self
            .scope
            .iter()
            .any(|(name, _)| self.names.spelling(*name) == self.slice(self.token()))
        {
            return true;
        }
        // Operands and operators in turns, as far as anybody writes them.
        let mut place = 1;
        while place < 64 {
            match self.ahead(place).kind {
                token::Kind::Sign("..") => return true,
                token::Kind::Sign("[") => match self.closing(place) {
                    Some(closing) => place = closing + 1,
                    None => return false,
                },
                token::Kind::Sign("+" | "-" | "*" | "/") => {
                    place = match self.ahead(place + 1).kind {
                        token::Kind::Name | token::Kind::Number => place + 2,
                        token::Kind::Sign("(") => match self.closing(place + 1) {
                            Some(closing) => closing + 1,
                            None => return false,
                        },
                        _ => return false,
                    };
                }
                _ => return false,
            }
        }
        false
    }

    /// The place of the bracket that closes the one at `place`, if it is near.
    fn closing(&self, place: usize) -> Option<usize> {
        let mut open = 0_usize;
        (place..place + 64).find(|&place| {
            match self.ahead(place).kind {
                token::Kind::Sign("(" | "[") => open += 1,
                token::Kind::Sign(")" | "]") => open = open.saturating_sub(1),
                _ => {}
            }
            open == 0
        })
    }

    fn range(&mut self) -> Step<SetKind> {
        let first = self.expression()?;
        self.expect_sign("..")?;
        let last = self.expression()?;
        let step = match self.take_word("by") {
            true => Some(self.expression()?.into()),
            false => None,
        };
        Ok(SetKind::Range(first.into(), last.into(), step))
    }

    /// What stands between braces: elements, or one element for every index.
    fn set_in_braces(&mut self) -> Step<SetKind> {
        if self.is_sign("}") {
            return Ok(SetKind::List(Vec::new()));
        }
        let Some(place) = self.index_in_braces()? else {
            return Ok(SetKind::List(self.list(Self::element)?));
        };
        let back = self.place();
        while self.token().start <= place && !self.at_end() {
            self.advance();
        }
        let mark = self.scope.len();
        let over = self.over()?;
        let after = self.place();
        self.go_to(back);
        let element = self.element()?;
        if !self.take_word("for") {
            return self.unexpected("`for`");
        }
        self.go_to(after);
        self.scope.truncate(mark);
        Ok(SetKind::Chosen(over.into(), element))
    }

    /// Where the `for` of these braces stands: elements come before the indices that they use, so the
    /// indices are read first.
    fn index_in_braces(&mut self) -> Step<Option<usize>> {
        let mut open = 0_usize;
        for place in 0.. {
            let token = self.ahead(place);
            match token.kind {
                // Once is enough, or a heap of braces would be searched again and again.
                token::Kind::End => {
                    self.go_to_end();
                    return self.unexpected("`}`");
                }
                token::Kind::Sign("(" | "[" | "{") => open += 1,
                token::Kind::Sign("}") if open == 0 => break,
                token::Kind::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                token::Kind::Name if open == 0 && self.slice(token).eq_ignore_ascii_case("for") => {
                    return Ok(Some(token.start));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// `a`, or `(a, b)`.
    pub fn element(&mut self) -> Step<Vec<Expr>> {
        if !self.tuple_in_parentheses() {
            return Ok(vec![self.expression()?]);
        }
        self.advance();
        self.inside(")", |it| it.list(Self::expression))
    }

    /// Whether the parenthesis in hand holds a tuple and not a sum.
    fn tuple_in_parentheses(&self) -> bool {
        let mut open = 0_usize;
        for place in 0..FARTHEST {
            match self.ahead(place).kind {
                token::Kind::Sign("(" | "[" | "{") => open += 1,
                token::Kind::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                token::Kind::Sign(",") if open == 1 => return self.is_sign("("),
                token::Kind::End => return false,
                _ => {}
            }
            if open == 0 {
                return false;
            }
        }
        false
    }

    /// `csv("file.csv", column, …)`.
    pub fn csv(&mut self) -> Step<Csv> {
        self.advance();
        self.expect_sign("(")?;
        let (file, span) = self.text("the name of a file in quotes")?;
        let mut columns = Vec::new();
        while self.take_sign(",") {
            let token = self.token();
            if self.at_name() {
                self.advance();
                columns.push((self.slice(token).to_owned(), token.span()));
            } else {
                columns.push(self.text("the name of a column")?);
            }
        }
        self.expect_sign(")")?;
        Ok(Csv {
            file,
            span,
            columns,
        })
    }

    /// A text in quotes.
    pub fn text(&mut self, wanted: &str) -> Step<(String, Span)> {
        let token = self.token();
        if token.kind != token::Kind::Quoted {
            return self.unexpected(wanted);
        }
        self.advance();
        let text = self.slice(token);
        Ok((text[1..text.len() - 1].to_owned(), token.span()))
    }

    /// Conditions joined by `or`; `and` binds tighter.
    pub fn condition(&mut self) -> Step<Condition> {
        self.deeper(|it| {
            it.joined("or", ConditionKind::Or, |it| {
                it.joined("and", ConditionKind::And, Self::comparison)
            })
        })
    }

    fn joined(
        &mut self,
        word: &str,
        kind: fn(Vec<Condition>) -> ConditionKind,
        read: impl Fn(&mut Self) -> Step<Condition>,
    ) -> Step<Condition> {
        let start = self.token().start;
        let first = read(self)?;
        if !self.is_word(word) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take_word(word) {
            parts.push(read(self)?);
        }
        Ok(Condition {
            kind: kind(parts),
            span: start..self.last_end,
        })
    }

    fn comparison(&mut self) -> Step<Condition> {
        let start = self.token().start;
        if self.take_word("not") {
            let negated = self.deeper(Self::comparison)?;
            return Ok(Condition {
                kind: ConditionKind::Not(negated.into()),
                span: start..self.last_end,
            });
        }
        if self.condition_in_parentheses() {
            self.advance();
            return self.inside(")", Self::condition);
        }
        let left = self.element()?;
        let negated = self.take_word("not");
        if self.keyword() == Some(Keyword::In) {
            self.advance();
            let set = self.set()?;
            let span = start..self.last_end;
            let member = Condition {
                kind: ConditionKind::Member(left, set),
                span: span.clone(),
            };
            let kind = match negated {
                true => ConditionKind::Not(member.into()),
                false => return Ok(member),
            };
            return Ok(Condition { kind, span });
        }
        let comparison = match self.token().kind {
            token::Kind::Sign("=" | "==") => Comparison::Equal,
            token::Kind::Sign("!=" | "<>") => Comparison::Unequal,
            token::Kind::Sign("<") => Comparison::Below,
            token::Kind::Sign("<=") => Comparison::AtMost,
            token::Kind::Sign(">") => Comparison::Above,
            token::Kind::Sign(">=") => Comparison::AtLeast,
            _ => return self.unexpected("`=`, `!=`, `<`, `<=`, `>`, `>=` or `in`"),
        };
        self.advance();
        let right = self.expression()?;
        let mut left = left;
        let (Some(left), true) = (left.pop(), left.is_empty()) else {
            let message = "a tuple can only be compared by `in`";
            return self.fault(Code::Unexpected, message, start..self.last_end);
        };
        Ok(Condition {
            kind: ConditionKind::Compare(comparison, left, right),
            span: start..self.last_end,
        })
    }

    /// Whether the parenthesis in hand holds a condition and not a sum or a tuple.
    fn condition_in_parentheses(&self) -> bool {
        if !self.is_sign("(") {
            return false;
        }
        // What is compared between `if` and `then` belongs to a number.
        let (mut open, mut choices) = (0_usize, 0_usize);
        for place in 1..FARTHEST {
            let token = self.ahead(place);
            let word = || self.slice(token).to_ascii_lowercase();
            match token.kind {
                token::Kind::End => return false,
                token::Kind::Sign("(" | "[" | "{") => open += 1,
                token::Kind::Sign(")") if open == 0 => return false,
                token::Kind::Sign(")" | "]" | "}") => open = open.saturating_sub(1),
                token::Kind::Name if open == 0 && word() == "if" => choices += 1,
                token::Kind::Name if open == 0 && word() == "then" => {
                    choices = choices.saturating_sub(1);
                }
                _ if open > 0 || choices > 0 => {}
                token::Kind::Sign("=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=") => {
                    return true;
                }
                token::Kind::Name if ["and", "or", "not", "in"].contains(&&*word()) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}
