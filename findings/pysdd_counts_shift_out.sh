#!/usr/bin/env bash
# What: PySDD's counts are 64 bits wide and say nothing beyond: 'true' over 70 variables has 64 models (2^70, shifted by 70 modulo 64).
# Version: PySDD 1.0.6 (PyPI).
# Seen: 2026-11-28.
# Surprises: who checks a small count for sense: at 64 variables everything possible is 1 model; and model_count() of a node leaves out
# variables that the node lacks, global_model_count() does not. wmc() is right at any size, as a float, and as a logarithm unless told.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pysdd==1.0.6; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from pysdd.sdd import SddManager

print("PySDD", version("pysdd"))
for variables, expected in ((63, 2**63), (64, 1), (70, 64)):
    true = SddManager(var_count=variables).true()
    print(f"true over {variables} variables: {true.global_model_count()} of {2**variables}; model_count {true.model_count()}")
    assert (true.global_model_count(), true.model_count()) == (expected, 1)
    assert true.wmc(log_mode=False).propagate() == 2.0**variables

manager = SddManager(var_count=80)
groups = manager.true()
for first in range(1, 81, 4):
    groups &= manager.literal(first) | manager.literal(first + 1) | manager.literal(first + 2) | manager.literal(first + 3)
print(f"one of each four of 80: {groups.model_count()} of {15**20}; wmc {groups.wmc(log_mode=False).propagate():.6g}")
assert groups.model_count() == 15**20 % 2**64
PY
