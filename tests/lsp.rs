//! The language server, asked by a client that follows a script.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// An editor.
struct Client {
    server: Child,
    from: BufReader<ChildStdout>,
    requests: u64,
    /// What the server said of itself.
    abilities: Value,
}

impl Client {
    /// Starts the server and greets it.
    fn new(options: &[&str], encodings: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_quip"))
            .arg("lsp")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let from = BufReader::new(server.stdout.take().unwrap());
        let mut client = Self {
            server,
            from,
            requests: 0,
            abilities: Value::Null,
        };
        let general = json!({"general": {"positionEncodings": encodings}});
        let answer = client.ask("initialize", &json!({"capabilities": general}));
        client.abilities = answer["result"]["capabilities"].clone();
        client.tell("initialized", &json!({}));
        client
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        let text = message.to_string();
        let into = self.server.stdin.as_mut().unwrap();
        write!(into, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        into.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(json!({"method": method, "params": params}));
    }

    fn heard(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "it is gone");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut text = vec![0; length];
        self.from.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    /// The answer to a request; what is published meanwhile is dropped.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({"id": id, "method": method, "params": params}));
        loop {
            let message = self.heard();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// What is published next.
    fn published(&mut self) -> Value {
        loop {
            let message = self.heard();
            if message["method"] == "textDocument/publishDiagnostics" {
                return message["params"].clone();
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) -> Value {
        let document = json!({"uri": uri, "languageId": "quip", "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}));
        self.published()
    }

    fn change(&mut self, uri: &str, text: &str) -> Value {
        let params = json!({
            "textDocument": {"uri": uri, "version": 2},
            "contentChanges": [{"text": text}],
        });
        self.tell("textDocument/didChange", &params);
        self.published()
    }

    fn at(&mut self, method: &str, uri: &str, place: (u64, u64), more: &Value) -> Value {
        let mut params = json!({
            "textDocument": {"uri": uri},
            "position": {"line": place.0, "character": place.1},
        });
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        self.ask(method, &params)
    }

    /// The text after the edits of an answer.
    fn renamed(&mut self, uri: &str, text: &str, place: (u64, u64), new: &str) -> String {
        let more = json!({"newName": new});
        let answer = self.at("textDocument/rename", uri, place, &more);
        if let Some(message) = answer["error"]["message"].as_str() {
            return message.to_owned();
        }
        edited(text, &answer["result"]["changes"][uri])
    }

    /// Says goodbye; the exit code of the server.
    fn end(mut self) -> i32 {
        let answer = self.ask("shutdown", &Value::Null);
        assert_eq!(answer["result"], Value::Null);
        self.tell("exit", &Value::Null);
        self.server.wait().unwrap().code().unwrap()
    }
}

/// Where a place of a plain text is, as line and column.
fn place(text: &str, what: &str) -> (u64, u64) {
    let before = &text[..text.find(what).unwrap()];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() as u64,
        (before.len() - line) as u64,
    )
}

/// The bytes of a range of a plain text.
fn bytes(text: &str, range: &Value) -> std::ops::Range<usize> {
    let byte = |place: &Value| {
        let line = place["line"].as_u64().unwrap() as usize;
        let column = place["character"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + column
    };
    byte(&range["start"])..byte(&range["end"])
}

fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<_> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(bytes(text, &edit["range"]).start));
    let mut text = text.to_owned();
    for edit in edits {
        let new = edit["newText"].as_str().unwrap();
        text.replace_range(bytes(&text, &edit["range"]), new);
    }
    text
}

const SETS: &str = "\
set SITES = {oslo, bergen}
set T = 1..2
param cost[SITES] = {oslo: 7/3} default 0.5
minimize sum{s in SITES} cost[s] open[s] + sum{t in T} level[t]
subject to
  some: open[oslo] + open[bergen] >= 1
  stock[t in T]: level[t] >= 2 open['oslo']
prefix
  exists binary open[s in SITES]
  exists integer level[t in T] in [0, 9]
end
";

const FLAT: &str = "\
maximize profit: 3 x + 2 y
subject to
 room: x+y<=4
uncertainty
 limit: u <= 1
prefix
  forall binary u
  exists integer x y in [0, 7/2]
end
";

#[test]
fn faults_and_remarks_are_said_with_codes_places_and_remedies() {
    let mut client = Client::new(&["--stdio"], &["utf-8", "utf-16"]);
    assert_eq!(client.abilities["positionEncoding"], "utf-8");
    // A fault of the syntax and one of the meaning, both at once.
    let wrong = SETS
        .replace("cost[s] open[s]", "csot[s] open[s]")
        .replace("some: open[oslo] +", "some: open[oslo] + +) ");
    let said = client.open("untitled:plan.qip", &wrong);
    let faults = said["diagnostics"].as_array().unwrap();
    let codes: Vec<&str> = faults
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["E102", "E201"], "{said}");
    assert_eq!(faults[0]["severity"], 1);
    assert_eq!(&wrong[bytes(&wrong, &faults[0]["range"])], "csot[s]");
    let message = faults[0]["message"].as_str().unwrap();
    assert!(message.contains("help: did you mean `cost`?"), "{message}");
    // Remarks stand where what they speak of is declared.
    let idle = SETS.replace("exists binary", "exists binary idle\n  exists binary");
    let said = client.change("untitled:plan.qip", &idle);
    let remark = &said["diagnostics"][0];
    assert_eq!(
        (&remark["code"], &remark["severity"]),
        (&json!("L002"), &json!(2))
    );
    assert_eq!(&idle[bytes(&idle, &remark["range"])], "idle");
    assert!(remark["message"].as_str().unwrap().contains("help: "));
    let said = client.change("untitled:plan.qip", SETS);
    assert_eq!(said["diagnostics"], json!([]));
    assert_eq!(client.end(), 0);
}

#[test]
fn names_are_explained_found_and_renamed() {
    let mut client = Client::new(&[], &[]);
    assert_eq!(client.abilities["positionEncoding"], "utf-16");
    let uri = "untitled:plan.qip";
    client.open(uri, SETS);
    let none = json!({});
    let hover = |client: &mut Client, what: &str| {
        let answer = client.at("textDocument/hover", uri, place(SETS, what), &none);
        answer["result"]["contents"]["value"].to_string()
    };
    let said = hover(&mut client, "cost[s]");
    assert!(
        said.contains("cost[oslo] = 7/3") && said.contains("cost[bergen] = 1/2"),
        "{said}"
    );
    let said = hover(&mut client, "level[t] >=");
    assert!(
        said.contains("exists integer level[2] in [0, 9], block 1 of 1"),
        "{said}"
    );
    let said = hover(&mut client, "stock");
    assert!(
        said.contains("stock[1]: - 2 open[oslo] + level[1] >= 0"),
        "{said}"
    );
    assert_eq!(hover(&mut client, ">= 1"), "null");

    let at = place(SETS, "open['oslo']");
    let answer = client.at("textDocument/definition", uri, at, &none);
    let range = &answer["result"][0]["range"];
    let definition = bytes(SETS, range);
    assert_eq!(definition.start, SETS.find("open[s in").unwrap());
    let more = json!({"context": {"includeDeclaration": true}});
    let answer = client.at("textDocument/references", uri, at, &more);
    assert_eq!(answer["result"].as_array().unwrap().len(), 5);
    let answer = client.at("textDocument/prepareRename", uri, at, &none);
    assert_eq!(answer["result"]["placeholder"], "open");

    let renamed = client.renamed(uri, SETS, at, "is_open");
    assert_eq!(renamed, SETS.replace("open[", "is_open["));
    // An index is renamed in its scope only.
    let renamed = client.renamed(uri, SETS, place(SETS, "t in T} level"), "day");
    assert_eq!(
        renamed,
        SETS.replace("sum{t in T} level[t]", "sum{day in T} level[day]")
    );
    // Elements keep their quotes, and get some where they need them.
    let renamed = client.renamed(uri, SETS, place(SETS, "oslo, bergen"), "new york");
    let expected = SETS.replace("'oslo'", "oslo").replace("oslo", "'new york'");
    assert_eq!(renamed, expected);
    for taken in ["level", "end", "2x", ""] {
        let refused = client.renamed(uri, SETS, at, taken);
        assert!(
            refused.contains("it would be another model"),
            "{taken}: {refused}"
        );
    }
    let symbols = client.ask(
        "textDocument/documentSymbol",
        &json!({"textDocument": {"uri": uri}}),
    );
    let names = symbols["result"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["SITES", "T", "cost", "open", "level", "some", "stock"]
    );
    assert_eq!(client.end(), 0);
}

#[test]
fn flat_models_are_explained_renamed_and_laid_out() {
    let mut client = Client::new(&[], &[]);
    let uri = "untitled:flat.qip";
    client.open(uri, FLAT);
    let at = place(FLAT, "y\n");
    let answer = client.at("textDocument/hover", uri, at, &json!({}));
    let said = answer["result"]["contents"]["value"].as_str().unwrap();
    assert!(
        said.contains("exists integer y in [0, 7/2], block 2 of 2"),
        "{said}"
    );
    let renamed = client.renamed(uri, FLAT, at, "output");
    let expected = FLAT
        .replace("2 y", "2 output")
        .replace("x+y", "x+output")
        .replace("x y", "x output");
    assert_eq!(renamed, expected);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": uri}, "options": options});
    let answer = client.ask("textDocument/formatting", &params);
    let laid_out = edited(FLAT, &answer["result"]);
    assert!(laid_out.contains("\n  room: x+y <= 4\n"), "{laid_out}");
    client.change(uri, &laid_out);
    let answer = client.ask("textDocument/formatting", &params);
    assert_eq!(answer["result"], json!([]));
    // A text with faults stays as it is.
    client.change(uri, "minimize x");
    let answer = client.ask("textDocument/formatting", &params);
    assert_eq!(answer["result"], Value::Null);
    let refused = client.renamed(uri, "minimize x", (0, 9), "y");
    assert!(refused.contains("mend them"), "{refused}");
    assert_eq!(client.end(), 0);
}

#[test]
fn data_beside_a_model_are_read_and_their_faults_are_said_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let uri = |path: &Path| format!("file://{}", path.display());
    fs::write(file("t.toml"), "n = 3\nm = 4\n").unwrap();
    let model = "data \"t.toml\"\nparam n\nminimize n x prefix exists binary x end\n";
    let mut client = Client::new(&[], &[]);
    let own = uri(&file("m.qip"));
    let said = client.open(&own, model);
    assert_eq!(said["diagnostics"], json!([]));
    let said = client.published();
    assert_eq!(said["uri"], uri(&file("t.toml")));
    let fault = &said["diagnostics"][0];
    assert_eq!(
        (&fault["code"], &fault["range"]["start"]["line"]),
        (&json!("E802"), &json!(1))
    );
    // Mended and saved, it is gone.
    fs::write(file("t.toml"), "n = 3\n").unwrap();
    let saved = json!({"textDocument": {"uri": uri(&file("t.toml"))}});
    client.tell("textDocument/didSave", &saved);
    assert_eq!(client.published()["uri"], own);
    let said = client.published();
    assert_eq!(
        (&said["uri"], &said["diagnostics"]),
        (&json!(uri(&file("t.toml"))), &json!([]))
    );
    let answer = client.at("textDocument/hover", &own, (2, 9), &json!({}));
    assert!(
        answer["result"]["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("n = 3")
    );
    // What stands in a data file as well is not renamed in the model alone.
    let refused = client.renamed(&own, model, (1, 6), "count");
    assert!(refused.contains("data file"), "{refused}");
    assert_eq!(client.end(), 0);

    // Data of the command line go to every model.
    let data = file("t.toml");
    let mut client = Client::new(&["--data", data.to_str().unwrap()], &[]);
    let model = model.replace("data \"t.toml\"\n", "");
    let said = client.open("untitled:m.qip", &model);
    assert_eq!(said["diagnostics"], json!([]));
    assert_eq!(client.end(), 0);
}

#[test]
fn what_is_not_known_is_refused_and_an_editor_may_just_go() {
    let mut client = Client::new(&[], &[]);
    let answer = client.ask("textDocument/completion", &json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let answer = client.ask("textDocument/hover", &json!({"position": 3}));
    assert_eq!(answer["error"]["code"], -32602);
    let answer = client.at("textDocument/hover", "untitled:none", (0, 0), &json!({}));
    assert_eq!(answer["error"]["code"], -32602);
    // Other formats have faults, but no names.
    let said = client.open(
        "untitled:m.mps",
        "NAME m\nROWS\n N c\nCOLUMNS\n x d 1\nENDATA\n",
    );
    assert_eq!(said["diagnostics"][0]["code"], "E501");
    let answer = client.at("textDocument/hover", "untitled:m.mps", (4, 1), &json!({}));
    assert_eq!(answer["result"], Value::Null);
    drop(client.server.stdin.take());
    assert_eq!(client.server.wait().unwrap().code(), Some(1));
}
