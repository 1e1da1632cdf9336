//! A 9 × 9 grid: a digit or a blank in each cell, and the line of text that spells it.

use std::fmt;
use std::str::FromStr;

use crate::error::LineError;
use tallyboard_base::array::array;
use tallyboard_base::text::is_blank;

/// The number of cells.
pub const CELLS: usize = 81;

/// The six orders of three things: of bands, of stacks, of the rows in a band or the columns in a stack.
pub(super) const ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A sudoku grid, row by row from the top left; 0 is a blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid([u8; CELLS]);

impl Grid {
    /// The grid with these cells; `None` if a value is over 9.
    pub fn new(cells: [u8; CELLS]) -> Option<Self> {
        // To look at all of them without a branch is faster than to leave at the first.
        let mut are_digits = true;
        for cell in cells {
            are_digits &= cell <= 9;
        }
        are_digits.then_some(Self(cells))
    }

    /// The grid with these cells, none of which is over 9.
    pub(super) fn of_digits(cells: [u8; CELLS]) -> Self {
        debug_assert!(cells.iter().all(|&cell| cell <= 9));
        Self(cells)
    }

    /// The cells, row by row; 0 is a blank.
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The number of cells that hold a digit.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&cell| cell != 0).count()
    }

    /// Whether `filled` is a solution: it keeps the digits of this grid, and each row, column and box has all nine. No code
    /// of a search takes part.
    pub fn is_solved_by(&self, filled: &Self) -> bool {
        const ALL: u16 = 0b11_1111_1110;
        // Without branches, and with sums that stay in registers: files of millions are checked by this.
        let mut is_right = true;
        for cell in 0..CELLS {
            is_right &= (self.0[cell] == 0) | (self.0[cell] == filled.0[cell]);
        }
        let mut columns = [0; 9];
        for band in filled.0.as_chunks::<9>().0.as_chunks::<3>().0 {
            let digits: [[u16; 9]; 3] = array(|row| array(|at| 1 << (band[row][at] & 15)));
            let in_band: [u16; 9] = array(|at| digits[0][at] | digits[1][at] | digits[2][at]);
            for row in digits {
                let mut of_row = 0;
                for digit in row {
                    of_row |= digit;
                }
                is_right &= of_row == ALL;
            }
            for of_box in in_band.as_chunks::<3>().0 {
                is_right &= of_box[0] | of_box[1] | of_box[2] == ALL;
            }
            columns = array(|at| columns[at] | in_band[at]);
        }
        is_right && columns == [ALL; 9]
    }

    /// The grid as 81 characters, blanks as `.`.
    pub fn to_bytes(&self) -> [u8; CELLS] {
        array(|cell| if self.0[cell] == 0 { b'.' } else { b'0' + self.0[cell] })
    }
}

impl Default for Grid {
    /// The empty grid.
    fn default() -> Self {
        Self([0; CELLS])
    }
}

impl FromStr for Grid {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        parse_line(text.as_bytes())
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.to_bytes().iter().try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

/// The digit of a cell character, 0 for a blank; `None` for any other character.
pub(crate) fn digit_of(byte: u8) -> Option<u8> {
    match byte {
        b'1'..=b'9' => Some(byte - b'0'),
        b'0' => Some(0),
        _ if is_blank(char::from(byte)) => Some(0),
        _ => None,
    }
}

/// Reads one puzzle from a line without its line break: the first 81 characters are the cells. Text may follow after a
/// separator (a space, a tab, a comma, a semicolon, a colon or `#`) and is ignored.
///
/// # Errors
/// [`LineError`] says what was found and what was expected.
pub fn parse_line(line: &[u8]) -> Result<Grid, LineError> {
    let mut cells = [0; CELLS];
    for (index, target) in cells.iter_mut().enumerate() {
        let &byte = line.get(index).ok_or(LineError::Cells { found: index, expected: CELLS })?;
        *target = digit_of(byte)
            .ok_or_else(|| LineError::Stray { found: char_at(line, index), column: index + 1 })?;
    }
    match line.get(CELLS) {
        None | Some(b' ' | b'\t' | b',' | b';' | b':' | b'#') => {}
        Some(&byte) if digit_of(byte).is_some() => {
            let found = line.iter().take_while(|&&byte| digit_of(byte).is_some()).count();
            return Err(LineError::Cells { found, expected: CELLS });
        }
        Some(_) => return Err(LineError::Long(char_at(line, CELLS))),
    }
    Ok(Grid::new(cells).expect("every cell is a digit"))
}

/// The character that begins at `index`.
fn char_at(line: &[u8], index: usize) -> char {
    // No character is longer in UTF-8.
    let end = line.len().min(index + 4);
    let text = String::from_utf8_lossy(&line[index..end]);
    text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
}

// Cells of a 9 × 9 grid and the houses they share, by the names that people use.

/// A cell. Its name `r4c5` says: row 4 from the top, column 5 from the left.
///
/// ```
/// use tallyboard_sudoku::Cell;
///
/// let cell: Cell = "r4c5".parse()?;
/// assert_eq!((cell.row(), cell.column(), cell.index()), (3, 4, 31));
/// assert!("r0c5".parse::<Cell>().is_err());
/// # Ok::<(), tallyboard_sudoku::CellError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// A text that names no cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the cell `{found}`, expected a row and a column from 1 to 9, like r4c5")]
pub struct CellError {
    /// The text.
    pub found: String,
}

impl Cell {
    /// The cell of this number in reading order, from 0.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(index: usize) -> Self {
        assert!(index < CELLS, "a grid has {CELLS} cells");
        Self(index as u8)
    }

    /// Every cell in reading order.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..CELLS).map(Self::new)
    }

    /// Its number in reading order, from 0.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its row, from 0 at the top.
    pub fn row(self) -> usize {
        self.index() / 9
    }

    /// Its column, from 0 at the left.
    pub fn column(self) -> usize {
        self.index() % 9
    }

    /// Its row, its column and its box.
    pub fn houses(self) -> [House; 3] {
        HOUSES[self.index()].map(|house| House(house as u8))
    }

    /// The other cells of its houses, in reading order.
    pub fn peers(self) -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(move |peer| PEERS[self.index()] >> peer.index() & 1 != 0)
    }

    /// The first house that it shares with another cell: the row, or else the column, or else the box.
    pub fn shared_house(self, other: Self) -> Option<House> {
        self.houses().into_iter().find(|house| self != other && other.houses().contains(house))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(name: &str) -> Result<Self, CellError> {
        if let &[b'r' | b'R', row @ b'1'..=b'9', b'c' | b'C', column @ b'1'..=b'9'] =
            name.as_bytes()
        {
            return Ok(Self(9 * (row - b'1') + column - b'1'));
        }
        Err(CellError { found: name.to_owned() })
    }
}

/// A row, a column or a box. Boxes are counted in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct House(u8);

impl House {
    /// The rows, then the columns, then the boxes.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..27).map(Self)
    }

    /// Its cells in reading order.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        let number = usize::from(self.0 % 9);
        // The index of the first cell; how far the next cell is within a third of the house, and how far the next third.
        let (first, next_cell, next_third) = match self.0 / 9 {
            0 => (9 * number, 1, 3),
            1 => (number, 9, 27),
            _ => (27 * (number / 3) + 3 * (number % 3), 1, 9),
        };
        (0..9).map(move |at| Cell::new(first + at % 3 * next_cell + at / 3 * next_third))
    }

    /// What kind of house it is: row, column or box.
    pub fn kind(self) -> &'static str {
        ["row", "column", "box"][usize::from(self.0 / 9)]
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.0 % 9 + 1)
    }
}

impl Grid {
    /// The first two cells with the same digit in one house, if there are any.
    #[doc(hidden)]
    pub fn clash(&self) -> Option<(Cell, Cell, House)> {
        for first in Cell::all().filter(|cell| self.cells()[cell.index()] != 0) {
            let digit = self.cells()[first.index()];
            let mut later_peers = first.peers().filter(|&peer| peer > first);
            if let Some(second) = later_peers.find(|peer| self.cells()[peer.index()] == digit) {
                return Some((first, second, first.shared_house(second)?));
            }
        }
        None
    }
}

// The houses of cells.

/// The row, the column and the box of a cell, numbered one after the other: rows from 0, columns
/// from `SIDE`, boxes from 2 `SIDE`.
pub type Houses = [usize; 3];

/// The houses of each cell of a grid with `SIDE` rows.
pub const fn houses<const SIDE: usize, const CELLS: usize>() -> [Houses; CELLS] {
    assert!(SIDE * SIDE == CELLS, "a grid is a square");
    let edge = SIDE.isqrt();
    assert!(edge * edge == SIDE, "boxes are squares");
    let mut houses = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let row = cell / SIDE;
        let column = cell % SIDE;
        houses[cell] = [row, SIDE + column, 2 * SIDE + row / edge * edge + column / edge];
        cell += 1;
    }
    houses
}

const HOUSES: [Houses; CELLS] = houses::<9, CELLS>();

/// The peers of each cell: the other cells of its houses, as bits.
pub static PEERS: [u128; CELLS] = peers();

const fn peers() -> [u128; CELLS] {
    let mut peers = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let [row, column, box_number] = HOUSES[cell];
        let mut other = 0;
        while other < CELLS {
            let houses = HOUSES[other];
            let shared = row == houses[0] || column == houses[1] || box_number == houses[2];
            if shared && other != cell {
                peers[cell] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    peers
}

/// Grids for the unit tests of several modules.
#[cfg(test)]
pub mod test_grids {
    use super::{CELLS, Grid};

    /// A puzzle with one solution: [`SOLVED`].
    pub const UNIQUE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    pub const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    /// Two rectangles of two values each: 4 solutions.
    pub const PAIRS: &str =
        "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";
    /// 12,462 solutions.
    pub const THOUSANDS: &str =
        ".7...1....5.8.2.......3.....6..9.4.........8.......3...465....3..7.4.2.1...9.....";
    /// 135,575 solutions.
    pub const TENTH_OF_A_MILLION: &str =
        "....2.....2...3...16..5...........5....4...2.4.......3...9.5.84..93..1........7..";
    /// 1,082,204 solutions.
    pub const MILLION: &str =
        "5..3..2.9...15.....7.....5.2............2614.8.6..4.3.7...6......................";

    /// `grid` with other cells.
    pub fn changed(grid: &Grid, change: impl FnOnce(&mut [u8; CELLS])) -> Grid {
        let mut cells = *grid.cells();
        change(&mut cells);
        Grid::new(cells).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_blank_is_read_and_text_after_a_separator_is_ignored() {
        for blank in ".0_*-xX".chars() {
            let line = format!("1{} # a note", blank.to_string().repeat(80));
            assert_eq!(parse_line(line.as_bytes()).unwrap().clues(), 1);
        }
    }

    #[test]
    fn solutions_are_told_from_other_grids() {
        use super::test_grids::{SOLVED, UNIQUE, changed};
        let grid = |text: &str| text.parse::<Grid>().unwrap();
        let solved = grid(SOLVED);
        for puzzle in [grid(UNIQUE), Grid::default(), solved] {
            assert!(puzzle.is_solved_by(&solved));
        }
        for cell in 0..CELLS {
            for digit in (0..=9).filter(|&digit| digit != solved.cells()[cell]) {
                let other = changed(&solved, |cells| cells[cell] = digit);
                assert!(!Grid::default().is_solved_by(&other), "{cell} {digit}");
            }
            // A solution of another puzzle.
            let digit = solved.cells()[cell] % 9 + 1;
            let puzzle = changed(&Grid::default(), |cells| cells[cell] = digit);
            assert!(!puzzle.is_solved_by(&solved), "{cell}");
        }
        // Two rows, two columns or two boxes change places: of rows, columns and boxes one kind is wrong.
        let swapped = |one: fn(usize) -> usize, other: fn(usize) -> usize| {
            let swap =
                |cells: &mut [u8; CELLS]| (0..9).for_each(|at| cells.swap(one(at), other(at)));
            changed(&solved, swap)
        };
        let in_band = swapped(|at| at, |at| 9 + at);
        let between_bands = swapped(|at| at, |at| 27 + at);
        let between_stacks = swapped(|at| 9 * at, |at| 9 * at + 3);
        let boxes = swapped(|at| at / 3 * 9 + at % 3, |at| at / 3 * 9 + at % 3 + 30);
        assert!(Grid::default().is_solved_by(&in_band));
        for wrong in [between_bands, between_stacks, boxes] {
            assert!(!Grid::default().is_solved_by(&wrong), "{wrong}");
        }
    }

    #[test]
    fn errors_say_what_was_found() {
        let parse = |text: String| parse_line(text.as_bytes()).unwrap_err();
        assert_eq!(parse(".".repeat(80)), LineError::Cells { found: 80, expected: 81 });
        assert_eq!(parse(".".repeat(82)), LineError::Cells { found: 82, expected: 81 });
        assert_eq!(parse(".".repeat(81) + "&"), LineError::Long('&'));
        let stray = format!("..é{}", ".".repeat(78));
        assert_eq!(parse(stray), LineError::Stray { found: 'é', column: 3 });
    }
}

#[cfg(test)]
mod cell_tests {
    use super::*;

    #[test]
    fn names_and_cells_agree() {
        for cell in Cell::all() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(cell.to_string().to_uppercase().parse(), Ok(cell));
        }
        for wrong in ["", "r1", "r0c1", "r1c0", "c1r1", "r10c1", "r1c1 ", "5", "ré"] {
            assert_eq!(wrong.parse::<Cell>(), Err(CellError { found: wrong.to_owned() }));
        }
    }

    #[test]
    fn two_equal_digits_in_a_house_clash() {
        let grid = |digits: &[(usize, u8)]| {
            let mut cells = [0; CELLS];
            digits.iter().for_each(|&(cell, digit)| cells[cell] = digit);
            Grid::new(cells)
                .unwrap()
                .clash()
                .map(|(first, second, _)| (first.index(), second.index()))
        };
        assert_eq!(grid(&[(0, 5), (12, 5), (80, 3), (79, 4)]), None);
        assert_eq!(grid(&[(0, 5), (12, 5), (20, 5)]), Some((0, 20)));
        assert_eq!(grid(&[(7, 5), (79, 5)]), Some((7, 79)));
    }

    #[test]
    fn houses_have_nine_cells_and_know_them() {
        for house in House::all() {
            let cells: Vec<Cell> = house.cells().collect();
            assert_eq!(cells.len(), 9);
            assert!(cells.is_sorted());
            assert!(cells.iter().all(|cell| cell.houses().contains(&house)));
        }
        let cell = |name: &str| name.parse::<Cell>().unwrap();
        let names = cell("r5c2").houses().map(|house| house.to_string());
        assert_eq!(names, ["row 5", "column 2", "box 4"]);
        let shared = |a, b| cell(a).shared_house(cell(b)).map(|house| house.to_string());
        assert_eq!(shared("r1c1", "r2c2").as_deref(), Some("box 1"));
        assert_eq!(shared("r1c1", "r1c2").as_deref(), Some("row 1"));
        assert_eq!((shared("r1c1", "r4c4"), shared("r1c1", "r1c1")), (None, None));
    }
}
