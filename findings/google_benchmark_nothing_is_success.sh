#!/usr/bin/env bash
# What: a filter that matches nothing ends Google Benchmark with 0 and an empty file where JSON was asked for; so does a failed benchmark with 0.
# Version: Google Benchmark 1.7.1 (Debian 12, 1.7.1-1).
# Seen: 2026-11-28.
# Surprises: who renames a benchmark and lets a script measure it: the job is green, its file of results has no byte.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(command -v g++ && cd "$tmp" && apt-get -q download libbenchmark-dev=1.7.1-1 libbenchmark1debian=1.7.1-1 &&
    for package in *.deb; do dpkg -x "$package" .; done) >&2 || exit 77
library="$tmp/usr/lib/$(uname -m)-linux-gnu"
cat >"$tmp/fail.cc" <<'CC'
#include <benchmark/benchmark.h>
static void fails(benchmark::State& state) {
    state.SkipWithError("wrong answer");
    for (auto _ : state) {}
}
BENCHMARK(fails);
BENCHMARK_MAIN();
CC
g++ -I"$tmp/usr/include" "$tmp/fail.cc" -L"$library" -lbenchmark -lpthread -o "$tmp/fail" >&2 || exit 77
run() {
    status=0
    LD_LIBRARY_PATH=$library "$tmp/fail" --benchmark_out="$tmp/$1.json" --benchmark_filter="$1" >/dev/null 2>"$tmp/messages" || status=$?
    echo "filter $1: exit code $status, $(stat -c %s "$tmp/$1.json") bytes; $(tail -n 1 "$tmp/messages")"
}
run renamed
[[ $status == 0 && ! -s $tmp/renamed.json ]]
run fails
[[ $status == 0 ]]
grep -q '"error_message": "wrong answer"' "$tmp/fails.json"
