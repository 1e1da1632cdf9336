#!/usr/bin/env bash
# What: each row of qqwing's --csv --stats ends with a comma, its header does not: the rows have one field more.
# Version: qqwing 1.3.4 (Debian 12, 1.3.4-1.1+b1).
# Seen: 2026-11-27.
# Surprises: who reads the table by names: pandas takes the first column for row labels and shifts the others; strict readers stop.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && apt-get -q download qqwing=1.3.4-1.1+b1 libqqwing2v5=1.3.4-1.1+b1 &&
    for package in *.deb; do dpkg -x "$package" .; done) >&2 || exit 77
export LD_LIBRARY_PATH="$tmp/usr/lib/$(uname -m)-linux-gnu"
"$tmp/usr/bin/qqwing" --version
"$tmp/usr/bin/qqwing" --generate 3 --csv --stats >"$tmp/table.csv"
commas() { tr -cd ',\n' | awk '{ print length }' | sort -u | paste -sd' '; }
header=$(sed -n 1p "$tmp/table.csv" | commas)
rows=$(sed 1d "$tmp/table.csv" | commas)
echo "commas in the header: $header, in each row: $rows, last character: $(sed 1d "$tmp/table.csv" | sed 's/.*\(.\)$/\1/' | sort -u)"
[[ $header == 10 && $rows == 11 ]]
[[ $(sed 1d "$tmp/table.csv" | grep -c ',$') == 3 ]]
