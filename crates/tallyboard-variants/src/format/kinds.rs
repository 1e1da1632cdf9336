//! The forms that solvers have for Latin squares, cages and jigsaws, with an example each. Tests read the examples, and
//! docs/formats.md is made of this table.

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
