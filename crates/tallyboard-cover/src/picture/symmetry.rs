//! The symmetries of a drawn puzzle.
//!
//! A symmetry is a map of the grid that takes the board to itself, and each placement of a piece to a placement of the same
//! piece.

use std::collections::{HashMap, HashSet};

use super::Puzzle;
use super::grid::{Cell, Freedom, difference, sum};
use crate::symmetry::Symmetry;

impl Puzzle {
    /// The symmetries of the puzzle; the first one changes nothing.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let mut symmetries: Vec<Symmetry> = Vec::new();
        for image in self.board_images() {
            let symmetry = self.symmetry(&image).filter(|found| !symmetries.contains(found));
            symmetries.extend(symmetry);
        }
        symmetries
    }

    /// The images of the board that are the board itself, under all maps of the grid: each has the images of the cells, in the
    /// order of the board.
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
        let Some(origin) = board.iter().min() else { return Vec::new() };
        let mut images = Vec::new();
        for map in maps {
            let Some(least) = map.iter().min() else { continue };
            if self.grid.normal(map.iter().copied()) == normal {
                // Translations keep the order of cells, so the least cell goes to the least cell of the board.
                let by = difference(*origin, *least);
                images.push(map.iter().map(|&cell| sum(cell, by)).collect());
            }
        }
        images
    }

    /// Cells moved so that the first one is at the origin: equal for images that differ by a translation. Of triangles, the sum
    /// of the first one's coordinates is added, since a translation keeps it.
    fn anchored(&self, cells: &[Cell]) -> Vec<Cell> {
        let first = cells[0];
        let sum = first[0] + first[1] + first[2];
        let mut anchored: Vec<Cell> = cells.iter().map(|&cell| difference(cell, first)).collect();
        if self.grid == super::Grid::Triangle {
            anchored.push([sum, 0, 0]);
        }
        anchored
    }

    /// The symmetry that takes each cell to the one in `image`; `None` if this is no symmetry.
    fn symmetry(&self, image: &[Cell]) -> Option<Symmetry> {
        let places: HashMap<Cell, u32> =
            self.board.iter().zip(0..).map(|(drawn, place)| (drawn.cell, place)).collect();
        let mut items: Vec<u32> = (0..self.first_cell).collect();
        for (cell, from) in image.iter().zip(0..) {
            let to = *places.get(cell)?;
            if self.board[from].mark != self.board[to as usize].mark {
                return None;
            }
            items.push(self.first_cell + to);
        }
        let identity: Vec<u32> = (0..items.len() as u32).collect();
        let numbers: HashMap<Vec<u32>, u32> = (0..self.cover.len())
            .map(|option| (self.image_of_option(option, &identity), option as u32))
            .collect();
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
