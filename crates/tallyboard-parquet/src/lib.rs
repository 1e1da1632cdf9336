//! Tables in Parquet, read as CSV: whatever reads tables as text reads them, too.
#![cfg(feature = "parquet")]

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Error, ErrorKind, Read, Seek};

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row, reader::RowIter};
use tallyboard_files::csv::write_column;

/// The first and the last bytes of a file in Parquet.
const MAGIC: &[u8] = b"PAR1";

/// The text that is prepared at a time, in bytes.
const PIECE_BYTES: usize = 64 << 10;

/// The rows of a file in Parquet as CSV under the names of its columns. Text is quoted where it has to be, nothing stands for a
/// missing value, and a list is written with brackets.
pub struct CsvOfParquet {
    rows: RowIter<'static>,
    /// Text that was not taken yet, from `begin` on.
    text: Vec<u8>,
    begin: usize,
}

/// The CSV of a file if that is in Parquet; `None` leaves the file at its first byte.
///
/// # Errors
/// If the file cannot be read, or is damaged or compressed in a way that is not known here. Reading the result fails with a
/// message where a later part is so.
pub fn csv_of(file: &mut File) -> io::Result<Option<CsvOfParquet>> {
    let mut magic = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    file.rewind()?;
    if magic != MAGIC {
        return Ok(None);
    }
    let reader = SerializedFileReader::new(file.try_clone()?).map_err(damage)?;
    let mut text = Vec::new();
    let schema = reader.metadata().file_metadata().schema_descr().root_schema().get_fields();
    for (number, column) in schema.iter().enumerate() {
        push_cell(number, column.name().as_bytes(), &mut text);
    }
    text.push(b'\n');
    let rows = RowIter::from_file_into(Box::new(reader));
    Ok(Some(CsvOfParquet { rows, text, begin: 0 }))
}

fn damage(error: ParquetError) -> Error {
    Error::new(ErrorKind::InvalidData, format!("found Parquet that cannot be read: {error}"))
}

impl Read for CsvOfParquet {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.begin == self.text.len() {
            self.text.clear();
            self.begin = 0;
            while self.text.len() < PIECE_BYTES
                && let Some(row) = self.rows.next()
            {
                push_row(&row.map_err(damage)?, &mut self.text)?;
            }
        }
        let read = (&self.text[self.begin..]).read(room)?;
        self.begin += read;
        Ok(read)
    }
}

fn push_row(row: &Row, text: &mut Vec<u8>) -> io::Result<()> {
    for (number, (name, field)) in row.get_column_iter().enumerate() {
        let cell: Cow<[u8]> = match field {
            Field::Null => Cow::Borrowed(b""),
            Field::Str(cell) => cell.as_bytes().into(),
            Field::Bytes(bytes) if str::from_utf8(bytes.data()).is_ok() => bytes.data().into(),
            Field::Bytes(_) => {
                let found = format!("found bytes in the column {name}, expected text");
                return Err(Error::new(ErrorKind::InvalidData, found));
            }
            other => other.to_string().into_bytes().into(),
        };
        push_cell(number, &cell, text);
    }
    text.push(b'\n');
    Ok(())
}

/// Writes the cell of the column with this number.
fn push_cell(number: usize, cell: &[u8], text: &mut Vec<u8>) {
    if number > 0 {
        text.push(b',');
    }
    write_column(cell, b',', text);
}
