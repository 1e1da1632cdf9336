//! The format `.ec`: items are numbers from 1.

use std::fmt::Write;

use super::lines;
use crate::cover::{Cover, Entry, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, mistake};

pub(super) fn read(text: &str) -> Result<Cover, LocatedMistake> {
    let mut cover = Cover::new();
    let mut expected_options = None;
    let mut last = 0;
    for (number, line) in lines(text) {
        last = number;
        let at = |error| (number, error);
        let line = line.trim_ascii();
        if line.is_empty() || line == "c" || line.starts_with("c ") {
            continue;
        }
        if expected_options.is_none() {
            let (items, options) =
                read_header(line).ok_or_else(|| at(mistake(format!("'{line}'"), HEADER)))?;
            cover.add_numbered(items).map_err(|error| at(error.into()))?;
            expected_options = Some(options);
            continue;
        }
        read_option(line, &mut cover).map_err(at)?;
    }
    let expected = expected_options.ok_or((last + 1, Mistake::NoItems))?;
    let found = cover.len();
    if found == expected {
        Ok(cover)
    } else {
        Err((last, mistake(format!("{found} options"), format!("{expected} as 'p ec' says"))))
    }
}

const HEADER: &str = "'p ec' with the number of items, 16,777,216 at most, and of options";

/// A header that announces more items is refused, before they take memory.
const MOST_ITEMS: usize = 1 << 24;

fn read_header(line: &str) -> Option<(usize, usize)> {
    let mut words = line.strip_prefix("p ec")?.split_ascii_whitespace();
    let items = words.next()?.parse().ok()?;
    let options = words.next()?.parse().ok()?;
    (words.next().is_none() && items <= MOST_ITEMS).then_some((items, options))
}

/// Reads an option: the numbers of its items. A line may begin with `s`, and end with 0.
fn read_option(line: &str, cover: &mut Cover) -> Result<(), Mistake> {
    let items = cover.items().len() as u32;
    let mut entries = Vec::new();
    let mut words = line.strip_prefix("s ").unwrap_or(line).split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        match word.parse() {
            Ok(0) if words.peek().is_none() => {}
            Ok(item) if (1..=items).contains(&item) => {
                entries.push(Entry { item: item - 1, colour: NO_COLOUR });
            }
            _ => {
                let expected = format!("an item's number from 1 to {items}");
                return Err(mistake(format!("'{word}'"), expected));
            }
        }
    }
    cover.add_option(entries)?;
    Ok(())
}

pub(super) fn write(cover: &Cover) -> String {
    let mut text = format!("p ec {} {}\n", cover.items().len(), cover.len());
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
