//! Promise: no text makes a reader of covers, variants, boards of queens or regions panic, and what it reads and writes is read again as the same.

use std::sync::LazyLock;

use proptest::prelude::*;
use tallyboard_cover::format::{self as covers, Format};
use tallyboard_queens::Square;
use tallyboard_queens::text::read_boards;
use tallyboard_regions::Board;
use tallyboard_regions::format::{Records, line};

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

/// These files, and the examples on the page of formats.
static FILES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let page = include_str!("../../docs/formats.md");
    let blocks = page.split("```").skip(1).step_by(2);
    let examples = blocks.filter_map(|block| block.split_once('\n')).map(|(_, example)| example);
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
