//! JSON lines: one object a line, its puzzle a string under `puzzle`, `quiz` or another known name.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

use super::codec::Template;
use super::syntax::{Column, Style, Syntax, find_columns};
use super::table::{Record, Table};
use super::text::{is_between, shape};
use crate::columns::{Content, Value};
use crate::sized::Size;
use crate::{CELLS, LineError};

/// JSON objects, one a line.
#[derive(Debug, Default)]
pub struct Jsonl {
    /// The member that holds puzzles, if the caller names it.
    pub wanted: Option<String>,
    /// The members of the first record, if rows are written in a format with fixed columns: later records may not
    /// have others.
    pub names: Vec<String>,
}

impl Jsonl {
    /// The names of the members of a record that holds a puzzle.
    pub fn names_of(&self, record: &[u8]) -> Option<Vec<String>> {
        let Members(members) = serde_json::from_slice(record).ok()?;
        self.find(&members)?;
        Some(members.into_iter().map(|(name, _)| name.into_owned()).collect())
    }

    /// The positions of the puzzle and the solution among the members.
    fn find(&self, members: &[(Cow<str>, &RawValue)]) -> Option<(usize, Option<usize>)> {
        find_columns(members.iter().map(|(name, _)| &**name), self.wanted.as_deref())
    }

    /// Reads a record into `table`. Returns the place of its puzzle if a run of records like it may
    /// follow.
    fn read_object(
        &self,
        text: &[u8],
        source: Range<usize>,
        table: &mut Table,
    ) -> Result<Option<usize>, String> {
        let record = &text[source.clone()];
        let Members(members) = serde_json::from_slice(record).map_err(|error| error.to_string())?;
        let Some((puzzle, solution)) = self.find(&members) else {
            if members.iter().any(|(name, _)| name == "comment") {
                table.keep(source);
                return Ok(None);
            }
            let wanted = self.wanted.as_deref();
            return Err(format!(
                "found no member {}",
                wanted.unwrap_or("puzzle, quiz or the like")
            ));
        };
        let is_new =
            |name: &str| !self.names.is_empty() && self.names.iter().all(|known| known != name);
        if let Some((name, _)) = members.iter().find(|(name, _)| is_new(name)) {
            return Err(format!(
                "found a member {name:?} that the first record has not; only jsonl has a place for it"
            ));
        }
        let (puzzle, stated) = (members[puzzle].1, solution.map(|at| value(members[at].1)));
        let puzzle = value(puzzle);
        table.column(source, 1, puzzle.trim_ascii(), &stated.unwrap_or_default());
        let at = (puzzle.as_ptr() as usize).wrapping_sub(record.as_ptr() as usize);
        let may_begin_run = self.names.is_empty() && memchr(b'\\', record).is_none();
        Ok((may_begin_run && at < record.len() && puzzle.len() == CELLS).then_some(at))
    }
}

/// The text of a value: the content of a string, nothing for null, any other value as it is
/// written.
fn value(raw: &RawValue) -> Cow<'_, [u8]> {
    match raw.get() {
        "null" => Cow::default(),
        text if text.starts_with('"') => {
            let Text(text) = serde_json::from_str(text).expect("a string was read here");
            match text {
                Cow::Borrowed(text) => text.as_bytes().into(),
                Cow::Owned(text) => text.into_bytes().into(),
            }
        }
        text => text.as_bytes().into(),
    }
}

impl Syntax for Jsonl {
    fn record(&self, text: &[u8], source: Range<usize>, next: usize, table: &mut Table) -> usize {
        if is_between(&text[source.clone()]) {
            table.keep(source);
            return next;
        }
        let first = &text[source.start..next];
        match self.read_object(text, source.clone(), table) {
            Ok(Some(at)) => match shape(first, &first[at..at + CELLS]) {
                Some(shape) => table.run(text, next, shape, |other| same_layout(first, other, at)),
                None => next,
            },
            Ok(None) => next,
            Err(error) => {
                table.bad(source, 1, 0, LineError::Json(error));
                next
            }
        }
    }

    fn states_solutions(&self, first: &[u8], _: Size) -> bool {
        // A record without a puzzle is reported where it stands.
        let Ok(Members(members)) = serde_json::from_slice(first) else { return true };
        self.find(&members).is_none_or(|(_, solution)| solution.is_some())
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn columns<'a>(&self, record: &Record<'a>) -> Vec<Column<'a>> {
        let Members(members) = serde_json::from_slice(record.source).expect("it was read before");
        members.into_iter().map(|(name, raw)| (name, value(raw))).collect()
    }

    fn places(&self, source: &[u8]) -> [Option<Range<usize>>; 2] {
        let Members(members) = serde_json::from_slice(source).expect("it was read before");
        let place = |member: usize| {
            let text = members[member].1.get();
            let at = text.as_ptr() as usize - source.as_ptr() as usize;
            text.starts_with('"').then(|| at + 1..at + text.len() - 1)
        };
        let (puzzle, solution) = self.find(&members).expect("it was read before");
        [place(puzzle), solution.and_then(place)]
    }

    fn template(&self, first: &[u8], at: usize, style: Style) -> Option<Template> {
        let (has_count, name) = style.count_and_solution()?;
        let count = if has_count { ",\"count\":?" } else { "" };
        let found = format!("\"{count},\"{name}\":\"").into_bytes();
        let (before, copied, found): (&[u8], _, _) = match style.from {
            None => (b"", 0..end_of_kept(first, style)?, &found[1..]),
            Some(from) if from.names().is_empty() => {
                (b"{\"puzzle\":\"", at..at + CELLS, &found[..])
            }
            Some(_) => return None,
        };
        Some(Template::new(before, copied, found, b"\"}\n"))
    }

    fn write(&self, record: &Record, style: Style, out: &mut Vec<u8>) {
        match style.from {
            None => begin_again(record.source, style, out),
            Some(from) => {
                out.push(b'{');
                let columns = from.columns(record);
                let kept = columns.iter().filter(|(name, _)| !is_replaced(name, style));
                for (index, (name, text)) in kept.enumerate() {
                    out.extend((index > 0).then_some(b','));
                    write_string(name.as_bytes(), out);
                    out.push(b':');
                    write_string(text, out);
                }
            }
        }
        record.for_each(style.row, |name, cell| {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            match cell {
                Content::Missing => out.extend_from_slice(b"null"),
                Content::Text(text) => {
                    out.push(b'"');
                    out.extend_from_slice(text);
                    out.push(b'"');
                }
                &Content::Number(number) if number > 1 << f64::MANTISSA_DIGITS => {
                    // Many readers of JSON read numbers as doubles.
                    let text = format!("{number},\"{COUNT_TEXT}\":\"{number}\"");
                    out.extend_from_slice(text.as_bytes());
                }
                cell => cell.write(out),
            }
        });
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

    fn bad(&self, source: &[u8], error: &LineError, _: Style, out: &mut Vec<u8>) {
        let object = json!({ "bad": String::from_utf8_lossy(source), "error": error.to_string() });
        out.extend_from_slice(format!("{object}\n").as_bytes());
    }
}

/// The member that repeats a large count as text.
const COUNT_TEXT: &str = "count_text";

/// Whether a text that begins with the line `first` is an array.
pub fn is_array(first: &[u8]) -> bool {
    let rest = first.trim_ascii().strip_prefix(b"[").map(<[u8]>::trim_ascii);
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'{' | b'"' | b']')))
}

/// Whether rows in `style` replace the member `name`.
fn is_replaced(name: &str, style: Style) -> bool {
    let name = if name == COUNT_TEXT { Value::Count.name() } else { name };
    style.row.names().any(|added| added == name)
}

/// Writes `text` as a string.
fn write_string(text: &[u8], out: &mut Vec<u8>) {
    serde_json::to_writer(out, &String::from_utf8_lossy(text)).expect("memory takes all bytes");
}

/// The end of the object `source` without its closing brace, if rows keep all its members.
fn end_of_kept(source: &[u8], style: Style) -> Option<usize> {
    // An escape may hide a name.
    let begins_name =
        |at| style.row.names().any(|name| source[at + 1..].starts_with(name.as_bytes()));
    let clean = memchr(b'\\', source).is_none() && !memchr_iter(b'"', source).any(begins_name);
    let end = memrchr(b'}', source).filter(|_| clean)?;
    Some(source[..end].trim_ascii_end().len())
}

/// Whether `other` equals `first`, an object without escapes, except for digits. The puzzles at
/// `at` are not compared.
#[inline(always)]
fn same_layout(first: &[u8], other: &[u8], at: usize) -> bool {
    let after = at + CELLS;
    first[..1] == other[..1]
        && first[after..=after] == other[after..=after]
        && same_but_for_digits(&first[..at], &other[..at])
        && same_but_for_digits(&first[after..], &other[after..])
}

/// Whether two texts are equal from their second bytes on, except that any digit equals any other. But a zero equals
/// only a zero unless it follows a digit, because no number begins with a zero.
#[inline(always)]
fn same_but_for_digits(first: &[u8], other: &[u8]) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit();
    (1..first.len().min(other.len())).fold(true, |same, i| {
        let no_zero_first = (other[i] != b'0') | digit(first[i - 1]);
        let digits = digit(first[i]) & digit(other[i]) & no_zero_first;
        same & ((first[i] == other[i]) | digits)
    })
}

/// Writes the object `source` without its closing brace and without the members that rows replace;
/// byte for byte if they replace none.
fn begin_again(source: &[u8], style: Style, out: &mut Vec<u8>) {
    if let Some(end) = end_of_kept(source, style) {
        return out.extend_from_slice(&source[..end]);
    }
    let Members(members) = serde_json::from_slice(source).expect("an object was read here");
    out.push(b'{');
    let kept = members.iter().filter(|(name, _)| !is_replaced(name, style));
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
