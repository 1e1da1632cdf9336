#!/usr/bin/env bash
# What: an option that names an item twice is found twice by dlx-rs and xcover, and never by the npm package dancing-links.
# Version: dlx-rs 1.3.0 (crates.io), xcover 0.2.6 (PyPI), dancing-links 4.3.10 (npm).
# Seen: 2026-11-27.
# Surprises: who makes options from pieces that touch a cell twice: no error anywhere; counts of 2, 2 and 0, where 1 or 0 was meant.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
mkdir -p rust/src
cat >rust/Cargo.toml <<'TOML'
[workspace]
[package]
name = "twice"
version = "0.0.0"
edition = "2021"
[dependencies]
dlx-rs = "=1.3.0"
TOML
cat >rust/src/main.rs <<'RUST'
fn main() {
    let mut solver = dlx_rs::Solver::new(2);
    solver.add_option("a", &[1, 1]).add_option("b", &[2]);
    println!("{}", solver.count());
}
RUST
{ python3 -m venv --without-pip v && python3 -m pip --python v/bin/python -q install --no-compile xcover==0.2.6 &&
    npm install --silent --prefix . dancing-links@4.3.10 && cargo build -q --manifest-path rust/Cargo.toml; } >&2 || exit 77
dlx_rs=$(rust/target/debug/twice)
xcover=$(v/bin/python -c 'from xcover import covers; print(len(list(covers([["a", "a"], ["b"]]))))')
cat >count.mjs <<'JS'
import { DancingLinks } from 'dancing-links'
const solver = new DancingLinks().createSolver({ columns: 2 })
solver.addSparseConstraint('a', [0, 0]).addSparseConstraint('b', [1])
console.log(solver.findAll().length)
JS
dancing_links=$(node count.mjs)
echo "dlx-rs 1.3.0: $dlx_rs, xcover 0.2.6: $xcover, dancing-links 4.3.10: $dancing_links"
[[ "$dlx_rs $xcover $dancing_links" == "2 2 0" ]]
