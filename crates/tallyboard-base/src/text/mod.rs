//! What every reader of files shares: lines, signs of blank cells, values in brackets, and XML.
//!
//! * [`lines`]: the byte order mark, the ends of lines, comments
//! * [`areas`]: the areas of a grid by its borders
//! * [`is_blank`]: a sign for a cell without a value
//! * [`pzpr`]: puzzles of the editor of puzz.link
//! * [`value`]: JSON, lists of Python and of other languages, what scripts assign
//! * [`xml`]: the elements of a document
//!
//! None of them nests deeper than [`MOST_DEPTH`], and [`most_stated`] bounds what is made by a number that a file only
//! states.

pub mod areas;
pub mod lines;
pub mod pzpr;
pub mod value;
pub mod xml;

/// How deep brackets and elements may be nested. Deeper ones are in no puzzle, and would exhaust the stack.
pub const MOST_DEPTH: usize = 64;

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl Mistake {
    fn new(line: usize, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { line, found: found.into(), expected: expected.into() }
    }

    /// The mistake of something that is nested too deep.
    fn too_deep(line: usize, what: &str) -> Self {
        Self::new(line, format!("{what} nested deeper than {MOST_DEPTH}"), "fewer")
    }
}

/// Whether a sign stands for a cell without a value, in whatever format. A `0` does too, unless it is a value there.
#[inline]
pub const fn is_blank(sign: char) -> bool {
    matches!(sign, '.' | '_' | '-' | '*' | '?' | 'x' | 'X')
}

/// How many things of a kind a file may state that has this many bytes: as many as its bytes, and always a few.
pub const fn most_stated(bytes: usize) -> usize {
    const FEW: usize = 1 << 16;
    if bytes < FEW { FEW } else { bytes }
}
