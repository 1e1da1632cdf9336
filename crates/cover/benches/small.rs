//! The work besides searching: the speed of reading options, and the CPU time to read and to count small puzzles.
//! `cargo bench -p tallyboard-cover --bench small -- [ROUNDS]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::fmt::Write;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::Instant;

use support::instances;
use support::random::Random;
use tallyboard_cover::format::{Format, read, write};
use tallyboard_cover::{Count, Cover};

/// The CPU time of this thread in seconds; wall time where the system does not tell.
fn cpu_seconds(start: Instant) -> f64 {
    base::clock::thread_time().unwrap_or_else(|| start.elapsed().as_secs_f64())
}

/// The median time of some rounds.
fn median(rounds: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut times = Vec::new();
    for _ in 0..rounds {
        let before = cpu_seconds(start);
        work();
        times.push(cpu_seconds(start) - before);
    }
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

/// Options of five items out of `items`, at least `bytes` bytes of them.
fn options(items: u64, bytes: usize) -> String {
    let mut random = Random(7);
    let names: Vec<String> = (0..items).map(|item| format!("item{item}")).collect();
    let mut text = names.join(" ") + "\n";
    while text.len() < bytes {
        // Each item is from another fifth, so that they differ.
        for part in 0..5 {
            let item = part * (items / 5) + random.below(items / 5);
            let _ = write!(text, "{} ", names[item as usize]);
        }
        text.pop();
        text.push('\n');
    }
    text
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(5);
    for (name, items) in [("60 items", 60), ("1,000 items", 1_000), ("100,000 items", 100_000)] {
        let text = options(items, 100_000_000);
        let seconds = median(rounds, || {
            black_box(read(text.as_bytes(), "options").expect("they are right"));
        });
        let speed = text.len() as f64 / 1e6 / seconds;
        writeln!(out, "reading options, {name}: {speed:.0} MB/s")?;
    }
    let puzzles: [(&str, Cover); 5] = [
        ("queens 5", instances::queens(5)),
        ("dominoes 4 x 4", instances::tiling("xx", 4, 4)),
        ("steiner 7", instances::steiner(7)),
        ("pentominoes 3 x 20", instances::pentominoes(3, 20, &[])),
        ("petersen", instances::petersen()),
    ];
    for (name, cover) in puzzles {
        let text = write(&cover, Format::Knuth).expect("it is Knuth's");
        let count = |cover: &Cover| Count::new(cover).and_then(|count| count.total_and_nodes());
        let nodes = count(&cover).expect("it is small").1;
        // The seconds of 1,000 runs, times 1e3, are the microseconds of one.
        let reading = 1e3
            * median(rounds, || {
                for _ in 0..1_000 {
                    black_box(read(text.as_bytes(), name).expect("it was written here"));
                }
            });
        let counting = 1e3
            * median(rounds, || {
                for _ in 0..1_000 {
                    black_box(count(&cover).expect("it is small"));
                }
            });
        let options = cover.len();
        writeln!(
            out,
            "{name}, {options} options, {nodes} nodes: {reading:.1} us to read, {counting:.1} us to count"
        )?;
    }
    Ok(())
}
