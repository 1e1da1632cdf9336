#!/usr/bin/env bash
# What: asked for the models with x and without x at once, d4solver's compiled formula counts those of the literal named last.
# Version: d4solver 1.0.0 (PyPI).
# Seen: 2026-11-28.
# Surprises: who joins two lists of assumptions: contradictory ones are satisfiable, and their order decides the count. Each count also
# writes some ten lines of statistics to standard output.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile d4solver==1.0.0; } >&2 || exit 77
"$tmp/v/bin/python" - >"$tmp/out" <<'PY'
from importlib.metadata import version
import py_d4

compiled = py_d4.Solver([[1, 2]], 3).compile()
queries = ([], [1], [-1], [1, -1], [-1, 1])
counts = [int(compiled.count(query)) for query in queries]
print("answer: d4solver", version("d4solver"))
for query, count in zip(queries, counts):
    print(f"answer: (1 or 2) over three variables, assuming {query}: {count} models, satisfiable: {compiled.isSAT(query)}")
assert counts == [6, 4, 2, 2, 4] and compiled.isSAT([1, -1]), counts
PY
grep '^answer' "$tmp/out"
others=$(grep -vc '^answer' "$tmp/out")
echo "lines of statistics between them: $others"
((others > 5))
