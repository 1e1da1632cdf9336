//! The table of a tally is that of the list of all solutions.

use tallyboard_variants::{Cell, Puzzle, Rule, Rules};

/// Puzzles of 4 × 4 and 6 × 6 cells with some givens, with and without a diagonal.
fn puzzles() -> Vec<Puzzle> {
    let mut puzzles = Vec::new();
    for (side, givens) in [(4, 0), (4, 2), (6, 5)] {
        let diagonal = Rules::new(side).unwrap().with(Rule::FallingDiagonal).unwrap();
        for rules in [Rules::new(side).unwrap(), diagonal] {
            let mut puzzle = Puzzle::new(rules);
            for at in 0..givens {
                puzzle.give(Cell::new(at + 1, at + 1), at as u8 + 1).unwrap();
            }
            puzzles.push(puzzle);
        }
    }
    puzzles
}

#[test]
fn tables_are_those_of_the_lists_of_solutions() {
    let mut several = 0;
    for puzzle in puzzles() {
        let side = puzzle.size().side();
        let mut solutions = 0;
        let mut uses = vec![0_u128; side * puzzle.size().cells()];
        for solution in puzzle.solutions() {
            solutions += 1;
            for (cell, value) in solution.into_iter().enumerate() {
                uses[side * cell + usize::from(value) - 1] += 1;
            }
        }
        several += u32::from(solutions > 1);
        for run in
            [puzzle.tally().threads(1), puzzle.tally().threads(2), puzzle.tally().limit(u64::MAX)]
        {
            let table = run.run().unwrap();
            assert_eq!(
                (table.solutions(), table.cells()),
                (solutions, &uses[..]),
                "{}",
                puzzle.line()
            );
            assert!(!table.is_cut());
        }
    }
    assert!(several > 3, "only {several} puzzles had several solutions");
}

#[test]
fn a_limit_takes_the_first_solutions_of_the_list() {
    let puzzle = Puzzle::new(Rules::new(4).unwrap());
    let table = puzzle.tally().limit(100).run().unwrap();
    assert_eq!((table.solutions(), table.is_cut()), (100, true));
    let ones = puzzle.solutions().take(100).filter(|solution| solution[0] == 1).count();
    assert_eq!(ones as u128, table.cells()[0]);
}
