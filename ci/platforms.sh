#!/usr/bin/env bash
# Compiles the library, the program and its examples for macOS and Windows as far as that needs no linker (`cargo check`).
# Nothing is run. The compiler of this machine and the standard libraries lie in target/platforms: rustup's own are left
# alone. Skips in clear words where they cannot be had. A minute or two on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: ci/platforms.sh: $*"; exit 0; }
command -v rustup >/dev/null || skip "takes the standard libraries by rustup"

# Nothing in the sources asks for the environment of Windows, or for the processor of a Mac.
targets=(aarch64-apple-darwin x86_64-pc-windows-msvc)
version=$(rustc --version | cut -d' ' -f2)
unset RUSTUP_TOOLCHAIN RUSTC RUSTFLAGS
export RUSTUP_HOME=$PWD/target/platforms/rustup CARGO_TARGET_DIR=$PWD/target/platforms/build
if [ "$(cat "$RUSTUP_HOME/complete" 2>/dev/null)" != "$version ${targets[*]}" ]; then
    mkdir -p "$RUSTUP_HOME"
    timeout 400 rustup --quiet toolchain install "$version" --profile minimal --no-self-update \
        "${targets[@]/#/--target=}" </dev/null >"$RUSTUP_HOME.log" 2>&1 ||
        skip "rustup cannot install the standard libraries; $RUSTUP_HOME.log says why"
    echo "$version ${targets[*]}" >"$RUSTUP_HOME/complete"
fi
for target in "${targets[@]}"; do
    echo "$target"
    RUSTFLAGS='-D warnings' cargo "+$version" check --quiet --locked --target "$target" --lib --bins --examples
done
echo "ci/platforms.sh: passed"
