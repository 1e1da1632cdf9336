//! `tallyboard solve FILE` and `tallyboard count FILE`: recognise the game that a file is of, say so, and do what that
//! game's own command does.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tallyboard_queens::text::Reader;
use tallyboard_regions::format::{ReadError, Record, Records};
use tallyboard_sudoku::format::{Form, FormError, FormOptions, OnePuzzle};

use crate::terminal::{Args, UsageError, info, io};

/// A file of any game, and the options of the game's command.
#[derive(Debug, clap::Args)]
pub struct AnyArgs {
    /// Take the file for one of this game; found from its content by default
    #[arg(long = "as", value_name = "GAME", value_parser = games())]
    pub game: Option<&'static Game>,

    /// A file of sudokus, the rules of a variant, a puzzle of f-puzzles or SudokuPad, a board of regions, or exact covers
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
    /// Whether a file with these bytes goes to that game's reader, which also tells what is wrong in it.
    recognises: fn(&[u8]) -> bool,
    /// Why that reader does not read them.
    refusal: fn(&[u8]) -> Option<String>,
}

/// The games, in the order in which they are asked: rules of a variant may have a picture that alone would be a sudoku, and
/// text of many kinds is a cover in Knuth's format.
static GAMES: [Game; 4] = [
    Game {
        name: "variant",
        files: "a sudoku with rules of its own",
        solve: &["variant", "solve"],
        recognises: is_variant,
        refusal: |bytes| tallyboard_variants::read(bytes, "").err().map(|error| error.to_string()),
    },
    Game {
        name: "sudoku",
        files: "sudokus",
        solve: &["sudoku", "solve"],
        recognises: is_sudoku,
        refusal: why_no_sudoku,
    },
    Game {
        name: "regions",
        files: "boards of coloured regions",
        solve: &["regions", "solve"],
        recognises: |bytes| matches!(first_board(bytes), Some(Ok(_))),
        refusal: |bytes| Some(first_board(bytes)?.err()?.to_string()),
    },
    Game {
        name: "cover",
        files: "exact covers",
        solve: &["cover", "list", "--limit=1"],
        recognises: is_cover,
        refusal: |bytes| Some(tallyboard_cover::format::read(bytes, "").err()?.error.to_string()),
    },
];

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
    let has_rules = |puzzle: tallyboard_variants::Puzzle| !puzzle.rules().rules().is_empty();
    tallyboard_variants::is_of_another_program(bytes)
        || tallyboard_variants::read(bytes, "")
            .is_ok_and(|puzzle| has_rules(puzzle) || is_of_no_other_game())
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
            puzzles > 0 && puzzles >= bad
        }
        Err(error) => matches!(error, FormError::NoText(..) | FormError::NoPuzzleColumn(_)),
    }
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
    let is_of_covers_alone =
        |format| matches!(format, Format::Xmpuzzle | Format::Picture | Format::Ec);
    // A text of any kind may be lines of one item, which are no problem.
    let is_problem =
        |cover: &tallyboard_cover::Cover| cover.items().len() > 1 && !is_of_shapes(cover);
    read(bytes, "").is_ok_and(|input| is_problem(input.cover()))
        || str::from_utf8(bytes).is_ok_and(|text| is_of_covers_alone(Format::of(text)))
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
    let (game, other) = match flags.game {
        Some(game) => (game, None),
        None if is_number_of_queens(flags) => bail!(UsageError(format!(
            "{name}: found no such file; of n queens it is `tallyboard queens {} {name}`",
            if verb == "solve" { "one" } else { "count" }
        ))),
        None => recognised(flags, &name)?,
    };
    let command = if verb == "solve" { game.solve.to_vec() } else { vec![game.name, "count"] };
    let hint = match other {
        None => "--as GAME takes it for another".to_owned(),
        Some(Game { name, files, .. }) => format!("it reads as {files}, too: --as {name}"),
    };
    info(args, format_args!("{name}: {}; {hint}", game.taken_by(&command)));
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

/// The first game that recognises the file, and another that does. Of a variant no other is named: its picture alone would be a sudoku.
fn recognised(flags: &AnyArgs, name: &str) -> Result<(&'static Game, Option<&'static Game>)> {
    let bytes = head_or_all(flags)?;
    let mut games = GAMES.iter().filter(|game| (game.recognises)(&bytes));
    if let Some(game) = games.next() {
        return Ok((game, games.next().filter(|_| game.name != "variant")));
    }
    let mut told = format!("{name}: found none of the formats that tallyboard knows");
    if let Some(other) = looks_like(&bytes) {
        told += &format!("\n  it looks like {other}");
    }
    for game in &GAMES {
        if let Some(why) = (game.refusal)(&bytes) {
            told += &format!("\n  --as {}: {}", game.name, beginning(&why));
        }
    }
    if has_placement(&bytes) {
        told += &format!("\n  placements of queens: `tallyboard queens check {name}`");
    }
    bail!(UsageError(told))
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
    let has_line =
        |words: &[&str]| text.lines().any(|line| words.iter().any(|word| line.starts_with(word)));
    if has_line(&["p cnf "]) {
        return Some(
            "a SAT problem in DIMACS, which says nothing of a board: take the puzzle that it was made of",
        );
    }
    let is_cell = |word: &str| word.starts_with('(') && word.ends_with(')') && word.contains(',');
    if text.lines().all(|line| line.split_whitespace().all(is_cell)) && text.contains('(') {
        return Some(
            "the cells of shapes: list each place of each shape as an option (docs/cover.md), or draw them for `cover`",
        );
    }
    let of_programs = [
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
    has_line(&of_programs).then_some(
        "the source of a program: copy the grid or the list of a puzzle into a file of its own",
    )
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
