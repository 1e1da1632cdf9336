#!/usr/bin/env bash
# What: the crate zdd says of the family of all subsets of 64 or more items that it has 0 members.
# Version: zdd 0.3.0 (crates.io).
# Seen: 2026-11-28.
# Surprises: who tests for emptiness by the count: 2^64 members wrap to none in a release build, and the diagram has 64 nodes.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
mkdir src
cat >Cargo.toml <<'TOML'
[workspace]
[package]
name = "subsets"
version = "0.0.0"
edition = "2021"
[dependencies]
zdd = "=0.3.0"
TOML
cat >src/main.rs <<'RUST'
use zdd::wrapped::{mk_factory, Zdd};

fn main() {
    let factory = mk_factory::<u32>(100);
    let mut subsets = Zdd::one(&factory);
    for item in 0..66 {
        subsets = subsets.union(subsets.change(item));
        if item >= 62 {
            println!("all subsets of {} items: {}", item + 1, subsets.count());
        }
    }
    assert!(subsets != Zdd::zero(&factory), "the family is not the empty one");
}
RUST
cargo build -q --release >&2 || exit 77
target/release/subsets | tee seen
diff seen - <<'SEEN'
all subsets of 63 items: 9223372036854775808
all subsets of 64 items: 0
all subsets of 65 items: 0
all subsets of 66 items: 0
SEEN
