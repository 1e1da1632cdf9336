#!/usr/bin/env bash
# The check of every change: formatted, no warnings (in benches too), documentation, tests, the mistakes of
# ci/planted can still be planted, and the oldest compiler that Cargo.toml names takes it, if it is here.
# With AFTER_RELEASE=1 README's `cargo test --release` has just passed, without warnings of the default features. What it did is not done
# again: the tests that look for overflow are then those with all features alone, without unit tests that look for it in every profile
# (tests/unit), and without those of signals, exit codes, help and files too long to read.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %d s: %s\n' "$SECONDS" "$*"; "$@"; }

# few_crates MOST FEATURES: fails if the library with these features takes more than MOST crates of others.
few_crates() {
    local found
    found=$(cargo tree --locked --package tallyboard --edges normal --no-default-features --features "$2" \
        --prefix none --no-dedupe | sort -u | grep -vc '^tallyboard')
    ((found <= $1)) || { echo "found $found crates with the features '$2', expected $1 at most"; return 1; }
}

# The front page takes over the documentation of other crates: what they link and it does not have stays a name in
# brackets, of which rustdoc does not warn.
links_lead_somewhere() {
    ! grep -rnoE '\[<code>[^<]*</code>\]|href="crate::[^"]*"' target/doc/tallyboard
}

# Macros declare the modules of kernels (base/cpu.rs), which rustfmt does not find by itself.
kernels_are_formatted() {
    local files
    files=$(git ls-files | grep -E "/($(ci/kernels.sh))\.rs$") && xargs rustfmt --check --edition 2024 <<<"$files"
}

step cargo fmt --all --check
step kernels_are_formatted
for features in "" queens sudoku cover variants regions queens,sudoku files,queens,sudoku draw,queens scale; do
    step cargo clippy --locked --package tallyboard --lib --no-default-features --features "$features" -- -D warnings
done
step few_crates 20 ""
step few_crates 20 queens
step few_crates 20 sudoku
step few_crates 20 cover
step few_crates 20 regions
# It reads three formats of JSON, one of them compressed.
step few_crates 25 variants
[ -n "${AFTER_RELEASE:-}" ] || step cargo clippy --locked --lib --bins --no-default-features --features cli -- -D warnings
# Unit tests are targets of their crates, too.
rest=(--workspace --exclude tallyboard-unit --exclude tallyboard-python)
step cargo clippy --locked --all-targets --all-features "${rest[@]}" -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps
step links_lead_somewhere
if [ -n "${AFTER_RELEASE:-}" ]; then
    skipped=()
    for tests in away:: bounds::a_line_that endings:: help:: shell:: signals:: scale_program::; do skipped+=(--skip "$tests"); done
    step cargo test --locked --all-features "${rest[@]}" -- "${skipped[@]}"
else
    step cargo test --locked
    # What the features `zstd`, `parquet` and `png` change is compression, tables, and pictures. In one command: another choice of packages
    # has other features, and would compile the games once more. These tests count little: optimised games would cost minutes.
    plain=()
    for game in queens sudoku cover variants regions search; do
        plain+=(--config "profile.dev.package.tallyboard-$game.opt-level=0")
    done
    step cargo test "${plain[@]}" --locked --all-features --lib --test suite --test sudoku -p tallyboard -p tallyboard-unit \
        -p tallyboard-picture -p tallyboard-classroom -- compress draw parquet picture png report
fi
step ci/planted.sh --apply

oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
if toolchain=$(rustup toolchain list 2>/dev/null | grep -om1 "^$oldest[.0-9]*-[^ ]*"); then
    step cargo "+$toolchain" check --locked --all-targets
else
    printf '\nSKIPPED: compiling with rustc %s, which is not installed: %s\n' "$oldest" \
        "that it suffices rests on what the dependencies state"
fi
