#!/usr/bin/env bash
# Random grids with 0 to 18 clues, counted: seconds of CPU time by number of clues.
# Usage: benches/records_bands.sh [GRIDS [THREADS]], 10 grids of each kind and one thread by default.
set -euo pipefail
cd "$(dirname "$0")/.."
grids=${1:-10} threads=${2:-1}
cargo build --release --locked --quiet
program=$PWD/target/release/tallyboard
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$program" sudoku generate $((19 * grids)) --seed 13 |
    "$program" sudoku solve -q --solutions-only > "$folder/solved"
# Keeps the clues of `clues` cells drawn at random from each solution.
awk -v grids="$grids" 'BEGIN { srand(13) } {
    clues = int((NR - 1) / grids); left = 81; row = ""
    for (cell = 1; cell <= 81; cell++) {
        keep = rand() * left-- < clues; clues -= keep
        row = row (keep ? substr($0, cell, 1) : ".")
    }
    print row
}' "$folder/solved" > "$folder/grids"

TIMEFORMAT='%U %S %R'
echo "| clues | solutions, median | CPU seconds: median | most | elapsed: median | most | largest resident, MB |"
echo "|---|---|---|---|---|---|---|"
for clues in $(seq 0 18); do
    sed -n "$((clues * grids + 1)),$(((clues + 1) * grids))p" "$folder/grids" |
    while read -r grid; do
        echo "$grid" > "$folder/grid"
        /usr/bin/env time -f '%U %S %e %M' -o "$folder/time" \
            "$program" sudoku count -q -j "$threads" "$folder/grid" > "$folder/row"
        echo "$(cut -d: -f2 "$folder/row") $(tail -1 "$folder/time")"
    done > "$folder/all"
    median() { sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
    most() { sort -g | tail -1; }
    solutions=$(awk '{ print $1 }' "$folder/all" | median)
    cpu() { awk '{ print $2 + $3 }' "$folder/all"; }
    elapsed() { awk '{ print $4 }' "$folder/all"; }
    memory=$(awk '{ print int($5 / 1024) }' "$folder/all" | most)
    echo "| $clues | $solutions | $(cpu | median) | $(cpu | most) | $(elapsed | median) | $(elapsed | most) | $memory |"
done
