//! How pages show the search and the explanation of a sudoku.

use super::{BoardLook, Play, Playable, StepLook};
use crate::backtrack::{Step, Steps};
use crate::explain::{
    Conclusion, Contradiction, Deduction, Explanation, Fact, Flaw, sentence, sorted_and_distinct,
};
use crate::trace::sudoku::{Blanks, Entry, Obstacle};
use tallyboard_base::figures::{about, counted};
use tallyboard_sudoku::{Cell, Grid, House};

/// The board of a puzzle.
fn board(puzzle: &Grid) -> BoardLook {
    let given = puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0);
    BoardLook {
        cell_names: Cell::all().map(|cell| cell.to_string()).collect(),
        row_names: numbered('r'),
        column_names: numbered('c'),
        box_side: 3,
        given: given.map(|(cell, digit)| (cell, mark(*digit))).collect(),
        // Of each cell those that share a house with it.
        rules_out: Cell::all().map(|cell| cell.peers().map(Cell::index).collect()).collect(),
        ..BoardLook::new(9, 9, (1..=9).map(|digit| digit.to_string()))
    }
}

/// The names of nine lines: a letter and a number.
fn numbered(letter: char) -> Vec<String> {
    (1..=9).map(|number| format!("{letter}{number}")).collect()
}

/// The cells of a house.
fn area(house: House) -> Vec<usize> {
    house.cells().map(Cell::index).collect()
}

impl Playable<Entry, Obstacle> for Blanks {
    fn board(&self) -> BoardLook {
        board(&self.puzzle)
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
        let mark = Some(mark(entry.digit));
        StepLook { cell, mark, by, ..phrase.into() }
    }
}

/// The cells that hold `digit` by these facts; those that hold any digit if it is `None`.
fn holders(facts: &[Fact], digit: Option<u8>) -> Vec<usize> {
    let holds = facts.iter().filter(|fact| digit.is_none_or(|digit| digit == fact.digit));
    sorted_and_distinct(holds.filter_map(|fact| Some(fact.cell?.index())))
}

impl Playable<Deduction, Contradiction> for Explanation {
    fn board(&self) -> BoardLook {
        board(self.puzzle())
    }

    fn look(&self, step: &Step<Deduction, Contradiction>) -> StepLook {
        let look = StepLook { phrase: sentence(step).into(), ..StepLook::default() };
        match step {
            Step::Made(deduction) => look_of_deduction(deduction, look),
            Step::DeadEnd(Contradiction { flaw, because }) => {
                let (by, area) = match *flaw {
                    Flaw::NoDigit(cell) => (holders(because, None), vec![cell.index()]),
                    Flaw::NoPlace { house, digit } => (holders(because, Some(digit)), area(house)),
                };
                StepLook { by, area, ..look }
            }
            Step::Back { undone, .. } => {
                let Some(Entry { cell, digit }) = undone.conclusion.filled() else { return look };
                StepLook { cell: Some(cell.index()), mark: Some(mark(digit)), ..look }
            }
            _ => look,
        }
    }
}

/// The look of a deduction; `look` has its phrase.
fn look_of_deduction(Deduction { conclusion, because }: &Deduction, look: StepLook) -> StepLook {
    let (by, area) = match *conclusion {
        Conclusion::HiddenSingle(Entry { digit, .. }, house)
        | Conclusion::LockedCandidates { digit, from: house, .. } => {
            (holders(because, Some(digit)), area(house))
        }
        _ => (holders(because, None), Vec::new()),
    };
    let look = StepLook { by, area, ..look };
    if let Some(Entry { cell, digit }) = conclusion.filled() {
        return StepLook { cell: Some(cell.index()), mark: Some(mark(digit)), ..look };
    }
    let Some((cells, digit)) = conclusion.struck() else { return look };
    let struck = cells.iter().map(|cell| (cell.index(), mark(digit))).collect();
    StepLook { mark: Some(mark(digit)), struck, ..look }
}

/// The number of a digit's mark.
fn mark(digit: u8) -> usize {
    usize::from(digit) - 1
}

/// A play of the first `most_steps` steps of the search for all solutions of a puzzle.
pub fn sudoku(puzzle: &Grid, most_steps: usize) -> Play {
    let blanks = Blanks::new(puzzle);
    let mut play = Play::new("Search", &blanks, Steps::new(blanks.clone()), most_steps);
    // The decimal logarithm of 9 + 9² + … + 9^blanks, a sum that is about 9/8 of its last term.
    let log_of_unpruned = blanks.blanks.len() as f64 * 9_f64.log10() + (9.0_f64 / 8.0).log10();
    let nodes = match play.whole {
        Some(whole) => format!("The search tries {}. ", counted(whole.nodes, "node")),
        None => String::new(),
    };
    play.note(format!(
        "{nodes}Without pruning it would put every digit into every empty cell, whatever the other cells \
         hold, and look at full grids only: about {} nodes.",
        about(log_of_unpruned)
    ));
    play
}

/// A play of an explanation, deduction by deduction.
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
