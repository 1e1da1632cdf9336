#!/usr/bin/env bash
# What: pyperf's file of one benchmark has its name at the top of the file; of two, in each of them.
# Version: pyperf 2.11.0 (PyPI).
# Seen: 2026-11-27.
# Surprises: who reads benchmarks[].metadata.name: a file with one benchmark has no such key; what all share is moved up likewise.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pyperf==2.11.0; } >&2 || exit 77
cd "$tmp"
cat >bench.py <<'PY'
import os
import pyperf

runner = pyperf.Runner()
runner.bench_func("one", sum, range(10))
if os.environ.get("TWO"):
    runner.bench_func("two", sum, range(10))
PY
v/bin/python bench.py -q -p 2 -n 2 -w 1 -l 4 -o lone.json >/dev/null
TWO=1 v/bin/python bench.py -q -p 2 -n 2 -w 1 -l 4 --inherit-environ TWO -o both.json >/dev/null
v/bin/python - <<'PY'
import json
from importlib.metadata import version

lone, both = json.load(open("lone.json")), json.load(open("both.json"))
name = lambda part: part.get("metadata", {}).get("name")
print("pyperf", version("pyperf"))
print("one benchmark: at the top", name(lone), "in it", name(lone["benchmarks"][0]))
print("two: at the top", name(both), "in them", [name(benchmark) for benchmark in both["benchmarks"]])
assert name(lone) == "one" and name(lone["benchmarks"][0]) is None
assert name(both) is None and [name(benchmark) for benchmark in both["benchmarks"]] == ["one", "two"]
PY
