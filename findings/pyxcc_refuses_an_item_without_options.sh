#!/usr/bin/env bash
# What: pyxcc raises ValueError for a primary item that no option covers, and drops options of secondary items alone.
# Version: pyxcc 0.1.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who counts generated problems: the answer 0 arrives as an exception if a column is empty, and as 0 if options clash.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pyxcc==0.1.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
import pyxcc


def count(primary, secondary, options):
    options = [pyxcc.Option(f"o{i}", items, colours) for i, (items, colours) in enumerate(options)]
    try:
        return pyxcc.solve(pyxcc.Problem(primary, secondary, options), True).count()
    except ValueError as error:
        return f"ValueError: {error}"


print("pyxcc", version("pyxcc"))
empty = count(["a", "b"], [], [(["a"], [])])
clash = count(["a", "b"], ["s"], [(["a"], [("s", "")]), (["b"], [("s", "")])])
free = count(["a"], ["s"], [(["a"], []), ([], [("s", "")])])
print("an item without options:", empty)
print("options that clash:", clash, "- beside an option of a secondary item alone:", free)
assert empty.startswith("ValueError") and clash == 0 and free == 1
PY
