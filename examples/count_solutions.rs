//! The number of all solutions of one sudoku: `cargo run --release --example count_solutions -- PUZZLE`

use tallyboard::sudoku::Grid;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let puzzle: Grid = std::env::args().nth(1).map_or(Ok(Grid::default()), |text| text.parse())?;
    println!("{}", puzzle.count_solutions()?);
    Ok(())
}
