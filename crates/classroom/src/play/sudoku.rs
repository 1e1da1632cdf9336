//! How pages show the search and the explanation of a sudoku.

use super::{BoardLook, Play, Playable, StepLook};
use crate::backtrack::{Step, Steps};
use crate::explain::{Conclusion, Contradiction, Deduction, Explanation, Fact, Flaw, sentence};
use crate::trace::sudoku::{Blanks, Entry, Obstacle};
use base::figures::{about, counted};
use sudoku::{Cell, Grid, House};

/// The board of a puzzle.
fn board(puzzle: &Grid) -> BoardLook {
    let given = puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0);
    BoardLook {
        cell_names: Cell::all().map(|cell| cell.to_string()).collect(),
        row_names: numbered('r'),
        column_names: numbered('c'),
        box_side: 3,
        given: given.map(|(cell, digit)| (cell, usize::from(*digit) - 1)).collect(),
        rules_out: Cell::all().map(cells_that_see).collect(),
        ..BoardLook::new(9, 9, (1..=9).map(|digit| digit.to_string()))
    }
}

/// The names of nine lines: a letter and a number.
fn numbered(letter: char) -> Vec<String> {
    (1..=9).map(|number| format!("{letter}{number}")).collect()
}

/// The cells that share a house with `cell`.
fn cells_that_see(cell: Cell) -> Vec<usize> {
    Cell::all().filter(|other| cell.shared_house(*other).is_some()).map(Cell::index).collect()
}

/// The cells of a house.
fn area(house: House) -> Vec<usize> {
    house.cells().map(Cell::index).collect()
}

impl Playable<Entry, Obstacle> for Blanks {
    fn board(&self) -> BoardLook {
        board(self.puzzle())
    }

    fn look(&self, step: &Step<Entry, Obstacle>) -> StepLook {
        let (phrase, entry, by) = match *step {
            Step::Refused { tried, why: Obstacle::Clash { by, house } } => {
                let phrase = match house.kind() {
                    "row" => "{cell} cannot be {mark}: {by} in its row is",
                    "column" => "{cell} cannot be {mark}: {by} in its column is",
                    _ => "{cell} cannot be {mark}: {by} in its box is",
                };
                (phrase, tried, vec![by.index()])
            }
            Step::Refused { tried, .. } => ("{cell} cannot be {mark}", tried, Vec::new()),
            Step::Made(entry) => ("{cell} becomes {mark}", entry, Vec::new()),
            Step::Back { undone, .. } => ("back: {cell} loses its {mark}", undone, Vec::new()),
            Step::DeadEnd(Obstacle::NoDigit(cell)) => {
                let phrase = format!("no digit is left for {cell}: a dead end").into();
                return StepLook { phrase, area: vec![cell.index()], ..StepLook::default() };
            }
            Step::DeadEnd(_) => return "a dead end".into(),
            Step::Solution => return "a solution".into(),
            Step::Over => return "every digit has been tried: the search is over".into(),
        };
        let cell = Some(entry.cell.index());
        let mark = Some(usize::from(entry.digit) - 1);
        StepLook { cell, mark, by, ..phrase.into() }
    }
}

/// The cells that hold `digit` among these facts, or any digit if it is `None`.
fn holders(facts: &[Fact], digit: Option<u8>) -> Vec<usize> {
    let holds = facts.iter().filter(|fact| digit.is_none_or(|digit| digit == fact.digit));
    let mut cells: Vec<usize> = holds.filter_map(|fact| Some(fact.cell?.index())).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

impl Playable<Deduction, Contradiction> for Explanation {
    fn board(&self) -> BoardLook {
        board(self.puzzle())
    }

    fn look(&self, step: &Step<Deduction, Contradiction>) -> StepLook {
        let look = StepLook { phrase: sentence(step).into(), ..StepLook::default() };
        match step {
            Step::Made(Deduction { conclusion, because }) => {
                let (by, cells) = match *conclusion {
                    Conclusion::HiddenSingle { digit, house, .. } => {
                        (holders(because, Some(digit)), area(house))
                    }
                    Conclusion::LockedCandidates { digit, from, .. } => {
                        (holders(because, Some(digit)), area(from))
                    }
                    _ => (holders(because, None), Vec::new()),
                };
                let filled = conclusion.filled();
                let struck = conclusion.struck();
                let digit = filled.map(|it| it.1).or(struck.map(|it| it.1));
                let lost = struck.map(|(cells, digit)| {
                    cells.iter().map(|cell| (cell.index(), usize::from(digit) - 1)).collect()
                });
                StepLook {
                    cell: filled.map(|it| it.0.index()),
                    mark: digit.map(|digit| usize::from(digit) - 1),
                    by,
                    area: cells,
                    struck: lost.unwrap_or_default(),
                    ..look
                }
            }
            Step::DeadEnd(Contradiction { flaw, because }) => {
                let (by, area) = match *flaw {
                    Flaw::NoDigit(cell) => (holders(because, None), vec![cell.index()]),
                    Flaw::NoPlace { house, digit } => (holders(because, Some(digit)), area(house)),
                };
                StepLook { by, area, ..look }
            }
            Step::Back { undone, .. } => {
                let (cell, digit) = undone.conclusion.filled().unzip();
                StepLook {
                    cell: cell.map(Cell::index),
                    mark: digit.map(|digit| usize::from(digit) - 1),
                    ..look
                }
            }
            _ => look,
        }
    }
}

/// The search for all solutions of a puzzle, at most `most_steps` of it.
pub fn sudoku(puzzle: &Grid, most_steps: usize) -> Play {
    let blanks = Blanks::new(puzzle);
    let mut play = Play::new("Search", &blanks, Steps::new(blanks.clone()), most_steps);
    // The logarithm of 9 + 9² + … + 9^blanks, which is about 9/8 of its last term.
    let unpruned = blanks.cells().len() as f64 * 9_f64.log10() + (9.0_f64 / 8.0).log10();
    let nodes = match play.whole() {
        Some(whole) => format!("The search tries {}. ", counted(whole.nodes, "node")),
        None => String::new(),
    };
    play.note(format!(
        "{nodes}Without pruning it would put every digit into every empty cell, whatever the other cells \
         hold, and look at full grids only: about {} nodes.",
        about(unpruned)
    ));
    play
}

/// An explanation, deduction by deduction.
pub fn reasons(explanation: &Explanation) -> Play {
    let steps = explanation.steps();
    let mut play = Play::new("Reasons", explanation, steps.iter().cloned(), steps.len());
    play.nouns = ["deductions", "contradictions", "solutions"];
    play.note(
        "Each step follows from the givens and from the steps it names, the easiest first: a cell with one \
         digit left, a house with one place left for a digit, a digit that a house confines to its part \
         of another one. Where none of these helps, a digit is supposed that leads to a contradiction.",
    );
    play
}
