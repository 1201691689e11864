//! What this program is: `quip --version --verbose`.

use std::ffi::OsString;

/// What the build wrote down; see `scripts/build.rs`.
pub const COMMIT: Option<&str> = option_env!("QUIP_COMMIT");
pub const TARGET: Option<&str> = option_env!("QUIP_TARGET");
const COMPILER: Option<&str> = option_env!("QUIP_COMPILER");

/// Whether version and details are what was asked for, and nothing else.
pub fn is_asked(typed: &[OsString]) -> bool {
    let words: Vec<&str> = typed.iter().skip(1).filter_map(|it| it.to_str()).collect();
    let is_version = |word: &&str| ["--version", "-V"].contains(word);
    let is_verbose = |word: &&str| ["--verbose", "-v"].contains(word);
    match words.as_slice() {
        [one, other] if typed.len() == 3 => {
            is_version(one) && is_verbose(other) || is_verbose(one) && is_version(other)
        }
        _ => false,
    }
}

/// One line for each thing that may make two builds differ.
pub fn details() -> String {
    let unknown = "not told by the build";
    let lines = [
        ("commit", COMMIT.unwrap_or(unknown).to_owned()),
        ("HiGHS", quip::lp::version()),
        ("features", features()),
        ("target", TARGET.unwrap_or(unknown).to_owned()),
        ("compiler", COMPILER.unwrap_or(unknown).to_owned()),
    ];
    let mut text = format!("quip {}\n", env!("CARGO_PKG_VERSION"));
    for (what, value) in lines {
        text += &format!("  {what:<10} {value}\n");
    }
    text
}

fn features() -> String {
    let all = [("command", true), ("paranoid", cfg!(feature = "paranoid"))];
    let on = all.iter().filter(|(_, is_on)| *is_on);
    on.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_asked_for_by_two_words_in_either_order() {
        let asked = |words: &[&str]| {
            let typed = std::iter::once("quip").chain(words.iter().copied());
            is_asked(&typed.map(OsString::from).collect::<Vec<_>>())
        };
        assert!(asked(&["--version", "--verbose"]) && asked(&["-v", "-V"]));
        for other in [&["--version"][..], &["-V", "-V"], &["solve", "-v"], &[]] {
            assert!(!asked(other), "{other:?}");
        }
    }
}
