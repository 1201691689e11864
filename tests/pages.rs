//! The pages of `docs`: every command on them runs and says what the page says.
//!
//! A page of the guide is a session in a folder of its own: blocks of models and tables begin with the
//! name of their file, and lines after `$` are typed. `QUIP_UPDATE_GUIDE=1` writes down what is said now.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Exit codes that no command on a page may end with: wrong usage is one of them, unless the page
/// says that it is refused.
const FAULTS: [i32; 5] = [66, 70, 73, 74, 127];

/// What a command said in a folder, on both streams, and its exit code.
fn said(command: &str, place: &Path) -> (String, i32) {
    let folder = Path::new(env!("CARGO_BIN_EXE_quip")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let ran = Command::new("sh")
        .args(["-c", command])
        .current_dir(place)
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let text = [ran.stdout, ran.stderr].concat();
    (String::from_utf8(text).unwrap(), ran.status.code().unwrap())
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<String> {
    let parts = cell.split('`').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// The cells of a row of a table; `\|` does not part cells.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    let cells = line.replace("\\|", "\u{1}");
    let cells = cells.split('|');
    cells.map(|it| it.trim().replace('\u{1}', "|")).collect()
}

#[test]
fn every_command_for_the_papers_shows_what_the_page_says() {
    let page = fs::read_to_string("docs/papers.md").unwrap();
    let rules = "models/rules/crossdot.rules models/rules/strategies.rules";
    let (mut ran, mut wrong) = (0, Vec::new());
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let row = cells(line);
        let [_, command, shows] = row.as_slice() else {
            panic!("three cells: {line}");
        };
        let [command] = quoted(command)
            .try_into()
            .unwrap_or_else(|_| [String::new()]);
        if command.is_empty() {
            let is_head = command.is_empty() && (line.contains("---") || line.contains("| item |"));
            assert!(is_head || line.contains("| no command |"), "{line}");
            continue;
        }
        let command = command.replace("verify R", &format!("verify {rules}"));
        let start = Instant::now();
        let (text, code) = said(&command, Path::new("."));
        ran += 1;
        let missing: Vec<String> = quoted(shows)
            .into_iter()
            .filter(|words| !text.contains(words.as_str()))
            .collect();
        let is_slow = start.elapsed() > Duration::from_secs(60);
        let is_refusal = [2, 65].contains(&code) && !shows.starts_with("refused");
        if !missing.is_empty() || is_slow || is_refusal || FAULTS.contains(&code) {
            wrong.push(format!("{command}\n  {missing:?}, exit {code}\n{text}"));
        }
    }
    assert!(ran > 70, "{ran} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a line says, without what differs from run to run and from engine to engine: the effort, and
/// which of several equal plays is shown.
fn masked(line: &str) -> String {
    let shown = ["  effort", "  worst case", "  one play"];
    match shown.iter().find(|label| line.starts_with(**label)) {
        Some(label) => {
            let value = line.split_once('→').map_or("", |(_, value)| value);
            format!("{label} {value}")
        }
        None => line.trim_end().to_owned(),
    }
}

/// A page with its sessions played again; the second list has the sessions that differ.
fn played(page: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let (mut text, mut wrong) = (String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if kind == "console" {
            let session = session(&block, folder.path());
            if session
                .iter()
                .map(|line| masked(line))
                .ne(block.iter().map(|line| masked(line)))
            {
                wrong.push(session.join("\n"));
            }
            text += &(session.join("\n") + "\n```\n");
            continue;
        }
        let whole = block.join("\n") + "\n";
        let name = block[0]
            .trim_start_matches(['\\', '#', ' '])
            .split([':', ' '])
            .next()
            .unwrap();
        fs::write(folder.path().join(name), &whole).unwrap();
        text += &(whole + "```\n");
    }
    (text, wrong)
}

/// What is said to the lines that are typed.
fn session(block: &[&str], place: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for typed in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
        lines.push(format!("$ {typed}"));
        let (text, code) = said(typed, place);
        assert!(!FAULTS.contains(&code) && code != 2, "{typed}: {text}");
        lines.extend(
            text.trim_end()
                .lines()
                .map(|line| line.trim_end().to_owned()),
        );
    }
    lines
}

#[test]
fn every_session_of_the_guide_goes_as_it_is_printed() {
    let update = std::env::var_os("QUIP_UPDATE_GUIDE").is_some();
    let mut pages = 0;
    for entry in fs::read_dir("docs/guide/src").unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("SUMMARY.md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        let (text, wrong) = played(&page);
        if update {
            fs::write(&path, text).unwrap();
        } else {
            assert!(
                wrong.is_empty(),
                "{}:\n{}",
                path.display(),
                wrong.join("\n\n")
            );
        }
        pages += 1;
    }
    assert_eq!(pages, 9);
}

#[test]
fn every_page_of_the_guide_is_in_its_summary() {
    let summary = fs::read_to_string("docs/guide/src/SUMMARY.md").unwrap();
    for entry in fs::read_dir("docs/guide/src").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name}"
        );
    }
}

/// The block of a page that begins with this fence and holds these words.
fn block(page: &str, fence: &str, words: &str) -> String {
    let blocks = page.split("```").skip(1).step_by(2);
    let found = blocks
        .filter_map(|block| block.strip_prefix(fence))
        .find(|block| block.contains(words));
    found.unwrap().trim_start().to_owned()
}

#[test]
fn every_question_of_the_readme_is_answered() {
    let readme = fs::read_to_string("README.md").unwrap();
    let rota = fs::read_to_string("docs/guide/src/rota.md").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let models = [
        ("lot.qip", block(&readme, "text", "\\ Lot sizing")),
        ("rota.qip", block(&rota, "qip", "\\ rota.qip")),
    ];
    for (name, text) in models {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let table = readme
        .lines()
        .skip_while(|line| *line != "| question | command |");
    let mut asked = 0;
    for line in table.skip(2).take_while(|line| line.starts_with('|')) {
        let command = &quoted(line)[0];
        let (text, code) = said(command, folder.path());
        assert!(
            [0, 10].contains(&code) && !text.is_empty(),
            "{command}: {code}\n{text}"
        );
        asked += 1;
    }
    assert_eq!(asked, 10);
}
