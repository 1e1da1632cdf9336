//! Unique boards proved a second, and how often that of the naive search, by kernel: `cargo bench -p tallyboard-regions`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::{self, Write};

use support::naive_count;
use tallyboard_base::clock::thread_time;
use tallyboard_base::cpu::Instructions;
use tallyboard_regions::{Board, Generator, Limits, Wishes, solve_all};
use tallyboard_search::Stop;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:>12} {:>10} {:>12} {:>9} {:>8}",
        "board", "kernel", "boards/s", "to naive", "guesses"
    )?;
    for (size, stars, count) in
        [(8, 1, 2_000), (10, 1, 1_000), (12, 1, 300), (14, 1, 60), (10, 2, 50)]
    {
        let generator = Generator::new(Wishes::new(size, stars), 1).expect("there are such boards");
        let numbers: Vec<u64> = (0..count).collect();
        let (boards, time) = timed(|| {
            generator.boards(&numbers, Instructions::best(), &Stop::new()).expect("not stopped")
        });
        writeln!(out, "{size:>6} {stars:>5} {:>10} {:>12.0}", "generate", count as f64 / time)?;
        // The naive search takes a tenth of a second and more for a board.
        let few = &boards[..if size < 12 { 50 } else { 3 }];
        let (unique, time) = timed(|| few.iter().all(|board| naive_count(board, 2) == 1));
        assert!(unique);
        let naive = few.len() as f64 / time;
        writeln!(out, "{size:>6} {stars:>5} {:>10} {naive:>12.1}", "naive")?;
        let many: Vec<Board> = boards.iter().cycle().take(16_384).cloned().collect();
        let many = &many[..if stars > 1 { 1_000 } else { many.len() }];
        for instructions in Instructions::all() {
            let mut best = f64::MAX;
            let mut guesses = 0;
            for _ in 0..5 {
                let (answers, time) = timed(|| {
                    solve_all(many, Limits::solutions(2), instructions, &Stop::new())
                        .expect("not stopped")
                });
                assert!(answers.iter().all(|answer| answer.is_unique()));
                guesses = answers.iter().map(|answer| answer.guesses).sum();
                best = best.min(time);
            }
            let rate = many.len() as f64 / best;
            let guesses = guesses as f64 / many.len() as f64;
            let kernel = instructions.kernel().to_string();
            writeln!(
                out,
                "{size:>6} {stars:>5} {kernel:>10} {rate:>12.0} {:>9.1} {guesses:>8.2}",
                rate / naive
            )?;
        }
    }
    Ok(())
}

/// What `work` returns, and the CPU seconds of this thread that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = thread_time().expect("the system tells the time of a thread");
    let done = work();
    (done, thread_time().expect("as before") - start)
}
