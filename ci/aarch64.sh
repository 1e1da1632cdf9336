#!/usr/bin/env bash
# The tests on aarch64: a release build by a cross compiler, run by qemu-user; then the Python wheel and its tests. All
# tools come from Debian's testing suite, as packages unpacked under target/aarch64: nothing is installed on the machine.
# Skips in clear words where they cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/debian.sh ci/aarch64.sh
folder=$PWD/target/aarch64
root=$folder/root
bin=$folder/bin
unpack "$root" rustc libstd-rust-dev:arm64 binutils-aarch64-linux-gnu libc6-dev-arm64-cross libgcc-s1-arm64-cross qemu-user
ln -sf libgcc_s.so.1 "$root/usr/aarch64-linux-gnu/lib/libgcc_s.so"

# Programs of the suite run with its own C library, whatever this machine has.
mkdir -p "$bin"
wrap() { printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }
own="exec $root/usr/lib64/ld-linux-x86-64.so.2 --library-path $root/usr/lib/x86_64-linux-gnu $root/usr/bin"
libraries=$root/usr/aarch64-linux-gnu/lib
wrap rustc "$own/rustc \"\$@\""
wrap rustdoc "$own/rustdoc \"\$@\""
# The linker, with the options of a C compiler: told to link by `ld` itself, rustc 1.97 panics at a library for Python.
# A program begins in Scrt1.o; such a library does not.
cat >"$bin/cc" <<END
#!/usr/bin/env bash
start=$libraries/Scrt1.o
arguments=()
for argument; do
    case \$argument in
    -Wl,*) IFS=, read -ra parts <<<"\${argument#-Wl,}" && arguments+=("\${parts[@]}") ;;
    -nodefaultlibs) ;;
    -shared) start= && arguments+=(-shared) ;;
    *) arguments+=("\$argument") ;;
    esac
done
$own/aarch64-linux-gnu-ld -dynamic-linker /lib/ld-linux-aarch64.so.1 --sysroot=$root -L $libraries \
    \$start $libraries/crti.o "\${arguments[@]}" $libraries/crtn.o
END
chmod +x "$bin/cc"
wrap run "exec $root/usr/bin/qemu-aarch64 -L $root/usr/aarch64-linux-gnu \"\$@\""

export RUSTC=$bin/rustc RUSTDOC=$bin/rustdoc CARGO_BUILD_TARGET=aarch64-unknown-linux-gnu CARGO_TARGET_DIR=$folder/build
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=$bin/cc CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$bin/run
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
units=$(grep 'deps/tallyboard[-_]' <<<"$tests") && suite=$(grep -m1 'deps/suite-' <<<"$tests") ||
    { echo "FAILED: ci/aarch64.sh: found no programs of tests in: $tests"; exit 1; }
# Not those that take a minute or more in the emulator, and say no more of this processor than others do.
slow="--skip in_memory::tests::properties_of_puzzles --skip sample::few_draws"
for unit in $units; do
    "$bin/run" "$unit" --test-threads 2 --quiet $slow
done
"$bin/run" "$suite" --test-threads 2 --quiet $slow audit:: driver:: subtrees:: journal:: queens_boards:: sample:: \
    sudoku_bands:: sudoku_engines:: sudoku_formats:: sudoku_records:: sudoku_solvers::
"$built/tallyboard" queens verify 12

# The Python wheel, made by the same compiler, with its tests in a Python for aarch64. The program is no part of such a
# wheel: it is found in PATH. `test_program.py` is left out, since it starts that Python by its name.
arm=$folder/python
unpack "$arm" python3:arm64 python3-numpy:arm64 python3-pytest
[ -e "$arm/lib" ] || ln -s usr/lib "$arm/lib"
source ci/python.sh 'ci/aarch64.sh, its wheel' 'maturin>=1.9,<2'
rm -rf "$folder/wheel" "$folder/installed"
PYO3_NO_PYTHON=1 "$python" -m maturin build --quiet --release --locked --manifest-path python/Cargo.toml \
    --compatibility linux --target aarch64-unknown-linux-gnu --out "$folder/wheel"
"$python" -m zipfile --extract "$folder"/wheel/*_aarch64.whl "$folder/installed"
interpreter=$(readlink -f "$arm/usr/bin/python3")
arrays=$arm/usr/lib/aarch64-linux-gnu
# Not in python/, where a package without its compiled part would be found first.
tests=("$PWD"/python/tests/test_{queens,sudoku,columns}.py)
(cd "$folder" && PATH=$built:$PATH PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH=$folder/installed:$arm/usr/lib/python3/dist-packages \
    "$root/usr/bin/qemu-aarch64" -E LD_LIBRARY_PATH="$arrays/blas:$arrays/lapack" -L "$arm" "$interpreter" \
    -m pytest --quiet -p no:cacheprovider "${tests[@]}")
echo "ci/aarch64.sh: passed"
