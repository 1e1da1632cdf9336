//! Promise: what a reader takes for a puzzle was meant so; what looks like one and is another is refused with what to do.

use crate::common::runs::Folder;

/// A puzzle with one solution, in which no row is empty.
const ROWS: [&str; 9] = [
    "7......1.",
    ".95..38.4",
    "8....2.53",
    ".....1...",
    "....6..4.",
    ".497..6..",
    ".......8.",
    "2....7...",
    ".7..4...2",
];
/// Its solution.
const SOLVED: [&str; 9] = [
    "723854916",
    "195673824",
    "864912753",
    "682431579",
    "317569248",
    "549728631",
    "451296387",
    "236187495",
    "978345162",
];

/// Rows with a separator between cells, and other ones between boxes.
fn drawn(rows: &[String], cell: &str, part: &str) -> String {
    let root = rows.len().isqrt();
    let row = |row: &String| {
        let cells: Vec<String> = row.chars().map(String::from).collect();
        let parts: Vec<String> = cells.chunks(root).map(|part| part.join(cell)).collect();
        parts.join(part) + "\n"
    };
    rows.iter().map(row).collect()
}

/// The counts of all puzzles of a file, as the program tells them in lines.
fn counts(here: &Folder, file: &str) -> Vec<String> {
    let told = here.succeed(&format!("-q sudoku count {file} --to lines"));
    let lines = told.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.rsplit(':').next().unwrap().to_owned()).collect()
}

const SEPARATORS: [(&str, &str); 7] =
    [("", ""), (" ", " "), (" ", " | "), ("\t", "\t"), (",", ","), (", ", ", "), ("", " ")];

/// An empty row at each place, of grids of four and nine rows, in every spelling, alone and several without lines between them.
#[test]
fn a_row_of_dashes_is_a_row_where_the_grid_needs_it() {
    let here = Folder::new();
    let four = ["1234", "3412", "2143", "4321"];
    for solved in [&SOLVED[..], &four[..]] {
        for (cell, part) in SEPARATORS {
            let with_blank = |at: usize| -> Vec<String> {
                let blank = "-".repeat(solved.len());
                (0..solved.len())
                    .map(|row| if row == at { blank.clone() } else { solved[row].to_owned() })
                    .collect()
            };
            for at in 0..solved.len() {
                let text = drawn(&with_blank(at), cell, part);
                here.write("one", &text);
                assert_eq!(counts(&here, "one"), ["1"], "{text}");
                here.write("three", text.repeat(3));
                assert_eq!(counts(&here, "three"), ["1"; 3], "{text}");
            }
            let order = if solved.len() == 4 { &[1, 3, 0][..] } else { &[4, 1, 7, 0, 8, 2] };
            let all = order.iter().map(|&at| drawn(&with_blank(at), cell, part));
            here.write("all", all.collect::<String>());
            assert_eq!(counts(&here, "all"), vec!["1"; order.len()]);
        }
    }
}

/// Nine puzzles of which each has its empty row one further down: read as frames, the lines of dashes would be between eight grids.
#[test]
fn rows_of_dashes_that_stand_as_frames_would_are_rows_where_blanks_are_dashes() {
    let here = Folder::new();
    let mut text = String::new();
    for empty in 0..9 {
        for (row, cells) in SOLVED.iter().enumerate() {
            let cells = if row == empty { "-".repeat(9) } else { cells.replace('5', "-") };
            text += &drawn(&[cells], " ", " ");
        }
    }
    here.write("nine", text);
    assert_eq!(counts(&here, "nine").len(), 9);
    assert!(!counts(&here, "nine").contains(&"0".to_owned()));
}

#[test]
fn a_row_of_dashes_is_a_frame_where_the_rows_are_whole_without_it() {
    let here = Folder::new();
    for rows in
        [ROWS.map(str::to_owned), ROWS.map(|row| row.replace('.', "-")), SOLVED.map(str::to_owned)]
    {
        for (cell, part) in SEPARATORS {
            let frame = drawn(&["-".repeat(9)], "", "").trim().to_owned();
            let frame =
                drawn(&vec![frame; 9], cell, part).lines().next().unwrap().to_owned() + "\n";
            let lines = drawn(&rows, cell, part);
            let lines: Vec<&str> = lines.split_inclusive('\n').collect();
            let bands: Vec<String> = lines.chunks(3).map(<[&str]>::concat).collect();
            let within = bands.join(&frame);
            let around = format!("{frame}{within}{frame}");
            let above = format!("{frame}{}", lines.concat());
            for text in [within, around, above] {
                here.write("one", &text);
                assert_eq!(counts(&here, "one"), ["1"], "{text}");
                here.write("three", text.repeat(3));
                assert_eq!(counts(&here, "three"), ["1"; 3], "{text}");
            }
        }
    }
}

/// What stands above rows or beside them, where rows alone would be a sudoku.
#[test]
fn rows_that_are_no_grid_are_refused_as_a_block() {
    let here = Folder::new();
    let grid = ROWS.join("\n") + "\n";
    for above in ["123456789\n".repeat(4), "9 9\n111111111\n".to_owned()] {
        here.write("block", format!("{above}{grid}"));
        here.fails("count block", 2, "rows together, expected 9");
        here.fails("sudoku count block", 1, "rows together, expected 9");
    }
    here.write("more", format!("{grid}1...2...3\n"));
    here.says("sudoku count more", "more:10: found a grid of 1 row, expected 9");
    here.write("two", format!("{grid}{grid}"));
    assert_eq!(counts(&here, "two"), ["1", "1"]);
    here.write("size", format!("15 15\n{}", "1 - - 2 - - - - - - - - - - - -\n".repeat(16)));
    here.fails("sudoku count size", 1, "found the size 15 above grids");
}

#[test]
fn numbers_are_no_pencil_marks() {
    let here = Folder::new();
    let spaced: Vec<String> =
        ROWS.iter().map(|row| drawn(&[(*row).to_owned()], " ", " ")).collect();
    for number in ["11", "144", "21", "10"] {
        let mut rows = spaced.clone();
        rows[3] = format!("{number} . . . . 1 . . .\n");
        here.write("numbers", rows.concat());
        here.fails("sudoku count numbers", 1, &format!("the number {number} in a row of nine"));
        here.write("second", format!("{}\n{}", spaced.concat(), rows.concat()));
        let (_, _, told) = here.told("sudoku count second");
        assert!(told.contains(&format!("found the number {number}, expected")), "{told}");
    }
    let mut rows = spaced;
    rows[3] = "69 . . . . 1 . . .\n".to_owned();
    here.write("marks", rows.concat());
    assert_eq!(counts(&here, "marks"), ["1"]);
}

#[test]
fn marks_without_a_digit_are_no_sudoku() {
    let here = Folder::new();
    here.write("board", ".*..\n....\n....\n....\n");
    here.fails("sudoku count board", 1, "`tallyboard queens count FILE`");
    assert_eq!(here.succeed("-q count board"), "1\n");
    here.write("empty", "....\n".repeat(4));
    assert_eq!(counts(&here, "empty"), ["288"]);
}

#[test]
fn words_above_grids_are_no_rows() {
    let here = Folder::new();
    let spaced = drawn(&ROWS.map(str::to_owned), " ", " | ");
    for grid in [ROWS.join("\n") + "\n", spaced] {
        for title in [
            "1.",
            "1)",
            "(1)",
            "by me",
            "iphone 5s",
            "puzzle",
            "level 3: hard",
            "2024-01-05",
            "5 stars",
            "A",
            "x",
            "1.\nby me",
        ] {
            for between in ["", "\n"] {
                here.write("titled", format!("{title}\n{grid}{between}{title}\n{grid}"));
                assert_eq!(counts(&here, "titled"), ["1", "1"], "{title}{between}");
                here.says("count titled", "taken for sudokus");
            }
        }
        // A row with a mistake is no title.
        here.write("short", grid.replacen("7", "", 1));
        here.says("sudoku count short", "found 8 cells in this row of the grid, expected 9");
    }
}

/// A rule below a picture was a comment, and the puzzle was solved without it.
#[test]
fn a_rule_beside_a_grid_is_no_comment() {
    let here = Folder::new();
    let grid =
        format!("{}\n", "........1\n".to_owned() + &".........\n".repeat(8)).replace("\n\n", "\n");
    here.write("ruled", format!("{grid}cage 3 r1c1 r1c2\ndiagonals\n"));
    here.write("stated", format!("size 9\ngivens\n{grid}cage 3 r1c1 r1c2\ndiagonals\n"));
    assert_eq!(
        here.succeed("-q variant list ruled --limit 5"),
        here.succeed("-q variant list stated --limit 5")
    );
    here.says("solve ruled", "taken for a sudoku with rules of its own");
    for rule in ["cage 3 r1c1 r1c2", "thermoo r1c1..r1c3", "cages 3 r1c1,r1c2"] {
        here.write("rule", format!("{grid}{rule}\n"));
        here.fails("sudoku solve rule", 1, "`tallyboard variant solve FILE` takes rules");
    }
    here.write("slip", format!("{grid}thermoo r1c1..r1c3\n"));
    here.fails("solve slip", 2, "found none of the formats");
}

/// A comment was a record, or the name of a column, or no reader took the file, where blanks stood before it.
#[test]
fn a_comment_may_be_indented() {
    let here = Folder::new();
    let puzzle = ROWS.concat();
    here.write("rules", "size 4\n");
    let frame = "4 1 2 2\n3 1 2 3 0 1\n2 0 1 4 3 2\n2 3 4 1 2 2\n1 4 3 2 1 4\n1 3 2 2\n";
    for (command, text) in [
        ("sudoku solve file", format!("COMMENT{puzzle}\nCOMMENT")),
        ("solve file", format!("COMMENT{puzzle}\n")),
        ("sudoku solve file", format!("id,puzzle\nCOMMENT1,{puzzle}\n")),
        ("variant list file", format!("COMMENT{frame}")),
        ("variant solve rules file", "COMMENT1234341221434321\n".to_owned()),
        ("scale fit file", "COMMENTthreads,seconds\n1,2\nCOMMENT2,1\n4,0.6\n".to_owned()),
        ("scale fit file", "COMMENTthreads seconds\n1 2\n2 1\nCOMMENT4 0.6\n".to_owned()),
    ] {
        let told = ["", "  ", "\t"].map(|indent| {
            here.write("file", text.replace("COMMENT", &format!("{indent}# a \"remark\n")));
            here.succeed(&format!("-q {command}")).replace(&format!("{indent}#"), "#")
        });
        assert_eq!(told[1..], [told[0].clone(), told[0].clone()], "{command}: {text}");
    }
}

/// One game took the first, the others the last.
#[test]
fn of_a_name_that_is_there_twice_the_last_value_counts() {
    let here = Folder::new();
    let (puzzle, solved) = (format!("{:?}", ROWS.concat()), format!("{:?}", SOLVED.concat()));
    let boards = ["AABBAABBCCDDCCDD", "ABBBAABBCCDDCCDD"].map(|board| format!("{board:?}"));
    for (command, name, first, last) in [
        ("sudoku solve file --to lines", "puzzle", &solved, &puzzle),
        ("sudoku solve file --to lines", "puzzle", &puzzle, &solved),
        ("regions solve file", "regions", &boards[0], &boards[1]),
        ("queens count file", "n", &"5".to_owned(), &"6".to_owned()),
    ] {
        here.write("file", format!("{{\"{name}\": {first}, \"{name}\": {last}}}\n"));
        let told = here.succeed(&format!("-q {command}"));
        here.write("file", format!("{{\"{name}\": {last}}}\n"));
        assert_eq!(told, here.succeed(&format!("-q {command}")), "{name}: {first} {last}");
    }
    here.write("options", "{\"a\": [1, 2],\n\"a\": [3]}\n");
    here.fails("cover count options", 2, "line 2: found the name \"a\" twice, expected it once");
}

#[test]
fn a_value_twice_in_a_row_is_told() {
    let here = Folder::new();
    let grid = ROWS.join("\n") + "\n";
    here.write("twice", grid.replace("....6..4.", "4...6..4."));
    here.says("count twice", "two 4 in row 5: perhaps no sudoku");
    here.write("once", grid);
    assert!(!here.said("count once").contains("perhaps no sudoku"));
}

#[test]
fn small_slips_of_other_readers() {
    let here = Folder::new();
    here.write("none", "a b\na\n");
    here.says("cover list none", "no cover");
    here.says("cover list none --json", "no cover");
    here.says("solve none", "no cover");
    assert!(!here.said("cover list none --limit 0").contains("no cover"));
    here.write("stars", "4 4 1\nAABB\nACCB\nDCCB\nDDDB\n");
    here.write("bare", "AABB\nACCB\nDCCB\nDDDB\n");
    assert_eq!(here.succeed("-q regions count stars"), here.succeed("-q regions count bare"));
    here.write("two", "4 4 2\nAABB\nACCB\nDCCB\nDDDB\n");
    assert_eq!(here.json("regions count two --json")["stars"], "2");
    let samurai = "7....................\n".to_owned() + &".....................\n".repeat(20);
    here.write("samurai", format!("21 21\n{samurai}"));
    here.prints("cover list samurai --limit 1", "7");
    here.says("solve samurai", "taken for exact covers");
}
