//! Puzzles drawn by hand: a board, and pieces below it.
//!
//! ```text
//! ; Two dominoes and a tromino on a board with a hole.
//! grid: square
//! board:
//! ...
//! .#.
//! ...
//! pieces: flip
//! D x 1..2:
//! oo
//! L x any:
//! oo
//! o
//! ```
//!
//! * `;` begins a comment; blank lines are skipped.
//! * `grid:` is `square` (the default), `cube`, `hex` or `triangle` ([`Grid`]).
//! * `board:` In the drawing `.` is a cell that has to be covered, `?` one that may be, `#` or a blank no cell. A letter
//!   is a cell that only pieces with this letter behind `on` may cover. A line with `-` alone goes on to the next
//!   layer of a cube.
//! * `pieces:` says what may be done to pieces: `fixed`, `turn` or `flip` (the default: turn and flip, [`Freedom`]).
//! * `NAME:` begins a piece that is used once, `NAME x 3:` three times, `NAME x 3..9:` three to nine times, `NAME x
//!   any:` any number of times. `turn`, `flip` or `fixed` and `on LETTERS` may follow. In its drawing `.` and blanks
//!   are no cells, every other visible character is one. A piece may have several parts.

pub(crate) mod grid;
mod read;
mod remarks;
mod symmetry;

use std::collections::HashMap;
use std::fmt::Write;

pub use crate::line_error::PictureError;
pub use grid::{Freedom, Grid};
pub(crate) use read::{begins_picture, read};

use grid::Cell;

use crate::cover::{Cover, CoverError};
use crate::item::{Entry, ItemId, Kind, NO_COLOUR};
use crate::line_error::At;
use grid::{difference, sum};

/// A puzzle that was drawn, as a cover: a primary item for each piece whose number is bounded, then an item for each
/// cell.
#[derive(Debug, Clone)]
pub struct Puzzle {
    cover: Cover,
    grid: Grid,
    /// The cells of the board, and where they are drawn: column, row and layer.
    pub(crate) board: Vec<(Cell, [i32; 3])>,
    /// The item of the first cell.
    pub(crate) first_cell: ItemId,
    /// The piece of each option.
    pub(crate) pieces: Vec<u32>,
    names: Vec<String>,
    /// What a cell is drawn as.
    marks: Vec<char>,
    /// What shows that there can be no cover.
    pub(crate) remarks: Vec<String>,
}

/// A piece as it was drawn.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub name: String,
    pub cells: Vec<Cell>,
    pub freedom: Freedom,
    /// How often it is used; `None` for any number of times.
    pub bounds: Option<(u32, u32)>,
    /// The letters that it may cover.
    pub on: String,
    /// The line of its name.
    pub line: usize,
}

/// A cell of the board as it was drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn {
    pub cell: Cell,
    pub place: [i32; 3],
    pub mark: char,
    /// Its line.
    pub line: usize,
}

impl Puzzle {
    /// Lays each piece down in every way. An error comes with the line of the piece.
    pub(crate) fn new(grid: Grid, board: &[Drawn], pieces: &[Piece]) -> Result<Self, At> {
        let mut cover = Cover::new();
        let places: HashMap<Cell, u32> =
            board.iter().zip(0..).map(|(drawn, place)| (drawn.cell, place)).collect();
        let placements: Vec<Vec<Placement>> =
            pieces.iter().map(|piece| placements(grid, board, &places, piece)).collect();
        let bounds: Vec<Option<(u32, u32)>> = pieces
            .iter()
            .zip(&placements)
            .map(|(piece, placements)| bounds_of(piece, placements, board))
            .collect();
        for (piece, bounds) in pieces.iter().zip(&bounds) {
            if let &Some((low, high)) = bounds {
                let added = cover.add_item(&piece.name, Kind::Primary { low, high });
                added.map_err(|error| (piece.line, error.into()))?;
            }
        }
        let first_cell = cover.items().len() as ItemId;
        add_cells(&mut cover, board).map_err(|error| (1, error.into()))?;
        let mut puzzle = Self {
            cover,
            grid,
            board: board.iter().map(|drawn| (drawn.cell, drawn.place)).collect(),
            first_cell,
            pieces: Vec::new(),
            names: pieces.iter().map(|piece| piece.name.clone()).collect(),
            marks: board.iter().map(|drawn| drawn.mark).collect(),
            remarks: Vec::new(),
        };
        let mut item = 0;
        for (number, piece) in pieces.iter().enumerate() {
            let of_piece = bounds[number].map(|_| item);
            item += u32::from(bounds[number].is_some());
            if placements[number].is_empty() {
                return Err((piece.line, PictureError::NoPlace(piece.name.clone()).into()));
            }
            let laid = puzzle.lay(number as u32, of_piece, &placements[number]);
            laid.map_err(|error| (piece.line, error.into()))?;
        }
        let mut is_covered = vec![false; board.len()];
        placements.iter().flatten().flatten().for_each(|&place| is_covered[place as usize] = true);
        puzzle.remarks = remarks::of_drawing(board, pieces, &is_covered);
        Ok(puzzle)
    }

    /// Adds an option for each placement of piece number `piece`, whose item is `item` if it has one.
    fn lay(
        &mut self,
        piece: u32,
        item: Option<ItemId>,
        placements: &[Placement],
    ) -> Result<(), CoverError> {
        for placement in placements {
            let cells = placement.iter().map(|place| self.first_cell + place);
            let items = item.into_iter().chain(cells);
            self.cover.add_option(items.map(|item| Entry { item, colour: NO_COLOUR }))?;
            self.pieces.push(piece);
        }
        Ok(())
    }

    /// The puzzle as a cover.
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The shape of the cells.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The name of the piece that an option lays down.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn piece(&self, option: usize) -> &str {
        &self.names[self.pieces[option] as usize]
    }

    /// An option as the name of its piece and the cells that it covers, such as `D 1,1,1 2,1,1`. The cover's own text
    /// of it has no name if the piece has no item, as one for any number of times.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn option_text(&self, option: usize) -> String {
        let text = self.cover.option_text(option);
        let has_item = self.cover.entries(option).iter().any(|entry| entry.item < self.first_cell);
        if has_item { text } else { format!("{} {text}", self.piece(option)) }
    }

    /// The board with the pieces of a solution, in characters: a piece that is used once by the first letter of its
    /// name if no other has that, every other one by a letter or digit of its own as far as they go.
    ///
    /// # Panics
    /// If the solution names an option that there is not.
    pub fn draw(&self, solution: &[u32]) -> String {
        let first_letter = |piece: u32| self.names[piece as usize].chars().next().unwrap_or('?');
        let uses = |letter: char| {
            solution
                .iter()
                .filter(|&&option| first_letter(self.pieces[option as usize]) == letter)
                .count()
        };
        let mut spare = ('a'..='z')
            .chain('0'..='9')
            .chain('A'..='Z')
            .filter(|&letter| uses(letter) == 0)
            .cycle();
        let mut drawn: HashMap<[i32; 3], char> = HashMap::new();
        for (index, &(_, place)) in self.board.iter().enumerate() {
            drawn.insert(place, if self.marks[index] == '?' { '?' } else { '.' });
        }
        for &option in solution {
            let own = first_letter(self.pieces[option as usize]);
            let letter = if uses(own) == 1 { own } else { spare.next().unwrap_or(own) };
            for entry in self.cover.entries(option as usize) {
                if let Some(cell) = entry.item.checked_sub(self.first_cell) {
                    drawn.insert(self.board[cell as usize].1, letter);
                }
            }
        }
        self.rows(&drawn)
    }

    fn rows(&self, drawn: &HashMap<[i32; 3], char>) -> String {
        let most = |axis: usize| self.board.iter().map(|cell| cell.1[axis]).max().unwrap_or(-1);
        let mut text = String::new();
        for layer in 0..=most(2) {
            if layer > 0 {
                text.push_str("-\n");
            }
            for row in 0..=most(1) {
                let columns = 0..=most(0);
                let line: String = columns
                    .map(|column| drawn.get(&[column, row, layer]).copied().unwrap_or(' '))
                    .collect();
                let indent = if self.grid == Grid::Hex && row % 2 == 1 { " " } else { "" };
                let line = match self.grid {
                    Grid::Hex => line.chars().flat_map(|c| [c, ' ']).collect(),
                    _ => line,
                };
                let _ = writeln!(text, "{indent}{}", line.trim_end());
            }
        }
        text
    }
}

/// The places of the cells that a piece covers.
type Placement = Vec<u32>;

/// Every way to lay a piece on the board.
fn placements(
    grid: Grid,
    board: &[Drawn],
    places: &HashMap<Cell, u32>,
    piece: &Piece,
) -> Vec<Placement> {
    let may_cover = |place: &u32| {
        let mark = board[*place as usize].mark;
        matches!(mark, '.' | '?') || piece.on.contains(mark)
    };
    let mut found = Vec::new();
    for image in grid.images(&piece.cells, piece.freedom) {
        for anchor in board {
            let by = difference(anchor.cell, image[0]);
            if !grid.is_translation(by) {
                continue;
            }
            let covered: Option<Placement> =
                image.iter().map(|&cell| places.get(&sum(cell, by)).copied()).collect();
            found.extend(covered.filter(|covered| covered.iter().all(may_cover)));
        }
    }
    found
}

/// How often a piece is used, if it needs an item for that. The engines never choose an option whose items may all stay
/// uncovered, so a piece for any number of times gets an item too if it can lie on `?` cells alone.
fn bounds_of(piece: &Piece, placements: &[Placement], board: &[Drawn]) -> Option<(u32, u32)> {
    let is_optional = |place: &u32| board[*place as usize].mark == '?';
    let may_be_missed = placements.iter().any(|placement| placement.iter().all(is_optional));
    let any_number = may_be_missed.then_some((0, board.len() as u32));
    piece.bounds.or(any_number)
}

/// An item for each cell: primary if it has to be covered.
fn add_cells(cover: &mut Cover, board: &[Drawn]) -> Result<(), CoverError> {
    for drawn in board {
        let [column, row, layer] = drawn.place;
        let name = format!("{},{},{}", column + 1, row + 1, layer + 1);
        let kind =
            if drawn.mark == '?' { Kind::Secondary } else { Kind::Primary { low: 1, high: 1 } };
        cover.add_item(&name, kind)?;
    }
    Ok(())
}
