//! Blocks that are not solved line by line to plain rows: other formats, other sizes, and rows that
//! tell how their puzzles are solved.

use std::io::Write;

use super::{BadLine, Block, Job, Row, Settings, Solved, Summary};
use crate::search::Stopped;
use crate::sudoku::block::Method;
use crate::sudoku::format::lines;
use crate::sudoku::rows::Worker;
use crate::sudoku::sized::Size;
use crate::sudoku::{LineError, parse_line};

/// Solves a block in another form than plain lines: its puzzles are solved as plain lines.
///
/// # Errors
/// [`Stopped`] if the stop flag was raised meanwhile.
pub fn convert_block(block: Block, worker: &mut Worker, job: &Job) -> Result<Solved, Stopped> {
    let Job { form, task, settings, .. } = *job;
    let batch = form.read(&block.text, block.number == 0);
    // Counting all is cheaper where nobody asks for a solution; methods stand behind whole rows.
    let row = match settings.row {
        Row::Count if !form.stats() => Row::Count,
        _ => Row::Solution,
    };
    let plain_settings = Settings { row, ..*settings };
    let plain = Block { number: block.number, text: batch.plain.clone(), rows: block.rows };
    let mut answers = task(plain, worker, &plain_settings)?;
    if form.stats() {
        answers.rows = with_methods(&answers.rows, settings)?;
    }
    let mut solved = Solved { number: block.number, ..Solved::default() };
    solved.summary = Summary { lines: batch.lines, ..answers.summary };
    let Solved { rows, bad, first_bad, summary, .. } = &mut solved;
    form.write(&batch, &answers.rows, settings.row, rows, &mut |line, error, begin| {
        first_bad.get_or_insert(begin);
        match error {
            LineError::Disagrees { .. } => summary.disagreements += 1,
            _ => summary.bad += 1,
        }
        bad.push(BadLine { line, error });
    });
    drop(batch);
    solved.text = block.text;
    Ok(solved)
}

/// `rows` with the method and the guesses behind each.
fn with_methods(rows: &[u8], settings: &Settings) -> Result<Vec<u8>, Stopped> {
    let mut told = Vec::with_capacity(rows.len() + rows.len() / 10);
    for row in lines(rows) {
        let grid = parse_line(row).expect("a row begins with its puzzle");
        let Method { means, guesses } = Method::of(&grid, settings.limit, settings.stop)?;
        told.extend_from_slice(row);
        // Writing to a Vec cannot fail.
        let _ = writeln!(told, ":{means}:{guesses}");
    }
    Ok(told)
}

/// Solves a block of grids of another size than 9 × 9.
///
/// # Errors
/// [`Stopped`] if the stop flag was raised meanwhile.
pub fn solve_sized_block(block: Block, size: Size, settings: &Settings) -> Result<Solved, Stopped> {
    Solved::line_by_line(block, settings.stop, |solved, line| {
        let grid = size.parse(line)?;
        let (count, first) = grid.solve(settings.limit);
        solved.summary.add(count);
        let first = first.map(|first| first.to_string()).unwrap_or_default();
        // Writing to a Vec cannot fail.
        let _ = match settings.row {
            Row::Solution => write!(solved.rows, "{grid}:{count}:{first}"),
            Row::SolutionOnly => write!(solved.rows, "{first}"),
            Row::Count => write!(solved.rows, "{grid}:{count}"),
        };
        Ok(())
    })
}
