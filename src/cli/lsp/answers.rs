//! Answers to requests about one text.

use std::collections::HashMap;
use std::ops::Range;

use lsp_server::ErrorCode;
use lsp_types::request::{
    DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest,
    References, Rename, Request as _,
};
use lsp_types::{
    DocumentFormattingParams, DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents, HoverParams, Location,
    MarkupContent, MarkupKind, PrepareRenameResponse, ReferenceParams, RenameParams, SymbolKind,
    TextDocumentPositionParams, TextEdit, WorkspaceEdit,
};
use quip::format::{Outline, Role, Symbol, read_beside};
use quip::program::{Program, Row};
use serde::Serialize;
use serde_json::Value;

use super::document::Document;
use super::places::Places;
use super::{Server, wanted};
use crate::cli::fmt::laid_out;

type Answer = Result<Value, (ErrorCode, String)>;

/// Answers a request.
pub fn answer(server: &mut Server<'_>, method: &str, params: Value) -> Answer {
    match method {
        HoverRequest::METHOD => {
            let params: HoverParams = wanted(params)?;
            let found = Found::at(server, &params.text_document_position_params)?;
            json(found.as_ref().map(Found::hover))
        }
        GotoDefinition::METHOD => {
            let params: GotoDefinitionParams = wanted(params)?;
            let found = Found::at(server, &params.text_document_position_params)?;
            let all = found.map(|found| found.locations(&found.symbol.definitions));
            json(all.map(GotoDefinitionResponse::Array))
        }
        References::METHOD => {
            let params: ReferenceParams = wanted(params)?;
            let found = Found::at(server, &params.text_document_position)?;
            json(found.map(|found| match params.context.include_declaration {
                true => found.locations(&found.symbol.places()),
                false => found.locations(&found.symbol.uses),
            }))
        }
        PrepareRenameRequest::METHOD => {
            let params: TextDocumentPositionParams = wanted(params)?;
            let found = Found::at(server, &params)?;
            json(
                found.map(|found| PrepareRenameResponse::RangeWithPlaceholder {
                    range: found.places.range(&found.place),
                    placeholder: found.symbol.name.clone(),
                }),
            )
        }
        Rename::METHOD => {
            let params: RenameParams = wanted(params)?;
            let data = server.data;
            let found = Found::at(server, &params.text_document_position)?;
            let Some(found) = found else {
                return Err(refused("there is no name here"));
            };
            let new = params.new_name;
            let renamed = found.renamed(&new);
            let beside = found.document.beside(data);
            let after = read_beside(&found.document.name(), renamed.as_bytes(), &beside);
            found.refuse_other(after.map(|after| after.program), &new)?;
            json(found.edit(&new))
        }
        DocumentSymbolRequest::METHOD => {
            let params: DocumentSymbolParams = wanted(params)?;
            let encoding = server.encoding;
            let document = server.document(&params.text_document.uri)?;
            let places = Places::new(&document.text, encoding);
            let symbols = document.outline().map_or(&[][..], |it| &it.symbols);
            let symbols = symbols.iter().filter_map(|it| listed(it, &places));
            json(DocumentSymbolResponse::Nested(symbols.collect()))
        }
        Formatting::METHOD => {
            let params: DocumentFormattingParams = wanted(params)?;
            let (encoding, data) = (server.encoding, server.data);
            let document = server.document(&params.text_document.uri)?;
            let places = Places::new(&document.text, encoding);
            let (name, beside) = (document.name(), document.beside(data));
            let new = laid_out(&name, &document.text, &beside);
            // A text with faults stays as it is; the faults are said anyway.
            json(new.ok().map(|new| {
                let all = places.range(&(0..document.text.len()));
                let changed = new != document.text;
                let edit = changed.then(|| TextEdit::new(all, new));
                edit.into_iter().collect::<Vec<_>>()
            }))
        }
        _ => Err((
            ErrorCode::MethodNotFound,
            format!("`{method}` is not answered here"),
        )),
    }
}

fn json(answer: impl Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|reason| (ErrorCode::InternalError, reason.to_string()))
}

fn refused(message: impl Into<String>) -> (ErrorCode, String) {
    (ErrorCode::RequestFailed, message.into())
}

/// A name at a place of a text.
struct Found<'d> {
    document: &'d Document,
    outline: &'d Outline,
    symbol: &'d Symbol,
    place: Range<usize>,
    places: Places<'d>,
}

impl<'d> Found<'d> {
    fn at(
        server: &'d mut Server<'_>,
        at: &TextDocumentPositionParams,
    ) -> Result<Option<Self>, (ErrorCode, String)> {
        let encoding = server.encoding;
        let document: &Document = server.document(&at.text_document.uri)?;
        let places = Places::new(&document.text, encoding);
        let byte = places.byte(at.position);
        Ok(document.outline().and_then(|outline| {
            let (symbol, place) = outline.at(byte)?;
            Some(Found {
                document,
                outline,
                symbol,
                place,
                places,
            })
        }))
    }

    fn program(&self) -> Option<&Program> {
        let reading = self.outline.reading.as_ref();
        reading.ok().map(|reading| &reading.program)
    }

    fn hover(&self) -> Hover {
        let lines = self.symbol.describe(self.program());
        let text = format!("```qip\n{}\n```", lines.join("\n"));
        Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: text,
            }),
            range: Some(self.places.range(&self.place)),
        }
    }

    fn locations(&self, spans: &[Range<usize>]) -> Vec<Location> {
        let location = |span| Location::new(self.document.uri.clone(), self.places.range(span));
        spans.iter().map(location).collect()
    }

    /// How the name at a place is spelled anew: a text in quotes keeps them.
    fn spelled(&self, place: &Range<usize>, new: &str) -> String {
        let old = &self.document.text[place.clone()];
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_.'@#".contains(letter);
        let quote = match old.chars().next() {
            Some(quote @ ('"' | '\'')) => Some(quote),
            _ if self.symbol.role == Role::Element && !new.chars().all(is_name) => Some('\''),
            _ => None,
        };
        match quote {
            Some(quote) => format!("{quote}{new}{quote}"),
            None => new.to_owned(),
        }
    }

    fn renamed(&self, new: &str) -> String {
        let mut text = self.document.text.clone();
        for place in self.symbol.places().iter().rev() {
            text.replace_range(place.clone(), &self.spelled(place, new));
        }
        text
    }

    /// A new name must change names only.
    fn refuse_other<E>(
        &self,
        after: Result<Program, E>,
        new: &str,
    ) -> Result<(), (ErrorCode, String)> {
        let Some(before) = self.program() else {
            return Err(refused(
                "the model has faults; mend them before you rename something",
            ));
        };
        match after {
            Ok(after) if same_but_for_names(before, &after) => Ok(()),
            _ => Err(refused(format!(
                "with `{new}` instead of `{}` it would be another model: the name is in use, no \
                 name, or also stands in a data file",
                self.symbol.name
            ))),
        }
    }

    fn edit(&self, new: &str) -> WorkspaceEdit {
        let edit = |place| TextEdit::new(self.places.range(place), self.spelled(place, new));
        let edits = self.symbol.places().iter().map(edit).collect();
        WorkspaceEdit::new(HashMap::from([(self.document.uri.clone(), edits)]))
    }
}

fn same_but_for_names(left: &Program, right: &Program) -> bool {
    let row = |row: &Row| (row.terms.clone(), row.lower.clone(), row.upper.clone());
    let rows = |program: &Program| -> Vec<_> { program.rows().iter().map(row).collect() };
    let universal =
        |program: &Program| -> Vec<_> { program.universal_rows().iter().map(row).collect() };
    let variables = |program: &Program| -> Vec<_> {
        let variables = program.variables().iter();
        variables
            .map(|it| (it.quantifier, it.kind, it.bounds.clone()))
            .collect()
    };
    let objective = |program: &Program| {
        let objective = program.objective();
        objective.map(|it| (it.sense, it.constant.clone(), it.terms.clone()))
    };
    rows(left) == rows(right)
        && universal(left) == universal(right)
        && variables(left) == variables(right)
        && objective(left) == objective(right)
}

#[expect(deprecated, reason = "the protocol's type has the old field, too")]
fn listed(symbol: &Symbol, places: &Places<'_>) -> Option<DocumentSymbol> {
    let range = places.range(symbol.definitions.first()?);
    Some(DocumentSymbol {
        name: symbol.name.clone(),
        detail: symbol.lines.first().cloned(),
        kind: match symbol.role {
            Role::Set => SymbolKind::ENUM,
            Role::Parameter => SymbolKind::CONSTANT,
            Role::Variable => SymbolKind::VARIABLE,
            Role::Row => SymbolKind::FUNCTION,
            // What lives inside of something else is not listed.
            Role::Index | Role::Element => return None,
        },
        tags: None,
        deprecated: None,
        range,
        selection_range: range,
        children: None,
    })
}
