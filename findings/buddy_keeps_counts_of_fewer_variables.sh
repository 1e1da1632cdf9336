#!/usr/bin/env bash
# What: after bdd_extvarnum, BuDDy's bdd_satcount repeats what it counted over fewer variables, until a garbage collection.
# Version: BuDDy 2.4 (Debian 12, 2.4+dfsg-1).
# Seen: 2026-11-28.
# Surprises: who adds variables as they come: the same function has 12 models or 48 over the same six variables, depending on whether
# anybody asked before.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(command -v gcc && cd "$tmp" && apt-get -q download libbdd-dev=2.4+dfsg-1 libbdd0c2=2.4+dfsg-1 &&
    for package in *.deb; do dpkg -x "$package" .; done) >&2 || exit 77
library="$tmp/usr/lib/$(uname -m)-linux-gnu"
cat >"$tmp/grow.c" <<'C'
#include <bdd.h>
#include <stdio.h>

static void grow(int count_before) {
    bdd_init(1000, 100);
    bdd_gbc_hook(NULL);
    bdd_setvarnum(4);
    bdd either = bdd_addref(bdd_or(bdd_ithvar(0), bdd_ithvar(3)));
    if (count_before) printf("over 4: %g, ", bdd_satcount(either));
    bdd_extvarnum(2);
    printf("over %d: %g", bdd_varnum(), bdd_satcount(either));
    bdd_gbc();
    printf(", after a collection: %g\n", bdd_satcount(either));
    bdd_done();
}

int main(void) {
    grow(0);
    grow(1);
}
C
gcc -I"$tmp/usr/include" "$tmp/grow.c" "$library/libbdd.so.0" -lm -o "$tmp/grow" >&2 || exit 77
LD_LIBRARY_PATH=$library "$tmp/grow" | tee "$tmp/out"
diff "$tmp/out" - <<'OUT'
over 6: 48, after a collection: 48
over 4: 12, over 6: 12, after a collection: 48
OUT
