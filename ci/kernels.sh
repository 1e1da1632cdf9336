#!/usr/bin/env bash
# Prints the names of the kernels in vectors, of the table in crates/tallyboard-base/src/cpu.rs, as a regular expression.
set -euo pipefail
cd "$(dirname "$0")/.."
sed -nE 's/^ +[A-Z][A-Za-z0-9]* ([a-z0-9]+) "[a-z0-9_]+",$/\1/p' crates/tallyboard-base/src/cpu.rs | paste -sd '|' | grep .
