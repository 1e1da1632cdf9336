#!/usr/bin/env bash
# Licences, sources, duplicates and, where their list can be had, advisories of all dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-deny >/dev/null || { echo "SKIPPED: deny: cargo-deny is not installed"; exit 0; }
cargo deny --locked check licenses bans sources
cargo deny --locked fetch db >/dev/null 2>&1 ||
    { echo "SKIPPED: deny: the list of advisories cannot be had"; exit 0; }
cargo deny --locked check advisories
