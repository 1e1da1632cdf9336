//! Symmetries that comment lines of a file in Knuth's format name: `| symmetry: (a b c)(d e)`.

use base::named::is_near;

use super::{ReadError, lines};
use crate::cover::Cover;
use crate::line_error::LineError;
use crate::symmetry::Symmetry;

/// What a line that names a symmetry says after the bar.
const KEY: &str = "symmetry";

/// Mistakes with which a word is taken for that key.
const MOST_MISTAKES: usize = 2;

/// The symmetries of `cover` that the comments of its `file` name, each checked. There are none in other formats than
/// Knuth's.
///
/// # Errors
/// [`ReadError::Line`] if a line names no symmetry of the cover.
pub fn read_symmetries(
    bytes: &[u8],
    file: &str,
    cover: &Cover,
) -> Result<Vec<Symmetry>, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut symmetries = Vec::new();
    for (line, text) in lines(&text) {
        let comment = text.trim_ascii().strip_prefix('|').map(str::trim_ascii);
        let Some((key, cycles)) = comment.and_then(|comment| comment.split_once(':')) else {
            continue;
        };
        let at = |error| ReadError::Line { file: file.to_owned(), line, error };
        let key = key.trim_ascii().to_ascii_lowercase();
        if key != KEY {
            let names_cycles = cycles.trim_ascii_start().starts_with('(');
            let is_meant = key == "symmetries" || is_near(&key, KEY, MOST_MISTAKES);
            if names_cycles && is_meant && !key.contains(KEY) {
                return Err(at(LineError::Key { found: key, expected: KEY }));
            }
            continue;
        }
        let cycles = read_cycles(cycles).map_err(at)?;
        let symmetry = Symmetry::from_cycles(cover, &cycles);
        symmetries.push(symmetry.map_err(|error| at(error.into()))?);
    }
    Ok(symmetries)
}

/// The items of each cycle of a line as `(a b c)(d e)`.
fn read_cycles(text: &str) -> Result<Vec<Vec<&str>>, LineError> {
    let wrong = |found: &str| LineError::Cycle(found.trim_ascii().to_owned());
    let mut cycles = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let inside = rest.strip_prefix('(').ok_or_else(|| wrong(rest))?;
        // A name may have a `)` in it: a cycle ends where another one begins, or the line ends.
        let ends = inside.match_indices(')').map(|(end, _)| end);
        let is_end = |end: &usize| {
            let after = inside[end + 1..].trim_ascii_start();
            after.is_empty() || after.starts_with('(')
        };
        let end = ends.into_iter().find(is_end).ok_or_else(|| wrong(rest))?;
        let cycle: Vec<&str> = inside[..end].split_ascii_whitespace().collect();
        if cycle.is_empty() {
            return Err(wrong(rest));
        }
        cycles.push(cycle);
        rest = inside[end + 1..].trim_ascii();
    }
    if cycles.is_empty() { Err(wrong(text)) } else { Ok(cycles) }
}
