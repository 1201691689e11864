//! `quip lsp`: what editors ask of a model while it is written.
//!
//! One thread answers in turn. Texts come whole; they are read when a request needs them, or when
//! nothing else waits, so that typing is not held up by reading every letter's model.
//!
//! **Invariant:** what is said of a text is what the other commands say of a file with that content.

mod answers;
mod document;
mod places;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

use clap::Args;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    HoverProviderCapability, InitializeParams, InitializeResult, OneOf, PositionEncodingKind,
    PublishDiagnosticsParams, RenameOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri,
};
use serde::de::DeserializeOwned;

use super::exit::{Exit, Failure};
use super::reading::DataArgs;
use document::Document;
use places::Encoding;

/// Speak with an editor about .qip files (language server)
///
/// Editors start this command and talk to it through its standard streams: faults and remarks while you
/// type, what a name stands for, where it is declared and used, renaming, layout. docs/editors.md says
/// how to set it up.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip lsp                       as an editor starts it
  quip lsp --data winter.toml    for models that wait for this data")]
pub struct LspArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Use the standard streams; there is nothing else, but some editors ask for it
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the editor says goodbye.
pub fn run(wanted: &LspArgs) -> Result<Exit, Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure::Usage(
            "a language server is started by an editor, not by hand; docs/editors.md says how"
                .to_owned(),
        ));
    }
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection, &wanted.data);
    drop(connection);
    let joined = threads.join();
    match (served, joined) {
        (Ok(exit), Ok(())) => Ok(exit),
        (Err(reason), _) => Err(Failure::System(format!(
            "the editor does not speak the protocol: {reason}"
        ))),
        // Nobody is there to be told.
        (Ok(_), Err(_)) => Ok(Exit::CannotWrite),
    }
}

type Served<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn serve(connection: &Connection, data: &DataArgs) -> Served<Exit> {
    let (id, asked) = connection.initialize_start()?;
    let asked: InitializeParams = serde_json::from_value(asked)?;
    let encoding = Encoding::agreed(&asked);
    connection.initialize_finish(id, serde_json::to_value(abilities(encoding))?)?;
    let mut server = Server {
        connection,
        data,
        encoding,
        documents: BTreeMap::new(),
    };
    server.serve()
}

fn abilities(encoding: Encoding) -> InitializeResult {
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(match encoding {
                Encoding::Utf8 => PositionEncodingKind::UTF8,
                Encoding::Utf16 => PositionEncodingKind::UTF16,
            }),
            text_document_sync: Some(TextDocumentSyncCapability::Options(
                TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::FULL),
                    save: Some(TextDocumentSyncSaveOptions::Supported(true)),
                    ..TextDocumentSyncOptions::default()
                },
            )),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: Default::default(),
            })),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "quip".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

/// The texts that are open, by their addresses.
struct Server<'a> {
    connection: &'a Connection,
    data: &'a DataArgs,
    encoding: Encoding,
    documents: BTreeMap<String, Document>,
}

impl Server<'_> {
    fn serve(&mut self) -> Served<Exit> {
        loop {
            let waiting = self.connection.receiver.try_recv().ok();
            let message = match waiting {
                Some(message) => message,
                None if self.report_one()? => continue,
                None => match self.connection.receiver.recv() {
                    Ok(message) => message,
                    // The editor is gone without a goodbye.
                    Err(_) => return Ok(Exit::Invalid),
                },
            };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(Exit::Proved);
                    }
                    let response = self.answer(request);
                    self.connection.sender.send(response.into())?;
                }
                Message::Notification(notification) => self.take(notification)?,
                Message::Response(_) => {}
            }
        }
    }

    /// Says what is wrong with one text of which that was not said yet; whether there was one.
    fn report_one(&mut self) -> Served<bool> {
        let Some(document) = self.documents.values_mut().find(|it| !it.reported) else {
            return Ok(false);
        };
        for report in document.reports(self.data, self.encoding) {
            publish(self.connection, report)?;
        }
        Ok(true)
    }

    fn take(&mut self, notification: Notification) -> Served<()> {
        let method = notification.method.as_str();
        match method {
            DidOpenTextDocument::METHOD => {
                let params: DidOpenTextDocumentParams =
                    serde_json::from_value(notification.params)?;
                self.write(params.text_document.uri, params.text_document.text);
            }
            DidChangeTextDocument::METHOD => {
                let params: DidChangeTextDocumentParams =
                    serde_json::from_value(notification.params)?;
                if let Some(change) = params.content_changes.into_iter().next_back() {
                    self.write(params.text_document.uri, change.text);
                }
            }
            // A saved file may be the data of a model.
            DidSaveTextDocument::METHOD => {
                self.documents.values_mut().for_each(Document::read_again);
            }
            DidCloseTextDocument::METHOD => {
                let params: DidCloseTextDocumentParams =
                    serde_json::from_value(notification.params)?;
                let closed = self.documents.remove(params.text_document.uri.as_str());
                for uri in closed.into_iter().flat_map(Document::spoken_of) {
                    publish(
                        self.connection,
                        PublishDiagnosticsParams::new(uri, Vec::new(), None),
                    )?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn write(&mut self, uri: Uri, text: String) {
        match self.documents.get_mut(uri.as_str()) {
            Some(document) => document.rewrite(text),
            None => {
                let name = uri.as_str().to_owned();
                self.documents.insert(name, Document::new(uri, text));
            }
        }
    }

    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        match answers::answer(self, &request.method, request.params) {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    /// An open text, read.
    fn document(&mut self, uri: &Uri) -> Result<&mut Document, (ErrorCode, String)> {
        let document = self.documents.get_mut(uri.as_str()).ok_or_else(|| {
            let message = format!("`{}` is not open", uri.as_str());
            (ErrorCode::InvalidParams, message)
        })?;
        document.read(self.data);
        Ok(document)
    }
}

fn publish(connection: &Connection, report: PublishDiagnosticsParams) -> Served<()> {
    let method = PublishDiagnostics::METHOD.to_owned();
    let notification = Notification::new(method, report);
    Ok(connection.sender.send(notification.into())?)
}

/// The parameters of a request.
fn wanted<T: DeserializeOwned>(params: serde_json::Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|reason| (ErrorCode::InvalidParams, reason.to_string()))
}
