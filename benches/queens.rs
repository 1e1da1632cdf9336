//! Queens kernels against the textbook kernel, one thread. Every bench asserts its count.

use criterion::{Criterion, criterion_group, criterion_main};
use tallyboard::queens::kernel::textbook::{self, Start};
use tallyboard::queens::{Board, Count, known};
use tallyboard::search::{Options, Silent, Stop, run};

fn queens(criterion: &mut Criterion) {
    for n in 10..=12 {
        let mut group = criterion.benchmark_group(format!("queens {n}"));
        group.sample_size(10);
        let expected = known::solutions(n).expect("small boards are known");
        group.bench_function("textbook", |bencher| {
            bencher.iter(|| {
                let full = (1 << n) - 1;
                let count = textbook::count(Start::empty(n), full, &Stop::new()).expect("no stop");
                assert_eq!(u128::from(count), expected);
            });
        });
        group.bench_function("auto", |bencher| {
            let problem = Count::new(Board::plain(n).expect("in range")).expect("an engine");
            let options = Options { threads: 1, ..Options::default() };
            bencher.iter(|| {
                let outcome = run(&problem, &options, &mut Silent).expect("a count");
                assert_eq!(outcome.tally.solutions(), expected);
            });
        });
    }
}

criterion_group!(benches, queens);
criterion_main!(benches);
