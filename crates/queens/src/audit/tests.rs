//! Boards of subtrees compared with solutions found one by one, and with the engine that is audited.

use std::collections::BTreeMap;

use super::*;
use crate::halves::{RowSet, WHOLE_ROW_SET};
use crate::solutions::all;
use crate::{Board, Engine, Settings, known};

fn audit(n: u32) -> (Count, Audit) {
    let settings = Settings::new().engine(Engine::Halves).threads(1);
    let count = Count::with(Board::new(n).unwrap(), settings).unwrap();
    let audit = Audit::new(&count).unwrap();
    (count, audit)
}

/// The number of solutions of a subtree, counted by its boards.
fn recount(audit: &Audit, subtree: usize) -> u128 {
    recount_part(audit, audit.whole(subtree))
}

fn recount_part(audit: &Audit, part: Part) -> u128 {
    let problem = audit.recount(&[(part, Kernel::best())], &Stop::new()).unwrap();
    let count = |board| problem.count(board, &Stop::new()).unwrap().solutions();
    (0..problem.boards()).map(count).sum()
}

/// Checks that both engines count the same for every subtree of the board.
fn check_all_subtrees(n: u32) {
    let (count, audit) = audit(n);
    let mut sum = 0;
    for subtree in 0..audit.subtrees() {
        let found = count.count(subtree, &Stop::new()).unwrap().solutions();
        assert_eq!(found, recount(&audit, subtree), "n = {n}, subtree {subtree}");
        sum += found;
    }
    assert_eq!(Some(sum), known::solutions(n));
}

#[test]
fn all_subtrees_of_small_boards_agree() {
    (2..=11).for_each(check_all_subtrees);
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn all_subtrees_of_boards_to_14_agree() {
    (12..=14).for_each(check_all_subtrees);
}

/// Pieces of all subtrees, small enough that they are cut by diagonals of both halves.
#[test]
fn pieces_of_subtrees_agree() {
    for n in [9, 10, 11] {
        let (count, audit) = audit(n);
        let mut cut_by_diagonals = 0;
        for seed in 0..4 {
            let descents = audit.descents((0..audit.subtrees()).collect(), 3, seed);
            for subtree in 0..audit.subtrees() {
                let found = descents.count(subtree, &Stop::new());
                assert_eq!(found, count.count(subtree, &Stop::new()), "n = {n}, {subtree}");
            }
            for descent in descents.into_found() {
                assert_eq!(descent.unequal, None, "n = {n}, {descent:?}");
                // One diagonal halves the range of a row set.
                let two_diagonals = WHOLE_ROW_SET as usize / 4;
                cut_by_diagonals +=
                    usize::from(descent.part.piece.slice_range().len() <= two_diagonals);
                let by_blocks = recount_part(&audit, descent.part.clone());
                assert_eq!(by_blocks, descent.solutions, "n = {n}, {descent:?}");
            }
        }
        assert!(cut_by_diagonals > 10, "n = {n}: {cut_by_diagonals}");
    }
}

/// All slices of whole row sets, five diagonals deep: what a subtree is from n = 27 on.
#[test]
fn slices_of_row_sets_agree() {
    let (_, audit) = audit(10);
    let stop = Stop::new();
    let mut parts: Vec<Part> = (0..audit.subtrees()).map(|subtree| audit.whole(subtree)).collect();
    for _ in 0..6 {
        let cut = |part: &Part| {
            let pieces = audit.halves.cut(&part.piece, &stop).unwrap();
            let pieces = if pieces.is_empty() { vec![part.piece.clone()] } else { pieces };
            pieces.into_iter().map(|piece| Part { piece, ..*part }).collect::<Vec<_>>()
        };
        let count = |part: &Part| audit.halves.count_subtree(&part.piece, &stop).unwrap();
        parts = parts.iter().filter(|part| count(part) > 0).flat_map(cut).collect();
    }
    let mut sum = 0;
    for part in parts {
        let expected = u128::from(audit.halves.count_subtree(&part.piece, &stop).unwrap());
        assert_eq!(recount_part(&audit, part.clone()), expected, "{part:?}");
        sum += expected;
    }
    assert_eq!(Some(sum), known::solutions(10));
}

#[test]
fn the_subtrees_of_a_board_hold_each_row_set_once() {
    for n in 2..=19 {
        assert_eq!(audit(n).1.check_coverage(&Stop::new()), Ok(()), "n = {n}");
    }
}

/// The row set of a solution, given by the row of each column.
fn row_set_of(n: u32, rows: &[u32]) -> RowSet {
    let h = n / 2;
    let above_centre = (n % 2 == 1).then(|| h.wrapping_sub(rows[h as usize]));
    let mut row_set = RowSet { above_centre, top: 0, bottom: 0, crossings: Vec::new() };
    for &row in &rows[..h as usize] {
        if row < h {
            row_set.top |= 1 << row;
        } else if row >= n - h {
            row_set.bottom |= 1 << (n - 1 - row);
        }
    }
    row_set
}

/// The images of a solution under the symmetries of the square.
fn images(n: u32, rows: &[u32]) -> Vec<Vec<u32>> {
    let mut images = Vec::new();
    let mut image = rows.to_vec();
    for _ in 0..4 {
        images.push(image.clone());
        images.push(image.iter().rev().copied().collect());
        // A quarter turn: what stood in column c and row r stands in column n - 1 - r and row c.
        let mut turned = vec![0; n as usize];
        for (column, &row) in (0..).zip(&image) {
            turned[(n - 1 - row) as usize] = column;
        }
        image = turned;
    }
    images.sort();
    images.dedup();
    images
}

/// The weights of all images of a solution add up to the number of images.
#[test]
fn every_solution_is_counted_as_often_as_it_has_images() {
    for n in 4..=10 {
        let mut boards_of: BTreeMap<_, Vec<WeightedBoard>> = BTreeMap::new();
        let solutions: Vec<Vec<u32>> =
            all(n).iter().map(|rows| rows.iter().copied().map(u32::from).collect()).collect();
        for rows in &solutions {
            let mut sum = 0;
            let images = images(n, rows);
            for image in &images {
                let row_set = row_set_of(n, image);
                let above = row_set.above_centre;
                // A half turn of this image has its middle queen above the centre.
                if above.is_some_and(|above| above > n / 2) {
                    continue;
                }
                let key = (above, row_set.top, row_set.bottom);
                let boards = boards_of.entry(key).or_insert_with(|| boards(n, &row_set));
                let holds = |board: &Board| {
                    let square =
                        |(column, &row): (u32, &u32)| crate::Square::from_top(row, column, n);
                    let queens: Vec<_> = (0..).zip(image).map(square).collect();
                    board.placed().iter().all(|queen| queens.contains(queen))
                        && !board.blocked().iter().any(|closed| queens.contains(closed))
                };
                let on_boards = boards.iter().filter(|weighted| holds(&weighted.board));
                let weights: Vec<u64> = on_boards.map(|weighted| weighted.weight).collect();
                assert!(weights.len() <= 1, "{image:?} is on several boards");
                sum += weights.iter().sum::<u64>();
            }
            assert_eq!(sum, images.len() as u64, "n = {n}, {rows:?}");
        }
    }
}
