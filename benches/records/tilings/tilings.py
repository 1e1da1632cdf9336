#!/usr/bin/env python3
"""Writes a tiling of docs/records.md as options for `tallyboard cover`, the cells in an order in which few states meet.

    python3 tilings.py squares 14 > squares-14.txt

squares    dominoes and 2 x 2 squares on the Aztec diamond of order N (A356512)
skews      horizontal skew tetrominoes and squares on it (A356513)
straights  these and horizontal straight tetrominoes (A356514)
vees       V (2m+1)-ominoes in standard orientation on a square of side N (A322495)
knights    pairs of cells a knight's move apart, all cells of the board N x N but one if N is odd (A289202)

Each tile of `skews` and `straights` covers two or four neighbours in a row, or two in each of two rows. So each row is cut
into twos from its left end on, and a tile covers whole twos: a two is one item, named by its left cell.
"""

import sys


def aztec(n):
    """The cells of the Aztec diamond: column and row."""
    return [(x, y) for y in range(2 * n) for x in range(2 * n) if abs(2 * x + 1 - 2 * n) + abs(2 * y + 1 - 2 * n) <= 2 * n]


def placements(cells, tiles):
    """All tiles at all places within `cells`."""
    board = set(cells)
    for tile in tiles:
        for x, y in cells:
            placed = [(x + dx, y + dy) for dx, dy in tile]
            if all(cell in board for cell in placed):
                yield placed


def problem(kind, n):
    """The items in their order, and the options."""
    square = [(x, y) for y in range(n) for x in range(n)]
    rows = [(0, 0), (1, 0)], [(0, 0), (0, 1)]
    if kind == "squares":
        cells = aztec(n)
        items = sorted(cells, key=lambda cell: (sum(cell), cell))
        return items, placements(cells, [*rows, [(0, 0), (1, 0), (0, 1), (1, 1)]])
    if kind in ("skews", "straights"):
        # The left end of row y is at column |n - 1 - y| above the middle, |n - y| below it.
        twos = [(x, y) for x, y in aztec(n) if (x - (n - 1 - y if y < n else y - n)) % 2 == 0]
        tiles = [[(0, 0), (dx, 1)] for dx in (-1, 0, 1)] + [[(0, 0), (2, 0)]] * (kind == "straights")
        return sorted(twos, key=lambda cell: (sum(cell), cell)), placements(twos, tiles)
    if kind == "vees":
        tiles = [[(i, 0) for i in range(m)] + [(m, j) for j in range(m + 1)] for m in range(n)]
        return sorted(square, key=lambda cell: (cell[0] - cell[1], cell)), placements(square, tiles)
    if kind == "knights":
        options = list(placements(square, [[(0, 0), (dx, dy)] for dx, dy in ((1, 2), (2, 1), (-1, 2), (-2, 1))]))
        # With N odd one cell of the colour of the corners is left over.
        options += [[cell, "left"] for cell in square if n % 2 and sum(cell) % 2 == 0]
        return square + ["left"] * (n % 2), options
    sys.exit(f"unknown tiling: {kind}")


def name(item):
    return item if isinstance(item, str) else f"{item[0]},{item[1]}"


def main():
    kind, n = sys.argv[1], int(sys.argv[2])
    items, options = problem(kind, n)
    print(f"| {kind} {n}, by benches/records/tilings/tilings.py")
    print(*map(name, items))
    for option in options:
        print(*map(name, option))


if __name__ == "__main__":
    main()
