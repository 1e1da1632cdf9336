//! An input that is a single puzzle, for counts that use every core for it.

use super::{Form, Table};
use crate::sudoku::Grid;
use crate::sudoku::block::Kernel;
use crate::sudoku::sized::SizedGrid;
use crate::sudoku::stream::Row;

/// A text that holds a single 9 × 9 puzzle and otherwise at most comments.
pub struct Single {
    form: Form,
    text: Vec<u8>,
    table: Table,
    grid: Grid,
}

impl Single {
    /// What `text`, the whole input of a stream in `form`, holds, if it is a single puzzle.
    pub fn find(form: &Form, text: &[u8]) -> Option<Self> {
        let text = form.behind_head(text).to_vec();
        let mut table = form.table(Kernel::best());
        form.read(&text, &mut table);
        table.only_puzzle().map(|grid| Self { form: form.clone(), text, table, grid })
    }

    /// The single puzzle of `text` if it is of another size than 9 × 9.
    pub fn find_sized(form: &Form, text: &[u8]) -> Option<SizedGrid> {
        let mut table = form.table(Kernel::Portable);
        form.read(form.behind_head(text), &mut table);
        table.only_sized().cloned()
    }

    /// Whether an input that begins with `text` holds more than a single puzzle.
    pub fn is_exceeded(form: &Form, text: &[u8]) -> bool {
        let records = form.behind_head(text);
        let mut table = form.table(Kernel::best());
        form.read(&records[..form.last_cut(records)], &mut table);
        !table.is_empty() && table.only_puzzle().is_none()
    }

    /// The puzzle.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What a stream would write for the text, whose puzzle has `count` solutions.
    pub fn rows(mut self, count: u128) -> Vec<u8> {
        let mut rows = self.form.begin(Row::Count);
        // Nobody stops this.
        let _ = self.table.solve_each(|_| Ok((count, None)));
        self.form.write(&self.text, &self.table, Row::Count, &mut rows);
        rows
    }
}
