#!/usr/bin/env bash
# What: sudoku-variants' generate() replaces the dots of the rule it is given by random ones, and each puzzle keeps that same rule object.
# Version: sudoku-variants 0.3 (PyPI).
# Seen: 2026-11-28.
# Surprises: who generates two puzzles with one list of rules: the first has no solution any more, and the dot that was asked for is gone.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile sudoku-variants==0.3; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from sudoku_variants import SudokuAI
from sudoku_variants.rule.consecutive import Consecutive


def solvable(puzzle):
    return SudokuAI.solve(puzzle) is not None


print("sudoku-variants", version("sudoku-variants"))
dot = ((0, 0), (0, 1))
rules = [Consecutive([dot])]
first = SudokuAI.generate(rules, max_erased=3, seed=1)
before = solvable(first)
print("rules after the call:", [type(rule).__name__ for rule in rules], f"dots: {len(rules[0].data)}, the one given: {dot in rules[0].data}")
second = SudokuAI.generate(rules, max_erased=3, seed=2)
print(f"the first puzzle can be solved: {before}; after a second was made: {solvable(first)}; the second: {solvable(second)}")
assert len(rules) == 3 and dot not in rules[0].data and first.rules is second.rules
assert before and not solvable(first) and solvable(second)
PY
