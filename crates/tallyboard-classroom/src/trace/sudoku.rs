//! The search of a sudoku as it is taught: empty cells in reading order, digits from 1.

use crate::backtrack::Puzzle;
use tallyboard_sudoku::{CELLS, Cell, Grid, House};

/// The empty cells of `puzzle` in reading order.
pub fn blanks(puzzle: &Grid) -> impl Iterator<Item = Cell> + '_ {
    Cell::all().filter(|cell| puzzle.cells()[cell.index()] == 0)
}

/// Empty cells filled in reading order: in each, every digit is tried, from 1.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard_classroom::backtrack::{Step, Steps};
/// use tallyboard_classroom::trace::sudoku::Blanks;
/// use tallyboard::sudoku::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let steps = Steps::new(Blanks::new(&puzzle));
/// assert_eq!(steps.filter(|step| *step == Step::Solution).count(), 1);
/// # Ok::<(), tallyboard::sudoku::LineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Blanks {
    pub(crate) puzzle: Grid,
    /// In the order in which they are filled.
    pub(crate) blanks: Vec<Cell>,
    /// For each blank the number of blanks before it, which is the index of the move that fills it.
    move_of: [u8; CELLS],
}

/// A digit in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The cell.
    pub cell: Cell,
    /// The digit, 1 to 9.
    pub digit: u8,
}

/// Why a digit cannot be in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Another cell of a house has the digit.
    Clash {
        /// The first cell that has it, in reading order.
        by: Cell,
        /// The house they share.
        house: House,
    },
    /// No digit is left for a cell.
    NoDigit(Cell),
}

impl Blanks {
    /// The search for all solutions of `puzzle`.
    pub fn new(puzzle: &Grid) -> Self {
        let mut move_of = [0; CELLS];
        for (number, cell) in blanks(puzzle).enumerate() {
            move_of[cell.index()] = number as u8;
        }
        Self { puzzle: *puzzle, blanks: blanks(puzzle).collect(), move_of }
    }

    /// The digit of a cell after the entries `made`, 0 for a blank.
    fn digit(&self, made: &[Entry], cell: Cell) -> u8 {
        match self.puzzle.cells()[cell.index()] {
            0 => made.get(usize::from(self.move_of[cell.index()])).map_or(0, |entry| entry.digit),
            given => given,
        }
    }
}

impl Puzzle for Blanks {
    type Move = Entry;
    type Reason = Obstacle;

    fn moves(&self, made: &[Entry]) -> Option<Vec<Entry>> {
        let &cell = self.blanks.get(made.len())?;
        Some((1..=9).map(|digit| Entry { cell, digit }).collect())
    }

    fn obstacle(&self, made: &[Entry], tried: Entry) -> Option<Obstacle> {
        tried.cell.peers().find_map(|by| {
            let house = by.shared_house(tried.cell)?;
            let clashes = self.digit(made, by) == tried.digit;
            clashes.then_some(Obstacle::Clash { by, house })
        })
    }

    fn dead_end(&self, made: &[Entry]) -> Obstacle {
        Obstacle::NoDigit(self.blanks[made.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::{Counts, Node, Step, Steps};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Whether no cell of the same row, column or box holds the digit.
    fn fits(cells: &[u8; CELLS], cell: usize, digit: u8) -> bool {
        Cell::new(cell).peers().all(|peer| cells[peer.index()] != digit)
    }

    #[test]
    fn the_whole_tree_holds_the_one_solution() {
        let blanks = Blanks::new(&PUZZLE.parse().unwrap());
        assert_eq!(Node::tree(&blanks, CELLS, usize::MAX).unwrap().below().solutions, 1);
    }

    #[test]
    fn each_step_is_what_the_rules_say_and_a_replay_reaches_the_solution() {
        // Without its first two rows, which may change places, a grid has several solutions. Two more
        // cells make the tree larger.
        let solution = tallyboard_sudoku::solve_up_to(&PUZZLE.parse().unwrap(), 1).first.unwrap();
        let mut cells = *solution.cells();
        cells[..20].fill(0);
        let puzzle = Grid::new(cells).unwrap();
        let mut now = cells;
        let mut solved = Vec::new();
        let mut counts = Counts::default();
        for step in Steps::new(Blanks::new(&puzzle)) {
            counts.add(&step);
            let next = now.iter().position(|&cell| cell == 0);
            match step {
                Step::Refused { tried, why: Obstacle::Clash { by, house } } => {
                    assert_eq!(Some(tried.cell.index()), next);
                    assert_eq!(now[by.index()], tried.digit);
                    assert!(by != tried.cell && house.cells().any(|cell| cell == by));
                    assert!(house.cells().any(|cell| cell == tried.cell));
                }
                Step::Made(entry) => {
                    assert!(fits(&now, entry.cell.index(), entry.digit));
                    assert_eq!(Some(entry.cell.index()), next);
                    now[entry.cell.index()] = entry.digit;
                }
                Step::DeadEnd(Obstacle::NoDigit(cell)) => {
                    assert!((1..=9).all(|digit| !fits(&now, cell.index(), digit)));
                }
                Step::Solution => solved.push(now),
                Step::Back { undone, .. } => now[undone.cell.index()] = 0,
                Step::Over => assert_eq!(now, cells),
                other => panic!("{other:?}"),
            }
        }
        let all = tallyboard_sudoku::solve_up_to(&puzzle, 1000).count;
        assert_eq!((solved.len() as u64, counts.solutions), (all, all));
        assert!(all > 1 && solved.contains(solution.cells()));
        let tree = Node::tree(&Blanks::new(&puzzle), CELLS, usize::MAX).unwrap();
        assert_eq!(counts.nodes, tree.size() as u64 - 1);
    }

    #[test]
    fn the_first_cell_has_three_candidates() {
        let blanks = Blanks::new(&PUZZLE.parse().unwrap());
        let tree = Node::tree(&blanks, 1, 4).unwrap();
        assert_eq!(Node::tree(&blanks, 1, 3), None);
        let digits: Vec<u8> = tree.children.iter().map(|child| child.made[0].digit).collect();
        assert_eq!(digits, [1, 2, 4]);
        assert!(tree.children.iter().all(|child| child.children.is_empty()));
    }
}
