//! JSON lines: one object a line, its puzzle a string under `puzzle` or `quiz`.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::Template;
use super::syntax::{ADDED, Row, Shown, Syntax};
use super::table::{Answered, Table};
use super::text::{is_between, shape, write_count};
use crate::sudoku::batch::Rating;
use crate::sudoku::sized::Size;
use crate::sudoku::{CELLS, LineError};

/// JSON objects, one a line.
#[derive(Debug)]
pub struct Jsonl;

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow, alias = "quiz")]
    puzzle: Option<Text<'a>>,
    #[serde(borrow)]
    solution: Option<&'a RawValue>,
    /// A comment of another format.
    #[serde(default, deserialize_with = "is_there")]
    comment: bool,
}

fn is_there<'a, D: Deserializer<'a>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl Syntax for Jsonl {
    fn record(&self, text: &[u8], source: Range<usize>, next: usize, table: &mut Table) -> usize {
        let record = &text[source.clone()];
        if is_between(record) {
            table.keep(source);
            return next;
        }
        let first = &text[source.start..next];
        match serde_json::from_slice::<Object>(record) {
            Ok(Object { puzzle: Some(Text(puzzle)), solution, .. }) => {
                let stated = solution.map_or("", RawValue::get);
                // A number may state the solution as well as a string.
                let stated = serde_json::from_str(stated).unwrap_or(Cow::Borrowed(stated));
                table.puzzle(source, 1, puzzle.as_bytes(), stated.as_bytes());
                let escaped = memchr(b'\\', first).is_some();
                if let Some(shape) = shape(first, puzzle.as_bytes()).filter(|_| !escaped) {
                    return table.run(text, next, shape, |other| alike(first, other, shape.at));
                }
            }
            Ok(Object { comment: true, .. }) => table.keep(source),
            Ok(_) => table.bad(source, 1, 0, LineError::Json("found neither".to_owned())),
            Err(error) => table.bad(source, 1, 0, LineError::Json(error.to_string())),
        }
        next
    }

    fn states_solutions(&self, first: &[u8], _: Size) -> bool {
        // What is no object is reported where it stands.
        let object = serde_json::from_slice::<Object>(first);
        object.map_or(true, |object| object.solution.is_some() || object.comment)
    }

    fn template(&self, first: &[u8], at: usize, shown: Shown) -> Option<Template> {
        let found: &[u8] = match shown.row {
            Row::Solution => b"\",\"count\":?,\"found\":\"",
            Row::SolutionOnly => b"\",\"found\":\"",
            Row::Count => return None,
        };
        let (before, copied, found): (&[u8], _, _) = match shown.own {
            true => (b"", 0..end_of_kept(first)?, &found[1..]),
            false => (b"{\"puzzle\":\"", at..at + CELLS, found),
        };
        Some(Template::new(before, copied, found, b"\"}\n"))
    }

    fn write(&self, record: &Answered, shown: Shown, out: &mut Vec<u8>) {
        if shown.own {
            begin_again(record.source, out);
        } else {
            // Cells are characters that need no escape.
            out.extend_from_slice(b"{\"puzzle\":\"");
            out.extend_from_slice(record.puzzle);
            out.push(b'"');
        }
        if shown.row != Row::SolutionOnly {
            out.extend_from_slice(b",\"count\":");
            write_count(record.count, out);
            if record.count > 1 << f64::MANTISSA_DIGITS {
                // Many readers of JSON take numbers for doubles.
                let text = format!(",\"{COUNT_TEXT}\":\"{}\"", record.count);
                out.extend_from_slice(text.as_bytes());
            }
        }
        match (shown.row, record.solution) {
            (Row::Count, _) => {}
            (_, None) => out.extend_from_slice(b",\"found\":null"),
            (_, Some(solution)) => {
                out.extend_from_slice(b",\"found\":\"");
                out.extend_from_slice(solution);
                out.push(b'"');
            }
        }
        if let Some(Rating { means, guesses }) = record.rating {
            let members = format!(",\"method\":\"{means}\",\"guesses\":{guesses}");
            out.extend_from_slice(members.as_bytes());
        }
        out.extend_from_slice(b"}\n");
    }

    fn keep(&self, line: &[u8], out: &mut Vec<u8>) {
        let line = line.trim_ascii();
        if line.first() == Some(&b'{') {
            out.extend_from_slice(line);
            out.push(b'\n');
        } else if !line.is_empty() {
            let object = json!({ "comment": String::from_utf8_lossy(line) });
            out.extend_from_slice(format!("{object}\n").as_bytes());
        }
    }

    fn bad(&self, source: &[u8], error: &LineError, _: Shown, out: &mut Vec<u8>) {
        let object = json!({ "bad": String::from_utf8_lossy(source), "error": error.to_string() });
        out.extend_from_slice(format!("{object}\n").as_bytes());
    }
}

/// Where a count stands as text, too.
const COUNT_TEXT: &str = "count_text";

/// Whether a text that begins with the line `first` is an array.
pub fn is_array(first: &[u8]) -> bool {
    let rest = first.trim_ascii().strip_prefix(b"[").map(<[u8]>::trim_ascii);
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'{' | b'"' | b']')))
}

/// Where the object `source` ends without its closing brace, if none of its members has to go.
fn end_of_kept(source: &[u8]) -> Option<usize> {
    // An escape may hide a name.
    let begins_name = |at| ADDED.iter().any(|name| source[at + 1..].starts_with(name.as_bytes()));
    let clean = memchr(b'\\', source).is_none() && !memchr_iter(b'"', source).any(begins_name);
    let end = memrchr(b'}', source).filter(|_| clean)?;
    Some(source[..end].trim_ascii_end().len())
}

/// Whether `other` says what `first` does, which is an object without escapes, but for digits. The
/// puzzles at `at` are left out.
#[inline(always)]
fn alike(first: &[u8], other: &[u8], at: usize) -> bool {
    let behind = at + CELLS;
    first[..1] == other[..1]
        && first[behind..=behind] == other[behind..=behind]
        && same_but_for_digits(&first[..at], &other[..at])
        && same_but_for_digits(&first[behind..], &other[behind..])
}

/// Whether two texts are the same from their second bytes on, or have different digits in one place. A
/// zero must be the same unless it follows a digit, for no number begins with one.
#[inline(always)]
fn same_but_for_digits(first: &[u8], other: &[u8]) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit();
    (1..first.len().min(other.len())).fold(true, |same, i| {
        let no_zero_first = (other[i] != b'0') | digit(first[i - 1]);
        let digits = digit(first[i]) & digit(other[i]) & no_zero_first;
        same & ((first[i] == other[i]) | digits)
    })
}

/// Writes the object `source` without its closing brace and without the members that are added anew;
/// byte for byte as it is, unless one of those has to go.
fn begin_again(source: &[u8], out: &mut Vec<u8>) {
    if let Some(end) = end_of_kept(source) {
        return out.extend_from_slice(&source[..end]);
    }
    let Members(members) = serde_json::from_slice(source).expect("an object was read here");
    out.push(b'{');
    let added = |name: &str| ADDED.contains(&name) || name == COUNT_TEXT;
    let kept = members.iter().filter(|(name, _)| !added(name));
    for (index, (name, value)) in kept.enumerate() {
        let comma = if index > 0 { "," } else { "" };
        out.extend_from_slice(format!("{comma}{}:{value}", json!(name)).as_bytes());
    }
}

/// The members of an object in their order, with their values as they were written.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<Text, &RawValue>()? {
                    members.push((member.0.0, member.1));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// A string, borrowed if it is written without escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
