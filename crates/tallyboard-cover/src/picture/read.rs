//! Reading a drawn puzzle.

use super::grid::{Freedom, Grid};
use super::{DrawnCell, Piece, Puzzle};
use crate::mistake::{LocatedMistake, Mistake, mistake};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Drawing {
    #[default]
    None,
    Board,
    Piece,
}

#[derive(Debug, Default)]
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
    /// The row of the next line of the drawing.
    row: i32,
    /// Its layer.
    layer: i32,
}

pub(crate) fn read(text: &str) -> Result<Puzzle, LocatedMistake> {
    let mut reader = Reader::default();
    let mut last = 1;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let line = line.split(';').next().unwrap_or_default().trim_end();
        if !line.trim().is_empty() {
            reader.read_line(line, last).map_err(|error| (last, error))?;
        }
    }
    if reader.board.is_empty() {
        let expected = "'board:' and a drawing with '.' or '?'";
        return Err((last, mistake("no cell of a board", expected)));
    }
    if reader.pieces.is_empty() {
        return Err((last, mistake("no piece", "at least one below the board")));
    }
    if let Some(piece) = reader.pieces.iter().find(|piece| piece.cells.is_empty()) {
        let found = format!("no cell of the piece '{}'", piece.name);
        return Err((piece.line, mistake(found, "a drawing below its name")));
    }
    Puzzle::new(reader.grid, reader.board, &reader.pieces)
}

impl Reader {
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), Mistake> {
        // Among the pieces, `Board:` is the name of a piece.
        let case = if self.has_pieces { Case::Lower } else { Case::Any };
        if let Some(grid) = after_key(line, "grid:", case) {
            if self.drawing != Drawing::None {
                return Err(mistake("'grid:' below a drawing", "it above the board"));
            }
            let grid = grid.trim();
            let expected = "square, cube, hex or triangle";
            self.grid =
                grid.parse().map_err(|_| mistake(format!("the grid '{grid}'"), expected))?;
        } else if after_key(line, "board:", case) == Some("") {
            if self.has_board {
                return Err(mistake("a second board", "one"));
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
                let found = format!("a line with '-' alone in a {} grid", self.grid);
                return Err(mistake(found, "layers in a cube only"));
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
    fn read_row(&mut self, text: &str, line: usize) -> Result<(), Mistake> {
        for (column, mark) in text.chars().enumerate() {
            let place = [column as i32, self.row, self.layer];
            let cell = self.grid.cell(place[0], place[1], place[2]);
            match (self.drawing, mark) {
                (Drawing::None, _) => return Err(stray(text)),
                (_, ' ') | (Drawing::Board, '#') | (Drawing::Piece, '.') => {}
                (Drawing::Board, mark) if matches!(mark, '.' | '?') || mark.is_alphabetic() => {
                    self.board.push(DrawnCell { cell, place, mark, line });
                }
                (Drawing::Board, mark) => {
                    let expected = "'.', '?', '#', a blank or a letter";
                    return Err(mistake(format!("{mark:?} in the board"), expected));
                }
                (Drawing::Piece, mark) if mark.is_whitespace() || mark.is_control() => {
                    let expected =
                        "'.' or a blank where it has no cell, any letter or sign where it has one";
                    return Err(mistake(format!("{mark:?} in a piece"), expected));
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
    fn read_header(&self, header: &str, line: usize) -> Result<Piece, Mistake> {
        let mut words = header.split_whitespace();
        let name = words.next().ok_or_else(|| stray(":"))?.to_owned();
        if name.contains(|c: char| c == ',' || c.is_control()) {
            let expected = "one without ',' and control characters";
            return Err(mistake(format!("the piece name {name:?}"), expected));
        }
        if self.pieces.iter().any(|piece| piece.name == name) {
            let found = format!("two pieces with the name '{name}'");
            return Err(mistake(found, "a name of its own for each"));
        }
        let mut piece = Piece {
            name,
            cells: Vec::new(),
            freedom: self.freedom,
            bounds: Some((1, 1)),
            letters: String::new(),
            line,
            may_fit_nowhere: false,
        };
        while let Some(word) = words.next() {
            match word {
                "x" => piece.bounds = read_count(words.next().unwrap_or_default())?,
                "on" => piece.letters = words.next().unwrap_or_default().to_owned(),
                "turn" | "flip" | "fixed" => piece.freedom = read_freedom(word)?,
                word => {
                    let expected = "NAME, then 'x COUNT', turn, flip, fixed or 'on LETTERS'";
                    return Err(mistake(format!("'{word}' in the name of a piece"), expected));
                }
            }
        }
        Ok(piece)
    }
}

/// The mistake of a line outside of all drawings.
fn stray(line: &str) -> Mistake {
    mistake(format!("'{line}'"), "'grid:', 'board:', 'pieces:' or the name of a piece and ':'")
}

fn read_freedom(word: &str) -> Result<Freedom, Mistake> {
    word.parse().map_err(|_| mistake(format!("'{word}'"), "turn, flip or fixed"))
}

/// The bounds in `3` or `3..9`; `None` for `any`.
fn read_count(word: &str) -> Result<Option<(u32, u32)>, Mistake> {
    if word == "any" {
        return Ok(None);
    }
    let (low, high) = word.split_once("..").unwrap_or((word, word));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(Some((low, high))),
        _ => {
            let expected = "a number, two with '..' between them, or any";
            Err(mistake(format!("'x {word}'"), expected))
        }
    }
}
