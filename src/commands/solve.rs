//! `tallyboard solve FILE` and `tallyboard count FILE`: recognise the game that a file is of, say so, and do what that
//! game's own command does.

use std::ffi::OsString;
use std::io::{Cursor, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::builder::TypedValueParser;
use clap::{Args as _, FromArgMatches};
use tallyboard_doors::{Format, Game, HEAD_BYTES};
use tallyboard_regions::format::Records;

use crate::commands::help::parse;
use crate::games::regions::boards;
use crate::terminal::process::prepare;
use crate::terminal::{Args, ExitStatus, UsageError, info, io, named};
use crate::verbs::recognise::{Taken, taken};
use crate::verbs::tree::{Call, Entry};

/// A file of any game, and the options of the game's command.
#[derive(Debug, clap::Args)]
pub struct AnyArgs {
    /// Take the file for one of this game; found from its content by default
    #[arg(long = "as", value_name = "GAME", value_parser = games())]
    pub game: Option<Game>,

    /// A file of sudokus, the rules of a variant, a puzzle of f-puzzles or SudokuPad, a board of regions, exact covers, a board of queens, or placements of queens to check; or a puzzle, a link or a game id itself
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Options of the game's own command, whose `--help` lists them. `count` is the game's `count`; `solve` is `solve` of a sudoku, a variant or regions, `cover list --limit 1`, or `queens one`; placements go to `queens check`
    #[arg(value_name = "GAME OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub options: Vec<OsString>,
}

fn games() -> impl TypedValueParser<Value = Game> {
    named(Game::ALL.map(Game::name))
}

/// The words of the command that solves a file in a format, or counts its solutions: the game, its command, and an option.
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

/// Does what the command of the file's game does: `verb` is `solve` or `count`.
pub fn run(verb: &str, flags: &AnyArgs, call: &Call) -> Result<ExitStatus> {
    let mut options = flags.options.clone();
    let named = flags.game.or(take_game(&mut options)?);
    let is_quiet = options.iter().any(|option| option == "-q" || option == "--quiet");
    let args = &Args { quiet: call.args.quiet || is_quiet, ..*call.args };
    let name = io::name(&flags.file);
    let has_stars = options.iter().any(|option| option.as_encoded_bytes().starts_with(b"--stars"));
    let taken = || taken(&flags.file, named, has_stars);
    let Taken { game, format, other, note } = match named {
        // Its files are of two kinds, with a command each.
        Some(Game::Queens) => taken()?,
        Some(game) => Taken { game, format: None, other: None, note: None },
        None if is_number_of_queens(flags) => bail!(UsageError(format!(
            "{name}: found no such file; of n queens it is `tallyboard queens {} {name}`",
            if verb == "solve" { "one" } else { "count" }
        ))),
        None => taken()?,
    };
    let own = match verb {
        "solve" if shows_board(game, &flags.file, &options)? => &["regions", "draw", "--solution"],
        _ => command(verb, game, format),
    };
    let typed = format!("tallyboard {}", own.join(" "));
    let hint = match other {
        None => "--as GAME takes it for another".to_owned(),
        Some(other) => format!("it reads as {}, too: --as {}", other.files(), other.game),
    };
    let files = format.map_or(game.files(), Format::files);
    info(args, format_args!("{name}: taken for {files}, as by `{typed}`; {hint}"));
    if let Some(note) = note {
        info(args, format_args!("{name}: {note}"));
    }
    let before = own[2..].iter().map(OsString::from).chain([flags.file.clone().into()]);
    let options: Vec<OsString> = before.chain(options).collect();
    call_command(own, &options, call)
}

/// Whether a file is one board of regions, which a person at a terminal looks at rather than reads as a row.
fn shows_board(game: Game, file: &Path, options: &[OsString]) -> Result<bool> {
    let has_own_options = options.iter().any(|option| {
        let option = option.to_string_lossy();
        option.starts_with('-')
            && !["-q", "--quiet"].contains(&&*option)
            && !option.starts_with("--stars")
    });
    if game != Game::Regions || has_own_options || !std::io::stdout().is_terminal() {
        return Ok(false);
    }
    let head = io::look_ahead(file, HEAD_BYTES as u64 + 1)?;
    let is_whole = head.len() <= HEAD_BYTES;
    let mut boards = Records::new(boards(Cursor::new(head))?, None);
    Ok(is_whole && matches!((boards.next(), boards.next()), (Some(Ok(_)), None)))
}

/// Takes `--as GAME` out of options of the game's own command, where clap leaves it if it stands behind one of these.
fn take_game(options: &mut Vec<OsString>) -> Result<Option<Game>> {
    let is_named = |option: &OsString| option.as_encoded_bytes().starts_with(b"--as=");
    let Some(at) = options.iter().position(|option| option == "--as" || is_named(option)) else {
        return Ok(None);
    };
    let option = options.remove(at);
    let name = match option.to_string_lossy().strip_prefix("--as=") {
        Some(name) => name.to_owned(),
        None if at < options.len() => options.remove(at).to_string_lossy().into_owned(),
        None => bail!(UsageError::of("--as: expected the name of a game behind it")),
    };
    Ok(Some(name.parse().map_err(UsageError::of)?))
}

/// Calls the command of these names, a game's and its own, with `options`. Those of every command may be among them.
fn call_command(names: &[&str], options: &[OsString], call: &Call) -> Result<ExitStatus> {
    let root = call.root;
    let level = root.find(names[0]).and_then(Entry::level).expect("a game is a group of commands");
    let entry = level.find(names[1]).expect("a command of the game");
    let definition = Args::augment_args(entry.command(level.game, None));
    let words = [OsString::from(names[1])].into_iter().chain(options.iter().cloned());
    match definition.try_get_matches_from(words) {
        Ok(matches) => {
            let args = call.args.with(&matches);
            prepare(&args)?;
            entry.run(&matches, Call { args: &args, game: level.game, root })
        }
        // Help and mistakes are told as if the game's command had been typed.
        Err(_) => {
            let before = ["tallyboard", names[0], names[1]].map(OsString::from);
            let words: Vec<OsString> = before.into_iter().chain(options.iter().cloned()).collect();
            let matches = parse(root, &words)?;
            let args = Args::from_arg_matches(&matches)?;
            root.run(&matches, Call { args: &args, game: None, root })
        }
    }
}

fn is_number_of_queens(flags: &AnyArgs) -> bool {
    let is_number = flags.file.to_str().is_some_and(|text| text.parse::<u32>().is_ok());
    is_number && !flags.file.exists()
}
