//! Promise: the half-board join counts plain boards right, with every kernel, on any number of
//! threads.

use tallyboard::Kernel;
use tallyboard::queens::{Board, Count, Engine, EngineError, Settings, known};
use tallyboard::search::{Options, Silent, run};

fn settings(kernel: Kernel) -> Settings {
    Settings::new().engine(Engine::Halves).kernel(kernel)
}

/// Counts with every kernel of this CPU.
fn check(n: u32, threads: usize) {
    for kernel in Kernel::ALL {
        let problem = match Count::with(Board::plain(n).unwrap(), settings(kernel)) {
            Ok(problem) => problem,
            Err(EngineError::Kernel(_)) => continue,
            Err(error) => panic!("{error}"),
        };
        let options = Options::new().threads(threads);
        let outcome = run(&problem, &options, &mut Silent).unwrap();
        assert!(outcome.complete);
        assert_eq!(Some(outcome.tally.solutions()), known::solutions(n), "n = {n}, {kernel}");
    }
}

#[test]
fn boards_to_14() {
    for n in 2..=14 {
        check(n, 1 + n as usize % 3);
    }
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn boards_to_18() {
    for n in 15..=18 {
        check(n, 2);
    }
}

#[test]
fn constrained_boards_are_for_other_engines() {
    let board = Board::new(8, &["a1".parse().unwrap()], &[]).unwrap();
    let error = Count::with(board, settings(Kernel::Portable)).unwrap_err();
    assert_eq!(error, EngineError::PlainOnly(Engine::Halves));
}
