//! `quip help E102`: what a code means, from the pages that list them.
//!
//! **Invariant:** the pages are the only place where a code is explained.

use std::ffi::OsString;

use super::exit::{Exit, Failure};
use super::output::answer;

/// The pages with tables of codes, by the names under which they are found.
const PAGES: [(&str, &str); 5] = [
    ("format-qip.md", include_str!("../../docs/format-qip.md")),
    ("format-sets.md", include_str!("../../docs/format-sets.md")),
    ("format-mps.md", include_str!("../../docs/format-mps.md")),
    ("format-qbf.md", include_str!("../../docs/format-qbf.md")),
    (
        "format-rules.md",
        include_str!("../../docs/format-rules.md"),
    ),
];

/// The code that `quip help CODE` asks about.
pub fn asked(typed: &[OsString]) -> Option<String> {
    let [_, help, code] = typed else { return None };
    let code = code.to_str()?.to_ascii_uppercase();
    let (kind, number) = code.split_at_checked(1)?;
    let is_code = ["E", "W", "L"].contains(&kind)
        && number.len() == 3
        && number.bytes().all(|byte| byte.is_ascii_digit());
    (help == "help" && is_code).then_some(code)
}

/// Says what the code means, what to do, and shows a file that earns it.
pub fn run(code: &str) -> Result<Exit, Failure> {
    let Some(text) = explained(code) else {
        return Err(Failure::Usage(format!(
            "there is no code `{code}`; docs/format-qip.md and the pages of the other formats list them"
        )));
    };
    answer(&text)?;
    Ok(Exit::Proved)
}

/// What to do about it.
pub fn remedy(code: &str) -> Option<&'static str> {
    found(code).map(|(_, _, remedy)| remedy)
}

/// The page that lists a code, what it means and what to do.
fn found(code: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let row = format!("| {code} | ");
    PAGES.iter().find_map(|(name, page)| {
        let line = page.lines().find_map(|line| line.strip_prefix(&row))?;
        let (meaning, remedy) = line.trim_end_matches([' ', '|']).split_once(" | ")?;
        Some((*name, meaning, remedy))
    })
}

fn explained(code: &str) -> Option<String> {
    let (name, meaning, remedy) = found(code)?;
    let mut text = format!("{code}: {meaning}\n  remedy   {remedy}\n");
    if let Some(example) = example(code) {
        text += "  example\n";
        for line in example.lines() {
            text += &format!("    {line}\n");
        }
    }
    text += &format!("  page     docs/{name}\n");
    Some(text)
}

/// The block of a page whose file earns the code.
fn example(code: &str) -> Option<&'static str> {
    let mark = format!("error={code}\n");
    PAGES.iter().find_map(|(_, page)| {
        let (_, behind) = page.split_once(&mark)?;
        behind.split_once("```").map(|(block, _)| block)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::format::Code;

    #[test]
    fn every_code_is_explained() {
        for code in Code::ALL {
            assert!(explained(code.as_str()).is_some(), "{code}");
        }
        for number in 1..=9 {
            assert!(explained(&format!("L{number:03}")).is_some(), "{number}");
        }
        assert_eq!(explained("E999"), None);
    }

    #[test]
    fn an_explanation_has_a_remedy_and_an_example_that_earns_it() {
        let said = explained("E102").expect("it is in the table");
        assert!(said.starts_with("E102: A variable is used"), "{said}");
        assert!(said.contains("  remedy   Declare it"), "{said}");
        let faults = quip::format::parse_qip(example("E102").expect("the page has one"));
        let faults = faults.expect_err("it is an example of a fault");
        assert_eq!(faults.errors()[0].code, Code::NotDeclared);
    }

    #[test]
    fn codes_are_told_from_commands() {
        let asked = |word: &str| asked(&["quip".into(), "help".into(), word.into()]);
        assert_eq!(asked("e102").as_deref(), Some("E102"));
        for word in ["solve", "E10", "X102", "E1020", ""] {
            assert_eq!(asked(word), None, "{word}");
        }
    }
}
