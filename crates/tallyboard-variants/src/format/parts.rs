//! Several puzzles in a file: a line, a value of JSON, a block or a list with a head for each, or links in a text.

use std::borrow::Cow;

use serde_json::Value;
use tallyboard_base::text::lines::content;

use super::{MOST_BYTES, cages, futoshiki, is_alone, is_puzzle, of_a_solver};
use crate::error::{Error, Place};

/// A part of a file that is a puzzle.
pub(super) struct Part<'a> {
    /// The line in which it begins, from 1.
    pub line: usize,
    pub text: Cow<'a, str>,
}

/// The parts of a text that holds several puzzles, or one below comments; `None` if nothing shows where a puzzle ends.
pub(super) fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    lines(text)
        .or_else(|| collection(text))
        .or_else(|| values(text))
        .or_else(|| Some(from_lines(text, &heads(text)?)))
        .or_else(|| blocks(text))
}

/// A puzzle of another program in each line that is no comment.
fn lines(text: &str) -> Option<Vec<Part<'_>>> {
    let part = |(line, text)| is_alone(text).then_some(Part { line, text: Cow::Borrowed(text) });
    content(text, &["#"]).map(part).collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())
}

/// Values of JSON one after the other, or in a list, if each is a puzzle.
fn values(text: &str) -> Option<Vec<Part<'_>>> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let (mut parts, mut from) = (Vec::new(), 0);
    while let Some(value) = stream.next() {
        let value = value.ok()?;
        let end = stream.byte_offset();
        let gap = text[from..end].len() - text[from..end].trim_start().len();
        let line = text[..from + gap].matches('\n').count() + 1;
        match value {
            Value::Array(items) if from == 0 && items.len() > 1 && items.iter().all(is_puzzle) => {
                parts.extend(items.iter().map(|item| Part { line, text: item.to_string().into() }));
            }
            value if is_puzzle(&value) => {
                parts.push(Part { line, text: Cow::Borrowed(text[from..end].trim()) });
            }
            _ => return None,
        }
        from = end;
    }
    (parts.len() > 1).then_some(parts)
}

/// The puzzles of a collection of puzzlekit: an object with `data`, of which each member has a `problem`.
fn collection(text: &str) -> Option<Vec<Part<'_>>> {
    // Most texts show at once that they are none.
    if !text.trim_start().starts_with('{') || !text.contains("\"problem\"") {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let part = |(name, member): (&String, &Value)| {
        let problem = member.get("problem")?.as_str()?.to_owned();
        let at = text.find(&format!("\"{name}\""))?;
        let line = text[..at].matches('\n').count() + 1;
        of_a_solver(&problem).map(|_| Part { line, text: problem.into() })
    };
    let mut parts: Vec<Part> =
        value.get("data")?.as_object()?.iter().map(part).collect::<Option<_>>()?;
    parts.sort_by_key(|part| part.line);
    (!parts.is_empty()).then_some(parts)
}

/// Whether a line begins a puzzle in the text form.
pub(super) fn is_head(line: &str) -> bool {
    let behind = line.trim_start().strip_prefix("size");
    behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}

/// The lines from 1 in which puzzles begin that have a head each: `size` in the text form, or their side.
fn heads(text: &str) -> Option<Vec<usize>> {
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    // The first line that is no comment says it, so that files of another game are not read to their end here.
    if text.lines().find(|line| !is_comment(line)).is_some_and(is_head) {
        let sizes = (1..).zip(text.lines()).filter(|(_, line)| is_head(line));
        let sizes: Vec<usize> = sizes.map(|(line, _)| line).collect();
        return (sizes.len() > 1).then_some(sizes);
    }
    futoshiki::heads(text).or_else(|| cages::heads(text))
}

/// Blocks between empty lines, if each is a puzzle in one of the forms of solvers. In the text form, empty lines part nothing.
fn blocks(text: &str) -> Option<Vec<Part<'_>>> {
    let is_of_a_solver = |part: &Part| of_a_solver(&part.text).is_some_and(|puzzle| puzzle.is_ok());
    all_blocks(text).filter(|parts| parts.iter().all(is_of_a_solver))
}

/// The blocks between empty lines, if there are several.
fn all_blocks(text: &str) -> Option<Vec<Part<'_>>> {
    let (mut begins, mut first_bytes) = (Vec::new(), 0);
    let mut is_below_gap = true;
    for (line, text) in (1..).zip(text.lines()) {
        let is_gap = text.trim().is_empty();
        // A long file without empty lines is not read to its end here.
        first_bytes += if begins.len() < 2 { text.len() } else { 0 };
        if first_bytes > MOST_BYTES {
            return None;
        }
        if is_below_gap && !is_gap {
            begins.push(line);
        }
        is_below_gap = is_gap;
    }
    (begins.len() > 1).then(|| from_lines(text, &begins))
}

/// Grids without rules, a line or a block each, of sizes that are no sudoku's: those are another crate's. Boards of regions may look
/// the same.
pub(super) fn grids(text: &str) -> Option<Vec<Part<'_>>> {
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let mut lines = lines.map(|(line, text)| Part { line, text: Cow::Borrowed(text) });
    // Most texts show in their first line that they are no such lines.
    let first = lines.next().filter(is_grid);
    let lines = first.map(|first| std::iter::once(first).chain(lines).collect::<Vec<_>>());
    let all = lines.filter(|parts| parts.len() > 1 && parts.iter().all(is_grid));
    all.or_else(|| all_blocks(text).filter(|parts| parts.iter().all(is_grid)))
}

/// Whether a part is a grid alone, of a size that is no sudoku's.
fn is_grid(part: &Part) -> bool {
    const OF_SUDOKUS: [usize; 4] = [4, 9, 16, 25];
    let grid = super::text::read(&part.text).ok();
    grid.is_some_and(|grid| {
        grid.rules().rules().is_empty() && !OF_SUDOKUS.contains(&grid.size().side())
    })
}

/// Whether a text is grids as [`grids`] takes them, or begins with one if it is the beginning of a longer one.
pub(super) fn begins_with_grids(text: &str, is_whole: bool) -> bool {
    if is_whole {
        return grids(text).is_some();
    }
    let begins = |text| is_grid(&Part { line: 1, text: Cow::Borrowed(text) });
    let text = text.trim_start();
    let line = text.lines().next().unwrap_or_default();
    begins(line) || text.split_once("\n\n").is_some_and(|(block, _)| begins(block))
}

/// The parts that begin in these lines; each ends where the next begins.
fn from_lines<'a>(text: &'a str, begins: &[usize]) -> Vec<Part<'a>> {
    let mut offsets = vec![0];
    offsets.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let begin = |line: usize| offsets.get(line - 1).copied().unwrap_or(text.len());
    let ends = begins[1..].iter().map(|line| begin(*line)).chain([text.len()]);
    let part = |(&line, end)| Part { line, text: Cow::Borrowed(&text[begin(line)..end]) };
    begins.iter().zip(ends).map(part).collect()
}

/// The links among the words of a text that hold a puzzle, comments left out. Fails if there are links that name a puzzle, and
/// none that holds one; `None` without either.
pub(super) fn links(text: &str) -> Option<Result<Vec<Part<'_>>, (Place, Error)>> {
    // Most texts have no link at all.
    text.contains("://").then_some(())?;
    let is_mark = |c: char| "\"'`<>()[]{},;|".contains(c);
    let words = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with('#'));
    let words = words.flat_map(|(line, text)| {
        let text = text.split(" #").next().unwrap_or_default();
        text.split_whitespace()
            .filter_map(|word| word.find("http").map(|at| &word[at..]))
            .map(move |word| (line, word.split(is_mark).next().unwrap_or_default()))
    });
    let (mut parts, mut names) = (Vec::new(), Vec::new());
    for (line, word) in words.filter(|(_, word)| is_alone(word)) {
        if super::is_name(word) {
            names.push(line);
        } else {
            parts.push(Part { line, text: Cow::Borrowed(word) });
        }
    }
    match names.first() {
        Some(&line) if parts.is_empty() => Some(Err((Place::Line(line), Error::ShortLink))),
        _ => (!parts.is_empty()).then_some(Ok(parts)),
    }
}
