//! A matrix of zeros and ones: a row for each option, a column for each item.

use super::lines;
use crate::cover::{Cover, Entry, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, mistake};

pub(super) fn read(text: &str) -> Result<Cover, LocatedMistake> {
    let mut cover = Cover::new();
    let mut columns = None;
    let mut last = 0;
    for (number, line) in lines(text) {
        last = number;
        if line.trim_ascii().is_empty() {
            continue;
        }
        read_row(line, &mut cover, &mut columns).map_err(|error| (number, error))?;
    }
    if columns.is_some() { Ok(cover) } else { Err((last + 1, Mistake::NoItems)) }
}

fn read_row(line: &str, cover: &mut Cover, columns: &mut Option<usize>) -> Result<(), Mistake> {
    let mut bits = Vec::new();
    for found in line.chars() {
        match found {
            '0' | '1' => bits.push(found == '1'),
            found if found.is_ascii_whitespace() => {}
            found => return Err(mistake(format!("{found:?}"), "0 or 1")),
        }
    }
    let expected = *columns.get_or_insert(bits.len());
    if cover.items().is_empty() {
        cover.add_numbered(expected)?;
    }
    if bits.len() != expected {
        let found = format!("{} columns", bits.len());
        return Err(mistake(found, format!("{expected} as in the first row")));
    }
    let items = (0..expected as u32).filter(|&item| bits[item as usize]);
    cover.add_option(items.map(|item| Entry { item, colour: NO_COLOUR }))?;
    Ok(())
}

pub(super) fn write(cover: &Cover) -> String {
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
