#!/usr/bin/env bash
# Runs every command and snippet of docs/sudoku_data.md in order, on the 100,000 puzzles that the first one makes, and
# checks what came out.
#   ci/sudoku_data.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/python.sh ci/sudoku_data.sh pandas
python=$PWD/$python
program=${1:-target/release/tallyboard}
[ -x "$program" ] || cargo build --release --locked
program=$(realpath "$program")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$PWD/docs/sudoku_data.md
cd "$work"
ln -s "$program" tallyboard
PATH=$work:$PATH

# Each fenced block becomes a file.
awk '/^```(sh|python)$/ { name = sprintf("%02d.%s", ++count, substr($0, 4)); next }
     /^```$/ { name = "" } name { print > name }' "$page"
blocks=$(ls [0-9]*.sh [0-9]*.py* | sort)
[ "$(wc -w <<<"$blocks")" -ge 12 ] || { echo "FAILED: found few blocks in $page: $blocks"; exit 1; }
for block in $blocks; do
    began=$(date +%s%N)
    case $block in
    *.sh) bash -euo pipefail "$block" ;;
    *) "$python" "$block" ;;
    esac >"$block.out" 2>&1 || { echo "FAILED: $block:"; cat "$block" "$block.out"; exit 1; }
    printf '%s: %5.1f s  %s\n' "$block" "$((($(date +%s%N) - began) / 100000000))e-1" "$(tail -1 "$block.out")"
done

expect() { [ "$2" "$3" "$4" ] || { echo "FAILED: $1: found $2, expected $3 $4"; exit 1; }; }
rows() { tail -n +2 "$1" | wc -l; }
expect "rows of puzzles.csv" "$(rows puzzles.csv)" -eq 100000
expect "rows of rated.csv" "$(rows rated.csv)" -eq 100000
expect "rows of unique.csv" "$(rows unique.csv)" -gt 99000
expect "rows of images.csv" "$(rows images.csv)" -eq 1000000
expect "rows of both halves" "$(($(rows test.csv) + $(rows train.csv)))" -eq 200000
expect "hard ones" "$(rows hard.csv)" -gt 100
expect "test rows of which no image is in train.csv" \
    "$(($(rows both_unique.csv) - $(rows train_unique.csv)))" -gt 1000
expect "superfluous clues" "$(grep -c 'r[1-9]c[1-9]' clues.csv)" -gt 1000
# Images have the solutions of images.
tallyboard -q sudoku solve images.csv --check || { echo "FAILED: an image has another solution"; exit 1; }
sort -t: -k3 -c solutions.txt || { echo "FAILED: solutions are out of order"; exit 1; }
echo "ci/sudoku_data.sh: passed"
