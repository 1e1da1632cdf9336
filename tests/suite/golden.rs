//! Promise: journals and results outlive versions of the program, for an engine's subtrees and their
//! subtotals change only together with its numbers.
//!
//! `tests/data/subtotals.txt` has a line for every engine, algorithm and layout that ever was. A change
//! of subtrees raises `layout` of the engine's `REVISION`, a change of subtotals `algorithm`; the new
//! line is then added below the old ones, which stay.

use std::fmt::Write;

use tallyboard_queens::{Board, Count, Engine, Settings};
use tallyboard_search::{Problem, Stop};
use tallyboard_sudoku::CountOne;
use tallyboard_sudoku::sized::{CountSized, Size};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/subtotals.txt");
/// Subtrees of each problem that are counted, spread over all.
const SAMPLES: usize = 6;

/// `identity | subtrees and a checksum of their costs | some subtotals`
fn line(problem: &impl Problem) -> String {
    let costs = problem.split();
    assert_eq!(problem.subtrees(), costs.len(), "{}", problem.identity());
    let mut line = format!("{} | {} {} |", problem.identity(), costs.len(), costs.fingerprint());
    let apart = costs.len().div_ceil(SAMPLES);
    for id in (apart / 2..costs.len()).step_by(apart) {
        let tally = problem.count(id, &Stop::new()).unwrap();
        write!(line, " {id}:{}", tally.solutions()).unwrap();
    }
    line
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
fn subtrees_and_subtotals_change_only_with_their_numbers() {
    let mut lines = Vec::new();
    for engine in Engine::ALL {
        // A naive search takes long from there on.
        let large: &[u32] = if engine == Engine::Textbook { &[17] } else { &[17, 18, 19, 20] };
        for &n in [9, 12, 15, 16].iter().chain(large) {
            let settings = Settings::new().engine(engine);
            lines.push(line(&Count::with(Board::new(n).unwrap(), settings).unwrap()));
        }
    }
    let squares = |names: &str| names.split(' ').map(|name| name.parse().unwrap()).collect();
    let (placed, blocked): (Vec<_>, Vec<_>) = (squares("a3 c14"), squares("g7 h8"));
    lines.push(line(&Count::new(Board::with(16, &placed, &blocked).unwrap()).unwrap()));
    let puzzle =
        ".........6...95....98....6.8...6...34..8.3..17...2...6.6....28....41.............";
    lines.push(line(&CountOne::new(puzzle.parse().unwrap())));
    let sparse =
        "4.........9..............94..8.............38...............31.............2.....";
    lines.push(line(&CountOne::new(sparse.parse().unwrap())));

    lines.push(line(&CountSized::new(Size::Four.parse(&[b'.'; 16], None).unwrap())));
    lines.push(line(&CountSized::new(Size::Sixteen.parse(sixteen().as_bytes(), None).unwrap())));

    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    let known: Vec<&str> = golden.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = String::new();
    for line in &lines {
        let parts = |line: &str| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let found = parts(line);
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
