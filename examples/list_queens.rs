//! Every solution of a board, in order: `cargo run --release --example list_queens -- 6`

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(8), |n| n.parse())?;
    for placement in tallyboard::queens::solutions(n)? {
        println!("{placement}");
    }
    Ok(())
}
