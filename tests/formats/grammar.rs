//! The grammar page says what the reader does.

use quip::format::{Code, Format, read_bytes};

const PAGE: &str = include_str!("../../docs/format-qip.md");

struct Example<'p> {
    line: usize,
    language: &'p str,
    fault: Option<&'p str>,
    text: String,
}

fn examples() -> Vec<Example<'static>> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut inside = false;
    for (line, content) in PAGE.lines().enumerate() {
        match (content.strip_prefix("```"), inside) {
            (Some(info), false) => {
                let (language, fault) = info.split_once(",error=").unzip();
                let language = language.unwrap_or(info);
                examples.push(Example {
                    line,
                    language,
                    fault,
                    text: String::new(),
                });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                let text = &mut examples.last_mut().unwrap().text;
                text.push_str(content);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    examples.retain(|example| ["qip", "qlp"].contains(&example.language));
    examples
}

#[test]
fn every_example_means_what_the_page_says() {
    let examples = examples();
    assert!(examples.len() >= 12, "only {} examples", examples.len());
    for Example {
        line,
        language,
        fault,
        text,
    } in examples
    {
        let outcome = read_bytes("example", text.as_bytes());
        match (outcome, fault) {
            (Ok(reading), None) => {
                let expected = if language == "qip" {
                    Format::Qip
                } else {
                    Format::Qlp
                };
                assert_eq!(reading.format, expected, "line {line}");
                assert!(reading.warnings.is_empty(), "line {line}");
            }
            (Err(faults), Some(code)) => {
                let codes: Vec<_> = faults
                    .errors()
                    .iter()
                    .map(|one| one.code.as_str())
                    .collect();
                assert_eq!(codes, [code], "line {line}\n{faults}");
            }
            (Ok(_), Some(code)) => panic!("line {line}: expected {code}, but it reads"),
            (Err(faults), None) => panic!("line {line}\n{faults}"),
        }
    }
}

#[test]
fn every_code_is_explained() {
    // Those of rule files have a page of their own.
    let of_models = |code: &&Code| !code.as_str().starts_with("E6");
    let codes: Vec<&Code> = Code::ALL.iter().filter(of_models).collect();
    for code in &codes {
        let cell = format!("| {code} |");
        assert_eq!(PAGE.matches(&cell).count(), 1, "{code}");
    }
    let listed = PAGE
        .lines()
        .filter(|line| line.starts_with("| E") || line.starts_with("| W"));
    assert_eq!(listed.count(), codes.len());
}
