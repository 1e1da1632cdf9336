#!/usr/bin/env bash
# What: leaving the loop over dlx's solutions early leaves the chosen options covered: the next solve() finds fewer covers, or none.
# Version: dlx 1.0.4 (PyPI).
# Seen: 2026-11-28.
# Surprises: who looks at the first solution and then counts with the same object: two covers become one, for good.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile dlx==1.0.4; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from dlx import DLX


def problem():
    built = DLX([("a", DLX.PRIMARY), ("b", DLX.PRIMARY)])
    built.appendRows([[0], [1], [0, 1]])
    return built


print("dlx", version("dlx"))
whole = problem()
runs = [len(list(whole.solve())) for _ in range(3)]
print("each loop to its end:", runs)
broken = problem()
for cover in broken.solve():
    print("the first cover:", [broken.getRowList(row) for row in cover])
    break
after = [len(list(broken.solve())) for _ in range(2)]
print("after the break:", after)
assert runs == [2, 2, 2] and after == [1, 1]
PY
