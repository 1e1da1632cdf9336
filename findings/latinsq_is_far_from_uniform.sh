#!/usr/bin/env bash
# What: latinsq's random squares of order 4 are of the rarer kind in one of twelve draws; a quarter of all 576 squares are. Seed 0 is no seed.
# Version: latinsq 0.2.3 (PyPI) with numpy 2.4.6. Its description names a uniform draw as the aim of the method.
# Seen: 2026-11-29.
# Surprises: who estimates counts of squares, or of sudokus, from samples: the share of squares with twelve intercalates is a third of
# the right one; and who repeats a run with seed 0.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" &&
    python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile latinsq==0.2.3 numpy==2.4.6; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from collections import Counter
from importlib.metadata import version
from itertools import combinations, permutations

from latinsq import LatinSquare


def intercalates(square):
    """The Latin squares of order 2 within: two rows and two columns."""
    return sum(
        top[j] == bottom[k] and top[k] == bottom[j] for top, bottom in combinations(square, 2) for j, k in combinations(range(len(square)), 2)
    )


def squares(above=()):
    if len(above) == 4:
        yield above
        return
    for row in permutations((1, 2, 3, 4)):
        if all(a != b for upper in above for a, b in zip(upper, row)):
            yield from squares((*above, row))


DRAWS = 400
every = Counter(map(intercalates, squares()))
drawn = Counter(intercalates(LatinSquare.random(4, rng_seed=seed).square.tolist()) for seed in range(1, DRAWS + 1))
print("latinsq", version("latinsq"), "numpy", version("numpy"))
print("all squares of order 4, by their intercalates:", dict(every))
print(f"{DRAWS} draws: {dict(drawn)}, with 12 there should be about {DRAWS * every[12] // every.total()} give or take 9")
assert every == {12: 144, 4: 432}
assert drawn.total() == DRAWS and drawn[12] < DRAWS * every[12] / every.total() - 4 * 9

same = {seed: [LatinSquare.random(6, rng_seed=seed).square.tolist() for _ in range(2)] for seed in (0, 1)}
print("twice the same square with seed 1:", same[1][0] == same[1][1], "- with seed 0:", same[0][0] == same[0][1])
assert same[1][0] == same[1][1] and same[0][0] != same[0][1]
PY
