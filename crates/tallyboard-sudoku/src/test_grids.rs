//! Grids for the unit tests of several modules.

use crate::{CELLS, Grid};

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
