//! How many ways are there to place n queens? `cargo run --release --example count_queens -- 15`

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(12), |n| n.parse())?;
    println!("{n} queens: {} solutions", tallyboard::queens::count(n)?);
    Ok(())
}
