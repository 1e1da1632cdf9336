//! JSON lines: one object a line, its puzzle a string under `puzzle`, `quiz` or another known name.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

use super::syntax::{Field, Style, Syntax, find_columns, record_at, shape};
use super::table::{Record, Table};
use super::text::{is_comment, place_of};
use crate::codec::Template;
use crate::columns::{Content, Value};
use crate::sized::Size;
use crate::{CELLS, LineError};

/// JSON objects, one a line.
#[derive(Debug, Default)]
pub struct Jsonl {
    /// The member that holds puzzles, if the caller names it.
    wanted: Option<String>,
    /// The members of the first record, if that holds a puzzle.
    names: Vec<String>,
    /// Rows are written in a format with fixed columns, so later records may have no members that the first one lacks.
    has_fixed_columns: bool,
}

impl Jsonl {
    /// The objects of an input with this first record, whose puzzles are under `wanted` if that is given. If the output
    /// `has_fixed_columns`, they are those of the first record, or the puzzle alone if that has none.
    pub fn of(first: &[u8], wanted: Option<&str>, has_fixed_columns: bool) -> Self {
        let wanted_name = wanted.map(str::to_owned);
        let mut jsonl = Self { wanted: wanted_name, names: Vec::new(), has_fixed_columns };
        if let Ok(members) = members(first)
            && jsonl.find_members(&members).is_some()
        {
            jsonl.names = members.into_iter().map(|(name, _)| name.into_owned()).collect();
        } else if has_fixed_columns {
            jsonl.names.push(wanted.unwrap_or("puzzle").to_owned());
        }
        jsonl
    }

    /// The positions of the puzzle and the solution among the members; the last ones of a name, as in other readers of JSON.
    fn find_members(&self, members: &[Member]) -> Option<(usize, Option<usize>)> {
        let from_end = |at| members.len() - 1 - at;
        let find = |wanted| {
            let names = members.iter().rev().map(|(name, _)| &**name);
            let (puzzle, solution) = find_columns(names, wanted)?;
            Some((from_end(puzzle), solution.map(from_end)))
        };
        let usual = find(self.wanted.as_deref());
        // Titles of pictures may be called so, but not members.
        let grid = find(Some("grid"));
        // The grid beside a task is solved.
        let task =
            find(Some("task")).map(|(at, solution)| (at, solution.or(grid.map(|grid| grid.0))));
        let boards = task.or(grid).or_else(|| find(Some("board")));
        usual.or(boards.filter(|_| self.wanted.is_none()))
    }

    /// The puzzle of a record, and the solution that it states; `None` if it is a comment.
    pub fn puzzle_of<'a>(&self, record: &'a [u8]) -> Result<Option<[Cow<'a, [u8]>; 2]>, String> {
        let members = members(record).map_err(|error| error.to_string())?;
        let Some((puzzle, solution)) = self.find_members(&members) else {
            if members.iter().any(|(name, _)| name == "comment") {
                return Ok(None);
            }
            return Err(match self.wanted.as_deref() {
                Some(wanted) => format!("found no member {wanted}"),
                None => "found no member puzzle, quiz or the like; --column takes another name"
                    .to_owned(),
            });
        };
        let is_new = |name: &str| self.names.iter().all(|known| known != name);
        if self.has_fixed_columns
            && let Some((name, _)) = members.iter().find(|(name, _)| is_new(name))
        {
            return Err(format!(
                "found a member {name:?} that the first record has not; only jsonl has a place for it"
            ));
        }
        if let Some((name, _)) = members.iter().enumerate().find_map(|(at, member)| {
            let is_known = at == puzzle || Some(at) == solution;
            (!is_known && may_be_rules(&member.0, member.1)).then_some(member)
        }) {
            return Err(format!(
                "found a member {name:?} that may hold rules of a variant, expected sudokus with their usual rules \
                 alone; `tallyboard variant` reads rules (docs/variants.md)"
            ));
        }
        let stated = solution.map_or(Cow::default(), |at| text_of_value(members[at].1));
        Ok(Some([text_of_value(members[puzzle].1), stated]))
    }
}

/// Names of members that hold rules of variants in files that programs write.
const RULE_NAMES: [&str; 24] = [
    "arrow",
    "arrows",
    "areas",
    "between",
    "cage",
    "cages",
    "constraints",
    "diagonals",
    "difference",
    "dots",
    "extraregions",
    "killer",
    "killercage",
    "kropki",
    "lines",
    "palindrome",
    "ratio",
    "regions",
    "rules",
    "sums",
    "thermometer",
    "thermos",
    "xv",
    "zones",
];

/// Whether a member that is neither a puzzle nor a solution may be a rule: it has the name of one, and is not empty; or it is
/// a list of lists or of objects, or an object that holds some.
fn may_be_rules(name: &str, value: &RawValue) -> bool {
    let text = value.get();
    if !text.starts_with(['[', '{']) || matches!(text, "[]" | "{}") {
        return false;
    }
    let is_nested = text[1..].contains(['[', '{']);
    is_nested || RULE_NAMES.iter().any(|rule| name.eq_ignore_ascii_case(rule))
}

/// The text of a value: the content of a string, nothing for null, any other value as it is written.
fn text_of_value(raw: &RawValue) -> Cow<'_, [u8]> {
    let text = raw.get();
    if text == "null" {
        return Cow::default();
    }
    if !text.starts_with('"') {
        return text.as_bytes().into();
    }
    let Text(text) = serde_json::from_str(text).expect("a string was read here");
    match text {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

impl Syntax for Jsonl {
    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        let first = &text[place.clone()];
        let (record, source) = record_at(text, place);
        let found = if is_comment(record) { Ok(None) } else { self.puzzle_of(record) };
        let [puzzle, stated] = match found {
            Ok(Some(found)) => found,
            Ok(None) => {
                table.add_comment(source);
                return next;
            }
            Err(error) => {
                table.add_bad(source, 1, 0, LineError::Json(error));
                return next;
            }
        };
        table.add_column(source, 1, puzzle.trim_ascii(), &stated);
        let may_begin_run = !self.has_fixed_columns && memchr(b'\\', record).is_none();
        match shape(first, &puzzle) {
            Some(shape) if may_begin_run => {
                table.add_run(text, next, shape, |other| same_layout(first, other, shape.at))
            }
            _ => next,
        }
    }

    fn states_solutions(&self, first: &[u8], _: Size) -> bool {
        // A record without a puzzle is reported where it stands.
        let Ok(members) = members(first) else { return true };
        self.find_members(&members).is_none_or(|(_, solution)| solution.is_some())
    }

    fn column_names(&self) -> &[String] {
        &self.names
    }

    fn fields<'a>(&self, record: &Record<'a>) -> Vec<Field<'a>> {
        let members = members(record.source).expect("it was read before");
        members.into_iter().map(|(name, raw)| (name, text_of_value(raw))).collect()
    }

    fn cell_places(&self, source: &[u8]) -> [Option<Range<usize>>; 2] {
        let members = members(source).expect("it was read before");
        let place = |member: usize| {
            let value = members[member].1.get();
            let string = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            // A list is replaced with its brackets.
            let place = string.or(Some(value).filter(|value| value.starts_with('[')))?;
            place_of(place.as_bytes(), source)
        };
        let (puzzle, solution) = self.find_members(&members).expect("it was read before");
        [place(puzzle), solution.and_then(place)]
    }

    fn template(&self, first: &[u8], at: usize, style: Style) -> Option<Template> {
        let (has_count, name) = style.count_and_solution()?;
        let count = if has_count { ",\"count\":?" } else { "" };
        let found = format!("{count},\"{name}\":\"");
        match style.foreign_input {
            None => {
                let copied = 0..end_if_all_kept(first, style)?;
                Some(Template::new(b"", copied, found.as_bytes(), b"\"}\n"))
            }
            Some(input) if input.column_names().is_empty() => {
                let found = format!("\"{found}");
                let copied = at..at + CELLS;
                Some(Template::new(b"{\"puzzle\":\"", copied, found.as_bytes(), b"\"}\n"))
            }
            Some(_) => None,
        }
    }

    fn write(&self, record: &Record, style: Style, out: &mut Vec<u8>) {
        match style.foreign_input {
            None => write_kept_members(record.source, style, out),
            Some(input) => {
                let fields = input.fields(record);
                let kept = fields.iter().filter(|(name, _)| !is_replaced(name, style));
                out.push(b'{');
                for (index, (name, text)) in kept.enumerate() {
                    begin_member(index, name, out);
                    write_string(text, out);
                }
            }
        }
        record.for_each(style.row, |column, content| {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(column.name.as_bytes());
            out.extend_from_slice(b"\":");
            write_content(content, out);
        });
        out.extend_from_slice(b"}\n");
    }

    fn write_comment(&self, line: &[u8], out: &mut Vec<u8>) {
        let line = line.trim_ascii();
        if line.first() == Some(&b'{') {
            out.extend_from_slice(line);
            out.push(b'\n');
        } else if !line.is_empty() {
            let object = json!({ "comment": String::from_utf8_lossy(line) });
            out.extend_from_slice(format!("{object}\n").as_bytes());
        }
    }

    fn write_bad(&self, source: &[u8], error: &LineError, _: Style, out: &mut Vec<u8>) {
        let object = json!({ "bad": String::from_utf8_lossy(source), "error": error.to_string() });
        out.extend_from_slice(format!("{object}\n").as_bytes());
    }
}

/// Writes the content of a column, whose text needs no escapes. A count that readers may round is repeated as text.
fn write_content(content: &Content, out: &mut Vec<u8>) {
    match content {
        Content::Missing => out.extend_from_slice(b"null"),
        Content::Text(text) => {
            out.push(b'"');
            out.extend_from_slice(text);
            out.push(b'"');
        }
        &Content::Number(number) if number > 1 << f64::MANTISSA_DIGITS => {
            // Many readers of JSON read numbers as doubles, which hold 53 bits.
            let text = format!("{number},\"{COUNT_TEXT}\":\"{number}\"");
            out.extend_from_slice(text.as_bytes());
        }
        content => content.write(out),
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

fn write_string(text: &[u8], out: &mut Vec<u8>) {
    serde_json::to_writer(out, &String::from_utf8_lossy(text)).expect("memory takes all bytes");
}

/// Writes the name of member number `index` of an object.
fn begin_member(index: usize, name: &str, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
    write_string(name.as_bytes(), out);
    out.push(b':');
}

/// Writes the object `source` without its closing brace and without the members that rows replace;
/// byte for byte if they replace none.
fn write_kept_members(source: &[u8], style: Style, out: &mut Vec<u8>) {
    if let Some(end) = end_if_all_kept(source, style) {
        return out.extend_from_slice(&source[..end]);
    }
    let members = members(source).expect("an object was read here");
    let kept = members.iter().filter(|(name, _)| !is_replaced(name, style));
    out.push(b'{');
    for (index, (name, value)) in kept.enumerate() {
        begin_member(index, name, out);
        out.extend_from_slice(value.get().as_bytes());
    }
}

/// Where the object `source` ends without its closing brace; `None` unless rows surely keep all its members.
fn end_if_all_kept(source: &[u8], style: Style) -> Option<usize> {
    // An escape may hide a name.
    if memchr(b'\\', source).is_some() {
        return None;
    }
    let begins_name =
        |at| style.row.names().any(|name| source[at + 1..].starts_with(name.as_bytes()));
    if memchr_iter(b'"', source).any(begins_name) {
        return None;
    }
    let end = memrchr(b'}', source)?;
    Some(source[..end].trim_ascii_end().len())
}

/// Whether `other` equals `first`, an object without escapes, except for digits. The puzzles at `at` are not compared.
#[inline(always)]
fn same_layout(first: &[u8], other: &[u8], at: usize) -> bool {
    let after = at + CELLS;
    // The first bytes, because the digits are compared from the second bytes on.
    first[..1] == other[..1]
        && first[after..=after] == other[after..=after]
        && same_but_for_digits(&first[..at], &other[..at])
        && same_but_for_digits(&first[after..], &other[after..])
}

/// Whether two texts are equal from their second bytes on, except that any digit equals any other. But a zero equals
/// only a zero unless it follows a digit, because no number begins with a zero.
#[inline(always)]
fn same_but_for_digits(first: &[u8], other: &[u8]) -> bool {
    (1..first.len().min(other.len())).fold(true, |same, i| {
        let no_zero_first = (other[i] != b'0') | first[i - 1].is_ascii_digit();
        let digits = first[i].is_ascii_digit() & other[i].is_ascii_digit() & no_zero_first;
        same & ((first[i] == other[i]) | digits)
    })
}

/// The name of a member of an object, and its value as it is written.
type Member<'a> = (Cow<'a, str>, &'a RawValue);

/// The members of the object `record` in their order.
fn members(record: &[u8]) -> serde_json::Result<Vec<Member<'_>>> {
    let Members(members) = serde_json::from_slice(record)?;
    Ok(members)
}

/// What serde reads for [`members`]: a map would lose their order, and those of the same name.
struct Members<'a>(Vec<Member<'a>>);

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
