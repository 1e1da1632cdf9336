//! Tables of how many solutions have a star in each cell, beside lists of solutions.

use tallyboard_base::cpu::Instructions;
use tallyboard_regions::{Board, tally, tally_by};

/// Boards with many solutions: rows as regions, with a given star, a closed cell or two stars a line.
fn boards() -> Vec<Board> {
    let rows = |size: u32| -> Vec<u32> { (0..size * size).map(|cell| cell / size).collect() };
    let board = |size: u32, stars| Board::new(&rows(size), stars).unwrap();
    vec![
        board(5, 1),
        board(7, 1),
        board(7, 1).give(2, 3).unwrap(),
        board(6, 1).block(0, 0).unwrap().block(3, 4).unwrap(),
        board(8, 2),
        board(3, 1),
    ]
}

#[test]
fn tables_are_those_of_the_lists_of_solutions() {
    for board in boards() {
        for instructions in Instructions::all() {
            let run = || tally_by(&board, instructions);
            let expected = run().limit(u64::MAX).run().unwrap();
            let table = run().threads(2).run().unwrap();
            assert_eq!(table, expected, "{instructions:?} {board:?}");
        }
    }
}

#[test]
fn a_limit_takes_the_first_solutions_of_the_list() {
    let board = &boards()[1];
    let table = tally(board).limit(10).run().unwrap();
    assert_eq!((table.solutions(), table.is_cut()), (10, true));
    let whole = tally(board).run().unwrap();
    assert_eq!(tally(board).limit(u64::MAX).run().unwrap(), whole);
    assert!(whole.solutions() > 100 && !whole.is_cut());
}
