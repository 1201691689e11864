//! The sections of a model with sets: objective, rows, prefix.
//!
//! ```text
//! row = [label ":"] statement ["when" literal {"and" literal}]
//! label = [name] ["[" entry {"," entry} ["where" condition] "]"]
//! stage = "stage" over ":" declaration {";" declaration}
//! ```

use super::ast::{
    Declaration, Expr, Head, Label, Over, Relation, RowFamily, Sort, Stage, Statement,
};
use super::outline::As;
use super::parser::{Parser, Skip, Step};
use super::token::Kind;
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::Keyword;
use crate::program::{Quantifier, Sense};

impl Parser<'_> {
    /// The whole file.
    pub fn file(&mut self) {
        let mut ended = false;
        while !self.at_end() {
            let start = self.token().start;
            let place = self.place();
            let [set, data_file] = ["set", "data"].map(|word| self.is_word(word));
            let is_sum = matches!(self.keyword(), Some(Keyword::Minimize | Keyword::Maximize));
            let data = ["set", "param", "data"];
            let read = match self.keyword() {
                _ if data.iter().any(|word| self.is_word(word)) => self.declaration_of_data(),
                Some(Keyword::Minimize) => self.objective(Sense::Minimize),
                Some(Keyword::Maximize) => self.objective(Sense::Maximize),
                Some(Keyword::Subject) => self.rows(Quantifier::Exists),
                Some(Keyword::Uncertainty) => self.rows(Quantifier::Forall),
                Some(Keyword::Prefix) => self.prefix(),
                Some(Keyword::End) => {
                    self.advance();
                    ended = true;
                    break;
                }
                _ => self.unexpected("a section such as `subject to`"),
            };
            if read.is_err() {
                self.recover(start);
                while !self.at_section() {
                    self.advance();
                }
                self.lost.elements |= set;
                self.lost.files |= data_file;
                if !is_sum {
                    self.lose(place);
                }
            }
        }
        let here = self.token().span();
        if !ended {
            let draft = Draft::new(Code::MissingEnd, "the file does not close with `end`");
            let draft = draft.at(here, "the file stops here");
            let help = "write `end` in the last line; or is the file cut off?";
            self.problems.push(draft.help(help));
        } else if !self.at_end() {
            let draft = Draft::new(Code::TextAfterEnd, "something follows `end`");
            let help = "remove it, or make it a comment with `\\`";
            self.problems.push(draft.at(here, "not read").help(help));
        }
    }

    fn objective(&mut self, sense: Sense) -> Step<()> {
        let word = self.advance().span();
        if self.model.objective.is_some() {
            return self.fault(Code::DuplicateSection, "a second objective", word);
        }
        let mut name = None;
        if self.at_name() && self.ahead(1).kind == Kind::Sign(":") {
            let mention = self.mentions.mark();
            name = Some(self.take_name("a name")?.0);
            self.mentions.settle(mention, As::Row);
            self.advance();
        }
        // Nothing to optimise is no objective.
        if self.at_section() && name.is_none() {
            return Ok(());
        }
        let sum = self.expression()?;
        self.model.objective = Some((sense, word, name, sum));
        if self.at_section() {
            return Ok(());
        }
        self.unexpected("an operator or `subject to`")
    }

    fn rows(&mut self, owner: Quantifier) -> Step<()> {
        if self.keyword() == Some(Keyword::Uncertainty) {
            self.advance();
        }
        if self.keyword() == Some(Keyword::Subject) {
            let word = self.advance();
            let word = self.slice(word).to_ascii_lowercase();
            let second = match word.as_str() {
                "subject" => "to",
                "such" => "that",
                _ => "",
            };
            if !second.is_empty() && !self.take_word(second) {
                return self.unexpected(&format!("`{second}`"));
            }
        }
        while !self.at_section() {
            let start = self.token().start;
            match self.row() {
                Ok(row) if owner == Quantifier::Exists => self.model.rows.push(row),
                Ok(row) => self.model.universal_rows.push(row),
                Err(Skip) => self.recover(start),
            }
            self.scope.clear();
        }
        Ok(())
    }

    fn row(&mut self) -> Step<RowFamily> {
        let start = self.token().start;
        let label = self.label()?;
        let statement = self.statement()?;
        let mut when = Vec::new();
        if self.take_word("when") {
            when.push(self.on_the_right(Self::expression)?);
            while self.take_word("and") {
                when.push(self.on_the_right(Self::expression)?);
            }
        }
        let span = start..self.last_end;
        let sign = self.is_sign("+") || self.is_sign("-");
        if sign && self.token().first_of_line {
            let message = "this line could continue the row above or begin a new one";
            let draft = Draft::new(Code::UnclearLineBreak, message).at(self.token().span(), "");
            return self.fail(draft.help(
                "to continue, end the line above with the sign; to begin, name the row or drop the `+`",
            ));
        }
        self.end_of_line()?;
        Ok(RowFamily {
            label,
            statement,
            when,
            span,
        })
    }

    /// `name:`, `name[t in T]:`, `[t in T]:` or nothing.
    fn label(&mut self) -> Step<Option<Label>> {
        let start = self.token().start;
        if self.take_sign("[") {
            let name = self.names.number("row");
            let mut head = Head {
                name,
                span: start..start,
                entries: Vec::new(),
                filter: None,
                name_span: start..start,
            };
            self.index_of(&mut head)?;
            head.span.end = self.last_end;
            self.expect_sign(":")?;
            return Ok(Some(Label { named: false, head }));
        }
        if !self.begins_label() {
            return Ok(None);
        }
        let mention = self.mentions.mark();
        let head = self.head("the name of a row")?;
        self.mentions.settle(mention, As::Row);
        self.expect_sign(":")?;
        Ok(Some(Label { named: true, head }))
    }

    /// Whether a name, perhaps with brackets, and a colon come next.
    fn begins_label(&self) -> bool {
        if self.token().kind != Kind::Name {
            return false;
        }
        if self.ahead(1).kind != Kind::Sign("[") {
            return self.ahead(1).kind == Kind::Sign(":");
        }
        let mut open = 0_usize;
        for place in 1..400 {
            match self.ahead(place).kind {
                Kind::Sign("[" | "(" | "{") => open += 1,
                Kind::Sign("]" | ")" | "}") => open = open.saturating_sub(1),
                Kind::End => return false,
                _ => {}
            }
            if open == 0 {
                return self.ahead(place + 1).kind == Kind::Sign(":");
            }
        }
        false
    }

    fn statement(&mut self) -> Step<Statement> {
        if let Some(relation) = self.count() {
            return self.counted(relation);
        }
        let first = self.expression()?;
        if self.take_word("implies") {
            let second = self.on_the_right(Self::expression)?;
            return Ok(Statement::Implies(first, second));
        }
        let relation = self.relation()?;
        let second = self.on_the_right(Self::expression)?;
        if relation == Relation::Equal
            && let Some(all) = self.connective()
        {
            let word = if all { "and" } else { "or" };
            let mut operands = vec![second];
            while self.take_word(word) {
                operands.push(self.on_the_right(Self::expression)?);
            }
            return Ok(Statement::Defines(all, first, operands));
        }
        if self.begins_relation() {
            let start = self.token().span();
            let again = self.relation()?;
            if again != relation || relation == Relation::Equal {
                let draft = Draft::new(Code::BadRange, "two relations that do not make a range");
                let help = "a range is `1 <= x + y <= 3`, with numbers at both ends";
                return self.fail(draft.at(start, "").help(help));
            }
            let third = self.on_the_right(Self::expression)?;
            return Ok(Statement::Range(first, relation, second, third));
        }
        Ok(Statement::Compare(first, relation, second))
    }

    fn count(&self) -> Option<Relation> {
        let opens = matches!(self.ahead(1).kind, Kind::Sign("{" | "("));
        let word = self.slice(self.token()).to_ascii_lowercase();
        match word.as_str() {
            "exactly_one" if opens => Some(Relation::Equal),
            "at_most_one" if opens => Some(Relation::AtMost),
            "at_least_one" if opens => Some(Relation::AtLeast),
            _ => None,
        }
    }

    /// `exactly_one{s in S} x[s]`, or `exactly_one(x, not y)`.
    fn counted(&mut self, relation: Relation) -> Step<Statement> {
        let start = self.advance().start;
        if self.take_sign("(") {
            let literals = self.inside(")", |it| it.list(Self::expression))?;
            return Ok(Statement::Count(relation, literals));
        }
        self.advance();
        let over = self.inside("}", Self::over)?;
        let body = self.on_the_right(Self::term)?;
        let kind = super::ast::Kind::Fold(super::ast::Fold::Sum, over.into(), body.into());
        let sum = Expr::new(kind, start..self.last_end);
        Ok(Statement::Count(relation, vec![sum]))
    }

    fn connective(&self) -> Option<bool> {
        match () {
            () if self.is_word("and") => Some(true),
            () if self.is_word("or") => Some(false),
            () => None,
        }
    }

    fn begins_relation(&self) -> bool {
        matches!(self.token().kind, Kind::Sign("<=" | ">=" | "="))
    }

    fn relation(&mut self) -> Step<Relation> {
        let relation = match self.token().kind {
            Kind::Sign("<=") => Relation::AtMost,
            Kind::Sign(">=") => Relation::AtLeast,
            Kind::Sign("=") => Relation::Equal,
            _ => return self.unexpected("`<=`, `>=` or `=`"),
        };
        self.advance();
        Ok(relation)
    }

    fn prefix(&mut self) -> Step<()> {
        let word = self.advance().span();
        if self.model.prefix.replace(word.clone()).is_some() {
            return self.fault(Code::DuplicateSection, "a second `prefix` section", word);
        }
        loop {
            let (start, place) = (self.token().start, self.place());
            let begins = matches!(self.keyword(), Some(Keyword::Exists | Keyword::Forall));
            let read = match () {
                () if begins => self.declaration().map(|declaration| Stage {
                    over: Over::default(),
                    declarations: vec![declaration],
                }),
                () if self.is_word("stage") => self.stage(),
                () if self.at_section() => return Ok(()),
                () => self.unexpected("`exists`, `forall`, `stage` or `end`"),
            };
            match read {
                Ok(stage) => self.model.stages.push(stage),
                Err(Skip) => {
                    self.recover(start);
                    self.lose(place);
                    self.lost.variables = true;
                }
            }
            self.scope.clear();
        }
    }

    fn stage(&mut self) -> Step<Stage> {
        self.advance();
        let over = self.over()?;
        self.expect_sign(":")?;
        let mut declarations = vec![self.declaration()?];
        while self.take_sign(";") {
            if matches!(self.keyword(), Some(Keyword::Exists | Keyword::Forall)) {
                declarations.push(self.declaration()?);
            }
        }
        Ok(Stage { over, declarations })
    }

    fn declaration(&mut self) -> Step<Declaration> {
        let owner = match self.keyword() {
            Some(Keyword::Exists) => Quantifier::Exists,
            Some(Keyword::Forall) => Quantifier::Forall,
            _ => return self.unexpected("`exists` or `forall`"),
        };
        self.advance();
        let sort = match self.keyword() {
            Some(Keyword::Binary) => Sort::Binary,
            Some(Keyword::Integer) => Sort::Integer,
            Some(Keyword::Real) => Sort::Real,
            _ => return self.unexpected("`binary`, `integer` or `real`"),
        };
        self.advance();
        let mark = self.scope.len();
        let mut heads = vec![self.head("the name of a variable")?];
        while self.at_name() && !self.is_word("budget") {
            self.scope.truncate(mark);
            heads.push(self.head("the name of a variable")?);
        }
        if heads.len() > 1 {
            // Bounds and budget of several families speak of none of their indices.
            self.scope.truncate(mark);
        }
        let mut bounds = None;
        if self.keyword() == Some(Keyword::In) {
            let start = self.advance().start;
            self.expect_sign("[")?;
            let (lower, upper) = self.inside("]", |it| {
                let lower = it.expression()?;
                it.expect_sign(",")?;
                Ok((lower, it.expression()?))
            })?;
            bounds = Some((lower, upper, start..self.last_end));
        }
        let budget = match self.take_word("budget") {
            true => Some(self.on_the_right(Self::expression)?),
            false => None,
        };
        self.scope.truncate(mark);
        Ok(Declaration {
            owner,
            sort,
            heads,
            bounds,
            budget,
        })
    }
}
