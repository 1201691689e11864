# `make help` lists the targets. Every target sets up what it needs.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench docs python

TOOLS := source .tools/env

# Experiments record what they were made with.
COMMIT = QUIP_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null || true)

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

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

docs: ## the guide as HTML, by mdbook; its sources are docs/guide/src
	@command -v mdbook >/dev/null || { echo "mdbook is not installed: cargo install mdbook"; exit 1; }
	@mdbook build docs/guide
