//! How a run ended, as far as it is the same failure.

use std::fmt;

use quip::experiment::Finished;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `None` where a signal ended it.
    exit: Option<i32>,
    hangs: bool,
    /// The place of an internal error, a sentence without names and numbers, or the status.
    what: String,
}

impl Ending {
    /// Reads it off what was said.
    pub fn of(finished: &Finished) -> Self {
        let mut log = finished.stderr.lines();
        let fault = log.find(|line| {
            ["error", "internal error"]
                .iter()
                .any(|it| line.starts_with(it))
        });
        let what = match fault {
            Some(line) => place(line).unwrap_or_else(|| masked(line)),
            None => status(&finished.stdout),
        };
        Self {
            exit: finished.exit,
            hangs: finished.timed_out,
            what,
        }
    }
}

/// The place in the source that an internal error names.
fn place(line: &str) -> Option<String> {
    let line = line.strip_prefix("internal error")?;
    let (_, place) = line.rsplit_once('(')?;
    Some(format!(
        "an internal error at {}",
        place.trim_end_matches(')')
    ))
}

/// The line without what stands between backticks, and without digits outside of codes.
fn masked(line: &str) -> String {
    let (code, rest) = match line.split_once("]: ") {
        Some((code, rest)) => (format!("{code}]: "), rest),
        None => (String::new(), line),
    };
    let parts = rest.split('`').enumerate();
    let parts = parts.map(|(place, part)| match place % 2 {
        0 => part.chars().filter(|it| !it.is_ascii_digit()).collect(),
        _ => "`…`".to_owned(),
    });
    code + &parts.collect::<String>()
}

/// The status, from JSON or from the first word of an answer.
fn status(answer: &str) -> String {
    let line = answer
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let parsed = serde_json::from_str::<serde_json::Value>(line);
    match parsed
        .ok()
        .and_then(|it| it["status"].as_str().map(str::to_owned))
    {
        Some(status) => status,
        None => line
            .split([':', '.', ',', ' '])
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.hangs, self.exit) {
            (true, _) => write!(out, "no end within its time")?,
            (false, Some(code)) => write!(out, "exit code {code}")?,
            (false, None) => write!(out, "a signal")?,
        }
        match self.what.as_str() {
            "" => Ok(()),
            what => write!(out, ", {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ending(exit: Option<i32>, stdout: &str, stderr: &str) -> Ending {
        Ending::of(&Finished {
            stdout: stdout.into(),
            stderr: stderr.into(),
            exit,
            wall: Duration::ZERO,
            timed_out: false,
        })
    }

    #[test]
    fn names_and_numbers_do_not_make_another_failure() {
        let [one, other] = ["`open` has 3 rows", "`x1` has 17 rows"]
            .map(|said| ending(Some(65), "", &format!("quip 0.1\nerror: variable {said}\n")));
        assert_eq!(one, other);
        let [one, other] = ["E102", "E105"]
            .map(|code| ending(Some(65), "", &format!("error[{code}]: variable `x`")));
        assert_ne!(one, other);
    }

    #[test]
    fn an_internal_error_is_known_by_its_place() {
        let said = |what: &str, line: u32| {
            let text = format!("internal error: {what} (src/x.rs:{line})\nThis is a bug");
            ending(Some(70), "", &text)
        };
        assert_eq!(said("3 rows", 7), said("4 rows", 7));
        assert_ne!(said("3 rows", 7), said("3 rows", 8));
        let shown = said("3 rows", 7).to_string();
        assert_eq!(shown, "exit code 70, an internal error at src/x.rs:7");
    }

    #[test]
    fn answers_are_told_apart_by_their_status() {
        let optimal = ending(Some(0), "Optimal: 16 can be guaranteed", "");
        assert_eq!(
            optimal,
            ending(Some(0), "Optimal: 23 can be guaranteed", "")
        );
        assert_ne!(optimal, ending(Some(0), "Feasible.", ""));
        let json = ending(
            Some(0),
            "{\"status\": \"optimal\", \"objective\": \"16\"}\n",
            "",
        );
        assert_eq!(json.to_string(), "exit code 0, optimal");
        assert_eq!(ending(None, "", "").to_string(), "a signal");
    }
}
