//! The table, and the format of a document by it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use crate::document::Document;
use crate::error::ReadError;
use crate::format::{Answer, Format, Found, Game, Missing, Options, Probe, Read};
use crate::head::Head;
use crate::looks::looks_like;
use crate::notes::{note_on_boxes, note_on_clues};
use crate::{cover, queens, regions, sudoku, variants};

/// The formats of all games. Of two that are equally sure, the first is taken: rules of a variant may have a picture that alone would
/// be a sudoku, and text of many kinds is a cover in Knuth's format.
pub static FORMATS: [&[Format]; 6] =
    [&queens::BOARDS, &variants::ROWS, &sudoku::ROWS, &regions::ROWS, &cover::ROWS, &queens::ROWS];

/// What a document was taken for.
#[derive(Debug)]
pub struct Recognised {
    format: &'static Format,
    other: Option<&'static Format>,
    note: Option<&'static str>,
    read: Option<Read>,
}

impl Recognised {
    /// Its format.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// A format of another game that is as sure. Placements of queens are not told, as rows of many grids are some.
    pub fn other(&self) -> Option<&'static Format> {
        self.other
    }

    /// What may be meant otherwise, in a sentence.
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// Reads `document`, which was recognised as this. What was read before is not read again.
    ///
    /// # Errors
    /// [`ReadError`] tells what is wrong in the document.
    pub fn read(self, document: Document, options: &Options) -> Result<Found, ReadError> {
        let read = self.format.read.expect("what is only written is never recognised");
        read(document, self.read, options)
    }
}

/// A document in none of the formats, or in none of the game that was asked for.
#[derive(Debug)]
pub struct Unrecognised {
    name: String,
    /// What the document looks like, and what to do with it.
    pub looks_like: Option<Cow<'static, str>>,
    /// The two nearest formats, of two games, and what the document lacks for them.
    pub nearest: Vec<(&'static Format, Missing)>,
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        write!(
            f,
            "{name}: found none of the formats that tallyboard knows; docs/formats.md leads to an example of each"
        )?;
        if let Some(other) = &self.looks_like {
            write!(f, "\n  it looks like {other}")?;
        }
        for (format, missing) in &self.nearest {
            let why = beginning(&missing.what);
            write!(f, "\n  --as {} ({}): {why}", format.game, format.name)?;
        }
        Ok(())
    }
}

impl std::error::Error for Unrecognised {}

/// The beginning of a message, in one line.
fn beginning(message: &str) -> String {
    /// What fits into a line beside the name of a format.
    const MOST_CHARACTERS: usize = 100;
    let line: String = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The format of `document`: all rows are asked, or those of one game, and the surest wins. A game that was asked for takes a document
/// of which none of its rows is sure as the nearest of its formats, whose reader tells what is wrong.
///
/// # Errors
/// [`Unrecognised`] if no row takes it.
pub fn recognise(document: &Document, game: Option<Game>) -> Result<Recognised, Unrecognised> {
    let head = document.head();
    let rows = FORMATS.iter().copied().flatten();
    let mut taken: Option<(&Format, Sureness, Option<Read>)> = None;
    let mut other = None;
    let mut refused = Vec::new();
    for format in rows.filter(|format| game.is_none_or(|game| format.game == game)) {
        let Answer { probe, read } = (format.probe)(&head);
        let sureness = match probe {
            Probe::No(missing) => {
                refused.push((format, missing));
                continue;
            }
            Probe::Maybe(_) => Sureness::Maybe,
            Probe::Sure => Sureness::Sure,
        };
        match &taken {
            Some((first, best, _)) if *best >= sureness => {
                if *best == sureness && first.game != format.game && format.game != Game::Queens {
                    other = other.or(Some(format));
                }
            }
            _ => (taken, other) = (Some((format, sureness, read)), None),
        }
    }
    if let Some((format, _, read)) = taken {
        return Ok(Recognised { format, other, note: note(format.game, &head), read });
    }
    for (format, missing) in &mut refused {
        if let Some(Probe::No(more)) = format.lacks.map(|lacks| lacks(&head).probe) {
            *missing = more;
        }
    }
    refused.sort_by_key(|(_, missing)| Reverse(missing.lines));
    let is_read = |(format, _): &&(&'static Format, Missing)| format.read.is_some();
    match refused.iter().find(is_read).filter(|_| game.is_some()) {
        Some(&(format, _)) => Ok(Recognised { format, other: None, note: None, read: None }),
        None => Err(Unrecognised {
            name: document.name().to_owned(),
            looks_like: looks_like(head.bytes()),
            nearest: nearest(refused),
        }),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sureness {
    Maybe,
    Sure,
}

/// The first two formats that are of different games.
fn nearest(refused: Vec<(&'static Format, Missing)>) -> Vec<(&'static Format, Missing)> {
    let mut nearest: Vec<(&Format, Missing)> = Vec::new();
    for (format, missing) in refused {
        if nearest.len() < 2 && nearest.iter().all(|(other, _)| other.game != format.game) {
            nearest.push((format, missing));
        }
    }
    nearest
}

fn note(game: Game, head: &Head<'_>) -> Option<&'static str> {
    match game {
        Game::Sudoku => note_on_boxes(head),
        Game::Variant => note_on_clues(head),
        _ => None,
    }
}
