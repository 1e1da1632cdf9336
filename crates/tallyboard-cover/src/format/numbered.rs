//! Formats whose items are numbers: `.ec`, counted lists of numbers, and a matrix of zeros and ones.

use std::fmt::Write;

use tallyboard_base::text::most_stated;

use super::{Format, content, is_c_comment};
use crate::cover::{Cover, Entry, Kind, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, mistake};

/// A header that announces more items is refused, before they take memory.
const MOST_ITEMS: usize = 1 << 24;

const HEADER: &str = "'p ec' with the number of items, 16,777,216 at most, and perhaps of options; or 'p xc' or 'p xcc' with the \
                      numbers of primary and of secondary items";

/// The lines that are neither blank nor comments. In formats with a `p` line, `c` begins a comment, too.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    content(text).filter(|(_, line)| !is_c_comment(line))
}

/// The first line of `.ec`.
struct Header {
    primary: usize,
    secondary: usize,
    /// How many options follow, if the line says so.
    options: Option<usize>,
    /// Whether an option ends with 0 and not with its line.
    ends_with_zero: bool,
}

impl Header {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let (p, kind) = (words.next()?, words.next()?);
        let first = words.next()?.parse().ok()?;
        let second = words.next().map(str::parse).transpose().ok()?;
        let header = match kind {
            "ec" => Self { primary: first, secondary: 0, options: second, ends_with_zero: false },
            "xc" | "xcc" => {
                Self { primary: first, secondary: second?, options: None, ends_with_zero: true }
            }
            _ => return None,
        };
        let items = header.primary.checked_add(header.secondary)?;
        (p == "p" && words.next().is_none() && items <= MOST_ITEMS).then_some(header)
    }
}

/// Fails if so many items cannot be named by the bytes of a file: they would take hundreds of bytes each.
fn ensure_stated(items: usize, text: &str) -> Result<(), Mistake> {
    let most = most_stated(text.len());
    if items <= most {
        return Ok(());
    }
    let found = format!("{items} items in a file of {} bytes", text.len());
    Err(mistake(found, format!("at most {most}, and an option for each")))
}

/// Reads `p ec ITEMS` and a line for each option: `s` and the numbers of its items, from 1. The number of options may follow
/// that of the items, the `s` may be left out, and a 0 may end the line. Reads `p xc PRIMARY SECONDARY`, too, where each option
/// ends with a 0 and a negative number is the colour of the secondary item before it.
pub(super) fn read_ec(text: &str) -> Result<Cover, LocatedMistake> {
    let mut lines = lines(text);
    let first = lines.next();
    let (number, line) = first.ok_or((1, Mistake::NoItems))?;
    let header =
        Header::read(line).ok_or_else(|| (number, mistake(format!("'{line}'"), HEADER)))?;
    ensure_stated(header.primary + header.secondary, text).map_err(|error| (number, error))?;
    let mut cover = Cover::new();
    let at = |number: usize| move |error| (number, Mistake::Cover(error));
    cover.add_numbered(header.primary).map_err(at(number))?;
    for item in header.primary + 1..=header.primary + header.secondary {
        cover.add_item(&item.to_string(), Kind::Secondary).map_err(at(number))?;
    }
    let mut last = number;
    let mut entries = Vec::new();
    for (number, line) in lines {
        last = number;
        let words =
            line.strip_prefix('s').filter(|rest| !rest.starts_with(|c| c != ' ' && c != '\t'));
        let words = words.unwrap_or(line);
        let mut is_ended = false;
        for word in words.split_ascii_whitespace() {
            if is_ended && !header.ends_with_zero {
                return Err((
                    number,
                    mistake("a 0 before the end of the line", "it behind the items"),
                ));
            }
            if word == "0" {
                is_ended = true;
                if header.ends_with_zero {
                    cover.add_option(entries.drain(..)).map_err(at(number))?;
                }
                continue;
            }
            read_number(word, &mut cover, &mut entries).map_err(|error| (number, error))?;
        }
        if !header.ends_with_zero {
            cover.add_option(entries.drain(..)).map_err(at(number))?;
        }
    }
    if !entries.is_empty() {
        return Err((last, mistake("an option without an end", "a 0 behind its items")));
    }
    match header.options {
        Some(expected) if expected != cover.len() => {
            let found = format!("{} options", cover.len());
            Err((last, mistake(found, format!("{expected} as 'p ec' says"))))
        }
        _ => Ok(cover),
    }
}

/// Reads the number of an item, or the negative number of a colour.
fn read_number(word: &str, cover: &mut Cover, entries: &mut Vec<Entry>) -> Result<(), Mistake> {
    let items = cover.items().len();
    let number: Option<i64> = word.parse().ok();
    match number {
        Some(item) if item >= 1 && item <= items as i64 => {
            entries.push(Entry { item: item as u32 - 1, colour: NO_COLOUR });
            Ok(())
        }
        Some(colour @ ..=-1) if entries.last().is_some_and(|last| last.colour == NO_COLOUR) => {
            let colour = cover.colour(&colour.unsigned_abs().to_string())?;
            entries.last_mut().expect("there is a last one").colour = colour;
            Ok(())
        }
        _ => Err(mistake(format!("'{word}'"), format!("an item's number from 1 to {items}"))),
    }
}

pub(super) fn write_ec(cover: &Cover) -> String {
    let mut text = format!("p ec {}\n", cover.items().len());
    for option in cover.options() {
        // Without the letter, an option without items would be an empty line.
        text.push('s');
        for entry in option {
            let _ = write!(text, " {}", entry.item + 1);
        }
        text.push('\n');
    }
    text
}

/// The format of a file whose first line has nothing but digits and blanks: a matrix, perhaps below its dimensions, or counted
/// lists; `None` if it is neither.
pub(super) fn recognise(text: &str) -> Option<Format> {
    let mut lines = content(text);
    let (_, first) = lines.next()?;
    if is_row(first) && lines.clone().next().is_none_or(|(_, line)| width(line) == width(first)) {
        return Some(Format::Matrix);
    }
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    let is_matrix = has_dimensions(&words, lines.clone());
    let are_lists = words.len() == 2 && are_counted(lines.clone());
    let rows = lines.count().to_string();
    // Rows of 0 and 1 may be counted lists; then the numbers above tell which they are.
    if are_lists && (!is_matrix || words[0] != rows && words[1] == rows) {
        return Some(Format::Lists);
    }
    (is_matrix || is_row(first)).then_some(Format::Matrix)
}

fn is_row(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b'0' | b'1' | b' ' | b'\t')) || is_separated(line)
}

/// Whether a line is a row as spreadsheets save it: three or more zeros and ones, with a comma or semicolon between any two. Names
/// of Knuth's format may have commas, but blanks are between them.
pub(super) fn is_separated(line: &str) -> bool {
    let cells = line.split([',', ';']);
    cells.clone().count() > 2 && cells.map(str::trim).all(|cell| matches!(cell, "0" | "1"))
}

/// The number of zeros and ones of a row.
fn width(line: &str) -> usize {
    line.bytes().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b',' | b';')).count()
}

/// Whether the words of a first line are the number of columns of the rows below it, perhaps behind that of rows; or both and another
/// number, in any order.
fn has_dimensions<'a>(
    words: &[&str],
    mut rows: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> bool {
    let numbers: Option<Vec<usize>> = words.iter().map(|word| word.parse().ok()).collect();
    let (Some(numbers), Some((_, first))) = (numbers, rows.clone().next()) else { return false };
    let columns = width(first);
    let are_dimensions = match numbers[..] {
        [one] | [_, one] => one == columns,
        [_, _, _] => numbers.contains(&columns) && numbers.contains(&rows.clone().count()),
        _ => false,
    };
    are_dimensions && rows.all(|(_, row)| is_row(row) && width(row) == columns)
}

/// Whether a first line names the columns of the rows below it: a word for each, or a character.
pub(super) fn has_names(text: &str) -> bool {
    let mut lines = content(text);
    let Some((_, first)) = lines.next() else { return false };
    let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let words: Vec<&str> = first.split(is_gap).filter(|word| !word.is_empty()).collect();
    let names = match words[..] {
        [word] => word.chars().count(),
        _ => words.len(),
    };
    // An option of Knuth's format may be a row of digits if an item has that name.
    let is_below = |row: &str| {
        is_row(row)
            && width(row) == names
            && !row.split_whitespace().any(|word| words.contains(&word))
    };
    names > 2
        && !is_row(first)
        && lines.clone().next().is_some()
        && lines.all(|(_, row)| is_below(row))
}

/// Whether each line has a number, and as many numbers behind it.
fn are_counted<'a>(mut lines: impl Iterator<Item = (usize, &'a str)> + Clone) -> bool {
    let is_counted = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let count: Option<usize> = words.next().and_then(|word| word.parse().ok());
        count == Some(words.clone().count()) && words.all(|word| word.parse::<u32>().is_ok())
    };
    lines.clone().next().is_some() && lines.all(|(_, line)| is_counted(line))
}

/// Reads a row of 0 and 1 for each option, a column for each item. A line with the number of columns, or of rows and columns,
/// or with the names of columns, may be above.
pub(super) fn read_matrix(text: &str) -> Result<Cover, LocatedMistake> {
    let mut lines = content(text).peekable();
    let first = lines.peek().copied().ok_or((1, Mistake::NoItems))?;
    let words: Vec<&str> = first.1.split_ascii_whitespace().collect();
    let mut below = lines.clone();
    below.next();
    let is_first_a_row =
        is_row(first.1) && below.clone().next().is_none_or(|row| width(row.1) == width(first.1));
    let mut expected_rows = None;
    if !is_first_a_row && has_dimensions(&words, below.clone()) {
        if words.len() == 2 {
            let rows: Option<usize> = words[0].parse().ok();
            if rows == Some(2) && are_counted(below.clone()) {
                let expected =
                    "one of the two: a matrix without its dimensions, or 'p ec' above lists";
                return Err((first.0, mistake("what may be a matrix or counted lists", expected)));
            }
            expected_rows = rows;
        }
        lines.next();
    } else if has_names(text) {
        lines.next();
    }
    let columns = lines.peek().map_or(0, |row| width(row.1));
    let mut cover = Cover::new();
    cover.add_numbered(columns).map_err(|error| (first.0, error.into()))?;
    let mut last = first.0;
    for (number, line) in lines {
        last = number;
        read_row(line, &mut cover).map_err(|error| (number, error))?;
    }
    match expected_rows {
        Some(expected) if expected != cover.len() => {
            let found = format!("{} rows", cover.len());
            Err((last, mistake(found, format!("{expected} as the first line says"))))
        }
        _ => Ok(cover),
    }
}

fn read_row(line: &str, cover: &mut Cover) -> Result<(), Mistake> {
    let mut bits = Vec::new();
    let has_separators = is_separated(line);
    for found in line.chars() {
        match found {
            '0' | '1' => bits.push(found == '1'),
            ',' | ';' if has_separators => {}
            found if found.is_ascii_whitespace() => {}
            found => return Err(mistake(format!("{found:?}"), "0 or 1")),
        }
    }
    add_row(&bits, cover)
}

/// Adds an option for a row of a matrix.
pub(super) fn add_row(bits: &[bool], cover: &mut Cover) -> Result<(), Mistake> {
    let expected = cover.items().len();
    if bits.len() != expected {
        let found = format!("{} columns", bits.len());
        return Err(mistake(found, format!("{expected} as in the first row")));
    }
    let items = (0..expected as u32).filter(|&item| bits[item as usize]);
    cover.add_option(items.map(|item| Entry { item, colour: NO_COLOUR }))?;
    Ok(())
}

pub(super) fn write_matrix(cover: &Cover) -> String {
    let mut text = String::new();
    for option in cover.options() {
        let mut row = vec!['0'; cover.items().len()];
        for entry in option {
            row[entry.item as usize] = '1';
        }
        text.extend(row);
        text.push('\n');
    }
    text
}

/// Reads `ITEMS OPTIONS`, and a line for each option: how many items it has, and their numbers. These count from 0 if a 0 is
/// among them, and from 1 if the number of items is.
pub(super) fn read_lists(text: &str) -> Result<Cover, LocatedMistake> {
    let mut lines = content(text);
    let (first, header) = lines.next().ok_or((1, Mistake::NoItems))?;
    let mut words = header.split_ascii_whitespace().map(str::parse);
    let expected = "the numbers of items, 16,777,216 at most, and of options";
    let (Some(Ok(items)), Some(Ok(options))) = (words.next(), words.next()) else {
        return Err((first, mistake(format!("'{header}'"), expected)));
    };
    if items > MOST_ITEMS {
        return Err((first, mistake(format!("'{header}'"), expected)));
    }
    ensure_stated(items, text).map_err(|error| (first, error))?;
    let numbers = |line: &str| -> Result<Vec<usize>, Mistake> {
        let wrong = |word: &str| mistake(format!("'{word}'"), "the number of an item");
        let words = line.split_ascii_whitespace().skip(1);
        words.map(|word| word.parse().map_err(|_| wrong(word))).collect()
    };
    let (mut least, mut most) = (usize::MAX, 0);
    for (line, text) in lines.clone() {
        for number in numbers(text).map_err(|error| (line, error))? {
            least = least.min(number);
            most = most.max(number);
        }
    }
    let from = match (least, most) {
        // No option has an item.
        (usize::MAX, 0) => 0,
        (0, most) if most < items => 0,
        (1.., most) if most == items => 1,
        _ => {
            let found = format!("items from {least} to {most}");
            let expected = format!(
                "0 to {}, or 1 to {items}: the first line says that there are {items}",
                items.saturating_sub(1)
            );
            return Err((first, mistake(found, expected)));
        }
    };
    let mut cover = Cover::new();
    cover.add_numbered(items).map_err(|error| (first, error.into()))?;
    let mut last = first;
    for (number, line) in lines {
        last = number;
        let items = numbers(line).map_err(|error| (number, error))?.into_iter();
        let entries = items.map(|item| Entry { item: (item - from) as u32, colour: NO_COLOUR });
        cover.add_option(entries).map_err(|error| (number, error.into()))?;
    }
    if cover.len() != options {
        let found = format!("{} options", cover.len());
        return Err((last, mistake(found, format!("{options} as the first line says"))));
    }
    Ok(cover)
}
