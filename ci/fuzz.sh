#!/usr/bin/env bash
# Feeds random text to every reader of puzzles for a minute, or for the number of seconds given; to those of sudokus whole, and
# again with several threads and tiny blocks, to the same rows.
# A failing text is shrunk, printed and kept in tests/proptest-regressions.
# `CASES` sets how many texts a round has for each reader. With all features, as ci/check.sh has compiled the tests in .ci/run.
set -euo pipefail
cd "$(dirname "$0")/.."

end=$((SECONDS + ${1:-60}))
cases=${CASES:-20000}
rounds=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
while ((SECONDS < end)); do
    # The harness prints what failed, the text among it, to standard output.
    PROPTEST_CASES=$cases cargo test --locked --quiet --all-features --test suite fuzz_ >"$log" ||
        { cat "$log"; exit 1; }
    grep -q ' 0 passed' "$log" && { echo "fuzz: no reader was tried"; exit 1; }
    rounds=$((rounds + 1))
done
echo "fuzz: $rounds rounds of $cases texts for each reader, no failure"
