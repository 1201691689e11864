//! The machine, as far as this process may use it.

use std::fs;
use std::io::{IsTerminal, stderr, stdout};
use std::path::PathBuf;

use quip::experiment::Environment;

use super::beside::{on_path, says};
use super::{Finding, State};

/// How many engines may work side by side.
pub fn threads() -> Finding {
    let usable = Environment::here(std::path::Path::new(""), 1).threads;
    let processors = fs::read_to_string("/proc/cpuinfo").map_or(0, |text| {
        let heads = text.lines().filter(|line| line.starts_with("processor"));
        heads.count()
    });
    match usable {
        None => Finding::other(
            "threads",
            State::Limited,
            "the system does not tell how many run at once, so one is used",
            "say it with `-j N`",
        ),
        Some(1) => Finding::other(
            "threads",
            State::Limited,
            "one at a time: engines take turns",
            "nothing is wrong; where more processors are there, see the limits of the container",
        ),
        Some(usable) if usable < processors => Finding::other(
            "threads",
            State::Limited,
            format!("{usable} of {processors} processors may be used"),
            "see `taskset` and the limits of the container",
        ),
        Some(usable) => Finding::works("threads", format!("{usable} run at once")),
    }
}

/// Memory of the machine, and the smallest limit below it.
pub fn memory() -> Finding {
    let Some(whole) = kib("MemTotal:") else {
        return Finding::other(
            "memory",
            State::Limited,
            "the system does not tell how much there is",
            "limit a solve with `--memory 4G`",
        );
    };
    let free = kib("MemAvailable:")
        .map_or_else(String::new, |free| format!(", {} of it free", size(free)));
    let machine = format!("{}{free}", size(whole));
    match limits()
        .into_iter()
        .filter(|(limit, _)| *limit < whole)
        .min()
    {
        None => Finding::works("memory", format!("{machine}; no limit")),
        Some((limit, name)) => Finding::other(
            "memory",
            State::Limited,
            format!("{machine}, but {name} allows {}", size(limit)),
            &format!(
                "solve with `--memory {}M`, which ends with the best answer so far",
                limit / 1024 * 9 / 10
            ),
        ),
    }
}

/// Limits on this process, in KiB, and who sets them.
fn limits() -> Vec<(u64, &'static str)> {
    let bytes = |text: &str| text.trim().parse::<u64>().ok().map(|bytes| bytes >> 10);
    let of_process = fs::read_to_string("/proc/self/limits")
        .ok()
        .and_then(|text| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix("Max address space"))?;
            bytes(line.split_whitespace().next()?)
        });
    let of_group = fs::read_to_string("/proc/self/cgroup")
        .ok()
        .and_then(|text| {
            let own = text
                .lines()
                .find_map(|line| line.strip_prefix("0::"))?
                .to_owned();
            let folder = PathBuf::from(format!("/sys/fs/cgroup{own}"));
            let above = folder
                .ancestors()
                .take_while(|it| it.starts_with("/sys/fs/cgroup"));
            let set = above.filter_map(|it| fs::read_to_string(it.join("memory.max")).ok());
            set.filter_map(|text| bytes(&text)).min()
        });
    let named = [(of_process, "`ulimit -v`"), (of_group, "the control group")];
    named
        .into_iter()
        .filter_map(|(limit, name)| Some((limit?, name)))
        .collect()
}

fn kib(field: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

/// `23.5 GiB`.
fn size(kib: u64) -> String {
    let (whole, unit) = if kib < 1 << 20 {
        (10, "MiB")
    } else {
        (20, "GiB")
    };
    let tenths = (kib * 10) >> whole;
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// Where people look at what is said.
pub fn terminal() -> Finding {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let spoken = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| set(name));
    let is_utf8 = spoken.is_some_and(|it| {
        let it = it.to_ascii_lowercase();
        it.contains("utf-8") || it.contains("utf8")
    });
    let ends = match (stdout().is_terminal(), stderr().is_terminal()) {
        (true, true) => "output and log are shown",
        (true, false) => "output is shown, the log goes elsewhere",
        (false, true) => "the log is shown, output goes elsewhere",
        (false, false) => "output and log go to files or pipes",
    };
    let colors = match set("NO_COLOR") {
        Some(_) => "no colours, as NO_COLOR says",
        None => "colours where it is shown",
    };
    let says = format!("{ends}; {colors}");
    if is_utf8 {
        return Finding::works("terminal", format!("{says}; UTF-8"));
    }
    Finding::other(
        "terminal",
        State::Limited,
        format!("{says}; the locale is not UTF-8, so ∃ and → may look odd"),
        "export LANG=C.UTF-8",
    )
}

/// Which program starts when `quip` is typed: an older one may be in the way.
pub fn path() -> Finding {
    let own = std::env::current_exe().and_then(fs::canonicalize).ok();
    let Some(first) = on_path(&["quip"]) else {
        return Finding::other(
            "path",
            State::Missing,
            "typing `quip` finds nothing",
            "put the folder of the command on PATH, or install a package",
        );
    };
    if fs::canonicalize(&first).ok() == own {
        return Finding::works("path", format!("typing `quip` starts {}", first.display()));
    }
    let version = says(&first, &["--version"]).unwrap_or_else(|| "no version".to_owned());
    Finding::other(
        "path",
        State::Limited,
        format!(
            "typing `quip` starts {} ({version}), not this program",
            first.display()
        ),
        "remove it, or put the folder of this one before it on PATH",
    )
}
