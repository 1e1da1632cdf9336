//! The formats of sudokus: how a stream's text is cut, read and written.
//!
//! A format is a type with the trait `Syntax`. It finds where records end, by which the input is cut into chunks; it
//! reads the records of a chunk into a `Table`, which any solver answers; and it writes the rows of a table that was
//! read in any format. What a stream begins with is read once, by `Opening` (`sniff.rs`); the `Form` of a stream
//! follows from that and from what the caller wants.

mod blocks;
mod cells;
mod csv;
mod dashes;
mod document;
mod jsonl;
mod kinds;
mod lines;
mod path;
mod picture;
mod rows;
mod sniff;
mod syntax;
mod table;
mod text;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::Grid;
pub use crate::columns::{Column, RecordPart, Row, RowUnit, Value};
use crate::error::BadLine;
use crate::sized::{Notation, Puzzle, Size};
use cells::spelled;
use csv::Csv;
use document::Document;
use jsonl::Jsonl;
pub use kinds::{KINDS, Kind};
use lines::Lines;
use path::UnderPath;
use picture::GridPicture;
use sniff::Opening;
pub use sniff::sniff;
use syntax::{Input, Style, Syntax};
pub(super) use table::Table;
use table::rows::RowWriter;
pub(super) use table::rows::{RowOptions, Rows};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::named::named;
use tallyboard_base::text::lines::{BYTE_ORDER_MARK, without_mark};
use tallyboard_search::{Stop, Stopped};
use text::{is_comment, lines, lines_with_breaks, without_break};

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
    /// The text before the first record, the line of a header included.
    preamble: Vec<u8>,
    /// What a user should know of how the input was taken.
    remarks: Vec<String>,
    /// Whether the first line has columns beside the puzzle and its solution, without a header that names them.
    has_unnamed_columns: bool,
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
        let head = without_mark(head);
        let column = wanted.column.as_deref();
        let (opening, mut remarks) = (Opening::find(head, column), Vec::new());
        let input_format = recognise(head, &opening, wanted, &mut remarks)?;
        let is_document = input_format == Format::Document;
        let bytes_before = if is_document { 0 } else { opening.bytes_before };
        let Opening { first_line, title, .. } = opening;
        let side = picture_side(input_format, wanted.size, &head[bytes_before..]);
        let has_sized_pictures = side != Size::Nine.side() && input_format.is_multi_line();
        let output_format = wanted
            .output
            .unwrap_or_else(|| default_output(input_format, has_sized_pictures, &mut remarks));
        let is_table = output_format == Format::Csv;
        let input = input_syntax(input_format, opening, column, is_table, (head, side))?;
        let output = if output_format == input_format && !is_document {
            Arc::clone(&input)
        } else {
            output_syntax(output_format, input.column_names(), column)?
        };
        let preamble_length = match (input_format, title) {
            (Format::Csv, _) => bytes_before + first_line.len(),
            (_, Some(_)) => bytes_before,
            // Only comments and empty lines come first. They are read with the records, as those between records are.
            (_, None) => 0,
        };
        let (preamble, records) = head.split_at(preamble_length);
        let is_record = |line: &&[u8]| !input.is_comment(without_break(line));
        let record = lines_with_breaks(records).find(is_record).unwrap_or_default();
        let (size, notation) = match input_format {
            Format::Document => (Size::Nine, None),
            Format::Sdk | Format::Grid => picture_size(side, records, &*input)?,
            _ => sniff::size(record, &*input, wanted.size),
        };
        if matches!(input_format, Format::Sdk | Format::Grid) {
            blocks::refuse_others(head, records, size.side())?;
            remarks.extend(blocks::repeated_value(records, size.side()));
        }
        check_size(title, record, input_format, size)?;
        if size != Size::Nine && output_format.is_multi_line() {
            return Err(FormError::LinesOnly(size, output_format));
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
            remarks,
            has_unnamed_columns: input_format == Format::Lines && lines::has_other_columns(record),
        })
    }

    /// Whether `row` leaves out columns of the input: only a header keeps them.
    pub fn leaves_columns_out(&self, row: Row) -> bool {
        self.has_unnamed_columns && row.kept != RecordPart::Record
    }

    /// What a user should know of how the input was taken, in sentences.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
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

    /// The format of the input.
    pub fn input_format(&self) -> Format {
        self.input_format
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
        BYTE_ORDER_MARK.len() + self.preamble.len()
    }

    /// `text`, the beginning of an input, from its first record on.
    pub(crate) fn without_head<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        without_mark(text).get(self.preamble.len()..).unwrap_or_default()
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

/// The format of an input that begins so: the wanted one, or the one with the best score; lines if none has any. If another is close, `remarks`
/// gets both.
fn recognise(
    head: &[u8],
    opening: &Opening,
    wanted: &FormOptions,
    remarks: &mut Vec<String>,
) -> Result<Format, FormError> {
    if let Some(format) = wanted.format {
        return Ok(format);
    }
    let column = wanted.column.as_deref();
    let first_line = opening.first_line.trim_ascii();
    let is_table = first_line.first() == Some(&b'{') || opening.header.is_some();
    let document = Document::of(head);
    if document.is_none() && head.trim_ascii_start().starts_with(b"<?xml") {
        return Err(FormError::NoDocument);
    }
    if column.is_some_and(|column| is_path(head, first_line, column)) {
        return Ok(Format::Document);
    }
    if document.is_none() && !is_table {
        if jsonl::is_array(first_line) && spelled(first_line).is_none() {
            return Err(FormError::Array);
        }
        if column.is_some() {
            return Err(no_column(opening, column));
        }
    }
    let scores = sniff::scores(head, opening, wanted.size);
    let [(first, best), (second, next)] = [scores[0], scores[1]];
    if 5 * next >= 4 * best && next > 0 {
        let choice = format!("taken for {first}, but it reads nearly as well as {second}");
        remarks.push(format!("{choice}: --format {second}"));
    }
    let is_headed = opening.title.is_some_and(|title| csv::may_be_header(title, first_line));
    if first == Format::Lines && is_headed {
        return Err(no_column(opening, None));
    }
    Ok(first)
}

/// Whether a column that the caller names is a path into values of JSON, and no member of an object a line.
fn is_path(head: &[u8], first_line: &[u8], column: &str) -> bool {
    let is_member = !Jsonl::of(first_line, Some(column), false).column_names().is_empty();
    begins_json(head) && !is_member && (column.contains('.') || Document::of(head).is_some())
}

fn begins_json(head: &[u8]) -> bool {
    matches!(head.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Fails if the line above the grids states another size than theirs or that of their boxes, or if the first line is a grid of a size
/// that other commands read.
fn check_size(
    title: Option<&[u8]>,
    record: &[u8],
    format: Format,
    found: Size,
) -> Result<(), FormError> {
    let side = found.side();
    let stated = title.and_then(sniff::stated_size);
    if let Some(stated) = stated.filter(|stated| ![side, side.isqrt()].contains(stated)) {
        return Err(FormError::StatedSize { stated, found });
    }
    let other_side = sniff::other_side(record).filter(|_| format == Format::Lines);
    match other_side.filter(|_| found == Size::Nine) {
        Some(side) => Err(FormError::OtherSide(side)),
        None => Ok(()),
    }
}

/// The number of rows of the pictures of an input in `format`; nine in other formats.
fn picture_side(format: Format, wanted: Option<Size>, text: &[u8]) -> usize {
    match wanted {
        _ if !format.is_multi_line() => Size::Nine.side(),
        Some(size) => size.side(),
        None => picture::side(text).unwrap_or(Size::Nine.side()),
    }
}

/// The format of rows if the caller names none: that of the input, or lines, which `remarks` then says.
fn default_output(input: Format, has_sized_pictures: bool, remarks: &mut Vec<String>) -> Format {
    let what = match input {
        Format::Document => "documents",
        _ if has_sized_pictures => "pictures of this size",
        _ => return input,
    };
    remarks.push(format!("{what} are read and not written: the rows are lines"));
    Format::Lines
}

/// The size of pictures with so many rows, and the notation of the first of them.
fn picture_size(
    side: usize,
    records: &[u8],
    input: &dyn Syntax,
) -> Result<(Size, Option<Notation>), FormError> {
    let size = Size::ALL.into_iter().find(|size| size.side() == side);
    let size = size.ok_or(FormError::OtherSide(side))?;
    if size == Size::Nine {
        return Ok((size, None));
    }
    // Only comments and titles stand before the first picture.
    let mut begin = 0;
    while let Some(length) = input.first_record_length(&records[begin..], Input::HasEnded)
        && length > 0
    {
        let (_, notation) = sniff::size(&records[begin..begin + length], input, Some(size));
        if notation.is_some() {
            return Ok((size, notation));
        }
        begin += length;
    }
    Ok((size, None))
}

/// The syntax of an input in `format` that begins with `opening`; `column` is the name of the puzzles' column, if that is given.
/// `has_fixed_columns` tells whether all rows of the output have the same columns: then JSON lines have the members of the first
/// record. `head` is the beginning of the input, with the side of its pictures.
fn input_syntax(
    format: Format,
    opening: Opening,
    column: Option<&str>,
    has_fixed_columns: bool,
    (head, side): (&[u8], usize),
) -> Result<Arc<dyn Syntax>, FormError> {
    match format {
        Format::Csv => match opening.header {
            Some(csv) => Ok(Arc::new(csv)),
            None => Err(no_column(&opening, column)),
        },
        Format::Jsonl => Ok(Arc::new(Jsonl::of(opening.first_line, column, has_fixed_columns))),
        Format::Sdk | Format::Grid => {
            Ok(Arc::new(GridPicture { has_frames: format == Format::Grid, side }))
        }
        Format::Document if column.is_some() && begins_json(head) => {
            Ok(Arc::new(UnderPath::new(column.unwrap_or_default())))
        }
        Format::Document => match Document::of(head) {
            Some(document) => Ok(Arc::new(document)),
            None => Err(FormError::NoDocument),
        },
        Format::Lines => output_syntax(format, &[], None),
    }
}

/// The syntax for output with columns of these names, if the format has columns; `column` is
/// the name of the puzzle's, if that is given.
fn output_syntax(
    format: Format,
    names: &[String],
    column: Option<&str>,
) -> Result<Arc<dyn Syntax>, FormError> {
    Ok(match format {
        Format::Lines => Arc::new(Lines),
        Format::Csv => Arc::new(Csv::with_columns(names, column)),
        Format::Sdk => Arc::new(GridPicture { has_frames: false, side: 9 }),
        Format::Grid => Arc::new(GridPicture { has_frames: true, side: 9 }),
        Format::Jsonl => Arc::new(Jsonl::default()),
        Format::Document => return Err(FormError::ReadOnly(format)),
    })
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
    /// A document that holds puzzles: XML of OpenSudoku or KSudoku, JSON with lists of rows or a game of GNOME Sudoku. It is
    /// read and not written.
    Document,
}

named! {
    /// Every format, in the order in which help texts list them.
    Format {
        Lines = "lines",
        Csv = "csv",
        Sdk = "sdk",
        Grid = "grid",
        Jsonl = "jsonl",
        Document = "document",
    }
}

impl Format {
    /// The formats that rows are written in.
    pub const WRITTEN: [Self; 5] = [Self::Lines, Self::Csv, Self::Sdk, Self::Grid, Self::Jsonl];

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
    /// The name of the column that holds the puzzles, or their path in JSON; by default `puzzle`, `quiz`, `sudoku`, `question` or
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
        "found no column {name:?} in {header:?}, expected its name in the header of a CSV file or in JSON lines, or a path in JSON"
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
    /// A grid of a size that other commands read.
    #[error(
        "found a {0} × {0} grid, expected 4, 9, 16 or 25 rows: write the line \"size {0}\" into a file RULES, then try \
         tallyboard variant solve RULES FILE (a grid a line)"
    )]
    OtherSide(usize),
    /// More rows stand together than grids have.
    #[error(
        "found {found} rows together, expected {expected}, or so many a grid: what stands beside or above a grid is no part of it"
    )]
    Block {
        /// The number of rows that stand together.
        found: usize,
        /// The rows of a grid.
        expected: usize,
    },
    /// A number stands among the rows of a grid, and is no value of it.
    #[error(
        "found the number {0} in a row of nine, expected digits, blanks, or pencil marks: each digit once, in ascending order"
    )]
    Number(String),
    /// A line among the grids is the rule of a variant.
    #[error(
        "found the rule {0:?} beside a grid, expected grids alone: `tallyboard variant solve FILE` takes rules below a grid"
    )]
    Rule(String),
    /// No grid has a digit, and their blanks are of two kinds.
    #[error(
        "found no digit but blanks of two kinds, {0:?}, expected a sudoku; boards of queens are read by `tallyboard queens count FILE`"
    )]
    NoDigit(Vec<char>),
    /// The size above the grids is not theirs.
    #[error("found the size {stated} above grids of {found}, expected {found} or no size")]
    StatedSize {
        /// The size on the line above.
        stated: usize,
        /// The size of the grids.
        found: Size,
    },
    /// A document that is none of those that are read.
    #[error("found no document of OpenSudoku, KSudoku or GNOME Sudoku, and no list of rows")]
    NoDocument,
    /// Rows were asked for in a format that is only read.
    #[error("rows are not written as {0}, expected lines, csv, sdk, grid or jsonl")]
    ReadOnly(Format),
    /// A JSON array.
    #[error("found a JSON array, expected one object a line; try jq -c '.[]'")]
    Array,
    /// Text in another encoding, or no text.
    #[error("found {0}, expected UTF-8 text; {1}")]
    NoText(&'static str, &'static str),
}

impl FormError {
    /// Whether rows of grids were found, and something beside them that is no part of a sudoku.
    pub fn is_of_rows(&self) -> bool {
        use FormError::{Block, NoDigit, Number, Rule, StatedSize};
        matches!(self, Block { .. } | Number(_) | Rule(_) | NoDigit(_) | StatedSize { .. })
    }
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

    /// How many records of `text` are puzzles, and how many are none.
    pub fn counts(form: &Form, text: &[u8]) -> (u64, u64) {
        read_table(form, form.without_head(text)).counts()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Settings, solve_stream};

    #[test]
    fn documents_are_not_written() {
        let document = b"[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,2,1]]";
        for (text, format) in [(&document[..], None), (b"", Some(Format::Lines))] {
            let to = |output| FormOptions { format, output, ..FormOptions::default() };
            let refused = Form::find(text, &to(Some(Format::Document))).map(|_| ());
            assert_eq!(refused, Err(FormError::ReadOnly(Format::Document)));
            for output in Format::WRITTEN {
                let form = Form::find(text, &to(Some(output))).map(|form| form.output_format);
                assert_eq!(form, Ok(output));
            }
        }
    }

    /// The rows, and what is wrong with a line, of a text in the form that is found.
    fn solved(text: &str, chunk_bytes: usize) -> (Form, String, Vec<String>) {
        let form = Form::find(text.as_bytes(), &FormOptions::default()).expect(text);
        let (mut rows, mut bad, stop) = (Vec::new(), Vec::new(), Stop::new());
        let settings =
            Settings { threads: 1, chunk_bytes: Some(chunk_bytes), ..Settings::new(&stop) };
        let report = &mut |line: &BadLine| bad.push(line.to_string());
        solve_stream(&form, &mut text.as_bytes(), &mut rows, &settings, report).unwrap();
        (form, String::from_utf8(rows).unwrap(), bad)
    }

    #[test]
    fn every_kind_is_found_and_read_in_chunks_of_any_length() {
        const SOLVED: &str = crate::grid::test_grids::SOLVED;
        for kind in KINDS {
            for line_break in ["\n", "\r\n"] {
                let text = format!("{}\n", kind.example).replace('\n', line_break);
                let (form, rows, bad) = solved(&text, 1 << 16);
                assert_eq!((form.input_format, &bad), (kind.format, &Vec::new()), "{}", kind.name);
                let drawn: String = SOLVED
                    .as_bytes()
                    .chunks(9)
                    .fold(String::new(), |text, row| text + &String::from_utf8_lossy(row) + "\n");
                let plain: String = rows.chars().filter(|c| !" |+-".contains(*c)).collect();
                let is_solved =
                    rows.contains(SOLVED) || plain.replace("\n\n", "\n").contains(&drawn);
                assert!(is_solved, "{}: {rows}", kind.name);
                assert_eq!(
                    form.remarks.is_empty(),
                    kind.format != Format::Document,
                    "{}",
                    kind.name
                );
                assert_eq!(solved(&text, 1).1, rows, "{}", kind.name);
            }
        }
    }

    #[test]
    fn each_kind_may_come_twice() {
        for kind in KINDS.iter().filter(|kind| kind.format != Format::Document) {
            let text = match kind.format {
                Format::Csv => {
                    let (header, row) = kind.example.split_once('\n').unwrap();
                    format!("{header}\n{row}\n{row}\n")
                }
                _ => format!("{0}\n\n{0}\n", kind.example),
            };
            let form = Form::find(text.as_bytes(), &FormOptions::default()).unwrap();
            let mut table = form.table(Instructions::best());
            form.read(form.without_head(text.as_bytes()), &mut table);
            assert_eq!((table.puzzle_count(), table.first_bad()), (2, None), "{}", kind.name);
        }
    }
}
