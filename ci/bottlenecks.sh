#!/usr/bin/env bash
# Five programs with one bottleneck each (tests/programs/bottleneck.rs): the report of `scale run` has to name
# it. A machine with other work on it shows that too, so each has three tries; `ci/bottlenecks.sh lock` tries one.
# Where memory is no bottleneck for as many threads as there are processors, that one is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
TRIES=${TRIES:-3}

cargo build --quiet --release --locked --bin tallyboard --example bottleneck
tool=target/release/tallyboard
program=target/release/examples/bottleneck
processors=$(nproc)
[ "$processors" -gt 1 ] || { echo "SKIPPED: bottlenecks: one processor"; exit 0; }

burners=()
quiet() { [ ${#burners[@]} = 0 ] || kill "${burners[@]}" 2>/dev/null || true; burners=(); }
trap quiet EXIT

declare -A names=([lock]="a lock" [serial]="a serial part" [memory]="memory" [uneven]="uneven pieces"
    [neighbours]="busy neighbours")
passed=0 failed=0
for mode in ${1:-lock serial memory uneven neighbours}; do
    found=
    for try in $(seq "$TRIES"); do
        if [ "$mode" = neighbours ]; then
            for _ in $(seq "$processors"); do (while :; do :; done) & burners+=($!); done
        fi
        report=$("$tool" scale run -q -P "$processors" -w 1 -r 5 -- "$program" "$mode" '{threads}' 2>&1) ||
            { echo "$report"; exit 1; }
        quiet
        found=$(grep -o '^Main cause: [^,]*' <<<"$report" | sed 's/^Main cause: //') || true
        [ "$found" = "${names[$mode]}" ] && break
    done
    if [ "$found" = "${names[$mode]}" ]; then
        echo "$mode: $(grep '^Main cause' <<<"$report") (try $try)"
        passed=$((passed + 1))
    elif [ "$mode" = memory ] && ! grep -q '^Main cause: s' <<<"$report"; then
        echo "SKIPPED: memory: $processors threads have as much memory as they ask for"
    else
        echo "FAILED: $mode: found '$found', expected '${names[$mode]}'"
        echo "$report"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
