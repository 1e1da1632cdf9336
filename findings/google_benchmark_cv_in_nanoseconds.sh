#!/usr/bin/env bash
# What: the coefficient of variation stands in Google Benchmark's CSV times 10^9 and divided by the repetitions, in a row of 'ns'; in its
# JSON it is the fraction of the mean, under the unit 'percentage'.
# Version: Google Benchmark 1.7.1 (Debian 12, 1.7.1-1).
# Seen: 2026-11-28.
# Surprises: who reads all rows of the CSV as times: a spread of a few per cent looks like a benchmark of tens of milliseconds.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(command -v g++ && cd "$tmp" && apt-get -q download libbenchmark-dev=1.7.1-1 libbenchmark1debian=1.7.1-1 &&
    for package in *.deb; do dpkg -x "$package" .; done) >&2 || exit 77
library="$tmp/usr/lib/$(uname -m)-linux-gnu"
cat >"$tmp/sleep.cc" <<'CC'
#include <benchmark/benchmark.h>
#include <unistd.h>
static void waits(benchmark::State& state) {
    for (auto _ : state) usleep(1000);
}
BENCHMARK(waits)->UseRealTime()->Iterations(1)->Repetitions(5)->Unit(benchmark::kNanosecond);
BENCHMARK_MAIN();
CC
g++ -I"$tmp/usr/include" "$tmp/sleep.cc" -L"$library" -lbenchmark -lpthread -o "$tmp/sleep" >&2 || exit 77
cd "$tmp"
for form in csv json; do
    LD_LIBRARY_PATH=$library ./sleep --benchmark_format=$form >"sleep.$form" 2>/dev/null
done
python3 - <<'PY'
import csv
import json


def spread(runs):
    return float(runs["stddev"]["real_time"]) / float(runs["mean"]["real_time"])


csv_runs = {row["name"].rpartition("_")[2]: row for row in csv.DictReader(open("sleep.csv"))}
json_runs = {run.get("aggregate_name"): run for run in json.load(open("sleep.json"))["benchmarks"]}
row, run = csv_runs["cv"], json_runs["cv"]
print(f"CSV: {row['name']} real_time {row['real_time']} {row['time_unit']}")
print(f"CSV: deviation over mean {spread(csv_runs):.3g}")
print(f"JSON: {run['name']} real_time {run['real_time']:.3g}, time_unit {run['time_unit']}, aggregate_unit {run['aggregate_unit']}")
assert row["time_unit"] == run["time_unit"] == "ns" and run["aggregate_unit"] == "percentage"

repetitions = int(row["iterations"])
assert repetitions == 5 and abs(float(row["real_time"]) * repetitions / 1e9 / spread(csv_runs) - 1) < 0.001
assert abs(run["real_time"] / spread(json_runs) - 1) < 0.001
PY
