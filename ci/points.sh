#!/usr/bin/env bash
# Times of hyperfine, Google Benchmark and criterion, made by these tools, are read and fitted by `scale fit`. Tools that
# are not installed are skipped; criterion is compiled here. RENEW=1 also keeps the files in tests/data/points, which
# tests/suite/scale_fit.rs fits and works out again.
set -euo pipefail
cd "$(dirname "$0")/.."
made=target/points
rm -rf "$made/files" && mkdir -p "$made/files"

cargo build --quiet --locked --bin tallyboard
tool=$PWD/target/debug/tallyboard

hyperfine_file() {
    command -v hyperfine >/dev/null || { echo "SKIPPED: points: no hyperfine"; return; }
    (cd target/debug && hyperfine -N -w 1 -r 6 --style none -L threads 1,2,3,4 "./tallyboard -q queens count 14 -j {threads}" \
        --export-json "$OLDPWD/$made/files/hyperfine.json" --export-csv "$OLDPWD/$made/files/hyperfine.csv") >/dev/null
    "$tool" scale fit "$made/files/hyperfine.json"
    "$tool" scale fit "$made/files/hyperfine.csv" >/dev/null
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

hyperfine_file
google_file
criterion_folder
if [ "${RENEW:-}" = 1 ]; then
    mkdir -p tests/data/points
    cp -r "$made/files/." tests/data/points/
fi
