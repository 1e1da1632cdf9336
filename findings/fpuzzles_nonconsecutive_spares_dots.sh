#!/usr/bin/env bash
# What: in f-puzzles' JSON, nonconsecutive holds for neighbours without a dot, and not for all, as read by pencilmark.
# Version: pencilmark 1.0.0rc1 (PyPI).
# Seen: 2026-11-27 (and in f-puzzles' own solver, of the same day).
# Surprises: who reads nonconsecutive as the rule of that name: a puzzle with a white dot and that flag would have no solution.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pencilmark==1.0.0rc1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from collections import Counter
from importlib.metadata import version
from pencilmark.sources import fpuzzles


def relations(**rules):
    grid = [[{} for _ in range(9)] for _ in range(9)]
    puzzle, _ = fpuzzles.translate({"size": 9, "grid": grid, **rules}, fetch=False)
    return Counter(relation[0] for relation in puzzle.relations)


print("pencilmark", version("pencilmark"))
plain = relations(nonconsecutive=True)
dots = relations(
    nonconsecutive=True, difference=[{"cells": ["R1C1", "R1C2"]}], ratio=[{"cells": ["R5C5", "R6C5"]}]
)
print("no dots:", dict(plain), "- a white and a black dot:", dict(dots))
assert plain["nonconsec"] == 144, "all pairs of neighbours"
assert dots == {"nonconsec": 142, "diff": 1, "ratio": 1}, "a pair with a dot of either kind is spared"
PY
