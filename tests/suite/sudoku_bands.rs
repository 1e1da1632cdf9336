//! Joining bands counts what enumeration counts, and agrees with itself where that never ends.

use crate::common::PUZZLE;
use crate::common::runs::{Dice, Folder};
use tallyboard_base::Kernel;
use tallyboard_search::{Options, Problem, Silent, Stop, Tally, run};
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::{CELLS, CountOne, Engine, Grid, Solver, solve_up_to};

fn join(grid: Grid) -> CountOne {
    CountOne::with(grid, Some(Engine::Join), Solver::default())
}

fn count(problem: &CountOne) -> u128 {
    run(problem, &Options::default(), &mut Silent).unwrap().tally.solutions()
}

/// A solved grid with all but `clues` cells blank.
fn random_grid(clues: u64, dice: &mut Dice) -> Grid {
    let wish = Requirements { clues: Some(40), minimal: false, symmetric: false };
    let puzzle = Generator::new(wish, dice.below(1 << 40)).unwrap().puzzle(0);
    let mut cells = *solve_up_to(&puzzle, 1).first.unwrap().cells();
    let mut full = CELLS as u64;
    while full > clues {
        let cell = dice.below(CELLS as u64) as usize;
        full -= u64::from(std::mem::take(&mut cells[cell]) > 0);
    }
    Grid::new(cells).unwrap()
}

fn with(grid: &Grid, cell: usize, digit: u8) -> Grid {
    let mut cells = *grid.cells();
    cells[cell] = digit;
    Grid::new(cells).unwrap()
}

fn agrees_with_enumeration(grids: u64, seed: u64, clues: std::ops::RangeInclusive<u64>) {
    let mut dice = Dice(seed);
    for number in 0..grids {
        let clues = clues.start() + number % (clues.end() - clues.start() + 1);
        let grid = random_grid(clues, &mut dice);
        let kernel = Kernel::ALL[number as usize % 3];
        let joined = CountOne::with(grid, Some(Engine::Join), Solver::Batch(kernel));
        let looked = CountOne::with(grid, Some(Engine::Enumeration), Solver::default());
        assert_eq!((joined.engine(), looked.engine()), (Engine::Join, Engine::Enumeration));
        assert_eq!(count(&joined), count(&looked), "{kernel}: {grid}");
    }
}

/// The solutions of a grid are those with each value of an open cell.
fn adds_up(clues: u64, dice: &mut Dice) {
    let grid = random_grid(clues, dice);
    let open: Vec<usize> = (0..CELLS).filter(|&cell| grid.cells()[cell] == 0).collect();
    let cell = open[dice.below(open.len() as u64) as usize];
    let parts: u128 = (1..=9).map(|digit| count(&join(with(&grid, cell, digit)))).sum();
    assert_eq!(count(&join(grid)), parts, "cell {cell} of {grid}");
}

/// A grid with its rows, columns and digits moved about: it has as many solutions.
fn image(grid: &Grid, dice: &mut Dice) -> Grid {
    let mut shuffled = |len: usize| -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        (1..len).for_each(|last| order.swap(last, dice.below(last as u64 + 1) as usize));
        order
    };
    let mut lines = || -> Vec<usize> {
        let bands = shuffled(3);
        bands
            .iter()
            .flat_map(|band| shuffled(3).into_iter().map(move |line| 3 * band + line))
            .collect()
    };
    let (rows, columns) = (lines(), lines());
    let (digits, turned) = (shuffled(9), shuffled(2)[0] == 1);
    Grid::new(std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        let from = if turned { column * 9 + row } else { row * 9 + column };
        match grid.cells()[from] {
            0 => 0,
            digit => digits[usize::from(digit) - 1] as u8 + 1,
        }
    }))
    .unwrap()
}

fn images_agree(clues: u64, images: usize, dice: &mut Dice) {
    let grid = random_grid(clues, dice);
    let expected = count(&join(grid));
    for _ in 0..images {
        let image = image(&grid, dice);
        assert_eq!(count(&join(image)), expected, "{image} is an image of {grid}");
    }
}

#[test]
fn few_solutions_are_counted_as_enumeration_does() {
    agrees_with_enumeration(18, 0x6a6f_696e, 20..=28);
}

#[test]
#[ignore = "half a minute: hundreds of grids"]
fn hundreds_of_grids_are_counted_as_enumeration_does() {
    // Sparser ones may have 10^9 solutions, half a minute of enumeration each.
    agrees_with_enumeration(300, 0x6261_6e64, 20..=28);
}

#[test]
fn the_values_of_an_open_cell_add_up() {
    let mut dice = Dice(0x6365_6c6c);
    [16, 18].into_iter().for_each(|clues| adds_up(clues, &mut dice));
}

#[test]
#[ignore = "ten seconds: sums of nine joins"]
fn the_values_of_an_open_cell_add_up_for_few_and_many_clues() {
    let mut dice = Dice(0x7375_6d73);
    (0..=18).step_by(3).for_each(|clues| adds_up(clues, &mut dice));
}

#[test]
fn images_of_a_grid_count_alike() {
    images_agree(17, 4, &mut Dice(0x696d_6167));
}

#[test]
#[ignore = "ten seconds: images of grids with few and many clues"]
fn images_of_sparse_grids_count_alike() {
    let mut dice = Dice(0x616c_696b);
    (1..=18).step_by(2).for_each(|clues| images_agree(clues, 1, &mut dice));
}

#[test]
fn known_counts_come_out() {
    let lines = include_str!("../data/sudoku_sparse_counts.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (grid, known) = line.split_once(':').unwrap();
        let problem = CountOne::new(grid.parse().unwrap());
        assert_eq!(problem.engine(), Engine::Join, "{grid}");
        assert_eq!(count(&problem).to_string(), known, "{grid}");
    }
}

#[test]
fn grids_that_break_a_rule_or_have_no_solution_give_nothing() {
    let clash = |cell| with(&with(&Grid::default(), 0, 5), cell, 5);
    // The first row leaves 9 to its last cell, where the column has one.
    let stuck: Grid = format!("12345678.{}9{}", ".".repeat(44), ".".repeat(27)).parse().unwrap();
    for grid in [clash(8), clash(72), clash(20), stuck] {
        for problem in [CountOne::new(grid), join(grid)] {
            assert_eq!(count(&problem), 0, "{grid}");
        }
    }
}

#[test]
fn subtrees_add_up_on_any_number_of_threads() {
    let mut dice = Dice(0x7472_6565);
    let problem = join(random_grid(15, &mut dice));
    let subtrees = problem.split().len();
    assert!(subtrees > 1);
    let expected = (0..subtrees)
        .map(|subtree| problem.count(subtree, &Stop::new()).unwrap())
        .fold(Tally::default(), |sum, tally| sum.merge(tally).unwrap());
    for threads in [1, 2, 5] {
        let options = Options::new().threads(threads);
        assert_eq!(run(&problem, &options, &mut Silent).unwrap().tally, expected);
    }
}

#[test]
fn a_join_that_is_asked_to_stop_does() {
    let stop = Stop::new();
    stop.request();
    let options = Options::new().stop(&stop);
    let problem = join(Grid::default());
    assert_eq!(run(&problem, &options, &mut Silent).unwrap().whole(), None);
    assert!(problem.count(0, &stop).is_err());
}

#[test]
fn files_with_sparse_grids_have_a_row_for_each_in_order() {
    let (empty, all) = (".".repeat(CELLS), "6670903752021072936960");
    let one = format!("{}7{}", ".".repeat(40), ".".repeat(40));
    let clash = format!("11{}", ".".repeat(79));
    let lines = [(&*one, "741211528002341437440"), (PUZZLE, "1"), (&clash, "0"), (&empty, all)];
    let folder = Folder::new();
    let puzzles: String = lines.iter().map(|(puzzle, _)| format!("{puzzle}\n")).collect();
    folder.write("puzzles", format!("# so\n{puzzles}"));
    let rows: String = lines.iter().map(|(puzzle, count)| format!("{puzzle}:{count}\n")).collect();
    for threads in [1, 3] {
        let words = format!("sudoku count puzzles -q --threads {threads}");
        assert_eq!(folder.succeed(&words), format!("# so\n{rows}"));
    }
    folder.prints(
        "sudoku count puzzles -q --to jsonl",
        &format!("\"count\":{all},\"count_text\":\"{all}\""),
    );
    folder.fails(
        "sudoku count puzzles --method join",
        1,
        "puzzles: --method expects a single 9 × 9 puzzle",
    );
}
