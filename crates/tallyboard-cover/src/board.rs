//! The cells of a problem as they are drawn, and the pieces that a solution places on them.

use std::collections::HashMap;

use crate::cover::{Cover, ItemId};
use crate::format::Input;
use crate::picture::Grid;

/// The board of a problem: its cells, and the place at which each is drawn.
///
/// A drawn puzzle has a board. A list of options has one if items are named `column,row` or `column,row,layer`, by numbers from
/// 0 or from 1 as in drawn puzzles that were converted to another format. Its cells are squares or cubes.
#[derive(Debug, Clone)]
pub struct Board {
    grid: Grid,
    places: Vec<[i32; 3]>,
    /// The index in `places` of the cell that an item stands for.
    cell_of_item: HashMap<ItemId, usize>,
}

/// A piece that an option places on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedPiece {
    /// The name of the piece. In a list of options, that of the option's first item that is not a cell.
    pub name: String,
    /// The number of the piece's kind, by which colours are chosen: pieces with equal names are of one kind.
    pub kind: usize,
    /// The cells, as indices in [`Board::places`].
    pub cells: Vec<usize>,
    /// What is written on each cell; nothing if no numbers belong to the piece.
    pub signs: Vec<String>,
}

impl Board {
    /// The board of a problem; `None` if it has no cells.
    pub fn of(input: &Input) -> Option<Self> {
        match input {
            Input::Puzzle(puzzle) => {
                let places: Vec<[i32; 3]> = puzzle.board.iter().map(|cell| cell.place).collect();
                let cell_of_item = (puzzle.first_cell..).zip(0..places.len()).collect();
                Some(Self { grid: puzzle.grid(), places, cell_of_item })
            }
            Input::Cover(cover) => Self::of_names(cover),
        }
    }

    /// The board of the items whose names are places; `None` if there are none.
    fn of_names(cover: &Cover) -> Option<Self> {
        let mut places = Vec::new();
        let mut cell_of_item = HashMap::new();
        for (item, number) in cover.items().iter().zip(0..) {
            if let Some(place) = place_of_name(item.name()) {
                cell_of_item.insert(number, places.len());
                places.push(place);
            }
        }
        // If some number is 0, all numbers count from 0.
        let least = places.iter().flatten().min();
        let first = least.map_or(1, |&least| least.min(1));
        let from_0 = |place: Vec<i32>| {
            [0, 1, 2].map(|axis| place.get(axis).map_or(0, |number| number - first))
        };
        let places: Vec<[i32; 3]> = places.into_iter().map(from_0).collect();
        let is_flat = places.iter().all(|place| place[2] == 0);
        let grid = if is_flat { Grid::Square } else { Grid::Cube };
        (!places.is_empty()).then_some(Self { grid, places, cell_of_item })
    }

    /// The shape of the cells.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The column, the row and the layer of each cell, from 0.
    pub fn places(&self) -> &[[i32; 3]] {
        &self.places
    }

    /// The pieces that the options of a solution of `input` place, in the order of the solution.
    ///
    /// # Panics
    /// If the solution has an unknown option.
    pub fn placed_pieces(&self, input: &Input, solution: &[u32]) -> Vec<PlacedPiece> {
        let mut pieces = Vec::with_capacity(solution.len());
        for &option in solution {
            let entries = input.cover().entries(option as usize);
            let cells = entries
                .iter()
                .filter_map(|entry| self.cell_of_item.get(&entry.item).copied())
                .collect();
            let ends = match input {
                Input::Puzzle(puzzle) => puzzle.ends.as_ref().map(|ends| ends[option as usize]),
                Input::Cover(_) => None,
            };
            let signs = ends.iter().flatten().map(u32::to_string).collect();
            let (name, kind) = match input {
                Input::Puzzle(puzzle) => (
                    puzzle.piece(option as usize).to_owned(),
                    puzzle.pieces[option as usize] as usize,
                ),
                Input::Cover(cover) => {
                    let other =
                        entries.iter().find(|entry| !self.cell_of_item.contains_key(&entry.item));
                    let item = other.map(|entry| entry.item as usize);
                    let name = item.map_or("", |item| cover.items()[item].name());
                    (name.to_owned(), item.unwrap_or(0))
                }
            };
            pieces.push(PlacedPiece { name, kind, cells, signs });
        }
        pieces
    }
}

/// The column, the row and perhaps the layer that an item is named by, as numbers from 0 or 1.
fn place_of_name(name: &str) -> Option<Vec<i32>> {
    /// The largest number of a column, a row or a layer.
    const MOST: i32 = 10_000;
    let number = |text: &str| text.parse().ok().filter(|number| (0..=MOST).contains(number));
    let numbers: Option<Vec<i32>> = name.split(',').map(number).collect();
    numbers.filter(|numbers| (2..=3).contains(&numbers.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, read, write};

    #[test]
    fn a_puzzle_written_as_options_keeps_its_board() {
        let drawn = read(b"board:\n..\n..\npieces:\nD:\nxx\nE:\nxx\n", "p").unwrap();
        let listed = write(drawn.cover(), Format::Knuth).unwrap();
        let listed = read(listed.as_bytes(), "p").unwrap();
        let boards = [&drawn, &listed].map(|input| Board::of(input).unwrap());
        assert_eq!(boards[0].places(), [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]);
        assert_eq!(boards[1].places(), boards[0].places());
        assert_eq!(boards[1].grid(), Grid::Square);
        let solution = crate::Solutions::new(drawn.cover()).next().unwrap();
        let pieces = boards[0].placed_pieces(&drawn, &solution);
        assert_eq!(pieces, boards[1].placed_pieces(&listed, &solution));
        assert_eq!(pieces.iter().map(|piece| piece.name.as_str()).collect::<Vec<_>>(), ["D", "E"]);
        let mut cells: Vec<usize> = pieces.into_iter().flat_map(|piece| piece.cells).collect();
        cells.sort_unstable();
        assert_eq!(cells, [0, 1, 2, 3]);
    }

    /// The same boards, with names from 0 and from 1.
    #[test]
    fn numbers_of_places_begin_with_0_or_1() {
        let places = |items: &str| {
            let input = read(format!("{items}\n{items}\n").as_bytes(), "p").unwrap();
            Board::of(&input).unwrap().places().to_vec()
        };
        let square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]];
        assert_eq!(places("0,0 1,0 0,1 1,1"), square);
        assert_eq!(places("1,1 2,1 1,2 2,2"), square);
        let cube = [[0, 0, 0], [2, 0, 1]];
        assert_eq!(places("0,0,0 2,0,1"), cube);
        assert_eq!(places("1,1,1 3,1,2"), cube);
        // Rows and columns without cells are kept.
        assert_eq!(places("3,2 4,2"), [[2, 1, 0], [3, 1, 0]]);
        assert_eq!(places("2,2,3 2,2,4"), [[1, 1, 2], [1, 1, 3]]);
        // Column 0 has a cell in row 1 alone.
        assert_eq!(places("1,1 0,1"), [[1, 1, 0], [0, 1, 0]]);
    }

    #[test]
    fn only_numbers_with_commas_are_places() {
        assert_eq!(place_of_name("3,1"), Some(vec![3, 1]));
        assert_eq!(place_of_name("0,1,2"), Some(vec![0, 1, 2]));
        for name in ["3", "1,2,3,4", "a,b", "1,", "99999999999,1", "10001,1", "-1,2"] {
            assert_eq!(place_of_name(name), None, "{name}");
        }
        assert!(Board::of(&read(b"a b\na b\n", "p").unwrap()).is_none());
    }
}
