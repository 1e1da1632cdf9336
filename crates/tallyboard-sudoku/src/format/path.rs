//! Puzzles of JSON under a path that the caller names, such as `newboard.grids.value`.

use std::ops::Range;

use serde_json::Value as Json;
use tallyboard_base::text::value::Brackets;

use super::document::{Found, add_all, object, puzzles_of};
use super::syntax::{Input, Style, Syntax, record_at};
use super::table::{Record, Table};
use crate::LineError;

/// Values of JSON one after the other, with puzzles under a path.
#[derive(Debug)]
pub struct UnderPath {
    path: String,
}

impl UnderPath {
    /// The puzzles under `path`: names of members with points between them. Lists are gone through, unless a number takes one of their
    /// items, from 0. What is not at the beginning is looked for deeper.
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned() }
    }

    /// The puzzles of a value, each with the solution that stands beside it.
    fn puzzles(&self, value: &Json) -> Vec<Result<Found, LineError>> {
        let names: Vec<&str> = self.path.split('.').collect();
        let mut found = Vec::new();
        anywhere(value, &names, &mut found);
        if found.is_empty() {
            let path = &self.path;
            let names: Vec<&str> =
                value.as_object().into_iter().flatten().map(|(name, _)| &**name).collect();
            let members = if names.is_empty() { "no members".to_owned() } else { names.join(", ") };
            found.push(Err(LineError::Document(format!(
                "found nothing under {path:?}, expected a puzzle there; at the beginning of that path are {members}"
            ))));
        }
        found
    }
}

/// Adds the puzzles under the path `names` that begins at `value` or, if none does, deeper.
fn anywhere(value: &Json, names: &[&str], found: &mut Vec<Result<Found, LineError>>) {
    under(value, None, names, found);
    if !found.is_empty() {
        return;
    }
    match value {
        Json::Object(members) => members.values().for_each(|member| anywhere(member, names, found)),
        Json::Array(items) => items.iter().for_each(|item| anywhere(item, names, found)),
        _ => {}
    }
}

/// Adds the puzzles of `value` under the path `names`; `stated` is the solution beside it.
fn under(
    value: &Json,
    stated: Option<&Json>,
    names: &[&str],
    found: &mut Vec<Result<Found, LineError>>,
) {
    let Some((name, rest)) = names.split_first() else {
        let text = value.to_string();
        return match value {
            Json::Null => {}
            Json::Object(_) => found.push(object(text.as_bytes())),
            _ => {
                let puzzles = match value {
                    Json::Array(items) => puzzles_of(items),
                    value => puzzles_of(std::slice::from_ref(value)),
                };
                if puzzles.is_empty() {
                    let text: String = text.chars().take(60).collect();
                    let error = format!("found {text} under the path, expected a puzzle");
                    found.push(Err(LineError::Document(error)));
                }
                let is_one = puzzles.len() == 1;
                let stated = stated.filter(|_| is_one).map(text_of).unwrap_or_default();
                let with_stated = |puzzle: Found| Found { stated: stated.clone(), ..puzzle };
                found.extend(puzzles.into_iter().map(|puzzle| puzzle.map(with_stated)));
            }
        };
    };
    match value {
        Json::Object(members) => {
            if let Some(member) = members.get(*name) {
                under(member, members.get("solution"), rest, found);
            }
        }
        Json::Array(items) => match name.parse::<usize>().ok().and_then(|at| items.get(at)) {
            Some(item) => under(item, stated, rest, found),
            None => items.iter().for_each(|item| under(item, stated, names, found)),
        },
        _ => {}
    }
}

/// The text of a value: that of a string, or else as it is written.
fn text_of(value: &Json) -> Vec<u8> {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned).into_bytes()
}

impl Syntax for UnderPath {
    fn is_multi_line(&self, _: &[u8]) -> bool {
        true
    }

    fn first_record_length(&self, text: &[u8], input: Input) -> Option<usize> {
        let begin = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_open = matches!(text.get(begin), Some(b'{' | b'['));
        let end = if is_open { Brackets::default().end(&text[begin..]) } else { None };
        let blanks =
            |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_whitespace());
        match end.map(|end| begin + end) {
            Some(end) => Some(end + blanks(end).count()),
            None => (input == Input::HasEnded).then_some(text.len()),
        }
    }

    fn read_record(&self, text: &[u8], place: Range<usize>, table: &mut Table) -> usize {
        let next = place.end;
        let lines = text[place.clone()].iter().filter(|&&byte| byte == b'\n').count().max(1);
        let (record, source) = record_at(text, place);
        match serde_json::from_slice::<Json>(record) {
            Ok(value) => add_all(self.puzzles(&value), source, lines, table),
            Err(error) => {
                let line = error.line().saturating_sub(1);
                let error = LineError::Document(format!("expected a JSON document: {error}"));
                table.add_bad(source, lines, line, error);
            }
        }
        next
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        line.trim_ascii().is_empty()
    }

    fn write(&self, _: &Record, _: Style, _: &mut Vec<u8>) {
        unreachable!("documents are read and not written: their rows are lines")
    }
}
