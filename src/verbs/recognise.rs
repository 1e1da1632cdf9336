//! Which game a file is of.

use std::path::Path;

use anyhow::{Context, Result, bail};
use tallyboard_doors::{Document, Format, Game, HEAD_BYTES, note_on_stars, recognise};

use crate::games;
use crate::terminal::{Args, UsageError, cannot_read, info, io, shell};

/// The game of the file at this path, by its content, for a verb that reads one puzzle.
pub fn game_of(verb: &str, file: &Path, args: &Args) -> Result<&'static dyn games::Game> {
    let name = io::name(file);
    let Taken { game, format, .. } = taken(file, None, true)?;
    let files = format.map_or(game.files(), Format::files);
    let Some(found) = games::of_name(game.name()) else {
        let is_board = format.is_some_and(Format::has_boards_of_queens);
        let what_to_do = match verb {
            "list" | "tally" | "verify" if is_board => {
                format!(": `tallyboard queens {verb} {}` takes it", shell(file))
            }
            _ => format!(", of which there is nothing to {verb}"),
        };
        bail!(UsageError(format!("{name}: taken for {files}{what_to_do}")));
    };
    info(args, format_args!("{name}: taken for {files}; --as GAME takes it for another"));
    Ok(found)
}

/// What a file was taken for.
pub struct Taken {
    pub game: Game,
    pub format: Option<&'static Format>,
    pub other: Option<&'static Format>,
    pub note: Option<&'static str>,
}

/// Takes the file at `path` for one of `game`, or of the game that its first bytes look most like. `has_stars` tells that the number
/// of stars is given, and needs no note.
pub fn taken(path: &Path, game: Option<Game>, has_stars: bool) -> Result<Taken> {
    let head = io::look_ahead(path, HEAD_BYTES as u64 + 1)?;
    let document = Document::new(io::name(path), std::io::Cursor::new(head));
    let document = document.with_context(|| cannot_read(path))?;
    let recognised = recognise(&document, game).map_err(UsageError::of)?;
    let format = recognised.format();
    let game = format.game;
    let note = match game {
        Game::Regions if !has_stars => note_on_stars(&document.head()),
        _ => recognised.note(),
    };
    Ok(Taken { game, format: Some(format), other: recognised.other(), note })
}
