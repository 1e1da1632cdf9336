#!/usr/bin/env bash
# What: dokusan gives a puzzle without a solution a low rank and no error, where an ambiguous one raises MultipleSolutions.
# Version: dokusan 0.1.0 (PyPI).
# Seen: 2026-11-27.
# Surprises: who sorts puzzles by rank: those that cannot be solved stand among the easiest.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile dokusan==0.1.0; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from dokusan import exceptions, stats
from dokusan.boards import BoxSize, Sudoku


def rank(line):
    try:
        return stats.rank(Sudoku.from_string(line.replace(".", "0"), BoxSize(3, 3)))
    except exceptions.MultipleSolutions:
        return "MultipleSolutions"


print("dokusan", version("dokusan"))
valid = rank("7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2")
# The last cell of row 1 sees 1 to 8 in its row and 9 in its column.
impossible = rank("12345678." + "........9" + "." * 63)
ambiguous = rank("." * 81)
print(f"one solution: {valid}, none: {impossible}, many: {ambiguous}")
assert (valid, impossible, ambiguous) == (57, 72, "MultipleSolutions"), "below 100 is 'singles only' in its documentation"
PY
