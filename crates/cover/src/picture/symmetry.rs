//! Covers that differ by a symmetry of the board, counted once (Burnside's lemma).
//!
//! A symmetry is a map of the grid that takes the board to itself and each way of laying a piece to a way of laying the
//! same piece. The number of covers up to symmetry is the mean, over all symmetries, of the number of covers that stay
//! the same. These are the covers of a quotient: items and options that a symmetry takes to each other are one.

use std::collections::{HashMap, HashSet};

use super::Puzzle;
use super::grid::{Cell, Freedom, difference, sum};
use crate::cover::{Cover, Entry, Kind, NO_COLOUR};

/// Why covers cannot be counted up to symmetry.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SymmetryError {
    /// A symmetry takes an option to another one that covers the same piece, which may be used several times.
    #[error(
        "pieces that are used a bounded number of times, but not once, cannot be counted up to symmetry"
    )]
    Multiplicities,
}

/// A permutation of items, and that of options which goes with it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Symmetry {
    items: Vec<u32>,
    options: Vec<u32>,
}

impl Puzzle {
    /// The symmetries of the puzzle; the first one changes nothing.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let mut seen = HashSet::new();
        let mut symmetries = Vec::new();
        for image in self.board_images() {
            if let Some(symmetry) = self.symmetry(&image)
                && seen.insert(symmetry.clone())
            {
                symmetries.push(symmetry);
            }
        }
        symmetries
    }

    /// The board under all maps of the grid, cell by cell in the order of the board, and moved onto the board if it is
    /// the same.
    fn board_images(&self) -> Vec<Vec<Cell>> {
        let board: Vec<Cell> = self.board.iter().map(|cell| cell.0).collect();
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
        let home = self.grid.normal(board.iter().copied());
        let Some(origin) = board.iter().min() else { return Vec::new() };
        let mut images = Vec::new();
        for map in maps {
            let Some(least) = map.iter().min() else { continue };
            if self.grid.normal(map.iter().copied()) == home {
                // Translations keep the order of cells, so the least one goes to the least one.
                let by = difference(*origin, *least);
                images.push(map.iter().map(|&cell| sum(cell, by)).collect());
            }
        }
        images
    }

    /// Cells moved so that the first one is at the origin: equal for maps that differ by a translation.
    fn anchored(&self, cells: &[Cell]) -> Vec<Cell> {
        let first = cells[0];
        let parity = first[0] + first[1] + first[2];
        let mut anchored: Vec<Cell> = cells.iter().map(|&cell| difference(cell, first)).collect();
        anchored.push([parity * i32::from(self.grid == super::Grid::Triangle), 0, 0]);
        anchored
    }

    /// The symmetry that takes each cell to that of `image`, if it is one.
    fn symmetry(&self, image: &[Cell]) -> Option<Symmetry> {
        let places: HashMap<Cell, u32> =
            self.board.iter().zip(0..).map(|(cell, place)| (cell.0, place)).collect();
        let mut items: Vec<u32> = (0..self.first_cell).collect();
        for (cell, from) in image.iter().zip(0..) {
            let to = *places.get(cell)?;
            if self.marks[from] != self.marks[to as usize] {
                return None;
            }
            items.push(self.first_cell + to);
        }
        let key = |option: usize, items: &[u32]| {
            let mut key: Vec<u32> =
                self.cover.entries(option).iter().map(|entry| items[entry.item as usize]).collect();
            key.sort_unstable();
            key.push(self.pieces[option]);
            key
        };
        let identity: Vec<u32> = (0..items.len() as u32).collect();
        let numbers: HashMap<Vec<u32>, u32> =
            (0..self.cover.len()).map(|option| (key(option, &identity), option as u32)).collect();
        let options: Option<Vec<u32>> = (0..self.cover.len())
            .map(|option| numbers.get(&key(option, &items)).copied())
            .collect();
        Some(Symmetry { items, options: options? })
    }

    /// The covers that `symmetry` does not change, as the covers of another problem.
    ///
    /// # Errors
    /// [`SymmetryError`] if the puzzle has pieces that it cannot do this for.
    pub fn quotient(&self, symmetry: &Symmetry) -> Result<Cover, SymmetryError> {
        let item_orbits = orbits(&symmetry.items);
        let mut orbit_of = vec![0; self.cover.items().len()];
        let mut quotient = Cover::new();
        for (number, orbit) in item_orbits.iter().enumerate() {
            orbit.iter().for_each(|&item| orbit_of[item as usize] = number as u32);
            let item = &self.cover.items()[orbit[0] as usize];
            // Names and numbers are those of a cover that is there already.
            let _ = quotient.add_item(item.name(), item.kind());
        }
        for orbit in orbits(&symmetry.options) {
            let mut covered: HashMap<u32, u32> = HashMap::new();
            for &option in &orbit {
                for entry in self.cover.entries(option as usize) {
                    *covered.entry(entry.item).or_default() += 1;
                }
            }
            let clashes = covered.iter().filter(|(_, times)| **times > 1);
            let mut is_possible = true;
            for (&item, _) in clashes {
                is_possible = false;
                if matches!(
                    self.cover.items()[item as usize].kind(),
                    Kind::Primary { high: 2.., .. }
                ) {
                    return Err(SymmetryError::Multiplicities);
                }
            }
            if is_possible {
                let mut items: Vec<u32> =
                    covered.keys().map(|&item| orbit_of[item as usize]).collect();
                items.sort_unstable();
                items.dedup();
                let _ = quotient
                    .add_option(items.into_iter().map(|item| Entry { item, colour: NO_COLOUR }));
            }
        }
        Ok(quotient)
    }

    /// The number of covers up to symmetry, from the number of covers that each symmetry leaves the same; `None` if the
    /// sum does not fit in 128 bits.
    pub fn up_to_symmetry(unchanged: &[u128]) -> Option<u128> {
        let mut sum = 0_u128;
        for count in unchanged {
            sum = sum.checked_add(*count)?;
        }
        Some(sum / unchanged.len().max(1) as u128)
    }
}

/// The orbits of a permutation, each from its least member on.
fn orbits(permutation: &[u32]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; permutation.len()];
    let mut orbits = Vec::new();
    for start in 0..permutation.len() {
        let mut orbit = Vec::new();
        let mut member = start;
        while !seen[member] {
            seen[member] = true;
            orbit.push(member as u32);
            member = permutation[member] as usize;
        }
        if !orbit.is_empty() {
            orbits.push(orbit);
        }
    }
    orbits
}
