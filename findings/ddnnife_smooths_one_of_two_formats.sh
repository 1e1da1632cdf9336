#!/usr/bin/env bash
# What: ddnnife completes a d-DNNF in d4's format by the variables a branch leaves free, and one in c2d's format not.
# Version: ddnnife 0.10.0 (PyPI).
# Seen: 2026-11-28.
# Surprises: who has a formula compiled by another program: (1 or 2) has 3 models from one file and 2 from the other, in which variable 2
# is said to be in all of them. The number of variables, given when loading, counts for d4's format alone too.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile ddnnife==0.10.0; } >&2 || exit 77
# Both say: 1, or else not 1 and 2.
printf 'o 1 0\nt 2 0\n1 2 1 0\n1 2 -1 2 0\n' >"$tmp/d4.nnf"
printf 'nnf 5 4 2\nL 1\nL -1\nL 2\nA 2 1 2\nO 1 2 0 3\n' >"$tmp/c2d.nnf"
cd "$tmp"
v/bin/python - <<'PY'
from importlib.metadata import version
from ddnnife import Ddnnf

print("ddnnife", version("ddnnife"))
seen = {}
for name in ("d4", "c2d"):
    two, four = (Ddnnf.from_file(f"{name}.nnf", variables) for variables in (2, 4))
    seen[name] = int(two.rc()), sorted(two.get_core()), int(four.rc())
    print(f"{name}: {seen[name][0]} models, {seen[name][1]} in all of them; over four variables {seen[name][2]}")
assert seen == {"d4": (3, [], 12), "c2d": (2, [2], 2)}
PY
