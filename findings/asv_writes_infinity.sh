#!/usr/bin/env bash
# What: after asv run --quick the file of results has -Infinity for the bounds of a benchmark with parameters: no JSON.
# Version: asv 0.6.6 (PyPI).
# Seen: 2026-11-27.
# Surprises: who reads the results outside Python: its json module takes -Infinity, node and serde refuse the whole file.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile asv==0.6.6 virtualenv; } >&2 || exit 77
cd "$tmp"
export HOME=$tmp
mkdir -p project/benchmarks && cd project
touch benchmarks/__init__.py
cat >benchmarks/sums.py <<'PY'
class Sums:
    params = [1, 2]
    param_names = ["threads"]

    def time_sum(self, threads):
        sum(range(1000 * threads))
PY
cat >asv.conf.json <<'JSON'
{"version": 1, "project": "sums", "repo": ".", "branches": ["HEAD"], "benchmark_dir": "benchmarks", "environment_type": "existing", "pythons": ["same"]}
JSON
git init -q && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm first
../v/bin/asv machine --yes >/dev/null 2>&1
../v/bin/asv run --python=same --quick --set-commit-hash "$(git rev-parse HEAD)" >/dev/null 2>&1
file=$(find results -name '*existing*.json')
../v/bin/asv --version
echo "in the file: $(grep -o -- '-\?Infinity' "$file" | sort | uniq -c | paste -sd, | tr -s ' ')"
grep -q -- '-Infinity' "$file"
python3 - "$file" <<'PY'
import json
import sys


def refuse(word):
    raise ValueError(word)


json.load(open(sys.argv[1]))
try:
    json.load(open(sys.argv[1]), parse_constant=refuse)
except ValueError as error:
    print("a strict reader stops at", error)
else:
    raise SystemExit("a strict reader takes it")
PY
