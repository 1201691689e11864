# `make help` lists the targets. Every target sets up what it needs.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench docs python dist dist-test oldest

TOOLS := source .tools/env

# Experiments record what they were made with.
COMMIT = QUIP_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null || true)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

setup: ## find or install cmake and libclang (see scripts/setup.sh)
	@scripts/setup.sh

demo: setup ## build quip and solve a model
	@$(TOOLS); $(COMMIT) cargo build --release --locked
	@echo; sed 's/^/    /' models/or/lot-sizing.qip; echo
	@target/release/quip solve models/or/lot-sizing.qip

# The same cases in every run; `PROPTEST_RNG_SEED=7 make test` draws others.
test: export PROPTEST_RNG_SEED ?= 1
test: lint ## check the style, then run every test
	@$(TOOLS); cargo test --release --locked
	@$(TOOLS); scripts/python.sh

python: setup ## build the Python package's wheel, install it below target/ and test it
	@$(TOOLS); scripts/python.sh

lint: setup ## rustfmt and clippy
	@$(TOOLS); cargo fmt --all --check
	@$(TOOLS); cargo clippy --release --locked --all-targets -- -D warnings
	@$(TOOLS); cargo clippy --release --locked -p quip-python -- -D warnings

bench: setup ## run the benchmarks
	@$(TOOLS); $(COMMIT) cargo bench --locked

docs: setup ## the library's pages without a warning, and the guide as HTML where mdbook is installed
	@$(TOOLS); RUSTDOCFLAGS="-D warnings" cargo doc --release --locked --no-deps --workspace --exclude quip-python
	@command -v mdbook >/dev/null && mdbook build docs/guide || echo "the guide was not built: cargo install mdbook"

dist: setup ## pack the commit: tarball, Debian package, wheel, crates, checksums, ingredients (docs/release.md)
	@$(TOOLS); scripts/dist.sh

dist-test: ## try what `make dist` has packed in fresh Debian roots and in an empty folder
	@$(TOOLS); scripts/dist-test.sh

oldest: setup ## build with the oldest Rust that is supported, if rustup has it
	@$(TOOLS); scripts/oldest.sh
