"""The queens of a board with glued edges as an exact cover: python3 cover.py torus|mobius|klein N > problem.txt

A square is an option, and its lines are the items. Lines are those of a flat board, joined where the edges are glued. A line that goes
on in another row is an item that every solution covers; so is every row of a torus.
"""

import sys


def lines(surface: str, n: int) -> list[list[str]]:
    """The lines of each square, rows first."""
    twisted, joined = surface != "torus", surface != "mobius"
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def find(line):
        while parent.get(line, line) != line:
            line = parent[line]
        return line

    def flat(row, column, down):
        """The line of a flat board through a square, by the rows that it goes down for each column to the right."""
        return ("rdu"[down], row - down * column)

    def join(one, other):
        parent[find(one)] = find(other)

    for row in range(n):
        for down in (-1, 0, 1):
            # The square beyond the right edge, and where the line goes on.
            below = row + down
            if joined or 0 <= below < n:
                entered, turned = (n - 1 - below, -down) if twisted else (below, down)
                join(flat(row, n - 1, down), flat(entered % n, 0, turned))
    if joined:
        for column in range(n - 1):
            join(flat(n - 1, column, 1), flat(0, column + 1, 1))
            join(flat(0, column, -1), flat(n - 1, column + 1, -1))

    names: dict[tuple[str, int], str] = {}
    squares = []
    for row in range(n):
        for column in range(n):
            found = [find(flat(row, column, down)) for down in (0, 1, -1)]
            named = [names.setdefault(line, f"{line[0]}{len(names)}") for line in dict.fromkeys(found)]
            squares.append([*named, f"c{column}"])
    return squares


def main() -> None:
    squares = lines(sys.argv[1], int(sys.argv[2]))
    rows = dict.fromkeys(square[0] for square in squares)
    others = dict.fromkeys(line for square in squares for line in square[1:])
    print(*rows, "|", *others)
    for square in squares:
        print(*square)


if __name__ == "__main__":
    main()
