//! A board with a queen on a1 and a closed square, counted with progress: `cargo run --release --example count_board`

use tallyboard::queens::{Board, Error};

fn main() -> Result<(), Error> {
    let board = Board::new(12)?.place("a1")?.block("h5")?;
    let count = board.count().threads(4);
    let solutions = count.on_progress(|now| eprintln!("{:.0} %", 100.0 * now.share())).run()?;
    println!("{solutions} solutions");
    Ok(())
}
