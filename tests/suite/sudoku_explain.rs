//! Explanations of sudokus: each step follows from what is there before, by rules written here anew.

use std::path::Path;

use tallyboard_classroom::explain::{
    Conclusion, Contradiction, Deduction, ExplainError, Explanation, Fact, Flaw, Step, sentence,
};
use tallyboard_classroom::trace::sudoku::Entry;
use tallyboard_sudoku::{Cell, Grid, House, solve_up_to};

/// A grid as a reader of the steps has it: the digits, and what has been struck out.
#[derive(Clone, PartialEq, Debug)]
struct Sheet {
    digits: [u8; 81],
    struck: Vec<(Cell, u8)>,
}

impl Sheet {
    /// Whether a cell may still have a digit.
    fn may_be(&self, cell: Cell, digit: u8) -> bool {
        let is_taken =
            |other: Cell| other.shared_house(cell).is_some() && self.digits[other.index()] == digit;
        self.digits[cell.index()] == 0
            && !Cell::all().any(is_taken)
            && !self.struck.contains(&(cell, digit))
    }

    fn places(&self, house: House, digit: u8) -> Vec<Cell> {
        house.cells().filter(|&cell| self.may_be(cell, digit)).collect()
    }

    fn check(&self, conclusion: &Conclusion) {
        match conclusion {
            Conclusion::NakedSingle(Entry { cell, digit }) => {
                let left: Vec<u8> = (1..=9).filter(|&digit| self.may_be(*cell, digit)).collect();
                assert_eq!(left, [*digit]);
            }
            Conclusion::HiddenSingle(Entry { cell, digit }, house) => {
                assert_eq!(self.places(*house, *digit), [*cell]);
            }
            Conclusion::LockedCandidates { digit, from, to, places, struck } => {
                assert_eq!(&self.places(*from, *digit), places);
                let is_in = |cell: &Cell, house: House| house.cells().any(|it| it == *cell);
                assert!(places.iter().all(|cell| is_in(cell, *to)));
                assert!(!struck.is_empty());
                for cell in struck {
                    assert!(is_in(cell, *to) && !is_in(cell, *from) && self.may_be(*cell, *digit));
                }
            }
            Conclusion::Supposition(entry) => assert!(self.may_be(entry.cell, entry.digit)),
            // What has been refuted is known where it is taken back.
            Conclusion::Refutation(_) => {}
        }
    }

    fn check_flaw(&self, flaw: Flaw) {
        match flaw {
            Flaw::NoDigit(cell) => {
                assert_eq!(self.digits[cell.index()], 0);
                assert!((1..=9).all(|digit| !self.may_be(cell, digit)));
            }
            Flaw::NoPlace { house, digit } => {
                assert!(house.cells().all(|cell| self.digits[cell.index()] != digit));
                assert_eq!(self.places(house, digit), []);
            }
        }
    }
}

/// Checks that each named step filled the cell of its fact, or struck its digit out.
fn check_named(steps: &[Step], facts: &[Fact]) {
    for (fact, number) in facts.iter().filter_map(|fact| Some((fact, fact.step?))) {
        let Step::Made(named) = &steps[number - 1] else { panic!("{fact:?}") };
        match fact.cell {
            Some(cell) => {
                assert_eq!(named.conclusion.filled(), Some(Entry { cell, digit: fact.digit }));
            }
            None => assert_eq!(named.conclusion.struck().map(|it| it.1), Some(fact.digit)),
        }
    }
}

/// Checks that every step follows and names facts that hold; returns the sheet at the end.
fn check(explanation: &Explanation, solution: Option<&Grid>) -> Sheet {
    let mut sheet = Sheet { digits: *explanation.puzzle().cells(), struck: Vec::new() };
    // The sheet before each supposition, what is supposed, and how many deductions came before.
    let mut suppositions = Vec::new();
    let (mut refuted, mut made) = (None, 0);
    for (number, step) in (1..).zip(explanation.steps()) {
        let holds = |facts: &[Fact]| {
            for fact in facts {
                assert!(fact.step.is_none_or(|step| step < number), "{step:?}");
                if let Some(cell) = fact.cell {
                    assert_eq!(sheet.digits[cell.index()], fact.digit, "{step:?}");
                    let is_given = explanation.puzzle().cells()[cell.index()] != 0;
                    assert_eq!(fact.step.is_none(), is_given, "{step:?}");
                }
            }
        };
        match step {
            Step::Made(Deduction { conclusion, because }) => {
                holds(because);
                if !matches!(conclusion, Conclusion::Refutation(_)) {
                    check_named(explanation.steps(), because);
                }
                sheet.check(conclusion);
                made += 1;
                if let Conclusion::Supposition(entry) = conclusion {
                    suppositions.push((sheet.clone(), *entry, made - 1));
                } else if suppositions.is_empty()
                    && let Some(solution) = solution
                {
                    let right = |cell: Cell| solution.cells()[cell.index()];
                    assert!(
                        conclusion.filled().is_none_or(|entry| right(entry.cell) == entry.digit)
                    );
                    let struck = conclusion.struck().unwrap_or_default();
                    assert!(struck.0.iter().all(|&cell| right(cell) != struck.1));
                }
                if let Conclusion::Refutation(entry) = conclusion {
                    assert_eq!(refuted.take(), Some(*entry));
                }
                if let Some(Entry { cell, digit }) = conclusion.filled() {
                    sheet.digits[cell.index()] = digit;
                }
                if let Some((cells, digit)) = conclusion.struck() {
                    sheet.struck.extend(cells.iter().map(|&cell| (cell, digit)));
                }
            }
            Step::DeadEnd(Contradiction { flaw, because }) => {
                holds(because);
                check_named(explanation.steps(), because);
                sheet.check_flaw(*flaw);
                refuted = suppositions.last().map(|it| it.1);
            }
            Step::Back { to, undone } => {
                let (before, supposed, depth) = suppositions.pop().unwrap();
                assert_eq!((*to, undone.conclusion.filled()), (depth, Some(supposed)));
                assert_eq!(refuted, Some(supposed), "a contradiction goes before the way back");
                (sheet, made) = (before, depth);
            }
            Step::Solution => {
                assert!(suppositions.is_empty());
                assert_eq!(Some(&sheet.digits), solution.map(Grid::cells));
            }
            Step::Over => assert!(suppositions.is_empty() && solution.is_none()),
            Step::Refused { .. } => panic!("nothing is refused: {step:?}"),
        }
    }
    assert!(suppositions.is_empty());
    sheet
}

fn puzzles(name: &str) -> Vec<Grid> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sudoku").join(name);
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line[..81].parse().unwrap()).collect()
}

/// Checks the explanation of a puzzle, and of each of its cells.
fn check_all(puzzle: &Grid) -> Explanation {
    let solution = solve_up_to(puzzle, 1).first.unwrap();
    let explanation = Explanation::of(puzzle).unwrap();
    check(&explanation, Some(&solution));
    assert_eq!(explanation.steps().last(), Some(&Step::Solution));
    for cell in Cell::all() {
        let why = explanation.why(cell);
        let given = puzzle.cells()[cell.index()];
        assert_eq!(why.is_none(), given != 0, "{puzzle} {cell}");
        let Some(why) = why else { continue };
        let sheet = check(&why, Some(&solution));
        assert_eq!(sheet.digits[cell.index()], solution.cells()[cell.index()]);
        let Some(Step::Made(last)) = why.steps().last() else { panic!("{puzzle} {cell}") };
        assert_eq!(last.conclusion.filled().map(|entry| entry.cell), Some(cell));
        assert!(why.steps().len() < explanation.steps().len());
    }
    explanation
}

#[test]
fn every_deduction_follows_and_agrees_with_the_solver() {
    let mut kinds = [0; 5];
    let files = [("easy.txt", 5), ("minimal.txt", 10), ("17_clue.txt", 10), ("magictour.txt", 3)];
    for (name, most) in files {
        for puzzle in puzzles(name).iter().take(most) {
            for step in check_all(puzzle).steps() {
                let Step::Made(deduction) = step else { continue };
                kinds[match deduction.conclusion {
                    Conclusion::NakedSingle(_) => 0,
                    Conclusion::HiddenSingle(..) => 1,
                    Conclusion::LockedCandidates { .. } => 2,
                    Conclusion::Supposition(_) => 3,
                    Conclusion::Refutation(_) => 4,
                }] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|&kind| kind > 20), "each kind has been checked: {kinds:?}");
}

#[test]
fn the_hardest_puzzles_are_explained_with_suppositions_inside_others() {
    let mut deepest = 0;
    for puzzle in puzzles("hardest.txt").iter().take(1) {
        let explanation = check_all(puzzle);
        deepest = deepest.max(*explanation.depths().iter().max().unwrap());
    }
    assert!(deepest >= 2, "{deepest}");
}

#[test]
fn a_puzzle_without_solution_is_refuted() {
    // The last cell of the first row needs 9, which its column has.
    let puzzle: Grid = format!("12345678.........9{}", ".".repeat(63)).parse().unwrap();
    let explanation = Explanation::of(&puzzle).unwrap();
    check(&explanation, None);
    assert_eq!(explanation.steps().last(), Some(&Step::Over));
    assert_eq!(explanation.why("r1c9".parse().unwrap()), None);
    // A wrong digit in a puzzle with one solution, which is far from plain to see.
    let puzzle = puzzles("minimal.txt")[0];
    let solution = solve_up_to(&puzzle, 1).first.unwrap();
    let mut refuted = 0;
    for cell in Cell::all().filter(|cell| puzzle.cells()[cell.index()] == 0).step_by(9) {
        let mut cells = *puzzle.cells();
        cells[cell.index()] = solution.cells()[cell.index()] % 9 + 1;
        match Explanation::of(&Grid::new(cells).unwrap()) {
            Ok(explanation) => {
                check(&explanation, None);
                refuted += 1;
            }
            Err(error) => assert!(matches!(error, ExplainError::Clash { .. }), "{error}"),
        }
    }
    assert!(refuted > 0);
}

#[test]
fn several_solutions_and_clashes_are_errors_that_name_cells() {
    let error = |text: String| Explanation::of(&text.parse().unwrap()).unwrap_err().to_string();
    assert!(error(".".repeat(81)).starts_with("found several solutions, in which r1c1 is "));
    assert_eq!(
        error(format!("5...5{}", ".".repeat(76))),
        "r1c1 and r1c5 are both 5 in row 1: expected a puzzle with a solution"
    );
    // The two digits of a rectangle may change places.
    let mut cells = *solve_up_to(&puzzles("easy.txt")[0], 1).first.unwrap().cells();
    cells[..60].fill(0);
    let puzzle = Grid::new(cells).unwrap();
    let Err(ExplainError::Several { cell, digits }) = Explanation::of(&puzzle) else { panic!() };
    assert_ne!(digits[0], digits[1]);
    for digit in digits {
        let mut cells = cells;
        cells[cell.index()] = digit;
        assert!(solve_up_to(&Grid::new(cells).unwrap(), 1).count == 1);
    }
}

#[test]
fn a_hint_is_the_next_digit_or_the_next_that_is_struck_out() {
    let easy = puzzles("easy.txt")[0];
    let explanation = Explanation::of(&easy).unwrap();
    assert_eq!(explanation.hint(), explanation.steps().first());
    for puzzle in &puzzles("magictour.txt")[..2] {
        let explanation = Explanation::of(puzzle).unwrap();
        let Some(Step::Made(hint)) = explanation.hint() else { panic!("{puzzle}") };
        assert!(!matches!(hint.conclusion, Conclusion::Supposition(_)));
    }
    let solved = solve_up_to(&easy, 1).first.unwrap();
    assert_eq!(Explanation::of(&solved).unwrap().hint(), None);
}

#[test]
fn sentences_name_cells_houses_and_earlier_steps() {
    let hard = "..1...8.....6.4.......3.......72....4......5..9.....3.6.....2.1...8..7..31.......";
    let explanation = Explanation::of(&hard.parse().unwrap()).unwrap();
    let sentences: Vec<String> = explanation.steps().iter().map(sentence).collect();
    assert!(sentences.iter().all(|text| !text.contains("None") && !text.contains('{')));
    let depths = explanation.depths();
    let shown: Vec<String> = (1..)
        .zip(sentences.iter().zip(depths))
        .map(|(number, (text, depth))| format!("{number}. {}{text}\n", "  ".repeat(depth)))
        .collect();
    crate::common::golden::check("explained.txt", &shown.concat());
}
