#!/usr/bin/env bash
# Runs the findings that are named (`xcover_reads_loosely`), or all, and prints a table. Each has LIMIT seconds, its
# downloads included. What a finding prints is shown if it did not come out as it was seen.
set -euo pipefail
cd "$(dirname "$0")"
limit=${LIMIT:-600}

if (($# == 0)); then
    for script in *.sh; do
        [[ $script == run.sh ]] || set -- "$@" "${script%.sh}"
    done
fi
output=$(mktemp)
trap 'rm -f "$output"' EXIT
changed=0
for name in "$@"; do
    started=$SECONDS
    status=0
    timeout "$limit" "./$name.sh" >"$output" 2>&1 </dev/null || status=$?
    case $status in
        0) result=ok ;;
        77) result='could not install' ;;
        124) result="not through in $limit s" changed=1 ;;
        *) result=changed changed=1 ;;
    esac
    printf '%-42s %-18s %4d s\n' "$name" "$result" $((SECONDS - started))
    [[ $status == 0 ]] || sed 's/^/    /' "$output"
done
exit $changed
