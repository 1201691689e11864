#!/usr/bin/env bash
# Builds the library and the command with the oldest Rust that Cargo.toml promises: the usual one, if it is that, or rustup's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if [[ "$(cargo --version)" == "cargo $oldest."* ]]; then
    cargo=(cargo)
elif cargo "+$oldest" --version >/dev/null 2>&1; then
    cargo=(cargo "+$oldest")
else
    echo "Rust $oldest is not installed, so the promise was not tried: rustup toolchain install $oldest" >&2
    exit "${QUIP_OLDEST_MISSING:-0}"
fi
"${cargo[@]}" build --release --locked --bin quip
target/release/quip --version --verbose
