//! The same board by two orders of backtracking: `cargo run --example place_backtrack -- 24`

use tallyboard_queens::place::{Limits, Method, Order, solve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(24), |n| n.parse())?;
    for order in [Order::TopDown, Order::FewestFirst] {
        let found = solve(n, &Method::Backtrack { order }, 0, &Limits::default())?;
        println!("{order:?}: {} steps, {:?}", found.steps, found.placement.columns());
    }
    Ok(())
}
