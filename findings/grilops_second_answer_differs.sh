#!/usr/bin/env bash
# What: grilops' is_unique() forbids the solution it found, for good: asked again, an ambiguous puzzle of two solutions is unique, and a
# unique one cannot be solved any more.
# Version: grilops 0.10.3 with z3-solver 5.4.1.0 (PyPI).
# Seen: 2026-11-28.
# Surprises: who asks twice, as a test and a report do: a question changes the puzzle it is about.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile grilops==0.10.3 z3-solver==5.4.1.0; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
import grilops
from grilops.geometry import get_rectangle_lattice

LATTICE = get_rectangle_lattice(2, 2)


def puzzle(givens):
    """A grid of ones and twos, of which so many cells are given."""
    grid = grilops.SymbolGrid(LATTICE, grilops.make_number_range_symbol_set(1, 2))
    for point in LATTICE.points[:givens]:
        grid.solver.add(grid.cell_is(point, 1))
    return grid


print("grilops", version("grilops"), "z3-solver", version("z3-solver"))
two = puzzle(3)
answers = [two.solve(), two.is_unique(), two.is_unique()]
print("two solutions: solve, is_unique, is_unique:", answers)
one = puzzle(4)
once = [one.solve(), one.is_unique(), one.solve()]
print("one solution: solve, is_unique, solve:", once)
assert answers == [True, False, True] and once == [True, True, False]
PY
