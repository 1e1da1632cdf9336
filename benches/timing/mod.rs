//! Times a job: the median and the least of a few runs. Jobs are chosen by words of their names, as in
//! `cargo bench -- blocks`.

use std::fmt::Display;
use std::time::Instant;

/// Enough for a median that another program's second does not move.
const RUNS: usize = 11;

/// Runs `job`, which panics if its answer is wrong, and prints how long it takes.
pub fn time(name: impl Display, mut job: impl FnMut()) {
    let (flags, words): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let name = name.to_string();
    if !words.is_empty() && !words.iter().any(|word| name.contains(word)) {
        return;
    }
    // Tables are filled, pages are mapped. Without the flag, as `cargo test --benches` has it, that is all.
    job();
    if !flags.iter().any(|flag| flag == "--bench") {
        return;
    }
    let mut seconds = [(); RUNS].map(|()| {
        let began = Instant::now();
        job();
        began.elapsed().as_secs_f64()
    });
    seconds.sort_by(f64::total_cmp);
    println!("{name:48} {:10.3} ms, least {:10.3} ms", seconds[RUNS / 2] * 1e3, seconds[0] * 1e3);
}
