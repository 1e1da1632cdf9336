#!/usr/bin/env bash
# Plants mistakes in the code that counts, one at a time, and lists those that no test notices.
#
#     ci/mutants.sh [MINUTES] [FILE…]
#
# Takes the files of the counting engines unless told, in a random order, for an hour unless told.
# Mistakes and their fate are kept in target/mutants/. Needs cargo-mutants, which it installs there.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-60}
shift || true
[ $# -gt 0 ] || set -- 'src/queens/blocks/**' 'src/queens/kernel/**' 'src/queens/halves/**' \
    src/queens/{symmetry,fixed,count}.rs

folder=$PWD/target/mutants
export PATH="$folder/bin:$PATH"
command -v cargo-mutants >/dev/null || cargo install --quiet --locked --root "$folder" cargo-mutants ||
    { echo "SKIPPED: mutants: cargo-mutants cannot be installed"; exit 0; }

files=()
for file; do files+=(--file "$file"); done
# Mistakes in the tests themselves say nothing. A mistake may make a count endless: it is caught by
# the limit of time, which is generous beside the seconds that these suites take.
status=0
timeout --signal=INT "$((minutes * 60))" cargo mutants --output "$folder" --shuffle --timeout 120 \
    --baseline skip --no-times "${files[@]}" -- --locked --lib --test suite -- queens || status=$?
report=$folder/mutants.out
for kind in caught timeout missed unviable; do
    printf '%s: %s\n' "$kind" "$(wc -l <"$report/$kind.txt")"
done
cat "$report/missed.txt"
# 2: some were missed. 3: some ran out of time. 124: the hour is over.
case $status in 0 | 2 | 3 | 124 | 130) ;; *) exit "$status" ;; esac
[ ! -s "$report/missed.txt" ]
