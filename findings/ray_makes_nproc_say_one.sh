#!/usr/bin/env bash
# What: in a Ray task nproc says 1, since Ray sets OMP_NUM_THREADS to num_cpus and coreutils' nproc obeys it; the affinity has all cores.
# Version: Ray 2.60.0 (PyPI) with coreutils 9.1.
# Seen: 2026-11-27.
# Surprises: who starts programs in tasks: scripts with -j $(nproc) use one core, programs that ask the kernel (rayon, Go) use all.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile ray==2.60.0; } >&2 || exit 77
# On a busy machine Ray takes more than the minute that it allows itself.
export RAY_USAGE_STATS_ENABLED=0 RAY_raylet_start_wait_time_s=300 RAY_TMPDIR=$tmp
nproc --version | sed -n 1p
env -u OMP_NUM_THREADS "$tmp/v/bin/python" - <<'PY'
import os
import subprocess
import sys
import ray

try:
    ray.init(num_cpus=4, logging_level="ERROR", log_to_driver=False, include_dashboard=False)
except Exception as error:
    print("Ray does not start here:", error)
    sys.exit(77)


@ray.remote
def look():
    nproc = int(subprocess.check_output(["nproc"]))
    return os.environ.get("OMP_NUM_THREADS"), nproc, len(os.sched_getaffinity(0)), os.environ.get("RAYON_NUM_THREADS")


print("Ray", ray.__version__, "- cores outside:", len(os.sched_getaffinity(0)))
one, two = ray.get(look.remote()), ray.get(look.options(num_cpus=2).remote())
print("a task: OMP_NUM_THREADS, nproc, affinity, RAYON_NUM_THREADS:", one, "- with num_cpus=2:", two)
assert one == ("1", 1, len(os.sched_getaffinity(0)), None)
assert two[0] == "2" and two[2:] == one[2:]
ray.shutdown()
PY
