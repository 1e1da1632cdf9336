//! What files that are no puzzles look like, and what to do with them.

use std::borrow::Cow;

use tallyboard_base::text::pzpr::genre;

/// What a file that is no puzzle looks like, and what to do with it.
pub(crate) fn looks_like(bytes: &[u8]) -> Option<Cow<'static, str>> {
    const PICTURE: &str = "a picture: type its cells, a row a line, a dot for a blank";
    const PAGE: &str =
        "a web page: save the puzzle itself, by the page's export or as a link that holds it";
    const BEGINNINGS: [(&[u8], &str); 6] = [
        (b"\x89PNG", PICTURE),
        (b"\xff\xd8\xff", PICTURE),
        (b"GIF8", PICTURE),
        (b"%PDF", "a PDF: copy the puzzle out of it, as with `pdftotext -layout`"),
        (b"<!doctype html", PAGE),
        (b"<html", PAGE),
    ];
    let begin = bytes.trim_ascii_start();
    let begins =
        |word: &[u8]| begin.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    if let Some((_, what)) = BEGINNINGS.iter().find(|(word, _)| begins(word)) {
        return Some(Cow::Borrowed(what));
    }
    let text = str::from_utf8(bytes).ok()?;
    if let Some(genre) = genre(text).or_else(|| text.split_whitespace().find_map(genre)) {
        let game = match &*genre {
            "sudoku" | "skyscrapers" => "variant",
            "starbattle" => "regions",
            _ => {
                return Some(Cow::Owned(format!(
                    "a puzzle of puzz.link of the genre {genre}, whose rules tallyboard does not know: it reads sudoku, skyscrapers and starbattle"
                )));
            }
        };
        return Some(Cow::Owned(format!(
            "a puzzle of puzz.link of the genre {genre} with a mistake in it, which --as {game} names"
        )));
    }
    let is_no_text = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    if bytes.iter().any(is_no_text) {
        return Some(Cow::Borrowed(
            "data that are no text: write the grid, a row a line, a dot for a blank",
        ));
    }
    TEXTS.iter().find(|(looks_so, _)| looks_so(text)).map(|(_, what)| Cow::Borrowed(*what))
}

/// How a text is known, and what it is and what to do with it.
type Look = (fn(&str) -> bool, &'static str);

/// Texts that are no puzzles.
const TEXTS: [Look; 11] = [
    (
        |text| has_line(text, &["p cnf "]),
        "a SAT problem in DIMACS, which says nothing of a board: take the puzzle that it was made of",
    ),
    (
        |text| text.contains("_,_") && text.contains('['),
        "facts of Prolog or ASP: write the grid, a row a line, a dot for each `_`",
    ),
    (
        has_walls,
        "cells and their walls as one number each: write the digits, a row a line, and the regions as rows of letters (docs/variants.md)",
    ),
    (
        has_tiles_of_polysolve,
        "a puzzle of polysolve: draw the board below a line `board:`, then `pieces: flip` (or `pieces: turn` if none is a mirror), and each \
         shape below a line such as `A:`, or `A fixed:` if it is only translated (docs/cover.md)",
    ),
    (
        |text| serde_json::from_str(text).is_ok_and(|value: serde_json::Value| value.is_object()),
        "JSON of another program: write its grid, its cages or its regions in one of the forms of docs/formats/variant.md",
    ),
    (
        has_tiles,
        "a rectangle and its tiles as numbers: draw the rectangle below a line `board:`, then `pieces: turn`, and each kind of tile below a \
         line such as `A x 2:` with how many there are (docs/cover.md)",
    ),
    (
        has_squares,
        "squares of a chessboard: `tallyboard queens count 8 --place a1,b3` counts how queens there are completed, and --block a1,b3 closes them",
    ),
    (
        has_givens,
        "givens by row, column and value: write the grid instead, a row a line, a dot for a blank",
    ),
    (
        has_shapes,
        "the cells of shapes: list each place of each shape as an option (docs/cover_options.md), or draw them for `cover`",
    ),
    (
        has_pieces,
        "drawn pieces: write the board below a line `board:` and each piece below one such as `A:`, where `.` is no cell; in a cube, `-` \
         alone stands between layers (docs/cover.md)",
    ),
    (
        |text| has_line(text, &OF_PROGRAMS),
        "the source of a program: copy the grid or the list of a puzzle into a file of its own",
    ),
];

const OF_PROGRAMS: [&str; 10] = [
    "def ",
    "class ",
    "import ",
    "from ",
    "#include",
    "public ",
    "package ",
    "fn ",
    "function ",
    ":- ",
];

/// Whether a line begins with one of these.
fn has_line(text: &str, begins: &[&str]) -> bool {
    text.lines().any(|line| begins.iter().any(|begin| line.starts_with(begin)))
}

/// Whether there is a board, and shapes with what they may do and rows of tiles, as the program polysolve has them.
fn has_tiles_of_polysolve(text: &str) -> bool {
    let Ok(puzzle) = serde_json::from_str::<serde_json::Value>(text) else { return false };
    puzzle["board"]["tiles"].is_array() && puzzle["shapes"][0]["morphs"].is_array()
}

/// Whether each line has two sides, how many kinds of tiles there are, and of each kind its number and sides, which fill the rectangle.
fn has_tiles(text: &str) -> bool {
    let is_filled = |line: &str| {
        let numbers: Option<Vec<u64>> =
            line.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some([width, height, kinds, tiles @ ..]) = numbers.as_deref() else { return false };
        let area = |tile: &[u64]| tile.iter().try_fold(1_u64, |area, &side| area.checked_mul(side));
        let areas = tiles.chunks(3).map(area);
        let filled = areas.into_iter().try_fold(0_u64, |sum, area| sum.checked_add(area?));
        kinds.checked_mul(3) == Some(tiles.len() as u64)
            && *kinds > 0
            && filled.is_some()
            && filled == area(&[*width, *height])
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.all(is_filled)
}

/// Whether all words are squares such as `b3` or `ab28`, or numbers.
fn has_squares(text: &str) -> bool {
    let is_number = |word: &str| word.parse::<u8>().is_ok();
    let is_square = |word: &str| {
        let number = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        (1..3).contains(&(word.len() - number.len())) && is_number(number)
    };
    let is_gap = |c: char| c.is_whitespace() || c == ',';
    let mut words = text.split(is_gap).filter(|word| !word.is_empty());
    words.clone().any(is_square) && words.all(|word| is_square(word) || is_number(word))
}

/// Whether most lines are three numbers.
fn has_givens(text: &str) -> bool {
    const FEWEST_LINES: usize = 10;
    let is_given = |line: &&str| {
        let mut words = line.split_whitespace();
        words.clone().count() == 3 && words.all(|word| word.parse::<u8>().is_ok())
    };
    let lines = text.lines().count();
    lines >= FEWEST_LINES && 5 * text.lines().filter(is_given).count() >= 4 * lines
}

/// Whether there are nine rows of nine numbers, of which some have bits beside a digit.
fn has_walls(text: &str) -> bool {
    let numbers = |line: &str| -> Option<Vec<u8>> {
        line.split_whitespace().map(|word| word.parse().ok()).collect()
    };
    let rows: Vec<Vec<u8>> =
        text.lines().filter_map(numbers).filter(|row| row.len() == 9).collect();
    let has_bits = |number: &u8| number >> 4 > 0 && number & 15 < 10;
    rows.len() >= 9
        && rows.iter().flatten().any(has_bits)
        && rows.iter().flatten().all(|it| it & 15 < 10)
}

/// Whether all words are pairs in brackets.
fn has_shapes(text: &str) -> bool {
    let is_cell = |word: &str| word.starts_with('(') && word.ends_with(')') && word.contains(',');
    text.contains('(') && text.lines().all(|line| line.split_whitespace().all(is_cell))
}

/// Whether there are blocks of rows of 0 and 1, or of stars and points, below numbers or titles.
fn has_pieces(text: &str) -> bool {
    const FEWEST_ROWS: usize = 3;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_row = |line: &&str| {
        let marks = line.split([' ', '/']).flat_map(str::chars);
        line.len() > 1
            && (marks.clone().all(|c| "01".contains(c)) || marks.clone().all(|c| "*.".contains(c)))
    };
    let below = lines.clone().skip_while(|line| !is_row(line));
    lines.clone().any(|line| !is_row(&line))
        && lines.filter(is_row).count() >= FEWEST_ROWS
        && below.filter(|line| !is_row(line)).all(|line| line.parse::<u8>().is_ok() || line == "-")
}
