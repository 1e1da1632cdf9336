//! Every spelling of a puzzle that is read, with an example each. A test reads the examples, and
//! docs/formats/sudoku.md is made of this table.

use super::Format;

/// A way in which puzzles are written.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What it is.
    pub name: &'static str,
    /// The format by which it is read.
    pub format: Format,
    /// Who writes so.
    pub writers: &'static str,
    /// A text of one puzzle with one solution.
    pub example: &'static str,
}

/// All kinds, those of a line first.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "one puzzle a line",
        format: Format::Lines,
        writers: "almost every program",
        example: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    },
    Kind {
        name: "lines with their solution",
        format: Format::Lines,
        writers: "this program and many others",
        example: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,534678912672195348198342567859761423426853791713924856961537284287419635345286179",
    },
    Kind {
        name: "blanks `?`",
        format: Format::Lines,
        writers: "solvers for the command line",
        example: "53??7????6??195????98????6?8???6???34??8?3??17???2???6?6????28????419??5????8??79",
    },
    Kind {
        name: "cells with blanks or commas between them",
        format: Format::Lines,
        writers: "scripts",
        example: "5 3 0 0 7 0 0 0 0 6 0 0 1 9 5 0 0 0 0 9 8 0 0 0 0 6 0 8 0 0 0 6 0 0 0 3 4 0 0 8 0 3 0 0 1 7 0 0 0 2 0 0 0 6 0 6 0 0 0 0 2 8 0 0 0 0 4 1 9 0 0 5 0 0 0 0 8 0 0 7 9",
    },
    Kind {
        name: "quoted lines",
        format: Format::Lines,
        writers: "source code, arrays of text",
        example: "\x20   \"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\",",
    },
    Kind {
        name: "lines of a quoted mail",
        format: Format::Lines,
        writers: "mail and forums",
        example: "> 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    },
    Kind {
        name: "rows with `,`, `/`, `|` or blanks between them",
        format: Format::Lines,
        writers: "forums",
        example: "53..7..../6..195.../.98....6./8...6...3/4..8.3..1/7...2...6/.6....28./...419..5/....8..79",
    },
    Kind {
        name: "lines of a bank: a name, the puzzle, a rating",
        format: Format::Lines,
        writers: "puzzle banks, headerless tables",
        example: "0000183b  530070000600195000098000060800060003400803001700020006060000280000419005000080079  1.2",
    },
    Kind {
        name: "a library of HoDoKu",
        format: Format::Lines,
        writers: "HoDoKu: placed cells with `+`, deleted candidates",
        example: ":0000:x:53+4.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:114 214:::",
    },
    Kind {
        name: "729 pencil marks",
        format: Format::Lines,
        writers: "solvers with candidates",
        example: "....5......3......12.4......2...6.........7...2.4.6.8.1..4...8912.4....9.2.4...8......6....2.4..7...2.4..7..1................9....5......34..78..234......2.4..78.12...............9.......8..23........34......2.4.....1.345.7.......6....2.4..7.........8.12..5....12..5...9....5.7.9.....6...1..4..7.....45.7.9.2.45...9..3.........4......2..5.....2..56..9.......8.....5......3..........5.7.9.2..5...91..............7..1...5....1.3.5...9....5...9.2.......1..4........45..89...45...9.....6...1.3.....9.....6...1.345.7.9..3.5.7....3.5..........7...2..............8....4......23.......2....78..23...7.....4.....1................9..3..6.....3..........5....123......12.45....12345.....23.56..........8..2...6...1.34.6.........7..........9",
    },
    Kind {
        name: "a list, or a list of lists, a line",
        format: Format::Lines,
        writers: "Python, JSON, LeetCode",
        example: "[[\"5\", \"3\", \".\", \".\", \"7\", \".\", \".\", \".\", \".\"], [\"6\", \".\", \".\", \"1\", \"9\", \"5\", \".\", \".\", \".\"], [\".\", \"9\", \"8\", \".\", \".\", \".\", \".\", \"6\", \".\"], [\"8\", \".\", \".\", \".\", \"6\", \".\", \".\", \".\", \"3\"], [\"4\", \".\", \".\", \"8\", \".\", \"3\", \".\", \".\", \"1\"], [\"7\", \".\", \".\", \".\", \"2\", \".\", \".\", \".\", \"6\"], [\".\", \"6\", \".\", \".\", \".\", \".\", \"2\", \"8\", \".\"], [\".\", \".\", \".\", \"4\", \"1\", \"9\", \".\", \".\", \"5\"], [\".\", \".\", \".\", \".\", \"8\", \".\", \".\", \"7\", \"9\"]]",
    },
    Kind {
        name: "a table with titles",
        format: Format::Csv,
        writers: "spreadsheets, pandas, Kaggle",
        example: "id,puzzle,level\n\
1,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,easy",
    },
    Kind {
        name: "a table whose rows end with a comma",
        format: Format::Csv,
        writers: "qqwing --csv --stats",
        example: "Puzzle,Givens,Guesses\n\
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,30,0,",
    },
    Kind {
        name: "objects a line",
        format: Format::Jsonl,
        writers: "data sets of Hugging Face",
        example: "{\"id\":1,\"question\":\"530070000600195000098000060800060003400803001700020006060000280000419005000080079\"}",
    },
    Kind {
        name: "objects with lists of rows",
        format: Format::Jsonl,
        writers: "Python",
        example: "{\"puzzle\":[[5,3,0,0,7,0,0,0,0],[6,0,0,1,9,5,0,0,0],[0,9,8,0,0,0,0,6,0],[8,0,0,0,6,0,0,0,3],[4,0,0,8,0,3,0,0,1],[7,0,0,0,2,0,0,0,6],[0,6,0,0,0,0,2,8,0],[0,0,0,4,1,9,0,0,5],[0,0,0,0,8,0,0,7,9]]}",
    },
    Kind {
        name: "nine bare lines",
        format: Format::Grid,
        writers: "Sudoku programs' .sdk and .sud files",
        example: "53..7....\n\
6..195...\n\
.98....6.\n\
8...6...3\n\
4..8.3..1\n\
7...2...6\n\
.6....28.\n\
...419..5\n\
....8..79",
    },
    Kind {
        name: "frames of `|`, `-` and `+`",
        format: Format::Grid,
        writers: "qqwing, this program",
        example: "5 3 . | . 7 . | . . .\n\
6 . . | 1 9 5 | . . .\n\
. 9 8 | . . . | . 6 .\n\
-------+-------+-------\n\
8 . . | . 6 . | . . 3\n\
4 . . | 8 . 3 | . . 1\n\
7 . . | . 2 . | . . 6\n\
-------+-------+-------\n\
. 6 . | . . . | 2 8 .\n\
. . . | 4 1 9 | . . 5\n\
. . . | . 8 . | . 7 9",
    },
    Kind {
        name: "a frame with corners",
        format: Format::Grid,
        writers: "Simple Sudoku",
        example: "*-----------*\n\
|53.|.7.|...|\n\
|6..|195|...|\n\
|.98|...|.6.|\n\
|---+---+---|\n\
|8..|.6.|..3|\n\
|4..|8.3|..1|\n\
|7..|.2.|..6|\n\
|---+---+---|\n\
|.6.|...|28.|\n\
|...|419|..5|\n\
|...|.8.|.79|\n\
*-----------*",
    },
    Kind {
        name: "a frame of box drawing characters",
        format: Format::Grid,
        writers: "terminals",
        example: "┌───┬───┬───┐\n\
│53.│.7.│...│\n\
│6..│195│...│\n\
│.98│...│.6.│\n\
├───┼───┼───┤\n\
│8..│.6.│..3│\n\
│4..│8.3│..1│\n\
│7..│.2.│..6│\n\
├───┼───┼───┤\n\
│.6.│...│28.│\n\
│...│419│..5│\n\
│...│.8.│.79│\n\
└───┴───┴───┘",
    },
    Kind {
        name: "a bar at each side of each cell",
        format: Format::Grid,
        writers: "terminals",
        example: "+---+---+---+---+---+---+---+---+---+\n\
| 5 | 3 |   |   | 7 |   |   |   |   |\n\
+---+---+---+---+---+---+---+---+---+\n\
| 6 |   |   | 1 | 9 | 5 |   |   |   |\n\
+---+---+---+---+---+---+---+---+---+\n\
|   | 9 | 8 |   |   |   |   | 6 |   |\n\
+---+---+---+---+---+---+---+---+---+\n\
| 8 |   |   |   | 6 |   |   |   | 3 |\n\
+---+---+---+---+---+---+---+---+---+\n\
| 4 |   |   | 8 |   | 3 |   |   | 1 |\n\
+---+---+---+---+---+---+---+---+---+\n\
| 7 |   |   |   | 2 |   |   |   | 6 |\n\
+---+---+---+---+---+---+---+---+---+\n\
|   | 6 |   |   |   |   | 2 | 8 |   |\n\
+---+---+---+---+---+---+---+---+---+\n\
|   |   |   | 4 | 1 | 9 |   |   | 5 |\n\
+---+---+---+---+---+---+---+---+---+\n\
|   |   |   |   | 8 |   |   | 7 | 9 |\n\
+---+---+---+---+---+---+---+---+---+",
    },
    Kind {
        name: "an empty line between bands",
        format: Format::Grid,
        writers: "people",
        example: "53..7....\n\
6..195...\n\
.98....6.\n\
\n\
8...6...3\n\
4..8.3..1\n\
7...2...6\n\
\n\
.6....28.\n\
...419..5\n\
....8..79",
    },
    Kind {
        name: "rows with commas or tabs",
        format: Format::Grid,
        writers: "spreadsheets; Debian's `sudoku -fcsv`",
        example: "5,3,,,7,,,,\n\
6,,,1,9,5,,,\n\
,9,8,,,,,6,\n\
8,,,,6,,,,3\n\
4,,,8,,3,,,1\n\
7,,,,2,,,,6\n\
,6,,,,,2,8,\n\
,,,4,1,9,,,5\n\
,,,,8,,,7,9",
    },
    Kind {
        name: "titles with `%`",
        format: Format::Grid,
        writers: "Debian's `sudoku -g`",
        example: "% easy\n\
5 3 . | . 7 . | . . .\n\
6 . . | 1 9 5 | . . .\n\
. 9 8 | . . . | . 6 .\n\
8 . . | . 6 . | . . 3\n\
4 . . | 8 . 3 | . . 1\n\
7 . . | . 2 . | . . 6\n\
. 6 . | . . . | 2 8 .\n\
. . . | 4 1 9 | . . 5\n\
. . . | . 8 . | . 7 9",
    },
    Kind {
        name: "titles between grids",
        format: Format::Grid,
        writers: "collections of people",
        example: "easy\n\
53..7....\n\
6..195...\n\
.98....6.\n\
8...6...3\n\
4..8.3..1\n\
7...2...6\n\
.6....28.\n\
...419..5\n\
....8..79",
    },
    Kind {
        name: "sections: the puzzle, and the same with pencil marks",
        format: Format::Grid,
        writers: "SadMan Sudoku",
        example: "#AAuthor\n\
[Puzzle]\n\
53..7....\n\
6..195...\n\
.98....6.\n\
8...6...3\n\
4..8.3..1\n\
7...2...6\n\
.6....28.\n\
...419..5\n\
....8..79\n\
[State]\n\
534678912\n\
6..195...\n\
.98....6.\n\
8...6...3\n\
4..8.3..1\n\
7...2...6\n\
.6....28.\n\
...419..5\n\
....8..79\n\
[PencilMarks]\n\
,,124,26,,2468,1489,1249,248\n\
,247,247,,,,3478,234,2478\n\
12,,,23,34,24,13457,,247\n\
,125,1259,579,,147,4579,2459,\n\
,25,2569,,,,579,259,\n\
,15,1359,59,,14,4589,459,\n\
139,,134579,357,35,,,,\n\
23,278,237,,,,36,,\n\
123,1245,12345,2356,,26,1346,,",
    },
    Kind {
        name: "lists of rows over several lines",
        format: Format::Document,
        writers: "JSON, pretty Python",
        example: "[\n\
\x20 [5, 3, 0, 0, 7, 0, 0, 0, 0],\n\
\x20 [6, 0, 0, 1, 9, 5, 0, 0, 0],\n\
\x20 [0, 9, 8, 0, 0, 0, 0, 6, 0],\n\
\x20 [8, 0, 0, 0, 6, 0, 0, 0, 3],\n\
\x20 [4, 0, 0, 8, 0, 3, 0, 0, 1],\n\
\x20 [7, 0, 0, 0, 2, 0, 0, 0, 6],\n\
\x20 [0, 6, 0, 0, 0, 0, 2, 8, 0],\n\
\x20 [0, 0, 0, 4, 1, 9, 0, 0, 5],\n\
\x20 [0, 0, 0, 0, 8, 0, 0, 7, 9]\n\
]",
    },
    Kind {
        name: "an object over several lines",
        format: Format::Document,
        writers: "programs that make puzzles",
        example: "{\n\
\x20 \"puzzle\": \"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\",\n\
\x20 \"solution\": \"534678912672195348198342567859761423426853791713924856961537284287419635345286179\",\n\
\x20 \"difficulty\": \"easy\"\n\
}",
    },
    Kind {
        name: "a list of puzzles",
        format: Format::Document,
        writers: "JSON",
        example: "[\"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\"]",
    },
    Kind {
        name: "a list of 81 cells with `val` or `value`, null for a blank",
        format: Format::Document,
        writers: "a solver in JavaScript",
        example: "[{\"val\":5},{\"val\":3},{\"val\":null},{\"val\":null},{\"val\":7},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":6},{\"val\":null},{\"val\":null},{\"val\":1},{\"val\":9},{\"val\":5},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":9},{\"val\":8},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":6},{\"val\":null},{\"val\":8},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":6},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":3},{\"val\":4},{\"val\":null},{\"val\":null},{\"val\":8},{\"val\":null},{\"val\":3},{\"val\":null},{\"val\":null},{\"val\":1},{\"val\":7},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":2},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":6},{\"val\":null},{\"val\":6},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":2},{\"val\":8},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":4},{\"val\":1},{\"val\":9},{\"val\":null},{\"val\":null},{\"val\":5},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":null},{\"val\":8},{\"val\":null},{\"val\":null},{\"val\":7},{\"val\":9}]",
    },
    Kind {
        name: "an object with the solved grid, and the puzzle as `task`",
        format: Format::Document,
        writers: "a service",
        example: "{\n\
\"grid\": [[5, 3, 4, 6, 7, 8, 9, 1, 2],\n\
[6, 7, 2, 1, 9, 5, 3, 4, 8],\n\
[1, 9, 8, 3, 4, 2, 5, 6, 7],\n\
[8, 5, 9, 7, 6, 1, 4, 2, 3],\n\
[4, 2, 6, 8, 5, 3, 7, 9, 1],\n\
[7, 1, 3, 9, 2, 4, 8, 5, 6],\n\
[9, 6, 1, 5, 3, 7, 2, 8, 4],\n\
[2, 8, 7, 4, 1, 9, 6, 3, 5],\n\
[3, 4, 5, 2, 8, 6, 1, 7, 9]],\n\
\"task\": [[5, 3, 0, 0, 7, 0, 0, 0, 0],\n\
[6, 0, 0, 1, 9, 5, 0, 0, 0],\n\
[0, 9, 8, 0, 0, 0, 0, 6, 0],\n\
[8, 0, 0, 0, 6, 0, 0, 0, 3],\n\
[4, 0, 0, 8, 0, 3, 0, 0, 1],\n\
[7, 0, 0, 0, 2, 0, 0, 0, 6],\n\
[0, 6, 0, 0, 0, 0, 2, 8, 0],\n\
[0, 0, 0, 4, 1, 9, 0, 0, 5],\n\
[0, 0, 0, 0, 8, 0, 0, 7, 9]]\n\
}",
    },
    Kind {
        name: "puzzles called `value` deeper in an object",
        format: Format::Document,
        writers: "a service",
        example: "{\"newboard\":{\"grids\":[{\"value\":[[5,3,0,0,7,0,0,0,0],[6,0,0,1,9,5,0,0,0],[0,9,8,0,0,0,0,6,0],[8,0,0,0,6,0,0,0,3],[4,0,0,8,0,3,0,0,1],[7,0,0,0,2,0,0,0,6],[0,6,0,0,0,0,2,8,0],[0,0,0,4,1,9,0,0,5],[0,0,0,0,8,0,0,7,9]],\"solution\":[[5,3,4,6,7,8,9,1,2],[6,7,2,1,9,5,3,4,8],[1,9,8,3,4,2,5,6,7],[8,5,9,7,6,1,4,2,3],[4,2,6,8,5,3,7,9,1],[7,1,3,9,2,4,8,5,6],[9,6,1,5,3,7,2,8,4],[2,8,7,4,1,9,6,3,5],[3,4,5,2,8,6,1,7,9]],\"difficulty\":\"Easy\"}],\"results\":1,\"message\":\"All Ok\"}}",
    },
    Kind {
        name: "lists of other languages",
        format: Format::Document,
        writers: "C, Java, Python with a comma behind the last row",
        example: "{\n\
\x20 {5, 3, 0, 0, 7, 0, 0, 0, 0},\n\
\x20 {6, 0, 0, 1, 9, 5, 0, 0, 0},\n\
\x20 {0, 9, 8, 0, 0, 0, 0, 6, 0},\n\
\x20 {8, 0, 0, 0, 6, 0, 0, 0, 3},\n\
\x20 {4, 0, 0, 8, 0, 3, 0, 0, 1},\n\
\x20 {7, 0, 0, 0, 2, 0, 0, 0, 6},\n\
\x20 {0, 6, 0, 0, 0, 0, 2, 8, 0},\n\
\x20 {0, 0, 0, 4, 1, 9, 0, 0, 5},\n\
\x20 {0, 0, 0, 0, 8, 0, 0, 7, 9},\n\
}",
    },
    Kind {
        name: "pencil marks in a frame of Simple Sudoku",
        format: Format::Grid,
        writers: "Simple Sudoku",
        example: "*--------------------------------------------------------------------------*\n\
| 5       3       124    | 26      7       2468   | 1489    1249    248    |\n\
| 6       247     247    | 1       9       5      | 3478    234     2478   |\n\
| 12      9       8      | 23      34      24     | 13457   6       247    |\n\
|--------------------------------------------------------------------------|\n\
| 8       125     1259   | 579     6       147    | 4579    2459    3      |\n\
| 4       25      2569   | 8       5       3      | 579     259     1      |\n\
| 7       15      1359   | 59      2       14     | 4589    459     6      |\n\
|--------------------------------------------------------------------------|\n\
| 139     6       134579 | 357     35      7      | 2       8       4      |\n\
| 23      278     237    | 4       1       9      | 36      3       5      |\n\
| 123     1245    12345  | 2356    8       26     | 1346    7       9      |\n\
*--------------------------------------------------------------------------*",
    },
    Kind {
        name: "pencil marks in a frame of HoDoKu",
        format: Format::Grid,
        writers: "HoDoKu",
        example: ".--------------------------------------------------------------------------.\n\
| 5       3       124    | 26      7       2468   | 1489    1249    248    |\n\
| 6       247     247    | 1       9       5      | 3478    234     2478   |\n\
| 12      9       8      | 23      34      24     | 13457   6       247    |\n\
:--------------------------------------------------------------------------:\n\
| 8       125     1259   | 579     6       147    | 4579    2459    3      |\n\
| 4       25      2569   | 8       5       3      | 579     259     1      |\n\
| 7       15      1359   | 59      2       14     | 4589    459     6      |\n\
:--------------------------------------------------------------------------:\n\
| 139     6       134579 | 357     35      7      | 2       8       4      |\n\
| 23      278     237    | 4       1       9      | 36      3       5      |\n\
| 123     1245    12345  | 2356    8       26     | 1346    7       9      |\n\
'--------------------------------------------------------------------------'",
    },
    Kind {
        name: "pencil marks without a frame",
        format: Format::Grid,
        writers: "SudoCue (.sdx)",
        example: "5 3 124 26 7 2468 1489 1249 248\n\
6 247 247 1 9 5 3478 234 2478\n\
12 9 8 23 34 24 13457 6 247\n\
8 125 1259 579 6 147 4579 2459 3\n\
4 25 2569 8 5 3 579 259 1\n\
7 15 1359 59 2 14 4589 459 6\n\
139 6 134579 357 35 7 2 8 4\n\
23 278 237 4 1 9 36 3 5\n\
123 1245 12345 2356 8 26 1346 7 9",
    },
    Kind {
        name: "XML with a game each",
        format: Format::Document,
        writers: "OpenSudoku",
        example: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<opensudoku>\n\
<name>Mine</name>\n\
<game data=\"530070000600195000098000060800060003400803001700020006060000280000419005000080079\" />\n\
</opensudoku>",
    },
    Kind {
        name: "the same with a game that was played",
        format: Format::Document,
        writers: "OpenSudoku",
        example: "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?>\n\
<opensudoku version=\"2\"><folder name=\"Mine\" created=\"0\"><game created=\"0\" state=\"1\" data=\"version: 1&#10;5|-|0|3|-|0|0|-|1|0|-|1|7|-|0|0|-|1|0|-|1|0|-|1|0|-|1|6|-|0|0|-|1|0|-|1|1|-|0|9|-|0|5|-|0|0|-|1|0|-|1|0|-|1|0|-|1|9|-|0|8|-|0|0|-|1|0|-|1|0|-|1|0|-|1|6|-|0|0|-|1|8|-|0|0|-|1|0|-|1|0|-|1|6|-|0|0|-|1|0|-|1|0|-|1|3|-|0|4|-|0|0|-|1|0|-|1|8|-|0|0|-|1|3|-|0|0|-|1|0|-|1|1|-|0|7|-|0|0|-|1|0|-|1|0|-|1|2|-|0|0|-|1|0|-|1|0|-|1|6|-|0|0|-|1|6|-|0|0|-|1|0|-|1|0|-|1|0|-|1|2|-|0|8|-|0|0|-|1|0|-|1|0|-|1|0|-|1|4|-|0|1|-|0|9|-|0|0|-|1|0|-|1|5|-|0|0|-|1|0|-|1|0|-|1|0|-|1|8|-|0|0|-|1|0|-|1|7|-|0|9|-|0|\" /></folder></opensudoku>",
    },
    Kind {
        name: "a saved game of KSudoku",
        format: Format::Document,
        writers: "KSudoku",
        example: "<!DOCTYPE ksudoku>\n\
<ksudoku>\n\
\x20<game had-help=\"0\" msecs-elapsed=\"0\">\n\
\x20 <puzzle>\n\
\x20  <graph specific-type=\"Plain\" type=\"sudoku\" order=\"9\"/>\n\
\x20  <values>fg_ieh___d_j___g____i_______b__i__e_hj_g_c_bi_f__d__j_______c____g___i_h___dbg_fj</values>\n\
\x20 </puzzle>\n\
\x20</game>\n\
</ksudoku>",
    },
    Kind {
        name: "a saved game of GNOME Sudoku",
        format: Format::Document,
        writers: "GNOME Sudoku",
        example: "{\n\
\x20 \"difficulty_category\": \"easy\",\n\
\x20 \"time_elapsed\": 0.0,\n\
\x20 \"cells\": [\n\
\x20   {\"position\": [0, 0], \"value\": 5, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [0, 1], \"value\": 3, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [0, 4], \"value\": 7, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [1, 0], \"value\": 6, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [1, 3], \"value\": 1, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [1, 4], \"value\": 9, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [1, 5], \"value\": 5, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [2, 1], \"value\": 9, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [2, 2], \"value\": 8, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [2, 7], \"value\": 6, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [3, 0], \"value\": 8, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [3, 4], \"value\": 6, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [3, 8], \"value\": 3, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [4, 0], \"value\": 4, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [4, 3], \"value\": 8, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [4, 5], \"value\": 3, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [4, 8], \"value\": 1, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [5, 0], \"value\": 7, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [5, 4], \"value\": 2, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [5, 8], \"value\": 6, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [6, 1], \"value\": 6, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [6, 6], \"value\": 2, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [6, 7], \"value\": 8, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [7, 3], \"value\": 4, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [7, 4], \"value\": 1, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [7, 5], \"value\": 9, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [7, 8], \"value\": 5, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [8, 4], \"value\": 8, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [8, 7], \"value\": 7, \"fixed\": true, \"earmarks\": []},\n\
\x20   {\"position\": [8, 8], \"value\": 9, \"fixed\": true, \"earmarks\": []}\n\
\x20 ]\n\
}",
    },
];
