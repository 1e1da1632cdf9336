#!/usr/bin/env bash
# What: with --opt-mode=optN, clingo lists the optimum that it found first again when it lists the proven ones; -n counts these alone.
# Version: clingo 5.8.3 (PyPI).
# Seen: 2026-11-28.
# Surprises: who collects the models of a yield loop: two optimal models come as three, -n 1 as two; optimality_proven tells them apart.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile clingo==5.8.3; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import clingo

PROGRAM = "1 {a; b}. #minimize {1,a : a; 1,b : b}."


def models(limit):
    control = clingo.Control([str(limit), "--opt-mode=optN"])
    control.add("base", [], PROGRAM)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        seen = [(str(model), model.optimality_proven) for model in handle]
    return seen, {key: int(value) for key, value in control.statistics["summary"]["models"].items()}


print("clingo", clingo.__version__)
for limit, listed, proven in ((0, 3, 2), (1, 2, 1)):
    seen, statistics = models(limit)
    print(f"-n {limit}: {seen}, statistics {statistics}")
    assert len(seen) == listed == statistics["enumerated"]
    assert sum(optimal for _, optimal in seen) == proven == statistics["optimal"]
    assert seen[0][0] in [text for text, _ in seen[1:]]
PY
