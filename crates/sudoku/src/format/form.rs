//! The form of one stream: the formats of its input and output, the size of its grids, its columns.

use std::sync::Arc;

use super::csv::{self, Csv};
use super::jsonl::{self, Jsonl};
use super::lines::Lines;
use super::options::{FormError, FormOptions, Format};
use super::picture::{self, GridPicture};
use super::sniff::{self, InputStart};
use super::syntax::{Style, Syntax};
use super::table::{PuzzleRows, Record, Table};
use super::text::{is_between, lines, lines_of, without_break};
use crate::BadLine;
use crate::columns::{Row, RowUnit};
use crate::sized::{Notation, Size};
use base::cpu::Instructions;
use search::Stopped;

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
    /// The names of the input's columns, if it has any.
    columns: Vec<String>,
    /// Whether the rows of another input come first, under the same header.
    follows: bool,
    /// The text before the first record, a header included.
    preamble: Vec<u8>,
}

impl Form {
    /// One 9 × 9 puzzle a line, in and out.
    pub fn lines() -> Self {
        let (format, size) = (Some(Format::Lines), Some(Size::Nine));
        Self::find(b"", &FormOptions { format, size, ..FormOptions::default() })
            .expect("lines of any text")
    }

    /// The form of an input that begins with `head`: uncompressed text, at least up to the end of the first line that
    /// is neither empty nor a comment.
    ///
    /// # Errors
    /// [`FormError`] if what is wanted does not fit what was found.
    pub fn find(head: &[u8], wanted: &FormOptions) -> Result<Self, FormError> {
        sniff::refuse_utf16(head)?;
        sniff::refuse_table_files(head)?;
        let head = sniff::without_byte_order_mark(head);
        let column = wanted.column.as_deref();
        let is_header = |line: &[u8]| Csv::of(line, column).is_some();
        let InputStart { before, first, title } = sniff::opening(head, is_header);
        let format = match wanted.format {
            Some(format) => format,
            None => find_format(first, title, wanted)?,
        };
        let formats = [format, wanted.output.unwrap_or(format)];
        let (input, columns) = input_syntax(formats, first, title, column)?;
        let output = match formats {
            [from, to] if from == to => Arc::clone(&input),
            [_, to] => output_syntax(to, input.names(), column),
        };
        let header = match format {
            Format::Csv => before + first.len(),
            _ if title.is_some() => before,
            _ => 0,
        };
        let is_record = |line: &[u8]| !input.is_between(without_break(line));
        let (_, record) = sniff::first_that(&head[header..], is_record);
        let (size, notation) = sniff::size(record, &*input, wanted.size);
        if size != Size::Nine
            && let Some(&format) = formats.iter().find(|format| format.is_multi_line())
        {
            return Err(FormError::LinesOnly(size, format));
        }
        if wanted.check && !input.states_solutions(without_break(first), size) {
            return Err(FormError::NothingToCheck(format));
        }
        let (preamble, check) = (head[..header].to_vec(), wanted.check);
        Ok(Self {
            formats,
            input,
            output,
            size,
            notation,
            check,
            columns,
            follows: false,
            preamble,
        })
    }

    /// Appends rows of this form to those of `first`, without another header.
    ///
    /// # Errors
    /// [`FormError::OtherColumns`] if the columns differ.
    pub fn follow(&mut self, first: &Self) -> Result<(), FormError> {
        let [header, expected] = [&*self, first].map(|form| {
            let header = form.output.header(form.style(Row::SOLUTION));
            String::from_utf8_lossy(&header).trim().to_owned()
        });
        if header != expected {
            return Err(FormError::OtherColumns { header, expected });
        }
        self.follows = true;
        Ok(())
    }

    /// Whether a puzzle of the input takes several lines.
    pub fn is_multi_line(&self) -> bool {
        self.formats[0].is_multi_line()
    }

    /// Whether this is [`lines`](Self::lines). Then any piece of whole lines is a stream by itself.
    pub fn is_plain(&self) -> bool {
        let is_lines = self.formats == [Format::Lines; 2] && self.preamble.is_empty();
        is_lines && self.size == Size::Nine
    }

    /// Whether puzzles are compared with the solutions that the input states.
    pub fn is_checked(&self) -> bool {
        self.check
    }

    /// The size of the grids.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Where the last whole record of `text` ends; `text` begins with a record.
    pub fn last_cut(&self, text: &[u8]) -> usize {
        self.input.cut(text)
    }

    fn style<'a>(&'a self, row: Row<'a>) -> Style<'a> {
        let [input, output] = self.formats;
        Style { row, from: (input != output).then_some(&*self.input) }
    }

    /// Whether these grids have the columns of `row`.
    ///
    /// # Errors
    /// [`FormError::NoColumnOf`] if one of them is of 9 × 9 grids only, [`FormError::NineOnly`] if several rows
    /// are.
    pub fn allow(&self, row: Row) -> Result<(), FormError> {
        match row.first_of_nine() {
            _ if self.size == Size::Nine => Ok(()),
            Some(column) => Err(FormError::NoColumnOf(column.name, self.size)),
            None if row.each != RowUnit::Puzzle => Err(FormError::NineOnly(self.size)),
            None => Ok(()),
        }
    }

    /// The columns of the input that rows replace, because the run writes columns of these names.
    pub fn replaced(&self, row: Row) -> Vec<&'static str> {
        let is_there =
            |name: &&str| self.columns.iter().any(|it| it.trim().eq_ignore_ascii_case(name));
        row.names().filter(is_there).collect()
    }

    /// The titles before the first record, with the numbers of their lines. They are kept as
    /// comments.
    pub fn titles(&self) -> impl Iterator<Item = (u64, String)> {
        let header = usize::from(self.formats[0] == Format::Csv);
        let count = lines(&self.preamble).count() - header.min(lines(&self.preamble).count());
        (1..)
            .zip(lines(&self.preamble).take(count))
            .filter(|(_, line)| !is_between(line))
            .map(|(number, line)| (number, String::from_utf8_lossy(line.trim_ascii()).into_owned()))
    }

    /// A table for the records of this form, read and written with these instructions.
    pub(crate) fn table(&self, instructions: Instructions) -> Table {
        Table::new(instructions, self.size, self.notation, self.check)
    }

    /// The text before the first row: the text before the first record, and a header.
    pub(crate) fn begin(&self, row: Row) -> Vec<u8> {
        let mut begin = Vec::new();
        let mut lines: Vec<_> = lines(&self.preamble).collect();
        if self.formats[0] == Format::Csv {
            lines.pop();
        }
        lines.iter().for_each(|line| self.output.keep(line, &mut begin));
        if !self.follows {
            begin.extend(self.output.header(self.style(row)));
        }
        begin
    }

    /// The most bytes that may stand before the records: a byte order mark and the preamble.
    pub(crate) fn longest_head(&self) -> usize {
        sniff::BYTE_ORDER_MARK.len() + self.preamble.len()
    }

    /// `text`, the beginning of an input, from its first record on.
    pub(crate) fn without_head<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        sniff::without_byte_order_mark(text).get(self.preamble.len()..).unwrap_or_default()
    }

    /// The number of lines before the first record.
    pub(crate) fn lines_before(&self) -> u64 {
        lines_of(&self.preamble).count() as u64
    }

    /// Reads a chunk of whole records.
    pub(crate) fn read(&self, text: &[u8], table: &mut Table) {
        self.input.read(text, table);
    }

    /// Writes the rows of `text`, which was read into `table` and solved there. Returns the bad
    /// records, with their lines within the text, and where the row of each begins.
    pub(crate) fn write(
        &self,
        text: &[u8],
        table: &Table,
        row: Row,
        rows: &mut Vec<u8>,
    ) -> Vec<(BadLine, usize)> {
        let (output, style) = (&*self.output, self.style(row));
        let mut write = |_: usize, record: &Record, rows: &mut Vec<u8>, _: &mut Vec<_>| {
            output.write(record, style, rows);
            Ok(())
        };
        table.write(text, output, style, rows, &mut write).expect("nobody stops this")
    }

    /// As [`write`](Self::write), where puzzles may have any number of rows, which `several` writes.
    pub(crate) fn write_several(
        &self,
        text: &[u8],
        table: &Table,
        row: Row,
        rows: &mut Vec<u8>,
        several: &mut PuzzleRows,
    ) -> Result<Vec<(BadLine, usize)>, Stopped> {
        let (output, style) = (&*self.output, self.style(row));
        let mut write = |puzzle, record: &Record, rows: &mut Vec<u8>, bad: &mut Vec<_>| {
            let grid = table.nine.puzzle(puzzle);
            several.write(&grid, record, (&*self.input, output, style), rows, bad)
        };
        table.write(text, output, style, rows, &mut write)
    }
}

/// The syntax of an input whose first record or header is `first`, and the names of its columns. JSON lines
/// that are written as CSV have the columns of the first one.
fn input_syntax(
    [format, output]: [Format; 2],
    first: &[u8],
    title: Option<&[u8]>,
    column: Option<&str>,
) -> Result<(Arc<dyn Syntax>, Vec<String>), FormError> {
    Ok(match format {
        Format::Csv => {
            let csv = Csv::of(without_break(first), column);
            let csv = csv.ok_or_else(|| no_column(title.unwrap_or(first), column))?;
            let names = csv.names().to_vec();
            (Arc::new(csv), names)
        }
        Format::Jsonl => {
            let mut jsonl = Jsonl { wanted: column.map(str::to_owned), names: Vec::new() };
            let names = jsonl.names_of(first).unwrap_or_default();
            if output == Format::Csv {
                let puzzle = || vec![column.unwrap_or("puzzle").to_owned()];
                jsonl.names = if names.is_empty() { puzzle() } else { names.clone() };
            }
            (Arc::new(jsonl), names)
        }
        other => (output_syntax(other, &[], None), Vec::new()),
    })
}

/// The format of an input with this first record or header: the first below that fits, or else lines.
fn find_format(
    first: &[u8],
    title: Option<&[u8]>,
    wanted: &FormOptions,
) -> Result<Format, FormError> {
    let first = first.trim_ascii();
    let column = wanted.column.as_deref();
    Ok(match first {
        [b'{', ..] => Format::Jsonl,
        _ if jsonl::is_array(first) => return Err(FormError::Array),
        _ if Csv::of(first, column).is_some() => Format::Csv,
        _ if column.is_some() => return Err(no_column(title.unwrap_or(first), column)),
        _ if wanted.size.is_none_or(|it| it == Size::Nine) && picture::begins(first) => {
            Format::Grid
        }
        _ if title.is_some_and(|title| csv::may_be_header(title, first)) => {
            return Err(no_column(title.unwrap_or_default(), None));
        }
        _ => Format::Lines,
    })
}

/// The syntax for output with columns of these names, if the format has columns; `column` is
/// the name of the puzzle's, if that is given.
fn output_syntax(format: Format, names: &[String], column: Option<&str>) -> Arc<dyn Syntax> {
    let puzzle = || Csv::of(b"puzzle", None);
    match format {
        Format::Lines => Arc::new(Lines),
        Format::Csv => {
            Arc::new(Csv::with(names, column).or_else(puzzle).expect("a column of puzzles"))
        }
        Format::Sdk => Arc::new(GridPicture { has_frames: false }),
        Format::Grid => Arc::new(GridPicture { has_frames: true }),
        Format::Jsonl => Arc::new(Jsonl::default()),
    }
}

fn no_column(header: &[u8], column: Option<&str>) -> FormError {
    let header = String::from_utf8_lossy(&header[..header.len().min(100)]).trim().to_owned();
    match column {
        Some(name) => FormError::NoColumn { header, name: name.to_owned() },
        None => FormError::NoPuzzleColumn(header),
    }
}
