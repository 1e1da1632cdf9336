#!/usr/bin/env bash
# What: omega counts values outside the range that a variable was declared with: x in 0..5 has 8, and x != 3 holds for 7 of them.
# Version: omega 0.4.0 (PyPI) with dd 0.6.0. Its documentation says that a range gives the number of bits, and shows ranges of 4 and 8 values.
# Seen: 2026-11-29.
# Surprises: who counts queens by their columns: four queens are right, six have more placements than the board allows, with columns 6 and 7.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" &&
    python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile omega==0.4.0 dd==0.6.0; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from itertools import combinations, product

from omega.symbolic.fol import Context


def queens(size, inside=False):
    context = Context()
    columns = [f"q{row}" for row in range(size)]
    context.declare(**{column: (0, size - 1) for column in columns})
    rules = [
        rf"({a} # {b}) /\ ({a} # {b} + {j - i}) /\ ({b} # {a} + {j - i})"
        for (i, a), (j, b) in combinations(enumerate(columns), 2)
    ]
    rules += [f"({column} <= {size - 1})" for column in columns if inside]
    return context.count(context.add_expr(r" /\ ".join(rules)), care_vars=columns)


def counted(size, values):
    return sum(
        all(a != b and abs(a - b) != j - i for (i, a), (j, b) in combinations(enumerate(columns), 2))
        for columns in product(range(values), repeat=size)
    )


print("omega", version("omega"), "dd", version("dd"))
context = Context()
context.declare(x=(0, 5))
unequal = context.add_expr("x # 3")
print("x in 0..5:", context.count(context.true, care_vars=["x"]), "values; x # 3:", context.count(unequal))
print("the values:", sorted(model["x"] for model in context.pick_iter(unequal)))
assert context.count(context.true, care_vars=["x"]) == 8 and context.count(unequal) == 7
for size, values in ((4, 4), (5, 8)):
    found, asked = queens(size), queens(size, inside=True)
    print(f"{size} queens: {found}, with the range as a rule {asked}, right is {counted(size, size)}; with {values} columns {counted(size, values)}")
    assert found == counted(size, values) and asked == counted(size, size)
PY
