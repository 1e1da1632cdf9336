#!/usr/bin/env bash
# The check of every change: formatted, no warnings, documentation, tests, benches compile, the mistakes of
# ci/planted can still be planted, and the oldest compiler that Cargo.toml names takes it, if it is here.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %d s: %s\n' "$SECONDS" "$*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --locked --all-targets -- -D warnings
step cargo clippy --locked --lib --no-default-features -- -D warnings
step cargo clippy --locked --lib --no-default-features --features queens -- -D warnings
step cargo clippy --locked --lib --no-default-features --features sudoku -- -D warnings
step cargo clippy --locked --lib --bins --no-default-features --features cli -- -D warnings
step cargo clippy --locked --all-targets --all-features -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps
step cargo test --locked
# What the features `zstd` and `png` change is compression, and pictures.
step cargo test --locked --all-features --lib -p tallyboard-sudoku compress
step cargo test --locked --all-features --test suite -- compress pictures_are_written report
step cargo test --locked --all-features --lib -p tallyboard-picture -p tallyboard-classroom
step cargo bench --locked --no-run
step ci/planted.sh --apply

oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
if toolchain=$(rustup toolchain list 2>/dev/null | grep -om1 "^$oldest[.0-9]*-[^ ]*"); then
    step cargo "+$toolchain" check --locked --all-targets
else
    printf '\nSKIPPED: compiling with rustc %s, which is not installed: %s\n' "$oldest" \
        "that it suffices rests on what the dependencies state"
fi
