//! One solution by each method, and the list of all: every bench checks what it gets.

mod timing;

use std::hint::black_box;

use tallyboard_queens::known;
use tallyboard_queens::place::{
    Limits, Method, Opening, Order, Progression, check, explicit, solve,
};
use tallyboard_queens::solutions::{Listing, Selection, Solutions, write};
use tallyboard_queens::text::Notation;
use tallyboard_search::Stop;
use timing::time;

fn main() {
    one();
    all();
}

fn one() {
    for (method, n) in [
        (Method::Backtrack { order: Order::FewestFirst }, 200),
        (Method::Backtrack { order: Order::TopDown }, 24),
        (Method::LasVegas { random_rows: None }, 100),
        (Method::Repair, 550),
        (Method::GreedyRepair { opening: Opening::Careful }, 1_000_000),
        (Method::GreedyRepair { opening: Opening::Random }, 100_000),
    ] {
        time(format!("one solution, {method} {n}"), || {
            // `solve` checks its answer.
            black_box(solve(n, &method, 1, &Limits::default()).expect("a solution"));
        });
    }
    let columns =
        || explicit(1_000_000).expect("a solution").into_iter().flat_map(Progression::columns);
    time("one solution, explicit 1000000", || {
        assert_eq!(columns().map(black_box).count(), 1_000_000);
    });
    let columns: Vec<u32> = columns().collect();
    time("check 1000000", || assert_eq!(check(black_box(&columns)), Ok(())));
}

fn all() {
    const N: u32 = 12;
    let solutions = Solutions::new(N).expect("a board");
    let expected = known::solutions(N).expect("known");
    time(format!("all solutions {N}, count"), || {
        assert_eq!(u128::from(solutions.count(&[])), expected);
    });
    for notation in [Notation::Vector, Notation::Board] {
        time(format!("all solutions {N}, write {notation:?}"), || {
            let stop = Stop::new();
            let listing = Listing {
                selection: Selection::All,
                skip: 0,
                limit: u64::MAX,
                separator: b"\n",
                threads: 1,
                stop: &stop,
            };
            let append = |columns: &[u8], text: &mut Vec<u8>| {
                notation.append(columns.iter().map(|&column| column.into()), text);
            };
            let written = write(&solutions, &listing, &append, &mut std::io::sink());
            assert_eq!(u128::from(written.expect("a list")), expected);
        });
    }
}
