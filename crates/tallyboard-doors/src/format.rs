//! A format: a row of the table, what it says of a file, and what it reads.

use std::borrow::Cow;
use std::fmt;

use tallyboard_base::named::named;
use tallyboard_cover::format as cover;
use tallyboard_queens::text::{Boards, Notation};
use tallyboard_regions::format::Records;
use tallyboard_sudoku::format as sudoku;
use tallyboard_variants::Located;

use crate::document::{Document, Input};
use crate::error::ReadError;
use crate::head::Head;

/// A game whose files are recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Sudokus by any rules.
    Variant,
    /// Sudokus.
    Sudoku,
    /// Queens in coloured regions, and Star Battle.
    Regions,
    /// Exact covers.
    Cover,
    /// Placements of queens.
    Queens,
}

named! {
    /// All games, in the order in which a tie is decided.
    Game {
        Variant = "variant",
        Sudoku = "sudoku",
        Regions = "regions",
        Cover = "cover",
        Queens = "queens",
    }
}

impl Game {
    /// What a file of this game holds, for people.
    pub const fn files(self) -> &'static str {
        match self {
            Self::Variant => "a sudoku with rules of its own",
            Self::Sudoku => "sudokus",
            Self::Regions => "boards of coloured regions",
            Self::Cover => "exact covers",
            Self::Queens => "placements of queens, which can be checked",
        }
    }
}

/// Turns a document of a format into what stands in it. What the probe has read is handed on.
pub type ReadDocument = fn(Document, Option<Read>, &Options) -> Result<Found, ReadError>;

/// A format of files: a row of the table.
#[derive(Debug)]
pub struct Format {
    /// Its name, which no other format of the game has.
    pub name: &'static str,
    /// The game of its puzzles.
    pub game: Game,
    /// How names of such files end, without the dot: what is usual, not what is asked for.
    pub endings: &'static [&'static str],
    /// What it is and who writes so, in a line.
    pub about: &'static str,
    /// Says whether a file is in this format, by its beginning.
    pub probe: fn(&Head<'_>) -> Answer,
    /// Says what a file lacks where no format takes it, if that is dearer to find than that it is in another format.
    pub lacks: Option<fn(&Head<'_>) -> Answer>,
    /// Reads a document, of which the probe may have read what it hands on; `None` of a format that is only written.
    pub read: Option<ReadDocument>,
    /// How puzzles are written in it; `None` of a format that is only read.
    pub write: Option<Writer>,
    /// Texts in this format, each with what is particular about it. The first is the plainest.
    pub examples: fn() -> Vec<Example>,
}

/// The name of the format of boards of queens to fill, in which no solution is.
pub(crate) const BOARDS_OF_QUEENS: &str = "squares";

impl Format {
    /// Whether its files are boards of queens to fill, not placements to check.
    pub fn has_boards_of_queens(&self) -> bool {
        self.game == Game::Queens && self.name == BOARDS_OF_QUEENS
    }

    /// What a file of this format holds, for people.
    pub fn files(&self) -> &'static str {
        match self.has_boards_of_queens() {
            true => "boards of queens with closed or taken squares",
            false => self.game.files(),
        }
    }
}

/// What a format says of the beginning of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The file is not in this format.
    No(Missing),
    /// It may be: what speaks for it.
    Maybe(&'static str),
    /// It is in this format or broken.
    Sure,
}

/// What a file lacks to be in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What was found or expected.
    pub what: Cow<'static, str>,
    /// How many lines were as the format wants them: the more, the nearer is the file to the format. `None` if a look showed that it
    /// is in another one.
    pub lines: Option<usize>,
}

/// The answer of a format: what it says, and what it had to read for that.
#[derive(Debug)]
pub struct Answer {
    /// What it says.
    pub probe: Probe,
    /// What was read of the document.
    pub read: Option<Read>,
}

impl From<Probe> for Answer {
    fn from(probe: Probe) -> Self {
        Self { probe, read: None }
    }
}

impl Answer {
    /// The file is in another format; nothing of it was as this one wants it.
    pub fn no(what: &'static str) -> Self {
        Probe::No(Missing { what: Cow::Borrowed(what), lines: None }).into()
    }

    /// What a reader says of the text of a file without a name: the lines before that of its mistake are as the format wants them.
    pub fn refused(mistake: &str) -> Self {
        Self::behind(lines_before(mistake), mistake.trim_start_matches([':', ',', ' ']))
    }

    /// So many lines are as the format wants them, and then something is wrong.
    pub fn behind(lines: usize, what: impl Into<String>) -> Self {
        Probe::No(Missing { what: Cow::Owned(what.into()), lines: Some(lines) }).into()
    }
}

/// The lines before the one that a message names.
fn lines_before(message: &str) -> usize {
    let number = message.split("line ").nth(1).unwrap_or_default();
    let digits = number.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse::<usize>().map_or(0, |line| line.saturating_sub(1))
}

/// A text in a format.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// What is particular about it.
    pub what: &'static str,
    /// Who writes so.
    pub writers: &'static str,
    /// The text.
    pub text: &'static str,
}

/// How puzzles are written in a format.
#[derive(Debug, Clone, Copy)]
pub enum Writer {
    /// Rows of sudokus, by the writer of their streams.
    Sudokus(sudoku::Format),
    /// The text of a variant.
    Variant(fn(&tallyboard_variants::Puzzle) -> String),
    /// A line for a board.
    Board(fn(&tallyboard_regions::Board) -> String),
    /// The text of a cover, by this format.
    Cover(cover::Format),
    /// A placement of queens in this notation.
    Placement(Notation),
}

/// What the caller wants of a document beyond its text.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The form of sudokus; found from the beginning by default.
    pub sudoku: Option<sudoku::FormOptions>,
    /// The number of stars in each row of a board; by default what the file says, or 1.
    pub stars: Option<usize>,
    /// The marks of closed squares on boards of queens; by default `*`, `#`, `x` and `X`.
    pub closed: Option<String>,
    /// The number of a problem of covers, from 1, where a file may have several.
    pub problem: Option<usize>,
}

/// What a probe had to read, so that it is not read again.
#[derive(Debug)]
pub enum Read {
    /// The form of sudokus, if the caller wants none.
    Sudokus(Box<sudoku::Form>),
    /// All puzzles.
    Variants(Vec<Located>),
    /// The only problem.
    Cover(Box<cover::Input>),
}

/// What a document holds.
pub enum Found {
    /// Sudokus, in this form. They are left unread, to be solved as a stream.
    Sudokus(Box<sudoku::Form>, Document),
    /// All puzzles of a file of variants.
    Variants(Vec<Located>),
    /// Boards, which are read as they are asked for.
    Regions(Records<Input>),
    /// A cover, or the puzzle that is one.
    Cover(Box<cover::Input>),
    /// Boards of queens to fill.
    QueensBoards(Box<Boards>),
    /// Placements of queens, which are read as they are asked for.
    Placements(Input),
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sudokus(..) => "Sudokus",
            Self::Variants(_) => "Variants",
            Self::Regions(_) => "Regions",
            Self::Cover(_) => "Cover",
            Self::QueensBoards(_) => "QueensBoards",
            Self::Placements(_) => "Placements",
        })
    }
}
