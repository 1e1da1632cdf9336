#!/usr/bin/env bash
# What: hodoku-py takes 81 characters and HoDoKu's + before placed digits, but not the library line that HoDoKu itself writes.
# Version: hodoku-py 0.2.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who moves puzzles from HoDoKu to its port: the line must be cut to its fourth field, and x for a blank is refused too.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile hodoku-py==0.2.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from hodoku.api import Solver

PUZZLE = "7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2"


def rate(line):
    try:
        return Solver().rate(line).level.name
    except ValueError as error:
        return f"ValueError: {error}"


print("hodoku-py", version("hodoku-py"))
plain, placed = rate(PUZZLE), rate("7+2" + PUZZLE[2:])
library, blanks = rate(f":0000:x:{PUZZLE}:::"), rate(PUZZLE.replace(".", "x"))
print(f"81 characters: {plain}, a placed digit: {placed}")
print(f"library line: {library}; x for a blank: {blanks}")
assert plain == placed == "EASY"
assert library.startswith("ValueError: Invalid character") and blanks.startswith("ValueError")
PY
