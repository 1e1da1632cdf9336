#!/usr/bin/env bash
# What: py-sudoku's puzzles are the same at each unseeded call of a process, and most have several solutions.
# Version: py-sudoku 2.0.0 (PyPI).
# Seen: 2026-11-27.
# Surprises: who makes test data with it: a file of a thousand puzzles has one line a thousand times, and no unique answers.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile py-sudoku==2.0.0; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from sudoku import Sudoku

print("py-sudoku", version("py-sudoku"))
unseeded = {str(Sudoku(3).difficulty(0.5).board) for _ in range(5)}
ambiguous = sum(Sudoku(3, seed=seed).difficulty(0.6).has_multiple_solutions() for seed in range(10))
print(f"five calls without a seed: {len(unseeded)} puzzle; ambiguous of ten seeds: {ambiguous}")
assert len(unseeded) == 1
assert ambiguous >= 8
PY
