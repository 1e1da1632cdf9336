//! The forms that solvers have for Latin squares, cages and jigsaws, with an example each. Tests read the examples, and
//! docs/formats/variant.md is made of this table.

use super::forms::Form;

/// A way in which puzzles are written.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What it is.
    pub name: &'static str,
    /// The form by whose reader it is read.
    pub form: Form,
    /// Who writes so.
    pub writers: &'static str,
    /// A puzzle. All of a game are one puzzle.
    pub example: &'static str,
}

/// All forms, those of a game side by side.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "futoshiki: a grid of values, one of signs across, one of signs down",
        form: Form::Futoshiki,
        writers: "courses; also with `<`, `>`, `^`, `v` and without the side above",
        example: "4\n\
0,0,0,0\n\
3,0,0,0\n\
0,0,0,0\n\
0,0,0,0\n\
1,0,1\n\
0,0,0\n\
0,0,-1\n\
0,0,0\n\
0,0,0,0\n\
0,-1,0,0\n\
0,0,0,0",
    },
    Kind {
        name: "futoshiki: a picture, a sign between two cells",
        form: Form::Futoshiki,
        writers: "people; also with wider gaps, or without gaps in the rows of signs",
        example: "0<0 0<0\n\
\x20      \n\
3 0 0 0\n\
\x20 v    \n\
0 0 0>0\n\
\x20      \n\
0 0 0 0",
    },
    Kind {
        name: "futoshiki: a grid, and the rows and columns of two cells a line, the less first",
        form: Form::Futoshiki,
        writers: "courses; also with the pairs above the grid",
        example: "4 4\n\
0 0 0 0\n\
3 0 0 0\n\
0 0 0 0\n\
0 0 0 0\n\
1 1 1 2\n\
1 3 1 4\n\
3 2 2 2\n\
3 4 3 3",
    },
    Kind {
        name: "futoshiki: lists of givens and of pairs of cells, the greater first",
        form: Form::Futoshiki,
        writers: "a course",
        example: "4\n\
1\n\
2 1 3\n\
4\n\
1 2 1 1\n\
1 4 1 3\n\
2 2 3 2\n\
3 3 3 4",
    },
    Kind {
        name: "futoshiki: a grid, and pairs of cells by name, the less first, the row a letter",
        form: Form::Futoshiki,
        writers: "a course",
        example: "4\n\
START:\n\
0;0;0;0\n\
3;0;0;0\n\
0;0;0;0\n\
0;0;0;0\n\
REL:\n\
A1;A2\n\
A3;A4\n\
C2;B2\n\
C4;C3",
    },
    Kind {
        name: "futoshiki: a game id of Unequal, U, R, D, L for a neighbour that is less",
        form: Form::GameId,
        writers: "Simon Tatham's collection",
        example: "4:0,0L,0,0L,3,0D,0,0,0,0,0R,0,0,0,0,0,",
    },
    Kind {
        name: "KenKen: a picture of cages with clues below or above",
        form: Form::Lettered,
        writers: "readers of a newspaper, solvers",
        example: "AABB\n\
ACDD\n\
ECFD\n\
EGGG\n\
\n\
A: 6x B: 1- C: 4/\n\
D: 6+ E: 2/ F: 4 G: 6+",
    },
    Kind {
        name: "KenKen: a picture with each clue in the first cell of its cage",
        form: Form::Lettered,
        writers: "collections of puzzles",
        example: "A.6*,A,B.1-,B\n\
A,C.4/,D.6+,D\n\
E.2/,C,F.4,D\n\
E,G.6+,G,G",
    },
    Kind {
        name: "KenKen: numbers of cages, and their clues",
        form: Form::Lettered,
        writers: "solvers",
        example: "4 7\n\
0 0 1 1\n\
0 2 3 3\n\
4 2 5 3\n\
4 6 6 6\n\
0 * 6\n\
1 - 1\n\
2 / 4\n\
3 + 6\n\
4 / 2\n\
5 + 4\n\
6 + 6",
    },
    Kind {
        name: "KenKen: a line a cage, its cells as pairs",
        form: Form::Cages,
        writers: "solvers; the operation a sign or a word, before or behind the number",
        example: "4\n\
[(0,0),(0,1),(1,0)] mult 6\n\
[(0,2),(0,3)] sub 1\n\
[(1,1),(2,1)] div 4\n\
[(1,2),(1,3),(2,3)] add 6\n\
[(2,0),(3,0)] div 2\n\
[(2,2)] none 4\n\
[(3,1),(3,2),(3,3)] add 6",
    },
    Kind {
        name: "KenKen: a line a cage, its cells a letter and a number",
        form: Form::Cages,
        writers: "solvers; what is the row is seen by the order of the cages",
        example: "4\n\
*6 a1 a2 b1\n\
-1 a3 a4\n\
/4 b2 c2\n\
+6 b3 b4 c4\n\
/2 c1 d1\n\
+4 c3\n\
+6 d2 d3 d4",
    },
    Kind {
        name: "KenKen: a line a cage, its cells numbers in reading order",
        form: Form::Cages,
        writers: "courses",
        example: "* 6 0 1 4\n\
- 1 2 3\n\
/ 4 5 9\n\
+ 6 6 7 11\n\
/ 2 8 12\n\
= 4 10\n\
+ 6 13 14 15",
    },
    Kind {
        name: "KenKen: a line a cage, the number of its cells, their rows and columns from 0, operation and number",
        form: Form::Cages,
        writers: "a course",
        example: "4\n\
7\n\
3 0 0 0 1 1 0 * 6\n\
2 0 2 0 3 - 1\n\
2 1 1 2 1 / 4\n\
3 1 2 1 3 2 3 + 6\n\
2 2 0 3 0 / 2\n\
1 2 2 + 4\n\
3 3 1 3 2 3 3 + 6",
    },
    Kind {
        name: "KenKen: a line of numbers a cage: its operation (1 to 4 for + - x /), its number, how many cells, their rows and columns, with a given value in brackets",
        form: Form::Cages,
        writers: "a course",
        example: "4 7\n\
3 6 3 1 1 1 2 2 1\n\
2 1 2 1 3 1 4\n\
4 4 2 2 2 3 2\n\
1 6 3 2 3 2 4 3 4\n\
4 2 2 3 1 4 1\n\
1 4 1 3 3 [4]\n\
1 6 3 4 2 4 3 4 4",
    },
    Kind {
        name: "KenKen: cages in JSON",
        form: Form::Cages,
        writers: "programs for the browser",
        example: "[\n\
\x20 {\"op\": \"x\", \"target\": 6, \"cells\": [[0, 0], [0, 1], [1, 0]]},\n\
\x20 {\"op\": \"-\", \"target\": 1, \"cells\": [[0, 2], [0, 3]]},\n\
\x20 {\"op\": \"/\", \"target\": 4, \"cells\": [[1, 1], [2, 1]]},\n\
\x20 {\"op\": \"+\", \"target\": 6, \"cells\": [[1, 2], [1, 3], [2, 3]]},\n\
\x20 {\"op\": \"/\", \"target\": 2, \"cells\": [[2, 0], [3, 0]]},\n\
\x20 {\"op\": null, \"target\": 4, \"cells\": [[2, 2]]},\n\
\x20 {\"op\": \"+\", \"target\": 6, \"cells\": [[3, 1], [3, 2], [3, 3]]}\n\
]",
    },
    Kind {
        name: "KenKen: cages as a list of Python",
        form: Form::Cages,
        writers: "Python",
        example: "cages = [\n\
\x20   ([(0, 0), (0, 1), (1, 0)], '*', 6),\n\
\x20   ([(0, 2), (0, 3)], '-', 1),\n\
\x20   ([(1, 1), (2, 1)], '/', 4),\n\
\x20   ([(1, 2), (1, 3), (2, 3)], '+', 6),\n\
\x20   ([(2, 0), (3, 0)], '/', 2),\n\
\x20   ([(2, 2)], None, 4),\n\
\x20   ([(3, 1), (3, 2), (3, 3)], '+', 6),\n\
]",
    },
    Kind {
        name: "KenKen: a game id of Keen, borders and clues",
        form: Form::GameId,
        writers: "Simon Tatham's collection",
        example: "4:aa_a_3caa_4a_,m6s1d4a6d2a4a6",
    },
    Kind {
        name: "killer: a grid with the sum in one cell of each cage, and a sign in each other that points at a neighbour in its cage",
        form: Form::Arrows,
        writers: "solvers; `<`, `>`, `^`, `v`",
        example: "12 < < 21 < < 12 < <\n\
> > 15 > > 15 > > 15\n\
18 < < 9 < < 18 < <\n\
> > 22 > > 14 > > 9\n\
12 < < 16 < < 17 < <\n\
> > 11 > > 15 > > 19\n\
16 < < 15 < < 14 < <\n\
> > 17 > > 14 > > 14\n\
12 < < 16 < < 17 < <",
    },
    Kind {
        name: "skyscrapers: a picture with clues around it",
        form: Form::Skyscrapers,
        writers: "people; a blank `.`, `-` or `0`",
        example: "  3 . . .\n\
4 . . . . .\n\
. . . . . 2\n\
. . . . . .\n\
. . . . . .\n\
\x20 . . 2 3",
    },
    Kind {
        name: "skyscrapers: a line of clues for each side, with the Polish letters of top, bottom, left, right",
        form: Form::Skyscrapers,
        writers: "a course",
        example: "4\n\
G;3;0;0;0\n\
D;0;0;2;3\n\
L;4;0;0;0\n\
P;0;2;0;0",
    },
    Kind {
        name: "skyscrapers: a game id of Towers, the clues above, below, left, right",
        form: Form::GameId,
        writers: "Simon Tatham's collection",
        example: "4:3//////2/3/4/////2//",
    },
    Kind {
        name: "clues of skyscrapers in one list, clockwise from the upper left, 0 for none",
        form: Form::Skyscrapers,
        writers: "Codewars; five rows or more, but not nine",
        example: "0,0,0,2,2,0,0,0,0,6,3,0,0,4,0,0,0,0,4,4,0,3,0,0",
    },
    Kind {
        name: "jigsaw: a picture of the regions and one of the values, in either order",
        form: Form::Jigsaw,
        writers: "people and courses",
        example: "AAAB\n\
ABBB\n\
CCDD\n\
CCDD\n\
\n\
1...\n\
....\n\
...3\n\
3...",
    },
    Kind {
        name: "of puzzlekit: killer, below its rows and columns: the sum in the first cell of each cage, then the cages' numbers",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "4 4\n\
9 - 8 3\n\
- 7 - -\n\
4 - - 9\n\
- - - -\n\
2 2 4 1\n\
2 3 4 1\n\
6 3 4 5\n\
6 3 5 5",
    },
    Kind {
        name: "of puzzlekit: KenKen, below its rows and columns: the clue in the first cell of each cage, then the cages' numbers",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "4 4\n\
24* 2/ . 3-\n\
. . 7+ .\n\
3- 5+ . 3\n\
. . 2/ .\n\
1 2 2 3\n\
1 1 4 3\n\
5 6 4 7\n\
5 6 8 8",
    },
    Kind {
        name: "of puzzlekit: renban, below its rows and columns: values, then the numbers of regions that have values without a gap",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "6 6\n\
- - - - - -\n\
- - 6 - 5 -\n\
3 - - 1 - -\n\
- 2 - - 3 -\n\
6 - - - - -\n\
- - - 5 - 6\n\
1 5 7 7 12 15\n\
1 1 1 7 7 15\n\
2 6 1 11 13 13\n\
2 2 8 8 8 8\n\
3 3 9 10 14 14\n\
4 3 10 10 14 16",
    },
    Kind {
        name: "of puzzlekit: consecutive values, below the rows and columns: values, then for each cell the sum of 1, 2, 4 and 8 for a bar at its right, below, at its left and above",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "6 6\n\
- - - - - -\n\
- - 4 - - -\n\
- - - 2 - -\n\
- - - - 5 -\n\
4 - - - - -\n\
- 4 - - - -\n\
0 1 5 5 4 0\n\
0 3 6 0 3 4\n\
0 9 12 1 13 4\n\
0 2 0 1 6 0\n\
0 9 4 0 9 4\n\
0 0 1 4 0 0",
    },
    Kind {
        name: "of puzzlekit: even and odd, below the rows and columns: `E`, `O` and values",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "9 9\n\
7 E E O O E 1 E O\n\
E O O 2 O 5 E O E\n\
O E O O E E E O 9\n\
O 1 O E 4 O O 8 E\n\
E E E 8 O 7 O O O\n\
E 3 O O 2 O E 6 O\n\
9 E O O E O O E E\n\
E O E 4 O 2 O O O\n\
O O 2 O O E E O 4",
    },
    Kind {
        name: "of puzzlekit: sums at the border, below the rows and columns: a line for the top, the bottom, the left and the right, then values",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "9 9\n\
14 16 15 18 7 20 11 18 16\n\
17 7 21 19 16 10 15 15 15\n\
9 24 12 17 10 18 15 12 18\n\
16 11 18 15 22 8 24 13 8\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -\n\
- - - - - - - - -",
    },
    Kind {
        name: "of puzzlekit: skyscrapers, below the rows, the columns and the greatest value: a line for the top, the bottom, the left and the right, then values",
        form: Form::Headed,
        writers: "puzzlekit",
        example: "5 5 5\n\
- 3 3 - -\n\
- 2 2 2 1\n\
1 4 3 2 -\n\
3 2 3 - 1\n\
- - - - -\n\
- - - - -\n\
- - - - -\n\
- - - - -\n\
- - - - -",
    },
    Kind {
        name: "sudoku below the rows and columns of its boxes, which are no squares",
        form: Form::Headed,
        writers: "solvers",
        example: "2 3\n\
1 . . . . .\n\
. . . 1 . .\n\
. 3 . . . .\n\
. . . . 2 .\n\
. . 5 . . .\n\
. . . . . 4",
    },
    Kind {
        name: "Latin square: the data of a MiniZinc model",
        form: Form::MiniZinc,
        writers: "MiniZinc's benchmarks, courses; with `S`, the side of a box, in place of `N` it is a sudoku",
        example: "N=4;\n\
start=[|\n\
1, 0, 0, 0 |\n\
0, 0, 1, 0 |\n\
0, 0, 0, 3 |\n\
0, 0, 0, 0|];",
    },
];
