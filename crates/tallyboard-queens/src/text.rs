//! Placements as text, written and read in every common notation, and boards to fill, read.

#[cfg(feature = "json")]
mod boards;
#[cfg(feature = "json")]
mod read;

use super::Square;
#[cfg(feature = "json")]
pub use boards::{Boards, are_boards, read_boards};
#[cfg(feature = "json")]
pub use read::{Reader, TextError};

/// A notation of one placement. Vectors and CSV give the number of each queen's file, from 1 for a, rank by
/// rank from the top down, as the literature does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A drawing with the ranks before its rows, as in `4 .Q..`, and the letters of the files below: `  abcd`.
    Board,
    /// The file of each rank's queen: `2 4 1 3`.
    Vector,
    /// An array of the rows of the board: `[".Q..","...Q","Q...","..Q."]`.
    Json,
    /// As the vector, with commas: `2,4,1,3`.
    Csv,
    /// Rows as in the notation of chess positions, with numbers for runs of empty squares: `1Q2/3Q/Q3/2Q1`.
    Fen,
}

impl Notation {
    /// [`append`](Self::append) for columns as bytes, as [`write`](crate::solutions::write()) passes them to its format.
    pub fn append_columns(self, columns: &[u8], text: &mut Vec<u8>) {
        self.append(columns.iter().map(|&column| column.into()), text);
    }

    /// Appends a placement, given by its columns from 0. Only `Board` ends with a line break. `Board` and `Json`
    /// leave a queen out whose column is not on the board.
    pub fn append(self, columns: impl ExactSizeIterator<Item = u32> + Clone, text: &mut Vec<u8>) {
        let n = columns.len();
        match self {
            Notation::Board => append_board(n, columns, text),
            Notation::Vector => append_vector(columns, text, b' '),
            Notation::Csv => append_vector(columns, text, b','),
            Notation::Json => {
                text.push(b'[');
                append_joined(columns, text, b',', |column, text| {
                    text.push(b'"');
                    append_row(column, n, text);
                    text.push(b'"');
                });
                text.push(b']');
            }
            Notation::Fen => append_joined(columns, text, b'/', |column, text| {
                append_run(column, text);
                text.push(b'Q');
                append_run((n as u32).saturating_sub(column.saturating_add(1)), text);
            }),
        }
    }
}

/// Appends a board of n × n squares with queens in the `columns` of its first rows. The number of its rank stands
/// before each row, the names of the files below the last.
pub fn append_board(n: usize, mut columns: impl Iterator<Item = u32>, text: &mut Vec<u8>) {
    let width = n.max(1).ilog10() as usize + 1;
    for rank in (1..=n).rev() {
        let mut buffer = itoa::Buffer::new();
        let rank = buffer.format(rank).as_bytes();
        text.resize(text.len() + width - rank.len(), b' ');
        text.extend_from_slice(rank);
        text.push(b' ');
        match columns.next() {
            Some(column) => append_row(column, n, text),
            None => text.resize(text.len() + n, b'.'),
        }
        text.push(b'\n');
    }
    // Names of two letters are written vertically, a letter a line.
    let lines = n.checked_sub(1).map_or(0, |last| Square::new(last as u32, 0).file_name().len());
    for line in 0..lines {
        text.resize(text.len() + width + 1, b' ');
        text.extend((0..n as u32).map(|file| {
            let (letters, first) = Square::new(file, 0).letters();
            letters.get(first + line).copied().unwrap_or(b' ')
        }));
        while text.last() == Some(&b' ') {
            text.pop();
        }
        text.push(b'\n');
    }
}

/// Appends each of `columns` by `append`, with the separator between two of them.
fn append_joined(
    columns: impl Iterator<Item = u32>,
    text: &mut Vec<u8>,
    separator: u8,
    append: impl Fn(u32, &mut Vec<u8>),
) {
    for (row, column) in columns.enumerate() {
        if row > 0 {
            text.push(separator);
        }
        append(column, text);
    }
}

/// Appends `n` squares, of which the one in `column` has a queen.
fn append_row(column: u32, n: usize, text: &mut Vec<u8>) {
    let begin = text.len();
    text.resize(begin + n, b'.');
    if let Some(square) = text[begin..].get_mut(column as usize) {
        *square = b'Q';
    }
}

/// Appends the length of a run of empty squares for [`Notation::Fen`]: nothing if there are none.
fn append_run(empty: u32, text: &mut Vec<u8>) {
    if empty > 0 {
        append_number(empty.into(), text);
    }
}

fn append_vector(
    columns: impl ExactSizeIterator<Item = u32> + Clone,
    text: &mut Vec<u8>,
    separator: u8,
) {
    // A placement may name columns that the board does not have, so both are checked.
    let is_short = |column| column < MAX_SHORT_COLUMNS as u32;
    if columns.len() <= MAX_SHORT_COLUMNS && columns.clone().all(is_short) {
        append_short_vector(columns, text, separator);
    } else {
        append_numbers(columns, text, separator);
    }
}

/// Appends a part of a vector: the numbers of `columns`, from 1.
pub fn append_columns(columns: &[u32], text: &mut Vec<u8>, separator: u8) {
    append_numbers(columns.iter().copied(), text, separator);
}

fn append_numbers(columns: impl Iterator<Item = u32>, text: &mut Vec<u8>, separator: u8) {
    append_joined(columns, text, separator, |column, text| {
        append_number(u64::from(column) + 1, text);
    });
}

/// Upper bound on the length of the vectors that [`append_short_vector`] takes, whose numbers have at most two digits.
const MAX_SHORT_COLUMNS: usize = 64;

/// Appends a vector, faster than [`append_numbers`], for lists of all solutions. Each number is stored as two digits and a
/// separator in a buffer of fixed size. For a number of one digit, its digit and a separator are the first two bytes, and the
/// next number overwrites the third.
fn append_short_vector(columns: impl Iterator<Item = u32>, text: &mut Vec<u8>, separator: u8) {
    let mut buffer = [separator; 3 * MAX_SHORT_COLUMNS];
    let mut at = 0;
    for column in columns {
        let number = column as u8 + 1;
        let tens = number / 10;
        let ones = number % 10;
        let has_tens = tens > 0;
        buffer[at] = b'0' + if has_tens { tens } else { ones };
        buffer[at + 1] = if has_tens { b'0' + ones } else { separator };
        buffer[at + 2] = separator;
        at += 2 + usize::from(has_tens);
    }
    text.extend_from_slice(&buffer[..at.saturating_sub(1)]);
}

fn append_number(number: u64, text: &mut Vec<u8>) {
    if number < 10 {
        return text.push(b'0' + number as u8);
    }
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_base::random::Random;

    fn read(text: &str) -> Result<Vec<Vec<u32>>, String> {
        let mut reader = Reader::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some((_, placement)) = reader.next_placement().map_err(|e| e.to_string())? {
            found.push(placement.columns().to_vec());
        }
        Ok(found)
    }

    fn written(notation: Notation, columns: &[u32]) -> String {
        let mut text = Vec::new();
        notation.append(columns.iter().copied(), &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn columns_of_one_digit_need_nothing_between_them() {
        let eight = vec![0, 4, 7, 5, 2, 6, 1, 3];
        assert_eq!(read("15863724\n04752613\n"), Ok(vec![eight.clone(), eight]));
        assert_eq!(read("1\n0\n"), Ok(vec![vec![0], vec![0]]));
        assert_eq!(read("1325468790\n").unwrap(), [[1, 3, 2, 5, 4, 6, 8, 7, 9, 0]]);
    }

    #[test]
    fn queens_off_the_board_are_written_as_far_as_a_notation_can() {
        assert_eq!(written(Notation::Board, &[9, 0]), "2 ..\n1 Q.\n  ab\n");
        assert_eq!(written(Notation::Json, &[9, 0]), r#"["..","Q."]"#);
        assert_eq!(written(Notation::Vector, &[9, 0]), "10 1");
        assert_eq!(written(Notation::Csv, &[u32::MAX, 0]), "4294967296,1");
        assert_eq!(written(Notation::Fen, &[u32::MAX, 0]), "4294967295Q/Q1");
    }

    #[test]
    fn files_of_two_letters_are_written_vertically_and_empty_rows_stay_empty() {
        let mut text = Vec::new();
        append_board(28, [27].into_iter(), &mut text);
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!("28 {}Q", ".".repeat(27)));
        assert_eq!(lines[27], format!(" 1 {}", ".".repeat(28)));
        assert_eq!(lines[28], "   abcdefghijklmnopqrstuvwxyzaa");
        assert_eq!(lines[29].trim_start(), "ab");
        assert_eq!(lines[29].len(), lines[28].len());
    }

    #[test]
    fn boards_are_read_with_labels_and_without() {
        let bare = ".Q..\n...Q\nQ...\n..Q.\n";
        assert_eq!(read(bare), read("4 .Q..\n3 ...Q\n2 Q...\n1 ..Q.\n  abcd\n"));
        assert_eq!(read(bare), Ok(vec![vec![1, 3, 0, 2]]));
        assert!(read("4 .Q..\n  abcd\n").is_err());
    }

    #[test]
    fn other_ways_to_write_a_vector() {
        let expected = Ok(vec![vec![1, 3, 0, 2]]);
        for text in [
            "1 3 0 2",
            "[2, 4, 1, 3]",
            "[\n  2,\n  4,\n  1,\n  3\n]\n",
            r#"{"n":4,"columns":[2,4,1,3]}"#,
            r#"<g data-queens="2 4 1 3">"#,
            "# a comment\nrow1,row2,row3,row4\n2,4,1,3\n",
            "rank4,rank3,rank2,rank1\n2,4,1,3\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let both = Ok(vec![vec![1, 3, 0, 2], vec![2, 0, 3, 1]]);
        assert_eq!(read("[[1,3,0,2],\n [2,0,3,1]]"), both);
        // MiniZinc 2.6.4, `minizinc -a`, all solutions of four queens.
        assert_eq!(read("[2, 4, 1, 3]\n----------\n[3, 1, 4, 2]\n----------\n==========\n"), both);
        assert_eq!(read(""), Ok(vec![]));
    }

    #[test]
    fn errors_name_the_line_and_what_was_found() {
        const INCOMPLETE: &str = ": found 1 of 2 rows, expected as many rows as columns";
        const NO_FEN: &str = "expected rows such as 1Q2 between /";
        for (text, expected) in [
            ("2 4 1 3\n2 x 1 3\n", "2: found 'x', expected a column number"),
            (
                "Q...\n.QQ.\n",
                "2: found '.QQ.', expected a row with one queen, as long as the rows before it",
            ),
            (
                "# eleven\n12345678912\n",
                "2: found '12345678912', expected column numbers with blanks or commas between them",
            ),
            ("what", "1: found 'what', expected a placement of queens"),
            ("raw", "1: found 'raw', expected a placement of queens"),
            ("ran1", "1: found 'ran1', expected a placement of queens"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
        for (text, end) in [
            ("Q.\n", INCOMPLETE),
            (r#"[["Q."],[".Q"]]"#, INCOMPLETE),
            ("Q.\n\n.Q\n", INCOMPLETE),
            ("Q.\n2 1\n.Q\n", INCOMPLETE),
            (r#"["Q.", [".Q"]]"#, INCOMPLETE),
            ("Q.\n[\n", INCOMPLETE),
            ("1Q99/3Q/Q3/2Q1", NO_FEN),
            ("1Q2/3Q/Q3", NO_FEN),
            ("1Q1Q/3Q/Q3/2Q1", NO_FEN),
            ("1Q+2/3Q/Q3/2Q1", NO_FEN),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.ends_with(end), "{text}: {error}");
        }
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let endless = std::io::BufReader::new(std::io::repeat(b'1'));
        let error = Reader::new(endless).next_placement().unwrap_err();
        assert!(error.to_string().starts_with("1: found no end of the line within"), "{error}");
    }

    #[test]
    fn what_is_written_is_read() {
        for n in 1..140 {
            let mut columns: Vec<u32> = (0..n).collect();
            Random::from_seed(n.into()).shuffle(&mut columns);
            for notation in
                [Notation::Board, Notation::Vector, Notation::Json, Notation::Csv, Notation::Fen]
            {
                assert_eq!(read(&written(notation, &columns)).unwrap(), [columns.clone()]);
            }
        }
    }
}
