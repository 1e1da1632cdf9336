//! `tallyboard solve FILE` and `tallyboard count FILE`: recognise the game that a file is of, say so, and do what that
//! game's own command does.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tallyboard_regions::format::Records;
use tallyboard_sudoku::format::{Form, FormOptions, OnePuzzle};

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
    name: &'static str,
    /// What a file is taken for, for people.
    files: &'static str,
    /// The words of the command that solves such a file.
    solve: &'static [&'static str],
    /// Whether these are the bytes of such a file.
    recognises: fn(&[u8]) -> bool,
}

/// The games, in the order in which they are asked: rules of a variant may have a picture that alone would be a sudoku, and
/// text of many kinds is a cover in Knuth's format.
static GAMES: [Game; 4] = [
    Game {
        name: "variant",
        files: "a sudoku with rules of its own",
        solve: &["variant", "solve"],
        recognises: is_variant,
    },
    Game { name: "sudoku", files: "sudokus", solve: &["sudoku", "solve"], recognises: is_sudoku },
    Game {
        name: "regions",
        files: "boards of coloured regions",
        solve: &["regions", "solve"],
        recognises: is_regions,
    },
    Game {
        name: "cover",
        files: "exact covers",
        solve: &["cover", "list", "--limit=1"],
        recognises: |bytes| tallyboard_cover::format::read(bytes, "").is_ok(),
    },
];

fn games() -> impl TypedValueParser<Value = &'static Game> {
    let of_name = |name: String| GAMES.iter().find(|game| game.name == name).expect("a name");
    PossibleValuesParser::new(GAMES.iter().map(|game| game.name)).map(of_name)
}

/// The bytes of a large file that are looked at. Files of variants and covers are smaller.
const HEAD_BYTES: usize = 1 << 20;

/// Whether the bytes are a variant with rules of its own, or of another size, or a link: a plain grid is a sudoku.
fn is_variant(bytes: &[u8]) -> bool {
    // Of a link that cannot be read, the reader of variants says what to do.
    bytes.starts_with(b"http")
        || tallyboard_variants::read(bytes, "")
            .is_ok_and(|puzzle| puzzle.size().side() != 9 || !puzzle.rules().rules().is_empty())
}

/// Whether the first records of these bytes are sudokus, in any format.
fn is_sudoku(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    Form::find(head, &FormOptions::default()).is_ok_and(|form| {
        let is_many = || OnePuzzle::is_exceeded(&form, head) && first_lines_are_good(&form, head);
        OnePuzzle::find(&form, head).is_some() || is_many()
    })
}

fn first_lines_are_good(form: &Form, head: &[u8]) -> bool {
    let end = head.iter().rposition(|&byte| byte == b'\n').map_or(head.len(), |at| at + 1);
    OnePuzzle::first_bad(form, &head[..end]).is_none()
}

/// Whether the bytes hold a board of regions and nothing before it that is none.
fn is_regions(bytes: &[u8]) -> bool {
    matches!(Records::new(Box::new(bytes), None).next(), Some(Ok(_)))
}

/// The command line `words` with the words of the game's command in place of `verb`, `solve` or `count`, and of `--as GAME`.
pub fn command_line(
    verb: &str,
    flags: &AnyArgs,
    words: impl Iterator<Item = OsString>,
    args: &Args,
) -> Result<Vec<OsString>> {
    let name = io::name(&flags.file);
    let game = match flags.game {
        Some(game) => game,
        None if flags.file.as_os_str() == "-" => bail!(UsageError(format!(
            "standard input can be read only once: say which game it is, as in `tallyboard sudoku {verb}`"
        ))),
        None if is_number_of_queens(flags) => bail!(UsageError(format!(
            "{name}: found no such file; of n queens it is `tallyboard queens {} {name}`",
            if verb == "solve" { "one" } else { "count" }
        ))),
        None => recognised(flags, &name)?,
    };
    let command = if verb == "solve" { game.solve.to_vec() } else { vec![game.name, "count"] };
    info(args, format_args!("{name}: {}; --as GAME takes it for another", game.taken_by(&command)));
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

/// The first game that recognises the file.
fn recognised(flags: &AnyArgs, name: &str) -> Result<&'static Game> {
    let bytes = head_or_all(flags)?;
    match GAMES.iter().find(|game| (game.recognises)(&bytes)) {
        Some(game) => Ok(game),
        None => {
            let tried: Vec<String> =
                GAMES.iter().map(|game| format!("--as {}", game.name)).collect();
            bail!(UsageError(format!(
                "{name}: found none of the formats that tallyboard knows; {} tell what is wrong in it",
                tried.join(", ")
            )))
        }
    }
}

/// The file, or of one that is too large for a puzzle its first [`HEAD_BYTES`] bytes.
fn head_or_all(flags: &AnyArgs) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut head = Vec::new();
    // What is compressed is read as it is; only sudokus come so large.
    io::open(&flags.file)?.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    if head.len() < HEAD_BYTES || is_sudoku(&head) {
        return Ok(head);
    }
    io::read_puzzle(&flags.file)
}

/// What to type now in place of `unknown`, a command or an option that is no more, behind the words `before`.
pub fn renamed(before: &[&OsStr], unknown: &str) -> Option<&'static str> {
    let has = |word: &str| before.iter().any(|before| *before == word);
    let game =
        ["queens", "sudoku", "variant", "cover", "regions"].into_iter().find(|game| has(game))?;
    match (game, unknown) {
        ("sudoku", "--estimate") if has("count") => Some("tallyboard sudoku estimate PUZZLE"),
        ("queens" | "cover" | "variant" | "sudoku" | "regions", "show") => {
            Some("tallyboard show FILE")
        }
        ("queens", "sample") => Some("tallyboard queens estimate N --draws"),
        ("cover", "sample") => Some("tallyboard cover estimate FILE"),
        ("regions", "sample") => Some("tallyboard regions estimate FILE"),
        ("variant", "sample") => Some("tallyboard variant estimate FILE"),
        _ => None,
    }
}
