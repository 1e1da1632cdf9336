//! Knuth's format.

use std::fmt::Write;

use super::lines;
use crate::cover::{Cover, Kind};
use crate::line_error::{At, LineError};

pub(super) fn read(text: &str) -> Result<Cover, At> {
    let mut cover = Cover::new();
    let mut has_items = false;
    let mut last = 0;
    for (number, line) in lines(text) {
        last = number;
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with('|') {
            continue;
        }
        let read =
            if has_items { read_option(line, &mut cover) } else { read_items(line, &mut cover) };
        read.map_err(|error| (number, error))?;
        has_items = true;
    }
    if has_items { Ok(cover) } else { Err((last + 1, LineError::NoItems)) }
}

fn read_items(line: &str, cover: &mut Cover) -> Result<(), LineError> {
    let mut is_secondary = false;
    for word in line.split_ascii_whitespace() {
        if word == "|" {
            if is_secondary {
                return Err(LineError::SecondBar);
            }
            is_secondary = true;
            continue;
        }
        let (name, kind) = match word.split_once('|') {
            None if is_secondary => (word, Kind::Secondary),
            None => (word, Kind::Primary { low: 1, high: 1 }),
            Some((bounds, name)) => {
                let kind = read_bounds(bounds).filter(|_| !is_secondary);
                (name, kind.ok_or_else(|| LineError::Bounds(word.to_owned()))?)
            }
        };
        cover.add_item(name, kind)?;
    }
    Ok(())
}

/// The bounds before the bar of an item: `low:high` or one number for both.
fn read_bounds(text: &str) -> Option<Kind> {
    let (low, high) = text.split_once(':').unwrap_or((text, text));
    Some(Kind::Primary { low: low.parse().ok()?, high: high.parse().ok()? })
}

fn read_option(line: &str, cover: &mut Cover) -> Result<(), LineError> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let begin = at;
        let mut colon = None;
        // Most bytes are letters and digits: above the blanks and other control characters.
        while at < bytes.len() && (bytes[at] > b' ' || !bytes[at].is_ascii_whitespace()) {
            if bytes[at] == b':' && colon.is_none() {
                colon = Some(at);
            }
            at += 1;
        }
        if line[begin..at] == *"|" {
            return Err(LineError::BarInOption);
        }
        match colon {
            None => cover.push_named(&line[begin..at], None)?,
            Some(colon) => cover.push_named(&line[begin..colon], Some(&line[colon + 1..at]))?,
        }
    }
    cover.end_option()?;
    Ok(())
}

pub(super) fn write(cover: &Cover) -> String {
    let mut text = String::new();
    let is_secondary = |item: &&crate::cover::Item| item.kind() == Kind::Secondary;
    for item in cover.items().iter().filter(|item| !is_secondary(item)) {
        match item.kind() {
            Kind::Primary { low, high } if (low, high) != (1, 1) => {
                let _ = write!(text, "{low}:{high}|{} ", item.name());
            }
            _ => text.extend([item.name(), " "]),
        }
    }
    if cover.items().iter().any(|item| is_secondary(&item)) {
        text.push_str("| ");
        for item in cover.items().iter().filter(is_secondary) {
            text.extend([item.name(), " "]);
        }
    }
    text.pop();
    text.push('\n');
    for option in 0..cover.len() {
        // A line without entries would be skipped when it is read, and so it may be: it is never chosen.
        text.push_str(&cover.option_text(option));
        text.push('\n');
    }
    text
}
