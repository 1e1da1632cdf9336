//! Promise: no text makes a reader panic or take memory by what it states, and what readers of covers, variants, regions and boards of
//! queens read and write is read again as the same. A sign for a blank is one in every format.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value as Json;
use tallyboard_base::text::value::{Content, Value, read_only};
use tallyboard_cover::format::{self as covers, Format};
use tallyboard_queens::Square;
use tallyboard_queens::text::read_boards;
use tallyboard_regions::Board;
use tallyboard_regions::format::{Records, line};
use tallyboard_sudoku::format::{Form, FormOptions, Format as SudokuFormat, OnePuzzle};
use tallyboard_sudoku::sized::Size;

use crate::common::PUZZLE;
use crate::common::runs::{Folder, confined};

/// Files of every kind, small, to be cut and mixed.
const SEEDS: [&str; 23] = [
    // Covers: Knuth's format, with bounds and colours, `.ec`, matrices, lists, drawings, BurrTools.
    "a b c | x y\na x:1\nb c y\na b\nc x:2\n",
    "1:2|a b\na\nb\na b\n",
    "p ec 4\nc note\ns 1 2\n3 4\n1 3\n2 4\n",
    "3 2\nk\n2 0 1\n1 2\n",
    "1,0,0\n0,1,1\n",
    "[[1, 0], [0, 1]]\n",
    "board: hexagons\n....\n ..#.\npieces: flip\nA x 0..2:\nxx\n x\n\nB x any on .:\nx#\n",
    "board:\n..\n..\n-\n..\n..\npieces: turn\nD x 4:\nxx\n",
    "<?xml version=\"1.0\"?>\n<puzzle version=\"2\"><gridType type=\"0\"/><shapes><voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel>\
     <voxel x=\"1\" y=\"1\" z=\"1\" type=\"0\">#</voxel></shapes><problems><problem><shapes><shape id=\"1\" min=\"0\" max=\"2\"/></shapes>\
     <result id=\"0\"/></problem></problems></puzzle>\n",
    // Variants: the text form, other programs' JSON, a link, ids of Solo, letters with clues.
    "size 6\nregions\nAAABBB\nACCBBB\nACCDDD\nAECCDD\nEEEFFD\nEEFFFF\ndiagonal falling\ncage 9 r1c1 r1c2 r2c1\nthermometer r4c3 r3c3\n",
    "size 4\narrow r1c1 r1c2..r1c4\nwhispers 2 r2c1 r2c2\nkropki black r1c1 r1c2\nx r3c1 r4c1\nsandwich 3 row 1\nlittle-killer 5 r1c1..r4c4\n",
    "size 9\nanti-knight\nwindoku\nquadruple 1 2 r1c1 r1c2 r2c1 r2c2\neven r5c5\ngivens\n1........\n.........\n..3......\n.........\n.........\n\
     .........\n.........\n.........\n........9\n",
    "{\"size\":4,\"grid\":[[{},{\"value\":1},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{\"given\":true,\"value\":2}]],\
     \"thermometer\":[{\"lines\":[[\"R1C1\",\"R1C2\"]]}],\"diagonal+\":true}",
    "{\"cells\":[[{},{}],[{},{}]],\"cages\":[{\"cells\":[[0,0],[0,1]],\"value\":3}],\"regions\":[]}",
    "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZY8qhACZ6jFu04w=",
    "2x2j:a1b2_3c4d1a,a2b3\n",
    "AAB\nCAB\nCCB\nA=6x, B=6+\nC=5\n",
    // Boards of queens: pictures with sizes, JSON, Essence.
    "4\n.*..\n..Q.\n....\n....\n2\n. x\n. .\n0\n",
    "{\"n\": 4, \"queens\": [[0, 1]], \"blocks\": [[3, 0], [2, 2]]}\n{\"initial_board\": [\"0X\", \"10\"]}\n",
    "language ESSENCE' 1.0\nletting n = 4\nletting blocks = [[1, 2],[4, 4]]\nletting init = [[0, 0]]\n",
    // Regions: rows of letters or numbers, lines, JSON, TypeScript.
    "p p g g b\np r r r b\np r r r b\np r r r y\nr r r y y\n",
    "AABBCADDDCADDDCADDDEDDDEE\n",
    "export default { size: 4, colorRegions: [[\"A\",\"A\",\"B\",\"B\"],[\"A\",\"C\",\"C\",\"B\"],[\"D\",\"C\",\"C\",\"B\"],[\"D\",\"D\",\"D\",\"B\"]], stars: 1 };\n",
];

/// These files, and the examples of all formats.
static FILES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let formats = tallyboard_doors::FORMATS.iter().copied().flatten();
    let examples = formats.flat_map(|format| (format.examples)()).map(|example| example.text);
    SEEDS.into_iter().chain(examples).map(str::to_owned).collect()
});

/// Pieces that mean something to some reader.
const PIECES: [&str; 28] = [
    "\n",
    "\n\n",
    " ",
    ",",
    ";",
    "|",
    "0",
    "9",
    "999999999999999999999",
    "-1",
    "r1c1",
    "r9c9",
    "r16c16",
    "..",
    "x any",
    ":",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\u{feff}",
    "é",
    "<",
    ">",
    "size 16\n",
    "A",
    "\0",
];

/// One change of a text.
#[derive(Debug, Clone)]
enum Change {
    Cut(prop::sample::Index, usize),
    Twice(prop::sample::Index, usize),
    Insert(prop::sample::Index, &'static str),
    Byte(prop::sample::Index, u8),
    /// What another file has there.
    Mix(prop::sample::Index, String, prop::sample::Index, usize),
}

fn any_change() -> impl Strategy<Value = Change> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), 1..40_usize).prop_map(|(place, length)| Change::Cut(place, length)),
        (place(), 1..40_usize).prop_map(|(place, length)| Change::Twice(place, length)),
        (place(), prop::sample::select(PIECES.to_vec()))
            .prop_map(|(place, piece)| Change::Insert(place, piece)),
        (place(), any::<u8>()).prop_map(|(place, byte)| Change::Byte(place, byte)),
        (place(), prop::sample::select(FILES.clone()), place(), 1..60_usize)
            .prop_map(|(place, seed, from, length)| Change::Mix(place, seed, from, length)),
    ]
}

/// A file of some kind after a few changes.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    (prop::sample::select(FILES.clone()), prop::collection::vec(any_change(), 0..6)).prop_map(
        |(seed, changes)| {
            let mut text = seed.as_bytes().to_vec();
            for change in changes {
                apply(&mut text, change);
            }
            text
        },
    )
}

fn apply(text: &mut Vec<u8>, change: Change) {
    let at = |place: prop::sample::Index, text: &[u8]| place.index(text.len() + 1);
    let part = |from: usize, length: usize, text: &[u8]| from..text.len().min(from + length);
    match change {
        Change::Cut(place, length) => drop(text.drain(part(at(place, text), length, text))),
        Change::Twice(place, length) => {
            let place = at(place, text);
            let again = text[part(place, length, text)].to_vec();
            text.splice(place..place, again);
        }
        Change::Insert(place, piece) => {
            let place = at(place, text);
            text.splice(place..place, piece.bytes());
        }
        Change::Byte(place, byte) => {
            let place = at(place, text);
            text.splice(place..place, [byte]);
        }
        Change::Mix(place, seed, from, length) => {
            let (place, from) = (at(place, text), at(from, seed.as_bytes()));
            text.splice(
                place..place,
                seed.as_bytes()[part(from, length, seed.as_bytes())].to_vec(),
            );
        }
    }
}

/// The options of a text in Knuth's format; one without an item is never chosen, and an empty line there.
fn options(text: &str) -> Vec<&str> {
    text.lines().skip(1).filter(|line| !line.trim().is_empty()).collect()
}

/// A square of a picture.
fn mark(board: &tallyboard_queens::Board, square: Square) -> char {
    match () {
        () if board.placed().contains(&square) => 'Q',
        () if board.blocked().contains(&square) => '*',
        () => '.',
    }
}

proptest! {
    #[test]
    fn fuzz_covers(text in any_text()) {
        let Ok(input) = covers::read(&text, "file") else { return Ok(()) };
        let Ok(written) = covers::write(input.cover(), Format::Knuth) else { return Ok(()) };
        if options(&written).is_empty() {
            return Ok(());
        }
        let again = covers::read(written.as_bytes(), "file");
        let again = again.map_err(|error| TestCaseError::fail(format!("{}\n{written}", error.error)))?;
        let rewritten = covers::write(again.cover(), Format::Knuth).unwrap();
        prop_assert_eq!(options(&rewritten), options(&written), "{}", written);
    }

    #[test]
    fn fuzz_variants(text in any_text()) {
        let Ok(puzzle) = tallyboard_variants::read(&text, "file") else { return Ok(()) };
        let written = tallyboard_variants::write(&puzzle);
        let again = tallyboard_variants::read(written.as_bytes(), "file");
        let again = again.map_err(|error| TestCaseError::fail(format!("{error}\n{written}")))?;
        prop_assert_eq!(&again, &puzzle, "{}", written);
    }

    #[test]
    fn fuzz_boards_of_queens(text in any_text()) {
        let Ok(found) = read_boards(&text, None) else { return Ok(()) };
        for (_, board) in &found.boards {
            let rows: Vec<String> = (0..board.n())
                .map(|row| (0..board.n()).map(|column| mark(board, Square::from_top(row, column, board.n()))).collect())
                .collect();
            let written = rows.join("\n");
            let is_both = |square: &&Square| board.blocked().contains(square);
            let has_free = written.contains('.') || !written.contains('*');
            if has_free && !board.placed().iter().any(|square| is_both(&square)) {
                let again = read_boards(written.as_bytes(), None);
                let again = again.map_err(|error| TestCaseError::fail(format!("{error}\n{written}")))?;
                prop_assert_eq!(&again.boards[0].1, board, "{}", written);
            }
        }
    }

    #[test]
    fn fuzz_regions(text in any_text(), stars in prop::option::of(0..4_usize)) {
        let boards: Vec<Board> =
            Records::new(Box::new(&*text), stars).map_while(|record| Some(record.ok()?.board)).collect();
        // A line of fewer letters is a row.
        for board in boards.into_iter().filter(|board| board.size() >= 4) {
            let written = line(&board) + "\n";
            let again = Records::new(Box::new(written.as_bytes()), Some(board.stars())).next();
            let again = again.and_then(|record| Some(record.ok()?.board));
            prop_assert_eq!(again.as_ref().map(Board::regions), Some(board.regions()), "{}", written);
        }
    }
}

/// Whether a value is read as serde reads it.
fn is_same(value: &Value, json: &Json) -> bool {
    match (&value.content, json) {
        (Content::Word(word), json @ (Json::Null | Json::Bool(_) | Json::Number(_))) => {
            let text = json.to_string();
            text == *word
        }
        (Content::Quoted(text), Json::String(json)) => text == json,
        (Content::List(items), Json::Array(json)) => {
            items.len() == json.len()
                && items.iter().zip(json).all(|(item, json)| is_same(item, json))
        }
        (Content::Object(pairs), Json::Object(json)) => {
            let is_pair = |(name, value): &(String, Value)| {
                json.get(name).is_some_and(|json| is_same(value, json))
            };
            pairs.len() == json.len() && pairs.iter().all(is_pair)
        }
        _ => false,
    }
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn all_json_is_read(json in any_json()) {
        for text in [json.to_string(), serde_json::to_string_pretty(&json).unwrap()] {
            // A word alone is the beginning of an assignment.
            let list = read_only(&format!("[{text}]")).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
            prop_assert!(is_same(&list.items().unwrap()[0], &json), "{} {:?}", text, list);
        }
    }
}

/// Lets every reader read a text.
fn read_by_all(text: &[u8]) {
    let _ = covers::read(text, "file");
    let _ = tallyboard_variants::read_all(text, "file");
    let _ = tallyboard_variants::is_of_another_program(text);
    Records::new(text, None).for_each(drop);
    let formats = [None, Some(SudokuFormat::Document), Some(SudokuFormat::Jsonl)];
    for format in formats {
        if let Ok(form) = Form::find(text, &FormOptions { format, ..FormOptions::default() }) {
            OnePuzzle::counts(&form, text);
        }
    }
    let mut placements = tallyboard_queens::text::Reader::new(text);
    while let Ok(Some(_)) = placements.next_placement() {}
}

/// In a thread with little stack: an overflow would end the test.
#[test]
fn no_reader_nests_deeper_than_its_stack() {
    let read = || {
        for open in ["[", "(", "{", "<a>", "{\"a\":", "{a:[", "[{'a':(", "[\n", "<voxel x='1'>"] {
            let deep = open.repeat(20_000);
            for before in [
                "",
                "x = ",
                "const a = { regions: ",
                "{\"cells\":",
                "<?xml?><ksudoku>",
                "<opensudoku>",
            ] {
                read_by_all(format!("{before}{deep}").as_bytes());
            }
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(read).unwrap().join().unwrap();
}

/// Numbers that a small file states, each of which some reader takes for the size of something, with a command that reads such files.
const STATED: [(&str, &str); 22] = [
    ("cover convert", "p ec 16000000\n1\n"),
    ("cover convert", "p xc 8000000 8000000\n1 0\n"),
    ("cover convert", "16000000 1\n1 5\n"),
    ("cover convert", "16000000\n1 0 1\n"),
    ("cover convert", "1000000000:2000000000|a b\na\nb\n"),
    ("cover convert", "< a:1000000000 >\na ;\n"),
    ("cover convert", "board:\n..\npieces: turn\nD x 1000000000:\nxx\n"),
    (
        "cover convert",
        "<?xml version=\"1.0\"?>\n<puzzle><shapes><voxel x=\"1048576\" y=\"1\" z=\"1\">#</voxel></shapes><problems><problem>\
         <result id=\"0\"/></problem></problems></puzzle>\n",
    ),
    ("variant solve", "size 1000000000\n"),
    ("variant solve", "1000000000\n1000000000\n1 1 2\n"),
    ("variant solve", "1000000000 1000000000\n1 1\n"),
    ("variant solve", "1000 1000\n1 1\n"),
    ("variant solve", "1000000000x1000000000:a1b2\n"),
    (
        "variant solve",
        "<ksudoku><graph order=\"1000000000\" type=\"sudoku\"/><values>_</values></ksudoku>\n",
    ),
    ("variant solve", "{\"size\":1000000000,\"grid\":[]}\n"),
    ("variant solve", "N=1000000000;start=[|1|];\n"),
    ("regions solve", "1000000000x1000000000\n1,1|\n"),
    ("regions solve", "1000000000\n1000000000\nAB\n"),
    ("regions solve", "{\"stars\":1000000000000,\"regions\":[[1]]}\n"),
    ("regions solve", "{\"A\":[[1000000000,1000000000]]}\n"),
    ("sudoku solve", "1000000000\n53..7....\n"),
    ("queens check", "1000000000 1\n"),
];

#[test]
#[cfg(target_os = "linux")]
fn no_reader_takes_memory_by_what_a_small_file_states() {
    let folder = Folder::new();
    for (words, text) in STATED {
        folder.write("file", text);
        let to = if words.starts_with("cover") { " --to dlx" } else { "" };
        for words in [format!("{words} file{to} -j 1"), "solve file -j 1".to_owned()] {
            let (code, _, message) = confined(&folder, 400_000, &words);
            assert!(matches!(code, 0..=2), "{code} {message} {words} {text}");
        }
    }
}

/// `verify` asks which methods can count a file, and none can count one with a mistake.
#[test]
fn a_mistake_in_a_file_of_covers_is_told_with_its_line_by_every_verb() {
    let folder = Folder::new();
    folder.write("cover", "a b\nc\n");
    for verb in ["verify", "count", "list"] {
        folder.fails(&format!("cover {verb} cover"), 2, "cover, line 2: found 'c'");
    }
}

/// The same cells by every reader of a grid.
#[test]
fn a_sign_for_a_blank_is_one_in_every_format() {
    let plain = tallyboard_sudoku::parse_line(PUZZLE.as_bytes()).unwrap();
    let rules = |text: &str| tallyboard_variants::read(text.as_bytes(), "file").unwrap();
    let small = "1..2.........2.1";
    for sign in ["_", "-", "*", "?", "x", "X", "0"] {
        let line = PUZZLE.replace(['.', '0'], sign);
        let rows: String = line
            .as_bytes()
            .chunks(9)
            .map(|row| format!("{}\n", str::from_utf8(row).unwrap()))
            .collect();
        let spaced: String = rows.replace("", " ").replace(" \n ", "\n");
        assert_eq!(tallyboard_sudoku::parse_line(line.as_bytes()), Ok(plain), "{line}");
        let expected = rules("size 9").with_line(&plain.to_string()).unwrap();
        assert_eq!(rules("size 9").with_line(&line), Ok(expected.clone()), "{line}");
        for text in [&line, &rows, spaced.trim_start(), &format!("size 9\ngivens\n{rows}")] {
            assert_eq!(rules(text), expected, "{text}");
        }
        let of_small =
            |text: &str| Size::Four.parse(text.as_bytes(), None).unwrap().cells().to_vec();
        assert_eq!(of_small(&small.replace('.', sign)), of_small(small));
        assert_eq!(of_small(&small.replace('.', sign).replace("", " ")), of_small(small));
        // Solvers of other games: a jigsaw below its regions, a frame of clues, cages below givens.
        let givens = |blank: &str| {
            format!("1{blank}2{blank}\n").repeat(1) + &format!("{}\n", blank.repeat(4)).repeat(3)
        };
        let jigsaw = |blank: &str| format!("AAAB\nABBB\nCCDD\nCCDD\n\n{}", givens(blank));
        assert_eq!(rules(&jigsaw(sign)), rules(&jigsaw(".")), "{sign}");
        let futoshiki = |blank: &str| {
            format!(
                "{0} < {0}   {0} < {0}\n\n3   {0}   {0}   {0}\n    v\n{0}   {0}   {0} > {0}\n\n{0}   {0}   {0}   {0}\n",
                blank
            )
        };
        assert_eq!(rules(&futoshiki(sign)), rules(&futoshiki("_")), "{sign}");
    }
}
