//! Conflict repair as first taught, for several seeds: `cargo run --example place_repair -- 500`

use tallyboard_queens::place::{Limits, Method, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(500), |n| n.parse())?;
    for seed in 1..=5 {
        let found = solve(n, &Method::Repair, seed, &Limits::default())?;
        println!("seed {seed}: {} moves, {} restarts", found.steps, found.restarts);
    }
    Ok(())
}
