#!/usr/bin/env bash
# Measures every way to count queens against the textbook recursion and prints a dated table.
#
#     benches/records.sh [SIZES] [ROUNDS] [THREADS] > benches/records/DATE-queens.md
#     benches/records.sh "14 15 16" 5 1
#
# The ways take turns within a round (A B C A B C), so that a busy moment hits them alike. A cell is
# the median over the rounds of the seconds of CPU time, all threads together, that the whole process
# took, and its ratio to the textbook recursion. Counts are checked by the program against the known ones.
set -euo pipefail
cd "$(dirname "$0")/.."
sizes=${1:-14 15 16 17 18}
rounds=${2:-3}
threads=${3:-1}
program=${CARGO_TARGET_DIR:-target}/release/tallyboard
cargo build --release --locked --quiet

# The ways to count: engine, then kernel. An engine or a kernel that is not there is left out.
ways=()
for way in "textbook auto" "blocks portable" "blocks avx2" "blocks avx512" "halves portable" "halves avx2" "halves avx512"; do
    read -r engine kernel <<<"$way"
    "$program" -q queens count 6 --engine "$engine" --kernel "$kernel" >/dev/null 2>&1 && ways+=("$way")
done

[ "${#ways[@]}" -gt 0 ] || { echo "$0: $program counts in no way at all" >&2; exit 1; }

# Seconds of CPU time of one count.
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$program" -q -j "$threads" queens count "$1" --engine "$2" --kernel "$3" >/dev/null; } 2>&1 |
        awk '{ printf "%.3f\n", $1 + $2 }'
}

median() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

cat <<HEADER
# Queens, $(date -u +%Y-%m-%d)

- CPU: $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores
- compiler: $(rustc --version)
- version: $(git describe --always --dirty 2>/dev/null || echo unknown)
- command: benches/records.sh "$sizes" $rounds $threads
- seconds of CPU time, $threads thread(s), median of $rounds rounds; in brackets how many times faster than textbook

HEADER

printf '| n |'
for way in "${ways[@]}"; do printf ' %s |' "${way% auto}"; done
printf '\n|---|'
for _ in "${ways[@]}"; do printf -- '---|'; done
printf '\n'

samples=$(mktemp -d)
trap 'rm -r "$samples"' EXIT
for n in $sizes; do
    for ((round = 0; round < rounds; round++)); do
        for index in "${!ways[@]}"; do
            read -r engine kernel <<<"${ways[index]}"
            seconds "$n" "$engine" "$kernel" >>"$samples/$n.$index"
        done
    done
    printf '| %s |' "$n"
    for index in "${!ways[@]}"; do
        ruler=$(median <"$samples/$n.0")
        median <"$samples/$n.$index" |
            awk -v ruler="$ruler" '{ printf " %.3f (%.1f) |", $1, ($1 > 0 ? ruler / $1 : 0) }'
    done
    printf '\n'
done
