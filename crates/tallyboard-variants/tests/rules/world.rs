//! Promise: what people bring from other programs means here what it means there. All inputs are of our own making.

use tallyboard_variants::{Puzzle, Rule, read, read_without_drawings, write};

fn puzzle(text: &str) -> Puzzle {
    read(text.as_bytes(), "p").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn count(text: &str) -> usize {
    puzzle(text).solutions().count()
}

fn error(text: &str) -> String {
    read(text.as_bytes(), "p").expect_err(text).to_string()
}

/// A filled grid of 4 x 4.
const FILLED: [&str; 4] = ["1234", "3412", "2143", "4321"];

/// The grid of f-puzzles with the first rows of [`FILLED`], and `extra` keys in its last cell.
fn grid(rows: usize, extra: &str) -> String {
    let cell = |row: usize, column: usize| {
        let value = FILLED[row].as_bytes()[column] as char;
        match (row < rows, row + column) {
            (true, _) => format!(r#"{{"value":{value},"given":true}}"#),
            (false, 6) => format!("{{{extra}}}"),
            _ => "{}".to_owned(),
        }
    };
    let row = |row| (0..4).map(|column| cell(row, column)).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..4).map(|number| format!("[{}]", row(number))).collect();
    format!("[{}]", rows.join(","))
}

/// A puzzle of f-puzzles with the first `rows` rows given, and these fields.
fn f_puzzle(rows: usize, fields: &str) -> String {
    let comma = if fields.is_empty() { "" } else { "," };
    format!(r#"{{"size":4,"grid":{}{comma}{fields}}}"#, grid(rows, ""))
}

/// The grids with the first row 1234: 12 below it.
const BELOW_A_ROW: usize = 12;

#[test]
fn what_states_nothing_in_f_puzzles_is_accepted() {
    assert_eq!(count(&f_puzzle(1, "")), BELOW_A_ROW);
    for fields in [
        r#""littlekillersum":[{"cell":"R0C1","direction":"DR","cells":["R1C2"]}]"#,
        r#""littlekillersum":[{"cell":"R0C1","direction":"DR","value":"0"}]"#,
        r#""sandwichsum":[{"cell":"R0C1"}]"#,
        r#""xv":[{"cells":["R1C1","R1C2"]}]"#,
        r#""thermometer":[{"lines":[["R1C1"]]}]"#,
        r#""arrow":[{"cells":["R1C1"],"lines":[["R1C1"]]}]"#,
        r#""fogofwar":["R1C1"],"foglight":["R2C2"]"#,
        r#""renban":[{"lines":[["R1C1","R1C2"]]}],"line":[{"lines":[["R1C1","R1C2"]],"isNewConstraint":true}]"#,
        r#""killercage":[{"cells":["R1C1"]}]"#,
        r#""extraregion":[{"cells":["R1C1","R1C2","R1C3"]}]"#,
        r#""negative":["xv"],"xv":[{"cells":["R1C2","R1C3"],"value":"V"},{"cells":["R2C2","R2C3"],"value":"V"}],"disabledlogic":[]"#,
    ] {
        let expected = if fields.contains("negative") { None } else { Some(BELOW_A_ROW) };
        let found = count(&f_puzzle(1, fields));
        assert!(expected.is_none_or(|expected| expected == found), "{fields}: {found}");
    }
}

/// The grids of 4 x 4 that satisfy this, by trying all.
fn grids_with(holds: impl Fn(&[Vec<u8>]) -> bool) -> usize {
    let all = puzzle("size 4").solutions();
    all.filter(|values| holds(&values.chunks(4).map(<[u8]>::to_vec).collect::<Vec<_>>())).count()
}

/// Each two neighbours of a grid, with the number of the first cell and whether it is the left one.
/// Two cells side by side, and their values.
type Neighbours = ([(usize, usize); 2], u8, u8);

fn neighbours(rows: &[Vec<u8>]) -> Vec<Neighbours> {
    let mut pairs = Vec::new();
    for row in 0..4 {
        for column in 0..4 {
            for (down, right) in [(0, 1), (1, 0)] {
                let (r, c) = (row + down, column + right);
                if r < 4 && c < 4 {
                    pairs.push(([(row, column), (r, c)], rows[row][column], rows[r][c]));
                }
            }
        }
    }
    pairs
}

#[test]
fn dots_of_any_kind_spare_neighbours_in_f_puzzles() {
    let dots = r#""difference":[{"cells":["R1C1","R1C2"]},{"cells":["R2C2","R2C3"],"value":"3"}],
        "ratio":[{"cells":["R3C1","R4C1"]}]"#;
    let dotted = [[(0, 0), (0, 1)], [(1, 1), (1, 2)], [(2, 0), (3, 0)]];
    let positive = |rows: &[Vec<u8>]| {
        rows[0][0].abs_diff(rows[0][1]) == 1
            && rows[1][1].abs_diff(rows[1][2]) == 3
            && (rows[2][0] == 2 * rows[3][0] || rows[3][0] == 2 * rows[2][0])
    };
    let is_ratio = |a: u8, b: u8| a == 2 * b || b == 2 * a;
    for (negative, forbids) in [
        ("", None::<fn(bool, bool) -> bool>),
        (r#","nonconsecutive":true"#, Some(|near: bool, _| near)),
        (r#","negative":["ratio"]"#, Some(|_, ratio| ratio)),
        (r#","nonconsecutive":true,"negative":["ratio"]"#, Some(|near, ratio| near || ratio)),
    ] {
        let expected = grids_with(|rows| {
            let undotted = neighbours(rows).into_iter().filter(|(pair, ..)| !dotted.contains(pair));
            let mut undotted = undotted.map(|(_, a, b)| (a.abs_diff(b) == 1, is_ratio(a, b)));
            positive(rows) && !undotted.any(|(near, ratio)| forbids.is_some_and(|f| f(near, ratio)))
        });
        assert_eq!(count(&f_puzzle(0, &format!("{dots}{negative}"))), expected, "{negative}");
    }
    // The ratios that are forbidden are those that occur, and 2 if none does.
    let triple = r#""ratio":[{"cells":["R1C1","R1C2"],"value":"3"}],"negative":["ratio"]"#;
    let triple_expected = grids_with(|rows| {
        let mut others =
            neighbours(rows).into_iter().filter(|(pair, ..)| *pair != [(0, 0), (0, 1)]);
        rows[0][0].max(rows[0][1]) == 3 * rows[0][0].min(rows[0][1])
            && !others.any(|(_, a, b)| a.max(b) == 3 * a.min(b))
    });
    assert_eq!(count(&f_puzzle(0, triple)), triple_expected);
    let none = grids_with(|rows| !neighbours(rows).into_iter().any(|(_, a, b)| is_ratio(a, b)));
    assert_eq!(count(&f_puzzle(0, r#""negative":["ratio"]"#)), none);
    let plain = grids_with(|rows| neighbours(rows).into_iter().all(|(_, a, b)| a.abs_diff(b) > 1));
    assert_eq!(count(&f_puzzle(0, r#""nonconsecutive":true"#)), plain);
}

#[test]
fn marks_in_the_cells_of_old_exports_are_read_and_unknown_ones_refused() {
    let with = |extra: &str| format!(r#"{{"size":4,"grid":{}}}"#, grid(0, extra));
    for (old, new) in [
        (r#""parity":"Even""#, r#""even":[{"cell":"R4C4"}]"#),
        (r#""parity":"Odd""#, r#""odd":[{"cell":"R4C4"}]"#),
        (r#""extreme":"Minimum""#, r#""minimum":[{"cell":"R4C4"}]"#),
        (r#""extreme":"Maximum""#, r#""maximum":[{"cell":"R4C4"}]"#),
    ] {
        assert_eq!(puzzle(&with(old)), puzzle(&f_puzzle(0, new)));
    }
    assert_eq!(count(&with(r#""parity":"Even""#)), 144);
    assert_eq!(count(&with(r##""c":"#FFF","highlight":1,"cornerPencilMarks":[1]"##)), 288);
    assert!(error(&with(r#""glow":2"#)).contains("found the rule 'glow of r4c4'"));
    assert!(error(&with(r#""parity":"odd""#)).contains("expected Odd or Even"));
    // The editor's list of what it shows is no rule, if what it names is there.
    let active =
        |names: &str| f_puzzle(0, &format!(r#""antiknight":true,"activeConstraints":[{names}]"#));
    assert_eq!(puzzle(&active(r#""Anti-Knight""#)), puzzle(&f_puzzle(0, r#""antiknight":true"#)));
    assert!(error(&active(r#""Renban""#)).contains("found the rule 'Renban'"));
    let expected = grids_with(|rows| {
        // Two minima side by side are compared with the others alone.
        let least = |cell: (usize, usize), spared: (usize, usize)| {
            neighbours(rows).into_iter().all(|(pair, a, b)| match pair {
                [one, other] if one == cell && other != spared => a < b,
                [other, one] if one == cell && other != spared => b < a,
                _ => true,
            })
        };
        least((1, 1), (1, 2)) && least((1, 2), (1, 1))
    });
    assert_eq!(count(&f_puzzle(0, r#""minimum":[{"cell":"R2C2"},{"cell":"R2C3"}]"#)), expected);
}

#[test]
fn rules_of_f_puzzles_are_those_of_the_text_form() {
    for (fields, lines) in [
        (r#""palindrome":[{"lines":[["R1C1","R2C2","R3C3"]]}]"#, "palindrome r1c1 r2c2 r3c3"),
        (r#""renban":[{"lines":[["R1C1","R1C2"]]}]"#, "renban r1c1 r1c2"),
        (r#""whispers":[{"lines":[["R1C1","R1C2"]]}]"#, "whispers 2 r1c1 r1c2"),
        (r#""whispers":[{"lines":[["R1C1","R1C2"]],"value":"1"}]"#, "whispers 1 r1c1 r1c2"),
        (r#""betweenline":[{"lines":[["R1C1","R1C2","R1C3"]]}]"#, "between r1c1 r1c2 r1c3"),
        (r#""regionsumline":[{"lines":[["R1C1","R1C2","R1C3"]]}]"#, "region-sums r1c1 r1c2 r1c3"),
        (r#""entropicline":[{"lines":[["R1C1","R1C2"]]}]"#, "entropic r1c1 r1c2"),
        (r#""modularline":[{"lines":[["R1C1","R1C2"]]}]"#, "modular 3 r1c1 r1c2"),
        (r#""nabner":[{"lines":[["R1C1","R1C2"]]}]"#, "nabner r1c1 r1c2"),
        (r#""zipperline":[{"lines":[["R1C1","R1C2"]]}]"#, "zipper r1c1 r1c2"),
        (r#""doublearrow":[{"lines":[["R1C1","R1C2","R1C3"]]}]"#, "double-arrow r1c1..r1c3"),
        (r#""slowthermometer":[{"lines":[["R1C1","R1C2"]]}]"#, "slow-thermometer r1c1 r1c2"),
        (r#""quadruple":[{"cells":["R1C1","R1C2"],"values":[2,3]}]"#, "quadruple 23 r1c1 r1c2"),
        (r#""clone":[{"cells":["R1C1","R1C2"],"cloneCells":["R2C3","R1C2"]}]"#, "same r1c1 r2c3"),
        (
            r#""littlekillersum":[{"cell":"R0C1","direction":"DR","value":"5"}]"#,
            "little-killer 5 r1c2..r3c4",
        ),
        (
            r#""littlekillersum":[{"cell":"R5C4","direction":"UL","value":"5"}]"#,
            "little-killer 5 r4c3..r2c1",
        ),
        (r#""sandwichsum":[{"cell":"R2C0","value":"5"}]"#, "sandwich 5 r2c1..r2c4"),
        (r#""skyscraper":[{"cell":"R2C5","value":"3"}]"#, "skyscraper 3 r2c4..r2c1"),
        (r#""xsum":[{"cell":"R5C1","value":"6"}]"#, "x-sum 6 r4c1..r1c1"),
        (r#""difference":[{"cells":["R1C1","R1C2"],"value":"2"}]"#, "difference 2 r1c1 r1c2"),
        (r#""ratio":[{"cells":["R1C1","R1C2"],"value":"3"}]"#, "quotient 3 r1c1 r1c2"),
        (
            r#""killercage":[{"cells":["R1C1","R1C2"],"value":"3"},{"cells":["R1C2","R1C3"]}]"#,
            "cage 3 r1c1 r1c2\ncage r1c2 r1c3",
        ),
        (
            r#""arrow":[{"cells":["R1C1","R1C2","R1C3"],"lines":[["R1C1","R2C1"]]}]"#,
            "arrow r1c1 r1c2 r1c3 = r2c1",
        ),
        (r#""rowindexer":[{"cells":["R1C1"]},{"cells":["R2C1"]}]"#, "row-indexer r1c1 r2c1"),
    ] {
        let imported = puzzle(&f_puzzle(0, fields));
        assert_eq!(imported, puzzle(&format!("size 4\n{lines}\n")), "{fields}");
        assert_eq!(puzzle(&write(&imported)), imported, "{fields}");
    }
}

#[test]
fn drawings_are_refused_or_left_out_with_a_list_and_rules_are_named_first() {
    let drawings = r#""circle":[{"cells":["R3C3"]}],"text":[{"cells":["R1C1"],"value":"hi"}]"#;
    let text = f_puzzle(1, drawings);
    assert!(error(&text).contains("what is only drawn (1 circle, 1 text)"), "{}", error(&text));
    let (read, left_out) = read_without_drawings(text.as_bytes(), "p").unwrap();
    assert_eq!(
        (read.solutions().count(), &*left_out.join(", ")),
        (BELOW_A_ROW, "1 circle, 1 text")
    );
    let with_rule = f_puzzle(1, &format!(r#"{drawings},"mystery":[{{"cell":"R1C1"}}]"#));
    assert!(error(&with_rule).contains("found the rule 'mystery'"));
    assert!(read_without_drawings(with_rule.as_bytes(), "p").is_err());
}

#[test]
fn cells_of_no_region_leave_the_others_as_houses() {
    let cells = |of: fn(usize, usize) -> &'static str| {
        let row = |row| {
            (0..4).map(|c| format!(r#"{{"region":{}}}"#, of(row, c))).collect::<Vec<_>>().join(",")
        };
        let rows: Vec<String> = (0..4).map(|number| format!("[{}]", row(number))).collect();
        format!(r#"{{"size":4,"grid":[{}]}}"#, rows.join(","))
    };
    assert_eq!(count(&cells(|_, _| "null")), 576);
    let one_box = cells(|row, column| if row < 2 && column < 2 { "0" } else { "null" });
    assert_eq!(count(&one_box), count("size 4\nregions none\nhouse r1c1 r1c2 r2c1 r2c2\n"));
}

/// A puzzle of SudokuPad with the boxes of 4 x 4, no givens, and these fields.
fn sudokupad(fields: &str) -> String {
    let boxes = "[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],\
        [[2,2],[2,3],[3,2],[3,3]]";
    let row = "[{},{},{},{}]";
    format!(r#"{{"cells":[{row},{row},{row},{row}],"regions":[{boxes}]{fields}}}"#)
}

#[test]
fn rules_in_the_metadata_of_sudokupad_alone_hold() {
    for (metadata, text) in [
        (r#","metadata":{"antiking":true}"#, "size 4\nanti-king\n"),
        (r#","metadata":{"antiknight":true},"global":["antiknight"]"#, "size 4\nanti-knight\n"),
        (r#","metadata":{"antiknight":false,"title":"t"}"#, "size 4\n"),
        (r#","metadata":{"norowcol":true}"#, "size 4\nrows-and-columns none\n"),
        (r#","cages":[{"cells":[[0,0],[0,1]],"unique":false,"hidden":true}]"#, "size 4\n"),
        (
            r#","cages":[{"cells":[[0,0],[0,1],[1,2]],"value":"6","unique":false}]"#,
            "size 4\nsum 6 r1c1 r1c2 r2c3\n",
        ),
    ] {
        assert_eq!(puzzle(&sudokupad(metadata)), puzzle(text), "{metadata}");
    }
    // Four boxes of four values, and nothing else.
    assert_eq!(count("size 4\nrows-and-columns none\n"), 24_usize.pow(4));
    let drawn = sudokupad(r#","lines":[{"wayPoints":[[0.5,0.5],[1.5,1.5]]}]"#);
    assert!(error(&drawn).contains("what is only drawn (1 line)"), "{}", error(&drawn));
}

/// The compressed form of JSON, as the sites put it into links.
fn packed(json: &str) -> String {
    lz_str::compress_to_base64(json.encode_utf16().collect::<Vec<u16>>())
}

#[test]
fn links_of_sudokupad_hold_their_puzzle_and_names_do_not() {
    let short = "{id:'x',cs:50,ce:[[{v:2},,,],[,,,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]],\
        [[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],\
        ca:[{v:'rules: it\\'s plain'},{ce:[[0,0],[0,1]],v:5}],metadata:{antiking:t}}";
    let expected = puzzle("size 4\ncage 5 r1c1 r1c2\nanti-king\ngivens\n2...\n....\n....\n....\n");
    let packed_short = packed(short);
    let escaped = packed_short.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    for link in [
        format!("https://sudokupad.app/scl{escaped}"),
        format!("https://sudokupad.app/sudoku/ctc{escaped}?setting-nogrid=1"),
        format!("https://app.crackingthecryptic.com/sudoku/?puzzleid=scl{escaped}"),
        format!("scl{packed_short}\n"),
    ] {
        assert_eq!(puzzle(&link), expected, "{link}");
    }
    let json = f_puzzle(1, r#""antiknight":true"#);
    assert_eq!(puzzle(&format!("fpuzzles{}", packed(&json))), puzzle(&json));
    for link in [
        "https://sudokupad.app/abcdefghij",
        "https://sudokupad.app/a1b2/some-name",
        "https://f-puzzles.com/?id=zzzzzzzz",
    ] {
        assert!(error(link).contains("holds no puzzle but only its name"), "{link}");
    }
}

/// A title is sought whose link has a double slash, which mail programs and servers make a single one.
#[test]
fn a_double_slash_that_became_a_single_one_is_repaired() {
    // All bits of this character are ones, as are those of a slash.
    let json = |length: usize| {
        let title = "t".repeat(length) + "\u{ffff}";
        f_puzzle(1, &format!(r#""antiknight":true,"title":"{title}""#))
    };
    let has_double = |json: &String| {
        let packed = packed(json);
        packed.contains("//") && !packed.contains("///")
    };
    let json = (0..40).map(json).find(has_double).expect("one of these links has a double slash");
    let broken = packed(&json).replace("//", "/");
    assert_eq!(puzzle(&format!("https://sudokupad.app/fpuzzles{broken}")), puzzle(&json));
}

#[test]
fn zero_is_a_value_of_large_grids_where_another_blank_is_used() {
    let side = 16;
    let value = |row: usize, column: usize| (row * 4 + row / 4 + column) % side;
    let row = |row: usize, blank: char| -> String {
        let digit = |column| {
            let value = value(row, column) as u32;
            let is_left = !(row + column).is_multiple_of(3);
            if is_left { char::from_digit(value, 16).unwrap().to_ascii_uppercase() } else { blank }
        };
        (0..side).map(digit).collect()
    };
    let line: String = (0..side).map(|number| row(number, '.')).collect();
    let rows: Vec<String> = (0..side).map(|number| row(number, '.')).collect();
    let text = format!("size 16\ngivens\n{}\n", rows.join("\n"));
    let solution = puzzle(&text).solve();
    assert_eq!(solution.count, 1);
    let values: Vec<u8> = (0..256).map(|cell| value(cell / side, cell % side) as u8 + 1).collect();
    assert_eq!(solution.first.as_deref(), Some(&values[..]));
    assert_eq!(puzzle("size 16").with_line(&line).unwrap().givens(), puzzle(&text).givens());
    // With 0 as the only blank, or with the last value G, it is a blank.
    let zeros = "size 16\ngivens\n".to_owned() + "0000000000000001\n" + &"0".repeat(16 * 15);
    assert!(read(zeros.as_bytes(), "p").is_err());
    let with_last = format!("G0.{}", "1".repeat(253));
    assert_eq!(puzzle("size 16").with_line(&with_last).unwrap().givens()[..3], [16, 0, 0]);
    let only_zeros = format!("00A{}", "0".repeat(253));
    assert_eq!(puzzle("size 16").with_line(&only_zeros).unwrap().givens()[..3], [0, 0, 10]);
}

/// Ids made by `sgt-solo --generate 1` of sgt-puzzles 20230122, and the first rule of each.
const SOLO_IDS: &[(&str, Option<&str>)] = &[
    ("3x3:c4a7_1_2g6a4a1_3b5d4_5a8a2d1_3a4_9d6a5a4_7d5b8_6a1a7g5_9_7a2c", None),
    ("2x2:a4c1_3b3_1c4a", None),
    ("3x2:a4_1d2c4c5d6c2c6d1_5a", Some("regions")),
    ("2x4:d1a7b3_5_1d8_1a4_5_3h4b2h7_5_4a1_8d3_4_2b4a6d", None),
    ("3x3x:f1c5c1b8a7c4a9a9_6_4b5_2_7k8_1_2b5_6_9a3a4c2a5b6c4c9f", Some("diagonal falling")),
    (
        "9j:c3c8_1_3c5b6e1a8a3g1_5a8e9a5_3g4a8a2e9b7c2_7_4c9c,aaad_ab_aba_ba_____ab_cc____aadaajce__abe_ab_b_caaaab_bcdab",
        Some("regions"),
    ),
    (
        "3x3k:zzzc,_b__a_aa____a_a__a___a_________________a______a______a_aabaa______a_____aaa_aaaa_aab__aa_baa_aaabaaa_,3_23b19_12_6a10a7d24_11a17_12a10_5c6b14a7b11a12_3a12a12_5a14b8a7b10a15b7a15_5a7_14a5a17b20a10d10c",
        Some("cage"),
    ),
    (
        "6jk:zj,b_ac_b__aaa_acda_aa_ba_a_af_,aaba__a___a___a___ba_aa___________aaaaaaa,3a9a12a10a6a6a8_6a10a8a5b4a8_9a10a12f",
        Some("regions"),
    ),
    (
        "9jx:6a3_5b9g1c7a9b6d7e8e5e9e1d9b3a8c3g8b5_1a2,_bcb_c_b__badabaae_c_fbaefb_a__a__a__aba_abaabaa_b__a_b___hb",
        Some("regions"),
    ),
    ("6j:d1c4f2_5_3_3_5_1f6c6d,_abb_a_a_c_aacea__c_a__aba_d", Some("regions")),
    (
        "4x3:7b4b6d12_10_3a11c2h2_6_3c5_7_4b7a8a9_5a10b2a10a7c1a6a8b11_2d12_5_3_12d8_7b2a1a6c5a2a11b9a6_5a11a7b8_12_7c11_4_8h9c12a7_4_5d10b9b11",
        Some("regions"),
    ),
    ("2x2xk:p,aaa_aaaa______aa,6a6a4_5c5a8_6c", Some("diagonal falling")),
    (
        "10j:b3_5a1b7b7b9f2_1a7e5a9d10e2a4_9b1_9b3_2a10e10d3a8e8a1_9f10b2b3b6a5_8b,chcb_bca__acbb__b___bdbac_aad_acbch____aacabaaab_abbca_a_aaaaa__cbaaacd",
        Some("regions"),
    ),
    ("7j:c6c6_2b7c1b2k1b2c6b5_1c3c,cb__acab_d___bbc_bbcabababa_aab_d_b", Some("regions")),
    (
        "2x5:a4_5b2b9_3_9_2e4b3_9a2b6a4a1a10a6_3e7b1c10b6c9b8e10_1a9a2a3a9b5a6_10b8e2_9_7_10b9b1_3a",
        None,
    ),
];

#[test]
fn game_ids_of_solo_have_one_solution() {
    for (id, rules) in SOLO_IDS {
        let puzzle = puzzle(id);
        assert_eq!(puzzle.solve().count, 1, "{id}");
        assert_eq!(
            puzzle.rules().rules().iter().map(Rule::name).collect::<Vec<_>>().first().copied(),
            *rules,
            "{id}"
        );
    }
    for (id, expected) in [
        ("2x2:a1", "found 2 characters, expected 16 cells"),
        ("2x2k:p", "cages: found 'nothing', expected a part"),
        ("2x2:p,a", "game id: found 'a', expected no further part"),
        ("2x2j:p,aaa", "borders: found 'aaa', expected a letter for each run"),
        ("2x2:o9", "found the value 9 at r4c4, expected 1 to 4"),
        ("9x9:a", "found the size 81"),
    ] {
        let found = error(id);
        assert!(found.contains(expected), "{id}: {found}");
    }
}

#[test]
fn sizes_without_boxes_have_drawn_regions_or_none() {
    let seven = "size 7\nregions\nAAABBBB\nAACCBBB\nAACCCDD\nEECCDDD\nEEEFFDD\nEEGGFFF\nGGGGGFF\n";
    assert_eq!(puzzle(seven).solve().count, 2);
    assert!(error("size 7").contains("which has no boxes, expected a picture of its regions"));
    assert_eq!(puzzle("size 5\nregions none").solutions().count(), 161_280);
    assert_eq!(count("size 3\nregions none"), 12);
    assert_eq!(puzzle("size 10").rules().regions().unwrap()[5], 1);
}

#[test]
fn frames_of_every_kind_are_skipped() {
    let text = "size 4\ncandidates\n*-----------*\n| 12 34 | 1 2 |\n| . . | . . |\n:-----+-----:\n| . . | . . |\n\
        | . . | . 4 |\n'-----------'\nSimple Sudoku\nVersion 4\nanti-king\n";
    assert_eq!(puzzle(text).candidates().of("r1c2".parse().unwrap()), [3, 4]);
    // As many dashes as cells are a row of blanks.
    assert_eq!(puzzle("size 4\ngivens\n----\n1---\n----\n----\n").givens()[4], 1);
}

#[test]
fn other_json_is_not_taken_for_a_plain_grid() {
    for json in [r#"{"puzzle":"1...","areas":[[0,1]]}"#, r#"{"grid":"....","cages":[]}"#, "[]"] {
        assert!(error(json).contains("expected"), "{json}");
    }
    let line = r#"{"puzzle":"1...","areas":[[0,1]]}"#;
    assert!(puzzle("size 4").with_line(line).is_err());
}

/// A link of Penpa to the text of a puzzle, compressed as Penpa does it.
#[cfg(feature = "penpa")]
fn penpa_link(text: &str) -> String {
    use std::io::Write;
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut deflater = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflater.write_all(text.as_bytes()).unwrap();
    let mut base64 = String::new();
    for bytes in deflater.finish().unwrap().chunks(3) {
        let bits = bytes.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - bytes.len()));
        let sextets = (0..4).map(|at| ALPHABET[(bits >> (18 - 6 * at)) as usize & 63] as char);
        base64.extend(sextets.take(bytes.len() + 1));
        base64.push_str(&"=".repeat(3 - bytes.len()));
    }
    format!("https://swaroopg92.github.io/penpa-edit/#m=edit&p={base64}")
}

/// The text of a 4 x 4 grid of Penpa with this head and these parts of the question. Its cells are 18 to 21 and so on, a row of
/// the editor having eight, and the corners of cells have 64 more.
#[cfg(feature = "penpa")]
fn penpa_text(kind: &str, flags: &str, question: &str) -> String {
    let head =
        format!("{kind},4,4,38,0,1,1,190,190,76,76,{flags},Title: t,Author: a,,,OFF,false,x");
    let board = "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]";
    format!(
        "{head}\n[0,0,0,0]\n{{z9:\"pu_q\"}}\n{{{question}}}\n{{}}\n{board}\n{{}}\n{{}}\n\"x\"\n"
    )
}

#[cfg(feature = "penpa")]
#[test]
fn links_of_penpa_hold_givens_cages_and_regions() {
    // The borders of the boxes: below the second row, and right of the second column.
    let boxes: Vec<String> = (0..4)
        .flat_map(|at| {
            [
                format!("\"{},{}\":2", 89 + at, 90 + at),
                format!("\"{},{}\":2", 75 + 8 * at, 83 + 8 * at),
            ]
        })
        .collect();
    let boxes = format!("zE:{{{}}}", boxes.join(","));
    let sum = format!("z1:{{\"{}\":[\"5\",1]}}", 4 * (64 + 18));
    let givens = "zN:{\"36\":[\"2\",1,\"1\"]}";
    let link =
        |flags: &str, parts: &[&str]| penpa_link(&penpa_text("sudoku", flags, &parts.join(",")));
    let plain = "0,0,0,0";
    let text = "size 4\ncage 5 r1c1 r1c2\ngivens\n....\n....\n..2.\n....\n";
    assert_eq!(
        puzzle(&link(plain, &[&boxes, &sum, givens, "z6:[[18,19]]", "zS:{}"])),
        puzzle(text)
    );
    assert_eq!(puzzle(&link("1,0,0,1", &[&boxes])), puzzle("size 4\ndiagonals\n"));
    assert_eq!(puzzle(&link(plain, &[])), puzzle("size 4\nregions none\n"));
    for (parts, expected) in [
        (vec![&*boxes, "zS:{\"18\":3}"], "what is only drawn (1 surface)"),
        (vec![&*boxes, "zT:[[18,19]]"], "what is only drawn (1 thermo)"),
        (vec![&*boxes, "zN:{\"18\":[\"12\",1,\"5\"]}"], "what is only drawn (1 text)"),
        (vec![&*boxes, &*sum], "what is only drawn (1 small number)"),
    ] {
        let found = error(&link(plain, &parts));
        assert!(found.contains(expected), "{found}");
    }
    let whole = link(plain, &[&boxes]);
    assert!(error(&whole[..whole.len() - 30]).contains("expected the whole link"));
    assert!(error(&penpa_link(&penpa_text("hex", plain, ""))).contains("'grid of the kind hex'"));
}
