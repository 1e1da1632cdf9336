//! A solution written down at once: `cargo run --example place_explicit -- 12`

use tallyboard_queens::place::{Progression, explicit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(12), |n| n.parse())?;
    match explicit(n) {
        Some(runs) => {
            println!("{:?}", runs.into_iter().flat_map(Progression::columns).collect::<Vec<_>>());
        }
        None => println!("no solution exists for n = {n}"),
    }
    Ok(())
}
