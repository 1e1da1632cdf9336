//! Promises of every engine that splits its search, a row of a table each: subtrees add up on any number of threads, they end when they
//! are asked to, identities tell problems apart, and journals and results outlive versions of the program.
//!
//! `tests/data/subtotals.txt` has a line for every engine, algorithm and layout that ever was. A change of subtrees raises `layout` of
//! the engine's `REVISION`, a change of subtotals `algorithm`; the new line is then added below the old ones, which stay.

use std::collections::BTreeSet;
use std::fmt::Write;

use tallyboard_cover::Cover;
use tallyboard_queens::wrapped::{Surface, Wrapped};
use tallyboard_queens::{Board, Engine, Settings};
use tallyboard_search::{Options, Problem, Silent, Stop, Stopped, run};
use tallyboard_sudoku::CountOne;
use tallyboard_sudoku::sized::{CountSized, Size};
use {
    tallyboard_cover as cover, tallyboard_queens as queens, tallyboard_regions as regions,
    tallyboard_variants as variants,
};

/// Puzzles as covers.
#[allow(dead_code, reason = "the crate's own tests use the others")]
#[path = "../../crates/tallyboard-cover/tests/support/instances.rs"]
mod instances;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/subtotals.txt");
/// Subtrees of each problem that are counted, spread over all.
const SAMPLES: usize = 6;

const FREE_JIGSAW: &str =
    "size 6\nregions\nAAABBB\nACCBBB\nACCDDD\nAECCDD\nEEEFFD\nEEFFFF\ndiagonal falling\n";
const SUMS: &str = "size 6\ncage 9 r1c1 r1c2\nthermometer r6c1 r5c1 r4c2\narrow r3c6 = r2c6 r1c6\n";
const SPARSE: &str =
    ".........6...95....98....6.8...6...34..8.3..17...2...6.6....28....41.............";
const SPARSER: &str =
    "4.........9..............94..8.............38...............31.............2.....";

type Row = Box<dyn Problem>;

fn queens(n: u32, engine: Engine) -> Row {
    let settings = Settings::new().engine(engine);
    Box::new(queens::Count::with(Board::new(n).unwrap(), settings).unwrap())
}

fn wrapped(surface: Surface, n: u32) -> Row {
    Box::new(Wrapped::new(surface, n, &[], &[], false).split().unwrap())
}

fn cover(cover: &Cover, engine: cover::Engine) -> Row {
    Box::new(cover::Count::with(cover, cover::Settings::new().engine(engine)).unwrap())
}

fn variant(text: &str) -> Row {
    Box::new(variants::Count::new(&variants::read(text.as_bytes(), "puzzle").unwrap()))
}

/// The board whose regions are its rows.
fn regions(size: u32, stars: usize) -> Row {
    let labels: Vec<u32> = (0..size * size).map(|cell| cell / size).collect();
    Box::new(regions::Count::new(&regions::Board::new(&labels, stars).unwrap()))
}

/// Problems of each engine that take little, with their numbers of solutions.
fn small() -> Vec<(Row, u128)> {
    vec![
        (queens(9, Engine::Halves), 352),
        (queens(9, Engine::Blocks), 352),
        (queens(9, Engine::Textbook), 352),
        (wrapped(Surface::Torus, 11), 88),
        (wrapped(Surface::Klein, 10), 2_560),
        (Box::new(CountSized::new(Size::Four.parse(&[b'.'; 16], None).unwrap())), 288),
        (
            Box::new(CountSized::new(Size::Sixteen.parse(sixteen().as_bytes(), None).unwrap())),
            3_894,
        ),
        (cover(&instances::pentominoes(3, 20), cover::Engine::Masks), 8),
        (cover(&instances::langford(8), cover::Engine::Masks), 150),
        (cover(&instances::dominoes_and_cells(4), cover::Engine::Sets), 9_763),
        (variant(FREE_JIGSAW), 2_880),
        // The permutations in which no neighbours are consecutive: OEIS A002464.
        (regions(8, 1), 5_242),
    ]
}

/// Problems of each engine with subtrees that take long enough to be stopped.
fn large() -> Vec<Row> {
    let mut rows: Vec<Row> = Engine::ALL.into_iter().map(|engine| queens(17, engine)).collect();
    rows.push(Box::new(CountOne::new(SPARSE.parse().unwrap())));
    for (puzzle, engine) in [
        (instances::pentominoes(5, 12), cover::Engine::Masks),
        (instances::langford(12), cover::Engine::Masks),
        (instances::macmahon(), cover::Engine::Masks),
        (instances::dominoes_and_cells(8), cover::Engine::Sets),
    ] {
        rows.push(cover(&puzzle, engine));
    }
    rows.push(variant(SUMS));
    rows
}

/// All problems whose subtotals are kept.
fn kept() -> Vec<Row> {
    let mut rows = large();
    for engine in Engine::ALL {
        // A naive search takes long from there on.
        let large: &[u32] = if engine == Engine::Textbook { &[] } else { &[18, 19, 20] };
        rows.extend([9, 12, 15, 16].iter().chain(large).map(|&n| queens(n, engine)));
    }
    rows.extend(
        [(Surface::Torus, 13), (Surface::Mobius, 12)].map(|(surface, n)| wrapped(surface, n)),
    );
    let squares = |names: &str| names.split(' ').map(|name| name.parse().unwrap()).collect();
    let (placed, blocked): (Vec<_>, Vec<_>) = (squares("a3 c14"), squares("g7 h8"));
    let board = Board::with(16, &placed, &blocked).unwrap();
    rows.push(Box::new(queens::Count::new(board).unwrap()));
    rows.push(Box::new(CountOne::new(SPARSER.parse().unwrap())));
    rows.push(Box::new(CountSized::new(Size::Four.parse(&[b'.'; 16], None).unwrap())));
    rows.push(Box::new(CountSized::new(Size::Sixteen.parse(sixteen().as_bytes(), None).unwrap())));
    // What clauses tell is one subtree.
    rows.push(Box::new(cover::Count::new(&instances::planted()).unwrap()));
    rows.extend([variant(FREE_JIGSAW), regions(10, 1), regions(9, 2)]);
    rows
}

/// A solved 16 × 16 grid without its values 1 to 3: it has 3,894 solutions.
fn sixteen() -> String {
    let cell = |index: usize| {
        let (row, column) = (index / 16, index % 16);
        let value = (4 * (row % 4) + row / 4 + column) % 16 + 1;
        if value <= 3 { "0".to_owned() } else { value.to_string() }
    };
    (0..256).map(cell).collect::<Vec<_>>().join(" ")
}

#[test]
fn subtrees_add_up_on_any_number_of_threads() {
    for (problem, expected) in small() {
        let identity = problem.identity();
        assert_eq!(problem.split().len(), problem.subtrees(), "{identity}");
        for threads in [1, 3] {
            let options = Options::new().threads(threads);
            let outcome = run(&*problem, &options, &mut Silent).unwrap();
            assert_eq!(outcome.whole(), Some(expected), "{identity}");
        }
    }
}

#[test]
fn a_count_that_is_asked_to_stop_does() {
    let stop = Stop::new();
    stop.request();
    let frontier = cover(&instances::tiling("xx", 6, 6), cover::Engine::Frontier);
    for problem in large().into_iter().chain([frontier, regions(16, 1)]) {
        // A small subtree may end before the flag is looked at.
        let stops = |subtree| problem.count(subtree, &stop) == Err(Stopped);
        assert!((0..problem.subtrees()).rev().any(stops), "{}", problem.identity());
    }
}

#[test]
fn identities_tell_problems_apart() {
    let mut other = instances::langford(7);
    other.option(["n1", "s1", "s2"]).unwrap();
    let covers =
        [instances::tiling("xx", 6, 6), instances::langford(7), instances::langford(8), other];
    let covers = covers.iter().map(|cover| Box::new(cover::Count::new(cover).unwrap()) as Row);
    let texts = [
        FREE_JIGSAW.to_owned(),
        FREE_JIGSAW.replace("diagonal falling\n", ""),
        FREE_JIGSAW.replace("falling", "rising"),
        SUMS.to_owned(),
        SUMS.replace("cage 9", "cage 8"),
        format!("{SUMS}candidates r5c5 1\n"),
        format!("{SUMS}candidates r5c5 1 2\n"),
        "size 6".to_owned(),
        "size 4".to_owned(),
    ];
    let problems: Vec<Row> = texts
        .iter()
        .map(|text| variant(text))
        .chain(covers)
        .chain([regions(9, 1), regions(9, 2)])
        .chain(Surface::ALL.map(|surface| wrapped(surface, 7)))
        .collect();
    let identities: BTreeSet<String> = problems.iter().map(|it| it.identity()).collect();
    assert_eq!(identities.len(), problems.len());
}

/// `identity | subtrees and a checksum of their costs | some subtotals`
fn line(problem: &dyn Problem) -> String {
    let costs = problem.split();
    let mut line = format!("{} | {} {} |", problem.identity(), costs.len(), costs.fingerprint());
    let apart = costs.len().div_ceil(SAMPLES);
    for id in (apart / 2..costs.len()).step_by(apart) {
        let tally = problem.count(id, &Stop::new()).unwrap();
        write!(line, " {id}:{}", tally.solutions()).unwrap();
    }
    line
}

#[test]
fn subtrees_and_subtotals_change_only_with_their_numbers() {
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    let known: Vec<&str> = golden.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = String::new();
    for problem in kept() {
        let line = line(&*problem);
        let parts = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let found = parts(&line);
        let what = match known.iter().map(|line| parts(line)).find(|known| known[0] == found[0]) {
            Some(known) if known == found => continue,
            Some(known) if known[1] != found[1] => "other subtrees: raise `layout` of its REVISION",
            Some(_) => "other subtotals: raise `algorithm` of its REVISION",
            None => "a new one: add the line to tests/data/subtotals.txt",
        };
        writeln!(wrong, "{what}\n{line}").unwrap();
    }
    assert!(wrong.is_empty(), "{wrong}");
}
