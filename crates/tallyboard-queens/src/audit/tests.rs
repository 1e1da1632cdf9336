//! Boards of subtrees compared with solutions found one by one, and with the engine that is audited.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::halves::{RowSet, WHOLE_ROW_SET};
use crate::solutions::all;
use crate::symmetry::Symmetry;
use crate::{Board, Engine, Settings, Square, known};

fn audit(n: u32) -> (Count, Audit) {
    let settings = Settings::new().engine(Engine::Halves).threads(1);
    let count = Count::with(Board::new(n).unwrap(), settings).unwrap();
    let audit = Audit::new(&count).unwrap();
    (count, audit)
}

/// The number of solutions of a part, counted by its boards.
fn recount(audit: &Audit, part: Part) -> u128 {
    let problem = audit.recount(&[(part, Kernel::best())], &Stop::new()).unwrap();
    let count = |board| problem.count(board, &Stop::new()).unwrap().solutions();
    (0..problem.subtrees()).map(count).sum()
}

/// Checks that both engines count the same for every subtree of the board.
fn check_all_subtrees(n: u32) {
    let (count, audit) = audit(n);
    let mut sum = 0;
    for subtree in 0..audit.halves.subtrees() {
        let found = count.count(subtree, &Stop::new()).unwrap().solutions();
        assert_eq!(found, recount(&audit, audit.whole(subtree)), "n = {n}, subtree {subtree}");
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
            let descents = audit.descents((0..audit.halves.subtrees()).collect(), 3, seed);
            for subtree in 0..audit.halves.subtrees() {
                let found = descents.count(subtree, &Stop::new());
                assert_eq!(found, count.count(subtree, &Stop::new()), "n = {n}, {subtree}");
            }
            for descent in descents.into_found() {
                assert_eq!(descent.unequal, None, "n = {n}, {descent:?}");
                // One diagonal halves the range of a row set.
                let two_diagonals = WHOLE_ROW_SET as usize / 4;
                cut_by_diagonals +=
                    usize::from(descent.part.piece.slice_range().len() <= two_diagonals);
                let by_blocks = recount(&audit, descent.part.clone());
                assert_eq!(by_blocks, descent.solutions, "n = {n}, {descent:?}");
            }
        }
        assert!(cut_by_diagonals > 10, "n = {n}: {cut_by_diagonals}");
    }
}

/// All slices of whole row sets, six cuts deep, of which the first gives the row sets and the others cut by diagonals: what a subtree
/// is from n = 27 on.
#[test]
fn slices_of_row_sets_agree() {
    let (_, audit) = audit(10);
    let stop = Stop::new();
    let mut parts: Vec<Part> =
        (0..audit.halves.subtrees()).map(|subtree| audit.whole(subtree)).collect();
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
        assert_eq!(recount(&audit, part.clone()), expected, "{part:?}");
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

/// The row set of a solution.
fn row_set_of(n: u32, queens: &[Square]) -> RowSet {
    let h = n / 2;
    let mut row_set = RowSet { above_centre: None, top: 0, bottom: 0, crossings: Vec::new() };
    for queen in queens {
        let row = n - 1 - queen.rank();
        if queen.file() < h && row < h {
            row_set.top |= 1 << row;
        } else if queen.file() < h && queen.rank() < h {
            row_set.bottom |= 1 << queen.rank();
        } else if n % 2 == 1 && queen.file() == h {
            row_set.above_centre = Some(h.wrapping_sub(row));
        }
    }
    row_set
}

/// The weights of all images of a solution add up to the number of images, and the weights of all solutions of a row set
/// to the count by halves.
#[test]
fn every_solution_is_counted_as_often_as_it_has_images() {
    for n in 4..=10 {
        let mut boards_of: BTreeMap<_, Vec<WeightedBoard>> = BTreeMap::new();
        let mut weight_of = |queens: &[Square]| -> u64 {
            let row_set = row_set_of(n, queens);
            // A half turn of such an image has its middle queen above the centre.
            if row_set.above_centre.is_some_and(|above| above > n / 2) {
                return 0;
            }
            let boards = boards_of.entry(key(&row_set)).or_insert_with(|| boards(n, &row_set));
            let holds = |board: &Board| {
                board.placed().iter().all(|queen| queens.contains(queen))
                    && !board.blocked().iter().any(|closed| queens.contains(closed))
            };
            let on_boards = boards.iter().filter(|weighted| holds(&weighted.board));
            let weights: Vec<u64> = on_boards.map(|weighted| weighted.weight).collect();
            assert!(weights.len() <= 1, "{queens:?} is on several boards");
            weights.iter().sum()
        };
        let mut solutions_of = BTreeMap::new();
        for columns in all(n) {
            let squares = (0..).zip(&columns).map(|(row, &c)| Square::from_top(row, c.into(), n));
            let queens: Vec<Square> = squares.collect();
            let images: BTreeSet<_> =
                Symmetry::all().map(|symmetry| symmetry.images(&queens, n)).collect();
            let sum: u64 = images.iter().map(|image| weight_of(image)).sum();
            assert_eq!(sum, images.len() as u64, "n = {n}, {columns:?}");
            *solutions_of.entry(key(&row_set_of(n, &queens))).or_insert(0) += weight_of(&queens);
        }
        assert_eq!(Some(check_row_sets(n, &solutions_of)), known::solutions(n), "n = {n}");
    }
}

type Key = (Option<u32>, u32, u32);

fn key(row_set: &RowSet) -> Key {
    (row_set.above_centre, row_set.top, row_set.bottom)
}

/// Checks that halves count as many solutions of each row set as this. Returns their sum.
fn check_row_sets(n: u32, solutions_of: &BTreeMap<Key, u64>) -> u128 {
    let (_, audit) = audit(n);
    let stop = Stop::new();
    let mut sum = 0;
    for subtree in 0..audit.halves.subtrees() {
        let whole = audit.halves.subtree(subtree);
        let row_sets: Vec<RowSet> = audit.halves.whole_row_sets(whole).collect();
        let pieces = match row_sets.len() {
            0 | 1 => vec![whole.clone()],
            _ => audit.halves.cut(whole, &stop).unwrap(),
        };
        assert!(row_sets.is_empty() || row_sets.len() == pieces.len(), "n = {n}, {whole:?}");
        for (row_set, piece) in row_sets.iter().zip(pieces) {
            let expected = solutions_of.get(&key(row_set)).copied().unwrap_or(0);
            let found = audit.halves.count_subtree(&piece, &stop).unwrap();
            assert_eq!(found, expected, "n = {n}, {row_set:?}");
            sum += u128::from(found);
        }
    }
    sum
}
