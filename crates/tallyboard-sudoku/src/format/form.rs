//! The form of one stream: the formats of its input and output, the size of its grids, its columns.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::csv::{self, Csv};
use super::jsonl::{self, Jsonl};
use super::lines::Lines;
use super::options::{FormError, FormOptions, Format};
use super::picture::{self, GridPicture};
use super::sniff::{self, Opening};
use super::syntax::{Style, Syntax};
use super::table::{RowOptions, RowWriter, Rows, Table};
use super::text::{is_comment, lines, lines_with_breaks, without_break};
use crate::columns::{Row, RowUnit};
use crate::sized::{Notation, Size};
use tallyboard_base::cpu::Instructions;
use tallyboard_search::Stopped;

/// How the text of one stream is read and written: the [`Format`] of its input and that of its output, and what both need to
/// know of the input's beginning.
#[derive(Debug, Clone)]
pub struct Form {
    input_format: Format,
    output_format: Format,
    input: Arc<dyn Syntax>,
    output: Arc<dyn Syntax>,
    size: Size,
    notation: Option<Notation>,
    check: bool,
    /// Whether the header is left out, because the rows of another input come first, under the same header.
    skip_header: bool,
    /// The text before the first record, a header included.
    preamble: Vec<u8>,
}

impl Form {
    /// One 9 × 9 puzzle a line, in and out.
    pub fn lines() -> Self {
        let format = Some(Format::Lines);
        let wanted = FormOptions { format, size: Some(Size::Nine), ..FormOptions::default() };
        Self::find(b"", &wanted).expect("lines of any text")
    }

    /// The form of an input that begins with `head`: uncompressed text, at least up to the end of the first line that
    /// is neither empty nor a comment.
    ///
    /// # Errors
    /// [`FormError`] if what is wanted does not fit what was found.
    pub fn find(head: &[u8], wanted: &FormOptions) -> Result<Self, FormError> {
        sniff::refuse_other_files(head)?;
        let head = sniff::without_byte_order_mark(head);
        let column = wanted.column.as_deref();
        let opening = Opening::find(head, column);
        let Opening { bytes_before, first_line, title, .. } = opening;
        let input_format = match wanted.format {
            Some(format) => format,
            None => find_format(&opening, wanted)?,
        };
        let output_format = wanted.output.unwrap_or(input_format);
        let has_fixed_columns = output_format == Format::Csv;
        let input = input_syntax(input_format, opening, column, has_fixed_columns)?;
        let output = if output_format == input_format {
            Arc::clone(&input)
        } else {
            output_syntax(output_format, input.column_names(), column)
        };
        let preamble_length = match input_format {
            // The first line is the header.
            Format::Csv => bytes_before + first_line.len(),
            _ if title.is_some() => bytes_before,
            // Only comments and empty lines come first. They are read with the records, as those between records are.
            _ => 0,
        };
        let (preamble, records) = head.split_at(preamble_length);
        let record = lines_with_breaks(records).find(|line| !input.is_comment(without_break(line)));
        let (size, notation) = sniff::size(record.unwrap_or_default(), &*input, wanted.size);
        let formats = [input_format, output_format];
        if size != Size::Nine
            && let Some(&format) = formats.iter().find(|format| format.is_multi_line())
        {
            return Err(FormError::LinesOnly(size, format));
        }
        if wanted.check && !input.states_solutions(without_break(first_line), size) {
            return Err(FormError::NothingToCheck(input_format));
        }
        Ok(Self {
            input_format,
            output_format,
            input,
            output,
            size,
            notation,
            check: wanted.check,
            skip_header: false,
            preamble: preamble.to_vec(),
        })
    }

    /// Leaves the header out, because the rows follow those of `first`, which have the same header.
    ///
    /// # Errors
    /// [`FormError::OtherColumns`] if the headers differ.
    pub fn drop_repeated_header(&mut self, first: &Self) -> Result<(), FormError> {
        let header = self.header_text();
        let expected = first.header_text();
        if header != expected {
            return Err(FormError::OtherColumns { header, expected });
        }
        self.skip_header = true;
        Ok(())
    }

    /// The header of rows with solutions.
    fn header_text(&self) -> String {
        let header = self.output.header(self.style(Row::SOLUTION));
        String::from_utf8_lossy(&header).trim().to_owned()
    }

    /// Whether a puzzle of the input takes several lines.
    pub fn is_multi_line(&self) -> bool {
        self.input_format.is_multi_line()
    }

    /// Whether this is [`lines`](Self::lines). Then any piece of whole lines is a stream by itself.
    pub fn is_plain(&self) -> bool {
        let is_lines = [self.input_format, self.output_format] == [Format::Lines; 2];
        is_lines && self.preamble.is_empty() && self.size == Size::Nine
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
    pub fn last_end(&self, text: &[u8]) -> usize {
        self.input.last_end(text)
    }

    /// How `row` is written: from the text of its record, or anew if input and output have different formats.
    fn style<'a>(&'a self, row: Row<'a>) -> Style<'a> {
        let is_foreign = self.input_format != self.output_format;
        Style { row, foreign_input: is_foreign.then_some(&*self.input) }
    }

    /// Whether these grids have the columns of `row`.
    ///
    /// # Errors
    /// [`FormError::NoColumnOf`] if one of them is of 9 × 9 grids only, [`FormError::NineOnly`] if several rows are.
    pub fn check_columns(&self, row: Row) -> Result<(), FormError> {
        if self.size == Size::Nine {
            return Ok(());
        }
        match row.first_nine_only() {
            Some(column) => Err(FormError::NoColumnOf(column.name, self.size)),
            None if row.unit != RowUnit::Puzzle => Err(FormError::NineOnly(self.size)),
            None => Ok(()),
        }
    }

    /// The columns of the input that rows replace, because the run writes columns of these names.
    pub fn replaced(&self, row: Row) -> Vec<&'static str> {
        let has = |name: &&str| {
            self.input.column_names().iter().any(|found| found.trim().eq_ignore_ascii_case(name))
        };
        row.names().filter(has).collect()
    }

    /// The lines before the first record and its header.
    fn lines_before_header(&self) -> impl Iterator<Item = &[u8]> {
        let has_header = self.input_format == Format::Csv;
        let count = self.lines_before() as usize;
        lines(&self.preamble).take(count.saturating_sub(has_header.into()))
    }

    /// The titles before the first record, with the numbers of their lines. They are kept as comments.
    pub fn titles(&self) -> impl Iterator<Item = (u64, String)> {
        (1..)
            .zip(self.lines_before_header())
            .filter(|(_, line)| !is_comment(line))
            .map(|(number, line)| (number, String::from_utf8_lossy(line.trim_ascii()).into_owned()))
    }

    pub(crate) fn table(&self, instructions: Instructions) -> Table {
        Table::new(instructions, self.size, self.notation, self.check)
    }

    /// The text before the first row: the text before the first record, and a header.
    pub(crate) fn begin(&self, row: Row) -> Vec<u8> {
        let mut begin = Vec::new();
        self.lines_before_header().for_each(|line| self.output.write_comment(line, &mut begin));
        if !self.skip_header {
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

    pub(crate) fn lines_before(&self) -> u64 {
        lines_with_breaks(&self.preamble).count() as u64
    }

    pub(crate) fn read(&self, text: &[u8], table: &mut Table) {
        self.input.read(text, table);
    }

    /// Writes the rows of `text`, which was read into `table` and solved there. Where puzzles have several rows,
    /// `pass_on` takes the rows written so far once they are long.
    pub(crate) fn write(
        &self,
        text: &[u8],
        table: &Table,
        options: RowOptions,
        rows: &mut Rows,
        pass_on: &mut dyn FnMut(Rows) -> ControlFlow<()>,
    ) -> Result<(), Stopped> {
        let style = self.style(options.row);
        let input = &*self.input;
        let output = &*self.output;
        RowWriter { table, input, output, style, options, rows, pass_on }.write(text)
    }
}

/// The format of an input that begins so: the first below that fits, or else lines.
fn find_format(opening: &Opening, wanted: &FormOptions) -> Result<Format, FormError> {
    let first_line = opening.first_line.trim_ascii();
    let column = wanted.column.as_deref();
    Ok(match first_line {
        [b'{', ..] => Format::Jsonl,
        _ if jsonl::is_array(first_line) => return Err(FormError::Array),
        _ if opening.header.is_some() => Format::Csv,
        _ if column.is_some() => return Err(no_column(opening, column)),
        _ if wanted.size.is_none_or(|size| size == Size::Nine) && picture::begins(first_line) => {
            Format::Grid
        }
        _ if opening.title.is_some_and(|title| csv::may_be_header(title, first_line)) => {
            return Err(no_column(opening, None));
        }
        _ => Format::Lines,
    })
}

/// The syntax of an input in `format` that begins with `opening`; `column` is the name of the puzzles' column, if that is given.
/// `has_fixed_columns` tells whether all rows of the output have the same columns: then JSON lines have the members of the first
/// record.
fn input_syntax(
    format: Format,
    opening: Opening,
    column: Option<&str>,
    has_fixed_columns: bool,
) -> Result<Arc<dyn Syntax>, FormError> {
    match format {
        Format::Csv => match opening.header {
            Some(csv) => Ok(Arc::new(csv)),
            None => Err(no_column(&opening, column)),
        },
        Format::Jsonl => Ok(Arc::new(Jsonl::of(opening.first_line, column, has_fixed_columns))),
        Format::Lines | Format::Sdk | Format::Grid => Ok(output_syntax(format, &[], None)),
    }
}

/// The syntax for output with columns of these names, if the format has columns; `column` is
/// the name of the puzzle's, if that is given.
fn output_syntax(format: Format, names: &[String], column: Option<&str>) -> Arc<dyn Syntax> {
    match format {
        Format::Lines => Arc::new(Lines),
        Format::Csv => Arc::new(Csv::with_columns(names, column)),
        Format::Sdk => Arc::new(GridPicture { has_frames: false }),
        Format::Grid => Arc::new(GridPicture { has_frames: true }),
        Format::Jsonl => Arc::new(Jsonl::default()),
    }
}

/// The error of an input without a column of puzzles.
fn no_column(opening: &Opening, column: Option<&str>) -> FormError {
    let header = opening.title.unwrap_or(opening.first_line);
    let header = String::from_utf8_lossy(&header[..header.len().min(100)]).trim().to_owned();
    match column {
        Some(name) => FormError::NoColumn { header, name: name.to_owned() },
        None => FormError::NoPuzzleColumn(header),
    }
}
