//! The first solutions of one sudoku, in order: `cargo run --release --example list_solutions -- PUZZLE`

use tallyboard::sudoku::Grid;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let puzzle: Grid = std::env::args().nth(1).map_or(Ok(Grid::default()), |text| text.parse())?;
    for solution in puzzle.solutions().take(5) {
        println!("{solution}");
    }
    Ok(())
}
