//! Every way to count agrees with a naive oracle, and counts do not change under symmetries.

use std::ops::ControlFlow;

use crate::common::cases::{between, each_case, shuffled};
use crate::common::sudoku_oracle;
use tallyboard_base::random::Random;
use tallyboard_search::{Options, Silent, Stop, run};
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::{CELLS, CountOne, Grid, canonical, solve_up_to};

/// Generated puzzles with some clues taken away, so that solutions are many, or changed, so that
/// there is none.
fn grid(random: &mut Random) -> Grid {
    let clues = between(random, 28, 49) as usize;
    let wish = Requirements { clues: Some(clues), minimal: false, symmetric: false };
    let mut cells = *Generator::new(wish, random.bits()).unwrap().puzzle(0).cells();
    for _ in 0..random.below(4) {
        let cell = random.below(CELLS as u32) as usize;
        let digit = random.below(10) as u8;
        cells[cell] = if cells[cell] == 0 { 0 } else { digit };
    }
    Grid::new(cells).unwrap()
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
fn line_order(random: &mut Random) -> Vec<usize> {
    let bands = shuffled(random, 3);
    let rows = |band: usize| shuffled(random, 3).into_iter().map(move |row| band * 3 + row);
    bands.into_iter().flat_map(rows).collect()
}

#[test]
fn solvers_agree_with_the_oracle() {
    each_case(200, |random| {
        let grid = grid(random);
        let expected = sudoku_oracle::count(&grid.to_string(), 3000);
        let answer = solve_up_to(&grid, 3000);
        assert_eq!(answer.count, expected, "{grid}");
        assert_eq!(answer.first.is_some(), expected > 0, "{grid}");
        if let Some(first) = answer.first {
            assert!(sudoku_oracle::solves(&grid.to_string(), &first.to_string()), "{grid}");
        }
        if expected < 3000 {
            let all = run(&CountOne::new(grid), &Options::new().threads(2), &mut Silent);
            assert_eq!(all.unwrap().tally.solutions(), u128::from(expected), "{grid}");
        }
    });
}

#[test]
fn symmetries_keep_counts_and_canonical_forms() {
    each_case(200, |random| {
        let grid = grid(random);
        let [rows, columns] = [line_order(random), line_order(random)];
        let digits: Vec<u8> =
            shuffled(random, 9).into_iter().map(|digit| digit as u8 + 1).collect();
        let other = image(&grid, &rows, &columns, &digits, random.below(2) == 1);
        assert_eq!(solve_up_to(&other, 5000).count, solve_up_to(&grid, 5000).count, "{grid}");
        let canon = canonical(&grid);
        assert_eq!(canonical(&other), canon, "{grid}");
        assert_eq!(canonical(&canon), canon, "{grid}");
        assert!(canon.to_string() <= grid.to_string(), "{grid}");
        assert_eq!(solve_up_to(&canon, 5000).count, solve_up_to(&grid, 5000).count, "{grid}");
    });
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

/// Without a number of clues each attempt gives a puzzle: as many were tried as were found. With one there are more tries.
#[test]
fn the_attempts_told_are_those_made() {
    for (clues, each_try_counts) in [(None, true), (Some(25), false)] {
        let wishes = Requirements { clues, minimal: true, ..Requirements::default() };
        let generator = Generator::new(wishes, 1).unwrap();
        for threads in [1, 3] {
            let (mut found, mut last, mut pieces) = (0, 0, 0);
            let ended = generator.generate(60, threads, &Stop::new(), |puzzles, tried| {
                found += puzzles.len() as u64;
                assert!(tried > last && tried >= found, "{tried} tried, {found} found");
                assert!(!each_try_counts || found == tried.min(60), "{tried} tried, {found} found");
                last = tried;
                pieces += 1;
                ControlFlow::<()>::Continue(())
            });
            assert_eq!((ended.unwrap(), found), (None, 60));
            assert!(pieces > 3, "{pieces}");
        }
    }
}
