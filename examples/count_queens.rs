//! Counting with the library, with progress and a stop flag: `cargo run --release --example count_queens -- 15`

use tallyboard::queens::{Board, Count, Settings, known};
use tallyboard::search::{Observer, Options, Progress, Stop, run};

/// Tells how far the count is, ten times a second.
struct Percent;

impl Observer for Percent {
    fn tick(&mut self, progress: &Progress) -> std::io::Result<()> {
        eprint!("\r{:5.1} %", 100.0 * progress.share());
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(15), |n| n.parse())?;
    let count = Count::with(Board::new(n)?, Settings::new().threads(2))?;
    // Another thread may raise this flag to end the count early.
    let stop = Stop::new();
    let outcome = run(&count, &Options::new().stop(&stop), &mut Percent)?;
    let Some(solutions) = outcome.whole() else {
        println!("\rstopped after {} of {} subtrees", outcome.finished, outcome.subtrees);
        return Ok(());
    };
    println!("\r{n} queens: {solutions} solutions in {:?}", outcome.elapsed);
    known::check(n, solutions)?;
    Ok(())
}
