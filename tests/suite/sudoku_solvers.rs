//! Every way to count agrees with a naive oracle, and counts do not change under symmetries.

use crate::common::sudoku_oracle;
use proptest::prelude::*;
use tallyboard_search::{Options, Silent, run};
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::{CELLS, CountOne, Grid, canonical, solve_up_to};

/// Generated puzzles with some clues taken away, so that solutions are many, or changed, so that
/// there is none.
fn grids() -> impl Strategy<Value = Grid> {
    let changes = prop::collection::vec((0..CELLS, 0..=9_u8), 0..4);
    (any::<u64>(), changes, 28..50_usize).prop_map(|(seed, changes, clues)| {
        let wish = Requirements { clues: Some(clues), minimal: false, symmetric: false };
        let mut cells = *Generator::new(wish, seed).unwrap().puzzle(0).cells();
        for (cell, digit) in changes {
            cells[cell] = if cells[cell] == 0 { 0 } else { digit };
        }
        Grid::new(cells).unwrap()
    })
}

fn image(grid: &Grid, rows: &[usize], columns: &[usize], digits: &[u8], transposed: bool) -> Grid {
    let cell = |index: usize| {
        let (row, column) = (rows[index / 9], columns[index % 9]);
        let from = if transposed { column * 9 + row } else { row * 9 + column };
        match grid.cells()[from] {
            0 => 0,
            digit => digits[usize::from(digit) - 1],
        }
    };
    Grid::new(std::array::from_fn(cell)).unwrap()
}

/// Orders of nine lines that keep threes together.
fn line_orders() -> impl Strategy<Value = Vec<usize>> {
    let three = || Just(vec![0, 1, 2]).prop_shuffle();
    (three(), three(), three(), three()).prop_map(|(bands, a, b, c)| {
        let within = [a, b, c];
        bands.iter().flat_map(|&band| within[band].iter().map(move |row| band * 3 + row)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn solvers_agree_with_the_oracle(grid in grids()) {
        let expected = sudoku_oracle::count(&grid.to_string(), 3000);
        let answer = solve_up_to(&grid, 3000);
        prop_assert_eq!(answer.count, expected);
        prop_assert_eq!(answer.first.is_some(), expected > 0);
        if let Some(first) = answer.first {
            prop_assert!(sudoku_oracle::solves(&grid.to_string(), &first.to_string()));
        }
        if expected < 3000 {
            let all = run(&CountOne::new(grid), &Options::new().threads(2), &mut Silent);
            prop_assert_eq!(all.unwrap().tally.solutions(), u128::from(expected));
        }
    }

    #[test]
    fn symmetries_keep_counts_and_canonical_forms(
        grid in grids(),
        rows in line_orders(),
        columns in line_orders(),
        digits in Just(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]).prop_shuffle(),
        transposed in any::<bool>(),
    ) {
        let other = image(&grid, &rows, &columns, &digits, transposed);
        prop_assert_eq!(solve_up_to(&other, 5000).count, solve_up_to(&grid, 5000).count);
        let canon = canonical(&grid);
        prop_assert_eq!(canonical(&other), canon);
        prop_assert_eq!(canonical(&canon), canon);
        prop_assert!(canon.to_string() <= grid.to_string());
        prop_assert_eq!(solve_up_to(&canon, 5000).count, solve_up_to(&grid, 5000).count);
    }
}

#[test]
fn canonical_forms_tell_different_grids_apart() {
    let wish = Requirements { clues: None, minimal: true, symmetric: false };
    let generator = Generator::new(wish, 5).unwrap();
    let forms: std::collections::HashSet<Grid> =
        (0..100).map(|number| canonical(&generator.puzzle(number))).collect();
    assert_eq!(forms.len(), 100);
}

#[test]
fn golden_counts() {
    for line in
        include_str!("../data/sudoku_counts.txt").lines().filter(|line| !line.starts_with('#'))
    {
        let (puzzle, count) = line.split_once(':').unwrap();
        let grid: Grid = puzzle.parse().unwrap();
        assert_eq!(solve_up_to(&grid, u64::MAX).count, count.parse::<u64>().unwrap(), "{puzzle}");
        let all = run(&CountOne::new(grid), &Options::new(), &mut Silent).unwrap();
        assert_eq!(all.tally.solutions(), count.parse::<u128>().unwrap(), "{puzzle}");
    }
}
