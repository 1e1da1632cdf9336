#!/usr/bin/env bash
# What: dxz counts covers in 32 signed bits; past 2^31 the count comes back negative, and past 2^32 small and positive.
# Version: dxz 0.0.6 (PyPI).
# Seen: 2026-11-27.
# Surprises: who compares counts with it: the domino tilings of 2 x 47 come back as 512559680, which looks like a count.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile dxz==0.0.6; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
import dxz


def dominoes(width):
    """The matrix of dominoes on a board of two rows: a column for each square."""
    square = lambda row, column: row * width + column
    options = [{square(0, c), square(1, c)} for c in range(width)]
    options += [{square(r, c), square(r, c + 1)} for r in range(2) for c in range(width - 1)]
    return [int(item in option) for option in options for item in range(2 * width)], len(options)


def fibonacci(width):
    a, b = 1, 1
    for _ in range(width - 1):
        a, b = b, a + b
    return b


print("dxz", version("dxz"))
for width, expected in ((45, 1836311903), (46, -1323752223), (47, 512559680)):
    cells, options = dominoes(width)
    found = dxz.dxz_count(options, 2 * width, cells)
    print(f"2 x {width}: counted {found}, right is {fibonacci(width)}")
    assert found == expected, f"found {found}, expected {expected}"
assert fibonacci(45) == 1836311903 and fibonacci(46) > 2**31
PY
