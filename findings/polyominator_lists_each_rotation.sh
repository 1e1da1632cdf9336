#!/usr/bin/env bash
# What: polyominator lists a tiling once for each rotation that leaves a piece as it was: a square in its own place has four solutions.
# Version: polyominator 1.0.1 with algorithm-x 0.1.0, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1 (PyPI).
# Seen: 2026-11-29.
# Surprises: who counts with solve(False), or asks for a second solution to see whether the first is the only one: it is the same array.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile \
    polyominator==1.0.1 algorithm-x==0.1.0 numpy==2.4.6 pandas==3.1.1 scipy==1.17.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version

import numpy as np
from polyominator import polyomino

PIECES = {"square": [[1, 1], [1, 1]], "bar": [[1, 1, 1]], "corner": [[1, 0], [1, 1]], "cell": [[1]]}


def counted(names, size):
    """Ways to place each piece once, turned but not mirrored, on a full square board."""

    def place(left, free):
        if not left:
            return not free
        shapes = {tuple(map(tuple, np.argwhere(np.rot90(PIECES[left[0]], turn)).tolist())) for turn in range(4)}
        moves = [{(r + dr, c + dc) for r, c in shape} for shape in shapes for dr in range(size) for dc in range(size)]
        return sum(place(left[1:], free - move) for move in moves if move <= free)

    return place(names, {(r, c) for r in range(size) for c in range(size)})


print("polyominator", version("polyominator"))
for names, size, expected in ((["square"], 2, 4), (["corner", "cell"], 2, 16), (["bar"] * 3, 3, 96)):
    answers = [answer.tobytes() for answer in polyomino([PIECES[name] for name in names], np.ones((size, size))).solve(False)]
    right = counted(names, size)
    print(f"{names} on {size} x {size}: {len(answers)} listed, {len(set(answers))} different, right is {right}")
    assert (len(answers), len(set(answers))) == (expected, right)
PY
