#!/usr/bin/env bash
# The tests on aarch64: a release build by a cross compiler, run by qemu-user. Both come from Debian's testing suite, as
# packages unpacked under target/aarch64: nothing is installed on the machine. Skips in clear words where they cannot be
# had. About ten minutes on two cores, five of them again once everything is built.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: ci/aarch64.sh: $*"; exit 0; }
[ "$(uname -sm)" = "Linux x86_64" ] || skip "runs on x86-64 Linux"
command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "takes its packages by apt-get"

folder=$PWD/target/aarch64
root=$folder/root
bin=$folder/bin
if [ ! -e "$root/complete" ]; then
    rm -rf "$folder/apt" "$root"
    mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial} "$root" "$bin"
    : >"$folder/apt/status"
    # The machine's own mirror, and no packages but those named here and what they need.
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | head -1)
    [ -n "$mirror" ] || skip "apt has no list of Debian's packages: try apt-get update"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror testing main" >"$folder/apt/sources.list"
    cat >"$folder/apt/apt.conf" <<CONF
Dir::State "$folder/apt";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Architecture "amd64";
APT::Architectures { "amd64"; "arm64"; };
APT::Sandbox::User "";
CONF
    export APT_CONFIG=$folder/apt/apt.conf
    apt-get --quiet=2 update || skip "no list of Debian's testing suite"
    apt-get --quiet=2 --yes --download-only --no-install-recommends install rustc libstd-rust-dev:arm64 \
        binutils-aarch64-linux-gnu libc6-dev-arm64-cross libgcc-s1-arm64-cross qemu-user >"$folder/apt/log" ||
        skip "no rustc, standard library or qemu for it; $folder/apt/log says why"
    unset APT_CONFIG
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg --extract "$package" "$root"
    done
    rm -r "$folder/apt"
    ln -sf libgcc_s.so.1 "$root/usr/aarch64-linux-gnu/lib/libgcc_s.so"
    touch "$root/complete"
fi

# Programs of the suite run with its own C library, whatever this machine has.
wrap() { printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }
own="exec $root/usr/lib64/ld-linux-x86-64.so.2 --library-path $root/usr/lib/x86_64-linux-gnu $root/usr/bin"
libraries=$root/usr/aarch64-linux-gnu/lib
wrap rustc "$own/rustc \"\$@\""
wrap rustdoc "$own/rustdoc \"\$@\""
wrap ld "$own/aarch64-linux-gnu-ld -dynamic-linker /lib/ld-linux-aarch64.so.1 --sysroot=$root -L $libraries \
    $libraries/Scrt1.o $libraries/crti.o \"\$@\" $libraries/crtn.o"
wrap run "exec $root/usr/bin/qemu-aarch64 -L $root/usr/aarch64-linux-gnu \"\$@\""

export RUSTC=$bin/rustc RUSTDOC=$bin/rustdoc CARGO_BUILD_TARGET=aarch64-unknown-linux-gnu CARGO_TARGET_DIR=$folder/build
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$bin/ld CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$bin/run
cargo test --release --locked --no-run --message-format=json-render-diagnostics >"$folder/artifacts.json"

# Tests start programs by their names, which this machine's kernel cannot: a script of that name starts qemu with the program.
built=$CARGO_TARGET_DIR/$CARGO_BUILD_TARGET/release
for program in "$built/tallyboard" "$built"/examples/{langford,mappings,peaceful,words}; do
    if [ "$(head -c 2 "$program")" != '#!' ]; then
        mv "$program" "$program.aarch64"
        printf '#!/bin/sh\nexec %s %s.aarch64 "$@"\n' "$bin/run" "$program" >"$program" && chmod +x "$program"
    fi
done

# Which of the tests run: all of the library, and those of the suite that count and solve by every kernel, read and write
# files and journals, and call the program. What looks at the memory, signals or terminal of a process sees qemu's there.
tests=$(sed -n 's/.*"overflow_checks":[a-z]*,"test":true.*"executable":"\([^"]*\)".*/\1/p' "$folder/artifacts.json")
units=$(grep 'deps/tallyboard-' <<<"$tests") && suite=$(grep -m1 'deps/suite-' <<<"$tests") ||
    { echo "FAILED: ci/aarch64.sh: found no programs of tests in: $tests"; exit 1; }
for unit in $units; do
    "$bin/run" "$unit" --test-threads 2
done
"$bin/run" "$suite" --test-threads 2 audit:: driver:: golden:: journal:: queens_boards:: sample:: sudoku_bands:: \
    sudoku_engines:: sudoku_formats:: sudoku_records:: sudoku_solvers::
"$built/tallyboard" queens verify 12
echo "ci/aarch64.sh: passed"
