//! The form of one stream: its formats, found from its first lines, at work on its chunks.

use std::sync::Arc;

use super::syntax::{Row, Shown, Syntax};
use super::table::Table;
use super::text::{lines, lines_of, without_break};
use super::{FormError, Format, Wanted, sniff};
use crate::cpu::Instructions;
use crate::sudoku::BadLine;
use crate::sudoku::sized::{Notation, Size};

/// How the text of one stream is read and written.
#[derive(Debug, Clone)]
pub struct Form {
    /// The formats of the input and the output.
    formats: [Format; 2],
    input: Arc<dyn Syntax>,
    output: Arc<dyn Syntax>,
    size: Size,
    notation: Option<Notation>,
    check: bool,
    stats: bool,
    /// The text up to the end of the header, which is no record.
    preamble: Vec<u8>,
}

impl Form {
    /// One 9 × 9 puzzle a line, in and out.
    pub fn lines() -> Self {
        let (format, size) = (Some(Format::Lines), Some(Size::Nine));
        Self::find(b"", &Wanted { format, size, ..Wanted::default() }).expect("lines of any text")
    }

    /// The form of an input that begins with `head`: uncompressed text up to the end of the first line
    /// that is neither empty nor a comment, or more.
    ///
    /// # Errors
    /// [`FormError`] if what is wanted does not fit what was found.
    pub fn find(head: &[u8], wanted: &Wanted) -> Result<Self, FormError> {
        sniff::text(head)?;
        let head = sniff::without_mark(head);
        let (before, first) = sniff::first_line(head);
        let format = match wanted.format {
            Some(format) => format,
            None => Format::find(first, wanted.size)?,
        };
        let formats = [format, wanted.output.unwrap_or(format)];
        let input = format.syntax(without_break(first))?;
        let output = match formats {
            [input, output] if input != output => output.syntax(b"puzzle")?,
            _ => Arc::clone(&input),
        };
        let header = if format == Format::Csv { before + first.len() } else { 0 };
        let (_, record) = sniff::first_line(&head[header..]);
        let (size, notation) = sniff::size(record, &*input, wanted.size);
        if size != Size::Nine {
            if let Some(&picture) = formats.iter().find(|format| format.is_picture()) {
                return Err(FormError::NoPicture(size, picture));
            }
            if wanted.stats {
                return Err(FormError::NoStats(size));
            }
        }
        if wanted.check && !input.states_solutions(without_break(first), size) {
            return Err(FormError::NothingToCheck(format));
        }
        let (preamble, Wanted { check, stats, .. }) = (head[..header].to_vec(), *wanted);
        Ok(Self { formats, input, output, size, notation, check, stats, preamble })
    }

    /// Whether this is what [`lines`](Self::lines) gives: any run of lines is a stream by itself.
    pub fn is_plain(&self) -> bool {
        self.formats == [Format::Lines; 2] && self.size == Size::Nine && !self.stats
    }

    /// Whether rows tell how their puzzles are solved.
    pub fn stats(&self) -> bool {
        self.stats
    }

    /// The size of the grids.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Where the last whole record of `text` ends; `text` begins with a record.
    pub fn last_cut(&self, text: &[u8]) -> usize {
        self.input.cut(text)
    }

    fn shown(&self, row: Row) -> Shown {
        let [input, output] = self.formats;
        Shown { row, stats: self.stats, own: input == output }
    }

    /// A table for the records of this form, read and written with these instructions.
    pub(in crate::sudoku) fn table(&self, instructions: Instructions) -> Table {
        Table::new(instructions, self.size, self.notation, self.check)
    }

    /// What is written before the first row: what stands before it in the input, and a header.
    pub(in crate::sudoku) fn begin(&self, row: Row) -> Vec<u8> {
        let mut begin = Vec::new();
        let mut lines: Vec<_> = lines(&self.preamble).collect();
        lines.pop();
        lines.iter().for_each(|line| self.output.keep(line, &mut begin));
        begin.extend(self.output.header(self.shown(row)));
        begin
    }

    /// The most bytes that may stand before the records: a byte order mark and the preamble.
    pub(in crate::sudoku) fn longest_head(&self) -> usize {
        sniff::MARK.len() + self.preamble.len()
    }

    /// `text`, the beginning of an input, without what stands before the records.
    pub(in crate::sudoku) fn behind_head<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        sniff::without_mark(text).get(self.preamble.len()..).unwrap_or_default()
    }

    /// The number of lines that are no records of the stream, but stand before them.
    pub(in crate::sudoku) fn lines_before(&self) -> u64 {
        lines_of(&self.preamble).count() as u64
    }

    /// Reads a chunk of whole records.
    pub(in crate::sudoku) fn read(&self, text: &[u8], table: &mut Table) {
        self.input.read(text, table);
    }

    /// Writes the rows of `text`, which was read into `table` and solved there. Gives the bad records,
    /// their lines numbered within the text, each with where its row begins.
    pub(in crate::sudoku) fn write(
        &self,
        text: &[u8],
        table: &Table,
        row: Row,
        rows: &mut Vec<u8>,
    ) -> Vec<(BadLine, usize)> {
        table.write(text, &*self.output, self.shown(row), rows)
    }
}
