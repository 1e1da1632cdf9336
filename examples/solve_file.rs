//! Solving a file in the library, in any format and compression:
//! `cargo run --release --example solve_file -- puzzles.csv.gz`

use std::error::Error;
use std::fs::File;
use std::io;

use tallyboard_files::compress;
use tallyboard_search::Stop;
use tallyboard_sudoku::BadLine;
use tallyboard_sudoku::format::{Form, FormOptions, sniff};
use tallyboard_sudoku::stream::{Settings, solve_stream};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the name of a file")?;
    let (head, mut input) = sniff(compress::reader(File::open(&path)?)?)?;
    let form = Form::find(&head, &FormOptions::default())?;
    // Another thread may raise this flag to end the run early.
    let stop = Stop::new();
    let mut report = |bad: &BadLine| eprintln!("{path}: {bad}");
    let mut output = io::stdout();
    let settings = Settings::new(&stop);
    let summary = solve_stream(&form, &mut input, &mut output, &settings, &mut report)?;
    eprintln!("{} puzzles, {} with one solution", summary.puzzles(), summary.unique);
    Ok(())
}
