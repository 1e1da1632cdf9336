//! What the columns of a row hold, for each puzzle.

use std::borrow::Cow;

use super::batch::{Puzzles, Solvers};
use super::columns::{Row, Value};
use super::ratings::mean_guesses;
use super::superfluous::{minimal, superfluous};
use super::{Cell, canonical};
use tallyboard_search::{Stop, Stopped};

/// What stands in a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content<'a> {
    Missing,
    Number(u128),
    Decimal(f64),
    Bool(bool),
    Text(Cow<'a, [u8]>),
}

impl Content<'_> {
    /// Appends the content as text.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Missing => {}
            &Self::Number(number) if number < 10 => out.push(b'0' + number as u8),
            &Self::Number(number) => {
                out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Self::Decimal(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::Bool(value) => out.extend_from_slice(value.to_string().as_bytes()),
            Self::Text(text) => out.extend_from_slice(text),
        }
    }
}

/// The contents of the columns of `row`: those of the first puzzle, then those of the second, and so on. Columns of counts
/// and solutions get [`Content::Missing`], because the table has these. Empty if `row` has no other columns.
pub(super) fn find(
    row: Row,
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    limit: u64,
    stop: &Stop,
) -> Result<Vec<Content<'static>>, Stopped> {
    if row.first_nine_only().is_none() {
        return Ok(Vec::new());
    }
    // Each list is empty unless a column needs it.
    let ratings =
        if row.has(Value::Method) { puzzles.rate(solvers, limit, stop)? } else { Vec::new() };
    // Guesses alone are cheaper than ratings, which spend most time on telling singles from locked candidates.
    let guesses = if row.has(Value::Guesses) && ratings.is_empty() {
        puzzles.guesses(solvers, limit, stop)?
    } else {
        ratings.iter().map(|rating| rating.guesses).collect()
    };
    let means = if row.has(Value::Rating) {
        mean_guesses(puzzles, solvers, limit, stop)?
    } else {
        Vec::new()
    };
    let superfluous_clues =
        if row.has(Value::Superfluous) { superfluous(puzzles, solvers, stop)? } else { Vec::new() };
    let is_minimal = if row.has(Value::Minimal) && superfluous_clues.is_empty() {
        minimal(puzzles, solvers, stop)?
    } else {
        superfluous_clues.iter().map(|&clues| clues == 0).collect()
    };
    let mut contents = Vec::with_capacity(puzzles.len() * row.columns.len());
    for puzzle in 0..puzzles.len() {
        stop.check()?;
        let grid = puzzles.puzzle(puzzle);
        contents.extend(row.columns.iter().map(|column| match column.value {
            Value::Count | Value::Solution => Content::Missing,
            Value::Clues => Content::Number(grid.clues() as u128),
            Value::Method => Content::Text(ratings[puzzle].technique.name().as_bytes().into()),
            Value::Guesses => Content::Number(guesses[puzzle].into()),
            Value::Rating => Content::Decimal(means[puzzle]),
            Value::Canonical => Content::Text(canonical(&grid).to_bytes().to_vec().into()),
            Value::Minimal => Content::Bool(is_minimal[puzzle]),
            Value::Superfluous => {
                Content::Text(cell_names(superfluous_clues[puzzle]).into_bytes().into())
            }
        }));
    }
    Ok(contents)
}

/// The names of a set of cells, a bit each, in reading order.
fn cell_names(cells: u128) -> String {
    let chosen = Cell::all().filter(|cell| cells >> cell.index() & 1 != 0);
    let names: Vec<String> = chosen.map(|cell| cell.to_string()).collect();
    names.join(" ")
}
