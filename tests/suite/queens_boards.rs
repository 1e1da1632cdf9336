//! Promise: every board is counted right, whatever queens stand on it and whatever squares are
//! closed, by every kernel.

use std::collections::BTreeSet;

use crate::common::cases::{between, each_case};
use tallyboard_base::Kernel;
use tallyboard_base::random::Random;
use tallyboard_queens::{Board, Count, Engine, EngineError, Settings, Square, known};
use tallyboard_search::{Options, Silent, run};

fn count(board: &Board, settings: Settings, threads: usize) -> u128 {
    let problem = Count::with(board.clone(), settings).expect("an engine");
    let options = Options::new().threads(threads);
    let outcome = run(&problem, &options, &mut Silent).expect("a count");
    assert!(outcome.complete);
    outcome.tally.solutions()
}

fn blocks(kernel: Kernel) -> Settings {
    Settings::new().engine(Engine::Blocks).kernel(kernel)
}

/// The oracle: rank by rank, every square that is open and that no placed queen attacks, every pair of queens compared.
fn naive(board: &Board) -> u128 {
    fn attack(a: Square, b: Square) -> bool {
        let (files, ranks) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
        files == 0 || ranks == 0 || files == ranks
    }
    fn fill(ranks: &[Vec<Square>], queens: &mut Vec<Square>) -> u128 {
        let Some((rank, further)) = ranks.split_first() else { return 1 };
        let mut solutions = 0;
        for &square in rank {
            if !queens.iter().any(|&queen| attack(queen, square)) {
                queens.push(square);
                solutions += fill(further, queens);
                queens.pop();
            }
        }
        solutions
    }
    let is_open = |square: &Square| {
        let attacked = |&queen: &Square| queen != *square && attack(queen, *square);
        !board.blocked().contains(square) && !board.placed().iter().any(attacked)
    };
    let squares = |rank| (0..board.n()).map(move |file| Square::new(file, rank));
    let ranks: Vec<Vec<Square>> =
        (0..board.n()).map(|rank| squares(rank).filter(is_open).collect()).collect();
    fill(&ranks, &mut Vec::new())
}

/// At most `most` squares of an n × n board, without repetition.
fn squares(random: &mut Random, n: u32, most: u64) -> Vec<Square> {
    let wanted = between(random, 0, most.min((n * n).into())) as usize;
    let mut numbers = BTreeSet::new();
    while numbers.len() < wanted {
        numbers.insert(random.below(n * n));
    }
    numbers.into_iter().map(|number| Square::new(number % n, number / n)).collect()
}

/// Few queens, for most boards with many have no solution; closed squares from none to many.
fn small_board(random: &mut Random) -> Board {
    let n = between(random, 1, 8) as u32;
    let placed = squares(random, n, 2);
    let blocked = squares(random, n, 20);
    Board::with(n, &placed, &blocked).expect("a board")
}

/// A wide board on which a random walk has placed queens until few rows are left.
fn wide_board(random: &mut Random) -> Board {
    let n = between(random, 17, 32) as u32;
    let rows_left = between(random, 6, 8) as usize;
    let mut placed: Vec<Square> = Vec::new();
    for _ in 0..5000 {
        let (file, rank) = (random.below(n), random.below(n));
        let attacked = placed.iter().any(|queen| {
            let (files, ranks) = (queen.file().abs_diff(file), queen.rank().abs_diff(rank));
            files == 0 || ranks == 0 || files == ranks
        });
        if !attacked && placed.len() + rows_left < n as usize {
            placed.push(Square::new(file, rank));
        }
    }
    Board::with(n, &placed, &[]).expect("a board")
}

fn every_kernel_agrees_with_the_oracle(board: &Board) {
    let expected = naive(board);
    for kernel in Kernel::available() {
        assert_eq!(count(board, blocks(kernel), 1), expected, "{kernel:?}: {board:?}");
    }
}

#[test]
fn small_boards_with_constraints_agree_with_the_oracle() {
    each_case(2000, |random| every_kernel_agrees_with_the_oracle(&small_board(random)));
}

#[test]
fn wide_boards_with_queens_agree_with_the_oracle() {
    each_case(60, |random| every_kernel_agrees_with_the_oracle(&wide_board(random)));
}

/// Boards that keep some symmetries are counted with roots of their own.
#[test]
fn symmetric_constraints_agree_with_the_oracle() {
    let parse = |names: &[&str]| -> Vec<Square> {
        names.iter().map(|name| name.parse().expect("a square")).collect()
    };
    let boards: [(u32, &[&str], &[&str]); 9] = [
        (9, &["e5"], &[]),
        (9, &[], &["e5"]),
        (8, &[], &["a1", "h8"]),
        (8, &[], &["a1", "h1", "a8", "h8"]),
        (8, &[], &["d1", "e1"]),
        (8, &[], &["c1", "h3", "f8", "a6"]),
        (8, &["c1", "h3", "f8", "a6"], &[]),
        (8, &["c1", "f8"], &[]),
        (9, &["e2"], &["e9"]),
    ];
    for (n, placed, blocked) in boards {
        let board = Board::with(n, &parse(placed), &parse(blocked)).expect("a board");
        let expected = naive(&board);
        for kernel in Kernel::available() {
            assert_eq!(count(&board, blocks(kernel), 1), expected, "{board:?}");
        }
    }
}

#[test]
fn contradictions_have_no_solutions() {
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let attacked = Board::with(8, &[square("a1"), square("h8")], &[]).expect("a board");
    let closed = Board::with(8, &[square("c3")], &[square("c3")]).expect("a board");
    for board in [attacked, closed] {
        for kernel in Kernel::available() {
            assert_eq!(count(&board, blocks(kernel), 2), 0);
        }
    }
}

/// Counts the plain board in every way that there is for it.
fn check_plain(n: u32, threads: &[usize]) {
    let board = Board::new(n).expect("a board");
    let halves = |kernel| Settings::new().engine(Engine::Halves).kernel(kernel);
    let textbook = (n <= 11).then(|| Settings::new().engine(Engine::Textbook));
    let backtracks = Kernel::available().map(blocks).chain(textbook);
    // The engine halves needs more parts of AVX-512 than the others.
    let joins = Kernel::available().map(halves).filter(|&settings| {
        let missing = Count::with(board.clone(), settings).err();
        n > 1 && !matches!(missing, Some(EngineError::Kernel(_)))
    });
    for settings in backtracks.chain(joins) {
        for &threads in threads {
            let found = count(&board, settings, threads);
            assert_eq!(Some(found), known::solutions(n), "n = {n}, {settings:?}, {threads}");
        }
    }
}

#[test]
fn plain_boards_have_the_known_counts_with_every_engine_and_kernel() {
    (1..=13).for_each(|n| check_plain(n, &[1, 2, 3, 8]));
    check_plain(14, &[2]);
}

/// Takes seconds with optimisation: `cargo test --release -- --ignored`.
#[test]
#[ignore = "needs an optimised build"]
fn larger_plain_boards_have_the_known_counts_with_every_engine_and_kernel() {
    (15..=17).for_each(|n| check_plain(n, &[0]));
}

#[test]
fn constrained_boards_are_for_other_engines() {
    let board = Board::with(8, &["a1".parse().unwrap()], &[]).unwrap();
    for engine in [Engine::Halves, Engine::Textbook] {
        let error = Count::with(board.clone(), Settings::new().engine(engine)).unwrap_err();
        assert_eq!(error, EngineError::PlainOnly(engine));
    }
}

/// Whatever is added to a board in whatever order, the rest of it stays.
#[test]
fn squares_are_added_in_any_order() {
    let with = |words: &[(bool, &str)]| {
        words.iter().fold(Board::new(7).unwrap(), |board, &(is_queen, square)| {
            let added = if is_queen { board.place(square) } else { board.block(square) };
            added.unwrap()
        })
    };
    let words = [(true, "a1"), (false, "c5"), (true, "b4"), (false, "g7")];
    let squares = |wanted: bool| -> Vec<Square> {
        let names = words.iter().filter(|word| word.0 == wanted);
        names.map(|word| word.1.parse().unwrap()).collect()
    };
    let expected = Board::with(7, &squares(true), &squares(false)).unwrap();
    for turn in 0..words.len() {
        let mut turned = words;
        turned.rotate_left(turn);
        assert_eq!(with(&turned), expected, "{turned:?}");
        turned.reverse();
        assert_eq!(with(&turned), expected, "{turned:?}");
    }
}
