#!/usr/bin/env bash
# What: multi-puzzle-solver counts bridges (Hashi) that leave islands apart, 3 for 1, and lights up the walls without a number, 0 for 1.
# Version: multi-puzzle-solver 1.1.10 (PyPI) with OR-Tools 9.15.6755 and numpy 2.4.6.
# Seen: 2026-11-29.
# Surprises: who trusts its 'Solutions found' to say whether a puzzle is unique, as its description offers: the status is OPTIMAL, and the
# one solution of a puzzle of lamps may hold a lamp in a wall.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile \
    multi-puzzle-solver==1.1.10 ortools==9.15.6755 numpy==2.4.6; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
from importlib.metadata import version
from itertools import product

import numpy as np
from puzzle_solver import bridges_solver, light_up_solver


def solutions(solver, rows):
    return solver.Board(np.array([list(row) for row in rows])).solve_and_print(verbose=False)


def joined(islands, bridges):
    reached = {islands[0]}
    for _ in islands:
        reached |= {end for pair in bridges if reached & set(pair) for end in pair}
    return reached == set(islands)


def bridges_counted(rows):
    """All ways of 0 to 2 bridges between neighbours, where no two can cross: those that join the islands, and all."""
    needed = {(r, c): int(digit) for r, row in enumerate(rows) for c, digit in enumerate(row) if digit != " "}
    islands, pairs = sorted(needed), []
    for island in islands:
        for axis in (0, 1):
            after = [other for other in islands if other[1 - axis] == island[1 - axis] and other[axis] > island[axis]]
            pairs += [(island, min(after))] if after else []
    total = together = 0
    for widths in product(range(3), repeat=len(pairs)):
        if all(sum(w for w, pair in zip(widths, pairs) if island in pair) == needed[island] for island in islands):
            total += 1
            together += joined(islands, [pair for w, pair in zip(widths, pairs) if w])
    return together, total


def lamps_counted(row):
    """Lamps in the empty cells of one row: each cell lit, no lamp lit by another, each number touched by as many."""
    empty = [c for c, cell in enumerate(row) if cell == " "]
    found = 0
    for chosen in product((0, 1), repeat=len(empty)):
        lamps = {c for c, lamp in zip(empty, chosen) if lamp}
        seen = {c: [lamp for lamp in lamps if not row[min(c, lamp):max(c, lamp) + 1].strip()] for c in empty}
        numbers = [(c, int(cell)) for c, cell in enumerate(row) if cell.isdigit()]
        found += all(len(seen[c]) == 1 if c in lamps else seen[c] for c in empty) and all(
            len({c - 1, c + 1} & lamps) == number for c, number in numbers
        )
    return found


print("multi-puzzle-solver", version("multi-puzzle-solver"), "OR-Tools", version("ortools"))
for rows, expected in ((["2 2", "   ", "2 2"], (1, 3)), (["1 1 ", "    ", " 1 1"], (0, 1)), (["3 3", "   ", "3 3"], (2, 2))):
    found, (right, unjoined) = len(solutions(bridges_solver, rows)), bridges_counted(rows)
    print(f"bridges {rows}: {found} found, right is {right}; without the rule that all are joined, {unjoined}")
    assert (right, unjoined) == expected and found == unjoined
for row, expected in (("W1 ", 0), ("WW ", 1), ("1  W", 1)):
    answers, right = solutions(light_up_solver, [row]), lamps_counted(row)
    walls = sum(answer.assignment[pos] for answer in answers for pos in answer.assignment if row[pos.x] == "W")
    print(f"lamps {row!r}: {len(answers)} found, with {walls} lamps in walls; right is {right}")
    assert right == 1 and len(answers) == expected and walls == (row == "WW ")
PY
