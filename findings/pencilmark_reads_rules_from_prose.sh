#!/usr/bin/env bash
# What: pencilmark switches rules on by words in f-puzzles' ruleset, also where the sentence says that the rule does not hold.
# Version: pencilmark 1.0.0rc1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who rates or counts imported puzzles: 'there is no anti-knight rule' makes a valid puzzle one without a solution.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pencilmark==1.0.0rc1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
import pencilmark
from pencilmark.sources import fpuzzles

PUZZLE = "7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2"


def outcome(ruleset):
    grid = [[{} if c == "." else {"value": int(c), "given": True} for c in PUZZLE[r * 9 : r * 9 + 9]] for r in range(9)]
    puzzle = fpuzzles.to_puzzle({"size": 9, "grid": grid, "ruleset": ruleset}, fetch=False)
    try:
        return "".join(map(str, pencilmark.solve(puzzle)))[:9]
    except pencilmark.NoSolution:
        return "NoSolution"


print("pencilmark", version("pencilmark"))
for ruleset, expected in (
    ("Normal sudoku rules apply.", "723854916"),
    ("Normal sudoku rules apply. There is no anti-knight rule.", "NoSolution"),
    ("Cells a knight's move apart may hold equal digits.", "NoSolution"),
):
    found = outcome(ruleset)
    print(f"{ruleset} -> {found}")
    assert found == expected, f"expected {expected}"
PY
