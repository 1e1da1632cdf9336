//! Objects of a JSON document, each with the line at which it begins, so that errors can name it.

use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value};

use super::PointsError;

/// An object of a document.
pub(super) struct Entry<'a> {
    /// The line at which it begins, from 1.
    pub line: usize,
    /// The whole document.
    text: &'a str,
    /// The object's part of it.
    raw: &'a str,
    members: Map<String, Value>,
}

/// The first object of `text`. There may be others behind it.
pub(super) fn first_object(text: &str) -> Result<Entry<'_>, PointsError> {
    let first = all_objects(text.trim_start_matches('\u{feff}')).next();
    first.unwrap_or_else(|| Err(PointsError::of_file("found nothing, expected JSON")))
}

pub(super) fn all_objects(text: &str) -> impl Iterator<Item = Result<Entry<'_>, PointsError>> {
    Deserializer::from_str(text).into_iter::<&RawValue>().map(move |raw| match raw {
        Ok(raw) => Entry::of(text, raw.get()),
        Err(error) => Err(syntax_error(1, &error)),
    })
}

/// An error of the parser in a part of the document that begins at `first_line`.
fn syntax_error(first_line: usize, error: &serde_json::Error) -> PointsError {
    let text = error.to_string();
    // The parser ends its message with a place, which is relative to the part.
    let message = text.split(" at line ").next().unwrap_or(&text);
    let message = format!("found no JSON ({message}), expected the whole file that the tool wrote");
    PointsError::at(first_line + error.line().max(1) - 1, message)
}

impl<'a> Entry<'a> {
    /// The object `raw`, which is a part of `text`.
    fn of(text: &'a str, raw: &'a str) -> Result<Self, PointsError> {
        // `raw` lies in `text`, so the distance of their addresses is an index.
        let offset = raw.as_ptr() as usize - text.as_ptr() as usize;
        let line = 1 + text[..offset].bytes().filter(|&byte| byte == b'\n').count();
        let members = serde_json::from_str(raw).map_err(|_| {
            let start: String = raw.chars().take(20).collect();
            PointsError::at(line, format!("found {start}, expected an object in braces"))
        })?;
        Ok(Self { line, text, raw, members })
    }

    /// Whether there is a member `key`, even if it is null.
    pub fn has(&self, key: &str) -> bool {
        self.members.contains_key(key)
    }

    /// The names of all members.
    pub fn keys(&self) -> String {
        let keys: Vec<String> = self.members.keys().map(|key| format!("`{key}`")).collect();
        if keys.is_empty() { "no members".to_owned() } else { keys.join(", ") }
    }

    /// The value of the member `key`; `None` if it is null.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    /// The text at `key`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The number at `key`.
    pub fn number(&self, key: &str) -> Result<f64, PointsError> {
        self.get(key).and_then(Value::as_f64).ok_or_else(|| self.wrong(key, "a number"))
    }

    /// The numbers at `key`; `None` if there is no such member.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, PointsError> {
        let Some(list) = self.get(key) else { return Ok(None) };
        let numbers = list.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        numbers.map(Some).ok_or_else(|| self.wrong(key, "a list of numbers"))
    }

    /// The objects of the list at `key`, with their lines.
    pub fn entries(&self, key: &str) -> Result<Vec<Entry<'a>>, PointsError> {
        let members: std::collections::BTreeMap<String, &'a RawValue> =
            serde_json::from_str(self.raw).map_err(|error| syntax_error(self.line, &error))?;
        let list = members.get(key).ok_or_else(|| self.wrong(key, "a list"))?;
        let list: Vec<&'a RawValue> =
            serde_json::from_str(list.get()).map_err(|_| self.wrong(key, "a list"))?;
        list.into_iter().map(|raw| Entry::of(self.text, raw.get())).collect()
    }

    /// The error that the member `key` is not what was `expected`.
    pub fn wrong(&self, key: &str, expected: &str) -> PointsError {
        let found = match self.get(key) {
            Some(value) => {
                let value: String = value.to_string().chars().take(40).collect();
                format!("found {value} as `{key}`, expected {expected}")
            }
            None => format!("found no `{key}` among {}, expected {expected}", self.keys()),
        };
        PointsError::at(self.line, found)
    }
}
