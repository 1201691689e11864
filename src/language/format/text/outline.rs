//! The names of a flat text.

use rustc_hash::FxHashMap;

use super::Dialect;
use super::keyword::Keyword;
use super::token::{Kind, Lexer};
use crate::format::outline::{Role, Symbol};
use crate::program::Program;

/// Every variable and row; of a text that is a model no other words.
pub(in crate::format) fn symbols_of(text: &str, program: Option<&Program>) -> Vec<Symbol> {
    let mut lexer = Lexer::new(text, Dialect::Native);
    let mut found: FxHashMap<(&str, bool), Symbol> = FxHashMap::default();
    let mut in_prefix = false;
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::End => break,
            Kind::Name => {}
            _ => continue,
        }
        let name = &text[token.span()];
        let is_row = lexer.colon_follows();
        if let Some(keyword) = Keyword::of(name).filter(|_| !is_row) {
            if keyword.opens_section() && !matches!(keyword, Keyword::Exists | Keyword::Binary) {
                in_prefix = keyword == Keyword::Prefix;
            }
            continue;
        }
        let symbol = found.entry((name, is_row)).or_insert_with(|| Symbol {
            name: name.to_owned(),
            role: if is_row { Role::Row } else { Role::Variable },
            definitions: Vec::new(),
            uses: Vec::new(),
            lines: Vec::new(),
        });
        match is_row || in_prefix {
            true => symbol.definitions.push(token.span()),
            false => symbol.uses.push(token.span()),
        }
    }
    let known = |symbol: &Symbol| symbol.role == Role::Row || !symbol.definitions.is_empty();
    let symbols = found.into_values();
    symbols
        .filter(|symbol| program.is_none() || known(symbol))
        .collect()
}
