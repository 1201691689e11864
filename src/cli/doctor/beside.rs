//! What other programs do for quip: none is needed to solve.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quip::experiment::{Call, run_limited};

use super::{Finding, State};

/// How long a program may think about its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the first of these programs is.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = names
        .iter()
        .flat_map(|name| folders.iter().map(move |it| it.join(name)));
    candidates.into_iter().find(|it| it.is_file())
}

/// The first line that a program says, if it ends well.
pub fn says(program: &Path, arguments: &[&str]) -> Option<String> {
    let call = Call {
        program: program.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        input: None,
    };
    let finished = run_limited(&call, PATIENCE, &Arc::default()).ok()??;
    // Some programs tell their version as an error.
    let said = [finished.stdout, finished.stderr].concat();
    let line = said.lines().find(|line| !line.trim().is_empty())?;
    (finished.exit == Some(0)).then(|| line.trim().to_owned())
}

/// Something that shows pages.
pub fn browser() -> Finding {
    let names = ["chromium", "chromium-browser", "google-chrome", "firefox"];
    match on_path(&names) {
        Some(found) => Finding::works("browser", format!("{} shows pages", found.display())),
        None => Finding::other(
            "browser",
            State::Missing,
            "neither chromium nor firefox is on PATH",
            "pages of `quip report` are single files: open them on any machine; tests of pages need chromium",
        ),
    }
}

/// Something that draws `.dot` files.
pub fn graphviz() -> Finding {
    let version = on_path(&["dot"]).and_then(|dot| says(&dot, &["-V"]));
    match version {
        Some(version) => Finding::works("graphviz", version),
        None => Finding::other(
            "graphviz",
            State::Missing,
            "`dot` does not run, so .dot files cannot be drawn",
            "install graphviz; `--strategy plan.svg` and `quip draw` do without",
        ),
    }
}

/// The Python package, and whether it is of this version.
pub fn python() -> Finding {
    let missing =
        |says: String, remedy: &str| Finding::other("python", State::Missing, says, remedy);
    let Some(python) = on_path(&["python3", "python"]) else {
        return missing("there is no python3".into(), "install Python 3.9 or later");
    };
    let asked = ["-c", "import quip; print(quip.__version__)"];
    let shown = python.display();
    match says(&python, &asked) {
        None => missing(
            format!("{shown} has no package `quip`"),
            "install the wheel of this version with `python3 -m pip install`",
        ),
        Some(version) if version == env!("CARGO_PKG_VERSION") => Finding::works(
            "python",
            format!("{shown} has the package, version {version}"),
        ),
        Some(version) => Finding::other(
            "python",
            State::Limited,
            format!("{shown} has the package of version {version}"),
            "install the wheel of this version over it",
        ),
    }
}

/// The pages of `man`.
pub fn manual() -> Finding {
    let found = on_path(&["man"]).and_then(|man| says(&man, &["-w", "quip"]));
    match found {
        Some(page) => Finding::works("manual", page),
        None => Finding::other(
            "manual",
            State::Missing,
            "`man quip` finds no page",
            "the packages bring it; `quip man | man -l -` shows it without",
        ),
    }
}
