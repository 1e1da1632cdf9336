//! `tallyboard solve FILE` and `tallyboard count FILE`: recognise the game that a file is of, say so, and do what that
//! game's own command does.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tallyboard_base::cpu::Instructions;
use tallyboard_queens::text::{Reader, are_boards};
use tallyboard_regions::format::{ReadError, Record, Records};
use tallyboard_regions::{Limits, solve_all};
use tallyboard_search::Stop;
use tallyboard_sudoku::format::{Form, FormError, FormOptions, OnePuzzle};
use tallyboard_sudoku::sized::Puzzle;
use tallyboard_variants::Located;

use crate::terminal::{Args, UsageError, info, io};

/// A file of any game, and the options of the game's command.
#[derive(Debug, clap::Args)]
pub struct AnyArgs {
    /// Take the file for one of this game; found from its content by default
    #[arg(long = "as", value_name = "GAME", value_parser = games())]
    pub game: Option<&'static Game>,

    /// A file of sudokus, the rules of a variant, a puzzle of f-puzzles or SudokuPad, a board of regions, exact covers, a board of queens, or placements of queens to check
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Options of the game's own command, such as `--json`
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub options: Vec<OsString>,
}

/// A game whose files are recognised.
#[derive(Debug)]
pub struct Game {
    /// What `--as` takes, and the name of the game's commands.
    name: &'static str,
    /// What a file is taken for, for people.
    files: &'static str,
    /// The words of the command that solves such a file.
    solve: &'static [&'static str],
    /// The words of the command that counts its solutions.
    count: &'static [&'static str],
    /// Whether a file with these bytes goes to that game's reader, which also tells what is wrong in it.
    recognises: fn(&[u8]) -> bool,
    /// Why that reader does not read them.
    refusal: fn(&[u8]) -> Option<String>,
}

/// The games, in the order in which they are asked: rules of a variant may have a picture that alone would be a sudoku, and
/// text of many kinds is a cover in Knuth's format.
static GAMES: [Game; 5] = [
    Game {
        name: "variant",
        files: "a sudoku with rules of its own",
        solve: &["variant", "solve"],
        count: &["variant", "count"],
        recognises: is_variant,
        refusal: |bytes| Some(tallyboard_variants::read_all(bytes, "").err()?.to_string()),
    },
    Game {
        name: "sudoku",
        files: "sudokus",
        solve: &["sudoku", "solve"],
        count: &["sudoku", "count"],
        recognises: is_sudoku,
        refusal: why_no_sudoku,
    },
    Game {
        name: "regions",
        files: "boards of coloured regions",
        solve: &["regions", "solve"],
        count: &["regions", "count"],
        recognises: |bytes| matches!(first_board(bytes), Some(Ok(_))),
        refusal: |bytes| Some(first_board(bytes)?.err()?.to_string()),
    },
    Game {
        name: "cover",
        files: "exact covers",
        solve: &["cover", "list", "--limit=1"],
        count: &["cover", "count"],
        recognises: is_cover,
        refusal: |bytes| Some(tallyboard_cover::format::read(bytes, "").err()?.error.to_string()),
    },
    Game {
        name: "queens",
        files: "placements of queens, which can be checked",
        solve: &["queens", "check"],
        count: &["queens", "check"],
        recognises: has_placement,
        refusal: |_| None,
    },
];

/// Boards of queens with closed or taken squares, the other files of that game. They are asked for first: marks without a digit would
/// be an empty sudoku, too.
static BOARDS_OF_QUEENS: Game = Game {
    name: "queens",
    files: "boards of queens with closed or taken squares",
    solve: &["queens", "one"],
    count: &["queens", "count"],
    recognises: is_board,
    refusal: |_| None,
};

fn games() -> impl TypedValueParser<Value = &'static Game> {
    let of_name = |name: String| GAMES.iter().find(|game| game.name == name).expect("a name");
    PossibleValuesParser::new(GAMES.iter().map(|game| game.name)).map(of_name)
}

/// The first bytes of a file, by which sudokus are recognised. Of a longer file of another game all is read.
const HEAD_BYTES: usize = 1 << 20;

/// Whether the bytes are a variant: with rules of its own, or of another program that knows such rules, or one that is neither sudokus
/// nor a board of regions, such as a grid of another size.
fn is_variant(bytes: &[u8]) -> bool {
    let is_of_no_other_game = || !is_sudoku(bytes) && !repeats_in_rows(bytes);
    // Links among other words may stand in a table of sudokus.
    let has_rules = |found: &Located| !found.is_in_text && !found.puzzle.rules().rules().is_empty();
    tallyboard_variants::is_of_another_program(bytes)
        || tallyboard_variants::read_all(bytes, "")
            .is_ok_and(|found| found.iter().any(has_rules) || is_of_no_other_game())
}

/// Whether the first board is one of regions and no sudoku: in more than half of the rows a sign stands twice, and in some row or column
/// one does that is not the most frequent sign, which may be a blank.
fn repeats_in_rows(bytes: &[u8]) -> bool {
    let Some(Ok(Record { board, .. })) = first_board(bytes) else { return false };
    let (regions, size) = (board.regions(), board.size());
    let uses = |sign: &u8| regions.iter().filter(|other| *other == sign).count();
    let blank = regions.iter().max_by_key(|sign| uses(sign));
    let has_twice =
        |line: &[u8]| line.iter().enumerate().any(|(at, sign)| line[..at].contains(sign));
    let has_sign_twice = |line: Vec<u8>| {
        has_twice(&line.into_iter().filter(|sign| Some(sign) != blank).collect::<Vec<u8>>())
    };
    let column = |column| regions.iter().skip(column).step_by(size).copied().collect();
    2 * regions.chunks(size).filter(|row| has_twice(row)).count() > size
        && (regions.chunks(size).any(|row| has_sign_twice(row.to_vec()))
            || (0..size).any(|number| has_sign_twice(column(number))))
}

/// Whether at least half of the first records of these bytes are sudokus, in any format, or whether they are a table that the reader of
/// sudokus knows by its head.
fn is_sudoku(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    match Form::find(head, &FormOptions::default()) {
        Ok(_) if repeats_in_rows(bytes) => false,
        Ok(form) => {
            let (puzzles, bad) = OnePuzzle::counts(&form, whole_lines(bytes));
            puzzles > 0 && puzzles >= bad && !(bad > 0 && is_matrix(bytes))
        }
        Err(error) => matches!(error, FormError::NoText(..) | FormError::NoPuzzleColumn(_)),
    }
}

/// Whether the bytes are a matrix of 0 and 1 with its dimensions or names above, whose first rows alone may be a sudoku.
fn is_matrix(bytes: &[u8]) -> bool {
    use tallyboard_cover::format::Format;
    str::from_utf8(bytes).is_ok_and(|text| Format::of(text) == Format::Matrix)
}

fn why_no_sudoku(bytes: &[u8]) -> Option<String> {
    match Form::find(whole_lines(bytes), &FormOptions::default()) {
        Ok(form) => {
            let bad = OnePuzzle::first_bad(&form, whole_lines(bytes));
            Some(bad.map_or("no puzzle".to_owned(), |bad| bad.to_string()))
        }
        Err(error) => Some(error.to_string()),
    }
}

/// The bytes, or of a larger file the whole lines at its head.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    match head.iter().rposition(|&byte| byte == b'\n') {
        Some(at) if head.len() == HEAD_BYTES => &head[..=at],
        _ => head,
    }
}

/// The first board of regions, or what is wrong before it.
fn first_board(bytes: &[u8]) -> Option<Result<Record, ReadError>> {
    Records::new(Box::new(bytes), None).next()
}

/// Whether the bytes are a cover, or begin as those of a format that only covers have.
fn is_cover(bytes: &[u8]) -> bool {
    use tallyboard_cover::format::{Format, read};
    // Other programs write XML, too.
    let is_of_covers_alone = |text: &str| match Format::of(text) {
        Format::Xmpuzzle => text.contains("<puzzle"),
        format => matches!(format, Format::Picture | Format::Ec | Format::Samurai),
    };
    // A text of any kind may be lines of one item, which are no problem.
    let is_problem =
        |cover: &tallyboard_cover::Cover| cover.items().len() > 1 && !is_of_shapes(cover);
    read(bytes, "").is_ok_and(|input| is_problem(input.cover()))
        || str::from_utf8(bytes).is_ok_and(is_of_covers_alone)
}

/// Whether the options are shapes rather than places: cells by row and column, of which some are in no option.
fn is_of_shapes(cover: &tallyboard_cover::Cover) -> bool {
    let mut has_option = vec![false; cover.items().len()];
    for entry in cover.options().flatten() {
        has_option[entry.item as usize] = true;
    }
    cover.items().iter().all(|item| item.name().starts_with('(')) && has_option.contains(&false)
}

/// The command line `words` with the words of the game's command in place of `verb`, `solve` or `count`, and of `--as GAME`.
pub fn command_line(
    verb: &str,
    flags: &AnyArgs,
    words: impl Iterator<Item = OsString>,
    args: &Args,
) -> Result<Vec<OsString>> {
    let name = io::name(&flags.file);
    let Recognised { game, other, note } = match flags.game {
        Some(game) if game.name == BOARDS_OF_QUEENS.name && is_board(&head_or_all(flags)?) => {
            Recognised { game: &BOARDS_OF_QUEENS, other: None, note: None }
        }
        Some(game) => Recognised { game, other: None, note: None },
        None if is_number_of_queens(flags) => bail!(UsageError(format!(
            "{name}: found no such file; of n queens it is `tallyboard queens {} {name}`",
            if verb == "solve" { "one" } else { "count" }
        ))),
        None => recognised(flags, &name)?,
    };
    let command = if verb == "solve" { game.solve } else { game.count };
    let hint = match other {
        None => "--as GAME takes it for another".to_owned(),
        Some(Game { name, files, .. }) => format!("it reads as {files}, too: --as {name}"),
    };
    info(args, format_args!("{name}: {}; {hint}", game.taken_by(command)));
    if let Some(note) = note {
        info(args, format_args!("{name}: {note}"));
    }
    let mut line: Vec<OsString> = words.collect();
    let place = line.iter().position(|word| word == verb).expect("the verb was parsed");
    if let Some(at) = line.iter().position(|word| word == "--as") {
        line.drain(at..at + 2);
    }
    line.retain(|word| !word.as_encoded_bytes().starts_with(b"--as="));
    line.splice(place..=place, command.iter().map(OsString::from));
    Ok(line)
}

fn is_number_of_queens(flags: &AnyArgs) -> bool {
    let is_number = flags.file.to_str().is_some_and(|text| text.parse::<u32>().is_ok());
    is_number && !flags.file.exists()
}

impl Game {
    fn taken_by(&self, command: &[&str]) -> String {
        format!("taken for {}, as by `tallyboard {}`", self.files, command.join(" "))
    }
}

/// What a file was taken for.
struct Recognised {
    /// The first game that recognises it.
    game: &'static Game,
    /// Another that does. Of a variant no other is named: its picture alone would be a sudoku; nor are placements of queens, as rows of
    /// many grids are some.
    other: Option<&'static Game>,
    /// What may be meant otherwise in it.
    note: Option<&'static str>,
}

fn recognised(flags: &AnyArgs, name: &str) -> Result<Recognised> {
    let bytes = head_or_all(flags)?;
    if is_board(&bytes) {
        return Ok(Recognised { game: &BOARDS_OF_QUEENS, other: None, note: None });
    }
    let mut games = GAMES.iter();
    if let Some(game) = games.find(|game| (game.recognises)(&bytes)) {
        let mut others = games.filter(|other| game.name != "variant" && other.name != "queens");
        let other = others.find(|other| (other.recognises)(&bytes));
        let note = match game.name {
            "sudoku" => note_on_boxes(&bytes),
            "regions" => note_on_stars(&bytes, &flags.options),
            _ => None,
        };
        return Ok(Recognised { game, other, note });
    }
    let mut told = format!(
        "{name}: found none of the formats that tallyboard knows; docs/formats.md shows a file of each"
    );
    if let Some(other) = looks_like(&bytes) {
        told += &format!("\n  it looks like {other}");
    }
    for game in &GAMES {
        if let Some(why) = (game.refusal)(&bytes) {
            told += &format!("\n  --as {}: {}", game.name, beginning(&why));
        }
    }
    bail!(UsageError(told))
}

/// What to say of a single sudoku that has no solution since a value stands twice in a box, though in no row or column.
fn note_on_boxes(bytes: &[u8]) -> Option<&'static str> {
    /// The largest puzzle drawn with wide frames is shorter.
    const MOST_BYTES: usize = 1 << 13;
    if bytes.len() > MOST_BYTES {
        return None;
    }
    let found = OnePuzzle::find(&Form::find(bytes, &FormOptions::default()).ok()?, bytes)?;
    let (cells, side) = match found.puzzle() {
        Puzzle::Nine(grid) => (&grid.cells()[..], 9),
        Puzzle::Sized(grid) => (grid.cells(), grid.size().side()),
    };
    let part = side.isqrt();
    let has_twice = |house: &dyn Fn(usize) -> usize| {
        let is_twice = |cell: usize| {
            let is_same = |before| cells[before] == cells[cell] && house(before) == house(cell);
            cells[cell] > 0 && (0..cell).any(is_same)
        };
        (0..cells.len()).any(is_twice)
    };
    let of_box = |cell: usize| cell / side / part * part + cell % side / part;
    let is_jigsaw =
        has_twice(&of_box) && !has_twice(&|cell| cell / side) && !has_twice(&|cell| cell % side);
    is_jigsaw.then_some(
        "a value stands twice in a box, but in no row or column: without a solution as a sudoku, it may be a jigsaw or another variant \
         whose rules are not in this file",
    )
}

/// What to say of a board that has one solution only with two stars in each row, where neither the file nor an option states any number.
fn note_on_stars(bytes: &[u8], options: &[OsString]) -> Option<&'static str> {
    /// Real puzzles need fewer, and so many take no time.
    const MOST_GUESSES: u64 = 10_000;
    let has_option = options.iter().any(|option| option.as_encoded_bytes().starts_with(b"--stars"));
    let one = first_board(bytes)?.ok().filter(|one| !has_option && one.board.stars() == 1)?;
    let two = Records::new(bytes, Some(2)).next()?.ok()?;
    let limits = Limits { guesses: MOST_GUESSES, ..Limits::solutions(2) };
    let boards = [one.board, two.board];
    let answers = solve_all(&boards, limits, Instructions::best(), &Stop::new()).ok()?;
    (!answers[0].is_unique() && answers[1].is_unique()).then_some(
        "with one star in each row, column and region the board has not one solution; with --stars 2 it has",
    )
}

/// What a file that is no puzzle looks like, and what to do with it.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
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
        return Some(what);
    }
    let text = str::from_utf8(bytes).ok()?;
    TEXTS.iter().find(|(looks_so, _)| looks_so(text)).map(|(_, what)| *what)
}

/// How a text is known, and what it is and what to do with it.
type Look = (fn(&str) -> bool, &'static str);

/// Texts that are no puzzles.
const TEXTS: [Look; 7] = [
    (
        |text| has_line(text, &["p cnf "]),
        "a SAT problem in DIMACS, which says nothing of a board: take the puzzle that it was made of",
    ),
    (
        |text| text.contains("sudokumaker.app/"),
        "a link of SudokuMaker: open it and export the puzzle to SudokuPad or f-puzzles",
    ),
    (
        |text| serde_json::from_str(text).is_ok_and(|value: serde_json::Value| value.is_object()),
        "JSON of another program: write its grid, its cages or its regions in one of the forms of docs/formats.md",
    ),
    (
        has_squares,
        "squares of a chessboard: `tallyboard queens count 8 --place a1,b3` counts how queens there are completed",
    ),
    (
        has_givens,
        "givens by row, column and value: write the grid instead, a row a line, a dot for a blank",
    ),
    (
        has_shapes,
        "the cells of shapes: list each place of each shape as an option (docs/cover.md), or draw them for `cover`",
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

/// Whether all words are squares such as `b3`, or numbers.
fn has_squares(text: &str) -> bool {
    let is_number = |word: &str| word.parse::<u8>().is_ok();
    let is_square = |word: &str| {
        let number = word.strip_prefix(|c: char| c.is_ascii_lowercase());
        number.is_some_and(is_number)
    };
    let mut words = text.split_whitespace();
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

/// Whether all words are pairs in brackets.
fn has_shapes(text: &str) -> bool {
    let is_cell = |word: &str| word.starts_with('(') && word.ends_with(')') && word.contains(',');
    text.contains('(') && text.lines().all(|line| line.split_whitespace().all(is_cell))
}

/// Whether the bytes are boards of queens to fill, and no solution to check.
fn is_board(bytes: &[u8]) -> bool {
    are_boards(bytes) && !has_placement(bytes)
}

/// Whether the bytes begin with a solution of the queens problem, which is a question to `queens check`.
fn has_placement(bytes: &[u8]) -> bool {
    /// Smaller boards have one queen, or no solution.
    const SMALLEST: usize = 4;
    let first = Reader::new(bytes).next_placement();
    matches!(first, Ok(Some((_, placement))) if placement.n() >= SMALLEST && placement.check().is_ok())
}

/// The beginning of a message without the name of a file, in one line.
fn beginning(message: &str) -> String {
    /// What fits into a line beside the name of a game.
    const MOST_CHARACTERS: usize = 100;
    // The readers were given no name of a file.
    let message = message.trim_start_matches(": ");
    let line: String = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The first [`HEAD_BYTES`] bytes of a file of sudokus, or of any other the first [`io::MAX_PUZZLE_BYTES`].
fn head_or_all(flags: &AnyArgs) -> Result<Vec<u8>> {
    // Files of sudokus may be of any length; those of other games are read as wholes.
    let head = io::look_ahead(&flags.file, HEAD_BYTES as u64)?;
    if head.len() < HEAD_BYTES || is_sudoku(&head) {
        return Ok(head);
    }
    io::look_ahead(&flags.file, io::MAX_PUZZLE_BYTES)
}

/// What to type now in place of `unknown`, a command or an option that is no more, behind the words `before`.
pub fn renamed(before: &[&OsStr], unknown: &str) -> Option<&'static str> {
    let has = |word: &str| before.iter().any(|before| *before == word);
    let game =
        ["queens", "sudoku", "variant", "cover", "regions"].into_iter().find(|game| has(game))?;
    match (game, unknown) {
        ("sudoku", "--estimate") if has("count") => Some("tallyboard sudoku estimate PUZZLE"),
        (_, "show") => Some("tallyboard show FILE"),
        ("queens", "sample") => Some("tallyboard queens estimate N --draws"),
        ("cover", "sample") => Some("tallyboard cover estimate FILE"),
        ("regions", "sample") => Some("tallyboard regions estimate FILE"),
        ("variant", "sample") => Some("tallyboard variant estimate FILE"),
        _ => None,
    }
}
