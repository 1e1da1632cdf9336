//! What is wrong with a file of rules.

use crate::cell::CellError;
use crate::puzzle::GivenError;
use crate::rules::RuleError;
use crate::size::SizeError;

/// The names of rules and pictures, for messages.
pub(super) const NAMES: [&str; 21] = [
    "size",
    "regions",
    "diagonals",
    "diagonal",
    "windoku",
    "disjoint-groups",
    "house",
    "different",
    "anti-knight",
    "anti-king",
    "non-consecutive",
    "cage",
    "thermometer",
    "arrow",
    "kropki",
    "x",
    "v",
    "all-dots-given",
    "all-xv-given",
    "givens",
    "candidates",
];

/// A mistake in a file: its name, the line, what was found and what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {place}{error}")]
pub struct ReadError {
    /// The name of the file.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong.
    pub error: Mistake,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A part of an imported puzzle, by its name there.
    Part(String),
    /// The whole file.
    Whole,
}

/// With what separates it from the message.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Part(part) => write!(f, "'{part}': "),
            Self::Whole => Ok(()),
        }
    }
}

/// What is wrong.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// A rule that cannot be.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A given that cannot be.
    #[error(transparent)]
    Given(#[from] GivenError),
    /// A word that names no cell.
    #[error("{rule}: {error}")]
    Cell {
        /// The name of the rule.
        rule: String,
        /// The word.
        error: CellError,
    },
    /// A side that no grid has.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A size below a rule.
    #[error("found 'size' below other lines, expected it first")]
    LateSize,
    /// A word that is no rule.
    #[error("found '{0}', expected a rule: {names}", names = NAMES.join(", "))]
    Unknown(String),
    /// Something behind the name of a rule that it does not take.
    #[error("{rule}: found '{found}', expected {expected}")]
    Words {
        /// The name of the rule.
        rule: String,
        /// The words behind it.
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
    Again(&'static str),
    /// No text.
    #[error("found bytes that are no UTF-8, expected text in UTF-8")]
    NotUtf8,
    /// No JSON, or JSON of another form.
    #[error("found {found}, expected {expected}")]
    Json {
        /// What was found.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A rule of an imported puzzle that is not counted here.
    #[error(
        "found the rule '{0}', which this program does not know: without it, the count would be another"
    )]
    Foreign(String),
}
