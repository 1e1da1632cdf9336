//! Mistakes in a puzzle, its rules, or a file: what was found, and what was expected.

use std::fmt;
use std::str::FromStr;

use tallyboard_base::figures::plural_s;
use tallyboard_base::named::is_near;
use tallyboard_search::Stopped;

use crate::Cell;
use crate::global::WholeGrid;

/// The words with which a line of the text form may begin, besides the names of [`WholeGrid`] rules.
const LINE_NAMES: &str = "size values regions rows-and-columns diagonals diagonal house different same \
                          cage sum product difference quotient thermometer \
                          slow-thermometer arrow double-arrow matches automaton whispers palindrome renban between lockout region-sums sum-line \
                          zipper lunchbox modular entropic parity nabner greater little-killer sandwich skyscraper x-sum numbered-room full-rank \
                          odd even minimum maximum quadruple circles row-indexer column-indexer box-indexer kropki x v \
                          givens candidates";

/// All words with which a line of the text form may begin.
fn line_names() -> impl Iterator<Item = &'static str> {
    let global =
        WholeGrid::ALL.into_iter().filter(|rule| rule.is_of_one_word()).map(WholeGrid::name);
    LINE_NAMES.split_ascii_whitespace().chain(global)
}

/// Whether a line of the text form may begin with this word.
pub(crate) fn is_line_name(word: &str) -> bool {
    // Most words are cells of grids.
    word.starts_with(|c: char| c.is_ascii_lowercase()) && line_names().any(|name| name == word)
}

/// The rule that a misspelt name most likely stands for, or else the three nearest.
fn rule_meant(name: &str) -> String {
    // So many letters wrong make any word of another.
    const MOST_MISTAKES: usize = 20;
    for mistakes in 1..=2 {
        // In a short name, so many mistakes make another word.
        let is_meant = |rule: &&str| rule.len() > 3 * mistakes && is_near(name, rule, mistakes);
        if let Some(rule) = line_names().find(is_meant) {
            return format!("did you mean {rule}?");
        }
    }
    let mut names: Vec<&str> = match name.chars().all(char::is_alphabetic) {
        true => line_names().filter(|rule| rule.len() > 1).collect(),
        false => vec!["givens", "cage", "thermometer"],
    };
    let beginning: String = name.chars().take(4).collect();
    // Names with the word in them first, then those that begin like it.
    names.sort_by_cached_key(|rule| {
        let mistakes = (0..MOST_MISTAKES).find(|&mistakes| is_near(name, rule, mistakes));
        (!rule.contains(name), !rule.starts_with(&beginning), mistakes.unwrap_or(MOST_MISTAKES))
    });
    let all = line_names().count();
    format!("{}, {} or {}; docs/variant_rules.md shows all {all}", names[0], names[1], names[2])
}

/// What is wrong with a puzzle, its rules, or a file of them.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A mistake in a file.
    #[error("{file}: {place}{error}")]
    File {
        /// The name of the file.
        file: String,
        /// Where in the file.
        place: Place,
        /// What is wrong.
        error: Box<Self>,
    },
    /// A side that no grid has.
    #[error("found the size {0}, expected 3 to 16")]
    Size(usize),
    /// Values for which there are no characters.
    #[error("values: found the first value {found}, expected at most {most} in this size")]
    Values {
        /// The first value.
        found: u8,
        /// The greatest one that it may be.
        most: u8,
    },
    /// A rule that counts cells by values, in a grid whose values begin with another one than 1.
    #[error(
        "{0}: found values that do not begin with 1, expected values by which this rule can count cells from 1"
    )]
    CountsCells(&'static str),
    /// A size without boxes, and nothing in their place.
    #[error(
        "found the size {0}, which has no boxes, expected a picture of its regions below 'regions', or 'regions none'"
    )]
    NoBoxes(usize),
    /// A number that a line cannot have.
    #[error("{rule}: found the number {found}, expected {least} at least")]
    LineNumber {
        /// The name of the rule.
        rule: &'static str,
        /// The number.
        found: u32,
        /// The least that it may be.
        least: u32,
    },
    /// A text that names no cell.
    #[error("found '{0}', expected a cell such as r3c5")]
    Cell(String),
    /// A text that names no cell, in a rule.
    #[error("{rule}: found '{found}', expected a cell such as r3c5")]
    CellOfRule {
        /// The name of the rule.
        rule: String,
        /// The text.
        found: String,
    },
    /// A cell in a rule that the grid does not have.
    #[error("{rule}: found {cell}, expected a cell from r1c1 to r{side}c{side}")]
    Outside {
        /// The name of the rule.
        rule: &'static str,
        /// The cell.
        cell: Cell,
        /// The side of the grid.
        side: usize,
    },
    /// A cell that one rule names twice.
    #[error("{rule}: found {cell} twice, expected each cell once")]
    Twice {
        /// The name of the rule.
        rule: &'static str,
        /// The cell.
        cell: Cell,
    },
    /// Too few or too many cells.
    #[error("{rule}: found {found} cell{s}, expected {expected}", s = plural_s(*found), expected = span(*least, *most))]
    Cells {
        /// The name of the rule.
        rule: &'static str,
        /// The cells found.
        found: usize,
        /// The fewest that it may have.
        least: usize,
        /// The most that it may have.
        most: usize,
    },
    /// A sum that different values in the cells of a cage cannot have.
    #[error("cage: found the sum {found} at {cell}, expected {least} to {most} for its cells")]
    Sum {
        /// The sum.
        found: u32,
        /// The first cell of the cage.
        cell: Cell,
        /// The least sum of as many different values.
        least: u32,
        /// The greatest.
        most: u32,
    },
    /// A region with too few or too many cells.
    #[error("regions: found {found} cell{s} in region {region}, that of {cell}, expected {expected}", s = plural_s(*found))]
    RegionSize {
        /// The name of the region: a letter, or the word that a picture has for it.
        region: String,
        /// Its first cell, or the first of the grid if it has none.
        cell: Cell,
        /// The cells found.
        found: usize,
        /// The side of the grid.
        expected: usize,
    },
    /// A picture of regions with too few or too many cells.
    #[error("regions: found a picture of {found} cells, expected {expected}")]
    RegionCells {
        /// The cells found.
        found: usize,
        /// The cells of the grid.
        expected: usize,
    },
    /// Cells of a line or a mark that lie apart.
    #[error(
        "{rule}: found {first} and {second} one after the other, expected cells that {expected}"
    )]
    Apart {
        /// The name of the rule.
        rule: &'static str,
        /// A cell.
        first: Cell,
        /// The cell after it.
        second: Cell,
        /// `touch`, or `share a side`.
        expected: &'static str,
    },
    /// A rule for another size.
    #[error("windoku: found the size {0}, expected 4, 9 or 16, which have square boxes")]
    Windoku(usize),
    /// A rule of the whole grid that is stated a second time.
    #[error("{0}: found this rule twice, expected it once")]
    RuleTwice(&'static str),
    /// A cell that the grid does not have.
    #[error("found {cell}, expected a cell from r1c1 to r{side}c{side}")]
    NoCell {
        /// The cell.
        cell: Cell,
        /// The side of the grid.
        side: usize,
    },
    /// A value that the grid does not have.
    #[error("found the value {found} at {cell}, expected {least} to {most}")]
    Value {
        /// The value.
        found: u32,
        /// Its cell.
        cell: Cell,
        /// The least value.
        least: usize,
        /// The greatest value.
        most: usize,
    },
    /// No candidate is left in a cell.
    #[error("found no value left for {0}, expected at least one among its givens and candidates")]
    Nothing(Cell),
    /// A character that stands for no value.
    #[error(
        "found {found:?} at {cell}, expected {expected} or a blank (. _ * - ? x, and 0 where no cell has that value)"
    )]
    Character {
        /// The character.
        found: char,
        /// The cell that it is for.
        cell: Cell,
        /// The values.
        expected: String,
    },
    /// A word of several characters that is no number of a value.
    #[error(
        "found {found:?} at {cell}, expected {expected} or a blank (. _ * - ? x, and 0 where no cell has that value)"
    )]
    Word {
        /// The word.
        found: String,
        /// The cell that it is for.
        cell: Cell,
        /// The values.
        expected: String,
    },
    /// A line with too few or too many characters.
    #[error("found {found} characters, expected {cells} cells, or {marks} pencil marks")]
    Length {
        /// The characters found.
        found: usize,
        /// The cells of the grid.
        cells: usize,
        /// The cells times the number of values.
        marks: usize,
    },
    /// A size, or values, that other lines come before.
    #[error(
        "found 'size' or 'values' below other lines, expected the size first, and values behind it"
    )]
    LateSize,
    /// A word that is no rule.
    #[error("found '{0}', expected a rule: {rules}", rules = rule_meant(.0))]
    UnknownRule(String),
    /// Words after the name of a rule that the rule does not take.
    #[error("{rule}: found '{found}', expected {expected}")]
    Words {
        /// The name of the rule.
        rule: String,
        /// The words after it.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A picture with too few or too many rows.
    #[error("{rule}: found {found} rows in its picture, expected {expected}")]
    Rows {
        /// The name of the rule.
        rule: &'static str,
        /// The rows found.
        found: usize,
        /// The side of the grid.
        expected: usize,
    },
    /// A row of a picture with too few or too many cells.
    #[error("{rule}: found {found} in this row, expected {expected}")]
    Columns {
        /// The name of the rule.
        rule: &'static str,
        /// The cells found.
        found: String,
        /// The side of the grid.
        expected: usize,
    },
    /// A second picture of the same kind.
    #[error("found a second picture of {0}, expected one")]
    PictureTwice(&'static str),
    /// A file whose lines are all empty or comments.
    #[error("found an empty file, expected rules or givens, at least `size 9`")]
    Empty,
    /// Bytes that are not UTF-8.
    #[error("found bytes that are no UTF-8, expected text in UTF-8")]
    NotUtf8,
    /// A text that is not JSON, or JSON of another form.
    #[error("found {found}, expected {expected}")]
    Json {
        /// What was found.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A rule of an imported puzzle that this crate does not know.
    #[error(
        "found the rule '{0}', which this program does not know: without it, the count would be another"
    )]
    Foreign(String),
    /// What is drawn in an imported puzzle beside its rules.
    #[error(
        "found what is only drawn ({}), which may stand for a rule; expected that it does not (--ignore-drawings leaves it \
         out), or the rule in words of the text form", .0.join(", ")
    )]
    Drawings(Vec<String>),
    /// A link that names a puzzle and does not hold it.
    #[error(
        "found a link that holds no puzzle but only its name, expected a link that holds it: open it in a browser and export \
         the puzzle, as JSON or as a link"
    )]
    ShortLink,
    /// Several puzzles where one is wanted.
    #[error(
        "found a second puzzle, of {0}, expected one: --puzzle takes one of them by its number"
    )]
    Several(usize),
    /// Rules that no grid satisfies.
    #[error("found rules that no grid satisfies, expected rules that leave many")]
    NoGrid,
    /// Rules for which no grid could be found.
    #[error(
        "found no grid that these rules allow in {steps} steps, expected rules that leave many"
    )]
    GridNotFound {
        /// The steps after which the search was given up.
        steps: u64,
    },
    /// The stop flag was raised.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A place in a file.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A part of an imported puzzle, by its name there.
    Part(String),
    /// The whole file.
    Whole,
}

impl Place {
    /// The place of a puzzle that begins in this line.
    pub(crate) fn of(line: usize) -> Self {
        if line == 1 { Self::Whole } else { Self::Line(line) }
    }

    /// The place in a file of what is here in a puzzle that begins in this line.
    pub(crate) fn below(self, line: usize) -> Self {
        match self {
            Self::Line(place) => Self::Line(place + line - 1),
            place if line == 1 => place,
            _ => Self::Line(line),
        }
    }
}

/// The place and what separates it from the message.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Part(part) => write!(f, "'{part}': "),
            Self::Whole => Ok(()),
        }
    }
}

/// `2 to 9`, or one number.
fn span(least: usize, most: usize) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

impl FromStr for Cell {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text).ok_or_else(|| Error::Cell(text.to_owned()))
    }
}
