//! The batch engine, the single solver and a naive oracle agree on puzzles of every kind, and the rows
//! of a stream depend on nothing but the puzzles.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::cases::{between, each_case, one_of, shuffled};
use crate::common::sudoku_oracle;
use tallyboard_base::Kernel;
use tallyboard_base::random::Random;
use tallyboard_search::{Options, Silent, Stop, run};
use tallyboard_sudoku::batch::{Puzzles, Solvers};
use tallyboard_sudoku::format::Form;
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::stream::{Settings, Summary, solve_stream};
use tallyboard_sudoku::{Answer, CELLS, CountOne, Grid, Solver, parse_line, solve_up_to};

/// Every limit that the tests try; the last one stands for no limit.
const LIMITS: [u64; 5] = [1, 2, 3, 10, u64::MAX];

/// Grids with more solutions than this are not enumerated by the slower solvers.
const MOST_SOLUTIONS: u64 = 3000;

/// The kernels that this CPU can run.
fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL.into_iter().filter(|&kernel| Solvers::new(kernel).is_ok())
}

fn by_batch(kernel: Kernel, grids: &[Grid], limit: u64) -> Vec<Answer> {
    let (mut engine, mut table) = (Solvers::new(kernel).unwrap(), Puzzles::default());
    grids.iter().for_each(|grid| table.push(grid));
    table.solve(&mut engine, limit, &Stop::new()).unwrap();
    (0..grids.len()).map(|puzzle| table.answer(puzzle)).collect()
}

/// Every kernel counts what `counts` says when nothing else is asked for.
fn every_kernel_counts(grids: &[Grid], counts: &[u64]) {
    for kernel in kernels() {
        let (mut engine, mut table) = (Solvers::new(kernel).unwrap(), Puzzles::default());
        grids.iter().for_each(|grid| table.push(grid));
        table.count_up_to(&mut engine, u64::MAX, &Stop::new()).unwrap();
        for (puzzle, (grid, &count)) in grids.iter().zip(counts).enumerate() {
            assert_eq!(table.answer(puzzle), Answer { count, first: None }, "{kernel}: {grid}");
        }
    }
}

/// Every kernel counts what `counts` says, and shows the same solution, which is one.
fn every_kernel_finds(grids: &[Grid], counts: &[u64], limit: u64) {
    let shown = by_batch(Kernel::Portable, grids, limit);
    for kernel in kernels() {
        let answers = by_batch(kernel, grids, limit);
        for (((grid, answer), &count), shown) in grids.iter().zip(&answers).zip(counts).zip(&shown)
        {
            assert_eq!(answer.count, count, "{kernel}, limit {limit}: {grid}");
            assert_eq!(answer.first, shown.first, "{kernel}, limit {limit}: {grid}");
            assert_eq!(answer.first.is_some(), count > 0, "{kernel}: {grid}");
            if let Some(first) = answer.first {
                let solves = sudoku_oracle::solves(&grid.to_string(), &first.to_string());
                assert!(solves, "{kernel}: {first} does not solve {grid}");
            }
        }
    }
}

/// All solvers agree on grids of up to [`MOST_SOLUTIONS`] solutions.
fn all_agree(grids: &[Grid]) {
    let counts: Vec<u64> = grids
        .iter()
        .map(|grid| sudoku_oracle::count(&grid.to_string(), MOST_SOLUTIONS + 1))
        .collect();
    for (grid, &count) in grids.iter().zip(&counts) {
        assert!(count <= MOST_SOLUTIONS, "{grid} has too many solutions for this test");
        assert_eq!(solve_up_to(grid, u64::MAX).count, count, "{grid}");
    }
    every_kernel_counts(grids, &counts);
    for limit in LIMITS {
        let limited: Vec<u64> = counts.iter().map(|&count| count.min(limit)).collect();
        every_kernel_finds(grids, &limited, limit);
    }
}

fn generated(clues: usize, seed: u64) -> impl Iterator<Item = Grid> {
    let wish = Requirements { clues: Some(clues), minimal: false, symmetric: false };
    let generator = Generator::new(wish, seed).unwrap();
    (0..).map(move |number| generator.puzzle(number))
}

fn solution(grid: &Grid) -> Grid {
    solve_up_to(grid, 1).first.unwrap()
}

/// `grid` with other digits in some cells.
fn with(grid: &Grid, cells: &[(usize, u8)]) -> Grid {
    let mut changed = *grid.cells();
    cells.iter().for_each(|&(cell, digit)| changed[cell] = digit);
    Grid::new(changed).unwrap()
}

/// A grid without solution though no two of its clues clash.
fn without_solution(puzzle: &Grid) -> Grid {
    let solution = solution(puzzle);
    let wrong = (0..CELLS).filter(|&cell| puzzle.cells()[cell] == 0).find_map(|cell| {
        let others = (1..=9).filter(|&digit| digit != solution.cells()[cell]);
        others.map(|digit| with(puzzle, &[(cell, digit)])).find(|grid| !clashes(grid))
    });
    wrong.unwrap()
}

fn clashes(grid: &Grid) -> bool {
    let cells = grid.cells();
    (0..CELLS).any(|a| {
        (0..a).any(|b| {
            let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
            cells[a] != 0 && cells[a] == cells[b] && (a / 9 == b / 9 || a % 9 == b % 9 || same_box)
        })
    })
}

/// `count` puzzles with more than one solution, but not very many.
fn ambiguous(count: usize) -> Vec<Grid> {
    let fewer = generated(32, 3).enumerate().map(|(number, puzzle)| {
        let clues = (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0);
        let gone: Vec<_> = clues.skip(number % 7).step_by(4).map(|cell| (cell, 0)).collect();
        with(&puzzle, &gone)
    });
    fewer.filter(|grid| (2..=300).contains(&solve_up_to(grid, 301).count)).take(count).collect()
}

/// Puzzles of every kind, in no particular order of difficulty.
static EVERY_KIND: LazyLock<Vec<Grid>> = LazyLock::new(every_kind);

fn every_kind() -> Vec<Grid> {
    let unique: Vec<Grid> = generated(27, 1).take(20).chain(generated(45, 2).take(20)).collect();
    let none = unique.iter().map(without_solution).step_by(2);
    let full: Vec<Grid> = unique.iter().take(5).map(solution).collect();
    let swapped = full.iter().map(|grid| {
        let cells = grid.cells();
        with(grid, &[(0, cells[80]), (80, cells[0]), (1, cells[0])])
    });
    let clash_of = |a: usize, b: usize| with(&Grid::default(), &[(a, 5), (b, 5)]);
    // In a row, a column and a box, far apart and near.
    let clashing = [(0, 8), (4, 76), (0, 20), (40, 41), (72, 80), (60, 70)];
    let mut grids: Vec<Grid> = ambiguous(15);
    grids.extend(none.chain(swapped).chain(clashing.map(|(a, b)| clash_of(a, b))));
    grids.extend(full.iter().copied().chain(unique.iter().copied()));
    grids
}

#[test]
fn every_kind_of_puzzle_is_counted_alike() {
    let grids = &*EVERY_KIND;
    let kinds =
        |kind: fn(u64) -> bool| grids.iter().filter(|it| kind(solve_up_to(it, 2).count)).count();
    assert!(kinds(|count| count == 0) >= 20);
    assert!(kinds(|count| count == 1) >= 40);
    assert!(kinds(|count| count == 2) >= 15);
    all_agree(grids);
}

#[test]
fn clashing_clues_leave_sparse_grids_without_solution() {
    let whole = solution(&Grid::default());
    let bases = [0, 4, 16].map(|clues| {
        let places = (0..CELLS).map(|index| index * 29 % CELLS);
        let kept: Vec<_> = places.take(clues).map(|cell| (cell, whole.cells()[cell])).collect();
        with(&Grid::default(), &kept)
    });
    // Three pairs in a box, three in a row and three in a column.
    let places =
        [(0, 20), (40, 41), (62, 70), (0, 8), (36, 38), (73, 78), (4, 76), (2, 29), (53, 8)];
    let clash_in = |base: &Grid, digit| places.map(|(a, b)| with(base, &[(a, digit), (b, digit)]));
    let grids: Vec<Grid> = bases
        .iter()
        .flat_map(|base| [1, 5, 9].map(|digit| clash_in(base, digit)))
        .flatten()
        .collect();
    for grid in &grids {
        assert_eq!(sudoku_oracle::count(&grid.to_string(), 1), 0, "{grid}");
    }
    for limit in [1, 2, u64::MAX] {
        every_kernel_finds(&grids, &vec![0; grids.len()], limit);
    }
}

#[test]
fn grids_with_more_solutions_than_anyone_counts_end_at_the_limit() {
    let one_clue = with(&Grid::default(), &[(40, 9)]);
    let grids = [Grid::default(), one_clue, Grid::default()];
    for limit in [1, 2, 3, 10, 1000] {
        for grid in &grids {
            assert_eq!(solve_up_to(grid, limit).count, limit);
            assert_eq!(sudoku_oracle::count(&grid.to_string(), limit), limit);
        }
        every_kernel_finds(&grids, &[limit; 3], limit);
    }
}

#[test]
fn a_limit_of_nothing_finds_nothing() {
    let grids = [Grid::default(), solution(&Grid::default())];
    every_kernel_finds(&grids, &[0, 0], 0);
}

/// A puzzle from which clues are taken and whose cells are changed.
fn damaged(random: &mut Random) -> Grid {
    loop {
        let puzzle = generated(between(random, 30, 59) as usize, random.bits()).next().unwrap();
        let mut cell = || random.below(CELLS as u32) as usize;
        let removed: Vec<_> = (0..cell() % 25).map(|_| (cell(), 0)).collect();
        let changed: Vec<_> = (0..cell() % 3).map(|_| (cell(), 1 + (cell() % 9) as u8)).collect();
        let grid = with(&with(&puzzle, &removed), &changed);
        // More would be too much for the oracle.
        if grid.clues() >= 27 && solve_up_to(&grid, MOST_SOLUTIONS + 1).count <= MOST_SOLUTIONS {
            return grid;
        }
    }
}

#[test]
fn damaged_puzzles_are_counted_alike() {
    each_case(24, |random| {
        let grids: Vec<Grid> = (0..between(random, 1, 5)).map(|_| damaged(random)).collect();
        all_agree(&grids);
        for grid in &grids {
            let subtrees = run(&CountOne::new(*grid), &Options::new(), &mut Silent).unwrap();
            let count = by_batch(Kernel::best(), &[*grid], u64::MAX)[0].count;
            assert_eq!(subtrees.tally.solutions(), u128::from(count), "{grid}");
        }
    });
}

#[test]
fn a_row_does_not_depend_on_its_neighbours() {
    let grids = &*EVERY_KIND;
    each_case(24, |random| {
        let taken = between(random, 1, 119) as usize;
        let order = shuffled(random, grids.len());
        let chosen: Vec<Grid> = order.into_iter().take(taken).map(|index| grids[index]).collect();
        let limit = *one_of(random, &LIMITS);
        for kernel in kernels() {
            for (grid, answer) in chosen.iter().zip(by_batch(kernel, &chosen, limit)) {
                assert_eq!(answer, by_batch(kernel, &[*grid], limit)[0], "{kernel}: {grid}");
            }
        }
    });
}

/// How a stream is run, apart from what it is to find.
#[derive(Clone, Copy)]
struct Way {
    solver: Solver,
    threads: usize,
    chunk_bytes: usize,
}

fn stream(text: &str, limit: u64, way: Way) -> (String, Summary) {
    let stop = Stop::new();
    let settings = Settings {
        limit,
        solver: way.solver,
        threads: way.threads,
        chunk_bytes: Some(way.chunk_bytes),
        ..Settings::new(&stop)
    };
    let mut rows = Vec::new();
    let (form, mut input) = (Form::lines(), text.as_bytes());
    let summary = solve_stream(&form, &mut input, &mut rows, &settings, &mut |_| {}).unwrap();
    (String::from_utf8(rows).unwrap(), summary)
}

#[test]
fn even_a_short_file_is_dealt_out_in_several_chunks() {
    let text: String = generated(30, 12).take(60).map(|grid| format!("{grid}\n")).collect();
    let (stop, chunks) = (Stop::new(), AtomicUsize::new(0));
    let around = |solve: &mut dyn FnMut()| {
        chunks.fetch_add(1, Ordering::Relaxed);
        solve();
    };
    let settings = Settings { threads: 2, around: &around, ..Settings::new(&stop) };
    let mut rows = Vec::new();
    let (form, mut input) = (Form::lines(), text.as_bytes());
    let summary = solve_stream(&form, &mut input, &mut rows, &settings, &mut |_| {}).unwrap();
    assert_eq!(summary.unique, 60);
    assert!(chunks.into_inner() > 1);
    assert_eq!(String::from_utf8(rows).unwrap(), stream(&text, 2, ONE_THREAD).0);
}

const ONE_THREAD: Way =
    Way { solver: Solver::Batch(Kernel::Portable), threads: 1, chunk_bytes: 1 << 18 };

#[test]
fn rows_are_the_same_for_every_kernel_thread_count_and_chunk_size() {
    let lines: String = EVERY_KIND.iter().map(|grid| format!("{grid}\n")).collect();
    for limit in [1, 2, u64::MAX] {
        let expected = stream(&lines, limit, ONE_THREAD).0;
        for kernel in kernels() {
            let solver = Solver::Batch(kernel);
            for threads in [1, 2, 3, 8] {
                let way = Way { solver, threads, chunk_bytes: 2000 };
                let same = stream(&lines, limit, way).0 == expected;
                assert!(same, "{kernel}, {threads} threads, limit {limit}");
            }
            for chunk_bytes in [0, 1, 81, 82, 83, 1311, 1312, 1313, 1 << 13, 1 << 20] {
                let same = stream(&lines, limit, Way { solver, threads: 3, chunk_bytes }).0;
                assert!(same == expected, "{kernel}, {chunk_bytes} bytes, limit {limit}");
            }
        }
    }
}

#[test]
fn line_ends_comments_and_blanks_leave_the_answers_alone() {
    let lines: Vec<String> = EVERY_KIND.iter().map(Grid::to_string).collect();
    let plain = lines.join("\n") + "\n";
    let expected = stream(&plain, 2, ONE_THREAD).0;
    let answers = |rows: &str| -> Vec<String> {
        let puzzles = rows.lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
        puzzles.map(|row| row[CELLS..].to_owned()).collect()
    };
    let texts = [
        lines.join("\r\n") + "\r\n",
        plain.trim_end().to_owned(),
        lines.join("\r\n"),
        lines.join("\n# between\n\n") + "\n#",
        lines.join(" a note\n") + ";another\r\n",
        plain.replace('.', "0"),
        plain.replace('.', "_"),
    ];
    for kernel in kernels() {
        for text in &texts {
            let way = Way { solver: Solver::Batch(kernel), threads: 2, chunk_bytes: 3000 };
            let (rows, summary) = stream(text, 2, way);
            assert_eq!(summary.puzzles(), lines.len() as u64);
            assert_eq!(answers(&rows), answers(&expected), "{kernel}");
        }
        let way = Way { solver: Solver::Batch(kernel), ..ONE_THREAD };
        assert_eq!(stream(&texts[1], 2, way).0, expected, "{kernel}");
    }
}

#[test]
fn solvers_fill_the_same_column_of_counts() {
    let lines: String = EVERY_KIND.iter().map(|grid| format!("{grid}\n")).collect();
    for limit in LIMITS {
        let counts = |way: Way| {
            let (rows, summary) = stream(&lines, limit, way);
            let count = |row: &str| row.split(':').nth(1).unwrap().to_owned();
            let Summary { unique, none, many, .. } = summary;
            (rows.lines().map(count).collect::<Vec<_>>(), unique, none, many)
        };
        assert_eq!(counts(ONE_THREAD), counts(Way { solver: Solver::Single, ..ONE_THREAD }));
    }
}

/// The puzzles of `tests/data/sudoku`: in debug builds some of them, in release builds all, and those
/// of a larger collection if there is one in `../shared`.
fn puzzles(name: &str, larger: &str, in_debug: usize) -> Vec<String> {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let puzzles = |text: String| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let own = std::fs::read_to_string(top.join("tests/data/sudoku").join(name)).unwrap();
    let mut lines = puzzles(own);
    assert_eq!(lines.len(), 100, "{name}");
    if cfg!(debug_assertions) {
        lines.truncate(in_debug);
    } else if let Ok(text) = std::fs::read_to_string(top.join("../shared/data/sudoku").join(larger))
    {
        lines.extend(puzzles(text));
    }
    lines
}

#[test]
fn files_of_puzzles_are_solved_alike() {
    let files = [
        ("17_clue.txt", "17_clue_10k.txt", 100),
        ("easy.txt", "easy_10k.txt", 100),
        ("hardest.txt", "hardest_3k.txt", 25),
        ("magictour.txt", "magictour_top1465.txt", 60),
        ("minimal.txt", "unbiased_20k.txt", 100),
    ];
    for (name, larger, in_debug) in files {
        let grids: Vec<Grid> = puzzles(name, larger, in_debug)
            .iter()
            .map(|line| parse_line(line.as_bytes()).unwrap())
            .collect();
        let counts: Vec<u64> = grids.iter().map(|grid| solve_up_to(grid, 2).count).collect();
        assert!(counts.iter().all(|&count| count == 1), "{name}");
        every_kernel_finds(&grids, &counts, 2);
    }
}

#[test]
fn files_of_counts_are_counted_alike() {
    let lines = puzzles("many_solutions.txt", "many_solutions_1e3.txt", 6);
    let grids: Vec<Grid> = lines.iter().map(|line| parse_line(line.as_bytes()).unwrap()).collect();
    let counts: Vec<u64> = lines.iter().map(|line| line[82..].trim().parse().unwrap()).collect();
    every_kernel_counts(&grids, &counts);
    every_kernel_finds(&grids, &counts, u64::MAX);
    for (grid, &count) in grids.iter().zip(&counts) {
        let whole = run(&CountOne::new(*grid), &Options::new(), &mut Silent).unwrap();
        assert_eq!(whole.tally.solutions(), u128::from(count), "{grid}");
    }
}
