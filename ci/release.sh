#!/usr/bin/env bash
# Builds static programs for Linux, packs each with manual pages and completions, and proves that the archive works in an empty
# root. Nothing is uploaded; the archives and their SHA-256 lie in target/release-archives.
#
#     ci/release.sh                                  # x86-64 and aarch64
#     ci/release.sh x86_64-unknown-linux-musl        # one of them
#
# The compiler of this machine and the standard libraries with musl lie in target/release-tools: rustup's own are left alone.
# Skips in clear words what cannot be had. Some minutes for each.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: ci/release.sh: $*"; exit 0; }
[ "$(uname -sm)" = "Linux x86_64" ] || skip "runs on x86-64 Linux"
command -v rustup >/dev/null || skip "takes the standard libraries by rustup"
(($#)) || set -- x86_64-unknown-linux-musl aarch64-unknown-linux-musl

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
compiler=$(rustc --version | cut -d' ' -f2)
archives=$PWD/target/release-archives
unset RUSTUP_TOOLCHAIN RUSTC RUSTFLAGS
export RUSTUP_HOME=$PWD/target/release-tools/rustup CARGO_TARGET_DIR=$PWD/target/release-tools/build
if [ "$(cat "$RUSTUP_HOME/complete" 2>/dev/null)" != "$compiler" ]; then
    mkdir -p "$RUSTUP_HOME"
    timeout 400 rustup --quiet toolchain install "$compiler" --profile minimal --no-self-update \
        --target=x86_64-unknown-linux-musl --target=aarch64-unknown-linux-musl </dev/null >"$RUSTUP_HOME.log" 2>&1 ||
        skip "rustup cannot install the standard libraries with musl; $RUSTUP_HOME.log says why"
    echo "$compiler" >"$RUSTUP_HOME/complete"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$archives"
export TALLYBOARD_COMMIT
TALLYBOARD_COMMIT=$(git rev-parse HEAD)

# Builds a program for the target $1 with the linker that comes with the compiler.
build() {
    local name=CARGO_TARGET_${1^^}
    name=${name//-/_}
    # The profile cannot say it: cargo forgets `strip` for packages that have an `opt-level` of their own.
    env "${name}_LINKER=rust-lld" RUSTFLAGS="-C strip=symbols" cargo "+$compiler" build --release --locked --quiet --features serve --target "$1" --bin tallyboard
}

# Whether the program $1 needs nothing to be loaded.
is_static() { [[ $(readelf -lW "$1") != *INTERP* && $(readelf -dW "$1") != *NEEDED* ]]; }

chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot) || skip "no chroot"
# Runs the program in the folder $1 as if it were the whole machine: no shell, no libraries, no /proc, no terminal.
alone() {
    local root=$1
    shift
    if ((EUID == 0)); then
        env -i "$chroot" "$root" "$@"
    else
        env -i "$(command -v unshare)" --user --map-root-user "$chroot" "$root" "$@"
    fi
}

# Jobs of every kind in the empty root $1, whose results are known.
prove() {
    local root=$1 puzzle=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    [ "$(alone "$root" /tallyboard -q queens count 14)" = 365596 ]
    [[ $(alone "$root" /tallyboard -q sudoku solve - <<<"$puzzle") == *:1:534678912* ]]
    cp puzzles/soma.txt "$root"
    [ "$(alone "$root" /tallyboard -q cover count soma.txt)" = 11520 ]
    # A journal is written, and taken up again.
    [ "$(alone "$root" /tallyboard -q queens count 16 --journal q16)" = 14772512 ]
    [ "$(alone "$root" /tallyboard -q queens count 16 --journal q16 --resume)" = 14772512 ]
    alone "$root" /tallyboard --version
}

for target; do
    build "$target"
    program=$CARGO_TARGET_DIR/$target/release/tallyboard
    is_static "$program" || { echo "FAILED: ci/release.sh: $program needs libraries" >&2; exit 1; }
    name=tallyboard-$version-$target
    rm -rf "${work:?}/$name"
    mkdir -p "$work/$name"/{man,completions}
    cp "$program" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$work/$name"
    # What they say is the same for every target; this machine runs x86-64.
    native=$CARGO_TARGET_DIR/x86_64-unknown-linux-musl/release/tallyboard
    [ -x "$native" ] || { build x86_64-unknown-linux-musl; }
    "$native" man "$work/$name/man"
    for shell in bash zsh fish; do "$native" completions "$shell" >"$work/$name/completions/tallyboard.$shell"; done
    [ -s "$work/$name/man/tallyboard.1" ]
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -czf "$archives/$name.tar.gz" "$name"

    # From here on only the archive is used.
    rm -rf "$work/root"
    mkdir "$work/root"
    tar -C "$work/root" --strip-components=1 -xzf "$archives/$name.tar.gz"
    if [ "$target" = x86_64-unknown-linux-musl ]; then
        prove "$work/root" || { echo "FAILED: ci/release.sh: $name in an empty root" >&2; exit 1; }
        echo "$name: works in an empty root"
    else
        echo "$name: static; not run, as this machine is x86-64 (ci/aarch64.sh runs the tests in an emulator)"
    fi
done
(cd "$archives" && sha256sum tallyboard-"$version"-*.tar.gz | tee SHA256SUMS && ls -l --block-size=KiB ./*.tar.gz)
echo "ci/release.sh: passed"
