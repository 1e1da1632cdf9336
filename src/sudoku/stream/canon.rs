//! A stream of canonical forms.

use std::io::{Read, Write};

use super::{
    BadLine, Block, Hooks, Job, Settings, Solved, StreamError, Summary, answer_block, run,
};
use crate::sudoku::Answer;
use crate::sudoku::canon::canonical;
use crate::sudoku::format::Form;

/// Writes the canonical form of every puzzle of `input` in its place, in the manner of
/// [`solve_stream_as`] with bare solutions: what is found for a puzzle is its
/// [canonical form](canonical).
///
/// # Errors
/// As for [`solve_stream`].
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

fn canon_block(block: Block, settings: &Settings) -> Solved {
    answer_block(block, settings, |grid| Answer { count: 1, first: Some(canonical(grid)) })
}
