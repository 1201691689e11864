//! Tells the command what it is built from and with; `quip --version --verbose` repeats it.
//!
//! The commit is what the build was told (`QUIP_COMMIT`), or what `cargo package` wrote down.

use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=scripts/build.rs");
    println!("cargo::rerun-if-env-changed=QUIP_COMMIT");
    for (name, value) in [
        ("QUIP_COMMIT", commit()),
        ("QUIP_TARGET", env::var("TARGET").ok()),
        ("QUIP_COMPILER", compiler()),
    ] {
        if let Some(value) = value {
            println!("cargo::rustc-env={name}={value}");
        }
    }
}

fn commit() -> Option<String> {
    let told = env::var("QUIP_COMMIT").ok();
    told.filter(|told| !told.is_empty()).or_else(packed)
}

/// The commit that a crate's archive was packed from.
fn packed() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let behind = info.split_once("\"sha1\"")?.1;
    let commit = behind.split('"').nth(1)?;
    commit.get(..12).map(str::to_owned)
}

fn compiler() -> Option<String> {
    let asked = Command::new(env::var_os("RUSTC")?)
        .arg("--version")
        .output();
    let said = String::from_utf8(asked.ok()?.stdout).ok()?;
    said.lines().next().map(str::to_owned)
}
