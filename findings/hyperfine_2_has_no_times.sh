#!/usr/bin/env bash
# What: hyperfine 2's JSON has no mean and no times: a measurement is an object with a unit for each metric, and no shell is used.
# Version: hyperfine 2.0.0 (PyPI: astral-dev-toolchain-hyperfine 2.0.0).
# Seen: 2026-11-27.
# Surprises: who reads results[].times of 1.x: that key is gone, a parameter is an object, the CSV says s where the JSON says second.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile astral-dev-toolchain-hyperfine==2.0.0; } >&2 || exit 77
cd "$tmp"
v/bin/hyperfine --version
v/bin/hyperfine -r 3 -L threads 1,2 'sleep 0.0{threads}' --export-json r.json --export-csv r.csv >/dev/null 2>&1
# A shell's && is an argument now.
v/bin/hyperfine -r 2 'true && true' --export-json and.json >/dev/null 2>&1 || true
python3 - <<'PY'
import csv
import json

document = json.load(open("r.json"))
result = document["results"][0]
row = next(csv.DictReader(open("r.csv")))
print("document:", sorted(document), "- result:", sorted(result))
print("measurement:", result["measurements"][0]["time_wall_clock"], "- parameters:", result["parameters"])
print("CSV:", [name for name in row if "wall" in name], row["time_wall_clock_unit"])
assert document["schema_version"] == 2 and document["primary_metric"] == "time_wall_clock"
assert not {"times", "mean", "median", "user"} & set(result)
assert len(result["measurements"]) == 3 and result["parameters"] == {"threads": {"value": "1"}}
assert result["measurements"][0]["time_wall_clock"]["unit"] == "second" and row["time_wall_clock_unit"] == "s"
assert "mean" not in row and row["parameter_threads"] == "1"
PY
