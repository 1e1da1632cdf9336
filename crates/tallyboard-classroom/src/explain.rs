//! The solution of a sudoku as a person finds it: one deduction after the other, each with its reasons.
//!
//! The deductions, the easiest first, are: a cell with one possible digit (*naked single*), a digit with one
//! possible place in a house (*hidden single*), a digit that a house confines to its part of another house
//! (*locked candidates*). If none of these helps, a digit is supposed that leads to a contradiction, and is
//! then struck out. The proof keeps only the steps that the contradiction needs.
//!
//! Every step follows from the puzzle and from the steps it names, so together they are a proof. The solver only
//! tells which digits are not in the solution and so can be refuted; all else is deduced here.

use std::collections::BTreeSet;

use tallyboard_base::figures::plural_s;
use tallyboard_sudoku::{CELLS, Cell, Grid, House, solve_up_to};

use crate::backtrack::{self, Counts};
use crate::trace::sudoku::{Entry, blanks};

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
        let steps = with_moves_left(steps(puzzle, answer.first.as_ref()));
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

    /// The grid with all digits that were found to last.
    pub fn filled(&self) -> Grid {
        let mut cells = *self.puzzle.cells();
        for entry in self.lasting_conclusions().filter_map(|(.., conclusion)| conclusion.filled()) {
            cells[entry.cell.index()] = entry.digit;
        }
        Grid::new(cells).expect("every entry is a digit")
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

// The order of deductions: the easiest first, a supposition only if nothing else can be deduced.

/// All steps for a puzzle with this only solution, or without one.
fn steps(puzzle: &Grid, solution: Option<&Grid>) -> Vec<Step> {
    let mut proof = Proof { state: State::new(puzzle), steps_before: 0, steps: Vec::new() };
    match proof.deduce(|proof| Some(proof.shortest_refutation(solution))) {
        Some(NextStep::Contradiction(contradiction)) => {
            proof.steps.extend([Step::DeadEnd(contradiction), Step::Over]);
        }
        Some(NextStep::Full) => proof.steps.push(Step::Solution),
        _ => unreachable!("a stuck grid has a refutation"),
    }
    proof.steps
}

/// Steps, and the grid after the last of them.
struct Proof {
    state: State,
    /// The number of steps before these.
    steps_before: usize,
    steps: Vec<Step>,
}

impl Proof {
    /// The number of the last step.
    fn last(&self) -> usize {
        self.steps_before + self.steps.len()
    }

    /// Deduces until the grid is full or contradicts itself, and returns which of these. Where there is no deduction,
    /// appends a `refutation`; `None` if there is none either.
    fn deduce(&mut self, refutation: impl Fn(&Self) -> Option<Vec<Step>>) -> Option<NextStep> {
        loop {
            match self.state.next() {
                NextStep::Deduction(deduction) => self.push(deduction),
                NextStep::Stuck => {
                    let steps = refutation(self)?;
                    self.append_refutation(steps);
                }
                end => return Some(end),
            }
        }
    }

    /// Appends a deduction, and applies it to the grid.
    fn push(&mut self, deduction: Deduction) {
        self.state.apply(&deduction.conclusion, self.last() + 1);
        self.steps.push(Step::Made(deduction));
    }

    /// Appends the steps of a refutation, and then the conclusion that strikes its digit out.
    fn append_refutation(&mut self, refutation: Vec<Step>) {
        let first = self.last() + 1;
        let supposed = match refutation.first() {
            Some(Step::Made(supposed)) => supposed.conclusion.filled(),
            _ => None,
        };
        let refuted = supposed.expect("a refutation begins with what it refutes");
        self.steps.extend(refutation);
        let last = self.last();
        // The supposition, its contradiction and the step back.
        let because = [first, last - 1, last];
        let because =
            because.map(|step| Fact { cell: None, digit: refuted.digit, step: Some(step) });
        let conclusion = Conclusion::Refutation(refuted);
        self.push(Deduction { conclusion, because: because.into() });
    }

    /// The digits that a cell may be supposed to have, cells with few of them first.
    fn suppositions(&self) -> Vec<Entry> {
        let state = &self.state;
        let mut cells: Vec<Cell> =
            Cell::all().filter(|&cell| state.candidates(cell) != 0).collect();
        cells.sort_by_key(|&cell| state.candidates(cell).count_ones());
        let entries =
            cells.into_iter().flat_map(|cell| (1..=9).map(move |digit| Entry { cell, digit }));
        entries.filter(|entry| state.can_be(entry.cell, entry.digit)).collect()
    }

    /// The shortest refutation of a digit that is not in the solution. If every refutation needs further
    /// suppositions inside it, the first one of those that need the fewest levels.
    fn shortest_refutation(&self, solution: Option<&Grid>) -> Vec<Step> {
        let mut wrong = self.suppositions();
        wrong.retain(|entry| {
            solution.is_none_or(|solution| solution.cells()[entry.cell.index()] != entry.digit)
        });
        let plain = wrong.iter().filter_map(|&supposed| self.refutation(supposed, 0));
        let first_with_levels =
            |levels| wrong.iter().find_map(|&supposed| self.refutation(supposed, levels));
        let refutation =
            plain.min_by_key(Vec::len).or_else(|| (1..CELLS).find_map(first_with_levels));
        refutation.expect("what is in no solution leads to a contradiction")
    }

    /// Supposes a digit and deduces until a contradiction, with at most `levels` levels of further suppositions.
    /// Returns the steps that the contradiction needs, which follow the last step; `None` if there is none.
    fn refutation(&self, supposed: Entry, levels: usize) -> Option<Vec<Step>> {
        let steps_before = self.last();
        let mut proof = Self { state: self.state.clone(), steps_before, steps: Vec::new() };
        let supposed =
            Deduction { conclusion: Conclusion::Supposition(supposed), because: Vec::new() };
        proof.push(supposed.clone());
        let further = |proof: &Self| {
            let levels = levels.checked_sub(1)?;
            proof.suppositions().into_iter().find_map(|inner| proof.refutation(inner, levels))
        };
        let NextStep::Contradiction(contradiction) = proof.deduce(further)? else { return None };
        // `to` is the number of moves that remain; `with_moves_left` sets it when all steps are known.
        let back = Step::Back { to: 0, undone: supposed };
        proof.steps.extend([Step::DeadEnd(contradiction), back]);
        let last = proof.last();
        Some(slice(proof.steps, steps_before, &[steps_before + 1, last - 1, last]))
    }
}

// Leaves out steps on which no wanted step rests.

/// The facts that a step rests on.
fn facts(step: &mut Step) -> &mut [Fact] {
    match step {
        Step::Made(deduction) => &mut deduction.because,
        Step::DeadEnd(contradiction) => &mut contradiction.because,
        _ => &mut [],
    }
}

/// Keeps of `steps` the `wanted` ones and those that they rest on, and numbers them anew. The first of `steps` has the
/// number after `steps_before`; facts of earlier steps stay as they are.
fn slice(mut steps: Vec<Step>, steps_before: usize, wanted: &[usize]) -> Vec<Step> {
    // The index of the step that established a fact, if it is one of `steps`.
    let index_of = |fact: &Fact| fact.step?.checked_sub(steps_before + 1);
    let mut is_needed = vec![false; steps.len()];
    for number in wanted {
        is_needed[number - steps_before - 1] = true;
    }
    // A step rests on earlier ones only.
    for index in (0..steps.len()).rev() {
        if is_needed[index] {
            let rests_on = facts(&mut steps[index]).iter().filter_map(index_of);
            rests_on.for_each(|earlier| is_needed[earlier] = true);
        }
    }
    let mut new_numbers = vec![0; steps.len()];
    let mut sliced = Vec::new();
    for (index, mut step) in steps.into_iter().enumerate().filter(|(index, _)| is_needed[*index]) {
        for fact in facts(&mut step) {
            fact.step = index_of(fact).map(|index| new_numbers[index]).or(fact.step);
        }
        sliced.push(step);
        new_numbers[index] = steps_before + sliced.len();
    }
    sliced
}

/// Sets in each step back the number of moves that remain after it.
fn with_moves_left(mut steps: Vec<Step>) -> Vec<Step> {
    let mut depth = 0;
    let mut suppositions = Vec::new();
    for step in &mut steps {
        match step {
            Step::Made(Deduction { conclusion, .. }) => {
                if let Conclusion::Supposition(_) = conclusion {
                    suppositions.push(depth);
                }
                depth += 1;
            }
            Step::Back { to, .. } => {
                depth = suppositions.pop().expect("a supposition to take back");
                *to = depth;
            }
            _ => {}
        }
    }
    steps
}

// A grid with the candidates of its cells, each fact with the step that established it.

/// The next step in a grid.
enum NextStep {
    /// The easiest deduction.
    Deduction(Deduction),
    Contradiction(Contradiction),
    /// Every cell is filled.
    Full,
    /// There is no deduction.
    Stuck,
}

/// A grid in the middle of an explanation.
#[derive(Clone)]
struct State {
    digits: [u8; CELLS],
    /// The steps that filled the cells; `None` for given and empty ones.
    filled_by: [Option<usize>; CELLS],
    /// The digits that empty cells may have: bit d for digit d.
    candidates: [u16; CELLS],
    /// The steps that struck digits out of cells.
    struck_by: [[Option<usize>; 10]; CELLS],
}

/// All houses in the order in which people look at them: boxes, rows, columns.
fn boxes_first() -> impl Iterator<Item = House> {
    /// Rows and columns, which come first in [`House::all`].
    const LINES: usize = 18;
    House::all().skip(LINES).chain(House::all().take(LINES))
}

impl State {
    /// The state of a puzzle before the first step.
    pub fn new(puzzle: &Grid) -> Self {
        let mut state = Self {
            digits: [0; CELLS],
            filled_by: [None; CELLS],
            candidates: [0b11_1111_1110; CELLS],
            struck_by: [[None; 10]; CELLS],
        };
        for (cell, &digit) in Cell::all().zip(puzzle.cells()) {
            if digit != 0 {
                state.put(cell, digit, None);
            }
        }
        state
    }

    /// The digits that a cell may have: bit d for digit d; none if it is filled.
    pub fn candidates(&self, cell: Cell) -> u16 {
        self.candidates[cell.index()]
    }

    /// Whether an empty cell may have a digit.
    pub fn can_be(&self, cell: Cell, digit: u8) -> bool {
        self.candidates(cell) >> digit & 1 != 0
    }

    /// Applies the conclusion of the step with this number to the grid.
    pub fn apply(&mut self, conclusion: &Conclusion, number: usize) {
        if let Some(Entry { cell, digit }) = conclusion.filled() {
            self.put(cell, digit, Some(number));
        }
        if let Some((cells, digit)) = conclusion.struck() {
            for cell in cells {
                self.candidates[cell.index()] &= !(1 << digit);
                self.struck_by[cell.index()][usize::from(digit)].get_or_insert(number);
            }
        }
    }

    /// Fills a cell. `step` is the number of the step that does so; `None` for a given.
    fn put(&mut self, cell: Cell, digit: u8, step: Option<usize>) {
        self.digits[cell.index()] = digit;
        self.filled_by[cell.index()] = step;
        self.candidates[cell.index()] = 0;
        for peer in cell.peers() {
            self.candidates[peer.index()] &= !(1 << digit);
        }
    }

    fn is_blank(&self, cell: Cell) -> bool {
        self.digits[cell.index()] == 0
    }

    /// The next step: a contradiction before any deduction, naked singles before hidden ones, boxes
    /// before rows and columns, locked candidates last.
    pub fn next(&self) -> NextStep {
        if Cell::all().all(|cell| !self.is_blank(cell)) {
            return NextStep::Full;
        }
        if let Some(contradiction) = self.contradiction() {
            return NextStep::Contradiction(contradiction);
        }
        let single = self.naked_single().or_else(|| self.hidden_single());
        single.or_else(|| self.locked_candidates()).map_or(NextStep::Stuck, NextStep::Deduction)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let mut blanks = Cell::all().filter(|&cell| self.is_blank(cell));
        if let Some(cell) = blanks.find(|&cell| self.candidates(cell) == 0) {
            let because = (1..=9).map(|digit| self.why_not(cell, digit)).collect();
            return Some(Contradiction { flaw: Flaw::NoDigit(cell), because });
        }
        House::all().find_map(|house| {
            let cells = house.cells();
            let possible = cells.fold(0, |possible, cell| {
                possible | self.candidates(cell) | 1 << self.digits[cell.index()]
            });
            let digit = (1..=9).find(|digit| possible >> digit & 1 == 0)?;
            let because = house.cells().map(|cell| self.why_not(cell, digit)).collect();
            Some(Contradiction { flaw: Flaw::NoPlace { house, digit }, because })
        })
    }

    fn naked_single(&self) -> Option<Deduction> {
        let cell = Cell::all().find(|&cell| self.candidates(cell).is_power_of_two())?;
        let digit = self.candidates(cell).trailing_zeros() as u8;
        let others = (1..=9).filter(|&other| other != digit);
        let because = others.map(|other| self.why_not(cell, other)).collect();
        Some(Deduction { conclusion: Conclusion::NakedSingle(Entry { cell, digit }), because })
    }

    fn hidden_single(&self) -> Option<Deduction> {
        boxes_first().find_map(|house| {
            // The digits with at least one place, and those with at least two.
            let mut once = 0;
            let mut twice = 0;
            for cell in house.cells() {
                twice |= once & self.candidates(cell);
                once |= self.candidates(cell);
            }
            let singles = once & !twice;
            let digit = (1..=9).find(|digit| singles >> digit & 1 != 0)?;
            let cell = house.cells().find(|&cell| self.can_be(cell, digit))?;
            let others = house.cells().filter(|&other| other != cell);
            let because = others.map(|other| self.why_not(other, digit)).collect();
            let conclusion = Conclusion::HiddenSingle(Entry { cell, digit }, house);
            Some(Deduction { conclusion, because })
        })
    }

    fn locked_candidates(&self) -> Option<Deduction> {
        let mut pairs = boxes_first().flat_map(|from| (1..=9).map(move |digit| (from, digit)));
        pairs.find_map(|(from, digit)| self.locked_candidates_of(from, digit))
    }

    /// The locked candidates of a digit in the house `from`, if another house loses the digit by them.
    fn locked_candidates_of(&self, from: House, digit: u8) -> Option<Deduction> {
        let places: Vec<Cell> = from.cells().filter(|&cell| self.can_be(cell, digit)).collect();
        let shared = places.first()?.houses().into_iter().filter(|&house| house != from);
        let mut shared =
            shared.filter(|house| places.iter().all(|place| place.houses().contains(house)));
        shared.find_map(|to| {
            let outside = to.cells().filter(|cell| !cell.houses().contains(&from));
            let struck: Vec<Cell> = outside.filter(|&cell| self.can_be(cell, digit)).collect();
            if struck.is_empty() {
                return None;
            }
            let others = from.cells().filter(|cell| !places.contains(cell));
            let because = others.map(|cell| self.why_not(cell, digit)).collect();
            let places = places.clone();
            let conclusion = Conclusion::LockedCandidates { digit, from, to, places, struck };
            Some(Deduction { conclusion, because })
        })
    }

    /// The fact that a cell has its digit.
    fn digit_of(&self, cell: Cell) -> Fact {
        Fact {
            cell: Some(cell),
            digit: self.digits[cell.index()],
            step: self.filled_by[cell.index()],
        }
    }

    /// Why a cell does not have a digit: its own digit, or the first peer or step that takes the digit from it.
    fn why_not(&self, cell: Cell, digit: u8) -> Fact {
        if !self.is_blank(cell) {
            return self.digit_of(cell);
        }
        let holders = cell.peers().filter(|peer| self.digits[peer.index()] == digit);
        let holders = holders.map(|peer| self.digit_of(peer));
        let struck = self.struck_by[cell.index()][usize::from(digit)];
        let struck = struck.map(|step| Fact { cell: None, digit, step: Some(step) });
        let first = holders.chain(struck).min_by_key(|fact| fact.step);
        first.expect("a digit is taken from a cell by a cell that holds it or by a step")
    }
}

// The sentence of each step.

/// The sentence of a step, without a capital and a full stop.
pub fn sentence(step: &Step) -> String {
    match step {
        Step::Made(deduction) => conclusion(deduction),
        Step::DeadEnd(Contradiction { flaw, because }) => match *flaw {
            Flaw::NoDigit(cell) => {
                format!(
                    "no digit is left for {cell}: {}; a contradiction",
                    seen_from(cell, because)
                )
            }
            Flaw::NoPlace { house, digit } => {
                format!(
                    "{house} has no place left for {digit}{}: a contradiction",
                    taken_by(digit, because)
                )
            }
        },
        Step::Back { undone, .. } => match undone.conclusion.filled() {
            Some(supposed) => format!("back to where {} was open", supposed.cell),
            None => "back".to_owned(),
        },
        Step::Refused { .. } => "refused".to_owned(),
        Step::Solution => "every cell is filled: the solution".to_owned(),
        Step::Over => "so the puzzle has no solution".to_owned(),
    }
}

fn conclusion(Deduction { conclusion, because }: &Deduction) -> String {
    match conclusion {
        Conclusion::NakedSingle(Entry { cell, digit }) => {
            format!("{cell} must be {digit}: {}", seen_from(*cell, because))
        }
        Conclusion::HiddenSingle(Entry { cell, digit }, house) => {
            let taken = taken_by(*digit, because);
            format!("{cell} must be {digit}: {house} has no other place for it{taken}")
        }
        Conclusion::LockedCandidates { digit, from, to, places, struck } => {
            let places = joined(places, "or");
            let struck = joined(struck, "and");
            let taken = taken_by(*digit, because);
            format!(
                "{digit} of {from} must be in {places}{taken}, all in {to}, so {struck} cannot be {digit}"
            )
        }
        Conclusion::Supposition(Entry { cell, digit }) => {
            format!("suppose that {cell} were {digit}")
        }
        Conclusion::Refutation(Entry { cell, digit }) => format!("so {cell} cannot be {digit}"),
    }
}

/// Why a cell cannot have other digits: those that its houses have, and those that steps have struck out of it.
fn seen_from(cell: Cell, because: &[Fact]) -> String {
    let is_in = |fact: &Fact, house: House| {
        fact.cell.and_then(|holder| cell.shared_house(holder)) == Some(house)
    };
    let mut parts = Vec::new();
    for house in cell.houses() {
        let digits: Vec<u8> =
            because.iter().filter(|fact| is_in(fact, house)).map(|fact| fact.digit).collect();
        if !digits.is_empty() {
            parts.push(format!("{house} has {}", joined(&digits, "and")));
        }
    }
    for fact in because.iter().filter(|fact| fact.cell.is_none()) {
        parts.extend(fact.step.map(|step| format!("step {step} took {}", fact.digit)));
    }
    parts.join("; ")
}

/// In brackets what takes `digit` from the other cells: the cells that hold it, and the steps that strike it out.
fn taken_by(digit: u8, because: &[Fact]) -> String {
    let holders = because.iter().filter(|fact| fact.digit == digit).filter_map(|fact| fact.cell);
    let holders = sorted_and_distinct(holders);
    let struck = because.iter().filter(|fact| fact.cell.is_none());
    let steps = sorted_and_distinct(struck.filter_map(|fact| fact.step));
    let mut parts = Vec::new();
    if !holders.is_empty() {
        parts.push(format!("{digit} in {}", joined(&holders, "and")));
    }
    if !steps.is_empty() {
        parts.push(format!("step{} {}", plural_s(steps.len() as u64), joined(&steps, "and")));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// The items in ascending order, each once.
pub(crate) fn sorted_and_distinct<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    BTreeSet::from_iter(items).into_iter().collect()
}

/// The items with commas and, before the last one, a word: `a, b and c`.
fn joined<T: ToString>(items: &[T], word: &str) -> String {
    let words: Vec<String> = items.iter().map(T::to_string).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} {word} {last}", others.join(", "))
        }
        _ => words.concat(),
    }
}
