//! The solution of a sudoku as a person finds it: one deduction after the other, each with its reasons.
//!
//! The deductions, the easiest first, are: a cell with one possible digit (*naked single*), a digit with one
//! possible place in a house (*hidden single*), a digit that a house confines to its part of another house
//! (*locked candidates*). If none of these helps, a digit is supposed that leads to a contradiction, and is
//! then struck out. The proof keeps only the steps that the contradiction needs.
//!
//! Every step follows from the puzzle and from the steps it names, so together they are a proof. The solver only
//! tells which digits are not in the solution and so can be refuted; all else is deduced here.

mod proof;
mod slice;
mod state;
mod words;

use crate::backtrack::{self, Counts};
use crate::trace::sudoku::{Entry, blanks};
use slice::{slice, with_moves_left};
use tallyboard_sudoku::{Cell, Grid, House, solve_up_to};

pub use words::sentence;
pub(crate) use words::sorted_and_distinct;

/// A step of an explanation. Steps are numbered from 1.
pub type Step = backtrack::Step<Deduction, Contradiction>;

/// A conclusion, and the facts that it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// The conclusion.
    pub conclusion: Conclusion,
    /// The facts that it follows from.
    pub because: Vec<Fact>,
}

/// What a step concludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The only digit that is left for a cell.
    NakedSingle(Entry),
    /// The only cell of a house that is left for a digit.
    HiddenSingle(Entry, House),
    /// All cells of a house that may hold a digit lie in another house too, whose other cells lose the digit.
    LockedCandidates {
        /// The digit.
        digit: u8,
        /// The house that confines the digit.
        from: House,
        /// The house whose other cells lose the digit.
        to: House,
        /// The cells of both that may hold it.
        places: Vec<Cell>,
        /// The cells that lose the digit.
        struck: Vec<Cell>,
    },
    /// A digit is put into a cell to show that it cannot be there.
    Supposition(Entry),
    /// A digit that was supposed has led to a contradiction, so the cell loses it.
    Refutation(Entry),
}

impl Conclusion {
    /// The cell that is filled, and its digit.
    pub fn filled(&self) -> Option<Entry> {
        match *self {
            Self::NakedSingle(entry) | Self::HiddenSingle(entry, _) | Self::Supposition(entry) => {
                Some(entry)
            }
            Self::LockedCandidates { .. } | Self::Refutation(_) => None,
        }
    }

    /// The cells that lose a digit, and the digit.
    pub fn struck(&self) -> Option<(&[Cell], u8)> {
        match self {
            Self::LockedCandidates { struck, digit, .. } => Some((struck, *digit)),
            Self::Refutation(Entry { cell, digit }) => Some((std::slice::from_ref(cell), *digit)),
            _ => None,
        }
    }
}

/// A contradiction, and the facts that it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What is wrong.
    pub flaw: Flaw,
    /// The facts that it follows from.
    pub because: Vec<Fact>,
}

/// What is wrong with a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No digit is left for a cell.
    NoDigit(Cell),
    /// No cell of a house is left for a digit.
    NoPlace {
        /// The house.
        house: House,
        /// The digit.
        digit: u8,
    },
}

/// A fact that a step rests on: a digit that is in a cell, or that was struck out of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The cell that holds the digit; `None` if a step has struck it out.
    pub cell: Option<Cell>,
    /// The digit.
    pub digit: u8,
    /// The step that established it; `None` for a given.
    pub step: Option<usize>,
}

/// Why a puzzle cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// Two given digits contradict each other.
    #[error("{one} and {other} are both {digit} in {house}: expected a puzzle with a solution")]
    Clash {
        /// The first cell.
        one: Cell,
        /// The second cell.
        other: Cell,
        /// Their digit.
        digit: u8,
        /// The house that they share.
        house: House,
    },
    /// The puzzle has several solutions, so no deduction fills the cells in which they differ.
    #[error(
        "found several solutions, in which {cell} is {} or {}: expected a puzzle with one solution, \
         whose digits follow from it", digits[0], digits[1]
    )]
    Several {
        /// The first cell in which two solutions differ.
        cell: Cell,
        /// Its digit in each of the two solutions.
        digits: [u8; 2],
    },
}

impl ExplainError {
    /// The error that two given digits contradict each other, if they do.
    pub fn clash(puzzle: &Grid) -> Option<Self> {
        let (one, other, house) = puzzle.clash()?;
        let digit = puzzle.cells()[one.index()];
        Some(Self::Clash { one, other, digit, house })
    }
}

/// A puzzle solved deduction by deduction, or a proof that it has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    puzzle: Grid,
    steps: Vec<Step>,
}

impl Explanation {
    /// Explains a puzzle.
    ///
    /// ```
    /// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
    /// use tallyboard::sudoku::Grid;
    /// use tallyboard_classroom::explain::{Explanation, sentence};
    ///
    /// let puzzle: Grid =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let explanation = Explanation::of(&puzzle)?;
    /// let why = explanation.why("r4c5".parse()?);
    /// assert!(why.is_none(), "it is given");
    /// let why = explanation.why("r5c5".parse()?).unwrap();
    /// assert_eq!(
    ///     sentence(&why.steps()[0]),
    ///     "r5c5 must be 5: row 5 has 1, 3, 4 and 8; column 5 has 2, 6, 7 and 9"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ExplainError`] if the puzzle has several solutions, so that not all digits follow from it, or if its
    /// digits contradict each other.
    pub fn of(puzzle: &Grid) -> Result<Self, ExplainError> {
        if let Some(clash) = ExplainError::clash(puzzle) {
            return Err(clash);
        }
        let answer = solve_up_to(puzzle, 2);
        if answer.count > 1 {
            let first = answer.first.expect("a solution that was counted");
            return Err(several(puzzle, &first));
        }
        let steps = with_moves_left(proof::steps(puzzle, answer.first.as_ref()));
        Ok(Self { puzzle: *puzzle, steps })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Steps by kind: nodes are deductions, suppositions included; dead ends are contradictions.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.steps.iter().for_each(|step| counts.add(step));
        counts
    }

    /// The steps that a cell's digit follows from; the last one fills the cell. `None` for a given
    /// cell and if there is no solution.
    pub fn why(&self, cell: Cell) -> Option<Self> {
        let (number, ..) = self.lasting_conclusions().find(|(.., conclusion)| {
            conclusion.filled().is_some_and(|filled| filled.cell == cell)
        })?;
        let steps = slice(self.steps[..number].to_vec(), 0, &[number]);
        Some(Self { puzzle: self.puzzle, steps: with_moves_left(steps) })
    }

    /// The first deduction: a digit that is filled in or struck out.
    pub fn hint(&self) -> Option<&Step> {
        let (_, step, _) = self.lasting_conclusions().next()?;
        Some(step)
    }

    /// The conclusions that rest on no supposition, each with its step and the step's number. What is deduced from a
    /// supposition is taken back with it.
    fn lasting_conclusions(&self) -> impl Iterator<Item = (usize, &Step, &Conclusion)> {
        let steps = (1..).zip(&self.steps).zip(self.depths());
        steps.filter_map(|((number, step), depth)| match step {
            Step::Made(Deduction { conclusion: Conclusion::Supposition(_), .. }) => None,
            Step::Made(Deduction { conclusion, .. }) if depth == 0 => {
                Some((number, step, conclusion))
            }
            _ => None,
        })
    }

    /// The number of suppositions that hold at each step. The one that the step makes or takes back is not counted.
    pub fn depths(&self) -> Vec<usize> {
        let mut depth = 0;
        let mut depths = Vec::new();
        for step in &self.steps {
            if let Step::Back { .. } = step {
                depth -= 1;
            }
            depths.push(depth);
            if let Step::Made(Deduction { conclusion: Conclusion::Supposition(_), .. }) = step {
                depth += 1;
            }
        }
        depths
    }
}

/// The error that a puzzle has other solutions than `first`.
fn several(puzzle: &Grid, first: &Grid) -> ExplainError {
    let mut changes = blanks(puzzle).flat_map(|cell| {
        let found = first.cells()[cell.index()];
        (1..=9).filter(move |&digit| digit != found).map(move |digit| (cell, [found, digit]))
    });
    let has_solution = |(cell, [_, digit]): &(Cell, [u8; 2])| {
        let mut cells = *puzzle.cells();
        cells[cell.index()] = *digit;
        Grid::new(cells).is_some_and(|grid| solve_up_to(&grid, 1).count > 0)
    };
    let (cell, digits) = changes.find(has_solution).expect("two solutions differ in a cell");
    ExplainError::Several { cell, digits }
}
