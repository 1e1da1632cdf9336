//! A stream of canonical forms.

use std::io::{Read, Write};

use super::{BadLine, Block, Hooks, Job, Settings, Solved, StreamError, Summary, run};
use crate::search::Stopped;
use crate::sudoku::canon::canonical;
use crate::sudoku::format::Form;
use crate::sudoku::rows::{Worker, write_answer};
use crate::sudoku::{Answer, parse_line};

/// Writes the canonical form of every puzzle of `input` in its place, in the manner of
/// [`solve_stream_as`](super::solve_stream_as) with bare solutions: what is found for a puzzle is its
/// [canonical form](canonical).
///
/// # Errors
/// As for [`solve_stream`](super::solve_stream).
pub fn canon_stream(
    form: &Form,
    input: impl Read + Send,
    output: &mut dyn Write,
    settings: &Settings,
    report: &mut dyn FnMut(&BadLine),
) -> Result<Summary, StreamError> {
    let hooks = &Hooks::default();
    run(&Job { form, task: canon_block, settings, hooks }, input, output, report)
}

fn canon_block(block: Block, _: &mut Worker, settings: &Settings) -> Result<Solved, Stopped> {
    Solved::line_by_line(block, settings.stop, |solved, line| {
        let answer = Answer { count: 1, first: Some(canonical(&parse_line(line)?)) };
        solved.summary.add(1);
        write_answer(&mut solved.rows, line, &answer, settings.row);
        Ok(())
    })
}
