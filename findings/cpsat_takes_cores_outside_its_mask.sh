#!/usr/bin/env bash
# What: CP-SAT's default number of workers is that of the machine's processors, also where taskset or a cpuset leaves it one of them.
# Version: OR-Tools 9.15.6755 (PyPI).
# Seen: 2026-11-28.
# Surprises: who measures how it scales under taskset: two workers share one processor, while Python, nproc and OpenMP count one.
set -euo pipefail
(($(nproc --all) > 1)) || { echo "needs two processors"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile ortools==9.15.6755; } >&2 || exit 77
one=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
taskset -c "$one" "$tmp/v/bin/python" - <<'PY'
import os
import re

import ortools
from ortools.sat.python import cp_model

model = cp_model.CpModel()
x, y = model.new_int_var(0, 9, "x"), model.new_int_var(0, 9, "y")
model.add(3 * x + 5 * y == 17)
solver = cp_model.CpSolver()
solver.parameters.log_search_progress = True
solver.parameters.log_to_stdout = False
lines = []
solver.log_callback = lines.append
solver.solve(model)
workers = int(re.search(r"number of workers to (\d+)", "\n".join(lines))[1])
allowed = len(os.sched_getaffinity(0))
print(f"OR-Tools {ortools.__version__}: {workers} workers, allowed processors: {allowed}, of the machine: {os.cpu_count()}")
assert allowed == 1 < workers == os.cpu_count()
PY
