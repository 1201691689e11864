//! Expressions.
//!
//! ```text
//! sum = {sign} term {("+" | "-") {sign} term}
//! term = factor {("*" | "/" | "mod" | nothing) factor}
//! factor = number | name ["[" sum {"," sum} "]"] | "(" sum ")" | fold "{" over "}" term | …
//! ```

use super::ast::{Expr, Fold, Function, Kind, OfSet};
use super::outline::As;
use super::parser::{Parser, Step};
use super::token;
use crate::format::code::Code;
use crate::format::text::Keyword;
use crate::num::Exact;

impl Parser<'_> {
    /// A sum of terms.
    pub fn expression(&mut self) -> Step<Expr> {
        self.deeper(Self::sum)
    }

    fn sum(&mut self) -> Step<Expr> {
        let start = self.token().start;
        let mut parts = Vec::new();
        loop {
            let mut negative = false;
            while self.is_sign("+") || self.is_sign("-") {
                negative ^= self.is_sign("-");
                self.advance();
            }
            parts.push((negative, self.term()?));
            let goes_on = self.is_sign("+") || self.is_sign("-");
            if !goes_on || (self.broken() && self.stops_at_lines()) {
                break;
            }
        }
        let plain = parts.len() == 1 && !parts[0].0;
        match (plain, parts.pop()) {
            (true, Some((_, only))) => Ok(only),
            (_, last) => {
                parts.extend(last);
                Ok(Expr::new(Kind::Sum(parts), start..self.last_end))
            }
        }
    }

    /// To the right of a relation a line ends the expression; elsewhere an operator may begin one.
    fn stops_at_lines(&self) -> bool {
        self.right
    }

    /// Factors that are multiplied, by a sign or by standing side by side.
    pub fn term(&mut self) -> Step<Expr> {
        let start = self.token().start;
        let mut product = self.factor()?;
        loop {
            let line = self.broken() && self.stops_at_lines();
            let kind: fn(Box<Expr>, Box<Expr>) -> Kind = match () {
                () if line => return Ok(product),
                () if self.take_sign("*") => Kind::Product,
                () if self.take_sign("/") => Kind::Quotient,
                () if self.take_word("mod") => Kind::Remainder,
                () if self.begins_factor() => Kind::Product,
                () => return Ok(product),
            };
            let factor = self.signed_factor()?;
            product = Expr::new(kind(product.into(), factor.into()), start..self.last_end);
        }
    }

    /// Whether a factor stands beside the one before it, as in `2 x` or `cost[s] open[s]`.
    fn begins_factor(&self) -> bool {
        let token = self.token();
        if self.broken() {
            return false;
        }
        let follows = self.ahead(1).kind;
        let is_label = follows == token::Kind::Sign(":");
        let folds = self.is_word("sum") && follows == token::Kind::Sign("{");
        (self.at_name()
            && !is_label
            && !self.is_word("union")
            && !self.is_word("minus")
            && !self.is_word("inter")
            && !self.is_word("cross"))
            || token.kind == token::Kind::Sign("(")
            || folds
    }

    fn signed_factor(&mut self) -> Step<Expr> {
        let start = self.token().start;
        if self.take_sign("-") {
            let factor = self.deeper(Self::signed_factor)?;
            let kind = Kind::Sum(vec![(true, factor)]);
            return Ok(Expr::new(kind, start..self.last_end));
        }
        self.factor()
    }

    fn factor(&mut self) -> Step<Expr> {
        let token = self.token();
        let start = token.start;
        match token.kind {
            token::Kind::Number => self.number(),
            token::Kind::Quoted => {
                self.advance();
                let text = self.slice(token);
                let name = self.names.number(&text[1..text.len() - 1]);
                self.mentions.push(name, token.span());
                Ok(Expr::new(Kind::Text(name), token.span()))
            }
            token::Kind::Sign("(") => {
                self.advance();
                let inner = self.inside(")", Self::expression)?;
                Ok(Expr::new(inner.kind, start..self.last_end))
            }
            token::Kind::Name => self.named_factor(),
            _ => self.unexpected("a number or a name"),
        }
    }

    fn number(&mut self) -> Step<Expr> {
        let token = self.advance();
        let spelled = self.slice(token);
        let next = self.token();
        if spelled.contains(['e', 'E']) && next.start == token.end && self.at_name() {
            let message = format!("`{spelled}{}` can be read in two ways", self.slice(next));
            return self.fault(Code::AmbiguousExponent, &message, token.start..next.end);
        }
        match Exact::parse(spelled) {
            Ok(value) => Ok(Expr::new(Kind::Number(value), token.span())),
            Err(error) => {
                let code = match error {
                    crate::num::NumberError::Malformed(_) => Code::BadNumber,
                    _ => Code::HugeNumber,
                };
                self.fault(code, &error.to_string(), token.span())
            }
        }
    }

    fn named_factor(&mut self) -> Step<Expr> {
        let token = self.token();
        let start = token.start;
        let brace = self.ahead(1).kind == token::Kind::Sign("{");
        let parenthesis = self.ahead(1).kind == token::Kind::Sign("(");
        let word = self.slice(token).to_ascii_lowercase();
        let fold = match word.as_str() {
            "sum" => Some(Fold::Sum),
            "min" => Some(Fold::Least),
            "max" => Some(Fold::Greatest),
            _ => None,
        };
        if let Some(fold) = fold.filter(|_| brace) {
            self.advance();
            self.advance();
            let mark = self.scope.len();
            let over = self.inside("}", Self::over)?;
            let body = self.deeper(Self::term)?;
            self.scope.truncate(mark);
            let kind = Kind::Fold(fold, over.into(), body.into());
            return Ok(Expr::new(kind, start..self.last_end));
        }
        let function = match word.as_str() {
            "min" => Some(Function::Least),
            "max" => Some(Function::Greatest),
            "abs" => Some(Function::Absolute),
            "floor" => Some(Function::Floor),
            "ceil" => Some(Function::Ceiling),
            _ => None,
        };
        if let Some(function) = function.filter(|_| parenthesis) {
            self.advance();
            self.advance();
            let arguments = self.inside(")", |it| it.list(Self::expression))?;
            let many = matches!(function, Function::Least | Function::Greatest);
            if !many && arguments.len() != 1 {
                let message = format!("`{word}` takes one number");
                return self.fault(Code::WrongIndices, &message, start..self.last_end);
            }
            return Ok(Expr::new(
                Kind::Call(function, arguments),
                start..self.last_end,
            ));
        }
        let of_set = match word.as_str() {
            "card" => Some(OfSet::Size),
            "first" => Some(OfSet::First),
            "last" => Some(OfSet::Last),
            _ => None,
        };
        if let Some(of_set) = of_set.filter(|_| parenthesis) {
            self.advance();
            self.advance();
            let set = self.inside(")", Self::set)?;
            return Ok(Expr::new(
                Kind::OfSet(of_set, set.into()),
                start..self.last_end,
            ));
        }
        if self.take_word("if") {
            let condition = self.condition()?;
            if !self.take_word("then") {
                return self.unexpected("`then`");
            }
            let yes = self.expression()?;
            if !self.take_word("else") {
                return self.unexpected("`else`");
            }
            let no = self.expression()?;
            let kind = Kind::If(condition.into(), yes.into(), no.into());
            return Ok(Expr::new(kind, start..self.last_end));
        }
        if self.take_word("not") {
            let negated = self.deeper(Self::factor)?;
            return Ok(Expr::new(Kind::Not(negated.into()), start..self.last_end));
        }
        if self.keyword() == Some(Keyword::Infinity) {
            self.advance();
            return Ok(Expr::new(Kind::Infinity, token.span()));
        }
        self.reference()
    }

    /// `name`, `name[index, …]`.
    fn reference(&mut self) -> Step<Expr> {
        let mention = self.mentions.mark();
        let (name, span) = self.take_name("a number or a name")?;
        // A bracket that begins a line begins a row: `[t in T]: …`.
        let subscripts = match self.is_sign("[") && !self.broken() {
            true => {
                self.advance();
                self.inside("]", |it| it.list(Self::expression))?
            }
            false => Vec::new(),
        };
        let bound = self.scope.iter().rev().find(|(known, _)| *known == name);
        let kind = match bound {
            Some(&(_, slot)) if subscripts.is_empty() => {
                self.mentions.settle(mention, As::Index(slot));
                Kind::Index(slot)
            }
            _ => Kind::Name(name, subscripts),
        };
        Ok(Expr::new(kind, span.start..self.last_end))
    }

    /// Pieces between commas.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Step<T>) -> Step<Vec<T>> {
        let mut list = vec![read(self)?];
        while self.take_sign(",") {
            list.push(read(self)?);
        }
        Ok(list)
    }
}
