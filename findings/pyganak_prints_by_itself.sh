#!/usr/bin/env bash
# What: with verbose=0, pyganak writes a line of its own to standard output if clauses contradict each other; an empty clause alone counts 1.
# Version: pyganak 2.8.0 (PyPI).
# Seen: 2026-11-27.
# Surprises: who pipes a program's answers as JSON lines: a line 'c o intermediate count: 0' stands between them, from C++, past sys.stdout.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pyganak==2.8.0; } >&2 || exit 77
cat >"$tmp/count.py" <<'PY'
import sys
import pyganak

counter = pyganak.Counter(verbose=0)
for clause in sys.argv[1:]:
    counter.add_clause([int(literal) for literal in clause.split()])
print(counter.count())
PY
count() { "$tmp/v/bin/python" "$tmp/count.py" "$@" 2>/dev/null | paste -sd'|'; }
"$tmp/v/bin/python" -c 'import pyganak; print("pyganak", pyganak.__version__)'
either=$(count '1 2')
contradiction=$(count 1 -1)
empty=$(count '')
echo "1 or 2: '$either', 1 and not 1: '$contradiction', an empty clause: '$empty'"
[[ $either == 3 && $contradiction == 'c o intermediate count: 0|0' && $empty == 1 ]]
