//! `tallyboard solve FILE` and `tallyboard count FILE`: recognise the game that a file is of, say so, and do what that
//! game's own command does.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::builder::TypedValueParser;
use tallyboard_doors::{Document, Format, Game, HEAD_BYTES, note_on_stars, recognise};

use crate::games;
use crate::terminal::{Args, UsageError, cannot_read, info, io, named};

/// A file of any game, and the options of the game's command.
#[derive(Debug, clap::Args)]
pub struct AnyArgs {
    /// Take the file for one of this game; found from its content by default
    #[arg(long = "as", value_name = "GAME", value_parser = games())]
    pub game: Option<Game>,

    /// A file of sudokus, the rules of a variant, a puzzle of f-puzzles or SudokuPad, a board of regions, exact covers, a board of queens, or placements of queens to check
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Options of the game's own command, such as `--json`
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub options: Vec<OsString>,
}

fn games() -> impl TypedValueParser<Value = Game> {
    named(Game::ALL.map(Game::name))
}

/// The words of the command that solves a file in a format, or counts its solutions.
fn command(verb: &str, game: Game, format: Option<&Format>) -> &'static [&'static str] {
    let is_solved = verb == "solve";
    match game {
        Game::Variant if is_solved => &["variant", "solve"],
        Game::Variant => &["variant", "count"],
        Game::Sudoku if is_solved => &["sudoku", "solve"],
        Game::Sudoku => &["sudoku", "count"],
        Game::Regions if is_solved => &["regions", "solve"],
        Game::Regions => &["regions", "count"],
        Game::Cover if is_solved => &["cover", "list", "--limit=1"],
        Game::Cover => &["cover", "count"],
        Game::Queens if !format.is_some_and(Format::has_boards_of_queens) => &["queens", "check"],
        Game::Queens if is_solved => &["queens", "one"],
        Game::Queens => &["queens", "count"],
    }
}

/// The command line `words` with the words of the game's command in place of `verb`, `solve` or `count`, and of `--as GAME`.
pub fn command_line(
    verb: &str,
    flags: &AnyArgs,
    words: impl Iterator<Item = OsString>,
    args: &Args,
) -> Result<Vec<OsString>> {
    let name = io::name(&flags.file);
    let Taken { game, format, other, note } = match flags.game {
        // Its files are of two kinds, with a command each.
        Some(Game::Queens) => taken(flags, &name)?,
        Some(game) => Taken { game, format: None, other: None, note: None },
        None if is_number_of_queens(flags) => bail!(UsageError(format!(
            "{name}: found no such file; of n queens it is `tallyboard queens {} {name}`",
            if verb == "solve" { "one" } else { "count" }
        ))),
        None => taken(flags, &name)?,
    };
    let command = command(verb, game, format);
    let hint = match other {
        None => "--as GAME takes it for another".to_owned(),
        Some(other) => format!("it reads as {}, too: --as {}", other.files(), other.game),
    };
    let files = format.map_or(game.files(), Format::files);
    let own = command.join(" ");
    info(args, format_args!("{name}: taken for {files}, as by `tallyboard {own}`; {hint}"));
    if let Some(note) = note {
        info(args, format_args!("{name}: {note}"));
    }
    let mut line: Vec<OsString> = words.collect();
    // The first word is how the program was called, which may be through a link of that name.
    let verbs = (1..line.len()).filter(|&place| line[place] == *verb);
    let place = verbs.min().expect("the verb was parsed");
    if let Some(at) = line.iter().position(|word| word == "--as") {
        line.drain(at..at + 2);
    }
    line.retain(|word| !word.as_encoded_bytes().starts_with(b"--as="));
    line.splice(place..=place, command.iter().map(OsString::from));
    Ok(line)
}

/// The game of the file at this path, by its content, for a verb that reads one puzzle.
pub fn game_of(verb: &str, file: &Path, args: &Args) -> Result<&'static dyn games::Game> {
    let name = io::name(file);
    let flags = AnyArgs { game: None, file: file.to_owned(), options: Vec::new() };
    let Taken { game, format, .. } = taken(&flags, &name)?;
    let files = format.map_or(game.files(), Format::files);
    let Some(found) = games::of_name(game.name()) else {
        bail!(UsageError(format!(
            "{name}: taken for {files}, of which there is nothing to {verb}"
        )));
    };
    info(args, format_args!("{name}: taken for {files}; --as GAME takes it for another"));
    Ok(found)
}

fn is_number_of_queens(flags: &AnyArgs) -> bool {
    let is_number = flags.file.to_str().is_some_and(|text| text.parse::<u32>().is_ok());
    is_number && !flags.file.exists()
}

/// What a file was taken for.
struct Taken {
    game: Game,
    format: Option<&'static Format>,
    other: Option<&'static Format>,
    note: Option<&'static str>,
}

fn taken(flags: &AnyArgs, name: &str) -> Result<Taken> {
    let head = io::look_ahead(&flags.file, HEAD_BYTES as u64 + 1)?;
    let document = Document::new(name, std::io::Cursor::new(head));
    let document = document.with_context(|| cannot_read(&flags.file))?;
    let recognised = recognise(&document, flags.game).map_err(UsageError::of)?;
    let format = recognised.format();
    let game = format.game;
    let has_stars =
        flags.options.iter().any(|option| option.as_encoded_bytes().starts_with(b"--stars"));
    let note = match game {
        Game::Regions if !has_stars => note_on_stars(&document.head()),
        _ => recognised.note(),
    };
    Ok(Taken { game, format: Some(format), other: recognised.other(), note })
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
