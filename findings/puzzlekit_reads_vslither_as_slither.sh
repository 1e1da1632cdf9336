#!/usr/bin/env bash
# What: puzzlekit reads puzz.link's vslither as slither and writes it as that: the numbers then mean edges and no longer corners.
# Version: puzzlekit 0.3.4 (PyPI) with OR-Tools 9.15.6755. In its list of names vslither and tslither are other names of slitherlink.
# Seen: 2026-11-29.
# Surprises: who collects puzzles by converting links: a puzzle with one solution becomes one of another kind, with none or another, and
# neither the link nor the instance says so.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" &&
    python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile puzzlekit==0.3.4 ortools==9.15.6755; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from itertools import product

import puzzlekit


def loops(size):
    """The loops of a board as sets of edges, each the outline of the cells inside; corners are pairs, edges pairs of corners."""
    cells = list(product(range(size), repeat=2))
    for inside in product((0, 1), repeat=len(cells)):
        edges = set()
        for (r, c), within in zip(cells, inside):
            if within:
                edges ^= {((r, c), (r, c + 1)), ((r + 1, c), (r + 1, c + 1)), ((r, c), (r + 1, c)), ((r, c + 1), (r + 1, c + 1))}
        corners = [corner for edge in edges for corner in edge]
        if not edges or any(corners.count(corner) != 2 for corner in corners):
            continue
        reached = set(min(edges))
        for _ in edges:
            reached |= {end for edge in edges if reached & set(edge) for end in edge}
        if reached == set(corners):
            yield edges


def solutions(clues, by_corners):
    count = 0
    for edges in loops(2):
        visited = {corner for edge in edges for corner in edge}
        for (r, c), clue in zip(product(range(2), repeat=2), clues):
            corners = set(product((r, r + 1), (c, c + 1)))
            seen = len(corners & visited) if by_corners else sum(set(edge) <= corners for edge in edges)
            if seen != int(clue):
                break
        else:
            count += 1
    return count


print("puzzlekit", puzzlekit.__version__, "-", len(list(loops(2))), "loops on 2 x 2 cells")
for clues, expected in (("3333", (1, 0)), ("2222", (0, 1)), ("3444", (1, 0))):
    link = "https://puzz.link/p?vslither/2/2/" + clues
    read, written = puzzlekit.decode(link), puzzlekit.convert(link, "puzzlink")
    counts = solutions(clues, True), solutions(clues, False)
    print(f"{link} is read as {read.puzzle_type} and written as {written}: solutions {counts[0]}, after that {counts[1]}")
    assert read.puzzle_type == "slitherlink" and written == link.replace("vslither", "slither") and counts == expected
solved = puzzlekit.solve("2 2\n3 3\n3 3", puzzle_type="slitherlink").solution_data["status"]
print("puzzlekit of the first, as slitherlink:", solved)
assert solved == "Infeasible"
PY
