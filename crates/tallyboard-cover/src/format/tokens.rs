//! Formats in brackets: lists as JSON and Python write them, and the dialect of miniexact.

use super::numbered::add_row;
use crate::cover::{Cover, CoverError, Entry, Kind, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, mistake};

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
    let lists = Brackets { text, at: 0, line: 1 }.read()?;
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

/// Reads brackets, and what is in them.
struct Brackets<'a> {
    text: &'a str,
    /// The index of the next character, and the number of its line.
    at: usize,
    line: usize,
}

impl Brackets<'_> {
    fn read(mut self) -> Result<Vec<List>, LocatedMistake> {
        let mut outer = self.next();
        // `name =` may come before the list.
        if let Some(first) = outer.filter(|&first| is_of_word(first)) {
            self.word(first);
            match self.next() {
                Some('=') => outer = self.next(),
                found => return Err(self.wrong(found, "'=' and a list of lists")),
            }
        }
        let end = closing(outer).ok_or_else(|| self.wrong(outer, "a list of lists"))?;
        let mut lists = Vec::new();
        loop {
            match self.next() {
                Some(found) if found == end => break,
                Some(',') => {}
                // The name of an option in a dictionary.
                Some(quote @ ('"' | '\'')) if outer == Some('{') => {
                    self.quoted(quote)?;
                    self.colon()?;
                }
                Some(found) if outer == Some('{') && is_of_word(found) => {
                    self.word(found);
                    self.colon()?;
                }
                found => {
                    let end = closing(found)
                        .ok_or_else(|| self.wrong(found, "a list of the items of an option"))?;
                    let list = self.list(end)?;
                    lists.push(list);
                }
            }
        }
        match self.next() {
            None | Some(';') => Ok(lists),
            found => Err(self.wrong(found, "nothing behind the last bracket")),
        }
    }

    /// The elements up to the bracket `end`.
    fn list(&mut self, end: char) -> Result<List, LocatedMistake> {
        let line = self.line;
        let mut elements = Vec::new();
        loop {
            match self.next() {
                Some(found) if found == end => return Ok(List { line, elements }),
                Some(',') => {}
                Some(quote @ ('"' | '\'')) => elements.push((self.quoted(quote)?, true)),
                Some(found) if is_of_word(found) => {
                    let word = match self.word(found).as_str() {
                        "true" | "True" => "1".to_owned(),
                        "false" | "False" => "0".to_owned(),
                        word => word.to_owned(),
                    };
                    if word.parse::<i64>().is_err() {
                        let expected = "a whole number, or a name in quotes";
                        return Err((self.line, mistake(format!("'{word}'"), expected)));
                    }
                    elements.push((word, false));
                }
                found => return Err(self.wrong(found, "a number, or a name in quotes")),
            }
        }
    }

    /// A colon behind the name of an option.
    fn colon(&mut self) -> Result<(), LocatedMistake> {
        match self.next() {
            Some(':') => Ok(()),
            found => Err(self.wrong(found, "':' and the items of the option")),
        }
    }

    /// The name up to the quote `quote`. In it, a `\` stands before a quote or another `\`.
    fn quoted(&mut self, quote: char) -> Result<String, LocatedMistake> {
        let mut name = String::new();
        let mut signs = self.text[self.at..].char_indices();
        while let Some((end, sign)) = signs.next() {
            let sign = match sign {
                '\n' => break,
                '\\' => match signs.next() {
                    Some((_, sign @ ('\\' | '"' | '\''))) => sign,
                    _ => break,
                },
                sign if sign == quote => {
                    self.skip(end + 1);
                    return Ok(name);
                }
                sign => sign,
            };
            name.push(sign);
        }
        let expected =
            "a name that ends with a quote in its line, '\\' only before quotes and '\\'";
        Err((self.line, mistake(format!("{quote}{name}"), expected)))
    }

    fn word(&mut self, first: char) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let word = format!("{first}{}", &rest[..end]);
        self.skip(end);
        word
    }

    /// The next character that is no blank and in no comment.
    fn next(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.at..];
            let next = rest.chars().next()?;
            let is_comment = next == '#' || matches!(next, '|' | ';') && self.is_at_begin();
            if is_comment {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
                continue;
            }
            self.skip(next.len_utf8());
            if !next.is_whitespace() {
                return Some(next);
            }
        }
    }

    /// Whether nothing but blanks is before the next character in its line.
    fn is_at_begin(&self) -> bool {
        self.text[..self.at].rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
    }

    fn skip(&mut self, bytes: usize) {
        self.line += self.text[self.at..self.at + bytes].matches('\n').count();
        self.at += bytes;
    }

    fn wrong(&self, found: Option<char>, expected: &str) -> LocatedMistake {
        let found = found.map_or("the end of the file".to_owned(), |found| format!("{found:?}"));
        (self.line, mistake(found, expected))
    }
}

fn closing(bracket: Option<char>) -> Option<char> {
    match bracket? {
        '[' => Some(']'),
        '(' => Some(')'),
        '{' => Some('}'),
        _ => None,
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
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
