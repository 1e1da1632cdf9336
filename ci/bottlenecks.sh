#!/usr/bin/env bash
# Programs with one bottleneck each (tests/programs/bottleneck.rs): the report of `scale run` has to name it. A machine
# with other work on it shows that too, so each has three tries; `ci/bottlenecks.sh lock` tries one.
# RUNS=10 asks for more: each has to be named in every one of ten runs, which takes a quiet machine.
# Where memory is no bottleneck for as many threads as there are processors, that one is skipped, as the quota is where
# no control group can be made.
set -euo pipefail
cd "$(dirname "$0")/.."
TRIES=${TRIES:-3}
RUNS=${RUNS:-}

tool=${TALLYBOARD:-target/release/tallyboard}
program=${BOTTLENECK:-target/release/examples/bottleneck}
[ -n "${TALLYBOARD:-}" ] || cargo build --quiet --release --locked --bin tallyboard --example bottleneck
processors=$(nproc)
[ "$processors" -gt 1 ] || { echo "SKIPPED: bottlenecks: one processor"; exit 0; }

burners=() group=
quiet() { [ ${#burners[@]} = 0 ] || kill "${burners[@]}" 2>/dev/null || true; burners=(); }
leave() { quiet; [ -z "$group" ] || rmdir "$group" 2>/dev/null || true; }
trap leave EXIT

# Makes a control group with one processor of several, of version 2 or 1.
make_group() {
    local mount
    for mount in /sys/fs/cgroup /sys/fs/cgroup/cpu; do
        group=$mount/tallyboard-bottlenecks-$$
        mkdir "$group" 2>/dev/null || continue
        # A plain folder has none of these files.
        if [ -e "$group/cpu.max" ]; then
            { echo "100000 100000" >"$group/cpu.max"; } 2>/dev/null && return
        elif [ -e "$group/cpu.cfs_quota_us" ]; then
            { echo 100000 >"$group/cpu.cfs_period_us" && echo 100000 >"$group/cpu.cfs_quota_us"; } 2>/dev/null && return
        fi
        rmdir "$group"
    done
    group=
    return 1
}

# measure MODE: prints the report. The processors' burners and the quota are there in these modes alone.
measure() {
    local mode=$1 work=$1
    case $mode in
    neighbours) for _ in $(seq "$processors"); do (while :; do :; done) & burners+=($!); done ;;
    quota) work=neighbours ;;
    esac
    local words=("$tool" scale run -q -P "$processors" -w 1 -r 5 -- "$program" "$work" '{threads}')
    if [ "$mode" = quota ]; then
        sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "${words[@]}" >"$report" 2>&1 || return 1
    else
        "${words[@]}" >"$report" 2>&1 || return 1
    fi
}

report=$(mktemp)
declare -A names=([lock]="a lock" [serial]="a serial part" [memory]="memory" [uneven]="uneven pieces"
    [neighbours]="busy neighbours" [quota]="the quota of the control group")
passed=0 failed=0
for mode in ${1:-lock serial memory uneven neighbours quota}; do
    if [ "$mode" = quota ] && ! make_group; then
        echo "SKIPPED: quota: no control group can be made here"
        continue
    fi
    right=0 found=
    for try in $(seq "${RUNS:-$TRIES}"); do
        measure "$mode" || { cat "$report"; exit 1; }
        quiet
        found=$(grep -o '^Main cause: [^,(]*' "$report" | sed 's/^Main cause: //; s/ $//') || true
        [ "$found" != "${names[$mode]}" ] || right=$((right + 1))
        [ -n "$RUNS" ] || [ "$right" = 0 ] || break
        [ -z "$RUNS" ] || [ "$found" = "${names[$mode]}" ] || echo "$mode, run $try: found '$found'"
    done
    if [ "$right" -ge "${RUNS:-1}" ]; then
        echo "$mode: $(grep '^Main cause' "$report") ($right of $try)"
        passed=$((passed + 1))
    elif [ "$mode" = memory ] && [ "$right" = 0 ] && ! grep -q '^Main cause: s' "$report"; then
        echo "SKIPPED: memory: $processors threads have as much memory as they ask for"
    else
        echo "FAILED: $mode: $right of $try, found '$found' last, expected '${names[$mode]}'"
        cat "$report"
        failed=$((failed + 1))
    fi
done
rm -f "$report"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
