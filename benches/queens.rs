//! Queens kernels against the textbook kernel, one thread. Every bench asserts its count.

use criterion::{Criterion, criterion_group, criterion_main};
use tallyboard::Kernel;
use tallyboard::queens::{Board, Count, Engine, Settings, Square, known};
use tallyboard::search::{Options, Silent, run};

/// The textbook kernel and each kernel of the other engines on plain boards.
fn plain(criterion: &mut Criterion) {
    for n in [10, 12, 13] {
        let mut group = criterion.benchmark_group(format!("queens {n}"));
        group.sample_size(10);
        let expected = known::solutions(n).expect("small boards are known");
        let board = Board::plain(n).expect("in range");
        for (name, settings) in ways() {
            // A kernel of the same name may need more of the CPU in one engine than in another.
            let Ok(problem) = Count::with(board.clone(), settings) else { continue };
            group.bench_function(name, |bencher| {
                bencher.iter(|| assert_eq!(count(&problem), expected));
            });
        }
    }
}

/// Completion: two queens stand already and two squares are closed.
fn completion(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queens 14, a3 c14, g7 h8 closed");
    group.sample_size(10);
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let (placed, blocked) = ([square("a3"), square("c14")], [square("g7"), square("h8")]);
    let board = Board::new(14, &placed, &blocked).expect("a board");
    for kernel in Kernel::available() {
        let settings = Settings::new().engine(Engine::Blocks).kernel(kernel);
        let problem = Count::with(board.clone(), settings).expect("an engine");
        group.bench_function(kernel.to_string(), |bencher| {
            bencher.iter(|| assert_eq!(count(&problem), COMPLETIONS));
        });
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

criterion_group!(benches, plain, completion);
criterion_main!(benches);
