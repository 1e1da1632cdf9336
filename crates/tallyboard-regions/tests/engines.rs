//! Every kernel against a naive search, and against the plain form of the engine.

use tallyboard_base::cpu::Instructions;
use tallyboard_base::random::Random;
use tallyboard_regions::{
    Answer, Board, GenerateError, Generator, Limits, MAX_SIZE, Solutions, Wishes, solve_all,
    solve_by_clauses, solve_plain,
};
use tallyboard_search::Stop;

use crate::support::{naive, naive_count};

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
        let answers =
            solve_all(boards, Limits::solutions(limit), instructions, &Stop::new()).unwrap();
        for ((board, answer), &count) in boards.iter().zip(&answers).zip(&expected) {
            assert_eq!(answer.count, count, "{:?} {board:?}", instructions.kernel());
            assert_eq!(answer.solutions().count() as u64, count.min(2));
            assert!(answer.solutions().all(|stars| board.is_solved_by(stars)), "{board:?}");
        }
    }
    let plain = solve_plain(boards, Limits::solutions(limit), &Stop::new()).unwrap();
    let counts =
        |answers: &[Answer]| -> Vec<u64> { answers.iter().map(|answer| answer.count).collect() };
    assert_eq!(counts(&plain), expected);
    let learned = solve_by_clauses(boards, Limits::solutions(limit), &Stop::new()).unwrap();
    assert_eq!(counts(&learned), expected);
    let mut kept = learned.iter().zip(&plain);
    assert!(kept.all(|(a, b)| a.solutions().eq(b.solutions())), "another order");
}

/// Thousands of boards, most of them without a solution, by their clauses alone.
#[test]
fn clauses_count_what_a_naive_search_counts() {
    let mut random = Random::from_seed(84);
    let [mut none, mut one, mut more] = [0; 3];
    for (size, stars, boards) in [
        (4, 1, 600),
        (5, 1, 600),
        (6, 1, 600),
        (7, 1, 300),
        (7, 2, 300),
        (8, 2, 200),
        (9, 3, 20),
        (8, 4, 20),
    ] {
        let boards: Vec<Board> = (0..boards)
            .map(|number| {
                let board = random_board(size, stars, &mut random);
                if number % 2 == 0 { board } else { with_marks(board, &mut random) }
            })
            .collect();
        let answers = solve_by_clauses(&boards, Limits::NONE, &Stop::new()).unwrap();
        for (board, answer) in boards.iter().zip(&answers) {
            assert_eq!(answer.count, naive_count(board, u64::MAX), "{board:?}");
            let kind = match answer.count {
                0 => &mut none,
                1 => &mut one,
                _ => &mut more,
            };
            *kind += 1;
        }
    }
    assert!(none > 200 && one > 50 && more > 200, "{none} {one} {more}");
}

/// Whether the clauses are asked never, at once or after some dead ends, also where there are more solutions than are looked for
/// at first, or are kept.
#[test]
fn the_order_of_solutions_does_not_depend_on_the_clauses() {
    let rows = |size: u32, stars| {
        let labels: Vec<u32> = (0..size * size).map(|cell| cell / size).collect();
        Board::new(&labels, stars).unwrap()
    };
    let draft =
        |size, stars| Generator::new(Wishes::new(size, stars), 3).unwrap().draft(2).unwrap();
    let mut most = 0;
    for board in [rows(5, 1), rows(8, 1), rows(8, 2), draft(8, 1), draft(9, 2), draft(12, 3)] {
        let list = |patience| -> Vec<Vec<u32>> {
            Solutions::with_patience(&board, patience).take(1_500).collect()
        };
        let expected = list(u64::MAX);
        most = most.max(expected.len());
        for patience in [0, 1, 7] {
            assert!(list(patience) == expected, "{patience} {board:?}");
        }
        assert!(Solutions::new(&board).take(1_500).eq(expected));
    }
    assert_eq!(most, 1_500);
}

/// Star battles that lines alone solve in millions of guesses, with their only solutions.
#[test]
fn boards_of_three_and_more_stars_are_solved_by_their_clauses() {
    let boards = [
        (3, include_str!("hard/14x14_3.txt")),
        (5, include_str!("hard/21x21_5.txt")),
        (6, include_str!("hard/25x25_6.txt")),
    ];
    for (stars, text) in boards {
        let labels: Vec<u32> = text.trim().bytes().map(u32::from).collect();
        let board = Board::new(&labels, stars).unwrap();
        let boards = std::slice::from_ref(&board);
        let limits = Limits::solutions(2);
        let answer = &solve_all(boards, limits, Instructions::best(), &Stop::new()).unwrap()[0];
        // Squares of two by two cells are counted: without them it was 1,800 to 293,600.
        assert!(answer.is_unique() && answer.guesses < 15_000, "{answer:?}");
        let first = answer.solutions().next().unwrap();
        assert!(board.is_solved_by(first));
        // A list that ends after one solution needs no more than an answer.
        assert_eq!(Solutions::new(&board).next().unwrap(), first);
        // Nor does a board that is given up take more guesses than it may.
        let few = Limits { guesses: answer.guesses - 1, ..limits };
        let answer = &solve_all(boards, few, Instructions::best(), &Stop::new()).unwrap()[0];
        assert!(answer.is_given_up && answer.guesses == few.guesses, "{answer:?}");
    }
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
            _ => generator.draft(number).unwrap(),
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
fn large_boards_and_three_stars_count_as_well() {
    for (size, stars) in [(12, 3), (14, 2), (16, 1), (17, 1), (18, 2), (18, 3)] {
        let generator = Generator::new(Wishes::new(size, stars), 5).unwrap();
        let drafts: Vec<Board> = (0..16).map(|number| generator.draft(number).unwrap()).collect();
        // Few of these take more guesses, and those take millions.
        let limits = Limits { solutions: 50, guesses: 1_000 };
        let plain = solve_plain(&drafts, limits, &Stop::new()).unwrap();
        for instructions in Instructions::all() {
            let answers = solve_all(&drafts, limits, instructions, &Stop::new()).unwrap();
            for ((board, answer), plain) in drafts.iter().zip(&answers).zip(&plain) {
                if !(answer.is_given_up || plain.is_given_up) {
                    assert_eq!(answer.count, plain.count, "{:?} {board:?}", instructions.kernel());
                    assert!(answer.count > 0, "the draft was grown around a solution");
                }
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
                solve_all(std::slice::from_ref(&board), Limits::NONE, instructions, &Stop::new())
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

#[test]
fn every_size_and_every_number_of_stars_is_searched() {
    for size in 1..=MAX_SIZE {
        let rows: Vec<u32> = (0..size * size).map(|cell| (cell / size) as u32).collect();
        for stars in 1..=size.div_ceil(2) {
            let board = Board::new(&rows, stars).unwrap();
            for instructions in Instructions::all() {
                let limits = Limits { solutions: 1, guesses: 30 };
                let boards = std::slice::from_ref(&board);
                let answer = &solve_all(boards, limits, instructions, &Stop::new()).unwrap()[0];
                assert!(answer.guesses <= 30 && answer.count <= 1);
                assert!(answer.solutions().all(|stars| board.is_solved_by(stars)));
                // With rows as regions, one star a row is possible but for n = 2 and 3.
                let is_known = stars == 1 && !answer.is_given_up;
                assert!(!is_known || answer.count == u64::from(!matches!(size, 2 | 3)), "{size}");
            }
        }
        assert!(Board::new(&rows, size.div_ceil(2) + 1).is_err());
        assert!(Board::new(&rows, 0).is_err());
    }
    assert!(Board::new(&[], 1).is_err());
    assert!(Board::new(&[0; 33 * 33], 1).is_err());
}

#[test]
fn boards_and_drafts_are_given_up_at_their_budgets() {
    let draft = Generator::new(Wishes::new(12, 1), 1).unwrap().draft(0).unwrap();
    let all =
        solve_all(std::slice::from_ref(&draft), Limits::NONE, Instructions::best(), &Stop::new());
    assert!(all.unwrap()[0].count > 100);
    for instructions in Instructions::all() {
        let limits = Limits { guesses: 5, ..Limits::NONE };
        let boards = [draft.clone(), Board::new(&[0], 1).unwrap(), draft.clone()];
        let answers = solve_all(&boards, limits, instructions, &Stop::new()).unwrap();
        assert!(answers[0].is_given_up && answers[0].guesses == 5 && !answers[0].is_unique());
        assert!(answers[1].is_unique());
        assert_eq!(answers[0], answers[2]);
    }
    // Regions of eight cells each are hardly ever grown around two stars each.
    let wishes = Wishes { smallest: 8, largest: 8, ..Wishes::new(8, 2) };
    let error = Generator::new(wishes, 1).unwrap().board(0).unwrap_err();
    assert!(matches!(error, GenerateError::GivenUp { size: 8, stars: 2, .. }), "{error}");
}

/// Each guess adds one branch, and each solution ends another.
#[test]
fn solutions_are_at_most_one_more_than_guesses() {
    for (size, stars) in [(6_u32, 1), (10, 2)] {
        let labels: Vec<u32> = (0..size * size).map(|cell| cell / size).collect();
        let boards = vec![Board::new(&labels, stars).unwrap(); 3];
        let limits = Limits { solutions: 50, ..Limits::NONE };
        let plain = solve_plain(&boards, limits, &Stop::new()).unwrap();
        for instructions in Instructions::all() {
            let in_lanes = solve_all(&boards, limits, instructions, &Stop::new()).unwrap();
            for answer in in_lanes.iter().chain(&plain) {
                assert!(answer.count >= 50 && answer.guesses + 1 >= answer.count, "{answer:?}");
            }
        }
    }
}

/// Regions of one size alone, and the numbers next to it, in which no board can be cut.
#[test]
fn the_bounds_of_regions_hold_the_mean() {
    for (size, stars) in [(1, 1), (4, 1), (20, 1), (8, 2), (12, 3)] {
        let with = |smallest, largest| {
            Generator::new(Wishes { smallest, largest, ..Wishes::new(size, stars) }, 1)
        };
        for (smallest, largest) in [(size, size), (1, size), (size, size * size), (0, usize::MAX)] {
            assert!(with(smallest, largest).is_ok(), "{size}: {smallest} to {largest}");
        }
        for (smallest, largest) in [(size + 1, size * size), (1, size - 1), (size + 1, size - 1)] {
            let error = with(smallest, largest).unwrap_err().to_string();
            let expected = format!("around the mean, {size}");
            assert!(error.ends_with(&expected), "{size}: {smallest} to {largest}: {error}");
        }
    }
}

#[test]
#[ignore = "takes ten seconds"]
fn a_board_that_is_hardly_ever_drawn_is_given_up() {
    // Most drawings of regions of six cells fail, and what they take is counted, too.
    let even = Generator::new(Wishes { smallest: 6, largest: 6, ..Wishes::new(6, 1) }, 1).unwrap();
    let error = even.board(0).unwrap_err();
    assert!(matches!(error, GenerateError::GivenUp { size: 6, stars: 1, .. }), "{error}");
}

/// A hard board takes the same guesses alone and among many easy ones: a thousand in the lanes and those of its clauses, or if boards of
/// so many stars have no lanes, hardly more than those of its clauses.
#[test]
fn a_hard_board_goes_the_same_way_alone_and_among_others() {
    let limits = Limits::solutions(2);
    let solve =
        |boards: &[Board]| solve_all(boards, limits, Instructions::best(), &Stop::new()).unwrap();
    let generator = Generator::new(Wishes::new(8, 1), 84).unwrap();
    let easy: Vec<Board> = (0..40).map(|number| generator.board(number).unwrap()).collect();
    for (stars, text) in [
        (3, include_str!("hard/14x14_3.txt")),
        (5, include_str!("hard/21x21_5.txt")),
        (6, include_str!("hard/25x25_6.txt")),
    ] {
        let labels: Vec<u32> = text.trim().bytes().map(u32::from).collect();
        let board = Board::new(&labels, stars).unwrap();
        let hard = std::slice::from_ref(&board);
        let alone = solve(hard).remove(0);
        let answers = solve(&[&easy[..20], hard, &easy[20..]].concat());
        assert_eq!(answers[20], alone);
        assert!(answers.iter().all(Answer::is_unique));
        let of_clauses = solve_by_clauses(hard, limits, &Stop::new()).unwrap()[0].guesses;
        let is_right = match stars {
            3 => alone.guesses == 1_000 + of_clauses,
            _ => alone.guesses < 1_000 + of_clauses,
        };
        assert!(is_right, "{alone:?}, {of_clauses} of the clauses");
    }
}
