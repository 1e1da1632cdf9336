//! Reading a drawn puzzle.

use super::grid::{Freedom, Grid};
use super::{DrawnCell, Piece, Puzzle};
use crate::line_error::{LocatedError, PictureError};

/// Whether a file is a drawn puzzle, by its first line that is neither blank nor a comment.
pub(crate) fn begins_picture(line: &str) -> bool {
    ["grid:", "board:", "pieces:"].iter().any(|key| after_key(line, key, Case::Any).is_some())
}

/// Whether a key may be written in capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Any,
}

/// The text after a key at the beginning of a line.
fn after_key<'a>(line: &'a str, key: &str, case: Case) -> Option<&'a str> {
    let (begin, rest) = line.split_at_checked(key.len())?;
    let is_key = begin == key || case == Case::Any && begin.eq_ignore_ascii_case(key);
    is_key.then_some(rest)
}

/// The drawing that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawing {
    None,
    Board,
    Piece,
}

#[derive(Debug)]
struct Reader {
    grid: Grid,
    /// The freedom of pieces that state none themselves.
    freedom: Freedom,
    board: Vec<DrawnCell>,
    has_board: bool,
    /// Whether a line `pieces:` or the name of a piece was read.
    has_pieces: bool,
    pieces: Vec<Piece>,
    drawing: Drawing,
    /// The row and the layer of the next line of the drawing.
    row: i32,
    layer: i32,
}

pub(crate) fn read(text: &str) -> Result<Puzzle, LocatedError> {
    let mut reader = Reader {
        grid: Grid::Square,
        freedom: Freedom::Flip,
        board: Vec::new(),
        has_board: false,
        has_pieces: false,
        pieces: Vec::new(),
        drawing: Drawing::None,
        row: 0,
        layer: 0,
    };
    let mut last = 1;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let line = line.split(';').next().unwrap_or_default().trim_end();
        if !line.trim().is_empty() {
            reader.read_line(line, last).map_err(|error| (last, error.into()))?;
        }
    }
    if reader.board.is_empty() {
        return Err((last, PictureError::NoBoard.into()));
    }
    if reader.pieces.is_empty() {
        return Err((last, PictureError::NoPieces.into()));
    }
    if let Some(piece) = reader.pieces.iter().find(|piece| piece.cells.is_empty()) {
        return Err((piece.line, PictureError::Empty(piece.name.clone()).into()));
    }
    Puzzle::new(reader.grid, &reader.board, &reader.pieces)
}

impl Reader {
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), PictureError> {
        // Among the pieces, `Board:` is the name of a piece.
        let case = if self.has_pieces { Case::Lower } else { Case::Any };
        if let Some(grid) = after_key(line, "grid:", case) {
            if self.drawing != Drawing::None {
                return Err(PictureError::LateGrid);
            }
            self.grid =
                grid.trim().parse().map_err(|_| PictureError::Grid(grid.trim().to_owned()))?;
        } else if after_key(line, "board:", case) == Some("") {
            if self.has_board {
                return Err(PictureError::SecondBoard);
            }
            self.has_board = true;
            self.begin_drawing(Drawing::Board);
        } else if let Some(freedom) = after_key(line, "pieces:", case) {
            self.has_pieces = true;
            if !freedom.trim().is_empty() {
                self.freedom = read_freedom(freedom.trim())?;
            }
            self.drawing = Drawing::None;
        } else if let Some(header) = line.strip_suffix(':') {
            self.has_pieces = true;
            let piece = self.read_header(header, number)?;
            self.pieces.push(piece);
            self.begin_drawing(Drawing::Piece);
        } else if line.trim() == "-" && self.drawing != Drawing::None {
            if self.grid != Grid::Cube {
                return Err(PictureError::Layer(self.grid));
            }
            self.layer += 1;
            self.row = 0;
        } else {
            self.read_row(line, number)?;
            self.row += 1;
        }
        Ok(())
    }

    fn begin_drawing(&mut self, drawing: Drawing) {
        self.drawing = drawing;
        self.row = 0;
        self.layer = 0;
    }

    /// Reads a row of a drawing.
    fn read_row(&mut self, text: &str, line: usize) -> Result<(), PictureError> {
        for (column, mark) in text.chars().enumerate() {
            let place = [column as i32, self.row, self.layer];
            let cell = self.grid.cell(place[0], place[1], place[2]);
            match (self.drawing, mark) {
                (Drawing::None, _) => return Err(PictureError::Stray(text.to_owned())),
                (_, ' ') | (Drawing::Board, '#') | (Drawing::Piece, '.') => {}
                (Drawing::Board, mark) if matches!(mark, '.' | '?') || mark.is_alphabetic() => {
                    self.board.push(DrawnCell { cell, place, mark, line });
                }
                (Drawing::Board, mark) => return Err(PictureError::Mark(mark)),
                (Drawing::Piece, mark) if mark.is_whitespace() || mark.is_control() => {
                    return Err(PictureError::PieceMark(mark));
                }
                (Drawing::Piece, _) => {
                    if let Some(piece) = self.pieces.last_mut() {
                        piece.cells.push(cell);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the name of a piece and what follows it.
    fn read_header(&self, header: &str, line: usize) -> Result<Piece, PictureError> {
        let mut words = header.split_whitespace();
        let name = words.next().ok_or_else(|| PictureError::Stray(":".to_owned()))?.to_owned();
        if name.contains(|c: char| c == ',' || c.is_control()) {
            return Err(PictureError::Name(name));
        }
        if self.pieces.iter().any(|piece| piece.name == name) {
            return Err(PictureError::SameName(name));
        }
        let mut piece = Piece {
            name,
            cells: Vec::new(),
            freedom: self.freedom,
            bounds: Some((1, 1)),
            letters: String::new(),
            line,
        };
        while let Some(word) = words.next() {
            match word {
                "x" => piece.bounds = read_count(words.next().unwrap_or_default())?,
                "on" => piece.letters = words.next().unwrap_or_default().to_owned(),
                "turn" | "flip" | "fixed" => piece.freedom = read_freedom(word)?,
                word => return Err(PictureError::Header(word.to_owned())),
            }
        }
        Ok(piece)
    }
}

fn read_freedom(word: &str) -> Result<Freedom, PictureError> {
    word.parse().map_err(|_| PictureError::Freedom(word.to_owned()))
}

/// The bounds in `3` or `3..9`; `None` for `any`.
fn read_count(word: &str) -> Result<Option<(u32, u32)>, PictureError> {
    if word == "any" {
        return Ok(None);
    }
    let (low, high) = word.split_once("..").unwrap_or((word, word));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(Some((low, high))),
        _ => Err(PictureError::Count(word.to_owned())),
    }
}
