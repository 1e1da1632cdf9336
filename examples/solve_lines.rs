//! Sudokus of any number from the standard input: `cargo run --release --example solve_lines < puzzles.txt`

fn main() {
    for answer in tallyboard::sudoku::solve_lines(std::io::stdin()) {
        match answer {
            Ok(answer) => println!("{answer}"),
            Err(error) => eprintln!("{error}"),
        }
    }
}
