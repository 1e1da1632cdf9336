//! Boards of Pips as text, and their pictures of numbers.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::Laid;
use crate::cover::{Cover, ItemId};
use crate::picture::{DrawnCell, Grid, Puzzle};
use crate::sets::Solutions;
use tallyboard_search::{Stop, Stopped};

impl Puzzle {
    /// A board of dominoes as a puzzle.
    pub(super) fn of_pips(
        cover: Cover,
        board: Vec<DrawnCell>,
        laid: Laid,
        names: Vec<String>,
    ) -> Self {
        let Laid { first_cell, pieces, ends, .. } = laid;
        let remarks = crate::mistake::reasons(&cover);
        let (grid, warnings, ends) = (Grid::Square, Vec::new(), Some(ends));
        Self { cover, grid, board, first_cell, pieces, names, remarks, warnings, ends }
    }

    /// Whether it is a board of dominoes with numbers.
    pub fn is_of_pips(&self) -> bool {
        self.ends.is_some()
    }

    /// The number of pips on each cell of a solution, in the order of the board; `None` if the puzzle has no numbers.
    ///
    /// # Panics
    /// If the solution names an option that there is not.
    pub fn values(&self, solution: &[u32]) -> Option<Vec<u8>> {
        let ends = self.ends.as_ref()?;
        let mut values = vec![0; self.board.len()];
        for &option in solution {
            for (cell, number) in self.cells_of(option).into_iter().zip(ends[option as usize]) {
                // A domino has 99 pips at most on an end.
                values[cell] = number as u8;
            }
        }
        Some(values)
    }

    /// The two cells of the domino that an option lays.
    fn cells_of(&self, option: u32) -> [usize; 2] {
        let entries = self.cover.entries(option as usize);
        let cell = |item: ItemId| (item - self.first_cell) as usize;
        [cell(entries[1].item), cell(entries[2].item)]
    }

    /// The number of different pictures of pips that the solutions make: solutions whose cells have the same numbers count once.
    /// Each solution is visited, and each picture is kept, a byte a cell.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    ///
    /// # Panics
    /// If the puzzle has no numbers.
    pub fn count_pictures(&self, stop: &Stop) -> Result<u128, Stopped> {
        let mut pictures: HashSet<Box<[u8]>> = HashSet::new();
        for solution in Solutions::new(&self.cover) {
            stop.check()?;
            let picture = self.values(&solution).expect("the caller knows that there are numbers");
            pictures.insert(picture.into());
        }
        Ok(pictures.len() as u128)
    }

    /// The board with the numbers of a solution, and a line between the two ends of each domino.
    pub(crate) fn draw_pips(&self, solution: &[u32]) -> String {
        let values = self.values(solution).unwrap_or_default();
        let mut joined: HashMap<[i32; 3], char> = HashMap::new();
        let mut is_laid = vec![false; self.board.len()];
        for &option in solution {
            let mut cells = self.cells_of(option);
            cells.sort_by_key(|&cell| self.board[cell].place);
            let [first, second] = cells.map(|cell| self.board[cell].place);
            joined.insert(first, if first[1] == second[1] { '-' } else { '|' });
            cells.iter().for_each(|&cell| is_laid[cell] = true);
        }
        let cells: HashMap<[i32; 3], usize> =
            self.board.iter().zip(0..).map(|(cell, number)| (cell.place, number)).collect();
        let width = values.iter().map(|value| value.to_string().len()).max().unwrap_or(1);
        let last = |axis: usize| self.board.iter().map(|cell| cell.place[axis]).max().unwrap_or(-1);
        let mut text = String::new();
        for row in 0..=last(1) {
            let (mut numbers, mut below) = (String::new(), String::new());
            for column in 0..=last(0) {
                let place = [column, row, 0];
                let number = cells.get(&place).map_or(String::new(), |&cell| match is_laid[cell] {
                    true => values[cell].to_string(),
                    false => ".".to_owned(),
                });
                let join = joined.get(&place).copied().unwrap_or(' ');
                let _ = write!(numbers, "{number:>width$}{}", if join == '-' { '-' } else { ' ' });
                let _ = write!(below, "{:>width$} ", if join == '|' { '|' } else { ' ' });
            }
            let _ = writeln!(text, "{}", numbers.trim_end());
            if row < last(1) {
                let _ = writeln!(text, "{}", below.trim_end());
            }
        }
        text
    }
}
