//! What a format does: cut text, read records, write rows.

use std::fmt;
use std::ops::Range;

use memchr::{memchr, memrchr};

use super::codec::Template;
use super::table::{Answered, Table};
use super::text::without_break;
use crate::sudoku::LineError;
use crate::sudoku::sized::Size;

/// One format: how text is split into records, and how records are written.
pub trait Syntax: fmt::Debug + Send + Sync {
    /// The length of the first record of `text`, its line break included; `None` if it may go on in
    /// text to come. `ended` says that there is none.
    fn extent(&self, text: &[u8], ended: bool) -> Option<usize> {
        memchr(b'\n', text).map(|end| end + 1).or(ended.then_some(text.len()))
    }

    /// Reads the record at `source`, which has no line break behind it, into `table`, and as many of
    /// those from `next` on as are alike; where they end.
    fn record(&self, text: &[u8], source: Range<usize>, next: usize, table: &mut Table) -> usize;

    /// Where the last whole record of `text` ends: the last line, if every line is one.
    fn cut(&self, text: &[u8]) -> usize {
        memrchr(b'\n', text).map_or(0, |end| end + 1)
    }

    /// [`cut`](Self::cut) where records may have several lines: found one after the other.
    fn cut_by_extents(&self, text: &[u8]) -> usize {
        let mut cut = 0;
        while let Some(length) = self.extent(&text[cut..], false) {
            cut += length;
        }
        cut
    }

    /// Reads a chunk of whole records into `table`.
    fn read(&self, text: &[u8], table: &mut Table) {
        let mut start = 0;
        while start < text.len() {
            let length = self.extent(&text[start..], true).expect("the text has ended");
            let record = without_break(&text[start..start + length]);
            start = self.record(text, start..start + record.len(), start + length, table);
        }
    }

    /// Whether records of `size` state solutions, if `first` is the first of them or the header.
    fn states_solutions(&self, _first: &[u8], _size: Size) -> bool {
        false
    }

    /// What is written before the first row.
    fn header(&self, _shown: Shown) -> Vec<u8> {
        Vec::new()
    }

    /// What the rows of a run are made of whose first record is `first` and has its puzzle at `at`;
    /// `None` if they are written one by one.
    fn template(&self, _first: &[u8], _at: usize, _shown: Shown) -> Option<Template> {
        None
    }

    /// Writes the row of a puzzle.
    fn write(&self, record: &Answered, shown: Shown, out: &mut Vec<u8>);

    /// Writes a comment or an empty line, where there is a place for it.
    fn keep(&self, line: &[u8], out: &mut Vec<u8>);

    /// Writes a record that is no puzzle, so that nothing is lost.
    fn bad(&self, source: &[u8], error: &LineError, shown: Shown, out: &mut Vec<u8>);
}

/// What is written for a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// `puzzle:count:solution`; the solution is empty if there is none.
    Solution,
    /// The bare solution; an empty line if there is none.
    SolutionOnly,
    /// `puzzle:count`.
    Count,
}

/// What rows show.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub row: Row,
    pub stats: bool,
    /// The records came in the format that rows are written in: these keep what they hold.
    pub own: bool,
}

/// The names of what is added to a puzzle; a record that came with them gets them anew.
pub const ADDED: [&str; 4] = ["count", "found", "method", "guesses"];

impl Shown {
    /// The names of what is added to a puzzle here.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let shown = [self.row != Row::SolutionOnly, self.row != Row::Count, self.stats, self.stats];
        ADDED.into_iter().zip(shown).filter_map(|(name, shown)| shown.then_some(name))
    }
}
