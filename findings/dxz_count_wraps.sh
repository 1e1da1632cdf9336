#!/usr/bin/env bash
# What: dxz counts covers in 32 signed bits: from 2^31 on the count comes back negative, and 2^32 covers are none.
# Version: dxz 0.0.6 (PyPI).
# Seen: 2026-11-27.
# Surprises: who compares counts with it: sixteen items with four options each have 4,294,967,296 covers, and the answer is 0.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile dxz==0.0.6; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
import dxz


def count(items, options_each):
    """The covers of items that have so many options each, all with this item alone."""
    options = [item for item in range(items) for _ in range(options_each)]
    cells = [int(item == covered) for covered in options for item in range(items)]
    return dxz.dxz_count(len(options), items, cells)


print("dxz", version("dxz"))
for items, options_each, expected in ((19, 3, 3**19), (20, 3, 3**20 - 2**32), (16, 4, 0)):
    found = count(items, options_each)
    print(f"{items} items with {options_each} options each: counted {found}, right is {options_each**items}")
    assert found == expected, f"found {found}, expected {expected}"
PY
