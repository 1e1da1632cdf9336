#!/usr/bin/env bash
# What: without colored=True, xcover takes x:A and x:B for two items that have nothing to do with each other.
# Version: xcover 0.2.6 (PyPI).
# Seen: 2026-11-27.
# Surprises: who passes Knuth's coloured options as they are: two covers instead of one, and neither is a cover with colours.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile xcover==0.2.6; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import xcover

options = [["a", "b", "s", "t:1"], ["a", "c", "s:1", "t"], ["a", "s:2"], ["b", "s:1"], ["c", "t:2"]]
primary = ["a", "b", "c"]


def covers(**keywords):
    return sorted(sorted(cover) for cover in xcover.covers(options, primary=primary, **keywords))


print("xcover", xcover.__version__)
plain, colored = covers(), covers(secondary=["s", "t"], colored=True)
print("as they are:", plain, "colored=True:", colored)
assert colored == [[1, 3]]
assert plain == [[0, 4], [2, 3, 4]], "t:1 beside t:2, and s:2 beside s:1"
PY
