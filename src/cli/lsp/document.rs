//! A text that is open in an editor, and what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    Diagnostic as Report, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, PublishDiagnosticsParams, Uri,
};
use quip::format::{Beside, Diagnostic, Outline, Role, Severity, outline};

use super::places::{Encoding, Places};
use crate::cli::codes;
use crate::cli::lint::{Lint, lints};
use crate::cli::reading::DataArgs;

/// An open text.
pub struct Document {
    pub uri: Uri,
    /// Where its file is, or would be.
    path: Option<PathBuf>,
    pub text: String,
    outline: Option<Outline>,
    /// Whether what is wrong with it was said.
    pub reported: bool,
    /// Other files of which something was said.
    others: Vec<Uri>,
}

impl Document {
    pub fn new(uri: Uri, text: String) -> Self {
        Self {
            path: path_of(&uri),
            uri,
            text,
            outline: None,
            reported: false,
            others: Vec::new(),
        }
    }

    pub fn rewrite(&mut self, text: String) {
        self.text = text;
        self.read_again();
    }

    /// Its data may have changed.
    pub fn read_again(&mut self) {
        self.outline = None;
        self.reported = false;
    }

    /// What to call it: the name decides about the format where the content does not.
    pub fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => self.uri.as_str().to_owned(),
        }
    }

    /// The files around it.
    pub fn beside(&self, data: &DataArgs) -> Beside {
        data.beside(self.path.as_deref())
    }

    pub fn read(&mut self, data: &DataArgs) -> &Outline {
        let made = match self.outline.take() {
            Some(outline) => outline,
            None => outline(&self.name(), &self.text, &self.beside(data)),
        };
        self.outline.insert(made)
    }

    /// The text as it was read last.
    pub fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    /// Every file of which something was said.
    pub fn spoken_of(self) -> Vec<Uri> {
        let mut all = self.others;
        all.push(self.uri);
        all
    }

    /// What is wrong with it and with its data, one list for each file.
    pub fn reports(
        &mut self,
        data: &DataArgs,
        encoding: Encoding,
    ) -> Vec<PublishDiagnosticsParams> {
        self.reported = true;
        self.read(data);
        let Some(outline) = &self.outline else {
            return Vec::new();
        };
        let faults: Vec<&Diagnostic> = match &outline.reading {
            Ok(reading) => reading.warnings.iter().collect(),
            Err(faults) => faults.errors().iter().chain(faults.warnings()).collect(),
        };
        let name = self.name();
        let own = Places::new(&self.text, encoding);
        let mut by_file: BTreeMap<String, Vec<Report>> = BTreeMap::new();
        let mut reports = Vec::new();
        for fault in faults {
            if *fault.file == *name {
                reports.push(report(fault, &self.uri, &own));
            } else {
                let text = std::fs::read_to_string(&*fault.file).unwrap_or_default();
                let uri = uri_of(Path::new(&*fault.file)).unwrap_or_else(|| self.uri.clone());
                let said = report(fault, &uri, &Places::new(&text, encoding));
                by_file
                    .entry(fault.file.to_string())
                    .or_default()
                    .push(said);
            }
        }
        if let Ok(reading) = &outline.reading {
            let remarks = lints(&reading.program);
            reports.extend(remarks.iter().map(|lint| remark(lint, outline, &own)));
        }
        let mut all = vec![PublishDiagnosticsParams::new(
            self.uri.clone(),
            reports,
            None,
        )];
        let mut others = Vec::new();
        for (file, reports) in by_file {
            if let Some(uri) = uri_of(Path::new(&file)) {
                others.push(uri.clone());
                all.push(PublishDiagnosticsParams::new(uri, reports, None));
            }
        }
        for gone in std::mem::replace(&mut self.others, others) {
            if !self.others.contains(&gone) {
                all.push(PublishDiagnosticsParams::new(gone, Vec::new(), None));
            }
        }
        all
    }
}

/// A fault of the reader.
fn report(fault: &Diagnostic, uri: &Uri, places: &Places<'_>) -> Report {
    let first = fault.labels.first();
    let mut message = fault.message.clone();
    if let Some(label) = first.filter(|label| !message.contains(&label.message)) {
        message = format!("{message} ({})", label.message);
    }
    if let Some(help) = &fault.help {
        message = format!("{message}\nhelp: {help}");
    }
    let related = fault.labels.iter().skip(1);
    let related: Vec<_> = related
        .map(|label| DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), places.range(&label.span)),
            message: label.message.clone(),
        })
        .collect();
    Report {
        range: places.range(&first.map_or(0..0, |label| label.span.clone())),
        severity: Some(match fault.severity() {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(fault.code.to_string())),
        source: Some("quip".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Report::default()
    }
}

/// A remark on the program, where what it speaks of is declared.
fn remark(lint: &Lint, outline: &Outline, places: &Places<'_>) -> Report {
    let place = match lint.subject() {
        Some((name, true)) => outline.declaration(name, Role::Row),
        Some((name, false)) => outline.declaration(name, Role::Variable),
        None => None,
    };
    let remedy = codes::remedy(lint.code());
    let remedy = remedy.map_or_else(String::new, |remedy| format!("\nhelp: {remedy}"));
    Report {
        range: places.range(&place.unwrap_or(0..0)),
        severity: Some(DiagnosticSeverity::WARNING),
        code: Some(NumberOrString::String(lint.code().to_owned())),
        source: Some("quip".to_owned()),
        message: format!("{lint}{remedy}"),
        ..Report::default()
    }
}

/// The path of a `file:` address.
fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri
        .scheme()
        .is_some_and(|scheme| scheme.eq_lowercase("file"));
    let path = uri.path().as_estr().decode().into_string().ok()?;
    is_file.then(|| PathBuf::from(path.into_owned()))
}

/// The `file:` address of a path.
fn uri_of(path: &Path) -> Option<Uri> {
    let path = std::path::absolute(path).ok()?;
    let mut address = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                address.push(byte.into());
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_go_both_ways() {
        for path in ["/tmp/plan.qip", "/tmp/größer als 100%/a+b.qip"] {
            let uri = uri_of(Path::new(path)).expect("it can be written");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)));
        }
        let untitled: Uri = "untitled:Untitled-1".parse().expect("it is an address");
        assert_eq!(path_of(&untitled), None);
    }
}
