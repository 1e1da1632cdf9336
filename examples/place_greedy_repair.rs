//! Greedy repair from both starts: `cargo run --release --example place_greedy_repair -- 300000`

use std::time::Instant;

use tallyboard_queens::place::{Limits, Method, Opening, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(300_000), |n| n.parse())?;
    for opening in [Opening::Random, Opening::Careful] {
        let began = Instant::now();
        let found = solve(n, &Method::GreedyRepair { opening }, 1, &Limits::default())?;
        println!("{opening:?} opening: {} steps in {:?}", found.steps, began.elapsed());
    }
    Ok(())
}
