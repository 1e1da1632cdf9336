#!/usr/bin/env bash
# What: puzzlekit's status of a solved puzzle is Optimal, with one grid, however many solutions there are.
# Version: puzzlekit 0.3.4 with OR-Tools 9.15.6755 (PyPI).
# Seen: 2026-11-27.
# Surprises: who checks puzzles with it: Optimal says that there is a solution, not that it is the only one; the empty grid has it too.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile puzzlekit==0.3.4 ortools==9.15.6755; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import puzzlekit

LINE = "7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2"


def status(line):
    rows = [" ".join(line[r * 9 : r * 9 + 9]).replace(".", "-") for r in range(9)]
    return puzzlekit.solve("\n".join(["9 9", *rows]), puzzle_type="sudoku").solution_data["status"]


print("puzzlekit", puzzlekit.__version__)
one, ten, empty = status(LINE), status("." + LINE[1:80] + "."), status("." * 81)
clash = status("77" + LINE[2:])
print(f"one solution: {one}, ten: {ten}, the empty grid: {empty}, 7 twice in a row: {clash}")
assert (one, ten, empty, clash) == ("Optimal", "Optimal", "Optimal", "Infeasible")
PY
