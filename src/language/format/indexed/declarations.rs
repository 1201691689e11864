//! Sets, parameters and files of data: what stands before the first section.
//!
//! ```text
//! declaration = "set" name ["=" set] | "data" text
//!             | "param" head ["=" (sum | table | list | csv)] ["default" sum]
//! table = "{" element ":" sum {"," element ":" sum} "}"
//! list = "[" (list | sum) {"," (list | sum)} "]"
//! ```

use super::ast::{Body, Entry, Head, List, ParamDeclaration, SetDeclaration};
use super::parser::{Parser, Step};
use super::token::Kind;

impl Parser<'_> {
    /// One declaration of data.
    pub fn declaration_of_data(&mut self) -> Step<()> {
        if self.take_word("set") {
            return self.set_declaration();
        }
        if self.take_word("param") {
            return self.param_declaration();
        }
        self.advance();
        let file = self.text("the name of a file in quotes")?;
        self.model.data.push(file);
        self.end_of_line()
    }

    fn set_declaration(&mut self) -> Step<()> {
        let (name, span) = self.take_name("the name of a set")?;
        let body = match self.take_sign("=") {
            true => Some(self.on_the_right(Self::set)?),
            false => None,
        };
        self.model.sets.push(SetDeclaration { name, span, body });
        self.end_of_line()
    }

    fn param_declaration(&mut self) -> Step<()> {
        let head = self.head("the name of a parameter")?;
        let body = match self.take_sign("=") {
            true => self.on_the_right(Self::body)?,
            false => Body::Data,
        };
        let default = match self.take_word("default") {
            true => Some(self.on_the_right(Self::expression)?),
            false => None,
        };
        self.scope.clear();
        self.model.params.push(ParamDeclaration {
            head,
            body,
            default,
        });
        self.end_of_line()
    }

    fn body(&mut self) -> Step<Body> {
        if self.take_sign("{") {
            let entry = |it: &mut Self| {
                let key = it.element()?;
                it.expect_sign(":")?;
                Ok((key, it.expression()?))
            };
            return Ok(Body::Table(self.inside("}", |it| it.list(entry))?));
        }
        if self.is_sign("[") {
            return Ok(Body::List(self.values()?));
        }
        let parenthesis = self.ahead(1).kind == Kind::Sign("(");
        if self.is_word("csv") && parenthesis {
            return Ok(Body::Csv(self.csv()?));
        }
        Ok(Body::Formula(self.expression()?))
    }

    fn values(&mut self) -> Step<List> {
        let start = self.token().start;
        if !self.take_sign("[") {
            return Ok(List::Value(self.expression()?));
        }
        let list = self.inside("]", |it| it.list(|it| it.deeper(Self::values)))?;
        Ok(List::Several(list, start..self.last_end))
    }

    /// Reads what its line ends.
    pub fn on_the_right<T>(&mut self, read: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        self.right = true;
        let read = read(self);
        self.right = false;
        read
    }

    /// Complains unless a new line, a new section or the end follows.
    pub fn end_of_line(&mut self) -> Step<()> {
        if self.token().first_of_line || self.at_section() {
            return Ok(());
        }
        self.unexpected("the end of the line")
    }

    /// `name`, `name[t in T, s]`, `name[T]`; the indices stay in scope.
    pub fn head(&mut self, wanted: &str) -> Step<Head> {
        let (name, name_span) = self.take_name(wanted)?;
        let mut head = Head {
            name,
            span: name_span.clone(),
            entries: Vec::new(),
            filter: None,
            name_span,
        };
        if self.take_sign("[") {
            self.index_of(&mut head)?;
        }
        head.span.end = self.last_end;
        Ok(head)
    }

    /// What stands in the brackets of a head, after the bracket that opens.
    pub fn index_of(&mut self, head: &mut Head) -> Step<()> {
        let entry = |it: &mut Self| match it.begins_binder() {
            true => it.binder().map(Entry::Binds),
            false => it.expression().map(Entry::At),
        };
        (head.entries, head.filter) = self.inside("]", |it| {
            let entries = it.list(entry)?;
            let filter = match it.take_word("where") {
                true => Some(it.condition()?),
                false => None,
            };
            Ok((entries, filter))
        })?;
        Ok(())
    }
}
