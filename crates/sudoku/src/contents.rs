//! The contents of the columns of a row, found puzzle by puzzle.

use std::borrow::Cow;

use super::batch::{Puzzles, Solvers};
use super::columns::{Row, Value};
use super::ratings::mean_guesses;
use super::superfluous::{minimal, superfluous};
use super::{Cell, canonical};
use search::{Stop, Stopped};

/// What stands in a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content<'a> {
    Missing,
    Number(u128),
    Decimal(f64),
    Truth(bool),
    Text(Cow<'a, [u8]>),
}

impl Content<'_> {
    /// Appends it as text.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Missing => {}
            &Self::Number(number) if number < 10 => out.push(b'0' + number as u8),
            &Self::Number(number) => {
                out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Self::Decimal(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::Truth(truth) => out.extend_from_slice(truth.to_string().as_bytes()),
            Self::Text(text) => out.extend_from_slice(text),
        }
    }
}

/// The contents of the columns of `row`, puzzle by puzzle. Counts and solutions are missing: the
/// table has them. Empty if `row` has no other columns.
pub(super) fn find(
    row: Row,
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    limit: u64,
    stop: &Stop,
) -> Result<Vec<Content<'static>>, Stopped> {
    if row.first_of_nine().is_none() {
        return Ok(Vec::new());
    }
    let ratings = match row.tells(Value::Method) {
        true => puzzles.rate(solvers, limit, stop)?,
        false => Vec::new(),
    };
    // Guesses alone are cheaper than ratings, which spend most time on telling singles from locked
    // candidates.
    let guesses = match row.tells(Value::Guesses) {
        true if ratings.is_empty() => puzzles.guesses(solvers, limit, stop)?,
        _ => ratings.iter().map(|rating| rating.guesses).collect(),
    };
    let means = match row.tells(Value::Rating) {
        true => mean_guesses(puzzles, solvers, limit, stop)?,
        false => Vec::new(),
    };
    let spare = match row.tells(Value::Superfluous) {
        true => superfluous(puzzles, solvers, stop)?,
        false => Vec::new(),
    };
    let is_minimal = match row.tells(Value::Minimal) {
        true if spare.is_empty() => minimal(puzzles, solvers, stop)?,
        _ => spare.iter().map(|&spare| spare == 0).collect(),
    };
    let mut cells = Vec::with_capacity(puzzles.len() * row.columns.len());
    for puzzle in 0..puzzles.len() {
        stop.check()?;
        let grid = puzzles.puzzle(puzzle);
        cells.extend(row.columns.iter().map(|column| match column.value {
            Value::Count | Value::Solution => Content::Missing,
            Value::Clues => Content::Number(grid.clues() as u128),
            Value::Method => Content::Text(ratings[puzzle].technique.name().as_bytes().into()),
            Value::Guesses => Content::Number(guesses[puzzle].into()),
            Value::Rating => Content::Decimal(means[puzzle]),
            Value::Canonical => Content::Text(canonical(&grid).to_bytes().to_vec().into()),
            Value::Minimal => Content::Truth(is_minimal[puzzle]),
            Value::Superfluous => Content::Text(names(spare[puzzle]).into_bytes().into()),
        }));
    }
    Ok(cells)
}

/// The names of cells, row by row.
fn names(cells: u128) -> String {
    let chosen = Cell::all().filter(|cell| cells >> cell.index() & 1 != 0);
    let names: Vec<String> = chosen.map(|cell| cell.to_string()).collect();
    names.join(" ")
}
