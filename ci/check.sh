#!/usr/bin/env bash
# The check that people and CI both run: formatted, no warnings, tests, documentation, benches.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --locked --all-targets -- -D warnings
step cargo clippy --locked --lib --no-default-features -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps
step cargo test --locked
step cargo bench --locked --no-run
