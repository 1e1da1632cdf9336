//! One solution by each method, and the list of all: every bench checks what it gets.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tallyboard::queens::known;
use tallyboard::queens::place::{Limits, Method, Opening, Order, check, explicit, solve};
use tallyboard::queens::solutions::{Listing, Prefix, Solutions, Wanted, write};
use tallyboard::queens::text::Notation;
use tallyboard::search::Stop;

fn one(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one solution");
    group.sample_size(10);
    for (method, n) in [
        (Method::Backtrack { order: Order::FewestFirst }, 200),
        (Method::Backtrack { order: Order::TopDown }, 24),
        (Method::LasVegas { random_rows: None }, 100),
        (Method::Repair, 550),
        (Method::GreedyRepair { opening: Opening::Careful }, 1_000_000),
        (Method::GreedyRepair { opening: Opening::Random }, 100_000),
    ] {
        group.bench_function(format!("{method} {n}"), |bencher| {
            // `solve` checks its answer; the bench would panic on a wrong one.
            bencher.iter(|| solve(n, &method, 1, &Limits::default()).expect("a solution"));
        });
    }
    group.bench_function("explicit 1000000", |bencher| {
        bencher.iter(|| explicit(1_000_000).expect("a solution").map(black_box).count());
    });
    let columns: Vec<u32> = explicit(1_000_000).expect("a solution").collect();
    group.bench_function("check 1000000", |bencher| {
        bencher.iter(|| assert_eq!(check(black_box(&columns)), Ok(())));
    });
}

fn all(criterion: &mut Criterion) {
    const N: u32 = 12;
    let mut group = criterion.benchmark_group(format!("all solutions {N}"));
    group.sample_size(10);
    let solutions = Solutions::new(N).expect("a board");
    let expected = known::solutions(N).expect("known");
    group.bench_function("count", |bencher| {
        bencher.iter(|| assert_eq!(u128::from(solutions.count(&Prefix::default())), expected));
    });
    for notation in [Notation::Vector, Notation::Board] {
        group.bench_function(format!("write {notation:?}"), |bencher| {
            let stop = Stop::new();
            let listing = Listing {
                wanted: Wanted::All,
                skip: 0,
                limit: u64::MAX,
                separator: b"\n",
                threads: 1,
                stop: &stop,
            };
            let append = |columns: &[u8], text: &mut Vec<u8>| {
                notation.append(columns.iter().map(|&column| column.into()), text);
            };
            bencher.iter(|| {
                let written = write(&solutions, &listing, append, &mut std::io::sink());
                assert_eq!(u128::from(written.expect("a list")), expected);
            });
        });
    }
}

criterion_group!(benches, one, all);
criterion_main!(benches);
