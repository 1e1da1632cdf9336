//! Answers of arrays are those of each puzzle alone, whatever the number of threads.

use super::*;
use crate::batch::Rating;
use crate::generate::Generator;
use crate::{Grid, solve_up_to};

fn solved(cells: &[u8], limit: u8, threads: usize) -> Result<(Vec<u8>, Vec<u8>), CellsError> {
    let mut solutions = vec![7; cells.len()];
    let mut counts = vec![7; cells.len() / CELLS];
    solve_cells(cells, &mut solutions, &mut counts, limit, threads, &Stop::new())?;
    Ok((solutions, counts))
}

/// Puzzles with one solution, with several (these lack the first `blanks` cells), and with none.
fn puzzles(blanks: usize, count: u64) -> Vec<u8> {
    let generator = Generator::for_tests(Some(30), 3);
    let mut cells: Vec<u8> = (0..count).flat_map(|n| *generator.puzzle(n).cells()).collect();
    for (at, puzzle) in cells.chunks_exact_mut(CELLS).enumerate() {
        match at % 3 {
            1 => puzzle.iter_mut().take(blanks).for_each(|cell| *cell = 0),
            2 => puzzle[..2].fill(1),
            _ => {}
        }
    }
    cells
}

#[test]
fn solutions_and_counts_are_those_of_a_single_puzzle() {
    let cells = puzzles(34, 300);
    let (solutions, counts) = solved(&cells, 2, 1).unwrap();
    assert_eq!(solved(&cells, 2, 3).unwrap(), (solutions.clone(), counts.clone()));
    for (at, puzzle) in cells.chunks_exact(CELLS).enumerate() {
        let grid = Grid::new(puzzle.try_into().unwrap()).unwrap();
        let answer = solve_up_to(&grid, 2);
        assert_eq!(u64::from(counts[at]), answer.count, "{at}");
        let solution = &solutions[CELLS * at..][..CELLS];
        match answer.count {
            0 => assert_eq!(solution, [0; CELLS]),
            1 => assert_eq!(solution, answer.first.unwrap().cells()),
            // Any solution will do: one that keeps the clues.
            _ => {
                let whole = Grid::new(solution.try_into().unwrap()).unwrap();
                assert_eq!((solve_up_to(&whole, 2).count, whole.clues()), (1, CELLS));
                assert!(puzzle.iter().zip(solution).all(|(p, s)| *p == 0 || p == s), "{at}");
            }
        }
    }
    assert_eq!([counts[0], counts[1], counts[2]], [1, 2, 0]);
}

#[test]
fn the_first_bad_cell_is_named() {
    let mut cells = puzzles(34, 1000);
    (cells[CELLS * 900 + 7], cells[CELLS * 301 + 80]) = (10, 254);
    for threads in [1, 4] {
        let error = solved(&cells, 2, threads).unwrap_err().to_string();
        assert_eq!(error, "puzzle 301: found 254 in cell 80, expected 0 to 9");
    }
}

#[test]
fn lengths_and_stops_are_errors() {
    assert!(matches!(solved(&[0; 80], 2, 1), Err(CellsError::Lengths { cells: 80, .. })));
    let stop = Stop::new();
    stop.request();
    let ended = solve_cells(&[0; CELLS], &mut [0; CELLS], &mut [0], 2, 1, &stop);
    assert!(matches!(ended, Err(CellsError::Stopped(_))));
    assert_eq!(solved(&[], 2, 0).unwrap(), (vec![], vec![]));
}

/// Compares the properties of puzzles, which take two portions, with those of every `step`-th one alone.
fn check_properties(cells: &[u8], step: usize) {
    let count = cells.len() / CELLS;
    let stop = &Stop::new();
    let mut expected = None;
    for threads in [1, 3] {
        let mut counts = vec![7; count];
        let mut ratings = vec![7.0; count];
        let mut forms = vec![7; count * CELLS];
        let mut clues = vec![7; count * CELLS];
        compute_property(cells, PropertySlice::Counts(&mut counts), threads, stop).unwrap();
        compute_property(cells, PropertySlice::Ratings(&mut ratings), threads, stop).unwrap();
        compute_property(cells, PropertySlice::Canonical(&mut forms), threads, stop).unwrap();
        compute_property(cells, PropertySlice::Superfluous(&mut clues), threads, stop).unwrap();
        let mut minimal = vec![false; count];
        let mut guesses = vec![7; count];
        let mut methods = vec![Technique::Singles; count];
        compute_property(cells, PropertySlice::Minimal(&mut minimal), threads, stop).unwrap();
        compute_property(cells, PropertySlice::Guesses(&mut guesses), threads, stop).unwrap();
        compute_property(cells, PropertySlice::Methods(&mut methods), threads, stop).unwrap();
        let found = (counts, ratings, forms, clues, minimal, guesses, methods);
        let expected = expected.get_or_insert_with(|| found.clone());
        assert!(found == *expected, "{threads} threads");
    }
    let (counts, ratings, forms, clues, minimal, guesses, methods) = expected.unwrap();
    assert!(counts.contains(&0) && counts.iter().any(|&count| count > 1));
    assert!(ratings.iter().any(|&rating| rating > 0.0));
    for at in (0..count).step_by(step) {
        let puzzle = cells[CELLS * at..][..CELLS].try_into().unwrap();
        let grid = Grid::new(puzzle).unwrap();
        assert_eq!(minimal[at], !clues[CELLS * at..][..CELLS].contains(&1), "{at}");
        let rating = Rating::of(&grid, RATED_SOLUTIONS, stop).unwrap();
        assert_eq!((methods[at], guesses[at]), (rating.technique, rating.guesses), "{at}");
        let count = solve_up_to(&grid, 100_000).count;
        assert!(count == 100_000 || counts[at] == count.into(), "{at}");
        assert_eq!(forms[CELLS * at..][..CELLS], *canonical(&grid).cells());
        if count != 1 {
            continue;
        }
        for (cell, &spare) in clues[CELLS * at..][..CELLS].iter().enumerate() {
            let mut cells = puzzle;
            let is_clue = std::mem::take(&mut cells[cell]) != 0;
            let can_go = is_clue && solve_up_to(&Grid::new(cells).unwrap(), 2).count == 1;
            assert_eq!(spare, u8::from(can_go), "{at} {cell}");
        }
    }
}

/// With few solutions each, because counting millions takes minutes without optimisation. The last puzzles are in
/// the second portion.
#[test]
fn properties_of_puzzles_are_those_of_each_alone() {
    check_properties(&puzzles(12, MIN_PORTION_PUZZLES as u64 + 3), 26);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn properties_of_puzzles_with_many_solutions_are_those_of_each_alone() {
    check_properties(&puzzles(34, 150), 1);
}

#[test]
fn solutions_are_moved_as_their_puzzles() {
    let cells = puzzles(34, 60);
    let (solutions, counts) = solved(&cells, 2, 1).unwrap();
    let moved = |of: &[u8], seed, threads| {
        let mut images = vec![0; 3 * of.len()];
        move_cells(&cells, of, seed, &mut images, threads, &Stop::new()).unwrap();
        images
    };
    let images = moved(&cells, 5, 1);
    let of_solutions = moved(&solutions, 5, 3);
    assert_eq!(images, moved(&cells, 5, 2));
    assert_ne!(images, moved(&cells, 6, 1));
    let (found, _) = solved(&images, 2, 1).unwrap();
    for at in (0..180).filter(|at| counts[at / 3] == 1) {
        assert_eq!(found[CELLS * at..][..CELLS], of_solutions[CELLS * at..][..CELLS]);
    }
}
