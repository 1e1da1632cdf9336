//! CPU time of one thread for files of puzzles with one solution, made here by `generate`.
//! `cargo bench -p tallyboard-variants --bench variants -- [PUZZLES] [ROUNDS] [NAME…]`

use std::hint::black_box;
use std::io::{self, Write};

use tallyboard_base::clock::ThreadWatch;
use tallyboard_base::statistics::median;
use tallyboard_variants::{Generator, Puzzle, Rules, Solver, read};

/// Nine regions of nine cells, none of them a box.
const JIGSAW: &str = "regions
AAABBBBCC
AABBBCCCC
AAABBCCCD
AEEEEFDDD
EEEEFFFDD
EGGFFFDDD
GGGHHFFII
GGGHHHIII
GHHHHIIII";

/// The rules in these lines, on 9 x 9.
fn rules(lines: &str) -> Rules {
    let puzzle = read(format!("size 9\n{lines}\n").as_bytes(), "rules").unwrap();
    Rules::clone(puzzle.rules())
}

/// The solutions up to two, and the nodes that they took.
fn solved(solver: &mut Solver, puzzle: &Puzzle) -> (u64, u64) {
    let count = solver.solve(puzzle, 2).count;
    (count, solver.nodes())
}

/// Prints the median time of a puzzle. `solve` solves the one at an index; each must have one solution.
fn measure(
    name: &str,
    puzzles: &[Puzzle],
    mut solve: impl FnMut(usize) -> (u64, u64),
    rounds: usize,
) {
    let mut times = Vec::new();
    let mut nodes = 0;
    for _ in 0..rounds {
        nodes = 0;
        let watch = ThreadWatch::start();
        for index in 0..puzzles.len() {
            let (count, nodes_of_this) = black_box(solve(index));
            assert_eq!(count, 1, "{}", puzzles[index].line());
            nodes += nodes_of_this;
        }
        times.push(watch.seconds() / puzzles.len() as f64);
    }
    let is_given = |given: &&u8| **given > 0;
    let givens = puzzles.iter().flat_map(|puzzle| puzzle.givens()).filter(is_given).count();
    let givens = givens as f64 / puzzles.len() as f64;
    let nodes = nodes as f64 / puzzles.len() as f64;
    let time = 1e6 * median(&times);
    let _ = writeln!(
        io::stdout(),
        "{name:<15} {:>7} {givens:>7.1} {nodes:>7.1} {time:>9.2}",
        puzzles.len()
    );
}

/// Some of the hardest classic puzzles, one a line.
const HARDEST: &str = include_str!("../../../tests/data/sudoku/hardest.txt");

/// The pencil marks of a classic puzzle: for each cell, the values that no given takes from it.
fn pencil_marks(grid: &tallyboard_sudoku::Grid) -> String {
    let sees = |one: usize, other: usize| {
        let is_in_box = one / 27 == other / 27 && one % 9 / 3 == other % 9 / 3;
        one / 9 == other / 9 || one % 9 == other % 9 || is_in_box
    };
    let mut marks = String::new();
    for cell in 0..81 {
        for value in 1..=9 {
            let given = grid.cells()[cell];
            let is_taken = (0..81)
                .any(|other| other != cell && sees(cell, other) && grid.cells()[other] == value);
            let may_be = given == value || (given == 0 && !is_taken);
            marks.push(if may_be { (b'0' + value) as char } else { '.' });
        }
    }
    marks
}

/// The hardest puzzles as pencil marks, and as the classic engine for one grid solves them.
fn sukakus(rounds: usize) {
    let empty = Puzzle::new(rules(""));
    let mut solver = Solver::new(empty.rules());
    let mut puzzles = Vec::new();
    let mut grids = Vec::new();
    for text in HARDEST.lines().filter_map(|text| text.get(..81)) {
        let Ok(grid) = tallyboard_sudoku::parse_line(text.as_bytes()) else { continue };
        puzzles.push(empty.with_line(&pencil_marks(&grid)).unwrap());
        grids.push(grid);
    }
    measure("sukaku hardest", &puzzles, |index| solved(&mut solver, &puzzles[index]), rounds);
    let classic = |index: usize| (tallyboard_sudoku::solve_up_to(&grids[index], 2).count, 0);
    measure("classic engine", &puzzles, classic, rounds);
}

/// The processor, by the family and the model that tell its microarchitecture; nothing where the system does not tell.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(name));
        line.and_then(|line| line.split(':').nth(1)).unwrap_or("?").trim().to_owned()
    };
    format!("{}, family {}, model {}", value("model name"), value("cpu family"), value("model"))
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| arg.starts_with(char::is_alphabetic)).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word));
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<u64>().ok());
    let number = numbers.next().unwrap_or(10_000);
    let rounds = numbers.next().unwrap_or(3) as usize;
    let _ = writeln!(io::stdout(), "{}", processor());
    let _ = writeln!(io::stdout(), "rules           puzzles  givens   nodes   µs each");
    for (name, rules, clues) in [
        ("classic", rules(""), 0),
        ("jigsaw", rules(JIGSAW), 0),
        ("jigsaw-30", rules(JIGSAW), 30),
        ("diagonals", rules("diagonals"), 0),
        ("diagonals-30", rules("diagonals"), 30),
        ("anti-knight", rules("anti-knight"), 0),
        ("anti-knight-30", rules("anti-knight"), 30),
        ("windoku", rules("windoku"), 0),
        ("windoku-30", rules("windoku"), 30),
        ("anti-king", rules("anti-king"), 0),
        ("non-consecutive", rules("non-consecutive"), 0),
    ] {
        if !is_wanted(name) {
            continue;
        }
        let mut solver = Solver::new(&rules);
        let mut generator = Generator::new(rules, 1).unwrap().givens(clues);
        let puzzles: Vec<Puzzle> = (0..number).map(|number| generator.puzzle(number)).collect();
        measure(name, &puzzles, |index| solved(&mut solver, &puzzles[index]), rounds);
    }
    if is_wanted("sukaku") {
        sukakus(rounds);
    }
    if !is_wanted("killer") {
        return;
    }
    let mut generator = Generator::new(rules(""), 1).unwrap();
    let killers: Vec<Puzzle> = (0..number / 10).map(|number| generator.killer(number, 5)).collect();
    let mut solvers: Vec<Solver> =
        killers.iter().map(|puzzle| Solver::new(puzzle.rules())).collect();
    measure("killer", &killers, |index| solved(&mut solvers[index], &killers[index]), rounds);
    measure("killer+rules", &killers, |index| (killers[index].solve().count, 0), rounds);
}
