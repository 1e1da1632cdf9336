//! The crates `sudoku` and `zero-alloc-sudoku`, one thread, from file to file: rulers of benches/records_sudoku.sh and rivals.sh.
//!
//!     rulers MODE INPUT OUTPUT
//!
//! MODE is `1` or `2` (solutions of a puzzle are counted up to this limit, and the first is written
//! behind the puzzle; with an `s` behind, as `2s`, it is written alone), `count` (all are counted), or
//! `zero` (by `zero-alloc-sudoku`, which looks for one solution and has no count). It writes the rows that tallyboard writes, and the number of
//! solutions that it found to standard error. To be a hard ruler it reads the input at one go, keeps
//! its buffers, and forgives no line: anything but 81 cells is an error.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use sudoku::Sudoku;

const CELLS: usize = 81;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, input, output] = arguments.as_slice() else {
        return Err("expected MODE INPUT OUTPUT".into());
    };
    let (limit, alone) = match mode.as_str() {
        "1" | "1s" => (Some(1), mode.ends_with('s')),
        "2" | "2s" => (Some(2), mode.ends_with('s')),
        "count" | "zero" => (None, false),
        _ => {
            return Err(format!("found mode {mode:?}, expected 1, 1s, 2, 2s, count or zero").into());
        }
    };
    let text = std::fs::read_to_string(input)?;
    let mut output = BufWriter::with_capacity(1 << 18, File::create(output)?);
    let mut found = 0;
    for line in text.lines() {
        found += match limit {
            Some(limit) => solve(line, limit, alone, &mut output)?,
            None if mode == "zero" => zero_alloc(line, &mut output)?,
            None => count(line, &mut output)?,
        };
    }
    output.flush()?;
    eprintln!("{found}");
    Ok(())
}

/// Writes `puzzle:count:solution`, or the solution `alone`.
fn solve(
    line: &str,
    limit: usize,
    alone: bool,
    output: &mut impl Write,
) -> Result<usize, Box<dyn Error>> {
    let mut solutions = [[0; CELLS]; 2];
    let count = Sudoku::from_str_line(line)?.solutions_up_to_buffer(&mut solutions, limit);
    if !alone {
        write!(output, "{}:{count}:", &line[..CELLS])?;
    }
    if count > 0 {
        output.write_all(&solutions[0].map(|value| b'0' + value))?;
    }
    output.write_all(b"\n")?;
    Ok(count)
}

/// Writes `puzzle:count`.
fn count(line: &str, output: &mut impl Write) -> Result<usize, Box<dyn Error>> {
    let count = Sudoku::from_str_line(line)?.solutions_count_up_to(usize::MAX);
    writeln!(output, "{}:{count}", &line[..CELLS])?;
    Ok(count)
}

/// Writes `puzzle:1:solution`, or `puzzle:0:` without a solution.
fn zero_alloc(line: &str, output: &mut impl Write) -> Result<usize, Box<dyn Error>> {
    let mut sudoku: zero_alloc::Sudoku = line.replace('.', "0").parse()?;
    let found = usize::from(sudoku.solve());
    write!(output, "{}:{found}:", &line[..CELLS])?;
    if found == 1 {
        output.write_all(&sudoku.cells().map(|value| b'0' + value))?;
    }
    output.write_all(b"\n")?;
    Ok(found)
}
