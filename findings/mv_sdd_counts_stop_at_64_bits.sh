#!/usr/bin/env bash
# What: mv-sdd's model_count() of anything with 2^64 models or more is 18446744073709551615, as a plain Python integer.
# Version: mv-sdd 0.1.0b2 (PyPI).
# Seen: 2026-11-28.
# Surprises: who compares two large families by their counts: all of 41 variables of three values and two thirds of them are 'equal'.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile mv-sdd==0.1.0b2; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from pymvsdd import Manager, Vtree

print("mv-sdd", version("mv-sdd"))
for variables in (40, 41):
    manager = Manager(Vtree.balanced([3] * variables))
    everything, part = manager.top(), manager.terminal(0, [0, 1])
    counts = everything.model_count(), part.model_count()
    right = 3**variables, 2 * 3 ** (variables - 1)
    weighted = manager.wmc(everything, [1.0] * (3 * variables))
    print(f"{variables} variables of three values: {counts} of {right}; weighted with ones {weighted:.6g}")
    assert counts == (right if variables == 40 else (2**64 - 1,) * 2)
    assert abs(weighted / right[0] - 1) < 1e-9
PY
