//! CPU time of one thread for files of puzzles with one solution, made here by `generate`.
//! `cargo bench -p tallyboard-variants --bench variants -- [PUZZLES] [ROUNDS] [NAME…]`

use std::hint::black_box;
use std::io::{self, Write};

use base::clock::ThreadWatch;
use base::statistics::median;
use tallyboard_variants::{Generator, Puzzle, Rule, Rules, Solver};

/// Nine regions of nine cells, none of them a box.
const JIGSAW: &str = "\
AAABBBBCC\
AABBBCCCC\
AAABBCCCD\
AEEEEFDDD\
EEEEFFFDD\
EGGFFFDDD\
GGGHHFFII\
GGGHHHIII\
GHHHHIIII";

fn jigsaw() -> Rule {
    Rule::Regions(JIGSAW.bytes().map(|letter| usize::from(letter - b'A')).collect())
}

fn rules(added: impl IntoIterator<Item = Rule>) -> Rules {
    let mut rules = Rules::new(9).unwrap();
    added.into_iter().for_each(|rule| rules.add(rule).unwrap());
    rules
}

/// The solutions up to two, and the nodes that they took.
fn solved(solver: &mut Solver, puzzle: &Puzzle) -> (u64, u64) {
    let count = solver.solve(puzzle, 2).count;
    (count, solver.nodes())
}

/// Prints the median time of a puzzle; each must have one solution.
fn measure(
    name: &str,
    puzzles: &[Puzzle],
    mut solve: impl FnMut(&Puzzle) -> (u64, u64),
    rounds: usize,
) {
    let mut times = Vec::new();
    let mut nodes = 0;
    for _ in 0..rounds {
        nodes = 0;
        let watch = ThreadWatch::start();
        for puzzle in puzzles {
            let (count, nodes_of_this) = black_box(solve(puzzle));
            assert_eq!(count, 1, "{}", puzzle.line());
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
fn pencil_marks(grid: &sudoku::Grid) -> String {
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
    let empty = Puzzle::new(rules([]));
    let mut solver = Solver::new(empty.rules());
    let mut puzzles = Vec::new();
    let mut grids = Vec::new();
    for text in HARDEST.lines().filter_map(|text| text.get(..81)) {
        let Ok(grid) = sudoku::parse_line(text.as_bytes()) else { continue };
        puzzles.push(empty.with_line(&pencil_marks(&grid)).unwrap());
        grids.push(grid);
    }
    measure("sukaku hardest", &puzzles, |puzzle| solved(&mut solver, puzzle), rounds);
    let mut next = 0;
    let classic = |_: &Puzzle| {
        next += 1;
        (sudoku::solve_up_to(&grids[(next - 1) % grids.len()], 2).count, 0)
    };
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
    let _ = writeln!(
        io::stdout(),
        "{:<15} {:>7} {:>7} {:>7} {:>9}",
        "rules",
        "puzzles",
        "givens",
        "nodes",
        "µs each"
    );
    for (name, rules, clues) in [
        ("classic", rules([]), 0),
        ("jigsaw", rules([jigsaw()]), 0),
        ("jigsaw-30", rules([jigsaw()]), 30),
        ("diagonals", rules([Rule::FallingDiagonal, Rule::RisingDiagonal]), 0),
        ("diagonals-30", rules([Rule::FallingDiagonal, Rule::RisingDiagonal]), 30),
        ("anti-knight", rules([Rule::AntiKnight]), 0),
        ("anti-knight-30", rules([Rule::AntiKnight]), 30),
        ("windoku", rules([Rule::Windoku]), 0),
        ("windoku-30", rules([Rule::Windoku]), 30),
        ("anti-king", rules([Rule::AntiKing]), 0),
        ("non-consecutive", rules([Rule::NonConsecutive]), 0),
    ] {
        if !is_wanted(name) {
            continue;
        }
        let mut solver = Solver::new(&rules);
        let mut generator = Generator::new(rules, 1).unwrap().givens(clues);
        let puzzles: Vec<Puzzle> = (0..number).map(|number| generator.puzzle(number)).collect();
        measure(name, &puzzles, |puzzle| solved(&mut solver, puzzle), rounds);
    }
    if is_wanted("sukaku") {
        sukakus(rounds);
    }
    if !is_wanted("killer") {
        return;
    }
    let mut generator = Generator::new(rules([]), 1).unwrap();
    let killers: Vec<Puzzle> = (0..number / 10).map(|number| generator.killer(number, 5)).collect();
    let mut solvers: Vec<Solver> =
        killers.iter().map(|puzzle| Solver::new(puzzle.rules())).collect();
    let mut next = 0;
    let solve = |puzzle: &Puzzle| {
        let solver = &mut solvers[next % killers.len()];
        next += 1;
        solved(solver, puzzle)
    };
    measure("killer", &killers, solve, rounds);
    measure("killer+rules", &killers, |puzzle| (puzzle.solve().count, 0), rounds);
}
