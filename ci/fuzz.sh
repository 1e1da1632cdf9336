#!/usr/bin/env bash
# Feeds random text to every sudoku reader for a minute, or for the number of seconds given: whole, and
# again with several threads and tiny blocks, to the same rows.
# A failing text is shrunk, printed and kept in tests/suite/sudoku_formats.proptest-regressions.
set -euo pipefail
cd "$(dirname "$0")/.."

end=$((SECONDS + ${1:-60}))
rounds=0
while ((SECONDS < end)); do
    PROPTEST_CASES=20000 cargo test --locked --quiet --test suite sudoku_formats::fuzz_ >/dev/null
    rounds=$((rounds + 1))
done
echo "fuzz: $rounds rounds of 20000 texts for each reader, no failure"
