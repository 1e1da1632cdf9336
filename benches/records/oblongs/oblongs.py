"""Writes the tilings of the n x n square by oblongs of different dimensions as an exact cover, for `tallyboard cover count`.

oblongs.py N            h x w and w x h are the same oblong, which is used once: OEIS A360498
oblongs.py N directed   they are two: A360725
"""

import sys

n = int(sys.argv[1])
directed = sys.argv[2:] == ["directed"]
names = {}
options = []
for height in range(1, n + 1):
    for width in range(1, n + 1):
        if height == width:
            continue
        sides = (height, width) if directed else tuple(sorted((height, width)))
        name = names.setdefault(sides, "p{}x{}".format(*sides))
        for row in range(n - height + 1):
            for column in range(n - width + 1):
                cells = [f"r{y}c{x}" for y in range(row, row + height) for x in range(column, column + width)]
                options.append(" ".join([name, *cells]))
cells = [f"r{row}c{column}" for row in range(n) for column in range(n)]
print(" ".join(cells), "|", " ".join(names.values()))
print("\n".join(options))
