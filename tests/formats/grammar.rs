//! The pages about the formats say what the readers do.

use quip::format::{Code, Format, read_bytes};

const PAGES: [&str; 4] = [
    include_str!("../../docs/format-qip.md"),
    include_str!("../../docs/format-qbf.md"),
    include_str!("../../docs/format-mps.md"),
    include_str!("../../docs/format-sets.md"),
];

struct Example<'p> {
    line: usize,
    language: &'p str,
    fault: Option<&'p str>,
    text: String,
}

fn examples() -> Vec<Example<'static>> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut inside = false;
    for (line, content) in PAGES.iter().flat_map(|page| page.lines().enumerate()) {
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
    examples.retain(|example| format_called(example.language).is_some());
    examples
}

fn format_called(name: &str) -> Option<Format> {
    let mut formats = Format::ALL.into_iter();
    formats.find(|format| format.extension() == name)
}

#[test]
fn every_example_means_what_the_page_says() {
    let examples = examples();
    assert!(examples.len() >= 17, "only {} examples", examples.len());
    for Example {
        line,
        language,
        fault,
        text,
    } in examples
    {
        // An LP file looks like one of Yasol's dialect but for its name.
        let name = if language == "lp" {
            "example.lp"
        } else {
            "example"
        };
        let outcome = read_bytes(name, text.as_bytes());
        match (outcome, fault) {
            (Ok(reading), None) => {
                assert_eq!(Some(reading.format), format_called(language), "line {line}");
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
fn every_code_is_explained_on_one_page() {
    let lines = || PAGES.iter().flat_map(|page| page.lines());
    // Those of rule files have a page and a test of their own.
    let of_models = |code: &&Code| !code.as_str().starts_with("E7");
    let codes: Vec<&Code> = Code::ALL.iter().filter(of_models).collect();
    for code in &codes {
        let cell = format!("| {code} |");
        let rows = lines().filter(|line| line.starts_with(&cell));
        assert_eq!(rows.count(), 1, "{code}");
    }
    let listed = lines().filter(|line| line.starts_with("| E") || line.starts_with("| W"));
    assert_eq!(listed.count(), codes.len());
}

#[test]
fn the_editors_grammar_knows_every_word() {
    let grammar = include_str!("../../editors/quip.tmLanguage.json");
    let grammar: serde_json::Value = serde_json::from_str(grammar).unwrap();
    let patterns = grammar["patterns"].as_array().unwrap().iter();
    let matched: String = patterns.map(|it| it["match"].as_str().unwrap()).collect();
    let words = "uncertainty prefix exists forall binary integer real in free end set param data stage \
                 budget csv sum where for if then else and or not implies when mod by default union \
                 minus inter cross card first last abs floor ceil exactly_one at_most_one at_least_one";
    for word in words.split_whitespace() {
        assert!(matched.contains(word), "{word}");
    }
}
