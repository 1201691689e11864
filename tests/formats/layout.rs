//! The layout changes no meaning, whatever it is given.

use proptest::prelude::*;
use quip::format::{layout, parse_qip, read_bytes, read_path};

/// Without blanks and empty lines.
fn marrow(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .map(|line| line.split_whitespace().collect::<String>());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_shipped_model_stays_the_same() {
    for folder in std::fs::read_dir("models").unwrap() {
        for entry in std::fs::read_dir(folder.unwrap().path())
            .into_iter()
            .flatten()
        {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "qip") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let new = layout(&text);
            assert_eq!(layout(&new), new, "{}", path.display());
            // Models with data need their folder; their lines are compared.
            if let Ok(before) = parse_qip(&text) {
                assert_eq!(parse_qip(&new).unwrap(), before, "{}", path.display());
            }
            assert_eq!(marrow(&new), marrow(&text), "{}", path.display());
        }
    }
    assert!(read_path("models/sets/location.qip".as_ref()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_keeps_its_letters_and_is_laid_out_once(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "minimize", "x", "<=", "3", "+", "\n", "\n", "  ", "subject to", "r:", "set T=1..2", "{", "}", "(", ")",
                "\\ note", "prefix", "exists", "binary", "end", "stage t in T:", ";", "'a b'", "\"c  d\"", "=", "!=", "x[1,2]",
                "é", "y'", "where", ",",
            ]),
            0..40,
        ),
    ) {
        let text = words.join(" ");
        let new = layout(&text);
        prop_assert_eq!(marrow(&new), marrow(&text));
        prop_assert_eq!(layout(&new), new.clone());
        match (read_bytes("m.qip", text.as_bytes()), read_bytes("m.qip", new.as_bytes())) {
            (Ok(before), Ok(after)) => prop_assert_eq!(before.program, after.program),
            (Err(_), Err(_)) => {}
            _ => prop_assert!(false, "{}\n{}", text, new),
        }
    }
}
