//! The grids of boards and pieces, the turns and reflections of pieces, and the symmetries of a drawn puzzle.

use super::Puzzle;
use crate::symmetry::Symmetry;
use std::collections::{HashMap, HashSet};
use tallyboard_base::named::named;

/// A cell. Cells of a square grid are (column, row, 0), those of a cube (column, row, layer). Hexagons have axial
/// coordinates. A triangle has three coordinates with the sum 1 if it points up and 2 if it points down; two triangles
/// with a common edge differ by 1 in one of them.
pub(super) type Cell = [i32; 3];

/// The shape of the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Grid {
    /// Squares.
    #[default]
    Square,
    /// Cubes, in layers.
    Cube,
    /// Hexagons; odd rows are shifted to the right by half a cell.
    Hex,
    /// Triangles; those whose row and column have an even sum point up.
    Triangle,
}

named! {
    /// All grids.
    Grid { Square = "square", Cube = "cube", Hex = "hex", Triangle = "triangle" }
}

/// The ways in which a piece may be moved before it is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Freedom {
    /// It stays as it is drawn.
    Fixed,
    /// It may be turned.
    Turn,
    /// It may be turned and flipped over.
    #[default]
    Flip,
}

named! {
    /// All freedoms, the smallest first.
    Freedom { Fixed = "fixed", Turn = "turn", Flip = "flip" }
}

/// A turn or a reflection of the grid, up to a translation.
pub(super) type Map = fn(Cell) -> Cell;

impl Grid {
    /// The cell that a character at this place of a drawing stands for.
    pub(super) fn cell(self, column: i32, row: i32, layer: i32) -> Cell {
        match self {
            Self::Square | Self::Cube => [column, row, layer],
            // The first axial coordinate decreases by 1 in every second row.
            Self::Hex => [column - (row - (row & 1)) / 2, row, 0],
            // Rows are lines of the third coordinate. Along a row, the first one grows and the second one falls in turns, so
            // that the sum is 1 or 2.
            Self::Triangle if (column + row) % 2 == 0 => {
                [(column - row) / 2, -(column + row) / 2, row + 1]
            }
            Self::Triangle => [(column - row + 1) / 2, -(column + row - 1) / 2, row + 1],
        }
    }

    /// Maps that generate all turns, and with [`Freedom::Flip`] all reflections, too.
    pub(super) fn generators(self, freedom: Freedom) -> &'static [Map] {
        let all: &'static [Map] = match self {
            Self::Square => &[|[x, y, z]| [-y, x, z], |[x, y, z]| [-x, y, z]],
            Self::Cube => &[|[x, y, z]| [-y, x, z], |[x, y, z]| [x, -z, y], |[x, y, z]| [-x, y, z]],
            Self::Hex => &[|[q, r, z]| [-r, q + r, z], |[q, r, z]| [r, q, z]],
            Self::Triangle => &[|[x, y, z]| [1 - y, 1 - z, 1 - x], |[x, y, z]| [y, x, z]],
        };
        // The reflection is the last one.
        match freedom {
            Freedom::Fixed => &[],
            Freedom::Turn => &all[..all.len() - 1],
            Freedom::Flip => all,
        }
    }

    /// Whether this is a translation of the grid: triangles that point up have to go to triangles that point up.
    pub(super) fn is_translation(self, by: Cell) -> bool {
        self != Self::Triangle || by[0] + by[1] + by[2] == 0
    }

    /// The cells in normal form: sorted, and translated to the origin. Translations of the same cells have the same normal form.
    pub(super) fn normal(self, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        let least = |axis: usize| cells.iter().map(|cell| cell[axis]).min().unwrap_or(0);
        let by = match self {
            Self::Triangle => [least(0), least(1), -least(0) - least(1)],
            _ => [least(0), least(1), least(2)],
        };
        for cell in &mut cells {
            *cell = difference(*cell, by);
        }
        cells.sort_unstable();
        cells
    }

    /// The images of a piece under the maps that its freedom allows, each once and in normal form.
    pub(super) fn images(self, cells: &[Cell], freedom: Freedom) -> Vec<Vec<Cell>> {
        let mut images = vec![self.normal(cells.iter().copied())];
        let mut next = 0;
        while next < images.len() {
            for generator in self.generators(freedom) {
                let image = self.normal(images[next].iter().map(|&cell| generator(cell)));
                if !images.contains(&image) {
                    images.push(image);
                }
            }
            next += 1;
        }
        images
    }
}

/// `a - b`
pub(super) fn difference(a: Cell, b: Cell) -> Cell {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a + b`
pub(super) fn sum(a: Cell, b: Cell) -> Cell {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

// The symmetries of a drawn puzzle.
//
// A symmetry is a map of the grid that takes the board to itself, and each placement of a piece to a placement of the same
// piece.

impl Puzzle {
    /// The symmetries of the puzzle; the first one changes nothing. Those of dominoes with numbers are not looked for: there are
    /// none in the list then.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        if self.is_of_pips() {
            return Vec::new();
        }
        let places: HashMap<Cell, u32> =
            self.board.iter().zip(0..).map(|(drawn, place)| (drawn.cell, place)).collect();
        // Each option has another number: no piece has one placement twice.
        let identity: Vec<u32> = (0..self.cover.items().len() as u32).collect();
        let numbers: HashMap<Vec<u32>, u32> = (0..self.cover.len())
            .map(|option| (self.image_of_option(option, &identity), option as u32))
            .collect();
        let mut symmetries: Vec<Symmetry> = Vec::new();
        for image in self.board_images() {
            let symmetry = self.symmetry(&image, &places, &numbers);
            let symmetry = symmetry.filter(|found| !symmetries.contains(found));
            symmetries.extend(symmetry);
        }
        symmetries
    }

    /// For each map of the grid that takes the board to itself: the image of each cell, in the order of the board.
    fn board_images(&self) -> Vec<Vec<Cell>> {
        let board: Vec<Cell> = self.board.iter().map(|cell| cell.cell).collect();
        let mut maps = vec![board.clone()];
        let mut known: HashSet<Vec<Cell>> = maps.iter().map(|map| self.anchored(map)).collect();
        let mut next = 0;
        while next < maps.len() {
            for generator in self.grid.generators(Freedom::Flip) {
                let image: Vec<Cell> = maps[next].iter().map(|&cell| generator(cell)).collect();
                if known.insert(self.anchored(&image)) {
                    maps.push(image);
                }
            }
            next += 1;
        }
        let normal = self.grid.normal(board.iter().copied());
        let least_of = |cells: &[Cell]| *cells.iter().min().expect("a board has cells");
        let mut images = Vec::new();
        for map in maps {
            if self.grid.normal(map.iter().copied()) == normal {
                // Translations keep the order of cells, so the least cell goes to the least cell of the board.
                let by = difference(least_of(&board), least_of(&map));
                images.push(map.iter().map(|&cell| sum(cell, by)).collect());
            }
        }
        images
    }

    /// Cells moved so that the first one is at the origin: equal for images that differ by a translation. For triangles an entry
    /// with the sum of the first one's coordinates follows: translations keep it, so images with different sums differ.
    fn anchored(&self, cells: &[Cell]) -> Vec<Cell> {
        let first = cells[0];
        let kept = first[0] + first[1] + first[2];
        let mut anchored: Vec<Cell> = cells.iter().map(|&cell| difference(cell, first)).collect();
        if self.grid == Grid::Triangle {
            anchored.push([kept, 0, 0]);
        }
        anchored
    }

    /// The symmetry that takes each cell to the one in `image`; `None` if this is no symmetry. `places` numbers the cells, and
    /// `numbers` the options by their items.
    fn symmetry(
        &self,
        image: &[Cell],
        places: &HashMap<Cell, u32>,
        numbers: &HashMap<Vec<u32>, u32>,
    ) -> Option<Symmetry> {
        let mut items: Vec<u32> = (0..self.first_cell).collect();
        for (cell, from) in image.iter().zip(0..) {
            let to = *places.get(cell)?;
            if self.board[from].mark != self.board[to as usize].mark {
                return None;
            }
            items.push(self.first_cell + to);
        }
        let options: Option<Vec<u32>> = (0..self.cover.len())
            .map(|option| numbers.get(&self.image_of_option(option, &items)).copied())
            .collect();
        Some(Symmetry { items, options: options? })
    }

    /// The items of an option under a permutation of items, sorted, and its piece.
    fn image_of_option(&self, option: usize, items: &[u32]) -> Vec<u32> {
        let entries = self.cover.entries(option);
        let mut image: Vec<u32> = entries.iter().map(|entry| items[entry.item as usize]).collect();
        image.sort_unstable();
        image.push(self.pieces[option]);
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_without_symmetry_has_an_image_for_each_map_of_the_grid() {
        let pieces = [
            (Grid::Square, vec![[0, 0], [1, 0], [2, 0], [2, 1], [3, 1]], 4, 8),
            (Grid::Hex, vec![[0, 0], [1, 0], [2, 0], [3, 0], [0, 1]], 6, 12),
            (
                Grid::Triangle,
                vec![[0, 0], [1, 0], [2, 0], [3, 0], [1, 1], [2, 1], [4, 0], [5, 0]],
                6,
                12,
            ),
        ];
        for (grid, drawing, turned, flipped) in pieces {
            let cells: Vec<Cell> =
                drawing.iter().map(|&[column, row]| grid.cell(column, row, 0)).collect();
            assert_eq!(grid.images(&cells, Freedom::Fixed).len(), 1);
            assert_eq!(grid.images(&cells, Freedom::Turn).len(), turned, "{grid}");
            assert_eq!(grid.images(&cells, Freedom::Flip).len(), flipped, "{grid}");
        }
        let solid = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 1, 1], [2, 1, 2], [3, 0, 0]];
        assert_eq!(Grid::Cube.images(&solid, Freedom::Turn).len(), 24);
        assert_eq!(Grid::Cube.images(&solid, Freedom::Flip).len(), 48);
    }

    #[test]
    fn neighbours_of_a_triangle_differ_in_one_coordinate() {
        for row in 0..6 {
            for column in 0..6 {
                let cell = Grid::Triangle.cell(column, row, 0);
                let right = Grid::Triangle.cell(column + 1, row, 0);
                let points_up = (column + row) % 2 == 0;
                assert_eq!(cell.iter().sum::<i32>(), if points_up { 1 } else { 2 });
                let apart =
                    |other: Cell| difference(cell, other).iter().map(|by| by.abs()).sum::<i32>();
                assert_eq!(apart(right), 1);
                assert_eq!(
                    apart(Grid::Triangle.cell(column, row + 1, 0)),
                    if points_up { 1 } else { 3 }
                );
            }
        }
    }
}
