//! Text formats of covers. The first lines of a file tell its format.

mod cnf;
mod generators;
mod knuth;
mod numbered;
mod samurai;
mod tokens;
mod xmpuzzle;

use tallyboard_base::named::named;
use tallyboard_base::text::lines::{self, text_of, without_mark};

use crate::cover::{Cover, Kind, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, mistake, reasons};
use crate::picture::{self, Puzzle, begins_picture};
use crate::pips;
pub use generators::{read_symmetries, write_symmetries};

/// The formats of covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Knuth's: a line of items, then a line for each option. Secondary items follow a `|`; `low:high|item`
    /// bounds how often an item is covered; `item:colour` gives a colour; a line that begins with `|` is a
    /// comment. In a dialect `item[low:high]` has bounds, too, `item=weight` covers an item so many times at once, and behind the
    /// items `//` begins a comment.
    Knuth,
    /// `p ec ITEMS`, then a line for each option: `s` and the numbers of its items, from 1; `c` begins a comment. The reader
    /// also takes `p ec ITEMS OPTIONS`, and miniexact's `p xc` and `p xcc`.
    Ec,
    /// `ITEMS OPTIONS`, then a line for each option: how many items it has, and their numbers.
    Lists,
    /// A line of `0` and `1` for each option, a column for each item, perhaps with commas between them; perhaps below a line of
    /// dimensions, or of the names of columns.
    Matrix,
    /// Lists in brackets, as JSON and Python write them: the items of each option, or rows of 0 and 1.
    Brackets,
    /// miniexact's: `< a b:1;2 > [ x ]`, then options that end with `;`.
    Miniexact,
    /// Clauses in DIMACS with a model for each cover. It is written only.
    Cnf,
    /// A board and pieces, drawn: [`crate::picture`].
    Picture,
    /// Dominoes on a board whose regions have rules for their numbers, drawn.
    Pips,
    /// The same as JSON, as a newspaper publishes it: three boards.
    PipsJson,
    /// A puzzle of BurrTools made of cubes, as XML.
    Xmpuzzle,
    /// Five sudokus that share boxes, as 21 rows.
    Samurai,
}

named! {
    /// All formats.
    Format {
        Knuth = "dlx",
        Ec = "ec",
        Lists = "lists",
        Matrix = "matrix",
        Brackets = "json",
        Miniexact = "miniexact",
        Cnf = "cnf",
        Picture = "picture",
        Pips = "pips",
        PipsJson = "pips-json",
        Xmpuzzle = "xmpuzzle",
        Samurai = "samurai",
    }
}

impl Format {
    /// The formats that [`write()`] writes.
    pub const WRITTEN: [Self; 5] = [Self::Knuth, Self::Ec, Self::Matrix, Self::Brackets, Self::Cnf];

    /// The format of `text`, by its first lines that are no comments. It is Knuth's if no other format begins so.
    pub fn of(text: &str) -> Self {
        let Some((_, first)) = content(text).next() else { return Self::Knuth };
        let has_header = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            words.next() == Some("p") && matches!(words.next(), Some("ec" | "xc" | "xcc"))
        };
        if first.starts_with("dominoes:") || begins_picture(first) && pips::has_dominoes(text) {
            Self::Pips
        } else if begins_picture(first) {
            Self::Picture
        } else if first.starts_with('{') && pips::begins_json(text) {
            Self::PipsJson
        } else if xmpuzzle::begins_xmpuzzle(first) {
            Self::Xmpuzzle
        } else if first.starts_with('<') {
            Self::Miniexact
        } else if content(text)
            .find(|(_, line)| !is_c_comment(line))
            .is_some_and(|(_, line)| has_header(line))
        {
            Self::Ec
        } else if tokens::begins_lists(first) {
            Self::Brackets
        } else if samurai::is_samurai(text) {
            Self::Samurai
        } else if numbered::is_separated(first)
            || first.bytes().all(|b| b.is_ascii_digit() || matches!(b, b' ' | b'\t'))
        {
            numbered::recognise(text).unwrap_or(Self::Knuth)
        } else if numbered::has_names(text) {
            Self::Matrix
        } else {
            Self::Knuth
        }
    }
}

/// A mistake in a file.
#[derive(Debug, thiserror::Error)]
#[error("{file}, line {line}: {error}")]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The mistake.
    pub error: Mistake,
}

/// A problem as it was read.
#[derive(Debug, Clone)]
pub enum Input {
    /// A list of options.
    Cover(Cover),
    /// A drawing.
    Puzzle(Box<Puzzle>),
}

impl Input {
    /// The cover.
    pub fn cover(&self) -> &Cover {
        match self {
            Self::Cover(cover) => cover,
            Self::Puzzle(puzzle) => puzzle.cover(),
        }
    }

    /// Reasons for which there is no cover, as far as they are seen without a search: a phrase each, with its line in a drawn
    /// puzzle.
    pub fn remarks(&self) -> Vec<String> {
        match self {
            Self::Cover(cover) => reasons(cover),
            Self::Puzzle(puzzle) => puzzle.remarks.clone(),
        }
    }

    /// What is hardly meant, whether there are covers or not: a phrase each, with its line in a drawn puzzle.
    pub fn warnings(&self) -> Vec<String> {
        match self {
            Self::Cover(_) => Vec::new(),
            Self::Puzzle(puzzle) => puzzle.warnings.clone(),
        }
    }

    /// An option as text, in a drawn puzzle with the name of its piece.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn option_text(&self, option: u32) -> String {
        match self {
            Self::Cover(cover) => cover.option_text(option as usize),
            Self::Puzzle(puzzle) => puzzle.option_text(option as usize),
        }
    }
}

/// Reads the text of a file called `file`.
///
/// # Errors
/// [`ReadError`] names the file, the line, what was found and what was expected.
pub fn read(bytes: &[u8], file: &str) -> Result<Input, ReadError> {
    read_problem(bytes, file, None)
}

/// Reads one of the problems of a file, which has a number from 1. Files of BurrTools may have several, and those of Pips in JSON
/// have three.
///
/// # Errors
/// As [`read`], and if there is no such problem, or none is named and there are several.
pub fn read_problem(bytes: &[u8], file: &str, problem: Option<usize>) -> Result<Input, ReadError> {
    let in_file = |(line, error): LocatedMistake| ReadError { file: file.to_owned(), line, error };
    let text = text_of(bytes)
        .map_err(|line| in_file((line, mistake("bytes that are no UTF-8", "text in UTF-8"))))?;
    let format = Format::of(text);
    if !matches!(format, Format::Xmpuzzle | Format::PipsJson)
        && let Some(number @ (0 | 2..)) = problem
    {
        let found = format!("the problem {number} asked for");
        return Err(in_file((1, mistake(found, "1, as this file has one problem"))));
    }
    let input = match format {
        Format::Knuth => knuth::read(text)
            .or_else(|error| knuth::read_below_counts(text).unwrap_or(Err(error)))
            .map(Input::Cover)
            .map_err(|(line, error)| match error {
                Mistake::NoItems => (line, error),
                // Any other file may have been meant in another format, so the message names this one.
                error => (line, Mistake::Knuth(Box::new(error))),
            }),
        Format::Ec => numbered::read_ec(text).map(Input::Cover),
        Format::Lists => numbered::read_lists(text).map(Input::Cover),
        Format::Matrix => numbered::read_matrix(text).map(Input::Cover),
        Format::Brackets => tokens::read_lists(text).map(Input::Cover),
        Format::Miniexact => tokens::read_miniexact(text).map(Input::Cover),
        Format::Picture => picture::read(text).map(|puzzle| Input::Puzzle(Box::new(puzzle))),
        Format::Pips => pips::read(text).map(|puzzle| Input::Puzzle(Box::new(puzzle))),
        Format::PipsJson => {
            pips::read_json(text, problem).map(|puzzle| Input::Puzzle(Box::new(puzzle)))
        }
        Format::Samurai => samurai::read(text).map(Input::Cover),
        Format::Xmpuzzle => {
            xmpuzzle::read(text, problem).map(|puzzle| Input::Puzzle(Box::new(puzzle)))
        }
        Format::Cnf => unreachable!("no text is recognised as clauses"),
    };
    input.map_err(in_file)
}

/// The problems of a file, which [`read_problem`] reads by their numbers: the line, from 1, in which each begins, and its name, which may
/// be empty. In most formats there is the first alone, also if the file has a mistake.
pub fn problems(bytes: &[u8]) -> Vec<(usize, String)> {
    let text = text_of(bytes).unwrap_or_default();
    let problems = match Format::of(text) {
        Format::Xmpuzzle => xmpuzzle::places(text),
        Format::PipsJson => pips::places(text),
        _ => Vec::new(),
    };
    if problems.is_empty() { vec![(1, String::new())] } else { problems }
}

/// The number of covers that a comment at the beginning of the file states, as in `; count: 9356` or `| count: 9,356`.
pub fn known_count(bytes: &[u8]) -> Option<u128> {
    known_digits(bytes)?.parse().ok()
}

/// The number of covers that [`known_count`] finds, which may have any number of digits, modulo a number that is not 0.
pub fn known_remainder(bytes: &[u8], modulus: u64) -> Option<u64> {
    let mut remainder = 0;
    for digit in known_digits(bytes)?.chars() {
        let next = 10 * remainder + u128::from(digit.to_digit(10)?);
        remainder = next % u128::from(modulus);
    }
    u64::try_from(remainder).ok()
}

/// The digits of the count that a comment states.
fn known_digits(bytes: &[u8]) -> Option<String> {
    // The end of a head may cut a number: only whole lines count.
    let head = match bytes.get(..HEAD_BYTES) {
        Some(head) => &head[..memchr::memrchr(b'\n', head).map_or(0, |at| at + 1)],
        None => bytes,
    };
    let text = String::from_utf8_lossy(without_mark(head));
    // In Knuth's format a line that begins with `c` is an option.
    let has_c = Format::of(&text) == Format::Ec;
    let is_comment = |line: &str| line.starts_with(['|', ';']) || (has_c && is_c_comment(line));
    let lines = text.lines().map(str::trim);
    let mut comments = lines.take_while(|line| line.is_empty() || is_comment(line));
    let (_, count) = comments.find_map(|line| line.split_once("count:"))?;
    let word = count.split_ascii_whitespace().next()?;
    let digits = word.trim_end_matches([',', ';', '.']).replace(',', "");
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The part of a file in which [`known_count`] looks, in bytes.
pub const HEAD_BYTES: usize = 1 << 12;

/// The lines of a file that are neither blank nor comments, without blanks around them. A comment begins with `|` or `;`.
fn content(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    lines::content(text, &["|", ";"])
}

/// Whether a line is a comment where `c` begins one, as in DIMACS.
fn is_c_comment(line: &str) -> bool {
    line.strip_prefix('c').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Why a cover cannot be written in a format.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The cover has colours.
    #[error("the {0} format has no colours")]
    Colours(Format),
    /// The cover has bounds of items.
    #[error("the {0} format has no multiplicities")]
    Multiplicities(Format),
    /// The cover has weights.
    #[error("the {0} format has no weights; dlx has")]
    Weights(Format),
    /// The cover has secondary items.
    #[error("the {0} format has no secondary items")]
    Secondary(Format),
    /// A text of this format without options would be taken for something else.
    #[error("the {0} format has no problem without options; ec has")]
    NoOptions(Format),
    /// The format lists no items, so those of no option would be lost.
    #[error("the {0} format has no items that no option has")]
    UnusedItem(Format),
    /// The format is read only, such as those of drawings.
    #[error("the {0} format is read only")]
    ReadOnly(Format),
}

/// The text of `cover` in a format.
///
/// # Errors
/// [`WriteError`] if the format cannot express the cover.
pub fn write(cover: &Cover, format: Format) -> Result<String, WriteError> {
    if cover.is_empty() && matches!(format, Format::Knuth | Format::Matrix | Format::Brackets) {
        return Err(WriteError::NoOptions(format));
    }
    if cover.has_weights() && format != Format::Knuth && Format::WRITTEN.contains(&format) {
        return Err(WriteError::Weights(format));
    }
    match format {
        Format::Knuth => Ok(knuth::write(cover)),
        Format::Ec => ensure_plain(cover, format).map(|()| numbered::write_ec(cover)),
        Format::Matrix => ensure_plain(cover, format).map(|()| numbered::write_matrix(cover)),
        Format::Brackets => {
            ensure_plain(cover, format)?;
            let is_used = |item| cover.options().flatten().any(|entry| entry.item == item);
            if !(0..cover.items().len() as u32).all(is_used) {
                return Err(WriteError::UnusedItem(format));
            }
            Ok(tokens::write_lists(cover))
        }
        Format::Cnf if cover.has_multiplicities() => Err(WriteError::Multiplicities(format)),
        Format::Cnf => Ok(cnf::write(cover)),
        Format::Lists
        | Format::Miniexact
        | Format::Picture
        | Format::Pips
        | Format::PipsJson
        | Format::Xmpuzzle
        | Format::Samurai => Err(WriteError::ReadOnly(format)),
    }
}

/// Fails unless each item has to be covered exactly once.
fn ensure_plain(cover: &Cover, format: Format) -> Result<(), WriteError> {
    for item in cover.items() {
        match item.kind() {
            Kind::ONCE => {}
            Kind::Primary { .. } => return Err(WriteError::Multiplicities(format)),
            Kind::Secondary => return Err(WriteError::Secondary(format)),
        }
    }
    if cover.options().flatten().any(|entry| entry.colour != NO_COLOUR) {
        return Err(WriteError::Colours(format));
    }
    Ok(())
}
