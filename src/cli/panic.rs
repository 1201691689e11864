//! What a bug says before the process ends with code 70.

use std::ffi::OsString;
use std::panic::PanicHookInfo;

use super::exit::Exit;
use super::files;
use super::output::complain;

/// Replaces the backtrace by a request for a report.
pub fn install(typed: &[OsString]) {
    let command = command_line(typed);
    std::panic::set_hook(Box::new(move |info| {
        complain(&request(&what(info), &where_(info), &command));
        files::abandon();
        std::process::exit(Exit::Internal.code().into());
    }));
}

fn request(what: &str, place: &str, command: &str) -> String {
    format!(
        "internal error: {what} ({place})\n\
         This is a bug in quip {}, in the command `{command}`. Please report it with this line and \
         with the file that `quip bug MODEL -o bug.tar.gz -- OPTIONS` packs; --scramble hides \
         names and numbers.",
        env!("CARGO_PKG_VERSION")
    )
}

fn what(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("unknown cause").to_owned()
}

fn where_(info: &PanicHookInfo<'_>) -> String {
    info.location().map_or_else(
        || "unknown place".to_owned(),
        |place| format!("{}:{}", place.file(), place.line()),
    )
}

fn command_line(typed: &[OsString]) -> String {
    let mut words = vec!["quip".to_owned()];
    let arguments = typed.iter().skip(1).map(|word| word.to_string_lossy());
    words.extend(arguments.map(std::borrow::Cow::into_owned));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_asks_for_a_report_that_reproduces_it() {
        let command = command_line(&["/usr/bin/quip".into(), "solve".into(), "lot.qip".into()]);
        let said = request("rows fit", "src/x.rs:3", &command);
        assert!(said.starts_with("internal error: rows fit (src/x.rs:3)\n"));
        assert!(said.contains("`quip solve lot.qip`"));
    }
}
