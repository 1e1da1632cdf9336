#!/usr/bin/env bash
# What: pyapproxmc leaves out the factor 2 of a variable that its own simplification frees, though it is in clauses and in the projection.
# Version: pyapproxmc 4.4.0 (PyPI).
# Seen: 2026-11-28.
# Surprises: who trusts that small counts are exact: a clause that another implies halves the count, and there is no message.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pyapproxmc==4.4.0; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from itertools import product

import pyapproxmc


def count(clauses, *projection):
    counter = pyapproxmc.Counter()
    counter.add_clauses(clauses)
    cells, hashes = counter.count(*projection)
    return cells * 2**hashes


def right(clauses):
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    worlds = (dict(zip(variables, values)) for values in product((False, True), repeat=len(variables)))
    return sum(all(any(world[abs(x)] == (x > 0) for x in clause) for clause in clauses) for world in worlds)


print("pyapproxmc", pyapproxmc.__version__)
for clauses, expected in (
    ([[1, 2], [3, 4]], 9),
    ([[1, 3], [1, 2, 3]], 3),
    ([[1, 2], [-1, 2]], 1),
    ([[1, 2], [-1, 2], [3, 4]], 3),
):
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    found = count(clauses), count(clauses, variables)
    print(f"{clauses}: {found[0]}, over all its variables {found[1]}, right is {right(clauses)}")
    assert found == (expected, expected)
assert right([[1, 3], [1, 2, 3]]) == 6 and right([[1, 2], [-1, 2]]) == 2
PY
