//! Symmetries in comments of a file in Knuth's format: `| symmetry: (a b c)(d e)`.

use tallyboard_base::named::is_near;
use tallyboard_base::text::lines::without_mark;

use super::ReadError;
use crate::cover::Cover;
use crate::mistake::{Mistake, mistake};
use crate::symmetry::{Group, Symmetry, orbits};

/// The word after the bar in a comment with a symmetry.
const KEY: &str = "symmetry";

/// The most mistakes in a word that is taken for a misspelt key.
const MOST_MISTAKES: usize = 2;

/// The symmetries in the comments of the `file` of `cover`, each checked. Only Knuth's format has such comments.
///
/// # Errors
/// [`ReadError`] if a comment with a symmetry is misspelt, or is not a symmetry of the cover.
pub fn read_symmetries(
    bytes: &[u8],
    file: &str,
    cover: &Cover,
) -> Result<Vec<Symmetry>, ReadError> {
    let text = String::from_utf8_lossy(without_mark(bytes));
    let mut symmetries = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let comment = text.trim_ascii().strip_prefix('|').map(str::trim_ascii);
        let Some((key, cycles)) = comment.and_then(|comment| comment.split_once(':')) else {
            continue;
        };
        let at = |error| ReadError { file: file.to_owned(), line, error };
        let key = key.trim_ascii().to_ascii_lowercase();
        if key != KEY {
            let has_cycles = cycles.trim_ascii_start().starts_with('(');
            let is_near_key = key == "symmetries" || is_near(&key, KEY, MOST_MISTAKES);
            if has_cycles && is_near_key && !key.contains(KEY) {
                return Err(at(mistake(format!("'{key}:'"), format!("'{KEY}:'"))));
            }
            continue;
        }
        let cycles = read_cycles(cycles).map_err(at)?;
        let symmetry = Symmetry::from_cycles(cover, &cycles);
        symmetries.push(symmetry.map_err(at)?);
    }
    Ok(symmetries)
}

/// Comments from which [`read_symmetries`] reads generators of the group of these `symmetries`, without those that the others
/// generate. `None` if an item has a name such as `)` or `(`, with which cycles cannot be read.
pub fn write_symmetries(cover: &Cover, symmetries: &[Symmetry]) -> Option<String> {
    let mut generators: Vec<Symmetry> = Vec::new();
    let mut order = 1;
    let mut text = String::new();
    for symmetry in symmetries {
        generators.push(symmetry.clone());
        // If the group is too large to list, all symmetries are written.
        let group = Group::new(cover, &generators).ok();
        if group.as_ref().is_some_and(|group| group.order() == order) {
            generators.pop();
            continue;
        }
        order = group.map_or(order, |group| group.order());
        let cycles = cycles(cover, symmetry);
        let names = read_cycles(&cycles).ok()?;
        if Symmetry::from_cycles(cover, &names).ok()? != *symmetry {
            return None;
        }
        text += &format!("| {KEY}: {cycles}\n");
    }
    Some(text)
}

/// A symmetry as `(a b c)(d e)`, without the items that stay.
fn cycles(cover: &Cover, symmetry: &Symmetry) -> String {
    let mut text = String::new();
    for orbit in orbits(&symmetry.items).iter().filter(|orbit| orbit.len() > 1) {
        let names: Vec<&str> =
            orbit.iter().map(|&item| cover.items()[item as usize].name()).collect();
        text += &format!("({})", names.join(" "));
    }
    text
}

/// The names of the items of each cycle in a text such as `(a b c)(d e)`.
fn read_cycles(text: &str) -> Result<Vec<Vec<&str>>, Mistake> {
    let expected = "cycles of items as in (a b c)(d e)";
    let wrong = |found: &str| mistake(format!("'{}'", found.trim_ascii()), expected);
    let mut cycles = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let (cycle, after) = split_cycle(rest).ok_or_else(|| wrong(rest))?;
        let cycle: Vec<&str> = cycle.split_ascii_whitespace().collect();
        if cycle.is_empty() {
            return Err(wrong(rest));
        }
        cycles.push(cycle);
        rest = after;
    }
    if cycles.is_empty() { Err(wrong(text)) } else { Ok(cycles) }
}

/// The text inside the first parentheses, and the text after them.
fn split_cycle(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    for (end, _) in inside.match_indices(')') {
        // A name may have a `)` in it: a cycle ends where another one begins, or where the text ends.
        let after = inside[end + 1..].trim_ascii();
        if after.is_empty() || after.starts_with('(') {
            return Some((&inside[..end], after));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, Input, read, write};

    /// The generators of the symmetries of a drawn board are written and read again. One board has pieces with equal placements,
    /// which are used any number of times.
    #[test]
    fn drawn_symmetries_are_those_of_the_lines() {
        let cube =
            "grid: cube\nboard:\n..\n..\n-\n..\n..\npieces: flip\nA x any:\nxx\nB x any:\nxx\n";
        let square = "board:\n...\n...\n...\npieces: flip\nD x 4:\nxx\nM:\nx\n";
        let hex = "grid: hex\nboard:\n ..\n...\n ..\npieces: flip\nD x 3:\nxx\nM:\nx\n";
        for (drawn, order) in [(cube, 48), (square, 8), (hex, 12)] {
            let Input::Puzzle(puzzle) = read(drawn.as_bytes(), "p").unwrap() else { panic!() };
            let symmetries = puzzle.symmetries();
            let lines = write_symmetries(puzzle.cover(), &symmetries).unwrap();
            assert!(lines.lines().count() < 5, "{lines}");
            let text = lines + &write(puzzle.cover(), Format::Knuth).unwrap();
            let listed = read(text.as_bytes(), "p").unwrap();
            let found = read_symmetries(text.as_bytes(), "p", listed.cover()).unwrap();
            assert!(found.iter().all(|symmetry| symmetries.contains(symmetry)), "{text}");
            assert_eq!(Group::new(listed.cover(), &found).unwrap().order(), order, "{text}");
            assert_eq!(Group::new(puzzle.cover(), &symmetries).unwrap().order(), order);
        }
    }

    #[test]
    fn names_that_end_cycles_are_not_written() {
        let mut cover = Cover::new();
        cover.primary([")", "(b"]).unwrap();
        cover.option([")"]).unwrap().option(["(b"]).unwrap();
        let swap = Symmetry { items: vec![1, 0], options: vec![1, 0] };
        assert_eq!(write_symmetries(&cover, &[swap]), None);
        assert_eq!(write_symmetries(&cover, &[]).as_deref(), Some(""));
    }
}
