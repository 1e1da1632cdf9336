#!/usr/bin/env bash
# Counts covers by another kind of program: the clauses that `cover convert --to cnf` writes, by Ganak, a model counter (PyPI's
# pyganak). It is skipped where that cannot be had.
#   ci/cover_clauses.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/python.sh ci/cover_clauses.sh pyganak==2.8.0
program=${1:-target/release/tallyboard}
[ -x "$program" ] || cargo build --release --locked
puzzles=${PUZZLES:-"dominoes-8x8 grid-5x5 jigsaw-sudoku langford-8 latin-5 lozenges-4 petersen queens-8 skolem-9 sudoku-4x4 triples-7 \
    trominoes-6x9 word-square pentominoes-3x20"}

# The number of models of the clauses on standard input, each variable of the header counted.
models() {
    "$python" -c '
import sys
from pyganak import Counter

counter = Counter()
clauses = []
for line in sys.stdin:
    if line.startswith("p cnf"):
        counter.new_vars(int(line.split()[2]))
    elif not line.startswith("c"):
        clauses.append([int(word) for word in line.split()][:-1])
counter.add_clauses(clauses)
print(counter.count())'
}

rc=0
for name in $puzzles; do
    file=puzzles/$name.txt
    covers=$("$program" -q cover count "$file")
    found=$("$program" -q cover convert "$file" --to cnf | models)
    if [ "$covers" = "$found" ]; then
        echo "$name: $covers covers, as many models"
    else
        echo "FAILED: $name: $covers covers, $found models"
        rc=1
    fi
done
exit "$rc"
