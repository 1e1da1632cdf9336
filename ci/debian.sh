# Sourced: unpacks packages of Debian's testing suite into a folder of this project; nothing is installed on the machine.
# Skips the suite in clear words where they cannot be had.
#   source ci/debian.sh SUITE
suite=$1
skip() { echo "SKIPPED: $suite: $*"; exit 0; }
[ "$(uname -sm)" = "Linux x86_64" ] || skip "runs on x86-64 Linux"
command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "takes its packages by apt-get"

# Unpacks packages, with what they need, into a folder, unless they are there.
#   unpack INTO PACKAGE...
unpack() {
    local into=$1 list=$1.apt mirror package
    shift
    [ "$(cat "$into/complete" 2>/dev/null)" != "$*" ] || return 0
    rm -rf "$list" "$into"
    mkdir -p "$list"/{lists/partial,cache/archives/partial} "$into"
    : >"$list/status"
    # The machine's own mirror, and no packages but those named here and what they need.
    mirror=$(timeout 20 apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | sed -n 1p)
    [ -n "$mirror" ] || skip "apt has no list of Debian's packages: try apt-get update"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror testing main" >"$list/sources.list"
    cat >"$list/apt.conf" <<CONF
Dir::State "$list";
Dir::State::status "$list/status";
Dir::Cache "$list/cache";
Dir::Etc::sourcelist "$list/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Architecture "amd64";
APT::Architectures { "amd64"; "arm64"; };
APT::Sandbox::User "";
Acquire::http::Timeout "20";
Acquire::Retries "1";
CONF
    APT_CONFIG=$list/apt.conf timeout 120 apt-get --quiet=2 update </dev/null >"$list.log" 2>&1 ||
        skip "no list of Debian's testing suite; $list.log says why"
    APT_CONFIG=$list/apt.conf timeout 400 apt-get --quiet=2 --yes --download-only --no-install-recommends install "$@" \
        </dev/null >>"$list.log" 2>&1 || skip "apt has not all of $*; $list.log says why"
    for package in "$list"/cache/archives/*.deb; do
        dpkg --extract "$package" "$into"
    done
    rm -r "$list"
    echo "$*" >"$into/complete"
}
