#!/usr/bin/env bash
# What: `hashi solve --all` says 'solutions: 4' of a puzzle that has two: one solution is listed once for each order in which it was built.
# Version: hashiwokakero 1.0.0 (PyPI), with matplotlib 3.11.2.
# Seen: 2026-11-29.
# Surprises: who counts, or who asks whether a puzzle of bridges has one solution: what is reached by guesses is counted by its guesses.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" &&
    python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile hashiwokakero==1.0.0 matplotlib==3.11.2; } >&2 || exit 77
printf '3;;3;;303000303;;303000303\n' >"$tmp/square.csv"
"$tmp/v/bin/python" -m hashi solve --all "$tmp/square.csv" | tee "$tmp/out"
grep -qx 'solutions: 4' "$tmp/out"
"$tmp/v/bin/python" - "$tmp/square.csv" <<'PY'
import sys
from importlib.metadata import version
from itertools import product

from hashi.formats import import_empty_grid
from hashi.solver import solve

found = solve(import_empty_grid(sys.argv[1]), stop_at_first=False)
drawings = {tuple((node.n_type, node.b_thickness, node.b_dir) for row in answer.grid for node in row) for answer in found}
# Four islands of 3 at the corners of a square: the bridges above, below, left and right, at least three of four sides joined.
right = [
    (above, below, left, right)
    for above, below, left, right in product(range(3), repeat=4)
    if above + left == above + right == below + left == below + right == 3
]
print(f"hashiwokakero {version('hashiwokakero')}: {len(found)} listed, {len(drawings)} different, right is {len(right)}: {right}")
assert (len(found), len(drawings), len(right)) == (4, 2, 2)
PY
