#!/usr/bin/env bash
# What: with ->Threads(4), Google Benchmark 1.7.1 divides the wall time by the iterations of all threads together.
# Version: Google Benchmark 1.7.1 (Debian 12, 1.7.1-1); since 1.9 real_time is the wall time of an iteration.
# Seen: 2026-11-27.
# Surprises: who plots real_time over threads: sleeping 20 ms seems to take 5 ms with four; and the file names no version.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(command -v g++ && cd "$tmp" && apt-get -q download libbenchmark-dev=1.7.1-1 libbenchmark1debian=1.7.1-1 &&
    for package in *.deb; do dpkg -x "$package" .; done) >&2 || exit 77
library="$tmp/usr/lib/$(uname -m)-linux-gnu"
cat >"$tmp/sleep.cc" <<'CC'
#include <benchmark/benchmark.h>
#include <unistd.h>
static void sleep20ms(benchmark::State& state) {
    for (auto _ : state) usleep(20000);
}
BENCHMARK(sleep20ms)->Threads(1)->Threads(4)->UseRealTime()->Iterations(10)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
CC
g++ -I"$tmp/usr/include" "$tmp/sleep.cc" -L"$library" -lbenchmark -lpthread -o "$tmp/sleep" >&2 || exit 77
LD_LIBRARY_PATH=$library "$tmp/sleep" --benchmark_format=json >"$tmp/sleep.json" 2>/dev/null
python3 - "$tmp/sleep.json" <<'PY'
import json
import sys

document = json.load(open(sys.argv[1]))
one, four = document["benchmarks"]
print("context:", sorted(document["context"]))
for run in (one, four):
    print(f"{run['threads']} threads: {run['iterations']} iterations, real_time {run['real_time']:.2f} {run['time_unit']}")
assert not [key for key in document["context"] if "version" in key]
assert (one["iterations"], four["iterations"]) == (10, 40)
assert one["real_time"] >= 20 and four["real_time"] < 15, "each of its iterations slept 20 ms"
PY
