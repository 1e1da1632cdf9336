//! Knuth's format.

use std::fmt::Write;

use tallyboard_base::text::lines;

use super::{Format, content};
use crate::cover::{Cover, Entry, ItemId, Kind, NO_COLOUR};
use crate::hash::UNKNOWN;
use crate::mistake::{LocatedMistake, Mistake, mistake};

pub(super) fn read(text: &str) -> Result<Cover, LocatedMistake> {
    let (first, items) =
        content(text).next().ok_or_else(|| (text.lines().count() + 1, Mistake::NoItems))?;
    let comment = items.split_ascii_whitespace().find(|word| word.starts_with(COMMENT));
    let read = read_below(text, first, items);
    let Some(comment) = comment else { return read };
    // Any word may be an item, but one that no option has begins a comment, as it does in the options.
    let is_item = read.as_ref().is_ok_and(|cover| {
        let item = cover.item(comment);
        cover.options().flatten().any(|entry| Some(entry.item) == item)
    });
    if is_item {
        return read;
    }
    let without = &items[..items.find(comment).unwrap_or(items.len())];
    read_below(text, first, without)
}

/// What begins a comment behind the words of a line.
const COMMENT: &str = "//";

/// Reads the items of a line, which has the number `first`, and the options below it.
fn read_below(text: &str, first: usize, items: &str) -> Result<Cover, LocatedMistake> {
    // Below the items, `;` begins the name of an item.
    let mut lines = lines::content(text, &["|"]).skip_while(|(number, _)| *number < first);
    let (number, _) = lines.next().expect("the first line is there");
    let mut cover = Cover::new();
    read_items(items, &mut cover).map_err(|error| (number, error))?;
    let mut words = Vec::new();
    let mut ends = Vec::new();
    loop {
        words.clear();
        ends.clear();
        for (number, line) in lines.by_ref().take(LINES_TOGETHER) {
            split_words(line, &mut words);
            ends.push((number, words.len()));
        }
        if ends.is_empty() && cover.is_empty() {
            let expected =
                "a line for each option below the line of items: was another format meant?";
            return Err((number, mistake("a line of items alone", expected)));
        }
        if ends.is_empty() {
            return Ok(cover);
        }
        read_options(&mut words, &ends, &mut cover)?;
    }
}

/// Reads a text that states the numbers of items and of options above the items; `None` if it does not.
pub(super) fn read_below_counts(text: &str) -> Option<Result<Cover, LocatedMistake>> {
    let mut content = content(text);
    let ((first, head), (_, names)) = (content.next()?, content.next()?);
    let mut numbers = head.split_ascii_whitespace().map(|word| word.parse::<usize>().ok());
    let (items, options) = (numbers.next()??, numbers.next()??);
    let is_name = |word: &&str| *word != "|";
    let states_both = numbers.next().is_none()
        && names.split_ascii_whitespace().filter(is_name).count() == items
        && content.count() == options;
    // The line stays, as a comment, so that those below it keep their numbers.
    let below =
        || text.lines().enumerate().map(|(at, line)| if at + 1 == first { "|" } else { line });
    states_both.then(|| read(&below().collect::<Vec<_>>().join("\n")))
}

/// The lines whose words are looked up together. With many items, each look-up waits for memory. Look-ups without a branch
/// between them wait at the same time.
const LINES_TOGETHER: usize = 16;

/// A word of an option.
struct Word<'a> {
    name: &'a str,
    colour: Option<&'a str>,
    /// The item of this name if it is in its first slot, or [`UNKNOWN`].
    item: ItemId,
}

fn read_items(line: &str, cover: &mut Cover) -> Result<(), Mistake> {
    let mut is_secondary = false;
    for word in line.split_ascii_whitespace() {
        if word == "|" {
            if is_secondary {
                return Err(mistake(
                    "a second '|' between the items",
                    "one before the secondary items",
                ));
            }
            is_secondary = true;
            continue;
        }
        let bounds = word.split_once('|').or_else(|| {
            let (name, bounds) = word.strip_suffix(']')?.rsplit_once('[')?;
            bounds.contains(':').then_some((bounds, name))
        });
        let (name, kind) = match bounds {
            None if is_secondary => (word, Kind::Secondary),
            None => (word, Kind::ONCE),
            Some((bounds, name)) => {
                let kind = read_bounds(bounds).filter(|_| !is_secondary);
                (name, kind.ok_or_else(|| mistake(format!("'{word}'"), BOUNDS))?)
            }
        };
        cover.add_item(name, kind)?;
    }
    Ok(())
}

const BOUNDS: &str =
    "low:high|item, count|item or item[low:high] with numbers up to 4294967295, for a primary item";

/// The bounds of an item: `low:high` or one number for both.
fn read_bounds(text: &str) -> Option<Kind> {
    let (low, high) = text.split_once(':').unwrap_or((text, text));
    Some(Kind::Primary { low: low.parse().ok()?, high: high.parse().ok()? })
}

/// Appends the words of a line, `item` or `item:colour` each.
fn split_words<'a>(line: &'a str, words: &mut Vec<Word<'a>>) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let name_end = word_end::<true>(bytes, at);
        let mut end = name_end;
        let mut colour = None;
        if bytes.get(name_end) == Some(&b':') {
            end = word_end::<false>(bytes, name_end + 1);
            colour = Some(&line[name_end + 1..end]);
        }
        words.push(Word { name: &line[at..name_end], colour, item: UNKNOWN });
        at = end;
    }
}

/// The end of the word that begins at `at`: a blank, or with `COLON` also a colon.
#[inline]
fn word_end<const COLON: bool>(bytes: &[u8], mut at: usize) -> usize {
    let is_end = |byte: u8| byte.is_ascii_whitespace() || COLON && byte == b':';
    // Reads eight bytes at a time, up to one that may be an end: control characters are found, too.
    while let Some(eight) = bytes[at..].first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let mut ends = bytes_below(word, b'!');
        if COLON {
            ends |= bytes_below(word ^ (ONES * u64::from(b':')), 1);
        }
        if ends == 0 {
            at += 8;
            continue;
        }
        at += ends.trailing_zeros() as usize / 8;
        if is_end(bytes[at]) {
            return at;
        }
        at += 1;
    }
    while at < bytes.len() && !is_end(bytes[at]) {
        at += 1;
    }
    at
}

/// A 1 in each byte.
const ONES: u64 = u64::MAX / 255;

/// Finds the first byte of `word` below `limit`, which is at most 128: the lowest bit of the result is the highest bit of this
/// byte. The result is 0 if there is no such byte.
#[inline]
fn bytes_below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(limit)) & !word & (ONES << 7)
}

/// Reads options. `lines` has the number of each option's line, and the index in `words` after its last word.
fn read_options(
    words: &mut [Word<'_>],
    lines: &[(usize, usize)],
    cover: &mut Cover,
) -> Result<(), LocatedMistake> {
    for word in words.iter_mut() {
        word.item = cover.item_from_first_slot(word.name);
    }
    let mut begin = 0;
    for &(number, end) in lines {
        read_option(&words[begin..end], cover).map_err(|error| (number, error))?;
        begin = end;
    }
    Ok(())
}

fn read_option(words: &[Word<'_>], cover: &mut Cover) -> Result<(), Mistake> {
    for (place, word) in words.iter().enumerate() {
        match *word {
            Word { item, colour: None, .. } if item != UNKNOWN => {
                cover.push(Entry { item, colour: NO_COLOUR })?;
            }
            Word { name: "|", colour: None, .. } => {
                return Err(mistake("'|' in an option", "items only"));
            }
            Word { name, .. } if name.starts_with(COMMENT) && cover.item(name).is_none() => {
                if place == 0 {
                    return Ok(());
                }
                break;
            }
            Word { name, colour, .. } => cover.push_named(name, colour)?,
        }
    }
    cover.end_option()?;
    Ok(())
}

pub(super) fn write(cover: &Cover) -> String {
    let mut text = String::new();
    let mut secondary = String::new();
    for item in cover.items() {
        match item.kind() {
            Kind::ONCE => text.extend([item.name(), " "]),
            Kind::Primary { low, high } => {
                let _ = write!(text, "{low}:{high}|{} ", item.name());
            }
            Kind::Secondary => secondary.extend([item.name(), " "]),
        }
    }
    if !secondary.is_empty() {
        text.extend(["| ", &secondary]);
    }
    text.pop();
    text.push('\n');
    for option in 0..cover.len() {
        // An option without entries is an empty line, which is skipped when it is read. It is never chosen, so nothing is lost.
        text.push_str(&cover.option_text(option));
        text.push('\n');
    }
    // Items such as `1 2` would be the two numbers of another format.
    if Format::of(&text) != Format::Knuth {
        let end = text.find('\n').unwrap_or(text.len());
        text.insert_str(end, " |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with blanks, other control characters, colons and letters of several bytes at each place of eight bytes.
    #[test]
    fn words_end_at_blanks_and_their_names_at_the_first_colon() {
        let parts = [
            " ", "\t", "\u{c}", ":", "a", "\u{b}", "\u{7f}", "\u{e4}", "\u{2003}", "xyz", "|", "~",
        ];
        let mut random = 1_u64;
        for _ in 0..2_000 {
            let mut line = String::new();
            for _ in 0..24 {
                random = crate::hash::mix(random);
                line += parts[(random >> 32) as usize % parts.len()];
            }
            let mut words = Vec::new();
            split_words(&line, &mut words);
            let found: Vec<_> = words.iter().map(|word| (word.name, word.colour)).collect();
            let expected: Vec<_> = line
                .split_ascii_whitespace()
                .map(|word| {
                    word.split_once(':').map_or((word, None), |(name, colour)| (name, Some(colour)))
                })
                .collect();
            assert_eq!(found, expected, "{line:?}");
        }
    }
}
