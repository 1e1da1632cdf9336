#!/usr/bin/env python3
"""Counts the tilings of A356513 as a determinant: nothing here searches, merges states or knows tallyboard.

    python3 determinant.py 16

Each row of the Aztec diamond is cut into twos from its left end on, and a horizontal skew tetromino or a square is a two and
a neighbour of it in the next row. So a tiling is a perfect matching of a planar bipartite graph, whose faces have four or (in
the middle) six edges. With i for the edges down to the left, and 1 for the others, Kasteleyn's condition holds in all of
them: the determinant of the twos of even rows against those of odd ones is the count times 1, i, -1 or -i.
"""

import sys


def matrix(n):
    """Pairs (real part, imaginary part), a row for each two of the even rows, a column for each of the odd ones."""
    left = [n - 1 - y if y < n else y - n for y in range(2 * n)]
    twos = [[(x, y) for x in range(left[y], 2 * n - left[y], 2)] for y in range(2 * n)]
    columns = {two: i for i, two in enumerate(two for row in twos[1::2] for two in row)}
    for x, y in (two for row in twos[::2] for two in row):
        weights = [(0, 0)] * len(columns)
        for dx in (-1, 0, 1):
            for dy in (-1, 1):
                if (x + dx, y + dy) in columns:
                    weights[columns[x + dx, y + dy]] = (0, 1) if dx == -dy else (1, 0)
        yield weights


def times(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def determinant(rows):
    """The determinant of a matrix of Gaussian integers, but for its sign, by Bareiss's elimination without fractions."""
    last = (1, 0)
    while len(rows) > 1:
        pivot = next((row for row in rows if row[0] != (0, 0)), None)
        if pivot is None:
            return 0, 0
        rows.remove(pivot)
        norm = last[0] ** 2 + last[1] ** 2
        reduced = []
        for row in rows:
            new = []
            for a, b in zip(row[1:], pivot[1:]):
                c, d = times(pivot[0], a), times(row[0], b)
                # The quotient by `last` is exact.
                e = times((c[0] - d[0], c[1] - d[1]), (last[0], -last[1]))
                assert e[0] % norm == 0 and e[1] % norm == 0
                new.append((e[0] // norm, e[1] // norm))
            reduced.append(new)
        last, rows = pivot[0], reduced
    return rows[0][0]


for order in map(int, sys.argv[1:]):
    real, imaginary = determinant(list(matrix(order)))
    assert real == 0 or imaginary == 0
    print(order, abs(real + imaginary))
