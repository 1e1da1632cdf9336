//! Formats in brackets: lists as JSON and Python write them, and the dialect of miniexact.

use std::collections::HashSet;

use tallyboard_base::text::value::{self, Content, Value};

use super::numbered::add_row;
use crate::cover::{Cover, CoverError, Entry, Kind, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, located, mistake};

/// Whether a file whose first line is this one has lists: an outer bracket and an inner one, or a dictionary.
pub(super) fn begins_lists(line: &str) -> bool {
    let text = match line.split_once('=') {
        Some((name, text)) if name.trim().chars().all(|c| c.is_alphanumeric() || c == '_') => text,
        _ => line,
    };
    let mut signs = text.chars().filter(|c| !c.is_whitespace());
    match (signs.next(), signs.next()) {
        (Some('[' | '('), None | Some('[' | '(' | '{')) => true,
        (Some('{'), None) => true,
        (Some('{'), Some(next)) => {
            matches!(next, '"' | '\'' | '[' | '(' | '{') || text.contains(':')
        }
        _ => false,
    }
}

/// A list of the names of its items for each option, as JSON.
pub(super) fn write_lists(cover: &Cover) -> String {
    let name = |entry: &Entry| {
        let name = cover.items()[entry.item as usize].name();
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    };
    let list =
        |option: &[Entry]| format!("[{}]", option.iter().map(name).collect::<Vec<_>>().join(","));
    format!("[{}]\n", cover.options().map(list).collect::<Vec<_>>().join(",\n"))
}

/// A list as it was read, with its line.
struct List {
    line: usize,
    /// The elements, and whether each is in quotes.
    elements: Vec<(String, bool)>,
}

/// Reads a list of lists, or a dictionary of lists: the items of each option. Lists of 0 and 1 that are equally long are the rows
/// of a matrix.
pub(super) fn read_lists(text: &str) -> Result<Cover, LocatedMistake> {
    let lists = lists_of(value::read_only(text).map_err(located)?)?;
    let is_bit = |(text, is_quoted): &(String, bool)| !is_quoted && matches!(&**text, "0" | "1");
    let width = lists.first().map_or(0, |list| list.elements.len());
    let mut cover = Cover::new();
    let is_matrix = width > 0
        && lists
            .iter()
            .all(|list| list.elements.len() == width && list.elements.iter().all(is_bit));
    if is_matrix {
        cover.add_numbered(width).map_err(|error| (1, error.into()))?;
        for List { line, elements } in &lists {
            let bits: Vec<bool> = elements.iter().map(|(text, _)| text == "1").collect();
            add_row(&bits, &mut cover).map_err(|error| (*line, error))?;
        }
        return Ok(cover);
    }
    let is_quoted = lists.iter().flat_map(|list| &list.elements).map(|element| element.1).next();
    for List { line, elements } in lists {
        let at = |error: CoverError| (line, error.into());
        let mut entries = Vec::new();
        for (name, quoted) in elements {
            if Some(quoted) != is_quoted {
                let found = format!("{name:?} among both numbers and names in quotes");
                return Err((line, mistake(found, "items that are all numbers, or all in quotes")));
            }
            let item = match cover.item(&name) {
                Some(item) => item,
                None => cover.add_item(&name, Kind::ONCE).map_err(at)?,
            };
            entries.push(Entry { item, colour: NO_COLOUR });
        }
        cover.add_option(entries).map_err(at)?;
    }
    Ok(cover)
}

/// The lists that are the items of a list, or the members of a dictionary.
fn lists_of(outer: Value) -> Result<Vec<List>, LocatedMistake> {
    match outer.content {
        Content::List(lists) => lists.into_iter().map(list_of).collect(),
        Content::Object(pairs) => {
            let mut names = HashSet::with_capacity(pairs.len());
            let list_of_new = |(name, list): (String, Value)| {
                if names.contains(&name) {
                    return Err((
                        list.line,
                        mistake(format!("the name {name:?} twice"), "it once"),
                    ));
                }
                names.insert(name);
                list_of(list)
            };
            pairs.into_iter().map(list_of_new).collect()
        }
        _ => Err(wrong(&outer, "a list of lists")),
    }
}

fn list_of(list: Value) -> Result<List, LocatedMistake> {
    let line = list.line;
    let elements = match list.content {
        Content::List(elements) => {
            elements.into_iter().map(element_of).collect::<Result<_, _>>()?
        }
        Content::Object(pairs) if pairs.is_empty() => Vec::new(),
        _ => return Err(wrong(&list, "a list of the items of an option")),
    };
    Ok(List { line, elements })
}

/// A number, or a name in quotes, and whether it is in quotes.
fn element_of(element: Value) -> Result<(String, bool), LocatedMistake> {
    match &element.content {
        Content::Word(word) if matches!(&**word, "true" | "True") => Ok(("1".to_owned(), false)),
        Content::Word(word) if matches!(&**word, "false" | "False") => Ok(("0".to_owned(), false)),
        Content::Word(word) if word.parse::<i64>().is_err() => {
            Err(wrong(&element, "a whole number, or a name in quotes"))
        }
        _ => match element.content {
            Content::Word(word) => Ok((word, false)),
            Content::Quoted(name) => Ok((name, true)),
            _ => Err(wrong(&element, "a number, or a name in quotes")),
        },
    }
}

fn wrong(value: &Value, expected: &str) -> LocatedMistake {
    (value.line, mistake(value.to_string(), expected))
}

/// Reads the dialect of miniexact: `< a b:1;2 >`, then `[ x y ]` for secondary items, then options that each end with `;` and give
/// colours as in `x:red`. `b:1;2` has bounds, and `b:2` is covered twice. A `.` may end the file.
pub(super) fn read_miniexact(text: &str) -> Result<Cover, LocatedMistake> {
    let text = text.trim_end();
    let text = text.strip_suffix('.').unwrap_or(text);
    let mut tokens = tokens(text).peekable();
    let last = text.lines().count().max(1);
    let mut cover = Cover::new();
    // The `<` by which the format was recognised.
    tokens.next();
    loop {
        let (line, name) = tokens.next().ok_or((last, unended('>')))?;
        if name == ">" {
            break;
        }
        let mut kind = Kind::ONCE;
        if tokens.next_if(|token| token.1 == ":").is_some() {
            let low = read_bound(&mut tokens, last)?;
            let is_range = tokens.next_if(|token| token.1 == ";").is_some();
            let high = if is_range { read_bound(&mut tokens, last)? } else { low };
            kind = Kind::Primary { low, high };
        }
        add(&mut cover, line, name, kind)?;
    }
    if tokens.next_if(|token| token.1 == "[").is_some() {
        loop {
            match tokens.next().ok_or((last, unended(']')))? {
                (_, "]") => break,
                (line, name) => add(&mut cover, line, name, Kind::Secondary)?,
            }
        }
    }
    let mut is_open = false;
    while let Some((line, token)) = tokens.next() {
        let at = |error: CoverError| (line, error.into());
        if token == ";" {
            cover.end_option().map_err(at)?;
            is_open = false;
            continue;
        }
        let colour = match tokens.next_if(|token| token.1 == ":") {
            None => None,
            Some((line, _)) => match tokens.next() {
                Some((_, name)) if !name.chars().all(|sign| SIGNS.contains(&sign)) => Some(name),
                found => {
                    let end = || "the end of the file".to_owned();
                    let found = found.map_or_else(end, |(_, sign)| format!("'{sign}'"));
                    return Err((line, mistake(found, "the name of a colour")));
                }
            },
        };
        cover.push_named(token, colour).map_err(at)?;
        is_open = true;
    }
    if is_open {
        cover.end_option().map_err(|error| (last, error.into()))?;
    }
    Ok(cover)
}

fn add(cover: &mut Cover, line: usize, name: &str, kind: Kind) -> Result<(), LocatedMistake> {
    if name.chars().all(|c| SIGNS.contains(&c)) {
        return Err((line, mistake(format!("'{name}'"), "the name of an item")));
    }
    cover.add_item(name, kind).map(|_| ()).map_err(|error| (line, error.into()))
}

fn unended(sign: char) -> Mistake {
    mistake("the end of the file", format!("'{sign}' behind the items"))
}

fn read_bound<'a>(
    tokens: &mut impl Iterator<Item = (usize, &'a str)>,
    last: usize,
) -> Result<u32, LocatedMistake> {
    let (line, word) = tokens.next().unwrap_or((last, "the end of the file"));
    word.parse().map_err(|_| (line, mistake(format!("'{word}'"), "how often the item is covered")))
}

/// The signs that are tokens by themselves.
const SIGNS: [char; 6] = ['<', '>', '[', ']', ':', ';'];

/// The signs and names of a text, each with its line.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    super::content(text).flat_map(|(number, line)| {
        line.split_ascii_whitespace()
            .flat_map(move |word| {
                word.split_inclusive(SIGNS).flat_map(move |part| {
                    let name = part.trim_end_matches(SIGNS);
                    let sign = &part[name.len()..];
                    [name, sign].into_iter().filter(|token| !token.is_empty())
                })
            })
            .map(move |token| (number, token))
    })
}
