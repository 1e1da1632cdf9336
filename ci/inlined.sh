#!/usr/bin/env bash
# Kernels call no generic function of core: in a release build such a function is compiled apart from them,
# without their instructions, and they take up to seven times as long (crates/tallyboard-base/src/array.rs).
# Reads the machine code of the games with kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
# Names of relocations and of kernels are those of x86-64.
[[ $(uname -m) == x86_64 ]] || { echo "SKIPPED: inlined: reads x86_64, this is $(uname -m)"; exit 0; }
command -v objdump >/dev/null || { echo "SKIPPED: inlined: objdump is not installed"; exit 0; }
kernels="[Pp]ortable|$(ci/kernels.sh)"
cargo build --release --locked --quiet
folder=${CARGO_TARGET_DIR:-target}/release
objdump --disassemble --reloc --demangle --no-show-raw-insn \
    "$folder"/libtallyboard_{queens,sudoku,cover,regions}.rlib | awk -v names="$kernels" '
    BEGIN { function_of_kernel = "tallyboard_(queens|sudoku|cover|regions)::.*::(" names ")( as |::)" }
    /^[0-9a-f]+ <.*>:$/ {
        name = $0
        sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name)
        kernel = name ~ function_of_kernel
        kernels += kernel
    }
    kernel && /R_X86_64_/ {
        target = $0
        sub(/.*R_X86_64_[A-Z0-9_]*[ \t]*/, "", target); sub(/[-+]0x[0-9a-f]+$/, "", target)
        if (target ~ /^<?&?(mut )?core::(array|iter|ops|slice)/ && target !~ /_fail|core::slice::index/)
            found[name " calls " target]
    }
    END {
        for (call in found) { print call; calls++ }
        # Without kernels to look at, the check would pass unseen.
        if (kernels < 30) { print "found " kernels + 0 " functions of kernels, expected 30 or more"; exit 1 }
        if (calls) exit 1
        print "inlined: " kernels " functions of kernels call nothing generic of core"
    }'
