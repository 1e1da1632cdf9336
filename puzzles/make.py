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


def triangle_cell(column, row):
    """The coordinates in which turning a triangle is simple: their sum is 1 if it points up, 2 if down."""
    if (column + row) % 2 == 0:
        return ((column - row) // 2, -(column + row) // 2, row + 1)
    return ((column - row + 1) // 2, -(column + row - 1) // 2, row + 1)


def at_home(cells):
    x, y = min(c[0] for c in cells), min(c[1] for c in cells)
    return tuple(sorted((a - x, b - y, c + x + y) for a, b, c in cells))


def triangle_images(cells):
    images = [at_home(cells)]
    for image in images:
        for moved in ([(1 - b, 1 - c, 1 - a) for a, b, c in image], [(b, a, c) for a, b, c in image]):
            if (new := at_home(moved)) not in images:
                images.append(new)
    return images


def polyiamonds(size):
    """All pieces of so many triangles, each once, up to turns and flips."""
    found = [at_home([triangle_cell(0, 0)])]
    for _ in range(size - 1):
        grown = set()
        for cells in found:
            for cell in cells:
                step = 1 if sum(cell) == 1 else -1
                for axis in range(3):
                    new = tuple(v + step * (i == axis) for i, v in enumerate(cell))
                    if new not in cells:
                        grown.add(min(triangle_images([*cells, new])))
        found = sorted(grown)
    return found


def triangle_drawing(cells):
    places = [(2 * x + z - 1 - (x + y + z - 1), z - 1) for x, y, z in cells]
    top = min(row for _, row in places)
    left = min(column for column, _ in places)
    # Moved so that those that point up still do.
    left -= (left + top) % 2
    rows = [["."] * (max(c for c, _ in places) - left + 1) for _ in range(max(r for _, r in places) - top + 1)]
    for column, row in places:
        rows[row - top][column - left] = "x"
    return ["".join(row).rstrip(".") for row in rows]


def hexiamonds():
    return {name: triangle_drawing(cells) for name, cells in zip("ABCDEFGHIJKL", polyiamonds(6), strict=True)}


def rhombus(side):
    return ["#" * (side - row) + "." * (2 * side) for row in range(side)]


def one_sided():
    """The pentominoes that may be turned only; those that differ from their mirror images, and these."""
    pieces = dict(PENTOMINOES)
    for name in "FLNPYZ":
        pieces[f"{name.lower()}"] = [row[::-1] for row in PENTOMINOES[name]]
    return pieces


def macmahon():
    """All squares with edges of three colours, on 4 x 6, edge to equal edge, the border of the first colour."""
    squares = []
    for code in range(81):
        edges = (code % 3, code // 3 % 3, code // 9 % 3, code // 27)
        if (least := min(edges[i:] + edges[:i] for i in range(4))) not in squares:
            squares.append(least)
    cells = [(x, y) for y in range(4) for x in range(6)]
    items = [f"t{i}" for i in range(len(squares))] + [f"q{x}{y}" for x, y in cells] + ["border"]
    across = [f"h{x}{y}" for y in range(5) for x in range(6)]
    down = [f"v{x}{y}" for y in range(4) for x in range(7)]
    options = [["border"] + [f"h{x}{y}:a" for x in range(6) for y in (0, 4)]
               + [f"v{x}{y}:a" for y in range(4) for x in (0, 6)]]
    for i, edges in enumerate(squares):
        for turned in sorted({edges[k:] + edges[:k] for k in range(4)}):
            top, right, bottom, left = ("abc"[colour] for colour in turned)
            for x, y in cells:
                options.append([f"t{i}", f"q{x}{y}", f"h{x}{y}:{top}", f"v{x + 1}{y}:{right}",
                                f"h{x}{y + 1}:{bottom}", f"v{x}{y}:{left}"])
    return knuth(items, across + down, options)


def region_queens(regions):
    """A queen in each row, column and region; no two touch."""
    n = len(regions)
    items = [f"{kind}{i}" for kind in "rc" for i in range(n)] + sorted(set("".join(regions)))
    corners = [f"k{i}.{j}" for i in range(1, n) for j in range(1, n)]
    options = []
    for i in range(n):
        for j in range(n):
            touched = [f"k{a}.{b}" for a in (i, i + 1) for b in (j, j + 1) if 0 < a < n and 0 < b < n]
            options.append([f"r{i}", f"c{j}", regions[i][j], *touched])
    return knuth(items, corners, options)


def sudoku(clues, regions=None, diagonals=False):
    """A sudoku of side 9 with these regions, or boxes; perhaps with both diagonals."""
    cells = [(i, j) for i in range(9) for j in range(9)]
    digits = "123456789"
    region = lambda i, j: regions[i][j] if regions else "ABCDEFGHI"[i // 3 * 3 + j // 3]
    items = [f"p{i}{j}" for i, j in cells] + [f"{kind}{i}{d}" for kind in "rc" for i in range(9) for d in digits]
    items += [f"{name}{d}" for name in "ABCDEFGHI" for d in digits]
    items += [f"{line}{d}" for line in "XY" for d in digits] if diagonals else []
    options = []
    for i, j in cells:
        for d in digits if clues[i][j] == "." else clues[i][j]:
            lines = [f"X{d}"] * (i == j) + [f"Y{d}"] * (i + j == 8) if diagonals else []
            options.append([f"p{i}{j}", f"r{i}{d}", f"c{j}{d}", f"{region(i, j)}{d}", *lines])
    return knuth(items, [], options)


def word_square(words):
    """Words in all rows and columns; a word may come several times."""
    n = len(words[0])
    places = [f"{kind}{i}" for kind in "rc" for i in range(n)]
    cells = [f"s{i}{j}" for i in range(n) for j in range(n)]
    options = []
    for i in range(n):
        for word in words:
            options.append([f"r{i}"] + [f"s{i}{j}:{letter}" for j, letter in enumerate(word)])
            options.append([f"c{i}"] + [f"s{j}{i}:{letter}" for j, letter in enumerate(word)])
    return knuth(places, cells, options)


SOUTH_AMERICA = """
Argentina: Bolivia Brazil Chile Paraguay Uruguay
Bolivia: Brazil Chile Paraguay Peru
Brazil: Colombia FrenchGuiana Guyana Paraguay Peru Suriname Uruguay Venezuela
Chile: Peru
Colombia: Ecuador Peru Venezuela
Ecuador: Peru
FrenchGuiana: Suriname
Guyana: Suriname Venezuela
"""


def map_colouring(borders, colours):
    pairs = [(line.split(":")[0], other) for line in borders.split("\n") if line for other in line.split(":")[1].split()]
    names = sorted({name for pair in pairs for name in pair})
    edges = [(names.index(a), names.index(b)) for a, b in pairs]
    comment, lines = colouring(len(names), edges, colours)
    for v in reversed(range(len(names))):
        lines = [" ".join(names[v] if word == f"v{v}" else word for word in line.split(" ")) for line in lines]
    return comment, lines


def digit_sums(board, digits, groups, cages):
    """A digit for each cell of a board that is no `#`: different in each group, and of different digits with a sum in each cage."""
    cells = [(r, c) for r, row in enumerate(board) for c, sign in enumerate(row) if sign != "#"]
    names = {f"g{i}": group for i, group in enumerate(groups)} | {f"s{i}": cage for i, (cage, _) in enumerate(cages)}
    items = [f"{c + 1},{r + 1}" for r, c in cells] + [f"s{i}[{total}:{total}]" for i, (_, total) in enumerate(cages)]
    options = []
    for r, c in cells:
        of_cell = [name for name, group in names.items() if (r, c) in group]
        for d in range(1, digits + 1):
            weights = [f"{name}={d}" for name in of_cell if name[0] == "s"]
            options.append([f"{c + 1},{r + 1}", *weights, *(f"{name}-{d}" for name in of_cell)])
    return knuth(items, [f"{name}-{d}" for name in names for d in range(1, digits + 1)], options)


def lines_of(board):
    """The runs of cells side by side, and then those of cells below each other."""
    by_rows = [[(r, c) for c in range(len(row))] for r, row in enumerate(board)]
    by_columns = [[(r, c) for r in range(len(board))] for c in range(len(board[0]))]
    runs = [[]]
    for line in by_rows + by_columns:
        for r, c in line:
            if board[r][c] == "#":
                runs.append([])
            else:
                runs[-1].append((r, c))
        runs.append([])
    return [run for run in runs if len(run) > 1]


def kakuro(board, totals):
    return digit_sums(board, 9, [], list(zip(lines_of(board), totals, strict=True)))


def killer4(cages, totals):
    boxes = [[(r + i, c + j) for i in range(2) for j in range(2)] for r in (0, 2) for c in (0, 2)]
    letters = sorted(set("".join(cages)))
    cells = [[(r, c) for r in range(4) for c in range(4) if cages[r][c] == letter] for letter in letters]
    return digit_sums(cages, 4, lines_of(cages) + boxes, list(zip(cells, totals, strict=True)))


def pips(board, dominoes, rules):
    return ";", ["board:", *board, f"dominoes: {dominoes}", "regions:", *rules]


REGIONS = ["AAAABBBB", "AADABBBB", "DDDCCBBB", "FDEECBGG", "FFGEGGGG", "FFGGGGGG", "GGGGGGGG", "GGGGGGGH"]
JIGSAW = [
    "AAACCCCCB", "AAACBBCBB", "ADDCCBBBB", "ADDEEEEFF", "ADDEEFEEF", "DDDEHFFFF", "GGGHHIIFI", "GGGHHHIII", "GGGHHHIII",
]
JIGSAW_CLUES = [
    "..79.....", "6.4...813", ".........", "...3..2..", "1.....5.7", "...162.45", ".....8..9", "..681...2", ".582.....",
]
X_CLUES = [
    "..13.....", "...7...4.", "....8....", "..39.....", "6...53.9.", ".7.......", "3.8...7..", "9........", "1.7..5.6.",
]

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
    "calendar": ("Eight pieces that leave two cells free, such as a month and a day: 24405 for the 366 dates", 59787,
                 picture(["?" * 6] * 2 + ["?" * 7] * 4 + ["???"],
                         {n: PENTOMINOES.get(n, ["xxx", "xxx"]) for n in "LNOPUVYZ"})),
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
    "dominoes-20x20": ("Dominoes on 20 x 20, more than 128 bits: --modulo M counts the remainder (OEIS A004003)",
                       1269984011256235834242602753102293934298576249856,
                       picture(rectangle(20, 20), {ANY: ["xx"]})),
    "one-sided-pentominoes-3x30": ("One-sided pentominoes on 3 x 30; 46 up to turns and flips", 184,
                                   picture(rectangle(30, 3), one_sided(), freedom="turn")),
    "hexiamonds-6x6": ("Hexiamonds on a rhombus of side 6; 156 up to symmetry",
                       624, picture(rhombus(6), hexiamonds(), "triangle")),
    "slothouber-graatsma": ("Slothouber and Graatsma's box; one way up to turns and flips", 8,
                            picture(layers(3, 3, 3), {"B x 6": ["xx", "xx"], "C x 3": ["x"]}, "cube", "turn")),
    "conway-box": ("Conway's box of 5 x 5 x 5, its three rods told apart; counted by this program with two engines", 164736,
                   picture(layers(5, 5, 5), {"A": ["xxx"], "B": ["xxx"], "C": ["xxx"], "D": ["xx", "xx"],
                                             "E": ["xx", "xx", "-", "xx", "xx"], "F x any": ["xxxx", "xxxx"]},
                           "cube", "turn")),
    "macmahon-4x6": ("MacMahon's squares of three colours on 4 x 6; 13328 up to turns, flips and colours", 106624,
                     macmahon()),
    "region-queens-8": ("A queen in each row, column and region, none beside another; made for one solution", 1,
                        region_queens(REGIONS)),
    "jigsaw-sudoku": ("A jigsaw sudoku, made for one solution", 1, sudoku(JIGSAW_CLUES, JIGSAW)),
    "x-sudoku": ("A sudoku with diagonals, made for one solution", 1, sudoku(X_CLUES, diagonals=True)),
    "word-square": ("The word square of sator, arepo, tenet, opera and rotas, from both ends", 2,
                    word_square(["sator", "arepo", "tenet", "opera", "rotas"])),
    "south-america": ("The map of South America in four colours; counted by this program with two engines", 9216,
                      map_colouring(SOUTH_AMERICA, 4)),
    "pips": ("Pips: ten dominoes on a board with regions; a naive program counts as many", 8,
             pips(["ab##cd", "ebfghi", "ejklnm", "#jnnn#"], "0-0 0-2 0-4 1-2 1-4 1-5 2-4 2-5 3-3 5-6",
                  ["a sum 0", "b sum 3", "c <4", "d sum 1", "e sum 6", "f sum 1", "g sum 6", "h sum 0", "i sum 4", "j sum 8",
                   "k >4", "l >3", "m <2", "n unequal"])),
    "kakuro": ("A kakuro, made for one solution", 1, kakuro(["..##", "...#", "#...", "##.."], [13, 6, 18, 11, 5, 12, 14, 17])),
    "killer-4x4": ("A killer sudoku of side 4 without givens, made for one solution", 1,
                   killer4(["AAAB", "CCBB", "CDDD", "FFEE"], [8, 9, 6, 7, 4, 6])),
}


def main():
    for name, (about, count, (comment, lines)) in GALLERY.items():
        text = "\n".join([f"{comment} {about}. count: {count}", *lines, ""])
        (HERE / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    main()
