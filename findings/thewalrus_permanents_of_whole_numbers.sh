#!/usr/bin/env bash
# What: thewalrus.perm of a matrix of integers is wrong from 17 rows on: its products are 64-bit integers that overflow, its result a float.
# Version: thewalrus 0.22.0 (PyPI) with numpy 2.4.6 and numba 0.68.1. Its documentation asks for arrays of floats; no integer is refused.
# Seen: 2026-11-29.
# Surprises: who counts placements of rooks with it: 17 rooks on the full board come out five times too few, 21 as a negative number, and
# as floats the last digits are off while the value still fits 53 bits.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" &&
    python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile thewalrus==0.22.0 numpy==2.4.6 numba==0.68.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from math import factorial

import numpy as np
from thewalrus import perm

print("thewalrus", version("thewalrus"))
for size in (16, 17, 21):
    board = np.ones((size, size), dtype=int)
    found, slow = perm(board), perm(board, method="ryser")
    print(f"{size} rooks on the full board: {found:.0f}, with method='ryser' {slow:.0f}, right is {factorial(size)}")
    assert (found == factorial(size)) == (size == 16)
    assert (slow == factorial(size)) == (size < 21)
assert perm(np.ones((17, 17), dtype=int)) == 74212451385344
assert perm(np.ones((21, 21), dtype=int)) < 0

# Rooks that avoid the diagonal: !n = n * !(n - 1) + (-1)^n.
right = [1]
for size in range(1, 19):
    right.append(size * right[-1] + (-1) ** size)
board = 1.0 - np.eye(18)
print(f"18 rooks that avoid the diagonal, as floats: {perm(board):.0f}, right is {right[18]} and below 2^53: {right[18] < 2**53}")
assert right[18] < 2**53 and 1 < abs(perm(board) - right[18]) < 1e7
PY
