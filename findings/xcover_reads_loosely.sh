#!/usr/bin/env bash
# What: read_xcover_from_file takes a comment between options for an option, and an item that the first line lacks for a secondary one.
# Version: xcover 0.2.6 (PyPI).
# Seen: 2026-11-27.
# Surprises: who finds the chosen options in the file by index, and whoever mistypes an item (Knuth's own reader stops there).
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile xcover==0.2.6; } >&2 || exit 77
cd "$tmp"
printf '| above\na b c\na b\n| between\nc\n' >comment.dlx
printf 'a b c\na b\nc dd\nc\n' >typo.dlx
"$tmp/v/bin/python" - <<'PY'
import xcover
from xcover.io import read_xcover_from_file


def solve(name):
    options, primary, secondary, colored = read_xcover_from_file(name)
    covers = xcover.covers(options, primary=primary, secondary=secondary, colored=colored)
    return options, sorted(sorted(cover) for cover in covers)


print("xcover", xcover.__version__)
options, covers = solve("comment.dlx")
print("a comment between two options:", options, covers)
assert options == [["a", "b"], ["|", "between"], ["c"]]
assert covers == [[0, 2]], "the second option of the file has the index 2"
options, covers = solve("typo.dlx")
print("an item that the first line lacks:", covers)
assert covers == [[0, 1], [0, 2]], "the option with the unknown item is used like any other"
PY
