#!/usr/bin/env python3
"""Writes the gallery: classics as files that `tallyboard cover count` reads, each with its count in the first line.

    python3 puzzles/make.py            # writes the files beside this script
    for f in puzzles/*.txt; do tallyboard cover count "$f"; done
"""

from pathlib import Path

HERE = Path(__file__).parent

PENTOMINOES = {
    "F": [".xx", "xx.", ".x."],
    "I": ["xxxxx"],
    "L": ["xxxx", "x..."],
    "N": ["xxx.", "..xx"],
    "P": ["xx", "xx", "x."],
    "T": ["xxx", ".x.", ".x."],
    "U": ["x.x", "xxx"],
    "V": ["x..", "x..", "xxx"],
    "W": ["x..", "xx.", ".xx"],
    "X": [".x.", "xxx", ".x."],
    "Y": ["xxxx", ".x.."],
    "Z": ["xx.", ".x.", ".xx"],
}

SOMA = {
    "V": ["xx", "x."],
    "L": ["xxx", "x.."],
    "T": ["xxx", ".x."],
    "Z": ["xx.", ".xx"],
    "A": ["xx", "x.", "-", "x."],
    "B": ["xx", "x.", "-", ".x"],
    "P": ["xx", "x.", "-", "..", "x."],
}


def rectangle(width, height):
    return ["." * width] * height


def picture(board, pieces, grid="square", freedom="flip"):
    """A drawn puzzle. A piece's key is its name and what follows it."""
    lines = [f"grid: {grid}", "board:", *board, f"pieces: {freedom}"]
    for name, drawing in pieces.items():
        lines += [f"{name}:", *drawing]
    return ";", lines


def layers(width, depth, height):
    lines = []
    for layer in range(height):
        lines += (["-"] if layer else []) + rectangle(width, depth)
    return lines


def knuth(primary, secondary, options):
    items = " ".join(primary) + (" | " + " ".join(secondary) if secondary else "")
    return "|", [items, *(" ".join(option) for option in options)]


def queens(n, torus=False):
    rows = [f"r{i}" for i in range(n)] + [f"c{i}" for i in range(n)]
    options = []
    for r in range(n):
        for c in range(n):
            up, down = (r + c, n - 1 - r + c) if not torus else ((r + c) % n, (c - r) % n)
            options.append([f"r{r}", f"c{c}", f"a{up}", f"b{down}"])
    lines = range(n if torus else 2 * n - 1)
    return knuth(rows, [f"a{i}" for i in lines] + [f"b{i}" for i in lines], options)


def pairs(n, gap, halved):
    """Each number k twice, k + gap places apart; one number in one half only leaves one of two mirror images."""
    options = []
    middle = n - (n % 2 == 0)
    for k in range(1, n + 1):
        for first in range(1, 2 * n - k - gap + 1):
            if halved and k == middle and first > n // 2:
                continue
            options.append([f"n{k}", f"s{first}", f"s{first + k + gap}"])
    items = [f"n{k}" for k in range(1, n + 1)] + [f"s{i}" for i in range(1, 2 * n + 1)]
    return knuth(items, [], options)


def latin(n):
    cells = [(i, j) for i in range(n) for j in range(n)]
    items = [f"{kind}{i}{j}" for kind in "prc" for i, j in cells]
    options = [[f"p{i}{j}", f"r{i}{k}", f"c{j}{k}"] for i, j in cells for k in range(n)]
    return knuth(items, [], options)


def sudoku4():
    cells = [(i, j) for i in range(4) for j in range(4)]
    items = [f"{kind}{i}{j}" for kind in "prcb" for i, j in cells]
    box = lambda i, j: i // 2 * 2 + j // 2
    options = [[f"p{i}{j}", f"r{i}{k}", f"c{j}{k}", f"b{box(i, j)}{k}"] for i, j in cells for k in range(4)]
    return knuth(items, [], options)


def partitions(n):
    items = [f"t{i}" for i in range(n)]
    options = [[items[i] for i in range(n) if chosen >> i & 1] for chosen in range(1, 1 << n)]
    return knuth(items, [], options)


def triples(n):
    items = [f"{a}-{b}" for a in range(n) for b in range(a + 1, n)]
    options = [
        [f"{a}-{b}", f"{a}-{c}", f"{b}-{c}"]
        for a in range(n) for b in range(a + 1, n) for c in range(b + 1, n)
    ]
    return knuth(items, [], options)


def colouring(vertices, edges, colours):
    options = []
    for v in range(vertices):
        for colour in range(colours):
            touching = [f"e{i}.{colour}" for i, edge in enumerate(edges) if v in edge]
            options.append([f"v{v}", *touching])
    secondary = [f"e{i}.{colour}" for i in range(len(edges)) for colour in range(colours)]
    return knuth([f"v{v}" for v in range(vertices)], secondary, options)


PETERSEN = [e for i in range(5) for e in [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]]
GRID5 = [(i, i + 1) for i in range(25) if i % 5 < 4] + [(i, i + 5) for i in range(20)]


def hexagon(side):
    """A hexagon of triangles."""
    rows = []
    for row in range(2 * side):
        away = side - 1 - row if row < side else row - side
        # In the upper half rows begin with a triangle that points up, in the lower half with one that points down.
        begin = away + (side - 1) % 2
        rows.append("#" * begin + "." * (4 * side - 1 - 2 * away))
    return rows


ANY = "D x any"
GALLERY = {
    "pentominoes-6x10": ("Twelve pentominoes on 6 x 10; 2339 up to symmetry (Haselgrove, 1960)", 9356,
                         picture(rectangle(10, 6), PENTOMINOES)),
    "pentominoes-5x12": ("Twelve pentominoes on 5 x 12; 1010 up to symmetry", 4040,
                         picture(rectangle(12, 5), PENTOMINOES)),
    "pentominoes-4x15": ("Twelve pentominoes on 4 x 15; 368 up to symmetry", 1472,
                         picture(rectangle(15, 4), PENTOMINOES)),
    "pentominoes-3x20": ("Twelve pentominoes on 3 x 20; 2 up to symmetry", 8,
                         picture(rectangle(20, 3), PENTOMINOES)),
    "pentominoes-8x8": ("Twelve pentominoes on 8 x 8 without the centre; 65 up to symmetry (Scott, 1958)", 520,
                        picture(["." * 8] * 3 + ["...##..."] * 2 + ["." * 8] * 3, PENTOMINOES)),
    "solid-pentominoes-2x3x10": ("Twelve solid pentominoes in a box of 2 x 3 x 10", 96,
                                 picture(layers(10, 3, 2), PENTOMINOES, "cube", "turn")),
    "soma": ("Soma: seven pieces in a cube; 480 up to turns, 240 up to reflections too (Conway and Guy, 1961)", 11520,
             picture(layers(3, 3, 3), SOMA, "cube", "turn")),
    "any-pentominoes-5x8": ("Pentominoes on 5 x 8, any number of each (OEIS A174249)", 1696781,
                            picture(rectangle(8, 5), {f"{n} x any": d for n, d in PENTOMINOES.items()})),
    "any-pentominoes-5x10": ("Pentominoes on 5 x 10, any number of each (OEIS A174249)", 101698212,
                             picture(rectangle(10, 5), {f"{n} x any": d for n, d in PENTOMINOES.items()})),
    "L-and-P-5x8": ("Four L and four P pentominoes on 5 x 8", 1012,
                    picture(rectangle(8, 5), {f"{n} x 4": PENTOMINOES[n] for n in "LP"})),
    "dominoes-8x8": ("Dominoes on a chessboard (OEIS A004003)", 12988816,
                     picture(rectangle(8, 8), {ANY: ["xx"]})),
    "dominoes-12x12": ("Dominoes on 12 x 12 (OEIS A004003)", 53060477521960000,
                       picture(rectangle(12, 12), {ANY: ["xx"]})),
    "dominoes-and-cells-5x5": ("Three to nine dominoes and single cells on 5 x 5", 2580011,
                               picture(rectangle(5, 5), {"D x 3..9": ["xx"], "M x any": ["x"]})),
    "monomers-and-dimers-6x6": ("Dominoes and single cells on 6 x 6 (OEIS A028420)", 2989126727,
                                picture(rectangle(6, 6), {ANY: ["xx"], "M x any": ["x"]})),
    "trominoes-6x9": ("L-trominoes on 6 x 9", 4312, picture(rectangle(9, 6), {"L x any": ["xx", "x."]})),
    "trominoes-9x9": ("L-trominoes on 9 x 9", 1193600, picture(rectangle(9, 9), {"L x any": ["xx", "x."]})),
    "lozenges-3": ("Lozenges on a hexagon of side 3 (OEIS A008793)", 980,
                   picture(hexagon(3), {"L x any": ["xx"]}, "triangle")),
    "lozenges-4": ("Lozenges on a hexagon of side 4 (OEIS A008793)", 232848,
                   picture(hexagon(4), {"L x any": ["xx"]}, "triangle")),
    "lozenges-5": ("Lozenges on a hexagon of side 5 (OEIS A008793)", 267227532,
                   picture(hexagon(5), {"L x any": ["xx"]}, "triangle")),
    "langford-8": ("Langford pairings of 8, one of each two mirror images (OEIS A014552)", 150, pairs(8, 1, True)),
    "langford-12": ("Langford pairings of 12, one of each two mirror images (OEIS A014552)", 108144,
                    pairs(12, 1, True)),
    "skolem-9": ("Skolem sequences of order 9 (OEIS A004075)", 2656, pairs(9, 0, False)),
    "skolem-12": ("Skolem sequences of order 12 (OEIS A004075)", 455936, pairs(12, 0, False)),
    "queens-8": ("Eight queens (OEIS A000170)", 92, queens(8)),
    "queens-13": ("Thirteen queens (OEIS A000170)", 73712, queens(13)),
    "queens-11-torus": ("Eleven queens on a torus (OEIS A051906)", 88, queens(11, True)),
    "latin-5": ("Latin squares of order 5 (OEIS A002860)", 161280, latin(5)),
    "sudoku-4x4": ("Sudokus of side 4", 288, sudoku4()),
    "partitions-10": ("Partitions of ten things (OEIS A000110)", 115975, partitions(10)),
    "triples-7": ("Steiner triple systems of seven things (OEIS A030128)", 30, triples(7)),
    "petersen": ("The Petersen graph in three colours", 120, colouring(10, PETERSEN, 3)),
    "grid-5x5": ("A grid of 5 x 5 in three colours", 580986, colouring(25, GRID5, 3)),
}


def main():
    for name, (about, count, (comment, lines)) in GALLERY.items():
        text = "\n".join([f"{comment} {about}. count: {count}", *lines, ""])
        (HERE / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main()
