#!/usr/bin/env bash
# What: a puzzle without a redundant clue takes zero-alloc-sudoku about a hundred microseconds; its description says less than one.
# Version: zero-alloc-sudoku 1.0.0 (crates.io).
# Seen: 2026-11-27.
# Surprises: who chooses a solver by the 2.5 million puzzles a second of its page; plain backtracking, it depends on the puzzle.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
mkdir src
cat >Cargo.toml <<'TOML'
[workspace]
[package]
name = "zero"
version = "0.0.0"
edition = "2021"
[dependencies]
zero-alloc-sudoku = "=1.0.0"
TOML
cat >src/main.rs <<'RUST'
use std::{hint::black_box, time::Instant};

// Made by `tallyboard sudoku generate --minimal`.
const PUZZLE: &str = "000320400005000000010007390001009000700086000000000630000000000040201006960000001";

fn main() {
    let best = (0..100).map(|_| {
        let mut sudoku: sudoku::Sudoku = black_box(PUZZLE).parse().expect("a puzzle");
        let start = Instant::now();
        assert!(black_box(&mut sudoku).solve() && sudoku.is_solved());
        start.elapsed()
    });
    println!("{}", best.min().expect("a run").as_micros());
}
RUST
cargo build -q --release >&2 || exit 77
best=$(target/release/zero)
echo "zero-alloc-sudoku 1.0.0, the best of 100 solutions of one puzzle: $best microseconds"
((best > 20)) || { echo "expected more than 20"; exit 1; }
