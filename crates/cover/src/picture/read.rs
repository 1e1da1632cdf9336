//! Reading a drawn puzzle.

use super::grid::{Freedom, Grid};
use super::{Drawn, Piece, Puzzle};
use crate::line_error::{At, PictureError};

/// Whether a file whose first line that says something is this one is a drawn puzzle.
pub(crate) fn begins_picture(line: &str) -> bool {
    ["grid:", "board:", "pieces:"].iter().any(|key| after(line, key, true).is_some())
}

/// What follows a key at the beginning of a line.
fn after<'a>(line: &'a str, key: &str, any_case: bool) -> Option<&'a str> {
    let (begin, rest) = line.split_at_checked(key.len())?;
    (begin == key || any_case && begin.eq_ignore_ascii_case(key)).then_some(rest)
}

/// What the lines that follow draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawing {
    Nothing,
    Board,
    Piece,
}

#[derive(Debug)]
struct Reader {
    grid: Grid,
    freedom: Freedom,
    board: Vec<Drawn>,
    has_board: bool,
    /// Whether a line `pieces:` or the head of a piece was read.
    are_pieces: bool,
    pieces: Vec<Piece>,
    drawing: Drawing,
    row: i32,
    layer: i32,
}

pub(crate) fn read(text: &str) -> Result<Puzzle, At> {
    let mut reader = Reader {
        grid: Grid::Square,
        freedom: Freedom::Flip,
        board: Vec::new(),
        has_board: false,
        are_pieces: false,
        pieces: Vec::new(),
        drawing: Drawing::Nothing,
        row: 0,
        layer: 0,
    };
    let mut last = 1;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let line = line.split(';').next().unwrap_or_default().trim_end();
        if !line.trim().is_empty() {
            reader.line(line, last).map_err(|error| (last, error.into()))?;
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
    fn line(&mut self, line: &str, number: usize) -> Result<(), PictureError> {
        // Among the pieces `Board:` is the name of one.
        let any_case = !self.are_pieces;
        if let Some(grid) = after(line, "grid:", any_case) {
            if self.drawing != Drawing::Nothing {
                return Err(PictureError::LateGrid);
            }
            self.grid =
                grid.trim().parse().map_err(|_| PictureError::Grid(grid.trim().to_owned()))?;
        } else if after(line, "board:", any_case) == Some("") {
            if self.has_board {
                return Err(PictureError::SecondBoard);
            }
            self.has_board = true;
            self.begin(Drawing::Board);
        } else if let Some(freedom) = after(line, "pieces:", any_case) {
            self.are_pieces = true;
            if !freedom.trim().is_empty() {
                self.freedom = read_freedom(freedom.trim())?;
            }
            self.drawing = Drawing::Nothing;
        } else if let Some(header) = line.strip_suffix(':') {
            self.are_pieces = true;
            let piece = self.header(header, number)?;
            self.pieces.push(piece);
            self.begin(Drawing::Piece);
        } else if line.trim() == "-" && self.drawing != Drawing::Nothing {
            if self.grid != Grid::Cube {
                return Err(PictureError::Layer(self.grid));
            }
            self.layer += 1;
            self.row = 0;
        } else {
            self.draw(line, number)?;
            self.row += 1;
        }
        Ok(())
    }

    fn begin(&mut self, drawing: Drawing) {
        self.drawing = drawing;
        self.row = 0;
        self.layer = 0;
    }

    /// Reads a row of a drawing.
    fn draw(&mut self, text: &str, line: usize) -> Result<(), PictureError> {
        for (column, mark) in text.chars().enumerate() {
            let place = [column as i32, self.row, self.layer];
            let cell = self.grid.cell(place[0], place[1], place[2]);
            match (self.drawing, mark) {
                (Drawing::Nothing, _) => return Err(PictureError::Stray(text.to_owned())),
                (_, ' ') | (Drawing::Board, '#') | (Drawing::Piece, '.') => {}
                (Drawing::Board, mark) if matches!(mark, '.' | '?') || mark.is_alphabetic() => {
                    self.board.push(Drawn { cell, place, mark, line });
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
    fn header(&self, header: &str, line: usize) -> Result<Piece, PictureError> {
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
            on: String::new(),
            line,
        };
        while let Some(word) = words.next() {
            match word {
                "x" => piece.bounds = read_count(words.next().unwrap_or_default())?,
                "on" => piece.on = words.next().unwrap_or_default().to_owned(),
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

/// `3`, `3..9` or `any`, which is no bound.
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
