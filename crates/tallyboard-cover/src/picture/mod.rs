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
//! * `board:` begins the drawing of the board. A `.` is a cell that has to be covered, a `?` one that may be covered, and `#` or
//!   a blank is no cell. A letter is a cell that has to be covered by a piece with this letter after `on`. A line with `-` alone
//!   begins the next layer of a cube.
//! * `pieces:` states how pieces may be moved: `fixed`, `turn` or `flip` (the default: turn and flip, [`Freedom`]).
//! * `NAME:` begins a piece that is used once, `NAME x 3:` three times, `NAME x 3..9:` three to nine times, `NAME x
//!   any:` any number of times. `turn`, `flip` or `fixed` and `on LETTERS` may follow. In its drawing `.` and blanks
//!   are no cells, every other visible character is one. A piece may have several parts.

pub(crate) mod grid;
mod read;

use crate::cover::{Cover, Entry, ItemId, Kind, NO_COLOUR};
use crate::mistake::{LocatedMistake, mistake, shortened};
use grid::{Cell, difference, sum};
pub use grid::{Freedom, Grid};
pub(crate) use read::{begins_picture, read};
use std::collections::HashMap;
use std::fmt::Write;
use tallyboard_base::figures::{counted, grouped};

/// A drawn puzzle as a cover: it has a primary item for each piece that is used a bounded number of times, then an item for each
/// cell.
#[derive(Debug, Clone)]
pub struct Puzzle {
    pub(crate) cover: Cover,
    pub(crate) grid: Grid,
    pub(crate) board: Vec<DrawnCell>,
    /// The item of the first cell.
    pub(crate) first_cell: ItemId,
    /// The number of the piece of each option.
    pub(crate) pieces: Vec<u32>,
    /// The name of each piece.
    pub(crate) names: Vec<String>,
    /// The numbers on the two cells of each option, if the pieces are dominoes with numbers.
    pub(crate) ends: Option<Vec<[u32; 2]>>,
    /// Reasons for which there is no cover, as far as they are seen without a search.
    pub(crate) remarks: Vec<String>,
    /// What in the drawing is hardly meant, whether there are covers or not.
    pub(crate) warnings: Vec<String>,
}

/// A piece as it was drawn.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub name: String,
    pub cells: Vec<Cell>,
    pub freedom: Freedom,
    /// How often it is used; `None` for any number of times.
    pub bounds: Option<(u32, u32)>,
    /// The letters of the cells that it may cover besides `.` and `?`.
    pub letters: String,
    /// The number of the line with its name.
    pub line: usize,
    /// Whether it is left out, and no mistake, if it has no place on the board.
    pub may_fit_nowhere: bool,
}

/// A cell of the board as it was drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawnCell {
    pub cell: Cell,
    /// The column, the row and the layer in the drawing.
    pub place: [i32; 3],
    /// The character in the drawing.
    pub mark: char,
    /// The number of its line.
    pub line: usize,
}

impl Puzzle {
    /// The puzzle with an option for each placement of a piece. An error has the line of the piece.
    pub(crate) fn new(
        grid: Grid,
        board: Vec<DrawnCell>,
        pieces: &[Piece],
    ) -> Result<Self, LocatedMistake> {
        let mut cover = Cover::new();
        let places: HashMap<Cell, u32> =
            board.iter().zip(0..).map(|(drawn, place)| (drawn.cell, place)).collect();
        let placements: Vec<Vec<Placement>> =
            pieces.iter().map(|piece| placements(grid, &board, &places, piece)).collect();
        for (piece, placements) in pieces.iter().zip(&placements) {
            if let Some((low, high)) = bounds_of(piece, placements, &board) {
                let added = cover.add_item(&piece.name, Kind::Primary { low, high });
                added.map_err(|error| (piece.line, error.into()))?;
            }
        }
        let first_cell = cover.items().len() as ItemId;
        add_cells(&mut cover, &board)?;
        let mut pieces_of_options = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            if placements[number].is_empty() && !piece.may_fit_nowhere {
                let found = format!("no place on the board for the piece '{}'", piece.name);
                return Err((piece.line, mistake(found, "at least one")));
            }
            let item = cover.item(&piece.name);
            for placement in &placements[number] {
                let cells = placement.iter().map(|place| first_cell + place);
                let items = item.into_iter().chain(cells);
                let added = cover.add_option(items.map(|item| Entry { item, colour: NO_COLOUR }));
                added.map_err(|error| (piece.line, error.into()))?;
                pieces_of_options.push(number as u32);
            }
        }
        let mut is_covered = vec![false; board.len()];
        placements.iter().flatten().flatten().for_each(|&place| is_covered[place as usize] = true);
        Ok(Self {
            remarks: remarks_of_drawing(&board, pieces, &is_covered),
            warnings: on_missing_letters(&board, pieces),
            cover,
            grid,
            board,
            first_cell,
            pieces: pieces_of_options,
            ends: None,
            names: pieces.iter().map(|piece| piece.name.clone()).collect(),
        })
    }

    /// The puzzle as a cover.
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The shape of the cells.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The name of the piece that an option places.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn piece(&self, option: usize) -> &str {
        &self.names[self.pieces[option] as usize]
    }

    /// An option as the name of its piece and the cells that it covers, such as `D 1,1,1 2,1,1`. The text of
    /// [`Cover::option_text`] lacks the name of a piece that has no item, such as one for any number of times.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn option_text(&self, option: usize) -> String {
        let text = self.cover.option_text(option);
        let has_item = self.cover.entries(option).iter().any(|entry| entry.item < self.first_cell);
        if has_item { text } else { format!("{} {text}", self.piece(option)) }
    }

    /// The board with the pieces of a solution, as text. Dominoes show their numbers. Any other piece is drawn as the first letter
    /// of its name if no second piece of the solution would be drawn so, and otherwise as a letter or digit that begins no name.
    /// When all of these are used, the first is taken again.
    ///
    /// # Panics
    /// If the solution names an option that there is not.
    pub fn draw(&self, solution: &[u32]) -> String {
        if self.is_of_pips() {
            return self.draw_pips(solution);
        }
        let first_letter = |piece: u32| self.names[piece as usize].chars().next().unwrap_or('?');
        let uses = |letter: char| {
            solution
                .iter()
                .filter(|&&option| first_letter(self.pieces[option as usize]) == letter)
                .count()
        };
        // A letter that begins another name would look like that piece.
        let is_of_piece = |letter: char| self.names.iter().any(|name| name.starts_with(letter));
        let mut free = ('a'..='z')
            .chain('0'..='9')
            .chain('A'..='Z')
            .filter(|&letter| !is_of_piece(letter))
            .cycle();
        let mut drawn: HashMap<[i32; 3], char> = HashMap::new();
        for cell in &self.board {
            drawn.insert(cell.place, if cell.mark == '?' { '?' } else { '.' });
        }
        for &option in solution {
            let own = first_letter(self.pieces[option as usize]);
            let letter = if uses(own) == 1 { own } else { free.next().unwrap_or(own) };
            for entry in self.cover.entries(option as usize) {
                if let Some(cell) = entry.item.checked_sub(self.first_cell) {
                    drawn.insert(self.board[cell as usize].place, letter);
                }
            }
        }
        self.rows(&drawn)
    }

    /// The lines of a drawing with these characters.
    fn rows(&self, drawn: &HashMap<[i32; 3], char>) -> String {
        let last = |axis: usize| self.board.iter().map(|cell| cell.place[axis]).max().unwrap_or(-1);
        let mut text = String::new();
        for layer in 0..=last(2) {
            if layer > 0 {
                text.push_str("-\n");
            }
            for row in 0..=last(1) {
                let mut line = String::new();
                if self.grid == Grid::Hex && row % 2 == 1 {
                    line.push(' ');
                }
                for column in 0..=last(0) {
                    line.push(drawn.get(&[column, row, layer]).copied().unwrap_or(' '));
                    if self.grid == Grid::Hex {
                        line.push(' ');
                    }
                }
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }
}

/// The places of the cells that a piece covers.
type Placement = Vec<u32>;

/// All placements of a piece on the board.
fn placements(
    grid: Grid,
    board: &[DrawnCell],
    places: &HashMap<Cell, u32>,
    piece: &Piece,
) -> Vec<Placement> {
    let may_cover = |place: &u32| {
        let mark = board[*place as usize].mark;
        matches!(mark, '.' | '?') || piece.letters.contains(mark)
    };
    let mut found = Vec::new();
    for image in grid.images(&piece.cells, piece.freedom) {
        // Moves the first cell of the image to each cell of the board.
        for target in board {
            let by = difference(target.cell, image[0]);
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

/// How often a piece is used; `None` if it needs no item. The engines never choose an option without a primary item, so a piece
/// for any number of times needs an item if one of its placements covers only `?` cells.
fn bounds_of(piece: &Piece, placements: &[Placement], board: &[DrawnCell]) -> Option<(u32, u32)> {
    let is_optional = |place: &u32| board[*place as usize].mark == '?';
    let needs_item = placements.iter().any(|placement| placement.iter().all(is_optional));
    let any_number = needs_item.then_some((0, board.len() as u32));
    piece.bounds.or(any_number)
}

/// Adds an item for each cell, which is primary if the cell has to be covered. An error has the line of the cell.
pub(crate) fn add_cells(cover: &mut Cover, board: &[DrawnCell]) -> Result<(), LocatedMistake> {
    for drawn in board {
        let [column, row, layer] = drawn.place;
        let name = format!("{},{},{}", column + 1, row + 1, layer + 1);
        let kind = if drawn.mark == '?' { Kind::Secondary } else { Kind::ONCE };
        cover.add_item(&name, kind).map_err(|error| (drawn.line, error.into()))?;
    }
    Ok(())
}

// Reasons for which a drawn puzzle has no cover, as far as they are seen in the drawing.

/// The remarks on a drawn puzzle. `is_covered` tells for each cell whether some placement covers it.
fn remarks_of_drawing(board: &[DrawnCell], pieces: &[Piece], is_covered: &[bool]) -> Vec<String> {
    let mut remarks = Vec::new();
    let bare =
        board.iter().zip(is_covered).filter(|(cell, is_covered)| cell.mark != '?' && !**is_covered);
    remarks.extend(shortened(bare.map(|(cell, _)| on_bare_cell(cell, pieces)).collect()));
    remarks.extend(on_sums(board, pieces));
    remarks
}

/// Letters of pieces that the board lacks. Such a piece may cover other cells, so there may be covers all the same: they are
/// those of another puzzle than was meant.
fn on_missing_letters(board: &[DrawnCell], pieces: &[Piece]) -> Vec<String> {
    let mut remarks = Vec::new();
    let is_missing = |letter: &char| !board.iter().any(|cell| cell.mark == *letter);
    for Piece { name, line, letters, .. } in pieces {
        for letter in letters.chars().filter(is_missing) {
            remarks.push(format!(
                "line {line}: the piece {name} is on {letter}, the board has no {letter}"
            ));
        }
    }
    remarks
}

/// The remark on a cell that has to be covered, and that no placement covers.
fn on_bare_cell(cell: &DrawnCell, pieces: &[Piece]) -> String {
    let DrawnCell { line, mark, place: [column, ..], .. } = *cell;
    let column = column + 1;
    if mark == '.' || pieces.iter().any(|piece| piece.letters.contains(mark)) {
        format!("line {line}: no piece fits on the {mark} in column {column}")
    } else {
        format!(
            "line {line}: no piece may cover the {mark} in column {column}: a letter is for pieces that are 'on {mark}'"
        )
    }
}

/// The remark that the pieces cannot cover as many cells as the board has, if so.
fn on_sums(board: &[DrawnCell], pieces: &[Piece]) -> Option<String> {
    let needed = board.iter().filter(|cell| cell.mark != '?').count() as u64;
    let most_covered = board.len() as u64;
    let size = |piece: &Piece| piece.cells.len() as u64;
    let divisor = pieces.iter().map(size).fold(0, greatest_common_divisor);
    let least = pieces.iter().fold(0_u64, |least, piece| {
        let low = piece.bounds.map_or(0, |bounds| bounds.0);
        least.saturating_add(size(piece).saturating_mul(low.into()))
    });
    // `None` if there is no bound.
    let most = pieces.iter().try_fold(0_u64, |most, piece| {
        let (_, high) = piece.bounds?;
        Some(most.saturating_add(size(piece).saturating_mul(high.into())))
    });
    let board_cells = if needed == most_covered {
        grouped(needed)
    } else {
        format!("{} to {}", grouped(needed), grouped(most_covered))
    };
    if most.is_some_and(|most| most < needed) || least > most_covered {
        let pieces = match most {
            Some(most) if most == least => counted(most, "cell"),
            Some(most) => format!("{} to {}", grouped(least), counted(most, "cell")),
            None => format!("at least {}", counted(least, "cell")),
        };
        return Some(format!("the pieces have {pieces}, the board {board_cells}"));
    }
    if (needed..=most_covered).any(|cells| cells % divisor == 0) {
        return None;
    }
    Some(format!("the pieces cover a multiple of {divisor} cells, the board has {board_cells}"))
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use crate::format::read;

    fn remarks(text: &str) -> Vec<String> {
        read(text.as_bytes(), "p").unwrap().remarks()
    }

    #[test]
    fn cells_and_items_that_nothing_covers_are_named() {
        assert_eq!(
            remarks("board:\n...A\npieces:\nD x any:\nx\n"),
            [
                "line 2: no piece may cover the A in column 4: a letter is for pieces that are 'on A'"
            ]
        );
        let x = remarks("board:\n..\n\nxx\npieces:\nD x any:\nxx\n");
        assert_eq!(x.len(), 2);
        assert!(x[0].starts_with("line 4: no piece may cover the x in column 1"), "{x:?}");
        // A wall keeps the piece from a cell.
        assert_eq!(
            remarks("board:\n..\n#.\n?#.\npieces: fixed\nD x any:\nxx\n"),
            [
                "line 3: no piece fits on the . in column 2",
                "line 4: no piece fits on the . in column 3"
            ]
        );
        assert_eq!(remarks("a 0:1|c b d | e\na b\n"), ["no option has item d"]);
        let many = remarks("a b c d e f g\na\n");
        assert_eq!((many.len(), &*many[5]), (6, "and 1 more"));
    }

    /// With covers and without, for a piece that is used so often and for one that is used as often as it likes.
    #[test]
    fn letters_that_the_board_lacks_are_named() {
        let warnings = |text: &str| read(text.as_bytes(), "p").unwrap().warnings();
        for cells in ["A.", "A.."] {
            for times in ["", " x any"] {
                let text = format!("board:\n{cells}\npieces:\nE{times} on AB:\nxx\n");
                let expected = ["line 4: the piece E is on B, the board has no B"];
                assert_eq!(warnings(&text), expected, "{text}");
            }
        }
        assert!(warnings("board:\nA.B\npieces:\nE on AB:\nxxx\nF:\nx\n").is_empty());
    }

    #[test]
    fn pieces_that_cannot_cover_the_board_are_named() {
        let of = |pieces: &str| remarks(&format!("board:\n....\n....\npieces:\n{pieces}"));
        assert_eq!(of("L:\nxx\nx\n"), ["the pieces have 3 cells, the board 8"]);
        assert_eq!(of("L x 1..2:\nxx\nx\n"), ["the pieces have 3 to 6 cells, the board 8"]);
        assert_eq!(
            of("L x 3:\nxx\nx\nD x any:\nxx\n"),
            ["the pieces have at least 9 cells, the board 8"]
        );
        assert_eq!(
            of("L x any:\nxx\nx\n"),
            ["the pieces cover a multiple of 3 cells, the board has 8"]
        );
        for possible in ["L x 1..4:\nxx\nx\nM x any:\nx\n", "D x 4:\nxx\n", "D x any:\nxx\n"] {
            assert_eq!(of(possible), Vec::<String>::new(), "{possible}");
        }
        let found = remarks("board:\n....?\npieces:\nL x any:\nxxx\n");
        assert_eq!(found, ["the pieces cover a multiple of 3 cells, the board has 4 to 5"]);
        // Cells that may be covered.
        assert!(remarks("board:\n..?\npieces:\nL:\nxxx\n").is_empty());
        let found = remarks("board:\n..??\npieces:\nM:\nx\n");
        assert_eq!(found, ["the pieces have 1 cell, the board 2 to 4"]);
    }
}
