//! How the number of random rows matters: `cargo run --release --example place_las_vegas -- 36`

use tallyboard_queens::place::{Limits, Method, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(36), |n| n.parse())?;
    let limits = Limits { max_steps: Some(10_000_000), ..Limits::default() };
    for random_rows in (0..=n).step_by((n as usize / 8).max(1)) {
        match solve(n, &Method::LasVegas { random_rows: Some(random_rows) }, 1, &limits) {
            Ok(found) => println!("{random_rows} random rows: {} steps", found.steps),
            Err(error) => println!("{random_rows} random rows: {error}"),
        }
    }
    Ok(())
}
