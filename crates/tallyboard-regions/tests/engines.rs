//! Every kernel against a naive search, and against the plain form of the engine.

mod support;

use support::{naive, naive_count};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::random::Random;
use tallyboard_regions::{Board, Generator, Wishes, solve_all, solve_plain};
use tallyboard_search::Stop;

/// A board whose regions are bands of cells in a random order of growth: most have some solutions.
fn random_board(size: usize, stars: usize, random: &mut Random) -> Board {
    loop {
        let mut labels: Vec<Option<u32>> = vec![None; size * size];
        for region in 0..size as u32 {
            labels[random.below((size * size) as u32) as usize] = Some(region);
        }
        while labels.iter().any(Option::is_none) {
            let cell = random.below((size * size) as u32) as usize;
            let beside = match random.below(4) {
                0 if !cell.is_multiple_of(size) => cell - 1,
                1 if cell % size + 1 < size => cell + 1,
                2 if cell >= size => cell - size,
                3 if cell + size < size * size => cell + size,
                _ => continue,
            };
            if labels[cell].is_none() {
                labels[cell] = labels[beside];
            }
        }
        let labels: Vec<u32> = labels.into_iter().flatten().collect();
        if let Ok(board) = Board::new(&labels, stars) {
            return board;
        }
    }
}

/// The board with a star of its first solution given, and a cell that is none of it crossed out.
fn with_marks(board: Board, random: &mut Random) -> Board {
    let mut first = Vec::new();
    naive(&board, &mut |stars| {
        first = stars.to_vec();
        false
    });
    let Some(row) = (!first.is_empty()).then(|| random.below(first.len() as u32) as usize) else {
        return board;
    };
    let other = (row + 1) % first.len();
    let column = (0..first.len()).find(|&column| first[other] >> column & 1 == 0).unwrap_or(0);
    let board = board.give(row, first[row].trailing_zeros() as usize).unwrap();
    if first.len() > 1 { board.block(other, column).unwrap() } else { board }
}

fn check(boards: &[Board], limit: u64) {
    let expected: Vec<u64> = boards.iter().map(|board| naive_count(board, limit)).collect();
    assert!(expected.iter().any(|&count| count > 0), "no board has a solution");
    for instructions in Instructions::all() {
        let answers = solve_all(boards, limit, instructions, &Stop::new()).unwrap();
        for ((board, answer), &count) in boards.iter().zip(&answers).zip(&expected) {
            assert_eq!(answer.count, count, "{:?} {board:?}", instructions.kernel());
            assert_eq!(answer.solutions().count() as u64, count.min(2));
            assert!(answer.solutions().all(|stars| board.is_solved_by(stars)), "{board:?}");
        }
    }
    let plain = solve_plain(boards, limit, &Stop::new()).unwrap();
    let counts: Vec<u64> = plain.iter().map(|answer| answer.count).collect();
    assert_eq!(counts, expected);
}

#[test]
fn every_kernel_counts_what_a_naive_search_counts() {
    let mut random = Random::from_seed(61);
    for (size, stars, boards) in [
        (1, 1, 2),
        (4, 1, 100),
        (5, 1, 200),
        (6, 1, 200),
        (7, 1, 100),
        (8, 1, 60),
        (8, 2, 30),
        (9, 2, 6),
    ] {
        // Of random maps for two stars hardly any has a solution.
        let generator = Generator::new(Wishes::new(size, stars), 61).unwrap();
        let board = |number| match stars {
            1 => random_board(size, 1, &mut random),
            _ => generator.draft(number),
        };
        let boards: Vec<Board> = (0..boards).map(board).collect();
        check(&boards, u64::MAX);
        check(&boards, 1);
        let marked: Vec<Board> =
            boards.into_iter().map(|board| with_marks(board, &mut random)).collect();
        check(&marked, 2);
    }
}

#[test]
fn lanes_of_32_bits_count_as_well() {
    for (size, stars) in [(16, 1), (17, 1)] {
        let generator = Generator::new(Wishes::new(size, stars), 5).unwrap();
        let drafts: Vec<Board> = (0..40).map(|number| generator.draft(number)).collect();
        let plain = solve_plain(&drafts, 50, &Stop::new()).unwrap();
        for instructions in Instructions::all() {
            let answers = solve_all(&drafts, 50, instructions, &Stop::new()).unwrap();
            for ((board, answer), plain) in drafts.iter().zip(&answers).zip(&plain) {
                assert_eq!(answer.count, plain.count, "{:?} {board:?}", instructions.kernel());
                assert!(answer.count > 0, "the draft was grown around a solution");
                assert!(answer.solutions().all(|stars| board.is_solved_by(stars)));
            }
        }
    }
}

#[test]
fn rows_as_regions_leave_the_placements_that_do_not_touch() {
    // A002464, from n = 1: permutations of 1..n without neighbours that differ by 1.
    let known = [1, 0, 0, 2, 14, 90, 646, 5_242, 47_622];
    for (size, count) in (1..).zip(known) {
        let labels: Vec<u32> = (0..size * size).map(|cell| cell / size).collect();
        let board = Board::new(&labels, 1).unwrap();
        for instructions in Instructions::all() {
            let answers =
                solve_all(std::slice::from_ref(&board), u64::MAX, instructions, &Stop::new())
                    .unwrap();
            assert_eq!(answers[0].count, count, "n = {size}");
        }
    }
}

#[test]
fn boards_of_several_sizes_are_solved_in_one_call() {
    let mut random = Random::from_seed(1);
    let boards: Vec<Board> =
        (0..90).map(|number| random_board(4 + number % 5, 1, &mut random)).collect();
    check(&boards, 2);
}

/// Each guess adds one branch, and each solution ends another.
#[test]
fn solutions_are_at_most_one_more_than_guesses() {
    for (size, stars) in [(6_u32, 1), (10, 2)] {
        let labels: Vec<u32> = (0..size * size).map(|cell| cell / size).collect();
        let boards = vec![Board::new(&labels, stars).unwrap(); 3];
        let plain = solve_plain(&boards, 50, &Stop::new()).unwrap();
        for instructions in Instructions::all() {
            let in_lanes = solve_all(&boards, 50, instructions, &Stop::new()).unwrap();
            for answer in in_lanes.iter().chain(&plain) {
                assert!(answer.count >= 50 && answer.guesses + 1 >= answer.count, "{answer:?}");
            }
        }
    }
}
