# Sourced: makes $python, a virtual environment in target/ with the packages that a suite names.
# Skips the suite in clear words where that is not possible.
#   source ci/python.sh SUITE PACKAGE...
suite=$1
shift
skip() { echo "SKIPPED: $suite: $*"; exit 0; }
command -v python3 >/dev/null || skip "no python3"
environment=target/python
python=$environment/bin/python
[ -x "$python" ] || python3 -m venv "$environment" 2>/dev/null || skip "python3 cannot make a venv"
timeout 300 "$python" -m pip --quiet --disable-pip-version-check install "$@" 2>/dev/null ||
    skip "pip cannot install $*"
