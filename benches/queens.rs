//! Queens kernels against the textbook recursion, one thread. Every bench asserts its count.

mod timing;

use tallyboard_base::Kernel;
use tallyboard_queens::{Board, Count, Engine, Settings, Square, known};
use tallyboard_search::{Options, Silent, run};
use timing::time;

fn main() {
    plain();
    completion();
}

/// The textbook recursion and each kernel of the other engines on plain boards.
fn plain() {
    for n in [10, 12, 13] {
        let expected = known::solutions(n).expect("small boards are known");
        let board = Board::new(n).expect("in range");
        for (name, settings) in ways() {
            // A kernel of the same name may need more of the CPU in one engine than in another.
            let Ok(problem) = Count::with(board.clone(), settings) else { continue };
            time(format!("queens {n}, {name}"), || assert_eq!(count(&problem), expected));
        }
    }
}

/// Completion: two queens stand already and two squares are closed.
fn completion() {
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let (placed, blocked) = ([square("a3"), square("c14")], [square("g7"), square("h8")]);
    let board = Board::with(14, &placed, &blocked).expect("a board");
    for kernel in Kernel::available() {
        let settings = Settings::new().engine(Engine::Blocks).kernel(kernel);
        let problem = Count::with(board.clone(), settings).expect("an engine");
        let name = format!("queens 14, a3 c14, g7 h8 closed, {kernel}");
        time(name, || assert_eq!(count(&problem), COMPLETIONS));
    }
}

/// As a program of twenty lines counts it, rank by rank.
const COMPLETIONS: u128 = 1249;

fn ways() -> Vec<(String, Settings)> {
    let textbook = Settings::new().engine(Engine::Textbook);
    let others = [Engine::Blocks, Engine::Halves].into_iter().flat_map(|engine| {
        Kernel::available().map(move |kernel| {
            let name = format!("{engine} {kernel}");
            (name, Settings::new().engine(engine).kernel(kernel))
        })
    });
    [("textbook".to_owned(), textbook)].into_iter().chain(others).collect()
}

fn count(problem: &Count) -> u128 {
    let options = Options::new().threads(1);
    run(problem, &options, &mut Silent).expect("a count").tally.solutions()
}
