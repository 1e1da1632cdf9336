//! JSON lines: one object a line, its puzzle a string under `puzzle` or `quiz`.

use serde::Deserialize;

use super::record::{Batch, Kind, lines};
use crate::sudoku::{CELLS, LineError};

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow, alias = "quiz")]
    puzzle: &'a str,
    #[serde(borrow)]
    solution: Option<&'a str>,
}

/// Reads the objects of a block.
pub fn read<'a>(text: &'a [u8], batch: &mut Batch<'a>) {
    for line in lines(text) {
        batch.lines += 1;
        if line.trim_ascii().is_empty() || line[0] == b'#' {
            batch.push(line, Kind::Kept);
            continue;
        }
        match serde_json::from_slice::<Object>(line) {
            Ok(object) => {
                let stated = Some(object.solution.unwrap_or_default().as_bytes());
                batch.puzzle(line, object.puzzle.as_bytes(), stated);
            }
            Err(error) => batch.push(line, Kind::Bad(LineError::Json(error.to_string()))),
        }
    }
}

/// The object `source` with members added; members of those names are replaced.
///
/// The text before the closing brace is kept as it is unless a member has to go.
pub fn add_members(source: &[u8], members: &[(&str, serde_json::Value)], row: &mut Vec<u8>) {
    let parsed = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(source);
    let mut object = parsed.unwrap_or_default();
    let keep_text = !members.iter().any(|(name, _)| object.contains_key(*name));
    if keep_text && let Some(end) = source.iter().rposition(|&byte| byte == b'}') {
        row.extend_from_slice(source[..end].trim_ascii_end());
        for (name, value) in members {
            row.extend_from_slice(format!(",{name:?}:{value}").as_bytes());
        }
        row.push(b'}');
        return;
    }
    object.extend(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    row.extend_from_slice(serde_json::Value::Object(object).to_string().as_bytes());
}

/// A bad record as an object of its own, so that every line of the output is JSON.
pub fn bad_object(source: &[u8], error: &LineError) -> Vec<u8> {
    let source = String::from_utf8_lossy(source);
    serde_json::json!({ "bad": source, "error": error.to_string() }).to_string().into_bytes()
}

/// The object for a puzzle that came in another format.
pub fn puzzle_object(puzzle: &[u8]) -> Vec<u8> {
    let cells = &puzzle[..puzzle.len().min(CELLS)];
    serde_json::json!({ "puzzle": String::from_utf8_lossy(cells) }).to_string().into_bytes()
}
