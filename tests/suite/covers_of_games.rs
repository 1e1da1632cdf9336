//! Promise: boards of queens and sudokus, written as exact covers, have as many covers as their own engines count solutions.

use tallyboard_base::random::Random;
use tallyboard_cover::Cover;
use tallyboard_queens::{Board, Square};
use tallyboard_sudoku::Grid;
use tallyboard_sudoku::generate::{Generator, Requirements};

/// A board as a cover: a queen in each file and each rank, at most one on each diagonal.
fn cover_of_board(board: &Board) -> Cover {
    let n = board.n();
    let mut cover = Cover::new();
    cover.primary((0..n).map(|file| format!("file{file}"))).unwrap();
    cover.primary((0..n).map(|rank| format!("rank{rank}"))).unwrap();
    cover.secondary((0..2 * n - 1).map(|sum| format!("falling{sum}"))).unwrap();
    cover.secondary((0..2 * n - 1).map(|difference| format!("rising{difference}"))).unwrap();
    for square in (0..n * n).map(|number| Square::new(number % n, number / n)) {
        let (file, rank) = (square.file(), square.rank());
        let is_other = |queen: &Square| queen.file() == file && *queen != square;
        if board.blocked().contains(&square) || board.placed().iter().any(is_other) {
            continue;
        }
        let items = [
            format!("file{file}"),
            format!("rank{rank}"),
            format!("falling{}", file + rank),
            format!("rising{}", file + n - 1 - rank),
        ];
        cover.option(items).unwrap();
    }
    cover
}

#[test]
fn boards_have_as_many_solutions_as_covers() {
    let mut random = Random::from_seed(45);
    let mut solvable = 0;
    for number in 0..60 {
        let n = 6 + number % 5;
        let mut square = || Square::new(random.below(n), random.below(n));
        let placed: Vec<Square> = (0..number % 3).map(|_| square()).collect();
        let blocked: Vec<Square> = (0..number % 7).map(|_| square()).collect();
        // Queens that attack each other, and queens on closed squares, are no board.
        let Ok(board) = Board::with(n, &placed, &blocked) else { continue };
        let solutions = board.count().run().unwrap();
        let covers =
            tallyboard_cover::Count::new(&cover_of_board(&board)).unwrap().total().unwrap();
        assert_eq!(solutions, covers, "{board:?}");
        solvable += usize::from(solutions > 0);
    }
    assert!(solvable > 25, "{solvable}");
}

/// A sudoku as a cover: each cell has a digit; each row, column and box has each digit.
fn cover_of_sudoku(grid: &Grid) -> Cover {
    let mut cover = Cover::new();
    cover.primary((0..81).map(|cell| format!("cell{cell}"))).unwrap();
    for house in ["row", "column", "box"] {
        let items = (0..81).map(|number| format!("{house}{}={}", number / 9, number % 9 + 1));
        cover.primary(items).unwrap();
    }
    for (cell, &given) in grid.cells().iter().enumerate() {
        let (row, column) = (cell / 9, cell % 9);
        for digit in (1..=9).filter(|&digit| given == 0 || given == digit) {
            let items = [
                format!("cell{cell}"),
                format!("row{row}={digit}"),
                format!("column{column}={digit}"),
                format!("box{}={digit}", row / 3 * 3 + column / 3),
            ];
            cover.option(items).unwrap();
        }
    }
    cover
}

#[test]
fn sudokus_have_as_many_solutions_as_covers() {
    let minimal = Requirements { minimal: true, ..Requirements::default() };
    let generator = Generator::new(minimal, 7).unwrap();
    let mut several = 0;
    for number in 0..12 {
        let mut cells = *generator.puzzle(number).cells();
        let given: Vec<usize> = (0..81).filter(|&cell| cells[cell] > 0).collect();
        for taken in 0..number as usize % 6 {
            cells[given[3 * taken]] = 0;
        }
        let grid = Grid::new(cells).unwrap();
        let solutions = grid.count_solutions().unwrap();
        let covers =
            tallyboard_cover::Count::new(&cover_of_sudoku(&grid)).unwrap().total().unwrap();
        assert_eq!(solutions, covers, "{grid}");
        several += usize::from(solutions > 1);
    }
    assert!(several > 4, "{several}");
}
