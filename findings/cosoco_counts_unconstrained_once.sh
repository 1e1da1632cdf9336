#!/usr/bin/env bash
# What: cosoco's list of all solutions leaves out the values of a variable in no constraint: 3 solutions with * instead of 6.
# Version: cosoco 2.6.1 (PyPI).
# Seen: 2026-11-28.
# Surprises: who counts with -nbsols=0: a constraint that is always true doubles the count; and with two threads no count is printed.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile cosoco==2.6.1; } >&2 || exit 77
solver=$("$tmp/v/bin/python" -c 'import cosoco_bin; print(cosoco_bin.PATH)')
instance() {
    cat <<XML
<instance format="XCSP3" type="CSP">
  <variables> <var id="x"> 0..1 </var> <var id="y"> 0..1 </var> <var id="z"> 0..1 </var> </variables>
  <constraints> <intension> le(x,y) </intension> $1 </constraints>
</instance>
XML
}
instance '' >"$tmp/free.xml"
instance '<intension> le(z,1) </intension>' >"$tmp/named.xml"
said() { "$solver" "$tmp/$1.xml" -nbsols=0 "${@:2}" 2>/dev/null | grep '^[dsv] ' | sed 's/ *$//' | paste -sd ';'; }
free=$(said free -model=1)
free_count=$(said free)
named_count=$(said named)
threads=$(said named -nbcores=2)
printf '%s\n' "x <= y, z in no constraint: $free" "its count: $free_count" "with z <= 1: $named_count" "with two threads: $threads"
[[ $free == "v 0 0 *;v 0 1 *;v 1 1 *;s SATISFIABLE" ]]
[[ $free_count == "s SATISFIABLE;d N_SOLUTIONS 3" ]]
[[ $named_count == "s SATISFIABLE;d N_SOLUTIONS 6" ]]
[[ $threads == "s SATISFIABLE" ]]
