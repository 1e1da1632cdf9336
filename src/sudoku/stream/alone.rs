//! One worker without company: reads, solves and writes in turn.
//!
//! Handing blocks from thread to thread would cost more than an easy puzzle's solution: the text
//! leaves the caches of the core that read it, and somebody is woken up for every block.

use std::io::{Read, Write};

use super::writer::write_block;
use super::{BLOCK_BYTES, BadLine, Block, Buffers, Job, StreamError, Summary, Worker, read_error};
use crate::sudoku::format::Blocks;

/// Runs the whole job on this thread, until the input ends or the stop flag is raised.
///
/// # Errors
/// As [`solve_stream`](super::solve_stream).
pub fn run_alone(
    job: &Job,
    input: impl Read,
    output: &mut dyn Write,
    report: &mut dyn FnMut(&BadLine),
) -> Result<Summary, StreamError> {
    let settings = job.settings;
    let mut input = Blocks::new(input, job.form, job.hooks.block_bytes.unwrap_or(BLOCK_BYTES));
    let mut worker = Worker::new(settings.solver);
    let (mut summary, mut buffers) = (Summary::default(), Buffers::default());
    output.write_all(&job.form.preamble(settings.row)).map_err(StreamError::Write)?;
    let mut read = Ok(());
    for number in 0.. {
        let text = match input.next(buffers.text) {
            Ok(Some(text)) if !settings.stop.requested() => text,
            Ok(_) => break,
            Err(error) => {
                read = Err(read_error(error, &summary));
                break;
            }
        };
        let Ok(block) = job.solve(Block { number, text, rows: buffers.rows }, &mut worker) else {
            break;
        };
        write_block(&block, &summary, output, settings, report)?;
        summary.merge(&block.summary);
        buffers = Buffers { text: block.text, rows: block.rows };
    }
    output.flush().map_err(StreamError::Write)?;
    read.map(|()| summary)
}
