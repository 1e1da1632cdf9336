#!/usr/bin/env bash
# Counts instructions: of the portable kernels and of NEON's on aarch64, under emulation, and of AVX2's on this machine for
# the same work. Writes a table. Times are not told: an emulator has none of the processor's.
#   benches/instructions.sh
# After ci/aarch64.sh and `cargo build --release`; takes valgrind, cc, and a qemu-aarch64 that loads plugins, which
# QEMU names: Debian 12's qemu-user does, later ones are linked statically and do not.
set -euo pipefail
cd "$(dirname "$0")/.."
qemu=${QEMU:-qemu-aarch64}
root=target/aarch64/root/usr/aarch64-linux-gnu
arm=target/aarch64/build/aarch64-unknown-linux-gnu/release/tallyboard.aarch64
x86=target/release/tallyboard
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -shared -fPIC -o "$work/plugin.so" benches/instructions.c

on_arm() { "$qemu" -L "$root" -d plugin -plugin "$work/plugin.so" "$arm" "$@" 2>&1 >"$work/answer" | sed -n 's/^instructions //p'; }
on_x86() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$x86" "$@" 2>&1 >"$work/answer" | sed -n 's/.*Collected : //p'; }
# Millions of instructions a job takes beyond those of a start, and that its answer is that of the first kernel.
row() {
    local name=$1 line="| $1 " first=
    shift
    for where in on_arm:portable on_arm:neon on_x86:avx2; do
        local count start
        count=$("${where%:*}" -q -j 1 "$@" --kernel "${where#*:}")
        [ -n "$first" ] || first=$(md5sum <"$work/answer")
        [ "$first" = "$(md5sum <"$work/answer")" ] || { echo "FAILED: $name: $where has another answer" >&2; exit 1; }
        start=$("${where%:*}" -q -j 1 queens count 4)
        line+="| $(awk "BEGIN { printf \"%.1f\", ($count - $start) / 1e6 }") "
    done
    echo "$line|"
}
"$x86" -q sudoku generate 2000 --minimal --seed 1 >"$work/minimal"
"$x86" -q sudoku generate 2000 --clues 36 --seed 1 >"$work/easy"
echo "| millions of instructions | aarch64 portable | NEON | AVX2 |"
echo "|---|---|---|---|"
row "2,000 minimal sudokus" sudoku solve "$work/minimal"
row "2,000 easy sudokus (36 clues)" sudoku solve "$work/easy"
echo "123456789456789123$(printf ".%.0s" {1..63})" >"$work/rows"
echo "1$(printf ".%.0s" {1..80})" >"$work/clue"
row "sudoku count, two rows of clues, bands" sudoku count "$work/rows"
row "sudoku count, one clue, bands" sudoku count "$work/clue"
row "queens 16, halves" queens count 16 --engine halves
row "queens 18, halves" queens count 18 --engine halves
row "queens 16, blocks" queens count 16 --engine blocks
row "queens 18, blocks" queens count 18 --engine blocks
