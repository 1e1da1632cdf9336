//! One board in every format, and what is said of mistakes.

use std::io::{BufRead, Cursor};

use tallyboard_base::cpu::Instructions;
use tallyboard_regions::format::{ReadError, Record, Records, line};
use tallyboard_regions::{
    Board, Generator, Limits, RowFormat, StreamSettings, Wishes, canonical, solve_stream,
};
use tallyboard_search::Stop;
use tallyboard_search::records::BadRecord;

/// Four regions; the second star of the only solution lies in the last column.
const LINE: &str = "AABBACCBDDCBDDDD";

fn read(text: &str) -> Vec<Result<Record, ReadError>> {
    Records::new(text.as_bytes(), None).collect()
}

/// The boards of a text without mistakes.
fn boards(text: &str) -> Vec<Board> {
    let all: Result<Vec<Record>, ReadError> = read(text).into_iter().collect();
    all.unwrap_or_else(|error| panic!("{error}: {text}")).into_iter().map(|r| r.board).collect()
}

fn mistake(text: &str) -> String {
    let mistakes: Vec<String> =
        read(text).into_iter().filter_map(|read| read.err().map(|e| e.to_string())).collect();
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    mistakes[0].clone()
}

#[test]
fn a_board_is_the_same_in_every_format() {
    let expected = boards(LINE);
    assert_eq!(line(&expected[0]), LINE);
    for text in [
        "AABB\nACCB\nDDCB\nDDDD\n",
        "\n# typed from a picture\nr r b b\r\nr g g b\r\ny y g b\r\ny y y y\r\n",
        "1,1,2,2\n1,3,3,2\n4,4,3,2\n4,4,4,4",
        "|10|10|7|7|\n|10|3|3|7|\n|4|4|3|7|\n|4|4|4|4|",
        "0011022133213333 taken from a book",
        "🟥🟥⬛️⬛️\n🟥🟢🟢⬛️\n🟨🟨🟢⬛️\n🟨🟨🟨🟨",
        "id,board,level\n1,AABBACCBDDCBDDDD,easy\n",
        "name;Regions\n\"a;b\";\"AABBACCBDDCBDDDD\"\n",
        "[[0,0,1,1],[0,2,2,1],[3,3,2,1],[3,3,3,3]]",
        "[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"]",
        "{\"regions\": [[0,0,1,1],\n[0,2,2,1],\n[3,3,2,1],[3,3,3,3]], \"size\": 4}",
        "{\"cells\":\"AABBACCBDDCBDDDD\"}",
        "import { red } from \"../colors\";\n\nconst level = {\n  size: 4,\n  colorRegions: [\n    [\"A\", \"A\", \"B\", \"B\"],\n    \
         [\"A\", \"C\", \"C\", \"B\"], // a remark\n    ['D', 'D', 'C', 'B'],\n    [\"D\", \"D\", \"D\", \"D\"],\n  ],\n  \
         regionColors: {\n    A: red,\n  },\n};\n\nexport default level;\n",
        "const regions = [[0,0,1,1],[0,2,2,1],[3,3,2,1],[3,3,3,3]]",
        "{\"red\": [[0,0],[0,1],[1,0]], \"b\": [[0,2],[0,3],[1,3],[2,3]], \"g\": [[1,1],[1,2],[2,2]],\n\"y\": \
         [[2,0],[2,1],[3,0],[3,1],[3,2],[3,3]]}",
        "# with the stars of the solution\n4x4\n1,2 | 1,1 2,1\n2,4 | 1,3 1,4 3,4\n3,1 | 3,2 4,1 4,2 4,3 4,4\n | 2,2 2,3 3,3\n",
    ] {
        assert_eq!(boards(text), expected, "{text}");
    }
}

#[test]
fn several_boards_are_read_one_after_the_other() {
    let expected = vec![boards(LINE)[0].clone(); 2];
    for text in [
        "AABBACCBDDCBDDDD\nAABBACCBDDCBDDDD\n",
        "AABB\nACCB\nDDCB\nDDDD\n\n\nAABB\nACCB\nDDCB\nDDDD",
        "{\"regions\":[[0,0,1,1],[0,2,2,1],[3,3,2,1],[3,3,3,3]]}\n{\"colorRegions\":[\"rrbb\",\"rggb\",\"yygb\",\"yyyy\"]}\n",
        "[[[0,0,1,1],[0,2,2,1],[3,3,2,1],[3,3,3,3]],[[0,0,1,1],[0,2,2,1],[3,3,2,1],[3,3,3,3]]]",
    ] {
        assert_eq!(boards(text), expected, "{text}");
    }
    // Sixteen lines of sixteen letters are one board, if these are the names of sixteen regions.
    let draft = Generator::new(Wishes::new(16, 1), 1).unwrap().draft(0).unwrap();
    let rows: Vec<String> =
        line(&draft).as_bytes().chunks(16).map(|row| String::from_utf8_lossy(row).into()).collect();
    assert_eq!(boards(&rows.join("\n")), [draft]);
    assert_eq!(boards(&[LINE; 16].join("\n")).len(), 16);
}

/// What the other lines hold is no matter of one that is wrong, nor of how many they are.
#[test]
fn a_mistake_in_a_line_leaves_the_others_boards() {
    let wrong = "AAAABBBBAAAABBBB";
    for lines in [1, 2, 4, 8, 15, 17, 18, 31, 32, 33, 48] {
        for bad in [0, lines / 2, lines - 1] {
            let text: Vec<&str> =
                (0..lines).map(|line| if line == bad { wrong } else { LINE }).collect();
            for (before, behind) in [("", ""), ("# note\n\n", "\n\n")] {
                let found = read(&format!("{before}{}{behind}", text.join("\n")));
                let said = found[bad].as_ref().unwrap_err().to_string();
                let line = bad + 1 + before.matches('\n').count();
                let expected = format!("line {line}: found 2 regions, expected 4");
                assert!(said.starts_with(&expected), "{lines} lines: {said}");
                let good = found.iter().filter(|found| found.is_ok()).count();
                assert_eq!((found.len(), good), (lines, lines - 1));
            }
        }
    }
}

/// The board of the tests of pzpr, whose editor makes links and texts of it, and the same in SBN.
#[test]
fn codes_of_borders_are_the_board_that_they_draw() {
    let board = boards("AAABBBABBBCCADDEECFFDDECFEEEECFCCCCC");
    let saved = "starbattle\n6\n6\n1\n6\n0 0 0 1 1 1 \n0 1 1 1 2 2 \n0 3 3 4 4 2 \n5 5 3 3 4 2 \n5 4 4 4 4 2 \n5 2 2 2 2 2 \n";
    let begun =
        "+ # + + + + \n+ + + # + + \n. . . . . . \n. . . . . . \n. . . . . . \n. . . . . . \n";
    for text in [
        "https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou",
        "http://pzv.jp/p.html?type=editor&starbattle_edit/6/6/1/4ilbhgdnmhou/",
        &format!("pzprv3\n{saved}"),
        &format!("pzprv3.1\r\n{saved}{begun}history:{{\n}}\n"),
        &format!("pzprv3/{}", saved.replace('\n', "/")),
        "661W9Agum9_Rym",
        "661e9Agum9_Rym00bG5G1G5O00~h:2302130212021102:D",
        "# saved\n661W9Agum9_Rym a remark",
    ] {
        assert_eq!(boards(text), board, "{text}");
    }
    let two = "https://puzz.link/p?starbattle/6/6/2/4ilbhgdnmhou\nhttps://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou";
    let stars: Vec<usize> = boards(two).iter().map(Board::stars).collect();
    assert_eq!(stars, [2, 1]);
    assert_eq!(boards("662W9Agum9_Rym\n661W9Agum9_Rym").len(), 2);
    for (text, said) in [
        ("https://puzz.link/p?slither/6/6/1/4ilb", "a puzzle of puzz.link of the genre slither"),
        ("https://puzz.link/p?starbattle/6/6/1/4ilb", "found '4ilb' for the borders"),
        ("https://puzz.link/p?starbattle/6/5/1/4ilb", "found 5 rows of 6 cells, expected a square"),
        ("https://puzz.link/p?starbattle/6/6/x/4ilbhgdnmhou", "found 'x' for the stars"),
        ("https://puzz.link/p?starbattle/6", "found 'nothing' for the size"),
        ("https://puzz.link/p?v:toroidal/starbattle/6/6/1/4ilbhgdnmhou", "the variant 'toroidal'"),
        ("pzprv3\nstarbattle\n6\n6\n1\n6\n0 0 0", "found 3 cells"),
        ("pzprv3", "found no genre"),
    ] {
        let mistake = mistake(text);
        assert!(mistake.contains(said), "{text}: {mistake}");
    }
    // Letters of regions that begin as a board in SBN does.
    let rows = format!("{}LL1W2345678A", "LL1W23456789".repeat(11));
    assert_eq!(boards(&rows)[0].size(), 12);
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_line() {
    for before in
        ["", "\n# note\n", "AABBACCBDDCBDDDD\n\n", "AABB\nACCB\n", "board\n", "[[0,0,1,1],\n"]
    {
        let bytes = [before.as_bytes(), b"AABBACC\xff\nAABBACCBDDCBDDDD"].concat();
        let said = Records::new(&bytes[..], None).find_map(Result::err).unwrap().to_string();
        let expected =
            format!("line {}: found bytes that are no text", before.matches('\n').count() + 1);
        assert!(said.starts_with(&expected), "{before:?}: {said}");
    }
}

#[test]
fn stars_marks_and_stated_counts_are_read() {
    let marked = boards(LINE)[0].clone().give(0, 1).unwrap().block(2, 0).unwrap();
    for text in [
        "A A* B B\nA C C B\nD- D C B\nD D D D",
        "{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"],\"queens\":[[0,1]],\"blocked\":[[2,0]]}",
        "{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"],\"givens\":[[0,1,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]],\
         \"blocked\":[[false,false,false,false],[0,0,0,0],[1,0,0,0],[0,0,0,0]]}",
    ] {
        assert_eq!(boards(text), std::slice::from_ref(&marked), "{text}");
    }
    let stated = read("{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"],\"solutionsCount\":1}");
    assert_eq!(stated[0].as_ref().unwrap().stated, Some(1));
    let two = Records::new("{\"regions\":[[0]],\"stars\":1}".as_bytes(), None).next().unwrap();
    assert_eq!(two.unwrap().board.stars(), 1);
}

#[test]
fn mistakes_name_the_row_and_the_column() {
    let marks = "line 1: found no places under";
    // A row of marks is as long as a row of the board, and there are as many.
    let row = "[0,0,0,0]";
    for wrong in [
        format!("[{row},{row},{row}]"),
        format!("[{row},{row},{row},[0,0,0]]"),
        format!("[{row},{row},{row},{row},{row}]"),
        format!("[{}]", ["[0,0,0]"; 3].join(",")),
        format!("[{}]", ["[0,0,0,0,0]"; 5].join(",")),
        "[[0,1],[2]]".to_owned(),
        "[[0,1],[2,3,0]]".to_owned(),
        "[0,1]".to_owned(),
        "7".to_owned(),
    ] {
        for name in ["queens", "blocked"] {
            let regions = r#"["AABB","ACCB","DDCB","DDDD"]"#;
            let found = mistake(&format!("{{\"regions\":{regions},\"{name}\":{wrong}}}"));
            assert!(found.starts_with(marks), "{wrong}: {found}");
        }
    }
    let cases = [
        (
            "AABB\nACC\nDDCB\nDDDD",
            "line 1: row 2 has 3 cells, expected 4: as many as there are rows",
        ),
        (
            "\n\nAABB\nACCB\nDDCB\nDDDE",
            "line 3: found 5 regions, expected 4: one for each row; those found are called A B C D E; E has one cell, r4c4",
        ),
        (
            "@@\n@@",
            "line 1: found 0 regions, expected 2: one for each row; each cell is `@` or `#`",
        ),
        (
            "A A B B\nA . C B\nD D C B\nD D D D",
            "line 1: row 2, column 2 has \".\", expected the letter or number of a region",
        ),
        (
            "AABBACCBDDCBDDDDE\nAABBACCBDDCBDDDD",
            "line 1: row 1 has 17 cells, expected 2: as many as there are rows",
        ),
        ("board\nAABBACCBDDCBDDDD\nAABBA", "line 3: found 5 cells, expected n x n"),
        ("{\"region\":[[0]]}", "line 1: found an object without \"regions\""),
        (
            "[[0,0,1,1],[0,2,2,1],[3,3,2,1],[3,3,3,3]",
            "line 1: found the end of the file, expected ',' or ']'",
        ),
        (
            "import a\nexport const regions = [\n[0,0,1,1],\n[0,2,2,1],[3,3,2,1],[3,3,3]]",
            "line 2: row 4 has 3 cells, expected 4",
        ),
        ("const a = 1;", "line 1: found no list behind the name regions or colorRegions"),
        (
            "{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"],\"queens\":[[0,4]]}",
            "line 1: found row 1, column 5, expected 1 to 4",
        ),
        (
            "{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"],\"stars\":3}",
            "line 1: found 3 stars for each row, expected 1 to 2",
        ),
    ];
    for (text, expected) in cases {
        // Lines without a board before the first one move the mistake down, in every format.
        for before in 0..3 {
            let text = "\n# so\n".repeat(before) + text;
            let (line, words) = expected["line ".len()..].split_once(": ").unwrap();
            let line = line.parse::<usize>().unwrap() + 2 * before;
            let expected = format!("line {line}: {words}");
            let found = mistake(&text);
            assert!(found.starts_with(&expected), "{text}\n{found}\n{expected}");
        }
    }
    // The boards behind a mistake in a line are read.
    assert_eq!(read("AABBACCBDDCBDDDD\nAABBACCBDDCBDDDDE\nAABBACCBDDCBDDDD").len(), 3);
}

#[test]
fn values_have_escapes_comments_and_lines_of_their_own() {
    let plain = boards("AABB\nACCB\nDDCB\nDDDD");
    for text in [
        // Escapes of JSON, in names of members and of regions.
        "{\"reg\\u0069ons\":[\"\\u0041ABB\",\"ACCB\",\"DDCB\",\"DDDD\"]}",
        // An apostrophe and brackets in comments.
        "[ // it's [\n[0,0,1,1], // don't\n[0,2,2,1], /* [ ' */\n[3,3,2,1],\n[3,3,3,3]]",
        "const a = 1; // it's\nconst regions = [[0,0,1,1], // don't\n[0,2,2,1],[3,3,2,1],[3,3,3,3]];",
    ] {
        assert_eq!(boards(text), plain, "{text}");
    }
    // The board behind is another, and has its own line.
    let text = "[{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"]},\n\n{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"]}]\n";
    let lines: Vec<usize> = read(text).into_iter().map(|record| record.unwrap().line).collect();
    assert_eq!(lines, [1, 3]);
    for (text, expected) in [
        ("[[0,0,1,1],\n[0,2,2,1],\n[3,3,2,1],\n[3,3,;3,3]]", "line 4: found ';', expected a value"),
        ("[\"AABB\",\n\"ACCB]", "line 2: found \"ACCB], expected a text that ends"),
        ("const regions = [[0,0,1,1],\n[0,2,2,1}]", "line 2: found '}', expected ',' or ']'"),
        (
            "[{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"]},\n{\"regions\":[\"A\",\"B\"]}]",
            "line 2: board 2: row 1",
        ),
    ] {
        let found = mistake(text);
        assert!(found.starts_with(expected), "{text}\n{found}");
    }
    for open in ["[", "{a:", "const regions = [", "["] {
        let text = format!("{open}{}", "[".repeat(100_000));
        assert!(mistake(&text).contains("nested deeper than 64"), "{open}");
    }
}

/// Regions keep the names of the file, in whatever order they begin and in whatever form it is.
#[test]
fn regions_are_called_as_in_the_file() {
    let names = |text: &str| {
        let record = Records::new(text.as_bytes(), None).next().unwrap().unwrap();
        let size = record.board.size();
        (0..size).map(|region| record.names.of(region).into_owned()).collect::<Vec<_>>()
    };
    for text in [
        "DDAADDAACCBBCCBB",
        "D D A A\nD D A* A\nC C B B\nC C B B",
        "board\nDDAADDAACCBBCCBB",
        "[\"DDAA\",\"DDAA\",\"CCBB\",\"CCBB\"]",
        // The first cell is in no region.
        "@DAA\nDDAA\nCCBB\nCCBB",
    ] {
        assert_eq!(names(text), ["D", "A", "C", "B"], "{text}");
    }
    let words = "pink pink sky sky\npink pink sky sky\n12 12 🟥 🟥\n12 12 🟥 🟥";
    assert_eq!(names(words), ["pink", "sky", "12", "🟥"]);
    // Codes of borders have no names.
    assert_eq!(names("661W9Agum9_Rym"), ["A", "B", "C", "D", "E", "F"]);
}

#[test]
fn a_region_in_two_parts_is_a_remark() {
    assert!(boards(LINE)[0].cut_regions().is_empty());
    assert_eq!(boards("AABB\nACCB\nDDCB\nDDDA")[0].cut_regions(), [0]);
    // A way around another region joins two arms.
    assert!(boards("ABBAA\nACBCA\nACCCA\nADDEA\nAAAAA")[0].cut_regions().is_empty());
    let board = &boards("ABBAA\nACBCA\nACCCA\nADDEA\nAAADA")[0];
    assert_eq!(board.cut_regions(), [0, 3]);
    assert_eq!(board.odd_cells(), [(0, (0, 3)), (3, (4, 3))]);
}

/// Boards with a region in parts are told by the first of them, in whatever part of a file it is.
#[test]
fn the_first_board_with_a_region_in_parts_is_told() {
    let (whole, cut) = ("AABBAABBCCDDCCDD\n", "AABBAABBCCDDCCDA\n");
    let text: String = (1..=5000).map(|line| if line % 1500 == 0 { cut } else { whole }).collect();
    let instructions = Instructions::all().next().unwrap();
    for threads in [1, 3] {
        let input: Box<dyn BufRead + Send> = Box::new(Cursor::new(text.clone()));
        let settings = StreamSettings {
            limits: Limits::solutions(2),
            format: RowFormat::Lines,
            instructions,
            strict: false,
            threads,
        };
        let (rows, report) = (&mut Vec::new(), &mut |_: &BadRecord| {});
        let solved = solve_stream(input, None, rows, settings, &Stop::new(), report);
        let (summary, odd) = solved.unwrap();
        assert_eq!((odd.cut, odd.first_cut, summary.puzzles()), (3, Some((1500, (3, 3))), 5000));
    }
}

/// The images of a board are one in the canonical form, with what is given and crossed out, which alone decides where the regions
/// look alike from several sides.
#[test]
fn marks_decide_where_the_regions_are_symmetric() {
    let marks = [(0, 0, true), (1, 0, false), (0, 1, true), (4, 4, false)];
    let mut forms = Vec::new();
    for chosen in [0b0000, 0b0001, 0b0010, 0b0100, 0b1100, 0b1011_u32] {
        let image = |symmetry: u32| {
            let place = |row: usize, column: usize| {
                let row = if symmetry & 2 == 0 { row } else { 4 - row };
                let column = if symmetry & 4 == 0 { column } else { 4 - column };
                if symmetry & 1 == 0 { (row, column) } else { (column, row) }
            };
            let mut labels = vec![0; 25];
            for (row, column) in (0..25).map(|cell| (cell / 5, cell % 5)) {
                let (to_row, to_column) = place(row, column);
                labels[5 * to_row + to_column] = row as u32;
            }
            let of_marks = marks.iter().enumerate().filter(|(number, _)| chosen >> number & 1 == 1);
            of_marks.fold(Board::new(&labels, 1).unwrap(), |board, (_, &(row, column, is_star))| {
                let (row, column) = place(row, column);
                if is_star { board.give(row, column) } else { board.block(row, column) }.unwrap()
            })
        };
        let form = canonical(&image(0));
        for symmetry in 1..8 {
            assert_eq!(canonical(&image(symmetry)), form, "{chosen:b}, {symmetry}");
        }
        assert!(!forms.contains(&form), "{chosen:b}");
        forms.push(form);
    }
}

#[test]
fn the_size_and_the_stars_may_stand_above_rows() {
    let rows = "AABB\nACCB\nDDCB\nDDDD\n";
    for text in [format!("4\n{rows}"), format!("4\n1\n{rows}")] {
        assert_eq!(boards(&text), boards(LINE), "{text}");
    }
    // As many rows as two stars a row need.
    let board = (0..9).map(|row| {
        (0..9).map(|at| format!("{} ", row / 3 * 3 + at / 3)).collect::<String>() + "\n"
    });
    let found = boards(&format!("9\n2\n{}", board.collect::<String>()));
    assert_eq!((found[0].stars(), found[0].size()), (2, 9));
    assert!(mistake(&format!("5\n{rows}")).contains("row 1 has 1 cells"));
}

#[test]
fn regions_may_list_their_cells() {
    // As many stars as each line has before its bar.
    let rows: String = (1..10)
        .map(|row| {
            let cells: Vec<String> = (1..10).map(|column| format!("{row},{column}")).collect();
            format!("{} | {}\n", cells[..2].join(" "), cells[2..].join(" "))
        })
        .collect();
    assert_eq!(boards(&format!("9x9\n{rows}"))[0].stars(), 2);
    let list = |last: &str| format!("{{\"a\": [[1,1],[1,2]], \"b\": [[2,1],{last}]}}");
    assert_eq!(boards(&list("[2,2]"))[0].size(), 2);
    assert!(mistake(&list("[2,1]")).contains("row 2, column 1 twice"));
    assert!(mistake(&list("[3,1]")).contains("row 3, column 1, expected the cells of a square"));
    assert!(mistake(&list("[2,2],[1,3]")).contains("expected the cells of a square"));
    assert!(mistake("{\"a\": 3}").contains("a list of cells for each region"));
}

#[test]
fn a_list_of_python_under_any_name_is_a_board() {
    let numbers = "[[1, 1, 2, 2], [1, 3, 3, 2],\n [4, 4, 3, 2], [4, 4, 4, 4]]";
    for text in
        [format!("my_board = {numbers}\n\nanswer = [(0, 1), (1, 3)]\n"), format!("b={numbers}\n")]
    {
        assert_eq!(boards(&text), boards(LINE), "{text}");
    }
    // Of two boards nobody knows which is meant.
    assert!(mistake(&format!("a = {numbers}\nb = {numbers}\n")).contains("found no list"));
}

#[test]
fn givens_under_several_names_are_all_given() {
    let board = |members: &str| {
        boards(&format!("{{\"regions\":[\"AABB\",\"ACCB\",\"DDCB\",\"DDDD\"],{members}}}"))
            .remove(0)
    };
    let one = board("\"queens\":[[0,1]]");
    assert_eq!(one.rows()[0].stars, 2);
    let both = board("\"queens\":[[0,1]],\"givens\":[[3,2]]");
    assert_eq!([0, 3].map(|row| both.rows()[row].stars), [2, 4]);
}

/// What is too long is a mistake of its line, whatever kind of file it stands in; the boards behind it are read.
#[test]
fn long_lines_and_bad_bytes_are_mistakes_of_their_lines() {
    let board = "AABBCADDDCADDDCADDDEDDDEE";
    let read = |text: &[u8]| {
        let told = |record: Result<Record, ReadError>| match record {
            Ok(record) => Ok((record.line, line(&record.board))),
            Err(ReadError::Mistake { line, mistake, text }) => Err((line, mistake, text.len())),
            Err(error) => panic!("{error}"),
        };
        Records::new(text, None).map(told).collect::<Vec<_>>()
    };
    const MIB: usize = 1 << 20;
    let too_long = "found a line of more than 1 MiB, expected a board".to_owned();
    let long = [&b"A".repeat(MIB + 3), &b"\n"[..], board.as_bytes(), b"\n"].concat();
    assert_eq!(read(&long), [Err((1, too_long.clone(), MIB)), Ok((2, board.to_owned()))]);
    let later = [board.as_bytes(), b"\n\n# note\n", &long[..]].concat();
    let found = read(&later);
    assert_eq!(found[1..], [Err((4, too_long, MIB)), Ok((5, board.to_owned()))]);
    let bytes = [board.as_bytes(), b"\n\xffAB\n", board.as_bytes(), b"\n"].concat();
    let found = read(&bytes);
    assert!(matches!(&found[1], Err((2, mistake, 5)) if mistake.contains("UTF-8")), "{found:?}");
    assert_eq!(found[2..], [Ok((3, board.to_owned()))]);
    // Comments are not held, and rows without end are one board that is too long.
    let rows = [&b"A B\n".repeat(MIB / 2)[..], b"\nA\n"].concat();
    assert!(matches!(&read(&rows)[..], [Err((1, mistake, _)), Ok(_)] if mistake.contains("1 MiB")));
    // Boards of a value may stand in a long line.
    let value = format!("[{}]\n", vec![format!("\"{board}\""); 50_000].join(","));
    assert_eq!(read(format!("[{value}").as_bytes()).len(), 1, "no brackets match");
}

/// A board of puzzlekit with its solution, in every spelling: cells in no region have no star, and change no other region.
#[test]
fn cells_in_no_region_have_no_star() {
    const ROWS: &str = "@ @ 1 2 3 @ @\n@ 1 1 2 3 3 @\n1 1 4 2 2 3 3\n5 4 4 4 4 4 3\n5 5 5 4 4 7 7\n@ 5 6 6 7 7 @\n@ @ 6 6 7 @ @";
    let solution = [3, 1, 6, 4, 0, 5, 2].map(|column| 1 << column);
    let collection = format!(
        "{{\"data\": {{\"3_7x7\": {{\"problem\": {:?}, \"solution\": \"-\"}}}}}}",
        format!("7 7 1\n{ROWS}")
    );
    let line = ROWS.replace([' ', '\n'], "");
    for text in [
        ROWS.to_owned(),
        format!("7 7 1\n{ROWS}\n"),
        ROWS.replace('1', "one").replace(" @", " #"),
        line,
        collection,
    ] {
        let [board] = &boards(&text)[..] else { panic!("{text}") };
        assert!(board.is_solved_by(&solution), "{text}");
        assert!(board.cut_regions().is_empty(), "{text}");
        for (cell, word) in ROWS.split_whitespace().enumerate() {
            let may_have_star = board.rows()[cell / 7].possible >> (cell % 7) & 1 == 1;
            assert_eq!(may_have_star, word != "@", "{text}");
        }
    }
    let none = "{\"data\": {\"a\": {\"problem\": \"2 2 1\\n@ @\\n@ @\"}}}";
    assert!(read(none)[0].as_ref().is_err_and(|error| error.to_string().contains("regions")));
}
