//! Boards to fill, as files have them: with queens that stand already and with closed squares.

use std::collections::BTreeSet;

use serde_json::Value;

use super::read::{TextError, names_files, quote};
use crate::{Board, Square};

/// The boards of a text, and what their marks were taken for.
#[derive(Debug, Clone, Default)]
pub struct Boards {
    /// The boards, each with the number of its first line, from 1.
    pub boards: Vec<(u64, Board)>,
    /// The marks of free squares in pictures, of queens, and of closed squares.
    marks: [BTreeSet<char>; 3],
    /// Whether the text has nothing but boards and their sizes.
    is_pure: bool,
}

/// What a square of a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Free,
    Queen,
    Closed,
}

/// The marks that close a square where the caller names none.
const CLOSED: &str = "*#xX";

const A_ROW: &str = "a row of a board: `.` for free squares, `Q` or `1` for queens that stand, `*`, `#` or `x` for closed squares";
const ROWS: &str = "as many rows as columns";
const POSITIONS: &str = "a list of squares such as [row, column]";

/// Reads all boards of a text. It is one of
///
/// * pictures: a row a line, `.`, `_`, `-` or `0` for free squares, `Q`, `q` or `1` for queens, and `*`, `#`, `x` or `X` for
///   closed squares, or the marks of `closed` and no others; perhaps blanks, bars or commas between the squares, the size on a
///   line before each board, `0` behind the last, and words between boards
/// * JSON objects with `n` and `blocks`, `queens` or both: lists of `[row, column]` from 0, rows from the top; or with the rows of
///   a picture as `initial_board`
/// * parameters of Essence: `letting n = 8`, `letting blocks = [[1, 2]]` from 1, `letting init = [[0, 1]]` from 0
///
/// # Errors
/// [`TextError`] with the line that is no part of a board.
pub fn read_boards(bytes: &[u8], closed: Option<&str>) -> Result<Boards, TextError> {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut found = Boards { is_pure: true, ..Boards::default() };
    if text.trim_start().starts_with('{') {
        found.read_json(&text, closed)?;
    } else if text.lines().any(|line| line.split_whitespace().next() == Some("letting")) {
        found.read_essence(&text)?;
    } else {
        let lines: Vec<&str> = text.lines().collect();
        found.read_pictures(&lines, 1, closed)?;
    }
    let [free, _, closed_marks] = &found.marks;
    if closed.is_none() && free.is_empty() && !closed_marks.is_empty() {
        return Err(bad(1, format!("no free square, only {}", listed(closed_marks)), A_ROW));
    }
    Ok(found)
}

/// Whether a text is nothing but boards with closed or taken squares, so that no other puzzle is meant: pictures have a mark that is no
/// digit for such a square, beside the mark of free squares.
pub fn are_boards(bytes: &[u8]) -> bool {
    let Ok(found) = read_boards(bytes, None) else { return false };
    let [free, queens, closed] = &found.marks;
    let is_drawn = free.len() + queens.len() + closed.len() > 0;
    let has_sign = queens.iter().chain(closed).any(|mark| !mark.is_ascii_digit());
    found.is_pure
        && found.boards.iter().any(|(_, board)| !board.is_plain())
        && (!is_drawn || has_sign && free.len() == 1)
}

impl Boards {
    /// Says which mark of a picture was taken for what; `None` if all squares of all boards are free, or if no board is a picture.
    pub fn remark(&self) -> Option<String> {
        let [free, queens, closed] = &self.marks;
        if queens.is_empty() && closed.is_empty() {
            return None;
        }
        let mut parts = vec![format!("{} free", listed(free))];
        for (marks, what) in [(queens, "a queen that stands"), (closed, "closed")] {
            if !marks.is_empty() {
                parts.push(format!("{} {what}", listed(marks)));
            }
        }
        Some(parts.join(", "))
    }

    /// Reads pictures; the first of `lines` has the number `begin`.
    fn read_pictures(
        &mut self,
        lines: &[&str],
        begin: u64,
        closed: Option<&str>,
    ) -> Result<(), TextError> {
        let mut rows: Vec<PictureRow> = Vec::new();
        let mut first_line = begin;
        let mut size = None;
        for (at, line) in lines.iter().enumerate() {
            let number = begin + at as u64;
            let text = line.trim();
            if rows.is_empty()
                && size.is_none()
                && let Some(stated) = self.size_before(&lines[at..], closed)
            {
                size = (stated > 0).then_some(stated);
                continue;
            }
            if rows.is_empty() {
                first_line = number;
            }
            match picture_rows(text, closed) {
                Some(read) => rows.extend(read),
                _ if text.contains('+') && text.chars().all(|mark| "+-=|".contains(mark)) => {}
                _ if rows.is_empty() && (text.is_empty() || names_files(text.as_bytes())) => {}
                _ if rows.is_empty() && size.is_none() && is_title(text) => self.is_pure = false,
                _ if text.is_empty() => return Err(incomplete(number, &rows)),
                _ => return Err(bad(number, quote(text.as_bytes()), A_ROW)),
            }
            let width = size.or(rows.first().map(Vec::len)).unwrap_or_default();
            if rows.last().is_some_and(|row| row.len() != width) {
                let expected = "a row as long as the rows before it";
                return Err(bad(number, quote(text.as_bytes()), expected));
            }
            if !rows.is_empty() && rows.len() == width {
                self.push_picture(first_line, &std::mem::take(&mut rows))?;
                size = None;
            }
        }
        if rows.is_empty() {
            Ok(())
        } else {
            Err(incomplete(begin + lines.len() as u64 - 1, &rows))
        }
    }

    /// The size that the first of these lines states for the board below; 0 if it ends a list of boards.
    fn size_before(&self, lines: &[&str], closed: Option<&str>) -> Option<usize> {
        let numbers: Vec<usize> =
            lines[0].split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let (&[n] | &[n, _]) = &numbers[..] else { return None };
        if numbers.iter().any(|&other| other != n) {
            return None;
        }
        if n == 0 {
            return (!self.boards.is_empty()).then_some(0);
        }
        let mut below = lines[1..].iter().filter(|line| !line.trim().is_empty()).take(n);
        let has_rows = below.clone().count() == n
            && below.all(|line| picture_rows(line, closed).is_some_and(|rows| rows[0].len() == n));
        has_rows.then_some(n)
    }

    fn push_picture(&mut self, line: u64, rows: &[PictureRow]) -> Result<(), TextError> {
        let mut positions = [Vec::new(), Vec::new(), Vec::new()];
        for (row, cells) in (0..).zip(rows) {
            for (column, &(mark, kind)) in (0..).zip(cells) {
                self.marks[kind as usize].insert(mark);
                positions[kind as usize].push([row, column]);
            }
        }
        let [_, queens, blocks] = positions;
        self.push(line, rows.len() as u64, &queens, &blocks)
    }

    /// Keeps the board of `n` rows with these squares, by row from the top and column, from 0.
    fn push(
        &mut self,
        line: u64,
        n: u64,
        queens: &[[u32; 2]],
        blocks: &[[u32; 2]],
    ) -> Result<(), TextError> {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let mut all = queens.iter().chain(blocks);
        if let Some([row, column]) = all.find(|square| square.iter().any(|&place| place >= n)) {
            let found = format!("the square [{row}, {column}] of a board of {n} rows");
            return Err(bad(line, found, "rows and columns below the size, from 0"));
        }
        let squares = |positions: &[[u32; 2]]| -> Vec<Square> {
            positions.iter().map(|&[row, column]| Square::from_top(row, column, n)).collect()
        };
        let board = Board::with(n, &squares(queens), &squares(blocks))
            .map_err(|error| TextError::Board { line, error })?;
        self.boards.push((line, board));
        Ok(())
    }

    fn read_json(&mut self, text: &str, closed: Option<&str>) -> Result<(), TextError> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        loop {
            let before = &text[..values.byte_offset()];
            let blank = text.len() - before.len() - text[before.len()..].trim_start().len();
            let line = text[..before.len() + blank].matches('\n').count() as u64 + 1;
            let value = match values.next() {
                None => return Ok(()),
                Some(Err(error)) => return Err(bad(line, error.to_string(), "JSON")),
                Some(Ok(value)) => value,
            };
            if let Some(rows) = value.get("initial_board").and_then(Value::as_array) {
                let rows: Option<Vec<&str>> = rows.iter().map(Value::as_str).collect();
                let rows = rows.ok_or_else(|| bad(line, "other values".to_owned(), A_ROW))?;
                // The picture is one line of the file, or several: the first is told.
                let mut one = Self { is_pure: true, ..Self::default() };
                one.read_pictures(&rows, line, closed)?;
                self.boards.extend(one.boards.drain(..).map(|(_, board)| (line, board)));
                self.marks.iter_mut().zip(one.marks).for_each(|(all, new)| all.extend(new));
                continue;
            }
            let Some(n) = value.get("n").and_then(Value::as_u64) else {
                let found = "an object without a number `n`".to_owned();
                return Err(bad(line, found, "`n` with `blocks`, `queens` or both"));
            };
            let list = |name| value.get(name).map_or(Ok(Vec::new()), |list| positions(list, line));
            self.push(line, n, &list("queens")?, &list("blocks")?)?;
        }
    }

    fn read_essence(&mut self, text: &str) -> Result<(), TextError> {
        let mut n = None;
        let (mut queens, mut blocks) = (Vec::new(), Vec::new());
        let mut line = 1;
        let without_comment = |line: &str| line.split('$').next().unwrap_or_default().to_owned();
        let text: Vec<String> = text.lines().map(without_comment).collect();
        for part in text.join("\n").split("letting") {
            let begin = line;
            line += part.matches('\n').count() as u64;
            let words: Vec<&str> = part.split_whitespace().collect();
            let part = words.join(" ");
            let parts = part.split_once('=').or_else(|| part.split_once(" be "));
            let Some((name, value)) = parts else { continue };
            let value: Value = serde_json::from_str(value)
                .map_err(|error| bad(begin, error.to_string(), "a number or a list"))?;
            match name.trim() {
                "n" => n = value.as_u64(),
                "init" => queens = positions(&value, begin)?,
                "blocks" => {
                    blocks = positions(&value, begin)?;
                    // These count from 1, those of `init` from 0.
                    for place in blocks.iter_mut().flatten() {
                        let found =
                            || bad(begin, "a 0 in `blocks`".to_owned(), "rows and columns from 1");
                        *place = place.checked_sub(1).ok_or_else(found)?;
                    }
                }
                other => {
                    let expected = "`n`, `init` or `blocks`";
                    return Err(bad(begin, quote(other.as_bytes()), expected));
                }
            }
        }
        let n = n.ok_or_else(|| bad(line, "no size".to_owned(), "`letting n = 8`"))?;
        self.push(1, n, &queens, &blocks)
    }
}

/// A row of a picture: the mark of each square, and what it is taken for.
type PictureRow = Vec<(char, Kind)>;

/// What a mark is taken for, if it is one of a square.
fn kind(mark: char, closed: Option<&str>) -> Option<Kind> {
    Some(match mark {
        mark if closed.unwrap_or(CLOSED).contains(mark) => Kind::Closed,
        // Of a matrix whose zeros are closed the ones are free.
        '1' if closed.is_some_and(|closed| closed.contains('0')) => Kind::Free,
        '.' | '_' | '-' | '0' => Kind::Free,
        'Q' | 'q' | '1' => Kind::Queen,
        _ => return None,
    })
}

/// The rows of a line: none, one, or all rows of a board.
fn picture_rows(line: &str, closed: Option<&str>) -> Option<Vec<PictureRow>> {
    let is_between = |mark: char| mark.is_whitespace() || "|,;[]()\"'".contains(mark);
    let words: Vec<&str> = line.split(is_between).filter(|word| !word.is_empty()).collect();
    let length = |word: &str| word.chars().count();
    let joined;
    let rows = match &words[..] {
        [] => return None,
        words if words.len() > 1 && words.iter().all(|word| length(word) == 1) => {
            joined = words.concat();
            vec![joined.as_str()]
        }
        // The number of the rank stands before the row.
        [rank, row] if rank.parse::<u32>().is_ok() && length(row) > 1 => vec![*row],
        [row] => vec![*row],
        words if words.iter().all(|word| length(word) == words.len()) => words.to_vec(),
        _ => return None,
    };
    let read = |row: &str| row.chars().map(|mark| Some((mark, kind(mark, closed)?))).collect();
    rows.into_iter().map(read).collect()
}

/// A list of `[row, column]`.
fn positions(list: &Value, line: u64) -> Result<Vec<[u32; 2]>, TextError> {
    let wrong = |found: &Value| bad(line, quote(found.to_string().as_bytes()), POSITIONS);
    let position = |item: &Value| {
        let numbers: Option<Vec<u32>> = item
            .as_array()
            .and_then(|pair| pair.iter().map(|place| place.as_u64()?.try_into().ok()).collect());
        numbers.and_then(|pair| pair.try_into().ok()).ok_or_else(|| wrong(item))
    };
    list.as_array().ok_or_else(|| wrong(list))?.iter().map(position).collect()
}

/// Whether a line between boards is words: a title or a comment.
fn is_title(text: &str) -> bool {
    text.starts_with('#') || text.chars().any(char::is_alphabetic)
}

fn listed(marks: &BTreeSet<char>) -> String {
    let marks: Vec<String> = marks.iter().map(|mark| format!("'{mark}'")).collect();
    marks.join(" and ")
}

fn incomplete(line: u64, rows: &[PictureRow]) -> TextError {
    let width = rows.first().map_or(0, Vec::len);
    bad(line, format!("{} of {width} rows", rows.len()), ROWS)
}

fn bad(line: u64, found: String, expected: &'static str) -> TextError {
    TextError::Bad { line, found, expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boards as squares of queens, closed squares and the size.
    fn told(text: &str, closed: Option<&str>) -> Vec<String> {
        let names = |squares: &[Square]| {
            squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let found = read_boards(text.as_bytes(), closed).unwrap_or_else(|e| panic!("{text}: {e}"));
        let tell = |(line, board): &(u64, Board)| {
            let (placed, blocked) = (names(board.placed()), names(board.blocked()));
            format!("{line}: {} {placed} / {blocked}", board.n())
        };
        found.boards.iter().map(tell).collect()
    }

    #[test]
    fn a_board_is_the_same_in_every_spelling() {
        for text in [
            ".*..\n..Q.\n....\nx...\n",
            ". # . .\n_ _ q _\n- - - -\nX . . .\n",
            "+---+\n|.*..|\n|..1.|\n|....|\n|x...|\n+---+",
            "0 X 0 0\r\n0 0 1 0\r\n0 0 0 0\r\nX 0 0 0\r\n",
            "4 .*..\n3 ..Q.\n2 ....\n1 *...\n  abcd\n",
            "['.x..',\n'..Q.',\n'....',\n'x...']",
            "[\".x..\",\"..Q.\",\"....\",\"x...\"]\n",
            "{\"n\": 4, \"queens\": [[1, 2]], \"blocks\": [[0, 1], [3, 0]]}",
            "{\"initial_board\": [\"0X00\", \"0010\", \"0000\", \"X000\"], \"complexity\": 1}",
            "letting n =  4\n$ a comment\nletting blocks =  [[1, 2],\n [4, 1]]\nletting init = [[1, 2]]",
            "letting\tn be\t4\nletting\tblocks\tbe [[1, 2], [4, 1]] $ letting n be 5\nletting init be [[1, 2]]",
        ] {
            let told = told(text, None);
            assert!(told.len() == 1 && told[0].ends_with(": 4 c3 / a1,b4"), "{text}: {told:?}");
        }
        assert_eq!(told("0101\n1111\n1111\n1111", Some("0")), ["1: 4  / a4,c4"]);
        assert_eq!(told("0101\n0000\n0000\n0000", Some("1")), ["1: 4  / b4,d4"]);
        assert_eq!(told("0101\n0000\n0000\n0000", None), ["1: 4 b4,d4 / "]);
    }

    #[test]
    fn several_boards_have_sizes_or_words_between_them() {
        let sized = "2\n.*\n..\n3 3\n...\n.x.\n...\n0\n";
        assert_eq!(told(sized, None), ["2: 2  / b2", "5: 3  / b2"]);
        let titled = "# mine\nBoard 1:\n.*\n..\n\n(2) by me\n...\n.x.\n...\n";
        assert_eq!(told(titled, None), ["3: 2  / b2", "7: 3  / b2"]);
        assert_eq!(told("{\"n\": 2}\n\n{\"n\": 3}\n", None), ["1: 2  / ", "3: 3  / "]);
    }

    #[test]
    fn what_is_no_board_is_refused_with_its_line() {
        for (text, closed, expected) in [
            ("..\n.y\n", None, "2: found '.y', expected a row"),
            ("...\n..\n", None, "2: found '..', expected a row as long as"),
            ("...\n...\n", None, "2: found 2 of 3 rows"),
            ("...\n\n...\n...\n", None, "2: found 1 of 3 rows"),
            ("9\n..\n..\n", None, "1: found '9', expected a row"),
            ("*Q\nQ*\n", None, "1: found no free square, only '*'"),
            (".*\n..\n", Some("x"), "1: found '.*', expected a row"),
            ("{\"n\": 4, \"blocks\": [[4, 1]]}", None, "1: found the square [4, 1] of"),
            ("{\"n\": 4, \"blocks\": [[1, 2, 3]]}", None, "1: found '[1,2,3]', expected a list"),
            ("\n{\"m\": 4}", None, "2: found an object without"),
            ("{\"n\": 4", None, "1: found EOF"),
            ("letting n = 4\nletting blocks = [[0, 1]]", None, "2: found a 0 in `blocks`"),
            ("letting n = 4\nletting hints = []", None, "2: found 'hints'"),
            ("letting blocks = []", None, "1: found no size"),
            (
                "{\"n\": 4294967296000}",
                None,
                "1: found a board size of 4294967295, expected 1 to 32",
            ),
            (&format!("{}\n", ".".repeat(33)).repeat(33), None, "1: found a board size of 33"),
        ] {
            let error = read_boards(text.as_bytes(), closed).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn only_drawings_that_mean_nothing_else_are_known_as_boards() {
        for text in [
            ".*..\n....\n....\n....\n",
            "2\n.*\n..\n0\n",
            "0X\n10\n",
            "{\"n\":2,\"queens\":[[0,0]]}",
        ] {
            assert!(are_boards(text.as_bytes()), "{text}");
        }
        for text in
            ["....\n....\n....\n....\n", "01\n10\n", "", "by me\n.*\n..\n", "._\n*.\n", "{\"n\":2}"]
        {
            assert!(!are_boards(text.as_bytes()), "{text}");
        }
        let remark = read_boards(b".*\nQ#\n", None).unwrap().remark();
        assert_eq!(remark.unwrap(), "'.' free, 'Q' a queen that stands, '#' and '*' closed");
    }
}
