#!/usr/bin/env bash
# What: CP-SAT told to enumerate all solutions with two workers ends with OPTIMAL after some of them.
# Version: OR-Tools 9.15.6755 (PyPI).
# Seen: 2026-11-27.
# Surprises: who sets num_workers for speed and takes OPTIMAL for 'all found': 6 queens have four solutions, reported are fewer.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile ortools==9.15.6755; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import ortools
from ortools.sat.python import cp_model


class Collect(cp_model.CpSolverSolutionCallback):
    def __init__(self, queens):
        super().__init__()
        self.queens, self.found = queens, []

    def on_solution_callback(self):
        self.found.append(tuple(self.value(queen) for queen in self.queens))


def solve(size, workers):
    model = cp_model.CpModel()
    queens = [model.new_int_var(0, size - 1, f"q{i}") for i in range(size)]
    for slope in (-1, 0, 1):
        model.add_all_different(queen + slope * i for i, queen in enumerate(queens))
    solver, collect = cp_model.CpSolver(), Collect(queens)
    solver.parameters.enumerate_all_solutions = True
    if workers:
        solver.parameters.num_workers = workers
    return solver.status_name(solver.solve(model, collect)), len(set(collect.found))


print("OR-Tools", ortools.__version__)
for size, right in ((6, 4), (8, 92)):
    unset, one, two = solve(size, None), solve(size, 1), solve(size, 2)
    print(f"{size} queens: workers not set {unset}, one {one}, two {two}")
    assert unset == one == ("OPTIMAL", right)
    assert two[0] == "OPTIMAL" and two[1] < right
PY
