//! The work besides searching: the speed of reading options, and the CPU time to read and to count small puzzles.
//! `cargo bench -p tallyboard-cover --bench small -- [ROUNDS]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::fmt::Write;
use std::hint::black_box;
use std::io::{self, Write as _};

use support::instances;
use tallyboard_base::clock::ThreadWatch;
use tallyboard_base::random::Random;
use tallyboard_base::statistics::median;
use tallyboard_cover::Count;
use tallyboard_cover::format::{Format, read, write};

/// The median time of some rounds, each of so many runs.
fn median_time<T>(rounds: usize, runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let watch = ThreadWatch::start();
        for _ in 0..runs {
            black_box(work());
        }
        times.push(watch.seconds());
    }
    median(&times)
}

/// Options of five items out of `items`, at least `bytes` bytes of them.
fn options(items: u64, bytes: usize) -> String {
    let mut random = Random::from_seed(7);
    let names: Vec<String> = (0..items).map(|item| format!("item{item}")).collect();
    let mut text = names.join(" ") + "\n";
    while text.len() < bytes {
        // Each item is from another fifth, so that they differ.
        for part in 0..5 {
            let item = part * (items / 5) + random.below_wide(items / 5);
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
    if rounds == 0 {
        return Err(io::Error::other("0 rounds have no median, 1 at least is needed"));
    }
    for (name, items) in [("60 items", 60), ("1,000 items", 1_000), ("100,000 items", 100_000)] {
        let text = options(items, 100_000_000);
        let read = || read(text.as_bytes(), "options").expect("they are right");
        let seconds = median_time(rounds, 1, read);
        let speed = text.len() as f64 / 1e6 / seconds;
        writeln!(out, "reading options, {name}: {speed:.0} MB/s")?;
    }
    for name in ["sudoku-4x4", "triples-7", "pentominoes-3x20", "petersen", "queens-8"] {
        let cover = instances::gallery(name);
        let text = write(&cover, Format::Knuth).expect("it is Knuth's");
        let read = || read(text.as_bytes(), name).expect("it was written here");
        let count = || Count::new(&cover).and_then(|count| count.total_and_nodes());
        let nodes = count().expect("it is small").1;
        // The seconds of 1,000 runs, times 1e3, are the microseconds of one.
        let reading = 1e3 * median_time(rounds, 1_000, read);
        let counting = 1e3 * median_time(rounds, 1_000, count);
        let options = cover.len();
        writeln!(
            out,
            "{name}, {options} options, {nodes} nodes: {reading:.1} us to read, {counting:.1} us to count"
        )?;
    }
    Ok(())
}
