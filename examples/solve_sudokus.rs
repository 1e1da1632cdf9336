//! Many sudokus in memory, on every core: `cargo run --release --example solve_sudokus -- puzzles.txt`

use tallyboard::sudoku::{Grid, LineError, solve, solve_all};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected the name of a file")?;
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let puzzles = lines.map(str::parse).collect::<Result<Vec<Grid>, LineError>>()?;
    let answers = solve_all(&puzzles);
    let unique = answers.iter().filter(|answer| answer.is_unique()).count();
    println!("{unique} of {} puzzles have one solution", answers.len());
    if let Some(puzzle) = puzzles.first() {
        println!("{}", solve(puzzle));
    }
    Ok(())
}
