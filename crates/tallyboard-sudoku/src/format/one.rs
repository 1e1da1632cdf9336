//! An input that is a single puzzle, for counts that use every core for it.

use std::ops::ControlFlow;

use super::form::Form;
use super::table::{RowOptions, Rows, Table};
use crate::Grid;
use crate::columns::Row;
use crate::error::BadLine;
use crate::sized::Puzzle;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::Stop;

/// A text that holds a single puzzle and otherwise at most comments.
pub struct OnePuzzle {
    form: Form,
    text: Vec<u8>,
    table: Table,
    puzzle: Puzzle,
}

impl OnePuzzle {
    /// The puzzle of `text`, the whole input of a stream in `form`, if that holds a single one.
    pub fn find(form: &Form, text: &[u8]) -> Option<Self> {
        let text = form.without_head(text).to_vec();
        let table = read_table(form, &text);
        let puzzle = table.only_puzzle()?;
        Some(Self { form: form.clone(), text, table, puzzle })
    }

    /// Whether an input that begins with `text` holds more than a single puzzle.
    pub fn is_exceeded(form: &Form, text: &[u8]) -> bool {
        let records = form.without_head(text);
        let table = read_table(form, &records[..form.last_end(records)]);
        !table.is_empty() && table.only_puzzle().is_none()
    }

    /// The first line of `text` that is no puzzle, and why.
    pub fn first_bad(form: &Form, text: &[u8]) -> Option<BadLine> {
        let table = read_table(form, form.without_head(text));
        let (line, error) = table.first_bad()?;
        Some(BadLine { line: form.lines_before() + line, error: error.clone() })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The puzzle if it is a 9 × 9 one.
    pub fn nine(&self) -> Option<&Grid> {
        match &self.puzzle {
            Puzzle::Nine(grid) => Some(grid),
            Puzzle::Sized(_) => None,
        }
    }

    /// The rows that a stream would write for the text if its puzzle has `count` solutions.
    pub fn rows(mut self, count: u128) -> Vec<u8> {
        self.table.answer_only(count);
        let text = self.form.begin(Row::COUNT);
        let mut rows = Rows { text, ..Rows::default() };
        let options = RowOptions { row: Row::COUNT, limit: 2, stop: &Stop::new() };
        let pass_on = &mut |_| ControlFlow::Continue(());
        let written = self.form.write(&self.text, &self.table, options, &mut rows, pass_on);
        written.expect("nobody raises this flag");
        rows.text
    }
}

/// The table of the records of a text, unsolved.
fn read_table(form: &Form, records: &[u8]) -> Table {
    let mut table = form.table(Instructions::best());
    form.read(records, &mut table);
    table
}
