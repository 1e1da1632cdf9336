#!/usr/bin/env bash
# What: clasp -n 92 on a problem of 92 models says 92+ and ends with 10; that these are all is said, with 30, from -n 93 on.
# Version: clasp 3.3.5 (Debian 12, 3.3.5-4.2).
# Seen: 2026-11-27.
# Surprises: who passes the count that is known as the limit, to confirm it; and who takes any exit code but 0 for a failure.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && apt-get -q download clasp=3.3.5-4.2 && dpkg -x clasp_*.deb .) >&2 || exit 77
python3 >"$tmp/queens.cnf" <<'PY'
size = 8
squares = [(row, column) for row in range(size) for column in range(size)]
name = {square: index + 1 for index, square in enumerate(squares)}
clauses = [[name[row, column] for column in range(size)] for row in range(size)]
for (r, c), a in name.items():
    attacked = [b for (s, d), b in name.items() if b > a and (r == s or c == d or abs(r - s) == abs(c - d))]
    clauses += [[-a, -b] for b in attacked]
print("p cnf", size * size, len(clauses))
for clause in clauses:
    print(*clause, 0)
PY
"$tmp/usr/bin/clasp" --version | sed -n 1p
for limit in 0 92 93; do
    status=0
    "$tmp/usr/bin/clasp" -n "$limit" -q "$tmp/queens.cnf" >"$tmp/out" || status=$?
    found="-n $limit: $(sed -n 's/^c Models *: *//p' "$tmp/out"), exit $status"
    echo "$found"
    echo "$found" >>"$tmp/seen"
done
diff "$tmp/seen" - <<'SEEN'
-n 0: 92, exit 30
-n 92: 92+, exit 10
-n 93: 92, exit 30
SEEN
