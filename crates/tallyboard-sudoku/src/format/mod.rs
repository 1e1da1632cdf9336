//! The formats of sudokus: how a stream's text is cut, read and written.
//!
//! A format is a type with the trait `Syntax`. It finds where records end, by which the input is cut into chunks; it
//! reads the records of a chunk into a `Table`, which any solver answers; and it writes the rows of a table that was
//! read in any format. What a stream begins with is read once, by `Opening` (`sniff.rs`); the `Form` of a stream
//! follows from that and from what the caller wants.

mod csv;
mod jsonl;
mod lines;
mod picture;
mod sniff;
mod syntax;
mod table;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::Grid;
pub use crate::columns::{Column, RecordPart, Row, RowUnit, Value};
use crate::many::BadLine;
use crate::sized::{Notation, Puzzle, Size};
use csv::Csv;
use jsonl::Jsonl;
use lines::Lines;
use picture::GridPicture;
use sniff::Opening;
pub use sniff::sniff;
use syntax::{Style, Syntax, is_comment, lines, lines_with_breaks, without_break};
use table::RowWriter;
pub(super) use table::{RowOptions, Rows, Table};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::named::named;
use tallyboard_search::{Stop, Stopped};

// The form of one stream: the formats of its input and output, the size of its grids, its columns.

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

// What a caller may want of a stream, and why an input cannot be read so.

/// A way to write sudokus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One puzzle a line: its cells, then any text after a separator.
    Lines,
    /// Columns under a header, one of which is called `puzzle`, `quiz`, `sudoku` or `question`.
    Csv,
    /// Nine lines of nine cells, written without frames.
    Sdk,
    /// Nine lines of nine cells in frames of `|`, `-` and `+`; the frames are optional when read.
    Grid,
    /// One JSON object a line, with a string under one of these names.
    Jsonl,
}

named! {
    /// Every format, in the order in which help texts list them.
    Format { Lines = "lines", Csv = "csv", Sdk = "sdk", Grid = "grid", Jsonl = "jsonl" }
}

impl Format {
    /// Whether a puzzle takes several lines. Only 9 × 9 grids are written so.
    pub(super) fn is_multi_line(self) -> bool {
        matches!(self, Self::Sdk | Self::Grid)
    }
}

/// The form that the caller wants for a stream. Whatever is `None` follows from the input's first lines.
#[derive(Debug, Default, Clone)]
pub struct FormOptions {
    /// The format of the input.
    pub format: Option<Format>,
    /// The format of the output; that of the input by default.
    pub output: Option<Format>,
    /// The size of the grids.
    pub size: Option<Size>,
    /// The name of the column that holds the puzzles; by default `puzzle`, `quiz`, `sudoku`, `question` or
    /// the plural of one of these, the first of them that is there.
    pub column: Option<String>,
    /// Compare with the solutions that the input states.
    pub check: bool,
}

/// Why an input cannot be read, or not as wanted.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The first line of a CSV file, this one, names no puzzle column.
    #[error(
        "the header {0:?} names no puzzle column, expected one called puzzle, quiz, sudoku or question; \
         --column takes another name"
    )]
    NoPuzzleColumn(String),
    /// The first line of an input has no column of the name that was asked for.
    #[error(
        "found no column {name:?} in {header:?}, expected its name in the header of a CSV file or in JSON lines"
    )]
    NoColumn {
        /// The first line.
        header: String,
        /// What was asked for.
        name: String,
    },
    /// Rows of another input have other columns.
    #[error(
        "found rows with the columns {header:?}, expected those of the first file, {expected:?}"
    )]
    OtherColumns {
        /// The header of these rows.
        header: String,
        /// The header that is written already.
        expected: String,
    },
    /// A check was asked for where nothing states solutions.
    #[error(
        "nothing to check: {0} input states no solutions, expected puzzle,solution in each line, or a CSV \
         file or JSON lines with a column solution, answer or found"
    )]
    NothingToCheck(Format),
    /// Only 9 × 9 grids have this column.
    #[error("the column {0} is one of 9 × 9 grids; found {1}")]
    NoColumnOf(&'static str, Size),
    /// Only 9 × 9 grids have several rows.
    #[error("expected 9 × 9 grids, found {0}")]
    NineOnly(Size),
    /// Grids of this size are written in one line each; the format takes several.
    #[error("{0} grids are read and written as lines, csv or jsonl; found format {1}")]
    LinesOnly(Size, Format),
    /// A JSON array.
    #[error("found a JSON array, expected one object a line; try jq -c '.[]'")]
    Array,
    /// Text in another encoding, or no text.
    #[error("found {0}, expected UTF-8 text; {1}")]
    NoText(&'static str, &'static str),
}

// An input that is a single puzzle, for counts that use every core for it.

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
